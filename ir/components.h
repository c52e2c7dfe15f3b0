/* Arguments that are several fields of the program: components, parts of complex numbers. */
#ifndef STENCILC_IR_COMPONENTS_H
#define STENCILC_IR_COMPONENTS_H

#include "ir/ir.h"

/* The argument, if "f" is it or its first component; else NULL. */
const struct field *field_begins(const struct field *f);
/* How many numbers the argument "f" has for each cell. */
int field_numbers(const struct field *f);
/* Does an argument have complex numbers, whose parts are fields? */
bool program_has_lanes(const struct program *p);
/* "p" with each component of its arguments separate. */
const struct program *program_apart(struct region *r, const struct program *p);

#endif

/* Vectors of the processor in files of C. */
#ifndef STENCILC_C_VECTORS_H
#define STENCILC_C_VECTORS_H

#include "codegen/tree/print.h"

bool c_uses_vectors(const struct kunit *unit);
/* Their types and functions, as far as "unit" uses them. */
void c_print_vectors(struct text *t, const struct kunit *unit);

#endif

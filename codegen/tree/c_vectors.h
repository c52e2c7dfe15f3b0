/* Vectors of the processor, and what makes compilers use them, in files of C. */
#ifndef STENCILC_C_VECTORS_H
#define STENCILC_C_VECTORS_H

#include "codegen/tree/print.h"

bool c_uses_vectors(const struct kunit *unit);
/* Their types and functions, as far as "unit" uses them. */
void c_print_vectors(struct text *t, const struct kunit *unit);
/* What the names of their fmin and fmax begin with. */
#define C_EXTREMES "stencilc_"

/* c_math.c: attributes and options, then functions in place of the library's. */
void c_print_math(struct text *t, const struct kunit *unit);
void c_print_extremes(struct text *t, const struct kunit *unit);
/* c_roots.c: functions of square roots of vectors, those of the type "vector" that "unit" uses, and
 * how fast the divider is that some of them ask for.
 */
bool c_uses_roots(const struct kunit *unit);
bool c_uses_divider(const struct kunit *unit);
void c_print_divider(struct text *t);
void c_print_roots(struct text *t, const struct kunit *unit, struct ctype vector);
/* c_lanes.c: functions that move cells between memory and the lanes of tiles of one dimension. */
void c_print_lanes(struct text *t, const struct kunit *unit);

#endif

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
/* c_roots.c: the function of square roots of vectors of floats, or of doubles. */
void c_print_roots_of(struct text *t, bool is_float);
/* c_lanes.c: functions that move cells between memory and the lanes of tiles of one dimension. */
void c_print_lanes(struct text *t, const struct kunit *unit);
/* 1 / the roots of a vector of floats. */
void c_print_over_roots(struct text *t);
/* How fast the divider is that B_DIVIDER_ROOT_LANES and B_DIVIDER_OVER_ROOT_LANES ask for. */
void c_print_divider(struct text *t);
/* What B_DIVIDER_ROOT_LANES, "over": B_DIVIDER_OVER_ROOT_LANES, is printed as, behind the others. */
void c_print_divider_roots(struct text *t, bool is_float, bool over);

#endif

/* Subscripts that turn back at the ends of an array: which neighbour they mean elsewhere. */
#ifndef STENCILC_NEARBY_H
#define STENCILC_NEARBY_H

#include "frontend/c/stencil.h"

/* Is "p" the variable of a surrounding loop plus a constant, "distance"? */
bool is_near_point(const struct c_place *place, const struct poly *p,
	int64_t *distance);
/* "e" without casts that keep what a subscript can be, and with the values of scalars. */
struct c_expr *bare_subscript(struct c_expr *e);
/* The neighbouring point, as i - 1, that the resolved subscript "e" means, (i - 1 + n) % n or
 * i == 0 ? i : i - 1; false: it means none.
 */
bool neighbour_of(struct stencil *s, const struct c_expr *e, struct poly *p);
/* A resolved linear subscript that chooses, j == 0 ? at : at - m where "at" is j * m + i, as the sum i + (j == 0 ? j :
 * j - 1) * m; NULL: it is no such choice.
 */
struct c_expr *choice_along(struct stencil *s, struct c_expr *e);
/* "e", a resolved linear subscript, with such choices for offsets in it: at + (j == 0 ? 0 : -m) */
struct c_expr *offsets_as_choices(struct stencil *s, struct c_expr *e);

#endif

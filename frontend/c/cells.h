/* The cells of accesses, as isl sets. */
#ifndef STENCILC_CELLS_H
#define STENCILC_CELLS_H

#include "frontend/c/stencil.h"

/* The subscript "d" of "a"; NULL: it is not quasi-affine */
__isl_give isl_pw_aff *subscript_value(struct stencil *s,
	const struct c_access *a, int d);
/* { [round, v1, .., vn] -> [cell] } for any iterations */
__isl_give isl_map *access_cells_anywhere(struct stencil *s,
	const struct c_access *a);
/* The first cell along "dim", or the last: a sum of parameters that no cell lies beyond, rather none where loops end. */
struct cells_end {
	int dim;
	bool last;
	const struct poly *of_loops;
	int n_loops;
	struct poly cell;		/* what is found; .. */
	isl_set *other;			/* .. { params } for which it is another cell */
};
/* Of "cells", { [cell] }; false if there is no such sum. */
bool end_of_cells(struct stencil *s, __isl_keep isl_set *cells, struct cells_end *end);
/* { [round, v1, .., vn] } where "a" is in its array, along "d" or in all dimensions; where the
 * program gives what it reads a meaning, as a boundary does beyond the ends.
 */
__isl_give isl_set *cells_inside_along(struct stencil *s,
	const struct c_access *a, int d);
__isl_give isl_set *cells_inside(struct stencil *s,
	const struct c_access *a);
__isl_give isl_set *cells_meant(struct stencil *s, const struct c_access *a);
/* { [round, v1, .., vn] : the sizes of the array are as assumed } */
__isl_give isl_set *sizes_assumed(struct stencil *s,
	const struct c_access *a);

/* kept.c: { [round, v1, .., vn] -> [cell] } for the iterations of the place; { [cell] } in any round */
__isl_give isl_map *access_cells(struct stencil *s, const struct c_access *a);
__isl_give isl_set *cells_touched(struct stencil *s, const struct c_access *a);
/* Keep what these two find, as no access or condition changes until it is forgotten. */
void keep_cells(struct stencil *s);
void forget_cells(struct stencil *s);

#endif

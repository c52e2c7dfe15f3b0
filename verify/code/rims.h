/* Strips at the sides of the grid, which store their rims, too.
 *
 * Strip S has its origin at o = low + S*pitch, which tells whether it is the first or the last one
 * along a dimension.  It stores begin <= x < end, with
 *
 *	begin = o - low where o = low, else o
 *	end = o + pitch + high where that reaches the end of the grid, else o + pitch
 *
 * In terms of S, which cells all strips store is a set of many pieces.  So the proof takes a strip
 * with any origin, begin and end, by as many of a lane's cells apart; and it is shown that the
 * code gives them these values, and that S = 0 .. floor(max(size - 1 - low - high, 0)/pitch) are
 * the strips, of which the last one alone reaches the end.
 */
#ifndef STENCILC_VERIFY_RIMS_H
#define STENCILC_VERIFY_RIMS_H

#include "verify/code/code.h"

struct any_strip {
	int n_params;		/* theirs, the first ones behind the
				 * program's */
	isl_set *all;		/* { [] : their values are possible } */
	struct stored_along {
		isl_pw_aff *origin, *begin, *end;	/* NULL: no rims */
		const char *name_of_origin, *name_of_begin, *name_of_end;
	} along[IR_MAX_DIMS];
};

/* .. of "plan"; NULL: its tiles have no rims. */
const struct any_strip *declare_any_strip(struct code *w,
	const struct plan *plan);
/* The value of variable "name", declared as "x", if it is one of these; NULL: it is none, or
 * "right" is false.
 */
__isl_give isl_pw_aff *number_of_strip(struct code *w, const char *name,
	const struct kx *x, bool *right);
/* Is "s" a loop over strips, of which the current one is any? */
bool takes_any_strip(const struct code *w, const struct ks *s);
/* The cells { [T, copy, x] } of "cells" that the strip stores. */
__isl_give isl_set *cells_of_any_strip(const struct code *w,
	__isl_take isl_set *cells);
/* Is "x" the origin of strips along dimension "d", and is "s" the loop of blocks over all strips
 * there, if these have rims?
 */
bool begins_behind_rim(const struct code *w, int d, const struct kx *x);
bool takes_all_strips(const struct code *w, const struct ks *s);
/* Are those strips launched that the grid has, and no others? */
bool launches_strips_of_grid(struct code *w);

#endif

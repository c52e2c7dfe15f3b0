/* Tiles whose length is an argument of kernels: l = least + step*k, for any k >= 0.
 *
 * Tile S begins at S*l, which is no quasi-affine function of S and l.  So the proof takes any
 * tile, at any place s >= 0 instead of S*l:
 *
 *	S*l			is	s
 *	S <= floor(e/l)		is	s <= e
 *	c <= floor(e/l)		is	c*l <= e, where c is a number
 *
 * If each stores the cells s <= x < s + l of the grid, for all s and l, then so do the tiles at
 * multiples of l, and each cell lies in one of these.
 */
#ifndef STENCILC_VERIFY_LENGTHS_H
#define STENCILC_VERIFY_LENGTHS_H

#include "verify/code/code.h"

struct any_tile {
	isl_pw_aff *length, *begin;
	isl_set *all;		/* { [] : length >= least, begin >= 0 } */
	int n_params;		/* theirs, the first ones behind the program's */
	int least, step;
};

/* The length of tiles, a variable of the code with a parameter of its own; NULL: a number. */
__isl_keep isl_pw_aff *declare_length(struct code *w, const struct plan *plan);
/* .. and where one begins, with a parameter, too; or NULL. */
const struct any_tile *declare_any_tile(struct code *w, const struct plan *plan);
/* The length where it is one of two numbers, "length" and so much more: a variable with a
 * parameter, too.
 */
__isl_keep isl_pw_aff *declare_either_length(struct code *w, int length,
	int longer);
/* S*l, for the number S of a tile and the length l; or NULL. */
__isl_give isl_pw_aff *begin_of_tile(struct code *w, const struct kx *x);
/* x*l, where "x" is a tile or a number; or NULL. */
__isl_give isl_pw_aff *times_length(struct code *w, const struct kx *x);
/* Give "v" its value, or if that is "x" = floor(e/l) what it means. */
void set_number(struct code *w, struct variable *v, const struct kx *x,
	__isl_keep isl_pw_aff *number);
/* Does the loop of all blocks go to the last tile? */
bool is_loop_of_tiles(const struct code *w, const struct ks *s);
/* "T = 3, N = 7, l = 5": sizes_of_point() and the length. */
const char *sizes_with_length(const struct code *w,
	__isl_keep isl_point *p);
/* The cells of "cells" in the tile, along dimension "pos". */
__isl_give isl_set *cells_of_any_tile(const struct any_tile *tile,
	__isl_take isl_set *cells, int pos);

#endif

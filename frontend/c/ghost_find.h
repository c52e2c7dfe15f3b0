/* Which arrays are grids with cells around them. */
#ifndef STENCILC_GHOST_FIND_H
#define STENCILC_GHOST_FIND_H

#include "frontend/c/ghost.h"

/* The search for the grid in an array. */
struct ghost_search {
	struct stencil *s;
	struct c_field *field;
	struct c_ghosts *ghosts;
	bool has_low[C_MAX_DIMS], has_high[C_MAX_DIMS];
	struct poly low[C_MAX_DIMS], high[C_MAX_DIMS];	/* the first cell of the grid, and
							 * the first behind it */
	struct poly top[C_MAX_DIMS];	/* behind the last cell that copies write */
	isl_set *holds;			/* { params : all is in the array, .. } */
	isl_set *grid;			/* { [cell] }, and */
	isl_set *shifts;		/* { [distance] } from a cell to the one copied */
	int phase;
	isl_map *source;		/* { [cell] -> [cell] }: what has its value */
	isl_set *written;		/* { [cell] } that copies write */
	int last;			/* of the copies in the order of statements */
	enum { ALL, BEFORE, BEHIND } looks_at;	/* which reads: those before or behind copies at the end of a step */
	int copied;			/* the order of such copies */
	bool is_stale;			/* no cell around the grid has what copies gave it */
	bool reads_old;			/* such cells are read BEFORE */
};

/* Does "u" always copy cells of "f" that are the same distance away? */
bool is_copy_around(const struct stencil *s, const struct c_field *f, const struct c_update *u);
/* The grid in the array "f", around which steps copy cells; the emitted file asks for what must hold.  NULL: none. */
struct c_ghosts *grid_around(struct stencil *s, struct c_field *f);
/* .. in "f", which nobody copies around, but uses on the cells alone that "like" has in its array. */
struct c_ghosts *grid_like(struct stencil *s, struct c_field *f, const struct c_ghosts *like);
/* .. in what "u" fills, or others as well, and which "copies" might surround it, as others surround "like".  With "asks"
 * they are copies before the first step.
 */
struct c_ghosts *grid_with(struct stencil *s, const struct c_update *u, const struct c_ghosts *like,
	struct c_update *copies, bool asks);
/* ghost_fill.c: the grid in the array that "u" fills from another one with the cells around it, which it does not do any
 * longer.  NULL: it is none.
 */
struct c_ghosts *fill_grid(struct stencil *s, struct c_update *u);
/* .. in "f", which statements fill under conditions, or from what it has: the emitted file asks whether it is one before
 * the first step.
 */
struct c_ghosts *keep_grid(struct stencil *s, struct c_field *f);
/* .. in the array that "u" fills from the one that is searched: the cells that copies have written there, and perhaps
 * others, which nobody reads.
 */
bool may_fill(const struct ghost_search *g, const struct c_update *u);
bool fills_like(const struct ghost_search *like, const struct c_update *u);

/* Of the search, for ghost_behind.c: follow the copies of the phase; .. */
bool follow_copies(struct ghost_search *g);
void forget_copies(struct ghost_search *g);
/* .. is the value of each of "cells" that of a cell of the grid then, a whole number of periods away?  .. */
bool stand_for_grid(const struct ghost_search *g, __isl_take isl_set *cells);
/* .. do others than copies read and write the array as a grid that comes around? */
bool others_agree(struct ghost_search *g);
bool share_loops(const struct c_loop *a, const struct c_loop *b);
/* There must be so many steps; false: there never are. */
bool need_steps(struct ghost_search *g, int least);

/* ghost_behind.c: does each step copy at its end, for the next one? */
bool copies_come_last(struct ghost_search *g);

#endif

/* The program of a block: what a rank computes when several ranks have a box of the grid each. */
#ifndef STENCILC_IR_BLOCKS_H
#define STENCILC_IR_BLOCKS_H

#include "ir/ir.h"

enum {
	BLOCKS_MAX_DIMS = 3,		/* of a grid that are cut */
	BLOCKS_MAX_STEPS = 128,		/* between exchanges of halos */
	NOT_NEEDED = -1000000,		/* see struct block_field */
};

/* A dimension of the grid that is cut. */
struct block_dim {
	const struct expr *size;	/* of the whole grid */
	int more_cells;			/* fields have at most so many cells
					 * along it */
	bool is_around;			/* what lies beyond one end is found at
					 * the other */
	const struct param *origin, *extent;	/* extent of the block, with its
						 * halos */
	const struct param *own, *own_end;	/* the rank's own cells in the
						 * block; NULL if it has neither
						 * series nor steps */
	/* Reductions add reals along it: it is cut between pieces of points, the first of which
	 * begins at the point "first_piece".
	 */
	bool in_pieces;
	int first_piece;
	/* Halos for h steps are slope*h + more cells deep, at least 0. */
	int slope[SIDES], more[SIDES];
};

struct block_field {
	int cut[IR_MAX_DIMS];	/* by dimension: the grid's dimension that cuts
				 * it, or -1 */
	bool is_shared_out;	/* each rank has some of the cells; else all
				 * ranks have all */
	/* By copy, oldest first: h steps need slope*h + need cells beyond the rank's own ones,
	 * if that is positive.
	 */
	int (*need)[BLOCKS_MAX_DIMS][SIDES];
};

/* With "left" steps to go before the next exchange, the block needs those points of a statement
 * that lie, along each of the first n_dims dimensions, in
 *
 *	own - (slope*left + more)[LOW] <= x < own_end + (slope*left + more)[HIGH]
 *
 * The others may be computed or left out: the rank's own cells do not depend on them.
 */
struct needed_points {
	int n_dims;
	const struct block_dim *dim;	/* own, own_end, slope */
	int (*more)[SIDES];		/* by dimension */
};

/* "block" computes from step "first" to "end" on a block of "whole", as if that were the grid;
 * its indices are those in the block.  Where an end of the block is no end of the grid, cells
 * get wrong values, and more of them with each step: wrong values advance by at most "slope"
 * cells a step.  Fields, statements and reads are in the same order in both; behind these
 * fields the block has those of its own lists.
 *
 * What changes values at points of lists does so at all of the block's points; what writes a
 * series does so at the rank's own points alone, so that exactly one rank writes each element.
 */
struct blocks {
	const struct program *whole, *block;
	int n_dims;
	struct block_dim dim[BLOCKS_MAX_DIMS];
	struct block_field *field;		/* by index */
	/* By statement: "more" of struct needed_points, or NOT_NEEDED. */
	int (*point)[BLOCKS_MAX_DIMS][SIDES];
	const struct param *first, *end;	/* NULL without time */
};

/* The blocks of "p"; NULL after a diagnostic. */
struct blocks *blocks_new(struct region *r, struct diags *d, const struct program *p);
/* assumes.c: assume in "to", the program of the block, what "b" says of steps and places. */
void blocks_assume(struct region *r, const struct blocks *b,
	struct program *to);
/* Let halos of the last "turns" turns be as deep on both sides; steps compute as many more points. */
void blocks_make_alike(struct blocks *b, int turns);
/* Does dimension k of "n_dims" have one of the last "turns" turns of messages?  With zones dimension 0 has the
 * last one, and before it come dimensions 1, 2, ..
 */
bool blocks_is_late(int k, int n_dims, int turns);

#endif

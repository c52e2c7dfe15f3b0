/* What plans of some forms have, as numbers, for those that read their code. */
#ifndef STENCILC_VERIFY_NUMBERS_H
#define STENCILC_VERIFY_NUMBERS_H

#include "ir/ir.h"

/* Numbers of strips, for reading their code. */
struct interval {
	int64_t low, high;
};

struct strip_numbers {
	int steps, period;	/* time steps; kept positions */
	int first;		/* iteration */
	int along, row, column;	/* dimensions, -1: none */
	int cells, rows;	/* of a lane */
	int lanes, warp, warps;	/* of a strip, a warp; of a block, or of all
				 * that have rows of one strip */
	int length, height, width;	/* stored ones */
	const int *before, *after;	/* computed around these, by dimension */
	const int *left, *above;	/* cells, rows that a lane has before its
					 * own, by field */
	int lag_of_step;
	const int *lag;		/* by statement: step m computes position x in
				 * iteration x + m*lag_of_step + lag */
	/* What version t0 + v needs along "d" around the stored part:
	 * needed[((v + deepest - 1)*statements + writer)*dims + d].
	 */
	int deepest, statements, dims;
	const struct interval *needed;
};

/* Numbers of tiles on one grid, see schedule/onegrid.h. */
enum grid_part {
	GRID_BEFORE_0, GRID_BEFORE_1,	/* cells kept before all points along a dimension */
	GRID_COMPUTED,
	GRID_BESIDE, GRID_BEHIND_1, GRID_BEHIND_0,	/* kept beside the points; behind them */
	GRID_PARTS
};

struct grid_numbers {
	int h, lead;
	const int *width, *skew, *shift;	/* of two dimensions */
};

/* What tiles keep of a field in an array of their own, in memory that all threads of a block
 * read: the cell x of a box at index x - origin - low.  In swept tiles the array has the plane
 * x0 at x0 mod "planes".
 */
struct kept_field {
	int version;		/* of a state */
	int low[IR_MAX_DIMS];
	int planes;		/* 1: iteration n has that of n + latest */
	int latest;
	int newest;		/* a thread keeps that of n + newest - a as the
				 * one of age a */
};

struct kept_numbers {
	bool is_swept;		/* along dimension 0 */
	const int *base;	/* x - origin of a plane's first point */
	struct kept_field **field;	/* by field.index; NULL: none is kept */
};

#endif

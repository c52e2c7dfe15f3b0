/* What plans of pipelines have. */
#ifndef STENCILC_SCHEDULE_PIPELINE_H
#define STENCILC_SCHEDULE_PIPELINE_H

#include "schedule/plan.h"

/* The points of a statement along a dimension: x >= first, and stride*x < size - less for each
 * end; the first size is that of the grid that it writes.
 */
struct edges {
	int64_t first;
	int n_ends;
	struct edge {
		const struct expr *size;
		int64_t stride, less;
	} *end;
};

/* For a statement that has conditions, shares its field with others, or chooses values by
 * place: loops of its own visit these points.  As { [t, x] }:
 */
struct stage_points {
	isl_set *computed;	/* NULL: all between the edges, without a test */
	isl_set *kept;		/* for a field's first statement: before it
				 * computes any point it keeps the field's
				 * values here, at least where none computes it;
				 * or NULL */
};

/* A tile of overlap/overlap.c, "i" a statement, "d" a dimension; sides are low, high.
 */
struct pipeline {
	int h;			/* time steps of a tile, at most */
	struct edges edges[16][IR_MAX_DIMS];
	int width[IR_MAX_DIMS];	/* points of a tile */
	int rows;		/* that a stage computes at a time */
	struct {
		int count, slope;
	} front[2];		/* for n steps: from begin - (count + n*slope)
				 * to end + (count + n*slope) */
	int ring;		/* rows of a version kept, a power of 2 */
	int extent[IR_MAX_DIMS];	/* of a kept row, d >= 1; in one
					 * dimension the rows of a part with its
					 * ghosts */
	int base[IR_MAX_DIMS];	/* cells of it before the tile */
	int loaded[16];		/* versions before the first step, and .. */
	int kept[16];		/* .. in one dimension those kept, for the field
				 * of statement i, if that is its first */
	int period, lag[16];	/* lag(m, i) = m*period + lag[i] */
	int around[16][IR_MAX_DIMS][2];	/* points beyond the tile that stage .. */
	int slope[IR_MAX_DIMS][2];	/* .. (m, i) of n computes: around[i] +
					 * (n - m)*slope */
	int line;		/* cells of a line of the cache */
	int margin;		/* cells before and after what is computed */
	int lanes, part, before;	/* in one dimension: a tile, with what
					 * it is computed from, "before" points
					 * in front of it on, is "lanes" parts
					 * of "part" points */
	int ghosts[2];		/* rows before and after a part, copied from
				 * adjacent lanes */
	bool is_clipped;	/* only points of the grid are computed */
	struct stage_points points[16];
	/* Does only the tile that owns a point do listed[k] of statement i
	 * there, by_owner[i][k]?  Else all tiles that compute the point do.
	 */
	const bool *by_owner[16];
};

/* In one dimension, parts are multiples of so many points. */
enum { LANE_ROWS = 4 };

#endif

/* What plans of groups of stages have. */
#ifndef STENCILC_SCHEDULE_GROUPS_H
#define STENCILC_SCHEDULE_GROUPS_H

#include "schedule/plan.h"

/* A group of stages, whose tiles recompute what they need from neighbours; by field.index: */
struct fused_group {
	bool *in_shared;	/* it has a box in shared memory .. */
	int *version;		/* .. of this version, if it is a state */
	bool *in_global;	/* the plan writes it to global memory: each
				 * tile the cells 0 <= x - o < pitch */
	const struct planes *planes;	/* for tiles swept along dimension 0, or
					 * NULL */
	int min_blocks;		/* a GPU: blocks for which a multiprocessor has
				 * registers */
};

/* A sweep of planes.c: iteration first <= n <= last of a tile, relative to its origin, computes
 * the plane n + lead[i] of statement i.  A field in shared memory keeps the plane x at x mod
 * box.extent[0]; at iteration n it has those from oldest[field], relative to the origin, up to
 * n + newest[field].
 *
 * The plane n + newest[field] - a has age a.  Where points[..] > 0, a thread has the points
 * base + thread + threads*i, i < points, of each plane, and keeps the values at these points of
 * planes of age 0 .. registers[field] - 1 in registers; shared memory then has the planes of
 * age after[field] and more, as many as are read at other points than the thread's own.
 */
struct planes {
	int first, last;
	int *lead, *newest, *oldest;
	int *registers, *after;
	int base[IR_MAX_DIMS], points[IR_MAX_DIMS];
};

/* From "low" to before "end" lie, in dimension "d" and relative to its origin, a tile's own points,
 * its boxes, and the parts of its group's statements.
 */
void plan_group_extent(const struct plan *plan, const bool *has,
	const struct box *part, int d, int *low, int *end);
/* Let the tiles of "plan", whose group "has" statements with these parts, be
 * swept, with planes in registers if they "may" be; boxes and full tiles must
 * be known.
 */
void plan_find_planes(struct plan *plan, const bool *has,
	const struct box *part, bool may);

#endif

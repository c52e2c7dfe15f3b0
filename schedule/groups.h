/* What plans of groups of stages have. */
#ifndef STENCILC_SCHEDULE_GROUPS_H
#define STENCILC_SCHEDULE_GROUPS_H

#include "schedule/plan.h"

/* A group of stages, whose tiles compute again what they need of their neighbours;
 * by field.index:
 */
struct fused_group {
	bool *in_shared;	/* it has a box in shared memory .. */
	int *version;		/* .. of this version, if it is a state */
	bool *in_global;	/* the plan writes it to global memory, each
				 * tile the cells 0 <= x - o < pitch */
	const struct planes *planes;	/* of tiles that are swept along
					 * dimension 0, or NULL */
};

/* A sweep of planes.c: iteration first <= n <= last of a tile, relative to its
 * origin, computes the plane n + lead[i] of statement i.  A field in shared
 * memory has the plane x at x mod box.extent[0]; at iteration n those up to
 * n + newest[field] are there, from oldest[field] on, relative to the origin.
 *
 * The plane n + newest[field] - a is of age a.  Where points[..] > 0, a thread
 * has the points base + thread + threads*i, i < points, of each plane, and keeps
 * the values of planes of age 0 .. registers[field] - 1 at these points in
 * registers; shared memory then has those of age after[field] and more, as many
 * as are read across: at other points than one's own.
 */
struct planes {
	int first, last;
	int *lead, *newest, *oldest;
	int *registers, *after;
	int base[IR_MAX_DIMS], points[IR_MAX_DIMS];
};

/* Let the tiles of "plan", whose group "has" statements with these parts, be
 * swept, with planes in registers if they "may" be; boxes and full tiles are
 * known.
 */
void plan_find_planes(struct plan *plan, const bool *has,
	const struct box *part, bool may);

#endif

/* For plans whose sizes are arguments of the code: the model that chooses them as the code
 * runs.
 */
#ifndef STENCILC_SCHEDULE_CHOICE_H
#define STENCILC_SCHEDULE_CHOICE_H

#include <math.h>

#include "schedule/plan.h"
#include "model/choose_hexagons.inc"

struct tile_choice {
	struct stencilc_hexagons hexagons;
	struct stencilc_machine machine;	/* of --arch */
};

/* Plans for a GPU that differ in the width of tiles along the last dimension alone, which is an
 * argument of their kernels; lines of shared memory are as long as the widest needs them.
 */
struct tile_widths {
	int n;
	const int *width;		/* from the least to the most */
	const struct plan *const *plan;	/* of each */
};

static inline int tile_most_width(const struct tile_widths *w)
{
	return w->width[w->n - 1];
}

/* The widths are multiples of this. */
static inline int tile_width_step(const struct tile_widths *w)
{
	return w->n > 1 ? w->width[1] - w->width[0] : w->width[0];
}

/* For GPUs: plans in several sizes, and a table of which one is the fastest.  A row has
 * multiprocessors, the values of "param" and the variant.  Where a pitch is an argument, there
 * follow the blocks of a launch that each multiprocessor then gets, and the warps of a block;
 * where a width is one, that.
 */
struct tile_variants {
	int n;
	const struct plan **plans;	/* each has as many plans as the first */
	bool has_widths;		/* some have them, see tile_widths */
	const char **sizes;		/* of each, or NULL */
	int n_rows, n_params, width;	/* numbers of a row */
	const int *row;
	const struct param *const *param;
	int n_shown;			/* for --verify: .. */
	const struct plan **shown;	/* .. with numbers for their warps */
};

#endif

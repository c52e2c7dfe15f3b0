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

/* For GPUs: plans in several sizes, and a table of which one is the fastest.  A row has
 * multiprocessors, the values of "param" and the variant.  Where a pitch is an argument, the
 * last number says how many blocks of a launch each multiprocessor then gets.
 */
struct tile_variants {
	int n;
	const struct plan **plans;	/* each has as many plans as the first */
	const char **sizes;		/* of each, or NULL */
	int n_rows, n_params, width;	/* numbers of a row */
	const int *row;
	const struct param *const *param;
	int n_shown;			/* for --verify: .. */
	const struct plan **shown;	/* .. with numbers for their warps */
};

#endif

/* What plans have whose sizes are arguments of the code: the model that chooses them as
 * it runs.
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

#endif

/* What the strategies share whose kernels sweep the grid. */
#ifndef STENCILC_SCHEDULE_SWEEP_H
#define STENCILC_SCHEDULE_SWEEP_H

#include "schedule/strategies.h"

/* The "predict" of strategies that have blocks: the time of the traffic. */
void sweep_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *prediction);

#endif

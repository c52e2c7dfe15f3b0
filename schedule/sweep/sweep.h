/* What the strategies with kernels that sweep the grid share. */
#ifndef STENCILC_SCHEDULE_SWEEP_H
#define STENCILC_SCHEDULE_SWEEP_H

#include "schedule/strategies.h"

/* Efficiencies: launches wait for their last blocks, and L2 for itself. */
#define SWEEP_DOUBT 0.1

/* The "predict" of strategies that have blocks: the time of their traffic. */
void sweep_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *prediction);

#endif

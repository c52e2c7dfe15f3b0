/* What the strategies share whose kernels sweep the grid. */
#ifndef STENCILC_SCHEDULE_SWEEP_H
#define STENCILC_SCHEDULE_SWEEP_H

#include "schedule/strategies.h"

/* The model is of traffic alone, not of what is executed.  On an H200, 21 kernels of
 * "point" and "zblock" take 1.0 to 3.3 times what it predicts, 1.9 in the median.
 */
#define SWEEP_DOUBT 0.9

/* The "predict" of strategies that have blocks: the time of the traffic. */
void sweep_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *prediction);

#endif

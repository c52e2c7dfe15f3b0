/* --refine=ptxas: sizes corrected by what the CUDA compiler needs. */
#ifndef STENCILC_REFINE_H
#define STENCILC_REFINE_H

#include "base/base.h"
#include "schedule/schedule.h"

/* Compile the candidates of "p" with nvcc and predict each again with the
 * registers that it needs; those that spill are dropped, unless all do.  "p"
 * becomes the prediction of the best one.  A line per candidate goes to
 * "progress" unless it is NULL.  False after a diagnostic.
 */
bool refine_by_ptxas(struct region *mem, struct diags *d,
	const struct scop *scop, const struct deps *deps,
	struct prediction *p, FILE *progress);

#endif

/* What the files of the strategy onegrid share. */
#ifndef STENCILC_SCHEDULE_ONEGRID_ONEGRID_H
#define STENCILC_SCHEDULE_ONEGRID_ONEGRID_H

#include "schedule/onegrid.h"
#include "schedule/strategies.h"

/* model.c: the time of all steps, and the bytes that a core keeps from step to step of a tile. */
struct cpu_terms one_grid_time(const struct scop *scop, const struct one_grid *g,
	const struct outlook *o);
double one_grid_kept_bytes(const struct scop *scop, const struct one_grid *g,
	const struct outlook *o);

#endif

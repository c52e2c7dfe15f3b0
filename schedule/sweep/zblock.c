/* The strategy zblock: a thread for each column of chunk_z points along the
 * outermost dimension, whose values stay in registers and caches from one point
 * to the next; a kernel for each statement and step.
 */
#include "schedule/sweep/sweep.h"

static const char *zblock_applies(const struct scop *scop)
{
	if (scop->n_dims < 2 || scop->n_dims > 3)
		return "columns of points need two or three dimensions";
	if (!deps_advance(scop->deps))
		return "its dependences do not advance in time";
	return NULL;
}

static bool zblock_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request)
{
	(void) outlook;
	return blocks_complete(d, scop, request, true);
}

const struct strategy strategy_zblock = {
	.name = "zblock", .doubt = DOUBT(SWEEP_DOUBT), .options = WITH(SEPARATE) | WITH(MODEL),
	.sizes = SIZES_BLOCKS | SIZES_COLUMNS | SIZES_THREADS,
	.applies = zblock_applies, .predict = sweep_predict,
	.complete = zblock_complete, .plan = blocks_plan,
};

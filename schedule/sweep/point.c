/* The strategy point: a thread for each point, a kernel for each statement and
 * step.
 */
#include "schedule/sweep/sweep.h"

static const char *point_applies(const struct scop *scop)
{
	if (scop->n_dims < 1)
		return "the program has no space dimension";
	if (!deps_advance(scop->deps))
		return "its dependences do not advance in time";
	return NULL;
}

static bool point_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request)
{
	(void) outlook;
	return blocks_complete(d, scop, request, false);
}

const struct strategy strategy_point = {
	.name = "point", .doubt = DOUBT(SWEEP_DOUBT), .options = WITH(MODEL),
	.applies = point_applies, .sizes = SIZES_BLOCKS | SIZES_THREADS,
	.predict = sweep_predict, .complete = point_complete,
	.plan = blocks_plan,
};

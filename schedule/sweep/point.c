/* The strategy point: a thread a point, a kernel a statement and step. */
#include "schedule/sweep/sweep.h"

static const char *point_applies(const struct scop *scop,
	const struct deps *deps)
{
	if (scop->n_dims < 1)
		return "the program has no space dimension";
	if (!deps_advance(deps))
		return "its dependences do not advance in time";
	return NULL;
}

static bool point_complete(struct diags *d, const struct scop *scop,
	const struct deps *deps, const struct outlook *outlook,
	struct tile_request *request)
{
	(void) deps, (void) outlook;
	return blocks_complete(d, scop, request, false);
}

static struct plan *point_plan(struct region *mem, struct diags *d,
	const struct scop *scop, const struct deps *deps,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans)
{
	(void) machine;
	return blocks_plan(mem, d, &strategy_point, scop, deps, request, false,
		n_plans);
}

const struct strategy strategy_point = {
	.name = "point", .options = WITH(MODEL),
	.applies = point_applies, .sizes = SIZES_BLOCKS | SIZES_THREADS,
	.predict = sweep_predict, .complete = point_complete,
	.plan = point_plan,
};

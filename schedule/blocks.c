/* Plans of blocks: a kernel for each statement of a step, with a thread for a point or a column
 * of points.
 */
#include "schedule/strategies.h"

/* { [tau, x] : tau = number, 0 <= x < pitch } */
static __isl_give isl_set *block_shape(const struct plan *plan, int number)
{
	isl_set *shape = isl_set_universe(isl_space_set_alloc(plan->scop->ctx,
		0, 1 + plan->n_dims));

	shape = isl_set_fix_si(shape, isl_dim_set, 0, number);
	for (int d = 0; d < plan->n_dims; d++)
		shape = set_between(shape, 1 + d, 0, plan->pitch[d] - 1);
	return shape;
}

/* Coordinates of a block must not overflow. */
enum { MOST_THREADS = 1 << 12, MOST_CHUNK = 1 << 8 };

static bool request_is_possible(struct diags *d,
	const struct tile_request *r)
{
	return size_is_possible(d, "bx", r->bx, 1, MOST_THREADS) &&
		size_is_possible(d, "by", r->by, 1, MOST_THREADS) &&
		size_is_possible(d, "bz", r->bz, 1, MOST_THREADS) &&
		size_is_possible(d, "chunk_z", r->chunk_z, 1, MOST_CHUNK);
}

/* Can a thread have its column of points as straight code, keeping in registers
 * what neighbouring points read?
 */
static bool can_be_straight(const struct plan *plan,
	const struct optimizations *opt)
{
	double points = 1;

	if (!opt->unroll || !opt->separate || plan->n_dims > 3)
		return false;
	for (int dim = 0; dim < plan->n_dims; dim++) {
		int threads = plan->threads[plan->n_dims - 1 - dim];

		if (plan->tiles.width[dim] % threads != 0)
			return false;
		points *= plan->tiles.width[dim] / threads;
	}
	return points <= select_column_points(plan->scop, -1, opt);
}

/* The outermost dimension has one thread where it has columns. */
bool blocks_complete(struct diags *d, const struct scop *scop,
	struct tile_request *r, bool columns)
{
	enum { USUAL_CHUNK = 8 };
	static const int usual[2][3][3] = {
		{ { 256, 1, 1 }, { 32, 8, 1 }, { 32, 4, 2 } },
		{ { 256, 1, 1 }, { 128, 1, 1 }, { 32, 8, 1 } },
	};
	int n = scop->n_dims;
	const int *u = usual[columns][n < 3 ? n - 1 : 2];
	int *const block[3] = { &r->bx, &r->by, &r->bz };

	if (!request_is_possible(d, r))
		return false;
	for (int i = 0; i < 3; i++)
		*block[i] = size_or(*block[i], size_or(r->threads[i],
			u[i]));
	threads_of_blocks(n, r);
	r->chunk_z = size_or(r->chunk_z, columns ? USUAL_CHUNK : 1);
	return true;
}

struct plan *blocks_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans)
{
	const bool columns = strategy->sizes & SIZES_COLUMNS;
	struct plan *plans = region_array(scop->mem, struct plan, scop->k);
	int n = 0;

	(void) machine;
	if (!request_is_possible(d, request))
		return NULL;
	for (int number = 0; number < scop->k; number++) {
		int block[3] = { request->bx, request->by, request->bz };
		struct plan *plan = &plans[n];

		if (!scop_statement_runs(scop, number))
			continue;
		n++;
		plan->strategy = strategy;
		plan->scop = scop;
			plan->n_phases = 1;
		plan->rows = scop->k;
		plan->time_pitch = 1;
		plan->tiles = tiles_upright();
		plan->n_dims = scop->prog->stmt[number]->n_dims;
		plan->opt.separate = columns && request->opt.separate;
		if (columns && plan->n_dims > 1)
			block[plan->n_dims - 1] *= request->chunk_z;
		plan_take_threads(plan, request);
		plan_take_blocks(plan, block);
		plan->tiles.straight = columns &&
			can_be_straight(plan, &request->opt);
		plan->shape = keep_set(scop->mem, block_shape(plan, number));
		plan_find_boxes(plan);
		plan_find_full(plan);
		plan_find_cover(plan);
	}
	*n_plans = n;
	return plans;
}

struct plan *blocks_plan_points(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans)
{
	struct tile_request points = *request;

	points.bx = points.by = points.bz = 1;
	for (int i = 0; i < 3; i++)
		points.threads[i] = 1;
	return blocks_plan(d, strategy, scop, machine, &points, n_plans);
}

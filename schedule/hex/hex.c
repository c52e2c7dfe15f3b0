/* The strategy hex: hexagonal tiles in time and one space dimension,
 * classical (skewed) tiles in the others; section 3 of [CGO].
 */
#include "schedule/hex/hex.h"

/* Waves ----------------------------------------------------------------- */

/* Columns that a chunk must have at least.  In y = x + skew*a, in which chunks
 * are intervals, a dependence within a phase leads forward, and one to a later
 * phase back by at most skew*(dtau + H - 1).  And the box of a tile must not
 * reach a column that another chunk of the launch, two away, may write.
 */
static int chunk_width(const struct plan *plan, int dim)
{
	int64_t dtau = 0, back;
	int low, high, width;

	set_edge(plan->scop->deps->distance, 0, true, &dtau);
	back = rational_ceil(plan->tiles.skew[dim], dtau + plan->rows - 1);
	width = (int) back + 2;
	if (hex_box_extent(plan, dim, &low, &high)) {
		width = larger(width, 1 - low);
		width = larger(width, (int) back + high + 3 -
			plan->tiles.width[dim]);
	}
	return width;
}

/* Blocks that all multiprocessors hold at once, at least two each. */
static int blocks_of_machine(const struct plan *plan,
	const struct machine *m)
{
	int64_t threads = (int64_t) plan->threads[0] * plan->threads[1] *
		plan->threads[2];
	int64_t k = m->max_threads_per_sm / threads;
	int64_t bytes = plan_shared_bytes(plan) + m->shared_reserved_bytes;

	if (bytes > 0 && m->shared_bytes_per_sm / bytes < k)
		k = m->shared_bytes_per_sm / bytes;
	k = smaller(k, m->max_blocks_per_sm);
	return (int) (m->sm_count * (k < 2 ? 2 : k));
}

/* Chunks are cut in the outermost classical dimension. */
static void place_waves(struct plan *plan, const struct machine *machine)
{
	int dim = plan->tiles.hex_dim == 0 ? 1 : 0;

	plan->tiles.waves.dim = -1;
	if (!plan->opt.waves || plan->n_dims < 2)
		return;
	plan->tiles.waves.dim = dim;
	plan->tiles.waves.least_chunk =
		(chunk_width(plan, dim) + plan->tiles.width[dim] - 1) /
		plan->tiles.width[dim];
	plan->tiles.waves.enough_blocks = blocks_of_machine(plan, machine);
}

static void predict_hexagons(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	hex_predict(mem, scop, request, outlook, select_predict, p);
}

static bool is_legal(struct diags *d, const struct scop *scop,
	const struct tile_request *request)
{
	struct cone cone;

	cone_of_deps(scop->deps, scop->n_dims, &cone);
	return hex_is_legal(d, scop, &cone, request);
}

static bool hex_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request)
{
	return hex_choose_dim(d, scop, outlook, select_predict, request) &&
		is_legal(d, scop, request) &&
		select_complete(d, scop, outlook, request, false);
}

static struct plan *hex_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans)
{
	struct plan *plan;

	if (!is_legal(d, scop, request))
		return NULL;
	plan = hex_begin(strategy, scop, request, false);
	place_waves(plan, machine);
	*n_plans = 1;
	return hex_finish(plan, d, request, machine) ? plan : NULL;
}

const struct strategy strategy_hex = {
	/* On an H200 hexagons take up to 1.7 times their predicted time in two dimensions (up to
	 * 1.3 in one), and the sweeps and strips that they compete with as little as 0.4 of theirs
	 * (doc/performance.md).
	 */
	.doubt = { 0, 0.5, 2, 0 },
	.name = "hex", .options = WITH(STEPS) | WITH(SHARED) | WITH(SEPARATE) |
		WITH(COPY_OUT) | WITH(ALIGN_LOADS) | WITH(REUSE) |
		WITH(UNROLL) | WITH(ASYNC) | WITH(MAPPING) | WITH(HEX_DIM) |
		WITH(COMPUTE_ONLY) | WITH(MODEL),
	.applies = hex_applies, .sizes = SIZES_HEXAGONS | SIZES_THREADS,
	.accepts = hex_accepts, .predict = predict_hexagons,
	.complete = hex_complete, .plan = hex_plan,
};

/* The strategy skew: wavefronts of skewed rectangles, the code whose time (6) of [PP] gives for
 * "other wavefront codes".
 *
 * In s = x + floor(delta1*tau) no dependence leads back, and none leads back in time: a tile of
 * h steps and w0 points of s depends on tiles whose number T' in time and S along s are not
 * greater.  Those on a diagonal T' + S = T are independent: a launch, T after T.  The other
 * dimensions are tiled as in strategy hex.
 */
#include "schedule/hex/hex.h"

static bool skew_is_legal(struct diags *d, const struct scop *scop,
	const struct tile_request *r)
{
	if (!hex_is_possible(d, scop, r))
		return false;
	if (r->h == 0) {
		diag_plain(d, E_TILE, "h = 0: a skewed tile has at least 1 "
			"step");
		return false;
	}
	if (r->w[0] == 0) {
		diag_plain(d, E_TILE, "w0 = 0: a skewed tile has at least 1 "
			"point in a row");
		return false;
	}
	return true;
}

static bool skew_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request)
{
	request->hex_dim = hex_named_dim(request);
	return skew_is_legal(d, scop, request) &&
		select_complete(d, scop, outlook, request, true);
}

static struct plan *skew_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans)
{
	struct plan *plan;

	if (!skew_is_legal(d, scop, request))
		return NULL;
	plan = hex_begin(strategy, scop, request, true);
	hex_widen_drift(plan);
	*n_plans = 1;
	return hex_finish(plan, d, request, machine) ? plan : NULL;
}

const struct strategy strategy_skew = {
	.name = "skew", .by_name = true,
	.options = WITH(STEPS) | WITH(SHARED) | WITH(SEPARATE) |
		WITH(COPY_OUT) | WITH(ALIGN_LOADS) | WITH(REUSE) |
		WITH(UNROLL) | WITH(ASYNC) | WITH(HEX_DIM) |
		WITH(COMPUTE_ONLY) | WITH(MODEL),
	.applies = hex_applies, .sizes = SIZES_HEXAGONS | SIZES_THREADS,
	.accepts = hex_accepts, .predict = select_predict_skewed,
	.complete = skew_complete, .plan = skew_plan,
};

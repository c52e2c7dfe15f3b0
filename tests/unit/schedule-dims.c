/* The hexagonal dimension that is chosen where it is open. */
#include <math.h>

#include "tests/unit/schedule.h"

static const char steep3d[] =
	"stencil p { param int T, N, M, K; state float A[N][M][K];"
	" iterate t = 0 .. T { A[t+1][i][j][k] = 0.25f * (A[t][i-3][j][k]"
	" + A[t][i+3][j][k] + A[t][i][j-1][k] + A[t][i][j][k+1]); } }";

/* Grids that are short in one dimension, and the one that is taken for CUDA. */
static const struct {
	const char *text, *sizes;
	int taken;
} grids[] = {
	{ heat2d, "T=512 N=3072 M=3072", 0 },
	{ heat2d, "T=64 N=12 M=100000", 1 },
	{ star3d, "T=64 N=384 M=384 K=384", 0 },
	{ star3d, "T=64 N=12 M=1024 K=512", 1 },
	{ star3d, "T=64 N=1024 M=12 K=512", 0 },
	{ fdtd2d, "T=64 N=300 M=400", 0 },
	{ steep3d, "T=32 N=64 M=512 K=128", 1 },
};

static struct prediction predict(void **state, const struct built *b,
	const struct strategy *strategy, const struct tile_request *request)
{
	struct fixture *f = *state;

	return strategy_predict(f->mem, strategy, b->scop, request, b->outlook);
}

static struct prediction predict_in(void **state, const struct built *b,
	const struct strategy *strategy, int hex_dim)
{
	struct tile_request request = tile_request_default();

	request.for_cpu = strategy == &strategy_cpu_hex;
	request.hex_dim = hex_dim;
	return predict(state, b, strategy, &request);
}

/* The least of the times with each dimension named; the first of equals.  On a GPU, the innermost of
 * several counts three times.
 */
static int fastest(void **state, const struct built *b,
	const struct strategy *strategy, double *seconds)
{
	double least = INFINITY;
	int best = 0;

	for (int d = 0; d < b->scop->n_dims; d++) {
		struct prediction p = predict_in(state, b, strategy, d);
		bool is_inner = strategy == &strategy_hex && d > 0 &&
			d == b->scop->n_dims - 1;

		assert_true(p.n_candidates > 0);
		assert_int_equal(p.n_dims, 0);
		assert_int_equal(p.candidate->request.hex_dim, d);
		seconds[d] = p.candidate->predicted_s;
		if (seconds[d] * (is_inner ? 3 : 1) < least) {
			least = seconds[d] * (is_inner ? 3 : 1);
			best = d;
		}
	}
	return best;
}

static void check_choice(void **state, const struct built *b,
	const struct strategy *strategy, int taken)
{
	static const int open[] = { HEX_DIM_OPEN, HEX_DIM_AUTO };
	double seconds[IR_MAX_DIMS];
	int best = fastest(state, b, strategy, seconds);

	if (taken >= 0)
		assert_int_equal(best, taken);
	for (size_t i = 0; i < COUNT(open); i++) {
		struct prediction p = predict_in(state, b, strategy, open[i]);

		assert_int_equal(p.candidate->request.hex_dim, best);
		assert_true(p.candidate->predicted_s <= seconds[best] &&
			p.candidate->predicted_s >= seconds[best]);
		assert_int_equal(p.n_dims, b->scop->n_dims);
		for (int d = 0; d < p.n_dims; d++) {
			assert_int_equal(p.dim[d].is_taken, d == best);
			assert_true(p.dim[d].predicted_s <= seconds[d] &&
				p.dim[d].predicted_s >= seconds[d]);
		}
	}
}

static void test_choice(void **state)
{
	for (size_t i = 0; i < COUNT(grids); i++) {
		struct built b = build(state, grids[i].text, grids[i].sizes);

		check_choice(state, &b, &strategy_hex, grids[i].taken);
		check_choice(state, &b, &strategy_cpu_hex, -1);
	}
}

/* The plan has its hexagons where the choice has them. */
static void test_plan(void **state)
{
	struct built b = build(state, star3d, "T=64 N=12 M=1024 K=512");
	struct tile_request request = tile_request_default();
	int n;

	for (int d = HEX_DIM_AUTO; d < b.scop->n_dims; d++) {
		const struct plan *plan;

		request.hex_dim = d;
		plan = plan_of(state, &b, &strategy_hex, &request, &n);
		assert_non_null(plan);
		assert_int_equal(plan->tiles.hex_dim, d < 0 ? 1 : d);
	}
}

/* Widths are those of hexagons in dimension 0, unless another is asked for; the
 * papers' formulas know no other.
 */
static void test_closed(void **state)
{
	struct built b = build(state, star3d, "T=64 N=12 M=1024 K=512");
	struct tile_request request = tile_request_default();
	struct prediction p;

	request.w[2] = 32;
	p = predict(state, &b, &strategy_hex, &request);
	assert_int_equal(p.n_dims, 0);
	assert_int_equal(p.candidate->request.hex_dim, 0);
	request.hex_dim = HEX_DIM_AUTO;
	p = predict(state, &b, &strategy_hex, &request);
	assert_int_equal(p.n_dims, 3);
	request = tile_request_default();
	b.outlook->switches = switches_printed();
	p = predict(state, &b, &strategy_hex, &request);
	assert_int_equal(p.n_dims, 0);
}

/* The sizes of a tile are the hexagon's, then those of the others in order. */
static void test_order(void **state)
{
	static const int order[3][3] = { { 0, 1, 2 }, { 1, 0, 2 },
		{ 2, 0, 1 } };

	(void) state;
	for (int hex = 0; hex < 3; hex++)
		for (int i = 0; i < 3; i++) {
			assert_int_equal(hex_dim_of(i, hex), order[hex][i]);
			assert_int_equal(hex_index_of(order[hex][i], hex), i);
		}
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_choice), ISL_TEST(test_plan), ISL_TEST(test_closed),
	cmocka_unit_test(test_order),
};

const struct subject dim_tests = SUBJECT(tests);

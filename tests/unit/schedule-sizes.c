/* What a plan takes: no size is open, and what was given is as it was. */
#include "tests/unit/schedule.h"

static const struct strategy *const strategies[] = {
	&strategy_hex, &strategy_skew, &strategy_stream, &strategy_fuse,
	&strategy_zblock, &strategy_point, &strategy_cpu_hex,
	&strategy_cpu_overlap, &strategy_cpu_fuse, &strategy_cpu_point,
};

static const struct {
	const char *text, *sizes;
} programs[] = {
	{ jacobi1d, "" }, { heat2d, "" }, { fdtd2d, "" },
	{ star3d, "T=8 N=64 M=48 K=64" },
};

static struct tile_request request_for(const struct strategy *strategy)
{
	struct tile_request request = tile_request_default();

	request.for_cpu = strategy_find(strategy->name, true) == strategy;
	return request;
}

static void check_candidates(void **state, const struct built *b,
	const struct strategy *strategy)
{
	struct fixture *f = *state;
	struct tile_request request = request_for(strategy);
	struct prediction p = strategy_predict(f->mem, strategy, b->scop,
		&request, b->outlook);

	assert_true(p.n_candidates > 0);
	for (int i = 0; i < p.n_candidates; i++)
		assert_true(strategy_has_all(strategy, &p.candidate[i].request,
			b->scop->n_dims));
}

/* An open request, and one with the first size of a tile. */
static void check_completed(void **state, const struct built *b,
	const struct strategy *strategy)
{
	static const int given[] = { -1, 4 };
	struct fixture *f = *state;

	for (size_t i = 0; i < COUNT(given); i++) {
		struct tile_request request = request_for(strategy), all;

		request.w[0] = strategy->sizes & SIZES_HEXAGONS ? given[i] : -1;
		request.bx = strategy->sizes & SIZES_BLOCKS ? given[i] : -1;
		request.b = strategy->sizes & SIZES_STRIPS ? given[i] : -1;
		all = request;
		assert_true(strategy->complete(&f->diags, b->scop, b->outlook,
			&all));
		assert_true(strategy_has_all(strategy, &all,
			b->scop->n_dims));
		assert_true(request.bx < 0 || all.bx == request.bx);
		assert_true(request.b < 0 || all.b == request.b);
	}
}

static void test_plans_get_all_sizes(void **state)
{
	for (size_t i = 0; i < COUNT(programs); i++) {
		struct built b = build(state, programs[i].text,
			programs[i].sizes);

		for (size_t j = 0; j < COUNT(strategies); j++) {
			if (strategies[j]->applies(b.scop))
				continue;
			check_candidates(state, &b, strategies[j]);
			if (strategies[j]->complete)
				check_completed(state, &b, strategies[j]);
		}
	}
}

/* Sizes that the model has no block for are planned nevertheless. */
static void test_given_sizes_are_taken(void **state)
{
	struct built b = build(state, heat2d, "");
	struct tile_request request = tile_request_default();
	struct fixture *f = *state;
	struct prediction p;
	struct plan *plan;
	int n;

	request.bx = 2048;
	p = strategy_predict(f->mem, &strategy_point, b.scop, &request,
		b.outlook);
	assert_int_equal(p.n_candidates, 0);
	assert_false(strategy_has_all(&strategy_point, &request, 2));
	plan = plan_of(state, &b, &strategy_point, &request, &n);
	assert_non_null(plan);
	assert_int_equal(plan->pitch[1], 2048);
	assert_int_equal(plan->threads[0], 128);
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_plans_get_all_sizes),
	ISL_TEST(test_given_sizes_are_taken),
};

const struct subject size_tests = SUBJECT(tests);

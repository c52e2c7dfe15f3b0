/* The counts of horizontal diffusion that can be done by hand, and those of
 * whole tiles.
 */
#include "tests/unit/graph.h"

static void test_pattern(void **state)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	const struct shape **all = graph_patterns(mem, g);

	(void) state;
	assert_int_equal(all[0]->points, 13);		/* d = (a u b) + c */
	assert_int_equal(all[1]->points, 1);
	assert_int_equal(all[g->stencil[0].out]->points, 5);
	assert_int_equal(all[g->stencil[1].out]->points, 2);
	region_free(mem);
}

static void evaluations(enum halo inner, const int64_t *want)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	struct graph_machine m = two_levels(inner, 64, 8);
	struct counter *c = counter_new(mem, g, &m);
	struct chain chain = chain_of(2, 3);

	for (int s = 0; s < 4; s++)
		assert_int_equal(count_evaluations(c, &chain, s), want[s]);
	region_free(mem);
}

static void test_fly_in_fly(void **state)
{
	(void) state;
	evaluations(HALO_OF, (int64_t[]) { 6144, 4608, 4608, 4096 });
}

static void test_parallel_in_fly(void **state)
{
	(void) state;
	evaluations(HALO_HP, (int64_t[]) { 4352, 4160, 4160, 4096 });
}

/* [[lap,fli],[flj,out]] and the children of its root, by hand: a plane of
 * 64x64 with lap one row and column, fli and flj one of them farther.
 */
static void test_traffic(void **state)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	struct graph_machine m = two_levels(HALO_OF, 64, 8);
	struct counter *c = counter_new(mem, g, &m);
	struct chain root = chain_of(1, 3);
	struct traffic_of_child t;

	(void) state;
	t = count_traffic(c, &root, stencil_set(0, 1), TRAFFIC_ALL);
	/* in: lap's 64x64 and four sides, each with its sides */
	assert_int_equal(t.loads, 64 * 64 + 4 * 64 + 4 * 64 + 4);
	/* lap for flj, fli for out */
	assert_int_equal(t.stores, 64 * 66 + 65 * 64);
	assert_int_equal(t.lateral[0], 0);
	t = count_traffic(c, &root, stencil_set(2, 3), TRAFFIC_ALL);
	assert_int_equal(t.loads, 64 * 66 + 65 * 64 + 64 * 64);
	assert_int_equal(t.stores, 64 * 64);
	region_free(mem);
}

/* The counts of whole tiles are bounds of those of all tiles. */
static void test_whole_tiles(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 8);
	unsigned seed = 21;

	(void) state;
	for (int i = 0; i < 20; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 6, 2 + i % 2, 1 + i % 3, 3, 6 });
		struct counter *all = counter_new(mem, g, &m);
		struct counter *whole = counter_of_whole_tiles(mem, all);

		for (int first = 0; first < 6; first++) {
			struct chain root = chain_of(1, 5), group = root;
			uint64_t set = stencil_set(first, 5);
			int64_t n, bound;

			group.set[group.n++] = set;
			n = count_evaluations(all, &group, first);
			bound = count_evaluations(whole, &group, first);
			assert_true(bound <= n && n <= 8 * bound);
			n = count_traffic(all, &root, set,
				TRAFFIC_MOVED).loads;
			bound = count_traffic(whole, &root, set,
				TRAFFIC_MOVED).loads;
			assert_true(bound <= n && n <= 8 * bound);
			assert_true(count_storage(whole, &group) <=
				count_storage(all, &group));
		}
		region_free(mem);
	}
}

/* So are those of what crosses sides of tiles. */
static void test_whole_tiles_lateral(void **state)
{
	struct graph_machine m = of_cells(64, 16);
	unsigned seed = 22;

	(void) state;
	for (int i = 0; i < 20; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 6, 2, 1 + i % 3, 3, 6 });
		struct counter *all = counter_new(mem, g, &m);
		struct counter *whole = counter_of_whole_tiles(mem, all);
		struct chain group = chain_of(4, 5);

		for (int s = 0; s < 6; s++) {
			struct traffic_of_child t = count_traffic(all, &group,
				stencil_set(s, s), TRAFFIC_ALL);
			struct traffic_of_child bound = count_traffic(whole,
				&group, stencil_set(s, s), TRAFFIC_ALL);

			assert_true(t.lateral[3] == 0 || bound.lateral[3] > 0);
			for (int l = 0; l < 4; l++)
				assert_true(bound.lateral[l] <= t.lateral[l]);
		}
		region_free(mem);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_pattern),
	cmocka_unit_test(test_fly_in_fly),
	cmocka_unit_test(test_parallel_in_fly),
	cmocka_unit_test(test_traffic),
	cmocka_unit_test(test_whole_tiles),
	cmocka_unit_test(test_whole_tiles_lateral),
};

const struct subject count_tests = SUBJECT(tests);

/* The dynamic programme against exhaustion, and what it costs. */
#include "tests/unit/graph.h"

/* The dynamic programme finds as good a variant as there is. */
static void search_equals(const struct graph_machine *m, unsigned seed,
	int runs, int most)
{
	for (int i = 0; i < runs; i++) {
		struct region *mem = region_new();
		int n = 1 + (int) next_random(&seed, (unsigned) most);
		struct graph *g = random_graph(mem, &seed, (struct graph_kind)
			{ n, 2, 3, 3, 3 });
		struct found all = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_ALL, 0, 1,
				GRAPH_EFFORT });
		struct found dp = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_DYNAMIC, 0, 1,
				GRAPH_EFFORT });
		double a = all.best[0].seconds, b = dp.best[0].seconds;

		assert_int_equal(all.best[0].fits, dp.best[0].fits);
		if (all.best[0].fits && fabs(a - b) > 1e-9 * a)
			fail_msg("graph %d: %g s, the programme %g s", i, a,
				b);
		region_free(mem);
	}
}

static void test_search(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 8);

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 600;
	search_equals(&m, 11, 100, 8);
}

static void test_search_three_levels(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 16);

	(void) state;
	m.n_levels = 3;
	m.level[2] = m.level[1];
	m.level[2].tile[0] = m.level[2].tile[1] = 4;
	m.level[2].halo = HALO_HP;
	m.level[1].splits = true;
	m.level[1].vertical = 4e8;
	m.level[2].vertical = 2e9;
	m.level[1].capacity = 2500;
	m.level[2].capacity = 200;
	search_equals(&m, 12, 25, 5);
}

/* Tiles that are swept, a row at a time. */
static void test_search_swept(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 16);

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 200;
	m.launch_s = 1e-6;
	m = graph_machine_swept(&m, 2);
	m.level[2].vertical = 2e9;
	search_equals(&m, 13, 40, 5);
}

/* Groups of the second level run slab by slab, each of their children launched for
 * each slab; one that is alone is launched once.
 */
static void test_search_slabs(void **state)
{
	struct graph_machine m = of_slabs(64);

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 2500;
	m.level[1].launches = 17;
	m.level[2].vertical = 2e9;
	m.level[2].capacity = 200;
	m.launch_s = 1e-7;
	search_equals(&m, 14, 25, 5);
}

/* Tiles of 16x16 points, or of "rows" rows that are swept. */
static struct graph_machine of_choice(struct region *mem, int64_t rows)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 16), of_sweeps;
	struct graph_machine *swept = region_new_of(mem, struct graph_machine);

	m.level[0].vertical = INFINITY;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 500;
	m.launch_s = 1e-6;
	of_sweeps = m;
	of_sweeps.level[1].tile[1] = rows;
	*swept = graph_machine_swept(&of_sweeps, 2);
	m.swept = swept;
	return m;
}

/* Each group may be swept or not. */
static void test_search_choice(void **state)
{
	struct region *mem = region_new();
	struct graph_machine m = of_choice(mem, 32);

	(void) state;
	search_equals(&m, 17, 60, 6);
	region_free(mem);
}

/* A group takes the time that it takes in a variant all of whose groups are swept
 * as it is, or none.
 */
static void test_times_of_choice(void **state)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	struct graph_machine m = of_choice(mem, 32);
	struct counter *c = counter_new(mem, g, &m);
	const char *why, *const all[] = { "[[lap,fli],[flj,out]]",
		"hs[[lap,fli],[flj,out]]", "[[lap,fli],hs[flj,out]]",
		"[hs[lap,fli],[flj,out]]" };
	double s[4];
	bool fits;

	(void) state;
	for (int i = 0; i < 4; i++)
		s[i] = variant_time(c, variant_parse(mem, g, 2, all[i], &why),
			&fits);
	assert_true(s[0] != s[1]);
	assert_true(fabs(s[0] + s[1] - s[2] - s[3]) < 1e-9 * s[0]);
	region_free(mem);
}

/* Children of two levels, and groups of both that do not fit. */
static void test_search_cells(void **state)
{
	struct graph_machine m = of_cells(64, 16);

	(void) state;
	m.level[0].vertical = INFINITY;
	m.level[1].vertical = 4e8;
	m.level[2].vertical = m.level[3].vertical = INFINITY;
	m.level[3].lateral = 2e9;
	search_equals(&m, 14, 20, 6);
	m.level[1].capacity = 1500;
	m.level[3].capacity = 25;
	search_equals(&m, 15, 20, 6);
}

/* Up to which level "v" has stencils x and y together. */
static int level_of(const struct variant *v, int x, int y)
{
	int level = GRAPH_MAX_LEVELS;
	bool between = false;

	for (int i = 0; i + 1 < v->n; i++) {
		between ^= v->order[i] == x || v->order[i] == y;
		if (between && v->together[i] < level)
			level = v->together[i];
	}
	return level;
}

static bool is_swept(const struct variant *v, int stencil)
{
	int i = 0;

	while (v->order[i] != stencil)
		i++;
	return variant_is_swept(v, i);
}

static bool fuse_alike(const struct variant *a, const struct variant *b)
{
	for (int x = 0; x < a->n; x++)
		if (is_swept(a, x) != is_swept(b, x))
			return false;
	for (int x = 0; x < a->n; x++)
		for (int y = 0; y < x; y++)
			if (level_of(a, x, y) != level_of(b, x, y))
				return false;
	return true;
}

static void check_differ(const struct found *f)
{
	for (int i = 0; i < f->n; i++)
		for (int k = 0; k < i; k++)
			assert_false(fuse_alike(f->best[i].variant,
				f->best[k].variant));
}

/* The dynamic programme finds the ten best, and none of them twice in different
 * orders, of "runs" graphs.
 */
static void check_ten_best(const struct graph_machine *m, unsigned seed,
	int runs)
{
	for (int i = 0; i < runs; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 5 + i % 3, 2, 2, 2, 3 });
		struct found all = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_ALL, 0, 10,
				GRAPH_EFFORT });
		struct found dp = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_DYNAMIC, 0, 10,
				GRAPH_EFFORT });

		check_differ(&all);
		check_differ(&dp);
		assert_int_equal(all.n, 10);
		for (int k = 0; k < 10 && all.best[k].fits; k++) {
			double a = all.best[k].seconds;

			assert_true(k < dp.n);
			assert_true(fabs(dp.best[k].seconds - a) <= 1e-9 * a);
		}
		region_free(mem);
	}
}

static void test_ten_best(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 8);

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 600;
	check_ten_best(&m, 16, 30);
}

static void test_ten_best_of_choice(void **state)
{
	struct region *mem = region_new();
	struct graph_machine m = of_choice(mem, 32);

	(void) state;
	check_ten_best(&m, 18, 9);
	region_free(mem);
}

/* More orders find nothing that is worse, and all the best. */
static void test_more_orders(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 8);
	unsigned seed = 20;

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 600;
	for (int i = 0; i < 10; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 7, 2, 2, 2, 3 });
		double last = INFINITY;

		for (int orders = 1; orders <= 5040; orders *= 71) {
			struct found f = graph_search(mem, g, &m,
				&(struct graph_query) { SEARCH_DYNAMIC,
					orders, 1, GRAPH_EFFORT });
			double there = f.orders_there;

			assert_true(f.n_orders == (orders < there ? orders :
				(int) there));
			assert_true(f.all_orders == (orders >= there));
			assert_true(f.best[0].seconds <= last * (1 + 1e-9));
			last = f.best[0].seconds;
		}
		region_free(mem);
	}
}

/* What a search of thirty stages cuts, which is its time but for a factor: a
 * million take a fifth of a second.  Does what it finds fit?
 */
static bool thirty_stages(const struct graph_machine *m, int n_dims,
	unsigned reach, int64_t most)
{
	struct region *mem = region_new();
	unsigned seed = 30 + reach;
	struct graph *g = random_graph(mem, &seed, (struct graph_kind)
		{ 30, n_dims, reach, 3, 9 });
	struct found found = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_AUTO, 0, 10,
				GRAPH_EFFORT });
	bool fits;

	assert_true(found.n > 0);
	print_message("%d dimensions, %u cells away: %lld cuboids, groups "
		"of %d stages\n", n_dims, reach, (long long) found.n_cuboids,
		found.longest);
	assert_true(found.n_cuboids < most);
	fits = found.best[0].fits;
	region_free(mem);
	return fits;
}

static void test_thirty_stages(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 256, 32);

	(void) state;
	m.level[1].capacity = 60000;
	for (unsigned reach = 1; reach <= 3; reach++) {
		thirty_stages(&m, 2, reach, 500000);
		thirty_stages(&m, 3, reach, 5000000);
	}
}

/* Where groups take long to count, large ones are left out; what fits is found. */
static void test_bounded_effort(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 256, 32);
	struct graph_machine cells = of_cells(64, 16);

	(void) state;
	assert_true(thirty_stages(&m, 3, 3, 5000000));
	assert_true(thirty_stages(&cells, 3, 2, 6000000));
}

/* Variants share the counts of their groups: trying all of them cuts few
 * cuboids for each.
 */
static void test_all_share_counts(void **state)
{
	struct region *mem = region_new();
	struct graph_machine m = two_levels(HALO_OF, 64, 8);
	unsigned seed = 8;
	struct graph *g = random_graph(mem, &seed, (struct graph_kind)
		{ 8, 2, 1, 3, 3 });
	struct found found = graph_search(mem, g, &m,
			&(struct graph_query) { SEARCH_ALL, 0, 10,
				GRAPH_EFFORT });

	(void) state;
	print_message("%lld cuboids for %d variants\n",
		(long long) found.n_cuboids, found.n_scored);
	assert_true(found.n_scored > 1000);
	assert_true(found.n_cuboids < 2 * (int64_t) found.n_scored);
	region_free(mem);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_search),
	cmocka_unit_test(test_search_three_levels),
	cmocka_unit_test(test_search_swept),
	cmocka_unit_test(test_search_slabs),
	cmocka_unit_test(test_search_choice),
	cmocka_unit_test(test_times_of_choice),
	cmocka_unit_test(test_search_cells),
	cmocka_unit_test(test_ten_best),
	cmocka_unit_test(test_ten_best_of_choice),
	cmocka_unit_test(test_more_orders),
	cmocka_unit_test(test_thirty_stages),
	cmocka_unit_test(test_bounded_effort),
	cmocka_unit_test(test_all_share_counts),
};

const struct subject search_tests = SUBJECT(tests);

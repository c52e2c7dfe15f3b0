/* Topological orders. */
#include <string.h>

#include "tests/unit/graph.h"

/* Does each stencil stand behind those that it reads? */
static bool is_topological(const struct graph *g, const int *order)
{
	for (int i = 0; i < g->n_stencils; i++)
		for (int k = i + 1; k < g->n_stencils; k++)
			if (graph_depends(g, order[i], order[k]))
				return false;
	return true;
}

static void check_orders(const struct graph *g, int most, bool want_all,
	int want)
{
	struct region *mem = region_new();
	int **orders;
	bool all;
	int n = graph_orders(mem, g, most, &orders, &all);

	assert_int_equal(n, want);
	assert_int_equal(all, want_all);
	for (int i = 0; i < n; i++) {
		assert_true(is_topological(g, orders[i]));
		for (int k = 0; k < i; k++)
			assert_true(memcmp(orders[i], orders[k], sizeof(int) *
				(size_t) g->n_stencils) != 0);
	}
	region_free(mem);
}

/* There are as many orders as are counted, and as many are tried as are asked
 * for.
 */
static void test_orders(void **state)
{
	unsigned seed = 19;

	(void) state;
	for (int i = 0; i < 20; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 5 + i % 3, 2, 1, 1 + i % 2, 2 });
		int n = (int) graph_count_orders(g);

		check_orders(g, 5040, true, n);
		check_orders(g, n, true, n);
		if (n > 1)
			check_orders(g, n - 1, false, n - 1);
		check_orders(g, (n + 1) / 2, n == 1, (n + 1) / 2);
		region_free(mem);
	}
}

/* Stencils that read nothing of each other; of more than can be counted one by
 * one, too.
 */
static void test_orders_apart(void **state)
{
	static const double factorial[] = { 1, 1, 2, 6, 24, 120, 720 };

	(void) state;
	for (int n = 1; n <= 30; n++) {
		struct region *mem = region_new();
		struct graph *g = graph_new(mem, 2, 100);
		int in = graph_add_field(g, "in");
		double count;

		for (int s = 0; s < n; s++)
			add_read(g, graph_add_stencil(mem, g, "s", 1, true),
				in, 0, 0);
		count = graph_count_orders(g);
		if (n <= 6)
			assert_true(count == factorial[n]);
		assert_true(fabs(log(count) - lgamma(n + 1.0)) < 1e-9);
		region_free(mem);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_orders),
	cmocka_unit_test(test_orders_apart),
};

const struct subject order_tests = SUBJECT(tests);

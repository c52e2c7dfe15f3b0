/* Distances, cones and copies of small programs. */
#include "tests/unit/schedule.h"

static int n_carries(const struct scop *scop)
{
	int n = 0;

	for (int i = 0; i < scop->n_stmts; i++)
		n += scop->stmt[i].is_carry;
	return n;
}

static void test_dependences(void **state)
{
	static const struct {
		const char *text;
		int copies, carries;	/* of each state; in all */
		int delta[4][2];	/* delta0, delta1 of two dimensions */
		int n;
		int distance[8][MOST_DIMS];
	} table[] = {
		{ jacobi1d, 2, 0, { { 1, 1 }, { 1, 1 } }, 4,
		  { { 1, -1 }, { 1, 0 }, { 1, 1 }, { 2, 0 } } },
		/* the read of a cell's neighbour forbids to overwrite it */
		{ upwind1d, 2, 0, { { 1, 1 }, { 1, 1 } }, 4,
		  { { 1, -1 }, { 1, 0 }, { 1, 1 }, { 2, 0 } } },
		{ skew, 3, 1, { { 1, 1 }, { 2, 1 } }, 3,
		  { { 1, -2 }, { 2, 2 }, { 3, 0 } } },
		{ wave1d, 2, 1, { { 1, 1 }, { 1, 1 } }, 4,
		  { { 1, -1 }, { 1, 0 }, { 1, 1 }, { 2, 0 } } },
		/* in place, and nothing to carry */
		{ decay1d, 1, 0, { { 0, 1 }, { 0, 1 } }, 1, { { 1, 0 } } },
		/* 4 copies: A[t-2][i-1] is overwritten a step later */
		{ third1d, 4, 1, { { 1, 3 }, { 1, 1 } }, 5,
		  { { 1, -1 }, { 1, 0 }, { 3, 0 }, { 3, 1 }, { 4, 0 } } },
		{ fdtd2d, 1, 0, { { 1, 1 }, { 1, 2 }, { 1, 2 }, { 1, 1 } }, 7,
		  { { 1, 0, -1 }, { 1, 0, 0 }, { 1, 1, 0 }, { 2, -1, 0 },
		    { 2, 0, 0 }, { 2, 0, 1 }, { 3, 0, 0 } } },
		{ wave2d, 2, 1, { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 } }, 6,
		  { { 1, -1, 0 }, { 1, 0, -1 }, { 1, 0, 0 }, { 1, 0, 1 },
		    { 1, 1, 0 }, { 2, 0, 0 } } },
	};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct built b = build(state, table[i].text, "");
		struct points *want = points_new(b.mem);
		struct cone cone;

		for (int j = 0; j < table[i].n; j++)
			points_add(want, table[i].distance[j]);
		points_sort(want);
		if (!points_equal(distances(&b), want))
			fail_msg("distances of %s", table[i].text);
		assert_true(cone_of_deps(b.deps, b.scop->n_dims, &cone));
		for (int d = 0; d < b.scop->n_dims; d++)
			if (!rational_is(cone.delta0[d],
				table[i].delta[2 * d][0],
				table[i].delta[2 * d][1]) ||
			    !rational_is(cone.delta1[d],
				table[i].delta[2 * d + 1][0],
				table[i].delta[2 * d + 1][1]))
				fail_msg("cone of %s", table[i].text);
		for (int j = 0; j < b.prog->n_fields; j++)
			assert_int_equal(b.scop->field[j].buffers,
				table[i].copies);
		assert_int_equal(n_carries(b.scop), table[i].carries);
	}
}

static void test_heat2d_dependences(void **state)
{
	struct built b = build(state, heat2d, "");
	struct points *want = points_new(b.mem);

	for (int i = -1; i <= 1; i++)
		for (int j = -1; j <= 1; j++)
			points_add(want, (int [MOST_DIMS]) { 1, i, j });
	points_add(want, (int [MOST_DIMS]) { 2, 0, 0 });
	points_sort(want);
	assert_true(points_equal(distances(&b), want));
	assert_int_equal(b.scop->field[0].buffers, 2);
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_dependences),
	ISL_TEST(test_heat2d_dependences),
};

const struct subject deps_tests = SUBJECT(tests);

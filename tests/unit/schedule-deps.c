/* Distances, cones and copies of small programs. */
#include "tests/unit/schedule.h"

static int n_copy_statements(const struct scop *scop)
{
	int n = 0;

	for (int i = 0; i < scop->n_stmts; i++)
		n += scop->stmt[i].is_copy;
	return n;
}

static void test_dependences(void **state)
{
	static const struct {
		const char *text;
		int copies, copy_statements;	/* of each state; in all */
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
		/* in place, and nothing to copy */
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
		assert_true(cone_of_deps(b.scop->deps, b.scop->n_dims, &cone));
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
		assert_int_equal(n_copy_statements(b.scop),
			table[i].copy_statements);
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

/* A common multiple of the dtau that are drawn. */
enum { MOST_DTAU = 6, MULTIPLE_OF_DTAU = 60, MOST_DISTANCES = 10 };

/* sum of dtau_i mu_i <= MULTIPLE_OF_DTAU, mu_i >= 0 */
static __isl_give isl_basic_set *multipliers(isl_ctx *ctx,
	const struct points *distances)
{
	isl_space *space = isl_space_set_alloc(ctx, 0,
		(unsigned) distances->n);
	isl_local_space *ls = isl_local_space_from_space(
		isl_space_copy(space));
	isl_constraint *sum = isl_constraint_alloc_inequality(
		isl_local_space_copy(ls));
	isl_basic_set *all = isl_basic_set_universe(space);

	sum = isl_constraint_set_constant_si(sum, MULTIPLE_OF_DTAU);
	for (int i = 0; i < distances->n; i++) {
		isl_constraint *sign = isl_constraint_alloc_inequality(
			isl_local_space_copy(ls));

		sum = isl_constraint_set_coefficient_si(sum, isl_dim_set, i,
			-distances->at[i][0]);
		all = isl_basic_set_add_constraint(all,
			isl_constraint_set_coefficient_si(sign, isl_dim_set, i,
				1));
	}
	isl_local_space_free(ls);
	return isl_basic_set_add_constraint(all, sum);
}

/* The least delta >= 0 with sign * dx <= delta * dtau for all distances, times
 * MULTIPLE_OF_DTAU.  By duality it is the greatest sum of sign * dx_i lambda_i
 * for all lambda >= 0 of which the sum of dtau_i lambda_i is at most 1.  At
 * each corner one lambda_i is 1/dtau_i and the others are 0, so that
 * mu = lambda * MULTIPLE_OF_DTAU is integral.
 */
static long linear_program(isl_ctx *ctx, const struct points *distances,
	int dim, int sign)
{
	isl_basic_set *all = multipliers(ctx, distances);
	isl_aff *sum = isl_aff_zero_on_domain(isl_local_space_from_space(
		isl_basic_set_get_space(all)));
	isl_val *greatest;
	long result;

	for (int i = 0; i < distances->n; i++)
		sum = isl_aff_set_coefficient_si(sum, isl_dim_in, i,
			sign * distances->at[i][1 + dim]);
	greatest = isl_basic_set_max_val(all, sum);
	assert_true(isl_val_is_int(greatest));
	result = isl_val_get_num_si(greatest);
	isl_val_free(greatest);
	isl_aff_free(sum);
	isl_basic_set_free(all);
	return result;
}

static void check_slopes(isl_ctx *ctx, const struct built *b)
{
	const struct points *all = distances(b);
	struct cone cone;

	assert_true(cone_of_deps(b->scop->deps, b->scop->n_dims, &cone));
	for (int d = 0; d < b->scop->n_dims; d++) {
		assert_int_equal(cone.delta0[d].num * MULTIPLE_OF_DTAU,
			linear_program(ctx, all, d, 1) * cone.delta0[d].den);
		assert_int_equal(cone.delta1[d].num * MULTIPLE_OF_DTAU,
			linear_program(ctx, all, d, -1) * cone.delta1[d].den);
	}
}

/* [CGO] 3.3.2 finds the slopes by linear programs. */
static void test_slopes_are_those_of_linear_programs(void **state)
{
	const struct fixture *f = *state;
	struct built one = build(state, jacobi1d, "");
	struct built two = build(state, heat2d, "");
	unsigned seed = 11;

	check_slopes(f->isl, &one);
	check_slopes(f->isl, &two);
	for (int i = 0; i < 200; i++) {
		int n = 1 + (int) next_random(&seed, MOST_DISTANCES);
		const char *text = "";

		for (int j = 0; j < n; j++)
			text = region_printf(f->mem, "%s%s[%d, %d%s]", text,
				j ? "; " : "",
				1 + (int) next_random(&seed, MOST_DTAU),
				(int) next_random(&seed, 19) - 9, i % 2 ?
				region_printf(f->mem, ", %d", (int)
					next_random(&seed, 19) - 9) : "");
		forge_distances(i % 2 ? &two : &one,
			region_printf(f->mem, "{ %s }", text));
		check_slopes(f->isl, i % 2 ? &two : &one);
	}
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_dependences),
	ISL_TEST(test_heat2d_dependences),
	ISL_TEST(test_slopes_are_those_of_linear_programs),
};

const struct subject deps_tests = SUBJECT(tests);

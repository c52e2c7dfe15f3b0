/* Strips: what they keep is there when it is read, and lies where they say. */
#include <math.h>

#include "schedule/strips/strips.h"
#include "tests/unit/schedule.h"

static const struct stream *strip_of(void **state, const struct built *b,
	int steps, int cells, int length, int lanes)
{
	struct tile_request request = tile_request_default();
	struct plan *plan;
	int n;

	request.b = steps;
	request.v = cells;
	request.l = length;
	request.threads[0] = lanes;
	assert_null(strategy_stream.applies(b->scop));
	plan = plan_of(state, b, &strategy_stream, &request, &n);
	assert_non_null(plan);
	assert_int_equal(n, 1);
	return plan->strips;
}

/* What "acc" reads, "early" iterations before the statement, came at most period - 1 iterations
 * ago, or before the statement in the same iteration; and it is among what is needed, if all that
 * the statement computes is.
 */
static void check_read(const struct built *b, const struct stream *s,
	const struct stmt *stmt, const struct access *acc, int early, int m)
{
	const struct needed *to = &s->needed[m + 1], *from;
	int age = 0;

	if (s->dim.stream >= 0)
		age = stream_age(s, b->scop, stmt, acc,
			(int) acc->offset[s->dim.stream]) - early;
	assert_in_range(age, 0, s->period - 1);
	if (m + acc->version < 0 || b->scop->k > 1)
		return;
	from = &s->needed[m + acc->version];
	for (int d = 0; d < stmt->n_dims; d++) {
		assert_true(from->low[d] <= to->low[d] + acc->offset[d]);
		assert_true(from->high[d] >= to->high[d] + acc->offset[d]);
	}
}

/* As written, or as parts read that earlier iterations compute. */
static void check_reads(const struct built *b, const struct stream *s,
	const struct stmt *stmt, int m)
{
	const struct strip_parts *parts = &s->parts[stmt->index];

	for (int i = 0; i < strip_n_reads(stmt, parts); i++) {
		struct strip_read read = strip_read_of(stmt, parts, i);

		if (read.acc->field->kind == FIELD_STATE)
			check_read(b, s, stmt, read.acc, read.early, m);
	}
	for (int i = 0; i < parts->n; i++)
		assert_in_range(parts->part[i].oldest, 0, s->period - 1);
}

static void check_strip(const struct built *b, const struct stream *s)
{
	int lane = s->dim.lane, along = s->dim.stream;

	assert_int_equal((s->walk.last - s->walk.first + 1) % s->period, 0);
	assert_int_equal((s->walk.begin - s->walk.first) % s->period, 0);
	assert_true(s->walk.begin >= s->walk.first);
	assert_int_equal(s->before[lane] % s->cells, 0);
	assert_int_equal(s->after[lane] % s->cells, 0);
	assert_int_equal(s->before[lane] + s->width + s->after[lane],
		s->lanes * s->cells);
	assert_true(s->width > 0);
	for (int v = 0; v <= s->b; v++) {
		assert_true(-s->needed[v].low[lane] <= s->before[lane]);
		assert_true(s->needed[v].high[lane] <= s->after[lane]);
	}
	for (int m = 0; m < s->b; m++)
		for (int i = 0; i < b->scop->k; i++) {
			const struct stmt *stmt = b->prog->stmt[i];
			int lag = stream_lag(s, m, i);

			if (along >= 0 && b->scop->k == 1)
				assert_true(s->walk.first - lag <=
					s->needed[m + 1].low[along] &&
					s->walk.of + m * s->walk.step - lag <=
					s->needed[m + 1].low[along]);
			if (along >= 0)
				assert_true(s->walk.last - lag >=
					s->length - 1);
			check_reads(b, s, stmt, m);
		}
}

static void test_strips(void **state)
{
	static const char *const text[] = { jacobi1d, upwind1d, skew, wave1d,
		chain1d, heat2d, star2d, fdtd2d, wave2d };

	for (size_t i = 0; i < COUNT(text); i++) {
		struct built b = build(state, text[i], "");

		for (int steps = 2; steps <= 5; steps++)
			for (int cells = 1; cells <= 4; cells *= 2)
				check_strip(&b, strip_of(state, &b, steps,
					cells, b.scop->n_dims > 1 ?
					3 * steps + cells : 1, 32));
	}
}

/* What a lane reads of another was left an iteration before, at least: of
 * heat2d, whose corners come last, a step lags two rows, of jacobi2d one.
 */
static void test_joined_strips(void **state)
{
	static const char *const text[] = { heat2d, star2d, fdtd2d, wave2d };

	for (size_t i = 0; i < COUNT(text); i++) {
		struct built b = build(state, text[i], "");

		for (int steps = 2; steps <= 4; steps++) {
			const struct stream *s = strip_of(state, &b, steps, 4,
				16, 96);

			check_strip(&b, s);
			assert_true(stream_is_joined(s));
			assert_int_equal(s->exchange.dim, s->dim.lane);
			assert_int_equal(s->warps, 1);
			assert_true(s->exchange.parts == 2 || s->period % s->exchange.parts == 0);
			assert_int_equal(stream_shared_bytes(s, b.scop) %
				(s->exchange.parts * 96 * 4), 0);
			assert_true(stream_shared_bytes(s, b.scop) > 0);
			if (i == 0)
				assert_int_equal(s->lag.step, 2);
		}
	}
}

static void test_strips_of_planes(void **state)
{
	struct built b = build(state, lag3d, "");
	struct tile_request request = tile_request_default();
	const struct stream *s;
	struct plan *plan;
	int n;

	assert_null(strategy_stream.applies(b.scop));
	request.b = 2;
	request.v = 2;
	request.y = 2;
	request.l = 8;
	plan = plan_of(state, &b, &strategy_stream, &request, &n);
	assert_non_null(plan);
	s = plan->strips;
	check_strip(&b, s);
	assert_int_equal(s->before[1] + s->height + s->after[1],
		s->warps * s->rows);
	assert_int_equal(plan->pitch[1], s->height);
	assert_int_equal(plan->pitch[2], s->width);
}

/* Step m of a star begins with iteration 2m - 1.  The first plane is stored in 1; a plane two before it
 * is loaded in -3, and whole periods, of three, begin with -5.
 */
static void test_begin_of_planes(void **state)
{
	struct built b = build(state, star3d, "");
	struct tile_request request = tile_request_default();
	const struct stream *s;
	int n;

	assert_null(strategy_stream.applies(b.scop));
	request.b = 2;
	request.v = 2;
	request.y = 2;
	request.l = 9;
	s = plan_of(state, &b, &strategy_stream, &request, &n)->strips;
	check_strip(&b, s);
	assert_true(stream_begins_late(s, b.scop));
	assert_int_equal(s->walk.first, -5);
	assert_int_equal(s->walk.begin, 1);
	assert_int_equal(s->walk.step, 2);
	assert_int_equal(s->walk.of, -1);
}

/* The model leaves steps out at the lengths at which the code does. */
static void test_idle_of_lengths(void **state)
{
	struct built b = build(state, star3d, "");
	struct stream s = *strip_of(state, &b, 1, 2, 1, 32);
	struct strip_shape shape = strip_shape_of(b.scop, &s,
		strip_find_facts(b.scop, &s), b.outlook);

	for (int length = 1; length <= 9; length++) {
		s.length = s.first = length;
		strip_find_iterations(b.scop, &s);
		strip_set_length(&shape, &s);
		assert_int_equal(shape.walk.idle > 0,
			stream_begins_late(&s, b.scop));
	}
}

/* Of no length is less predicted than the search takes for possible. */
static void test_least_of_lengths(void **state)
{
	struct built b = build(state, heat2d, "");
	struct stream s = *strip_of(state, &b, 8, 4, 3072, 32);
	struct strip_shape shape = strip_shape_of(b.scop, &s,
		strip_find_facts(b.scop, &s), b.outlook);
	const double least_s = strip_least(b.outlook->machine,
		&shape).predicted_s;

	assert_true(least_s > 0);
	for (int length = 4; length <= 3072; length += 4) {
		s.length = s.first = length;
		strip_find_iterations(b.scop, &s);
		strip_set_length(&shape, &s);
		assert_true(strip_predict(b.outlook->machine,
			&shape).predicted_s >= least_s);
	}
}

static void test_strips_of_heat2d(void **state)
{
	struct built b = build(state, heat2d, "");
	const struct stream *s = strip_of(state, &b, 8, 4, 128, 32);

	assert_int_equal(s->lag.step, 1);
	assert_int_equal(s->period, 3);
	assert_int_equal(s->width, 112);
	assert_int_equal(s->walk.first, -9);
	assert_int_equal(s->walk.last, 134);
	assert_int_equal(s->walk.begin, 6);
	assert_int_equal(s->walk.step, 2);
	assert_false(stream_begins_late(s, b.scop));
	assert_int_equal(s->needed[0].low[0], -8);
	assert_int_equal(s->needed[0].high[1], 8);
}

/* Is the period of iterations from "n" on of the strip at "origin" far? */
static bool is_far(const struct plan *plan, isl_set *full,
	const int64_t origin[1 + IR_MAX_DIMS], int n)
{
	const struct stream *s = plan->strips;
	isl_set *at = isl_set_copy(full);
	bool far;

	for (int d = 0; d <= plan->n_dims; d++)
		at = isl_set_fix_si(at, isl_dim_set, (unsigned) d,
			(int) origin[d] + (d == 1 + s->dim.stream ? n : 0));
	far = isl_set_is_empty(at) == isl_bool_false;
	isl_set_free(at);
	return far;
}

struct tally {
	double all, guarded, ends;
};

/* The iterations of the strip at "origin", which ends with the grid. */
static void tally_strip(struct tally *tally, const struct plan *plan,
	const struct outlook *o, const int64_t origin[1 + IR_MAX_DIMS])
{
	const struct stream *s = plan->strips;
	int64_t rest = o->grid[s->dim.stream] - origin[1 + s->dim.stream];
	int64_t last = s->walk.last - s->length + (rest < s->length ? rest :
		s->length);

	isl_set *steady = isl_set_copy(plan->full);

	for (int d = 0; d < plan->n_dims; d++)
		if (d != s->dim.stream)
			steady = isl_set_drop_constraints_involving_dims(steady,
				isl_dim_set, 1 + (unsigned) d, 1);
	for (int n = s->walk.first; n <= last; n += s->period) {
		tally->all++;
		tally->guarded += !is_far(plan, plan->full, origin, n);
		tally->ends += !is_far(plan, steady, origin, n);
	}
	isl_set_free(steady);
}

/* All strips of all launches: dimension "d" and those after it are open. */
static void tally_strips(struct tally *tally, const struct plan *plan,
	const struct outlook *o, int64_t origin[1 + IR_MAX_DIMS], int d)
{
	int step = d == 0 ? plan->strips->b : strip_stored(plan->strips,
		d - 1);
	int64_t end = d == 0 ? o->steps : d <= plan->n_dims ?
		o->grid[d - 1] : 0;

	if (d > plan->n_dims)
		tally_strip(tally, plan, o, origin);
	for (origin[d] = 0; d <= plan->n_dims && origin[d] < end;
	     origin[d] += step)
		tally_strips(tally, plan, o, origin, d + 1);
}

/* The share that the model takes for guarded is what the plan leaves to guarded code. */
static void test_guarded_share(void **state)
{
	static const struct {
		const char *text, *sizes;
		int b, v, y, l;
	} c[] = {
		{ heat2d, "T=16 N=300 M=700", 4, 2, 1, 60 },
		{ heat2d, "T=18 N=300 M=700", 4, 4, 1, 301 },
		{ heat2d, "T=16 N=64 M=64", 8, 4, 1, 9 },
		{ star2d, "T=12 N=180 M=1000", 3, 4, 1, 45 },
		{ fdtd2d, "T=12 N=200 M=400", 4, 2, 1, 70 },
		{ wave2d, "T=12 N=200 M=400", 3, 2, 1, 70 },
		{ star3d, "T=6 N=90 M=60 K=200", 3, 2, 4, 30 },
		{ star3d, "T=4 N=50 M=90 K=130", 2, 1, 8, 50 },
	};

	for (size_t i = 0; i < COUNT(c); i++) {
		struct built b = build(state, c[i].text, c[i].sizes);
		struct tile_request request = tile_request_default();
		struct tally tally = { 0 };
		int64_t origin[1 + IR_MAX_DIMS];
		struct strip_shape shape;
		struct plan *plan;
		int n;

		request.b = c[i].b;
		request.v = c[i].v;
		request.y = c[i].y;
		request.l = c[i].l;
		request.threads[0] = 32;
		plan = plan_of(state, &b, &strategy_stream, &request, &n);
		assert_non_null(plan);
		tally_strips(&tally, plan, b.outlook, origin, 0);
		shape = strip_shape_of(b.scop, plan->strips, strip_find_facts(
			b.scop, plan->strips), b.outlook);
		assert_true(shape.edges.has_sides);
		/* No strip of a grid so narrow is far: no iteration is steady. */
		if (isl_set_is_empty(plan->full))
			assert_true(tally.ends == tally.all);
		else	/* ends go on to the end of a period */
			assert_true(fabs(strip_guarded_share(&shape) -
				tally.ends / tally.all) < 0.05);
		assert_true(fabs(strip_guarded_share(&shape) +
			strip_side_share(&shape) - tally.guarded / tally.all) <
			0.03);
	}
}

static const struct CMUnitTest tests[] = {
	ISL_TEST(test_strips),
	ISL_TEST(test_guarded_share),
	ISL_TEST(test_joined_strips),
	ISL_TEST(test_strips_of_planes),
	ISL_TEST(test_begin_of_planes),
	ISL_TEST(test_idle_of_lengths),
	ISL_TEST(test_least_of_lengths),
	ISL_TEST(test_strips_of_heat2d),
};

const struct subject strip_tests = SUBJECT(tests);

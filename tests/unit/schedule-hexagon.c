/* The hexagon against enumeration.  Nothing here knows its formulas except as
 * what they promise: each instance runs once, and after all that it needs.
 */
#include "tests/unit/schedule.h"

static const struct rational slopes[][2] = {
	{ { 0, 1 }, { 0, 1 } }, { { 1, 1 }, { 1, 1 } },
	{ { 1, 1 }, { 0, 1 } }, { { 0, 1 }, { 1, 1 } },
	{ { 2, 1 }, { 1, 1 } }, { { 1, 1 }, { 2, 1 } },
	{ { 1, 2 }, { 1, 1 } }, { { 1, 1 }, { 1, 2 } },
	{ { 2, 1 }, { 2, 1 } }, { { 3, 2 }, { 1, 2 } },
	{ { 1, 3 }, { 5, 3 } }, { { 1, 2 }, { 1, 2 } },
	{ { 3, 1 }, { 0, 1 } },
};

enum { MOST_H = 5, WIDER = 3 };

/* Where a point lies: the T-th launch of "phase", tile s0 of it, row a. */
struct place {
	int phase;
	int64_t t, s0, a, b;
};

/* The tiles of the two phases that hold (tau, s): how many, and the last. */
static int places_of(const struct hexagon *x, const int s_shift[2],
	int64_t tau, int64_t s, struct place *place)
{
	int n = 0;

	for (int phase = 0; phase < 2; phase++) {
		struct place p = { .phase = phase };
		int64_t at = tau + hexagon_tau_shift(x, phase);

		p.t = floor_div(at, x->height);
		p.a = at - p.t * x->height;
		at = s + s_shift[phase] + p.t * (x->f1 - x->f0);
		p.s0 = floor_div(at, x->pitch);
		p.b = at - p.s0 * x->pitch;
		if (p.b < hexagon_first(x, (int) p.a) ||
		    p.b > hexagon_last(x, (int) p.a))
			continue;
		*place = p;
		n++;
	}
	return n;
}

/* Is each point of a window of two periods in exactly one tile? */
static bool covers(const struct hexagon *x, const int s_shift[2])
{
	struct place place;

	for (int tau = -x->height; tau < x->height; tau++)
		for (int s = -x->pitch; s < x->pitch; s++)
			if (places_of(x, s_shift, tau, s, &place) != 1)
				return false;
	return true;
}

/* Must a tile at "from" run before, or together with, one at "to"? */
static bool in_order(const struct place *from, const struct place *to)
{
	if (from->t != to->t)
		return from->t < to->t;
	if (from->phase != to->phase)
		return from->phase < to->phase;
	return from->s0 == to->s0 && from->a < to->a;
}

/* Dependences (dtau, ds) of the cone that are not in order.  Those that reach
 * no further than the denominators compose all others.
 */
static int violations(const struct hexagon *x, const int s_shift[2])
{
	int far = most((int) x->delta0.den, (int) x->delta1.den), n = 0;

	for (int tau = 0; tau < x->height; tau++)
		for (int s = 0; s < x->pitch; s++) {
			struct place from, to;

			places_of(x, s_shift, tau, s, &from);
			for (int dt = 1; dt <= far; dt++) {
				int first = (int) -rational_floor(x->delta1,
					dt);
				int last = (int) rational_floor(x->delta0, dt);

				for (int ds = first; ds <= last; ds++) {
					places_of(x, s_shift, tau + dt, s + ds,
						&to);
					n += !in_order(&from, &to);
				}
			}
		}
	return n;
}

static struct hexagon hexagon_with_shifts(const struct rational delta[2],
	int h, int w0, int s_shift[2])
{
	struct hexagon x = hexagon_make(delta[0], delta[1], h, w0);

	for (int phase = 0; phase < 2; phase++)
		s_shift[phase] = hexagon_s_shift(&x, phase);
	return x;
}

static void fail_hexagon(const struct hexagon *x, const char *what)
{
	fail_msg("delta0 = %d/%d, delta1 = %d/%d, h = %d, w0 = %d: %s",
		(int) x->delta0.num, (int) x->delta0.den,
		(int) x->delta1.num, (int) x->delta1.den, x->h, x->w0, what);
}

static void check_hexagon(const struct hexagon *x, const int s_shift[2])
{
	int points = 0, low = x->pitch, high = -1;

	for (int a = 0; a < x->height; a++) {
		int first = hexagon_first(x, a), last = hexagon_last(x, a);

		if (last < first)
			fail_hexagon(x, "a row is empty");
		points += last - first + 1;
		low = least(low, first);
		high = most(high, last);
	}
	if (points != (x->h + 1) * x->pitch)
		fail_hexagon(x, "a tile has not (h + 1) * W points");
	if (low != 0 || high != x->f0 + x->f1 + x->w0)
		fail_hexagon(x, "b is not 0 .. f0 + f1 + w0");
	if (hexagon_first(x, 0) != x->f1 ||
	    hexagon_last(x, 0) != x->f1 + x->w0)
		fail_hexagon(x, "the first row is not b = f1 .. f1 + w0");
	if (hexagon_first(x, x->height - 1) != x->f0 ||
	    hexagon_last(x, x->height - 1) != x->f0 + x->w0)
		fail_hexagon(x, "the last row is not b = f0 .. f0 + w0");
	if (!covers(x, s_shift))
		fail_hexagon(x, "the tiles do not partition the plane");
	if (violations(x, s_shift))
		fail_hexagon(x, "a dependence is not in order");
}

static void test_hexagon(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			int w0 = hexagon_least_width(slopes[i][0],
				slopes[i][1], h);

			for (int more = 0; more <= WIDER; more++) {
				int s_shift[2];
				struct hexagon x = hexagon_with_shifts(
					slopes[i], h, w0 + more, s_shift);

				check_hexagon(&x, s_shift);
			}
		}
}

static struct rational random_slope(unsigned *seed)
{
	int den = 1 + (int) next_random(seed, 5);

	return (struct rational) { (int) next_random(seed, 3 * 5), den };
}

static void test_random_hexagons(void **state)
{
	unsigned seed = 2014;

	(void) state;
	for (int i = 0; i < 250; i++) {
		struct rational delta[2] = { random_slope(&seed),
			random_slope(&seed) };
		int h = (int) next_random(&seed, 7), s_shift[2];
		int w0 = hexagon_least_width(delta[0], delta[1], h);
		struct hexagon x = hexagon_with_shifts(delta, h,
			w0 + (int) next_random(&seed, 4), s_shift);

		check_hexagon(&x, s_shift);
	}
}

/* (3) as printed has f1 where f0 must stand. */
static void test_printed_offset_is_wrong(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			int w0 = 1 + hexagon_least_width(slopes[i][0],
				slopes[i][1], h), s_shift[2];
			struct hexagon x = hexagon_with_shifts(slopes[i], h,
				w0, s_shift);

			s_shift[0] = x.f1 + x.w0 + 1;
			if (covers(&x, s_shift) != (x.f0 == x.f1))
				fail_hexagon(&x, "the printed offset");
		}
}

/* Bound (1) is needed: below it tiles still partition the plane, but tiles of
 * a launch depend on each other.  With h = 0 the fractions of a slope reach
 * no point, and two of the pairs stay legal.
 */
static void test_bound_is_needed(void **state)
{
	int below = 0, legal = 0;

	(void) state;
	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			int bound = hexagon_least_width(slopes[i][0],
				slopes[i][1], h);

			for (int w0 = 0; w0 < bound; w0++) {
				int s_shift[2];
				struct hexagon x = hexagon_with_shifts(
					slopes[i], h, w0, s_shift);

				below++;
				if (!covers(&x, s_shift))
					fail_hexagon(&x, "not covered");
				if (violations(&x, s_shift))
					continue;
				if (h > 0)
					fail_hexagon(&x, "legal below (1)");
				legal++;
			}
		}
	assert_int_equal(below, 44);
	assert_int_equal(legal, 2);
}

/* d0 = 1, d1 = 2, h = 2: the example of 3.3.2, where w0 = 1 is the least. */
static void test_paper_example(void **state)
{
	static const struct rational delta[2] = { { 1, 1 }, { 2, 1 } };
	static const int rows[6][2] = {
		{ 4, 7 }, { 2, 8 }, { 0, 9 }, { 0, 9 }, { 1, 7 }, { 2, 5 },
	};
	int s_shift[2];
	struct hexagon x = hexagon_with_shifts(delta, 2, 3, s_shift);

	(void) state;
	assert_int_equal(hexagon_least_width(delta[0], delta[1], 2), 1);
	assert_int_equal(x.height, 6);
	assert_int_equal(x.pitch, 14);
	assert_int_equal(s_shift[0], 6);
	assert_int_equal(s_shift[1], 0);
	assert_int_equal(hexagon_tau_shift(&x, 0), 3);
	assert_int_equal(hexagon_tau_shift(&x, 1), 0);
	for (int a = 0; a < 6; a++) {
		assert_int_equal(hexagon_first(&x, a), rows[a][0]);
		assert_int_equal(hexagon_last(&x, a), rows[a][1]);
	}
}

/* The model counts the same hexagon. */
static void test_model_has_the_same_hexagon(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			struct hex_shape shape = { .dims = 1, .statements = 1,
				.delta0 = slopes[i][0],
				.delta1 = { slopes[i][1] } };
			int w0 = hexagon_least_width(slopes[i][0],
				slopes[i][1], h);
			struct hex_tile tile = { .h = h, .w = { w0 + 1 } };
			struct hexagon x = hexagon_make(slopes[i][0],
				slopes[i][1], h, w0 + 1);

			assert_int_equal(hex_cgo1_min_w0(&shape, h), w0);
			assert_int_equal(hex_width(&shape, &tile), x.pitch);
			for (int a = 0; a < x.height; a++) {
				int64_t low, high;

				hex_row_bounds(&shape, &tile, a, &low, &high);
				assert_int_equal(low, hexagon_first(&x, a));
				assert_int_equal(high, hexagon_last(&x, a));
			}
		}
}

static void test_shape_is_the_hexagon(void **state)
{
	struct built b = build(state, decay1d, "");

	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			const struct rational *s = slopes[i];
			int w[3] = { hexagon_least_width(s[0], s[1], h) +
				h % 2 };
			struct points *want = points_new(b.mem);
			struct tiling t;

			forge_distances(&b, region_printf(b.mem,
				"{ [%d, %d]; [%d, %d] }",
				(int) s[0].den, (int) s[0].num,
				(int) s[1].den, (int) -s[1].num));
			t = tile(state, &b, 0, h, w);
			for (int a = 0; a < t.plan->tiles.hexagon.height; a++)
				for (int c =
				    hexagon_first(&t.plan->tiles.hexagon, a);
				     c <=
					hexagon_last(&t.plan->tiles.hexagon, a);
				     c++)
					points_add(want, (int [MOST_DIMS])
						{ a, c });
			points_sort(want);
			if (!points_equal(t.shape, want))
				fail_hexagon(&t.plan->tiles.hexagon, "shape");
		}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_hexagon),
	cmocka_unit_test(test_random_hexagons),
	cmocka_unit_test(test_printed_offset_is_wrong),
	cmocka_unit_test(test_bound_is_needed),
	cmocka_unit_test(test_paper_example),
	cmocka_unit_test(test_model_has_the_same_hexagon),
	ISL_TEST(test_shape_is_the_hexagon),
};

const struct subject hexagon_tests = SUBJECT(tests);

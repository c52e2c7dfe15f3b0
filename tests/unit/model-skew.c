/* Wavefronts of skewed rectangles, and what such a tile moves, against
 * enumeration.
 */
#include "tests/unit/model.h"

#include <math.h>
#include <string.h>

static const struct rational slopes[] = { { 0, 1 }, { 1, 1 }, { 2, 1 },
	{ 1, 2 }, { 1, 3 }, { 5, 3 } };

static int64_t floor_times(struct rational q, int64_t n)
{
	return floor_div(q.num * n, q.den);
}

/* Wavefronts of a grid, of which tiles are "rows" high. */
struct grid {
	struct wavefronts w;
	struct rational slope;
	int64_t rows, taus;
};

static struct grid random_grid(unsigned *seed)
{
	struct grid g = { .slope = slopes[next_random(seed) %
		COUNT(slopes)] };

	g.rows = 1 + next_random(seed) % 6;
	g.w.times = 1 + next_random(seed) % 8;
	g.w.points = 1 + next_random(seed) % 40;
	g.w.w0 = 1 + next_random(seed) % 9;
	g.w.drift = ceil_div(g.slope.num * g.rows, g.slope.den) +
		next_random(seed) % 3;
	g.w.f1 = floor_times(g.slope, g.rows - 1);
	g.taus = g.rows * g.w.times;
	return g;
}

enum { MOST_TIMES = 8, MOST_TILES = 256 };

/* Mark the tiles that hold a point, one by one. */
static void find_tiles(const struct grid *g,
	bool holds[MOST_TIMES][MOST_TILES])
{
	memset(holds, 0, MOST_TIMES * sizeof(*holds));
	for (int64_t tau = 0; tau < g->taus; ++tau)
		for (int64_t x = 0; x < g->w.points; ++x) {
			int64_t time = tau / g->rows, a = tau % g->rows;
			int64_t s = x + floor_times(g->slope, a) +
				time * g->w.drift;

			assert_in_range(s / g->w.w0, 0, MOST_TILES - 1);
			holds[time][s / g->w.w0] = true;
		}
}

/* The tiles of wavefront "i". */
static int64_t tiles_of(bool holds[MOST_TIMES][MOST_TILES], int64_t i)
{
	int64_t n = 0;

	for (int64_t time = 0; time < MOST_TIMES && time <= i; ++time)
		n += i - time < MOST_TILES && holds[time][i - time];
	return n;
}

static void check_grid(const struct grid *g)
{
	static bool holds[MOST_TIMES][MOST_TILES];
	int64_t count = 0, most = 0, sum = 0;

	find_tiles(g, holds);
	for (int64_t i = 0; i < MOST_TIMES + MOST_TILES; ++i) {
		int64_t n = tiles_of(holds, i);

		sum += n;
		count = n ? i + 1 : count;
		most = n > most ? n : most;
		assert_int_equal(wavefronts_tiles(&g->w, i), n);
	}
	assert_int_equal(wavefronts_count(&g->w), count);
	same(wavefronts_sum(&g->w), (double) sum);
	assert_in_range(wavefronts_most(&g->w), most, most + 1);
	for (int64_t tiles = 1; tiles <= most + 1; ++tiles) {
		int64_t with = 0;

		for (int64_t i = 0; i < count; ++i)
			with += tiles_of(holds, i) >= tiles;
		if (tiles < wavefronts_most(&g->w))
			assert_int_equal(wavefronts_with(&g->w, tiles), with);
		else
			assert_true(wavefronts_with(&g->w, tiles) >= with);
	}
}

static void tiles_of_wavefronts(void **state)
{
	unsigned seed = 1;

	(void) state;
	for (int i = 0; i < 3000; ++i) {
		struct grid g = random_grid(&seed);

		check_grid(&g);
	}
}

/* (6): a launch for each wavefront, and T_x(k) for each turn of the SMs. */
static void pp_6_of_wavefronts(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_of(r, "code=paper");
	const struct machine *m = machine_find(r, "gtx980");
	unsigned seed = 7;

	(void) state;
	for (int i = 0; i < 300; ++i) {
		struct tile_counts c = { .steps = 1, .rows = 1,
			.tiles_per_prism = 3, .load_bytes = 5e3,
			.store_bytes = 4e3, .compute_s = 2e-6 };
		struct time_terms t;
		double k = 1 + i % 3, sum = 0;
		int64_t blocks = (int64_t) k * m->sm_count;

		c.wavefronts = random_grid(&seed).w;
		c.wavefronts.times *= 1 + i;
		c.wavefronts.points *= 300;
		if ((wavefronts_most(&c.wavefronts) - 1) % blocks == 0)
			continue;
		t = time_predict(m, &s, 2, &c, k);
		for (int64_t j = 0; j < wavefronts_count(&c.wavefronts); ++j)
			sum += m->launch_s + t.prism_s * (double) ceil_div(
				wavefronts_tiles(&c.wavefronts, j), blocks);
		near(t.predicted_s, sum, 1e-9);
		same(t.n_w, (double) wavefronts_count(&c.wavefronts));
		near(t.n_w * (m->launch_s + t.prism_s * t.rounds), sum, 1e-9);
	}
	region_free(r);
}

/* Launches are all that more of them take. */
static void launches_of_wavefronts(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct machine m = *machine_find(r, "gtx980");
	struct tile_counts c = { .steps = 1, .rows = 1, .tiles_per_prism = 3,
		.load_bytes = 5e3, .store_bytes = 4e3, .compute_s = 2e-6,
		.wavefronts = { .times = 20, .points = 500, .w0 = 4,
			.drift = 4, .f1 = 3 } };
	double with = time_predict(&m, &s, 2, &c, 2).predicted_s, without;

	(void) state;
	m.launch_s = 0;
	without = time_predict(&m, &s, 2, &c, 2).predicted_s;
	near(with - without, 9.24e-7 *
		(double) wavefronts_count(&c.wavefronts), 1e-9);
	region_free(r);
}

enum { OFF = 16, SPAN = 32 };

static bool in_row(const struct hex_shape *s, const struct hex_tile *t,
	int64_t a, int64_t x, int64_t y)
{
	int64_t by[2] = { floor_times(s->delta1[0], a),
		floor_times(s->delta1[1], a) };

	return a >= 0 && a < hex_rows(s, t->h) && x >= -by[0] &&
		x < t->w[0] - by[0] && y >= -by[1] && y < t->w[1] - by[1];
}

/* Is the value at (a, x, y) read by a point of row a + 1 that lies (inside) or
 * does not lie in the tile?
 */
static bool is_read(const struct hex_shape *s, const struct hex_tile *t,
	int64_t a, int64_t x, int64_t y, bool inside)
{
	for (int64_t i = -1; i <= 1; ++i)
		for (int64_t j = -1; j <= 1; ++j)
			if (in_row(s, t, a + 1, x - i, y - j) == inside)
				return true;
	return false;
}

static void exact_counts(void **state)
{
	struct region *r = region_new();
	struct hex_shape s = hex_radius_1(r, 2, 4);

	(void) state;
	s.is_skewed = true;
	for (int i = 0; i < 3 * 3 * 3; ++i) {
		struct hex_tile t = { 1 + i % 3, { 1 + 3 * (i / 3 % 3),
			4 + i / 9 } };
		const struct hex_profile *p = hex_profile_new(r, &s, t.h);
		double loads = 0, stores = 0, points = 0;

		for (int64_t a = -1; a < hex_rows(&s, t.h); ++a)
			for (int64_t x = -OFF; x < SPAN; ++x)
				for (int64_t y = -OFF; y < SPAN; ++y) {
					bool own = in_row(&s, &t, a, x, y);

					points += own;
					loads += !own && is_read(&s, &t, a, x,
						y, true);
					stores += own && is_read(&s, &t, a, x,
						y, false);
				}
		same(hex_points(&s, &t), points);
		same(hex_load_words(p, &t, HEX_LOADS_EXACT), loads);
		same(hex_store_words(p, &t, HEX_LOADS_EXACT,
			HEX_STORES_LIVE), stores);
		same((double) hex_pitch(p, &t), (double) (t.w[0] + t.h));
	}
	region_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(tiles_of_wavefronts),
	cmocka_unit_test(pp_6_of_wavefronts),
	cmocka_unit_test(launches_of_wavefronts),
	cmocka_unit_test(exact_counts),
};

const struct subject skew_tests = SUBJECT(tests);

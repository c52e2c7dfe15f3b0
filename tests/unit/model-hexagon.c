/* The shape of hexagonal tiles, and the sizes that [CGO] takes. */
#include "tests/unit/model.h"

/* The example of 3.3: slopes 1 and 2, h = 2: w0 >= 1 (CGO-E2), W = 14. */
static void cgo_example(void **state)
{
	struct region *r = region_new();
	struct hex_shape s = hex_radius_1(r, 1, 4);
	struct hex_tile t = { 2, { 3 } };

	(void) state;
	s.delta1[0] = (struct rational) { 2, 1 };
	assert_int_equal(hex_cgo1_min_w0(&s, 2), 1);
	assert_int_equal(hex_width(&s, &t), 14);
	assert_int_equal(hex_height(2), 6);
	region_free(r);
}

/* Iterations of a 3D tile, 3.7: 2(1 + 2h + h^2 + w0(h+1)) w1 w2. */
static void cgo_iterations(void **state)
{
	struct region *r = region_new();
	struct hex_shape s = hex_radius_1(r, 3, 4);

	(void) state;
	for (int64_t h = 0; h < 6; ++h)
		for (int64_t w0 = 0; w0 < 6; ++w0) {
			struct hex_tile t = { h, { w0, 5, 32 } };
			double sum = 0;
			const struct hex_profile *p =
				hex_profile_new(r, &s, h);

			same(hex_points(&s, &t), (double) (2 * (1 + 2 * h +
				h * h + w0 * (h + 1)) * 5 * 32));
			for (int a = 0; a < p->n_rows; ++a)
				sum += hex_row_points(p, &t, a);
			same(sum, hex_points(&s, &t));
		}
	region_free(r);
}

static int tiles_holding(const struct hex_shape *s, const struct hex_tile *t,
	int64_t time, int64_t x)
{
	int64_t h = t->h, f0 = floor_div(s->delta0.num * h, s->delta0.den);
	int64_t f1 = floor_div(s->delta1[0].num * h, s->delta1[0].den);
	int64_t width = hex_width(s, t), height = hex_height(h);
	int n = 0;

	for (int phase = 0; phase < 2; ++phase) {
		int64_t u = time + (phase ? 0 : h + 1);
		int64_t tile = floor_div(u, height), a = u - tile * height;
		int64_t v = x + tile * (f1 - f0) +
			(phase ? 0 : f0 + t->w[0] + 1);
		int64_t b = v - floor_div(v, width) * width, lo, hi;

		hex_row_bounds(s, t, a, &lo, &hi);
		n += b >= lo && b <= hi;
	}
	return n;
}

/* Each point lies in one tile; a full tile has (h+1) W points. */
static void cgo_coverage(void **state)
{
	static const struct rational slopes[] = { { 0, 1 }, { 1, 1 },
		{ 2, 1 }, { 1, 2 }, { 1, 3 }, { 5, 3 }, { 3, 2 } };
	enum { N = COUNT(slopes) };
	struct region *r = region_new();
	struct hex_shape s = hex_radius_1(r, 1, 4);

	(void) state;
	for (int i = 0; i < N * N * 4; ++i) {
		struct hex_tile t = { i / (N * N), { 0 } };
		int64_t points = 0;

		s.delta0 = slopes[i % N];
		s.delta1[0] = slopes[i / N % N];
		t.w[0] = hex_cgo1_min_w0(&s, t.h) + i % 2;
		for (int64_t time = -7; time < 13; ++time)
			for (int64_t x = -25; x < 25; ++x)
				assert_int_equal(tiles_holding(&s, &t, time,
					x), 1);
		for (int64_t a = 0; a < hex_height(t.h); ++a) {
			int64_t lo, hi;

			hex_row_bounds(&s, &t, a, &lo, &hi);
			points += hi - lo + 1;
		}
		same((double) points, hex_points(&s, &t));
	}
	region_free(r);
}

/* Table 4's tile is the choice of 3.7 for 48 KB (CGO-E4), and its threads. */
static void cgo_table_4(void **state)
{
	static const enum hex_loads loads[] = { HEX_LOADS_EXACT,
		HEX_LOADS_EXACT_REUSE, HEX_LOADS_BOX };
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx470", &s, 3, 128, 384, 3e-8);
	struct hex_result x;

	(void) state;
	for (int i = 0; i < 3; ++i) {

		q.loads = loads[i];
		x = hex_select(r, &q);
		assert_true(x.found);
		assert_int_equal(x.candidate[0].tile.h + 1, 2);
		assert_int_equal(x.candidate[0].tile.w[0] + 1, 7);
		assert_int_equal(x.candidate[0].tile.w[1], 10);
		assert_int_equal(x.candidate[0].tile.w[2], 32);
		same(x.candidate[0].shared_bytes, 48840);
		assert_string_equal(x.constraint, "shared_bytes_per_block");
	}
	assert_int_equal(x.candidate[0].threads[0], 32);
	assert_int_equal(x.candidate[0].threads[1], 10);
	assert_int_equal(x.candidate[0].threads[2], 1);
	q.forced.h = 1;
	q.forced.w[0] = 6;
	q.forced.w[1] = 10;
	q.forced.w[2] = 32;
	assert_true(hex_search(r, &q).found);
	region_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(cgo_example),
	cmocka_unit_test(cgo_iterations),
	cmocka_unit_test(cgo_coverage),
	cmocka_unit_test(cgo_table_4),
};

const struct subject hexagon_tests = SUBJECT(tests);

/* What a hexagonal tile loads, stores and keeps, against enumeration and the
 * printed formulas.
 */
#include "tests/unit/model.h"

#include <math.h>

enum { SPAN = 48, OFF = 16 };	/* cells of a dimension, index of cell 0 */

static bool in_row(const struct hex_shape *s, const struct hex_tile *t,
	int64_t a, int64_t x, int64_t y)
{
	int64_t lo, hi, skew = floor_div(s->delta1[1].num * a,
		s->delta1[1].den);

	if (a < 0 || a >= hex_height(t->h))
		return false;
	hex_row_bounds(s, t, a, &lo, &hi);
	return x >= lo && x <= hi && y >= -skew && y < t->w[1] - skew;
}

/* Whether the value at (a, x, y) is read by a point of row a + 1 that lies
 * (inside) or does not lie in the tile.
 */
static bool is_read(const struct hex_shape *s, const struct hex_tile *t,
	int64_t a, int64_t x, int64_t y, bool inside)
{
	const struct hex_read *r = &s->read[0];

	for (int64_t i = r->lo[0]; i <= r->hi[0]; ++i)
		for (int64_t j = r->lo[1]; j <= r->hi[1]; ++j)
			if (in_row(s, t, a + 1, x - i, y - j) == inside)
				return true;
	return false;
}

/* A 2D box stencil of one array: exact loads and live stores by counting. */
static void count_2d(const struct hex_shape *s, const struct hex_tile *t,
	double *loads, double *stores)
{
	*loads = 0;
	*stores = 0;
	for (int64_t a = -1; a < hex_height(t->h); ++a)
		for (int64_t x = -OFF; x < SPAN; ++x)
			for (int64_t y = -2 * OFF; y < SPAN; ++y) {
				bool own = in_row(s, t, a, x, y);

				*loads += !own &&
					is_read(s, t, a, x, y, true);
				*stores += own &&
					is_read(s, t, a, x, y, false);
			}
}

static void hex_exact_counts(void **state)
{
	static const struct rational slopes[] = { { 1, 1 }, { 2, 1 },
		{ 1, 2 }, { 0, 1 } };
	struct region *r = region_new();
	struct hex_shape s = hex_radius_1(r, 2, 8);

	(void) state;
	for (int i = 0; i < 64; ++i) {
		struct hex_tile t = { i % 3, { 0, 3 + i % 5 } };
		double loads, stores;
		const struct hex_profile *p;

		s.delta0 = slopes[i % 4];
		s.delta1[0] = slopes[i / 4 % 4];
		s.delta1[1] = slopes[i / 16];
		s.read[0].hi[0] = ceil_div(s.delta0.num, s.delta0.den);
		s.read[0].lo[0] = -ceil_div(s.delta1[0].num,
			s.delta1[0].den);
		s.read[0].lo[1] = -ceil_div(s.delta1[1].num,
			s.delta1[1].den);
		t.w[0] = hex_cgo1_min_w0(&s, t.h) + i % 3;
		p = hex_profile_new(r, &s, t.h);
		count_2d(&s, &t, &loads, &stores);
		same(hex_load_words(p, &t, HEX_LOADS_EXACT), loads);
		same(hex_load_bytes(p, &t, HEX_LOADS_EXACT), 8 * loads);
		same(hex_store_words(p, &t, HEX_LOADS_EXACT,
			HEX_STORES_LIVE), stores);
		same(hex_store_words(p, &t, HEX_LOADS_EXACT,
			HEX_STORES_ALL), hex_points(&s, &t));
	}
	region_free(r);
}

/* Where radius 1 has printed formulas, the shape agrees: (18), (24) with
 * reuse, PP-E5's count of stores, the box of [CGO] 3.7.
 */
static void hex_printed_counts(void **state)
{
	struct region *r = region_new();

	(void) state;
	for (int dims = 1; dims <= 3; ++dims)
		for (int64_t h = 0; h < 5; ++h)
			for (int64_t w0 = 1; w0 < 4; ++w0) {
				struct hex_shape s = hex_radius_1(r, dims, 4);
				struct hex_tile t = { h, { w0, 7, 32 } };
				double ts1 = (double) w0 + 1;
				double tt = (double) (2 * h + 2);
				double ts[] = { 7, 32 }, box = 8;
				const struct hex_profile *p =
					hex_profile_new(r, &s, h);
				double m_i = hex_load_words(p, &t,
					HEX_LOADS_EXACT_REUSE);

				if (dims < 3)
					same(m_i, pp7_words(ts1, tt, dims - 1,
						ts));
				if (dims < 3)
					same(hex_store_words(p, &t,
						HEX_LOADS_EXACT_REUSE,
						HEX_STORES_LIVE), (dims > 1 ?
						7 : 1) * (ts1 + 2 * tt - 2));
				box *= (double) (w0 + 2 * h + 3);
				for (int d = 1; d < dims; ++d)
					box *= (double) (t.w[d] + 2 * h + 3);
				same(hex_shared_bytes(p, &t), box);
				same(hex_points(&s, &t), pp26_tile_points(ts1,
					tt, dims - 1, ts));
				same(exact_tiles_per_phase(1e6, (double)
					hex_width(&s, &t)), ceil(1e6 /
					(2 * ts1 + tt - 2)));
			}
	region_free(r);
}

/* sum (L_a + 2) prod(wi + 2) - sum over a >= 1 of L_(a-1) prod(wi); with
 * reuse the last wi + 2 is wi.
 */
static void hex_box_loads(void **state)
{
	struct region *r = region_new();
	struct hex_shape s = hex_radius_1(r, 3, 4);

	(void) state;
	for (int64_t h = 0; h < 4; ++h) {
		struct hex_tile t = { h, { 2, 6, 32 } };
		const struct hex_profile *p = hex_profile_new(r, &s, h);
		double reads = 0, own = 0;

		for (int64_t a = 0; a <= 2 * h + 1; ++a) {
			int64_t up = a < 2 * h + 1 - a ? a : 2 * h + 1 - a;

			reads += (double) (3 + 2 * up + 2);
			own += a <= 2 * h ? (double) (3 + 2 * up) : 0;
		}
		same(hex_load_words(p, &t, HEX_LOADS_EXACT),
			reads * 8 * 34 - own * 6 * 32);
		same(hex_load_words(p, &t, HEX_LOADS_EXACT_REUSE),
			reads * 8 * 32 - own * 6 * 32);
	}
	region_free(r);
}

/* Two statements: the rows alternate, and H and W's h is a multiple. */
static void hex_two_statements(void **state)
{
	struct region *r = region_new();
	struct hex_shape s = { .dims = 1, .statements = 2, .n_arrays = 3 };
	struct hex_read reads[] = {
		{ .array = 1, .statement = 0, .age = 1, .lo = { -1 } },
		{ .array = 0, .statement = 1, .age = 1, .hi = { 1 } },
		{ .array = 2, .statement = 1 },
	};
	const struct hex_profile *p;
	struct hex_tile t = { 1, { 1 } };

	(void) state;
	s.delta0 = s.delta1[0] = (struct rational) { 1, 1 };
	s.array[0] = (struct hex_array) { 4, 1, 0, false };
	s.array[1] = (struct hex_array) { 8, 2, 1, false };
	s.array[2] = (struct hex_array) { 4, 1, -1, false };
	s.read = region_array(r, struct hex_read, 3);
	for (int i = 0; i < 3; ++i)
		hex_add_read(&s, &reads[i]);
	assert_null(hex_verify(&s));
	p = hex_profile_new(r, &s, 1);
	/* rows 1..2, 0..3, 0..3, 1..2, statements 0, 1, 0, 1 */
	assert_int_equal(p->row[1].statement, 1);
	assert_int_equal(hex_row_length(p, &t, 1), 4);
	/* array 1 at row -1: 0..2; row 1: -1..3 less 0..3; array 0 at row 0:
	 * 0..4 less 1..2; row 2: 1..3 less 0..3; array 2: 0..3
	 */
	same(hex_load_words(p, &t, HEX_LOADS_EXACT), 3 + 1 + 3 + 0 + 4);
	same(hex_load_bytes(p, &t, HEX_LOADS_EXACT), 4 * 8 + 7 * 4);
	/* boxes: 0..4 by 1; -1..3 by 2; 0..3 by 1 */
	same(hex_shared_bytes(p, &t), 5 * 4 + 5 * 2 * 8 + 4 * 4);
	s.read[0].age = 0;
	assert_non_null(hex_verify(&s));
	region_free(r);
}

/* (24) has no halo along s2; recommended counts it. */
static void counts_in_3d(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended(), p = switches_printed();
	struct hex_query q = query_of(r, "h200", &s, 3, 100, 256, 3e-8);

	(void) state;
	q.forced.h = 0;
	q.forced.w[0] = 3;
	q.forced.w[1] = 2;
	q.forced.w[2] = 32;
	same(hex_search(r, &q).terms.m_i_words,
		(6 + 6) * 4 * 32 - 4 * 2 * 32);
	q.switches = &p;
	same(hex_search(r, &q).terms.m_i_words, 2 * 32 * (4 + 2 * 2));
	region_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(hex_exact_counts),
	cmocka_unit_test(hex_printed_counts),
	cmocka_unit_test(hex_box_loads),
	cmocka_unit_test(hex_two_statements),
	cmocka_unit_test(counts_in_3d),
};

const struct subject count_tests = SUBJECT(tests);

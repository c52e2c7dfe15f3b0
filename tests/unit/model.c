/* The model against its papers: every number that they let one reproduce,
 * enumeration where they give formulas for shapes, and properties.
 */
#include "model/model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static void near(double got, double want, double relative)
{
	if (fabs(got - want) > relative * fabs(want))
		fail_msg("%.17g is not %.17g", got, want);
}

static void same(double got, double want)
{
	near(got, want, 1e-12);
}

/* "got" printed with "fmt" is "want": the paper's digits. */
static void digits(const char *fmt, double got, const char *want)
{
	char text[64];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), fmt, got);
#pragma GCC diagnostic pop
	assert_string_equal(text, want);
}

static struct switches switches_of(struct region *r, const char *text)
{
	struct switches s;
	const char *wrong = switches_parse(r, text, &s);

	if (wrong)
		fail_msg("%s", wrong);
	return s;
}

static double citer_named(const struct machine *m, const char *name)
{
	struct instruction_mix none = { 0 };
	struct citer c = citer_of(m, name, &none);

	assert_false(c.estimated);
	return c.seconds;
}

/* A query for a cube (square) of "size", radius 1, floats. */
static struct hex_query query_of(struct region *r, const char *machine,
	const struct switches *s, int dims, int64_t steps, int64_t size,
	double citer_s)
{
	struct hex_shape *shape = region_new_of(r, struct hex_shape);
	struct hex_query q;

	*shape = hex_radius_1(r, dims, 4);
	q = hex_query_of(machine_find(r, machine), s, shape);
	q.steps = steps;
	for (int d = 0; d < dims; ++d)
		q.size[d] = size;
	for (int i = 0; i < MODEL_MAX_STATEMENTS; ++i)
		q.citer_s[i] = citer_s;
	return q;
}

/* [SU] table 2, row by row ------------------------------------------------*/

static void su_table_2(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "k20c");
	struct switches s = switches_recommended();
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config c = { { 32, 4, 1 }, 1 };
	struct traffic_terms t = traffic_predict(m, &s, &k, &c);

	(void) state;
	assert_int_equal(m->max_threads_per_sm, 2048);		/* 1 */
	assert_int_equal(m->l1_bytes_per_sm, 48 * 1024);	/* 2 */
	assert_int_equal(m->sm_count, 13);			/* 3 */
	same((double) m->l2_bytes, 1.25 * 1024 * 1024);		/* 4 */
	assert_int_equal(m->l2_line_bytes, 32);			/* 5 */
	same(t.threads_per_block, 128);				/* 6 */
	same(t.threads, 16777216);				/* 7 */
	same(t.blocks, 131072);					/* 8 */
	same(t.occupancy, 1.0);					/* 9 */
	same(t.blocks_per_sm, 16);				/* 10 */
	same(t.blocks_per_group, 208);				/* 11 */
	same((double) k.array[0].aligned_points, 5);		/* 12 */
	same((double) k.array[0].misaligned_points, 2);		/* 13 */
	same(t.loads_thread, 9);				/* 14 */
	same(t.stores_thread, 1);				/* 15 */
	same(t.net_b, 704);					/* 16 */
	digits("%.2f", t.miss_smx / s.delta, "1.83");		/* 17 */
	same(t.loads_b, 704 * (1 + t.miss_smx));		/* 18 */
	same(t.stores_b, 128);					/* 19 */
	same(t.groups, 631);					/* 20 */
	same(t.width_y, 106);					/* 21 */
	same(t.height_z, 3);					/* 22 */
	same(t.net_g, 83952);					/* 23 */
	digits("%.3f", t.miss_l2 / s.epsilon, "0.512");		/* 24 */
	same(t.loads_g, 83952 * (1 + t.miss_l2));		/* 25 */
	same(t.stores_g, 26624);				/* 26 */
	digits("%.2f", t.v_smx_bytes / (1 << 30), "1.25");	/* 27 */
	digits("%.0f", floor(t.v_l2_bytes / (1 << 20)), "844");	/* 28 */
	digits("%.0f", t.v_gm_bytes / (1 << 20), "534");	/* 29 */
	assert_string_equal(t.binding, "gm");
	same(t.sweep_s, t.v_gm_bytes / 160.88e9);
	region_free(r);
}

static void su_line_of_128_bytes(void **state)
{
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config c = { { 32, 4, 1 }, 1 };

	(void) state;
	same(su6_net_block(&k.array[0], &c, 128), 576);		/* SU-A1 */
	same(su6_net_block(&k.array[0], &c, 256), 704);
}

/* 3 c + 2 aligned and 2 c misaligned loads; (16), (17), (18). */
static void su_zblock(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "k20c");
	struct switches s = switches_of(r, "eta=0.002");
	struct traffic_kernel k = traffic_7pt1(256);

	(void) state;
	for (int64_t chunk = 2; chunk <= 256; chunk *= 2) {
		struct traffic_config c = { { 32, 4, 1 }, chunk };
		struct traffic_terms t = traffic_predict(m, &s, &k, &c);
		double d = (double) chunk;
		double net = 128 * d + (32 * d + 128) * 2 + 32 * 4 * d * 2;
		double miss = 16 * net / 6144 * 0.01;

		same(t.loads_thread, 3 * d + 2 + 4 * d);
		same(t.stores_thread, d);
		same(t.threads, 256. * 256 * (256 / d));
		same(t.net_b, net);
		if (16 * net * 8 > 48 * 1024)
			miss = miss * 3 / (d + 2) +
				fmax(0, log2(d * 4 / 6)) * 0.002;
		same(t.miss_smx, miss);
		same(t.adjusted_s, t.sweep_s * (1 + 1 / t.groups));
	}
	region_free(r);
}

/* SU-E1: a block of a box stencil reads the rows at its edges, (By + 2)(Bz + 2)
 * of them and a line on both sides of each; reads on one side, one line.
 */
static void su_rows_read(void **state)
{
	struct traffic_config c = { { 32, 4, 1 }, 2 };
	struct traffic_rows box = { .any = true, .y = 2, .z = 2, .corners = 4 };
	struct traffic_array a = { .word_bytes = 8, .rows = box,
		.side = { { 1, box }, { 1, box } } };

	(void) state;
	same(su6_net_block(&a, &c, 32), 6 * 4 * (32 + 2 * 4));
	a.side[1].rows = (struct traffic_rows) { .any = false };
	same(su6_net_block(&a, &c, 32), 6 * 4 * (32 + 4));
	a.side[0].reach = 5;
	same(su6_net_block(&a, &c, 32), 6 * 4 * (32 + 8));
}

/* SU-E2: 254 points and 8 blocks a row make the same groups as 256. */
static void su_rows_of_blocks(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "k20c");
	struct switches s = switches_recommended();
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config c = { { 32, 4, 1 }, 1 };

	(void) state;
	k.n[0] = k.n[1] = 254;
	same(traffic_predict(m, &s, &k, &c).width_y, 106);
	same(traffic_predict(m, &s, &k, &c).height_z, 3);
	region_free(r);
}

/* SU-A4: the printed (13) of 64^3 is several times too large. */
static void su_clamp(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "k20c");
	struct switches no = switches_recommended();
	struct switches yes = switches_of(r, "clamp=yes");
	struct traffic_kernel k = traffic_7pt1(64);
	struct traffic_config c = { { 32, 4, 1 }, 1 };
	struct traffic_terms a = traffic_predict(m, &no, &k, &c);
	struct traffic_terms b = traffic_predict(m, &yes, &k, &c);

	(void) state;
	same(a.width_y, 4 * 104 + 2);
	same(b.width_y, 66);
	assert_true(a.v_gm_bytes > 2 * b.v_gm_bytes);
	region_free(r);
}

static void su_search(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "k20c");
	struct switches s = switches_recommended();
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config forced = { { 32, 4, 1 }, 0 };
	struct traffic_result all, one;

	(void) state;
	all = traffic_search(r, m, &s, &k, NULL, true, 10);
	assert_true(all.found);
	for (int i = 1; i < all.n_candidates; ++i)
		assert_true(all.candidate[i - 1].predicted_s <=
			all.candidate[i].predicted_s);
	one = traffic_search(r, m, &s, &k, &forced, false, 10);
	assert_int_equal(one.n_candidates, 1);
	assert_int_equal(one.candidate[0].config.chunk_z, 1);
	forced.block[0] = 4096;
	assert_false(traffic_search(r, m, &s, &k, &forced, false, 1).found);
	region_free(r);
}

/* [CGO] -------------------------------------------------------------------*/

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
	enum { N = sizeof(slopes) / sizeof(*slopes) };
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
	q.h = 1;
	q.w[0] = 6;
	q.w[1] = 10;
	q.w[2] = 32;
	assert_true(hex_search(r, &q).found);
	region_free(r);
}

/* Counts against enumeration ----------------------------------------------*/

enum { SPAN = 48, OFF = 16 };	/* cells of a dimension, index of cell 0 */

struct cells {
	bool read[SPAN][SPAN], computed[SPAN][SPAN], live[SPAN][SPAN];
};

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

/* [PP] --------------------------------------------------------------------*/

static void pp_tables(void **state)
{
	struct region *r = region_new();
	const struct machine *a = machine_find(r, "gtx980");
	const struct machine *b = machine_find(r, "titanx");

	(void) state;
	assert_int_equal(a->sm_count, 16);
	assert_int_equal(b->sm_count, 24);
	assert_int_equal(a->lanes_per_sm, 128);
	assert_int_equal(a->shared_bytes_per_sm, 96 * 1024);
	assert_int_equal(a->shared_bytes_per_block, 48 * 1024);
	assert_int_equal(a->registers_per_sm, 65536);
	assert_int_equal(a->max_blocks_per_sm, 32);
	digits("%.2e", 1e9 / a->bandwidth_bytes_per_s, "7.36e-03");
	digits("%.2e", 1e9 / b->bandwidth_bytes_per_s, "5.42e-03");
	digits("%.2e", a->sync_s, "7.96e-10");
	digits("%.2e", b->sync_s, "6.74e-10");
	digits("%.2e", a->launch_s, "9.24e-07");
	digits("%.2e", b->launch_s, "9.00e-07");
	digits("%.2e", citer_named(a, "jacobi2d"), "3.39e-08");
	digits("%.2e", citer_named(b, "jacobi2d"), "3.83e-08");
	digits("%.2e", citer_named(a, "heat2d"), "3.68e-08");
	digits("%.2e", citer_named(b, "heat2d"), "4.23e-08");
	digits("%.2e", citer_named(a, "laplacian2d"), "3.11e-08");
	digits("%.2e", citer_named(b, "laplacian2d"), "3.81e-08");
	digits("%.2e", citer_named(a, "gradient2d"), "6.09e-08");
	digits("%.2e", citer_named(b, "gradient2d"), "7.60e-08");
	digits("%.2e", citer_named(a, "heat3d"), "1.55e-07");
	digits("%.2e", citer_named(b, "heat3d"), "1.64e-07");
	digits("%.2e", citer_named(a, "laplacian3d"), "1.36e-07");
	digits("%.2e", citer_named(b, "laplacian3d"), "1.44e-07");
	region_free(r);
}

/* (3) with the floor of PP-E4 counts the phases that hold a point. */
static void pp_wavefronts(void **state)
{
	(void) state;
	for (int h = 0; h < 6; ++h)
		for (int steps = 1; steps < 60; ++steps) {
			int height = 2 * h + 2, n = 0;

			for (int tile = 0; tile * height < steps + h + 1;
			     ++tile)
				n += 1 + (tile * height < steps);
			same(pp3_wavefronts(steps, height,
				WAVEFRONTS_EPSILON), n);
			same(pp3_wavefronts(steps, height, WAVEFRONTS_EVEN),
				2 * ceil((double) steps / height));
		}
}

static void pp_formulas(void **state)
{
	double ts[] = { 64, 32 }, s[] = { 100, 100 };

	(void) state;
	same(pp4_tile_width(8, 6), 12);
	same(pp5_tiles_per_phase(100, 8, 6), 5);
	same(pp22_tiles_per_phase(100, 8, 6), 8);
	same(pp7_words(8, 6, 0, ts), 20);
	same(pp7_words(8, 6, 2, ts), 20 * 64 * 32);
	same(pp19_shared_words(8, 6, 0, ts), 28);
	same(pp19_shared_words(8, 6, 1, ts), 2 * 15 * 71);
	same(pp16_tiles_per_prism(100, 6, 64), 2);
	same(pp23_tiles_per_slab(2, s, 6, ts, SUBSLABS_PRODUCT), 6);
	same(pp23_tiles_per_slab(2, s, 6, ts, SUBSLABS_EACH), 8);
	same(pp26_tile_points(8, 6, 1, ts), 64 * 6 * 20 / 2.);
	same(pp8_transfer_s(1e9, 2e-9, 1), 4);
	same(pp9_compute_s(8, 6, 1, ts, 128, 3, 0.5),
		2 * 3 * (4 + 5 + 6) + 3);
	same(pp10_tile_s(2, 3), 5);
	same(pp12_tiles_s(2, 3, 4), 14);
	same(pp16_prism_s(2, 3, 1, 7, 2, OVERLAP_PRINTED), 35);
	same(pp16_prism_s(2, 3, 4, 7, 2, OVERLAP_PRINTED), 2 + 4 * 3 * 7);
	same(pp16_prism_s(2, 3, 4, 7, 2, OVERLAP_REPAIRED), 5 + 27 * 3);
	same(pp16_prism_s(2, 3, 4, 1, 1, OVERLAP_PRINTED), 14);
	same(pp2_rounds(100, 4, 16), 2);
	same(pp6_total_s(10, 3, 2, 0.5), 65);
}

/* Figure 5: Gradient2D, 8192^3, GTX 980. */
static void pp_figure_5(void **state)
{
	struct region *r = region_new();
	struct switches printed = switches_printed();
	struct switches recommended = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &printed, 2, 8192, 8192,
		6.09e-8);
	struct hex_result p = hex_search(r, &q), x;
	double bound = 8192. * 8192 * 8192 * 6.09e-8 / 128 / 16;

	(void) state;
	digits("%.2f", bound, "16.35");
	digits("%.2f", p.candidate[0].predicted_s, "8.38");
	same(p.feasible, 5373);
	same(floor(p.feasible * 32 / 850), 202);
	q.switches = &recommended;
	x = hex_search(r, &q);
	digits("%.2f", x.candidate[0].predicted_s, "16.50");
	same(x.feasible, 5373);
	same(x.within_10_percent, 1347);
	region_free(r);
}

/* "Less than 200 points within 10 %": 12 to 26 and 735 to 1347 at 8192^3. */
static void pp_within_10_percent(void **state)
{
	static const char *const machines[] = { "gtx980", "titanx" };
	static const char *const stencils[] = { "jacobi2d", "heat2d",
		"laplacian2d", "gradient2d" };
	struct region *r = region_new();
	struct switches s[] = { switches_printed(), switches_recommended() };
	double low[] = { 1e9, 1e9 }, high[] = { 0, 0 };

	(void) state;
	for (int i = 0; i < 16; ++i) {
		struct hex_query q = query_of(r, machines[i / 2 % 2],
			&s[i % 2], 2, 8192, 8192, 0);
		double n;

		q.citer_s[0] = citer_named(q.machine, stencils[i / 4]);
		n = hex_search(r, &q).within_10_percent;
		low[i % 2] = fmin(low[i % 2], n);
		high[i % 2] = fmax(high[i % 2], n);
	}
	same(low[0], 12);
	same(high[0], 26);
	same(low[1], 735);
	same(high[1], 1347);
	region_free(r);
}

/* The general prediction is the printed formulas put together. */
static void pp_printed_by_hand(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_printed();

	(void) state;
	for (int dims = 1; dims <= 3; ++dims) {
		struct hex_query q = query_of(r, "gtx980", &s, dims, 500, 900,
			4e-8);
		double ts[] = { dims == 2 ? 32 : 3, 32 }, n = 1;
		double size[] = { 900, 900 };
		double l = 7.36e-3 * 4e-9, m, c, k, w, slab;
		struct hex_result x;

		q.h = 2;
		q.w[0] = 7;
		q.w[1] = (int64_t) ts[0];
		q.w[2] = 32;
		x = hex_search(r, &q);
		assert_true(x.found);
		m = 2 * pp7_words(8, 6, dims - 1, ts) * l + 2 * 7.96e-10;
		c = pp9_compute_s(8, 6, dims - 1, ts, 128, 4e-8, 7.96e-10);
		k = fmin(32, floor(98304 / 4 /
			pp19_shared_words(8, 6, dims - 1, ts)));
		w = dims < 3 ? ceil(900. / 22) : ceil(900. / 14);
		if (dims > 1)
			n = pp23_tiles_per_slab(dims - 1, size, 6, ts,
				dims == 2 ? SUBSLABS_EACH : SUBSLABS_PRODUCT);
		slab = pp16_prism_s(m, c, k, n, dims, OVERLAP_PRINTED);
		near(x.terms.predicted_s, 2 * 84 * (9.24e-7 + slab *
			ceil(ceil(w / k) / 16)), 1e-9);
		near(x.terms.m_prime_s, m, 1e-9);
		near(x.terms.c_s, c, 1e-9);
	}
	region_free(r);
}

/* The formula for any rows is (27) for the rows of slopes 1. */
static void pp_any_rows(void **state)
{
	double points[] = { 8 * 64, 10 * 64, 12 * 64, 12 * 64, 10 * 64,
		8 * 64 };
	double citer_s[] = { 3, 3, 3, 3, 3, 3 }, ts = 64;

	(void) state;
	same(pp9_rows_s(6, points, citer_s, 128) + 6 * 0.5,
		pp9_compute_s(8, 6, 1, &ts, 128, 3, 0.5));
	same(pp9_rows_s(0, points, citer_s, 128), 0);
}

/* (24) has no halo along s2; recommended counts it. */
static void counts_in_3d(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended(), p = switches_printed();
	struct hex_query q = query_of(r, "h200", &s, 3, 100, 256, 3e-8);

	(void) state;
	q.h = 0;
	q.w[0] = 3;
	q.w[1] = 2;
	q.w[2] = 32;
	same(hex_search(r, &q).terms.m_i_words,
		(6 + 6) * 4 * 32 - 4 * 2 * 32);
	q.switches = &p;
	same(hex_search(r, &q).terms.m_i_words, 2 * 32 * (4 + 2 * 2));
	region_free(r);
}

/* Properties --------------------------------------------------------------*/

static unsigned next_random(unsigned *seed)
{
	*seed = (unsigned) (*seed * UINT64_C(1664525) + 1013904223);
	return *seed >> 8;
}

/* A random shape, problem and tile.  Exact counts, so any shape. */
static struct hex_query random_query(struct region *r, unsigned *seed,
	const struct switches *s, struct hex_tile *t)
{
	static const char *const machines[] = { "gtx980", "h200", "k20c",
		"rtx4090" };
	int dims = 1 + (int) (next_random(seed) % 3);
	struct hex_query q = query_of(r, machines[next_random(seed) % 4], s,
		dims, 1 + next_random(seed) % 2000, 1, 2e-8);
	struct hex_shape *shape = region_new_of(r, struct hex_shape);

	*shape = *q.shape;
	q.shape = shape;
	shape->delta0.num = 1 + next_random(seed) % 2;
	shape->delta1[0].den = 1 + next_random(seed) % 2;
	shape->read[0].hi[0] = shape->delta0.num;
	t->h = next_random(seed) % 6;
	t->w[0] = hex_cgo1_min_w0(shape, t->h) + next_random(seed) % 8;
	for (int d = 0; d < dims; ++d) {
		q.size[d] = 1 + next_random(seed) % 4000;
		if (d)
			t->w[d] = 1 + next_random(seed) % 40;
	}
	return q;
}

static double predicted_s(struct region *r, const struct hex_query *q,
	const struct hex_tile *t, double k)
{
	const struct hex_profile *p = hex_profile_new(r, q->shape, t->h);
	struct tile_counts c = hex_counts(q, p, t);

	return time_predict(q->machine, q->switches, q->shape->dims, &c,
		k).predicted_s;
}

/* Nothing is faster than all lanes computing without a pause, or all words
 * of all tiles at the machine's bandwidth.
 */
static void never_below_bounds(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_of(r, "counts=exact");
	unsigned seed = 1;

	(void) state;
	for (int i = 0; i < 300; ++i) {
		struct hex_tile t = { 0 };
		struct hex_query q = random_query(r, &seed, &s, &t);
		double k = 1 + next_random(&seed) % 4;
		double points = (double) q.steps;
		double tiles, s_got = predicted_s(r, &q, &t, k), s_words;
		const struct hex_profile *p =
			hex_profile_new(r, q.shape, t.h);
		struct tile_counts c = hex_counts(&q, p, &t);

		for (int d = 0; d < q.shape->dims; ++d)
			points *= (double) q.size[d];
		tiles = pp3_wavefronts(c.steps, c.rows, s.wavefronts) *
			c.tiles_per_phase * c.tiles_per_prism;
		s_words = tiles * (c.load_bytes + c.store_bytes) /
			q.machine->bandwidth_bytes_per_s;
		assert_true(s_got >= points * 2e-8 / (double)
			(q.machine->lanes_per_sm * q.machine->sm_count));
		assert_true(s_got >= s_words * (1 - 1e-9));
		assert_true(tiles * hex_points(q.shape, &t) >= points);
	}
	region_free(r);
}

static void monotone(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_of(r, "counts=exact");
	unsigned seed = 2;

	(void) state;
	for (int i = 0; i < 300; ++i) {
		struct hex_tile t = { 0 };
		struct hex_query q = random_query(r, &seed, &s, &t), more = q;
		struct machine faster = *q.machine;
		double before = predicted_s(r, &q, &t, 2);

		more.steps += next_random(&seed) % 50;
		assert_true(predicted_s(r, &more, &t, 2) >= before);
		more = q;
		more.size[next_random(&seed) % (unsigned) q.shape->dims] +=
			next_random(&seed) % 500;
		assert_true(predicted_s(r, &more, &t, 2) >= before);
		more = q;
		faster.bandwidth_bytes_per_s *= 1.5;
		more.machine = &faster;
		assert_true(predicted_s(r, &more, &t, 2) <= before);
	}
	region_free(r);
}

/* The best of the space follows its points. */
static void best_is_monotone(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	double last = 0;

	(void) state;
	for (int64_t steps = 1; steps <= 2048; steps *= 2) {
		struct hex_query q = query_of(r, "h200", &s, 2, steps, 3072,
			3e-8);
		double best = hex_search(r, &q).candidate[0].predicted_s;

		assert_true(best >= last);
		last = best;
	}
	last = 0;
	for (int64_t size = 64; size <= 8192; size *= 2) {
		struct hex_query q = query_of(r, "gtx980", &s, 2, 500, size,
			3e-8);
		double best = hex_search(r, &q).candidate[0].predicted_s;

		assert_true(best >= last);
		last = best;
	}
	region_free(r);
}

/* Extremes: T = 1, sizes of 2^31 and of 1, one SM; and all of int64. */
static void extremes(void **state)
{
	static const int64_t sizes[] = { 1, (int64_t) 1 << 31, INT64_MAX };
	struct region *r = region_new();
	struct switches s[] = { switches_printed(), switches_recommended(),
		switches_of(r, "threads=passes,counts=exact") };

	(void) state;
	for (int i = 0; i < 27; ++i) {
		struct hex_query q = query_of(r, "h100", &s[i % 3],
			1 + i / 9, sizes[i % 2], sizes[i / 3 % 3], 1e-8);
		struct machine one = *q.machine;
		struct traffic_kernel k = traffic_7pt1(sizes[i / 3 % 3]);
		struct hex_result x;

		one.sm_count = 1;
		q.machine = &one;
		q.shared_limit_bytes = 8192;
		q.max_candidates = 2;
		x = hex_search(r, &q);
		if (x.found)
			assert_true(x.candidate[0].predicted_s > 0 &&
				isfinite(x.candidate[0].predicted_s));
		assert_true(traffic_search(r, &one, &s[i % 3], &k, NULL,
			i % 2, 2).found);
	}
	region_free(r);
}

/* Forced sizes ------------------------------------------------------------*/

static void forced_points(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &s, 2, 100, 1000, 3e-8);
	struct hex_result x;

	(void) state;
	q.h = 3;
	q.w[0] = 7;
	q.w[1] = 64;
	q.threads[0] = 64;
	q.threads[1] = 4;
	x = hex_search(r, &q);
	assert_true(x.found);
	same(x.feasible, 1);
	assert_int_equal(x.candidate[0].threads[0], 64);
	assert_int_equal(x.candidate[0].threads[1], 4);
	assert_int_equal(x.candidate[0].threads[2], 1);
	q.w[1] = INT64_C(1) << 29;
	x = hex_search(r, &q);
	assert_false(x.found);
	assert_non_null(strstr(x.why, "shared memory"));
	q.w[1] = 64;
	q.threads[1] = 400;
	assert_false(hex_search(r, &q).found);
	q.threads[1] = INT64_MAX;
	assert_false(hex_search(r, &q).found);
	q.threads[1] = 0;
	q.h = INT64_MAX;
	assert_false(hex_search(r, &q).found);
	q.h = -1;
	q.w[0] = INT64_MAX;
	assert_false(hex_search(r, &q).found);
	region_free(r);
}

/* Code without shared memory has tiles, too; so has the host. */
static void without_shared_memory(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();

	(void) state;
	for (int dims = 1; dims <= 3; ++dims) {
		struct hex_query q = query_of(r, "h200", &s, dims, 100, 200,
			3e-8);

		q.shared = false;
		assert_true(hex_search(r, &q).found);
		q.shared = true;
		q.machine = machine_host(r);
		assert_true(hex_search(r, &q).found);
	}
	region_free(r);
}

/* Resources bound k: registers and threads of an SM. */
static void k_limits(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &s, 2, 100, 100000, 3e-8);
	struct hex_result x;

	(void) state;
	q.h = 0;
	q.w[0] = 0;
	q.w[1] = 32;
	q.threads[0] = 32;
	q.threads[1] = 8;
	x = hex_search(r, &q);
	assert_int_equal(x.candidate[0].k, 8);
	assert_string_equal(x.terms.k_limit, "max_threads_per_sm");
	q.registers_per_thread = 128;
	x = hex_search(r, &q);
	assert_int_equal(x.candidate[0].k, 2);
	assert_string_equal(x.terms.k_limit, "registers_per_sm");
	region_free(r);
}

static double seconds_now(void)
{
	struct timespec t;

	timespec_get(&t, TIME_UTC);
	return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* 0.1 s for a 3D stencil; the best of three, the machine may be busy, and
 * checks slow the code down.
 */
static void search_is_fast_and_deterministic(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "h200", &s, 3, 1000, 512, 3e-8);
	struct hex_result first = hex_search(r, &q);
	double best = 1e9;

	(void) state;
	for (int i = 0; i < 3; ++i) {
		double start = seconds_now();
		struct hex_result x = hex_search(r, &q);

		best = fmin(best, seconds_now() - start);
		assert_int_equal(x.n_candidates, first.n_candidates);
		assert_memory_equal(x.candidate, first.candidate,
			sizeof(*x.candidate) * (size_t) x.n_candidates);
	}
	assert_true(best < 0.1);
	region_free(r);
}

/* Machines and switches ---------------------------------------------------*/

static void all_machines(void **state)
{
	struct region *r = region_new();

	(void) state;
	for (int i = 0; i <= machine_count(); ++i) {
		const struct machine *m = i < machine_count() ?
			machine_find(r, machine_name(i)) : machine_host(r);
		const struct machine *back;
		struct text t = { 0 };
		struct diags d;

		for (int v = 0; v < MACHINE_VALUE_COUNT; ++v)
			assert_true(v == MACHINE_shared_reserved_bytes ||
				machine_value_of(m, (enum machine_value) v) >
				0);
		machine_print(&t, m);
		diags_init(&d, stderr);
		d.source = source_of_text(r, "m", t.bytes);
		back = machine_parse(r, &d, d.source);
		assert_non_null(back);
		for (int v = 0; v < MACHINE_VALUE_COUNT; ++v)
			same(machine_value_of(back, (enum machine_value) v),
				machine_value_of(m, (enum machine_value) v));
		assert_int_equal(back->n_citers, m->n_citers);
		text_free(&t);
	}
	assert_null(machine_find(r, "gtx9800"));
	region_free(r);
}

static void machine_names(void **state)
{
	struct region *r = region_new();
	struct diags d;
	FILE *out = tmpfile();

	(void) state;
	assert_non_null(out);
	diags_init(&d, out);
	assert_string_equal(machine_lookup(r, &d, "h200")->name, "h200");
	assert_string_equal(machine_lookup(r, &d, "host")->name, "host");
	assert_int_equal(d.errors, 0);
	assert_null(machine_lookup(r, &d, "h2000"));
	assert_int_equal(d.errors, 1);
	assert_null(machine_lookup(r, &d, "./no-such-file.arch"));
	assert_int_equal(d.errors, 2);
	fclose(out);
	region_free(r);
}

#define MACHINE_HEAD \
	"sm_count = 2\nlanes_per_sm=64 # as told\n\nclock_hz = 1.5e9\n" \
	"shared_bytes_per_sm = 49152\nshared_bytes_per_block = 49152\n" \
	"registers_per_sm = 65536\nmax_blocks_per_sm = 16\n" \
	"max_threads_per_sm = 2048\nl2_bytes = 1e6\n"

/* What machine_parse says about "text". */
static const char *errors_of(struct region *r, const char *text)
{
	char *buffer = NULL;
	size_t size = 0;
	FILE *out = tmpfile();
	struct diags d;
	const struct machine *m;

	assert_non_null(out);
	diags_init(&d, out);
	d.source = source_of_text(r, "m.arch", text);
	m = machine_parse(r, &d, d.source);
	assert_true(!m == (d.errors > 0));
	size = (size_t) ftell(out);
	buffer = region_alloc(r, size + 1);
	rewind(out);
	assert_int_equal(fread(buffer, 1, size, out), size);
	fclose(out);
	return buffer;
}

static void machine_files(void **state)
{
	static const struct {
		const char *line, *want;
	} cases[] = {
		{ "bandwidth_bytes_per_s = 1e11\nciter_s.mine = 3e-8", "" },
		{ "", "'bandwidth_bytes_per_s' is missing" },
		{ "bandwidth = 3", "m.arch:11:1: error: a machine has no "
			"value called 'bandwidth'" },
		{ "sm_count = 3", "m.arch:11:1: error: 'sm_count' is given "
			"twice" },
		{ "citer_s.a = 1\nciter_s.a = 2", "m.arch:12:1: error: "
			"'citer_s.a' is given twice" },
		{ "sync_s = 3x", "m.arch:11:10: error: '3x' is not a "
			"number" },
		{ "sync_s = 0", "m.arch:11:10: error: '0' is not positive" },
		{ "sync_s = -1", "m.arch:11:10: error: '-1' is not "
			"positive" },
		{ "sync_s = nan", "m.arch:11:10: error: 'nan' is not a "
			"finite" },
		{ "sync_s = 1e999", "'1e999' is not a finite" },
		{ "sync_s 3", "m.arch:11:8: error: expected '='" },
		{ "sync_s =", "m.arch:11:9: error: expected a number" },
		{ "sync_s = 3 4", "m.arch:11:12: error: expected the end" },
		{ "= 3", "m.arch:11:1: error: expected the name" },
		{ "warp_size = 31.5", "must be whole" },
		{ "warp_size = 1e300", "more than 1e15" },
		{ "citer_s. = 3", "has no value called 'citer_s.'" },
	};

	(void) state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); ++i) {
		struct region *r = region_new();
		const char *got = errors_of(r, region_printf(r, "%s%s",
			MACHINE_HEAD, cases[i].line));

		if (!*cases[i].want)
			assert_string_equal(got, "");
		else if (!strstr(got, cases[i].want))
			fail_msg("'%s': %s", cases[i].line, got);
		region_free(r);
	}
}

/* Whatever stands in a file, it is a machine or there is a message. */
static void machine_noise(void **state)
{
	static const char bytes[] = "=#\n .-e0x\tzn_\r\x80";
	unsigned seed = 3;

	(void) state;
	for (int i = 0; i < 1000; ++i) {
		struct region *r = region_new();
		char *text = region_strdup(r, MACHINE_HEAD
			"bandwidth_bytes_per_s = 1e11\n");
		size_t n = strlen(text);

		for (int j = 0; j < 1 + i % 4; ++j)
			text[next_random(&seed) % n] = bytes[
				next_random(&seed) % (sizeof(bytes) - 1)];
		errors_of(r, text);
		region_free(r);
	}
}

static void estimated_citer(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	struct instruction_mix mix = { .arithmetic = 5, .loads = 5,
		.stores = 1, .word_bytes = 4 };
	struct citer c = citer_of(m, "unheard_of", &mix);

	(void) state;
	assert_true(c.estimated);
	near(c.seconds, 6 * 4 / 1.98e9, 1e-9);	/* 6 words, 128 B a clock */
	digits("%.1e", citer_estimate_s(machine_find(r, "gtx980"), &mix),
		"2.1e-08");
	mix.word_bytes = 8;
	near(citer_estimate_s(m, &mix), 6 * 8 / 1.98e9, 1e-9);
	mix.loads = mix.stores = 0;
	near(citer_estimate_s(m, &mix), 5 * 2 / 1.98e9, 1e-9);
	assert_true(machine_is_estimate(m, MACHINE_sync_s));
	assert_false(machine_is_estimate(m, MACHINE_sm_count));
	region_free(r);
}

/* Volumes and times of kernels that run in turn add up. */
static void su_kernels_in_turn(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "k20c");
	struct switches s = switches_recommended();
	struct traffic_kernel first = traffic_7pt1(256), second = first;
	struct traffic_config c = { { 32, 4, 1 }, 1 };
	struct traffic_result one = traffic_search(r, m, &s, &second, &c,
		false, 1);
	struct traffic_result both;

	(void) state;
	first.next = &second;
	both = traffic_search(r, m, &s, &first, &c, false, 1);
	same(both.terms.v_gm_bytes, 2 * one.terms.v_gm_bytes);
	same(both.terms.predicted_s, 2 * one.terms.predicted_s);
	same(both.candidate[0].predicted_s, both.terms.predicted_s);
	same(both.terms.groups, one.terms.groups);
	region_free(r);
}

/* In one dimension a group reads what its own blocks span, not a row of the
 * grid.
 */
static void su_one_dimension(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	struct switches s = switches_recommended();
	struct traffic_kernel k = { .n = { 1 << 24, 1, 1 }, .sweeps = 1,
		.n_arrays = 1 };
	struct traffic_config c = { { 256, 1, 1 }, 1 };
	struct traffic_terms t;

	(void) state;
	k.array[0] = (struct traffic_array) { .word_bytes = 4,
		.aligned_points = 1, .misaligned_points = 2,
		.halo = { 2, 0, 0 }, .rows = { .any = true },
		.side = { { 1, { .any = true } }, { 1, { .any = true } } },
		.stores = 1 };
	t = traffic_predict(m, &s, &k, &c);
	same(t.net_b, 256 + 2 * (double) m->l1_line_bytes / 4);
	assert_true(t.v_gm_bytes > 8.0 * (1 << 24));
	assert_true(t.v_gm_bytes < 8.2 * (1 << 24));
	region_free(r);
}

/* All candidates, or those within a factor of the best. */
static void search_within(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "h200", &s, 2, 100, 2000, 3e-8);
	struct hex_result near_best, all;

	(void) state;
	q.max_candidates = 1 << 20;
	near_best = hex_search(r, &q);
	same(near_best.n_candidates, near_best.within_10_percent);
	q.within = INFINITY;
	all = hex_search(r, &q);
	same(all.n_candidates, all.feasible);
	same(all.within_10_percent, near_best.within_10_percent);
	same(all.candidate[0].predicted_s,
		near_best.candidate[0].predicted_s);
	region_free(r);
}

static void switch_names(void **state)
{
	struct region *r = region_new();
	struct switches s;
	struct text t = { 0 };

	(void) state;
	s = switches_of(r, "recommended");
	assert_string_equal(s.preset, "recommended");
	assert_int_equal(s.pitch, PITCH_EXACT);
	s = switches_of(r, "printed,pitch=exact,delta=0.5");
	assert_string_equal(s.preset, "custom");
	assert_int_equal(s.pitch, PITCH_EXACT);
	assert_int_equal(s.bandwidth, BANDWIDTH_DEVICE);
	same(s.delta, 0.5);
	assert_string_equal(switches_of(r, "printed").preset, "printed");
	assert_non_null(switches_parse(r, "", &s));
	assert_non_null(switches_parse(r, "nice", &s));
	assert_non_null(switches_parse(r, "pitch=nice", &s));
	assert_non_null(switches_parse(r, "pitches=exact", &s));
	assert_non_null(switches_parse(r, "delta=-1", &s));
	assert_non_null(switches_parse(r, "delta=nan", &s));
	assert_non_null(switches_parse(r, "printed,", &s));
	s = switches_of(r, "printed,k=fill,eta=0.25");
	switches_print(&t, &s);
	s = switches_of(r, t.bytes);
	assert_int_equal(s.k, K_FILL);
	assert_int_equal(s.overlap, OVERLAP_PRINTED);
	same(s.eta, 0.25);
	text_free(&t);
	region_free(r);
}

/* Predicted seconds of the tile h=1,w0=7,w1=5,w2=32 under "text". */
static double hex_time(struct region *r, const char *text, int dims,
	int64_t size, double citer_s)
{
	struct switches s = switches_of(r, text);
	struct hex_query q = query_of(r, "gtx980", &s, dims, 103,
		size, citer_s);

	struct hex_result x;

	q.h = 1;
	q.w[0] = 7;
	q.w[1] = 5;
	q.w[2] = 32;
	q.threads[0] = 32;
	q.threads[1] = dims > 1 ? 3 : 1;
	q.counts_copies = q.waves = s.code == CODE_EMITTED;
	x = hex_search(r, &q);
	assert_true(x.found);
	return x.terms.predicted_s;
}

/* The terms of 7PT-1 in columns of 64 points. */
static struct traffic_terms traffic_terms(struct region *r, const char *text)
{
	struct switches s = switches_of(r, text);
	struct traffic_kernel k = traffic_7pt1(64);
	struct traffic_config c = { { 32, 4, 1 }, 64 };

	return traffic_predict(machine_find(r, "k20c"), &s, &k, &c);
}

/* The predictions that a setting may change. */
enum { TIMES = 12, TERMS = TIMES + 2 };

static void all_terms(struct region *r, const char *text, double term[TERMS])
{
	struct traffic_terms t = traffic_terms(r, text);

	for (int i = 0; i < TIMES; ++i)
		*term++ = hex_time(r, text, 1 + i / 4, i % 2 ? 20000 : 250,
			i / 2 % 2 ? 3e-8 : 3e-10);
	*term++ = t.predicted_s;
	*term++ = t.v_l2_bytes;
}

static bool differ(const double term[TERMS], const double other[TERMS])
{
	for (int i = 0; i < TERMS; ++i)
		if (fabs(term[i] - other[i]) > 1e-9 * term[i])
			return true;
	return false;
}

/* Each switch can be set alone, to each of its values, and says so; and it
 * changes what is predicted, over either preset, of the paper's code: waves of
 * hexagons have no sub-slabs.
 */
static void every_switch(void **state)
{
	static const struct {
		const char *name, *values;
	} switches[] = {
#define SWITCH(name, printed, recommended, values, meaning) { #name, values },
#define NUMBER(name, printed, recommended, meaning) { #name, "0.125 0.5" },
#include "model/switches.def"
#undef SWITCH
#undef NUMBER
	};
	static const char *const presets[] = { "printed",
		"recommended,code=paper" };
	struct region *r = region_new();

	(void) state;
	for (size_t i = 0; i < 2 * sizeof(switches) / sizeof(*switches); ++i) {
		const char *name = switches[i / 2].name;
		const char *value = switches[i / 2].values;
		double term[8][TERMS];
		int n = 0, changes = 0;

		while (*value) {
			int length = (int) strcspn(value, " ");
			const char *text = region_printf(r, "%s,%s=%.*s",
				presets[i % 2], name, length, value);
			struct switches s = switches_of(r, text);
			struct text t = { 0 };

			switches_print(&t, &s);
			assert_non_null(strstr(t.bytes, region_printf(r,
				"%s=%.*s", name, length, value)));
			text_free(&t);
			all_terms(r, text, term[n++]);
			value += length + (value[length] == ' ');
		}
		for (int k = 1; k < n; ++k)
			changes += differ(term[0], term[k]);
		if (changes == 0)
			fail_msg("%s,%s changes nothing", presets[i % 2], name);
	}
	region_free(r);
}

static void reports(void **state)
{
	static const char *const keys[] = { "{\"strategy\": \"hex\"",
		"\"arch\": \"gtx980\"", "\"preset\": \"recommended\"",
		"\"tile\": {\"h\": ", "\"w0\": ", "\"w1\": ",
		"\"threads\": [", "\"k\": ", "\"predicted_s\": ",
		"\"terms\": {\"n_w\": ", "\"w\": ", "\"w_tile\": ",
		"\"tiles_per_prism\": ", "\"m_i_words\": ",
		"\"m_o_words\": ", "\"m_prime_s\": ", "\"c_s\": ",
		"\"m_tile_bytes\": ", "\"citer_s\": ", "\"binding\": ",
		"\"feasible\": ", "\"within_10_percent\": ",
		"\"candidates\": [" };
	static const char *const traffic_keys[] = { "\"v_smx_bytes\": ",
		"\"v_l2_bytes\": ", "\"v_gm_bytes\": ", "\"groups\": ",
		"\"blocks\": ", "\"net_b\": ", "\"net_g\": ",
		"\"miss_smx\": ", "\"miss_l2\": ", "\"binding\": \"gm\"",
		"\"bx\": 32", "\"by\": 4", "\"bz\": 1", "\"chunk_z\": 1" };
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &s, 2, 100, 1000, 3e-8);
	struct hex_result x = hex_search(r, &q);
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config c = { { 32, 4, 1 }, 1 };
	const struct machine *m = machine_find(r, "k20c");
	struct traffic_result y = traffic_search(r, m, &s, &k, &c, false, 5);
	struct text t = { 0 };

	(void) state;
	hex_report_json(&t, &q, &x);
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); ++i)
		if (!strstr(t.bytes, keys[i]))
			fail_msg("no %s in %s", keys[i], t.bytes);
	traffic_report_json(&t, "point", m, &s, 3, &y);
	for (size_t i = 0; i < sizeof(traffic_keys) /
	     sizeof(*traffic_keys); ++i)
		if (!strstr(t.bytes, traffic_keys[i]))
			fail_msg("no %s in %s", traffic_keys[i], t.bytes);
	hex_report_text(&t, &q, &x);
	traffic_report_text(&t, "point", m, &s, 3, &y);
	text_free(&t);
	region_free(r);
}

/* Strips ------------------------------------------------------------------*/

/* jacobi2d on 8192 x 8192 points: five instructions of arithmetic, two shuffles
 * for four cells, two rows of four cells a step in registers.
 */
static struct strip_shape jacobi_strips(int b, int l)
{
	double halo = 2.0 * ((b + 3) / 4 * 4);

	return (struct strip_shape) {
		.n = { 8192, 1, 8192 }, .steps = 960, .b = b, .v = 4,
		.warps = 4, .strips = 4, .stored = { l, 0, 128 - halo },
		.halo = { 2.0 * b, 0, halo }, .iterations = l + 2 * b,
		.load_bytes = 4, .store_bytes = 4,
		.load_sectors = 1, .store_sectors = 1,
		.mix = { .arithmetic = 5, .word_bytes = 4 },
		.shuffles = 2, .loads = 2, .stores = 3,
		.kept_words = 8.0 * b, .states = 1, .live = 1,
	};
}

static void strips(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	struct strip_shape one = jacobi_strips(1, 128);
	struct strip_shape eight = jacobi_strips(8, 128);
	struct strip_shape many = jacobi_strips(32, 128);
	struct strip_shape wide = eight, joined = eight, small = eight;
	struct strip_terms t1 = strip_predict(m, &one), j8;
	struct strip_terms t8 = strip_predict(m, &eight);
	double updates = 8192.0 * 8192 * 960;

	wide.mix.word_bytes = 8;
	wide.shuffles = 4;
	joined.strips = 1;
	joined.stored[2] = 512 - 16;
	joined.shuffles = 0;
	joined.shared_moves = joined.shared_accesses = 4;
	joined.shared_bytes = 16384;
	j8 = strip_predict(m, &joined);
	/* A step a launch is what memory takes, eight are what the SMs take. */
	assert_string_equal(t1.binding, "gm");
	assert_string_equal(t8.binding, "issue");
	assert_true(t8.predicted_s < t1.predicted_s / 2);
	assert_true(t1.predicted_s >= updates * 8 / m->bandwidth_bytes_per_s);
	/* 160 + 16 + 2 + 3 + 6 instructions for 32 updates */
	assert_true(fabs(t8.instructions - 187) < 1e-9);
	assert_true(updates / t8.predicted_s < m->sm_count * 128 *
		m->clock_hz / t8.instructions_per_update);
	assert_true(fabs(t8.overlap - 144.0 / 128 * 128 / 112) < 1e-9);
	/* 32 lanes issue 187 instructions at each of 144 iterations. */
	assert_true(fabs(t8.bound_s[BOUND_ISSUE] * m->clock_hz *
		m->sm_count / (t8.blocks * 4 * 144 * 187 * 32 / 128.0) - 1) <
		1e-9);
	for (int i = 0; i < STRIP_BOUNDS; i++)
		assert_true(t8.bound_s[i] <= t8.pass_s +
			t8.bound_s[BOUND_LAUNCH]);
	assert_true(t8.bound_s[BOUND_BARRIERS] == 0);
	assert_true(strip_registers(&eight) > strip_registers(&one));
	/* Four joined warps: less overlap, a barrier a row. */
	assert_true(j8.overlap < t8.overlap);
	assert_true(j8.bound_s[BOUND_BARRIERS] > 0);
	/* Doubles are two words to a shuffle, not four. */
	assert_true(fabs(strip_predict(m, &wide).moves - 2 * t8.moves) < 1e-9);
	/* Many turns of blocks cannot wait for each other; one can. */
	assert_true(t8.resident_s == 0 && t8.waves > 1);
	assert_true(t8.predicted_s == t8.direct_s);
	small.n[0] = small.n[2] = 1024;
	small.launches = LAUNCHES_DIRECT;
	t1 = strip_predict(m, &small);
	assert_true(t1.waves == 1 && t1.predicted_s == t1.direct_s);
	assert_true(fabs(t1.direct_s - t1.resident_s - 119 *
		(m->launch_s - m->grid_sync_s)) < 1e-12);
	small.launches = LAUNCHES_AUTO;
	t1 = strip_predict(m, &small);
	assert_true(t1.launches == LAUNCHES_RESIDENT);
	assert_true(t1.predicted_s == t1.resident_s);
	/* 32 steps do not fit the registers. */
	assert_true(strip_predict(m, &many).predicted_s == 0);
	(void) state;
	region_free(r);
}

/* Hexagons of rows: two launches a pass, each of which loads and stores some of
 * the rows, and which are never one.
 */
static void strips_in_hexagons(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	struct strip_shape one = jacobi_strips(4, 128), hex;
	struct strip_terms t1, t2;

	one.n[0] = one.n[1] = one.n[2] = 256;
	one.strips = 1;
	one.y = 2;
	one.stored[1] = 16;
	hex = one;
	hex.phases = 2;
	hex.row_loads = 0.75;
	hex.row_stores = 0.5;
	t1 = strip_predict(m, &one);
	t2 = strip_predict(m, &hex);
	assert_true(t1.waves == 1 && t2.waves == 1);
	assert_true(t1.resident_s > 0 && t2.resident_s == 0);
	assert_true(fabs(t2.direct_s - 2 * (960 / 4) * (t2.pass_s +
		m->launch_s)) < 1e-12);
	assert_true(fabs(t2.bytes_per_update - 2 * (0.75 * 4 * t2.overlap +
		0.5 * 4) / 4) < 1e-9);
	assert_true(t2.registers > t1.registers);
	(void) state;
	region_free(r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(su_table_2),
		cmocka_unit_test(su_line_of_128_bytes),
		cmocka_unit_test(su_zblock),
		cmocka_unit_test(su_rows_read),
		cmocka_unit_test(su_rows_of_blocks),
		cmocka_unit_test(su_clamp),
		cmocka_unit_test(su_search),
		cmocka_unit_test(cgo_example),
		cmocka_unit_test(cgo_iterations),
		cmocka_unit_test(cgo_coverage),
		cmocka_unit_test(cgo_table_4),
		cmocka_unit_test(hex_exact_counts),
		cmocka_unit_test(hex_printed_counts),
		cmocka_unit_test(hex_box_loads),
		cmocka_unit_test(hex_two_statements),
		cmocka_unit_test(pp_tables),
		cmocka_unit_test(pp_wavefronts),
		cmocka_unit_test(pp_formulas),
		cmocka_unit_test(pp_figure_5),
		cmocka_unit_test(pp_within_10_percent),
		cmocka_unit_test(pp_printed_by_hand),
		cmocka_unit_test(pp_any_rows),
		cmocka_unit_test(counts_in_3d),
		cmocka_unit_test(never_below_bounds),
		cmocka_unit_test(monotone),
		cmocka_unit_test(best_is_monotone),
		cmocka_unit_test(extremes),
		cmocka_unit_test(forced_points),
		cmocka_unit_test(k_limits),
		cmocka_unit_test(without_shared_memory),
		cmocka_unit_test(search_is_fast_and_deterministic),
		cmocka_unit_test(all_machines),
		cmocka_unit_test(machine_names),
		cmocka_unit_test(machine_files),
		cmocka_unit_test(machine_noise),
		cmocka_unit_test(estimated_citer),
		cmocka_unit_test(su_kernels_in_turn),
		cmocka_unit_test(su_one_dimension),
		cmocka_unit_test(search_within),
		cmocka_unit_test(switch_names),
		cmocka_unit_test(every_switch),
		cmocka_unit_test(reports),
		cmocka_unit_test(strips),
		cmocka_unit_test(strips_in_hexagons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

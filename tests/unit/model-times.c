/* The time of hexagonal tiles: the numbers and formulas of [PP]. */
#include "tests/unit/model.h"

#include <math.h>

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

		q.work.citer_s[0] = citer_named(q.machine, stencils[i / 4]);
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

		q.forced.h = 2;
		q.forced.w[0] = 7;
		q.forced.w[1] = (int64_t) ts[0];
		q.forced.w[2] = 32;
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

/* A launch in waves of 8 blocks of 3 tiles on each of 10 SMs. */
static struct tile_counts counts_of_wave(void)
{
	return (struct tile_counts) { .steps = 100, .rows = 4,
		.tiles_per_phase = 80, .tiles_per_prism = 3,
		.load_bytes = 6, .store_bytes = 4, .compute_s = 20,
		.launches = 7 };
}

static double seconds_of_wave(const struct tile_counts *c, double k)
{
	struct machine m = { .sm_count = 10, .lanes_per_sm = 128,
		.bandwidth_bytes_per_s = 10, .launch_s = 5 };
	struct switches s = switches_recommended();

	return time_predict(&m, &s, 2, c, k).predicted_s / 7 - 5;
}

/* (12) for the blocks of each turn: what does not overlap, the first copy and
 * the last tile of a turn, is paid for in each.
 */
static void turns_of_a_wave(void **state)
{
	static const double turns[] = { 8, 4, 3, 2, 2, 2, 2, 1, 1, 1 };
	struct tile_counts c = counts_of_wave();

	(void) state;
	for (int k = 1; k <= 10; ++k)
		same(seconds_of_wave(&c, k), 8 * 3 * 20 + turns[k - 1] * 10);
	c.compute_s = 4;
	for (int k = 1; k <= 10; ++k)
		same(seconds_of_wave(&c, k), 8 * 3 * 10 + turns[k - 1] * 4);
	c.is_serial = true;
	same(seconds_of_wave(&c, 1), 8 * 3 * 14);
	same(seconds_of_wave(&c, 2), 8 * 3 * 10 + 4 * 4);
}

/* Little's law: 4 points of each lane hide the latency of arithmetic, and k
 * blocks have k times the points of one.
 */
static void latency_of_a_wave(void **state)
{
	struct tile_counts c = counts_of_wave();

	(void) state;
	c.ready = 128;
	for (int k = 1; k <= 10; ++k) {
		double slower = k < 4 ? 4. / k : 1;

		same(seconds_of_wave(&c, k), 8 * 3 * 20 * slower +
			ceil(8. / k) * 10);
	}
	c.is_serial = true;
	c.ready = 64;
	same(seconds_of_wave(&c, 8), 3 * (10 + 8 * 20));
	c.ready = 16;
	same(seconds_of_wave(&c, 8), 3 * (10 + 32 * 20));
	c.ready = 512;
	same(seconds_of_wave(&c, 1), 8 * 3 * 30);
}

/* Fewer registers, or more: fewer blocks of a tile are never faster. */
static void fewer_blocks_are_slower(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "h200", &s, 2, 512, 3070, 8e-9);
	struct hex_result first = { 0 }, before = { 0 };

	(void) state;
	q.waves = q.work.counts_copies = true;
	q.column_points = 100;
	q.forced.h = 4;
	q.forced.w[0] = 4;
	q.forced.w[1] = 256;
	for (int registers = 32; registers <= 255; ++registers) {
		struct hex_result x;

		q.registers_per_thread = registers;
		x = hex_search(r, &q);
		assert_true(x.found);
		if (registers == 32)
			first = x;
		else
			assert_true(x.terms.predicted_s >=
				before.terms.predicted_s);
		before = x;
	}
	assert_int_equal(first.candidate[0].k, 6);
	assert_int_equal(before.candidate[0].k, 1);
	assert_true(before.terms.predicted_s > 1.1 * first.terms.predicted_s);
	region_free(r);
}

/* Without transfers nothing is left but rows, their barriers and a last one. */
static void no_transfers(void **state)
{
	struct region *r = region_new();
	struct switches s = switches_recommended();
	struct hex_query q = query_of(r, "gtx980", &s, 2, 500, 900, 4e-8);
	double ts = 32, c = pp9_compute_s(8, 6, 1, &ts, 128, 4e-8, 7.96e-10);
	struct hex_result x;

	(void) state;
	q.forced.h = 2;
	q.forced.w[0] = 7;
	q.forced.w[1] = 32;
	q.work.counts_copies = q.no_transfers = true;
	for (int waves = 0; waves < 2; ++waves) {
		q.waves = waves;
		x = hex_search(r, &q);
		assert_true(x.found);
		near(x.terms.m_prime_s, 7.96e-10, 1e-9);
		near(x.terms.c_s, c, 1e-9);
		same(x.terms.m_i_words + x.terms.m_o_words, 0);
	}
	region_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(pp_tables),
	cmocka_unit_test(pp_wavefronts),
	cmocka_unit_test(pp_formulas),
	cmocka_unit_test(pp_figure_5),
	cmocka_unit_test(pp_within_10_percent),
	cmocka_unit_test(pp_printed_by_hand),
	cmocka_unit_test(pp_any_rows),
	cmocka_unit_test(turns_of_a_wave),
	cmocka_unit_test(latency_of_a_wave),
	cmocka_unit_test(fewer_blocks_are_slower),
	cmocka_unit_test(no_transfers),
};

const struct subject time_tests = SUBJECT(tests);

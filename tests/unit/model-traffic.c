/* The traffic of kernels without tiles in time: [SU]. */
#include "tests/unit/model.h"

#include <math.h>

static void su_table_2(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "k20c");
	struct switches s = switches_of(r, "code=paper");
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config c = { { 32, 4, 1 }, 1 };
	struct traffic_terms t = traffic_predict(m, &s, &k, &c);

	(void) state;
	assert_int_equal(m->max_threads_per_sm, 2048);		/* 1 */
	assert_int_equal(m->l1_bytes_per_sm, 48 * 1024);	/* 2 */
	assert_int_equal(m->sm_count, 13);			/* 3 */
	same((double) m->l2_bytes, 1.25 * 1024 * 1024);		/* 4 */
	assert_int_equal(m->l2_line_bytes, 32);			/* 5 */
	same(t.launch.threads_per_block, 128);				/* 6 */
	same(t.launch.threads, 16777216);				/* 7 */
	same(t.launch.blocks, 131072);					/* 8 */
	same(t.launch.occupancy, 1.0);					/* 9 */
	same(t.launch.blocks_per_sm, 16);				/* 10 */
	same(t.launch.blocks_per_group, 208);				/* 11 */
	same((double) k.array[0].aligned_points, 5);		/* 12 */
	same((double) k.array[0].misaligned_points, 2);		/* 13 */
	same(t.loads_thread, 9);				/* 14 */
	same(t.stores_thread, 1);				/* 15 */
	same(t.l2.net, 704);					/* 16 */
	digits("%.2f", t.l2.miss / 0.01, "1.83");		/* 17 */
	same(t.l2.loads, 704 * (1 + t.l2.miss));		/* 18 */
	same(t.l2.stores, 128);					/* 19 */
	same(t.launch.groups, 631);					/* 20 */
	same(t.memory.width_y, 106);					/* 21 */
	same(t.memory.height_z, 3);					/* 22 */
	same(t.memory.net, 83952);					/* 23 */
	digits("%.3f", t.memory.miss / 0.01, "0.512");		/* 24 */
	same(t.memory.loads, 83952 * (1 + t.memory.miss));		/* 25 */
	same(t.memory.stores, 26624);				/* 26 */
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
		same(t.launch.threads, 256. * 256 * (256 / d));
		same(t.l2.net, net);
		if (16 * net * 8 > 48 * 1024)
			miss = miss * 3 / (d + 2) +
				fmax(0, log2(d * 4 / 6)) * 0.002;
		same(t.l2.miss, miss);
		same(t.adjusted_s, t.sweep_s * (1 + 1 / t.launch.groups));
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
	same(traffic_predict(m, &s, &k, &c).memory.width_y, 106);
	same(traffic_predict(m, &s, &k, &c).memory.height_z, 3);
	region_free(r);
}

/* SU-A4: the printed (13) of 64^3 is several times too large. */
static void su_clamp(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "k20c");
	struct switches no = switches_of(r, "code=paper");
	struct switches yes = switches_of(r, "code=paper,clamp=yes");
	struct traffic_kernel k = traffic_7pt1(64);
	struct traffic_config c = { { 32, 4, 1 }, 1 };
	struct traffic_terms a = traffic_predict(m, &no, &k, &c);
	struct traffic_terms b = traffic_predict(m, &yes, &k, &c);

	(void) state;
	same(a.memory.width_y, 4 * 104 + 2);
	same(b.memory.width_y, 66);
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
	same(both.terms.launch.groups, one.terms.launch.groups);
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
	same(t.l2.net, 256 + 2 * (double) m->l1_line_bytes / 4);
	assert_true(t.v_gm_bytes > 8.0 * (1 << 24));
	assert_true(t.v_gm_bytes < 8.2 * (1 << 24));
	region_free(r);
}

/* (18): blocks of 256 threads, of which registers leave six, shared memory
 * three.
 */
static void su_resident_blocks(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "k20c");
	struct switches s = switches_recommended();
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config c = { { 64, 4, 1 }, 1 };

	(void) state;
	same(traffic_predict(m, &s, &k, &c).launch.blocks_per_sm, 8);
	k.registers_per_thread = 40;
	same(traffic_predict(m, &s, &k, &c).launch.blocks_per_sm, 6);
	same(traffic_predict(m, &s, &k, &c).launch.occupancy, 0.75);
	k.shared_bytes_per_block = 14 * 1024;
	same(traffic_predict(m, &s, &k, &c).launch.blocks_per_sm, 3);
	k.registers_per_thread = 0;
	same(traffic_predict(m, &s, &k, &c).launch.occupancy, 0.375);
	region_free(r);
}

/* The constants of misses are those of the machine, or of the switches. */
static void su_constants(void **state)
{
	struct region *r = region_new();
	struct machine m = *machine_find(r, "k20c");
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config c = { { 32, 4, 1 }, 1 };
	struct switches s = switches_recommended();
	double miss = traffic_predict(&m, &s, &k, &c).l2.miss;

	(void) state;
	m.traffic_delta = 0.03;
	same(traffic_predict(&m, &s, &k, &c).l2.miss, 3 * miss);
	s = switches_of(r, "delta=0.01");
	same(traffic_predict(&m, &s, &k, &c).l2.miss, miss);
	s = switches_of(r, "delta=0.01,delta=machine");
	same(traffic_predict(&m, &s, &k, &c).l2.miss, 3 * miss);
	assert_string_equal(s.preset, "recommended");
	region_free(r);
}

/* (3) is of the read path of an SM, not of its shared memory. */
static void su_read_path(void **state)
{
	struct region *r = region_new();
	struct machine m = *machine_find(r, "k20c");
	struct switches s = switches_recommended();
	struct traffic_kernel k = traffic_7pt1(256);
	struct traffic_config c = { { 32, 4, 1 }, 1 };
	double seconds = traffic_predict(&m, &s, &k, &c).smx_s;

	(void) state;
	m.smem_bandwidth_bytes_per_s /= 2;
	same(traffic_predict(&m, &s, &k, &c).smx_s, seconds);
	m.l1_bandwidth_bytes_per_s /= 2;
	same(traffic_predict(&m, &s, &k, &c).smx_s, 2 * seconds);
	region_free(r);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(su_table_2),
	cmocka_unit_test(su_line_of_128_bytes),
	cmocka_unit_test(su_zblock),
	cmocka_unit_test(su_rows_read),
	cmocka_unit_test(su_rows_of_blocks),
	cmocka_unit_test(su_clamp),
	cmocka_unit_test(su_search),
	cmocka_unit_test(su_kernels_in_turn),
	cmocka_unit_test(su_one_dimension),
	cmocka_unit_test(su_resident_blocks),
	cmocka_unit_test(su_constants),
	cmocka_unit_test(su_read_path),
};

const struct subject traffic_tests = SUBJECT(tests);

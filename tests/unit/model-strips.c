/* The time of strips. */
#include "tests/unit/model.h"

#include <math.h>

#include "model/choose_length.inc"

/* jacobi2d on 8192 x 8192 points: five instructions of arithmetic, two shuffles
 * for four cells, two rows of four cells a step in registers.
 */
static struct strip_shape jacobi_strips(int b, int l)
{
	double halo = 2.0 * ((b + 3) / 4 * 4);

	return (struct strip_shape) {
		.n = { 8192, 1, 8192 }, .steps = 960, .b = b, .v = 4,
		.p = 3, .warp = 32, .warps = 4, .strips = 4, .stored = { l, 0, 128 - halo },
		.halo = { 2.0 * b, 0, halo }, .walk.iterations = l + 2 * b,
		.traffic.load_bytes = 4, .traffic.store_bytes = 4,
		.traffic.load_sectors = 1, .traffic.store_sectors = 1,
		.work.mix = { .arithmetic = 5, .word_bytes = 4 },
		.work.shuffles = 2, .work.loads = 2, .work.stores = 3,
		.kept.words = 8.0 * b, .states = 1,
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

	wide.work.mix.word_bytes = 8;
	wide.work.shuffles = 4;
	joined.strips = 1;
	joined.stored[2] = 512 - 16;
	joined.work.shuffles = 0;
	joined.work.shared_moves = joined.work.shared_accesses = 4;
	joined.shared_bytes = 16384;
	j8 = strip_predict(m, &joined);
	/* A step a launch is what memory takes, eight are what the SMs take. */
	assert_string_equal(t1.binding, "gm");
	assert_string_equal(t8.binding, "issue");
	assert_true(t8.predicted_s < t1.predicted_s / 2);
	assert_true(t1.predicted_s >= updates * 8 / m->bandwidth_bytes_per_s);
	/* 160 + 16 + 2 + 3 + 6 instructions for 32 updates, and 20 of rows */
	assert_true(fabs(t8.instructions - 207) < 1e-9);
	assert_true(updates / t8.predicted_s < m->sm_count * 128 *
		m->clock_hz / t8.instructions_per_update);
	assert_true(fabs(t8.overlap - 144.0 / 128 * 128 / 112) < 1e-9);
	/* 64 by 74 strips, these of four a block: a block more at each end. */
	assert_true(t8.blocks == 64 * 19);
	/* The last of 74 strips is at an edge, where it asks for its row. */
	assert_true(fabs(t8.edges.share - 1.0 / 74) < 1e-9);
	assert_true(t8.edges.guards == 12);
	/* 32 lanes issue 207 instructions at each of 144 iterations. */
	assert_true(fabs(t8.bound_s[BOUND_ISSUE] * m->clock_hz *
		m->sm_count / (t8.blocks * 4 * 144 * (207 + 12.0 / 74) * 32 /
		128.0) - 1) < 1e-9);
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
	small.n[0] = small.n[2] = 448;
	small.stored[0] = 64;
	small.walk.iterations = 80;
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

/* Rows that are loaded p iterations before they are needed are waited for less,
 * and not at all where other warps have enough to do meanwhile.
 */
static void rows_ahead(void **state)
{
	struct region *r = region_new();
	struct machine m = *machine_find(r, "h200");
	struct strip_shape shape = jacobi_strips(8, 128);
	double seconds[9], least;

	for (shape.p = 0; shape.p <= 8; shape.p++)
		seconds[shape.p] = strip_predict(&m, &shape).pass_s;
	for (int p = 1; p <= 8; p++)
		assert_true(seconds[p] < seconds[p - 1]);
	m.memory_latency_s = 0;
	least = strip_predict(&m, &shape).pass_s;
	assert_true(seconds[8] >= least && seconds[8] < 1.01 * least);
	/* 800 clocks an iteration are more than what issues take. */
	m.memory_latency_s = 800 / m.clock_hz;
	shape.p = 1;
	shape.warps = shape.strips = 1;
	shape.n[0] = shape.n[2] = 128;
	assert_true(strip_predict(&m, &shape).pass_s >= shape.walk.iterations *
		m.memory_latency_s);
	(void) state;
	region_free(r);
}

/* Two instructions of a warp are on their way at a time, 2.6 of doubles in rows, even if more do
 * not depend on each other.  More warps do more, and a unit that is busy with less takes no longer.
 */
static void latencies(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	struct strip_shape few = jacobi_strips(4, 128), more;
	struct strip_terms t;

	few.kept.registers = 128;
	few.work.mix.word_bytes = 8;
	few.v = 2;
	t = strip_predict(m, &few);
	assert_true(t.k == 4 && fabs(t.efficiency - 1) < 1e-9);
	few.kept.registers = 168;
	t = strip_predict(m, &few);
	assert_true(t.k == 3 && fabs(t.efficiency - 0.75) < 1e-9);
	few.kept.registers = 255;
	few.v = 4;
	t = strip_predict(m, &few);
	assert_true(t.k == 2 && fabs(t.efficiency - 0.65) < 1e-9);
	more = few;
	more.v = 8;
	assert_true(strip_predict(m, &more).efficiency == t.efficiency);
	few.kept.registers = more.kept.registers = 168;
	more.work.mix.word_bytes = 4;
	assert_true(strip_predict(m, &more).efficiency == 1);
	region_free(r);
	(void) state;
}

/* What a launch computes without barriers if the memory pipe takes "part" of the time of issue. */
static double computed_beside(const struct machine *m, double part)
{
	struct strip_shape s = jacobi_strips(4, 128);
	struct strip_terms t;

	s.p = 100;	/* nothing is waited for */
	s.kept.registers = 128;
	s.work.shuffles = 0;
	t = strip_predict(m, &s);
	s.work.shared_moves = part * t.instructions / 4 / s.b;
	t = strip_predict(m, &s);
	return t.compute_s - t.bound_s[BOUND_BARRIERS];
}

/* Warps issue and wait for the queue of the memory pipe: by turns where these take equally long. */
static void bursts(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	double alone = computed_beside(m, 0);

	assert_true(computed_beside(m, 0.5) < 1.01 * alone);
	assert_true(computed_beside(m, 1) > 1.09 * alone);
	assert_true(computed_beside(m, 1) < 1.11 * alone);
	assert_true(computed_beside(m, 2) < 2.02 * alone);
	region_free(r);
	(void) state;
}

/* In planes compilers put fewer of a lane's doubles one after the other where it has three, and fewer
 * still where there are roots.
 */
static void latencies_in_planes(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	struct strip_shape s = jacobi_strips(2, 128);

	s.n[1] = 8192;
	s.stored[1] = 60;
	s.work.mix.word_bytes = 8;
	s.kept.registers = 255;
	s.v = 1;
	s.warps = 8;
	s.strips = 1;
	s.y = 3;
	assert_true(fabs(strip_predict(m, &s).efficiency - 8 * 1.8 / 32) < 1e-9);
	s.y = 4;
	assert_true(fabs(strip_predict(m, &s).efficiency - 8 * 2.1 / 32) < 1e-9);
	s.work.mix.special = 1;
	assert_true(fabs(strip_predict(m, &s).efficiency - 8 * 1.4 / 32) < 1e-9);
	region_free(r);
	(void) state;
}

/* The pass of "s" takes what its computing and its transfers do "by" that power. */
static void adds_up_by(const struct machine *m, const struct strip_shape *s,
	double by)
{
	struct strip_terms t = strip_predict(m, s);

	assert_true(fabs(t.pass_s - beside_transfers_s(t.compute_s,
		t.bound_s[BOUND_GM], by)) < 1e-12);
}

/* Rows of doubles that are copied ahead nearly hide what takes less; floats, and what is loaded
 * ahead, less; rows that are loaded when they are used least.  Joined warps hide less.
 */
static void copies_beside_computing(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	struct strip_shape s = jacobi_strips(2, 128);

	s.work.mix.word_bytes = 8;
	s.traffic.load_bytes = s.traffic.store_bytes = 8;
	adds_up_by(m, &s, BESIDE_ROWS_WIDE);
	s.p = 0;
	adds_up_by(m, &s, BESIDE_ROWS);
	s.kept.addresses = true;
	adds_up_by(m, &s, BESIDE_COPIES_WIDE);
	s.strips = 1;
	adds_up_by(m, &s, BESIDE_COPIES_JOINED_WIDE);
	s.work.mix.word_bytes = 4;
	adds_up_by(m, &s, BESIDE_COPIES_JOINED);
	s.strips = 4;
	adds_up_by(m, &s, BESIDE_COPIES);
	s.warps = 8;
	s.strips = 1;
	s.kept.registers = 255;
	adds_up_by(m, &s, BESIDE_COPIES_ALONE);
	region_free(r);
	(void) state;
}

/* Planes of doubles whose copies take as long as computing add up as all copies do, those that
 * take half as long again less.
 */
static void copies_of_planes(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	struct strip_shape s = jacobi_strips(2, 128);
	double before = 0;

	s.y = 1;
	s.strips = 1;
	s.kept.addresses = true;
	s.kept.words = 0;
	s.work.mix.word_bytes = 8;
	for (double bytes = 0.25; bytes <= 8; bytes *= 2) {
		struct strip_terms t;
		double ratio, by;

		s.traffic.load_bytes = s.traffic.store_bytes = bytes;
		t = strip_predict(m, &s);
		ratio = t.bound_s[BOUND_GM] / t.compute_s;
		by = BESIDE_PLANES_WIDE + fmin(fmax(2 * (ratio - 1), 0), 1) *
			(BESIDE_PLANES_MOVED - BESIDE_PLANES_WIDE);
		adds_up_by(m, &s, by);
		assert_true(t.pass_s > before);
		before = t.pass_s;
	}
	assert_true(before > 0);
	region_free(r);
	(void) state;
}

/* Strips of their own whose turns are long take more registers than their words; joined warps do not. */
static void registers_of_rows(void **state)
{
	struct strip_shape s = jacobi_strips(14, 128);
	double few, apart;

	s.kept.addresses = true;
	s.kept.words = 96;
	few = strip_registers(&s);
	s.kept.words = 120;
	apart = strip_registers(&s);
	assert_true(fabs(apart - few - 24 * 1.34 - 16) < 1e-9);
	s.strips = 1;
	assert_true(fabs(apart - strip_registers(&s) - 16 - 0.35 *
		s.kept.beside_words) < 1e-9);
	(void) state;
}

/* 48 rows of each of "blocks" in a cluster, of which 4 on either side of it are not stored. */
static struct strip_shape plane_strips(int blocks)
{
	struct strip_shape s = jacobi_strips(4, 512);

	s.n[0] = s.n[1] = s.n[2] = 512;
	s.y = 4;
	s.strips = 1;
	s.warps = 12;
	s.stored[1] = 48 * blocks - 8;
	s.halo[1] = 8;
	s.work.shared_moves = s.work.shared_accesses = 4;
	s.work.cluster = blocks;
	s.kept.registers = 168;
	return s;
}

/* A cluster computes only its own sides twice, and takes half a microsecond more for each plane; its
 * blocks lie in one GPC, and never wait for the grid.
 */
static void clusters(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	struct strip_terms t[3];

	for (int i = 0; i < 3; i++) {
		struct strip_shape s = plane_strips(1 << i);

		t[i] = strip_predict(m, &s);
		assert_true(fabs(strip_places(m, &s, 1) - (i < 2 ? 132 : 128)) <
			1e-9);
		assert_true(fabs(t[i].bound_s[BOUND_BARRIERS] - t[i].waves *
			520 * (machine_sync_s(m, 384) + (i > 0) * 0.5e-6)) <
			1e-9);
	}
	/* 13 blocks, 6 clusters of 2 and 3 of 4 hold 512 rows */
	assert_true(fabs(t[1].blocks / t[0].blocks - 12.0 / 13) < 1e-9);
	assert_true(fabs(t[2].blocks / t[0].blocks - 12.0 / 13) < 1e-9);
	assert_true(fabs(t[0].overlap / t[1].overlap - 48.0 / 40 * 88 / 96) <
		1e-9);
	assert_true(t[0].resident_s > 0 && t[1].resident_s == 0);
	assert_true(t[0].predicted_s < t[1].predicted_s);
	region_free(r);
	(void) state;
}

/* Blocks at the sides of a grid start first.  A launch of one turn lasts as long as
 * they do; in one of several, places that others leave free make up for them.
 */
static void blocks_at_sides(void **state)
{
	struct region *r = region_new();
	const struct machine *m = machine_find(r, "h200");
	const int64_t lengths[] = { 4096, 1024, 1 << 14 };
	const double launches[] = { 4 * 37, 16 * 37, 37 }, turns[] = { 1, 3, 1 };

	for (int i = 0; i < 3; i++) {
		struct strip_shape shape = jacobi_strips(8, (int) lengths[i]);
		struct strip_terms t, u;
		double longer;

		shape.n[0] = shape.n[2] = 1 << 14;
		shape.kept.registers = 255;
		t = strip_predict(m, &shape);
		shape.edges.has_sides = true;
		shape.edges.margin[2] = 1;
		shape.edges.statements = 1;
		u = strip_predict(m, &shape);
		longer = (1 + u.edges.side_guards / u.instructions) /
			(1 + t.edges.guards / t.instructions);
		assert_true(t.blocks == launches[i] && t.waves == turns[i]);
		assert_true(u.edges.side_share > 0 && u.waves == t.waves);
		assert_true(fabs(u.compute_s / t.compute_s - (turns[i] > 1 ?
			1 : longer)) < 0.01);
	}
	region_free(r);
	(void) state;
}

/* All lengths are least + step*k: the proof of strips whose length is an argument takes no
 * others.
 */
static void lengths_chosen(void **state)
{
	static const int least[] = { 1, 4, 5, 6 }, step[] = { 1, 2, 3, 7 };

	for (int i = 0; i < 4; i++)
		for (int j = 0; j < 4; j++)
			for (long long n = -1; n <= 20000; n += 13) {
				int length = stencilc_length(n, n % 7,
					n % 100, least[i], step[j]);

				assert_true(length >= least[i]);
				assert_true((length - least[i]) % step[j] == 0);
			}
	(void) state;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(strips),
	cmocka_unit_test(rows_ahead),
	cmocka_unit_test(latencies),
	cmocka_unit_test(latencies_in_planes),
	cmocka_unit_test(bursts),
	cmocka_unit_test(copies_beside_computing),
	cmocka_unit_test(copies_of_planes),
	cmocka_unit_test(registers_of_rows),
	cmocka_unit_test(clusters),
	cmocka_unit_test(blocks_at_sides),
	cmocka_unit_test(lengths_chosen),
};

const struct subject strip_tests = SUBJECT(tests);

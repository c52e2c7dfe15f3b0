/* The time of ranks, and what they send. */
#include <math.h>

#include "tests/unit/model.h"

/* Two neighbours' cells on all sides, four bytes each, of a plane cut along both. */
static int need[1][NETWORK_DIMS][2];

static struct network_field plane_field(int64_t n, int64_t m)
{
	return (struct network_field) { .cell_bytes = 4, .copies = 1,
		.n_dims = 2, .size = { n, m }, .cut = { 0, 1 }, .need = need };
}

static struct network_grid plane(struct network_field *f, int64_t steps)
{
	return (struct network_grid) { .n_dims = 2, .size = { f->size[0],
		f->size[1] }, .slope = { { 1, 1 }, { 1, 1 } }, .steps = steps,
		.n_fields = 1, .field = f };
}

static struct machine machine_of(double latency, double overhead, double bandwidth)
{
	return (struct machine) { .name = "m", .sm_count = 1,
		.bandwidth_bytes_per_s = 1e9,
		.network_latency_s = latency, .network_overhead_s = overhead,
		.network_bandwidth_bytes_per_s = bandwidth,
		.network_ranks_per_link = 1,
		.network_copy_bytes_per_s = 1e9, .network_row_s = 1e-9 };
}

/* Nine ranks of 10 x 20 cells, halos of two steps: the one in the middle has all sides. */
static void traffic(void **state)
{
	struct network_field f = plane_field(30, 60);
	struct network_grid g = plane(&f, 8);
	struct network_shape s = { { 3, 3, 1 }, 2, false };
	const int64_t middle[] = { 1, 1, 0 }, corner[] = { 0, 0, 0 };
	struct network_traffic t = network_traffic_of(&g, &s, middle, false);

	/* two rows of 20, twice; then two columns of 10 and halos of 4 rows, twice */
	same(t.messages, 4);
	same(t.bytes, 4 * (2 * 2 * 20 + 2 * 2 * (10 + 4)));
	same(t.received, t.bytes);
	same(t.rows, 2 * (2 * 2 + 2 * 14));
	t = network_traffic_of(&g, &s, corner, false);
	same(t.messages, 2);
	same(t.bytes, 4 * (2 * 20 + 2 * (10 + 2)));
	t = network_traffic_of(&g, &s, middle, true);
	same(t.bytes, 0);
	g.is_around[0] = g.is_around[1] = true;
	t = network_traffic_of(&g, &s, corner, false);
	same(t.bytes, 4 * (2 * 2 * 20 + 2 * 2 * (10 + 4)));
	(void) state;
}

static void terms(void **state)
{
	struct network_field f = plane_field(30, 60);
	struct network_grid g = plane(&f, 7);
	struct network_shape s = { { 3, 3, 1 }, 2, false };
	struct machine m = machine_of(1e-6, 2e-6, 1e8);
	struct network_terms t = network_predict(&m, &g, &s, 1e-9);

	same(t.ranks, 9);
	same(t.own_cells, 200);
	same(t.block_cells, 14 * 24);
	same(t.exchanges, 4);
	near(t.compute_s, 7 * 14 * 24 * 1e-9, 1e-12);
	near(t.overhead_s, 4 * 4 * 2 * 2e-6, 1e-12);
	near(t.latency_s, 4 * 4 * 1e-6, 1e-12);
	near(t.transfer_s, 4 * t.halo.bytes / 1e8, 1e-12);
	near(t.copy_s, 4 * (2 * t.halo.bytes / 1e9 + t.halo.rows * 1e-9), 1e-12);
	m.network_ranks_per_link = 2;
	near(network_predict(&m, &g, &s, 1e-9).transfer_s, 2 * t.transfer_s, 1e-12);
	same(t.step_cells, t.block_cells);
	g.narrows = true;
	/* two steps before the exchange, one, none: the middle of both steps */
	same(network_predict(&m, &g, &s, 1e-9).step_cells, ((14 * 24 + 12 * 22) / 2.0 +
		(12 * 22 + 10 * 20) / 2.0) / 2);
	network_count(&t, &g);
	/* twelve pairs of neighbours, both ways */
	same(t.all_messages, 4 * 24);
	/* along i all rows of 60 cells twice, both ways; along j columns and halos */
	same(t.all_bytes, 4 * 4.0 * (2 * 2 * 2 * 60 + 2 * 2 * 2 * (12 + 14 + 12)));
	(void) state;
}

/* Three slabs: while the first message travels, which takes longer than all else, the second one
 * is gathered; while the second one does the first that came is scattered.  More cores gather faster,
 * but not than memory gives.
 */
static void overlap(void **state)
{
	struct network_field f = plane_field(30, 60);
	struct network_grid g = plane(&f, 2);
	struct network_shape s = { { 3, 1, 1 }, 2, false };
	struct machine m = machine_of(1e-6, 2e-6, 1e7);
	struct network_terms t = network_predict(&m, &g, &s, 1e-9);

	near(t.hidden_s, t.copy_s / 2 + m.network_overhead_s +
		m.network_latency_s, 1e-12);
	m.network_bandwidth_bytes_per_s = 1e18;
	m.network_latency_s = 0;
	assert_true(fabs(network_predict(&m, &g, &s, 1e-9).hidden_s) < 1e-15);
	m.bandwidth_bytes_per_s = 1e12;
	m.sm_count = 4;
	near(network_predict(&m, &g, &s, 1e-9).copy_s, t.copy_s / 4, 1e-12);
	m.sm_count = 100000;
	near(network_predict(&m, &g, &s, 1e-9).copy_s, 2 * t.halo.bytes / 1e12,
		1e-15);
	(void) state;
}

/* Zones of four slabs, beside both neighbours: three halos deep, two thirds of them from the block
 * and a third back to it.  Messages along dimension 0 come last.
 */
static void zones(void **state)
{
	struct network_field f = plane_field(160, 60);
	struct network_grid g = plane(&f, 6);
	struct network_shape s = { { 4, 1, 1 }, 2, 0 };
	struct network_shape cut = { { 3, 3, 1 }, 2, 1 };
	const int64_t middle[] = { 1, 1, 0 };
	struct machine m = machine_of(1e-6, 2e-6, 1e8);
	struct network_terms t = network_predict(&m, &g, &s, 1e-9), with;

	same(t.behind_s, 0);
	s.overlaps = 1;
	g.zone_cell_s[0] = 3e-9;
	with = network_predict(&m, &g, &s, 1e-9);
	same(with.zone_cells, 2 * 6 * 60);
	same(with.step_cells, 40 * 60 + 2 * 6 * 60);
	near(with.compute_s, 6 * (40 * 60 * 1e-9 + 2 * 6 * 60 * 3e-9), 1e-15);
	near(with.copy_s, t.copy_s + 3 * 2 * 4 * 2 * 6 * 60 / 1e9, 1e-15);
	/* computing 2400 cells twice is less than messages take */
	near(with.behind_s, 3 * 2 * 40 * 60 * 1e-9, 1e-15);
	near(with.predicted_s, with.compute_s + with.overhead_s + with.latency_s +
		with.transfer_s + with.copy_s - with.hidden_s - with.behind_s +
		with.call_s, 1e-15);
	same(with.halo.bytes, t.halo.bytes);
	m.network_bandwidth_bytes_per_s = 1e18;
	m.network_latency_s = m.network_overhead_s = 0;
	assert_true(network_predict(&m, &g, &s, 1e-9).behind_s < 1e-12);
	same(network_traffic_of(&g, &cut, middle, false).bytes, 4 * (2 * 2 * 53 +
		2 * 2 * (20 + 4)));
	/* zones narrow by a cell a step on each side that halos have */
	g.narrows = true;
	with = network_predict(&m, &g, &s, 1e-9);
	same(with.zone_cells, 2 * 4 * 60);
	same(with.step_cells, 38 * 60 + 2 * 4 * 60);
	/* between zones there are some cells */
	assert_true(network_has(&g, &s));
	s.steps = 11;
	assert_false(network_has(&g, &s));
	s.overlaps = 0;
	assert_true(network_has(&g, &s));
	(void) state;
}

/* Zones along both dimensions of nine squares, of 50 x 20 cells: those beside cuts along dimension 1 have
 * no cells beside others, and messages along dimension 0 travel while they are computed.
 */
static void all_zones(void **state)
{
	struct network_field f = plane_field(150, 60);
	struct network_grid g = plane(&f, 2);
	struct network_shape s = { { 3, 3, 1 }, 2, 2 }, first = { { 3, 3, 1 }, 2, 1 };
	struct machine m = machine_of(1e-6, 2e-6, 1e8);
	int64_t zone[NETWORK_DIMS];
	struct network_terms t;
	double along[2];

	g.zone_cell_s[0] = 3e-9;
	g.zone_cell_s[1] = 5e-9;
	m.network_latency_s = 1e-3;
	t = network_predict(&m, &g, &s, 1e-9);
	same(t.zone_cells, 2 * 6 * 50 + 2 * 6 * 24);
	same(t.step_cells, 50 * 20 + t.zone_cells);
	near(t.zones_s, 2 * (2 * 6 * 50 * 5e-9 + 2 * 6 * 24 * 3e-9), 1e-15);
	near(t.compute_s, 2 * 1000 * 1e-9 + t.zones_s, 1e-15);
	/* less than messages take: of each turn what is computed before it */
	along[1] = 2 * 1000 * 1e-9;
	along[0] = 2 * 2 * 6 * 50 * 5e-9;
	near(t.behind_s, along[0] + along[1], 1e-12);
	network_zone(&g, &s, 1, zone);
	same((double) zone[0], 50);
	same((double) zone[1], 6);
	network_zone(&g, &s, 0, zone);
	same((double) zone[0], 6);
	same((double) zone[1], 24);
	same(network_predict(&m, &g, &first, 1e-9).zone_cells, 2 * 6 * 24);
	/* where one dimension alone is cut there are zones along it */
	s.count[0] = 1;
	assert_true(network_has(&g, &s));
	first.count[0] = 1;
	assert_false(network_has(&g, &first));
	s.count[1] = 8;
	assert_false(network_has(&g, &s));
	(void) state;
}

/* Cuts where they are short; none where halos do not fit. */
static void shapes(void **state)
{
	struct network_field f = plane_field(100, 1600);
	struct network_grid g = plane(&f, 8);
	struct network_shape s = { .steps = 4 };
	struct network_shape best[NETWORK_SHAPES];
	struct machine m = machine_of(0, 0, 1e6);

	same(network_choose_shapes(&m, &g, 16, 1e-12, &s, 1, best), 1);
	same((double) best[0].count[0], 1);
	same((double) best[0].count[1], 16);
	/* 1, 2, 4, 8 and 16 rows of them, the slower ones behind */
	same(network_choose_shapes(&m, &g, 16, 1e-12, &s, NETWORK_SHAPES, best), 5);
	for (int i = 1; i < 5; i++)
		assert_true(network_predict(&m, &g, &best[i - 1], 1e-12).predicted_s <=
			network_predict(&m, &g, &best[i], 1e-12).predicted_s);
	same((double) best[0].count[1], 16);
	same(network_choose_shapes(&m, &g, 16, 1e-12, &s, 2, best), 2);
	same((double) best[1].count[1], 8);
	s.steps = 64;
	same(network_choose_shapes(&m, &g, 64, 1e-12, &s, 1, best), 0);
	s = (struct network_shape) { { 2, 1, 1 }, 50, 0 };
	assert_true(network_has(&g, &s));
	s.steps = 51;
	assert_false(network_has(&g, &s));
	(void) state;
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(traffic),
	cmocka_unit_test(terms),
	cmocka_unit_test(overlap),
	cmocka_unit_test(zones),
	cmocka_unit_test(all_zones),
	cmocka_unit_test(shapes),
};

const struct subject network_tests = SUBJECT(tests);

/* Graphs of stencils: the counts of horizontal diffusion that can be done by
 * hand, counts against maps of isl, the dynamic programme against exhaustion.
 */
#include "model/graph/graph.h"
#include "tests/random-graph.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Graphs ---------------------------------------------------------------- */

static void add_read(struct graph *g, int s, int field, int64_t x, int64_t y)
{
	graph_add_read(g, s, field, (int64_t[]) { x, y, 0, 0 });
}

/* 2.2 of [MO], rows first */
static struct graph *diffusion(struct region *mem)
{
	struct graph *g = graph_new(mem, 2, 100);
	int in = graph_add_field(g, "in"), wgt = graph_add_field(g, "wgt");
	int lap = graph_add_stencil(mem, g, "lap", 5, false);
	int fli = graph_add_stencil(mem, g, "fli", 1, false);
	int flj = graph_add_stencil(mem, g, "flj", 1, false);
	int out = graph_add_stencil(mem, g, "out", 4, true);

	add_read(g, lap, in, 0, 0);
	add_read(g, lap, in, -1, 0);
	add_read(g, lap, in, 1, 0);
	add_read(g, lap, in, 0, -1);
	add_read(g, lap, in, 0, 1);
	add_read(g, fli, g->stencil[lap].out, 1, 0);
	add_read(g, fli, g->stencil[lap].out, 0, 0);
	add_read(g, flj, g->stencil[lap].out, 0, 1);
	add_read(g, flj, g->stencil[lap].out, 0, 0);
	add_read(g, out, wgt, 0, 0);
	add_read(g, out, g->stencil[fli].out, -1, 0);
	add_read(g, out, g->stencil[fli].out, 0, 0);
	add_read(g, out, g->stencil[flj].out, 0, -1);
	add_read(g, out, g->stencil[flj].out, 0, 0);
	return g;
}

static struct graph_machine two_levels(enum halo inner, int64_t outer_tile,
	int64_t tile)
{
	struct graph_machine m = { .name = "test", .n_levels = 2,
		.flops = 1e9 };

	for (int l = 0; l < 2; l++)
		m.level[l] = (struct graph_level) { .memory = "m",
			.halo = l ? inner : HALO_OF, .vertical = 1e8,
			.lateral = 5e8, .capacity = INFINITY,
			.splits = l == 0, .launches = l == 0 };
	for (int d = 0; d < GRAPH_MAX_DIMS; d++) {
		m.level[0].tile[d] = outer_tile;
		m.level[1].tile[d] = tile;
	}
	return m;
}

static uint64_t set_of(int first, int last)
{
	uint64_t set = 0;

	for (int s = first; s <= last; s++)
		set |= (uint64_t) 1 << s;
	return set;
}

static struct chain chain_of(int n, int last)
{
	struct chain c = { .n = n };

	for (int l = 0; l < n; l++)
		c.set[l] = set_of(0, last);
	return c;
}

/* Counts ---------------------------------------------------------------- */

static void test_pattern(void **state)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	const struct shape **all = graph_patterns(mem, g);

	(void) state;
	assert_int_equal(all[0]->points, 13);		/* d = (a u b) + c */
	assert_int_equal(all[1]->points, 1);
	assert_int_equal(all[g->stencil[0].out]->points, 5);
	assert_int_equal(all[g->stencil[1].out]->points, 2);
	region_free(mem);
}

static void evaluations(enum halo inner, const int64_t *want)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	struct graph_machine m = two_levels(inner, 64, 8);
	struct counter *c = counter_new(mem, g, &m);
	struct chain chain = chain_of(2, 3);

	for (int s = 0; s < 4; s++)
		assert_int_equal(count_evaluations(c, &chain, s), want[s]);
	region_free(mem);
}

static void test_fly_in_fly(void **state)
{
	(void) state;
	evaluations(HALO_OF, (int64_t[]) { 6144, 4608, 4608, 4096 });
}

static void test_parallel_in_fly(void **state)
{
	(void) state;
	evaluations(HALO_HP, (int64_t[]) { 4352, 4160, 4160, 4096 });
}

/* [[lap,fli],[flj,out]] and the children of its root, by hand: a plane of
 * 64x64 with lap one row and column, fli and flj one of them farther.
 */
static void test_traffic(void **state)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	struct graph_machine m = two_levels(HALO_OF, 64, 8);
	struct counter *c = counter_new(mem, g, &m);
	struct chain root = chain_of(1, 3);
	struct traffic_of_child t;

	(void) state;
	t = count_traffic(c, &root, set_of(0, 1), TRAFFIC_ALL);
	/* in: lap's 64x64 and four sides, each with its sides */
	assert_int_equal(t.loads, 64 * 64 + 4 * 64 + 4 * 64 + 4);
	/* lap for flj, fli for out */
	assert_int_equal(t.stores, 64 * 66 + 65 * 64);
	assert_int_equal(t.lateral[0], 0);
	t = count_traffic(c, &root, set_of(2, 3), TRAFFIC_ALL);
	assert_int_equal(t.loads, 64 * 66 + 65 * 64 + 64 * 64);
	assert_int_equal(t.stores, 64 * 64);
	region_free(mem);
}

/* Random variants -------------------------------------------------------- */

static void random_together(unsigned *seed, int n, int n_levels,
	int *together)
{
	for (int i = 0; i + 1 < n; i++)
		together[i] = 1 + (int) next_random(seed, (unsigned) n_levels);
}

/* The group of level "l" around stencil "s". */
static void group_around(const int *together, int n, int l, int s, int *first,
	int *last)
{
	for (*first = s; *first > 0 && together[*first - 1] > l; )
		--*first;
	for (*last = s; *last < n - 1 && together[*last] > l; )
		++*last;
}

static struct chain chain_around(const int *together, int n, int levels,
	int s)
{
	struct chain c = { .n = levels };

	for (int l = 0; l < levels; l++) {
		int first, last;

		group_around(together, n, l, s, &first, &last);
		c.set[l] = set_of(first, last);
	}
	return c;
}

/* The values that child first .. last of a group loads, by maps. */
static int64_t loads_by_maps(const struct tilings *t, int levels, int first,
	int last)
{
	const struct graph *g = t->graph;
	int64_t n = 0;

	for (int f = 0; f < g->n_fields; f++)
		if (g->field[f].producer < first ||
		    g->field[f].producer > last)
			n += map_count(map_of_inputs(t, first, last, f),
				g->n_dims, levels, 1);
	return n;
}

/* The values that the origin tile of a group of the level "levels" reads. */
static int64_t values_by_maps(const struct tilings *t, int levels, int first,
	int last)
{
	int64_t n = 0;

	for (int f = 0; f < t->graph->n_fields; f++)
		n += map_count(map_of_inputs(t, first, last, f),
			t->graph->n_dims, levels, levels);
	return n;
}

/* { x -> y : y beyond x along dimension "d", or x } */
static __isl_give isl_map *ahead_of(__isl_take isl_space *values, int d)
{
	isl_map *ahead = isl_map_universe(isl_space_map_from_set(
		isl_space_copy(values)));

	for (int k = 0; k < (int) isl_space_dim(values, isl_dim_set); k++)
		ahead = k == d ? isl_map_order_le(ahead, isl_dim_in, k,
			isl_dim_out, k) : isl_map_equate(ahead, isl_dim_in, k,
			isl_dim_out, k);
	isl_space_free(values);
	return ahead;
}

/* How many values lie between two of the domain of "map" along dimension "d", or
 * are one of these.
 */
static int64_t count_between(__isl_take isl_map *map, int d)
{
	isl_set *read = isl_map_domain(map), *kept;
	isl_map *ahead = ahead_of(isl_set_get_space(read), d);
	isl_val *n;
	int64_t count;

	kept = isl_set_apply(isl_set_copy(read), isl_map_copy(ahead));
	kept = isl_set_intersect(kept, isl_set_apply(read,
		isl_map_reverse(ahead)));
	n = isl_set_count_val(kept);
	count = isl_val_get_num_si(n);
	isl_val_free(n);
	isl_set_free(kept);
	return count;
}

/* The values that the origin tile of a group of the highest level keeps, whose
 * tiles follow each other along dimension "d": with those that stencils of the
 * group compute there for others of it.
 */
static int64_t kept_by_maps(const struct tilings *t, int levels, int first,
	int last, int d)
{
	const struct graph *g = t->graph;
	int64_t n = 0;

	for (int f = 0; f < g->n_fields; f++) {
		isl_map *map = map_of_inputs(t, first, last, f);
		int s = g->field[f].producer;

		if (s >= first && s <= last && !isl_map_is_empty(map))
			map = isl_map_union(map, isl_map_copy(t->tiles[s]));
		for (int i = 0; i < levels * g->n_dims; i++)
			map = isl_map_fix_si(map, isl_dim_out, (unsigned) i, 0);
		n += count_between(map, d);
	}
	return n;
}

static int64_t storage_by_maps(const struct tilings *t,
	const struct graph_machine *m, int first, int last)
{
	const struct graph_level *level = &m->level[m->n_levels - 1];

	if (level->halo != HALO_HS)
		return values_by_maps(t, m->n_levels, first, last);
	for (int d = 0; d < t->graph->n_dims; d++)
		if (level->tile[t->graph->n_dims - 1 - d])
			return kept_by_maps(t, m->n_levels, first, last, d);
	return -1;
}

/* "map", its tiles of the levels beyond "levels" dropped. */
static __isl_give isl_map *seen_at(__isl_take isl_map *map, int n_dims,
	int levels)
{
	unsigned kept = (unsigned) (levels * n_dims);

	return isl_map_project_out(map, isl_dim_out, kept,
		isl_map_dim(map, isl_dim_out) - kept);
}

/* What the stencils after "s" of a group of the highest level, the last of which
 * is "last", read in tiles of level "levels" that do not compute it.
 */
static int64_t beside_by_maps(const struct tilings *t, int levels, int s,
	int last)
{
	const struct graph *g = t->graph;
	isl_map *read;

	if (s == last)
		return 0;
	read = seen_at(map_of_inputs(t, s + 1, last, g->stencil[s].out),
		g->n_dims, levels);
	return map_count(isl_map_subtract(read, seen_at(isl_map_copy(
		t->tiles[s]), g->n_dims, levels)), g->n_dims, levels, 1);
}

/* Groups whose tiles exchange halos. */
static void check_lateral(struct counter *c, const struct tilings *t,
	const struct chain *group, int s, int last)
{
	struct traffic_of_child traffic = count_traffic(c, group,
		set_of(s, s), TRAFFIC_ALL);
	int64_t outer = 0;

	for (int l = 1; l <= group->n; l++) {
		int64_t seen = beside_by_maps(t, l, s, last);

		assert_int_equal(traffic.lateral[l - 1], seen - outer);
		outer = seen;
	}
}

static void check_counts(isl_ctx *ctx, const struct graph *g,
	const struct graph_machine *m, const int *together)
{
	struct region *mem = region_new();
	struct counter *c = counter_new(mem, g, m);
	struct tilings *t = tilings_new(mem, ctx, g, m, together);
	int n = g->n_stencils;

	for (int s = 0; s < n; s++) {
		struct chain all = chain_around(together, n, m->n_levels, s);
		int first, last;

		assert_int_equal(count_evaluations(c, &all, s), map_count(
			isl_map_copy(t->tiles[s]), g->n_dims, m->n_levels,
			1));
		group_around(together, n, m->n_levels - 1, s, &first, &last);
		if (m->level[m->n_levels - 1].halo != HALO_OF)
			check_lateral(c, t, &all, s, last);
	}
	for (int l = 1; l <= m->n_levels; l++)
		for (int s = 0; s < n; ) {
			struct chain p = chain_around(together, n, l, s);
			int first = s, last = s;

			if (l < m->n_levels)
				group_around(together, n, l, s, &first, &last);
			assert_int_equal(count_traffic(c, &p, set_of(first,
				last), TRAFFIC_MOVED).loads, loads_by_maps(t,
				l, first, last));
			s = last + 1;
		}
	for (int s = 0, first, last; s < n; s = last + 1) {
		struct chain all = chain_around(together, n, m->n_levels, s);

		group_around(together, n, m->n_levels - 1, s, &first, &last);
		assert_int_equal(count_storage(c, &all), storage_by_maps(t, m,
			first, last));
	}
	region_free(mem);
}

static void counts_of_machine(struct graph_machine m, unsigned seed, int runs)
{
	isl_ctx *ctx = isl_ctx_alloc();

	for (int i = 0; i < runs; i++) {
		struct region *mem = region_new();
		int n = 1 + (int) next_random(&seed, 5), together[8];
		struct graph *g = random_graph(mem, &seed, (struct graph_kind)
			{ n, 2, 2, 3, 3 });

		random_together(&seed, n, m.n_levels, together);
		check_counts(ctx, g, &m, together);
		region_free(mem);
	}
	isl_ctx_free(ctx);
}

static void test_counts_fly(void **state)
{
	(void) state;
	counts_of_machine(two_levels(HALO_OF, 9, 3), 1, 12);
}

static void test_counts_uneven(void **state)
{
	(void) state;
	counts_of_machine(two_levels(HALO_OF, 8, 3), 2, 12);
}

static void test_counts_parallel(void **state)
{
	(void) state;
	counts_of_machine(two_levels(HALO_HP, 9, 3), 3, 12);
}

static void test_counts_sequential(void **state)
{
	struct graph_machine m = two_levels(HALO_HS, 9, 3);

	(void) state;
	m.level[1].tile[0] = 0;
	counts_of_machine(m, 4, 12);
}

/* Rows, one after the other. */
static void test_counts_swept(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 9, 3);

	(void) state;
	m = graph_machine_swept(&m, 2);
	counts_of_machine(m, 10, 12);
}

/* Three dimensions. */
static void test_counts_in_space(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 6, 3);
	isl_ctx *ctx = isl_ctx_alloc();
	unsigned seed = 7;

	(void) state;
	m.level[1].tile[0] = 4;
	m.level[1].tile[2] = 1;
	for (int i = 0; i < 6; i++) {
		struct region *mem = region_new();
		int together[3];
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 3, 3, 1, 2, 4 });

		random_together(&seed, 3, m.n_levels, together);
		check_counts(ctx, g, &m, together);
		region_free(mem);
	}
	isl_ctx_free(ctx);
}

/* Tiles that overlap in tiles that do not. */
static void test_counts_fly_in_parallel(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 9, 3);

	(void) state;
	m.level[0].halo = HALO_HP;
	counts_of_machine(m, 5, 12);
}

static void test_counts_three_levels(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 12, 6);

	(void) state;
	m.n_levels = 3;
	m.level[2] = m.level[1];
	m.level[2].halo = HALO_HP;
	m.level[2].tile[0] = 3;
	m.level[2].tile[1] = 2;
	m.level[1].splits = true;
	counts_of_machine(m, 6, 6);
}

/* Planes that are swept, in them points that exchange, as those of the paper's
 * GPU.
 */
static struct graph_machine of_cells(int64_t outer_tile, int64_t tile)
{
	struct graph_machine m = two_levels(HALO_OF, outer_tile, tile);

	m.n_levels = 4;
	m.level[1].splits = true;
	m.level[2] = m.level[3] = m.level[1];
	m.level[2].halo = HALO_HS;
	m.level[2].tile[0] = 0;
	m.level[2].tile[1] = 1;
	m.level[2].splits = false;
	m.level[3].halo = HALO_HP;
	m.level[3].tile[0] = m.level[3].tile[1] = 1;
	m.level[3].splits = false;
	return m;
}

static void test_counts_cells(void **state)
{
	(void) state;
	counts_of_machine(of_cells(12, 6), 9, 4);
}

/* Slabs of four rows, in them blocks of 6x2 points that compute their halos. */
static struct graph_machine of_slabs(int64_t outer_tile)
{
	struct graph_machine m = two_levels(HALO_OF, outer_tile, 6);

	m.n_levels = 3;
	m.level[2] = m.level[1];
	m.level[2].tile[1] = 2;
	m.level[1].halo = HALO_HS;
	m.level[1].tile[0] = 0;
	m.level[1].tile[1] = 4;
	m.level[1].splits = true;
	return m;
}

static void test_counts_slabs(void **state)
{
	(void) state;
	counts_of_machine(of_slabs(12), 10, 6);
}

/* The search ------------------------------------------------------------- */

/* The dynamic programme finds as good a variant as there is. */
static void search_equals(const struct graph_machine *m, unsigned seed,
	int runs, int most)
{
	for (int i = 0; i < runs; i++) {
		struct region *mem = region_new();
		int n = 1 + (int) next_random(&seed, (unsigned) most);
		struct graph *g = random_graph(mem, &seed, (struct graph_kind)
			{ n, 2, 3, 3, 3 });
		struct found all = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_ALL, 0, 1,
				GRAPH_EFFORT });
		struct found dp = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_DYNAMIC, 0, 1,
				GRAPH_EFFORT });
		double a = all.best[0].seconds, b = dp.best[0].seconds;

		assert_int_equal(all.best[0].fits, dp.best[0].fits);
		if (all.best[0].fits && fabs(a - b) > 1e-9 * a)
			fail_msg("graph %d: %g s, the programme %g s", i, a,
				b);
		region_free(mem);
	}
}

static void test_search(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 8);

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 600;
	search_equals(&m, 11, 100, 8);
}

static void test_search_three_levels(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 16);

	(void) state;
	m.n_levels = 3;
	m.level[2] = m.level[1];
	m.level[2].tile[0] = m.level[2].tile[1] = 4;
	m.level[2].halo = HALO_HP;
	m.level[1].splits = true;
	m.level[1].vertical = 4e8;
	m.level[2].vertical = 2e9;
	m.level[1].capacity = 2500;
	m.level[2].capacity = 200;
	search_equals(&m, 12, 25, 5);
}

/* Tiles that are swept, a row at a time. */
static void test_search_swept(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 16);

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 200;
	m.launch_s = 1e-6;
	m = graph_machine_swept(&m, 2);
	m.level[2].vertical = 2e9;
	search_equals(&m, 13, 40, 5);
}

/* Groups of the second level run slab by slab, each of their children launched for
 * each slab; one that is alone is launched once.
 */
static void test_search_slabs(void **state)
{
	struct graph_machine m = of_slabs(64);

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 2500;
	m.level[1].launches = 17;
	m.level[2].vertical = 2e9;
	m.level[2].capacity = 200;
	m.launch_s = 1e-7;
	search_equals(&m, 14, 25, 5);
}

/* Tiles of 16x16 points, or of "rows" rows that are swept. */
static struct graph_machine of_choice(struct region *mem, int64_t rows)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 16), of_sweeps;
	struct graph_machine *swept = region_new_of(mem, struct graph_machine);

	m.level[0].vertical = INFINITY;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 500;
	m.launch_s = 1e-6;
	of_sweeps = m;
	of_sweeps.level[1].tile[1] = rows;
	*swept = graph_machine_swept(&of_sweeps, 2);
	m.swept = swept;
	return m;
}

/* Each group may be swept or not. */
static void test_search_choice(void **state)
{
	struct region *mem = region_new();
	struct graph_machine m = of_choice(mem, 32);

	(void) state;
	search_equals(&m, 17, 60, 6);
	region_free(mem);
}

/* A group takes the time that it takes in a variant all of whose groups are swept
 * as it is, or none.
 */
static void test_times_of_choice(void **state)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	struct graph_machine m = of_choice(mem, 32);
	struct counter *c = counter_new(mem, g, &m);
	const char *why, *const all[] = { "[[lap,fli],[flj,out]]",
		"hs[[lap,fli],[flj,out]]", "[[lap,fli],hs[flj,out]]",
		"[hs[lap,fli],[flj,out]]" };
	double s[4];
	bool fits;

	(void) state;
	for (int i = 0; i < 4; i++)
		s[i] = variant_time(c, variant_parse(mem, g, 2, all[i], &why),
			&fits);
	assert_true(s[0] != s[1]);
	assert_true(fabs(s[0] + s[1] - s[2] - s[3]) < 1e-9 * s[0]);
	region_free(mem);
}

/* Children of two levels, and groups of both that do not fit. */
static void test_search_cells(void **state)
{
	struct graph_machine m = of_cells(64, 16);

	(void) state;
	m.level[0].vertical = INFINITY;
	m.level[1].vertical = 4e8;
	m.level[2].vertical = m.level[3].vertical = INFINITY;
	m.level[3].lateral = 2e9;
	search_equals(&m, 14, 20, 6);
	m.level[1].capacity = 1500;
	m.level[3].capacity = 25;
	search_equals(&m, 15, 20, 6);
}

/* Up to which level "v" has stencils x and y together. */
static int level_of(const struct variant *v, int x, int y)
{
	int level = GRAPH_MAX_LEVELS;
	bool between = false;

	for (int i = 0; i + 1 < v->n; i++) {
		between ^= v->order[i] == x || v->order[i] == y;
		if (between && v->together[i] < level)
			level = v->together[i];
	}
	return level;
}

static bool is_swept(const struct variant *v, int stencil)
{
	int i = 0;

	while (v->order[i] != stencil)
		i++;
	return variant_is_swept(v, i);
}

static bool fuse_alike(const struct variant *a, const struct variant *b)
{
	for (int x = 0; x < a->n; x++)
		if (is_swept(a, x) != is_swept(b, x))
			return false;
	for (int x = 0; x < a->n; x++)
		for (int y = 0; y < x; y++)
			if (level_of(a, x, y) != level_of(b, x, y))
				return false;
	return true;
}

static void check_differ(const struct found *f)
{
	for (int i = 0; i < f->n; i++)
		for (int k = 0; k < i; k++)
			assert_false(fuse_alike(f->best[i].variant,
				f->best[k].variant));
}

/* The dynamic programme finds the ten best, and none of them twice in different
 * orders, of "runs" graphs.
 */
static void check_ten_best(const struct graph_machine *m, unsigned seed,
	int runs)
{
	for (int i = 0; i < runs; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 5 + i % 3, 2, 2, 2, 3 });
		struct found all = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_ALL, 0, 10,
				GRAPH_EFFORT });
		struct found dp = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_DYNAMIC, 0, 10,
				GRAPH_EFFORT });

		check_differ(&all);
		check_differ(&dp);
		assert_int_equal(all.n, 10);
		for (int k = 0; k < 10 && all.best[k].fits; k++) {
			double a = all.best[k].seconds;

			assert_true(k < dp.n);
			assert_true(fabs(dp.best[k].seconds - a) <= 1e-9 * a);
		}
		region_free(mem);
	}
}

static void test_ten_best(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 8);

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 600;
	check_ten_best(&m, 16, 30);
}

static void test_ten_best_of_choice(void **state)
{
	struct region *mem = region_new();
	struct graph_machine m = of_choice(mem, 32);

	(void) state;
	check_ten_best(&m, 18, 9);
	region_free(mem);
}

/* The counts of whole tiles are bounds of those of all tiles. */
static void test_whole_tiles(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 8);
	unsigned seed = 21;

	(void) state;
	for (int i = 0; i < 20; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 6, 2 + i % 2, 1 + i % 3, 3, 6 });
		struct counter *all = counter_new(mem, g, &m);
		struct counter *whole = counter_of_whole_tiles(mem, all);

		for (int first = 0; first < 6; first++) {
			struct chain root = chain_of(1, 5), group = root;
			uint64_t set = set_of(first, 5);
			int64_t n, bound;

			group.set[group.n++] = set;
			n = count_evaluations(all, &group, first);
			bound = count_evaluations(whole, &group, first);
			assert_true(bound <= n && n <= 8 * bound);
			n = count_traffic(all, &root, set,
				TRAFFIC_MOVED).loads;
			bound = count_traffic(whole, &root, set,
				TRAFFIC_MOVED).loads;
			assert_true(bound <= n && n <= 8 * bound);
			assert_true(count_storage(whole, &group) <=
				count_storage(all, &group));
		}
		region_free(mem);
	}
}

/* So are those of what crosses sides of tiles. */
static void test_whole_tiles_lateral(void **state)
{
	struct graph_machine m = of_cells(64, 16);
	unsigned seed = 22;

	(void) state;
	for (int i = 0; i < 20; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 6, 2, 1 + i % 3, 3, 6 });
		struct counter *all = counter_new(mem, g, &m);
		struct counter *whole = counter_of_whole_tiles(mem, all);
		struct chain group = chain_of(4, 5);

		for (int s = 0; s < 6; s++) {
			struct traffic_of_child t = count_traffic(all, &group,
				set_of(s, s), TRAFFIC_ALL);
			struct traffic_of_child bound = count_traffic(whole,
				&group, set_of(s, s), TRAFFIC_ALL);

			assert_true(t.lateral[3] == 0 || bound.lateral[3] > 0);
			for (int l = 0; l < 4; l++)
				assert_true(bound.lateral[l] <= t.lateral[l]);
		}
		region_free(mem);
	}
}

/* Does each stencil stand behind those that it reads? */
static bool is_topological(const struct graph *g, const int *order)
{
	for (int i = 0; i < g->n_stencils; i++)
		for (int k = i + 1; k < g->n_stencils; k++)
			if (graph_depends(g, order[i], order[k]))
				return false;
	return true;
}

static void check_orders(const struct graph *g, int most, bool want_all,
	int want)
{
	struct region *mem = region_new();
	int **orders;
	bool all;
	int n = graph_orders(mem, g, most, &orders, &all);

	assert_int_equal(n, want);
	assert_int_equal(all, want_all);
	for (int i = 0; i < n; i++) {
		assert_true(is_topological(g, orders[i]));
		for (int k = 0; k < i; k++)
			assert_true(memcmp(orders[i], orders[k], sizeof(int) *
				(size_t) g->n_stencils) != 0);
	}
	region_free(mem);
}

/* There are as many orders as are counted, and as many are tried as are asked
 * for.
 */
static void test_orders(void **state)
{
	unsigned seed = 19;

	(void) state;
	for (int i = 0; i < 20; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 5 + i % 3, 2, 1, 1 + i % 2, 2 });
		int n = (int) graph_count_orders(g);

		check_orders(g, 5040, true, n);
		check_orders(g, n, true, n);
		if (n > 1)
			check_orders(g, n - 1, false, n - 1);
		check_orders(g, (n + 1) / 2, n == 1, (n + 1) / 2);
		region_free(mem);
	}
}

/* Stencils that read nothing of each other; of more than can be counted one by
 * one, too.
 */
static void test_orders_apart(void **state)
{
	static const double factorial[] = { 1, 1, 2, 6, 24, 120, 720 };

	(void) state;
	for (int n = 1; n <= 30; n++) {
		struct region *mem = region_new();
		struct graph *g = graph_new(mem, 2, 100);
		int in = graph_add_field(g, "in");
		double count;

		for (int s = 0; s < n; s++)
			add_read(g, graph_add_stencil(mem, g, "s", 1, true),
				in, 0, 0);
		count = graph_count_orders(g);
		if (n <= 6)
			assert_true(count == factorial[n]);
		assert_true(fabs(log(count) - lgamma(n + 1.0)) < 1e-9);
		region_free(mem);
	}
}

/* More orders find nothing that is worse, and all the best. */
static void test_more_orders(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 64, 8);
	unsigned seed = 20;

	(void) state;
	m.level[1].vertical = 4e8;
	m.level[1].capacity = 600;
	for (int i = 0; i < 10; i++) {
		struct region *mem = region_new();
		struct graph *g = random_graph(mem, &seed,
			(struct graph_kind) { 7, 2, 2, 2, 3 });
		double last = INFINITY;

		for (int orders = 1; orders <= 5040; orders *= 71) {
			struct found f = graph_search(mem, g, &m,
				&(struct graph_query) { SEARCH_DYNAMIC,
					orders, 1, GRAPH_EFFORT });
			double there = f.orders_there;

			assert_true(f.n_orders == (orders < there ? orders :
				(int) there));
			assert_true(f.all_orders == (orders >= there));
			assert_true(f.best[0].seconds <= last * (1 + 1e-9));
			last = f.best[0].seconds;
		}
		region_free(mem);
	}
}

/* What a search of thirty stages cuts, which is its time but for a factor: a
 * million take a fifth of a second.  Does what it finds fit?
 */
static bool thirty_stages(const struct graph_machine *m, int n_dims,
	unsigned reach, int64_t most)
{
	struct region *mem = region_new();
	unsigned seed = 30 + reach;
	struct graph *g = random_graph(mem, &seed, (struct graph_kind)
		{ 30, n_dims, reach, 3, 9 });
	struct found found = graph_search(mem, g, m,
			&(struct graph_query) { SEARCH_AUTO, 0, 10,
				GRAPH_EFFORT });
	bool fits;

	assert_true(found.n > 0);
	print_message("%d dimensions, %u cells away: %lld cuboids, groups "
		"of %d stages\n", n_dims, reach, (long long) found.n_cuboids,
		found.longest);
	assert_true(found.n_cuboids < most);
	fits = found.best[0].fits;
	region_free(mem);
	return fits;
}

static void test_thirty_stages(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 256, 32);

	(void) state;
	m.level[1].capacity = 60000;
	for (unsigned reach = 1; reach <= 3; reach++) {
		thirty_stages(&m, 2, reach, 500000);
		thirty_stages(&m, 3, reach, 5000000);
	}
}

/* Where groups take long to count, large ones are left out; what fits is found. */
static void test_bounded_effort(void **state)
{
	struct graph_machine m = two_levels(HALO_OF, 256, 32);
	struct graph_machine cells = of_cells(64, 16);

	(void) state;
	assert_true(thirty_stages(&m, 3, 3, 5000000));
	assert_true(thirty_stages(&cells, 3, 2, 6000000));
}

/* Variants share what is counted of their groups: trying all of them cuts few
 * cuboids for each.
 */
static void test_all_share_counts(void **state)
{
	struct region *mem = region_new();
	struct graph_machine m = two_levels(HALO_OF, 64, 8);
	unsigned seed = 8;
	struct graph *g = random_graph(mem, &seed, (struct graph_kind)
		{ 8, 2, 1, 3, 3 });
	struct found found = graph_search(mem, g, &m,
			&(struct graph_query) { SEARCH_ALL, 0, 10,
				GRAPH_EFFORT });

	(void) state;
	print_message("%lld cuboids for %d variants\n",
		(long long) found.n_cuboids, found.n_scored);
	assert_true(found.n_scored > 1000);
	assert_true(found.n_cuboids < 2 * (int64_t) found.n_scored);
	region_free(mem);
}

/* Variants --------------------------------------------------------------- */

static void brackets(int n_levels, const char *given, const char *want)
{
	struct region *mem = region_new();
	struct graph *g = diffusion(mem);
	struct text t = { 0 };
	const char *why;
	struct variant *v = variant_parse(mem, g, n_levels, given, &why);

	if (!v)
		fail_msg("%s: %s", given, why);
	variant_print(&t, g, n_levels, v);
	assert_string_equal(t.bytes, want);
	text_free(&t);
	region_free(mem);
}

static void test_brackets(void **state)
{
	(void) state;
	brackets(2, "[[lap,fli],[flj,out]]", "[[lap,fli],[flj,out]]");
	brackets(2, "[lap, fli, flj, out]", "[lap,fli,flj,out]");
	brackets(4, "[lap,fli,flj,out]", "[lap,fli,flj,out]");
	brackets(4, "[[[lap,fli],[flj,out]]]", "[[[lap,fli],[flj,out]]]");
	brackets(2, " [ [lap] , [flj] , [fli, out] ]",
		"[[lap],[flj],[fli,out]]");
}

static void refused(const char *given, const char *want)
{
	struct region *mem = region_new();
	const char *why = NULL;

	assert_null(variant_parse(mem, diffusion(mem), 2, given, &why));
	assert_string_equal(why, want);
	region_free(mem);
}

static void test_brackets_refused(void **state)
{
	(void) state;
	refused("", "it does not start with '['");
	refused("[", "a name or a bracket is missing");
	refused("[lap", "a ',' or ']' is missing");
	refused("[lap,]", "a name or a bracket is missing");
	refused("[lap]]", "something stands behind the last bracket");
	refused("[x]", "nothing computes 'x'");
	refused("[lap,lap]", "'lap' stands twice");
	refused("[lap,fli,out]", "'flj' is missing");
	refused("[fli,lap,flj,out]",
		"'fli' stands before 'lap', which it reads");
	refused("[[[lap]]]",
		"it nests deeper than the 2 levels of the machine");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pattern),
		cmocka_unit_test(test_fly_in_fly),
		cmocka_unit_test(test_parallel_in_fly),
		cmocka_unit_test(test_traffic),
		cmocka_unit_test(test_counts_fly),
		cmocka_unit_test(test_counts_uneven),
		cmocka_unit_test(test_counts_parallel),
		cmocka_unit_test(test_counts_sequential),
		cmocka_unit_test(test_counts_swept),
		cmocka_unit_test(test_counts_in_space),
		cmocka_unit_test(test_counts_fly_in_parallel),
		cmocka_unit_test(test_counts_three_levels),
		cmocka_unit_test(test_counts_cells),
		cmocka_unit_test(test_counts_slabs),
		cmocka_unit_test(test_search),
		cmocka_unit_test(test_search_three_levels),
		cmocka_unit_test(test_search_swept),
		cmocka_unit_test(test_search_slabs),
		cmocka_unit_test(test_search_choice),
		cmocka_unit_test(test_times_of_choice),
		cmocka_unit_test(test_search_cells),
		cmocka_unit_test(test_ten_best),
		cmocka_unit_test(test_ten_best_of_choice),
		cmocka_unit_test(test_whole_tiles),
		cmocka_unit_test(test_whole_tiles_lateral),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_orders_apart),
		cmocka_unit_test(test_more_orders),
		cmocka_unit_test(test_thirty_stages),
		cmocka_unit_test(test_bounded_effort),
		cmocka_unit_test(test_all_share_counts),
		cmocka_unit_test(test_brackets),
		cmocka_unit_test(test_brackets_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

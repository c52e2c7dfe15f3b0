/* Counts against maps of isl, of random graphs in random variants. */
#include "tests/unit/graph-maps.h"
#include "tests/unit/graph.h"

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
		c.set[l] = stencil_set(first, last);
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
		stencil_set(s, s), TRAFFIC_ALL);
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
			assert_int_equal(count_traffic(c, &p, stencil_set(first,
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

/* Every other graph has its turn, see has_turn() of tap.sh. */
static bool has_turn(int n)
{
	const char *all = getenv("TURNS"), *turn = getenv("TURN");

	return (all && !strcmp(all, "all")) ||
		(n + (turn ? atoi(turn) : 0)) % 2 == 0;
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
		if (has_turn(i))
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

static void test_counts_cells(void **state)
{
	(void) state;
	counts_of_machine(of_cells(12, 6), 9, 4);
}

static void test_counts_slabs(void **state)
{
	(void) state;
	counts_of_machine(of_slabs(12), 10, 6);
}

static const struct CMUnitTest tests[] = {
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
};

const struct subject map_tests = SUBJECT(tests);

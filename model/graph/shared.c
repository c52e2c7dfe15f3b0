/* Tiles that partition the points of surrounding ones: what a stencil loads in them depends
 * neither on other stencils nor on where its points lie relative to other tiles.
 */
#include "model/graph/tiles.h"

/* What a stencil loads that computes "points" in tiles of the highest level,
 * wherever these lie.
 */
struct loaded {
	int stencil;
	int64_t place[GRAPH_MAX_DIMS];	/* of its points within their tile */
	uint64_t hash;
	const struct shape *points;
	int64_t loads;
	struct loaded *next;
};

/* The key: the points of "s", and where they lie in the tiles of "f". */
static struct loaded loaded_key(const struct counter *c,
	const struct family *f, int s, const struct shape *points)
{
	struct loaded key = { .stencil = s, .points = points,
		.hash = hash_number(points->hash, s) };

	for (int d = 0; d < c->graph->n_dims; d++) {
		int64_t size = tile_size(c, f->chain.n - 1, d);
		int64_t low = points->hull.low[d] - f->shift[s][d];

		key.place[d] = size ? low - floor_div(low, size) * size : 0;
		key.hash = hash_number(key.hash, key.place[d]);
	}
	return key;
}

static bool same_loaded(const struct counter *c, const struct loaded *a,
	const struct loaded *b)
{
	for (int d = 0; d < c->graph->n_dims; d++)
		if (a->place[d] != b->place[d])
			return false;
	return a->hash == b->hash && a->stencil == b->stencil &&
		shapes_are_alike(a->points, b->points);
}

/* The values that "s" loads to compute "points", field by field. */
static int64_t count_loads(struct counter *c, int s,
	const struct shape *points)
{
	int64_t n = 0;

	for (int i = 0; i < c->reads[s].n; i++) {
		pile_add_sum(c->pile, points, &c->reads[s].of[i].offsets);
		n += count_values_of(c, c->reads[s].of[i].field);
	}
	return n;
}

/* The loads in the tiles of "f" that have some of "parts", in dimension "d" and
 * those behind it.
 */
static int64_t loads_in_tiles(struct counter *c, const struct family *f,
	const struct parts *parts, int d)
{
	struct region *tmp;
	struct run *run;
	int64_t loads = 0;
	int n;

	if (parts->shape[0]->n == 0)
		return 0;
	if (d == c->graph->n_dims)
		return count_loads(c, parts->stencil[0], parts->shape[0]);
	tmp = region_new();
	n = find_runs(tmp, c, f, parts, d, &run);
	for (int i = 0; i < n; i++) {
		struct parts inner = clip_to_run(c, tmp, f, parts, &run[i],
			d);

		loads += run[i].times * loads_in_tiles(c, f, &inner, d + 1);
	}
	region_free(tmp);
	return loads;
}

int64_t loads_of_points(struct counter *c, const struct family *f, int s,
	const struct shape *points)
{
	struct loaded key = loaded_key(c, f, s, points), *found;
	struct loaded **bucket = &c->loaded[key.hash % BUCKETS];
	struct parts parts = { .n = 1, .stencil = &s, .shape = &points };

	for (found = *bucket; found; found = found->next)
		if (same_loaded(c, found, &key))
			return found->loads;
	key.loads = loads_in_tiles(c, f, &parts, 0);
	key.next = *bucket;
	*bucket = region_new_of(c->mem, struct loaded);
	**bucket = key;
	return key.loads;
}

/* The tiles of groups, cut out of surrounding tiles.
 *
 * Between the bounds of the points to be tiled all whole tiles are equal, and others that turn
 * out equal are merged; so there are few frames, and sums over tiles are exact.
 */
#include <stdlib.h>
#include <string.h>

#include "model/graph/tiles.h"

/* Runs of tiles ---------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

/* The runs of tiles of "size" between the sorted "bound"s. */
static int runs_between(const int64_t *bound, int n, int64_t size,
	struct run *run)
{
	int n_runs = 0;

	for (int i = 0; i < n; i++) {
		int64_t q = floor_div(bound[i], size), whole, last;

		if (bound[i] != q * size && (i == 0 ||
		    floor_div(bound[i - 1], size) != q ||
		    bound[i - 1] == q * size))
			run[n_runs++] = (struct run) { q * size,
				(q + 1) * size, 1, q == 0 };
		if (i + 1 == n)
			break;
		whole = floor_div(bound[i] + size - 1, size);
		last = floor_div(bound[i + 1], size) - 1;
		if (last >= whole)
			run[n_runs++] = (struct run) { whole * size,
				(whole + 1) * size, last - whole + 1,
				whole <= 0 && 0 <= last };
	}
	return n_runs;
}

int find_runs(struct region *mem, const struct counter *c,
	const struct family *f, const struct parts *parts, int d,
	struct run **runs)
{
	int level = f->chain.n - 1, n = 0, room = 0, kept = 0;
	int64_t *bound;

	for (int k = 0; k < parts->n; k++)
		room += 2 * parts->shape[k]->n;
	bound = region_array(mem, int64_t, room + 1);
	*runs = region_array(mem, struct run, 2 * room + 1);
	if (tile_size(c, level, d) == 0) {
		(*runs)[0] = (struct run) { -FAR, FAR, 1, true };
		return 1;
	}
	for (int k = 0; k < parts->n; k++)
		for (int i = 0; i < parts->shape[k]->n; i++) {
			const struct cuboid *part =
				&parts->shape[k]->cuboid[i];
			int64_t shift = f->shift[parts->stencil[k]][d];

			bound[n++] = part->low[d] - shift;
			bound[n++] = part->end[d] - shift;
		}
	qsort(bound, (size_t) n, sizeof(*bound), compare_numbers);
	for (int i = 0; i < n; i++)
		if (kept == 0 || bound[kept - 1] != bound[i])
			bound[kept++] = bound[i];
	return runs_between(bound, kept, tile_size(c, level, d), *runs);
}

/* Tiles ------------------------------------------------------------------ */

struct tile {
	struct frame frame;
	uint64_t hash;		/* of "own", wherever it lies */
	int64_t low[GRAPH_MAX_DIMS];	/* of its points */
	const struct shape **own;
	int next;		/* next one with the same hash, -1: none */
};

enum { TILE_BUCKETS = 512 };

/* The tiles of a family found so far. */
struct tiling {
	struct counter *c;
	const struct family *f;
	struct region *tmp;
	int n, room;
	struct tile *tile;
	int bucket[TILE_BUCKETS];
};

/* The least corner of the points of a tile, and a hash of their shapes relative
 * to it.
 */
static void find_tile_hash(struct tile *t, const struct parts *own,
	int n_dims)
{
	for (int d = 0; d < n_dims; d++)
		t->low[d] = FAR;
	for (int k = 0; k < own->n; k++)
		for (int d = 0; d < n_dims && own->shape[k]->n > 0; d++)
			t->low[d] = smaller(t->low[d],
				own->shape[k]->hull.low[d]);
	for (int k = 0; k < own->n; k++) {
		const struct shape *s = own->shape[k];

		t->hash = hash_number(t->hash, (int64_t) s->hash);
		for (int d = 0; d < n_dims && s->n > 0; d++)
			t->hash = hash_number(t->hash, s->hull.low[d] -
				t->low[d]);
	}
}

/* Do tiles of further levels find the points of "b" as they find those of "a"? */
static bool lie_alike(const struct tiling *t, const struct tile *a,
	const struct tile *b)
{
	for (int l = t->f->chain.n; l < t->c->machine->n_levels; l++)
		for (int d = 0; d < t->c->graph->n_dims; d++) {
			int64_t size = tile_size(t->c, l, d);

			if (size != 0 && (a->low[d] - b->low[d]) % size != 0)
				return false;
		}
	return true;
}

static bool same_points(const struct tiling *t, const struct tile *a,
	const struct tile *b, int n)
{
	for (int k = 0; k < n; k++) {
		const struct shape *x = a->own[k], *y = b->own[k];

		if (!shapes_are_alike(x, y))
			return false;
		for (int d = 0; d < t->c->graph->n_dims && x->n > 0; d++)
			if (x->hull.low[d] - a->low[d] !=
			    y->hull.low[d] - b->low[d])
				return false;
	}
	return true;
}

/* The tile with the points of "tile" up to a translation, or NULL. */
static struct tile *find_alike(const struct tiling *t, const struct tile *tile,
	int n)
{
	int i = t->bucket[tile->hash % TILE_BUCKETS];

	for (; i >= 0 && !tile->frame.is_origin; i = t->tile[i].next)
		if (t->tile[i].hash == tile->hash &&
		    !t->tile[i].frame.is_origin &&
		    lie_alike(t, &t->tile[i], tile) &&
		    same_points(t, &t->tile[i], tile, n))
			return &t->tile[i];
	return NULL;
}

static void keep_tile(struct tiling *t, const struct tile *tile,
	const struct parts *own)
{
	int *bucket = &t->bucket[tile->hash % TILE_BUCKETS];
	struct tile *old = t->tile, *kept;

	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 16;
		t->tile = region_array(t->tmp, struct tile, t->room);
		if (old)
			memcpy(t->tile, old, sizeof(*old) * (size_t) t->n);
	}
	kept = &t->tile[t->n];
	*kept = *tile;
	kept->own = region_array(t->tmp, const struct shape *, own->n);
	for (int k = 0; k < own->n; k++)
		kept->own[k] = shape_copy(t->c->mem, own->shape[k]);
	kept->next = *bucket;
	*bucket = t->n++;
}

/* The tile where the runs "at" meet, in which stencils have "own", and the number of tiles that
 * it stands for.
 */
static void add_tile(struct tiling *t, const struct frame *parent,
	const struct parts *own, struct run *const *at)
{
	struct tile tile = { .frame = *parent, .own = own->shape }, *alike;

	for (int d = 0; d < t->c->graph->n_dims; d++) {
		tile.frame.is_origin &= at[d]->has_origin;
		tile.frame.times *= at[d]->times;
	}
	find_tile_hash(&tile, own, t->c->graph->n_dims);
	alike = find_alike(t, &tile, own->n);
	if (alike)
		alike->frame.times += tile.frame.times;
	else
		keep_tile(t, &tile, own);
}

static bool any_points(const struct parts *parts)
{
	for (int k = 0; k < parts->n; k++)
		if (parts->shape[k]->n > 0)
			return true;
	return false;
}

struct parts clip_to_run(struct counter *c, struct region *mem,
	const struct family *f, const struct parts *from,
	const struct run *run, int d)
{
	struct parts parts = *from;

	parts.shape = region_array(mem, const struct shape *, from->n);
	for (int k = 0; k < from->n; k++) {
		int64_t shift = f->shift[from->stencil[k]][d];
		struct cuboid slab;

		for (int e = 0; e < c->graph->n_dims; e++) {
			slab.low[e] = e == d ? run->low + shift : -FAR;
			slab.end[e] = e == d ? run->end + shift : FAR;
		}
		parts.shape[k] = shape_clip(c->pile, mem, from->shape[k],
			&slab);
	}
	return parts;
}

/* Cut "parts" into tiles, along dimension "d" and those behind it: into slabs
 * of few cuboids, then lines, then tiles.
 */
static void split_dims(struct tiling *t, const struct frame *parent,
	const struct parts *parts, int d, struct run **at)
{
	struct region *tmp;
	struct run *run;
	int n;

	if (d == t->c->graph->n_dims) {
		add_tile(t, parent, parts, at);
		return;
	}
	tmp = region_new();
	n = find_runs(tmp, t->c, t->f, parts, d, &run);
	for (int i = 0; i < n; i++) {
		struct parts inner = clip_to_run(t->c, tmp, t->f, parts,
			&run[i], d);

		at[d] = &run[i];
		if (any_points(&inner))
			split_dims(t, parent, &inner, d + 1, at);
	}
	region_free(tmp);
}

/* The tile at the origin alone. */
static void split_origin(struct tiling *t, const struct frame *parent,
	const struct parts *parts)
{
	struct run run[GRAPH_MAX_DIMS], *at[GRAPH_MAX_DIMS];
	struct parts inner = *parts;

	for (int d = 0; d < t->c->graph->n_dims; d++) {
		int64_t size = tile_size(t->c, t->f->chain.n - 1, d);

		run[d] = size ? (struct run) { 0, size, 1, true } :
			(struct run) { -FAR, FAR, 1, true };
		at[d] = &run[d];
		inner = clip_to_run(t->c, t->tmp, t->f, &inner, at[d], d);
	}
	add_tile(t, parent, &inner, at);
}

/* The stencils of "f" that partition their points in the parent's tiles. */
static struct parts parts_of(const struct counter *c, const struct family *f,
	struct region *mem)
{
	int level = f->chain.n - 1, n = c->graph->n_stencils;
	struct parts parts = {
		.stencil = region_array(mem, int, n),
		.shape = region_array(mem, const struct shape *, n),
	};

	for (int s = 0; s < n; s++)
		if (has_stencil(f->of, s) &&
		    (halo_of_level(c, level) != HALO_OF ||
		     value_leaves(c, s, stencils_of(f))))
			parts.stencil[parts.n++] = s;
	return parts;
}

/* The tiles found become the frames; own[k] belongs to the k-th part. */
static void keep_tiles(struct counter *c, struct family *f,
	const struct tiling *t, const struct parts *parts)
{
	struct frame *frame = region_array(c->mem, struct frame, t->n);
	int k = parts->n;

	for (int i = 0; i < t->n; i++)
		frame[i] = t->tile[i].frame;
	f->n = t->n;
	f->frame = frame;
	for (int s = c->graph->n_stencils - 1; s >= 0; s--) {
		const struct shape **own = NULL;

		if (!has_stencil(f->of, s))
			continue;
		if (k > 0 && parts->stencil[k - 1] == s) {
			own = region_array(c->mem, const struct shape *, t->n);
			k--;
			for (int i = 0; i < t->n; i++)
				own[i] = t->tile[i].own[k];
		}
		add_layer(c, f, s, own);
	}
}

void split_parent(struct counter *c, struct family *f,
	const struct family *parent)
{
	struct region *tmp = region_new();
	struct tiling *t = region_new_of(tmp, struct tiling);
	struct parts parts = parts_of(c, f, tmp);
	struct run *at[GRAPH_MAX_DIMS] = { 0 };

	*t = (struct tiling) { .c = c, .f = f, .tmp = tmp };
	for (int b = 0; b < TILE_BUCKETS; b++)
		t->bucket[b] = -1;
	for (int i = 0; i < parent->n; i++) {
		for (int k = 0; k < parts.n; k++)
			parts.shape[k] = layer_of(parent,
				parts.stencil[k])->points[i];
		if (f->at_origin)
			split_origin(t, &parent->frame[i], &parts);
		else
			split_dims(t, &parent->frame[i], &parts, 0, at);
	}
	keep_tiles(c, f, t, &parts);
	region_free(tmp);
}

/* The tiles of groups, cut out of those around them (2.3 to 2.6 of [MO]).
 *
 * Between the bounds of the points that are to be tiled all whole tiles are
 * equal, and others that turn out to be are joined, so there are few frames, and
 * the sums over tiles are exact.
 *
 * The halo of a group is that of its level.  By computation on the fly a tile
 * holds of each stencil what the tile's part of the outputs needs:
 *
 *	Y_s = B_s + union over the stencils r of the group that read s of
 *		{ y + offset : y in Y_r }
 *
 * which composes T_gs with the inverse of D_g+; B_s is what a tile has of an
 * output of the group.  Tiles of halo exchanges are the cuboids themselves,
 * those of sequential ones shifted by sigma (MO-A2).
 *
 * Y_s does not depend on the stencils of the group before s.  If the value of
 * its first stencil does not leave it, a group has the tiles that it has without
 * that stencil, and one layer more.
 */
#include <stdlib.h>
#include <string.h>

#include "model/graph/tiles.h"

bool value_leaves(const struct counter *c, int s, uint64_t set)
{
	int out = c->graph->stencil[s].out;

	return c->graph->field[out].is_output || (c->readers[out] & ~set);
}

enum halo halo_of_level(const struct counter *c, int level)
{
	return c->machine->level[level].halo;
}

int64_t tile_size(const struct counter *c, int level, int d)
{
	return c->machine->level[level].tile[c->graph->n_dims - 1 - d];
}

bool keeps_frames(const struct counter *c, int level)
{
	for (int d = 0; d < c->graph->n_dims; d++)
		if (tile_size(c, level, d) != 0)
			return false;
	return halo_of_level(c, level) != HALO_OF ||
		halo_of_level(c, level - 1) == HALO_OF;
}

/* Chains ----------------------------------------------------------------- */

struct chain chain_needed(const struct counter *c, const struct chain *chain,
	uint64_t set)
{
	struct chain needed = { .n = chain->n, .set = { chain->set[0] } };
	uint64_t after = 0;

	for (int s = 0; s < c->graph->n_stencils; s++)
		if (has_stencil(set, s))
			after |= c->after[s];
	for (int l = 1; l < chain->n; l++)
		needed.set[l] = chain->set[l] & after;
	return needed;
}

uint64_t hash_of_chain(const struct chain *chain)
{
	uint64_t hash = (uint64_t) chain->n;

	for (int l = 0; l < chain->n; l++)
		hash = hash_number(hash, (int64_t) chain->set[l]);
	return hash;
}

bool same_chain(const struct chain *a, const struct chain *b)
{
	return a->n == b->n && !memcmp(a->set, b->set, sizeof(*a->set) *
		(size_t) a->n);
}

static uint64_t set_of(const struct family *f)
{
	return f->chain.set[f->chain.n - 1];
}

int first_stencil(uint64_t set)
{
	int s = 0;

	while (!has_stencil(set, s))
		s++;
	return s;
}

struct layer *layer_of(const struct family *f, int s)
{
	struct layer *layer = f->top;

	while (layer->stencil != s)
		layer = layer->below;
	return layer;
}

/* Layers ----------------------------------------------------------------- */

void add_reads(struct counter *c, int s, const struct shape *points,
	int field)
{
	for (int i = 0; i < c->reads[s].n; i++)
		if (c->reads[s].of[i].field == field)
			pile_add_sum(c->pile, points,
				&c->reads[s].of[i].offsets);
}

void extend_points(struct counter *c, const struct shape **all, uint64_t set)
{
	for (int s = c->graph->n_stencils - 1; s >= 0; s--) {
		int out = c->graph->stencil[s].out;

		if (!has_stencil(set, s))
			continue;
		if (value_leaves(c, s, set))
			pile_add_shape(c->pile, all[s]);
		for (int r = s + 1; r < c->graph->n_stencils; r++)
			if (has_stencil(set & c->readers[out], r))
				add_reads(c, r, all[r], out);
		all[s] = pile_take(c->pile, c->mem);
	}
}

/* The index of "field" in what the stencil of "layer" reads, or -1. */
static int find_read(const struct counter *c, const struct layer *layer,
	int field)
{
	const struct stencil_reads *reads = &c->reads[layer->stencil];

	for (int k = 0; k < reads->n; k++)
		if (reads->of[k].field == field)
			return k;
	return -1;
}

struct layer *layer_that_reads(const struct counter *c, struct layer *layer,
	int field)
{
	while (layer && find_read(c, layer, field) < 0)
		layer = layer->below;
	return layer;
}

int64_t count_values_of(struct counter *c, int field)
{
	pile_flatten(c->pile, c->graph->field[field].dims);
	return pile_count(c->pile);
}

static int64_t count_shape(struct counter *c, const struct shape *s, int field)
{
	unsigned all = (1u << c->graph->n_dims) - 1;

	if ((c->graph->field[field].dims & all) == all)
		return s->points;
	pile_add_shape(c->pile, s);
	return count_values_of(c, field);
}

const struct values *values_read(struct counter *c, struct layer *layer,
	int field)
{
	int k = find_read(c, layer, field);
	struct values *v = &layer->values[k];
	struct layer *next = layer_that_reads(c, layer->below, field);
	const struct values *below = NULL;

	if (v->shape)
		return v;
	if (next)
		below = values_read(c, next, field);
	v->shape = region_array(c->mem, const struct shape *, layer->n);
	for (int i = 0; i < layer->n; i++) {
		pile_add_sum(c->pile, layer->points[i],
			&c->reads[layer->stencil].of[k].offsets);
		if (below)
			pile_add_shape(c->pile, below->shape[i]);
		v->shape[i] = pile_take(c->pile, c->mem);
		v->n += layer->frame[i].times * count_shape(c, v->shape[i],
			field);
	}
	return v;
}

/* "own" and "read"; NULL: nothing. */
static const struct shape *unite(struct counter *c, const struct shape *own,
	const struct shape *read)
{
	if (own && own->n > 0 && (!read || read->n == 0))
		return own;
	if (read && read->n > 0 && (!own || own->n == 0))
		return read;
	if (own)
		pile_add_shape(c->pile, own);
	if (read)
		pile_add_shape(c->pile, read);
	return pile_take(c->pile, c->mem);
}

/* Y_s of "layer", which is to be put above those of "f". */
static void find_points(struct counter *c, struct layer *layer,
	const struct family *f)
{
	int out = c->graph->stencil[layer->stencil].out;
	struct layer *reader = layer_that_reads(c, f->top, out);
	const struct shape **read = reader ?
		values_read(c, reader, out)->shape : NULL;

	layer->points = !read ? layer->own : !layer->own ? read : NULL;
	if (layer->points)
		return;
	layer->points = region_array(c->mem, const struct shape *, f->n);
	for (int i = 0; i < f->n; i++)
		layer->points[i] = unite(c, layer->own ? layer->own[i] : NULL,
			read ? read[i] : NULL);
}

/* Put "layer" above the others of the family, its points known. */
static void put_layer(struct counter *c, struct family *f,
	struct layer *layer)
{
	layer->below = f->top;
	layer->n = f->n;
	layer->frame = f->frame;
	layer->values = region_array(c->mem, struct values,
		c->reads[layer->stencil].n);
	for (int i = 0; i < f->n; i++)
		layer->n_points += f->frame[i].times * layer->points[i]->points;
	f->top = layer;
}

/* A layer for "s", of which tiles have "own". */
static void add_layer(struct counter *c, struct family *f, int s,
	const struct shape **own)
{
	struct layer *layer = region_new_of(c->mem, struct layer);

	layer->stencil = s;
	layer->own = own;
	if (halo_of_level(c, f->chain.n - 1) == HALO_OF)
		find_points(c, layer, f);
	else
		layer->points = own;
	put_layer(c, f, layer);
}

/* Runs of tiles ---------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

int64_t floor_of(int64_t a, int64_t b)
{
	return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/* The runs of tiles of "size" between the sorted "bound"s. */
static int runs_between(const int64_t *bound, int n, int64_t size,
	struct run *run)
{
	int n_runs = 0;

	for (int i = 0; i < n; i++) {
		int64_t q = floor_of(bound[i], size), whole, last;

		if (bound[i] != q * size && (i == 0 ||
		    floor_of(bound[i - 1], size) != q ||
		    bound[i - 1] == q * size))
			run[n_runs++] = (struct run) { q * size,
				(q + 1) * size, 1, q == 0 };
		if (i + 1 == n)
			break;
		whole = floor_of(bound[i] + size - 1, size);
		last = floor_of(bound[i + 1], size) - 1;
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

/* Widen "own" of "s", if there is "any", by what "r" reads of it ahead. */
static void read_ahead(const struct counter *c, int s, int r,
	const int64_t *reader, int64_t *own, bool *any)
{
	const struct graph_stencil *st = &c->graph->stencil[r];

	for (int i = 0; i < st->n_in; i++) {
		if (st->in[i].field != c->graph->stencil[s].out)
			continue;
		for (int d = 0; d < c->graph->n_dims; d++) {
			int64_t x = reader[d] + st->in[i].offset[d];

			if (!*any || x > own[d])
				own[d] = x;
		}
		*any = true;
	}
}

/* sigma of the level: the outputs' is 0, and what a stencil of the group
 * reads ahead of a tile is computed that much later.
 */
static void add_shifts(const struct counter *c, struct family *f)
{
	int64_t own[GRAPH_MAX_STENCILS][GRAPH_MAX_DIMS] = { 0 };
	int n = c->graph->n_stencils;

	for (int s = n - 1; s >= 0; s--) {
		bool any = value_leaves(c, s, set_of(f));

		if (!has_stencil(set_of(f), s))
			continue;
		for (int r = s + 1; r < n; r++)
			if (has_stencil(set_of(f), r))
				read_ahead(c, s, r, own[r], own[s], &any);
		for (int d = 0; d < c->graph->n_dims; d++)
			f->shift[s][d] += own[s][d];
	}
}

/* Tiles ------------------------------------------------------------------ */

struct tile {
	struct frame frame;
	uint64_t hash;		/* of "own", wherever it lies */
	int64_t low[GRAPH_MAX_DIMS];	/* of its points */
	const struct shape **own;
	int next;		/* with the same hash, -1: none */
};

enum { TILE_BUCKETS = 512 };

/* The tiles of a family as they are found. */
struct tiling {
	struct counter *c;
	const struct family *f;
	struct region *tmp;
	int n, room;
	struct tile *tile;
	int bucket[TILE_BUCKETS];
};

/* The least corner of the points of a tile, and what their shapes are beside
 * it, as a number.
 */
static void find_tile_hash(struct tile *t, const struct parts *own,
	int n_dims)
{
	for (int d = 0; d < n_dims; d++)
		t->low[d] = FAR;
	for (int k = 0; k < own->n; k++)
		for (int d = 0; d < n_dims && own->shape[k]->n > 0; d++)
			if (own->shape[k]->hull.low[d] < t->low[d])
				t->low[d] = own->shape[k]->hull.low[d];
	for (int k = 0; k < own->n; k++) {
		const struct shape *s = own->shape[k];

		t->hash = hash_number(t->hash, (int64_t) s->hash);
		for (int d = 0; d < n_dims && s->n > 0; d++)
			t->hash = hash_number(t->hash, s->hull.low[d] -
				t->low[d]);
	}
}

/* Do the tiles of the levels beyond find the points of "b" as they do those of
 * "a"?
 */
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

/* The tile that has the points of "tile" but for a translation, or NULL. */
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

/* The tile where the runs "at" meet, of which stencils have "own", and as many as
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

/* Cut "parts" into tiles, dimension "d" and those behind it: slabs of few
 * cuboids, then lines, then tiles.
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

/* The stencils of "f" that share out what the parent's tiles have of them. */
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
		     value_leaves(c, s, set_of(f))))
			parts.stencil[parts.n++] = s;
	return parts;
}

/* The tiles found are the frames; of the k-th part they have own[k]. */
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

/* Cut the points that the tiles of the parent have into tiles. */
static void split_parent(struct counter *c, struct family *f,
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

/* The tiles are those of the parent. */
static void keep_frames_of(struct counter *c, struct family *f,
	const struct family *parent)
{
	f->n = parent->n;
	f->frame = parent->frame;
	for (int s = c->graph->n_stencils - 1; s >= 0; s--) {
		const struct layer *outer;
		struct layer *layer;

		if (!has_stencil(f->of, s))
			continue;
		outer = layer_of(parent, s);
		layer = region_new_of(c->mem, struct layer);
		layer->stencil = s;
		layer->own = layer->points = outer->points;
		put_layer(c, f, layer);
	}
}

/* The part of the root's origin tile that is "s"'s. */
static const struct shape *root_tile(struct counter *c,
	const struct family *f, int s)
{
	struct cuboid tile;

	for (int d = 0; d < c->graph->n_dims; d++) {
		int64_t size = tile_size(c, 0, d);

		tile.low[d] = f->shift[s][d];
		tile.end[d] = tile.low[d] + (size ? size : 1);
	}
	pile_add(c->pile, &tile);
	return pile_take(c->pile, c->mem);
}

static void add_whole(struct counter *c, struct family *f, int s)
{
	struct layer *layer = region_new_of(c->mem, struct layer);

	layer->stencil = s;
	layer->points = region_array(c->mem, const struct shape *, 1);
	pile_add(c->pile, &c->whole[s]);
	layer->points[0] = pile_take(c->pile, c->mem);
	layer->own = value_leaves(c, s, set_of(f)) ? layer->points : NULL;
	put_layer(c, f, layer);
}

/* The origin tile of the root, all of it. */
static void find_root(struct counter *c, struct family *f)
{
	struct frame *frame = region_new_of(c->mem, struct frame);

	*frame = (struct frame) { .times = 1, .is_origin = true };
	f->n = 1;
	f->frame = frame;
	for (int s = c->graph->n_stencils - 1; s >= 0; s--) {
		const struct shape **own = NULL;

		if (c->whole) {
			add_whole(c, f, s);
			continue;
		}
		if (halo_of_level(c, 0) != HALO_OF ||
		    value_leaves(c, s, set_of(f))) {
			own = region_array(c->mem, const struct shape *, 1);
			own[0] = root_tile(c, f, s);
		}
		add_layer(c, f, s, own);
	}
}

/* Families --------------------------------------------------------------- */

/* The family of the group without its first stencil, if that has the same
 * tiles, or NULL.
 */
static const struct family *find_rest(struct counter *c,
	const struct family *f)
{
	int l = f->chain.n - 1, first = first_stencil(set_of(f));
	struct chain rest = f->chain;

	rest.set[l] &= ~only_stencil(first);
	if (rest.set[l] == 0 || halo_of_level(c, l) != HALO_OF ||
	    value_leaves(c, first, set_of(f)))
		return NULL;
	return family_of(c, &rest, rest.set[l], f->at_origin);
}

static void find_frames(struct counter *c, struct family *f)
{
	const struct family *parent, *rest;
	struct chain outer = f->chain;

	f->is_bare = false;
	if (--outer.n == 0) {
		find_root(c, f);
		return;
	}
	parent = family_of(c, &outer, f->of, f->at_origin);
	if (keeps_frames(c, f->chain.n - 1)) {
		keep_frames_of(c, f, parent);
		return;
	}
	rest = find_rest(c, f);
	if (!rest) {
		split_parent(c, f, parent);
		return;
	}
	f->n = rest->n;
	f->frame = rest->frame;
	f->top = rest->top;
	add_layer(c, f, first_stencil(set_of(f)), NULL);
}

/* Where the tiles of "f" lie. */
static void find_shifts(struct counter *c, struct family *f)
{
	int64_t (*outer)[GRAPH_MAX_DIMS] = NULL;
	struct chain chain = f->chain;

	if (--chain.n > 0)
		outer = bare_family_of(c, &chain, f->of, f->at_origin)->shift;
	f->shift = outer;
	if (outer && halo_of_level(c, chain.n) != HALO_HS)
		return;
	f->shift = region_alloc(c->mem, sizeof(*outer) *
		(size_t) c->graph->n_stencils);
	if (outer)
		memcpy(f->shift, outer, sizeof(*outer) *
			(size_t) c->graph->n_stencils);
	if (halo_of_level(c, chain.n) == HALO_HS)
		add_shifts(c, f);
}

struct family *bare_family_of(struct counter *c, const struct chain *asked,
	uint64_t of, bool at_origin)
{
	struct chain chain = chain_needed(c, asked, of);
	struct family *f, **bucket;

	if (chain.n == 1)
		at_origin = false;
	if (chain.n == 1 || halo_of_level(c, chain.n - 1) == HALO_OF)
		of = chain.set[chain.n - 1];
	bucket = &c->family[hash_number(hash_of_chain(&chain), (int64_t) of) %
		BUCKETS];
	for (f = *bucket; f; f = f->next)
		if (f->of == of && f->at_origin == at_origin &&
		    same_chain(&f->chain, &chain))
			return f;
	f = region_new_of(c->mem, struct family);
	*f = (struct family) { .chain = chain, .of = of,
		.at_origin = at_origin, .is_bare = true, .next = *bucket };
	*bucket = f;
	find_shifts(c, f);
	return f;
}

const struct family *family_of(struct counter *c, const struct chain *chain,
	uint64_t of, bool at_origin)
{
	struct family *f = bare_family_of(c, chain, of, at_origin);

	if (f->is_bare)
		find_frames(c, f);
	return f;
}

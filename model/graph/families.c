/* Families of tiles, each computed once.
 *
 * Y_s does not depend on the stencils of the group before s.  If the value of its first stencil
 * does not leave it, a group has the same tiles as without that stencil, and one more layer.
 */
#include <string.h>

#include "model/graph/tiles.h"

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

/* The share of "s" in the root's origin tile. */
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
	layer->own = value_leaves(c, s, stencils_of(f)) ? layer->points : NULL;
	put_layer(c, f, layer);
}

/* The whole origin tile of the root. */
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
		    value_leaves(c, s, stencils_of(f))) {
			own = region_array(c->mem, const struct shape *, 1);
			own[0] = root_tile(c, f, s);
		}
		add_layer(c, f, s, own);
	}
}
/* Families --------------------------------------------------------------- */

/* The family of the group without its first stencil, if that has the same
 * tiles; or NULL.
 */
static const struct family *find_rest(struct counter *c,
	const struct family *f)
{
	int l = f->chain.n - 1, first = first_stencil(stencils_of(f));
	struct chain rest = f->chain;

	rest.set[l] &= ~only_stencil(first);
	if (rest.set[l] == 0 || halo_of_level(c, l) != HALO_OF ||
	    value_leaves(c, first, stencils_of(f)))
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
	add_layer(c, f, first_stencil(stencils_of(f)), NULL);
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

/* sigma of the level: 0 for outputs; what a stencil of the group reads ahead of
 * a tile is computed that much later.
 */
static void add_shifts(const struct counter *c, struct family *f)
{
	int64_t own[GRAPH_MAX_STENCILS][GRAPH_MAX_DIMS] = { 0 };
	int n = c->graph->n_stencils;

	for (int s = n - 1; s >= 0; s--) {
		bool any = value_leaves(c, s, stencils_of(f));

		if (!has_stencil(stencils_of(f), s))
			continue;
		for (int r = s + 1; r < n; r++)
			if (has_stencil(stencils_of(f), r))
				read_ahead(c, s, r, own[r], own[s], &any);
		for (int d = 0; d < c->graph->n_dims; d++)
			f->shift[s][d] += own[s][d];
	}
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

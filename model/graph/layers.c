/* The layers of groups: what a tile has of each stencil, above those that read it (2.3 to 2.6
 * of [MO]).
 *
 * The halo of a group is its level's.  With computation on the fly a tile holds of each stencil
 * what its part of the outputs needs:
 *
 *	Y_s = B_s + union over the stencils r of the group that read s of
 *		{ y + offset : y in Y_r }
 *
 * which composes T_gs with the inverse of D_g+; B_s is what a tile has of an output of the
 * group.  With halo exchanges, tiles are the cuboids themselves; with sequential ones, the
 * cuboids shifted by sigma (MO-A2).
 */
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

/* The index of "field" among the reads of the stencil of "layer", or -1. */
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

/* The union of "own" and "read"; NULL: empty. */
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

/* Y_s of "layer", about to be put above those of "f". */
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

void put_layer(struct counter *c, struct family *f, struct layer *layer)
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

void add_layer(struct counter *c, struct family *f, int s,
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

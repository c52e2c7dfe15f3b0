#include <string.h>

#include "tests/unit/graph-maps.h"

/* A group of the variant: the stencils first .. last and its level, from 0. */
struct group {
	isl_ctx *ctx;
	const struct graph *graph;
	const struct graph_machine *machine;
	int level, first, last;
};

/* { [x] -> [x + sign * offset] } */
static __isl_give isl_map *move(isl_ctx *ctx, int n_dims,
	const int64_t *offset, int sign)
{
	isl_space *space = isl_space_set_alloc(ctx, 0, (unsigned) n_dims);
	isl_multi_aff *ma = isl_multi_aff_identity(
		isl_space_map_from_set(space));

	for (int d = 0; d < n_dims; d++) {
		isl_aff *x = isl_multi_aff_get_aff(ma, d);

		x = isl_aff_add_constant_si(x, (int) (sign * offset[d]));
		ma = isl_multi_aff_set_aff(ma, d, x);
	}
	return isl_map_from_multi_aff(ma);
}

/* { [x] -> [floor((x - shift) / t)] }, 0 where there is no tiling */
static __isl_give isl_map *box_tiles(const struct group *g,
	const int64_t *shift)
{
	const struct graph_level *level = &g->machine->level[g->level];
	isl_space *space = isl_space_set_alloc(g->ctx, 0,
		(unsigned) g->graph->n_dims);
	isl_multi_aff *ma = isl_multi_aff_identity(
		isl_space_map_from_set(space));

	for (int d = 0; d < g->graph->n_dims; d++) {
		int64_t t = level->tile[g->graph->n_dims - 1 - d];
		isl_aff *x = isl_multi_aff_get_aff(ma, d);

		if (t == 0) {
			x = isl_aff_scale_val(x, isl_val_zero(g->ctx));
		} else {
			x = isl_aff_add_constant_si(x, (int) -shift[d]);
			x = isl_aff_floor(isl_aff_scale_down_val(x,
				isl_val_int_from_si(g->ctx, (long) t)));
		}
		ma = isl_multi_aff_set_aff(ma, d, x);
	}
	return isl_map_from_multi_aff(ma);
}

static bool leaves(const struct group *g, int s)
{
	if (g->graph->field[g->graph->stencil[s].out].is_output)
		return true;
	for (int r = 0; r < g->graph->n_stencils; r++)
		if ((r < g->first || r > g->last) &&
		    graph_depends(g->graph, r, s))
			return true;
	return false;
}

/* sigma of stencil "s" in a group with a sequential halo exchange (MO-A2). */
static void find_shift(const struct group *g, int s, int64_t *shift)
{
	bool any = leaves(g, s);

	memset(shift, 0, sizeof(*shift) * GRAPH_MAX_DIMS);
	for (int r = s + 1; r <= g->last; r++) {
		int64_t of[GRAPH_MAX_DIMS];

		if (!graph_depends(g->graph, r, s))
			continue;
		find_shift(g, r, of);
		for (int i = 0; i < g->graph->stencil[r].n_in; i++) {
			const struct graph_read *in =
				&g->graph->stencil[r].in[i];

			if (in->field != g->graph->stencil[s].out)
				continue;
			for (int d = 0; d < g->graph->n_dims; d++)
				if (!any || of[d] + in->offset[d] > shift[d])
					shift[d] = of[d] + in->offset[d];
			any = true;
		}
	}
}

/* T_gs: the tiles of the parent, and in them those of the group. */
static __isl_give isl_map *nested_tiles(const struct group *g,
	__isl_keep isl_map *parent, const int64_t *shift)
{
	isl_map *own = box_tiles(g, shift);

	return parent ? isl_map_flat_range_product(isl_map_copy(parent), own) :
		own;
}

/* T_g[s] in tiles[s], in place of T_p[s]: by computation on the fly the union
 * over the outputs of T_gs composed with the inverse of D_g+.
 */
static void tile_group(const struct group *g, isl_map **tiles,
	int64_t (*shift)[GRAPH_MAX_DIMS])
{
	enum halo halo = g->machine->level[g->level].halo;

	for (int s = g->last; s >= g->first; s--) {
		isl_map *all, *own;

		if (halo == HALO_HS) {
			int64_t more[GRAPH_MAX_DIMS];

			find_shift(g, s, more);
			for (int d = 0; d < g->graph->n_dims; d++)
				shift[s][d] += more[d];
		}
		own = nested_tiles(g, tiles[s], shift[s]);
		all = halo != HALO_OF || leaves(g, s) ? isl_map_copy(own) :
			isl_map_empty(isl_map_get_space(own));
		isl_map_free(own);
		for (int r = s + 1; halo == HALO_OF && r <= g->last; r++)
			for (int i = 0; i < g->graph->stencil[r].n_in; i++) {
				const struct graph_read *in =
					&g->graph->stencil[r].in[i];

				if (in->field == g->graph->stencil[s].out)
					all = isl_map_union(all,
						isl_map_apply_range(move(g->ctx,
						g->graph->n_dims, in->offset,
						-1), isl_map_copy(tiles[r])));
			}
		isl_map_free(tiles[s]);
		tiles[s] = isl_map_coalesce(all);
	}
}

/* T of all stencils. */
static void tile_all(isl_ctx *ctx, const struct graph *graph,
	const struct graph_machine *machine, const int *together,
	isl_map **tiles)
{
	int64_t shift[GRAPH_MAX_STENCILS][GRAPH_MAX_DIMS] = { 0 };
	int n = graph->n_stencils;

	for (int s = 0; s < n; s++)
		tiles[s] = NULL;
	for (int l = 0; l < machine->n_levels; l++)
		for (int first = 0, last; first < n; first = last + 1) {
			struct group g = { ctx, graph, machine, l, first, 0 };

			last = first;
			while (last + 1 < n && together[last] > l)
				last++;
			g.last = last;
			tile_group(&g, tiles, shift);
		}
}

static void release(void *map)
{
	isl_map_free(map);
}

struct tilings *tilings_new(struct region *mem, isl_ctx *ctx,
	const struct graph *graph, const struct graph_machine *machine,
	const int *together)
{
	struct tilings *t = region_new_of(mem, struct tilings);

	t->ctx = ctx;
	t->graph = graph;
	tile_all(ctx, graph, machine, together, t->tiles);
	for (int s = 0; s < graph->n_stencils; s++)
		region_own(mem, t->tiles[s], release);
	return t;
}

__isl_give isl_map *map_of_inputs(const struct tilings *t, int first,
	int last, int field)
{
	isl_map *map = isl_map_empty(isl_map_get_space(t->tiles[0]));

	for (int s = first; s <= last; s++)
		for (int i = 0; i < t->graph->stencil[s].n_in; i++) {
			const struct graph_read *in =
				&t->graph->stencil[s].in[i];

			if (in->field == field)
				map = isl_map_union(map, isl_map_apply_range(
					move(t->ctx, t->graph->n_dims,
						in->offset, -1),
					isl_map_copy(t->tiles[s])));
		}
	return map;
}

int64_t map_count(__isl_take isl_map *map, int n_dims, int levels, int origin)
{
	int all = (int) isl_map_dim(map, isl_dim_out);
	isl_set *pairs;
	isl_val *n;
	int64_t count;

	for (int d = 0; d < origin * n_dims; d++)
		map = isl_map_fix_si(map, isl_dim_out, (unsigned) d, 0);
	map = isl_map_project_out(map, isl_dim_out,
		(unsigned) (levels * n_dims),
		(unsigned) (all - levels * n_dims));
	pairs = isl_map_wrap(map);
	n = isl_set_count_val(pairs);
	count = isl_val_get_num_si(n);
	isl_val_free(n);
	isl_set_free(pairs);
	return count;
}

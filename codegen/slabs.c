/* The tiles of kernels that run slab after slab, see struct slab. */
#include "codegen/codegen.h"

static const struct kx *edge_tile(struct region *r, const struct plan *plan,
	const struct kernel_names *names, bool last)
{
	return tile_of_edge(r, plan, names, kx_int(r, 0), 0, last);
}

static bool is_zero(const struct kx *x)
{
	return x->kind == KX_INT && x->ivalue == 0;
}

/* slab*tiles - behind, or of the last tile slab*tiles + tiles - behind - 1 */
const struct kx *tile_of_slab(struct region *r, const struct plan *plan,
	const struct kernel_names *names, bool last)
{
	const struct slab *slab = &plan->slab;
	const struct kx *edge = edge_tile(r, plan, names, last);
	const struct kx *own = kx_name(r, names->slab);

	if (slab->tiles > 1)
		own = kx_binary(r, OP_MUL, own, kx_int(r, slab->tiles));
	own = kx_add(r, own, (last ? slab->tiles - 1 : 0) - slab->behind);
	if (!last && slab->behind == 0 && is_zero(edge))
		return own;
	return kx_call(r, last ? "imin" : "imax", 2, edge, own);
}

/* The slab of the last tile, be it one before the first: 0. */
static const struct kx *last_slab(struct region *r, const struct plan *plan,
	const struct kernel_names *names)
{
	const struct slab *slab = &plan->slab;
	const struct kx *tile = kx_add(r, edge_tile(r, plan, names, true),
		slab->behind);

	if (tile->kind == KX_INT)
		return kx_int(r, tile->ivalue / slab->tiles);
	return slab->tiles > 1 ? kx_binary(r, OP_DIV, tile,
		kx_int(r, slab->tiles)) : tile;
}

const struct kx *count_slabs(struct region *r, const struct plan *plans,
	int n, const struct kernel_names *names)
{
	const struct kx *most = last_slab(r, plans, names);

	for (int i = 1; i < n; i++) {
		const struct kx *last = last_slab(r, &plans[i], names);

		if (kx_same(most, last))
			continue;
		if (most->kind == KX_INT && last->kind == KX_INT)
			most = most->ivalue >= last->ivalue ? most : last;
		else
			most = kx_call(r, "imax", 2, most, last);
	}
	return kx_add(r, most, 1);
}

int plans_of_slab(const struct plan *plans, int n)
{
	int together = 1;

	while (plans->slab.tiles > 0 && together < n &&
	       plans[together].slab.group == plans->slab.group)
		together++;
	return together;
}

/* "0, -4": where the kernels begin in slab 0. */
static const char *first_points(struct region *r, const struct plan *plans,
	int n)
{
	const char *points = "";

	for (int i = 0; i < n; i++)
		points = region_printf(r, "%s%s%d", points, i ? ", " : "",
			-plans[i].slab.behind * plans[i].pitch[0]);
	return points;
}

const char *slab_comment(struct region *r, const struct plan *plans, int n)
{
	const char *along = kernel_names_new(r, plans->scop->prog)->point[0];
	bool shifted = false;

	for (int i = 0; i < n; i++)
		shifted |= plans[i].slab.behind > 0;
	return region_printf(r, "Slabs of %d points along %s: what a kernel hands "
		"on still lies in the cache.%s", plans->slab.tiles *
		plans->pitch[0], along, shifted ? region_printf(r, "\nA kernel "
		"that reads ahead is behind: in slab 0 they begin at %s = "
		"%s.", along, first_points(r, plans, n)) : "");
}

/* The tiles of kernels that run slab after slab, see struct slab. */
#include "codegen/host/host.h"

static bool is_zero(const struct kx *x)
{
	return x->kind == KX_INT && x->ivalue == 0;
}

/* "edge", a tile along dimension 0, clipped to the slab, which has the tiles from slab*tiles -
 * behind to slab*tiles + tiles - behind - 1.
 */
static const struct kx *clip_to_slab(struct region *r, const struct plan *plan,
	const struct kernel_names *names, const struct kx *edge, bool last)
{
	const struct slab *slab = &plan->slab;
	const struct kx *own = kx_name(r, names->slabs.slab);

	if (slab->tiles > 1)
		own = kx_binary(r, OP_MUL, own, kx_int(r, slab->tiles));
	own = kx_add(r, own, (last ? slab->tiles - 1 : 0) - slab->behind);
	if (!last && slab->behind == 0 && is_zero(edge))
		return own;
	return kx_builtin(r, last ? B_MIN : B_MAX, 2, edge, own);
}

const struct kx *tile_to_launch(struct region *r, const struct plan *plan,
	const struct kernel_names *names, const struct kx *phase, int dim,
	bool last)
{
	const struct kx *edge = tile_of_edge(r, plan, names, phase, dim, last);

	return dim == 0 && plan->slab.tiles > 0 ? clip_to_slab(r, plan, names,
		edge, last) : edge;
}

/* The slab of the last tile; even if no tile exists, 0. */
static const struct kx *last_slab(struct region *r, const struct plan *plan,
	const struct kernel_names *names)
{
	const struct slab *slab = &plan->slab;
	const struct kx *tile = kx_add(r, tile_of_edge(r, plan, names,
		kx_int(r, 0), 0, true), slab->behind);

	if (tile->kind == KX_INT)
		return kx_int(r, tile->ivalue / slab->tiles);
	return slab->tiles > 1 ? kx_binary(r, OP_DIV, tile,
		kx_int(r, slab->tiles)) : tile;
}

/* How many slabs the plans run, at least 1. */
static const struct kx *count_slabs(struct region *r,
	const struct plan *plans, int n, const struct kernel_names *names)
{
	const struct kx *most = last_slab(r, plans, names);

	for (int i = 1; i < n; i++) {
		const struct kx *last = last_slab(r, &plans[i], names);

		if (kx_same(most, last))
			continue;
		if (most->kind == KX_INT && last->kind == KX_INT)
			most = most->ivalue >= last->ivalue ? most : last;
		else
			most = kx_max(r, most, last);
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

/* "0, -4": the first tiles of the kernels in slab 0. */
static const char *first_points(struct region *r, const struct plan *plans,
	int n)
{
	const char *points = "";

	for (int i = 0; i < n; i++)
		points = region_printf(r, "%s%s%d", points, i ? ", " : "",
			-plans[i].slab.behind * plans[i].pitch[0]);
	return points;
}

static const char *comment_of(const struct host *h, const struct plan *plans,
	int n)
{
	const char *along = h->names->point[0];
	bool shifted = false;

	for (int i = 0; i < n; i++)
		shifted |= plans[i].slab.behind > 0;
	return region_printf(h->mem, "Slabs of %d points along %s: what a kernel "
		"hands on still lies in the cache.%s", plans->slab.tiles *
		plans->pitch[0], along, shifted ? region_printf(h->mem,
			"\nA kernel that reads ahead is behind: in slab 0 they "
			"begin at %s = %s.", along, first_points(h->mem, plans,
				n)) : "");
}

struct ks *slab_loop(const struct host *h, const struct plan *plans, int n,
	struct ks *body)
{
	const struct kernel_names *names = h->names;
	struct ks *block = ks_block(h->mem);

	ks_add(h->mem, block, ks_comment(h->mem, "%s", comment_of(h, plans,
		n)));
	host_declare_int(h, block, names->slabs.number, count_slabs(h->mem,
		plans, n, names));
	ks_add(h->mem, block, ks_for(h->mem, names->slabs.slab, integer(h, 0),
		op(h, OP_LT, name(h, names->slabs.slab), name(h,
		names->slabs.number)), integer(h, 1), body));
	return block;
}

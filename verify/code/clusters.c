/* Clusters: blocks side by side that take a tile together, and leave rows of strips in the shared
 * memory of each other.
 *
 * Warps are numbered through, block after block.  An array in shared memory has a place for each
 * warp of a block.  That of the block with the next warp, or with the warp before, has a name of
 * its own in the code, and a warp uses its neighbour's place there alone.  What it leaves in that
 * place is for this neighbour, and each warp takes what was left in its own.
 * The first and the last warp of a cluster are neighbours, too: nothing stored depends on that.
 */
#include <string.h>

#include "verify/code/registers.h"

/* Warps --------------------------------------------------------------------- */

/* rank * warps of a block + the warp in it */
bool is_warp_of_cluster(const struct lanes *l, const char *name,
	const struct kx *x)
{
	struct region *mem = l->w->c->mem;
	const struct kx *rank = kx_cast(mem, ctype(CT_INT), kx_builtin(mem,
		B_CLUSTER_RANK, 0));

	return is_clustered(l) && x && !strcmp(name, l->names->lanes.warp) &&
		kx_same(x, kx_binary(mem, OP_ADD, kx_binary(mem, OP_MUL, rank,
			kx_int(mem, warps_of_block(l))), kx_cast(mem,
			ctype(CT_INT), kx_axis(mem, B_THREAD, 1))));
}

/* warp > 0 ? warp - 1 : last is -1 further, warp < last ? warp + 1 : 0 is 1; others 0. */
static int neighbour_called(const struct lanes *l, const char *name)
{
	struct region *mem = l->w->c->mem;
	const struct named *s = scalar_called(l, name);
	const struct kx *warp = kx_name(mem, l->names->lanes.warp);
	const struct kx *last = kx_int(mem, l->s.warps - 1);
	const struct kx *first = kx_int(mem, 0);

	if (!s || !s->is)
		return 0;
	if (kx_same(s->is, kx_select(mem, kx_binary(mem, OP_GT, warp, first),
	    kx_add(mem, warp, -1), last)))
		return -1;
	return kx_same(s->is, kx_select(mem, kx_binary(mem, OP_LT, warp, last),
		kx_add(mem, warp, 1), first));
}

/* "x" is a neighbour by or modulo the warps of a block: how much further, else 0. */
static int neighbour_by(const struct lanes *l, const struct kx *x, enum op op)
{
	if (op == OP_DIV && warps_of_block(l) == 1)
		return x->kind == KX_NAME ? neighbour_called(l, x->name) : 0;
	return x->kind == KX_BINARY && x->op == op &&
		kx_is_int(x->arg[1], warps_of_block(l)) &&
		x->arg[0]->kind == KX_NAME ? neighbour_called(l,
			x->arg[0]->name) : 0;
}

bool is_place_of_warp(const struct lanes *l, const struct registers *a,
	const struct kx *x, int *by)
{
	const struct named *s = x->kind == KX_NAME ? scalar_called(l,
		x->name) : NULL;

	*by = a->by;
	if (a->of && warps_of_block(l) > 1)
		return neighbour_by(l, x, OP_MOD) == a->by;
	if (s && s->kind == OTHER && s->is)
		x = s->is;
	return x->kind == KX_BUILTIN && x->builtin == B_THREAD &&
		x->ivalue == 1;
}

/* Arrays of other blocks ---------------------------------------------------- */

static bool have_same_extents(const struct registers *a,
	const struct registers *b)
{
	return a->n == b->n && !memcmp(a->extent, b->extent,
		sizeof(a->extent[0]) * (size_t) a->n);
}

void lead_to_other_block(struct lanes *l, struct registers *a,
	const struct kx *at)
{
	const bool is = at->kind == KX_BUILTIN &&
		at->builtin == B_CLUSTER_SHARED &&
		at->arg[0]->kind == KX_NAME;
	struct registers *of = is ? (struct registers *) array_called(l,
		at->arg[0]->name) : NULL;

	a->n = of && of->is_shared && !of->of && have_same_extents(a, of) ?
		a->n : 0;
	a->by = of ? neighbour_by(l, at->arg[1], OP_DIV) : 0;
	a->of = of;
	if (a->by == 0)
		a->n = 0;
	else
		of->is_of_others = true;
}

/* Barriers ------------------------------------------------------------------ */

bool may_leave_or_take(struct lanes *l)
{
	return l->warps.have_begun && !l->warps.arrived;
}

bool run_barrier(struct lanes *l)
{
	if (l->warps.are_apart || !all_go_one_way(l))
		return refute(l->w->c, "not all threads of a block come to a "
			"barrier");
	if (!is_clustered(l))
		pass_barrier(l);
	return true;
}

/* As nothing is left or taken until threads have waited, it is as if all of them met when they
 * arrive.
 */
bool run_cluster_barrier(struct lanes *l, enum builtin builtin)
{
	const bool waits = builtin == B_CLUSTER_WAIT;

	if (!is_clustered(l) || l->warps.are_apart || !all_go_one_way(l) ||
	    l->warps.arrived != waits || (builtin == B_CLUSTER_ARRIVE &&
	    !l->warps.have_begun))
		return refute(l->w->c, "not all threads of a cluster arrive at "
			"a barrier and then wait for it");
	if (!waits)
		pass_barrier(l);
	l->warps.have_begun = true;
	l->warps.arrived = builtin == B_CLUSTER_ARRIVE;
	return true;
}

bool keeps_barrier(struct lanes *l, bool arrived)
{
	return l->warps.arrived == arrived || refute(l->w->c, "threads of a "
		"cluster arrive at a barrier, and it is not shown that all wait "
		"for it");
}

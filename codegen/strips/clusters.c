/* Strips of register streaming: clusters of blocks, whose warps have rows of one strip.  They are
 * numbered through, block after block.  Each warp leaves its outer rows in the shared memory of the
 * blocks that have the warps above and below it, and takes what these left from its own:
 *
 *	all of the iteration before have arrived: wait for that
 *	registers = A_last_rows[..][ty], A_first_rows[..][ty]
 *	compute
 *	A_last_rows_below[..][place of the warp below] = the last rows
 *	A_first_rows_above[..][place of the warp above] = the first rows
 *	arrive
 *
 * The last warp leaves rows for the first one, and the first for the last: each place has a value, and
 * the strip does not store what is computed from these.  A block may end when it has waited for the
 * others to arrive, as nobody leaves rows after that.
 */
#include "codegen/strips/clusters.h"

const char *strip_taken_by(const struct strip *p, const char *name, bool after)
{
	return fresh_name(p->mem, program(p), after ? "%s_below" : "%s_above",
		name);
}

static const struct kx *warps(const struct strip *p)
{
	return integer(p, p->s->warps);
}

static const struct kx *neighbour(const struct strip *p, bool after)
{
	return named(p, after ? p->names->lanes.warp_below :
		p->names->lanes.warp_above);
}

/* A block's only warp is the first one. */
const struct kx *strip_place_of(const struct strip *p, bool after)
{
	return p->s->warps == 1 ? named(p, p->names->lanes.thread[1]) :
		op(p, OP_MOD, neighbour(p, after), warps(p));
}

const struct kx *strip_shared_of(const struct strip *p, const char *name,
	bool after)
{
	return kx_builtin(p->mem, B_CLUSTER_SHARED, 2, named(p, name),
		op(p, OP_DIV, neighbour(p, after), warps(p)));
}

static struct ks *call(const struct strip *p, enum builtin builtin)
{
	return ks_expression(p->mem, KS_EXPRESSION, kx_builtin(p->mem, builtin,
		0));
}

static void declare_int(const struct strip *p, struct ks *block,
	const char *name, const struct kx *value)
{
	ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_INT), name,
		value));
}

/* warp = rank * warps of a block + ty, the one above it, the one below it */
static void declare_warps(const struct strip *p, struct ks *block)
{
	const struct names_of_lanes *names = &p->names->lanes;
	const struct kx *rank = kx_cast(p->mem, ctype(CT_INT), kx_builtin(
		p->mem, B_CLUSTER_RANK, 0));
	const struct kx *warp = named(p, names->warp);
	const int last = stream_warps_of_rows(p->s) - 1;

	declare_int(p, block, names->warp, op(p, OP_ADD, op(p, OP_MUL, rank,
		warps(p)), kx_cast(p->mem, ctype(CT_INT), kx_axis(p->mem,
			B_THREAD, 1))));
	if (!strip_leaves_edges(p))
		return;
	declare_int(p, block, names->warp_above, kx_select(p->mem, op(p, OP_GT,
		warp, integer(p, 0)), kx_add(p->mem, warp, -1), integer(p,
			last)));
	declare_int(p, block, names->warp_below, kx_select(p->mem, op(p, OP_LT,
		warp, integer(p, last)), kx_add(p->mem, warp, 1), integer(p,
			0)));
}

/* Before blocks use each other's shared memory all of them must have begun. */
void strip_declare_cluster(const struct strip *p, struct ks *block)
{
	if (!stream_is_clustered(p->s))
		return;
	declare_warps(p, block);
	strip_declare_far_edges(p, block);
	ks_add(p->mem, block, ks_simple(p->mem, KS_BLANK));
	ks_add(p->mem, block, call(p, B_CLUSTER_BARRIER));
}

struct ks *strip_arrive(const struct strip *p)
{
	return call(p, B_CLUSTER_ARRIVE);
}

void strip_wait_for_edges(const struct strip *p, struct ks *block)
{
	if (stream_is_clustered(p->s) && strip_leaves_edges(p))
		ks_add(p->mem, block, call(p, B_CLUSTER_WAIT));
}

void strip_describe_cluster(struct text *t, const struct place *place)
{
	const struct stream *s = place->plan->strips;

	if (stream_is_clustered(s))
		text_printf(t, "The warps of %d blocks, a cluster, lie side by "
			"side.  What one takes of others\nthey leave for it in "
			"the shared memory of its block.\n",
			s->exchange.blocks);
}

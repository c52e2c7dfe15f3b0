/* Kernels of strips: their row in the table of forms. */
#include "codegen/forms.h"
#include "codegen/host/host.h"
#include "codegen/strips/stream.h"

/* In three dimensions all blocks at sides of the grid start before any other of a layer. */
static const struct kx *tile_of_turns(const struct place *p, int dim)
{
	const struct stream *s = p->plan->strips;
	const struct kernel_names *n = p->names;

	return kx_builtin(p->mem, dim == s->dim.row ?
		B_ROW_OF_TURN : B_COLUMN_OF_TURN, 4,
		kx_name(p->mem, n->tile[s->dim.row]),
		kx_name(p->mem, n->tile[s->dim.lane]),
		kx_name(p->mem, n->last[s->dim.row]),
		kx_name(p->mem, n->last[s->dim.lane]));
}

static bool turns_together(const struct plan *plan, int dim)
{
	return dim == plan->strips->dim.row && plan_has_rim(plan, dim) &&
		plan_has_rim(plan, plan->strips->dim.lane);
}

/* Strips at a side of the grid take longest, and blocks start in the order of their numbers.
 * So the last block of a dimension takes the first turn and the first block the second: no
 * launch ends with these.
 */
static const struct kx *tile_of_turn(const struct place *p, int dim)
{
	const struct stream *s = p->plan->strips;
	const struct kx *turn = kx_name(p->mem, p->names->tile[dim]);

	if (dim == s->dim.stream)
		return turn;
	if (s->dim.row >= 0 && turns_together(p->plan, s->dim.row))
		return tile_of_turns(p, dim);
	return kx_select(p->mem, kx_binary(p->mem, OP_GT, turn,
		kx_name(p->mem, p->names->first[dim])),
		kx_add(p->mem, turn, -1), kx_name(p->mem, p->names->last[dim]));
}

/* Strips behind a longer first one begin later. */
static const struct kx *behind_first(const struct place *p, int dim,
	const struct kx *o)
{
	const struct kx *by = kx_int(p->mem, p->plan->tiles.longer[dim]);

	return kx_binary(p->mem, OP_ADD, o, kx_select(p->mem,
		stream_is_behind(p), by, kx_int(p->mem, 0)));
}

/* In two dimensions each warp has a strip of its own. */
static const struct kx *within_block(const struct place *place, int dim,
	const struct kx *o)
{
	const struct stream *s = place->plan->strips;

	if (place->plan->tiles.longer[dim] > 0)
		return behind_first(place, dim, o);
	if (plan_has_rim(place->plan, dim))
		return kx_add(place->mem, o, place->plan->tiles.rim[dim].low);
	if (dim != s->dim.lane || s->dim.row >= 0 || stream_is_joined(s))
		return o;
	return kx_binary(place->mem, OP_ADD, o, kx_binary(place->mem, OP_MUL,
		kx_name(place->mem, place->names->lanes.thread[1]),
		kx_int(place->mem, s->width)));
}

/* A launch of strips writes versions t .. t+1-depth to the next "depth" copies, however many
 * steps it runs.
 */
static const struct kx *passes(const struct host *h)
{
	int pitch = h->plan->time_pitch;

	return op(h, OP_DIV, kx_add(h->mem, name(h, h->names->steps), pitch - 1),
		integer(h, pitch));
}

static int lanes_of_warp(const struct plan *plan)
{
	return plan->strips->warp;
}

/* As many blocks as the schedule assumes: a thread gets the registers that are
 * left.
 */
static int min_blocks(const struct plan *plan)
{
	return plan->strips->blocks;
}

const struct form_code strips_code = {
	.tile = stream_strip, .declare_memory = stream_declare_edges,
	.begin = stream_begin, .tile_of_turn = tile_of_turn,
	.turns_together = turns_together,
	.within_block = within_block, .outermost_first = true,
	.lanes = lanes_of_warp,
	.describe = stream_describe, .min_blocks = min_blocks,
	.stores_all = true, .least_padded_dims = 1,
	.passes = passes,
};

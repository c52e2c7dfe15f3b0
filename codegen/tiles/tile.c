/* A tile that the threads of a block execute row by row. */
#include "codegen/forms.h"
#include "codegen/tile.h"

/* Shared memory --------------------------------------------------------- */

/* The boxes of all fields; in dynamic shared memory if arrays of constant size
 * cannot hold them.  Returns the bytes of dynamic memory.
 */
static int64_t declare_boxes(const struct place *p, struct ks *block,
	bool dynamic, const struct kx *further, bool other)
{
	const struct program *prog = p->unit->prog;
	int64_t offset = 0;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];
		const struct box *box = &p->plan->box[i];
		int extent[1 + IR_MAX_DIMS], n = 0;
		int64_t bytes = type_size(field->type);
		struct ks *array;

		if (!plan_is_shared(p->plan, field))
			continue;
		if (plan_copies(p->plan, field) > 1)
			extent[n++] = plan_copies(p->plan, field);
		for (int d = 0; d < box->n_dims; d++)
			extent[n++] = plan_line(p->plan, box, d);
		for (int d = 0; d < n; d++)
			bytes *= extent[d];
		if (bytes == 0)
			continue;
		array = ks_array(p->mem, ctype_of(field->type),
			box_name(p, field, other), n, extent, true,
			dynamic ? offset : -1);
		array->further = further;
		ks_add(p->mem, block, array);
		offset += round_up(bytes, BOX_ALIGNMENT);
	}
	return dynamic ? offset : 0;
}

/* The boxes of a kernel that has one for each field. */
static int64_t declare_shared(const struct place *p, struct ks *block)
{
	return declare_boxes(p, block,
		plan_shared_bytes(p->plan) > MOST_STATIC_BYTES, NULL, false);
}

/* box = (S - S_first) mod 2; this tile's boxes, and the "other" ones. */
static void declare_two_boxes(const struct place *p, struct ks *block)
{
	struct region *r = p->mem;
	int dim = p->plan->n_dims - 1;
	const struct kx *box = kx_name(p->mem, p->names->memory.box);
	const struct kx *other = kx_binary(r, OP_SUB, kx_int(r, 1), box);
	const struct kx *bytes = kx_int(r, declare_boxes(p, ks_block(r), true,
		NULL, false));

	ks_add(r, block, ks_declare(r, ctype_const(CT_INT),
		p->names->memory.box, kx_binary(r, OP_MOD, kx_binary(r, OP_SUB,
			kx_name(p->mem, p->names->tile[dim]),
			kx_name(p->mem, p->names->first[dim])), kx_int(r, 2))));
	declare_boxes(p, block, true, kx_binary(r, OP_MUL, box, bytes), false);
	declare_boxes(p, block, true, kx_binary(r, OP_MUL, other, bytes),
		true);
}

int64_t tile_declare_memory(const struct place *p, struct ks *block,
	const struct ks *user)
{
	(void) user;
	if (p->plan->opt.async)
		return 2 * declare_boxes(p, ks_block(p->mem), true, NULL,
			false);
	return declare_shared(p, block);
}

/* Tiles ----------------------------------------------------------------- */

/* The transfers of a tile.  To measure the computation alone, put them behind a
 * condition that never holds: the values stay alive.
 */
static void add_transfers(const struct place *p, struct ks *block,
	struct ks *transfers)
{
	const struct kx *never = kx_binary(p->mem, OP_LT,
		kx_name(p->mem, p->names->tt), kx_int(p->mem, 0));

	ks_add(p->mem, block, p->plan->opt.compute_only ?
		ks_if(p->mem, never, transfers, NULL) : transfers);
}

static struct ks *tile_body(struct cursor *c, bool full)
{
	const struct place *p = c->place;
	struct ks *block = ks_block(c->mem);
	struct ks *whole = ks_block(c->mem);

	c->full = full;
	if (p->plan->opt.shared) {
		struct ks *transfers = ks_block(c->mem);

		copy_in(c, transfers);
		add_transfers(p, block, transfers);
		ks_add(c->mem, block, ks_simple(c->mem, KS_BLANK));
	}
	ks_add(c->mem, block, all_rows(c));
	if (p->plan->opt.shared &&
	    p->plan->opt.copy_out == COPY_OUT_SEPARATE) {
		ks_add(c->mem, block, ks_simple(c->mem, KS_BLANK));
		ks_add(c->mem, block, ks_comment(c->mem, "Copy out what this "
			"tile computed last in each cell."));
		c->copies_out = true;
		add_transfers(p, block, all_rows(c));
		ks_add(c->mem, block, ks_simple(c->mem, KS_BARRIER));
		c->copies_out = false;
	}
	if (full)
		ks_add(c->mem, whole, ks_comment(c->mem,
			plan_threads_are_apart(p->plan) ?
			"All points of this thread exist." :
			"A full tile: all its instances run."));
	if (is_relative(c))
		declare_relative(p, whole, block);
	ks_add(c->mem, whole, block);
	return whole;
}

/* Declare the coordinates of the thread's first point that "user" uses. */
static void declare_own_point(const struct place *p, struct ks *block,
	const struct ks *user)
{
	for (int d = 0; d < p->plan->n_dims; d++)
		if (has_own_point(p, d))
			declare_if_used(p->mem, block, user,
				p->names->lanes.own[d], kx_binary(p->mem,
				OP_ADD, kx_name(p->mem, p->names->origin[d]),
				kx_name(p->mem, p->names->lanes.thread[
					p->plan->n_dims - 1 - d])));
}

struct ks *tile_of_block(struct cursor *c, const struct kx *full)
{
	const struct place *p = c->place;
	struct ks *block = ks_block(c->mem), *tile;

	declare_places(p, block);
	if (p->plan->opt.async)
		declare_two_boxes(p, block);
	tile = full ? ks_if(c->mem, full, tile_body(c, true),
		tile_body(c, false)) : tile_body(c, false);
	declare_own_point(p, block, tile);
	ks_add(c->mem, block, tile);
	return block;
}

/* A tile that the threads of a block execute row by row. */
#include "codegen/forms.h"

static const struct kx *name(const struct builder *b, const char *s)
{
	return builder_name(b, s);
}

/* Shared memory --------------------------------------------------------- */

enum { MOST_STATIC_BYTES = 48 * 1024, ALIGNMENT = 128 };

/* The boxes of all fields; in dynamic shared memory if there is too much for
 * arrays of constant size.  The bytes of dynamic memory.
 */
static int64_t declare_boxes(const struct builder *b, struct ks *block,
	bool dynamic, const struct kx *further, bool other)
{
	const struct program *prog = b->unit->prog;
	int64_t offset = 0;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];
		const struct box *box = &b->plan->box[i];
		int extent[1 + IR_MAX_DIMS], n = 0;
		int64_t bytes = type_size(field->type);
		struct ks *array;

		if (!plan_is_shared(b->plan, field))
			continue;
		if (plan_copies(b->plan, field) > 1)
			extent[n++] = plan_copies(b->plan, field);
		for (int d = 0; d < box->n_dims; d++)
			extent[n++] = box->extent[d];
		for (int d = 0; d < n; d++)
			bytes *= extent[d];
		if (bytes == 0)
			continue;
		array = ks_array(b->mem, ctype_of(field->type),
			box_name(b, field, other), n, extent, true,
			dynamic ? offset : -1);
		array->further = further;
		ks_add(b->mem, block, array);
		offset += round_up(bytes, ALIGNMENT);
	}
	return dynamic ? offset : 0;
}

/* The boxes of a kernel with one for each field. */
static int64_t declare_shared(const struct builder *b, struct ks *block)
{
	return declare_boxes(b, block,
		plan_shared_bytes(b->plan) > MOST_STATIC_BYTES, NULL, false);
}

/* box = (S - S_first) mod 2; this tile's boxes, and the "other" ones. */
static void declare_two_boxes(const struct builder *b, struct ks *block)
{
	struct region *r = b->mem;
	int dim = b->plan->n_dims - 1;
	const struct kx *box = name(b, b->names->memory.box);
	const struct kx *other = kx_binary(r, OP_SUB, kx_int(r, 1), box);
	const struct kx *bytes = kx_int(r, declare_boxes(b, ks_block(r), true,
		NULL, false));

	ks_add(r, block, ks_declare(r, ctype_const(CT_INT),
		b->names->memory.box, kx_binary(r, OP_MOD, kx_binary(r, OP_SUB,
			name(b, b->names->tile[dim]),
			name(b, b->names->first[dim])), kx_int(r, 2))));
	declare_boxes(b, block, true, kx_binary(r, OP_MUL, box, bytes), false);
	declare_boxes(b, block, true, kx_binary(r, OP_MUL, other, bytes),
		true);
}

int64_t tile_declare_memory(struct builder *b, struct ks *block,
	const struct ks *user)
{
	(void) user;
	if (b->plan->steps.async)
		return 2 * declare_boxes(b, ks_block(b->mem), true, NULL,
			false);
	return declare_shared(b, block);
}

/* Tiles ----------------------------------------------------------------- */

/* The transfers of a tile.  Where only the computation is to be measured, they
 * stand behind a condition that never holds: the values stay alive.
 */
static void add_transfers(struct builder *b, struct ks *block,
	struct ks *transfers)
{
	const struct kx *never = kx_binary(b->mem, OP_LT,
		name(b, b->names->tt), kx_int(b->mem, 0));

	ks_add(b->mem, block, b->plan->steps.compute_only ?
		ks_if(b->mem, never, transfers, NULL) : transfers);
}

static struct ks *tile_body(struct builder *b, bool full)
{
	struct ks *block = ks_block(b->mem);
	struct ks *whole = ks_block(b->mem);

	b->full = full;
	if (b->plan->steps.shared) {
		struct ks *transfers = ks_block(b->mem);

		copy_in(b, transfers);
		add_transfers(b, block, transfers);
		ks_add(b->mem, block, ks_simple(b->mem, KS_BLANK));
	}
	ks_add(b->mem, block, all_rows(b));
	if (b->plan->steps.shared &&
	    b->plan->steps.copy_out == COPY_OUT_SEPARATE) {
		ks_add(b->mem, block, ks_simple(b->mem, KS_BLANK));
		ks_add(b->mem, block, ks_comment(b->mem, "Copy out what this "
			"tile computed last in each cell."));
		b->copies_out = true;
		add_transfers(b, block, all_rows(b));
		ks_add(b->mem, block, barrier(b));
		b->copies_out = false;
	}
	if (full)
		ks_add(b->mem, whole, ks_comment(b->mem,
			"A full tile: all its instances run."));
	if (is_near(b))
		declare_near(b, whole, block);
	ks_add(b->mem, whole, block);
	return whole;
}

struct ks *tile_of_block(struct builder *b, const struct kx *full)
{
	struct ks *block = ks_block(b->mem);

	declare_places(b, block);
	if (b->plan->steps.async)
		declare_two_boxes(b, block);
	ks_add(b->mem, block, full ? ks_if(b->mem, full, tile_body(b, true),
		tile_body(b, false)) : tile_body(b, false));
	return block;
}

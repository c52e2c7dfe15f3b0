/* The caller's complex numbers on GPUs: both parts of one lie together, and runs work on arrays of
 * each part.
 */
#include "codegen/host/complex.h"

#include <string.h>

enum { SPREAD_THREADS = 128 };

static const struct kx *cell_at(const struct host *h, const char *array,
	const struct kx *at)
{
	return kx_of_kind(h->mem, KX_INDEX, array, 1, &at);
}

struct ks *host_move_lanes(const struct host *h, const struct field *f,
	const char *own, bool back)
{
	const char *var = fresh_name(h->mem, h->prog, "cell");
	const struct kx *cell = name(h, var);
	const struct kx *ours = cell_at(h, own, cell);
	const struct kx *theirs = cell_at(h, f->name, op(h, OP_MUL, cell,
		integer(h, f->n_lanes)));

	return host_loop(h, var, integer(h, 0), op(h, OP_MUL, integer(h,
		field_copies(f)), host_cells(h, f, ctype(CT_SIZE))), integer(h,
		1), ks_assign(h->mem, back ? theirs : ours, back ? ours : theirs));
}

/* The kernel ---------------------------------------------------------------- */

static const char *kernel_name(const struct host *h, const struct field *f)
{
	return region_printf(h->mem, "%s_spread_%s", h->prog->name,
		type_word(f->type));
}

static void add_pointer(const struct host *h, struct kfunc *to,
	const struct field *f, const char *var, bool is_const)
{
	struct ctype type = ctype_pointer(scalar_of(f->type), is_const);

	type.is_restrict = true;
	kfunc_add_param(h->mem, to, (struct kparam) {
		.c_type = type, .name = var });
}

/* to[row * pitch + x] = from[(row * cells + x) * 2] */
static struct kfunc *spread(const struct host *h, const struct field *f)
{
	static const char *const sizes[] = { "rows", "cells", "pitch" };
	struct kfunc *k = host_function(h, "%s", ctype(CT_VOID));
	const struct kx *row = name(h, "row"), *x = name(h, "x");
	const struct kx *threads = integer(h, SPREAD_THREADS);
	const struct kx *to = op(h, OP_ADD, op(h, OP_MUL, row, name(h, "pitch")), x);
	const struct kx *from = op(h, OP_MUL, op(h, OP_ADD, op(h, OP_MUL, row,
		name(h, "cells")), x), integer(h, f->n_lanes));
	struct ks *body = ks_assign(h->mem, cell_at(h, "to", to), cell_at(h,
		"from", from));

	k->name = kernel_name(h, f);
	k->comment = "Copy a part of the caller's complex numbers to an array of "
		"its own.";
	k->is_kernel = k->is_static = true;
	k->max_threads = SPREAD_THREADS;
	body = host_loop(h, "x", op(h, OP_ADD, op(h, OP_MUL, kx_cast(h->mem, ctype(
		CT_SIZE), kx_axis(h->mem, B_BLOCK, 0)), threads), kx_axis(
		h->mem, B_THREAD, 0)), name(h, "cells"), op(h, OP_MUL, kx_cast(
		h->mem, ctype(CT_SIZE), kx_axis(h->mem, B_BLOCKS, 0)), threads),
		body);
	ks_add(h->mem, k->body, host_loop(h, "row", kx_axis(h->mem, B_BLOCK, 1), name(h,
		"rows"), kx_axis(h->mem, B_BLOCKS, 1), body));
	for (int i = 0; i < 3; i++)
		kfunc_add_param(h->mem, k, (struct kparam) {
			.c_type = ctype(CT_SIZE), .name = sizes[i] });
	add_pointer(h, k, f, "from", true);
	add_pointer(h, k, f, "to", false);
	return k;
}

void host_append_spreads(const struct host *h)
{
	bool has[TYPES] = { false };

	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!f->n_lanes || has[f->type])
			continue;
		has[f->type] = true;
		unit_append(h->unit, spread(h, f));
	}
}

struct ks *host_launch_spread(const struct host *h, const struct field *f,
	const struct kx *to, const struct kx *from)
{
	const struct kx *cells = host_param(h, f->size[f->n_dims - 1],
		ctype(CT_SIZE));
	const struct kx *rows = host_rows(h, f), *extent[2];
	struct ks *block = ks_block(h->mem), *s = ks_simple(h->mem, KS_LAUNCH);

	extent[0] = kx_min(h->mem, kx_add(h->mem, op(h, OP_DIV, host_param(h,
		f->size[f->n_dims - 1], ctype(CT_NONE)), integer(h,
		SPREAD_THREADS)), 1), kx_builtin(h->mem, W_MAX_GRID_X, 0));
	extent[1] = kx_min(h->mem, host_param(h, f->size[0], ctype(CT_NONE)),
		kx_builtin(h->mem, W_MAX_GRID_YZ, 0));
	s->name = kernel_name(h, f);
	s->n_x = 8;
	s->x = region_array(h->mem, const struct kx *, s->n_x);
	s->x[0] = kx_extents(h->mem, f->n_dims > 1 ? 2 : 1, extent);
	s->x[1] = integer(h, SPREAD_THREADS);
	s->x[2] = integer(h, 0);
	s->x[3] = rows;
	s->x[4] = cells;
	s->x[5] = host_is_padded(h, f) ? op(h, OP_DIV, name(h, host_pitch_name(h,
		f)), kx_sizeof(h->mem, ctype_of(f->type))) : cells;
	s->x[6] = from;
	s->x[7] = to;
	ks_add(h->mem, block, s);
	ks_add(h->mem, block, host_checked(h, kx_builtin(h->mem, RT_LAST_ERROR,
		0)));
	return block;
}

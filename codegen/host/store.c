/* Copy results to the caller's device memory; several go by one kernel, so that
 * all of them arrive or none.
 */
#include "codegen/host/host.h"

enum { STORE_THREADS = 128 };

/* The kernel's names for result "i", and its destination. */
static const char *from_name(const struct host *h,
	const struct result *result)
{
	const struct field *f = result->field;

	return f->kind == FIELD_STATE && f->depth > 1 ?
		fresh_name(h->mem, h->prog, "%s%d", f->name, result->copy) :
		f->name;
}

static const char *to_name(const struct host *h, const struct result *result)
{
	return fresh_name(h->mem, h->prog, "%s_out", from_name(h, result));
}

static const struct kx *row_cells(const struct host *h, const struct field *f)
{
	return host_param(h, f->size[f->n_dims - 1], ctype(CT_NONE));
}

/* Cells from one row to the next in our memory. */
static const struct kx *pitch_cells(const struct host *h,
	const struct field *f)
{
	int multiple = field_row_multiple(h->unit, f);

	return op(h, OP_MUL, op(h, OP_DIV, kx_add(h->mem, row_cells(h, f),
		multiple - 1), integer(h, multiple)), integer(h, multiple));
}

static bool same_rows(const struct field *a, const struct field *b)
{
	if (a->n_dims != b->n_dims || a->type != b->type)
		return false;
	for (int d = 0; d < a->n_dims; d++)
		if (!expr_same_size(a->size[d], b->size[d]))
			return false;
	return true;
}

/* A_out[row * M + x] = A[row * pitch + x]; rows are dealt to blocks along y, their cells to
 * threads.  A result of one row leaves it to the first of those blocks.
 */
static struct ks *store_rows(const struct host *h,
	const struct result *result, int n, bool has_rows)
{
	const struct field *f = result->field;
	const char *row_name = fresh_name(h->mem, h->prog, "row");
	const char *x_name = fresh_name(h->mem, h->prog, "x");
	const struct kx *x = name(h, x_name), *row = name(h, row_name);
	const struct kx *block = kx_axis(h->mem, B_BLOCK, 0);
	const struct kx *blocks = kx_axis(h->mem, B_BLOCKS, 0);
	const struct kx *threads = integer(h, STORE_THREADS);
	const struct kx *to, *all = x, *from = x;
	struct ks *body = ks_block(h->mem), *cells;

	if (f->n_dims > 1) {
		all = op(h, OP_ADD, op(h, OP_MUL, row, row_cells(h, f)), x);
		from = op(h, OP_ADD, op(h, OP_MUL, row, pitch_cells(h, f)), x);
	}
	for (int i = 0; i < n; i++) {
		int lanes = result[i].field->n_lanes;

		to = lanes ? op(h, OP_MUL, all, integer(h, lanes)) : all;
		ks_add(h->mem, body, ks_assign(h->mem,
			kx_of_kind(h->mem, KX_INDEX, to_name(h, &result[i]),
				1, &to),
			kx_of_kind(h->mem, KX_INDEX, from_name(h, &result[i]),
				1, &from)));
	}
	cells = host_loop(h, x_name, op(h, OP_ADD, op(h, OP_MUL,
		kx_cast(h->mem, ctype(CT_SIZE), block), threads),
		kx_axis(h->mem, B_THREAD, 0)), kx_cast(h->mem, ctype(CT_SIZE),
		row_cells(h, f)), op(h, OP_MUL, kx_cast(h->mem, ctype(CT_SIZE),
		blocks), threads), body);
	if (f->n_dims == 1)
		return has_rows ? ks_if(h->mem, op(h, OP_EQ, kx_axis(h->mem,
			B_BLOCK, 1), integer(h, 0)), cells, NULL) : cells;
	return host_loop(h, row_name, kx_axis(h->mem, B_BLOCK, 1),
		host_rows(h, f), kx_axis(h->mem, B_BLOCKS, 1), cells);
}

struct kfunc *host_store(const struct host *h, const struct result *result,
	int n)
{
	struct kfunc *f = host_function(h, "%s_store", ctype(CT_VOID));
	bool has_rows = false;

	for (int i = 0; i < n; i++)
		has_rows |= result[i].field->n_dims > 1;
	f->comment = "Store the results where the caller gets them, in one "
		"launch, so that an error\nleaves all of them unchanged.";
	f->is_kernel = f->is_static = true;
	f->max_threads = STORE_THREADS;
	for (int i = 0, same; i < n; i += same) {
		for (same = 1; i + same < n &&
		     same_rows(result[i].field, result[i + same].field); )
			same++;
		ks_add(h->mem, f->body, store_rows(h, result + i, same,
			has_rows));
	}
	host_add_params(h, f);
	kfunc_drop_unused(f);
	for (int i = 0; i < n; i++) {
		struct ctype type = ctype_pointer(scalar_of(
			result[i].field->type), false);

		type.is_restrict = true;
		type.is_const = true;
		kfunc_add_param(h->mem, f, (struct kparam) {
			.c_type = type, .name = from_name(h, &result[i]) });
		type.is_const = false;
		kfunc_add_param(h->mem, f, (struct kparam) {
			.c_type = type, .name = to_name(h, &result[i]) });
	}
	return f;
}

/* Enough blocks for the first result; they do for the others, too. */
static const struct kx *store_grid(const struct host *h,
	const struct field *f)
{
	const struct kx *extent[2] = {
		kx_min(h->mem, kx_add(h->mem, op(h, OP_DIV,
			row_cells(h, f), integer(h, STORE_THREADS)), 1),
			kx_builtin(h->mem, W_MAX_GRID_X, 0)),
	};

	if (f->n_dims > 1)
		extent[1] = kx_min(h->mem, host_param(h,
			f->size[0], ctype(CT_NONE)), kx_builtin(h->mem,
			W_MAX_GRID_YZ, 0));
	return kx_extents(h->mem, f->n_dims > 1 ? 2 : 1, extent);
}

/* A series may have no cells; a state is among the results, too. */
static const struct field *first_with_cells(const struct result *result)
{
	while (result->field->is_listed)
		result++;
	return result->field;
}

struct ks *host_launch_store(const struct host *h, const struct kfunc *store,
	const struct result *result, int n)
{
	struct ks *block = ks_block(h->mem);
	struct ks *s = ks_simple(h->mem, KS_LAUNCH);
	int n_sizes = store->n_params - 2 * n;

	s->name = store->name;
	s->n_x = 3 + store->n_params;
	s->x = region_array(h->mem, const struct kx *, s->n_x);
	s->x[0] = store_grid(h, first_with_cells(result));
	s->x[1] = integer(h, STORE_THREADS);
	s->x[2] = integer(h, 0);
	for (int i = 0; i < n_sizes; i++)
		s->x[3 + i] = name(h, store->param[i].name);
	for (int i = 0; i < n; i++) {
		s->x[3 + n_sizes + 2 * i] = result[i].from;
		s->x[3 + n_sizes + 2 * i + 1] = result[i].to;
	}
	ks_add(h->mem, block, s);
	ks_add(h->mem, block, host_checked(h,
		kx_builtin(h->mem, RT_LAST_ERROR, 0)));
	return block;
}

/* Reductions on a GPU, and a run in segments that end where reductions are due. */
#include <string.h>

#include "codegen/host/gpu_finite.h"
#include "codegen/host/gpu_reduce.h"
#include "codegen/place.h"

enum { TURN_THREADS = 256, TURN_BLOCKS = 4096 };

/* Launch "kernel", and see whether that has failed. */
static void launch(const struct host *h, struct ks *b,
	const struct kfunc *kernel, const struct kx *blocks, int threads,
	const struct kx *(*argument)(const void *user, const char *param),
	const void *user)
{
	gpu_launch(h, b, kernel, blocks, threads, argument, user);
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem, RT_LAST_ERROR,
		0)));
}

static const struct kx *count_values(const struct host *h, int i)
{
	struct reduced r = reduced_of(h, i);

	return gpu_count_values(&r);
}

/* What is kept, to the copies that a run begins with ------------------------ */

static bool is_turned(const struct host *h, const struct field *f)
{
	return f->kind == FIELD_STATE && !f->is_hidden &&
		h->scop->field[f->index].buffers > 1;
}

static const char *last_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_last", f->name);
}

static const char *copy_cells_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_count", f->name);
}

static const char *version_of(const struct host *h, const struct field *f,
	int back)
{
	return fresh_name(h->mem, h->prog, "%s_%d", f->name, back);
}

/* A[copy * cells + x] */
static const struct kx *cell_in_copy(const struct host *h,
	const struct field *f, const struct kx *copy, const struct kx *x)
{
	const struct kx *at = kx_is_int(copy, 0) ? x : op(h, OP_ADD, op(h,
		OP_MUL, copy, name(h, copy_cells_name(h, f))), x);

	return kx_of_kind(h->mem, KX_INDEX, f->name, 1, &at);
}

/* Copy versions 0, -1, .. to copies 0, -1, .., and version 0 to scratch. */
static struct ks *turn_cell(const struct host *h, const struct field *f,
	const struct kx *x)
{
	int n = h->scop->field[f->index].buffers;
	struct ks *b = ks_block(h->mem);

	for (int back = 0; back < f->depth; back++)
		ks_add(h->mem, b, ks_declare(h->mem, ctype_const(scalar_of(
			f->type)), version_of(h, f, back), cell_in_copy(h, f,
			op(h, OP_MOD, kx_add(h->mem, name(h, last_name(h, f)),
				floor_mod(-back, n)), integer(h, n)), x)));
	for (int v = 1 - f->depth; v <= n - f->depth; v++)
		ks_add(h->mem, b, ks_assign(h->mem, cell_in_copy(h, f,
			integer(h, floor_mod(v, n)), x), name(h, version_of(h,
				f, v < 0 ? -v : 0))));
	return b;
}

/* Does cell "x" of a copy belong to the field, not to the padding between rows?
 * NULL: always.
 */
static const struct kx *is_cell(const struct host *h, const struct field *f,
	const struct kx *x)
{
	int multiple = field_row_multiple(h->unit, f);
	const struct kx *row = host_param(h, f->size[f->n_dims - 1],
		ctype(CT_NONE));
	const struct kx *pitch = op(h, OP_MUL, op(h, OP_DIV, kx_add(h->mem, row,
		multiple - 1), integer(h, multiple)), integer(h, multiple));

	return multiple == 1 || kx_same(row, pitch) ? NULL : op(h, OP_LT, op(h,
		OP_MOD, x, kx_cast(h->mem, ctype(CT_SIZE), pitch)), kx_cast(
			h->mem, ctype(CT_SIZE), row));
}

static struct ks *turn_field(const struct host *h, const struct field *f)
{
	const char *x = fresh_name(h->mem, h->prog, "x");
	const struct kx *is_one = is_cell(h, f, name(h, x));
	struct ks *cell = turn_cell(h, f, name(h, x));
	struct ks *s = ks_for(h->mem, x, op(h, OP_ADD, op(h, OP_MUL, kx_cast(
		h->mem, ctype(CT_SIZE), kx_axis(h->mem, B_BLOCK, 0)),
		integer(h, TURN_THREADS)), kx_axis(h->mem, B_THREAD, 0)), op(h,
			OP_LT, name(h, x), name(h, copy_cells_name(h, f))),
		op(h, OP_MUL, kx_cast(h->mem, ctype(CT_SIZE), kx_axis(h->mem,
			B_BLOCKS, 0)), integer(h, TURN_THREADS)),
		is_one ? ks_if(h->mem, is_one, cell, NULL) : cell);

	s->c_type = ctype(CT_SIZE);
	return ks_if(h->mem, op(h, OP_GT, name(h, last_name(h, f)), integer(h,
		0)), s, NULL);
}

struct kfunc *gpu_turn(const struct host *h)
{
	struct kfunc *f = host_function(h, "%s_turn", ctype(CT_VOID));
	bool some = false;

	f->comment = "Move the versions that are kept to the copies that steps "
		"begin with; they end elsewhere\nwhere the number of steps is no "
		"multiple of that of copies.";
	f->is_kernel = f->is_static = f->is_of_lists = true;
	f->max_threads = TURN_THREADS;
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (!is_turned(h, field))
			continue;
		if (!some)
			host_add_params_of_all(h, f);
		some = true;
		ks_add(h->mem, f->body, turn_field(h, field));
		kfunc_add_int(h->mem, f, last_name(h, field));
		kfunc_add_param(h->mem, f, (struct kparam) {
			.c_type = ctype(CT_SIZE),
			.name = copy_cells_name(h, field) });
		gpu_add_pointer(h, f, scalar_of(field->type), field->name);
	}
	kfunc_drop_unused(f);
	return some ? f : NULL;
}

static const struct kx *argument_of_turn(const void *user, const char *param)
{
	const struct host *h = user;

	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!strcmp(param, copy_cells_name(h, f)))
			return name(h, host_copy_cells(h, f));
		if (!strcmp(param, f->name))
			return name(h, f->name);
	}
	return NULL;
}

/* const int A_last = steps % 2; if (A_last > 0) turn */
static void turn(const struct host *h, struct ks *b)
{
	const struct kx *any = NULL, *cells = NULL;
	struct ks *launched = ks_block(h->mem);

	if (!h->turn)
		return;
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (!is_turned(h, f))
			continue;
		host_declare_int(h, b, last_name(h, f), op(h, OP_MOD,
			host_last_version(h, f), integer(h,
				h->scop->field[f->index].buffers)));
		any = host_either(h, any, op(h, OP_GT, name(h, last_name(h, f)),
			integer(h, 0)));
		if (!cells)
			cells = name(h, host_copy_cells(h, f));
	}
	launch(h, launched, h->turn, gpu_blocks_for(h, cells, TURN_THREADS,
		TURN_BLOCKS), TURN_THREADS, argument_of_turn, h);
	ks_add(h->mem, b, ks_if(h->mem, any, launched, NULL));
}

/* Segments ----------------------------------------------------------------- */

static const char *newest_name(struct region *r, const struct program *prog,
	const struct field *f)
{
	return fresh_name(r, prog, "%s_newest", f->name);
}

void gpu_declare_segments(const struct host *h, struct ks *b)
{
	const struct program *p = h->prog;
	const struct kx *null = kx_builtin(h->mem, W_NULL, 0);

	for (int i = 0; i < p->n_reductions; i++)
		ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(scalar_of(
			p->reduction[i]->point->value->type), false),
			gpu_values_name(h, i), null));
	ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(CT_INT, false),
		gpu_arrived_name(h), null));
	gpu_declare_checks(h, b);
	for (int i = 0; i < p->n_reductions; i++)
		if (result_ends_loop(p, p->reduction[i]->result))
			ks_add(h->mem, b, ks_declare(h->mem, ctype_of(
				p->reduction[i]->result->type), newest_name(
				h->mem, p, p->reduction[i]->result), integer(h,
				0)));
	loop_declare(h, b);
}

/* An atomic operation reads what it overwrites. */
static void new_zeros(const struct host *h, struct ks *b, const char *buffer,
	enum scalar scalar, const struct kx *bytes)
{
	host_new_buffer(h, b, buffer, scalar, bytes);
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem, RT_SET, 4, name(h,
		buffer), integer(h, 0), bytes, name(h, h->stream))));
}

/* No values need no memory; allocating 0 bytes could fail. */
static const struct kx *bytes_of_values(const struct host *h, int i)
{
	struct reduced r = reduced_of(h, i);

	return op(h, OP_MUL, kx_add(h->mem, count_values(h, i), 1), kx_sizeof(
		h->mem, ctype_of(reduced_type(&r))));
}

static void new_values(const struct host *h, struct ks *b)
{
	for (int i = 0; i < h->prog->n_reductions; i++) {
		struct reduced r = reduced_of(h, i);

		new_zeros(h, b, gpu_values_name(h, i), scalar_of(reduced_type(&r)),
			bytes_of_values(h, i));
		gpu_new_check(h, b, i);
	}
	new_zeros(h, b, gpu_arrived_name(h), CT_INT, kx_sizeof(h->mem,
		ctype(CT_INT)));
}

const struct kx *gpu_segments_bytes(const struct host *h)
{
	const struct kx *all = host_part(h, kx_sizeof(h->mem, ctype(CT_INT)));

	for (int i = 0; i < h->prog->n_reductions; i++) {
		const struct kx *check = gpu_check_bytes(h, i);

		all = op(h, OP_ADD, all, host_part(h, bytes_of_values(h, i)));
		all = check ? op(h, OP_ADD, all, check) : all;
	}
	return all;
}

struct call_of_reduction {
	const struct host *h;
	int number;
	const struct kx *end, *at;
};

static const struct kx *argument_of_reduction(const void *user,
	const char *param)
{
	const struct call_of_reduction *call = user;
	const struct host *h = call->h;

	if (!strcmp(param, h->names->time))
		return kx_add(h->mem, call->end, -1);
	return strcmp(param, fresh_name(h->mem, h->prog, "at")) ? NULL :
		call->at;
}

static struct ks *reduce(const struct host *h, int i, const struct kx *end,
	const struct kx *at)
{
	struct call_of_reduction call = { h, i, end, at };
	struct ks *b = ks_block(h->mem);

	launch(h, b, h->reduce[i], gpu_blocks_of_values(h, count_values(h,
		i)), REDUCE_THREADS,
		argument_of_reduction, &call);
	gpu_leave_if_broken(h, b, i);
	return b;
}

static const struct kx *newest_result(const struct binding *b,
	const struct expr *e)
{
	struct kx *x = kx_name(b->mem, newest_name(b->mem, b->prog, e->field));

	x->type = e->type;
	return x;
}

/* Fetch the results that end the loop, wait for them, and test whether they do. */
static void see_whether_it_ends(const struct host *h, struct ks *b)
{
	const struct kx *due = loop_may_end(h);
	struct ks *see = ks_block(h->mem);

	for (int i = 0; i < h->prog->n_reductions; i++) {
		const struct field *f = h->prog->reduction[i]->result;

		if (result_ends_loop(h->prog, f))
			ks_add(h->mem, see, gpu_fetch(h, newest_name(h->mem,
				h->prog, f), f->name, scalar_of(f->type)));
	}
	ks_add(h->mem, see, host_checked(h, kx_builtin(h->mem,
		RT_WAIT_FOR_STREAM, 1, name(h, h->stream))));
	ks_add(h->mem, see, ks_assign(h->mem, name(h, loop_ends_name(h)),
		loop_condition(h, newest_result)));
	ks_add(h->mem, b, due ? ks_if(h->mem, due, see, NULL) : see);
	ks_add(h->mem, b, ks_assign(h->mem, name(h, loop_done_name(h)), op(h, OP_SUB,
		segment_end(h), whole_begin(h))));
}

static void run_segment(const struct host *h, struct ks *b,
	struct kfunc *const *kernels)
{
	host_declare_int(h, b, h->names->steps, host_steps(h, ctype(CT_NONE)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	host_launches(h, b, kernels);
	turn(h, b);
}

static struct ks *all_segments(const struct host *h,
	struct kfunc *const *kernels)
{
	struct ks *body = ks_block(h->mem);

	run_segment(h, body, kernels);
	segment_reduce(h, body, reduce);
	if (h->prog->until)
		see_whether_it_ends(h, body);
	return segment_loop(h, body);
}

static struct ks *one_segment(const struct host *h,
	struct kfunc *const *kernels)
{
	struct ks *b = ks_scope(h->mem);

	b->braces = true;
	host_declare_int(h, b, segment_first(h)->name, whole_begin(h));
	host_declare_int(h, b, segment_end(h)->name, whole_end(h));
	run_segment(h, b, kernels);
	return b;
}

void gpu_add_segments(const struct host *h, struct ks *b,
	struct kfunc *const *kernels)
{
	const struct program *p = h->prog;
	const struct kx *end = p->until ? op(h, OP_ADD, whole_begin(h), name(h,
		loop_done_name(h))) : whole_end(h);

	new_values(h, b);
	ks_add(h->mem, b, p->segments->most > 0 ? all_segments(h, kernels) :
		one_segment(h, kernels));
	end_reduce(h, b, end, reduce);
	if (p->until)
		ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem, RT_COPY, 5,
			name(h, p->steps->name), kx_address(h->mem, name(h,
			loop_done_name(h))), kx_sizeof(h->mem, ctype(CT_INT)),
			kx_builtin(h->mem, W_ANY_WAY, 0), name(h,
			h->stream))));
}

void gpu_free_segments(const struct host *h, struct ks *b)
{
	for (int i = 0; i < h->prog->n_reductions; i++) {
		host_free_buffer(h, b, gpu_values_name(h, i));
		gpu_free_check(h, b, i);
	}
	host_free_buffer(h, b, gpu_arrived_name(h));
}

void gpu_return_without_steps(const struct host *h, struct ks *b)
{
	const struct kx *nothing = host_nothing_runs(h, host_whole_steps(h,
		ctype(CT_NONE)));
	const struct kx *status = integer(h, 0);

	if (h->prog->steps)
		status = kx_cast(h->mem, ctype(CT_INT), kx_builtin(h->mem,
			RT_SET, 4, name(h, host_out_name(h, h->prog->steps)),
			status, kx_sizeof(h->mem, ctype(CT_INT)), name(h,
			h->stream)));
	ks_add(h->mem, b, ks_if(h->mem, nothing, ks_expression(h->mem, KS_RETURN,
		status), NULL));
}

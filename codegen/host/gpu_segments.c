/* Reductions on a GPU, and a run in segments that end where reductions are due. */
#include <string.h>

#include "codegen/host/gpu_finite.h"
#include "codegen/place.h"

enum {
	PIECES_OF_BLOCK = REDUCE_THREADS / REDUCE_LANES,
	REDUCE_BLOCKS = 1024,	/* blocks at most: more do not keep a machine
				 * busier */
	TURN_THREADS = 256, TURN_BLOCKS = 4096,
};

static void launch(const struct host *h, struct ks *b,
	const struct kfunc *kernel, const struct kx *blocks, int threads,
	const struct kx *(*argument)(const void *user, const char *param),
	const void *user)
{
	struct ks *s = ks_add(h->mem, b, ks_simple(h->mem, KS_LAUNCH));

	s->name = kernel->name;
	s->n_x = 3 + kernel->n_params;
	s->x = region_array(h->mem, const struct kx *, s->n_x);
	s->x[0] = blocks;
	s->x[1] = integer(h, threads);
	s->x[2] = integer(h, 0);
	for (int i = 0; i < kernel->n_params; i++) {
		const struct kx *given = argument(user, kernel->param[i].name);
		struct kx *x = kx_name(h->mem, kernel->param[i].name);

		x->field = kernel->param[i].cells;
		s->x[3 + i] = given ? given : x;
	}
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem, RT_LAST_ERROR,
		0)));
}

/* Blocks for "n" values, a size_t, with so many values a block; at most "most". */
static const struct kx *blocks_for(const struct host *h, const struct kx *n,
	int of_block, int most)
{
	return kx_select(h->mem, op(h, OP_LT, n, integer(h, (int64_t) of_block *
		most)), kx_add(h->mem, kx_cast(h->mem, ctype(CT_INT), op(h,
			OP_DIV, n, integer(h, of_block))), 1), integer(h,
				most));
}

static const struct kx *count_values(const struct host *h, int i)
{
	struct reduced r = reduced_of(h, i);
	const struct kx *rows = reduced_rows(&r, ctype(CT_SIZE));
	const struct kx *n = reduced_pieces(&r);

	return rows ? op(h, OP_MUL, rows, n) : kx_cast(h->mem, ctype(CT_SIZE),
		n);
}

/* The kernel of a reduction ------------------------------------------------ */

struct pieces {
	struct reduced reduced;
	struct place place;
	const char *values, *arrived, *broken, *at, *value, *number;
	const char *first_number, *numbers, *row;
};

static const char *numbered(const struct host *h, const char *fmt, int i)
{
	return fresh_name(h->mem, h->prog, fmt, i);
}

static const char *values_name(const struct host *h, int i)
{
	return numbered(h, "values%d", i);
}

static const char *arrived_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "arrived");
}

static struct pieces pieces_of(const struct host *h, int number)
{
	return (struct pieces) {
		.reduced = reduced_of(h, number),
		.place = { .mem = h->mem, .unit = h->unit, .plan = h->plan,
			.scop = h->scop, .names = h->names },
		.values = values_name(h, number), .arrived = arrived_name(h),
		.broken = gpu_broken_name(h, number),
		.at = fresh_name(h->mem, h->prog, "at"),
		.value = fresh_name(h->mem, h->prog, "value"),
		.number = fresh_name(h->mem, h->prog, "number"),
		.first_number = fresh_name(h->mem, h->prog, "first_number"),
		.numbers = fresh_name(h->mem, h->prog, "numbers"),
		.row = fresh_name(h->mem, h->prog, "row"),
	};
}

static const struct kx *typed_name(const struct pieces *p, const char *s)
{
	struct kx *x = kx_name(p->reduced.h->mem, s);

	x->type = reduced_type(&p->reduced);
	return x;
}

/* The copy from which a run begins: after the step, its version is the last one. */
static const struct kx *read_kept(const struct binding *b,
	const struct access *acc)
{
	const struct pieces *p = b->user;
	const struct field *f = acc->field;
	const struct kx *at[IR_MAX_DIMS];

	for (int d = 0; d < f->n_dims; d++)
		at[d] = kx_subscript(b->mem, acc, d, b->point[acc->dim[d]]);
	return global_cell(&p->place, f, f->kind == FIELD_STATE ? kx_int(b->mem,
		floor_mod(acc->version - 1, buffers_of(&p->place, f))) : NULL,
		at);
}

static const struct kx *thread(const struct host *h)
{
	return kx_cast(h->mem, ctype(CT_INT), kx_axis(h->mem, B_THREAD, 0));
}

static const struct kx *lane_of_thread(const struct host *h)
{
	return op(h, OP_MOD, thread(h), integer(h, REDUCE_LANES));
}

/* const int i = first + (int)(row / rows of the dimensions behind) % extent; .. */
static void declare_indices(const struct pieces *p, struct ks *b)
{
	const struct host *h = p->reduced.h;
	const struct kx *row = name(h, p->row);

	if (p->reduced.last == 0)
		return;
	ks_add(h->mem, b, ks_declare(h->mem, p->reduced.last > 1 ? ctype(CT_SIZE) :
		ctype_const(CT_SIZE), p->row, op(h, OP_DIV, name(h, p->number), name(h, p->reduced.pieces))));
	for (int d = p->reduced.last - 1; d >= 0; d--) {
		const struct kx *extent = kx_cast(h->mem, ctype(CT_SIZE), op(h,
			OP_SUB, name(h, p->reduced.end_name[d]), p->reduced.first[d]));

		host_declare_int(h, b, reduced_index(&p->reduced, d), op(h, OP_ADD,
			p->reduced.first[d], kx_cast(h->mem, ctype(CT_INT),
				d ? op(h, OP_MOD, row, extent) : row)));
		if (d > 0)
			ks_add(h->mem, b, ks_assign(h->mem, row, op(h, OP_DIV,
				row, extent)));
	}
}

/* value = join(value, ..) for each of the lane's points of the piece */
static struct ks *own_points(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const char *index = reduced_index(&p->reduced, p->reduced.last);
	const char *from = fresh_name(h->mem, h->prog, "from");
	struct binding binding = reduced_in_users_time(h);
	struct ks *b = ks_block(h->mem);

	binding.read = read_kept;
	binding.user = p;
	declare_indices(p, b);
	host_declare_int(h, b, from, op(h, OP_ADD,
		p->reduced.first[p->reduced.last], op(h, OP_MUL, kx_cast(h->mem,
			ctype(CT_INT), op(h, OP_MOD, name(h, p->number),
			name(h, p->reduced.pieces))), integer(h, REDUCE_PIECE))));
	host_declare_int(h, b, p->reduced.piece_end, kx_min(h->mem, name(h,
		p->reduced.end_name[p->reduced.last]), kx_add(h->mem, name(h, from),
			REDUCE_PIECE)));
	ks_add(h->mem, b, ks_for(h->mem, index, op(h, OP_ADD, name(h, from),
		lane_of_thread(h)), op(h, OP_LT, name(h, index), name(h,
			p->reduced.piece_end)), integer(h, REDUCE_LANES),
		reduced_point(&p->reduced, typed_name(p, p->value), binding)));
	return b;
}

/* REDUCE_LANES adjacent threads reduce one piece and pass on its value. */
static struct ks *piece_of_threads(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *number = name(h, p->number);
	const struct kx *runs = op(h, OP_LT, number, name(h, p->numbers));
	const struct kx *value = typed_name(p, p->value);
	const struct kx *join[] = { name(h, p->reduced.lane), value };
	const struct kx *hand_on[] = { op(h, OP_ADD, name(h, p->values),
		number), value };
	struct ks *b = ks_block(h->mem);
	struct kx *x;

	ks_add(h->mem, b, ks_declare(h->mem, ctype_const(CT_SIZE), p->number,
		op(h, OP_ADD, name(h, p->first_number), op(h, OP_DIV, thread(h),
			integer(h, REDUCE_LANES)))));
	ks_add(h->mem, b, ks_declare(h->mem, ctype_of(reduced_type(
		&p->reduced)), p->value, reduced_call(&p->reduced, B_NOTHING, 0,
			NULL)));
	ks_add(h->mem, b, ks_if(h->mem, runs, own_points(p), NULL));
	ks_add(h->mem, b, ks_assign(h->mem, value, reduced_call(&p->reduced,
		B_JOIN_THREADS, 2, join)));
	x = kx_of_kind(h->mem, KX_BUILTIN, NULL, 2, hand_on);
	x->builtin = B_HAND_ON;
	x->c_type = ctype_of(reduced_type(&p->reduced));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_AND, op(h, OP_EQ,
		lane_of_thread(h), integer(h, 0)), runs), ks_expression(h->mem,
			KS_EXPRESSION, x), NULL));
	return b;
}

/* for (first_number: pieces, a block's share at a time, dealt to the blocks) */
static struct ks *all_pieces(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *block = kx_cast(h->mem, ctype(CT_SIZE), kx_axis(
		h->mem, B_BLOCK, 0));
	const struct kx *blocks = kx_cast(h->mem, ctype(CT_SIZE), kx_axis(
		h->mem, B_BLOCKS, 0));
	const struct kx *step = integer(h, PIECES_OF_BLOCK);
	struct ks *s = ks_for(h->mem, p->first_number, op(h, OP_MUL, block,
		step), op(h, OP_LT, name(h, p->first_number), name(h,
			p->numbers)), op(h, OP_MUL, blocks, step),
		piece_of_threads(p));

	s->c_type = ctype(CT_SIZE);
	return s;
}

/* e[at], or the variable of a check */
static const struct kx *result_cell(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *at = name(h, p->at), *zero = integer(h, 0);
	struct kx *x;

	if (!p->reduced.r->is_check)
		return global_cell(&p->place, p->reduced.r->result, NULL, &at);
	x = kx_of_kind(h->mem, KX_INDEX, p->broken, 1, &zero);
	x->type = TYPE_INT;
	return x;
}

/* if (the block is the last one) e[at] = the value of all blocks */
static struct ks *result_of_last(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct field *result = p->reduced.r->result;
	const struct kx *arg[] = { name(h, p->reduced.lane), name(h, p->values),
		name(h, p->numbers) };
	const struct kx *all = name(h, fresh_name(h->mem, h->prog, "all"));
	struct ks *b = ks_block(h->mem);

	ks_add(h->mem, b, ks_declare(h->mem, ctype_const(scalar_of(
		reduced_type(&p->reduced))), all->name, reduced_call(
			&p->reduced, B_JOIN_HANDED, 3, arg)));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_EQ, thread(h), integer(h, 0)),
		ks_assign(h->mem, result_cell(p), result->type == reduced_type(&p->reduced) ? all :
			kx_cast(h->mem, ctype_of(result->type), all)), NULL));
	return ks_if(h->mem, kx_builtin(h->mem, B_LAST_BLOCK, 1, name(h,
		p->arrived)), b, NULL);
}

static void add_pointer(const struct host *h, struct kfunc *f,
	enum scalar scalar, const char *param)
{
	struct ctype type = ctype_pointer(scalar, false);

	type.is_restrict = true;
	kfunc_add_param(h->mem, f, (struct kparam) { .c_type = type,
		.name = param });
}

struct kfunc *gpu_reduction(const struct host *h, int i)
{
	struct pieces p = pieces_of(h, i);
	enum scalar scalar = scalar_of(reduced_type(&p.reduced));
	struct kfunc *f = host_function(h, "%s_reduce", ctype(CT_VOID));
	const struct kx *rows = reduced_rows(&p.reduced, ctype(CT_SIZE));
	const struct kx *pieces = name(h, p.reduced.pieces);
	struct ks *pieces_of_blocks = all_pieces(&p);
	int extent = REDUCE_THREADS;

	f->name = region_printf(h->mem, "%s%d", f->name, i);
	f->comment = reduced_comment(&p.reduced);
	f->is_kernel = f->is_static = f->is_of_lists = true;
	f->max_threads = REDUCE_THREADS;
	ks_add(h->mem, f->body, ks_array(h->mem, ctype(scalar), p.reduced.lane, 1,
		&extent, true, -1));
	reduced_declare(&p.reduced, f->body, pieces_of_blocks);
	ks_add(h->mem, f->body, ks_declare(h->mem, ctype_const(CT_SIZE),
		p.numbers, rows ? op(h, OP_MUL, rows, pieces) : kx_cast(h->mem,
			ctype(CT_SIZE), pieces)));
	ks_add(h->mem, f->body, pieces_of_blocks);
	ks_add(h->mem, f->body, result_of_last(&p));
	kernel_add_arguments(&p.place, f);
	kfunc_add_int(h->mem, f, h->names->time);
	kfunc_add_int(h->mem, f, p.at);
	kfunc_drop_unused(f);
	add_pointer(h, f, scalar, p.values);
	add_pointer(h, f, CT_INT, p.arrived);
	if (p.reduced.r->is_check)
		add_pointer(h, f, CT_INT, p.broken);
	return f;
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
		add_pointer(h, f, scalar_of(field->type), field->name);
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
	launch(h, launched, h->turn, blocks_for(h, cells, TURN_THREADS,
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
			values_name(h, i), null));
	ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(CT_INT, false),
		arrived_name(h), null));
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

		new_zeros(h, b, values_name(h, i), scalar_of(reduced_type(&r)),
			bytes_of_values(h, i));
		gpu_new_check(h, b, i);
	}
	new_zeros(h, b, arrived_name(h), CT_INT, kx_sizeof(h->mem,
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

	launch(h, b, h->reduce[i], blocks_for(h, count_values(h, i),
		PIECES_OF_BLOCK, REDUCE_BLOCKS), REDUCE_THREADS,
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
	host_declare_int(h, b, h->names->steps, op(h, OP_SUB, segment_end(h),
		segment_first(h)));
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
		host_free_buffer(h, b, values_name(h, i));
		gpu_free_check(h, b, i);
	}
	host_free_buffer(h, b, arrived_name(h));
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

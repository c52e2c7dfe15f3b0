/* The kernel of a reduction: threads make a value of each piece; the last block that is done makes
 * one of all, unless the host does.
 */
#include <string.h>

#include "codegen/host/gpu_reduce.h"
#include "codegen/place.h"

enum {
	PIECES_OF_BLOCK = REDUCE_THREADS / REDUCE_LANES,
	REDUCE_BLOCKS = 1024,	/* blocks at most: more do not keep a machine
				 * busier */
};

void gpu_launch(const struct host *h, struct ks *b, const struct kfunc *kernel,
	const struct kx *blocks, int threads,
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
}

const struct kx *gpu_blocks_of_values(const struct host *h, const struct kx *n)
{
	return kx_select(h->mem, op(h, OP_LT, n, integer(h, PIECES_OF_BLOCK *
		REDUCE_BLOCKS)), kx_add(h->mem, kx_cast(h->mem, ctype(CT_INT),
			op(h, OP_DIV, n, integer(h, PIECES_OF_BLOCK))), 1),
		integer(h, REDUCE_BLOCKS));
}

/* How many values the rows of "r" have, each one for each of its "pieces". */
static const struct kx *values_of_rows(const struct reduced *r,
	const struct kx *pieces)
{
	const struct kx *rows = reduced_rows(r, ctype(CT_SIZE));

	return rows ? op(r->h, OP_MUL, rows, pieces) : kx_cast(r->h->mem,
		ctype(CT_SIZE), pieces);
}

const struct kx *gpu_count_values(const struct reduced *r)
{
	return values_of_rows(r, reduced_pieces(r));
}

/* The kernel of a reduction ------------------------------------------------ */

struct pieces {
	struct reduced reduced;
	struct place place;
	const char *values, *arrived, *broken, *at, *value, *number;
	const char *first_number, *numbers, *row;
	cpu_read *read;			/* of cells, and its user */
	const void *user;
	bool is_joined;			/* do blocks join the values? */
};

static const char *numbered(const struct host *h, const char *fmt, int i)
{
	return fresh_name(h->mem, h->prog, fmt, i);
}

const char *gpu_values_name(const struct host *h, int i)
{
	return numbered(h, "values%d", i);
}

const char *gpu_arrived_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "arrived");
}

const char *gpu_broken_name(const struct host *h, int i)
{
	return fresh_name(h->mem, h->prog, "broken%d", i);
}

static struct pieces pieces_of(struct reduced reduced)
{
	const struct host *h = reduced.h;
	int number = reduced.number;

	return (struct pieces) {
		.reduced = reduced,
		.place = { .mem = h->mem, .unit = h->unit, .plan = h->plan,
			.scop = h->scop, .names = h->names },
		.values = gpu_values_name(h, number), .arrived = gpu_arrived_name(h),
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

/* The version is of the next step, which is the last one behind all passes. */
static const struct kx *read_kept(const struct binding *b,
	const struct access *acc)
{
	const struct pieces *p = b->user;
	const struct field *f = acc->field;
	const struct kx *at[IR_MAX_DIMS];

	for (int d = 0; d < f->n_dims; d++)
		at[d] = kx_subscript(b->mem, acc, d, b->point[acc->dim[d]]);
	return global_cell(&p->place, f, f->kind == FIELD_STATE ?
		host_copy_after(p->reduced.h, f, name(p->reduced.h,
			p->place.names->memory.passes), acc->version - 1) : NULL, at);
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

	binding.read = p->read;
	binding.user = p->user;
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

/* The value of the piece, for other blocks. */
static struct ks *hand_on(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *arg[] = { op(h, OP_ADD, name(h, p->values), name(h,
		p->number)), typed_name(p, p->value) };
	struct kx *x = kx_of_kind(h->mem, KX_BUILTIN, NULL, 2, arg);

	x->builtin = B_HAND_ON;
	x->c_type = ctype_of(reduced_type(&p->reduced));
	return ks_expression(h->mem, KS_EXPRESSION, x);
}

/* .. for what follows the kernel. */
static struct ks *keep(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *number = name(h, p->number);

	return ks_assign(h->mem, kx_of_kind(h->mem, KX_INDEX, p->values, 1,
		&number), typed_name(p, p->value));
}

/* REDUCE_LANES adjacent threads reduce one piece and pass on its value. */
static struct ks *piece_of_threads(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *number = name(h, p->number);
	const struct kx *runs = op(h, OP_LT, number, name(h, p->numbers));
	const struct kx *value = typed_name(p, p->value);
	const struct kx *join[] = { name(h, p->reduced.lane), value };
	struct ks *b = ks_block(h->mem);

	ks_add(h->mem, b, ks_declare(h->mem, ctype_const(CT_SIZE), p->number,
		op(h, OP_ADD, name(h, p->first_number), op(h, OP_DIV, thread(h),
			integer(h, REDUCE_LANES)))));
	ks_add(h->mem, b, ks_declare(h->mem, ctype_of(reduced_type(
		&p->reduced)), p->value, reduced_call(&p->reduced, B_NOTHING, 0,
			NULL)));
	ks_add(h->mem, b, ks_if(h->mem, runs, own_points(p), NULL));
	ks_add(h->mem, b, ks_assign(h->mem, value, reduced_call(&p->reduced,
		B_JOIN_THREADS, 2, join)));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_AND, op(h, OP_EQ,
		lane_of_thread(h), integer(h, 0)), runs), p->is_joined ?
			hand_on(p) : keep(p), NULL));
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

void gpu_add_pointer(const struct host *h, struct kfunc *f,
	enum scalar scalar, const char *param)
{
	struct ctype type = ctype_pointer(scalar, false);

	type.is_restrict = true;
	kfunc_add_param(h->mem, f, (struct kparam) { .c_type = type,
		.name = param });
}

/* A kernel that declares what its threads need, and makes the values of all pieces. */
static struct kfunc *kernel_of(const struct pieces *p, const char *fmt,
	const struct kx *numbers)
{
	const struct host *h = p->reduced.h;
	struct kfunc *f = host_function(h, fmt, ctype(CT_VOID));
	struct ks *pieces_of_blocks = all_pieces(p);
	int extent = REDUCE_THREADS;

	f->name = region_printf(h->mem, "%s%d", f->name, p->reduced.number);
	f->comment = reduced_comment(&p->reduced);
	f->is_kernel = f->is_static = f->is_of_lists = true;
	f->max_threads = REDUCE_THREADS;
	ks_add(h->mem, f->body, ks_array(h->mem, ctype(scalar_of(reduced_type(
		&p->reduced))), p->reduced.lane, 1, &extent, true, -1));
	if (p->is_joined)
		reduced_declare(&p->reduced, f->body, pieces_of_blocks);
	else
		host_declare_int(h, f->body, p->reduced.pieces, reduced_pieces(
			&p->reduced));
	ks_add(h->mem, f->body, ks_declare(h->mem, ctype_const(CT_SIZE),
		p->numbers, numbers));
	ks_add(h->mem, f->body, pieces_of_blocks);
	return f;
}

struct kfunc *gpu_reduction(const struct host *h, int i)
{
	struct pieces p = pieces_of(reduced_of(h, i));
	struct kfunc *f;

	p.read = read_kept;
	p.user = &p;
	p.is_joined = true;
	f = kernel_of(&p, "%s_reduce", values_of_rows(&p.reduced, name(h,
		p.reduced.pieces)));
	ks_add(h->mem, f->body, result_of_last(&p));
	kernel_add_arguments(&p.place, f);
	kfunc_add_int(h->mem, f, h->names->time);
	kfunc_add_int(h->mem, f, p.at);
	kfunc_drop_unused(f);
	gpu_add_pointer(h, f, scalar_of(reduced_type(&p.reduced)), p.values);
	gpu_add_pointer(h, f, CT_INT, p.arrived);
	if (p.reduced.r->is_check)
		gpu_add_pointer(h, f, CT_INT, p.broken);
	return f;
}

struct kfunc *gpu_pieces_of_rank(const struct reduced *own, cpu_read *read)
{
	struct pieces p = pieces_of(*own);
	const struct host *h = own->h;
	struct kfunc *f;

	p.read = read;
	p.user = h;
	f = kernel_of(&p, "%s_pieces", gpu_count_values(own));
	host_add_params_of_all(h, f);
	for (int d = 0; d <= own->last; d++) {
		kfunc_add_int(h->mem, f, own->first[d]->name);
		kfunc_add_int(h->mem, f, own->end_name[d]);
	}
	gpu_add_pointer(h, f, scalar_of(reduced_type(own)), p.values);
	return f;
}

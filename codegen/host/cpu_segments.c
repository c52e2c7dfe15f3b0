/* Reductions as C, and a run in segments that end where reductions are due. */
#include <string.h>

#include "codegen/host/cpu.h"
#include "codegen/host/reductions.h"

/* Variables of a reduction. */
struct pieces {
	struct reduced reduced;
	const char *values, *l, *piece, *from;
};

static struct pieces pieces_of(const struct host *h, int number)
{
	return (struct pieces) {
		.reduced = reduced_of(h, number),
		.values = cpu_values_name(h),
		.l = fresh_name(h->mem, h->prog, "l"),
		.piece = fresh_name(h->mem, h->prog, "piece"),
		.from = fresh_name(h->mem, h->prog, "from"),
	};
}

static const struct kx *lane_at(const struct pieces *p, const struct kx *l)
{
	struct kx *x = kx_of_kind(p->reduced.h->mem, KX_INDEX, p->reduced.lane, 1, &l);

	x->type = reduced_type(&p->reduced);
	return x;
}

/* A[copy][i - 1][j]: a version in the run's own array. */
static const struct kx *read_own(const struct binding *b,
	const struct access *acc)
{
	const struct host *h = b->user;
	const struct field *f = acc->field;
	const struct kx *at[1 + IR_MAX_DIMS];
	struct kx *x;
	int n = 0;

	if (cpu_versions(f) > 1)
		at[n++] = integer(h, f->depth - 2 + acc->version);
	for (int d = 0; d < f->n_dims; d++)
		at[n++] = kx_subscript(h->mem, acc, d, b->point[acc->dim[d]]);
	x = kx_of_kind(h->mem, KX_INDEX, f->name, n, at);
	x->type = f->type;
	return x;
}

static struct ks *joined(const struct pieces *p, const struct kx *l)
{
	struct binding b = reduced_in_users_time(p->reduced.h);

	b.read = read_own;
	b.user = p->reduced.h;
	b.element = ELEMENT_OF_ARRAY;
	return reduced_point(&p->reduced, lane_at(p, l), b);
}

/* for (var = first; var < end; ++var) body */
static struct ks *loop(const struct host *h, const char *var,
	const struct kx *first, const struct kx *end, struct ks *body)
{
	return ks_for(h->mem, var, first, op(h, OP_LT, name(h, var), end),
		integer(h, 1), body);
}

static struct ks *with_directive(const struct host *h, enum directive_kind kind,
	struct ks *s)
{
	struct ks *block = ks_block(h->mem);

	ks_add(h->mem, block, ks_directive(h->mem, (struct directive) {
		.kind = kind, .schedule = kind == OMP_FOR ? OMP_STATIC :
			OMP_AS_IT_LIKES }));
	ks_add(h->mem, block, s);
	return block;
}

/* The points from .. from + 31, one for each lane. */
static struct ks *whole_lanes(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *l = name(h, p->l);
	struct ks *body = ks_block(h->mem);

	host_declare_int(h, body, reduced_index(&p->reduced, p->reduced.last), op(h, OP_ADD,
		name(h, p->from), l));
	ks_add(h->mem, body, joined(p, l));
	return with_directive(h, OMP_SIMD, loop(h, p->l, integer(h, 0),
		integer(h, REDUCE_LANES), body));
}

static struct ks *some_lanes(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const char *index = reduced_index(&p->reduced, p->reduced.last);

	return loop(h, index, name(h, p->from), name(h, p->reduced.piece_end),
		joined(p, op(h, OP_SUB, name(h, index), name(h, p->from))));
}

/* for (from: a piece, by lanes) */
static struct ks *over_piece(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *from = name(h, p->from);
	const struct kx *end = name(h, p->reduced.piece_end);

	return ks_for(h->mem, p->from, op(h, OP_ADD,
		p->reduced.first[p->reduced.last], op(h, OP_MUL, name(h, p->piece),
			integer(h, REDUCE_PIECE))), op(h, OP_LT, from, end),
		integer(h, REDUCE_LANES), ks_if(h->mem, op(h, OP_LE,
			kx_add(h->mem, from, REDUCE_LANES), end),
			whole_lanes(p), some_lanes(p)));
}

/* The number of the row: (i - first) * rows of it + .. */
static const struct kx *row_of(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *row = NULL;

	for (int d = 0; d < p->reduced.last; d++) {
		const struct kx *at = op(h, OP_SUB, name(h, reduced_index(&p->reduced, d)),
			p->reduced.first[d]);

		row = !row ? kx_cast(h->mem, ctype(CT_SIZE), at) : op(h,
			OP_ADD, op(h, OP_MUL, row, op(h, OP_SUB, name(h,
			p->reduced.end_name[d]), p->reduced.first[d])), at);
	}
	return row;
}

static struct ks *one_piece(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	struct ctype type = ctype_of(reduced_type(&p->reduced));
	const struct kx *row = row_of(p), *l = name(h, p->l);
	const struct kx *lanes = name(h, p->reduced.lane);
	const struct kx *at = name(h, p->piece);
	struct ks *body = ks_block(h->mem);
	int extent = REDUCE_LANES;

	ks_add(h->mem, body, ks_array(h->mem, type, p->reduced.lane, 1, &extent, false,
		-1));
	host_declare_int(h, body, p->reduced.piece_end, kx_min(h->mem, name(h,
		p->reduced.end_name[p->reduced.last]), op(h, OP_ADD,
		p->reduced.first[p->reduced.last], op(h, OP_MUL, kx_add(h->mem,
			name(h, p->piece), 1), integer(h, REDUCE_PIECE)))));
	ks_add(h->mem, body, loop(h, p->l, integer(h, 0), integer(h,
		REDUCE_LANES), ks_assign(h->mem, lane_at(p, l),
			reduced_call(&p->reduced, B_NOTHING, 0, NULL))));
	ks_add(h->mem, body, over_piece(p));
	if (row)
		at = op(h, OP_ADD, op(h, OP_MUL, row, name(h, p->reduced.pieces)), at);
	ks_add(h->mem, body, ks_assign(h->mem, kx_of_kind(h->mem, KX_INDEX,
		p->values, 1, &at), reduced_call(&p->reduced, B_JOIN_LANES, 1,
			&lanes)));
	return body;
}

/* All pieces of all rows; threads share the outermost loop. */
static struct ks *all_pieces(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	struct ks *nest = loop(h, p->piece, integer(h, 0), name(h, p->reduced.pieces),
		one_piece(p));

	for (int d = p->reduced.last - 1; d >= 0; d--)
		nest = loop(h, reduced_index(&p->reduced, d), p->reduced.first[d], name(h,
			p->reduced.end_name[d]), nest);
	return with_directive(h, OMP_FOR, nest);
}

static void add_arrays(const struct host *h, struct kfunc *f)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		if (field_is_argument(field))
			cpu_add_array(h, f, field, field->name,
				cpu_versions(field), cpu_is_moved(h, field) ?
				cpu_layout_of_user(h, field) : CPU_DENSE);
	}
}

/* rows * pieces, for the arrays of pieces */
static const struct kx *count_values(const struct pieces *p)
{
	const struct host *h = p->reduced.h;
	const struct kx *rows = reduced_rows(&p->reduced, ctype(CT_SIZE));
	const struct kx *pieces = name(h, p->reduced.pieces);

	return rows ? op(h, OP_MUL, rows, pieces) : pieces;
}

struct kfunc *cpu_reduction(const struct host *h, int i)
{
	struct pieces p = pieces_of(h, i);
	struct ctype type = ctype_of(reduced_type(&p.reduced));
	struct kfunc *f = host_function(h, "%s_reduce", type);
	struct ks *region = ks_scope(h->mem);
	const struct kx *arg[2] = { name(h, p.values) };

	f->name = region_printf(h->mem, "%s%d", f->name, i);
	f->comment = reduced_comment(&p.reduced);
	f->is_static = true;
	region->braces = true;
	ks_add(h->mem, region, all_pieces(&p));
	reduced_declare(&p.reduced, f->body, region);
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, f->body, ks_directive(h->mem,
		(struct directive) { .kind = OMP_PARALLEL }));
	ks_add(h->mem, f->body, region);
	arg[1] = count_values(&p);
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN, reduced_call(
		&p.reduced, B_JOIN_ALL, 2, arg)));
	host_add_params_of_all(h, f);
	kfunc_add_int(h->mem, f, h->names->time);
	if (h->walks_planes)
		kfunc_add_int(h->mem, f, cpu_apart_name(h));
	add_arrays(h, f);
	type = ctype_pointer(scalar_of(reduced_type(&p.reduced)), false);
	type.is_restrict = true;
	kfunc_add_param(h->mem, f, (struct kparam) { .c_type = type,
		.name = p.values });
	kfunc_drop_unused(f);
	return f;
}

/* Memory ------------------------------------------------------------------- */

const char *cpu_values_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "values");
}

/* Rounds use the memory one after the other: the sum of all is enough. */
const struct kx *cpu_values_bytes(const struct host *h)
{
	const struct kx *sum = NULL;

	for (int i = 0; i < h->prog->n_reductions; i++) {
		struct reduced r = reduced_of(h, i);
		const struct kx *rows = reduced_rows(&r, ctype(CT_SIZE));
		const struct kx *bytes = kx_cast(h->mem, ctype(CT_SIZE),
			reduced_pieces(&r));

		if (rows)
			bytes = op(h, OP_MUL, rows, reduced_pieces(&r));
		bytes = op(h, OP_MUL, bytes, kx_sizeof(h->mem,
			ctype_of(reduced_type(&r))));
		sum = sum ? op(h, OP_ADD, sum, bytes) : bytes;
	}
	return sum;
}

/* Segments ----------------------------------------------------------------- */

/* The argument of a reduction: the run's own arrays, the time of the last step. */
struct call_of_reduction {
	const struct host *h;
	const struct kx *end;
};

static const struct kx *argument_of_reduction(const void *user,
	const char *param)
{
	const struct call_of_reduction *call = user;
	const struct host *h = call->h;

	return strcmp(param, h->names->time) ? cpu_own_argument(h, param) :
		kx_add(h->mem, call->end, -1);
}

/* The run's own array of a result, as an lvalue. */
static const char *result_name(struct region *r, const struct program *prog,
	const struct field *f)
{
	return fresh_name(r, prog, "%s_result", f->name);
}

static const struct kx *result_at(const struct host *h, const struct field *f,
	const struct kx *at)
{
	struct kx *x = kx_of_kind(h->mem, KX_INDEX, result_name(h->mem, h->prog,
		f), 1, &at);

	x->type = f->type;
	return x;
}

/* const int broken0 = NAME_reduce0(..); if (broken0 > 0) return ..; */
static struct ks *check_finite(const struct host *h, int i,
	const struct kx *value)
{
	const char *broken = fresh_name(h->mem, h->prog, "broken%d", i);
	struct ks *b = ks_block(h->mem);

	host_declare_int(h, b, broken, value);
	host_return_if(h, b, op(h, OP_GT, name(h, broken), integer(h, 0)),
		STATUS_NOT_FINITE);
	return b;
}

/* e_result[at] = NAME_reduce0(..); */
static struct ks *reduce(const struct host *h, int i, const struct kx *end,
	const struct kx *at)
{
	struct call_of_reduction call = { h, end };
	const struct reduction *r = h->prog->reduction[i];
	const struct kx *value = kfunc_call(h->mem, h->reduce[i],
		argument_of_reduction, &call);

	if (r->is_check)
		return check_finite(h, i, value);
	return ks_assign(h->mem, result_at(h, r->result, at),
		r->result->type == r->point->value->type ? value :
		kx_cast(h->mem, ctype_of(r->result->type), value));
}

static const struct kx *newest_result(const struct binding *b,
	const struct expr *e)
{
	const struct kx *first = kx_int(b->mem, 0);
	struct kx *x = kx_of_kind(b->mem, KX_INDEX, result_name(b->mem, b->prog,
		e->field), 1, &first);

	x->type = e->type;
	return x;
}

static void declare_results(const struct host *h, struct ks *b)
{
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (f->is_result)
			ks_add(h->mem, b, ks_declare(h->mem, ctype_fixed(
				scalar_of(f->type), false), result_name(h->mem,
				h->prog, f), name(h, cpu_apart_array(h, f))));
	}
}

/* The steps of the segment at hand. */
static void run_segment(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	const struct kx *computes = host_computes_something(h);
	const char *failed = fresh_name(h->mem, h->prog, "failed");
	struct ks *steps = ks_block(h->mem);

	if (cpu_has_two_grids(h)) {
		host_declare_int(h, steps, failed, cpu_call_own(h, run));
		ks_add(h->mem, steps, ks_if(h->mem, name(h, failed),
			ks_expression(h->mem, KS_RETURN, name(h, failed)),
			NULL));
	} else {
		ks_add(h->mem, steps, ks_expression(h->mem, KS_EXPRESSION,
			cpu_call_own(h, run)));
	}
	ks_add(h->mem, b, computes ? ks_if(h->mem, computes, steps, NULL) :
		steps);
}

/* The steps of a segment, its reductions, and whether these end the loop. */
static struct ks *segment(const struct host *h, const struct kfunc *run)
{
	struct ks *body = ks_block(h->mem);

	ks_add(h->mem, body, ks_simple(h->mem, KS_BLANK));
	run_segment(h, body, run);
	segment_reduce(h, body, reduce);
	if (!h->prog->until)
		return body;
	ks_add(h->mem, body, ks_assign(h->mem, name(h, loop_ends_name(h)),
		kx_and(h->mem, loop_may_end(h), loop_condition(h,
			newest_result))));
	ks_add(h->mem, body, ks_assign(h->mem, name(h, loop_done_name(h)),
		op(h, OP_SUB, segment_end(h), whole_begin(h))));
	return body;
}

void cpu_add_segments(const struct host *h, struct ks *b,
	const struct kfunc *run)
{
	const struct program *prog = h->prog;
	const struct kx *done = name(h, loop_done_name(h));

	declare_results(h, b);
	loop_declare(h, b);
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	if (prog->segments->most > 0) {
		ks_add(h->mem, b, segment_loop(h, segment(h, run)));
	} else {
		host_declare_int(h, b, segment_first(h)->name, whole_begin(h));
		host_declare_int(h, b, segment_end(h)->name, whole_end(h));
		run_segment(h, b, run);
	}
	end_reduce(h, b, prog->until ? op(h, OP_ADD, whole_begin(h), done) :
		whole_end(h), reduce);
	if (prog->until)
		ks_add(h->mem, b, ks_assign(h->mem, result_at(h, prog->steps,
			integer(h, 0)), done));
}

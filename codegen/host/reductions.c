/* Building blocks of reductions, for all targets. */
#include "codegen/host/reductions.h"

#include <string.h>

/* Points ------------------------------------------------------------------- */

static bool is_among(const struct kx *x, const struct kx *const *all, int n)
{
	for (int i = 0; i < n; i++)
		if (kx_same(all[i], x))
			return true;
	return false;
}

/* The least x at which a read along "dim" lies beyond the grid. */
static const struct kx *end_of(const struct host *h, const struct stmt *point,
	int dim)
{
	const struct kx **all = region_array(h->mem, const struct kx *,
		IR_MAX_DIMS * point->n_reads);
	const struct kx *end = NULL;
	int n = 0;

	for (int i = 0; i < point->n_reads; i++)
		for (int d = 0; d < point->read[i]->field->n_dims; d++) {
			const struct access *a = point->read[i];
			const struct kx *x;

			if (a->dim[d] != dim)
				continue;
			x = kx_end(h->mem, host_param(h, access_end(h->mem, a,
				d), ctype(CT_NONE)), a->offset[d], a->stride[d]);
			if (is_among(x, all, n))
				continue;
			all[n++] = x;
			end = end ? kx_min(h->mem, end, x) : x;
		}
	return end;
}

struct reduced reduced_of(const struct host *h, int number)
{
	const struct reduction *r = h->prog->reduction[number];
	struct reduced reduced = {
		.h = h, .r = r, .number = number,
		.last = r->point->n_dims - 1,
		.lane = fresh_name(h->mem, h->prog, "lane"),
		.pieces = fresh_name(h->mem, h->prog, "pieces"),
		.piece_end = fresh_name(h->mem, h->prog, "piece_end"),
	};

	for (int d = 0; d <= reduced.last; d++) {
		reduced.first[d] = integer(h, reduction_first_point(r, d));
		reduced.end[d] = end_of(h, r->point, d);
		reduced.end_name[d] = fresh_name(h->mem, h->prog, "%s_end",
			r->point->iterator[d]);
	}
	return reduced;
}

void reduced_declare(const struct reduced *r, struct ks *b,
	const struct ks *user)
{
	for (int d = 0; d <= r->last; d++)
		if (ks_uses(user, r->end_name[d]))
			host_declare_int(r->h, b, r->end_name[d], r->end[d]);
	host_declare_int(r->h, b, r->pieces, reduced_pieces(r));
}

const char *reduced_index(const struct reduced *r, int d)
{
	return r->r->point->iterator[d];
}

/* The number of points along "d". */
static const struct kx *extent_of(const struct reduced *r, int d)
{
	const struct kx *n = op(r->h, OP_SUB, r->end[d], r->first[d]);

	return n->kind == KX_INT ? integer(r->h, n->ivalue > 0 ? n->ivalue : 0)
		: kx_max(r->h->mem, n, integer(r->h, 0));
}

const struct kx *reduced_rows(const struct reduced *r, struct ctype c_type)
{
	const struct kx *rows = NULL;

	for (int d = 0; d < r->last; d++) {
		const struct kx *n = extent_of(r, d);

		rows = rows ? op(r->h, OP_MUL, rows, n) :
			kx_cast(r->h->mem, c_type, n);
	}
	return rows;
}

const struct kx *reduced_pieces(const struct reduced *r)
{
	const struct host *h = r->h;

	return op(h, OP_DIV, kx_add(h->mem, extent_of(r,
		r->last), REDUCE_PIECE - 1), integer(h,
			REDUCE_PIECE));
}

enum type reduced_type(const struct reduced *r)
{
	return r->r->point->value->type;
}

bool reduced_is_of_magnitudes(const struct reduced *r)
{
	const struct expr *value = r->r->point->value;

	return r->r->how == REDUCE_MAX && value->kind == EXPR_CALL &&
		value->op == OP_FABS && (value->type == TYPE_FLOAT ||
			value->type == TYPE_DOUBLE);
}

bool reduced_in_tiles(const struct host *h, int number)
{
	return h->plan && h->plan->tiles.reduces && reduction_is_seen(h->prog,
		h->prog->reduction[number]);
}

/* (i - first) * rows of it + .. */
const struct kx *reduced_row(const struct reduced *r)
{
	const struct host *h = r->h;
	const struct kx *row = NULL;

	for (int d = 0; d < r->last; d++) {
		const struct kx *at = op(h, OP_SUB, name(h, reduced_index(r, d)),
			r->first[d]);

		row = !row ? kx_cast(h->mem, ctype(CT_SIZE), at) : op(h,
			OP_ADD, op(h, OP_MUL, row, op(h, OP_SUB, name(h,
			r->end_name[d]), r->first[d])), at);
	}
	return row;
}

/* Values ------------------------------------------------------------------- */

const struct kx *reduced_call(const struct reduced *r, enum builtin b, int n,
	const struct kx *const *arg)
{
	struct kx *x = kx_of_kind(r->h->mem, KX_BUILTIN, NULL, n, arg);

	x->builtin = b + (int) r->r->how;
	x->c_type = ctype_of(reduced_type(r));
	x->type = reduced_type(r);
	return x;
}

static const struct kx *join(const struct reduced *r, const struct kx *a,
	const struct kx *b)
{
	const struct kx *arg[] = { a, b };
	struct kx *x;

	if (!r->by_bits)
		return reduced_call(r, B_JOIN, 2, arg);
	x = kx_of_kind(r->h->mem, KX_BUILTIN, NULL, 2, arg);
	x->builtin = B_JOIN_MAGNITUDES;
	x->c_type = ctype_of(reduced_type(r));
	x->type = reduced_type(r);
	return x;
}

struct binding reduced_in_users_time(const struct host *h)
{
	struct program *p = region_new_of(h->mem, struct program);

	*p = *h->prog;
	p->begin = expr_int(h->mem, 0, p->at);
	return (struct binding) { .mem = h->mem, .prog = p,
		.time = name(h, h->names->time), .exact = true };
}

struct ks *reduced_point(const struct reduced *r, const struct kx *to,
	struct binding b)
{
	const struct host *h = r->h;
	const struct stmt *point = r->r->point;
	struct ks *block = ks_block(h->mem);
	struct ks *s;

	for (int d = 0; d < point->n_dims; d++)
		b.point[d] = name(h, point->iterator[d]);
	for (const struct local *l = point->locals; l; l = l->next)
		ks_add(h->mem, block, ks_declare(h->mem, ctype_const(scalar_of(
			l->value->type)), l->name, kx_of_expr(&b, l->value)));
	s = ks_assign(h->mem, to, join(r, to, kx_of_expr(&b,
		point->value)));
	for (int i = point->n_conditions - 1; i >= 0; i--)
		s = ks_if(h->mem, kx_of_expr(&b, point->condition[i]), s, NULL);
	ks_add(h->mem, block, s);
	return block;
}

const char *reduced_subject(const struct reduced *r)
{
	const struct stmt *point = r->r->point;
	const char *text = region_printf(r->h->mem, "%s, the %s over (",
		r->r->result->name, reduce_name(r->r->how));

	for (int d = 0; d < point->n_dims; d++)
		text = region_printf(r->h->mem, "%s%s%s", text, d ? ", " : "",
			point->iterator[d]);
	return region_printf(r->h->mem, "%s)", text);
}

const char *reduced_comment(const struct reduced *r)
{
	return region_printf(r->h->mem, "%s: %d lanes take %d points of a row at "
		"a time, in an order that depends on the\nsizes alone.",
		reduced_subject(r), REDUCE_LANES, REDUCE_PIECE);
}

/* Segments ----------------------------------------------------------------- */

const struct kx *segment_first(const struct host *h)
{
	return name(h, h->prog->segments->first->name);
}

const struct kx *segment_end(const struct host *h)
{
	return name(h, h->prog->segments->end->name);
}

const struct kx *whole_begin(const struct host *h)
{
	return host_param(h, h->prog->segments->whole_begin, ctype(CT_NONE));
}

const struct kx *whole_end(const struct host *h)
{
	return host_param(h, h->prog->segments->whole_end, ctype(CT_NONE));
}

/* Steps of the whole range up to "time". */
static const struct kx *steps_to(const struct host *h, const struct kx *time)
{
	return op(h, OP_SUB, time, whole_begin(h));
}

static bool ends_loop(const struct program *p, const struct reduction *r)
{
	return result_ends_loop(p, r->result);
}

/* Is "i" the first with its period of the reductions that "counts" names? */
static bool is_new_period(const struct program *p, int i,
	bool (*counts)(const struct program *p, const struct reduction *r))
{
	if (!counts(p, p->reduction[i]))
		return false;
	for (int j = 0; j < i; j++)
		if (counts(p, p->reduction[j]) &&
		    p->reduction[j]->every == p->reduction[i]->every)
			return false;
	return true;
}

static int count_periods(const struct program *p)
{
	int n = 0;

	for (int i = 0; i < p->n_reductions; i++)
		n += is_new_period(p, i, reduction_is_seen);
	return n;
}

static const struct kx *segment_steps(const struct host *h)
{
	bool one = count_periods(h->prog) == 1;
	const struct kx *steps = NULL;

	for (int i = 0; i < h->prog->n_reductions; i++) {
		const struct kx *every = integer(h,
			h->prog->reduction[i]->every), *left;

		if (!is_new_period(h->prog, i, reduction_is_seen))
			continue;
		left = one ? every : op(h, OP_SUB, every, op(h, OP_MOD,
			steps_to(h, segment_first(h)), every));
		steps = steps ? kx_min(h->mem, steps, left) : left;
	}
	return steps;
}

static const struct kx *reduction_due(const struct host *h,
	const struct reduction *r)
{
	const struct kx *due = op(h, OP_EQ, op(h, OP_MOD, steps_to(h,
		segment_end(h)), integer(h, r->every)), integer(h, 0));

	if (r->every == 1)
		return NULL;
	if (!r->result->is_scalar)
		return due;
	return count_periods(h->prog) == 1 ? NULL : op(h, OP_OR, due, op(h,
		OP_EQ, segment_end(h), whole_end(h)));
}

static const struct kx *reduction_place(const struct host *h,
	const struct reduction *r)
{
	return r->result->is_scalar ? integer(h, 0) : kx_add(h->mem, op(h,
		OP_DIV, steps_to(h, segment_end(h)), integer(h, r->every)),
		-1);
}

/* A binding for what the condition of "until" reads. */
static const struct kx *known_result(const struct binding *b,
	const struct expr *e)
{
	const struct kx *(*const *result)(const struct binding *,
		const struct expr *) = b->user;

	return e->kind == EXPR_ELEMENT ? (*result)(b, e) : NULL;
}

const struct kx *loop_may_end(const struct host *h)
{
	const struct program *p = h->prog;
	const struct kx *due = NULL;

	for (int i = 0; i < p->n_reductions; i++) {
		const struct reduction *r = p->reduction[i];

		if (r->every > 1 && is_new_period(p, i, ends_loop))
			due = kx_and(h->mem, due, op(h, OP_EQ, op(h, OP_MOD,
				steps_to(h, segment_end(h)), integer(h,
				r->every)), integer(h, 0)));
	}
	return due;
}

const struct kx *loop_condition(const struct host *h, const struct kx *(*result)(
	const struct binding *b, const struct expr *e))
{
	struct binding b = { .mem = h->mem, .prog = h->prog,
		.known = known_result, .user = &result, .exact = true };

	return kx_of_expr(&b, h->prog->until);
}

void segment_reduce(const struct host *h, struct ks *b, reduce_at *reduce)
{
	for (int i = 0; i < h->prog->n_reductions; i++) {
		const struct reduction *r = h->prog->reduction[i];
		const struct kx *due;
		struct ks *s;

		if (!reduction_is_seen(h->prog, r))
			continue;
		due = reduction_due(h, r);
		s = reduce(h, i, segment_end(h), reduction_place(h, r));
		ks_add(h->mem, b, due ? ks_if(h->mem, due, s, NULL) : s);
	}
}

void end_reduce(const struct host *h, struct ks *b, const struct kx *end,
	reduce_at *reduce)
{
	for (int i = 0; i < h->prog->n_reductions; i++)
		if (!reduction_is_seen(h->prog, h->prog->reduction[i]))
			ks_add(h->mem, b, reduce(h, i, end, integer(h, 0)));
}

const char *loop_ends_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "ends");
}

const char *loop_done_name(const struct host *h)
{
	return fresh_name(h->mem, h->prog, "done");
}

void loop_declare(const struct host *h, struct ks *b)
{
	if (!h->prog->until)
		return;
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), loop_ends_name(h),
		integer(h, 0)));
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), loop_done_name(h),
		integer(h, 0)));
}

struct ks *segment_loop(const struct host *h, struct ks *body)
{
	const struct kx *first = segment_first(h), *steps = segment_steps(h);
	const struct kx *goes_on = op(h, OP_LT, first, whole_end(h));
	struct ks *segment = ks_block(h->mem);

	if (h->prog->until)
		goes_on = op(h, OP_AND, goes_on, kx_unary(h->mem, OP_NOT,
			name(h, loop_ends_name(h))));
	host_declare_int(h, segment, segment_end(h)->name, kx_min(h->mem, op(h,
		OP_ADD, first, steps), whole_end(h)));
	ks_add(h->mem, segment, body);
	return ks_for(h->mem, first->name, whole_begin(h), goes_on, steps,
		segment);
}

void host_return_without_steps(const struct host *h, struct ks *b)
{
	const struct kx *first = integer(h, 0);
	const struct kx *nothing = host_nothing_runs(h, h->prog->timed ?
		host_written_steps(h, ctype(CT_NONE)) : NULL);
	struct ks *leave = ks_block(h->mem);

	if (h->prog->steps)
		ks_add(h->mem, leave, ks_assign(h->mem, kx_of_kind(h->mem,
			KX_INDEX, h->prog->steps->name, 1, &first), first));
	ks_add(h->mem, leave, ks_expression(h->mem, KS_RETURN, integer(h, 0)));
	if (nothing)
		ks_add(h->mem, b, ks_if(h->mem, nothing, leave, NULL));
}

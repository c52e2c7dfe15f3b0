/* Types, operators and constructors of expressions, see ir.h. */
#include "ir/ir.h"
#include "ir/memo.h"

#include <float.h>
#include <math.h>

/* What types.def says of a type. */
struct type_info {
	const char *name, *word;
	int size;
	bool is_integer;
	enum type value;
};

static const struct type_info *type_info(enum type t)
{
	static const struct type_info infos[] = {
#define TYPE(id, name, word, size, is_integer, value) \
		{ name, word, size, is_integer, value },
#include "ir/types.def"
#undef TYPE
	};

	return &infos[t];
}

const char *type_name(enum type t)
{
	return type_info(t)->name;
}

const char *type_word(enum type t)
{
	return type_info(t)->word;
}

int type_size(enum type t)
{
	return type_info(t)->size;
}

bool type_is_integer(enum type t)
{
	return type_info(t)->is_integer;
}

enum type type_promoted(enum type t)
{
	return type_info(t)->value;
}

enum type type_common(enum type a, enum type b)
{
	return larger(a, b);
}

/* New expressions ----------------------------------------------------------*/

struct expr *expr_leaf(struct region *r, enum expr_kind kind, enum type type,
	struct span at)
{
	struct expr *e = region_new_of(r, struct expr);

	e->kind = kind;
	e->type = type;
	e->nodes = e->depth = 1;
	e->at = at;
	return e;
}

static void add_arg(struct expr *e, const struct expr *arg)
{
	e->arg[e->n_args++] = arg;
	e->nodes += arg->nodes;
	if (arg->depth >= e->depth)
		e->depth = arg->depth + 1;
}

const struct expr *expr_unary(struct region *r, enum op op,
	const struct expr *arg, struct span at)
{
	enum type type = op_is_comparison(op) ? TYPE_INT : arg->type;
	struct expr *e = expr_leaf(r, EXPR_UNARY, type, at);

	e->op = op;
	add_arg(e, arg);
	return e;
}

const struct expr *expr_binary(struct region *r, enum op op,
	const struct expr *left, const struct expr *right, struct span at)
{
	enum type type = op_is_comparison(op) ? TYPE_INT :
		op_is_shift(op) ? left->type :
		type_common(left->type, right->type);
	struct expr *e = expr_leaf(r, EXPR_BINARY, type, at);

	e->op = op;
	add_arg(e, left);
	add_arg(e, right);
	return e;
}

const struct expr *expr_times(struct region *r, int64_t factor,
	const struct expr *e)
{
	return factor == 1 ? e : expr_binary(r, OP_MUL, expr_int(r, factor,
		e->at), e, e->at);
}

const struct expr *expr_select(struct region *r, const struct expr *condition,
	const struct expr *then, const struct expr *otherwise, struct span at)
{
	enum type type = type_common(then->type, otherwise->type);
	struct expr *e = expr_leaf(r, EXPR_SELECT, type, at);

	add_arg(e, condition);
	add_arg(e, then);
	add_arg(e, otherwise);
	return e;
}

const struct expr *expr_cast(struct region *r, enum type type,
	const struct expr *arg, struct span at)
{
	struct expr *e;

	if (arg->type == type)
		return arg;
	e = expr_leaf(r, EXPR_CAST, type, at);
	add_arg(e, arg);
	return e;
}

const struct expr *expr_promoted(struct region *r, const struct expr *arg)
{
	return expr_cast(r, type_promoted(arg->type), arg, arg->at);
}

/* A real is converted to 16 bits by way of a float, and to short and unsigned integers by way
 * of a type that has all their values.
 */
const struct expr *expr_stored(struct region *r, enum type type,
	const struct expr *arg, struct span at)
{
	enum type by = type_promoted(type);

	if (type == TYPE_UNSIGNED && !type_is_integer(arg->type))
		by = TYPE_LONG;
	return expr_cast(r, type, by == type ? arg :
		expr_cast(r, by, arg, at), at);
}

const struct expr *expr_call(struct region *r, enum op op, enum type type,
	int n_args, const struct expr *const *arg, struct span at)
{
	struct expr *e = expr_leaf(r, EXPR_CALL, type, at);

	e->op = op;
	for (int i = 0; i < n_args; ++i)
		add_arg(e, expr_cast(r, type, arg[i], arg[i]->at));
	return e;
}

static const struct expr *literal_int(struct region *r, int64_t value,
	struct span at)
{
	struct expr *e = expr_leaf(r, EXPR_INT, TYPE_INT, at);

	e->ivalue = value;
	return e;
}

const struct expr *expr_element(struct region *r, const struct field *f,
	const struct expr *const *arg, const struct access *inside,
	struct span at)
{
	struct expr *e = expr_leaf(r, EXPR_ELEMENT, f->type, at);

	e->field = f;
	e->access = inside;
	for (int i = 0; i < f->n_dims; ++i)
		add_arg(e, arg[i]);
	return e;
}

/* C has no literal for the least int: write it as a difference. */
const struct expr *expr_int(struct region *r, int64_t value, struct span at)
{
	if (value >= 0)
		return literal_int(r, value, at);
	if (value == INT32_MIN)
		return expr_binary(r, OP_SUB, expr_int(r, value + 1, at),
			literal_int(r, 1, at), at);
	return expr_unary(r, OP_NEG, literal_int(r, -value, at), at);
}

const struct expr *expr_real(struct region *r, enum type type, double value,
	struct span at)
{
	struct expr *e = expr_leaf(r, EXPR_REAL, type, at);

	e->rvalue = fabs(value);
	return signbit(value) ? expr_unary(r, OP_NEG, e, at) : e;
}

/* The value of an expression ---------------------------------------------- */

const struct expr *expr_with_args(struct region *r, const struct expr *e,
	const struct expr *const *arg)
{
	switch (e->kind) {
	case EXPR_UNARY:
		return expr_unary(r, e->op, arg[0], e->at);
	case EXPR_BINARY:
		return expr_binary(r, e->op, arg[0], arg[1], e->at);
	case EXPR_SELECT:
		return expr_select(r, arg[0], arg[1], arg[2], e->at);
	case EXPR_CALL:
		return expr_call(r, e->op, e->type, e->n_args, arg, e->at);
	default:
		return expr_cast(r, e->type, arg[0], e->at);
	}
}

bool op_compare(enum op op, int64_t a, int64_t b, int64_t *value)
{
	switch (op) {
	case OP_LT: *value = a < b; return true;
	case OP_LE: *value = a <= b; return true;
	case OP_GT: *value = a > b; return true;
	case OP_GE: *value = a >= b; return true;
	case OP_EQ: *value = a == b; return true;
	case OP_NE: *value = a != b; return true;
	default: return false;
	}
}

/* Where C leaves the result open, as for a shift by too many bits or of a negative number,
 * there is no value.
 */
static bool shift(enum op op, int64_t a, int64_t b, int64_t *value)
{
	if (b < 0 || b >= 32 || (op == OP_SHIFT_LEFT && a < 0))
		return false;
	*value = op == OP_SHIFT_LEFT ? a << b : a >> b;
	return op == OP_SHIFT_LEFT ? a >> (62 - b) == 0 : true;
}

bool op_on_integers(enum op op, int64_t a, int64_t b, int64_t *value)
{
	switch (op) {
	case OP_ADD: return !__builtin_add_overflow(a, b, value);
	case OP_SUB: return !__builtin_sub_overflow(a, b, value);
	case OP_MUL: return !__builtin_mul_overflow(a, b, value);
	case OP_DIV:
	case OP_MOD:
		if (!b || (a == INT64_MIN && b == -1))
			return false;
		*value = op == OP_DIV ? a / b : a % b;
		return true;
	case OP_BIT_AND: *value = a & b; return true;
	case OP_BIT_XOR: *value = a ^ b; return true;
	case OP_BIT_OR: *value = a | b; return true;
	case OP_SHIFT_LEFT:
	case OP_SHIFT_RIGHT:
		return shift(op, a, b, value);
	case OP_AND: *value = a && b; return true;
	case OP_OR: *value = a || b; return true;
	default: return op_compare(op, a, b, value);
	}
}

static bool constant_unary(enum op op, int64_t a, int64_t *value)
{
	if (op == OP_NEG)
		return !__builtin_sub_overflow((int64_t) 0, a, value);
	*value = op == OP_BIT_NOT ? ~a : !a;
	return true;
}

bool expr_uses(const struct expr *e, const struct param *param)
{
	if (e->kind == EXPR_PARAM && e->param == param)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (expr_uses(e->arg[i], param))
			return true;
	return false;
}

bool expr_constant(const struct expr *e, int64_t *value)
{
	int64_t a, b;

	if (e->type != TYPE_INT)
		return false;
	switch (e->kind) {
	case EXPR_INT:
		*value = e->ivalue;
		return true;
	case EXPR_PARAM:
		*value = e->param->ivalue;
		return e->param->fixed;
	case EXPR_UNARY:
		return expr_constant(e->arg[0], &a) &&
			constant_unary(e->op, a, value);
	case EXPR_BINARY:
		return expr_constant(e->arg[1], &b) &&
			expr_constant(e->arg[0], &a) &&
			op_on_integers(e->op, a, b, value);
	case EXPR_SELECT:
		return expr_constant(e->arg[0], &a) &&
			expr_constant(e->arg[a ? 1 : 2], value);
	default:
		return false;
	}
}

bool expr_same_node(const struct expr *a, const struct expr *b)
{
	return a->kind == b->kind && a->type == b->type &&
		a->n_args == b->n_args && (!a->n_args || a->op == b->op) &&
		a->ivalue == b->ivalue && !(a->rvalue < b->rvalue) &&
		!(a->rvalue > b->rvalue) && a->param == b->param &&
		a->dim == b->dim && a->local == b->local &&
		a->field == b->field;
}

bool expr_same(const struct expr *a, const struct expr *b)
{
	bool same = a == b || expr_same_node(a, b);

	for (int i = 0; a != b && same && i < a->n_args; i++)
		same = expr_same(a->arg[i], b->arg[i]);
	return same;
}

bool expr_same_size(const struct expr *a, const struct expr *b)
{
	int64_t va, vb;
	bool same = expr_same_node(a, b);

	if (expr_constant(a, &va) && expr_constant(b, &vb))
		return va == vb;
	for (int i = 0; same && i < a->n_args; i++)
		same = expr_same_size(a->arg[i], b->arg[i]);
	return same;
}

bool expr_is_over_root(const struct expr *e)
{
	return e->kind == EXPR_BINARY && e->op == OP_DIV &&
		e->arg[1]->kind == EXPR_CALL && e->arg[1]->op == OP_SQRT &&
		e->arg[1]->type == e->type;
}

bool expr_is_one(const struct expr *e)
{
	return (e->kind == EXPR_INT && e->ivalue == 1) ||
		(e->kind == EXPR_REAL && e->rvalue == 1);
}

double expr_by_number(const struct expr *e)
{
	const struct expr *by = e->arg[1];
	double over = 1 / (by->kind == EXPR_INT ? (double) by->ivalue :
		by->rvalue);

	return e->type == TYPE_FLOAT ? (double) (float) over : over;
}

/* Is it a number that is neither infinite nor, like the inverse of the divisor,
 * has lost bits to underflow?
 */
static bool has_inverse(const struct expr *e)
{
	const struct expr *by = e->arg[1];
	double least = e->type == TYPE_FLOAT ? (double) FLT_MIN : DBL_MIN;
	double over;

	if (by->kind != EXPR_INT && by->kind != EXPR_REAL)
		return false;
	over = expr_by_number(e);
	return over >= least && over <= 1 / least;
}

enum root expr_root(const struct expr *e)
{
	if (type_is_integer(e->type))
		return ROOT_NONE;
	if (e->kind == EXPR_CALL && e->op == OP_SQRT)
		return ROOT_SQUARE;
	if (e->kind != EXPR_BINARY || e->op != OP_DIV)
		return ROOT_NONE;
	return expr_is_over_root(e) ? ROOT_OVER :
		has_inverse(e) ? ROOT_BY_NUMBER : ROOT_QUOTIENT;
}

bool expr_any(const struct expr *e, bool (*is)(const struct expr *))
{
	if (is(e))
		return true;
	for (int i = 0; i < e->n_args; ++i)
		if (expr_any(e->arg[i], is))
			return true;
	return false;
}

bool expr_decides(const struct expr *e)
{
	return e->kind == EXPR_SELECT || (e->kind == EXPR_BINARY &&
		(e->op == OP_AND || e->op == OP_OR));
}

bool expr_wants(const struct expr *e, int i)
{
	return e->kind == EXPR_SELECT ? i == 1 : e->op == OP_AND;
}

bool expr_is_index(const struct expr *e)
{
	return e->kind == EXPR_INDEX;
}

bool expr_is_time(const struct expr *e)
{
	return e->kind == EXPR_TIME;
}

bool expr_is_read(const struct expr *e)
{
	return e->kind == EXPR_READ || e->kind == EXPR_ELEMENT;
}

static bool is_literal(const struct expr *e)
{
	return e->kind == EXPR_INT || e->kind == EXPR_REAL;
}

/* A negative constant counts as no operation. */
static bool is_free(const struct expr *e)
{
	return type_is_integer(e->type) ||
		(e->kind == EXPR_UNARY && is_literal(e->arg[0]));
}

/* An expression used twice, as the argument of a definition may be, is evaluated, and visited,
 * once.
 */
struct visit {
	void (*each)(void *user, const struct expr *e);
	void *user;
	struct region *tmp;
	struct memo **seen;
};

/* Is it the first visit to "e"? */
static bool is_new(struct visit *v, const struct expr *e)
{
	struct memo *m = memo_of(v->tmp, v->seen, e);
	bool first = !m->to;

	m->to = e;
	return first;
}

static void visit_expr(struct visit *v, const struct expr *e)
{
	if (e->n_args && !is_new(v, e))
		return;
	v->each(v->user, e);
	for (int i = 0; i < e->n_args; ++i)
		visit_expr(v, e->arg[i]);
}

void stmt_each_expr(const struct stmt *s,
	void (*each)(void *user, const struct expr *e), void *user)
{
	struct visit v = { .each = each, .user = user, .tmp = region_new() };

	v.seen = memo_new(v.tmp);
	visit_expr(&v, s->value);
	for (const struct local *l = s->locals; l; l = l->next)
		visit_expr(&v, l->value);
	region_free(v.tmp);
}

static void visit_list(struct visit *v, const struct list *list)
{
	for (int d = 0; d < list->grid->n_dims; ++d)
		visit_expr(v, list->place[d]);
	visit_expr(v, list->begin);
	visit_expr(v, list->end);
}

void stmt_each_listed_expr(const struct stmt *s,
	void (*each)(void *user, const struct expr *e), void *user)
{
	struct visit v = { .each = each, .user = user, .tmp = region_new() };

	v.seen = memo_new(v.tmp);
	for (int i = 0; i < s->n_listed; ++i) {
		const struct listed *l = s->listed[i];

		if (l->list)
			visit_list(&v, l->list);
		for (int j = 0; j < l->n_conditions; ++j)
			visit_expr(&v, l->condition[j]);
		for (int d = 0; l->series && d < l->series->n_dims; ++d)
			visit_expr(&v, l->subscript[d]);
		visit_expr(&v, l->value);
		if (l->weight)
			visit_expr(&v, l->weight);
		if (l->corner)
			visit_expr(&v, l->corner);
	}
	region_free(v.tmp);
}

static void visit_boundaries(struct visit *v, const struct field *f)
{
	for (int d = 0; d < f->n_dims; ++d)
		for (int side = 0; side < SIDES; ++side)
			if (f->boundary[d][side].value)
				visit_expr(v, f->boundary[d][side].value);
}

void stmt_each_boundary_expr(const struct stmt *s,
	void (*each)(void *user, const struct expr *e), void *user)
{
	struct visit v = { .each = each, .user = user, .tmp = region_new() };

	v.seen = memo_new(v.tmp);
	for (int i = 0; i < s->n_reads; ++i)
		visit_boundaries(&v, s->read[i]->field);
	region_free(v.tmp);
}

int stmt_n_asked(const struct stmt *s)
{
	return s->n_reads + s->n_elements;
}

const struct access *stmt_asked(const struct stmt *s, int i)
{
	return i < s->n_reads ? s->read[i] : s->element[i - s->n_reads];
}

static void note_element(void *user, const struct expr *e)
{
	if (e->kind == EXPR_ELEMENT)
		*(bool *) user = true;
}

bool stmt_reads_elements(const struct stmt *s)
{
	bool has = false;

	stmt_each_expr(s, note_element, &has);
	stmt_each_boundary_expr(s, note_element, &has);
	stmt_each_listed_expr(s, note_element, &has);
	return has;
}

static void add_flops(void *user, const struct expr *e)
{
	bool counts = e->kind == EXPR_UNARY || e->kind == EXPR_BINARY ||
		e->kind == EXPR_CALL;

	if (counts && !is_free(e))
		*(int *) user += op_info(e->op)->cost;
}

int stmt_flops(const struct stmt *s)
{
	int flops = 0;

	stmt_each_expr(s, add_flops, &flops);
	return flops;
}

bool field_is_temp(const struct field *f)
{
	return f->kind == FIELD_TEMP || f->is_hidden;
}

int field_copies(const struct field *f)
{
	return f->kind == FIELD_STATE ? f->passed : 1;
}

bool program_has_short_cells(const struct program *p)
{
	for (int i = 0; i < p->n_fields; i++)
		if (type_size(p->field[i]->type) < 4)
			return true;
	return false;
}

bool field_is_argument(const struct field *f)
{
	return !field_is_temp(f) && !f->made_of && !f->is_of_ranks;
}

bool access_strides_along(const struct access *a, int d)
{
	return a->stride[d] != 1 || a->divisor[d] != 1;
}

bool access_strides(const struct access *a)
{
	for (int d = 0; d < a->field->n_dims; d++)
		if (access_strides_along(a, d))
			return true;
	return false;
}

bool access_is_in_order(const struct access *a)
{
	for (int d = 0; d < a->field->n_dims; d++)
		if (a->dim[d] != d || access_strides_along(a, d))
			return false;
	return true;
}

bool access_is_at_point(const struct access *a, int n_dims)
{
	bool own = a->field->n_dims == n_dims && access_is_in_order(a);

	for (int d = 0; own && d < n_dims; d++)
		own = a->offset[d] == 0;
	return own;
}

bool access_same_along(const struct access *a, int d, const struct access *b,
	int e)
{
	return a->dim[d] == b->dim[e] && a->stride[d] == b->stride[e] &&
		a->offset[d] == b->offset[e] && a->divisor[d] == b->divisor[e];
}

const struct expr *access_end(struct region *r, const struct access *a, int d)
{
	return expr_times(r, a->divisor[d], a->field->size[d]);
}

int64_t access_first(const struct access *a, int d, int64_t cell)
{
	return ceil_div(a->divisor[d] * cell - a->offset[d], a->stride[d]);
}

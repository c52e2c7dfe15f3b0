/* Trees of the code compared with expressions of the program: see trees.h. */
#include <string.h>

#include "verify/code/trees.h"

/* Reads ------------------------------------------------------------------- */

/* Is "x" the value that "b", the boundary of dimension "d", gives for what "acc" reads? */
static bool is_value_beyond(struct trees *t, const struct kx *x,
	const struct access *acc, const struct boundary *b, int d)
{
	const struct access *beyond = t->beyond;
	int dim = t->dim;
	bool is_near = t->is_near, same;

	t->beyond = acc;
	t->dim = d;
	t->is_near = boundary_reads_at_index(b);
	same = is_same(t, x, b->value);
	t->beyond = beyond;
	t->dim = dim;
	t->is_near = is_near;
	return same;
}

/* The sides of "acc" at which "x" is the boundary's value. */
static unsigned boundaries_with(struct trees *t, const struct kx *x,
	const struct access *acc)
{
	unsigned which = 0;

	for (int i = 0; i < SIDES * acc->field->n_dims; i++) {
		const struct boundary *b =
			&acc->field->boundary[i / SIDES][i % SIDES];

		if (b->kind == BOUNDARY_VALUE && is_value_beyond(t, x, acc, b,
		    i / SIDES))
			which |= 1u << i;
	}
	return which;
}

/* A read with its sign turned. */
static bool reads_minus(struct trees *t, const struct kx *x,
	const struct access *acc)
{
	bool right;

	t->minus = !t->minus;
	right = reads_same(t, x, acc);
	t->minus = !t->minus;
	return right;
}

static bool is_sign(const struct kx *x)
{
	return kx_is_int(x, 1) || kx_is_int(x, -1);
}

/* (condition ? 1 : -1) * .., or one of the two */
static bool has_sign(const struct kx *x)
{
	const struct kx *sign;

	if (x->kind != KX_BINARY || x->op != OP_MUL)
		return false;
	sign = x->arg[0];
	return is_sign(sign) || (sign->kind == KX_SELECT &&
		kx_is_int(sign->arg[1], 1) && kx_is_int(sign->arg[2], -1));
}

/* "cell" is what "x" multiplies. */
static bool reads_signed(struct trees *t, const struct kx *x,
	const struct kx *cell, const struct access *acc)
{
	const struct kx *sign = x->arg[0], *condition;
	bool right;

	if (is_sign(sign))
		return kx_is_int(sign, 1) ? reads_same(t, cell, acc) :
			reads_minus(t, cell, acc);
	condition = sign->arg[0];
	right = t->leaves->reads_where(t, condition, true, cell, acc);
	t->minus = !t->minus;
	right = right && t->leaves->reads_where(t, condition, false, cell, acc);
	t->minus = !t->minus;
	return right;
}

static bool converts_to(const struct kx *x, enum type type)
{
	return x->kind == KX_CAST && x->n_args == 1 && x->type == type &&
		ctype_same(x->c_type, ctype_of(type));
}

/* What computing uses of "x", which is stored with another type; NULL if "x" does not convert
 * such a value.
 */
static const struct kx *promoted_cell(const struct kx *x, enum type stored)
{
	enum type type = type_promoted(stored);

	if (type == stored)
		return x;
	return converts_to(x, type) && x->arg[0]->type == stored ? x->arg[0] :
		NULL;
}

/* Registers have "x", read from a field of type "stored", as the number with which code computes.
 */
static bool is_kept_promoted(const struct kx *x, enum type stored)
{
	return x->kind != KX_CAST && stored != type_promoted(stored) &&
		x->type == type_promoted(stored);
}

/* A turned sign, in the type for computing with a cell, stored again. */
static bool reads_turned(struct trees *t, const struct kx *x,
	const struct access *acc, bool *is_turned)
{
	enum type stored = is_kept_promoted(x, acc->field->type) ? x->type :
		acc->field->type;
	const struct kx *cell;

	if (stored != type_promoted(stored)) {
		if (!converts_to(x, stored))
			return false;
		x = x->arg[0];
	}
	*is_turned = (x->kind == KX_UNARY && x->op == OP_NEG) || has_sign(x);
	if (!*is_turned)
		return false;
	cell = stored == acc->field->type ? promoted_cell(x->arg[x->n_args - 1],
		stored) : as_stored(x->arg[x->n_args - 1], acc->field->type);
	return cell && (x->kind == KX_UNARY ? reads_minus(t, cell, acc) :
		reads_signed(t, x, cell, acc));
}

bool reads_same(struct trees *t, const struct kx *x, const struct access *acc)
{
	enum same leaf = t->leaves->is_read(t, x, acc);
	bool is_turned = false, right;
	unsigned which;

	if (leaf != NO_LEAF)
		return leaf == SAME;
	which = t->minus ? 0 : boundaries_with(t, x, acc);
	if (which)
		return t->leaves->reads_value(t, acc, which);
	right = reads_turned(t, x, acc, &is_turned);
	if (is_turned)
		return right;
	return x->kind == KX_SELECT &&
		t->leaves->reads_where(t, x->arg[0], true, x->arg[1], acc) &&
		t->leaves->reads_where(t, x->arg[0], false, x->arg[2], acc);
}

/* Nodes ------------------------------------------------------------------- */

static bool same_arguments(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	bool right = x->n_args == e->n_args;

	for (int i = 0; right && i < x->n_args; i++)
		right = is_same(t, x->arg[i], e->arg[i]);
	return right;
}

static bool same_parameter(struct trees *t, const struct kx *x,
	const struct param *p)
{
	if (!p->fixed)
		return t->leaves->is_parameter(t, x, p);
	return p->type == TYPE_INT ? kx_is_int(x, p->ivalue) :
		x->kind == KX_REAL && x->rvalue == p->rvalue &&
		x->type == p->type;
}

static bool same_element(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	return (x->kind == KX_CELL || x->kind == KX_INDEX) &&
		x->field == e->field && same_arguments(t, x, e);
}

/* A call of an approximation of the type of "e". */
static bool approximates(const struct kx *x, enum builtin builtin,
	const struct expr *e)
{
	return x->kind == KX_BUILTIN && x->builtin == builtin &&
		x->type == e->type && ctype_same(x->c_type, ctype_of(e->type));
}

/* Is "x" the factor by which e->arg[0] is multiplied, for the division "e"? */
static bool is_inverse(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	const struct expr *by = e->arg[1];

	if (approximates(x, B_OVER_ROOT, e))
		return expr_is_over_root(e) && is_same(t, x->arg[0],
			by->arg[0]);
	if (!t->prog->fast_roots)
		return false;
	if (approximates(x, B_INVERSE, e))
		return is_same(t, x->arg[0], by);
	return x->kind == KX_REAL && x->type == e->type &&
		(by->kind == EXPR_INT || by->kind == EXPR_REAL) &&
		x->rvalue == expr_by_number(e);
}

/* Roots and divisions that a GPU approximates, if the program allows that: x * (1 / y) is x /
 * y.
 */
static bool same_approximated(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	const struct program *prog = t->prog;

	if (type_is_integer(e->type) || !(prog->fast_roots || prog->reassociated))
		return false;
	if (e->kind == EXPR_CALL)
		return e->op == OP_SQRT && prog->fast_roots &&
			approximates(x, B_ROOT, e) &&
			is_same(t, x->arg[0], e->arg[0]);
	if (e->kind != EXPR_BINARY || e->op != OP_DIV)
		return false;
	if (expr_is_one(e->arg[0]))
		return is_inverse(t, x, e);
	return x->kind == KX_BINARY && x->op == OP_MUL && x->type == e->type &&
		is_same(t, x->arg[0], e->arg[0]) &&
		is_inverse(t, x->arg[1], e);
}

static bool same_operation(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	static const enum kx_kind kind[] = {
		[EXPR_UNARY] = KX_UNARY, [EXPR_BINARY] = KX_BINARY,
		[EXPR_SELECT] = KX_SELECT, [EXPR_CALL] = KX_MATH,
		[EXPR_CAST] = KX_CAST,
	};

	if (same_approximated(t, x, e))
		return true;
	if (x->kind != kind[e->kind] || x->type != e->type)
		return false;
	if ((e->kind == EXPR_CAST && !ctype_same(x->c_type, ctype_of(
	    e->type))) || (e->kind != EXPR_CAST && e->kind != EXPR_SELECT &&
	    x->op != e->op))
		return false;
	return same_arguments(t, x, e);
}

/* What a cell is converted to, in registers that have it converted. */
static bool is_read_promoted(const struct kx *x, const struct expr *e)
{
	return e->kind == EXPR_CAST && expr_is_read(e->arg[0]) &&
		x->type == e->type && is_kept_promoted(x, e->arg[0]->type);
}

const struct kx *as_stored(const struct kx *x, enum type stored)
{
	const struct kx *narrow = promoted_cell(x, stored);

	return narrow ? narrow : x;
}

static bool is_number(const struct kx *x)
{
	return x->kind == KX_INT || x->kind == KX_REAL || (x->kind ==
		KX_UNARY && x->op == OP_NEG && is_number(x->arg[0]));
}

/* The register that has the cell converted of which "x" makes what the field has, else "x". */
static const struct kx *without_storing(const struct kx *x,
	const struct expr *e)
{
	return expr_is_read(e) && x->kind == KX_CAST && x->type == e->type &&
		!is_number(x->arg[0]) && is_kept_promoted(x->arg[0], e->type) ?
		x->arg[0] : x;
}

bool is_same(struct trees *t, const struct kx *x, const struct expr *e)
{
	enum same computed;

	x = without_storing(as_stored(x, e->type), e);
	computed = t->leaves->is_computed(t, x, e);
	if (computed != NO_LEAF)
		return computed == SAME;
	if (is_read_promoted(x, e))
		return reads_same(t, x, e->arg[0]->access);
	switch (e->kind) {
	case EXPR_INT:
		return kx_is_int(x, e->ivalue) && x->type == e->type;
	case EXPR_REAL:
		return x->kind == KX_REAL && x->rvalue == e->rvalue &&
			x->type == e->type;
	case EXPR_PARAM:
		return same_parameter(t, x, e->param);
	case EXPR_INDEX:
		return t->leaves->is_index(t, x, e->dim);
	case EXPR_TIME:
		return t->leaves->is_time(t, x);
	case EXPR_READ:
		return reads_same(t, x, e->access);
	case EXPR_LOCAL:
		return is_same(t, x, e->local->value);
	case EXPR_ELEMENT:
		return same_element(t, x, e);
	default:
		return same_operation(t, x, e);
	}
}

/* Lists ------------------------------------------------------------------- */

static bool is_coordinate(struct trees *t, const struct kernel_names *names,
	const struct stmt *s, const char *param, const struct kx *x)
{
	for (int d = 0; d < s->n_dims; d++)
		if (!strcmp(param, names->point[d]))
			return t->leaves->is_index(t, x, d);
	return strcmp(param, names->time) || t->leaves->is_step(t, x);
}

bool calls_lists(struct trees *t, const struct kunit *unit,
	const struct stmt *s, const struct kx *x, const struct kx **value,
	const struct kx **stores)
{
	const struct kernel_names *names = kernel_names_new(unit->mem,
		t->prog);
	const struct kfunc *f = unit->lists[s->index];

	*value = *stores = NULL;
	if (x->kind != KX_CALL || strcmp(x->name, f->name))
		return false;
	for (int i = 0; i < f->n_params; i++) {
		const char *param = f->param[i].name;

		if (!strcmp(param, names->value))
			*value = x->arg[i];
		if (!strcmp(param, names->lanes.stores))
			*stores = x->arg[i];
		if (!is_coordinate(t, names, s, param, x->arg[i]))
			return false;
	}
	return *value != NULL;
}

/* Outputs by step on a GPU: the function that gets a statement's values stores each one where
 * the program records it, and nowhere else.
 */
#include <string.h>

#include "codegen/tree/names.h"
#include "verify/code/code.h"

struct recorder {
	struct code *w;
	const struct kernel_names *names;
	const struct stmt *stmt;
	isl_multi_pw_aff *point;	/* [t, x], by the function's parameters */
};

static isl_multi_pw_aff *declare_int(struct recorder *r, const char *name)
{
	struct variable *v = declare_variable(r->w, name);

	v->number = keep_value(r->w, new_number(r->w, name));
	return isl_multi_pw_aff_from_pw_aff(isl_pw_aff_copy(v->number));
}

static void declare_point(struct recorder *r)
{
	r->point = declare_int(r, r->names->time);
	for (int d = 0; d < r->stmt->n_dims; d++)
		r->point = isl_multi_pw_aff_flat_range_product(r->point,
			declare_int(r, r->names->point[d]));
}

/* The number "e" at the point. */
static __isl_give isl_pw_aff *number_at_point(const struct recorder *r,
	const struct expr *e)
{
	isl_space *space = space_of_dims(r->w->c, 1 + r->stmt->n_dims);
	isl_pw_aff *value = value_of(r->w->c, space, e);

	isl_space_free(space);
	return isl_pw_aff_pullback_multi_pw_aff(value,
		isl_multi_pw_aff_copy(r->point));
}

/* { [t, x] : the program records "l" there } */
static __isl_give isl_set *instances_recorded(const struct recorder *r,
	const struct listed *l)
{
	struct checker *c = r->w->c;
	isl_space *space = space_of_dims(c, 1 + r->stmt->n_dims);
	isl_set *set = isl_set_intersect_params(instances_of(c, r->stmt),
		isl_set_copy(c->context));

	for (int i = 0; i < l->n_conditions; i++)
		set = isl_set_intersect(set, where(c, space, l->condition[i]));
	isl_space_free(space);
	return set;
}

/* It may list a record of points that all belong to other statements. */
static bool records_something(const struct recorder *r, const struct listed *l)
{
	isl_set *recorded = instances_recorded(r, l);
	bool some = isl_set_is_empty(recorded) == isl_bool_false;

	isl_set_free(recorded);
	return some;
}

/* Where the program records "l", at the function's point. */
static __isl_give isl_set *where_recorded(const struct recorder *r,
	const struct listed *l)
{
	return isl_set_intersect_params(isl_set_preimage_multi_pw_aff(
		instances_recorded(r, l), isl_multi_pw_aff_copy(r->point)),
		isl_set_copy(r->w->c->context));
}

/* Restrict "holds" to where the code takes "x" for true; "asks" whether the lane stores. */
static bool narrow(const struct recorder *r, const struct kx *x,
	isl_set **holds, bool *asks)
{
	struct condition c;

	if (x->kind == KX_BINARY && x->op == OP_AND)
		return narrow(r, x->arg[0], holds, asks) &&
			narrow(r, x->arg[1], holds, asks);
	if (x->kind == KX_NAME && !strcmp(x->name, r->names->lanes.stores))
		return *asks = true;
	c = condition_of(r->w, x);
	*holds = isl_set_intersect(*holds, c.holds);
	isl_set_free(c.fails);
	return c.sure;
}

/* Is "x" the int "e" wherever the code is? */
static bool is_number(const struct recorder *r, const struct kx *x,
	const struct expr *e)
{
	isl_pw_aff *is = number_of(r->w, x);
	isl_set *same;
	bool right;

	if (!is)
		return false;
	same = isl_pw_aff_eq_set(is, number_at_point(r, e));
	right = isl_set_is_subset(r->w->at, same) == isl_bool_true;
	isl_set_free(same);
	return right;
}

static bool is_cell(const struct recorder *r, const struct kx *x,
	const struct field *f, const struct expr *const *at)
{
	bool right = x->kind == KX_CELL && x->field == f;

	for (int d = 0; right && d < f->n_dims; d++)
		right = is_number(r, x->arg[d], at[d]);
	return right;
}

static bool is_operation(const struct kx *x, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_UNARY:
		return x->kind == KX_UNARY && x->op == e->op;
	case EXPR_BINARY:
		return x->kind == KX_BINARY && x->op == e->op;
	case EXPR_SELECT:
		return x->kind == KX_SELECT;
	case EXPR_CALL:
		return x->kind == KX_MATH && x->op == e->op;
	default:
		return e->kind == EXPR_CAST && x->kind == KX_CAST &&
			ctype_same(x->c_type, ctype_of(e->type));
	}
}

static bool is_value(const struct recorder *r, const struct kx *x,
	const struct expr *e)
{
	switch (e->kind) {
	case EXPR_OWN:
		return x->kind == KX_NAME && !strcmp(x->name, r->names->value);
	case EXPR_REAL:
		return x->kind == KX_REAL && x->rvalue == e->rvalue;
	case EXPR_ELEMENT:
		return is_cell(r, x, e->field, e->arg);
	case EXPR_PARAM:
		if (e->type != TYPE_INT && !e->param->fixed)
			return x->kind == KX_NAME && !strcmp(x->name,
				e->param->name);
		if (e->type != TYPE_INT)
			return x->kind == KX_REAL &&
				x->rvalue == e->param->rvalue;
		return is_number(r, x, e);
	case EXPR_INT:
	case EXPR_INDEX:
	case EXPR_TIME:
		return is_number(r, x, e);
	default:
		break;
	}
	if (!is_operation(x, e) || x->n_args != e->n_args)
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_value(r, x->arg[i], e->arg[i]))
			return false;
	return true;
}

static bool is_stored(struct recorder *r, const struct ks *s,
	const struct listed *l, __isl_take isl_set *holds)
{
	isl_set *wanted = where_recorded(r, l), *at = r->w->at;
	bool asks = false, right;

	right = s->kind == KS_IF && s->n_children == 1 &&
		s->child[0]->kind == KS_ASSIGN &&
		narrow(r, s->x[0], &holds, &asks) && asks &&
		isl_set_is_equal(holds, wanted) == isl_bool_true;
	r->w->at = wanted;
	right = right && is_cell(r, s->child[0]->x[0], l->series,
		l->subscript) && is_value(r, s->child[0]->x[1], l->value);
	r->w->at = at;
	isl_set_free(holds);
	isl_set_free(wanted);
	return right || refute(r->w->c, "'%s' is not recorded where the "
		"program does, or as another value", l->series->name);
}

/* Is "doing" in the function's code, where the plane is "in_grid", the record "l"? */
static bool reads_record(struct recorder *r, const struct kx *in_grid,
	const struct ks *doing, const struct listed *l)
{
	isl_set *holds = isl_set_copy(r->w->at);
	bool asks = false;

	if (narrow(r, in_grid, &holds, &asks))
		return is_stored(r, doing, l, holds);
	isl_set_free(holds);
	return refute(r->w->c, "what is recorded is not understood");
}

/* if (the plane is in the grid) { do what is listed, in order } */
static bool reads_function(struct recorder *r, const struct kfunc *f)
{
	const struct ks *s = f->body->child[0];
	bool right = s->kind == KS_IF;
	int n = 0;

	declare_point(r);
	for (int i = 0; right && i < r->stmt->n_listed; i++) {
		const struct listed *l = r->stmt->listed[i];

		if (!l->list && !records_something(r, l))
			continue;
		right = n < s->child[0]->n_children && (l->list ||
			reads_record(r, s->x[0], s->child[0]->child[n], l));
		n++;
	}
	isl_multi_pw_aff_free(r->point);
	return (right && n == s->child[0]->n_children) || refute(r->w->c,
		"'%s' is not recorded as the program says",
		r->stmt->write->field->name);
}

/* Is there nothing to record, and no list, so that the statement has no function, or no point at
 * all?
 */
static bool records_nowhere(const struct recorder *r)
{
	isl_set *computed = isl_set_intersect_params(instances_of(r->w->c,
		r->stmt), isl_set_copy(r->w->c->context));
	bool nowhere = isl_set_is_empty(computed) == isl_bool_true, lists = false;

	isl_set_free(computed);
	for (int i = 0; i < r->stmt->n_listed; i++)
		lists |= r->stmt->listed[i]->list || records_something(r,
			r->stmt->listed[i]);
	return nowhere || !lists;
}

bool records_are_stored(struct code *w)
{
	const struct program *prog = w->c->prog;
	struct recorder r = { .w = w, .names = kernel_names_new(w->c->mem,
		prog) };

	for (int i = 0; i < prog->n_stmts; i++) {
		r.stmt = prog->stmt[i];
		if (!stmt_records_all(r.stmt))
			continue;
		if (!w->unit->lists[i] && !records_nowhere(&r))
			return refute(w->c, "nothing records what '%s' has "
				"at its points", r.stmt->write->field->name);
		if (w->unit->lists[i] && !reads_function(&r, w->unit->lists[i]))
			return false;
	}
	return true;
}

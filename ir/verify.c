/* Check the invariants of ir.h. */
#include "ir/reduction.h"

#include <math.h>

/* Where the check is, for the message. */
struct verify {
	struct region *mem;
	const struct program *program;
	const struct stmt *stmt;	/* NULL outside statements */
	const struct field *beyond;	/* NULL outside boundary values */
	const struct listed *listed;	/* NULL outside of what is listed */
	bool is_end;		/* in the condition that ends the loop */
};

static const char *wrong(struct verify *v, const char *what)
{
	const char *where = v->stmt ? v->stmt->name : v->program->name;

	return region_printf(v->mem, "%s: %s", where, what);
}

static const char *verify_access(struct verify *v, const struct access *a)
{
	const struct field *f = a->field;

	if (!f)
		return wrong(v, "an access without a field");
	if (f->kind != FIELD_STATE && a->version)
		return wrong(v, "a version of a field that is no state");
	if (f->kind == FIELD_STATE && a->version > 1)
		return wrong(v, "an access to a step after the next");
	if (f->is_hidden && a->version != 1)
		return wrong(v, "a temp of another step");
	if (f->kind == FIELD_STATE && a->version < 1 - f->depth)
		return wrong(v, "a read of a step older than the depth");
	for (int i = 0; i < f->n_dims; ++i)
		if (a->dim[i] < -1 || a->dim[i] >= v->stmt->n_dims)
			return wrong(v, "a subscript of no dimension");
	for (int i = 0; i < f->n_dims; ++i)
		if (a->stride[i] < 1 || a->divisor[i] < 1)
			return wrong(v, "a subscript without a stride");
	return NULL;
}

static bool has_read(const struct stmt *s, const struct access *a)
{
	for (int i = 0; i < s->n_reads; ++i)
		if (s->read[i] == a)
			return true;
	return false;
}

static bool has_local(const struct stmt *s, const struct local *l)
{
	const struct local *m = s->locals;

	while (m && m != l)
		m = m->next;
	return m;
}

static bool has_element(const struct stmt *s, const struct access *a)
{
	for (int i = 0; i < s->n_elements; ++i)
		if (s->element[i] == a)
			return true;
	return false;
}

static bool is_value(const struct expr *e)
{
	return e->kind == EXPR_LOCAL || expr_is_read(e);
}

static const char *verify_element(struct verify *v, const struct expr *e)
{
	if (e->field->kind != FIELD_INPUT && !(v->is_end &&
	    e->field->is_scalar))
		return wrong(v, "an element of what is no input");
	for (int i = 0; i < e->n_args; ++i)
		if (expr_not_affine(e->arg[i], true) || (!v->listed &&
		    expr_any(e->arg[i], is_value)))
			return wrong(v, "an element at a place that is not "
				"affine");
	if (!v->stmt && !v->beyond && expr_any(e, expr_is_index))
		return wrong(v, "an element of no point");
	return !e->access || (v->stmt && has_element(v->stmt, e->access)) ?
		NULL : wrong(v, "an element that is not listed");
}

/* The number of dimensions of a point. */
static int dims_of_point(const struct verify *v)
{
	return v->stmt ? v->stmt->n_dims : v->beyond ? v->beyond->n_dims : 0;
}

static const char *verify_leaf(struct verify *v, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT:
		return e->type == TYPE_INT && e->ivalue >= 0 ? NULL :
			wrong(v, "an int literal that is none");
	case EXPR_REAL:
		return (e->type == TYPE_FLOAT || e->type == TYPE_DOUBLE) &&
			isfinite(e->rvalue) &&
			!signbit(e->rvalue) ? NULL :
			wrong(v, "a real literal that is none");
	case EXPR_PARAM:
		return e->param && e->type == e->param->type ? NULL :
			wrong(v, "a parameter of another type");
	case EXPR_INDEX:
		return e->dim >= 0 && e->dim < dims_of_point(v) ? NULL :
			wrong(v, "an index of no dimension");
	case EXPR_TIME:
		return v->program->timed ? NULL :
			wrong(v, "a time without a time loop");
	case EXPR_READ:
		if (!v->stmt || !has_read(v->stmt, e->access))
			return wrong(v, "a read that is not listed");
		return e->type == e->access->field->type ? NULL :
			wrong(v, "a read of another type");
	case EXPR_ELEMENT:
		return verify_element(v, e);
	case EXPR_LOCAL:
		return v->stmt && has_local(v->stmt, e->local) ? NULL :
			wrong(v, "a let that is not listed");
	case EXPR_NUMBER:
		return v->listed && v->listed->list ? NULL : wrong(v,
			"a number of no list");
	case EXPR_OWN:
		return v->listed ? NULL : wrong(v, "a point that is not listed");
	case EXPR_COMPLEX:
		return wrong(v, "a complex number");
	default:
		return NULL;
	}
}

static int arity(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_UNARY:
	case EXPR_BINARY:
	case EXPR_CALL:
		return op_info(e->op)->arity;
	case EXPR_CAST:
		return 1;
	case EXPR_SELECT:
		return 3;
	case EXPR_ELEMENT:
		return e->field->n_dims;
	default:
		return 0;
	}
}

static const char *verify_type(struct verify *v, const struct expr *e)
{
	enum type type = e->type;

	if (e->kind == EXPR_UNARY || e->kind == EXPR_BINARY) {
		type = e->arg[0]->type;
		if (type != type_promoted(type) || (e->kind == EXPR_BINARY &&
		    e->arg[1]->type != type_promoted(e->arg[1]->type)))
			return wrong(v, "an operand as it is stored");
		if ((e->op == OP_MOD || op_is_of_bits(e->op)) &&
		    !(type_is_integer(type) && type_is_integer(
		    e->arg[e->n_args - 1]->type)))
			return wrong(v, "a remainder or bits of reals");
		if (e->kind == EXPR_BINARY && !op_is_shift(e->op))
			type = type_common(type, e->arg[1]->type);
		if (op_is_comparison(e->op))
			type = TYPE_INT;
	} else if (e->kind == EXPR_SELECT) {
		type = type_common(e->arg[1]->type, e->arg[2]->type);
	} else if (e->kind == EXPR_CALL) {
		for (int i = 0; i < e->n_args; ++i)
			if (e->arg[i]->type != type)
				return wrong(v, "an argument not converted");
	}
	return e->type == type ? NULL : wrong(v, "a value of another type");
}

static const char *verify_expr(struct verify *v, const struct expr *e)
{
	const char *message;

	if (e->n_args != arity(e))
		return wrong(v, "an operator with missing operands");
	for (int i = 0; i < e->n_args; ++i)
		if ((message = verify_expr(v, e->arg[i])))
			return message;
	message = verify_leaf(v, e);
	return message ? message : verify_type(v, e);
}

static const char *verify_exprs(struct verify *v, int n,
	const struct expr *const *e)
{
	const char *message = NULL;

	for (int i = 0; i < n && !message; ++i)
		message = verify_expr(v, e[i]);
	return message;
}

static const char *verify_write(struct verify *v, const struct access *a)
{
	bool state = a->field->kind == FIELD_STATE;

	if (a->field->kind == FIELD_INPUT)
		return wrong(v, "an input is written");
	if (a->version != (state ? 1 : 0))
		return wrong(v, "a write of another step than the next");
	if (a->field->n_dims != v->stmt->n_dims)
		return wrong(v, "a write with too few dimensions");
	for (int i = 0; i < v->stmt->n_dims; ++i)
		if (a->dim[i] != i || a->offset[i] ||
		    access_strides_along(a, i))
			return wrong(v, "a write beside the point");
	return verify_access(v, a);
}

static const char *verify_listed(struct verify *v, const struct listed *l)
{
	const struct field *to = l->series ? l->series :
		v->stmt->write->field;
	const char *message;

	if (!l->list && !l->series)
		return wrong(v, "a record of no points");
	v->listed = l;
	message = l->list ? verify_exprs(v, l->list->grid->n_dims,
		l->list->place) : verify_exprs(v, l->n_conditions,
		l->condition);
	if (!message && l->series)
		message = verify_exprs(v, to->n_dims, l->subscript);
	if (!message)
		message = verify_expr(v, l->value);
	v->listed = NULL;
	if (!message && l->list && l->list->grid->n_dims != v->stmt->n_dims)
		return wrong(v, "places in a grid of other dimensions");
	if (!message && l->value->type != to->type)
		return wrong(v, "a listed value not converted");
	return message;
}

static const char *verify_stmt(struct verify *v, const struct stmt *s)
{
	const char *message = NULL;

	v->stmt = s;
	for (int i = 0; i < s->n_listed && !message; ++i)
		message = verify_listed(v, s->listed[i]);
	if (message)
		return message;
	if ((message = verify_write(v, s->write)))
		return message;
	for (int i = 0; i < s->n_reads; ++i)
		if ((message = verify_access(v, s->read[i])))
			return message;
	for (int i = 0; i < s->n_elements; ++i)
		if ((message = verify_access(v, s->element[i])))
			return message;
	for (const struct local *l = s->locals; l; l = l->next)
		if ((message = verify_expr(v, l->value)))
			return message;
	if ((message = verify_exprs(v, s->n_conditions, s->condition)))
		return message;
	if (s->value->type != s->write->field->type)
		return wrong(v, "a value not converted to the field's type");
	return verify_expr(v, s->value);
}

/* The boundaries of a dimension. */
static const char *verify_boundaries(struct verify *v,
	const struct boundary *b)
{
	const char *message = NULL;

	if ((b[SIDE_LOW].kind == BOUNDARY_PERIODIC) !=
	    (b[SIDE_HIGH].kind == BOUNDARY_PERIODIC))
		return wrong(v, "a dimension periodic at one end");
	for (int side = 0; side < SIDES && !message; ++side)
		if (b[side].kind == BOUNDARY_VALUE)
			message = verify_expr(v, b[side].value);
	return message;
}

static const char *verify_field(struct verify *v, const struct field *f,
	int index)
{
	const char *message;

	if (f->index != index || f->n_dims < 1 || f->n_dims > IR_MAX_DIMS)
		return wrong(v, "a field with a wrong index or dimension");
	if (f->kind == FIELD_STATE && f->depth < 1)
		return wrong(v, "a state without a past");
	if (f->kind == FIELD_STATE && (f->passed < 1 || f->passed > f->depth))
		return wrong(v, "a state of which too much is passed");
	if (f->is_hidden && (f->kind != FIELD_STATE || f->depth != 1))
		return wrong(v, "a temp that is no state of one copy");
	message = verify_exprs(v, f->n_dims, f->size);
	v->beyond = f;
	for (int d = 0; d < f->n_dims && !message; ++d)
		message = verify_boundaries(v, f->boundary[d]);
	v->beyond = NULL;
	return message;
}

/* The points with all reads in their grids form a box: each index appears in
 * one read.
 */
static const char *verify_reduction(struct verify *v,
	const struct reduction *r)
{
	const struct stmt *s = r->point;
	const char *message = NULL;

	v->stmt = s;
	if (!r->result->is_result || r->every < 1)
		return wrong(v, "a reduction without a result or period");
	if (s->write || s->n_listed || s->n_elements)
		return wrong(v, "a reduction that does more");
	for (int i = 0; i < s->n_reads && !message; ++i)
		message = field_is_temp(s->read[i]->field) ?
			wrong(v, "a reduction of a temp") :
			verify_access(v, s->read[i]);
	for (const struct local *l = s->locals; l && !message; l = l->next)
		message = verify_expr(v, l->value);
	if (!message)
		message = verify_exprs(v, s->n_conditions, s->condition);
	if (!message)
		message = verify_expr(v, s->value);
	v->stmt = NULL;
	return message;
}

static const char *verify_end(struct verify *v, const struct program *p)
{
	const char *message = NULL;

	if (!p->until != !p->steps)
		return wrong(v, "an end without a number of steps");
	v->is_end = true;
	if (p->until)
		message = verify_expr(v, p->until);
	v->is_end = false;
	return message;
}

static const char *verify_time(struct verify *v, const struct program *p)
{
	const char *message = verify_expr(v, p->begin);

	return message ? message : verify_expr(v, p->end);
}

const char *ir_verify(struct region *r, const struct program *p)
{
	struct verify v = { .mem = r, .program = p };
	const char *message = verify_exprs(&v, p->n_assumes, p->assume);

	if (!message && p->timed)
		message = verify_time(&v, p);
	for (int i = 0; i < p->n_fields && !message; ++i)
		message = verify_field(&v, p->field[i], i);
	for (int i = 0; i < p->n_stmts && !message; ++i)
		message = verify_stmt(&v, p->stmt[i]);
	v.stmt = NULL;
	for (int i = 0; i < p->n_reductions && !message; ++i)
		message = verify_reduction(&v, p->reduction[i]);
	return message ? message : verify_end(&v, p);
}

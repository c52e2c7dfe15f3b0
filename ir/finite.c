/* --check-finite: test after some steps whether the values of the states are finite. */
#include "ir/reduction.h"

/* The first statement that writes "f", or NULL. */
static const struct stmt *writer_of(const struct program *p,
	const struct field *f)
{
	for (int i = 0; i < p->n_stmts; i++)
		if (p->stmt[i]->write->field == f)
			return p->stmt[i];
	return NULL;
}

static bool may_be_infinite(const struct program *p, const struct field *f)
{
	return f->kind == FIELD_STATE && !f->is_hidden &&
		!type_is_integer(f->type) && writer_of(p, f);
}

/* The result of a check is no field of the program. */
static const struct field *new_result(struct region *r, const struct field *of)
{
	struct field *f = region_new_of(r, struct field);

	f->name = of->name;
	f->kind = FIELD_SERIES;
	f->is_listed = f->is_result = f->is_scalar = true;
	f->type = TYPE_INT;
	f->at = of->at;
	f->index = -1;
	f->n_dims = 1;
	f->size[0] = expr_int(r, 1, of->at);
	return f;
}

/* f[t+1][i].. of the statement "s", which writes it. */
static const struct expr *newest(struct region *r, const struct stmt *s,
	const struct stmt *point)
{
	struct access *a = region_new_of(r, struct access);
	struct expr *e = expr_leaf(r, EXPR_READ, s->write->field->type,
		s->write->field->at);

	*a = *s->write;
	a->iterator = point->iterator;
	e->access = a;
	return e;
}

/* max (i, ..) x - x != 0: a difference of 0, except for a NaN or an infinite value. */
static const struct reduction *new_check(struct region *r,
	const struct program *p, const struct field *f, int64_t every)
{
	const struct stmt *s = writer_of(p, f);
	struct reduction *check = region_new_of(r, struct reduction);
	struct stmt *point = region_new_of(r, struct stmt);
	const struct expr *x, *value;

	point->name = f->name;
	point->at = f->at;
	point->n_dims = f->n_dims;
	for (int d = 0; d < f->n_dims; d++)
		point->iterator[d] = s->iterator[d];
	x = newest(r, s, point);
	point->n_reads = 1;
	point->read = region_array(r, const struct access *, 1);
	point->read[0] = x->access;
	value = expr_promoted(r, x);
	point->value = expr_binary(r, OP_NE, expr_binary(r, OP_SUB, value,
		value, f->at), expr_int(r, 0, f->at), f->at);
	*check = (struct reduction) { REDUCE_MAX, new_result(r, f), point,
		every, true, f->at };
	return check;
}

const struct program *program_checked_finite(struct region *r,
	const struct program *p, int64_t every)
{
	struct program *checked = region_new_of(r, struct program);

	*checked = *p;
	checked->reduction = region_array(r, const struct reduction *,
		p->n_reductions + p->n_fields);
	for (int i = 0; i < p->n_reductions; i++)
		checked->reduction[i] = p->reduction[i];
	for (int i = 0; p->timed && i < p->n_fields; i++)
		if (may_be_infinite(p, p->field[i]))
			checked->reduction[checked->n_reductions++] =
				new_check(r, p, p->field[i], every);
	return checked;
}

bool program_has_checks(const struct program *p)
{
	for (int i = 0; i < p->n_reductions; i++)
		if (p->reduction[i]->is_check)
			return true;
	return false;
}

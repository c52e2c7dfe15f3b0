/* Conditions on values, as in on (mask[i][j] > 0): which points they select is unknown before
 * the program runs, so all points are computed, and a point that they do not select keeps its
 * value.
 */
#include "frontend/conditions.h"
#include "frontend/reads.h"
#include "frontend/linear.h"
#include "frontend/slice.h"

#include <string.h>

bool lower_conditions(struct context *c, const struct expr **values)
{
	const struct update *u = c->statement->update;
	struct stmt *ir = c->statement->ir;
	struct region *mem = c->l->mem;
	struct on *on = region_array(mem, struct on, u->n_conditions + 1);
	const struct expr *slices;
	bool done = true;
	int i = u->n_conditions;

	for (const struct condition *o = u->conditions; o; o = o->outer)
		done &= lower_on(c, o->expr, &on[--i]);
	ir->condition = region_array(mem, const struct expr *,
		u->n_conditions + IR_MAX_DIMS);
	*values = NULL;
	for (i = 0; i < u->n_conditions; ++i) {
		if (on[i].points)
			ir->condition[ir->n_conditions++] = on[i].points;
		if (on[i].values)
			*values = *values ? expr_binary(mem, OP_AND, *values,
				on[i].values, on[i].values->at) : on[i].values;
	}
	if ((slices = on_slices(c->l, c->statement)))
		ir->condition[ir->n_conditions++] = slices;
	note_lattice(c);
	return done;
}

/* The point's value before the statement of "c". */
static const struct expr *kept(struct context *c)
{
	const struct access *write = c->statement->ir->write;
	struct access *a = region_new_of(c->l->mem, struct access);
	struct expr *read = expr_leaf(c->l->mem, EXPR_READ,
		write->field->type, write->at);

	*a = *write;
	a->version = 0;
	read->access = shared_access(c->l, c->statement, a);
	return read;
}

const struct expr *guard(struct context *c, const struct expr *values,
	const struct expr *value)
{
	const struct symbol *s = c->statement->target;
	struct diags *d = c->l->diags;

	if (s->item->field_kind != FIELD_TEMP)
		return expr_select(c->l->mem, values, value, kept(c),
			value->at);
	diag(d, E_NOT_AFFINE, values->at, "the temp '%s' has no value to keep "
		"where this condition on values does not hold", s->name);
	diag_advice(d, "give it another one, as in '%s = c ? x : y;'",
		quote(c->l, c->statement->update->item->element->at));
	return NULL;
}

/* Programs without time ----------------------------------------------------*/

static bool keeps_output(const struct stmt *s)
{
	for (int i = 0; i < s->n_reads; ++i)
		if (s->read[i]->field->kind == FIELD_OUTPUT)
			return true;
	return false;
}

static bool is_iterator(const struct program *p, const char *name)
{
	for (int i = 0; i < p->n_stmts; ++i)
		for (int d = 0; d < p->stmt[i]->n_dims; ++d)
			if (!strcmp(p->stmt[i]->iterator[d], name))
				return true;
	return false;
}

static const char *new_time(struct lower *l)
{
	const char *name = "step";

	for (int i = 1; is_iterator(l->program, name) || find_symbol(l,
	     names_intern(l->ast->names, name, strlen(name))); ++i)
		name = region_printf(l->mem, "step%d", i);
	return name;
}

/* "a" belongs to this step, unless an output keeps it. */
static void give_step(const struct program *p, const struct access *a,
	bool is_write)
{
	struct access *access = (struct access *) a;

	access->time_name = p->time_name;
	access->version = is_write || a->field->kind == FIELD_TEMP;
}

void give_steps(struct lower *l)
{
	struct program *p = l->program;
	bool keeps = false;

	for (int i = 0; i < p->n_stmts; ++i)
		keeps |= keeps_output(p->stmt[i]);
	if (!keeps)
		return;
	p->timed = true;
	p->time_name = new_time(l);
	for (int i = 0; i < p->n_stmts; ++i) {
		give_step(p, p->stmt[i]->write, true);
		for (int j = 0; j < p->stmt[i]->n_reads; ++j)
			give_step(p, p->stmt[i]->read[j], false);
	}
	for (int i = 0; i < p->n_fields; ++i) {
		struct field *f = p->field[i];

		if (f->kind == FIELD_INPUT)
			continue;
		f->is_hidden = f->kind == FIELD_TEMP;
		f->kind = FIELD_STATE;
		f->depth = f->passed = 1;
	}
}

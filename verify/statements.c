/* The statements of a plan, and which of its launches compute them. */
#include "verify/checker.h"

/* The plan with rows for the statements of "number", of which there is at most
 * one; NULL if there is none, or after a refutation.
 */
static const struct plan *plan_of_statement(struct checker *c, int number)
{
	const struct plan *found = NULL;

	for (int q = 0; q < c->n_plans; q++) {
		isl_set *shape = isl_set_copy(c->plan[q].shape);
		struct text t = { 0 };
		bool any;

		text_puts(&t, "{ [a");
		put_dims(&t, "x", c->plan[q].n_dims, ALL_DIMS);
		text_printf(&t, "] : a mod %d = %d }", c->scop->k, number);
		shape = isl_set_intersect(shape, isl_set_read_from_str(c->ctx,
			t.bytes));
		text_free(&t);
		any = isl_set_is_empty(shape) == isl_bool_false;
		isl_set_free(shape);
		if (any && found) {
			refute(c, "two launches compute statement %d", number);
			return NULL;
		}
		if (any)
			found = &c->plan[q];
	}
	return found;
}

/* Does it compute a temp that no statement reads, since choices divided those that did? */
static bool is_unread(const struct program *prog, const struct stmt *s)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_reads; j++)
			if (prog->stmt[i]->read[j]->field == s->write->field)
				return false;
	return field_is_temp(s->write->field) && s->n_listed == 0;
}

/* .. so that no launch computes it, and none has to. */
static bool never_runs(struct checker *c, const struct statement *s)
{
	isl_set *runs = isl_set_intersect_params(isl_set_copy(s->domain),
		isl_set_copy(c->context));

	return is_shown_empty(c, runs) || is_unread(c->prog,
		s->stmt) || refute(c, "no launch computes %s", s->name);
}

static bool find_statement(struct checker *c, struct statement *s,
	const struct scop_stmt *p)
{
	s->plan_stmt = p;
	s->stmt = p->stmt;
	s->name = p->name;
	s->number = p->number;
	s->is_copy = p->is_copy;
	s->is_brief = p->is_brief;
	s->plan = plan_of_statement(c, p->number);
	if (s->plan && s->plan->n_dims != s->stmt->n_dims)
		return refute(c, "%s has %d dimensions, its tiles %d", s->name,
			s->stmt->n_dims, s->plan->n_dims);
	s->domain = keep_in_checker(c, p->is_copy ? adopt(c, p->domain) :
		instances_of(c, p->stmt));
	return s->plan || c->failure.length ? !c->failure.length :
		never_runs(c, s);
}

/* A plan with statements of its own has each of the program's once. */
static bool has_all_statements(struct checker *c)
{
	for (int i = 0; i < c->prog->n_stmts; i++) {
		int times = 0;

		for (int j = 0; j < c->scop->n_stmts; j++)
			times += !c->scop->stmt[j].is_copy &&
				c->scop->stmt[j].stmt == c->prog->stmt[i];
		if (times != 1)
			return refute(c, "the plan has %s %d times",
				c->prog->stmt[i]->name, times);
	}
	return true;
}

bool find_program(struct checker *c)
{
	int n = c->scop->n_stmts;

	find_parameters(c);
	if (!has_all_statements(c))
		return false;
	c->stmt = region_array(c->mem, struct statement, n);
	c->shape = region_array(c->mem, isl_set *,
		c->n_plans * (ALL_DIMS + 1));
	for (int i = 0; i < n; i++) {
		if (!find_statement(c, &c->stmt[c->n_stmts],
		    &c->scop->stmt[i]))
			return false;
		c->n_stmts += c->stmt[c->n_stmts].plan != NULL;
	}
	return true;
}

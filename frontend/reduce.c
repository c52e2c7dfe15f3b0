/* Reductions, e = max (i, j) fabs(u[t+1][i][j] - u[t][i][j]) every 10; their results; and the
 * condition that ends the loop, until e < 1e-6;
 */
#include "frontend/beside.h"
#include "frontend/complex.h"
#include "frontend/components.h"
#include "frontend/conditions.h"

#include <string.h>

/* Steps from one value to the next, at most: arithmetic with steps has room for
 * so many.
 */
enum { MOST_STEPS = 1 << 20 };

static bool refuse(struct lower *l, struct span at, const char *what,
	const char *advice)
{
	diag(l->diags, E_REDUCTION, at, "'%s' %s", quote(l, at), what);
	diag_advice(l->diags, "%s", advice);
	return false;
}

/* Results ------------------------------------------------------------------ */

static struct field *new_result(struct lower *l, const char *name,
	enum type type, struct span at)
{
	struct program *p = l->program;
	struct field *f = region_new_of(l->mem, struct field);

	f->name = name;
	f->kind = FIELD_SERIES;
	f->is_listed = f->is_result = f->is_scalar = true;
	f->type = type;
	f->at = at;
	f->index = p->n_fields;
	f->n_dims = 1;
	f->size[0] = expr_int(l->mem, 1, at);
	for (int side = 0; side < SIDES; side++)
		f->boundary[0][side].at = at;
	p->field[p->n_fields++] = f;
	return f;
}

static void lower_result_of(struct lower *l, struct symbol *s)
{
	int n = s->item->dims.n;
	struct field *f;

	if (n > 1) {
		refuse(l, s->at, "has several dimensions", "a result is one "
			"number, 'result double e;', or a series of them, "
			"'result double e[T/10];'");
		return;
	}
	f = new_result(l, s->name, s->item->type, s->at);
	f->is_scalar = n == 0;
	f->n_dims = f->is_scalar;
	if (f->is_scalar || lower_sizes(l, s, f))
		s->field = f;
}

void lower_results(struct lower *l)
{
	for (struct symbol *s = l->first; s && !diag_full(l->diags);
	     s = s->next)
		if (s->kind == SYMBOL_RESULT && !s->components &&
		    (!is_imaginary_part(s) || s->part_of->components->part[0]->field))
			lower_result_of(l, s);
}

/* Points ------------------------------------------------------------------- */

/* The indices of "c", named by the reduction "u". */
static bool bind_indices(struct context *c, const struct update *u)
{
	struct stmt *ir = c->statement->ir;
	struct lower *l = c->l;

	if (u->item->params.n > IR_MAX_DIMS)
		return refuse(l, u->item->reduce_at, "has too many indices",
			"a grid has at most 8 dimensions");
	for (const struct ast_name_link *n = u->item->params.first; n;
	     n = n->next) {
		const struct symbol *s = find_symbol(l, n->name.text);
		struct binding *b = region_new_of(l->mem, struct binding);

		if (find_binding(c, n->name.text))
			return refuse(l, n->name.at, "is named twice",
				"each index is named once");
		if (s && s->kind != SYMBOL_UNKNOWN)
			return refuse(l, n->name.at, "means something else "
				"already", "choose a new name for the index");
		if (!s && !check_reserved(l, n->name, NAMES_VARIABLE))
			return false;
		*b = (struct binding) { .name = n->name.text,
			.at = n->name.at, .kind = BIND_INDEX,
			.dim = ir->n_dims, .outer = c->bindings };
		ir->iterator[ir->n_dims++] = b->name;
		c->bindings = c->statement->indices = b;
	}
	return true;
}

static bool is_bounded(const struct stmt *ir, int dim)
{
	for (int i = 0; i < ir->n_reads; i++)
		for (int d = 0; d < ir->read[i]->field->n_dims; d++)
			if (ir->read[i]->dim[d] == dim)
				return true;
	return false;
}

/* The index of the reduction "u" that nothing bounds in "ir"; NULL: there is none. */
static const struct ast_name_link *unbounded(const struct update *u,
	const struct stmt *ir)
{
	const struct ast_name_link *n = u->item->params.first;

	for (int dim = 0; dim < ir->n_dims; dim++, n = n->next)
		if (!is_bounded(ir, dim))
			return n;
	return NULL;
}

/* Its conditions, on points and on values. */
static bool lower_conditions_of(struct context *c, const struct update *u)
{
	struct stmt *ir = c->statement->ir;
	struct on on;
	int n = 0;

	ir->condition = region_array(c->l->mem, const struct expr *,
		2 * u->n_conditions);
	for (const struct condition *o = u->conditions; o; o = o->outer) {
		if (!lower_on(c, o->expr, &on))
			return false;
		if (on.values)
			ir->condition[n++] = on.values;
		if (on.points)
			ir->condition[n++] = on.points;
	}
	/* Conditions around it come first. */
	for (int i = 0; i < n / 2; i++) {
		const struct expr *e = ir->condition[i];

		ir->condition[i] = ir->condition[n - 1 - i];
		ir->condition[n - 1 - i] = e;
	}
	ir->n_conditions = n;
	return true;
}

/* The type in which values are compared (their own if that loses nothing) or added. */
static enum type type_of_lanes(enum reduce how, enum type result,
	enum type value)
{
	return how == REDUCE_SUM || result == TYPE_INT ||
		type_is_integer(value) ? result : value;
}

static const struct field *find_result(struct context *c,
	const struct update *u)
{
	struct ast_expr *e = u->item->element;
	struct symbol *s = find_symbol(c->l, e->name.text);

	if (!s || s->kind == SYMBOL_UNKNOWN) {
		report_undeclared(c, e->name, USED_AS_RESULT);
		return NULL;
	}
	s->used = true;
	if (s->kind != SYMBOL_RESULT) {
		if (report(c, e, E_REDUCTION, e->at, "'%s' is %s, no result",
				s->name, symbol_what(s)))
			diag_advice(c->l->diags, "declare what a reduction "
				"gives, as in 'result double e;'");
		return NULL;
	}
	if (e->kind != AST_NAME) {
		refuse(c->l, e->at, "has subscripts", "a reduction names its "
			"result alone; a series gets one value after the "
			"other");
		return NULL;
	}
	if (s->first_write) {
		refuse(c->l, e->at, "is a result of two reductions", "give "
			"each a result of its own");
		diag_note(c->l->diags, s->first_write->item->at,
			"the first one is here");
		return NULL;
	}
	s->first_write = u;
	return s->field;
}

static bool lower_period(struct context *c, const struct update *u,
	int64_t *every)
{
	struct context outside = { .l = c->l };
	struct ast_expr *e = u->item->begin;

	*every = 1;
	if (!e)
		return true;
	if (!lower_int(&outside, e, "the steps from one value to the next",
			every))
		return false;
	if (*every >= 1 && *every <= MOST_STEPS)
		return true;
	return refuse(c->l, e->at, "is not a number of steps", "a reduction is "
		"done every 1, 2, .. steps, at most 2^20");
}

static bool stands_in_loop(struct lower *l, const struct update *u)
{
	if (u->list)
		return refuse(l, u->item->at, "is reduced at the points of a "
			"list", "put the reduction after the list");
	if (!l->loop)
		return refuse(l, u->item->at, "is reduced in a program "
			"without a time loop", "put the statements into "
			"'iterate t = 0 .. 1 { }', with states for what they "
			"compute");
	return u->looped || refuse(l, u->item->at, "is reduced beside the "
		"time loop", "put the reduction into the loop: it is done "
		"after the last step, too");
}

/* What "*made", the reduction "u", computes at a point; NULL after a diagnostic. */
static struct stmt *lower_reduction(struct lower *l, const struct update *u,
	const struct reduction **made)
{
	struct statement *statement = region_new_of(l->mem, struct statement);
	struct stmt *point = region_new_of(l->mem, struct stmt);
	struct reduction *r = region_new_of(l->mem, struct reduction);
	struct context c = { .l = l, .statement = statement,
		.order = u->order, .timed = true, .reduces = true };
	const struct expr *value;

	*statement = (struct statement) { .ir = point, .update = u };
	point->name = u->item->element->name.text;
	r->at = point->at = u->item->at;
	r->how = u->item->reduce;
	r->result = find_result(&c, u);
	if (!stands_in_loop(l, u) || !r->result || !l->time ||
	    !lower_period(&c, u, &r->every) || !bind_indices(&c, u) ||
	    !lower_conditions_of(&c, u))
		return NULL;
	value = lower_expr(&c, u->item->value);
	if (!value)
		return NULL;
	point->value = convert(&c, type_of_lanes(r->how, r->result->type,
		value->type), value);
	if (l->ast->has_complex)
		drop_unused(l, point);
	r->point = point;
	*made = r;
	return point;
}

/* Do reads bound the points of the reduction "u", in each of "n" parts?  A part without reads is
 * none.
 */
static bool check_bounds(struct lower *l, const struct update *u,
	struct stmt *const *point, int n)
{
	const struct ast_name_link *index = NULL;
	int part = 0, n_unbounded = 0;

	for (int i = 0; i < n; i++)
		if (unbounded(u, point[i])) {
			index = unbounded(u, point[i]);
			part = i;
			n_unbounded++;
		}
	if (n_unbounded > 0 && n_unbounded < n)
		return refuse(l, u->item->element->at, part == 0 ? "is complex, "
			"and what is added has no real part" : "is complex, and "
			"what is added has no imaginary part", part == 0 ?
			"a real result has the sum of 'imag(z)'" : "declare a "
			"real result, without 'complex'");
	return !index || refuse(l, index->name.at, "is an index that no "
		"read has", "the points are those at which the reads lie in "
		"their grids: read a field at each index, as in "
		"'u[t+1][i][j]'");
}

/* The reduction "u", and the next one, too, if that is of the other part of a complex result. */
static void add_reductions(struct lower *l, const struct update *u)
{
	struct program *p = l->program;
	int n = u->next && u->next->is_second ? PARTS : 1;
	const struct update *of[PARTS] = { u, u->next };
	struct stmt *point[PARTS];

	for (int i = 0; i < n; i++) {
		point[i] = lower_reduction(l, of[i], p->reduction +
			p->n_reductions + i);
		if (!point[i])
			return;
	}
	if (!check_bounds(l, u, point, n))
		return;
	p->n_reductions += n;
	if (n == PARTS)
		join_ends(l, point[0], point[1]);
}

/* The end ------------------------------------------------------------------ */

static const char *name_of_steps(const struct lower *l)
{
	const char *name = "steps";

	while (find_symbol(l, names_intern(l->ast->names, name,
	       strlen(name))))
		name = region_printf(l->mem, "%s_", name);
	return name;
}

static bool has_result(const struct expr *e)
{
	return e->kind == EXPR_ELEMENT;
}

static void lower_until(struct lower *l)
{
	struct context c = { .l = l, .ends = true };
	struct program *p = l->program;
	const struct expr *e;

	if (!l->until)
		return;
	if (l->until_is_apart) {
		refuse(l, l->until->at, "is beside the time loop", "it ends "
			"the loop in which it stands");
		return;
	}
	e = lower_expr(&c, l->until->value);
	if (!e)
		return;
	if (!expr_any(e, has_result)) {
		refuse(l, l->until->value->at, "asks for no result", "what "
			"ends the loop is what reductions give, as in "
			"'until e < 1e-6;'");
		return;
	}
	p->until = e;
	p->steps = new_result(l, name_of_steps(l), TYPE_INT, l->until->at);
}

void lower_reductions(struct lower *l)
{
	int n = 0;

	for (const struct update *u = l->reductions; u; u = u->next)
		n++;
	l->program->reduction = region_array(l->mem, const struct reduction *,
		n);
	for (const struct update *u = l->reductions; u && !diag_full(l->diags);
	     u = u->next)
		if (!u->is_second)
			add_reductions(l, u);
	lower_until(l);
}

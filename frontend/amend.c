/* Statements that change what earlier ones computed in the same step, point by point, become
 * part of these, as on (i == N/2) u[t+1][i] += pluck[t].  So do statements for points that
 * others compute, too, where conditions on values decide, as on (m[i] > 0) u[t+1][i] = .. The
 * last one that holds counts.
 */
#include "frontend/complex.h"
#include "frontend/components.h"
#include "frontend/conditions.h"
#include "frontend/derivative.h"
#include "frontend/linear.h"
#include "frontend/slice.h"

#include <string.h>

static bool is_name(const struct ast_expr *e, const char *name)
{
	return e->kind == AST_NAME && e->name.text == name;
}

static bool is_one(const struct ast_expr *e)
{
	return e->kind == AST_NUMBER && e->type == TYPE_INT && e->ivalue == 1;
}

/* Is "e" t+1, as text? */
static bool is_next_step(const struct lower *l, const struct ast_expr *e)
{
	const struct ast_expr *a = e->args, *b = a ? a->next : NULL;

	if (!l->time || e->kind != AST_BINARY || e->op != OP_ADD)
		return false;
	return (is_name(a, l->time->name) && is_one(b)) ||
		(is_one(a) && is_name(b, l->time->name));
}

/* The complex field of which the one called "name" is a part, or is it; NULL: of none. */
static const struct symbol *complex_field(const struct lower *l,
	struct ast_name name)
{
	const struct symbol *s = find_symbol(l, name.text);

	if (s && s->part_of && s->part_of->components->is_complex)
		return s->part_of;
	return s && s->components && s->components->is_complex ? s : NULL;
}

/* .. or are both parts of a complex one? */
static bool is_same_field(const struct lower *l, struct ast_name a,
	struct ast_name b)
{
	const struct symbol *s;

	if (a.text == b.text)
		return true;
	s = complex_field(l, a);
	return s && s == complex_field(l, b);
}

/* Does "e" repeat the left-hand side "left", of the next step? */
static bool is_left(const struct lower *l, const struct ast_expr *e,
	const struct ast_expr *left)
{
	const struct ast_expr *a = e->args, *b = left->args;

	if (e->kind != AST_ELEMENT || !is_same_field(l, e->name, left->name) ||
	    e->coordinates || e->n_args != left->n_args ||
	    !is_next_step(l, a))
		return false;
	while ((a = a->next) && (b = b->next))
		if ((b->kind != AST_NAME && !is_slice(l, b)) ||
		    !is_same_slice(a, b))
			return false;
	return true;
}

/* Does "e" read it? */
static bool reads_left(const struct lower *l, const struct ast_expr *e,
	const struct ast_expr *left)
{
	if (is_left(l, e, left))
		return true;
	for (const struct ast_expr *arg = e->args; arg; arg = arg->next)
		if (reads_left(l, arg, left))
			return true;
	return false;
}

/* .. or does a condition of "u"? */
static bool asks_left(const struct lower *l, const struct update *u)
{
	for (const struct condition *on = u->conditions; on; on = on->outer)
		if (reads_left(l, on->expr, u->item->element))
			return true;
	return false;
}

bool is_amendment(const struct lower *l, const struct symbol *s,
	const struct update *u)
{
	return !u->list && !u->item->sweeps && s->item->field_kind == FIELD_STATE &&
		s->first_write && s->first_write != u && (u->item->adds ||
		reads_left(l, u->item->value, u->item->element) ||
		asks_left(l, u));
}

/* The amendment of one statement, in progress. */
struct amendment {
	const struct update *update;
	struct symbol *target;
	const struct expr *own;		/* the value so far, as a let */
};

static const struct expr *read_amended(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	if (!is_moved(c) &&
	    is_left(c->l, e, c->amendment->update->item->element))
		return s == c->amendment->target ? c->amendment->own :
			other_so_far(c->l, c->statement, c->amendment->update);
	s->at_points = true;
	s->field->is_listed = false;
	return lower_read(c, e, s);
}

static bool is_let(const struct program *p, const char *name)
{
	for (int i = 0; i < p->n_stmts; ++i)
		for (const struct local *l = p->stmt[i]->locals; l; l = l->next)
			if (!strcmp(l->name, name))
				return true;
	return false;
}

const struct local *add_local(struct lower *l, struct statement *s,
	const char *name, const struct expr *value)
{
	struct local *local = region_new_of(l->mem, struct local);
	struct names *names = l->ast->names;

	local->name = name;
	for (int i = 1; find_symbol(l, names_intern(names, local->name,
	     strlen(local->name))) || is_let(l->program, local->name); ++i)
		local->name = region_printf(l->mem, "%s%d", name, i);
	local->value = value;
	if (s->last_local)
		s->last_local->next = local;
	else
		s->ir->locals = local;
	s->last_local = local;
	return local;
}

const struct expr *value_so_far(struct lower *l, struct statement *s)
{
	struct expr *e;

	if (s->so_far && s->ir->value == s->named)
		return s->so_far;
	e = expr_leaf(l->mem, EXPR_LOCAL, s->ir->value->type,
		s->ir->value->at);
	e->local = add_local(l, s, region_printf(l->mem, "%s_so_far",
		s->target->name), s->ir->value);
	s->named = s->ir->value;
	return s->so_far = e;
}

/* The conjunction of two conditions, either of which may be NULL. */
static const struct expr *both(struct lower *l, const struct expr *a,
	const struct expr *b)
{
	return a && b ? expr_binary(l->mem, OP_AND, a, b, a->at) : a ? a : b;
}

/* All conditions of "left", or NULL if it has none; false after a diagnostic. */
static bool lower_all_conditions(struct context *c, const struct statement *left,
	const struct expr **all)
{
	const struct update *u = left->update;

	*all = on_slices(c->l, left);
	for (const struct condition *o = u->conditions; o; o = o->outer) {
		struct on on;

		if (!lower_on(c, o->expr, &on))
			return false;
		*all = both(c->l, both(c->l, on.points, on.values), *all);
	}
	return true;
}

/* Make "left" part of the statement "s", whose indices are called as in "left". */
static bool amend(struct lower *l, const struct statement *left,
	struct statement *s)
{
	const struct update *u = left->update;
	struct amendment amendment = { .update = u, .target = s->target };
	struct context c = {
		.l = l, .statement = s, .bindings = left->indices,
		.order = u->order, .timed = true, .amendment = &amendment,
		.read = read_amended,
	};
	const struct statement before = *s;
	const struct expr *value, *all;
	bool done;

	s->indices = left->indices;
	memcpy(s->slice, left->slice, sizeof(s->slice));
	amendment.own = value_so_far(l, s);
	done = lower_all_conditions(&c, left, &all);
	value = done ? lower_expr(&c, u->item->value) : NULL;
	s->indices = before.indices;
	memcpy(s->slice, before.slice, sizeof(s->slice));
	if (!value)
		return false;
	if (u->item->adds)
		value = expr_binary(l->mem, OP_ADD, expr_promoted(l->mem,
			amendment.own), value, value->at);
	value = convert(&c, s->target->field->type, value);
	s->ir->value = all ? expr_select(l->mem, all, value, amendment.own,
		value->at) : value;
	return true;
}

static bool refuse_listed(struct lower *l, const struct update *u,
	const struct stmt *s)
{
	diag(l->diags, s->listed[0]->list ? E_LIST : E_RECORD,
		u->item->element->at, s->listed[0]->list ?
		"this changes what a list of points has changed or recorded" :
		"this changes what has been recorded");
	diag_note(l->diags, s->listed[0]->at, s->listed[0]->list ?
		"the list is here" : "it is recorded here");
	diag_advice(l->diags, "put the statement before %s",
		s->listed[0]->list ? "the list" : "what records it");
	return false;
}

/* Among those that compute the field of "u", the read of what one of them finds changed by another
 * one, or by a sweep, of the same step; or NULL.
 */
static const struct access *read_between(const struct lower *l,
	const struct symbol *s)
{
	const struct access *found = NULL;
	int n = 0;

	for (int i = 0; i < l->program->n_stmts; i++) {
		const struct stmt *of = l->program->stmt[i];

		if (l->statement[i]->target != s &&
		    !other_part(s, l->statement[i]->target))
			continue;
		n += of->sweeps ? 2 : l->statement[i]->target == s;
		for (int j = 0; j < of->n_reads; j++)
			if (of->read[j]->version == 1 && (of->read[j]->field ==
			    s->field || (other_part(s, l->statement[i]->target) &&
			     of->read[j]->field == l->statement[i]->target->field)))
				found = of->read[j];
	}
	return n > 1 ? found : NULL;
}

/* Does nobody read what "u" changes before it does? */
static bool check_between(struct lower *l, const struct update *u,
	const struct symbol *s)
{
	const struct access *a = read_between(l, s);

	if (!a)
		return true;
	diag(l->diags, E_NOT_COMPUTED, u->item->element->at, "this changes "
		"what the statements that compute '%s' read of each other in "
		"the same step", complex_name(s));
	diag_note(l->diags, a->at, "it is read here");
	diag_advice(l->diags, "make the change part of the value that these "
		"compute, or put the result into another state");
	return false;
}

void lower_amendment(struct lower *l, const struct update *u)
{
	struct ast_expr *element = u->item->element;
	struct symbol *s = find_symbol(l, element->name.text);
	struct statement left = { .ir = region_new_of(l->mem, struct stmt),
		.target = s, .update = u };
	struct context c = { .l = l, .statement = &left, .order = u->order,
		.timed = true };

	if (!lower_write(&c, element, s) || !check_between(l, u, s))
		return;
	for (int i = 0; i < l->program->n_stmts; ++i) {
		struct statement *of = l->statement[i];

		if (of->target != s || !of->ir->value)
			continue;
		if (!check_strided(l, u, of))
			return;
		if (of->ir->n_listed ? !refuse_listed(l, u, of->ir) :
		    !amend(l, &left, of))
			return;
	}
}

/* Slices -------------------------------------------------------------------*/

/* All that "s" asks of a point. */
static const struct expr *conditions_of(struct lower *l, const struct stmt *s)
{
	const struct expr *all = s->condition[0];

	for (int i = 1; i < s->n_conditions; i++)
		all = expr_binary(l->mem, OP_AND, all, s->condition[i],
			s->condition[i]->at);
	return all;
}

static void leave_out(struct lower *l, struct stmt *s, const struct expr *points)
{
	const struct expr **own = s->condition;

	s->condition = region_array(l->mem, const struct expr *,
		s->n_conditions + 1);
	for (int i = 0; i < s->n_conditions; i++)
		s->condition[i] = own[i];
	s->condition[s->n_conditions++] = expr_unary(l->mem, OP_NOT, points,
		points->at);
}

bool take_points(struct context *c)
{
	struct lower *l = c->l;
	const struct stmt *ir = c->statement->ir;

	for (int i = 0; i < ir->index; i++) {
		struct statement *of = l->statement[i];

		if (of->target != c->statement->target || !of->ir->value)
			continue;
		if (of->ir->n_listed)
			return refuse_listed(l, c->statement->update, of->ir);
		leave_out(l, of->ir, conditions_of(l, ir));
	}
	return true;
}

/* Where conditions on values decide ----------------------------------------*/

/* Among the statements before "s" that compute the same field, the first one with number "*i"
 * or more, which becomes the number behind it; or NULL.
 */
static struct statement *next_before(const struct lower *l,
	const struct statement *s, int *i)
{
	for (; *i < s->ir->index; ++*i)
		if (l->statement[*i]->target == s->target &&
		    l->statement[*i]->ir->value)
			return l->statement[(*i)++];
	return NULL;
}

bool is_override(const struct context *c, const struct expr *values)
{
	const struct statement *of;
	bool any = false, guarded = values;
	int i = 0;

	while ((of = next_before(c->l, c->statement, &i))) {
		any = true;
		guarded |= of->is_guarded;
	}
	return any && guarded;
}

static bool refuse_last_word(struct context *c, const struct statement *of)
{
	const struct update *u = c->statement->update;
	struct diags *d = c->l->diags;

	diag(d, E_WRITTEN_TWICE, u->item->element->at, "this computes '%s' at "
		"all points, whatever the statement before it computes",
		c->statement->target->name);
	diag_note(d, of->ir->at, "it is here");
	diag_advice(d, "the last statement that holds at a point counts: put "
		"what holds everywhere first");
	return true;
}

/* The points of "of" as the text gives them, as a condition in "c"; or NULL:
 * all.
 */
static const struct expr *points_of(const struct context *c,
	const struct statement *of)
{
	struct amendment named = { .update = of->update };
	struct statement scratch = { .ir = region_new_of(c->l->mem,
		struct stmt), .target = of->target, .update = of->update,
		.indices = of->indices };
	struct context inner = { .l = c->l, .statement = &scratch,
		.bindings = of->indices, .order = of->update->order,
		.timed = c->timed, .amendment = &named };
	const struct expr *all = on_slices(c->l, of);
	const struct condition *o = of->update->conditions;
	struct on on;

	*scratch.ir = *c->statement->ir;
	scratch.ir->n_reads = scratch.ir->n_elements = 0;
	scratch.ir->read = scratch.ir->element = NULL;
	for (; o && lower_on(&inner, o->expr, &on); o = o->outer)
		all = both(c->l, on.points, all);
	return all;
}

/* Take the points of earlier statements from the statement of "c"; are some left? */
static bool exclude(struct context *c)
{
	struct stmt *ir = c->statement->ir;
	const struct expr **own = ir->condition;
	struct statement *of;
	int n = ir->n_conditions, i = 0;

	ir->condition = region_array(c->l->mem, const struct expr *,
		n + ir->index);
	for (int j = 0; j < n; ++j)
		ir->condition[j] = own[j];
	while ((of = next_before(c->l, c->statement, &i))) {
		const struct expr *points = points_of(c, of);

		if (!points)
			return false;
		ir->condition[ir->n_conditions++] = expr_unary(c->l->mem,
			OP_NOT, points, points->at);
	}
	return true;
}

bool lower_override(struct context *c)
{
	const struct update *u = c->statement->update;
	struct statement *of;
	int i = 0;

	if (!check_between(c->l, u, c->statement->target))
		return false;
	while ((of = next_before(c->l, c->statement, &i))) {
		if (!check_strided(c->l, u, of))
			return false;
		if (!u->conditions && !has_slices(c->l, u))
			return refuse_last_word(c, of);
		if (of->ir->n_listed ? !refuse_listed(c->l, u, of->ir) :
		    !amend(c->l, c->statement, of))
			return false;
		of->is_guarded = of->ir->is_joined = true;
	}
	c->statement->ir->is_joined = c->statement->ir->is_rest = true;
	return exclude(c);
}

/* Names in an expression: their meaning, alone and with subscripts. */
#include "frontend/complex.h"
#include "frontend/components.h"
#include "frontend/derivative.h"
#include "frontend/linear.h"
#include "frontend/passed.h"
#include "frontend/reads.h"

#include <inttypes.h>

const struct expr *lower_index(struct context *c, int dim,
	const char *name, struct span at)
{
	struct expr *e = expr_leaf(c->l->mem, EXPR_INDEX, TYPE_INT, at);

	e->dim = dim;
	/* Text that changes a statement's value has names of its own. */
	e->spelling = c->amendment ? c->statement->ir->iterator[dim] : name;
	return moved_index(c, dim, index_counted(c, dim, e));
}

static const struct expr *lower_number_in_list(struct context *c,
	const char *name, struct span at)
{
	struct expr *e = expr_leaf(c->l->mem, EXPR_NUMBER, TYPE_INT, at);

	e->spelling = name;
	return e;
}

/* A definition's argument that is evaluated at the point meant. */
static const struct expr *lower_later(struct context *c, struct binding *b)
{
	struct context inner = *c;

	inner.bindings = b->around->bindings;
	inner.expansion = b->around->expansion;
	return lower_any(&inner, b->later);
}

static const struct expr *lower_binding(struct context *c, struct binding *b,
	struct span at)
{
	b->used = true;
	switch (b->kind) {
	case BIND_INDEX:
		return lower_index(c, b->dim, b->name, at);
	case BIND_NUMBER:
		return expr_int(c->l->mem, b->number, at);
	case BIND_LISTED:
		return lower_number_in_list(c, b->name, at);
	case BIND_LATER:
		return lower_later(c, b);
	default:
		return b->value;
	}
}

static const struct expr *lower_param_name(struct context *c,
	struct symbol *s, struct span at)
{
	s->used = true;
	lower_param(c->l, s);
	return expr_param(c->l->mem, s->param, at);
}

const struct expr *refuse_kind(struct context *c, struct ast_expr *e,
	const struct symbol *s, const char *reason)
{
	if (report(c, e, E_KIND, e->at, "'%s' is %s: %s", s->name,
			symbol_what(s), reason))
		diag_note(c->l->diags, s->at, "it is declared here");
	return NULL;
}

static const struct expr *lower_scalar(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	const struct constant *k = lower_constant(c->l, s);

	s->used = true;
	if (s->item->ranges)
		return refuse_kind(c, e, s, "it is used with an index");
	return k ? value_expr(c->l, k->values, e->at) : NULL;
}

/* A parameter or constant, or the two of a complex one. */
static const struct expr *lower_number_named(struct context *c,
	struct ast_expr *e, struct symbol *s)
{
	const struct expr *part[PARTS];

	s->used = true;
	if (!s->components)
		return s->kind == SYMBOL_PARAM ? lower_param_name(c, s, e->at) :
			lower_scalar(c, e, s);
	for (int i = 0; i < PARTS; i++) {
		part[i] = lower_number_named(c, e, s->components->part[i]);
		if (!part[i])
			return NULL;
	}
	return complex_of(c, part, e->at);
}

static struct expr *time_named(struct context *c, const struct ast_expr *e)
{
	struct expr *t = expr_leaf(c->l->mem, EXPR_TIME, TYPE_INT, e->at);

	t->spelling = e->name.text;
	return t;
}

static const struct expr *lower_time(struct context *c, struct ast_expr *e)
{
	if (c->timed)
		return time_named(c, e);
	report_undeclared(c, e->name, USED_AS_NUMBER);
	return NULL;
}

const struct expr *lower_step(struct context *c, const struct ast_expr *e)
{
	const struct expr *t = time_named(c, e);

	return e->ivalue ? expr_binary(c->l->mem, OP_ADD, t, expr_int(c->l->mem,
		e->ivalue, e->at), e->at) : t;
}

/* The meaning of a let: in the context of the statement that uses it, whatever
 * surrounds its name.
 */
static const struct expr *let_value(struct context *c, const struct symbol *s)
{
	struct context inner = *c;

	inner.bindings = c->statement ? c->statement->indices : NULL;
	inner.order = s->order;
	return lower_any(&inner, s->item->value);
}

/* A let for each part of the complex "value". */
static const struct expr *let_of_parts(struct context *c,
	const struct symbol *s, const struct expr *value)
{
	static const char *const names[PARTS] = { "%s_re", "%s_im" };
	const struct expr *part[PARTS];

	for (int i = 0; i < PARTS; i++) {
		part[i] = complex_part(value, i);
		if (part[i] && part[i]->n_args)
			part[i] = name_once(c, part[i], region_printf(c->l->mem,
				names[i], s->name));
	}
	return complex_of(c, part, value->at);
}

static struct lowered_let *add_let(struct context *c, const struct symbol *s)
{
	struct statement *statement = c->statement;
	struct lowered_let *let = region_new_of(c->l->mem,
		struct lowered_let);
	enum wanted outer = c->wanted;
	const struct expr *value;
	struct local *local;

	c->wanted = WANT_BOTH;
	value = let_value(c, s);
	c->wanted = outer;
	let->symbol = s;
	let->next = statement->lets;
	statement->lets = let;
	if (!value)
		return let;
	if (is_complex(value)) {
		let->parts = let_of_parts(c, s, value);
		return let;
	}
	local = region_new_of(c->l->mem, struct local);
	local->name = s->name;
	local->value = value;
	if (statement->last_local)
		statement->last_local->next = local;
	else
		statement->ir->locals = local;
	statement->last_local = local;
	let->local = local;
	return let;
}

static const struct expr *lower_let(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	struct lowered_let *let;
	struct expr *value;

	s->used = true;
	if (s->order >= c->order) {
		report_undeclared(c, e->name, USED_AS_NUMBER);
		return NULL;
	}
	if (c->inlining || !c->statement || is_moved(c))
		return let_value(c, s);
	let = c->statement->lets;
	while (let && let->symbol != s)
		let = let->next;
	if (!let)
		let = add_let(c, s);
	if (!let->local)
		return let->parts;
	value = expr_leaf(c->l->mem, EXPR_LOCAL, let->local->value->type,
		e->at);
	value->local = let->local;
	return value;
}

/* Components ---------------------------------------------------------------*/

struct ast_expr *component_without(struct lower *l, const struct ast_expr *e,
	const struct symbol *s, const struct symbol *part, bool has_time)
{
	struct ast_expr *all = region_new_of(l->mem, struct ast_expr);
	struct ast_expr *rest = has_time ? e->args->next : e->args;

	*all = *e;
	all->name.text = part->name;
	for (int d = 0; d < s->components->n_dims; d++)
		rest = rest->next;
	all->n_args -= s->components->n_dims;
	if (has_time) {
		all->args = region_new_of(l->mem, struct ast_expr);
		*all->args = *e->args;
		all->args->next = rest;
	} else {
		all->args = rest;
	}
	if (!all->n_args)
		all->kind = AST_NAME;
	return all;
}

bool refuse_both_parts(struct context *c, struct ast_expr *e)
{
	if (report(c, e, E_TYPE, e->at, "'%s' has two parts, and one field is "
			"read here", quote(c->l, e->at)))
		diag_advice(c->l->diags, "let a temp have the value, as in "
			"'rho[i] = norm(psi[t+1][i])', and read that");
	return false;
}

struct symbol *component_of(struct context *c, struct ast_expr *at,
	const struct symbol *s)
{
	const struct components *of = s->components;
	int64_t i, place = 0;

	for (int d = 0; d < of->n_dims; d++, at = at->next) {
		if (!lower_int(c, at, "a component", &i))
			return NULL;
		if (i < 0 || i >= of->size[d]) {
			if (report(c, at, E_TABLE_INDEX, at->at, "there is no "
					"component %" PRId64 " of '%s', which "
					"has 0 .. %" PRId64, i, s->name,
					of->size[d] - 1))
				diag_note(c->l->diags, s->at, "it is declared "
					"here");
			return NULL;
		}
		place = place * of->size[d] + i;
	}
	return of->part[place];
}

void refuse_component(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	int n = s->components->n_dims;

	if (!s->components->wrong && report(c, e, E_SUBSCRIPT, e->at, "'%s' does not say which component "
			"of '%s' is meant", quote(c->l, e->at), s->name))
		diag_advice(c->l->diags, "the first %s%s a number known at "
			"compile time, as in '%s%s[0]'", n > 1 ? "are " : "",
			n > 1 ? "subscripts" : "subscript is", s->name,
			is_state(s) && c->l->time ? region_printf(c->l->mem,
			"[%s]", c->l->time->name) : "");
}

/* Turn the read "e" of "*s" into one of a component, which "*s" becomes; NULL after a
 * diagnostic.
 */
static struct ast_expr *component_read(struct context *c, struct ast_expr *e,
	struct symbol **s)
{
	const struct symbol *all = *s;
	int n = all->components->n_dims, full = all->item->dims.n;
	bool has_time = is_state(all) && (e->n_args == full + 1 ||
		(c->moved && e->n_args == n + 1));

	if (all->components->wrong || e->kind != AST_ELEMENT || (e->n_args != full + (int) is_state(all) &&
	    !(c->moved && (e->n_args == n || has_time)))) {
		refuse_component(c, e, all);
		return NULL;
	}
	*s = component_of(c, has_time ? e->args->next : e->args, all);
	if (!*s)
		return NULL;
	return component_without(c->l, e, all, *s, has_time);
}

/* Fields -------------------------------------------------------------------*/

/* A real field, or the part of a complex one. */
static const struct expr *read_real(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	s->used = s->read = true;
	if (c->moved && !(e = at_point(c, e, s)))
		return NULL;
	if (c->read)
		return s->field ? c->read(c, e, s) : NULL;
	if (e->coordinates)
		return refuse_kind(c, e, s, "only within a list of points, 'at "
			"p = ..', is it read between cells");
	s->at_points = true;
	if (s->field)
		s->field->is_listed = false;
	return lower_read(c, e, s);
}

static const struct expr *read_complex(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	const struct expr *part[PARTS] = { NULL };

	for (int i = 0; i < PARTS; i++) {
		struct symbol *of = s->components->part[i];
		struct ast_expr *own;

		if (!wants_part(c, i))
			continue;
		own = component_without(c->l, e, s, of, false);
		part[i] = read_real(c, own, of);
		e->reported |= own->reported;
		if (!part[i])
			return NULL;
	}
	return complex_of(c, part, e->at);
}

static const struct expr *read_field(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	s->used = s->read = true;
	if (s->components && !s->components->is_complex &&
	    !(e = component_read(c, e, &s)))
		return NULL;
	s->used = s->read = true;
	return s->components ? read_complex(c, e, s) : read_real(c, e, s);
}

/* The element "e" of the field that "b" is. */
static const struct expr *lower_passed(struct context *c, struct ast_expr *e,
	struct binding *b)
{
	struct ast_expr *all = element_of_field(c, e, b);
	bool reported = e->reported;
	const struct expr *value;

	b->used = true;
	if (b->given.n && is_state(b->field) && e->args &&
	    is_step(c->l, e->args))
		return refuse_second_time(c, e, b);
	value = read_field(c, all, b->field);
	e->reported |= all->reported;
	if (!value && e->reported && !reported)
		note_passed(c, b);
	return value;
}

/* .. by its name alone, which is a value where values at other points are asked for. */
static const struct expr *lower_passed_alone(struct context *c, struct ast_expr *e,
	struct binding *b)
{
	struct ast_expr *passed;

	if (!c->moved)
		return refuse_field(c, e, b);
	passed = element_of_field(c, e, b);
	passed->at = b->later->at;
	b->used = true;
	return read_field(c, passed, b->field);
}

/* The newest value of the result "s". */
static const struct expr *lower_result(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	const struct expr *newest = expr_int(c->l->mem, 0, e->at), *part[PARTS];

	if (!c->ends)
		return refuse_kind(c, e, s, "it has a value for the caller, "
			"and for 'until', but not here");
	if (s->components) {
		s->read = true;
		for (int i = 0; i < PARTS; i++)
			if (!(part[i] = lower_result(c, e, s->components->part[i])))
				return NULL;
		return complex_of(c, part, e->at);
	}
	if (s->field && !s->field->is_scalar)
		return refuse_kind(c, e, s, "'until' asks results of one "
			"number");
	s->read = true;
	return s->field ? expr_element(c->l->mem, s->field, &newest, NULL,
		e->at) : NULL;
}

const struct expr *lower_name(struct context *c, struct ast_expr *e)
{
	struct binding *b = find_binding(c, e->name.text);
	struct symbol *s = find_symbol(c->l, e->name.text);

	if (b && b->kind == BIND_FIELD)
		return lower_passed_alone(c, e, b);
	if (b)
		return lower_binding(c, b, e->at);
	switch (s ? s->kind : SYMBOL_UNKNOWN) {
	case SYMBOL_PARAM:
	case SYMBOL_CONST:
		return lower_number_named(c, e, s);
	case SYMBOL_TIME:
		return lower_time(c, e);
	case SYMBOL_LET:
		return lower_let(c, e, s);
	case SYMBOL_FIELD:
		return c->moved ? read_field(c, e, s) : refuse_kind(c, e, s,
			"it is read with subscripts");
	case SYMBOL_DEF:
		return s->is_taken ? NULL : refuse_kind(c, e, s, "it is used "
			"with arguments");
	case SYMBOL_RESULT:
		return lower_result(c, e, s);
	default:
		report_undeclared(c, e->name, USED_AS_NUMBER);
		return NULL;
	}
}

/* Tables -------------------------------------------------------------------*/

static bool table_index(struct context *c, const struct symbol *s,
	struct ast_expr *e, int dim, int64_t *index)
{
	const struct constant *k = s->constant;

	if (!lower_int(c, e, "the index of a table", index))
		return false;
	if (*index >= k->begin[dim] && *index <= k->end[dim])
		return true;
	if (report(c, e, E_TABLE_INDEX, e->at, "the index %" PRId64
			" is outside the table '%s', which has %" PRId64
			" .. %" PRId64, *index, s->name, k->begin[dim],
			k->end[dim]))
		diag_note(c->l->diags, s->at, "it is declared here");
	return false;
}

static const struct expr *lower_entry(struct context *c, struct ast_expr *e,
	struct symbol *s);

static const struct expr *lower_complex_entry(struct context *c,
	struct ast_expr *e, struct symbol *s)
{
	const struct expr *part[PARTS];

	s->used = true;
	for (int i = 0; i < PARTS; i++) {
		part[i] = lower_entry(c, e, s->components->part[i]);
		if (!part[i])
			return NULL;
	}
	return complex_of(c, part, e->at);
}

static const struct expr *lower_entry(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	const struct constant *k = lower_constant(c->l, s);
	int64_t index, position = 0;
	struct ast_expr *subscript = e->args;

	s->used = true;
	if (!s->item->ranges)
		return refuse_kind(c, e, s, "it has no index");
	if (!k)
		return NULL;
	if (e->n_args != k->n_dims) {
		report(c, e, E_SUBSCRIPT_COUNT, e->at,
			"the table '%s' has %d dimension%s, not %d", s->name,
			k->n_dims, k->n_dims == 1 ? "" : "s", e->n_args);
		return NULL;
	}
	for (int i = 0; i < k->n_dims; ++i, subscript = subscript->next) {
		if (!table_index(c, s, subscript, i, &index))
			return NULL;
		position *= k->end[i] - k->begin[i] + 1;
		position += index - k->begin[i];
	}
	return value_expr(c->l, &k->values[position], e->at);
}

static const struct expr *refuse_number(struct context *c, struct ast_expr *e,
	const struct binding *b)
{
	if (report(c, e, E_KIND, e->at, "'%s' is a number: it has no "
			"subscripts", b->name) && (b->kind == BIND_ARGUMENT || b->kind == BIND_LATER))
		diag_note(c->l->diags, b->later->at, "it is this number; a field "
			"is passed by its name, or at a step");
	return NULL;
}

const struct expr *lower_element(struct context *c, struct ast_expr *e)
{
	struct symbol *s = find_symbol(c->l, e->name.text);
	struct binding *b = find_binding(c, e->name.text);

	if (b && b->kind == BIND_ARGUMENT && !b->value)
		return NULL;
	if (b && b->kind == BIND_LATER)
		return refuse_number(c, e, b);
	if (e->coordinates && s && s->kind == SYMBOL_CONST)
		return refuse_kind(c, e, s, "it is not read between cells");
	if (b)
		return b->kind == BIND_FIELD ? lower_passed(c, e, b) :
			refuse_number(c, e, b);
	switch (s ? s->kind : SYMBOL_UNKNOWN) {
	case SYMBOL_FIELD:
		return read_field(c, e, s);
	case SYMBOL_CONST:
		return s->components ? lower_complex_entry(c, e, s) :
			lower_entry(c, e, s);
	case SYMBOL_UNKNOWN:
		report_undeclared(c, e->name, USED_AS_FIELD);
		return NULL;
	default:
		return refuse_kind(c, e, s, "it has no subscripts");
	}
}

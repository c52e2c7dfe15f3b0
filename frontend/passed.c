/* Fields passed to definitions: see passed.h. */
#include "frontend/passed.h"

#include "frontend/components.h"
#include "frontend/parse-context.h"
#include "frontend/reads.h"

/* Fields ------------------------------------------------------------------- */

struct symbol *field_named(const struct context *c,
	const struct ast_expr *e, struct binding **b)
{
	struct symbol *s;

	*b = find_binding(c, e->name.text);
	if (*b)
		return (*b)->kind == BIND_FIELD ? (*b)->field : NULL;
	s = find_symbol(c->l, e->name.text);
	return s && s->kind == SYMBOL_FIELD ? s : NULL;
}

/* Is "e" made of literals, constants, and variables of sums? */
static bool is_known(const struct context *c, const struct ast_expr *e)
{
	if (e->kind == AST_NAME) {
		const struct binding *b = find_binding(c, e->name.text);
		const struct symbol *s = find_symbol(c->l, e->name.text);

		return b ? b->kind == BIND_NUMBER : s && s->kind == SYMBOL_CONST;
	}
	if (e->kind == AST_NUMBER)
		return e->type == TYPE_INT;
	if (e->kind != AST_UNARY && e->kind != AST_BINARY)
		return false;
	for (const struct ast_expr *arg = e->args; arg; arg = arg->next)
		if (!is_known(c, arg))
			return false;
	return true;
}

int components_of(const struct symbol *s)
{
	return s->components && !s->components->is_complex ?
		s->components->n_dims : 0;
}

/* How many subscripts of "s" an argument may have, so that the definition adds the others. */
static int most_given(const struct symbol *s)
{
	if (is_state(s) || s->components)
		return is_state(s) + components_of(s);
	return s->item->dims.n - 1;
}

bool lacks_place(const struct context *c, const struct ast_expr *e,
	const struct symbol *s, int n_given)
{
	if (e->kind == AST_NAME)
		return true;
	n_given += e->n_args;
	if (e->coordinates || n_given > most_given(s) ||
	    n_given >= s->item->dims.n + is_state(s))
		return false;
	for (const struct ast_expr *arg = e->args; arg; arg = arg->next)
		if (!is_step(c->l, arg) && !is_known(c, arg))
			return false;
	return true;
}

void append_copies(struct lower *l, struct ast_exprs *list,
	const struct ast_expr *e)
{
	for (; e; e = e->next) {
		struct ast_expr *own = region_new_of(l->mem, struct ast_expr);

		*own = *e;
		own->next = NULL;
		*list = ast_add_expr(*list, own);
	}
}

/* Reads -------------------------------------------------------------------- */

void note_passed(struct context *c, const struct binding *b)
{
	diag_note(c->l->diags, b->later->at, "here '%s' is '%s'", b->name,
		quote(c->l, b->later->at));
}

const struct expr *refuse_field(struct context *c, struct ast_expr *e,
	struct binding *b)
{
	if (!b->refused && report(c, e, E_KIND, e->at, "'%s' is %s: it is read "
			"with subscripts", b->name, symbol_what(b->field)))
		note_passed(c, b);
	b->refused = true;
	return NULL;
}

struct ast_expr *element_of_field(struct context *c,
	const struct ast_expr *e, const struct binding *b)
{
	struct ast_expr *all = region_new_of(c->l->mem, struct ast_expr);
	struct ast_exprs subscripts = { 0 };

	*all = *e;
	if (!b->given.n)
		return all;
	append_copies(c->l, &subscripts, b->given.first);
	append_copies(c->l, &subscripts, e->args);
	all->kind = AST_ELEMENT;
	all->args = subscripts.first;
	all->n_args = subscripts.n;
	return all;
}

const struct expr *refuse_second_time(struct context *c,
	struct ast_expr *e, const struct binding *b)
{
	if (report(c, e, E_TIME_SUBSCRIPT, e->args->at, "'%s' is passed at a "
			"step: it has no time subscript here", b->name))
		note_passed(c, b);
	return NULL;
}

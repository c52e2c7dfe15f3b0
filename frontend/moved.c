/* Values at other points: lower an expression again, with its indices moved. */
#include "frontend/derivative.h"
#include "frontend/reads.h"

#include <string.h>

/* What definitions move ----------------------------------------------------*/

bool is_expanding(const struct context *c, const struct symbol *def)
{
	const struct expansion *x = c->expansion;

	while (x && x->def != def)
		x = x->outer;
	return x;
}

bool reads_at_points(const char *name)
{
	return !strcmp(name, "fd_at") || !strcmp(name, "fd_sum");
}

/* Mark the parameters of "def" that "e" moves. */
static void mark_names(const struct ast_item *def, const struct ast_expr *e)
{
	struct ast_name_link *link = def->params.first;

	for (; link; link = link->next)
		link->is_moved |= (e->kind == AST_NAME ||
			e->kind == AST_ELEMENT) &&
			e->name.text == link->name.text;
	for (const struct ast_expr *arg = e->args; arg; arg = arg->next)
		mark_names(def, arg);
}

static void mark_arguments(struct lower *l, const struct ast_item *def,
	const struct ast_expr *call)
{
	struct symbol *s = find_symbol(l, call->name.text);
	const struct ast_name_link *link;
	const struct ast_expr *arg = call->args;

	if (!s && reads_at_points(call->name.text))
		mark_names(def, arg);
	if (!s || s->kind != SYMBOL_DEF)
		return;
	find_moved(l, s);
	for (link = s->item->params.first; link && arg;
	     link = link->next, arg = arg->next)
		if (link->is_moved)
			mark_names(def, arg);
}

static void mark(struct lower *l, const struct ast_item *def,
	const struct ast_expr *e)
{
	if (e->kind == AST_CALL)
		mark_arguments(l, def, e);
	for (const struct ast_expr *arg = e->args; arg; arg = arg->next)
		mark(l, def, arg);
}

void find_moved(struct lower *l, struct symbol *s)
{
	if (s->progress != PROGRESS_NONE)
		return;
	s->progress = PROGRESS_BUSY;
	mark(l, s->item, s->item->value);
	s->progress = PROGRESS_DONE;
}

/* What is there ------------------------------------------------------------*/

bool is_moved(const struct context *c)
{
	for (int i = 0; c->moved && i < IR_MAX_DIMS; i++)
		if (c->moved[i])
			return true;
	return false;
}

const struct expr *moved_index(const struct context *c, int dim,
	const struct expr *e)
{
	int64_t by = c->moved ? c->moved[dim] : 0;

	if (!by)
		return e;
	return expr_binary(c->l->mem, by > 0 ? OP_ADD : OP_SUB, e,
		expr_int(c->l->mem, by > 0 ? by : -by, e->at), e->at);
}

/* Names without subscripts -------------------------------------------------*/

/* Is "e" the state "s" at a step, or its name alone? */
static bool lacks_indices(const struct context *c, const struct ast_expr *e,
	const struct symbol *s)
{
	if (e->kind == AST_NAME)
		return true;
	return s->item->field_kind == FIELD_STATE && e->n_args == 1 &&
		!e->coordinates && is_step(c->l, e->args);
}

static struct ast_expr *new_expr(struct context *c, enum ast_expr_kind kind,
	const char *name, struct span at)
{
	struct ast_expr *e = region_new_of(c->l->mem, struct ast_expr);

	e->kind = kind;
	e->name = (struct ast_name) { name, at };
	e->depth = 1;
	e->at = at;
	return e;
}

static bool check_dims(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	int n = s->item->dims.n, own = c->statement->ir->n_dims;

	if (n == own)
		return true;
	if (report(c, e, E_SUBSCRIPT_COUNT, e->at, "'%s' has %d dimension%s, "
			"not %d as the statement: its name alone does not say "
			"where it is read", s->name, n, n == 1 ? "" : "s",
			own))
		diag_advice(c->l->diags, "write its subscripts, as in '%s[i]'",
			s->name);
	return false;
}

struct ast_expr *at_point(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	bool is_state = s->item->field_kind == FIELD_STATE;
	struct ast_expr *full, **end;

	if (!lacks_indices(c, e, s))
		return e;
	if (!check_dims(c, e, s))
		return NULL;
	full = new_expr(c, AST_ELEMENT, s->name, e->at);
	end = &full->args;
	if (is_state) {
		const char *t = c->l->time ? c->l->time->name : "t";

		*end = new_expr(c, AST_NAME, t, e->at);
		if (e->kind == AST_ELEMENT)
			**end = *e->args;
		end = &(*end)->next;
	}
	for (int i = 0; i < s->item->dims.n; i++) {
		*end = new_expr(c, AST_INDEX,
			c->statement->ir->iterator[i], e->at);
		(*end)->ivalue = i;
		end = &(*end)->next;
	}
	full->n_args = s->item->dims.n + is_state;
	return full;
}

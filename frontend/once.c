/* Values that are computed once and have a name: lets that the program does not have. */
#include "frontend/derivative.h"

#include <string.h>

static bool is_taken(const struct context *c, const char *name)
{
	const struct program *p = c->l->program;

	for (int i = 0; i < p->n_stmts; i++)
		if (stmt_has_name(p->stmt[i], name))
			return true;
	return stmt_has_name(c->statement->ir, name) || find_symbol(c->l,
		names_intern(c->l->ast->names, name, strlen(name)));
}

const struct expr *add_name(struct context *c, const struct expr *value,
	const char *name)
{
	struct local *local = region_new_of(c->l->mem, struct local);
	struct expr *leaf;

	local->value = value;
	local->name = name;
	for (int i = 2; is_taken(c, local->name); i++)
		local->name = region_printf(c->l->mem, "%s%d", name, i);
	if (c->statement->last_local)
		c->statement->last_local->next = local;
	else
		c->statement->ir->locals = local;
	c->statement->last_local = local;
	leaf = expr_leaf(c->l->mem, EXPR_LOCAL, value->type, value->at);
	leaf->local = local;
	return leaf;
}

/* Equal trees, of the same reads. */
static bool is_equal(const struct expr *a, const struct expr *b)
{
	bool equal = a == b || (expr_same_node(a, b) && a->access == b->access);

	for (int i = 0; a != b && equal && i < a->n_args; i++)
		equal = is_equal(a->arg[i], b->arg[i]);
	return equal;
}

const struct expr *name_once(struct context *c, const struct expr *value,
	const char *name)
{
	const struct local *local;
	struct expr *leaf;

	if (c->inlining || !c->statement || is_moved(c))
		return value;
	local = c->statement->ir->locals;
	while (local && !is_equal(local->value, value))
		local = local->next;
	if (!local)
		return add_name(c, value, name);
	leaf = expr_leaf(c->l->mem, EXPR_LOCAL, value->type, value->at);
	leaf->local = local;
	return leaf;
}

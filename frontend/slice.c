/* Slices: a subscript of parameters alone where an index would stand, A[t+1][N/2][j] = ..;
 * the statement has an index without a name there, and the condition that it has this value.
 */
#include "frontend/slice.h"

#include <string.h>

/* Text -------------------------------------------------------------------- */

static bool is_no_index(const struct symbol *s)
{
	return s->kind == SYMBOL_PARAM || s->kind == SYMBOL_CONST;
}

bool is_slice(const struct lower *l, const struct ast_expr *e)
{
	return is_made_of(l, e, is_no_index);
}

bool has_slices(const struct lower *l, const struct update *u)
{
	for (const struct ast_expr *e = u->item->element->args; e; e = e->next)
		if (is_slice(l, e))
			return true;
	return false;
}

bool is_same_slice(const struct ast_expr *a, const struct ast_expr *b)
{
	const struct ast_expr *x = a->args, *y = b->args;

	if (a->kind != b->kind || a->op != b->op || a->type != b->type ||
	    a->ivalue != b->ivalue || a->name.text != b->name.text)
		return false;
	for (; x && y; x = x->next, y = y->next)
		if (!is_same_slice(x, y))
			return false;
	return !x && !y;
}

/* An index without a name ------------------------------------------------- */

static bool is_taken(const struct lower *l, const struct ast_expr *e,
	const char *name)
{
	if (find_symbol(l, names_intern(l->ast->names, name, strlen(name))))
		return true;
	for (; e; e = e->next)
		if (e->kind == AST_NAME ? !strcmp(e->name.text, name) :
		    is_taken(l, e->args, name))
			return true;
	return false;
}

/* Spelled as no name of the text is, which is known by its address. */
const char *slice_index(struct lower *l, const struct ast_expr *element,
	int dim)
{
	static const char *const usual[] = { "i", "j", "k", "l" };
	const char *name = region_strdup(l->mem, dim < 4 ? usual[dim] : "i4");

	for (int n = 0; is_taken(l, element->args, name); n++)
		name = region_printf(l->mem, "at%d", n);
	return name;
}

const struct expr *on_slice(struct lower *l, const char *name, int dim,
	const struct expr *at)
{
	struct expr *x = expr_leaf(l->mem, EXPR_INDEX, TYPE_INT, at->at);

	x->dim = dim;
	x->spelling = name;
	return expr_binary(l->mem, OP_EQ, x, at, at->at);
}

const struct expr *on_slices(struct lower *l, const struct statement *s)
{
	const struct expr *all = NULL, *on;

	for (int d = 0; d < s->ir->n_dims; d++) {
		if (!s->slice[d])
			continue;
		on = on_slice(l, s->ir->iterator[d], d, s->slice[d]);
		all = all ? expr_binary(l->mem, OP_AND, all, on, on->at) : on;
	}
	return all;
}

/* Reads ------------------------------------------------------------------- */

/* "e" without the number that is added to it, "*added"; NULL: nothing is left. */
static const struct expr *without_number(const struct expr *e, int64_t *added)
{
	int64_t n;

	*added = 0;
	while (e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB)) {
		if (expr_constant(e->arg[1], &n)) {
			*added += e->op == OP_ADD ? n : -n;
			e = e->arg[0];
		} else if (e->op == OP_ADD && expr_constant(e->arg[0], &n)) {
			*added += n;
			e = e->arg[1];
		} else {
			return e;
		}
	}
	if (!expr_constant(e, &n))
		return e;
	*added += n;
	return NULL;
}

bool find_offset(const struct context *c, const struct expr *value, int dim,
	int64_t *offset)
{
	const struct expr *at = c->statement ? c->statement->slice[dim] : NULL;
	const struct expr *a, *b;
	int64_t to, from;

	if (!at || value->type != TYPE_INT || expr_any(value, expr_is_index))
		return false;
	a = without_number(value, &to);
	b = without_number(at, &from);
	*offset = to - from;
	return *offset == (int32_t) *offset &&
		(a && b ? expr_same(a, b) : a == b);
}

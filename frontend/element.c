/* Elements of inputs: subscripts without an index, as in wavelet[t]. */
#include "frontend/lower.h"

static bool refuse_element(struct context *c, struct ast_expr *e,
	const char *reason)
{
	if (report(c, e, E_SUBSCRIPT, e->at, "the subscript '%s' has no index, "
			"and %s", quote(c->l, e->at), reason))
		diag_advice(c->l->diags, "without an index it is a sum of the "
			"time, parameters and constants, or such a sum "
			"divided by a constant");
	return false;
}

static bool refuse_many(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	report(c, e, E_TOO_LARGE, e->at, "'%s' is read with %d subscripts "
		"without an index; at most %d are allowed", s->name,
		e->n_args, EXPR_MAX_ARGS);
	return false;
}

static bool is_index(const struct expr *e)
{
	return e->kind == EXPR_INDEX;
}

static bool refuse_mixed(struct context *c, struct ast_expr *e,
	const struct ast_expr *without)
{
	if (report(c, e, E_SUBSCRIPT, without->at, "the subscript '%s' has no "
			"index, others of '%s' have one", quote(c->l,
			without->at), e->name.text))
		diag_advice(c->l->diags, "an input is read at indices, or at "
			"the time and parameters alone, as in '[%s]'",
			c->l->time ? c->l->time->name : "0");
	return false;
}

/* Is the subscript "e", which has no index and the "value", such as an element may have? */
static bool check_subscript(struct context *c, struct ast_expr *e,
	const struct expr *value)
{
	const struct expr *culprit = expr_not_affine(value, true);

	if (!culprit)
		return true;
	if (culprit->type != TYPE_INT)
		return refuse_element(c, e, "it is not an int");
	return refuse_element(c, e, expr_is_read(culprit) ?
		"it is read from a field" : "it is not affine");
}

bool check_uniform(struct context *c, struct ast_expr *e,
	const struct symbol *s, const struct expr *const *value, int *n)
{
	const struct ast_expr *without = NULL;
	struct ast_expr *subscript = e->args;

	*n = 0;
	for (int i = 0; i < e->n_args; ++i, subscript = subscript->next) {
		if (expr_any(value[i], is_index))
			continue;
		without = subscript;
		++*n;
	}
	if (*n > 0 && *n < e->n_args)
		return refuse_mixed(c, e, without);
	if (*n > EXPR_MAX_ARGS)
		return refuse_many(c, e, s);
	subscript = e->args;
	for (int i = 0; i < *n; ++i, subscript = subscript->next)
		if (!check_subscript(c, subscript, value[i]))
			return false;
	return true;
}

bool refuse_place(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	if (report(c, e, E_KIND, e->at, "'%s' is a field: it has no value "
			"here", s->name))
		diag_advice(c->l->diags, c->in_boundary ? "a boundary reads "
			"inputs at the time and parameters alone, as in "
			"'f[%s]'" : "fields are read in statements only",
			c->l->time ? c->l->time->name : "0");
	return false;
}

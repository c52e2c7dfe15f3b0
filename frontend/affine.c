/* Affine expressions: sizes, bounds, conditions; and conditions that are not affine. */
#include "frontend/conditions.h"

static const char *reason(const struct expr *culprit)
{
	if (expr_is_read(culprit))
		return "it is read from a field";
	if (culprit->type != TYPE_INT)
		return "it is not an int";
	switch (culprit->kind) {
	case EXPR_BINARY:
		if (culprit->op == OP_MUL)
			return "neither factor is known at compile time";
		if (culprit->op == OP_DIV || culprit->op == OP_MOD)
			return "a quotient stands in conditions and sizes "
				"only, with a positive constant for a divisor";
		return "a condition is not a number here";
	default:
		return "only +, - and products with constants are";
	}
}

static const struct expr *refuse(struct context *c, struct ast_expr *e,
	const struct expr *culprit, const char *what)
{
	if (report(c, e, E_NOT_AFFINE, culprit->at,
			"'%s' is not affine in %s: %s", quote(c->l,
			culprit->at), what, reason(culprit)) &&
	    expr_is_read(culprit))
		diag_advice(c->l->diags, "choose between values with '?:', as "
			"in 'A[t+1][i] = c[i] > 0 ? x : y;'");
	return NULL;
}

static const struct expr *lower_sum(struct context *c, struct ast_expr *e,
	const char *what, bool quasi)
{
	struct context inner = *c;
	const struct expr *value, *culprit;

	inner.inlining = true;
	value = lower_expr(&inner, e);
	if (!value)
		return NULL;
	if (value->type != TYPE_INT) {
		report(c, e, E_TYPE, e->at, "%s must be an int; this is a %s",
			what, type_name(value->type));
		return NULL;
	}
	culprit = expr_not_affine(value, quasi);
	return culprit ? refuse(c, e, culprit, what) : value;
}

const struct expr *lower_affine(struct context *c, struct ast_expr *e,
	const char *what)
{
	return lower_sum(c, e, what, false);
}

const struct expr *lower_quasi_affine(struct context *c, struct ast_expr *e,
	const char *what)
{
	return lower_sum(c, e, what, true);
}

/* "e" as a tree of &&, || and ! over comparisons; a lone int means that it is
 * not 0, as in C.
 */
static const struct expr *normalise(struct context *c, struct ast_expr *ast,
	const struct expr *e)
{
	struct region *mem = c->l->mem;
	const struct expr *left, *right, *culprit = NULL;

	if (e->kind == EXPR_UNARY && e->op == OP_NOT) {
		left = normalise(c, ast, e->arg[0]);
		return left ? expr_unary(mem, OP_NOT, left, e->at) : NULL;
	}
	if (e->kind == EXPR_BINARY && (e->op == OP_AND || e->op == OP_OR)) {
		left = normalise(c, ast, e->arg[0]);
		right = left ? normalise(c, ast, e->arg[1]) : NULL;
		return right ? expr_binary(mem, e->op, left, right, e->at) :
			NULL;
	}
	if (e->kind != EXPR_BINARY || !op_is_comparison(e->op))
		e = expr_binary(mem, OP_NE, e, expr_int(mem, 0, e->at), e->at);
	for (int i = 0; i < 2 && !culprit; ++i)
		culprit = expr_not_affine(e->arg[i], true);
	return culprit ? refuse(c, ast, culprit, "this condition") : e;
}

/* "e" with lets replaced by their values. */
static const struct expr *lower_inlined(struct context *c, struct ast_expr *e)
{
	struct context inner = *c;

	inner.inlining = true;
	return lower_expr(&inner, e);
}

const struct expr *lower_condition(struct context *c, struct ast_expr *e)
{
	const struct expr *value = lower_inlined(c, e);

	return value ? normalise(c, e, value) : NULL;
}

/* Conditions on values -----------------------------------------------------*/

static const struct expr *both(struct lower *l, const struct expr *a,
	const struct expr *b)
{
	return a && b ? expr_binary(l->mem, OP_AND, a, b, b->at) : a ? a : b;
}

/* What stands for "e", or its negation, in "on". */
static const struct expr *negated(struct lower *l, const struct expr *e,
	bool fails)
{
	return fails ? expr_unary(l->mem, OP_NOT, e, e->at) : e;
}

static bool divide(struct context *c, struct ast_expr *e, bool fails,
	struct on *on);

/* A part that "on" does not divide further. */
static bool add_part(struct context *c, struct ast_expr *e, bool fails,
	struct on *on)
{
	const struct expr *part = lower_inlined(c, e);

	if (!part)
		return false;
	if (expr_is_condition(part)) {
		on->points = both(c->l, on->points, negated(c->l,
			normalise(c, e, part), fails));
		return true;
	}
	part = lower_expr(c, e);
	if (part)
		on->values = both(c->l, on->values, negated(c->l, part,
			fails));
	return part;
}

/* "e"; "on" gets what is true if "e" holds, or "fails". */
static bool divide(struct context *c, struct ast_expr *e, bool fails,
	struct on *on)
{
	if (e->kind == AST_UNARY && e->op == OP_NOT)
		return divide(c, e->args, !fails, on);
	if (e->kind == AST_BINARY && e->op == (fails ? OP_OR : OP_AND))
		return divide(c, e->args, fails, on) &&
			divide(c, e->args->next, fails, on);
	return add_part(c, e, fails, on);
}

bool lower_on(struct context *c, struct ast_expr *e, struct on *on)
{
	const struct expr *whole = lower_inlined(c, e);

	*on = (struct on) { NULL, NULL };
	if (!whole)
		return false;
	if (!expr_is_condition(whole))
		return divide(c, e, false, on);
	on->points = normalise(c, e, whole);
	return true;
}

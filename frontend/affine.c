/* Affine expressions: sizes, bounds, conditions, subscripts. */
#include "frontend/lower.h"

/* a += factor * b; false if that overflows. */
static bool add_linear(struct linear *a, const struct linear *b,
	int64_t factor)
{
	int64_t product;
	bool lost = false;

	for (int i = 0; i < IR_MAX_DIMS; ++i) {
		lost |= __builtin_mul_overflow(b->coefficient[i], factor,
			&product);
		lost |= __builtin_add_overflow(a->coefficient[i], product,
			&a->coefficient[i]);
	}
	lost |= __builtin_mul_overflow(b->time, factor, &product);
	lost |= __builtin_add_overflow(a->time, product, &a->time);
	lost |= __builtin_mul_overflow(b->constant, factor, &product);
	lost |= __builtin_add_overflow(a->constant, product, &a->constant);
	return !lost;
}

/* linear += factor * e */
static const struct expr *add_expr(const struct expr *e, int64_t factor,
	struct linear *linear)
{
	struct linear inner = { 0 };
	const struct expr *culprit = find_linear(e, &inner);

	if (culprit)
		return culprit;
	return add_linear(linear, &inner, factor) ? NULL : e;
}

static const struct expr *find_product(const struct expr *e,
	struct linear *linear)
{
	int64_t factor;

	if (expr_constant(e->arg[0], &factor))
		return add_expr(e->arg[1], factor, linear);
	if (expr_constant(e->arg[1], &factor))
		return add_expr(e->arg[0], factor, linear);
	return e;
}

static const struct expr *find_binary(const struct expr *e,
	struct linear *linear)
{
	const struct expr *culprit;

	if (e->op == OP_MUL)
		return find_product(e, linear);
	if (e->op != OP_ADD && e->op != OP_SUB)
		return e;
	culprit = add_expr(e->arg[0], 1, linear);
	return culprit ? culprit :
		add_expr(e->arg[1], e->op == OP_SUB ? -1 : 1, linear);
}

const struct expr *find_linear(const struct expr *e, struct linear *linear)
{
	*linear = (struct linear) { 0 };
	if (e->type != TYPE_INT)
		return e;
	if (expr_constant(e, &linear->constant))
		return NULL;
	switch (e->kind) {
	case EXPR_INDEX:
		linear->coefficient[e->dim] = 1;
		return NULL;
	case EXPR_TIME:
		linear->time = 1;
		return NULL;
	case EXPR_UNARY:
		return e->op == OP_NEG ? add_expr(e->arg[0], -1, linear) : e;
	case EXPR_BINARY:
		return find_binary(e, linear);
	default:
		return e;
	}
}

static const char *reason(const struct expr *culprit)
{
	if (culprit->kind == EXPR_READ)
		return "it is read from a field";
	if (culprit->type != TYPE_INT)
		return "it is not an int";
	switch (culprit->kind) {
	case EXPR_BINARY:
		if (culprit->op == OP_MUL)
			return "neither factor is known at compile time";
		if (culprit->op == OP_DIV || culprit->op == OP_MOD)
			return "a quotient stands in a condition only, with a "
				"positive constant for a divisor";
		return "a condition is no number here";
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
	    culprit->kind == EXPR_READ)
		diag_advice(c->l->diags, "choose between values with '?:', as "
			"in 'A[t+1][i] = c[i] > 0 ? x : y;'");
	return NULL;
}

const struct expr *lower_affine(struct context *c, struct ast_expr *e,
	const char *what)
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
	culprit = expr_not_affine(value, false);
	return culprit ? refuse(c, e, culprit, what) : value;
}

/* "e" as a tree of &&, || and ! over comparisons; an int alone means that it
 * is not 0, as in C.
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

const struct expr *lower_condition(struct context *c, struct ast_expr *e)
{
	struct context inner = *c;
	const struct expr *value;

	inner.inlining = true;
	value = lower_expr(&inner, e);
	return value ? normalise(c, e, value) : NULL;
}

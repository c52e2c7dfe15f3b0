/* Expressions: operators, types found, limits of what is expanded. */
#include "frontend/expr.h"

#include <inttypes.h>

bool report(struct context *c, struct ast_expr *e, enum diag_id id,
	struct span at, const char *fmt, ...)
{
	va_list args;
	char *message;
	struct text t = { 0 };

	if (e->reported)
		return false;
	e->reported = true;
	va_start(args, fmt);
	text_vprintf(&t, fmt, args);
	va_end(args);
	message = region_strndup(c->l->mem, t.bytes, t.length);
	text_free(&t);
	diag(c->l->diags, id, at, "%s", message);
	return true;
}

const struct expr *too_large(struct context *c, struct ast_expr *e,
	const char *what, int limit)
{
	if (!c->l->too_large && report(c, e, E_TOO_LARGE, e->at,
			"%s: the limit is %d", what, limit))
		diag_advice(c->l->diags,
			"split the statement, with 'let' or a temp");
	c->l->too_large = true;
	return NULL;
}

const struct expr *limited(struct context *c, struct ast_expr *e,
	const struct expr *value)
{
	if (value->nodes > LOWER_MAX_NODES)
		return too_large(c, e, "this expression has too many "
			"operands once it is expanded", LOWER_MAX_NODES);
	if (value->depth > LOWER_MAX_DEPTH)
		return too_large(c, e, "this expression is nested too deeply "
			"once it is expanded", LOWER_MAX_DEPTH);
	return value;
}

static bool fits_int(int64_t value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}

/* Refuse a constant beyond the range of an int, where C leaves the result
 * open.
 */
static const struct expr *check_overflow(struct context *c,
	struct ast_expr *e, const struct expr *value)
{
	int64_t number;

	if (!expr_constant(value, &number) || fits_int(number))
		return limited(c, e, value);
	report(c, e, E_OVERFLOW, e->at,
		"the value %" PRId64 " does not fit an int", number);
	return NULL;
}

static bool is_zero(const struct expr *e)
{
	int64_t value;

	return expr_constant(e, &value) && !value;
}

const struct expr *new_binary(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, const struct expr *b)
{
	bool ints = a->type == TYPE_INT && b->type == TYPE_INT;

	if (op == OP_MOD && !ints) {
		if (report(c, e, E_TYPE, e->at, "'%%' takes two ints, but "
				"here is a %s", type_name(type_common(
				a->type, b->type))))
			diag_advice(c->l->diags, "the remainder of reals is "
				"'x - y * floor(x / y)'");
		return NULL;
	}
	if ((op == OP_DIV || op == OP_MOD) && ints && is_zero(b)) {
		report(c, e, E_DIVISION, e->at, "this divides by zero");
		return NULL;
	}
	check_mixed(c, a, b);
	return check_overflow(c, e,
		expr_binary(c->l->mem, op, a, b, e->at));
}

/* Operators ----------------------------------------------------------------*/

static const struct expr *lower_binary(struct context *c, struct ast_expr *e)
{
	const struct expr *a = lower_expr(c, e->args);
	const struct expr *b = lower_expr(c, e->args->next);

	return a && b ? new_binary(c, e, e->op, a, b) : NULL;
}

static const struct expr *lower_unary(struct context *c, struct ast_expr *e)
{
	const struct expr *a = lower_expr(c, e->args);

	return a ? check_overflow(c, e,
		expr_unary(c->l->mem, e->op, a, e->at)) : NULL;
}

static const struct expr *lower_select(struct context *c, struct ast_expr *e)
{
	const struct expr *condition = lower_expr(c, e->args);
	const struct expr *a = lower_expr(c, e->args->next);
	const struct expr *b = lower_expr(c, e->args->next->next);

	if (!condition || !a || !b)
		return NULL;
	check_mixed(c, a, b);
	return limited(c, e,
		expr_select(c->l->mem, condition, a, b, e->at));
}

static const struct expr *lower_cast(struct context *c, struct ast_expr *e)
{
	const struct expr *a = lower_expr(c, e->args);

	return a ? limited(c, e, convert(c, e->type, a)) : NULL;
}

static const struct expr *lower_number(struct context *c,
	const struct ast_expr *e)
{
	struct expr *n = expr_leaf(c->l->mem, e->type == TYPE_INT ?
		EXPR_INT : EXPR_REAL, e->type, e->at);

	n->ivalue = e->ivalue;
	n->rvalue = e->rvalue;
	n->spelling = e->spelling;
	return n;
}

bool lower_int(struct context *c, struct ast_expr *e, const char *what,
	int64_t *value)
{
	struct context inner = *c;
	const struct expr *v;
	struct value number;

	inner.inlining = true;
	v = lower_expr(&inner, e);
	if (!v)
		return false;
	if (v->type != TYPE_INT) {
		report(c, e, E_TYPE, e->at, "%s must be an int; this is a %s",
			what, type_name(v->type));
		return false;
	}
	if (expr_constant(v, value))
		return true;
	if (!lower_value(c, e, TYPE_INT, what, &number))
		return false;
	*value = number.i;
	return true;
}

/* All ----------------------------------------------------------------------*/

static const struct expr *lower_kind(struct context *c, struct ast_expr *e)
{
	switch (e->kind) {
	case AST_NUMBER:
		return lower_number(c, e);
	case AST_NAME:
		return lower_name(c, e);
	case AST_ELEMENT:
		return lower_element(c, e);
	case AST_CALL:
		return lower_call(c, e);
	case AST_UNARY:
		return lower_unary(c, e);
	case AST_BINARY:
		return lower_binary(c, e);
	case AST_SELECT:
		return lower_select(c, e);
	case AST_CAST:
		return lower_cast(c, e);
	case AST_SUM:
		return lower_sum(c, e);
	default:
		return NULL;
	}
}

const struct expr *lower_expr(struct context *c, struct ast_expr *e)
{
	struct lower *l = c->l;
	const struct expr *value;

	if (l->too_large || diag_full(l->diags))
		return NULL;
	if (++l->steps > LOWER_MAX_STEPS)
		return too_large(c, e, "the program is too large once its "
			"definitions and sums are expanded", LOWER_MAX_STEPS);
	if (++l->depth > LOWER_MAX_DEPTH)
		too_large(c, e, "this expression is nested too deeply once "
			"it is expanded", LOWER_MAX_DEPTH);
	value = l->too_large ? NULL : lower_kind(c, e);
	--l->depth;
	return value;
}

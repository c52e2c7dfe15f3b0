/* Linear expressions: subscripts. */
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

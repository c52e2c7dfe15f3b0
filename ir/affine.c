/* Affine expressions, and conditions made of such. */
#include "ir/ir.h"

const struct expr *expr_not_affine(const struct expr *e, bool quasi)
{
	const struct expr *culprit = NULL;
	int64_t value;

	if (e->type != TYPE_INT)
		return e;
	if (expr_constant(e, &value))
		return NULL;
	switch (e->kind) {
	case EXPR_PARAM:
	case EXPR_INDEX:
	case EXPR_TIME:
	case EXPR_NUMBER:
		return NULL;
	case EXPR_LOCAL:
		return expr_not_affine(e->local->value, quasi);
	case EXPR_UNARY:
		return e->op == OP_NEG ? expr_not_affine(e->arg[0], quasi) : e;
	case EXPR_BINARY:
		break;
	default:
		return e;
	}
	if (e->op == OP_DIV || e->op == OP_MOD)
		return quasi && expr_constant(e->arg[1], &value) &&
			value > 0 ? expr_not_affine(e->arg[0], quasi) : e;
	if (e->op == OP_MUL && !expr_constant(e->arg[0], &value) &&
	    !expr_constant(e->arg[1], &value))
		return e;
	if (e->op != OP_MUL && e->op != OP_ADD && e->op != OP_SUB)
		return e;
	for (int i = 0; i < e->n_args && !culprit; ++i)
		culprit = expr_not_affine(e->arg[i], quasi);
	return culprit;
}

bool expr_is_condition(const struct expr *e)
{
	if (e->kind == EXPR_LOCAL)
		return expr_is_condition(e->local->value);
	if (e->kind == EXPR_UNARY && e->op == OP_NOT)
		return expr_is_condition(e->arg[0]);
	if (e->kind == EXPR_BINARY && (e->op == OP_AND || e->op == OP_OR))
		return expr_is_condition(e->arg[0]) &&
			expr_is_condition(e->arg[1]);
	if (e->kind == EXPR_BINARY && op_is_comparison(e->op))
		return !expr_not_affine(e->arg[0], true) &&
			!expr_not_affine(e->arg[1], true);
	return !expr_not_affine(e, true);
}

const struct expr *expr_param(struct region *r, const struct param *param,
	struct span at)
{
	struct expr *e = expr_leaf(r, EXPR_PARAM, param->type, at);

	e->param = param;
	return e;
}

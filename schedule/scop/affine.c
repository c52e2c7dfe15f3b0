#include "schedule/scop/sets.h"

static __isl_give isl_pw_aff *constant(__isl_keep isl_space *space,
	int64_t value)
{
	isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));
	isl_val *v = isl_val_int_from_si(isl_space_get_ctx(space), value);

	return isl_pw_aff_from_aff(isl_aff_val_on_domain(ls, v));
}

static __isl_give isl_pw_aff *parameter(__isl_keep isl_space *space,
	const struct param *param)
{
	isl_local_space *ls;
	int pos;

	if (param->fixed)
		return constant(space, param->ivalue);
	pos = isl_space_find_dim_by_name(space, isl_dim_param, param->name);
	ls = isl_local_space_from_space(isl_space_copy(space));
	return isl_pw_aff_var_on_domain(ls, isl_dim_param, pos);
}

static __isl_give isl_pw_aff *coordinate(__isl_keep isl_space *space, int pos)
{
	isl_local_space *ls = isl_local_space_from_space(isl_space_copy(space));

	return isl_pw_aff_var_on_domain(ls, isl_dim_set, pos);
}

/* The user's t is the normalised one plus "begin". */
static __isl_give isl_pw_aff *user_time(__isl_keep isl_space *space,
	const struct program *prog)
{
	return isl_pw_aff_add(coordinate(space, 0),
		affine_of_expr(space, prog, prog->begin));
}

static __isl_give isl_pw_aff *truth(__isl_keep isl_space *space,
	const struct program *prog, const struct expr *e)
{
	isl_set *set = set_of_condition(space, prog, e);

	return isl_set_indicator_function(set);
}

static __isl_give isl_pw_aff *binary(__isl_keep isl_space *space,
	const struct program *prog, const struct expr *e)
{
	isl_pw_aff *a = affine_of_expr(space, prog, e->arg[0]);
	isl_pw_aff *b = affine_of_expr(space, prog, e->arg[1]);

	switch (e->op) {
	case OP_ADD:
		return isl_pw_aff_add(a, b);
	case OP_SUB:
		return isl_pw_aff_sub(a, b);
	case OP_MUL:
		return isl_pw_aff_mul(a, b);
	case OP_DIV:
		return isl_pw_aff_tdiv_q(a, b);
	default:
		return isl_pw_aff_tdiv_r(a, b);
	}
}

__isl_give isl_pw_aff *affine_of_expr(__isl_keep isl_space *space,
	const struct program *prog, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_INT:
		return constant(space, e->ivalue);
	case EXPR_PARAM:
		return parameter(space, e->param);
	case EXPR_INDEX:
		return coordinate(space, 1 + e->dim);
	case EXPR_TIME:
		return user_time(space, prog);
	case EXPR_NUMBER:
		return coordinate(space, isl_space_dim(space, isl_dim_set) - 1);
	case EXPR_LOCAL:
		return affine_of_expr(space, prog, e->local->value);
	case EXPR_UNARY:
		if (e->op == OP_NEG)
			return isl_pw_aff_neg(
				affine_of_expr(space, prog, e->arg[0]));
		return truth(space, prog, e);
	case EXPR_BINARY:
		return op_is_comparison(e->op) ? truth(space, prog, e) :
			binary(space, prog, e);
	default:
		return NULL;
	}
}

static __isl_give isl_set *comparison(__isl_keep isl_space *space,
	const struct program *prog, const struct expr *e)
{
	isl_pw_aff *a = affine_of_expr(space, prog, e->arg[0]);
	isl_pw_aff *b = affine_of_expr(space, prog, e->arg[1]);

	switch (e->op) {
	case OP_LT:
		return isl_pw_aff_lt_set(a, b);
	case OP_LE:
		return isl_pw_aff_le_set(a, b);
	case OP_GT:
		return isl_pw_aff_gt_set(a, b);
	case OP_GE:
		return isl_pw_aff_ge_set(a, b);
	case OP_EQ:
		return isl_pw_aff_eq_set(a, b);
	default:
		return isl_pw_aff_ne_set(a, b);
	}
}

__isl_give isl_set *set_of_condition(__isl_keep isl_space *space,
	const struct program *prog, const struct expr *e)
{
	isl_set *set;

	if (e->kind == EXPR_LOCAL)
		return set_of_condition(space, prog, e->local->value);
	if (e->kind == EXPR_UNARY && e->op == OP_NOT)
		return isl_set_complement(
			set_of_condition(space, prog, e->arg[0]));
	if (e->kind == EXPR_BINARY && e->op == OP_AND) {
		set = set_of_condition(space, prog, e->arg[0]);
		return isl_set_intersect(set,
			set_of_condition(space, prog, e->arg[1]));
	}
	if (e->kind == EXPR_BINARY && e->op == OP_OR) {
		set = set_of_condition(space, prog, e->arg[0]);
		return isl_set_union(set,
			set_of_condition(space, prog, e->arg[1]));
	}
	if (e->kind == EXPR_BINARY && op_is_comparison(e->op))
		return comparison(space, prog, e);
	return isl_pw_aff_ne_set(affine_of_expr(space, prog, e),
		constant(space, 0));
}

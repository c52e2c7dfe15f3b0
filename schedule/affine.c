#include "schedule/strategies.h"

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
	case EXPR_LOCAL:
		return affine_of_expr(space, prog, e->local->value);
	case EXPR_UNARY:
		if (e->op == OP_NEG)
			return isl_pw_aff_neg(
				affine_of_expr(space, prog, e->arg[0]));
		return truth(space, prog, e);
	case EXPR_BINARY:
		if (op_info(e->op)->precedence >= 10)
			return binary(space, prog, e);
		return truth(space, prog, e);
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
	if (e->kind == EXPR_BINARY && op_info(e->op)->precedence < 10)
		return comparison(space, prog, e);
	return isl_pw_aff_ne_set(affine_of_expr(space, prog, e),
		constant(space, 0));
}

/* isl 0.25 may ask for a constraint that it has dropped: an error of its own,
 * after which it goes on.
 */
static __isl_give isl_set *coalesce_in_any_case(__isl_keep isl_set *set)
{
	isl_ctx *ctx = isl_set_get_ctx(set);
	bool failed_before = isl_ctx_last_error(ctx) != isl_error_none;
	isl_set *fewer = isl_set_coalesce(isl_set_copy(set));

	if (!failed_before && isl_ctx_last_error(ctx) == isl_error_invalid)
		isl_ctx_reset_error(ctx);
	return fewer;
}

/* "set" coalesced, or NULL if that makes another set of it. */
static __isl_give isl_set *coalesced(__isl_keep isl_set *set)
{
	isl_set *fewer = coalesce_in_any_case(set);

	if (isl_set_is_equal(fewer, set) == isl_bool_true)
		return fewer;
	isl_set_free(fewer);
	return NULL;
}

/* "set" in fewer pieces, if coalescing them, or pieces apart, keeps it. */
static __isl_give isl_set *in_fewer_pieces(__isl_take isl_set *set)
{
	isl_set *fewer = coalesced(set);

	if (!fewer) {
		set = isl_set_make_disjoint(set);
		fewer = coalesced(set);
	}
	if (!fewer)
		return set;
	isl_set_free(set);
	return fewer;
}

/* To compare sets of more pieces, with parities, may take minutes. */
enum { MOST_PIECES = 16 };

/* Each MOST_PIECES pieces of "set" in fewer. */
static __isl_give isl_set *in_fewer_by_parts(__isl_take isl_set *set)
{
	isl_basic_set_list *pieces = isl_set_get_basic_set_list(set);
	int n = (int) isl_basic_set_list_n_basic_set(pieces);
	isl_set *part = isl_set_empty(isl_set_get_space(set));
	isl_set *all = isl_set_copy(part), *none = isl_set_copy(part);

	for (int i = 0; i < n; i++) {
		part = isl_set_union(part, isl_set_from_basic_set(
			isl_basic_set_list_get_basic_set(pieces, i)));
		if ((i + 1) % MOST_PIECES != 0 && i + 1 < n)
			continue;
		all = isl_set_union(all, in_fewer_pieces(part));
		part = isl_set_copy(none);
	}
	isl_set_free(none);
	isl_set_free(part);
	isl_set_free(set);
	isl_basic_set_list_free(pieces);
	return all;
}

__isl_give isl_set *set_coalesce(__isl_take isl_set *set)
{
	if (isl_set_involves_locals(set) != isl_bool_true)
		return isl_set_coalesce(set);
	if (isl_set_n_basic_set(set) > MOST_PIECES)
		set = in_fewer_by_parts(set);
	return isl_set_n_basic_set(set) > MOST_PIECES ? set :
		in_fewer_pieces(set);
}

/* Iterations and cells as isl sets.  Parameters are the program's, by name;
 * iterations of a place are [round, v1, .., vn] with the variables of the loops
 * around it, from the outermost on.
 */
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/id.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>

/* Spaces -------------------------------------------------------------------*/

static int depth_of(const struct c_place *place)
{
	return place->loop ? place->loop->depth : 0;
}

__isl_give isl_space *place_space(struct stencil *s,
	const struct c_place *place)
{
	isl_space *space = isl_space_set_alloc(s->isl, 0,
		(unsigned) depth_of(place) + 1);

	for (const struct c_param *p = s->params; p; p = p->next) {
		unsigned n = (unsigned) isl_space_dim(space, isl_dim_param);

		if (!is_integer(p->decl->type))
			continue;
		space = isl_space_add_dims(space, isl_dim_param, 1);
		space = isl_space_set_dim_id(space, isl_dim_param, n,
			isl_id_alloc(s->isl, p->decl->name,
				(void *) p->decl));
	}
	return space;
}

/* Expressions --------------------------------------------------------------*/

/* The variable "d" of the iterations of "place"; NULL: it is not one of them. */
static __isl_give isl_aff *variable(struct stencil *s,
	const struct c_place *place, const struct c_decl *d)
{
	isl_space *space = place_space(s, place);
	isl_local_space *local = isl_local_space_from_space(
		isl_space_copy(space));
	const struct c_loop *loop = place->loop;
	isl_aff *aff = NULL;

	while (loop && loop->decl != d)
		loop = loop->outer;
	if (loop) {
		aff = isl_aff_var_on_domain(local, isl_dim_set,
			(unsigned) loop->depth);
	} else if (d == s->round) {
		aff = isl_aff_var_on_domain(local, isl_dim_set, 0);
	} else {
		int n = (int) isl_space_dim(space, isl_dim_param);

		for (int i = 0; i < n && !aff; i++) {
			isl_id *id = isl_space_get_dim_id(space,
				isl_dim_param, (unsigned) i);

			if (isl_id_get_user(id) == d)
				aff = isl_aff_var_on_domain(
					isl_local_space_copy(local),
					isl_dim_param, (unsigned) i);
			isl_id_free(id);
		}
		isl_local_space_free(local);
	}
	isl_space_free(space);
	return aff;
}

static __isl_give isl_aff *constant(struct stencil *s,
	const struct c_place *place, int64_t value)
{
	return isl_aff_val_on_domain(isl_local_space_from_space(
		place_space(s, place)), isl_val_int_from_si(s->isl, value));
}

__isl_give isl_aff *place_aff(struct stencil *s,
	const struct c_place *place, const struct poly *p)
{
	isl_aff *sum = constant(s, place, 0);

	for (int i = 0; i < p->n && sum; i++) {
		const struct poly_term *t = &p->term[i];
		isl_aff *term = t->degree > 1 ? NULL : t->degree == 0 ?
			constant(s, place, 1) :
			variable(s, place, t->symbol[0]);

		if (!term) {
			isl_aff_free(sum);
			return NULL;
		}
		term = isl_aff_scale_val(term,
			isl_val_int_from_si(s->isl, t->coefficient));
		sum = isl_aff_add(sum, term);
	}
	return sum;
}

__isl_give isl_pw_aff *place_poly(struct stencil *s,
	const struct c_place *place, const struct poly *p)
{
	isl_aff *aff = place_aff(s, place, p);

	return aff ? isl_pw_aff_from_aff(aff) : NULL;
}

static __isl_give isl_pw_aff *quasi_aff(struct stencil *s,
	const struct c_place *place, const struct c_expr *e);

/* x / n and x % n round towards 0, x & (n - 1) downwards, n = 2^k. */
static __isl_give isl_pw_aff *quotient_or_rest(struct stencil *s,
	const struct c_place *place, const struct c_expr *e)
{
	isl_pw_aff *left, *by;
	struct poly p;
	int64_t n;

	if (!poly_of(s, e->arg[1], &p) || !poly_is_constant(&p, &n))
		return NULL;
	if (e->op == OP_BIT_AND)
		n = n >= 0 && !(n & (n + 1)) ? n + 1 : 0;
	left = n > 0 ? quasi_aff(s, place, e->arg[0]) : NULL;
	if (!left)
		return NULL;
	if (e->op == OP_BIT_AND)
		return isl_pw_aff_mod_val(left, isl_val_int_from_si(s->isl, n));
	by = isl_pw_aff_from_aff(constant(s, place, n));
	return e->op == OP_DIV ? isl_pw_aff_tdiv_q(left, by) :
		isl_pw_aff_tdiv_r(left, by);
}

/* NULL if it is not quasi-affine. */
static __isl_give isl_pw_aff *quasi_aff(struct stencil *s,
	const struct c_place *place, const struct c_expr *e)
{
	isl_pw_aff *left, *right;
	struct poly p;

	if (poly_of(s, e, &p))
		return place_poly(s, place, &p);
	if (e->kind != CX_BINARY)
		return NULL;
	if (e->op == OP_DIV || e->op == OP_MOD || e->op == OP_BIT_AND)
		return quotient_or_rest(s, place, e);
	if (e->op != OP_ADD && e->op != OP_SUB)
		return NULL;
	left = quasi_aff(s, place, e->arg[0]);
	right = quasi_aff(s, place, e->arg[1]);
	if (!left || !right) {
		isl_pw_aff_free(left);
		isl_pw_aff_free(right);
		return NULL;
	}
	return e->op == OP_ADD ? isl_pw_aff_add(left, right) :
		isl_pw_aff_sub(left, right);
}

__isl_give isl_pw_aff *place_value(struct stencil *s,
	const struct c_place *place, const struct c_expr *e)
{
	return quasi_aff(s, place, e);
}

__isl_give isl_set *value_below(struct stencil *s,
	const struct c_place *place, const struct c_expr *e,
	const struct poly *bound)
{
	return isl_pw_aff_lt_set(quasi_aff(s, place, e), isl_pw_aff_from_aff(
		place_aff(s, place, bound)));
}

/* Conditions ---------------------------------------------------------------*/

static __isl_give isl_set *set_of_comparison(struct stencil *s,
	const struct c_place *place, const struct c_expr *e)
{
	isl_pw_aff *a = quasi_aff(s, place, e->arg[0]);
	isl_pw_aff *b = quasi_aff(s, place, e->arg[1]);

	if (!a || !b) {
		isl_pw_aff_free(a);
		isl_pw_aff_free(b);
		return NULL;
	}
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

__isl_give isl_set *place_condition(struct stencil *s,
	const struct c_place *place, const struct c_expr *e)
{
	isl_set *left, *right;
	isl_pw_aff *value;

	if (e->kind == CX_BINARY && c_op_compares(e->op))
		return set_of_comparison(s, place, e);
	if (e->kind == CX_UNARY && e->op == OP_NOT) {
		left = place_condition(s, place, e->arg[0]);
		return left ? isl_set_complement(left) : NULL;
	}
	if (e->kind == CX_BINARY && (e->op == OP_AND || e->op == OP_OR)) {
		left = place_condition(s, place, e->arg[0]);
		right = place_condition(s, place, e->arg[1]);
		if (!left || !right) {
			isl_set_free(left);
			isl_set_free(right);
			return NULL;
		}
		return e->op == OP_AND ? isl_set_intersect(left, right) :
			isl_set_union(left, right);
	}
	value = quasi_aff(s, place, e);
	return value ? isl_set_complement(isl_pw_aff_zero_set(value)) : NULL;
}

/* Iterations ---------------------------------------------------------------*/

/* begin <= v < end, and v on its stride */
static __isl_give isl_set *range(struct stencil *s,
	const struct c_place *place, const struct c_loop *loop)
{
	isl_aff *v = variable(s, place, loop->decl);
	isl_aff *begin = place_aff(s, place, &loop->begin);
	isl_aff *end = place_aff(s, place, &loop->end);
	isl_set *set, *on;
	isl_aff *from;

	set = isl_set_intersect(isl_aff_ge_set(isl_aff_copy(v),
			isl_aff_copy(begin)),
		isl_aff_lt_set(isl_aff_copy(v), isl_aff_copy(end)));
	if (loop->step > 1) {
		from = loop->down ? isl_aff_sub(isl_aff_add_constant_si(
			isl_aff_copy(end), -1), isl_aff_copy(v)) :
			isl_aff_sub(isl_aff_copy(v), isl_aff_copy(begin));
		on = isl_aff_eq_set(isl_aff_mod_val(from,
			isl_val_int_from_si(s->isl, loop->step)),
			constant(s, place, 0));
		set = isl_set_intersect(set, on);
	}
	isl_aff_free(v);
	isl_aff_free(begin);
	isl_aff_free(end);
	return set;
}

__isl_give isl_set *place_rounds(struct stencil *s,
	const struct c_place *place)
{
	struct poly now;
	isl_aff *time, *end;
	isl_set *set;

	if (!time_value(s, place->phase, &now))
		return NULL;
	time = place_aff(s, place, &now);
	end = place_aff(s, place, &s->time_range.end);
	set = isl_aff_lt_set(isl_aff_copy(time), end);
	if (s->round == s->time)
		return isl_set_intersect(set, isl_aff_ge_set(time,
			place_aff(s, place, &s->time_range.begin)));
	if (s->of_step) {
		set = isl_set_intersect(set, isl_aff_ge_set(time,
			place_aff(s, place, &s->time_range.begin)));
		return isl_set_fix_si(set, isl_dim_set, 0, 0);
	}
	isl_aff_free(time);
	return isl_set_lower_bound_si(set, isl_dim_set, 0, 0);
}

static __isl_give isl_set *loop_domain(struct stencil *s,
	const struct c_place *place)
{
	isl_set *set = isl_set_universe(place_space(s, place));

	for (const struct c_loop *l = place->loop; l; l = l->outer)
		set = isl_set_intersect(set, range(s, place, l));
	return set;
}

__isl_give isl_set *place_of_any_call(struct stencil *s,
	const struct c_place *place)
{
	isl_set *set = loop_domain(s, place);
	const struct c_condition *c;

	for (c = place->condition; c; c = c->outer) {
		isl_set *holds = place_condition(s, place, c->expr);

		set = c->negated ? isl_set_subtract(set, holds) :
			isl_set_intersect(set, holds);
	}
	return set;
}

__isl_give isl_set *place_any_round(struct stencil *s,
	const struct c_place *place)
{
	isl_set *set = place_of_any_call(s, place);

	return !s->leaves.assumed ? set : isl_set_intersect_params(set,
		isl_set_copy(s->leaves.assumed));
}

__isl_give isl_set *place_domain(struct stencil *s,
	const struct c_place *place)
{
	return isl_set_intersect(place_rounds(s, place),
		place_any_round(s, place));
}

__isl_give isl_set *within_loops(__isl_take isl_set *set,
	const struct c_place *place)
{
	int more = depth_of(place) + 1 - (int) isl_set_dim(set, isl_dim_set);

	return isl_set_add_dims(set, isl_dim_set, (unsigned) more);
}

/* Checks -------------------------------------------------------------------*/

/* "set" for the values that unsigned parameters can have. */
static __isl_give isl_set *with_unsigned(struct stencil *s,
	__isl_take isl_set *set)
{
	int at = 0;

	for (const struct c_param *p = s->params; p; p = p->next) {
		if (!is_integer(p->decl->type))
			continue;
		if (is_unsigned(p->decl->type))
			set = isl_set_lower_bound_si(set, isl_dim_param,
				(unsigned) at, 0);
		at++;
	}
	return set;
}

bool is_never_negative(struct stencil *s, const struct c_place *place,
	const struct c_expr *e)
{
	isl_pw_aff *value = quasi_aff(s, place, e);
	isl_set *domain, *fits;
	bool never;

	if (!value)
		return false;
	domain = with_unsigned(s, loop_domain(s, place));
	for (const struct c_condition *c = place->condition; c; c = c->outer) {
		isl_set *holds = place_condition(s, place, c->expr);

		if (holds)
			domain = c->negated ? isl_set_subtract(domain, holds) :
				isl_set_intersect(domain, holds);
	}
	fits = isl_pw_aff_nonneg_set(value);
	never = isl_set_is_subset(domain, fits) == isl_bool_true;
	isl_set_free(domain);
	isl_set_free(fits);
	return never;
}

bool is_affine_condition(struct stencil *s, const struct c_place *place,
	const struct c_expr *e)
{
	isl_set *set = place_condition(s, place, e);
	bool affine = set;

	isl_set_free(set);
	return affine;
}

static bool is_affine(struct stencil *s, const struct c_place *place,
	const struct poly *p)
{
	isl_aff *aff = place_aff(s, place, p);
	bool affine = aff;

	isl_aff_free(aff);
	return affine;
}

bool is_affine_access(struct stencil *s, const struct c_access *a)
{
	for (int d = 0; d < a->n_subs; d++)
		if (!is_affine(s, &a->place, &a->sub[d]))
			return false;
	return is_affine_place(s, &a->place);
}

bool is_affine_place(struct stencil *s, const struct c_place *place)
{
	const struct c_condition *c;

	for (const struct c_loop *l = place->loop; l; l = l->outer)
		if (!is_affine(s, place, &l->begin) ||
		    !is_affine(s, place, &l->end))
			return false;
	for (c = place->condition; c; c = c->outer)
		if (!is_affine_condition(s, place, c->expr))
			return false;
	return true;
}

static bool check_loop(struct stencil *s, const struct c_place *place,
	const struct c_loop *loop)
{
	return (is_affine(s, place, &loop->begin) &&
		is_affine(s, place, &loop->end)) ||
		refuse(s, E_NOT_AFFINE, loop->at, "the bounds of this loop "
			"are not sums of variables with constant factors");
}

static bool check_place(struct stencil *s, const struct c_place *place)
{
	const struct c_condition *c;
	const struct c_loop *loop;

	if (!check_loop(s, place, &s->time_range))
		return false;
	for (loop = place->loop; loop; loop = loop->outer)
		if (!check_loop(s, place, loop))
			return false;
	for (c = place->condition; c; c = c->outer) {
		isl_set *set = place_condition(s, place, c->expr);

		if (!set) {
			refuse(s, E_NOT_AFFINE, c->expr->at, "the condition "
				"'%s' depends on more than the loop variables "
				"and sums of parameters",
				c_quote(s, c->expr->at));
			diag_advice(s->diags, "choose between values with "
				"'?:' instead of 'if'");
			return false;
		}
		isl_set_free(set);
	}
	return true;
}

static bool check_affine_access(void *user, struct c_access *a)
{
	struct stencil *s = user;

	if (!check_place(s, &a->place))
		return false;
	for (int d = 0; d < a->n_subs; d++)
		if (!is_affine(s, &a->place, &a->sub[d]))
			return refuse(s, E_SUBSCRIPT, a->sub_at[d], "the "
				"subscript '%s' is not affine: it is not a "
				"sum of loop variables with constant factors",
				c_quote(s, a->sub_at[d]));
	return true;
}

bool check_affine(struct stencil *s)
{
	for (const struct c_update *u = s->updates; u; u = u->next)
		if (!check_affine_access(s, u->write) ||
		    !update_reads(u, check_affine_access, s))
			return false;
	return true;
}

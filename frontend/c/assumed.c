/* What the emitted file asks for and the program may then assume: sizes that are not small, and layers and
 * sources that lie in the grid.
 */
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

/* Sums ---------------------------------------------------------------------*/

/* The parameter of dimension "i" of "aff". */
static const struct c_decl *param_of(__isl_keep isl_aff *aff, int i)
{
	isl_space *space = isl_aff_get_domain_space(aff);
	isl_id *id = isl_space_get_dim_id(space, isl_dim_param, (unsigned) i);
	const struct c_decl *d = isl_id_get_user(id);

	isl_id_free(id);
	isl_space_free(space);
	return d;
}

static bool small_value(__isl_take isl_val *v, int64_t *value)
{
	bool done = isl_val_is_int(v) == isl_bool_true;

	*value = done ? isl_val_get_num_si(v) : 0;
	isl_val_free(v);
	return done;
}

/* Is "sum" not negative in any call that has steps, or can the emitted file ask? */
static bool is_not_negative(struct stencil *s, __isl_keep isl_aff *sum)
{
	const struct c_place in_step = { .phase = 0 };
	isl_set *holds = isl_set_params(isl_pw_aff_nonneg_set(
		isl_pw_aff_from_aff(isl_aff_copy(sum))));
	isl_set *steps = isl_set_params(place_domain(s, &in_step));
	bool always = isl_set_is_subset(steps, holds) == isl_bool_true;

	isl_set_free(steps);
	if (!always)
		return ask_for_rows(s, holds);
	isl_set_free(holds);
	return true;
}

void note_floor(struct stencil *s, const struct c_decl *d)
{
	note_param(s, d);
	for (struct c_param *p = s->params; p; p = p->next)
		p->is_floor |= p->decl == d;
}

/* The parameter for a quotient: of (steps + 2) / 3 elements, say, every third step has one. */
static const struct c_decl *param_of_div(struct stencil *s,
	__isl_keep isl_aff *aff, int i)
{
	isl_aff *div = isl_aff_get_div(aff, i);
	isl_val *by = isl_aff_get_denominator_val(div);
	const struct c_decl *param = NULL;
	struct poly sum;
	int64_t n;

	div = isl_aff_scale_val(div, isl_val_copy(by));
	if (small_value(by, &n) && poly_of_aff(s, div, &sum) &&
	    is_not_negative(s, div)) {
		const struct poly divisor = poly_constant(n);
		struct span at = s->time_loop->at;

		param = quotient_param(s, c_binary(s->mem, OP_DIV, C_INT,
			expr_of_poly(s, &sum, at),
			expr_of_poly(s, &divisor, at), at));
	}
	isl_aff_free(div);
	return param;
}

/* Add the quotients of "aff" to "p". */
static bool add_quotients(struct stencil *s, __isl_keep isl_aff *aff,
	struct poly *p)
{
	int n = (int) isl_aff_dim(aff, isl_dim_div);

	for (int i = 0; i < n; i++) {
		const struct c_decl *param;
		struct poly symbol;
		int64_t c;

		if (!small_value(isl_aff_get_coefficient_val(aff, isl_dim_div,
				i), &c))
			return false;
		if (!c)
			continue;
		param = param_of_div(s, aff, i);
		if (!param)
			return false;
		note_floor(s, param);
		symbol = poly_symbol(param);
		if (!poly_add(p, &symbol, c))
			return false;
	}
	return true;
}

bool poly_of_aff(struct stencil *s, __isl_keep isl_aff *aff,
	struct poly *p)
{
	int n = (int) isl_aff_dim(aff, isl_dim_param);
	int64_t c;

	if (!small_value(isl_aff_get_constant_val(aff), &c))
		return false;
	*p = poly_constant(c);
	if (!add_quotients(s, aff, p))
		return false;
	for (int i = 0; i < n; i++) {
		struct poly symbol;

		if (!small_value(isl_aff_get_coefficient_val(aff,
				isl_dim_param, i), &c))
			return false;
		if (!c)
			continue;
		symbol = poly_symbol(param_of(aff, i));
		if (!poly_add(p, &symbol, c))
			return false;
	}
	return true;
}

/* Small values -------------------------------------------------------------*/

/* From here on let all sets know "params", which has been asked for. */
static void assume_params(struct stencil *s, __isl_take isl_set *params)
{
	if (s->leaves.assumed)
		params = isl_set_intersect(params, isl_set_copy(
			s->leaves.assumed));
	s->leaves.assumed = set_kept(s, params);
}

enum { LARGEST_EXCEPTION = 64 };

/* The greatest value of parameter "i" in "set", { params }; LARGEST_EXCEPTION + 1: none, or more. */
static int greatest(__isl_keep isl_set *set, unsigned i)
{
	isl_set *values = isl_set_move_dims(isl_set_from_params(
		isl_set_copy(set)), isl_dim_set, 0, isl_dim_param, i, 1);
	isl_aff *of;
	isl_val *v;
	int most = LARGEST_EXCEPTION + 1;

	values = isl_set_project_out(values, isl_dim_param, 0,
		(unsigned) isl_set_dim(values, isl_dim_param));
	of = isl_aff_var_on_domain(isl_local_space_from_space(
		isl_set_get_space(values)), isl_dim_set, 0);
	v = isl_set_max_val(values, of);
	if (isl_val_is_int(v) == isl_bool_true &&
	    isl_val_cmp_si(v, LARGEST_EXCEPTION) <= 0 &&
	    isl_val_cmp_si(v, -LARGEST_EXCEPTION) >= 0)
		most = (int) isl_val_get_num_si(v);
	isl_val_free(v);
	isl_aff_free(of);
	isl_set_free(values);
	return most;
}

enum { MAX_BOUNDED = 32 };

struct beyond {
	struct stencil *s;
	isl_set *set;			/* { params }, each from .. */
	int least[MAX_BOUNDED];		/* .. this on; 0: any */
};

/* Does a loop begin at parameter "i" of "set", so that larger ones are no larger grid? */
static bool begins_loop(const struct stencil *s, __isl_keep isl_set *set, unsigned i)
{
	isl_id *id = isl_set_get_dim_id(set, isl_dim_param, i);
	const struct c_decl *d = isl_id_get_user(id);
	bool begins = false;

	isl_id_free(id);
	for (const struct c_update *u = s->updates; u && !begins; u = u->next)
		for (const struct c_loop *l = u->place.loop; l; l = l->outer)
			begins |= poly_uses(&l->begin, d);
	return begins;
}

/* Let a parameter be greater than in "part", rather the size of a grid than where it begins. */
static isl_stat add_beyond(__isl_take isl_basic_set *part, void *user)
{
	struct beyond *b = user;
	isl_set *set = isl_set_from_basic_set(part);
	int n = (int) isl_set_dim(set, isl_dim_param), at = -1, most = -1;
	bool begins = true;

	for (int i = 0; i < n && i < MAX_BOUNDED && begins; i++) {
		const int own = greatest(set, (unsigned) i);

		if (own < 0 || own > LARGEST_EXCEPTION)
			continue;
		begins = begins_loop(b->s, set, (unsigned) i);
		if (at >= 0 && begins)
			continue;
		at = i;
		most = own;
	}
	isl_set_free(set);
	if (at < 0)
		return isl_stat_error;
	b->least[at] = larger(b->least[at], most + 1);
	b->set = isl_set_lower_bound_si(b->set, isl_dim_param, (unsigned) at,
		most + 1);
	return isl_stat_ok;
}

/* Note the bounds for the parameters. */
static void note_least(struct stencil *s, const struct beyond *b)
{
	unsigned n = (unsigned) isl_set_dim(b->set, isl_dim_param);

	for (unsigned i = 0; i < n; i++) {
		isl_id *id = isl_set_get_dim_id(b->set, isl_dim_param, i);

		for (struct c_param *p = s->params; p; p = p->next)
			if (p->decl == isl_id_get_user(id) &&
			    p->least < b->least[i])
				p->least = b->least[i];
		isl_id_free(id);
	}
}

static isl_stat add_small(__isl_take isl_basic_set *part, void *user)
{
	isl_set *set = isl_set_from_basic_set(part), **small = user;
	const int n = (int) isl_set_dim(set, isl_dim_param);
	bool is_small = false;

	for (int i = 0; i < n && !is_small; i++) {
		const int most = greatest(set, (unsigned) i);

		is_small = most >= 0 && most <= LARGEST_EXCEPTION;
	}
	if (is_small)
		*small = isl_set_union(*small, set);
	else
		isl_set_free(set);
	return isl_stat_ok;
}

__isl_give isl_set *small_sizes(__isl_take isl_set *params)
{
	isl_set *small = isl_set_empty(isl_set_get_space(params));

	isl_set_foreach_basic_set(params, add_small, &small);
	isl_set_free(params);
	return small;
}

bool assume_beyond(struct stencil *s, __isl_take isl_set *params)
{
	struct beyond b = { s, isl_set_universe(isl_set_get_space(params)),
		{ 0 } };
	bool done;

	params = isl_set_coalesce(params);
	done = isl_set_foreach_basic_set(params, add_beyond, &b) ==
		isl_stat_ok && ask_for_rows(s, isl_set_copy(b.set));
	isl_set_free(params);
	if (!done) {
		isl_set_free(b.set);
		return false;
	}
	note_least(s, &b);
	assume_params(s, b.set);
	return true;
}

/* Inequalities -------------------------------------------------------------*/

static isl_stat add_assumption(__isl_take isl_constraint *c, void *user)
{
	struct stencil *s = user;
	struct c_assumed *own = region_new_of(s->mem, struct c_assumed);
	isl_aff *sum = isl_constraint_get_aff(c);

	own->is_equal = isl_constraint_is_equality(c) == isl_bool_true;
	if (poly_of_aff(s, sum, &own->sum)) {
		own->next = s->leaves.sums;
		s->leaves.sums = own;
	}
	isl_aff_free(sum);
	isl_constraint_free(c);
	return isl_stat_ok;
}

/* A few inequalities that hold in "params", instead of it, if they are the same where cells are "used". */
static __isl_give isl_set *simpler(__isl_take isl_set *params,
	__isl_keep isl_set *used)
{
	isl_set *hull = isl_set_from_basic_set(isl_set_simple_hull(
		isl_set_copy(params)));
	isl_set *more = isl_set_subtract(isl_set_intersect(isl_set_copy(used),
		isl_set_copy(hull)), isl_set_copy(params));
	isl_set *better = isl_set_is_empty(more) == isl_bool_true ? hull :
		params;

	isl_set_free(better == hull ? params : hull);
	isl_set_free(more);
	return better;
}

bool ask_and_assume(struct stencil *s, __isl_take isl_set *params,
	__isl_take isl_set *used)
{
	isl_basic_set *simple;

	params = simpler(params, used);
	simple = isl_basic_set_gist(isl_set_simple_hull(isl_set_copy(params)),
		isl_set_simple_hull(used));
	if (!ask_for_rows(s, params)) {
		isl_basic_set_free(simple);
		return false;
	}
	isl_basic_set_foreach_constraint(simple, add_assumption, s);
	assume_params(s, isl_set_from_basic_set(simple));
	return true;
}

/* What the emitted file asks for and the program may then assume: sizes that are not small, and layers and
 * sources that lie in the grid.
 */
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/id.h>
#include <isl/ilp.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>

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
	isl_set *set;			/* { params }, each from .. */
	int least[MAX_BOUNDED];		/* .. this on; 0: any */
};

/* Let a parameter be greater than in "part". */
static isl_stat add_beyond(__isl_take isl_basic_set *part, void *user)
{
	struct beyond *b = user;
	isl_set *set = isl_set_from_basic_set(part);
	unsigned n = (unsigned) isl_set_dim(set, isl_dim_param), i = 0;
	int most = -1;

	for (; i < n && i < MAX_BOUNDED; i++) {
		most = greatest(set, i);
		if (most >= 0 && most <= LARGEST_EXCEPTION)
			break;
	}
	isl_set_free(set);
	if (i >= n || i >= MAX_BOUNDED)
		return isl_stat_error;
	if (b->least[i] <= most)
		b->least[i] = most + 1;
	b->set = isl_set_lower_bound_si(b->set, isl_dim_param, i, most + 1);
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

bool assume_beyond(struct stencil *s, __isl_take isl_set *params)
{
	struct beyond b = { isl_set_universe(isl_set_get_space(params)),
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

/* The place where the code is: what comes to it, and what does not. */
#include "verify/code/code.h"

static bool is_nowhere(const struct code *w, __isl_keep isl_set *at,
	__isl_keep isl_set *set)
{
	isl_set *common = isl_set_intersect(isl_set_intersect(
		isl_set_copy(set), isl_set_copy(at)), isl_set_copy(w->ranges));
	bool none = isl_set_is_empty(common) == isl_bool_true;

	isl_set_free(common);
	return none;
}

/* A hull of many pieces takes minutes; the set serves as well. */
static __isl_give isl_set *hull_of(__isl_keep isl_set *at)
{
	enum { MOST_PIECES = 32 };

	return isl_set_n_basic_set(at) > MOST_PIECES ? isl_set_copy(at) :
		isl_set_from_basic_set(isl_set_simple_hull(isl_set_copy(at)));
}

__isl_keep isl_set *around_place(struct code *w)
{
	if (w->hull_of != w->at) {
		w->hull_of = keep_in_checker(w->c, isl_set_copy(w->at));
		w->hull = keep_in_checker(w->c, hull_of(w->at));
	}
	return w->hull;
}

struct place_of_code narrow_place(struct code *w, __isl_take isl_set *set)
{
	isl_set *hull = isl_set_intersect(isl_set_copy(around_place(w)),
		isl_set_copy(set));
	struct place_of_code before = { w->at, w->hull_of, w->hull };

	w->at = isl_set_intersect(isl_set_copy(w->at), set);
	w->hull_of = keep_in_checker(w->c, isl_set_copy(w->at));
	w->hull = keep_in_checker(w->c, hull);
	return before;
}

void widen_place(struct code *w, struct place_of_code before)
{
	isl_set_free(w->at);
	w->at = before.at;
	w->hull_of = before.hull_of;
	w->hull = before.hull;
}

bool comes_to_none(struct code *w, __isl_take isl_set *set)
{
	bool none = is_nowhere(w, around_place(w), set) ||
		is_nowhere(w, w->at, set);

	w->c->n_sets += none;
	isl_set_free(set);
	return none;
}

bool is_full_at(struct code *w, const struct kx *const *at,
	__isl_take isl_set *holds)
{
	isl_set *full = adopt(w->c, w->plan->full), *other;
	isl_map *place = isl_map_from_domain(isl_set_universe(isl_set_get_space(
		holds)));
	bool is = true;

	for (int i = 0; is && i <= w->plan->n_dims; i++) {
		isl_pw_aff *x = number_of(w, at[i]);

		is = x;
		place = isl_map_flat_range_product(place, x ?
			isl_map_from_pw_aff(x) : NULL);
	}
	full = is ? isl_set_apply(isl_set_reset_tuple_id(full),
		isl_map_reverse(place)) : (isl_map_free(place),
		isl_set_free(full));
	holds = isl_set_intersect(isl_set_intersect(holds, isl_set_copy(w->at)),
		isl_set_copy(w->ranges));
	other = isl_set_subtract(holds, full);
	is = is && isl_set_is_empty(other) == isl_bool_true;
	isl_set_free(other);
	w->c->n_sets += is;
	return is || refute(w->c, "the code takes a tile for full that the "
		"plan does not");
}

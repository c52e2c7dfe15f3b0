#include "schedule/scop/sets.h"

/* isl 0.25 may ask for a constraint that it has dropped: that is its own error,
 * and it continues.
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

/* "set" coalesced, or NULL if that changes the set. */
static __isl_give isl_set *coalesced(__isl_keep isl_set *set)
{
	isl_set *fewer = coalesce_in_any_case(set);

	if (isl_set_is_equal(fewer, set) == isl_bool_true)
		return fewer;
	isl_set_free(fewer);
	return NULL;
}

/* "set" in fewer pieces, if coalescing them, or disjoint pieces, keeps it
 * equal.
 */
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

/* Comparing sets of more pieces, with parities, may take minutes. */
enum { MOST_PIECES = 16 };

/* Coalesce every MOST_PIECES pieces of "set". */
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
	/* isl 0.25 may crash where it has no formula for an integer that exists. */
	set = isl_set_compute_divs(set);
	if (isl_set_n_basic_set(set) > MOST_PIECES)
		set = in_fewer_by_parts(set);
	return isl_set_n_basic_set(set) > MOST_PIECES ? set :
		in_fewer_pieces(set);
}

bool set_has_points(__isl_take isl_set *set)
{
	bool has = isl_set_is_empty(set) == isl_bool_false;

	isl_set_free(set);
	return has;
}

__isl_give isl_set *set_between(__isl_take isl_set *set, int pos, int low,
	int high)
{
	set = isl_set_lower_bound_si(set, isl_dim_set, (unsigned) pos, low);
	return isl_set_upper_bound_si(set, isl_dim_set, (unsigned) pos, high);
}

bool set_edge(__isl_keep isl_set *set, int pos, bool last, int64_t *edge)
{
	isl_val *v = last ? isl_set_dim_max_val(isl_set_copy(set), pos) :
		isl_set_dim_min_val(isl_set_copy(set), pos);
	bool is_int = v && isl_val_is_int(v) == isl_bool_true;

	if (is_int)
		*edge = isl_val_get_num_si(v);
	isl_val_free(v);
	return is_int;
}

bool set_edges(__isl_keep isl_set *set, int pos, int64_t *low, int64_t *high)
{
	return set_edge(set, pos, false, low) && set_edge(set, pos, true, high);
}

__isl_give isl_set *shift_dim(__isl_take isl_set *set, int pos, int by)
{
	isl_ctx *ctx = isl_set_get_ctx(set);
	isl_space *space = isl_space_set_alloc(ctx, 0,
		isl_set_dim(set, isl_dim_set));
	isl_multi_aff *ma = isl_multi_aff_identity(
		isl_space_map_from_set(space));
	isl_aff *x = isl_multi_aff_get_aff(ma, pos);

	ma = isl_multi_aff_set_aff(ma, pos, isl_aff_add_constant_si(x, by));
	return isl_set_apply(set, isl_map_from_multi_aff(ma));
}

__isl_give isl_set *set_below(__isl_take isl_pw_aff *at,
	__isl_take isl_pw_aff *bound)
{
	isl_set *set = isl_pw_aff_nonneg_set(isl_pw_aff_copy(at));

	return isl_set_intersect(set, isl_pw_aff_lt_set(at, bound));
}

__isl_give isl_set *set_within(__isl_keep isl_space *space, int pos,
	__isl_take isl_pw_aff *bound)
{
	return set_below(isl_pw_aff_var_on_domain(isl_local_space_from_space(
		isl_space_copy(space)), isl_dim_set, (unsigned) pos), bound);
}

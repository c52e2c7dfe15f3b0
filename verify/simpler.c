/* The same sets, in simpler form. */
#include "verify/checker.h"

__isl_give isl_set *fewer_pieces(__isl_take isl_set *set)
{
	return isl_set_involves_locals(set) == isl_bool_true ? set :
		isl_set_coalesce(set);
}

static isl_stat add_simplified(__isl_take isl_basic_set *piece, void *user)
{
	isl_set **sum = user;
	isl_basic_map *by_locals = isl_basic_set_unwrap(isl_basic_set_lift(
		piece));

	*sum = isl_set_union(*sum, isl_set_from_basic_set(
		isl_basic_map_domain(by_locals)));
	return isl_stat_ok;
}

/* isl keeps a remainder of a remainder, and its dividend, as projections leave them; once it
 * forgets how they are defined, it sees that fewer suffice.
 */
__isl_give isl_set *with_fewer_locals(__isl_take isl_set *set)
{
	isl_set *sum;

	if (isl_set_involves_locals(set) != isl_bool_true)
		return set;
	sum = isl_set_empty(isl_set_get_space(set));
	isl_set_foreach_basic_set(set, add_simplified, &sum);
	isl_set_free(set);
	return sum;
}

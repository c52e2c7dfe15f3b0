/* No two threads, or iterations of one, store the same cell: at each place the cell determines
 * which threads and iterations store it, and so it does for two places together, which store
 * different cells.
 */
#include "verify/code/code.h"

/* { [variables] -> cell } from { cell }, whose parameters behind the program's
 * are variables; undistinguished ones are left out.
 */
static __isl_give isl_map *by_variables(struct code *w,
	__isl_keep isl_set *cells)
{
	unsigned first = (unsigned) w->c->n_params;
	unsigned n = (unsigned) isl_set_dim(cells, isl_dim_param) - first;
	isl_map *map = isl_map_move_dims(isl_map_from_range(isl_set_copy(
		cells)), isl_dim_in, 0, isl_dim_param, first, n);

	while (n-- > 0)
		if (isl_map_involves_dims(map, isl_dim_in, n, 1) ==
		    isl_bool_false)
			map = isl_map_project_out(map, isl_dim_in, n, 1);
	return map;
}

/* Does each cell come from one value of the variables only?  A simple set around all of them
 * nearly always shows it.
 */
static bool are_of_one(struct code *w, __isl_keep isl_set *cells)
{
	isl_map *map = by_variables(w, cells);
	isl_map *around = isl_map_from_basic_map(isl_map_simple_hull(
		isl_map_copy(map)));
	bool one = isl_map_is_injective(around) == isl_bool_true ||
		isl_map_is_injective(map) == isl_bool_true;

	isl_map_free(around);
	isl_map_free(map);
	return one;
}

/* "cells" without the variables that "others" lacks. */
static __isl_give isl_set *with_common(struct code *w,
	__isl_take isl_set *cells, __isl_keep isl_set *others)
{
	for (int i = isl_set_dim(cells, isl_dim_param); i > w->c->n_params;
	     i--)
		if (isl_set_find_dim_by_name(others, isl_dim_param,
		    isl_set_get_dim_name(cells, isl_dim_param,
			(unsigned) i - 1)) < 0)
			cells = isl_set_project_out(cells, isl_dim_param,
				(unsigned) i - 1, 1);
	return cells;
}

static bool are_apart(struct code *w, __isl_keep isl_set *a,
	__isl_keep isl_set *b)
{
	isl_set *both = isl_set_union(isl_set_copy(a), isl_set_copy(b));
	bool apart = are_of_one(w, both) &&
		isl_set_is_disjoint(a, b) == isl_bool_true;

	isl_set_free(both);
	return apart;
}

bool are_stored_once(struct code *w, const struct field *f,
	struct stored *s, __isl_keep isl_set *here)
{
	isl_set *common;
	bool once = are_of_one(w, here);

	if (!s->before) {
		s->before = isl_set_copy(here);
	} else if (once) {
		common = with_common(w, isl_set_copy(here), s->before);
		s->before = with_common(w, s->before, common);
		once = are_apart(w, s->before, common);
		s->before = isl_set_union(s->before, common);
	}
	w->c->n_sets += once;
	return once || refute(w->c, "the code may store a cell of '%s' twice "
		"in a pass", f->name);
}

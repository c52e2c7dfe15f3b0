/* No two threads, or iterations of one, store the same cell: at each place the cell determines
 * which threads and iterations store it, and so it does for two places together, which store
 * different cells.
 */
#include "verify/code/code.h"

#include <isl/constraint.h>

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

/* The dimensions of a map that its constraints tie together, for given sizes: the same "group".
 */
struct ties {
	int n_in, n;
	int *group;
};

static bool is_in(__isl_keep isl_constraint *c, const struct ties *t, int i)
{
	return isl_constraint_involves_dims(c, i < t->n_in ? isl_dim_in :
		isl_dim_out, (unsigned) (i < t->n_in ? i : i - t->n_in), 1) ==
		isl_bool_true;
}

static isl_stat tie(__isl_take isl_constraint *c, void *user)
{
	struct ties *t = user;
	int first = -1;

	for (int i = 0; i < t->n; i++) {
		int other = t->group[i];

		if (!is_in(c, t, i))
			continue;
		if (first < 0)
			first = other;
		for (int j = 0; j < t->n; j++)
			if (t->group[j] == other)
				t->group[j] = first;
	}
	isl_constraint_free(c);
	return isl_stat_ok;
}

static struct ties ties_of(struct code *w, __isl_keep isl_basic_map *map)
{
	int n_in = isl_basic_map_dim(map, isl_dim_in);
	int n = n_in + isl_basic_map_dim(map, isl_dim_out);
	struct ties t = { n_in, n, region_array(w->c->mem, int, n) };

	for (int i = 0; i < n; i++)
		t.group[i] = i;
	isl_basic_map_foreach_constraint(map, tie, &t);
	return t;
}

/* What "map" says of the dimensions of "group", and of no others. */
static __isl_give isl_basic_map *only(__isl_keep isl_basic_map *map,
	const struct ties *t, int group)
{
	isl_basic_map *part = isl_basic_map_copy(map);

	for (int i = t->n - 1; i >= 0; i--) {
		enum isl_dim_type type = i < t->n_in ? isl_dim_in : isl_dim_out;
		unsigned pos = (unsigned) (i < t->n_in ? i : i - t->n_in);

		if (t->group[i] == group)
			continue;
		part = isl_basic_map_drop_constraints_involving_dims(part,
			type, pos, 1);
		part = isl_basic_map_project_out(part, type, pos, 1);
	}
	return part;
}

static bool is_first_of_group(const struct ties *t, int i)
{
	for (int j = 0; j < i; j++)
		if (t->group[j] == t->group[i])
			return false;
	return true;
}

/* Is "map" injective?  It is if it is in each group of dimensions.  NULL, after too many
 * operations, is not.
 */
static bool is_injective_by_groups(struct code *w,
	__isl_take isl_basic_map *map)
{
	struct ties t = map ? ties_of(w, map) : (struct ties) { 0 };
	bool one = map != NULL;

	for (int i = 0; one && i < t.n_in; i++) {
		isl_map *part;

		if (!is_first_of_group(&t, i))
			continue;
		part = isl_map_from_basic_map(only(map, &t, t.group[i]));
		one = isl_map_is_injective(part) == isl_bool_true;
		isl_map_free(part);
	}
	isl_basic_map_free(map);
	return one;
}

/* A simple map around "map", of few pieces: remainders make most of them. */
static __isl_give isl_basic_map *map_around(__isl_keep isl_map *map)
{
	return isl_map_simple_hull(isl_map_coalesce(isl_map_remove_divs(
		isl_map_copy(map))));
}

/* Does each cell come from one value of the variables only?  A simple map around all of them
 * nearly always shows it.
 */
static bool are_of_one(struct code *w, __isl_keep isl_set *cells)
{
	isl_map *map = by_variables(w, cells);
	bool one = is_injective_by_groups(w, map_around(map)) ||
		isl_map_is_injective(map) == isl_bool_true;

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

/* Threads do not matter where the cells are others. */
bool are_stored_once(struct code *w, const struct field *f,
	struct stored *s, __isl_keep isl_set *here, __isl_keep isl_set *cells)
{
	isl_set *common;
	bool once = are_of_one(w, here);

	if (!s->before) {
		s->before = isl_set_copy(here);
	} else if (once) {
		common = with_common(w, isl_set_copy(here), s->before);
		s->before = with_common(w, s->before, common);
		once = isl_set_is_disjoint(s->cells, cells) == isl_bool_true ||
			are_apart(w, s->before, common);
		s->before = isl_set_union(s->before, common);
	}
	w->c->n_sets += once;
	return once || refute(w->c, "the code may store a cell of '%s' twice "
		"in a pass", f->name);
}

/* Lists of points: the series that they write. */
#include "schedule/scop/lists.h"
#include "schedule/scop/sets.h"

/* { [t, number] : a step, a point of the list } */
static __isl_give isl_set *points_in_time(const struct scop *scop,
	__isl_keep isl_space *space, const struct list *list)
{
	isl_set *points = scop_time_range(scop, space);
	isl_pw_aff *number = isl_pw_aff_var_on_domain(
		isl_local_space_from_space(isl_space_copy(space)), isl_dim_set,
		1);

	points = isl_set_intersect(points, isl_pw_aff_ge_set(isl_pw_aff_copy(
		number), affine_of_expr(space, scop->prog, list->begin)));
	return isl_set_intersect(points, isl_pw_aff_lt_set(number,
		affine_of_expr(space, scop->prog, list->end)));
}

/* { [t, number] -> [subscripts] } of the series */
static __isl_give isl_map *elements_written(const struct scop *scop,
	const struct listed *l)
{
	isl_space *space = isl_space_add_dims(isl_space_set_from_params(
		scop_param_space(scop)), isl_dim_set, 2);
	isl_map *map = isl_map_from_domain(points_in_time(scop, space,
		l->list));

	for (int d = 0; d < l->series->n_dims; d++)
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(
			affine_of_expr(space, scop->prog, l->subscript[d])));
	isl_space_free(space);
	return map;
}

/* The order of two points of one step in different tiles is undefined. */
static bool is_apart(const struct scop *scop, const struct listed *l)
{
	isl_map *writes = elements_written(scop, l);
	isl_map *written = isl_map_reverse(isl_map_copy(writes));
	isl_map *alike = isl_map_apply_range(writes, written);
	isl_map *one = isl_map_universe(isl_map_get_space(alike));
	bool apart;

	one = isl_map_equate(one, isl_dim_in, 1, isl_dim_out, 1);
	alike = isl_map_intersect_params(alike, isl_set_copy(scop->context));
	apart = isl_map_is_subset(alike, one) == isl_bool_true;
	isl_map_free(alike);
	isl_map_free(one);
	return apart;
}

/* The order of two steps at a point is undefined, too, where no values pass from one to the
 * other.
 */
static bool check_record(const struct scop *scop, struct diags *d,
	const struct stmt *s, const struct listed *l)
{
	if (scop_records_once(scop, s, l))
		return true;
	diag(d, E_RECORD, l->at, "two steps or points write one element of "
		"'%s'", l->series->name);
	diag_advice(d, "write each element in one step, as 'on (%s %% 10 == 0)' "
		"does for the subscript '%s/10'; an index that is no "
		"subscript has one value, as in 'on (%s == 3)'",
		scop->prog->time_name, scop->prog->time_name, s->iterator[0]);
	return false;
}

/* Does a statement before number "i", or a record of it before number "j", write what this one
 * does?  What both list is one record, each of other points.
 */
static bool check_others(const struct scop *scop, struct diags *d, int i, int j)
{
	const struct stmt *const *all = (const struct stmt *const *)
		scop->prog->stmt;
	const struct listed *l = all[i]->listed[j], *other;

	for (int k = 0; k <= i; k++)
		for (int n = 0; n < (k < i ? all[k]->n_listed : j); n++) {
			other = all[k]->listed[n];
			if (other->list || other == l ||
			    other->series != l->series ||
			    scop_records_are_apart(scop, all[i], l, all[k],
				other))
				continue;
			diag(d, E_RECORD, l->at, "two statements write one "
				"element of '%s'", l->series->name);
			diag_note(d, other->at, "the other one is here");
			diag_advice(d, "divide the steps or points with "
				"'on (..)', or give each an output of its "
				"own");
			return false;
		}
	return true;
}

bool scop_series_are_apart(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->prog->n_stmts; i++)
		for (int j = 0; j < scop->prog->stmt[i]->n_listed; j++) {
			const struct listed *l = scop->prog->stmt[i]->listed[j];

			if (!l->list && (!check_record(scop, d,
				scop->prog->stmt[i], l) ||
			    !check_others(scop, d, i, j)))
				return false;
			if (!l->list || !l->series || is_apart(scop, l))
				continue;
			diag(d, E_LIST, l->at, "two points of the list write "
				"one element of '%s'", l->series->name);
			diag_advice(d, "make the number of the point, '%s', one "
				"of the subscripts", l->list->index);
			return false;
		}
	return true;
}

/* { [t, x] } of the points at which "s" stands, whether it has what it reads there or not. */
static __isl_give isl_set *points_of(const struct scop *scop,
	const struct stmt *s)
{
	return isl_set_reset_tuple_id(scop_points(scop, s));
}

/* { [t, x] : what the program says of the points of "s" holds }, reads aside */
static __isl_give isl_set *points_meant(const struct scop *scop,
	const struct stmt *s)
{
	struct stmt meant = *s;

	meant.n_conditions -= meant.n_ends;
	return points_of(scop, &meant);
}

/* { [t, x] : the conditions of "l", which "s" lists, hold } */
static __isl_give isl_set *points_recorded(const struct scop *scop,
	const struct stmt *s, const struct listed *l)
{
	struct stmt all = *s;

	all.n_conditions = l->n_conditions;
	all.condition = l->condition;
	return points_of(scop, &all);
}

/* Is there a point of which conditions exclude that a statement computes what "l" records? */
static bool records_excluded(const struct scop *scop, const struct stmt *s,
	const struct listed *l)
{
	isl_set *left = isl_set_intersect_params(points_recorded(scop, s, l),
		scop_valid_sizes(scop));
	bool some;

	for (int i = 0; i < scop->prog->n_stmts; i++)
		if (stmt_lists(scop->prog->stmt[i], l))
			left = isl_set_subtract(left, points_meant(scop,
				scop->prog->stmt[i]));
	some = isl_set_is_empty(left) == isl_bool_false;
	isl_set_free(left);
	return some;
}

bool scop_records_are_computed(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		for (int j = 0; j < s->n_listed; j++) {
			const struct listed *l = s->listed[j];

			if (l->list || !s->n_conditions ||
			    program_lists_later(scop->prog, i, l) ||
			    !records_excluded(scop, s, l))
				continue;
			diag(d, E_RECORD, l->at, "'%s' records what is computed "
				"under conditions", l->series->whole ?
				l->series->whole->name : l->series->name);
			diag_advice(d, "record the points that statements "
				"compute, under the conditions that they have; "
				"or compute all of them");
			return false;
		}
	}
	return true;
}

/* Where the points of a list are ------------------------------------------- */

static bool follows(const struct list *list, const struct stmt *s)
{
	for (int i = 0; i < s->n_listed; i++)
		if (s->listed[i]->list == list)
			return true;
	return false;
}

int scop_writers_of_list(const struct scop *scop, const struct list *list)
{
	int n = 0;

	for (int i = 0; i < scop->prog->n_stmts; i++)
		n += follows(list, scop->prog->stmt[i]);
	return n;
}

__isl_give isl_set *scop_points_of_list(const struct scop *scop,
	const struct list *list)
{
	isl_set *all = NULL;

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];
		isl_set *own;

		if (s->is_copy || !follows(list, s->stmt))
			continue;
		own = isl_set_reset_tuple_id(isl_set_copy(s->domain));
		all = all ? isl_set_union(all, own) : own;
	}
	return set_coalesce(all);
}

/* { [t, x] : t is a step, x a cell of the grid of "list" } */
static __isl_give isl_set *cells_in_time(const struct scop *scop,
	const struct list *list)
{
	struct stmt all = { 0 };

	for (int i = 0; i < scop->prog->n_stmts; i++)
		if (follows(list, scop->prog->stmt[i]))
			all = *scop->prog->stmt[i];
	all.n_conditions = 0;
	return points_of(scop, &all);
}

/* "set" of [t, x] for any parameter "of" of segments. */
static __isl_give isl_set *whatever(__isl_take isl_set *set,
	const struct param *of)
{
	int at = isl_set_find_dim_by_name(set, isl_dim_param, of->name);

	return at < 0 ? set : isl_set_eliminate(set, isl_dim_param,
		(unsigned) at, 1);
}

/* { [t, x] : x is in "set", of [t, x], in a step of the program, of any segment } */
static __isl_give isl_set *in_any_step(const struct scop *scop,
	__isl_take isl_set *set)
{
	const struct segments *segments = scop->prog->segments;

	set = isl_set_eliminate(isl_set_intersect_params(set, isl_set_copy(
		scop->context)), isl_dim_set, 0, 1);
	return segments ? whatever(whatever(set, segments->first),
		segments->end) : set;
}

__isl_give isl_set *scop_places_of_list(const struct scop *scop,
	const struct list *list)
{
	isl_set *points = scop_points_of_list(scop, list), *cells, *wrong;

	if (list->is_of_block)
		return set_coalesce(in_any_step(scop, points));
	cells = cells_in_time(scop, list);
	wrong = in_any_step(scop, isl_set_subtract(isl_set_copy(cells),
		points));
	cells = in_any_step(scop, cells);
	return set_coalesce(isl_set_subtract(cells, wrong));
}

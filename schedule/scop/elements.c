/* Elements of inputs, read at the time and parameters, with or without indices, at points of
 * lists or where all points are recorded: for which parameters would a step read beyond the
 * input, or write beyond a series?
 */
#include "schedule/scop/sets.h"

struct misses {
	const struct scop *scop;
	isl_space *space;	/* S[t, x]; for listed things S[t, x, number] */
	isl_set *params;	/* parameters for which some instance misses */
	isl_set *all;		/* parameters for which all miss a cell, or NULL
				 * .. */
	struct miss miss;	/* .. this one */
};

/* { S[t, x] : at < 0 or at >= size } */
static __isl_give isl_set *beyond(const struct misses *m,
	const struct expr *at, const struct expr *size)
{
	isl_pw_aff *a = affine_of_expr(m->space, m->scop->prog, at);
	isl_pw_aff *n = affine_of_expr(m->space, m->scop->prog, size);

	return isl_set_complement(set_below(a, n));
}

/* The "points" touch the cell subscript[0], subscript[1], .. of miss.field. */
static void add_misses(struct misses *m, struct miss miss,
	const struct expr *const *subscript, __isl_keep isl_set *points)
{
	isl_set *own = isl_set_empty(isl_set_get_space(m->params));

	for (int i = 0; i < miss.field->n_dims; i++)
		own = isl_set_union(own, isl_set_params(isl_set_intersect(
			isl_set_copy(points), beyond(m, subscript[i],
				miss.field->size[i]))));
	if (m->all && isl_set_is_subset(m->all, own) == isl_bool_true)
		m->miss = miss;
	m->params = isl_set_union(m->params, own);
}

/* The instances in "points" compute "e". */
static void find_misses(struct misses *m, const struct expr *e,
	__isl_take isl_set *points)
{
	bool decides = expr_decides(e) && expr_is_condition(e->arg[0]);
	isl_set *holds = decides ? set_of_condition(m->space, m->scop->prog,
		e->arg[0]) : NULL;

	if (e->kind == EXPR_ELEMENT)
		add_misses(m, (struct miss) { e->field, e->at }, e->arg, points);
	for (int i = decides; i < e->n_args; i++) {
		isl_set *some = isl_set_copy(points);

		if (decides)
			some = expr_wants(e, i) ? isl_set_intersect(some,
				isl_set_copy(holds)) : isl_set_subtract(some,
				isl_set_copy(holds));
		find_misses(m, e->arg[i], some);
	}
	isl_set_free(holds);
	isl_set_free(points);
}

/* { params : a step, whether it computes a point or not, misses the element "e", which has no
 * index }
 */
static __isl_give isl_set *missed_by_steps(const struct scop *scop,
	const struct expr *e)
{
	struct misses m = { .scop = scop };
	isl_set *steps;

	m.space = isl_space_add_dims(isl_space_set_from_params(
		scop_param_space(scop)), isl_dim_set, 1);
	m.params = isl_set_empty(scop_param_space(scop));
	steps = scop_time_range(scop, m.space);
	add_misses(&m, (struct miss) { e->field, e->at }, e->arg, steps);
	isl_set_free(steps);
	isl_space_free(m.space);
	return m.params;
}

bool scop_has_element(const struct scop *scop, const struct expr *e)
{
	isl_set *missed;
	bool always;

	if (expr_any(e, expr_is_index))
		return false;
	missed = missed_by_steps(scop, e);
	always = isl_set_is_disjoint(missed, scop->context) == isl_bool_true;
	isl_set_free(missed);
	return always;
}

bool scop_misses_unseen(const struct scop *scop, const struct expr *e)
{
	isl_set *unseen = isl_set_intersect(missed_by_steps(scop, e),
		scop_valid_sizes(scop));

	return set_has_points(isl_set_subtract(unseen,
		isl_set_copy(scop->misses)));
}

/* { S[t, y] : a step of "points", y beyond the grid of "f" in dimension "d" }, with y as the
 * boundary's value uses it: in the grid along others if "is_near".
 */
static __isl_give isl_set *cells_beyond(const struct misses *m,
	__isl_keep isl_set *points, const struct field *f, int d, bool is_near)
{
	unsigned n = isl_set_dim(points, isl_dim_set);
	isl_set *cells = isl_set_project_out(isl_set_copy(points), isl_dim_set,
		1, n - 1);
	isl_space *space;

	cells = isl_set_add_dims(cells, isl_dim_set, (unsigned) f->n_dims);
	space = isl_set_get_space(cells);
	for (int e = 0; is_near && e < f->n_dims; e++)
		if (e != d)
			cells = isl_set_intersect(cells, set_within(space,
				1 + (unsigned) e, affine_of_expr(space,
					m->scop->prog, f->size[e])));
	isl_space_free(space);
	return cells;
}

/* "points" read a cell beyond a grid in dimension "d", where "b" is the boundary. */
static void find_misses_beyond(struct misses *m, const struct field *f, int d,
	const struct boundary *b, __isl_keep isl_set *points)
{
	isl_space *space = m->space;
	isl_set *cells;

	if (!b->value)
		return;
	cells = cells_beyond(m, points, f, d, boundary_reads_at_index(b));
	m->space = isl_set_get_space(cells);
	find_misses(m, b->value, cells);
	isl_space_free(m->space);
	m->space = space;
}

static void find_misses_of(struct misses *m, const struct stmt *s)
{
	isl_set *points = scop_points(m->scop, s);

	for (int i = 0; i < s->n_elements; i++)
		points = set_inside(m->scop, points, s->element[i], false);
	m->space = isl_set_get_space(points);
	for (const struct local *l = s->locals; l; l = l->next)
		find_misses(m, l->value, isl_set_copy(points));
	for (int i = 0; i < s->n_reads; i++) {
		const struct field *f = s->read[i]->field;

		for (int d = 0; d < f->n_dims; d++)
			for (int side = 0; side < SIDES; side++)
				find_misses_beyond(m, f, d,
					&f->boundary[d][side], points);
	}
	find_misses(m, s->value, points);
	isl_space_free(m->space);
}

/* { S[t, x, number] : a step, a point of the grid, a number of the list } */
static __isl_give isl_set *listed_points(struct misses *m,
	const struct list *list)
{
	const struct scop *scop = m->scop;
	int n = list->grid->n_dims;
	isl_set *points = scop_time_range(scop, m->space);
	isl_pw_aff *at = isl_pw_aff_var_on_domain(isl_local_space_from_space(
		isl_space_copy(m->space)), isl_dim_set, (unsigned) n + 1);
	isl_pw_aff *begin = affine_of_expr(m->space, scop->prog, list->begin);
	isl_pw_aff *end = affine_of_expr(m->space, scop->prog, list->end);

	points = isl_set_intersect(points, isl_pw_aff_ge_set(
		isl_pw_aff_copy(at), begin));
	points = isl_set_intersect(points, isl_pw_aff_lt_set(at, end));
	for (int d = 0; d < n; d++)
		points = isl_set_intersect(points, set_within(m->space, 1 + d,
			affine_of_expr(m->space, scop->prog,
				list->grid->size[d])));
	return points;
}

/* Those that "s" computes: what is done there reads inputs at the point.  Between cells there is none. */
static __isl_give isl_set *computed_points(struct misses *m,
	const struct stmt *s, const struct list *list,
	__isl_take isl_set *points)
{
	isl_set *own;

	if (list->is_between)
		return points;
	own = isl_set_add_dims(isl_set_reset_tuple_id(scop_points_inside(m->scop,
		s)), isl_dim_set, 1);
	return isl_set_intersect(points, isl_set_set_tuple_id(own,
		isl_set_get_tuple_id(points)));
}

/* { S[t, x] : what "s" computes there is recorded } */
static __isl_give isl_set *recorded_points(const struct scop *scop,
	const struct stmt *s, const struct listed *l)
{
	isl_set *points = scop_points_inside(scop, s);
	isl_space *space = isl_set_get_space(points);

	for (int i = 0; i < l->n_conditions; i++)
		points = isl_set_intersect(points, set_of_condition(space,
			scop->prog, l->condition[i]));
	isl_space_free(space);
	return points;
}

static void find_misses_recorded(struct misses *m, const struct stmt *s,
	const struct listed *l)
{
	isl_set *points = recorded_points(m->scop, s, l);

	m->space = isl_set_get_space(points);
	add_misses(m, (struct miss) { l->series, l->at }, l->subscript, points);
	find_misses(m, l->value, points);
	isl_space_free(m->space);
}

/* { S[t, x] -> [subscripts] } of the elements that "l" records of "s" */
static __isl_give isl_map *recorded_elements(const struct scop *scop,
	const struct stmt *s, const struct listed *l)
{
	isl_set *points = recorded_points(scop, s, l);
	isl_space *space = isl_set_get_space(points);
	isl_map *writes = isl_map_from_domain(isl_set_intersect_params(points,
		isl_set_copy(scop->context)));

	for (int d = 0; d < l->series->n_dims; d++)
		writes = isl_map_flat_range_product(writes,
			isl_map_from_pw_aff(affine_of_expr(space, scop->prog,
				l->subscript[d])));
	isl_space_free(space);
	return writes;
}

bool scop_records_once(const struct scop *scop, const struct stmt *s,
	const struct listed *l)
{
	isl_map *writes = recorded_elements(scop, s, l);
	bool once = isl_map_is_injective(writes) == isl_bool_true;

	isl_map_free(writes);
	return once;
}

bool scop_records_are_apart(const struct scop *scop, const struct stmt *s,
	const struct listed *l, const struct stmt *other,
	const struct listed *of_other)
{
	isl_set *a = isl_map_range(recorded_elements(scop, s, l));
	isl_set *b = isl_map_range(recorded_elements(scop, other, of_other));
	bool apart = isl_set_is_disjoint(a, b) == isl_bool_true;

	isl_set_free(a);
	isl_set_free(b);
	return apart;
}

static void find_misses_listed(struct misses *m, const struct stmt *s,
	const struct listed *l)
{
	isl_set *points;

	if (!l->list) {
		find_misses_recorded(m, s, l);
		return;
	}
	m->space = scop_tuple_space(m->scop, s->name, s->n_dims + 2);
	points = listed_points(m, l->list);
	for (int d = 0; d < l->list->grid->n_dims; d++)
		find_misses(m, l->list->place[d], isl_set_copy(points));
	if (l->series)
		add_misses(m, (struct miss) { l->series, l->at }, l->subscript,
			points);
	find_misses(m, l->value, computed_points(m, s, l->list, points));
	isl_space_free(m->space);
}

static void find_all_misses(struct misses *m)
{
	const struct program *prog = m->scop->prog;

	m->params = isl_set_empty(scop_param_space(m->scop));
	for (int i = 0; i < prog->n_stmts; i++)
		if (stmt_reads_elements(prog->stmt[i]))
			find_misses_of(m, prog->stmt[i]);
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_listed; j++)
			find_misses_listed(m, prog->stmt[i],
				prog->stmt[i]->listed[j]);
}

struct miss scop_miss_of_all(const struct scop *scop, __isl_keep isl_set *all)
{
	struct misses m = { .scop = scop, .all = all };

	find_all_misses(&m);
	isl_set_free(m.params);
	return m.miss;
}

__isl_give isl_set *scop_misses(const struct scop *scop)
{
	struct misses m = { .scop = scop };
	isl_set *valid;

	if (scop->prog->is_within)
		return isl_set_empty(scop_param_space(scop));
	valid = scop_valid_sizes(scop);
	/* Parameters that other checks refuse stay in, which keeps the set simple, unless there
	 * are no others.
	 */
	find_all_misses(&m);
	if (isl_set_is_disjoint(m.params, valid) == isl_bool_true)
		m.params = isl_set_intersect(m.params, isl_set_copy(valid));
	isl_set_free(valid);
	return set_coalesce(m.params);
}

bool scop_may_miss(const struct scop *scop)
{
	return isl_set_is_empty(scop->misses) != isl_bool_true;
}

/* Elements of inputs, read at the time and parameters, with or without indices, or at points of
 * lists: the context excludes sizes for which an instance would read beyond the input, or write
 * beyond a series.
 */
#include "verify/checker.h"

struct misses {
	struct checker *c;
	isl_space *space;	/* [t, x]; for listed things [t, x, number] */
	isl_set *sizes;		/* sizes for which some instance misses */
};

/* { [t, x] : 0 <= at < size } */
static __isl_give isl_set *within(const struct misses *m,
	__isl_take isl_pw_aff *at, const struct expr *size)
{
	isl_set *within = isl_pw_aff_nonneg_set(isl_pw_aff_copy(at));

	return isl_set_intersect(within, isl_pw_aff_lt_set(at, value_of(m->c,
		m->space, size)));
}

/* The instances in "points" touch f[subscript[0]][subscript[1]].. */
static void add_misses(struct misses *m, const struct field *f,
	const struct expr *const *subscript, __isl_keep isl_set *points)
{
	for (int i = 0; i < f->n_dims; i++)
		m->sizes = isl_set_union(m->sizes, isl_set_params(
			isl_set_subtract(isl_set_copy(points), within(m,
				value_of(m->c, m->space, subscript[i]),
				f->size[i]))));
}

/* The instances in "points" compute "e". */
static void find_misses(struct misses *m, const struct expr *e,
	__isl_take isl_set *points)
{
	bool decides = expr_decides(e) && expr_is_condition(e->arg[0]);
	isl_set *holds = decides ? where(m->c, m->space, e->arg[0]) : NULL;

	if (e->kind == EXPR_ELEMENT)
		add_misses(m, e->field, e->arg, points);
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

/* At the steps of "points", for any cell beyond the grid of "f" in dimension "d", they read
 * what "b" gives there.  Inputs are read at indices in the grid only.
 */
static void find_misses_beyond(struct misses *m, const struct field *f, int d,
	const struct boundary *b, __isl_keep isl_set *points)
{
	isl_space *space = m->space;
	isl_set *cells;

	if (!b->value)
		return;
	m->space = space_of_dims(m->c, 1 + f->n_dims);
	cells = isl_set_add_dims(isl_set_project_out(isl_set_copy(points),
		isl_dim_set, 1, isl_space_dim(space, isl_dim_set) - 1),
		isl_dim_set, f->n_dims);
	for (int e = 0; e < f->n_dims && boundary_reads_at_index(b); e++)
		if (e != d)
			cells = isl_set_intersect(cells, within(m,
				coordinate(m->space, 1 + e), f->size[e]));
	find_misses(m, b->value, cells);
	isl_space_free(m->space);
	m->space = space;
}

/* { [t, x] in "points" : all "n" conditions hold } */
static __isl_give isl_set *where_all(struct checker *c,
	__isl_keep isl_space *space, __isl_take isl_set *points,
	const struct expr *const *condition, int n)
{
	for (int i = 0; i < n; i++)
		points = isl_set_intersect(points, where(c, space,
			condition[i]));
	return points;
}

static void find_misses_of(struct misses *m, const struct stmt *s)
{
	isl_set *points;

	m->space = space_of_dims(m->c, 1 + s->n_dims);
	points = grid_points(m->c, m->space, s);
	points = where_all(m->c, m->space, points, s->condition,
		s->n_conditions);
	for (int i = 0; i < s->n_elements; i++)
		points = isl_set_intersect(points, element_inside(m->c,
			m->space, s->element[i]));
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

/* { [t, x] : what "s" computes there is recorded } */
static __isl_give isl_set *recorded(struct checker *c,
	__isl_keep isl_space *space, const struct stmt *s,
	const struct listed *l)
{
	isl_set *points = where_all(c, space, points_inside(c, s, true),
		s->condition, s->n_conditions);

	return where_all(c, space, points, l->condition, l->n_conditions);
}

static void find_misses_recorded(struct misses *m, const struct stmt *s,
	const struct listed *l)
{
	isl_set *points;

	m->space = space_of_dims(m->c, 1 + s->n_dims);
	points = recorded(m->c, m->space, s, l);
	add_misses(m, l->series, l->subscript, points);
	find_misses(m, l->value, points);
	isl_space_free(m->space);
}

/* { [t, x, number] : "s" computes x in step t } */
static __isl_give isl_set *of_any_number(const struct misses *m,
	const struct stmt *s)
{
	return isl_set_add_dims(points_inside(m->c, s, true), isl_dim_set, 1);
}

static void find_misses_listed(struct misses *m, const struct stmt *s,
	const struct listed *l)
{
	isl_pw_aff *number, *begin, *end;
	isl_set *points;

	if (!l->list) {
		find_misses_recorded(m, s, l);
		return;
	}
	m->space = space_of_dims(m->c, 2 + s->n_dims);
	number = coordinate(m->space, 1 + s->n_dims);
	begin = value_of(m->c, m->space, l->list->begin);
	end = value_of(m->c, m->space, l->list->end);
	points = isl_set_intersect(grid_points(m->c, m->space, s),
		isl_pw_aff_lt_set(isl_pw_aff_copy(number), end));
	points = isl_set_intersect(points, isl_pw_aff_le_set(begin, number));
	for (int d = 0; d < s->n_dims; d++)
		find_misses(m, l->list->place[d], isl_set_copy(points));
	if (l->series)
		add_misses(m, l->series, l->subscript, points);
	find_misses(m, l->value, l->list->is_between ? points :
		isl_set_intersect(points, of_any_number(m, s)));
	isl_space_free(m->space);
}

/* The caller of a block has checked the whole grid, which contains the block's instances: their
 * reads lie within inputs.  What they record is not checked here.
 */
__isl_give isl_set *without_misses(struct checker *c,
	__isl_take isl_set *sizes)
{
	struct misses m = { .c = c, .sizes = isl_set_params(
		isl_set_empty(space_of_dims(c, 0))) };

	for (int i = 0; i < c->prog->n_stmts; i++)
		if (stmt_reads_elements(c->prog->stmt[i]))
			find_misses_of(&m, c->prog->stmt[i]);
	for (int i = 0; i < c->prog->n_stmts; i++)
		for (int j = 0; j < c->prog->stmt[i]->n_listed; j++)
			if (!c->prog->is_within ||
			    !c->prog->stmt[i]->listed[j]->series)
				find_misses_listed(&m, c->prog->stmt[i],
					c->prog->stmt[i]->listed[j]);
	return isl_set_subtract(sizes, m.sizes);
}

/* { [t, x] -> [subscripts] } of the elements that "l" records of "s" */
static __isl_give isl_map *elements_recorded(struct checker *c,
	const struct stmt *s, const struct listed *l)
{
	isl_space *space = space_of_dims(c, 1 + s->n_dims);
	isl_map *writes = isl_map_from_domain(isl_set_intersect_params(recorded(
		c, space, s, l), isl_set_copy(c->context)));

	for (int d = 0; d < l->series->n_dims; d++)
		writes = isl_map_flat_range_product(writes,
			isl_map_from_pw_aff(value_of(c, space,
				l->subscript[d])));
	isl_space_free(space);
	return writes;
}

/* Add what "l" records of "s" to "all", { [subscripts] } recorded so far; false if one is
 * already there, or is recorded twice.
 */
static bool is_written_once(struct checker *c, const struct stmt *s,
	const struct listed *l, isl_set **all)
{
	isl_map *writes = elements_recorded(c, s, l);
	bool once = isl_map_is_injective(writes) == isl_bool_true;
	isl_set *elements = isl_map_range(writes);

	if (*all)
		once &= isl_set_is_disjoint(*all, elements) == isl_bool_true;
	*all = *all ? isl_set_union(*all, elements) : elements;
	return once || refute(c, "%s: an element of '%s' is recorded twice",
		s->name, l->series->name);
}

static bool is_recorded_once(struct checker *c, const struct field *series)
{
	isl_set *all = NULL;
	bool once = true;

	for (int i = 0; i < c->prog->n_stmts; i++)
		for (int j = 0; j < c->prog->stmt[i]->n_listed; j++) {
			const struct listed *l = c->prog->stmt[i]->listed[j];

			if (!l->list && l->series == series)
				once = once && is_written_once(c,
					c->prog->stmt[i], l, &all);
		}
	isl_set_free(all);
	return once;
}

bool records_are_once(struct checker *c)
{
	for (int i = 0; i < c->prog->n_fields; i++)
		if (!is_recorded_once(c, c->prog->field[i]))
			return false;
	return true;
}

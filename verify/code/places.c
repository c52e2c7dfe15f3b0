/* Places in the code of a strip, as sets: see asked.h. */
#include "verify/code/asked.h"

__isl_give isl_set *between(__isl_take isl_pw_aff *low,
	__isl_keep isl_pw_aff *x, __isl_take isl_pw_aff *end)
{
	return isl_set_intersect(isl_pw_aff_le_set(low, isl_pw_aff_copy(x)),
		isl_pw_aff_lt_set(isl_pw_aff_copy(x), end));
}

static __isl_give isl_set *in_grid(struct lanes *l, const struct field *f)
{
	isl_set *set = isl_set_copy(l->range);

	for (int d = 0; d < f->n_dims; d++)
		set = isl_set_intersect(set, between(constant(l->w, 0),
			l->x[axis_of_dim(l, d)], size_of(l->w, f, d)));
	return set;
}

/* { [] : the cell's lane begins with a multiple of its cells } */
static __isl_give isl_set *begins_lane(struct lanes *l, const struct point *p)
{
	isl_pw_aff *first = plus(isl_pw_aff_sub(isl_pw_aff_copy(l->x[COLUMN]),
		isl_pw_aff_copy(l->column)), l->s.before[l->s.column] -
		p->cell.at[COLUMN]);

	return isl_pw_aff_eq_set(isl_pw_aff_mod_val(first, isl_val_int_from_si(
		l->w->c->ctx, l->s.cells)), constant(l->w, 0));
}

/* Where in the current strip the cell lies: as in the lane, or anywhere in the
 * strip.
 */
static __isl_give isl_set *of_strip(struct lanes *l, const struct point *p,
	int axis)
{
	int d = dim_of_axis(l, axis), extent = axis == ROW ? l->s.height :
		l->s.width;
	isl_pw_aff *origin = l->symbol[ORIGIN + axis];
	isl_set *set;

	if (p->what == STORED) {
		struct line line = line_along(l, axis, p->cell.at[axis]);
		isl_pw_aff *at = number_of_line(l, &line);

		if (axis == COLUMN)
			at = isl_pw_aff_add(at, isl_pw_aff_copy(l->column));
		return isl_pw_aff_eq_set(at, isl_pw_aff_copy(l->x[axis]));
	}
	set = between(plus(isl_pw_aff_copy(origin), -l->s.before[d]),
		l->x[axis], plus(isl_pw_aff_copy(origin), extent +
			l->s.after[d]));
	return axis == COLUMN && l->is_aligned &&
		(p->what == LOADED || p->is_of_column) ?
		isl_set_intersect(set, begins_lane(l, p)) : set;
}

static __isl_give isl_set *in_iteration(struct lanes *l,
	const struct point *p)
{
	struct line line = line_along(l, ALONG, p->cell.at[ALONG]);
	isl_pw_aff *at;
	int64_t turn = 0;
	const struct kx *u = kx_name(l->w->c->mem, l->names->strips.turn);

	if (p->what == COMPUTED) {
		line.number = -l->s.lag[p->stmt->index];
		at = isl_pw_aff_add(number_of_line(l, &line), isl_pw_aff_sub(
			isl_pw_aff_copy(l->u), times(isl_pw_aff_copy(l->m),
				l->s.lag_of_step)));
	} else {
		if (number_in_code(l, u, &turn))
			line.number -= turn;
		at = number_of_line(l, &line);
		if (scalar_called(l, u->name))
			at = isl_pw_aff_add(at, isl_pw_aff_copy(l->u));
	}
	return isl_pw_aff_eq_set(at, isl_pw_aff_copy(l->x[ALONG]));
}

/* { [] : the iteration is first, first + period, .. } */
static __isl_give isl_set *begins_period(struct lanes *l)
{
	isl_pw_aff *n = plus(isl_pw_aff_copy(l->symbol[ITERATION]),
		-l->s.first);
	isl_set *set = isl_pw_aff_ge_set(isl_pw_aff_copy(n), constant(l->w,
		0));

	return isl_set_intersect(set, isl_pw_aff_eq_set(isl_pw_aff_mod_val(n,
		isl_val_int_from_si(l->w->c->ctx, l->s.period)), constant(
		l->w, 0)));
}

static __isl_give isl_set *in_time(struct lanes *l, const struct point *p)
{
	if (p->what != COMPUTED)
		return isl_set_copy(l->range);
	if (!l->w->c->prog->timed)
		return isl_pw_aff_eq_set(isl_pw_aff_copy(l->t), constant(l->w,
			0));
	return isl_pw_aff_eq_set(isl_pw_aff_copy(l->t), isl_pw_aff_add(
		isl_pw_aff_copy(l->symbol[FIRST_STEP]),
		isl_pw_aff_copy(l->m)));
}

__isl_give isl_set *where_way_goes(struct lanes *l, const struct way *way,
	const struct point *p, __isl_take isl_set *set, struct around *around)
{
	struct condition c;

	name_variables(l, way->condition, p, around);
	c = condition_of(l->w, way->condition);
	if (!way->holds && c.sure) {
		isl_set_free(c.fails);
		return isl_set_subtract(set, c.holds);
	}
	isl_set_free(way->holds ? c.fails : c.holds);
	return isl_set_intersect(set, way->holds ? c.holds : c.fails);
}

__isl_give isl_set *where_ways_go(struct lanes *l, const struct point *p,
	__isl_take isl_set *set, struct around *around)
{
	for (const struct way *way = l->way; way; way = way->before) {
		struct way part = *way;

		if (!way_counts(way, p))
			continue;
		part.condition = part_that_counts(l, way, way->condition, p);
		if (part.condition)
			set = where_way_goes(l, &part, p, set, around);
	}
	return set;
}

static __isl_give isl_set *along_axis(struct lanes *l, const struct point *p,
	int axis)
{
	return axis == ALONG ? in_iteration(l, p) : of_strip(l, p, axis);
}

static __isl_give isl_set *place_stored(struct lanes *l,
	const struct point *p)
{
	struct around around = { { false } };
	isl_set *set = where_ways_go(l, p, isl_set_intersect(isl_set_copy(
		l->range), along_axis(l, p, p->axis)), &around);

	set = isl_set_intersect(set, between(constant(l->w, 0), l->column,
		constant(l->w, p->width)));
	return l->loop.is_in && p->axis == ALONG ? isl_set_intersect(set,
		begins_period(l)) : set;
}

__isl_give isl_set *place_at(struct lanes *l, const struct point *p)
{
	struct around around = { { false } };
	isl_set *set;

	if (p->what == STORED)
		return place_stored(l, p);
	set = isl_set_intersect(in_grid(l, p->cell.field), in_time(l, p));
	set = isl_set_intersect(set, between(constant(l->w, 0), l->column,
		constant(l->w, p->width)));
	set = where_ways_go(l, p, set, &around);
	for (int axis = 0; axis < N_AXES; axis++)
		if (dim_of_axis(l, axis) >= 0 && !around.axis[axis])
			set = isl_set_intersect(set, along_axis(l, p, axis));
	return set;
}

bool is_nowhere(struct lanes *l, __isl_take isl_set *set)
{
	bool is = isl_set_is_empty(set) == isl_bool_true;

	l->w->c->n_sets += is;
	isl_set_free(set);
	return is;
}

bool is_always(struct lanes *l, __isl_take isl_pw_aff *a,
	__isl_take isl_pw_aff *b)
{
	return is_nowhere(l, isl_set_intersect(isl_pw_aff_ne_set(a, b),
		isl_set_copy(l->range)));
}

/* { [] : [t, x] in "set", of points of "s" } */
static __isl_give isl_set *points_at(const struct lanes *l,
	const struct stmt *s, __isl_take isl_set *set)
{
	unsigned n = (unsigned) isl_set_dim(set, isl_dim_param);

	set = isl_set_move_dims(isl_set_reset_tuple_id(set), isl_dim_param, n,
		isl_dim_set, 0, 1 + (unsigned) s->n_dims);
	set = isl_set_set_dim_name(set, isl_dim_param, n, "t");
	for (int d = 0; d < s->n_dims; d++)
		set = isl_set_set_dim_name(set, isl_dim_param,
			n + 1 + (unsigned) d, region_printf(l->w->c->mem, "x%d",
				axis_of_dim(l, d)));
	return isl_set_align_params(set, isl_set_get_space(l->w->at));
}

__isl_give isl_set *instances_at(const struct lanes *l,
	const struct stmt *s)
{
	const struct checker *c = l->w->c;
	isl_set *set = NULL;

	for (int i = 0; i < c->n_stmts && !set; i++)
		if (c->stmt[i].stmt == s && !c->stmt[i].is_copy)
			set = isl_set_copy(c->stmt[i].domain);
	return points_at(l, s, set);
}

__isl_give isl_set *holds_at(const struct lanes *l, const struct stmt *s,
	const struct expr *condition)
{
	isl_space *space = space_of_dims(l->w->c, 1 + s->n_dims);
	isl_set *set = where(l->w->c, space, condition);

	isl_space_free(space);
	return points_at(l, s, set);
}

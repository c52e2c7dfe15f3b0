/* Full tiles: all their instances run, and everything lies in the grid. */
#include <isl/point.h>

#include "verify/checker.h"

static bool has_reader(const struct statement *s, const struct field *f)
{
	if (s->is_copy)
		return s->stmt->write->field == f;
	for (int i = 0; i < s->stmt->n_reads; i++)
		if (s->stmt->read[i]->field == f)
			return true;
	return false;
}

/* Does shared memory hold "f"?  It holds states that some statement reads. */
bool is_shared_state(struct checker *c, const struct plan *plan,
	const struct field *f)
{
	if (!plan->opt.shared || f->kind != FIELD_STATE)
		return false;
	for (int i = 0; i < c->n_stmts; i++)
		if (has_reader(&c->stmt[i], f))
			return true;
	return false;
}

static void put_origin(struct text *t, int n)
{
	text_puts(t, "t0");
	put_dims(t, "o", n, ALL_DIMS);
}

/* { [t0, o.., a, x..] -> [t, x] : the instance at row a and point x of the tile
 * with this origin }
 */
static __isl_give isl_map *instance_at(struct checker *c,
	const struct plan *plan, int number)
{
	struct text t = { 0 };
	isl_map *map;

	text_puts(&t, "{ [");
	put_origin(&t, plan->n_dims);
	text_puts(&t, ", a");
	put_dims(&t, "x", plan->n_dims, ALL_DIMS);
	text_puts(&t, "] -> [t");
	put_dims(&t, "y", plan->n_dims, ALL_DIMS);
	text_printf(&t, "] : %d*t + %d = %d*t0 + a", c->scop->k, number,
		c->scop->k);
	for (int d = 0; d < plan->n_dims; d++)
		text_printf(&t, " and y%d = o%d + x%d", d, d, d);
	text_puts(&t, " }");
	map = isl_map_read_from_str(c->ctx, t.bytes);
	text_free(&t);
	return map;
}

/* { [t0, o.., a, x..] : row a and point x of a full tile with this origin is an instance of "s"
 * }. A program without a time loop has one launch of its stages, so the condition does not
 * mention time.
 */
static __isl_give isl_set *places_in_full_tiles(struct checker *c,
	const struct statement *s, __isl_keep isl_map *instance)
{
	const struct plan *plan = s->plan;
	int n = plan->n_dims;
	isl_space *space = space_of_dims(c, 1 + n);
	isl_set *full = isl_set_add_dims(adopt(c, plan->full), isl_dim_set,
		(unsigned) (1 + n));

	full = isl_set_intersect(full, shape_at(c, plan, ALL_DIMS, 1 + n,
		2 + 2 * n));
	full = isl_set_intersect(full, isl_map_domain(isl_map_copy(instance)));
	if (!c->prog->timed)
		full = isl_set_intersect(full, isl_set_apply(points_in_time(c,
			space), isl_map_reverse(isl_map_copy(instance))));
	isl_space_free(space);
	return isl_set_intersect_params(full, isl_set_copy(c->context));
}

/* { [t, x] : in a full tile } */
static __isl_give isl_set *in_full_tiles(struct checker *c,
	const struct statement *s)
{
	isl_map *instance = instance_at(c, s->plan, s->number);
	isl_set *full = places_in_full_tiles(c, s, instance);

	return isl_set_apply(full, instance);
}

static bool refute_full(struct checker *c, const struct statement *s,
	__isl_take isl_set *set, const char *what)
{
	isl_point *example = example_of(c, set);

	if (example)
		refute(c, "%s: %s lies in a full tile and %s",
			sizes_of_point(c, example),
			instance_of_point(c, s, example, 0), what);
	isl_point_free(example);
	isl_set_free(set);
	return refute(c, "%s may lie in a full tile and %s", s->name, what);
}

/* All of "s" in full tiles is in "good": tested for places in tiles, whose sets lack the
 * remainders of instances.
 */
static bool full_is_within(struct checker *c, const struct statement *s,
	__isl_take isl_set *good, const char *what)
{
	isl_map *instance = instance_at(c, s->plan, s->number);
	isl_set *rest = isl_set_subtract(places_in_full_tiles(c, s, instance),
		isl_set_apply(good, isl_map_reverse(isl_map_copy(instance))));

	if (is_shown_empty(c, isl_set_copy(rest))) {
		isl_set_free(rest);
		isl_map_free(instance);
		return true;
	}
	return refute_full(c, s, isl_set_apply(rest, instance), what);
}

/* { x : x + by along dimension "pos" is in "set" } */
static __isl_give isl_set *before(__isl_take isl_set *set, int pos, int by)
{
	isl_local_space *ls;
	isl_constraint *moved;

	set = isl_set_insert_dims(set, isl_dim_set, (unsigned) pos, 1);
	ls = isl_local_space_from_space(isl_set_get_space(set));
	moved = isl_constraint_alloc_equality(ls);
	moved = isl_constraint_set_coefficient_si(moved, isl_dim_set, pos, 1);
	moved = isl_constraint_set_coefficient_si(moved, isl_dim_set, pos + 1,
		-1);
	moved = isl_constraint_set_constant_si(moved, by);
	set = isl_set_add_constraint(set, moved);
	return isl_set_project_out(set, isl_dim_set, (unsigned) pos + 1, 1);
}

/* Straight code tests the condition of "s" once for points of a column that are
 * its period apart: it must hold for all of them or none.
 */
static bool classes_are_right(struct checker *c, const struct statement *s)
{
	int d = s->plan->tiles.hex_dim;
	int by = d < 0 ? 0 : s->plan_stmt->period[d];
	int pos = 2 + s->plan->n_dims + d;	/* of x along d in a place */
	isl_set *full, *runs, *other, *differ;
	isl_map *instance;

	if (by <= 0)
		return refute(c, "code for full tiles relies on all instances "
			"of %s, which has a condition", s->name);
	instance = instance_at(c, s->plan, s->number);
	full = places_in_full_tiles(c, s, instance);
	runs = isl_set_intersect(isl_set_copy(full), isl_set_apply(
		isl_set_copy(s->domain), isl_map_reverse(isl_map_copy(
		instance))));
	other = isl_set_subtract(full, isl_set_copy(runs));
	differ = isl_set_intersect(isl_set_copy(runs),
		before(isl_set_copy(other), pos, by));
	differ = isl_set_union(differ, isl_set_intersect(other,
		before(runs, pos, by)));
	if (is_shown_empty(c, isl_set_copy(differ))) {
		isl_set_free(differ);
		isl_map_free(instance);
		return true;
	}
	return refute_full(c, s, isl_set_apply(differ, instance), "runs, but "
		"not where its condition is taken to be the same, or the other "
		"way round");
}

/* Full tiles have no boundaries, and no guard where the plan says that all
 * instances run.
 */
static bool full_is_right(struct checker *c, const struct statement *s)
{
	const struct scop_stmt *p = s->plan_stmt;
	isl_set *none;

	if (!p->in_full) {
		none = isl_set_intersect(in_full_tiles(c, s),
			isl_set_copy(s->domain));
		if (is_shown_empty(c, isl_set_copy(none))) {
			isl_set_free(none);
			return true;
		}
		return refute_full(c, s, none, "is left out there");
	}
	if (s->plan->opt.reuse != REUSE_NONE && p->is_guarded)
		return refute(c, "code for full tiles relies on all instances "
			"of %s, which has a condition", s->name);
	if (s->plan->tiles.straight && p->is_guarded &&
	    !classes_are_right(c, s))
		return false;
	if (!s->is_copy && !full_is_within(c, s, points_inside(c, s->stmt,
	    false), "reads outside of the grid"))
		return false;
	return p->is_guarded || full_is_within(c, s, isl_set_copy(s->domain),
		"is no instance of the program");
}

/* No cell of the box of "f" lies outside its grid where a tile is full. */
static bool box_lies_in_grid(struct checker *c, const struct plan *plan,
	const struct field *f, int d)
{
	const struct box *box = &plan->box[f->index];
	isl_space *space = space_of_dims(c, 1 + plan->n_dims);
	isl_set *outside = isl_set_union(
		points_beyond(c, space, 1 + d, box->low[d], f->size[d]),
		points_beyond(c, space, 1 + d, box->low[d] + box->extent[d] - 1,
			f->size[d]));

	isl_space_free(space);
	outside = isl_set_intersect(outside, adopt(c, plan->full));
	return is_shown_empty(c, isl_set_intersect_params(outside,
		isl_set_copy(c->context))) ||
		refute(c, "a full tile copies cells of '%s' that are outside "
			"of its grid in dimension %d", f->name, d);
}

static bool boxes_lie_in_grid(struct checker *c, const struct plan *plan,
	const struct field *f)
{
	for (int d = 0; d < f->n_dims; d++)
		if (!box_lies_in_grid(c, plan, f, d))
			return false;
	return true;
}

bool check_full(struct checker *c, const struct plan *plan)
{
	if (!plan->opt.separate)
		return true;
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].plan == plan &&
		    !full_is_right(c, &c->stmt[i]))
			return false;
	for (int i = 0; i < c->prog->n_fields; i++)
		if ((is_shared_state(c, plan, c->prog->field[i]) ||
		    (c->form->all_in_grid && plan->box[i].n_dims > 0)) &&
		    !boxes_lie_in_grid(c, plan, c->prog->field[i]))
			return false;
	claim(c, "in full tiles all instances run that have no guard, no read "
		"needs a boundary and all boxes lie in the grid");
	return true;
}

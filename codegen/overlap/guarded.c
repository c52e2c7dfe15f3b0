/* Rows of overlapping tiles of which a statement computes some points only, because of its
 * conditions or because other statements compute the rest.  Tests that depend on the row alone
 * run once a row; along the row each convex piece has a loop without a test.
 */
#include <string.h>

#include "codegen/host/lists.h"
#include "codegen/overlap/overlap.h"

struct guarded {
	const struct overlap *o;
	const struct stmt *stmt;	/* computes these points; NULL: it keeps
					 * their values .. */
	const struct listed *listed;	/* .. or records them, except for .. */
	const bool *in_loops;		/* .. conditions that loops ensure */
	const char *low, *high;		/* those of the row */
};

__isl_give isl_set *overlap_points_of_row(const struct overlap *o,
	__isl_take isl_set *set)
{
	unsigned n, last = (unsigned) o->last;

	set = cpu_at_time(o->h, isl_set_intersect_params(set,
		isl_set_copy(o->h->scop->context)));
	n = (unsigned) isl_set_dim(set, isl_dim_param);
	set = isl_set_move_dims(set, isl_dim_param, n, isl_dim_set, 0, last);
	for (unsigned d = 0; d < last; d++)
		set = isl_set_set_dim_name(set, isl_dim_param, n + d,
			o->names->point[d]);
	return set;
}

/* { [x] in "set" : sign * x >= sign * param + more } */
static __isl_give isl_set *bound_by(__isl_take isl_set *set, int sign,
	const char *param, int more)
{
	int at = isl_set_find_dim_by_name(set, isl_dim_param, param);
	isl_constraint *c;

	if (at < 0) {
		at = (int) isl_set_dim(set, isl_dim_param);
		set = isl_set_add_dims(set, isl_dim_param, 1);
		set = isl_set_set_dim_name(set, isl_dim_param, (unsigned) at,
			param);
	}
	c = isl_constraint_alloc_inequality(isl_local_space_from_space(
		isl_set_get_space(set)));
	c = isl_constraint_set_coefficient_si(c, isl_dim_set, 0, sign);
	c = isl_constraint_set_coefficient_si(c, isl_dim_param, at, -sign);
	c = isl_constraint_set_constant_si(c, -more);
	return isl_set_add_constraint(set, c);
}

__isl_give isl_set *overlap_points_after(__isl_take isl_set *set,
	const char *param, int first, int end)
{
	return bound_by(bound_by(set, 1, param, first), -1, param, 1 - end);
}

__isl_give isl_set *overlap_points_between(__isl_take isl_set *set,
	const char *low, const char *high)
{
	return bound_by(bound_by(set, 1, low, 0), -1, high, 1);
}

static __isl_give isl_set *between_ends(const struct guarded *g,
	__isl_take isl_set *set)
{
	return overlap_points_between(set, g->low, g->high);
}

const struct scop_stmt *overlap_scop_stmt(const struct overlap *o,
	const struct stmt *stmt)
{
	const struct scop_stmt *s = o->h->scop->stmt;

	while (s->is_copy || s->stmt != stmt)
		s++;
	return s;
}

/* Holds for all rows: they lie in the grid, 0 <= low < high <= size. */
static __isl_give isl_set *known_of_rows(const struct guarded *g)
{
	const struct overlap *o = g->o;
	isl_set *row = overlap_points_of_row(o, scop_cells_at_steps(o->h->scop,
		overlap_scop_stmt(o, o->stmt)->domain, o->stmt->write->field));
	isl_set *low = name_dims(isl_set_copy(row), &g->low);
	isl_set *high = name_dims(shift_dim(isl_set_copy(row), 0, 1),
		&g->high);

	return isl_set_intersect(isl_set_params(between_ends(g, row)),
		isl_set_intersect(low, high));
}

static struct ks *body_of_loop(void *user)
{
	const struct guarded *g = user;
	struct binding b;

	if (g->listed) {
		b = overlap_binding(g->o);
		b.own = overlap_cell(g->o, g->o->stmt->write->field,
			name(g->o->h, g->o->names->step));
		b.exact = true;
		return record_of_point(g->o->h, g->listed, &b, g->in_loops);
	}
	return g->stmt ? overlap_instance(g->o, g->stmt) : overlap_keep(g->o);
}

static struct ks *vectorise(const struct overlap *o, struct ks *s)
{
	for (int i = 0; i < s->n_children; i++)
		s->child[i] = vectorise(o, s->child[i]);
	return s->kind == KS_FOR ? overlap_simd(o, s) : s;
}

/* Loops over the points of a row that lie in "set", { [t, x] }; NULL: there are none. */
static struct ks *loops_of(struct guarded *g, __isl_take isl_set *set)
{
	const struct overlap *o = g->o;
	const char *first[1] = { NULL };
	struct loop_nest nest = {
		.mem = o->h->mem, .n_dims = 1,
		.iterator = &o->names->point[o->last], .first = first,
		.body = body_of_loop, .user = g,
	};

	set = between_ends(g, overlap_points_of_row(o, set));
	if (isl_set_is_empty(set) == isl_bool_false)
		return vectorise(o, loops_of_set(&nest, set,
			known_of_rows(g)));
	isl_set_free(set);
	return NULL;
}

static void add_loops(const struct overlap *o, struct ks *block,
	__isl_take isl_set *set, const struct stmt *stmt)
{
	struct guarded g = { o, stmt, NULL, NULL, o->low, o->high };
	struct ks *loops = loops_of(&g, isl_set_reset_tuple_id(set));

	if (loops)
		ks_add(o->h->mem, block, loops);
}

__isl_give isl_set *overlap_points_inside(const struct scop_stmt *s,
	__isl_take isl_set *set)
{
	return s->is_mapped ? set_coalesce(isl_set_intersect(set,
		isl_set_reset_tuple_id(isl_set_copy(s->inside)))) : set;
}

__isl_give isl_set *overlap_points_beyond(const struct scop_stmt *s,
	__isl_take isl_set *set)
{
	return set_coalesce(isl_set_subtract(set, isl_set_reset_tuple_id(
		isl_set_copy(s->inside))));
}

/* The points "set" of the statement, which read across the boundary: those that do so only from
 * row to row read side by side within their row.
 */
static void add_beyond(const struct overlap *o, struct ks *block,
	__isl_take isl_set *set)
{
	const struct scop_stmt *s = overlap_scop_stmt(o, o->stmt);
	const struct place place = cpu_place(o->h);
	struct cursor c = cpu_cursor(&place);
	struct overlap at = *o;
	isl_set *inside = isl_set_reset_tuple_id(cpu_inside_along_rows(s));

	c.stmt = s;
	c.mapped = true;
	c.inside = o->n_dims;
	at.beyond = &c;
	add_loops(&at, block, isl_set_intersect(isl_set_copy(set),
		isl_set_copy(inside)), o->stmt);
	c.inside = 0;
	add_loops(&at, block, isl_set_subtract(set, inside), o->stmt);
}

struct ks *overlap_guarded_row(const struct overlap *o)
{
	const struct stage_points *points = &o->p->points[o->stmt->index];
	struct scop_stmt s = *overlap_scop_stmt(o, o->stmt);
	struct scop_stmt parts[SCOP_MOST_PARTS];
	struct ks *block = ks_block(o->h->mem);
	int n;

	s.domain = points->computed;
	n = scop_parts(o->h->scop, &s, SCOP_MOST_PARTS, parts);
	if (points->kept)
		add_loops(o, block, isl_set_copy(points->kept), NULL);
	for (int i = 0; i < n; i++)
		add_loops(o, block, overlap_points_inside(&s, isl_set_copy(
			parts[i].domain)), parts[i].stmt);
	if (s.is_mapped)
		add_beyond(o, block, overlap_points_beyond(&s, isl_set_copy(
			points->computed)));
	return block;
}

void overlap_record_row(const struct overlap *o, struct ks *block,
	const struct listed *l)
{
	const struct host *h = o->h;
	const struct binding b = overlap_binding(o);
	bool *in_loops;
	isl_set *points = recorded_points(h, l, isl_set_copy(overlap_scop_stmt(
		o, o->stmt)->domain), &in_loops);
	struct guarded g = { o, o->stmt, l, in_loops, o->begin[o->last],
		o->end[o->last] };
	struct ks *loops = loops_of(&g, isl_set_reset_tuple_id(points));

	if (loops)
		ks_add(h->mem, block, record_of_step(h, l, &b, loops));
}

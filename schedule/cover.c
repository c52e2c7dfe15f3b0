/* The points that a plan's tiles cover along each dimension: launches and the
 * loops of blocks derive their first and last tile from them.
 */
#include "schedule/forms.h"

static __isl_keep isl_pw_aff *edge_of(const struct plan *plan,
	__isl_keep isl_set *points, int pos, bool last)
{
	isl_set *own = isl_set_copy(points);

	return keep_pw_aff(plan->scop->mem, last ? isl_set_dim_max(own, pos) :
		isl_set_dim_min(own, pos));
}

/* The edges of "points", whose first space dimension is at "pos". */
static void add_edges(struct plan *plan, __isl_take isl_set *points, int pos)
{
	for (int d = 0; d < plan->n_dims; d++) {
		struct cover *r = &plan->cover[d];

		r->first[r->n] = edge_of(plan, points, pos + d, false);
		r->last[r->n] = edge_of(plan, points, pos + d, true);
		r->n++;
	}
	isl_set_free(points);
}

static __isl_give isl_pw_aff *constant(const struct plan *plan, int value)
{
	isl_ctx *ctx = plan->scop->ctx;

	return keep_pw_aff(plan->scop->mem, isl_pw_aff_from_aff(
		isl_aff_val_on_domain(isl_local_space_from_space(
			isl_space_params_alloc(ctx, 0)),
			isl_val_int_from_si(ctx, value))));
}

/* No tile runs: the last one is before the first. */
static void add_nothing(struct plan *plan)
{
	for (int d = 0; d < plan->n_dims; d++) {
		struct cover *r = &plan->cover[d];

		r->first[0] = constant(plan, 0);
		r->last[0] = constant(plan, -1 - r->beyond);
		r->n = 1;
	}
}

/* Does statement "s" have points in tiles?  With fixed sizes the grid may have none. */
static bool has_points(const struct plan *plan, const struct scop_stmt *s)
{
	return tile_has(plan, s->number) &&
		set_has_points(isl_set_copy(s->hull));
}

/* Add "own" to the "n" sets that are there, unless one of them is the same; their number. */
static int add_set(isl_set **set, int n, __isl_take isl_set *own)
{
	for (int i = 0; i < n; i++)
		if (isl_set_plain_is_equal(set[i], own)) {
			isl_set_free(own);
			return n;
		}
	set[n] = own;
	return n + 1;
}

/* { [y] : a cell that outlives a launch }: strips store all of them, computed or not.  A temp of a
 * step has fewer.  A set for each size; their number.
 */
static int stored_cells(const struct scop *scop, isl_set **cells)
{
	int n = 0;

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct field *f = scop->stmt[i].stmt->write->field;

		if (!f->is_hidden)
			n = add_set(cells, n, isl_set_intersect_params(
				isl_set_reset_tuple_id(isl_set_copy(
					scop->field[f->index].cells)),
				isl_set_copy(scop->context)));
	}
	return n;
}

/* The hulls of the statements that have points in tiles; their number. */
static int hulls_of_plan(const struct plan *plan, isl_set **hull)
{
	const struct scop *scop = plan->scop;
	int n = 0;

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];

		if (has_points(plan, s))
			n = add_set(hull, n, isl_set_reset_tuple_id(
				isl_set_copy(s->hull)));
	}
	return n;
}

/* The edge of the union of n sets has a piece for each order of their edges.
 * Few programs have more sets than these.
 */
enum { MOST_SETS = 6 };

/* .. of the "n" sets, whose first space dimension is at "pos" */
static void add_edges_of_sets(struct plan *plan, isl_set **set, int n, int pos)
{
	if (n == 0)
		add_nothing(plan);
	while (n > 1 && n <= MOST_SETS) {
		n--;
		set[0] = isl_set_union(set[0], set[n]);
	}
	for (int i = 0; i < n; i++)
		add_edges(plan, set_coalesce(set[i]), pos);
}

void plan_find_cover(struct plan *plan)
{
	struct region *mem = plan->scop->mem;
	isl_set **set = region_array(mem, isl_set *, plan->scop->n_stmts);

	for (int d = 0; d < plan->n_dims; d++) {
		struct cover *r = &plan->cover[d];

		r->first = region_array(mem, isl_pw_aff *,
			plan->scop->n_stmts);
		r->last = region_array(mem, isl_pw_aff *,
			plan->scop->n_stmts);
		r->beyond = rational_floor(plan->tiles.skew[d], plan->rows - 1);
	}
	if (form_memory(plan)->stores_all)
		add_edges_of_sets(plan, set, stored_cells(plan->scop, set), 0);
	else
		add_edges_of_sets(plan, set, hulls_of_plan(plan, set), 1);
}

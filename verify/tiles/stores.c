/* What tiles in shared memory leave in global memory: each value that a tile
 * does not store is replaced in its copy by the same tile, or nobody else needs
 * it.  All sets are { [a, x] } of the shape of one tile, wherever it is.
 */
#include <isl/point.h>

#include "verify/tiles/tiles.h"

static int buffers_of(const struct statement *s)
{
	return s->plan->scop->field[s->stmt->write->field->index].buffers;
}

/* { [a, x] : [a + by, x + dx] in "set" } */
static __isl_give isl_set *moved(__isl_take isl_set *set, int64_t by,
	const int64_t *dx)
{
	isl_multi_aff *ma = isl_multi_aff_identity(isl_space_map_from_set(
		isl_set_get_space(set)));
	int n = (int) isl_set_dim(set, isl_dim_set);

	for (int i = 0; i < n; i++)
		ma = isl_multi_aff_set_aff(ma, i, isl_aff_add_constant_si(
			isl_multi_aff_get_aff(ma, i), (int) (i ? dx[i - 1] :
				by)));
	return isl_set_preimage_multi_aff(set, ma);
}

/* A planner's "set", of [m, x], as rows of "s". */
static __isl_give isl_set *rows_of_steps(struct checker *c,
	const struct statement *s, __isl_take isl_set *set)
{
	struct text t = { 0 };
	isl_map *map;

	text_puts(&t, "{ [m");
	put_dims(&t, "x", s->plan->n_dims, ALL_DIMS);
	text_printf(&t, "] -> [%d*m + %d", c->scop->k, s->number);
	put_dims(&t, "x", s->plan->n_dims, ALL_DIMS);
	text_puts(&t, "] }");
	map = isl_map_read_from_str(c->ctx, t.bytes);
	text_free(&t);
	return isl_set_apply(set, map);
}

static const int64_t here[IR_MAX_DIMS];

/* { [a, x] : the tile computes by "other" what replaces the value of row a of
 * "s", "later" steps later }, "dx" points away
 */
static __isl_give isl_set *replaced(struct checker *c,
	const struct statement *s, const struct statement *other, int later,
	const int64_t *dx)
{
	return moved(rows_of(c, other->plan, other->number),
		other->number - s->number + (int64_t) c->scop->k * later, dx);
}

static bool refute_store(struct checker *c, const struct statement *s,
	__isl_take isl_set *set, const char *what)
{
	isl_point *p = isl_set_sample_point(set);

	refute(c, "what row a = %lld of a tile computes of '%s' at x0 = %lld "
		"from its origin %s", (long long) coordinate_of_point(p, 0),
		s->stmt->write->field->name,
		(long long) coordinate_of_point(p, 1), what);
	isl_point_free(p);
	return false;
}

static bool is_none(struct checker *c, const struct statement *s,
	__isl_take isl_set *set, const char *what)
{
	if (!is_shown_empty(c, isl_set_copy(set)))
		return refute_store(c, s, set, what);
	isl_set_free(set);
	return true;
}

/* Where statements take turns, the code tests which of them runs. */
static bool turns_are_right(struct checker *c, const struct statement *s)
{
	for (int i = 0; i < c->n_stmts; i++) {
		const struct statement *other = &c->stmt[i];

		if (other->plan != s->plan || other->stmt->write->field !=
		    s->stmt->write->field)
			continue;
		if (!is_none(c, s, isl_set_subtract(rows_of_steps(c, s,
		    tile_overwritten(s->plan, s->plan_stmt,
		    other->plan_stmt)), replaced(c, s, other, buffers_of(s),
		    here)), "is not stored, and is not replaced"))
			return false;
	}
	return true;
}

/* A value is stored unless its tile replaces it, and never both, as the order
 * of stores is undefined.
 */
static bool last_are_right(struct checker *c, const struct statement *s,
	__isl_keep isl_set *last)
{
	int step = c->scop->k * buffers_of(s);

	if (!is_none(c, s, isl_set_subtract(isl_set_subtract(rows_of(c,
	    s->plan, s->number), isl_set_copy(last)), replaced(c, s, s,
	    buffers_of(s), here)), "is not stored, and is not replaced"))
		return false;
	for (int later = 1; later * step < s->plan->rows; later++)
		if (!is_none(c, s, isl_set_intersect(isl_set_copy(last),
		    replaced(c, s, s, later * buffers_of(s), here)),
		    "is stored, and so is what replaces it"))
			return false;
	return true;
}

/* Straight code ---------------------------------------------------------- */

/* Rows of "reader" outside the tile read none of "dead". */
static bool is_not_read(struct checker *c, const struct statement *s,
	__isl_keep isl_set *dead, const struct statement *reader,
	const struct access *acc)
{
	int64_t by = (int64_t) c->scop->k * (1 - acc->version) +
		reader->number - s->number, back[IR_MAX_DIMS] = { 0 };

	for (int d = 0; d < acc->field->n_dims; d++) {
		back[d] = -acc->offset[d];
		if (acc->dim[d] != d || access_strides_along(acc, d) ||
		    is_mapped_along(reader->stmt, acc, d))
			return refute(c, "not all of '%s' is stored, and %s "
				"reads it far away", acc->field->name,
				reader->name);
	}
	return is_none(c, s, isl_set_subtract(isl_set_copy(dead), moved(
		rows_of(c, s->plan, reader->number), by, back)),
		region_printf(c->mem, "is not stored, and %s reads it in "
			"another tile", reader->name));
}

/* A full tile runs all its steps, so only its last rows may belong to the
 * result: those of "depth" versions.
 */
static bool is_no_result(struct checker *c, const struct statement *s,
	__isl_keep isl_set *dead)
{
	int k = c->scop->k;
	int64_t last = edge_of_set(s->plan->shape, 0, true) / k;

	return is_none(c, s, isl_set_lower_bound_si(isl_set_copy(dead),
		isl_dim_set, 0, (int) (last + 1 - s->stmt->write->field->depth)
		* k), "is not stored, and may be of the result");
}

static bool is_dead(struct checker *c, const struct statement *s,
	__isl_keep isl_set *dead)
{
	for (int i = 0; i < c->n_stmts; i++) {
		const struct statement *reader = &c->stmt[i];

		if (reader->is_copy || !reader->plan_stmt->in_full)
			return refute(c, "not all of '%s' is stored, and some "
				"cells are not computed",
				s->stmt->write->field->name);
		for (int j = 0; j < reader->stmt->n_reads; j++)
			if (reader->stmt->read[j]->field ==
			    s->stmt->write->field && !is_not_read(c, s, dead,
				reader, reader->stmt->read[j]))
				return false;
	}
	return is_no_result(c, s, dead);
}

/* { [a, x] : the next tile along the last dimension replaces the value } */
static __isl_give isl_set *replaced_by_next(struct checker *c,
	const struct statement *s)
{
	const struct plan *plan = s->plan;
	int64_t back[IR_MAX_DIMS] = { 0 };
	isl_set *all = isl_set_empty(isl_set_get_space(plan->shape));

	back[plan->n_dims - 1] = -plan->pitch[plan->n_dims - 1];
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].plan == plan && c->stmt[i].stmt->write->field ==
		    s->stmt->write->field)
			all = isl_set_union(all, replaced(c, s, &c->stmt[i],
				buffers_of(s), back));
	return all;
}

/* If the next tile is full, it continues with values that this one does not
 * store.  Any other reader of one runs before the next tile (anti) and after
 * this one (flow): there is none.
 */
static bool taken_are_right(struct checker *c, const struct statement *s,
	__isl_take isl_set *taken)
{
	if (isl_set_is_empty(taken) == isl_bool_true) {
		isl_set_free(taken);
		return true;
	}
	if (s->plan->opt.reuse == REUSE_NONE ||
	    buffers_of(s) < s->stmt->write->field->depth) {
		isl_set_free(taken);
		return refute(c, "values of '%s' are left to a tile that does "
			"not find them", s->stmt->write->field->name);
	}
	return is_none(c, s, isl_set_subtract(taken, replaced_by_next(c, s)),
		"is left to the next tile, which does not replace it");
}

static bool straight_stores(struct checker *c, const struct statement *s,
	__isl_keep isl_set *last)
{
	isl_set *stored = rows_of_steps(c, s, tile_stored(s->plan,
		s->plan_stmt));
	isl_set *taken = isl_set_intersect(isl_set_copy(stored),
		rows_of_steps(c, s, tile_taken(s->plan, s->plan_stmt)));
	isl_set *dead = isl_set_subtract(isl_set_copy(last),
		isl_set_copy(stored));
	bool right = is_none(c, s, isl_set_subtract(stored,
		isl_set_copy(last)), "is stored, though replaced");

	right = right && (isl_set_is_empty(dead) == isl_bool_true ||
		is_dead(c, s, dead));
	isl_set_free(dead);
	if (!right) {
		isl_set_free(taken);
		return false;
	}
	return taken_are_right(c, s, taken);
}

/* In waves everything that a tile computes is stored, and nothing is left to the next tile: a
 * later store writes the cell's later value, or the same value again.
 */
static bool all_are_stored(struct checker *c, const struct statement *s)
{
	isl_set *rows = rows_of(c, s->plan, s->number);
	isl_set *last = rows_of_steps(c, s, tile_last(s->plan, s->plan_stmt));
	isl_set *stored = rows_of_steps(c, s, tile_stored(s->plan,
		s->plan_stmt));
	isl_set *taken = rows_of_steps(c, s, tile_taken(s->plan,
		s->plan_stmt));
	bool right = is_none(c, s, isl_set_subtract(isl_set_copy(rows),
		last), "is not stored");

	right = right && (!s->plan->tiles.straight || (is_none(c, s,
		isl_set_subtract(isl_set_copy(rows), isl_set_copy(stored)),
		"is not stored") && is_none(c, s, isl_set_copy(taken),
		"is left to the next tile")));
	isl_set_free(stored);
	isl_set_free(rows);
	isl_set_free(taken);
	if (right)
		claim(c, "%s: a tile stores all that it computes", s->name);
	return right;
}

bool check_copy_out(struct checker *c, const struct statement *s)
{
	isl_set *last;
	bool right;

	if (s->plan_stmt->is_brief)
		return true;
	if (c->prog->waves)
		return all_are_stored(c, s);
	if (s->plan_stmt->takes_turns)
		return turns_are_right(c, s);
	last = rows_of_steps(c, s, tile_last(s->plan, s->plan_stmt));
	right = last_are_right(c, s, last) && (!s->plan->tiles.straight ||
		s->is_copy || straight_stores(c, s, last));
	isl_set_free(last);
	if (right)
		claim(c, "%s: what a tile does not copy out it replaces in "
			"the same copy%s", s->name, s->plan->tiles.straight ?
			"; or, if full, no other tile reads it and it is not "
			"of the result, or the next tile replaces it" : "");
	return right;
}

/* Which values of a tile go from shared memory to global memory. */
#include "schedule/strategies.h"

static int buffers_of(const struct plan *plan, const struct field *field)
{
	return plan->scop->field[field->index].buffers;
}

/* { [v, y] -> [m, x] : the instance of "s" computes version v of cell y } */
static __isl_give isl_map *computed_by(const struct plan *plan,
	const struct scop_stmt *s)
{
	return isl_map_reverse(tile_access(plan, s->stmt->write));
}

__isl_give isl_set *tile_overwritten(const struct plan *plan,
	const struct scop_stmt *s, const struct scop_stmt *other)
{
	isl_set *values = isl_set_apply(tile_instances(plan, other->number),
		tile_access(plan, other->stmt->write));

	values = shift_dim(values, 0, -buffers_of(plan,
		s->stmt->write->field));
	return isl_set_intersect(isl_set_apply(values, computed_by(plan, s)),
		tile_instances(plan, s->number));
}

/* In waves the row alone does not tell which value of a cell is the last one: all are stored as
 * they are computed.
 */
static bool stores_all(const struct plan *plan)
{
	return plan->scop->prog->waves != NULL;
}

__isl_give isl_set *tile_last(const struct plan *plan,
	const struct scop_stmt *s)
{
	if (stores_all(plan))
		return tile_instances(plan, s->number);
	return isl_set_subtract(tile_instances(plan, s->number),
		tile_overwritten(plan, s, s));
}

/* Do reads touch only cells at a constant distance, and do statements cover all
 * points of their fields?
 */
static bool reads_are_plain(const struct scop *scop)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];

		if (s->is_copy || s->is_brief || s->takes_turns ||
		    stmt_is_mapped(s->stmt))
			return false;
	}
	return true;
}

/* { [version, cell] : an instance outside the tile reads it } */
static __isl_give isl_set *read_outside(const struct plan *plan,
	const struct field *field)
{
	isl_set *reads = tile_reads(plan, field);
	isl_set *values = isl_set_empty(isl_set_get_space(reads));

	isl_set_free(reads);
	for (int i = 0; i < plan->scop->n_stmts; i++) {
		const struct scop_stmt *s = &plan->scop->stmt[i];

		for (int j = 0; j < s->stmt->n_reads; j++)
			if (s->stmt->read[j]->field == field)
				values = isl_set_union(values, isl_set_apply(
					isl_set_complement(tile_instances(
						plan, s->number)),
					tile_access(plan,
						s->stmt->read[j])));
	}
	return set_coalesce(values);
}

/* { [m, x] : another tile may read the value, or it may belong to the result,
 * as those of the last steps do }, of a full tile.  In three dimensions all
 * values: storing a whole row is faster than storing the rim that others read
 * in pieces (heat3d: 44 instructions an update, not 46).
 */
static __isl_give isl_set *find_live(const struct plan *plan,
	const struct scop_stmt *s)
{
	const struct field *field = s->stmt->write->field;
	isl_set *late = tile_instances(plan, s->number), *live;

	if (plan->n_dims > 2 || stores_all(plan) ||
	    !reads_are_plain(plan->scop))
		return late;
	late = isl_set_lower_bound_si(late, isl_dim_set, 0,
		plan->time_pitch - field->depth);
	live = isl_set_apply(read_outside(plan, field), computed_by(plan, s));
	live = isl_set_intersect(live, tile_instances(plan, s->number));
	return set_coalesce(isl_set_union(live, late));
}

__isl_give isl_set *tile_stored(const struct plan *plan,
	const struct scop_stmt *s)
{
	return isl_set_intersect(tile_last(plan, s), find_live(plan, s));
}

__isl_give isl_set *tile_taken(const struct plan *plan,
	const struct scop_stmt *s)
{
	const struct field *field = s->stmt->write->field;
	isl_set *next = tile_writes(plan, field);

	if (plan->opt.reuse == REUSE_NONE || stores_all(plan)) {
		isl_set_free(next);
		return isl_set_empty(isl_space_set_alloc(plan->scop->ctx, 0,
			(unsigned) (1 + plan->n_dims)));
	}
	next = shift_dim(next, 0, -buffers_of(plan, field));
	next = shift_dim(next, (int) isl_set_dim(next, isl_dim_set) - 1,
		plan->pitch[plan->n_dims - 1]);
	return isl_set_apply(next, computed_by(plan, s));
}

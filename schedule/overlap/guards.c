/* Stages of overlapping tiles that compute only some points of a box.  Their statements have
 * conditions, share the points of a field with others, read from such a statement's temp,
 * choose values by place, or read where boundaries stand in.
 */
#include "schedule/overlap/overlap.h"

static bool is_guarded(const struct scop *scop, int i);

/* Does "s" read a temp that is not computed at all points of a box? */
static bool reads_guarded(const struct scop *scop, const struct stmt *s)
{
	for (int j = 0; j < s->n_reads; j++) {
		const struct field *f = s->read[j]->field;
		int writer = program_writer(scop->prog, f);

		if (field_is_temp(f) && writer >= 0 && writer < s->index &&
		    is_guarded(scop, writer))
			return true;
	}
	return false;
}

static const struct scop_stmt *scop_stmt_of(const struct scop *scop, int i)
{
	const struct scop_stmt *s = scop->stmt;

	while (s->is_copy || s->stmt != scop->prog->stmt[i])
		s++;
	return s;
}

/* In one dimension choices are made at each point, and points at ends come after all others: a
 * row holds one point of each lane.
 */
static bool has_parts(const struct scop *scop, int i)
{
	struct scop_stmt parts[SCOP_MOST_PARTS];

	return scop->n_dims > 1 && (stmt_is_mapped(scop->prog->stmt[i]) ||
		scop_parts(scop, scop_stmt_of(scop, i),
			SCOP_MOST_PARTS, parts) > 1);
}

static bool is_guarded(const struct scop *scop, int i)
{
	const struct stmt *s = scop->prog->stmt[i];

	return s->n_conditions > 0 ||
		program_count_writers(scop->prog, s->write->field) > 1 ||
		reads_guarded(scop, s) || has_parts(scop, i);
}

/* Where no statement computes "f", in a few pieces; all cells if it takes more pieces, or
 * parities: copying whole rows is faster than finding every other point.  Computed values then
 * overwrite the copies.
 */
static __isl_give isl_set *kept_cells(const struct scop *scop,
	const struct field *f)
{
	enum { MOST_PIECES = 6 };
	isl_set *all = NULL, *rest = NULL;

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];
		isl_set *domain;

		if (s->is_copy || s->stmt->write->field != f)
			continue;
		domain = isl_set_reset_tuple_id(isl_set_copy(s->domain));
		if (!all) {
			all = scop_cells_at_steps(scop, domain, f);
			rest = isl_set_copy(all);
		}
		rest = isl_set_subtract(rest, domain);
	}
	rest = isl_set_make_disjoint(set_coalesce(rest));
	if (isl_set_n_basic_set(rest) <= MOST_PIECES &&
	    isl_set_involves_locals(rest) == isl_bool_false) {
		isl_set_free(all);
		return rest;
	}
	isl_set_free(rest);
	return all;
}

struct stage_points points_of_stage(const struct scop *scop, int i)
{
	const struct field *f = scop->prog->stmt[i]->write->field;
	struct stage_points points = { NULL, NULL };

	if (!is_guarded(scop, i))
		return points;
	points.computed = keep_set(scop->mem, isl_set_reset_tuple_id(
		isl_set_copy(scop_stmt_of(scop, i)->domain)));
	if (!f->is_hidden && program_writer(scop->prog, f) == i)
		points.kept = keep_set(scop->mem, kept_cells(scop, f));
	return points;
}

/* Errors and warnings that take sets to find. */
#include "schedule/scop/sets.h"

static bool reads_boundary_value(const struct stmt *s,
	const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		for (int side = 0; side < SIDES; side++)
			if (access_is_mapped_at(s, acc, d, side) &&
			    acc->field->boundary[d][side].kind ==
			    BOUNDARY_VALUE)
				return true;
	return false;
}

/* Does "acc" of "s" read only cells with a value where a boundary stands in for
 * those beyond the grid?  The boundary of a row without values uses cells that
 * have none either; a number is a value, and then all rows need theirs.
 */
static bool boundary_has_values(const struct scop *scop, struct diags *d,
	const struct stmt *s, const struct access *acc)
{
	const struct scop_stmt *writer = scop_writer_of_temp(scop, acc->field);
	isl_set *all = isl_set_copy(writer->domain);
	bool number = reads_boundary_value(s, acc), has;

	for (int i = 0; i < acc->field->n_dims; i++)
		if (number || access_is_mapped(s, acc, i))
			all = isl_set_eliminate(all, isl_dim_set,
				(unsigned) (1 + i), 1);
	all = set_inside(scop, all, writer->stmt->write, true);
	has = isl_set_is_subset(all, writer->domain) == isl_bool_true;
	isl_set_free(all);
	if (has)
		return true;
	diag(d, E_BOUNDARY, acc->at, "a boundary of '%s' stands in for cells "
		"beyond the grid, but not all cells of the grid are computed",
		acc->field->name);
	diag_note(d, writer->stmt->at, "it is computed here, where all reads "
		"lie in the grid");
	diag_advice(d, "give the fields read there boundaries, too");
	return false;
}

static bool boundaries_have_values(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct stmt *s = scop->stmt[i].stmt;

		for (int j = 0; j < s->n_reads; j++)
			if (field_is_temp(s->read[j]->field) &&
			    !boundary_has_values(scop, d, s, s->read[j]))
				return false;
	}
	return true;
}

/* No two statements may write the same value. */
static bool writes_are_disjoint(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->n_stmts; i++)
		for (int j = 0; j < i; j++) {
			const struct scop_stmt *a = &scop->stmt[j];
			const struct scop_stmt *b = &scop->stmt[i];
			isl_set *both;
			bool empty;

			if (a->stmt->write->field != b->stmt->write->field)
				continue;
			both = isl_set_intersect(
				isl_map_range(isl_map_copy(a->write)),
				isl_map_range(isl_map_copy(b->write)));
			both = isl_set_intersect_params(both,
				isl_set_copy(scop->context));
			empty = isl_set_is_empty(both) == isl_bool_true;
			isl_set_free(both);
			if (empty)
				continue;
			diag(d, E_WRITTEN_TWICE, b->stmt->at,
				"'%s' is written by two statements at the "
				"same points", b->stmt->write->field->name);
			diag_note(d, a->stmt->at, "the first one is here");
			return false;
		}
	return true;
}

bool scop_is_sound(const struct scop *scop, struct diags *d)
{
	return boundaries_have_values(scop, d) && writes_are_disjoint(scop, d);
}

static bool has_fixed_size(const struct program *prog)
{
	for (int i = 0; i < prog->n_params; i++)
		if (prog->param[i]->type == TYPE_INT && prog->param[i]->fixed)
			return true;
	return false;
}

/* Statements that never run; with fixed sizes that may be intended. */
static void warn_never(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];

		if (s->is_copy || scop_has_instances(scop, s) ||
		    has_fixed_size(scop->prog))
			continue;
		diag(d, W_NEVER, s->stmt->at, "this computes nothing: its "
			"conditions hold at no point of the grid");
	}
}

void scop_find_idle(struct scop *scop, struct diags *d)
{
	scop->is_idle = true;
	scop->computes = false;
	for (int i = 0; i < scop->n_stmts; i++)
		if (scop_has_instances(scop, &scop->stmt[i])) {
			scop->is_idle = false;
			scop->computes |= !scop->stmt[i].is_copy;
		}
	if (!scop->computes)
		diag(d, W_NOTHING, scop->prog->at, "nothing is ever computed: "
			"with these sizes no statement has a step and a point "
			"in the grid");
	else
		warn_never(scop, d);
	scop_warn_edges(scop, d);
}

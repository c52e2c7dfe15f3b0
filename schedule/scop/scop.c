/* The program as sets. */
#include <isl/id.h>

#include "schedule/scop/sets.h"

static void add_stmt(struct scop *scop, const struct stmt *stmt)
{
	struct scop_stmt *s = &scop->stmt[scop->n_stmts++];

	s->stmt = stmt;
	s->name = stmt->name;
	s->number = stmt->index;
	s->n_reads = stmt->n_reads;
	s->read = (const struct access *const *) stmt->read;
	s->is_mapped = stmt_is_mapped(stmt);
	s->domain = keep_set(scop->mem, scop_domain(scop, stmt));
	s->inside = keep_set(scop->mem, scop_inside(scop, stmt));
	s->hull = keep_set(scop->mem, scop_grid_domain(scop, stmt, false));
	s->write = keep_map(scop->mem,
		access_relation(scop, s->domain, stmt, stmt->write));
}

bool scop_reads(const struct scop *scop, const struct field *field)
{
	for (int i = 0; i < scop->n_stmts; i++)
		for (int j = 0; j < scop->stmt[i].n_reads; j++)
			if (scop->stmt[i].read[j]->field == field)
				return true;
	return false;
}

static __isl_give isl_set *field_cells(const struct scop *scop,
	const struct field *field)
{
	isl_space *space = scop_tuple_space(scop, field->name, field->n_dims);
	isl_set *cells = isl_set_universe(isl_space_copy(space));

	for (int d = 0; d < field->n_dims; d++)
		cells = isl_set_intersect(cells, set_within(space, d,
			affine_of_expr(space, scop->prog, field->size[d])));
	isl_space_free(space);
	return cells;
}

static void refuse_miss(const struct scop *scop, struct diags *d,
	struct miss miss)
{
	if (!miss.field) {
		diag(d, E_OUTSIDE_INPUT, scop->prog->at, "a step reads beyond "
			"the ends of an input");
		return;
	}
	diag(d, E_OUTSIDE_INPUT, miss.at, "a step %s beyond the ends of '%s'",
		miss.field->kind == FIELD_SERIES ? "writes" : "reads",
		miss.field->name);
	diag_note(d, miss.field->at, "it is declared here");
}

/* For some run, with "runs" as its parameters, do all steps stay within the ends of inputs and
 * series?  False after a diagnostic.
 */
static bool inputs_are_large_enough(const struct scop *scop, struct diags *d,
	__isl_keep isl_set *runs)
{
	isl_set *all = isl_set_intersect(isl_set_copy(runs), scop_one_segment(
		scop));
	bool enough = isl_set_is_empty(all) != isl_bool_false ||
		isl_set_is_subset(all, scop->misses) != isl_bool_true;

	if (!enough)
		refuse_miss(scop, d, scop_miss_of_all(scop, all));
	isl_set_free(all);
	return enough;
}

/* The parameters for which there is work and the generated function runs.  NULL
 * after a diagnostic if it would run for none.
 */
static __isl_give isl_set *work_context(const struct scop *scop,
	struct diags *d)
{
	const struct program *prog = scop->prog;
	isl_set *set = scop_valid_sizes(scop);
	isl_set *steps, *runs;

	if (isl_set_is_empty(set) == isl_bool_true) {
		diag(d, E_ASSUME, prog->n_assumes ? prog->assume[0]->at :
			prog->at, "what is assumed holds for no sizes");
		isl_set_free(set);
		return NULL;
	}
	steps = isl_set_intersect(isl_set_params(isl_pw_aff_pos_set(
		scop_steps(scop))), scop_has_steps(scop));
	runs = isl_set_intersect(isl_set_intersect(isl_set_copy(set),
		isl_set_copy(steps)), scop_has_points(scop));
	set = isl_set_intersect(set, scop_large_enough(scop));
	if (isl_set_is_empty(set) == isl_bool_true &&
	    isl_set_is_empty(runs) == isl_bool_false) {
		diag(d, E_TOO_SMALL, prog->at, "a boundary reaches farther "
			"than the grid is large");
		set = isl_set_free(set);
	}
	if (set && !inputs_are_large_enough(scop, d, runs))
		set = isl_set_free(set);
	isl_set_free(runs);
	return set_coalesce(isl_set_subtract(isl_set_intersect(set, steps),
		isl_set_copy(scop->misses)));
}

/* Only computed cells of a temp have a value. */
static void find_values_of_temps(struct scop *scop)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct field *f = scop->stmt[i].stmt->write->field;
		isl_set *cells;

		if (!field_is_temp(f))
			continue;
		cells = isl_map_range(isl_map_copy(scop->stmt[i].write));
		if (f->kind == FIELD_STATE)
			cells = isl_set_set_tuple_name(isl_set_project_out(
				cells, isl_dim_set, 0, 1), f->name);
		scop->field[f->index].cells = keep_set(scop->mem,
			set_coalesce(cells));
	}
}

struct scop *scop_build(struct region *mem, isl_ctx *ctx, struct diags *d,
	const struct program *prog)
{
	struct scop *scop = region_new_of(mem, struct scop);
	isl_set *context;

	if (!program_is_supported(mem, d, prog))
		return NULL;
	scop->mem = mem;
	scop->ctx = ctx;
	scop->prog = prog;
	scop->k = prog->n_stmts;
	scop->stmt = region_array(mem, struct scop_stmt, 2 * prog->n_stmts);
	scop->field = region_array(mem, struct scop_field, prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++) {
		scop->field[i].field = prog->field[i];
		scop->field[i].cells = keep_set(mem,
			field_cells(scop, prog->field[i]));
	}
	scop->range = program_ranges(mem, prog);
	scop->misses = keep_set(mem, scop_misses(scop));
	context = work_context(scop, d);
	if (!context)
		return NULL;
	scop->context = keep_set(mem, context);
	scop->known = region_new_of(mem, struct known);
	scop->known->mem = mem;
	scop->together = region_array(mem, const struct scop *, 1);
	for (int i = 0; i < prog->n_stmts; i++) {
		scop->n_dims = larger(scop->n_dims, prog->stmt[i]->n_dims);
		add_stmt(scop, prog->stmt[i]);
	}
	if (!scop_is_sound(scop, d) || !scop_series_are_apart(scop, d))
		return NULL;
	find_values_of_temps(scop);
	scop_choose_copies(scop);
	scop_add_copy_statements(scop);
	scop_find_guards(scop);
	scop_find_idle(scop, d);
	scop->deps = deps_compute(scop);
	return scop;
}

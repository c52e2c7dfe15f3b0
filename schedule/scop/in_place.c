/* Statements that read the field and step that they write, at points that none of their
 * instances writes: those of another colour.
 */
#include "ir/rewrite.h"
#include "ir/waves.h"
#include "schedule/scop/passes.h"
#include "schedule/scop/sets.h"

/* Are they one field, or the parts of a complex one? */
static bool are_parts_of_one(const struct field *a, const struct field *b)
{
	return a == b || (a->n_lanes && b->n_lanes && a->whole == b->whole &&
		a->part == b->part);
}

/* Does "acc" read what "s", or the other part of a complex number, writes, at the same step? */
static bool is_of_own_step(const struct stmt *s, const struct access *acc)
{
	return has_version(acc->field) && acc->version == 1 &&
		are_parts_of_one(acc->field, s->write->field);
}

/* A sweep may read them in any case; ir/waves.h has its conditions. */
static bool reads_own_step(const struct stmt *s)
{
	for (int i = 0; i < s->n_reads && !s->sweeps; i++)
		if (is_of_own_step(s, s->read[i]))
			return true;
	return false;
}

/* Does "acc" of "s" read a cell and step that "writer" writes? */
static bool reads_what_writes(const struct scop *scop, const struct stmt *s,
	const struct access *acc, const struct stmt *writer)
{
	isl_set *of_s = scop_domain(scop, s);
	isl_set *of_writer = scop_domain(scop, writer);
	isl_set *both = isl_set_intersect(isl_map_range(access_relation(scop,
		of_s, s, acc)), isl_map_range(access_relation(scop, of_writer,
		writer, writer->write)));
	bool empty;

	both = isl_set_intersect_params(both, scop_valid_sizes(scop));
	empty = isl_set_is_empty(both) == isl_bool_true;
	isl_set_free(of_s);
	isl_set_free(of_writer);
	isl_set_free(both);
	return !empty;
}

static bool refuse_unfinished(struct diags *d, const struct access *acc,
	const struct stmt *s, const struct stmt *writer)
{
	bool own = stmts_are_of_one(s, writer);

	diag(d, own ? E_GAUSS_SEIDEL : E_NOT_COMPUTED, acc->at,
		"'%s' is read, at some points that %s statement computes",
		acc->field->name, own ? "this" : "a later");
	diag_note(d, writer->at, "they are computed here");
	diag_advice(d, "divide the points with 'on (...)' so that all that is "
		"read is computed by statements before this one, or read "
		"the step before");
	return false;
}

/* Does "acc" of "s" read nothing that this or a later statement writes?  False after a
 * diagnostic. "*computed": does an earlier one write its field?
 */
static bool is_finished(const struct scop *scop, struct diags *d,
	const struct stmt *s, const struct access *acc, bool *computed)
{
	const struct program *prog = scop->prog;

	*computed = false;
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *w = prog->stmt[i];

		if (w->write->field != acc->field)
			continue;
		if (i < s->index && !stmts_are_of_one(w, s))
			*computed = true;
		else if (reads_what_writes(scop, s, acc, w))
			return refuse_unfinished(d, acc, s, w);
	}
	return true;
}

static const struct access *of_step_before(const struct rewrite *w,
	const struct access *a)
{
	struct access *before;

	if (!is_of_own_step(w->user, a))
		return a;
	before = region_new_of(w->mem, struct access);
	*before = *a;
	before->version = 0;
	return before;
}

/* "s"; or, if no earlier statement writes its field, "s" with reads of its own step turned into
 * reads of the step before, whose values stay.  NULL after a diagnostic.
 */
static const struct stmt *settle(const struct scop *scop, struct diags *d,
	const struct stmt *s)
{
	const struct rewrite w = { .mem = scop->mem, .access = of_step_before,
		.user = s };
	bool computed = true;

	for (int i = 0; i < s->n_reads; i++)
		if (is_of_own_step(s, s->read[i]) &&
		    !is_finished(scop, d, s, s->read[i], &computed))
			return NULL;
	return computed ? s : stmt_rewrite(&w, s);
}

const struct program *program_settle_reads(const struct scop *scop,
	struct diags *d, const struct program *prog)
{
	struct scop of = { .mem = scop->mem, .ctx = scop->ctx, .prog = prog };
	struct program *result = region_new_of(scop->mem, struct program);
	bool any = false;

	for (int i = 0; i < prog->n_stmts; i++)
		any = any || reads_own_step(prog->stmt[i]);
	if (!any)
		return prog;
	*result = *prog;
	of.stmt = scop->stmt;
	result->stmt = region_array(scop->mem, struct stmt *, prog->n_stmts);
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		s = reads_own_step(s) ? settle(&of, d, s) : s;
		if (!s)
			return NULL;
		result->stmt[i] = (struct stmt *) s;
	}
	return result;
}

/* Sweeps ------------------------------------------------------------------- */

/* { [y] } of the cells that "acc" of "s" touches at some step. */
static __isl_give isl_set *cells_of(const struct scop *scop,
	const struct stmt *s, const struct access *acc)
{
	isl_set *domain = scop_domain(scop, s);
	isl_set *cells = isl_map_range(access_relation(scop, domain, s, acc));

	isl_set_free(domain);
	return isl_set_project_out(cells, isl_dim_set, 0, 1);
}

static bool meets(const void *user, const struct stmt *s,
	const struct access *acc, const struct stmt *w)
{
	const struct scop *of = user;
	isl_set *both = isl_set_intersect(cells_of(of, s, acc),
		cells_of(of, w, w->write));
	bool any;

	both = isl_set_intersect_params(both, scop_valid_sizes(of));
	any = isl_set_is_empty(both) != isl_bool_true;
	isl_set_free(both);
	return any;
}

const struct program *program_by_waves(struct region *mem, isl_ctx *ctx,
	struct diags *d, const struct program *prog)
{
	struct scop scop = { .prog = prog };
	const struct sweep_meetings meetings = { meets, &scop };

	if (program_sweeps(prog))
		scop = scop_with_domains(mem, ctx, prog);
	return program_in_waves(mem, d, prog, &meetings);
}

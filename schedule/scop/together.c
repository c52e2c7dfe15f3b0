/* Statements of a step that run in one row, as the nine directions of a lattice Boltzmann method:
 * none needs what another one computes, and they share most of what they read.  Tiles then have
 * one row for all of them, so they lean less, and code may compute once what they have in common.
 */
#include "ir/rewrite.h"
#include "schedule/scop/sets.h"

/* Statements "first" .. "end" - 1 of the program. */
struct run {
	int first, end;
};

/* Does "s" read what "writer" computes in the same step? */
static bool needs(const struct stmt *s, const struct stmt *writer)
{
	const struct field *f = writer->write->field;

	for (int i = 0; i < s->n_reads; i++)
		if (s->read[i]->field == f && (!has_version(f) ||
		    s->read[i]->version > 0))
			return true;
	return false;
}

/* Does a step write a cell by both? */
static bool write_one_cell(const struct scop_stmt *a, const struct scop_stmt *b)
{
	isl_set *of_a, *of_b;
	bool apart;

	if (a->stmt->write->field != b->stmt->write->field)
		return false;
	of_a = isl_set_reset_tuple_id(isl_set_copy(a->domain));
	of_b = isl_set_reset_tuple_id(isl_set_copy(b->domain));
	apart = isl_set_is_disjoint(of_a, of_b) == isl_bool_true;
	isl_set_free(of_a);
	isl_set_free(of_b);
	return !apart;
}

/* May statement run.end join the others? */
static bool may_join(const struct scop *scop, struct run run)
{
	const struct scop_stmt *s = &scop->stmt[run.end];

	for (int i = run.first; i < run.end; i++) {
		const struct scop_stmt *other = &scop->stmt[i];

		if (!has_version(other->stmt->write->field) ||
		    needs(s->stmt, other->stmt) ||
		    needs(other->stmt, s->stmt) || write_one_cell(s, other))
			return false;
	}
	return has_version(s->stmt->write->field);
}

/* Does a statement before "s" in the run, or a read before, read the same cell? */
static bool is_read_before(const struct program *prog, struct run run, int s,
	int read)
{
	const struct access *acc = prog->stmt[s]->read[read];

	for (int i = run.first; i <= s; i++)
		for (int j = 0; j < (i < s ? prog->stmt[i]->n_reads : read); j++)
			if (access_same_cell(prog->stmt[i]->read[j], acc))
				return true;
	return false;
}

/* Are half of the reads, at least, of cells that others of the run read, too? */
static bool share_reads(const struct program *prog, struct run run)
{
	int reads = 0, cells = 0;

	for (int i = run.first; i < run.end; i++)
		for (int j = 0; j < prog->stmt[i]->n_reads; j++) {
			reads++;
			cells += !is_read_before(prog, run, i, j);
		}
	return run.end - run.first > 1 && reads >= 2 * cells;
}

/* Number the statements, those of a run alike; how many numbers there are. */
static int number_runs(struct scop *scop)
{
	const int n = scop->prog->n_stmts;
	int numbers = 0;

	for (struct run run = { 0, 0 }; run.first < n; run.first = run.end) {
		bool together;

		run.end = run.first + 1;
		while (run.end < n && may_join(scop, run))
			run.end++;
		together = share_reads(scop->prog, run);
		for (int i = run.first; i < run.end; i++)
			scop->stmt[i].number = together ? numbers : numbers++;
		numbers += together;
	}
	return numbers;
}

/* Lists, ranks' blocks and what is reduced count on a row for each statement. */
static bool is_plain(const struct program *prog)
{
	bool plain = prog->timed && !prog->waves && !prog->n_reductions;

	for (int i = 0; plain && i < prog->n_stmts; i++)
		plain = !prog->stmt[i]->n_listed && !prog->stmt[i]->needed &&
			!prog->stmt[i]->sweeps;
	return plain;
}

/* "scop" with its statements alone, which may then be numbered. */
static struct scop *without_copies(const struct scop *scop)
{
	struct scop *copy = region_new_of(scop->mem, struct scop);
	const struct program *prog = scop->prog;

	*copy = *scop;
	copy->stmt = region_array(scop->mem, struct scop_stmt,
		2 * prog->n_stmts);
	copy->field = region_array(scop->mem, struct scop_field,
		prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++)
		copy->field[i] = scop->field[i];
	copy->n_stmts = 0;
	for (int i = 0; i < scop->n_stmts; i++)
		if (!scop->stmt[i].is_copy)
			copy->stmt[copy->n_stmts++] = scop->stmt[i];
	return copy;
}

static const struct scop *together(const struct scop *scop)
{
	struct scop *copy;

	if (!is_plain(scop->prog))
		return scop;
	copy = without_copies(scop);
	copy->k = number_runs(copy);
	if (copy->k == scop->k)
		return scop;
	scop_choose_copies(copy);
	scop_add_copy_statements(copy);
	scop_find_guards(copy);
	copy->deps = deps_compute(copy);
	return deps_advance(copy->deps) ? copy : scop;
}

const struct scop *scop_together(const struct scop *scop)
{
	if (!*scop->together)
		*scop->together = together(scop);
	return *scop->together;
}

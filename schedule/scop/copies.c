/* The copies of a state: how many the code rotates, and where a value carries
 * over from one to the next because no statement computes it.
 */
#include "ir/reduction.h"
#include "schedule/scop/sets.h"

/* Copy statements --------------------------------------------------------- */

bool program_writes_same_cells(const struct program *prog,
	const struct field *field)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_conditions; j++)
			if (prog->stmt[i]->write->field == field &&
			    expr_any(prog->stmt[i]->condition[j],
				expr_is_time))
				return false;
	return true;
}

/* { S[t, x] : no statement writes version t+1 of the cell x of the field }
 * in the space of "like", the last statement that writes the field.
 */
static __isl_give isl_set *unwritten(const struct scop *scop,
	const struct scop_stmt *like)
{
	const struct access *write = like->stmt->write;
	isl_space *space = isl_set_get_space(like->domain);
	isl_set *rest = set_inside(scop, scop_time_range(scop, space), write,
		true);

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];
		isl_set *domain;

		if (s->is_copy || s->stmt->write->field != write->field)
			continue;
		domain = isl_set_set_tuple_name(isl_set_copy(s->domain),
			like->name);
		rest = isl_set_subtract(rest, domain);
	}
	isl_space_free(space);
	return rest;
}

/* The last statement that writes "field", or NULL. */
static const struct scop_stmt *last_writer(const struct scop *scop,
	const struct field *field)
{
	for (int i = scop->n_stmts - 1; i >= 0; i--)
		if (!scop->stmt[i].is_copy &&
		    scop->stmt[i].stmt->write->field == field)
			return &scop->stmt[i];
	return NULL;
}

/* The statement in whose row "field" is copied: the last one that writes it, or the first one
 * if a statement reads the step that it writes, because values read there must have been
 * copied.
 */
static const struct scop_stmt *copied_with(const struct scop *scop,
	const struct field *field)
{
	const struct scop_stmt *first = NULL;
	bool in_place = false;

	for (int i = scop->n_stmts - 1; i >= 0; i--) {
		const struct stmt *s = scop->stmt[i].stmt;

		if (scop->stmt[i].is_copy || s->write->field != field)
			continue;
		first = &scop->stmt[i];
		for (int j = 0; j < s->n_reads; j++)
			in_place |= s->read[j]->field == field &&
				s->read[j]->version == 1;
	}
	return in_place ? first : last_writer(scop, field);
}

/* Where no statement writes a cell, its value carries over to the next step.
 * If those cells are the same at each step, all copies of them hold one value
 * once each copy has been written, so only the first steps need the copy.
 * These are t <= buffers - 2, and not t = 0 if the copy of version 1 is
 * scratch, which the generated code fills with version 0 at the start: of a run, or of a
 * first segment that writes all copies.
 */
static __isl_give isl_set *copy_domain(const struct scop *scop,
	const struct scop_stmt *writer, bool *is_brief)
{
	const struct field *field = writer->stmt->write->field;
	int buffers = scop->field[field->index].buffers;
	int first = buffers > field->depth && segments_are_at_least(scop->prog,
		buffers - 1) ? 1 : 0;
	isl_set *domain = unwritten(scop, writer);

	*is_brief = program_writes_same_cells(scop->prog, field) &&
		!scop->field[field->index].always_copied;
	if (*is_brief)
		domain = set_between(domain, 0, first, buffers - 2);
	return set_coalesce(domain);
}

/* { S[t, x] : x in the grid of the field, at each step } */
static __isl_give isl_set *copy_hull(const struct scop *scop,
	const struct scop_stmt *writer)
{
	isl_space *space = isl_set_get_space(writer->domain);
	isl_set *hull = set_inside(scop, scop_time_range(scop, space),
		writer->stmt->write, true);

	isl_space_free(space);
	return hull;
}

static void add_copy_statement(struct scop *scop,
	const struct scop_stmt *writer)
{
	struct scop_stmt *s = &scop->stmt[scop->n_stmts];
	struct access *copied = region_new_of(scop->mem, struct access);
	const struct access **read = region_array(scop->mem,
		const struct access *, 1);
	bool is_brief;
	isl_set *domain = copy_domain(scop, writer, &is_brief);

	if (isl_set_is_empty(domain) != isl_bool_false) {
		isl_set_free(domain);
		return;
	}
	scop->n_stmts++;
	*s = *writer;
	s->name = region_printf(scop->mem, "%s_copy", writer->name);
	s->is_copy = true;
	*copied = *writer->stmt->write;
	copied->version = 0;
	*read = copied;
	s->n_reads = 1;
	s->read = read;
	s->is_brief = is_brief;
	s->is_mapped = false;
	s->domain = keep_set(scop->mem,
		isl_set_set_tuple_name(domain, s->name));
	s->inside = keep_set(scop->mem, isl_set_set_tuple_name(
		isl_set_copy(writer->inside), s->name));
	s->hull = keep_set(scop->mem, isl_set_set_tuple_name(
		copy_hull(scop, writer), s->name));
	s->write = keep_map(scop->mem, access_relation(scop, s->domain,
		writer->stmt, writer->stmt->write));
}

void scop_add_copy_statements(struct scop *scop)
{
	const struct program *prog = scop->prog;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct scop_stmt *writer;

		if (prog->field[i]->kind != FIELD_STATE ||
		    prog->field[i]->is_hidden ||
		    (prog->waves && scop->field[i].buffers == 1))
			continue;
		writer = copied_with(scop, prog->field[i]);
		if (writer)
			add_copy_statement(scop, writer);
	}
}

/* How many ----------------------------------------------------------------- */

/* Does "limit" contain each distance of "cone"? */
static bool is_within(const struct cone *cone, const struct cone *limit)
{
	for (int i = 0; i < cone->n_dims; i++)
		if (rational_is_greater(cone->delta0[i], limit->delta0[i]) ||
		    rational_is_greater(cone->delta1[i], limit->delta1[i]))
			return false;
	return true;
}

/* Together with the copy statement of "field" that matches its copies: it
 * overwrites what others may still have to read.
 */
static struct outcome outcome_with_copies(struct scop *scop,
	const struct field *field)
{
	const struct scop_stmt *writer = copied_with(scop, field);
	int n = scop->n_stmts;
	struct outcome o;

	if (writer && !field->is_hidden)
		add_copy_statement(scop, writer);
	o = outcome_through(scop, field);
	scop->n_stmts = n;
	return o;
}

static void widen_to(struct rational *r, struct rational other)
{
	if (rational_is_greater(other, *r))
		*r = other;
}

static struct outcome outcome_of_all(const struct outcome *one, int n)
{
	struct outcome all = one[0];

	for (int i = 1; i < n; i++) {
		all.advances = all.advances && one[i].advances;
		all.bounded = all.bounded && one[i].bounded;
		for (int d = 0; all.bounded && d < all.cone.n_dims; d++) {
			widen_to(&all.cone.delta0[d], one[i].cone.delta0[d]);
			widen_to(&all.cone.delta1[d], one[i].cone.delta1[d]);
		}
	}
	return all;
}

/* A state has as many copies as the caller passes if dependences then still
 * advance in time, and reach no farther than with one more; in waves it has
 * one.
 */
void scop_choose_copies(struct scop *scop)
{
	const struct program *prog = scop->prog;
	int n = prog->n_fields;
	struct outcome *through = region_array(scop->mem, struct outcome, n);
	struct outcome wide, before, narrow;

	for (int i = 0; i < n && prog->waves; i++)
		scop->field[i].buffers = 1;
	if (prog->waves)
		return;
	for (int i = 0; i < n; i++) {
		scop->field[i].buffers = prog->field[i]->kind == FIELD_STATE ?
			prog->field[i]->depth + 1 : 1;
		through[i] = outcome_through(scop, prog->field[i]);
	}
	wide = outcome_of_all(through, n);
	for (int i = 0; i < n; i++) {
		if (prog->field[i]->kind != FIELD_STATE)
			continue;
		before = through[i];
		scop->field[i].buffers = prog->field[i]->depth;
		through[i] = outcome_with_copies(scop, prog->field[i]);
		narrow = outcome_of_all(through, n);
		if (!narrow.advances || (wide.bounded && !(narrow.bounded &&
		    is_within(&narrow.cone, &wide.cone)))) {
			scop->field[i].buffers++;
			through[i] = before;
		}
	}
}

/* Tiles that overlap ------------------------------------------------------- */

/* Does a step read version t+1 of "field", which it computes itself? */
static bool is_read_at_once(const struct program *prog,
	const struct field *field)
{
	for (int i = 0; i < prog->n_stmts; i++)
		for (int j = 0; j < prog->stmt[i]->n_reads; j++)
			if (prog->stmt[i]->read[j]->field == field &&
			    prog->stmt[i]->read[j]->version == 1)
				return true;
	return false;
}

struct scop *scop_for_overlap(const struct scop *scop)
{
	struct scop *copy = region_new_of(scop->mem, struct scop);
	const struct program *prog = scop->prog;

	*copy = *scop;
	copy->stmt = region_array(scop->mem, struct scop_stmt, 2 * scop->k);
	copy->field = region_array(scop->mem, struct scop_field,
		prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++) {
		struct scop_field *f = &copy->field[i];

		*f = scop->field[i];
		if (prog->field[i]->kind == FIELD_STATE)
			f->buffers = prog->field[i]->is_hidden ? 1 :
				prog->field[i]->depth + 1;
		f->always_copied = is_read_at_once(prog, prog->field[i]);
	}
	copy->n_stmts = 0;
	for (int i = 0; i < scop->n_stmts; i++)
		if (!scop->stmt[i].is_copy)
			copy->stmt[copy->n_stmts++] = scop->stmt[i];
	scop_add_copy_statements(copy);
	scop_find_guards(copy);
	return copy;
}

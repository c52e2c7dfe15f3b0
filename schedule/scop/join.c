/* Statements that divide the points of a state among them, as two materials do: strips and other
 * tiles of several steps want one statement for each state.
 */
#include <string.h>

#include "ir/join.h"
#include "schedule/scop/passes.h"
#include "schedule/scop/sets.h"

enum { MOST_JOINED = 8 };

/* The statements that write "field", in their order. */
struct writers {
	const struct field *field;
	int n;
	const struct stmt *stmt[MOST_JOINED];
};

static bool find_writers(const struct program *prog, struct writers *w)
{
	w->n = 0;
	for (int i = 0; i < prog->n_stmts; i++) {
		if (prog->stmt[i]->write->field != w->field)
			continue;
		if (w->n == MOST_JOINED)
			return false;
		w->stmt[w->n++] = prog->stmt[i];
	}
	return w->n > 1;
}

static bool reads_step(const struct stmt *s, const struct field *field)
{
	for (int i = 0; i < s->n_reads; i++)
		if (s->read[i]->field == field && s->read[i]->version > 0)
			return true;
	return false;
}

/* .. at points that both call alike? */
static bool write_alike(const struct stmt *a, const struct stmt *b)
{
	bool alike = a->n_dims == b->n_dims;

	for (int d = 0; alike && d < a->n_dims; d++)
		alike = !strcmp(a->iterator[d], b->iterator[d]) &&
			access_same_along(a->write, d, b->write, d);
	return alike;
}

/* Do both list the same? */
static bool list_alike(const struct stmt *a, const struct stmt *b)
{
	bool alike = a->n_listed == b->n_listed;

	for (int i = 0; alike && i < a->n_listed; i++)
		alike = a->listed[i] == b->listed[i];
	return alike;
}

/* Does "s" read what a later statement computes more of in the same step, as that for the real
 * part of a complex number may do with the imaginary one?
 */
static bool reads_unfinished(const struct program *prog, const struct stmt *s)
{
	for (int i = s->index + 1; i < prog->n_stmts; i++)
		if (reads_step(s, prog->stmt[i]->write->field))
			return true;
	return false;
}

/* May the last writer compute what all of them do, when its turn comes? */
static bool can_wait(const struct program *prog, const struct writers *w)
{
	for (int i = 0; i < w->n; i++)
		if (!w->stmt[i]->n_conditions || w->stmt[i]->sweeps ||
		    w->stmt[i]->needed || reads_unfinished(prog, w->stmt[i]) ||
		    !list_alike(w->stmt[i], w->stmt[0]) ||
		    !write_alike(w->stmt[i], w->stmt[0]))
			return false;
	for (int i = w->stmt[0]->index; i <= w->stmt[w->n - 1]->index; i++)
		if (reads_step(prog->stmt[i], w->field))
			return false;
	return true;
}

__isl_give isl_set *scop_unnamed(const struct scop *scop,
	__isl_take isl_set *set)
{
	return isl_set_intersect_params(isl_set_reset_tuple_id(set),
		scop_valid_sizes(scop));
}

static bool has_domain(const struct scop *scop, const struct stmt *s,
	__isl_keep isl_set *domain)
{
	isl_set *own = scop_unnamed(scop, scop_domain(scop, s));
	bool equal = isl_set_is_equal(own, domain) == isl_bool_true;

	isl_set_free(own);
	return equal;
}

/* "a", computed in "*domain", and "b" as one, and "*domain" with that of "b"; NULL if a point
 * could have two values, or would be left out, or if one of them has none, which is worth a warning.
 */
static const struct stmt *pair(const struct scop *scop, const struct stmt *a,
	const struct stmt *b, isl_set **domain)
{
	isl_set *other = scop_unnamed(scop, scop_domain(scop, b));
	isl_set *chosen = scop_unnamed(scop, scop_points(scop, a));
	bool apart = isl_set_is_disjoint(chosen, other) == isl_bool_true &&
		isl_set_is_empty(chosen) == isl_bool_false &&
		isl_set_is_empty(other) == isl_bool_false;
	const struct stmt *both;

	isl_set_free(chosen);
	*domain = isl_set_union(*domain, other);
	if (!apart)
		return NULL;
	both = stmt_join(scop->mem, a, b);
	return both->value->type == a->value->type &&
		has_domain(scop, both, *domain) ? both : NULL;
}

/* "s" without conditions if they leave out no point of "domain". */
static const struct stmt *unconditional(const struct scop *scop,
	const struct stmt *s, __isl_keep isl_set *domain)
{
	struct stmt *bare = region_new_of(scop->mem, struct stmt);

	*bare = *s;
	bare->n_conditions = 0;
	return has_domain(scop, bare, domain) ? bare : s;
}

/* NULL: they stay as they are. */
static const struct stmt *joined(const struct scop *scop,
	const struct writers *w)
{
	const struct stmt *all = w->stmt[0];
	isl_set *domain;

	if (!can_wait(scop->prog, w))
		return NULL;
	domain = scop_unnamed(scop, scop_domain(scop, all));
	for (int i = 1; all && i < w->n; i++)
		all = pair(scop, all, w->stmt[i], &domain);
	if (all)
		all = unconditional(scop, all, domain);
	isl_set_free(domain);
	return all;
}

/* What stands at the place of "s": of writers that become one "all", the last one. */
static const struct stmt *in_place_of(const struct stmt *s,
	const struct writers *w, const struct stmt *all)
{
	return s->write->field != w->field ? s :
		s == w->stmt[w->n - 1] ? all : NULL;
}

static struct program *with_joined(const struct scop *scop,
	const struct writers *w, const struct stmt *all)
{
	struct program *result = region_new_of(scop->mem, struct program);

	*result = *scop->prog;
	result->n_stmts = 0;
	result->stmt = region_array(scop->mem, struct stmt *,
		scop->prog->n_stmts);
	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct stmt *s = in_place_of(scop->prog->stmt[i], w, all);

		if (s)
			program_append(scop->mem, result, s);
	}
	return result;
}

struct scop scop_with_domains(struct region *mem, isl_ctx *ctx,
	const struct program *prog)
{
	struct scop scop = { .mem = mem, .ctx = ctx, .prog = prog,
		.range = program_ranges(mem, prog) };

	scop.stmt = region_array(mem, struct scop_stmt, prog->n_stmts);
	for (int i = 0; i < prog->n_stmts; i++)
		scop_begin_statement(&scop, i);
	return scop;
}

/* { sizes : boundaries reach no farther than the grids } */
static __isl_give isl_set *served_sizes(const struct scop *scop)
{
	return isl_set_intersect(scop_large_enough(scop),
		scop_valid_sizes(scop));
}

/* A choice may ask less of a grid than conditions in front of statements do. */
static bool serve_the_same_sizes(const struct scop *a, const struct scop *b)
{
	isl_set *of_a = served_sizes(a), *of_b = served_sizes(b);
	bool same = isl_set_is_equal(of_a, of_b) == isl_bool_true;

	isl_set_free(of_a);
	isl_set_free(of_b);
	return same;
}

const struct program *program_join_statements(struct region *mem, isl_ctx *ctx,
	const struct program *prog)
{
	for (int f = 0; f < prog->n_fields; f++) {
		struct scop scop, after;
		struct writers w = { .field = prog->field[f] };
		const struct stmt *all;

		if (!has_version(w.field) || !find_writers(prog, &w))
			continue;
		scop = scop_with_domains(mem, ctx, prog);
		all = joined(&scop, &w);
		if (!all)
			continue;
		after = scop_with_domains(mem, ctx, with_joined(&scop, &w, all));
		if (serve_the_same_sizes(&scop, &after))
			prog = after.prog;
	}
	return prog;
}

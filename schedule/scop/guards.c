/* What runs in full tiles. */
#include "schedule/scop/sets.h"

/* If one of the "known" instances runs, does the one "by" points further along
 * dimension "d", and the other way round, by "runs"?
 */
static bool recurs(__isl_keep isl_set *known, __isl_keep isl_set *runs, int d,
	int by)
{
	isl_set *both = isl_set_intersect(isl_set_copy(known),
		shift_dim(isl_set_copy(known), 1 + d, -by));
	isl_set *here = isl_set_intersect(isl_set_copy(runs),
		isl_set_copy(both));
	isl_set *there = isl_set_intersect(both,
		shift_dim(isl_set_copy(runs), 1 + d, -by));
	bool equal = isl_set_is_equal(here, there) == isl_bool_true;

	isl_set_free(here);
	isl_set_free(there);
	return equal;
}

/* Find the least period of the condition of "s" in each dimension; give up for conditions of
 * many parts.
 */
static void find_periods(const struct scop *scop, struct scop_stmt *s,
	__isl_keep isl_set *known, __isl_keep isl_set *runs)
{
	enum { MOST_PERIOD = 4, MOST_PARTS = 4 };
	isl_set *all, *some;

	if (isl_set_n_basic_set(runs) > MOST_PARTS)
		return;
	all = isl_set_reset_tuple_id(isl_set_copy(known));
	some = isl_set_reset_tuple_id(isl_set_copy(runs));
	for (int d = 0; d < scop->n_dims && d < s->stmt->n_dims; d++)
		for (int by = MOST_PERIOD; by > 0; by--)
			if (recurs(all, some, d, by))
				s->period[d] = by;
	isl_set_free(all);
	isl_set_free(some);
}

void scop_find_guards(struct scop *scop)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		struct scop_stmt *s = &scop->stmt[i];
		isl_set *known = isl_set_intersect_params(
			isl_set_copy(s->inside), isl_set_copy(scop->context));
		isl_set *runs = isl_set_intersect(isl_set_copy(known),
			isl_set_copy(s->domain));

		s->in_full = !s->is_copy ||
			isl_set_is_empty(runs) != isl_bool_true;
		s->is_guarded = s->in_full && (s->is_copy ||
			isl_set_is_subset(known, runs) != isl_bool_true);
		if (s->is_guarded || (s->in_full &&
		    program_count_writers(scop->prog, s->stmt->write->field) > 1))
			scop->is_guarded = true;
		if (s->is_guarded)
			find_periods(scop, s, known, runs);
		isl_set_free(known);
		isl_set_free(runs);
		s->takes_turns = program_count_writers(scop->prog,
			s->stmt->write->field) > 1 &&
			!program_writes_same_cells(scop->prog,
				s->stmt->write->field);
	}
}

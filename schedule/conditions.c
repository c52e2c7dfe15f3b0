/* Conditions whose edge the grid cuts off: they were meant to keep reads within
 * it, and are one off.
 */
#include "schedule/schedule.h"

#include "base/base.h"

enum { FARTHEST = 16 };		/* points that a bound may be off */

/* A comparison in a condition of "s" with a single index and no time. */
struct bound {
	const struct scop *scop;
	const struct scop_stmt *s;
	const struct expr *comparison;
	isl_set *points;	/* of the grid, where the conditions hold */
};

/* How often "e" has an index, or worse. */
static int count_indices(const struct expr *e)
{
	int n = e->kind == EXPR_INDEX;

	if (e->kind == EXPR_TIME)
		return 2;
	for (int i = 0; i < e->n_args; i++)
		n += count_indices(e->arg[i]);
	return n;
}

static bool is_bound(const struct expr *e)
{
	return e->kind == EXPR_BINARY && (e->op == OP_LT || e->op == OP_LE ||
		e->op == OP_GT || e->op == OP_GE) && count_indices(e) == 1;
}

/* { S[t, x] : the comparison holds with "shift" to spare } */
static __isl_give isl_set *points_of_edge(const struct bound *bound, int shift)
{
	struct region *mem = bound->scop->mem;
	const struct expr *e = bound->comparison;
	bool below = e->op == OP_LT || e->op == OP_LE;
	bool strict = e->op == OP_LT || e->op == OP_GT;
	const struct expr *distance = expr_binary(mem, OP_SUB,
		e->arg[below], e->arg[!below], e->at);
	const struct expr *at_edge = expr_binary(mem, OP_EQ, distance,
		expr_int(mem, strict + shift, e->at), e->at);
	isl_space *space = isl_set_get_space(bound->points);
	isl_set *set = set_of_condition(space, bound->scop->prog, at_edge);

	isl_space_free(space);
	return isl_set_intersect(set, isl_set_copy(bound->points));
}

static bool is_computed(const struct bound *bound, __isl_take isl_set *points)
{
	isl_set *runs = isl_set_intersect(points,
		isl_set_copy(bound->s->domain));
	bool is = isl_set_is_empty(runs) == isl_bool_false;

	isl_set_free(runs);
	return is;
}

/* The points by which the edge has to move until some are computed; 0 if it has
 * some, or none are.
 */
static int distance_to_computed(const struct bound *bound)
{
	isl_set *first = points_of_edge(bound, 0);
	bool has_points = isl_set_is_empty(first) == isl_bool_false;

	if (!has_points || is_computed(bound, isl_set_copy(first))) {
		isl_set_free(first);
		return 0;
	}
	isl_set_free(first);
	for (int shift = 1; shift <= FARTHEST; shift++)
		if (is_computed(bound, points_of_edge(bound, shift)))
			return shift;
	return 0;
}

/* The read that lies outside the grid at all points of the edge, or NULL. */
static const struct access *read_outside(const struct bound *bound)
{
	const struct stmt *stmt = bound->s->stmt;
	const struct access *found = NULL;

	for (int i = 0; i < stmt->n_reads && !found; i++) {
		isl_set *points = points_of_edge(bound, 0);
		isl_space *space = isl_set_get_space(points);

		points = isl_set_intersect(points, access_inside(bound->scop,
			space, stmt->read[i], false));
		if (isl_set_is_empty(points) == isl_bool_true)
			found = stmt->read[i];
		isl_space_free(space);
		isl_set_free(points);
	}
	return found;
}

/* Have statements before "s" the comparison "e" of the text, too? */
static bool was_met(const struct scop *scop, const struct scop_stmt *s,
	const struct expr *e)
{
	for (const struct scop_stmt *o = scop->stmt; o < s; o++)
		for (int i = 0; i < o->stmt->n_conditions; i++)
			if (o->stmt->condition[i]->at.start <= e->at.start &&
			    e->at.end <= o->stmt->condition[i]->at.end)
				return true;
	return false;
}

static void warn_edge(const struct bound *bound, struct diags *d)
{
	const struct access *acc;
	int distance;

	if (was_met(bound->scop, bound->s, bound->comparison))
		return;
	distance = distance_to_computed(bound);
	acc = distance ? read_outside(bound) : NULL;
	if (!acc)
		return;
	diag(d, W_EDGE, bound->comparison->at, "the points at the edge of this "
		"condition are not computed: a read of theirs lies outside "
		"the grid");
	diag_note(d, acc->at, "it is this read");
	diag_advice(d, "move the bound inwards by %d, or give '%s' a boundary",
		distance, acc->field->name);
}

/* "e" and all that it is the conjunction of. */
static void warn_edges_of(struct bound *bound, struct diags *d,
	const struct expr *e)
{
	if (e->kind == EXPR_BINARY && e->op == OP_AND) {
		warn_edges_of(bound, d, e->arg[0]);
		warn_edges_of(bound, d, e->arg[1]);
	}
	if (!is_bound(e))
		return;
	bound->comparison = e;
	warn_edge(bound, d);
}

/* { S[t, x] : x lies in the grid and the conditions hold } */
static __isl_give isl_set *points_of_conditions(const struct scop *scop,
	const struct scop_stmt *s)
{
	isl_space *space = isl_set_get_space(s->domain);
	isl_set *set = access_inside(scop, space, s->stmt->write, true);

	for (int i = 0; i < s->stmt->n_conditions; i++)
		set = isl_set_intersect(set, set_of_condition(space,
			scop->prog, s->stmt->condition[i]));
	isl_space_free(space);
	return isl_set_intersect_params(set, isl_set_copy(scop->context));
}

void scop_warn_edges(const struct scop *scop, struct diags *d)
{
	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];
		struct bound bound = { .scop = scop, .s = s };

		if (s->is_carry || !s->stmt->n_conditions)
			continue;
		bound.points = points_of_conditions(scop, s);
		for (int j = 0; j < s->stmt->n_conditions; j++)
			warn_edges_of(&bound, d, s->stmt->condition[j]);
		isl_set_free(bound.points);
	}
}

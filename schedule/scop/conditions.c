/* Points that were surely meant to be computed and are not, because one of
 * their reads lies outside the grid.  They lie at the edge of a condition that
 * is off by one, or at the end of a field if an input ends a little earlier.
 */
#include "schedule/scop/sets.h"

#include "base/base.h"

enum { FARTHEST = 16 };		/* a bound may be off by so many points */

/* A comparison in a condition of "s", with a single index and no time. */
struct bound {
	const struct scop *scop;
	const struct scop_stmt *s;
	const struct expr *comparison;
	isl_set *points;	/* of the grid, where the conditions hold; .. */
	isl_set *met[IR_MAX_DIMS];	/* .. those at which all but inputs at the point itself, along
					 * this dimension, lies in the grid; NULL: not asked yet */
};

/* How often "e" contains an index; more for other things. */
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
	return set_has_points(isl_set_intersect(points,
		isl_set_copy(bound->s->domain)));
}

/* By how many points the edge must move until some are computed; 0 if some are
 * already, or none ever are.
 */
static int distance_to_computed(const struct bound *bound)
{
	if (!set_has_points(points_of_edge(bound, 0)) ||
	    is_computed(bound, points_of_edge(bound, 0)))
		return 0;
	for (int shift = 1; shift <= FARTHEST; shift++)
		if (is_computed(bound, points_of_edge(bound, shift)))
			return shift;
	return 0;
}

/* A read that lies outside the grid at all points of the edge, or NULL. */
static const struct access *read_outside(const struct bound *bound)
{
	const struct stmt *stmt = bound->s->stmt;
	const struct access *found = NULL;

	for (int i = 0; i < stmt_n_asked(stmt) && !found; i++)
		if (!set_has_points(set_inside(bound->scop, points_of_edge(
				bound, 0), stmt_asked(stmt, i), false)))
			found = stmt_asked(stmt, i);
	return found;
}

/* Does a statement before "s" have the comparison "e" of the text, too? */
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

/* Is the comparison's edge worth a warning? */
static bool warn_edge(const struct bound *bound, struct diags *d)
{
	const struct access *acc;
	int distance;

	if (was_met(bound->scop, bound->s, bound->comparison))
		return false;
	distance = distance_to_computed(bound);
	acc = distance ? read_outside(bound) : NULL;
	if (!acc)
		return false;
	diag(d, W_EDGE, bound->comparison->at, "the points at the edge of this "
		"condition are not computed: a read of theirs lies outside "
		"the grid");
	diag_note(d, acc->at, "it is this read");
	diag_advice(d, "move the bound inwards by %d, or give '%s' a boundary",
		distance, acc->field->name);
	return true;
}

/* Call for "e", and for everything that it joins by &&. */
static bool warn_edges_of(struct bound *bound, struct diags *d,
	const struct expr *e)
{
	bool warned = false;

	if (e->kind == EXPR_BINARY && e->op == OP_AND) {
		warned |= warn_edges_of(bound, d, e->arg[0]);
		warned |= warn_edges_of(bound, d, e->arg[1]);
	}
	if (!is_bound(e))
		return warned;
	bound->comparison = e;
	return warn_edge(bound, d) || warned;
}

/* Inputs that end early --------------------------------------------------- */

/* Does "acc" read an input and, in its dimension "d", at the point itself? */
static bool reads_input_at(const struct access *acc, int d)
{
	return acc->field->kind == FIELD_INPUT && !acc->offset[d] &&
		!access_strides_along(acc, d);
}

/* Is "dim" a dimension of the points in which "acc" reads an input at the point
 * itself?
 */
static bool reads_input_along(const struct access *acc, int dim)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] == dim)
			return reads_input_at(acc, d);
	return false;
}

/* Do all reads of the field of "acc" use the point itself in dimension "d"?
 * Others, as of the two faces of a cell, are short on purpose.
 */
static bool is_read_at_point(const struct stmt *stmt, const struct access *acc,
	int d)
{
	for (int i = 0; i < stmt_n_asked(stmt); i++) {
		const struct access *other = stmt_asked(stmt, i);

		if (other->field == acc->field && (!reads_input_at(other, d) ||
		    other->dim[d] != acc->dim[d]))
			return false;
	}
	return true;
}

/* How many cells the field of "acc" ends before the field that the statement
 * writes, in dimension "d"; 0 if it does not, or by a varying number.
 */
static int cells_short(const struct bound *bound, const struct access *acc,
	int d)
{
	const struct field *f = acc->field, *w = bound->s->stmt->write->field;
	const struct expr *over = w->size[acc->dim[d]];
	struct region *mem = bound->scop->mem;
	const struct expr *gap = expr_binary(mem, OP_SUB, over, f->size[d],
		acc->at);
	isl_space *space = isl_set_get_space(bound->points);
	int found = 0;

	for (int n = 1; n <= FARTHEST && !found; n++) {
		isl_set *set = set_of_condition(space, bound->scop->prog,
			expr_binary(mem, OP_EQ, gap, expr_int(mem, n, acc->at),
				acc->at));

		if (isl_set_is_subset(bound->points, set) == isl_bool_true)
			found = n;
		isl_set_free(set);
	}
	isl_space_free(space);
	return found;
}

/* The points at which everything lies in the grid except inputs at the point
 * itself, along the dimension "dim".
 */
static __isl_give isl_set *points_met(struct bound *bound, int dim)
{
	const struct stmt *stmt = bound->s->stmt;
	isl_set *points;

	if (bound->met[dim])
		return isl_set_copy(bound->met[dim]);
	points = isl_set_copy(bound->points);
	for (int i = 0; i < stmt_n_asked(stmt); i++)
		if (!reads_input_along(stmt_asked(stmt, i), dim))
			points = set_inside(bound->scop, points,
				stmt_asked(stmt, i), false);
	bound->met[dim] = isl_set_copy(points);
	return points;
}

/* Those at which "acc" does not. */
static __isl_give isl_set *left_out_by(struct bound *bound,
	const struct access *acc, int dim)
{
	isl_set *points = points_met(bound, dim);

	return isl_set_subtract(points, set_inside(bound->scop,
		isl_set_copy(points), acc, false));
}

static bool is_element(const struct stmt *s, const struct access *acc)
{
	for (int i = 0; i < s->n_elements; i++)
		if (s->element[i] == acc)
			return true;
	return false;
}

/* Report if "acc" ends early in dimension "d". */
static bool warn_short(struct bound *bound, struct diags *d,
	const struct access *acc, int dim)
{
	const struct field *f = acc->field, *w = bound->s->stmt->write->field;
	int n;

	if (!reads_input_at(acc, dim) || acc->dim[dim] < 0 ||
	    expr_same_size(f->size[dim], w->size[acc->dim[dim]]) ||
	    !is_read_at_point(bound->s->stmt, acc, dim))
		return false;
	n = cells_short(bound, acc, dim);
	if (!n || !set_has_points(left_out_by(bound, acc, acc->dim[dim])))
		return false;
	diag(d, W_EDGE, acc->at, "the last points of '%s' along '%s' are not "
		"computed: '%s' has %d cell%s fewer there", w->name,
		bound->s->stmt->iterator[acc->dim[dim]], f->name, n,
		n == 1 ? "" : "s");
	diag_note(d, f->at, "it is declared here");
	diag_advice(d, "make it as long as '%s'%s; 'on' says that fewer "
		"points are meant", w->name, is_element(bound->s->stmt, acc) ?
		"" : ", or give it a boundary");
	return true;
}

static void warn_short_inputs(struct bound *bound, struct diags *d)
{
	const struct stmt *stmt = bound->s->stmt;

	for (int i = 0; i < stmt_n_asked(stmt); i++)
		for (int j = 0; j < stmt_asked(stmt, i)->field->n_dims; j++)
			if (warn_short(bound, d, stmt_asked(stmt, i), j))
				return;
}

/* ------------------------------------------------------------------------- */

/* Parts of one statement of the text follow each other. */
static bool is_part_of(const struct stmt *s, const struct stmt *other)
{
	return other && s->at.start == other->at.start;
}

void scop_warn_edges(const struct scop *scop, struct diags *d)
{
	const struct stmt *last = NULL;

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i];
		struct bound bound = { .scop = scop, .s = s };
		bool warned = false;

		if (s->is_copy || is_part_of(s->stmt, last))
			continue;
		bound.points = isl_set_intersect_params(scop_points(scop,
			s->stmt), isl_set_copy(scop->context));
		for (int j = 0; j < s->stmt->n_conditions; j++)
			warned |= warn_edges_of(&bound, d,
				s->stmt->condition[j]);
		if (!warned)
			warned = stmt_warn_choices(scop, s->stmt, d);
		if (!warned)
			warn_short_inputs(&bound, d);
		if (warned)
			last = s->stmt;
		isl_set_free(bound.points);
		for (int j = 0; j < IR_MAX_DIMS; j++)
			isl_set_free(bound.met[j]);
	}
}

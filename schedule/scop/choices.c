/* Choices by conditions on the point, as in i > 0 ? A[t][i-1] : 0.  The point
 * reads only the chosen value; a statement of the plan is computed where all
 * its reads have a meaning.  So where a value that is not chosen has none, the
 * statement becomes two, each under its condition.
 *
 * Choices by values of fields, or in the statement of a temp, are not divided:
 * such points are not computed, with a warning.
 */
#include <stdlib.h>

#include "ir/join.h"
#include "schedule/scop/passes.h"
#include "schedule/scop/sets.h"

enum { MOST_PARTS = 64 };	/* of a statement */

/* A statement and the meaning of its reads, including elements that may lie beyond their input. */
struct reader {
	const struct scop *scop;
	const struct stmt *stmt;
	isl_space *space;
	isl_set *points;	/* { S[t, x] of the grid : "on" holds } */
	isl_set **meaning;	/* by read: where it has a meaning; NULL: at all
				 * points */
	bool *is_loose;		/* by read: it has none at points that are
				 * computed nevertheless */
};

static void reader_begin(struct reader *r, const struct scop *scop,
	__isl_keep isl_set *sizes, const struct stmt *s)
{
	isl_set *meaning;

	r->scop = scop;
	r->stmt = s;
	r->space = scop_instance_space(scop, s);
	r->points = isl_set_intersect_params(scop_points(scop, s),
		isl_set_copy(sizes));
	r->meaning = region_array(scop->mem, isl_set *, stmt_n_asked(s) + 1);
	r->is_loose = region_array(scop->mem, bool, stmt_n_asked(s) + 1);
	for (int i = 0; i < stmt_n_asked(s); i++) {
		meaning = scop_read_meaning(scop, s, stmt_asked(s, i));
		if (isl_set_is_subset(r->points, meaning) != isl_bool_true)
			r->meaning[i] = meaning;
		else
			isl_set_free(meaning);
	}
}

static void reader_end(struct reader *r)
{
	for (int i = 0; i < stmt_n_asked(r->stmt); i++)
		isl_set_free(r->meaning[i]);
	isl_set_free(r->points);
	isl_space_free(r->space);
}

static int number_of_read(const struct stmt *s, const struct access *acc)
{
	int i = 0;

	while (stmt_asked(s, i) != acc)
		i++;
	return i;
}

/* Where the point decides --------------------------------------------------*/

/* The points where a condition surely holds, and where it surely fails. */
struct truth {
	isl_set *holds, *fails;
};

static bool is_junction(const struct expr *e)
{
	return e->kind == EXPR_BINARY && (e->op == OP_AND || e->op == OP_OR);
}

static struct truth truth_of_condition(const struct reader *r,
	const struct expr *e)
{
	isl_set *holds = set_of_condition(r->space, r->scop->prog, e);

	return (struct truth) { holds,
		isl_set_complement(isl_set_copy(holds)) };
}

static struct truth truth_of(const struct reader *r, const struct expr *e)
{
	struct truth a, b;

	if (e->kind == EXPR_LOCAL)
		return truth_of(r, e->local->value);
	if (expr_is_condition(e))
		return truth_of_condition(r, e);
	if (e->kind == EXPR_UNARY && e->op == OP_NOT) {
		a = truth_of(r, e->arg[0]);
		return (struct truth) { a.fails, a.holds };
	}
	if (!is_junction(e))
		return (struct truth) { isl_set_empty(isl_space_copy(r->space)),
			isl_set_empty(isl_space_copy(r->space)) };
	a = truth_of(r, e->arg[0]);
	b = truth_of(r, e->arg[1]);
	if (e->op == OP_AND)
		return (struct truth) { isl_set_intersect(a.holds, b.holds),
			isl_set_union(a.fails, b.fails) };
	return (struct truth) { isl_set_union(a.holds, b.holds),
		isl_set_intersect(a.fails, b.fails) };
}

/* Is it one of the accesses of stmt_asked? */
static bool is_asked(const struct expr *e)
{
	return expr_is_read(e) && e->access;
}

/* Where values have a meaning ----------------------------------------------*/

/* Sets of points; NULL stands for all of them. */

static __isl_give isl_set *both(__isl_take isl_set *a, __isl_take isl_set *b)
{
	return !a ? b : !b ? a : isl_set_intersect(a, b);
}

static __isl_give isl_set *either(__isl_take isl_set *a, __isl_take isl_set *b)
{
	if (a && b)
		return isl_set_union(a, b);
	isl_set_free(a);
	isl_set_free(b);
	return NULL;
}

/* For a choice that the point leaves open: both values count; or one with a meaning is enough;
 * or one that does, and that is not the point's previous value.
 */
enum demand { BOTH_VALUES, ONE_VALUE, ONE_CHANGE };

static __isl_give isl_set *where_defined(const struct reader *r,
	const struct expr *e, enum demand demand);

/* If the point tells the truth of a junction, its operands need no values. */
static __isl_give isl_set *junction_defined(const struct reader *r,
	const struct expr *e, enum demand demand)
{
	isl_set *set = both(where_defined(r, e->arg[0], demand),
		where_defined(r, e->arg[1], demand));
	struct truth truth;

	if (!set)
		return NULL;
	truth = truth_of(r, e);
	return either(set, isl_set_union(truth.holds, truth.fails));
}

/* Is "e" the value that the point of a state has before its statement? */
static bool is_kept(const struct stmt *s, const struct expr *e)
{
	const struct access *a = e->access;

	if (e->kind != EXPR_READ || a->field != s->write->field ||
	    a->version != s->write->version - 1)
		return false;
	for (int d = 0; d < a->field->n_dims; d++)
		if (a->dim[d] != d || a->offset[d] ||
		    access_strides_along(a, d))
			return false;
	return true;
}

static enum demand of_parts(enum demand demand)
{
	return demand == ONE_CHANGE ? ONE_VALUE : demand;
}

static __isl_give isl_set *choice_defined(const struct reader *r,
	const struct expr *e, enum demand demand)
{
	isl_set *asks = where_defined(r, e->arg[0], of_parts(demand));
	isl_set *then = where_defined(r, e->arg[1], demand);
	isl_set *other = where_defined(r, e->arg[2], demand);
	struct truth truth;
	isl_set *known, *open;

	if (!asks && !then && !other)
		return NULL;
	truth = truth_of(r, e->arg[0]);
	known = isl_set_union(isl_set_copy(truth.holds),
		isl_set_copy(truth.fails));
	open = demand == BOTH_VALUES ?
		both(isl_set_copy(then), isl_set_copy(other)) :
		either(isl_set_copy(then), isl_set_copy(other));
	then = either(then, isl_set_complement(truth.holds));
	other = either(other, isl_set_complement(truth.fails));
	return both(both(then, other), either(both(asks, open), known));
}

/* The points at which the reads of "e" that count have a meaning. */
static __isl_give isl_set *where_defined(const struct reader *r,
	const struct expr *e, enum demand demand)
{
	isl_set *set = NULL;

	if (e->kind == EXPR_LOCAL)
		return where_defined(r, e->local->value, demand);
	if (demand == ONE_CHANGE && is_kept(r->stmt, e))
		return isl_set_empty(isl_space_copy(r->space));
	if (is_asked(e))
		return isl_set_copy(r->meaning[number_of_read(r->stmt,
			e->access)]);
	if (e->kind == EXPR_SELECT)
		return choice_defined(r, e, demand);
	demand = of_parts(demand);
	if (is_junction(e))
		return junction_defined(r, e, demand);
	for (int i = 0; i < e->n_args; i++)
		set = both(set, where_defined(r, e->arg[i], demand));
	return set;
}

/* Find the reads without a meaning at points that are computed, or would be if as little as
 * "demand" counted; are there any?
 */
static bool find_loose(struct reader *r, enum demand demand)
{
	isl_set *points = both(isl_set_copy(r->points),
		where_defined(r, r->stmt->value, demand));
	bool found = false;

	for (int i = 0; i < stmt_n_asked(r->stmt); i++) {
		r->is_loose[i] = r->meaning[i] && isl_set_is_subset(points,
			r->meaning[i]) == isl_bool_false;
		found |= r->is_loose[i];
	}
	isl_set_free(points);
	return found;
}

/* Division -----------------------------------------------------------------*/

const struct expr *expr_find(const struct expr *e,
	bool (*is)(const void *user, const struct expr *e), const void *user)
{
	const struct expr *found = NULL;

	if (e->kind == EXPR_LOCAL)
		return expr_find(e->local->value, is, user);
	if (is(user, e))
		return e;
	for (int i = 0; i < e->n_args && !found; i++)
		found = expr_find(e->arg[i], is, user);
	return found;
}

static bool is_loose(const void *reader, const struct expr *e)
{
	const struct reader *r = reader;

	return is_asked(e) &&
		r->is_loose[number_of_read(r->stmt, e->access)];
}

static bool has_loose(const struct reader *r, const struct expr *e)
{
	return expr_find(e, is_loose, r);
}

const struct expr *expr_condition_in(const struct expr *e)
{
	const struct expr *found = NULL;

	if (e->kind == EXPR_LOCAL)
		return expr_condition_in(e->local->value);
	if (expr_is_condition(e))
		return e;
	if (is_junction(e) || (e->kind == EXPR_UNARY && e->op == OP_NOT))
		for (int i = 0; i < e->n_args && !found; i++)
			found = expr_condition_in(e->arg[i]);
	return found;
}

/* Does a condition in "e" decide about a loose read in it? */
static bool is_decisive(const void *reader, const struct expr *e)
{
	if (e->kind == EXPR_SELECT)
		return expr_condition_in(e->arg[0]) && (has_loose(reader,
			e->arg[1]) || has_loose(reader, e->arg[2]));
	return is_junction(e) && expr_condition_in(e) && has_loose(reader, e);
}

/* The first condition in "e" that decides about a loose read, or NULL. */
static const struct expr *find_condition(const struct reader *r,
	const struct expr *e)
{
	const struct expr *found = expr_find(e, is_decisive, r);

	return !found ? NULL : expr_condition_in(found->kind == EXPR_SELECT ?
		found->arg[0] : found);
}

static void note_choice(void *user, const struct expr *e)
{
	if (e->kind == EXPR_SELECT || is_junction(e))
		*(bool *) user = true;
}

static bool has_choice(const struct stmt *s)
{
	bool has = false;

	stmt_each_expr(s, note_choice, &has);
	return has;
}

/* The condition that should divide "s", or NULL. */
static const struct expr *condition_to_divide(const struct scop *scop,
	__isl_keep isl_set *sizes, const struct stmt *s)
{
	const struct expr *found = NULL;
	struct reader r;

	if (field_is_temp(s->write->field) || !has_choice(s))
		return NULL;
	reader_begin(&r, scop, sizes, s);
	if (find_loose(&r, BOTH_VALUES))
		found = find_condition(&r, s->value);
	reader_end(&r);
	return found;
}

static bool has_points(const struct scop *scop, __isl_keep isl_set *sizes,
	const struct stmt *s)
{
	isl_set *points = isl_set_intersect_params(scop_points(scop, s),
		isl_set_copy(sizes));
	bool has = isl_set_is_empty(points) != isl_bool_true;

	isl_set_free(points);
	return has;
}

/* A statement made of several. */
struct joined {
	const struct scop *scop;
	isl_set *sizes;
	const struct stmt *stmt;
	struct open_choice **open;	/* conditions that its points do not
					 * make the same way */
};

bool choice_is_open(const struct open_choice *all, const struct expr *condition)
{
	while (all && all->condition != condition)
		all = all->next;
	return all;
}

void choice_leave_open(struct region *mem, struct open_choice **all,
	const struct expr *condition)
{
	struct open_choice *o = region_alloc(mem, sizeof(*o));

	*o = (struct open_choice) { condition, *all };
	*all = o;
}

/* The statement without "choice", if all its points make it the same way; or NULL. */
static struct stmt *decided(const struct joined *j, const struct expr *choice)
{
	const struct expr *condition = choice->kind == EXPR_SELECT ?
		expr_condition_in(choice->arg[0]) : NULL;
	struct stmt *half[2];
	bool runs[2];

	if (!condition || choice_is_open(*j->open, condition))
		return NULL;
	for (int i = 0; i < 2; i++) {
		half[i] = stmt_where(j->scop->mem, j->stmt, condition, i == 0);
		runs[i] = has_points(j->scop, j->sizes, half[i]);
		half[i]->n_conditions = j->stmt->n_conditions;
	}
	if (runs[0] == runs[1])
		choice_leave_open(j->scop->mem, j->open, condition);
	return runs[0] == runs[1] ? NULL : half[runs[0] ? 0 : 1];
}

static bool is_decided(const void *joined, const struct expr *e)
{
	return decided(joined, e);
}

/* "s" without the choices that all its points make the same way. */
static const struct stmt *without_decided(const struct scop *scop,
	__isl_keep isl_set *sizes, const struct stmt *s)
{
	struct open_choice *open = NULL;
	struct joined j = { scop, sizes, s, &open };
	const struct expr *choice;

	while ((choice = expr_find(j.stmt->value, is_decided, &j))) {
		j.stmt = decided(&j, choice);
		open = NULL;
	}
	return j.stmt;
}

/* The statements into which one is divided. */
struct parts {
	const struct scop *scop;
	isl_set *sizes;
	int n;
	const struct stmt *part[MOST_PARTS];
	bool changes;			/* one is replaced by other parts than
					 * itself */
};

/* False if there are too many. */
static bool divide(struct parts *p, const struct stmt *s)
{
	const struct expr *condition = condition_to_divide(p->scop, p->sizes,
		s);
	struct stmt *half[2];
	bool runs[2];

	if (!condition) {
		if (p->n < MOST_PARTS)
			p->part[p->n] = s;
		return ++p->n <= MOST_PARTS;
	}
	for (int i = 0; i < 2; i++) {
		half[i] = stmt_where(p->scop->mem, s, condition, i == 0);
		runs[i] = has_points(p->scop, p->sizes, half[i]);
	}
	for (int i = 0; i < 2; i++)
		if (!runs[1 - i])
			half[i]->n_conditions = s->n_conditions;
	return (!runs[0] || divide(p, half[0])) &&
		(!runs[1] || divide(p, half[1]));
}

/* Replace statement "i" by its parts, at the end of "result". */
static bool append_parts(struct parts *p, struct diags *d, int i,
	struct program *result)
{
	const struct scop *scop = p->scop;
	const struct stmt *s = scop->prog->stmt[i];

	p->n = 0;
	if (s->is_rest && !has_points(scop, p->sizes, s)) {
		p->changes = true;
		return true;
	}
	if (s->is_joined)
		s = without_decided(scop, p->sizes, s);
	if (!divide(p, s)) {
		diag(d, E_TOO_LARGE, s->at, "the choices of this statement "
			"divide its points in more than %d ways", MOST_PARTS);
		diag_advice(d, "a boundary, as 'clamp', gives reads outside "
			"the grid a meaning; or divide the points with 'on'");
		return false;
	}
	p->changes |= p->n > 1 || p->part[0] != scop->prog->stmt[i];
	for (int j = 0; j < p->n; j++)
		program_append(scop->mem, result, p->part[j]);
	return true;
}

void scop_begin_statement(struct scop *scop, int i)
{
	const struct stmt *s = scop->prog->stmt[i];

	scop->stmt[i].stmt = s;
	if (field_is_temp(s->write->field))
		scop->stmt[i].domain = keep_set(scop->mem, scop_domain(scop,
			s));
}

const struct program *program_divide_choices(struct region *mem, isl_ctx *ctx,
	struct diags *d, const struct program *prog)
{
	struct scop scop = { .mem = mem, .ctx = ctx, .prog = prog };
	struct program *result = region_new_of(mem, struct program);
	struct parts parts = { .scop = &scop };
	bool fits = true;

	if (!program_is_supported(mem, d, prog) ||
	    !scop_records_are_computed(&scop, d))
		return NULL;
	scop.stmt = region_array(mem, struct scop_stmt, prog->n_stmts);
	*result = *prog;
	result->n_stmts = 0;
	result->stmt = region_array(mem, struct stmt *,
		prog->n_stmts * MOST_PARTS);
	parts.sizes = scop_valid_sizes(&scop);
	for (int i = 0; i < prog->n_stmts && fits; i++) {
		scop_begin_statement(&scop, i);
		fits = append_parts(&parts, d, i, result);
	}
	isl_set_free(parts.sizes);
	return !fits ? NULL : program_settle_reads(&scop, d,
		parts.changes ? result : prog);
}

/* Points that are left out -------------------------------------------------*/

/* Is a point left out at which "acc" lies beyond "side" of dimension "d"? */
static bool leaves(const struct reader *r, const struct access *acc, int d,
	enum side side)
{
	unsigned dim = (unsigned) (1 + acc->dim[d]);
	int edge = (int) access_first(acc, d, 0);
	isl_set *points = both(isl_set_copy(r->points),
		where_defined(r, r->stmt->value, ONE_CHANGE));

	points = isl_set_subtract(points, access_inside_along(r->scop,
		r->space, acc, d));
	return set_has_points(side == SIDE_LOW ?
		isl_set_upper_bound_si(points, isl_dim_set, dim, edge - 1) :
		isl_set_lower_bound_si(points, isl_dim_set, dim, edge));
}

/* "at the first 2 points along 'i'" for a read two cells below the point. */
static const char *points_beside(const struct reader *r,
	const struct access *acc, int d, const char *side)
{
	struct region *mem = r->scop->mem;
	const struct field *f = r->stmt->write->field;
	const char *along = r->stmt->iterator[acc->dim[d]];
	int n = abs((int) acc->offset[d]);
	bool even = !access_strides_along(acc, d) &&
		expr_same_size(acc->field->size[d], f->size[acc->dim[d]]);

	if (n > 1 && even)
		return region_printf(mem, "at the %s %d points along '%s'",
			side, n, along);
	return region_printf(mem, "at the %s point%s along '%s'", side,
		n == 1 && even ? "" : "s", along);
}

static const char *points_left_out(const struct reader *r,
	const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++) {
		const struct boundary *b = acc->field->boundary[d];

		if (acc->dim[d] < 0)
			continue;
		if (b[SIDE_LOW].kind == BOUNDARY_FIXED &&
		    leaves(r, acc, d, SIDE_LOW))
			return points_beside(r, acc, d, "first");
		if (b[SIDE_HIGH].kind == BOUNDARY_FIXED &&
		    leaves(r, acc, d, SIDE_HIGH))
			return points_beside(r, acc, d, "last");
	}
	return region_printf(r->scop->mem, "where '%s' has no value",
		acc->field->name);
}

static bool is_read_of(const void *acc, const struct expr *e)
{
	return is_asked(e) && e->access == acc;
}

/* The loose reads of "choice"; returns the first one. */
static const struct access *note_reads(const struct reader *r,
	struct diags *d, const struct expr *choice)
{
	enum { MOST_NOTES = 4 };
	const struct access *first = NULL;
	int n = 0;

	for (int i = 0; i < stmt_n_asked(r->stmt) && n < MOST_NOTES; i++) {
		const struct access *acc = stmt_asked(r->stmt, i);

		if (!r->is_loose[i] ||
		    (!expr_find(choice->arg[1], is_read_of, acc) &&
		     !expr_find(choice->arg[2], is_read_of, acc)))
			continue;
		diag_note(d, acc->at, "%s, by this read",
			points_left_out(r, acc));
		first = first ? first : acc;
		n++;
	}
	return first;
}

/* The first choice in "e" with a loose value, not counting choices in it; NULL
 * if there is none.
 */
static const struct expr *loose_choice(const struct reader *r,
	const struct expr *e)
{
	const struct expr *found = NULL;

	if (e->kind == EXPR_LOCAL)
		return loose_choice(r, e->local->value);
	for (int i = 0; i < e->n_args && !found; i++)
		found = loose_choice(r, e->arg[i]);
	if (!found && e->kind == EXPR_SELECT && (has_loose(r, e->arg[1]) ||
	    has_loose(r, e->arg[2])))
		found = e;
	return found;
}

static void advise(const struct reader *r, struct diags *d,
	const struct expr *choice, const struct access *acc)
{
	const struct field *f = r->stmt->write->field;

	if (field_is_temp(f) && expr_condition_in(choice->arg[0]))
		diag_advice(d, "a temp has one statement, which no condition "
			"divides: give '%s' a boundary, or choose where '%s' "
			"is read", acc->field->name, f->name);
	else
		diag_advice(d, "only a condition on the point decides what is "
			"read; say with 'on' which points are meant, or give "
			"'%s' a boundary", acc->field->name);
}

bool stmt_warn_choices(const struct scop *scop, const struct stmt *s,
	struct diags *d)
{
	const struct expr *choice = NULL;
	struct reader r;

	if (!has_choice(s))
		return false;
	reader_begin(&r, scop, scop->context, s);
	if (find_loose(&r, ONE_CHANGE))
		choice = loose_choice(&r, s->value);
	if (choice) {
		diag(d, W_EDGE, choice->at, "points of '%s' are not computed, "
			"whichever value is chosen here: one of them reads "
			"outside the grid", s->write->field->name);
		advise(&r, d, choice, note_reads(&r, d, choice));
	}
	reader_end(&r);
	return choice;
}

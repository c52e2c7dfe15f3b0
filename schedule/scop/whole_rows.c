/* Statements of C on every other point of a row, as red ones in red-black relaxation: vectors want
 * whole rows, in which points of the other colour keep what they have,
 *
 *	u[t+1][i][j] = (i + j + t) % 2 == 0 ? new : u[t][i][j]
 *
 * Two such statements, of red points and of black ones that read the new values of those, become
 * one, which takes twice as many steps, one for each colour.
 */
#include "ir/join.h"
#include "ir/rewrite.h"
#include "schedule/scop/passes.h"
#include "schedule/scop/sets.h"

/* Conditions of a statement, by whether remainders of the point decide them; &&, one by one. */
struct divided {
	struct region *mem;
	const struct stmt *stmt;
	const struct expr *alternating;		/* of all that do; NULL: none */
	const struct expr **rest;
	int n_rest;
};

static void divide(struct divided *d, const struct expr *e)
{
	if (e->kind == EXPR_BINARY && e->op == OP_AND) {
		divide(d, e->arg[0]);
		divide(d, e->arg[1]);
	} else if (!expr_has_remainder(e)) {
		d->rest[d->n_rest++] = e;
	} else {
		d->alternating = !d->alternating ? e : expr_binary(d->mem,
			OP_AND, d->alternating, e, e->at);
	}
}

static int count_conditions(const struct expr *e)
{
	return e->kind == EXPR_BINARY && e->op == OP_AND ?
		count_conditions(e->arg[0]) + count_conditions(e->arg[1]) : 1;
}

/* The alternating conditions, and all others but number "i". */
static const struct expr *all_but(const struct divided *d, int i)
{
	const struct expr *all = d->alternating;

	for (int j = 0; j < d->n_rest; j++)
		if (j != i)
			all = expr_binary(d->mem, OP_AND, all, d->rest[j],
				all->at);
	return all;
}

/* Leave out what the others imply, as j >= 0 beside j >= 1 + i % 2: no edge of rows. */
static void drop_implied(const struct scop *scop, struct divided *d)
{
	isl_space *space = scop_instance_space(scop, d->stmt);

	for (int i = d->n_rest - 1; i >= 0; i--) {
		isl_set *others = set_of_condition(space, scop->prog,
			all_but(d, i));
		isl_set *own = set_of_condition(space, scop->prog, d->rest[i]);

		if (isl_set_is_subset(others, own) == isl_bool_true) {
			d->n_rest--;
			for (int j = i; j < d->n_rest; j++)
				d->rest[j] = d->rest[j + 1];
		}
		isl_set_free(others);
		isl_set_free(own);
	}
	isl_space_free(space);
}

static struct divided divided_conditions(const struct scop *scop,
	const struct stmt *s)
{
	struct divided d = { .mem = scop->mem, .stmt = s };
	int n = 0;

	for (int i = 0; i < s->n_conditions; i++)
		n += count_conditions(s->condition[i]);
	d.rest = region_array(scop->mem, const struct expr *, n + 1);
	for (int i = 0; i < s->n_conditions; i++)
		divide(&d, s->condition[i]);
	drop_implied(scop, &d);
	return d;
}

/* Functions and elements take long, or may have no value elsewhere; nor may integers. */
static bool is_costly(const void *user, const struct expr *e)
{
	(void) user;
	if (e->kind == EXPR_READ)
		return type_is_integer(e->type);
	return e->kind == EXPR_ELEMENT || (e->kind == EXPR_CALL &&
		!op_is_short_function(e->op)) || (e->kind == EXPR_BINARY &&
		(e->op == OP_DIV || e->op == OP_MOD) &&
		type_is_integer(e->type) && e->arg[1]->kind != EXPR_INT);
}

/* Are points of rows left out that could be computed? */
static bool may_fill(const struct stmt *s)
{
	const struct field *f = s->write->field;
	bool alternates = false;

	for (int i = 0; i < s->n_conditions; i++)
		alternates |= expr_has_remainder(s->condition[i]);
	return alternates && f->kind == FIELD_STATE && !f->is_hidden &&
		!type_is_integer(f->type) && !s->sweeps && !s->n_listed &&
		!s->needed && !s->written &&
		!expr_find(s->value, is_costly, NULL);
}

/* What the point has before "s", which becomes one of its reads. */
static const struct expr *kept_value(struct region *mem, struct stmt *s)
{
	struct access *a = region_new_of(mem, struct access);
	struct expr *e = expr_leaf(mem, EXPR_READ, s->write->field->type,
		s->value->at);
	const struct access **read = region_array(mem, const struct access *,
		s->n_reads + 1);
	int same = 0;

	*a = *s->write;
	a->version = s->write->version - 1;
	a->at = s->value->at;
	while (same < s->n_reads && !access_same_cell(s->read[same], a)) {
		read[same] = s->read[same];
		same++;
	}
	if (same == s->n_reads) {
		read[s->n_reads++] = a;
		s->read = read;
	}
	e->access = s->read[same];
	return e;
}

/* "d.stmt" at all points of its rows, with a new value where "condition" holds. */
static const struct stmt *filled(const struct divided *d,
	const struct expr *condition)
{
	struct stmt *all = region_new_of(d->mem, struct stmt);

	*all = *d->stmt;
	all->condition = d->rest;
	all->n_conditions = d->n_rest;
	all->value = expr_select(d->mem, condition, d->stmt->value,
		kept_value(d->mem, all), d->stmt->at);
	return all;
}

static __isl_give isl_set *points_of(const struct scop *scop,
	const struct stmt *s)
{
	return set_coalesce(scop_unnamed(scop, scop_domain(scop, s)));
}

/* Is it one polyhedron without holes? */
static bool is_whole(__isl_keep isl_set *set)
{
	isl_basic_set *hull = isl_set_simple_hull(isl_set_copy(set));
	isl_set *without = isl_set_from_basic_set(
		isl_basic_set_remove_divs(hull));
	bool whole = isl_set_is_equal(set, without) == isl_bool_true;

	isl_set_free(without);
	return whole;
}

/* Is, of two points of "all" beside each other in a row, one among "some"? */
static bool alternate(__isl_keep isl_set *some, __isl_keep isl_set *all)
{
	int last = (int) isl_set_dim(all, isl_dim_set) - 1;
	isl_set *before = shift_dim(isl_set_copy(some), last, -1);
	isl_set *pairs = isl_set_intersect(isl_set_copy(all),
		shift_dim(isl_set_copy(all), last, -1));
	bool one = isl_set_is_disjoint(some, before) == isl_bool_true;
	isl_set *either = isl_set_union(isl_set_copy(some), before);
	bool any = isl_set_is_subset(pairs, either) == isl_bool_true;

	isl_set_free(pairs);
	isl_set_free(either);
	return one && any;
}

/* A statement on every other point. */
struct colour {
	struct divided d;
	isl_set *points, *rows;		/* { [t, x] }: its own, and all of its rows */
};

static void colour_end(struct colour *c)
{
	isl_set_free(c->points);
	isl_set_free(c->rows);
}

/* Is "s" one?  Ends of "c" are asked for in any case. */
static bool find_colour(const struct scop *scop, const struct stmt *s,
	struct colour *c)
{
	*c = (struct colour) { .d = { 0 } };
	if (!may_fill(s))
		return false;
	c->d = divided_conditions(scop, s);
	c->points = points_of(scop, s);
	c->rows = points_of(scop, filled(&c->d, c->d.alternating));
	return isl_set_is_empty(c->rows) == isl_bool_false &&
		is_whole(c->rows) && alternate(c->points, c->rows);
}

/* "s", or what fills its rows. */
static const struct stmt *with_whole_rows(const struct scop *scop,
	const struct stmt *s)
{
	struct colour c = { .points = NULL };

	if (program_count_writers(scop->prog, s->write->field) == 1 &&
	    find_colour(scop, s, &c))
		s = filled(&c.d, c.d.alternating);
	colour_end(&c);
	return s;
}

/* Two colours ------------------------------------------------------------- */

static bool uses_time(const struct stmt *s)
{
	bool uses = expr_any(s->value, expr_is_time);

	for (int i = 0; i < s->n_conditions; i++)
		uses |= expr_any(s->condition[i], expr_is_time);
	return uses;
}

/* Does the field end at its edges? */
static bool has_edges(const struct field *f)
{
	for (int d = 0; d < f->n_dims; d++)
		for (int side = 0; side < SIDES; side++)
			if (f->boundary[d][side].kind != BOUNDARY_FIXED)
				return false;
	return true;
}

/* Is nothing there but two statements of one state and what they read, whatever the step? */
static bool is_of_two(const struct program *prog)
{
	const struct field *f;

	if (prog->n_stmts != 2 || !prog->timed || prog->n_reductions ||
	    prog->n_lists || prog->segments || prog->waves)
		return false;
	f = prog->stmt[0]->write->field;
	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i] != f && prog->field[i]->kind != FIELD_INPUT)
			return false;
	return prog->stmt[1]->write->field == f && f->depth == 1 &&
		has_edges(f) && !prog->stmt[0]->locals &&
		!prog->stmt[1]->locals && !uses_time(prog->stmt[0]) &&
		!uses_time(prog->stmt[1]);
}

/* Is the cell that "acc" reads never one of "points"?  From the points "from". */
static bool reads_none_of(const struct access *acc, __isl_keep isl_set *from,
	__isl_keep isl_set *points)
{
	isl_set *cells = isl_set_copy(from);
	bool none;

	for (int d = 0; d < acc->field->n_dims; d++)
		cells = shift_dim(cells, 1 + d, (int) acc->offset[d]);
	none = isl_set_is_disjoint(cells, points) == isl_bool_true;
	isl_set_free(cells);
	return none;
}

/* Does each read of the second colour find in a step of its own what it finds now: new values of
 * the first one, old ones of others?
 */
static bool read_the_same(const struct colour *first,
	const struct colour *second)
{
	const struct stmt *a = first->d.stmt, *b = second->d.stmt;

	for (int i = 0; i < a->n_reads; i++)
		if (a->read[i]->field == a->write->field &&
		    a->read[i]->version != 0)
			return false;
	for (int i = 0; i < b->n_reads; i++) {
		const struct access *acc = b->read[i];
		bool is_new = acc->version == 1;

		if (acc->field != b->write->field)
			continue;
		if (!access_is_in_order(acc) || access_strides(acc) ||
		    !reads_none_of(acc, second->points, is_new ?
			second->points : first->points))
			return false;
	}
	return true;
}

static const struct access *of_last_step(const struct rewrite *w,
	const struct access *a)
{
	struct access *old;

	if (a->field->kind != FIELD_STATE || a->version == 0)
		return a;
	old = region_new_of(w->mem, struct access);
	*old = *a;
	old->version = 0;
	return old;
}

/* Do both compute the same from what they find? */
static bool compute_the_same(struct region *mem, const struct colour *first,
	const struct colour *second)
{
	const struct rewrite w = { .mem = mem, .access = of_last_step };

	return expr_same_value(first->d.stmt->value,
		stmt_rewrite(&w, second->d.stmt)->value);
}

/* t % 2 == turn && .. */
static const struct expr *in_turn(const struct program *prog, int turn,
	const struct colour *c)
{
	struct region *mem = c->d.mem;
	struct span at = c->d.stmt->at;
	struct expr *t = expr_leaf(mem, EXPR_TIME, TYPE_INT, at);

	t->spelling = prog->time_name;
	return expr_binary(mem, OP_AND, expr_binary(mem, OP_EQ,
		expr_binary(mem, OP_MOD, t, expr_int(mem, 2, at), at),
		expr_int(mem, turn, at), at), c->d.alternating, at);
}

/* "prog" with a step for each colour. */
static const struct program *in_turns(const struct program *prog,
	const struct colour *first, const struct colour *second)
{
	struct region *mem = first->d.mem;
	struct program *result = region_new_of(mem, struct program);
	struct span at = prog->at;
	int64_t begin;

	*result = *prog;
	result->begin = expr_int(mem, 0, at);
	result->end = expr_times(mem, 2, expr_constant(prog->begin, &begin) &&
		begin == 0 ? prog->end : expr_binary(mem, OP_SUB, prog->end,
			prog->begin, at));
	result->stmt = region_array(mem, struct stmt *, 1);
	result->n_stmts = 0;
	program_append(mem, result, filled(&first->d, expr_binary(mem, OP_OR,
		in_turn(prog, 0, first), in_turn(prog, 1, second), at)));
	return result;
}

const struct program *program_by_colours(struct region *mem, isl_ctx *ctx,
	const struct program *prog)
{
	struct scop scop;
	struct colour first = { .points = NULL }, second = first;

	if (!is_of_two(prog))
		return prog;
	scop = scop_with_domains(mem, ctx, prog);
	if (find_colour(&scop, prog->stmt[0], &first) &&
	    find_colour(&scop, prog->stmt[1], &second) &&
	    isl_set_is_equal(first.rows, second.rows) == isl_bool_true &&
	    isl_set_is_disjoint(first.points, second.points) == isl_bool_true &&
	    read_the_same(&first, &second) &&
	    compute_the_same(mem, &first, &second))
		prog = in_turns(prog, &first, &second);
	colour_end(&first);
	colour_end(&second);
	return prog;
}

static bool may_fill_any(const struct program *prog)
{
	bool any = false;

	for (int i = 0; i < prog->n_stmts; i++)
		any |= may_fill(prog->stmt[i]);
	return any;
}

const struct program *program_fill_rows(struct region *mem, isl_ctx *ctx,
	const struct program *prog)
{
	struct program *result = region_new_of(mem, struct program);
	struct scop scop;

	if (!may_fill_any(prog))
		return prog;
	scop = scop_with_domains(mem, ctx, prog);
	*result = *prog;
	result->n_stmts = 0;
	result->stmt = region_array(mem, struct stmt *, prog->n_stmts);
	for (int i = 0; i < prog->n_stmts; i++)
		program_append(mem, result, with_whole_rows(&scop,
			prog->stmt[i]));
	return result;
}

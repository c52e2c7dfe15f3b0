/* The plain interpreter: the steps of a run, by the letter of doc/language.md. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/interpreter.h"

/* The first cell of version "v", 0 being the newest that the caller passes;
 * only states have versions.
 */
static int64_t first_cell(const struct memory *m, int64_t v)
{
	if (m->field->kind != FIELD_STATE)
		return 0;
	return (v + m->field->depth - 1) * m->cells;
}

/* Expressions ----------------------------------------------------------- */

/* Where a read at "at" of "n" points goes: a boundary maps it once. */
int64_t mapped(enum boundary_kind kind, int64_t at, int64_t n)
{
	if (at >= 0 && at < n)
		return at;
	switch (kind) {
	case BOUNDARY_PERIODIC: return at < 0 ? at + n : at - n;
	case BOUNDARY_MIRROR:
	case BOUNDARY_ODD: return at < 0 ? -at : 2 * (n - 1) - at;
	case BOUNDARY_CLAMP: return at < 0 ? 0 : n - 1;
	default: return at;
	}
}

int64_t cell_along(const struct access *acc, int d, int64_t x)
{
	int64_t at = acc->stride[d] * x + acc->offset[d];

	return acc->divisor[d] == 1 ? at :
		(int64_t) floor((double) at / (double) acc->divisor[d]);
}

static int64_t subscript(const struct state *s, const struct access *acc,
	int d)
{
	return cell_along(acc, d, s->x[acc->dim[d]]);
}

/* The boundary of dimension "d" beyond which a read lies, or NULL. */
static const struct boundary *beyond_along(const struct state *s,
	const struct access *acc, int d)
{
	const struct boundary *b = acc->field->boundary[d];
	int64_t x = subscript(s, acc, d);

	if (x < 0)
		return &b[SIDE_LOW];
	return x >= s->memory[acc->field->index].size[d] ? &b[SIDE_HIGH] :
		NULL;
}

/* The boundary whose value a read is, that of dimension "*d"; or NULL. */
static const struct boundary *beyond(const struct state *s,
	const struct access *acc, int *d)
{
	for (*d = 0; *d < acc->field->n_dims; ++*d) {
		const struct boundary *b = beyond_along(s, acc, *d);

		if (b && b->kind == BOUNDARY_VALUE)
			return b;
	}
	return NULL;
}

/* The value of "b" of dimension "d" for a read, which lies at x; in other dimensions
 * where another cell stands for it, or where inputs end at the grid, nearer.
 */
static struct value value_beyond(const struct state *s,
	const struct access *acc, const struct boundary *b, int d)
{
	const struct memory *m = &s->memory[acc->field->index];
	struct state at = *s;

	for (int e = 0; e < acc->field->n_dims; e++) {
		const struct boundary *other = e == d ? NULL :
			beyond_along(s, acc, e);

		at.x[e] = subscript(s, acc, e);
		if (other && other->kind != BOUNDARY_VALUE)
			at.x[e] = mapped(other->kind, at.x[e], m->size[e]);
		else if (other && boundary_reads_at_index(b))
			at.x[e] = mapped(BOUNDARY_CLAMP, at.x[e], m->size[e]);
	}
	return value_as(eval(&at, b->value), acc->field->type);
}

/* The cell that a read is mapped to, of its version; -1 where a boundary maps it
 * beyond the grid.
 */
static int64_t cell_mapped(const struct state *s, const struct access *acc)
{
	const struct memory *m = &s->memory[acc->field->index];
	int64_t at = 0;

	for (int d = 0; d < acc->field->n_dims; d++) {
		const struct boundary *b = beyond_along(s, acc, d);
		int64_t x = subscript(s, acc, d);

		if (b)
			x = mapped(b->kind, x, m->size[d]);
		if (x < 0 || x >= m->size[d])
			return -1;
		at = at * m->size[d] + x;
	}
	return at;
}

/* The same of a point that counts: where it is beyond the grid, the run has left
 * that; any cell does.
 */
static int64_t cell_read(const struct state *s, const struct access *acc)
{
	int64_t at = cell_mapped(s, acc);

	if (at >= 0)
		return at;
	*s->leaves_grid = true;
	return 0;
}

/* Has a read the value of its cell with the sign turned? */
static bool is_odd(const struct state *s, const struct access *acc)
{
	bool odd = false;

	for (int d = 0; d < acc->field->n_dims; d++) {
		const struct boundary *b = beyond_along(s, acc, d);

		if (b && b->kind == BOUNDARY_ODD)
			odd = !odd;
	}
	return odd;
}

static struct value read_cell(const struct state *s, const struct access *acc)
{
	const struct memory *m = &s->memory[acc->field->index];
	int d;
	const struct boundary *b = beyond(s, acc, &d);
	struct value cell;

	if (b)
		return value_beyond(s, acc, b, d);
	cell = load(m, first_cell(m, s->t + acc->version) + cell_read(s, acc));
	return is_odd(s, acc) ? value_minus(cell) : cell;
}

struct value eval_param(const struct state *s, const struct param *p)
{
	for (int i = 0; i < s->prog->n_params; i++)
		if (s->prog->param[i] == p)
			return s->param[i];
	give_up("a parameter that is none");
	return value_int(0);
}

static bool is_junction(const struct expr *e)
{
	return e->kind == EXPR_BINARY && (e->op == OP_AND || e->op == OP_OR);
}

/* Do conditions on the point alone tell the truth of "e"? */
static bool is_told(const struct state *s, const struct expr *e, bool *truth_of)
{
	bool a, b, told_a, told_b;

	if (e->kind == EXPR_LOCAL)
		return is_told(s, e->local->value, truth_of);
	if (expr_is_condition(e)) {
		*truth_of = truth(eval(s, e));
		return true;
	}
	if (e->kind == EXPR_UNARY && e->op == OP_NOT) {
		told_a = is_told(s, e->arg[0], &a);
		*truth_of = !a;
		return told_a;
	}
	if (!is_junction(e))
		return false;
	told_a = is_told(s, e->arg[0], &a);
	told_b = is_told(s, e->arg[1], &b);
	*truth_of = e->op == OP_OR;
	if ((told_a && a == *truth_of) || (told_b && b == *truth_of))
		return true;
	*truth_of = !*truth_of;
	return told_a && told_b;
}

static struct value eval_binary(const struct state *s, const struct expr *e)
{
	struct value a, b;
	enum type type;
	bool known;

	if (is_junction(e) && !expr_is_condition(e) && is_told(s, e, &known))
		return value_int(known);
	a = eval(s, e->arg[0]);

	if (e->op == OP_AND && !truth(a))
		return value_int(0);
	if (e->op == OP_OR && truth(a))
		return value_int(1);
	b = eval(s, e->arg[1]);
	if (e->op == OP_AND || e->op == OP_OR)
		return value_int(truth(b));
	if (op_is_shift(e->op))
		return value_shift(e->op, a, b);
	type = a.type > b.type ? a.type : b.type;
	a = value_as(a, type);
	b = value_as(b, type);
	return type_is_integer(type) ? value_int_binary(type, e->op, a.i, b.i) :
		value_real_binary(type, e->op, a.r, b.r);
}

static struct value eval_call(const struct state *s, const struct expr *e)
{
	double arg[3] = { 0 };

	for (int i = 0; i < e->n_args; i++)
		arg[i] = value_as(eval(s, e->arg[i]), e->type).r;
	return e->type == TYPE_FLOAT ?
		value_call_float(e->op, (float) arg[0], (float) arg[1],
			(float) arg[2]) :
		value_call_double(e->op, arg[0], arg[1], arg[2]);
}

static struct value eval_element(const struct state *s, const struct expr *e)
{
	const struct memory *m = &s->memory[e->field->index];
	int64_t cell = 0;

	for (int d = 0; d < e->n_args; d++) {
		const int64_t at = eval(s, e->arg[d]).i;

		if (at < 0 || at >= m->size[d])
			give_up("an element beyond its input");
		cell = cell * m->size[d] + at;
	}
	return load(m, cell);
}

struct value eval(const struct state *s, const struct expr *e)
{
	struct value a;

	switch (e->kind) {
	case EXPR_INT:
		return value_int(e->ivalue);
	case EXPR_REAL:
		return value_real(e->type, e->rvalue);
	case EXPR_PARAM:
		return eval_param(s, e->param);
	case EXPR_INDEX:
		return value_int(s->x[e->dim]);
	case EXPR_TIME:
		return value_int(s->t + s->begin);
	case EXPR_READ:
		return read_cell(s, e->access);
	case EXPR_ELEMENT:
		return eval_element(s, e);
	case EXPR_NUMBER:
		return value_int(s->number);
	case EXPR_OWN:
		return s->own;
	case EXPR_LOCAL:
		return eval(s, e->local->value);
	case EXPR_UNARY:
		a = eval(s, e->arg[0]);
		if (e->op == OP_NOT)
			return value_int(!truth(a));
		if (e->op == OP_BIT_NOT)
			return value_integer(a.type, ~a.i);
		return value_minus(a);
	case EXPR_BINARY:
		return eval_binary(s, e);
	case EXPR_SELECT:
		return value_as(eval(s, e->arg[truth(eval(s, e->arg[0])) ?
			1 : 2]), e->type);
	case EXPR_CALL:
		return eval_call(s, e);
	default:
		return value_as(eval(s, e->arg[0]), e->type);
	}
}

/* Statements ------------------------------------------------------------ */

/* Has some cell a value, of those of a temp that "acc" may mean, wherever boundaries lead? */
static bool some_have_values(const struct state *s, const struct access *acc)
{
	const struct memory *m = &s->memory[acc->field->index];

	for (int64_t cell = 0; cell < m->cells; cell++) {
		bool meant = m->has_value[cell];
		int64_t rest = cell;

		for (int d = acc->field->n_dims - 1; d >= 0; d--) {
			int64_t at = acc->dim[d] < 0 ? -1 :
				cell_along(acc, d, s->x[acc->dim[d]]);

			meant = meant && (at < 0 || at >= m->size[d] ||
				at == rest % m->size[d]);
			rest /= m->size[d];
		}
		if (meant)
			return true;
	}
	return false;
}

/* Does "acc" lie in the grid or have a boundary, and is a value there?  Where the
 * boundary maps it beyond the grid, the other reads say whether the point counts.
 */
static bool has_meaning(const struct state *s, const struct access *acc)
{
	const struct memory *m = &s->memory[acc->field->index];
	int64_t cell;
	int d;

	for (d = 0; d < acc->field->n_dims; d++) {
		const struct boundary *b = acc->dim[d] < 0 ? NULL :
			beyond_along(s, acc, d);

		if (b && b->kind == BOUNDARY_FIXED)
			return false;
	}
	if (!m->has_value || beyond(s, acc, &d))
		return true;
	cell = cell_mapped(s, acc);
	return cell < 0 ? some_have_values(s, acc) : m->has_value[cell];
}

/* Does each read of "e" have a meaning, of those that count? */
static bool reads_have_meaning(const struct state *s, const struct expr *e)
{
	bool known;

	if (e->kind == EXPR_LOCAL)
		return reads_have_meaning(s, e->local->value);
	if (expr_is_read(e) && e->access)
		return has_meaning(s, e->access);
	if (is_junction(e) && is_told(s, e, &known))
		return true;
	if (e->kind == EXPR_SELECT && is_told(s, e->arg[0], &known))
		return reads_have_meaning(s, e->arg[known ? 1 : 2]);
	for (int i = 0; i < e->n_args; i++)
		if (!reads_have_meaning(s, e->arg[i]))
			return false;
	return true;
}

static bool all_reads_have_meaning(const struct state *s,
	const struct stmt *stmt)
{
	for (int i = 0; i < stmt_n_asked(stmt); i++)
		if (!has_meaning(s, stmt_asked(stmt, i)))
			return false;
	return true;
}

/* Of a temp all reads count. */
bool computes_point(const struct state *s, const struct stmt *stmt)
{
	if (field_is_temp(stmt->write->field) ?
	    !all_reads_have_meaning(s, stmt) :
	    !reads_have_meaning(s, stmt->value))
		return false;
	for (int i = 0; i < stmt->n_conditions; i++)
		if (!truth(eval(s, stmt->condition[i])))
			return false;
	return true;
}

void go_to_cell(struct state *s, const struct memory *m, int64_t cell)
{
	for (int d = m->field->n_dims - 1; d >= 0; d--) {
		s->x[d] = cell % m->size[d];
		cell /= m->size[d];
	}
}

static void run_point(struct state *s, const struct stmt *stmt, int64_t cell)
{
	const struct memory *m = &s->memory[stmt->write->field->index];

	go_to_cell(s, m, cell);
	if (!computes_point(s, stmt))
		return;
	store(m, first_cell(m, s->t + 1) + cell, eval(s, stmt->value));
	if (m->has_value)
		m->has_value[cell] = true;
}

/* Is statement "i" the imaginary part of a sweep, of which the one before is the real one? */
static bool is_swept_with(const struct program *p, int i)
{
	return i > 0 && i < p->n_stmts && p->stmt[i]->sweeps &&
		p->stmt[i - 1]->sweeps && p->stmt[i]->at.start ==
		p->stmt[i - 1]->at.start && p->stmt[i]->at.end ==
		p->stmt[i - 1]->at.end;
}

static void run_stmt(struct state *s, const struct stmt *stmt)
{
	const struct memory *m = &s->memory[stmt->write->field->index];

	if (is_swept_with(s->prog, stmt->index))
		return;
	for (int64_t cell = 0; cell < m->cells; cell++) {
		run_point(s, stmt, cell);
		if (is_swept_with(s->prog, stmt->index + 1))
			run_point(s, s->prog->stmt[stmt->index + 1], cell);
	}
}

/* Lists of points --------------------------------------------------------- */

void go_to_place(struct state *s, const struct list *list, int64_t number)
{
	int64_t x[IR_MAX_DIMS];

	s->number = number;
	for (int d = 0; d < list->grid->n_dims; d++)
		x[d] = eval(s, list->place[d]).i;
	memcpy(s->x, x, sizeof(x));
}

/* The cell "at" of the grid that "m" is. */
static int64_t cell_at(const struct memory *m, const int64_t *at)
{
	int64_t cell = 0;

	for (int d = 0; d < m->field->n_dims; d++)
		cell = cell * m->size[d] + at[d];
	return cell;
}

static void do_at_point(struct state *s, const struct stmt *stmt,
	const struct listed *l)
{
	const struct memory *m = &s->memory[stmt->write->field->index];
	int64_t cell = first_cell(m, s->t + 1) + cell_at(m, s->x);
	int64_t at[IR_MAX_DIMS];
	struct value value;

	s->own = load(m, cell);
	value = eval(s, l->value);
	if (!l->series) {
		store(m, cell, value);
		return;
	}
	m = &s->memory[l->series->index];
	for (int d = 0; d < l->series->n_dims; d++)
		at[d] = eval(s, l->subscript[d]).i;
	store(m, cell_at(m, at), value);
}

bool go_to_corner(struct state *s, const struct listed *l, int corner)
{
	for (int d = 0; d < l->list->grid->n_dims; d++)
		s->x[d] = (int64_t) eval(s, l->list->place[d]).r +
			(corner >> d) % 2;
	return eval(s, l->weight).r > 0;
}

/* Between cells: spread what is added; record the weighted sum of the cells. */
static void do_between(struct state *s, const struct stmt *stmt,
	const struct listed *l)
{
	const struct memory *m = &s->memory[stmt->write->field->index];
	enum type type = m->field->type;
	struct value sum = value_real(type, 0);
	int64_t at[IR_MAX_DIMS];

	for (int corner = 0; corner < list_corners(l->list); corner++) {
		struct value weight, own;

		if (!go_to_corner(s, l, corner))
			continue;
		if (!l->series) {
			do_at_point(s, stmt, l);
			continue;
		}
		weight = eval(s, l->weight);
		own = load(m, first_cell(m, s->t + 1) + cell_at(m, s->x));
		type = weight.type > sum.type ? weight.type : sum.type;
		sum = value_as(value_real_binary(type, OP_ADD, sum.r, value_real_binary(
			type, OP_MUL, weight.r, own.r).r), sum.type);
	}
	if (!l->series)
		return;
	s->own = sum;
	for (int d = 0; d < l->series->n_dims; d++)
		at[d] = eval(s, l->subscript[d]).i;
	m = &s->memory[l->series->index];
	store(m, cell_at(m, at), eval(s, l->value));
}

/* What the statement computes of this step, where conditions hold. */
static void record_all(struct state *s, const struct stmt *stmt,
	const struct listed *l)
{
	const struct memory *m = &s->memory[stmt->write->field->index];

	for (int64_t cell = 0; cell < m->cells; cell++) {
		int holds = 0;

		go_to_cell(s, m, cell);
		if (!computes_point(s, stmt))
			continue;
		while (holds < l->n_conditions &&
		       eval(s, l->condition[holds]).i)
			holds++;
		if (holds == l->n_conditions)
			do_at_point(s, stmt, l);
	}
}

/* In the order of numbers, once all points have been computed. */
static void run_listed(struct state *s, const struct stmt *stmt,
	const struct listed *l)
{
	int64_t end;

	for (int i = 0; !l->list && i <= stmt->index; i++)
		if (stmt_lists(s->prog->stmt[i], l))
			record_all(s, s->prog->stmt[i], l);
	if (!l->list)
		return;
	end = eval(s, l->list->end).i;
	for (int64_t q = eval(s, l->list->begin).i; q < end; q++) {
		s->number = q;
		if (l->list->is_between) {
			do_between(s, stmt, l);
			continue;
		}
		go_to_place(s, l->list, q);
		do_at_point(s, stmt, l);
	}
}

void begin_values(const struct memory *m)
{
	if (m->has_value)
		memset(m->has_value, 0, sizeof(bool) * (size_t) m->cells);
}

/* The next step of "m", before any statement: a state has the values of the one
 * before, a temp has none.
 */
static void begin_step(const struct state *s, const struct memory *m)
{
	begin_values(m);
	if (m->field->kind != FIELD_STATE)
		return;
	for (int64_t i = 0; i < m->cells; i++)
		store(m, first_cell(m, s->t + 1) + i,
			load(m, first_cell(m, s->t) + i));
}

void run_steps(struct state *s)
{
	bool ends = false;

	for (s->t = 0; s->t < s->steps && !ends; s->t++) {
		for (int i = 0; i < s->prog->n_fields; i++)
			begin_step(s, &s->memory[i]);
		for (int i = 0; i < s->prog->n_stmts; i++) {
			const struct stmt *stmt = s->prog->stmt[i];

			run_stmt(s, stmt);
			for (int j = 0; j < stmt->n_listed; j++)
				if (!program_lists_later(s->prog, i,
				    stmt->listed[j]))
					run_listed(s, stmt, stmt->listed[j]);
		}
		ends = reduce_step(s);
	}
	s->done = s->t;
}

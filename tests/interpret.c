/* The plain interpreter: runs a program by the letter of doc/language.md, from
 * the trees of ir.h and with nothing of what comes after them.
 *
 *	interpret TRY [-DNAME=VALUE ...] FILE.stn "--N=5 --T=3" ...
 *
 * prints a C++ function called TRY that calls an emitted function with list
 * "run" of these arguments and compares result and fields bit for bit:
 *
 *	typedef int TRY_type(...);
 *	static int TRY(int run, const char *what, TRY_type *f)
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "frontend/frontend.h"
#include "ir/ir.h"
#include "tests/interpret.h"

struct value {
	enum type type;
	int32_t i;
	double r;		/* of a float: a float's value */
};

/* What a field holds: copy c from "oldest" on, cells row by row. */
struct memory {
	const struct field *field;
	int64_t size[IR_MAX_DIMS], cells;
	int copies;
	bool *has_value;	/* of a temp, by cell, in this step */
	union {
		int32_t *i;
		float *f;
		double *d;
		void *any;
	};
};

struct state {
	struct region *mem;
	const struct program *prog;
	struct value *param;	/* as prog->param */
	struct memory *memory;	/* by field.index */
	int64_t begin, steps;
	int64_t t;		/* the step, from 0 */
	int64_t x[IR_MAX_DIMS];
};

enum { STATUS_NEGATIVE = -1, STATUS_ASSUMPTION = -4, STATUS_TOO_SMALL = -5 };

static void give_up(const char *what)
{
	fprintf(stderr, "interpret: %s\n", what);
	exit(3);
}

/* Values ---------------------------------------------------------------- */

static struct value value_int(int64_t i)
{
	return (struct value) { .type = TYPE_INT,
		.i = (int32_t) (uint32_t) (uint64_t) i };
}

static struct value value_real(enum type type, double r)
{
	return (struct value) { .type = type,
		.r = type == TYPE_FLOAT ? (double) (float) r : r };
}

static struct value convert(struct value v, enum type type)
{
	if (v.type == type)
		return v;
	if (type == TYPE_INT)
		return value_int((int32_t) v.r);
	return value_real(type, v.type == TYPE_INT ? (double) v.i : v.r);
}

static bool truth(struct value v)
{
	return v.type == TYPE_INT ? v.i != 0 : v.r != 0;
}

static struct value int_binary(enum op op, int64_t a, int64_t b)
{
	switch (op) {
	case OP_MUL: return value_int(a * b);
	case OP_ADD: return value_int(a + b);
	case OP_SUB: return value_int(a - b);
	case OP_LT: return value_int(a < b);
	case OP_LE: return value_int(a <= b);
	case OP_GT: return value_int(a > b);
	case OP_GE: return value_int(a >= b);
	case OP_EQ: return value_int(a == b);
	case OP_NE: return value_int(a != b);
	default:
		if (b == 0)
			give_up("division by zero");
		return value_int(op == OP_DIV ? a / b : a % b);
	}
}

static struct value real_binary(enum type type, enum op op, double a, double b)
{
	switch (op) {
	case OP_LT: return value_int(a < b);
	case OP_LE: return value_int(a <= b);
	case OP_GT: return value_int(a > b);
	case OP_GE: return value_int(a >= b);
	case OP_EQ: return value_int(a == b);
	case OP_NE: return value_int(a != b);
	case OP_MUL: return value_real(type, type == TYPE_FLOAT ?
		(float) a * (float) b : a * b);
	case OP_DIV: return value_real(type, type == TYPE_FLOAT ?
		(float) a / (float) b : a / b);
	case OP_ADD: return value_real(type, type == TYPE_FLOAT ?
		(float) a + (float) b : a + b);
	default: return value_real(type, type == TYPE_FLOAT ?
		(float) a - (float) b : a - b);
	}
}

static struct value call_float(enum op op, float a, float b)
{
	switch (op) {
	case OP_SQRT: return value_real(TYPE_FLOAT, sqrtf(a));
	case OP_EXP: return value_real(TYPE_FLOAT, expf(a));
	case OP_LOG: return value_real(TYPE_FLOAT, logf(a));
	case OP_SIN: return value_real(TYPE_FLOAT, sinf(a));
	case OP_COS: return value_real(TYPE_FLOAT, cosf(a));
	case OP_TAN: return value_real(TYPE_FLOAT, tanf(a));
	case OP_TANH: return value_real(TYPE_FLOAT, tanhf(a));
	case OP_POW: return value_real(TYPE_FLOAT, powf(a, b));
	case OP_FABS: return value_real(TYPE_FLOAT, fabsf(a));
	case OP_FMIN: return value_real(TYPE_FLOAT, fminf(a, b));
	case OP_FMAX: return value_real(TYPE_FLOAT, fmaxf(a, b));
	case OP_FLOOR: return value_real(TYPE_FLOAT, floorf(a));
	default: return value_real(TYPE_FLOAT, ceilf(a));
	}
}

static struct value call_double(enum op op, double a, double b)
{
	switch (op) {
	case OP_SQRT: return value_real(TYPE_DOUBLE, sqrt(a));
	case OP_EXP: return value_real(TYPE_DOUBLE, exp(a));
	case OP_LOG: return value_real(TYPE_DOUBLE, log(a));
	case OP_SIN: return value_real(TYPE_DOUBLE, sin(a));
	case OP_COS: return value_real(TYPE_DOUBLE, cos(a));
	case OP_TAN: return value_real(TYPE_DOUBLE, tan(a));
	case OP_TANH: return value_real(TYPE_DOUBLE, tanh(a));
	case OP_POW: return value_real(TYPE_DOUBLE, pow(a, b));
	case OP_FABS: return value_real(TYPE_DOUBLE, fabs(a));
	case OP_FMIN: return value_real(TYPE_DOUBLE, fmin(a, b));
	case OP_FMAX: return value_real(TYPE_DOUBLE, fmax(a, b));
	case OP_FLOOR: return value_real(TYPE_DOUBLE, floor(a));
	default: return value_real(TYPE_DOUBLE, ceil(a));
	}
}

/* Memory ---------------------------------------------------------------- */

static struct value load(const struct memory *m, int64_t at)
{
	switch (m->field->type) {
	case TYPE_INT: return value_int(m->i[at]);
	case TYPE_FLOAT: return value_real(TYPE_FLOAT, m->f[at]);
	default: return value_real(TYPE_DOUBLE, m->d[at]);
	}
}

static void store(const struct memory *m, int64_t at, struct value v)
{
	v = convert(v, m->field->type);
	switch (m->field->type) {
	case TYPE_INT: m->i[at] = v.i; break;
	case TYPE_FLOAT: m->f[at] = (float) v.r; break;
	default: m->d[at] = v.r; break;
	}
}

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

static struct value eval(const struct state *s, const struct expr *e);

/* Where a read at "at" of "n" points goes: a boundary maps it once. */
static int64_t mapped(enum boundary_kind kind, int64_t at, int64_t n)
{
	if (at >= 0 && at < n)
		return at;
	switch (kind) {
	case BOUNDARY_PERIODIC: return at < 0 ? at + n : at - n;
	case BOUNDARY_MIRROR: return at < 0 ? -at : 2 * (n - 1) - at;
	case BOUNDARY_CLAMP: return at < 0 ? 0 : n - 1;
	default: return at;
	}
}

static int64_t subscript(const struct state *s, const struct access *acc,
	int d)
{
	return acc->stride[d] * s->x[acc->dim[d]] + acc->offset[d];
}

/* The boundary whose value a read is, or NULL. */
static const struct boundary *beyond(const struct state *s,
	const struct access *acc)
{
	const struct memory *m = &s->memory[acc->field->index];

	for (int d = 0; d < acc->field->n_dims; d++) {
		const struct boundary *b = &acc->field->boundary[d];
		int64_t x = subscript(s, acc, d);

		if (b->kind == BOUNDARY_VALUE && (x < 0 || x >= m->size[d]))
			return b;
	}
	return NULL;
}

/* The cell that a read is mapped to, of its version. */
static int64_t cell_read(const struct state *s, const struct access *acc)
{
	const struct memory *m = &s->memory[acc->field->index];
	int64_t at = 0;

	for (int d = 0; d < acc->field->n_dims; d++)
		at = at * m->size[d] + mapped(acc->field->boundary[d].kind,
			subscript(s, acc, d), m->size[d]);
	return at;
}

static struct value read_cell(const struct state *s, const struct access *acc)
{
	const struct memory *m = &s->memory[acc->field->index];
	const struct boundary *b = beyond(s, acc);

	if (b)
		return convert(eval(s, b->value), acc->field->type);
	return load(m, first_cell(m, s->t + acc->version) + cell_read(s, acc));
}

static struct value eval_param(const struct state *s, const struct param *p)
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
	type = a.type > b.type ? a.type : b.type;
	a = convert(a, type);
	b = convert(b, type);
	return type == TYPE_INT ? int_binary(e->op, a.i, b.i) :
		real_binary(type, e->op, a.r, b.r);
}

static struct value eval_call(const struct state *s, const struct expr *e)
{
	double arg[2] = { 0 };

	for (int i = 0; i < e->n_args; i++)
		arg[i] = convert(eval(s, e->arg[i]), e->type).r;
	return e->type == TYPE_FLOAT ?
		call_float(e->op, (float) arg[0], (float) arg[1]) :
		call_double(e->op, arg[0], arg[1]);
}

static struct value eval(const struct state *s, const struct expr *e)
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
	case EXPR_LOCAL:
		return eval(s, e->local->value);
	case EXPR_UNARY:
		a = eval(s, e->arg[0]);
		if (e->op == OP_NOT)
			return value_int(!truth(a));
		return a.type == TYPE_INT ? value_int(-(int64_t) a.i) :
			value_real(a.type, -a.r);
	case EXPR_BINARY:
		return eval_binary(s, e);
	case EXPR_SELECT:
		return convert(eval(s, e->arg[truth(eval(s, e->arg[0])) ?
			1 : 2]), e->type);
	case EXPR_CALL:
		return eval_call(s, e);
	default:
		return convert(eval(s, e->arg[0]), e->type);
	}
}

/* Statements ------------------------------------------------------------ */

/* Does "acc" lie in the grid or have a boundary, and is a value there? */
static bool has_meaning(const struct state *s, const struct access *acc)
{
	const struct memory *m = &s->memory[acc->field->index];

	for (int d = 0; d < acc->field->n_dims; d++) {
		int64_t x = subscript(s, acc, d);

		if (acc->field->boundary[d].kind == BOUNDARY_FIXED &&
		    (x < 0 || x >= m->size[d]))
			return false;
	}
	return !m->has_value || beyond(s, acc) ||
		m->has_value[cell_read(s, acc)];
}

/* Does each read of "e" have a meaning, of those that count? */
static bool reads_have_meaning(const struct state *s, const struct expr *e)
{
	bool known;

	if (e->kind == EXPR_LOCAL)
		return reads_have_meaning(s, e->local->value);
	if (e->kind == EXPR_READ)
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
	for (int i = 0; i < stmt->n_reads; i++)
		if (!has_meaning(s, stmt->read[i]))
			return false;
	return true;
}

/* Does each read that counts have a meaning, and each condition hold?  Of a
 * temp all reads count.
 */
static bool computes(const struct state *s, const struct stmt *stmt)
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

static void run_stmt(struct state *s, const struct stmt *stmt)
{
	const struct memory *m = &s->memory[stmt->write->field->index];

	for (int64_t cell = 0; cell < m->cells; cell++) {
		int64_t rest = cell;

		for (int d = stmt->n_dims - 1; d >= 0; d--) {
			s->x[d] = rest % m->size[d];
			rest /= m->size[d];
		}
		if (!computes(s, stmt))
			continue;
		store(m, first_cell(m, s->t + 1) + cell, eval(s, stmt->value));
		if (m->has_value)
			m->has_value[cell] = true;
	}
}

/* The next step of "m", before any statement: a state has the values of the one
 * before, a temp has none.
 */
static void begin_step(const struct state *s, const struct memory *m)
{
	if (m->has_value)
		memset(m->has_value, 0, sizeof(bool) * (size_t) m->cells);
	if (m->field->kind != FIELD_STATE)
		return;
	for (int64_t i = 0; i < m->cells; i++)
		store(m, first_cell(m, s->t + 1) + i,
			load(m, first_cell(m, s->t) + i));
}

static void run_steps(struct state *s)
{
	for (s->t = 0; s->t < s->steps; s->t++) {
		for (int i = 0; i < s->prog->n_fields; i++)
			begin_step(s, &s->memory[i]);
		for (int i = 0; i < s->prog->n_stmts; i++)
			run_stmt(s, s->prog->stmt[i]);
	}
}

/* A run ----------------------------------------------------------------- */

static struct value given(const struct param *p, const char *args)
{
	char *key, *at;
	struct value v = p->type == TYPE_INT ? value_int(1) :
		value_real(p->type, TEST_REAL);

	if (p->fixed)
		return p->type == TYPE_INT ? value_int(p->ivalue) :
			value_real(p->type, p->rvalue);
	key = malloc(strlen(p->name) + 4);
	sprintf(key, "--%s=", p->name);
	at = strstr(args, key);
	if (at && p->type == TYPE_INT)
		v = value_int(strtol(at + strlen(key), NULL, 10));
	else if (at)
		v = value_real(p->type, strtod(at + strlen(key), NULL));
	free(key);
	return v;
}

static int64_t eval_int(const struct state *s, const struct expr *e)
{
	return convert(eval(s, e), TYPE_INT).i;
}

/* The status that the arguments lead to; true in "empty" if a field is. */
static int check(const struct state *s, bool *empty)
{
	const struct program *p = s->prog;

	*empty = false;
	for (int i = 0; i < p->n_fields; i++)
		for (int d = 0; d < p->field[i]->n_dims; d++)
			if (s->memory[i].size[d] < 0)
				return STATUS_NEGATIVE;
			else if (s->memory[i].size[d] == 0)
				*empty = true;
	for (int i = 0; i < p->n_assumes; i++)
		if (!truth(eval(s, p->assume[i])))
			return STATUS_ASSUMPTION;
	return 0;
}

/* The writer of a temp. */
static const struct stmt *writer_of(const struct program *p,
	const struct field *f)
{
	int i = 0;

	while (p->stmt[i]->write->field != f)
		i++;
	return p->stmt[i];
}

struct interval {
	int64_t low, high;
};

/* Where "stmt" runs along index "dim", conditions aside: in its grid, where
 * reads at fixed boundaries lie in theirs, and temps have values; low > high where
 * it does not, each as far as these ask for.
 */
static struct interval range_of(const struct state *s, const struct stmt *stmt,
	int dim)
{
	struct interval r = { 0,
		s->memory[stmt->write->field->index].size[dim] - 1 };

	for (int i = 0; i < stmt->n_reads; i++) {
		const struct access *acc = stmt->read[i];
		const struct memory *m = &s->memory[acc->field->index];

		for (int d = 0; d < acc->field->n_dims; d++) {
			struct interval of = { 0, m->size[d] - 1 };

			if (acc->dim[d] != dim || acc->field->boundary[d].kind !=
			    BOUNDARY_FIXED)
				continue;
			if (m->has_value)
				of = range_of(s, writer_of(s->prog, acc->field),
					d);
			while (acc->stride[d] * r.low + acc->offset[d] <
			       of.low)
				r.low++;
			while (acc->stride[d] * r.high + acc->offset[d] >
			       of.high)
				r.high--;
		}
	}
	return r;
}

static bool has_points(const struct state *s, const struct stmt *stmt)
{
	for (int dim = 0; dim < stmt->n_dims; dim++) {
		struct interval r = range_of(s, stmt, dim);

		if (r.low > r.high)
			return false;
	}
	return true;
}

static bool is_in(int64_t x, int64_t n)
{
	return x >= 0 && x < n;
}

/* Does a boundary that goes around or back once not lead into the grid from the
 * first point of "r", below it, or from the last one, above it?
 */
static bool leaves(const struct state *s, const struct access *acc, int d,
	struct interval r)
{
	enum boundary_kind kind = acc->field->boundary[d].kind;
	int64_t n = s->memory[acc->field->index].size[d];
	int64_t low = acc->stride[d] * r.low + acc->offset[d];
	int64_t high = acc->stride[d] * r.high + acc->offset[d];

	if (kind == BOUNDARY_FIXED || kind == BOUNDARY_VALUE)
		return false;
	return (low < 0 && !is_in(mapped(kind, low, n), n)) ||
		(high >= n && !is_in(mapped(kind, high, n), n));
}

/* Is a grid too small for a boundary, at an end of the statement's ranges? */
static bool is_too_small(const struct state *s, const struct stmt *stmt)
{
	for (int i = 0; i < stmt->n_reads; i++) {
		const struct access *acc = stmt->read[i];

		for (int d = 0; d < acc->field->n_dims; d++)
			if (leaves(s, acc, d, range_of(s, stmt, acc->dim[d])))
				return true;
	}
	return false;
}

/* The same for the program, where any statement has points, or a step moves the
 * steps that a state keeps.
 */
static bool some_too_small(const struct state *s)
{
	const struct program *p = s->prog;
	bool runs = false, small = false;

	for (int i = 0; i < p->n_fields; i++)
		runs = runs || p->field[i]->depth > 1;
	for (int i = 0; i < p->n_stmts; i++) {
		runs = runs || has_points(s, p->stmt[i]);
		small = small || is_too_small(s, p->stmt[i]);
	}
	return runs && small;
}

static struct memory memory_of(const struct state *s, const struct field *f)
{
	struct memory m = { .field = f, .cells = 1 };

	m.copies = f->kind == FIELD_STATE ?
		f->depth + (int) (s->steps > 0 ? s->steps : 0) : 1;
	for (int d = 0; d < f->n_dims; d++) {
		m.size[d] = eval_int(s, f->size[d]);
		m.cells *= m.size[d] > 0 ? m.size[d] : 0;
	}
	m.any = region_alloc(s->mem, (size_t) (m.cells * m.copies + 1) *
		(size_t) type_size(f->type));
	if (field_is_temp(f))
		m.has_value = region_array(s->mem, bool, (size_t) m.cells + 1);
	for (int64_t i = 0; i < m.cells * f->depth || (f->kind !=
	     FIELD_STATE && i < m.cells); i++)
		store(&m, i, f->type == TYPE_INT ?
			value_int(test_int(f->index, (size_t) i)) :
			value_real(f->type, test_real(f->index, (size_t) i)));
	return m;
}

/* Output ---------------------------------------------------------------- */

static int copies_passed(const struct field *f)
{
	return f->kind == FIELD_STATE ? f->depth : 1;
}

static void print_values(const struct state *s)
{
	const char *comma = "";

	for (int i = 0; i < s->prog->n_args; i++, comma = ", ") {
		const struct argument *a = &s->prog->arg[i];
		struct value v;

		if (a->field) {
			printf("%s(%s *) F%d", comma,
				type_name(a->field->type), a->field->index);
			continue;
		}
		v = eval_param(s, a->param);
		if (v.type == TYPE_INT)
			printf("%s%d", comma, v.i);
		else
			printf("%s%a%s", comma, v.r,
				v.type == TYPE_FLOAT ? "f" : "");
	}
}

/* Call f and compare with what the fields hold from "oldest" on. */
static void print_run(const struct state *s, const char *args, int status,
	int64_t oldest)
{
	for (int i = 0; i < s->prog->n_fields; i++) {
		const struct field *f = s->prog->field[i];

		if (field_is_temp(f))
			continue;
		printf("\t\tvoid *F%d = test_field<%s>(%d, %lld);\n", i,
			type_name(f->type), i,
			(long long) s->memory[i].cells * copies_passed(f));
	}
	printf("\t\twrong += test_status(what, \"%s\", f(", args);
	print_values(s);
	printf("), %d);\n", status);
	for (int i = 0; i < s->prog->n_fields; i++) {
		const struct field *f = s->prog->field[i];
		const struct memory *m = &s->memory[i];
		size_t bytes = (size_t) (m->cells * copies_passed(f)) *
			(size_t) type_size(f->type);
		const char *at = (const char *) m->any;

		if (field_is_temp(f))
			continue;
		if (f->kind == FIELD_STATE)
			at += (size_t) (oldest * m->cells) *
				(size_t) type_size(f->type);
		printf("\t\twrong += test_same(what, \"%s\", \"%s\", F%d, "
			"%zu, 0x%llxu);\n", args, f->name, i, bytes,
			(unsigned long long) test_sum(at, bytes));
	}
	printf("\t}\n");
}

static void run(struct state *s, int n, const char *args)
{
	const struct program *p = s->prog;
	bool empty, idle;
	int status;

	s->param = region_array(s->mem, struct value, p->n_params + 1);
	for (int i = 0; i < p->n_params; i++)
		s->param[i] = given(p->param[i], args);
	s->begin = p->timed ? eval_int(s, p->begin) : 0;
	s->steps = p->timed ? eval_int(s, p->end) - s->begin : 1;
	s->memory = region_array(s->mem, struct memory, p->n_fields + 1);
	for (int i = 0; i < p->n_fields; i++)
		s->memory[i] = memory_of(s, p->field[i]);
	status = check(s, &empty);
	idle = empty || s->steps <= 0;
	if (!status && !idle && some_too_small(s))
		status = STATUS_TOO_SMALL;
	if (!status && !idle)
		run_steps(s);
	printf("\tif (run == %d) {\n", n);
	print_run(s, args, status, !status && !idle ? s->steps : 0);
}

static void print_types(const struct program *p)
{
	for (int i = 0; i < p->n_args; i++) {
		const struct argument *a = &p->arg[i];

		printf(i ? ", " : "");
		if (a->param)
			printf("%s", type_name(a->param->type));
		else
			printf("%s%s *", a->field->kind == FIELD_INPUT ?
				"const " : "", type_name(a->field->type));
	}
}

static const struct program *read_program(struct region *mem,
	const char *file, char **defines, int n)
{
	struct define *define = region_array(mem, struct define, n + 1);
	const struct source *src;
	struct diags d;

	for (int i = 0; i < n; i++) {
		char *name = region_strdup(mem, defines[i] + 2);
		char *equals = strchr(name, '=');

		if (!equals)
			give_up("-D without a value");
		*equals = '\0';
		define[i] = (struct define) { name, equals + 1 };
	}
	diags_init(&d, stderr);
	d.quiet = true;
	src = source_read(mem, &d, file);
	return src ? frontend_stn(mem, &d, src, define, n) : NULL;
}

int main(int argc, char **argv)
{
	struct state s = { .mem = region_new() };
	int file = 2;

	while (file < argc && !strncmp(argv[file], "-D", 2))
		file++;
	if (file >= argc)
		give_up("usage: interpret TRY [-DNAME=VALUE] FILE.stn RUN...");
	s.prog = read_program(s.mem, argv[file], argv + 2, file - 2);
	if (!s.prog)
		return 1;
	printf("typedef int %s_type(", argv[1]);
	print_types(s.prog);
	printf(");\n\nstatic int %s(int run, const char *what, %s_type *f)\n",
		argv[1], argv[1]);
	printf("{\n\tint wrong = 0;\n\n");
	for (int i = file + 1; i < argc; i++)
		run(&s, i - file - 1, argv[i]);
	printf("\treturn wrong;\n}\n\n");
	region_free(s.mem);
	return 0;
}

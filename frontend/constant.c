/* Numbers known at compile time: constants, tables, fixed parameters. */
#include "frontend/components.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct value int_value(int64_t i)
{
	return (struct value) { .type = TYPE_INT, .i = i };
}

static struct value real_value(enum type type, double d)
{
	return (struct value) {
		.type = type, .d = type == TYPE_FLOAT ? (float) d : d
	};
}

static double as_real(const struct value *v)
{
	return v->type == TYPE_INT ? (double) v->i : v->d;
}

/* "v" converted to "type" as C does; false for a real number that does not fit
 * an int.
 */
static bool convert_value(struct value *v, enum type type)
{
	double d = as_real(v);

	if (type != TYPE_INT)
		*v = real_value(type, d);
	else if (v->type == TYPE_INT)
		return true;
	else if (d > -2147483649.0 && d < 2147483648.0)
		*v = int_value((int64_t) d);
	else
		return false;
	return true;
}

/* Evaluation ---------------------------------------------------------------*/

static const struct expr *evaluate(const struct expr *e, struct value *v);

static double float_operation(enum op op, float a, float b)
{
	switch (op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	case OP_DIV: return a / b;
	default: return 0;
	}
}

static double double_operation(enum op op, double a, double b)
{
	switch (op) {
	case OP_ADD: return a + b;
	case OP_SUB: return a - b;
	case OP_MUL: return a * b;
	case OP_DIV: return a / b;
	default: return 0;
	}
}

static int compare(enum op op, double a, double b)
{
	switch (op) {
	case OP_LT: return a < b;
	case OP_LE: return a <= b;
	case OP_GT: return a > b;
	case OP_GE: return a >= b;
	case OP_EQ: return a == b;
	case OP_NE: return a != b;
	case OP_AND: return a != 0 && b != 0;
	default: return a != 0 || b != 0;
	}
}

/* False if the operation has no result. */
static bool int_operation(enum op op, int64_t a, int64_t b, int64_t *result)
{
	switch (op) {
	case OP_ADD: return !__builtin_add_overflow(a, b, result);
	case OP_SUB: return !__builtin_sub_overflow(a, b, result);
	case OP_MUL: return !__builtin_mul_overflow(a, b, result);
	default: break;
	}
	if (b == 0 || (b == -1 && a == INT64_MIN))
		return false;
	*result = op == OP_DIV ? a / b : a % b;
	return true;
}

static const struct expr *evaluate_binary(const struct expr *e,
	struct value *v)
{
	struct value a, b;
	const struct expr *culprit = evaluate(e->arg[0], &a);

	if (!culprit)
		culprit = evaluate(e->arg[1], &b);
	if (culprit)
		return culprit;
	if (e->type == TYPE_INT && !op_is_comparison(e->op)) {
		*v = int_value(0);
		return int_operation(e->op, a.i, b.i, &v->i) ? NULL : e;
	}
	if (op_is_comparison(e->op))
		*v = int_value(compare(e->op, as_real(&a), as_real(&b)));
	else if (e->type == TYPE_FLOAT)
		*v = real_value(TYPE_FLOAT, float_operation(e->op,
			(float) as_real(&a), (float) as_real(&b)));
	else
		*v = real_value(TYPE_DOUBLE, double_operation(e->op,
			as_real(&a), as_real(&b)));
	return NULL;
}

static const struct expr *evaluate_unary(const struct expr *e,
	struct value *v)
{
	const struct expr *culprit = evaluate(e->arg[0], v);

	if (culprit)
		return culprit;
	*v = e->op == OP_NOT ? int_value(as_real(v) == 0) :
		real_value(e->type, -v->d);
	return NULL;
}

static double call_float(enum op op, float a, float b, float c)
{
	switch (op) {
#define FUNCTION1(id, name, cost, special) case id: return name##f(a);
#define FUNCTION2(id, name, cost, special) case id: return name##f(a, b);
#define FUNCTION3(id, name, cost, special) case id: return name##f(a, b, c);
#include "ir/ops.def"
	default: return 0;
	}
}

static double call_double(enum op op, double a, double b, double c)
{
	switch (op) {
#define FUNCTION1(id, name, cost, special) case id: return name(a);
#define FUNCTION2(id, name, cost, special) case id: return name(a, b);
#define FUNCTION3(id, name, cost, special) case id: return name(a, b, c);
#include "ir/ops.def"
	default: return 0;
	}
}

static const struct expr *evaluate_call(const struct expr *e,
	struct value *v)
{
	struct value arg[3] = { 0 };
	const struct expr *culprit = NULL;

	for (int i = 0; i < e->n_args && !culprit; ++i)
		culprit = evaluate(e->arg[i], &arg[i]);
	if (culprit)
		return culprit;
	*v = real_value(e->type, e->type == TYPE_FLOAT ?
		call_float(e->op, (float) arg[0].d, (float) arg[1].d,
			(float) arg[2].d) :
		call_double(e->op, arg[0].d, arg[1].d, arg[2].d));
	return NULL;
}

static const struct expr *evaluate_select(const struct expr *e,
	struct value *v)
{
	struct value condition;
	const struct expr *culprit = evaluate(e->arg[0], &condition);

	if (!culprit)
		culprit = evaluate(e->arg[as_real(&condition) ? 1 : 2], v);
	if (!culprit)
		convert_value(v, e->type);
	return culprit;
}

static const struct expr *evaluate_cast(const struct expr *e,
	struct value *v)
{
	const struct expr *culprit = evaluate(e->arg[0], v);

	if (culprit)
		return culprit;
	return convert_value(v, e->type) ? NULL : e;
}

/* Compute "e" as C does; NULL, or the part that is not constant. */
static const struct expr *evaluate(const struct expr *e, struct value *v)
{
	int64_t i;

	if (expr_constant(e, &i)) {
		*v = int_value(i);
		return NULL;
	}
	switch (e->kind) {
	case EXPR_REAL:
		*v = real_value(e->type, e->rvalue);
		return NULL;
	case EXPR_PARAM:
		*v = real_value(e->type, e->param->rvalue);
		return e->param->fixed ? NULL : e;
	case EXPR_UNARY:
		return evaluate_unary(e, v);
	case EXPR_BINARY:
		return evaluate_binary(e, v);
	case EXPR_SELECT:
		return evaluate_select(e, v);
	case EXPR_CALL:
		return evaluate_call(e, v);
	case EXPR_CAST:
		return evaluate_cast(e, v);
	default:
		return e;
	}
}

static void refuse_not_constant(struct context *c, struct ast_expr *e,
	const struct expr *culprit, const char *what)
{
	struct diags *d = c->l->diags;
	bool new;

	if (culprit->kind == EXPR_CAST) {
		report(c, e, E_OVERFLOW, culprit->at,
			"'%s' does not fit an int", quote(c->l, culprit->at));
		return;
	}
	new = report(c, e, E_NOT_CONSTANT, culprit->at,
		"%s must be known at compile time; '%s' is not", what,
		quote(c->l, culprit->at));
	if (!new || culprit->kind != EXPR_PARAM)
		return;
	diag_note(d, culprit->param->at,
		"'%s' is given at run time", culprit->param->name);
	diag_advice(d, "fix it with '%s = ...' in its declaration, or with "
		"-D %s=...", culprit->param->name, culprit->param->name);
}

bool lower_value(struct context *c, struct ast_expr *e, enum type type,
	const char *what, struct value *v)
{
	struct context inner = *c;
	const struct expr *value, *culprit;

	inner.inlining = true;
	value = lower_expr(&inner, e);
	if (!value)
		return false;
	value = type == TYPE_INT ? value : convert(c, type, value);
	culprit = evaluate(value, v);
	if (culprit) {
		refuse_not_constant(c, e, culprit, what);
		return false;
	}
	if (v->type != TYPE_INT && !isfinite(v->d)) {
		report(c, e, E_NOT_FINITE, e->at, "%s is not a finite %s",
			what, type_name(v->type));
		return false;
	}
	if (convert_value(v, type))
		return true;
	report(c, e, E_OVERFLOW, e->at, "%s does not fit an int", what);
	return false;
}

const struct expr *value_expr(struct lower *l, const struct value *v,
	struct span at)
{
	return v->type == TYPE_INT ? expr_int(l->mem, v->i, at) :
		expr_real(l->mem, v->type, v->d, at);
}

/* Tables -------------------------------------------------------------------*/

enum { MAX_TABLE = 1 << 20 };

static bool refuse_shape(struct lower *l, const struct ast_entry *e,
	int64_t n, int64_t needed)
{
	diag(l->diags, E_TABLE_SHAPE, e->at,
		"%" PRId64 " %s listed here, but %" PRId64 " %s needed",
		n, n == 1 ? "entry is" : "entries are", needed,
		needed == 1 ? "is" : "are");
	return false;
}

static bool fill_number(struct context *c, struct constant *k,
	const struct ast_entry *e)
{
	return lower_value(c, e->value, k->type, "an entry of a table",
		&k->values[k->n_values++]);
}

/* All entries are numbers, in row-major order. */
static bool is_flat(const struct ast_entry *e)
{
	for (e = e->entries; e; e = e->next)
		if (!e->value)
			return false;
	return true;
}

static int64_t extent(const struct constant *k, int dim)
{
	return k->end[dim] - k->begin[dim] + 1;
}

/* Fill dimensions "dim" and those after it from "e". */
static bool fill_table(struct context *c, struct constant *k, int dim,
	const struct ast_entry *e)
{
	int64_t needed = extent(k, dim);
	bool flat = is_flat(e), done = true;

	for (int i = dim + 1; flat && i < k->n_dims; ++i)
		needed *= extent(k, i);
	if (e->n_entries != needed)
		return refuse_shape(c->l, e, e->n_entries, needed);
	for (const struct ast_entry *f = e->entries; f; f = f->next) {
		if (!f->value && dim + 1 == k->n_dims) {
			diag(c->l->diags, E_TABLE_SHAPE, f->at, "a number is "
				"needed here: the table has %d dimension%s",
				k->n_dims, k->n_dims == 1 ? "" : "s");
			return false;
		}
		if (f->value && !flat)
			return refuse_shape(c->l, f, 1, extent(k, dim + 1));
		done &= f->value ? fill_number(c, k, f) :
			fill_table(c, k, dim + 1, f);
	}
	return done;
}

static bool lower_range(struct context *c, struct constant *k,
	const struct ast_range *r, int64_t *size)
{
	int i = k->n_dims++;

	if (!lower_int(c, r->begin, "the range of a table", &k->begin[i]) ||
	    !lower_int(c, r->end, "the range of a table", &k->end[i]))
		return false;
	if (k->end[i] < k->begin[i]) {
		diag(c->l->diags, E_TABLE_SHAPE, r->name.at,
			"the range %" PRId64 " .. %" PRId64 " is empty",
			k->begin[i], k->end[i]);
		return false;
	}
	*size *= extent(k, i);
	if (*size <= MAX_TABLE)
		return true;
	diag(c->l->diags, E_TOO_LARGE, r->name.at,
		"this table has more than %d entries", MAX_TABLE);
	return false;
}

static bool lower_table(struct context *c, struct constant *k,
	const struct ast_item *item)
{
	int64_t size = 1;

	for (const struct ast_range *r = item->ranges; r; r = r->next) {
		if (k->n_dims == IR_MAX_DIMS) {
			diag(c->l->diags, E_DIMENSIONS, r->name.at,
				"a table has at most %d dimensions",
				IR_MAX_DIMS);
			return false;
		}
		if (!lower_range(c, k, r, &size))
			return false;
	}
	k->values = region_array(c->l->mem, struct value, size);
	return fill_table(c, k, 0, item->entry);
}

const struct constant *lower_constant(struct lower *l, struct symbol *s)
{
	struct context c = { .l = l };
	struct constant *k;
	bool done;

	if (s->progress == PROGRESS_BUSY) {
		s->progress = PROGRESS_DONE;
		diag(l->diags, E_RECURSION, s->at,
			"the value of '%s' needs itself", s->name);
	}
	if (s->progress == PROGRESS_DONE)
		return s->constant;
	s->progress = PROGRESS_BUSY;
	k = region_new_of(l->mem, struct constant);
	k->type = s->item->type;
	if (s->item->ranges) {
		done = lower_table(&c, k, s->item);
	} else {
		k->values = region_new_of(l->mem, struct value);
		done = lower_value(&c, s->item->value, k->type,
			"a constant", k->values);
	}
	s->progress = PROGRESS_DONE;
	s->constant = done ? k : NULL;
	return s->constant;
}

/* Parameters ---------------------------------------------------------------*/

static void fix_param(struct param *p, const struct value *v)
{
	p->fixed = true;
	p->ivalue = v->i;
	p->rvalue = v->d;
}

/* The default, unless -D has fixed it. */
void lower_param(struct lower *l, struct symbol *s)
{
	struct context c = { .l = l };
	struct value v;

	if (s->progress == PROGRESS_BUSY) {
		s->progress = PROGRESS_DONE;
		diag(l->diags, E_RECURSION, s->at,
			"the value of '%s' needs itself", s->name);
		/* Some value, so that no further message follows. */
		v = int_value(1);
		convert_value(&v, s->param->type);
		fix_param(s->param, &v);
	}
	if (s->progress == PROGRESS_DONE)
		return;
	s->progress = PROGRESS_BUSY;
	if (s->item->value && !s->param->fixed &&
	    lower_value(&c, s->item->value, s->param->type,
		    "the default of a parameter", &v))
		fix_param(s->param, &v);
	s->progress = PROGRESS_DONE;
}

static bool parse_int(const char *s, struct value *v)
{
	char *rest;

	errno = 0;
	*v = int_value(strtoll(s, &rest, 0));
	return rest > s && !*rest && !errno && v->i >= INT32_MIN &&
		v->i <= INT32_MAX;
}

static bool parse_real(const char *s, enum type type, struct value *v)
{
	char *rest;
	double d = type == TYPE_FLOAT ? strtof(s, &rest) : strtod(s, &rest);

	*v = real_value(type, d);
	if (rest > s && (*rest == 'f' || *rest == 'F'))
		++rest;
	return rest > s && !*rest && isfinite(d);
}

static void apply_define(struct lower *l, const struct define *define)
{
	struct context c = { .l = l };
	const char *name = names_intern(l->ast->names, define->name,
		strlen(define->name));
	struct symbol *s = find_symbol(l, name);
	const char *similar = NULL;
	struct value v;

	if (!s || s->kind != SYMBOL_PARAM) {
		if (strlen(name) <= AST_MAX_NAME)
			similar = similar_name(&c, name,
				USED_AS_PARAMETER);
		diag_plain(l->diags, E_DEFINE,
			"-D %s=%s: '%s' has no parameter '%s'%s%s%s",
			name, define->value, l->ast->name.text, name,
			similar ? "; did you mean '" : "",
			similar ? similar : "", similar ? "'?" : "");
		return;
	}
	if (s->components) {
		diag_plain(l->diags, E_DEFINE, "-D %s=%s: '%s' is complex; its "
			"parts are '%s' and '%s'", name, define->value, name,
			s->components->part[0]->name,
			s->components->part[1]->name);
		return;
	}
	if (s->param->type == TYPE_INT ? parse_int(define->value, &v) :
	    parse_real(define->value, s->param->type, &v)) {
		fix_param(s->param, &v);
		return;
	}
	diag_plain(l->diags, E_DEFINE, "-D %s=%s: '%s' is not %s %s", name,
		define->value, define->value,
		s->param->type == TYPE_INT ? "an" : "a",
		type_name(s->param->type));
}

void apply_defines(struct lower *l)
{
	for (int i = 0; i < l->n_defines; ++i)
		apply_define(l, &l->defines[i]);
}

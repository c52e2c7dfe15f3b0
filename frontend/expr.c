/* Expressions: expands calls and sums, finds types. */
#include <inttypes.h>
#include <string.h>

#include "frontend/complex.h"
#include "frontend/components.h"
#include "frontend/derivative.h"
#include "frontend/passed.h"
#include "frontend/reads.h"

static const struct expr *too_large(struct context *c, struct ast_expr *e,
	const char *what, int limit)
{
	if (!c->l->too_large && report(c, e, E_TOO_LARGE, e->at,
			"%s: the limit is %d", what, limit))
		diag_advice(c->l->diags,
			"split the statement, with 'let' or a temp");
	c->l->too_large = true;
	return NULL;
}

/* "value", unless it is too large for the functions that walk it. */
static const struct expr *limited(struct context *c, struct ast_expr *e,
	const struct expr *value)
{
	if (value->nodes > LOWER_MAX_NODES)
		return too_large(c, e, "this expression has too many "
			"operands once it is expanded", LOWER_MAX_NODES);
	if (value->depth > LOWER_MAX_DEPTH)
		return too_large(c, e, "this expression is nested too deeply "
			"once it is expanded", LOWER_MAX_DEPTH);
	return value;
}

static bool fits_int(int64_t value)
{
	return value >= INT32_MIN && value <= INT32_MAX;
}

/* Refuse a constant beyond the range of an int, where C leaves the result
 * undefined.
 */
static const struct expr *check_overflow(struct context *c,
	struct ast_expr *e, const struct expr *value)
{
	int64_t number;

	if (!expr_constant(value, &number) || fits_int(number))
		return limited(c, e, value);
	report(c, e, E_OVERFLOW, e->at,
		"the value %" PRId64 " does not fit an int", number);
	return NULL;
}

static bool is_zero(const struct expr *e)
{
	int64_t value;

	return expr_constant(e, &value) && !value;
}

/* Report that an operator for bits got the real "of". */
static const struct expr *refuse_bits(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *of)
{
	if (report(c, e, E_TYPE, e->at, "'%s' is for the bits of integers, but "
			"here is a %s", op_info(op)->spelling,
			type_name(of->type)))
		diag_advice(c->l->diags, "%sa real becomes an integer by '(int) x'",
			op == OP_BIT_XOR ? "a power is 'pow(x, y)'; " :
			op == OP_BIT_AND ? "'and' is '&&'; " :
			op == OP_BIT_OR ? "'or' is '||'; " : "");
	return NULL;
}

static bool check_shift(struct context *c, struct ast_expr *e,
	const struct expr *a, const struct expr *b)
{
	int bits = 8 * type_size(a->type);
	int64_t by;

	if (!expr_constant(b, &by) || (by >= 0 && by < bits))
		return true;
	if (report(c, e, E_TYPE, e->at, "a shift by %" PRId64 " bits of a "
			"value that has %d", by, bits))
		diag_advice(c->l->diags, "shift by 0 .. %d bits%s", bits - 1,
			bits == 32 ? ", or '(long) x'" : "");
	return false;
}

const struct expr *real_binary(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, const struct expr *b)
{
	bool ints = type_is_integer(a->type) && type_is_integer(b->type);

	if (op_is_of_bits(op) && !ints)
		return refuse_bits(c, e, op, type_is_integer(a->type) ? b : a);
	if (op_is_shift(op) && !check_shift(c, e, a, b))
		return NULL;
	if (op == OP_MOD && !ints) {
		if (report(c, e, E_TYPE, e->at, "'%%' takes two ints, but "
				"here is a %s", type_name(type_common(
				a->type, b->type))))
			diag_advice(c->l->diags, "the remainder of reals is "
				"'x - y * floor(x / y)'");
		return NULL;
	}
	if ((op == OP_DIV || op == OP_MOD) && ints && is_zero(b)) {
		report(c, e, E_DIVISION, e->at, "this divides by zero");
		return NULL;
	}
	check_mixed(c, a, b);
	return check_overflow(c, e,
		expr_binary(c->l->mem, op, a, b, e->at));
}

/* Operators ----------------------------------------------------------------*/

static const struct expr *new_binary(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, const struct expr *b)
{
	const struct expr *value;

	if (!is_complex(a) && !is_complex(b))
		return real_binary(c, e, op, a, b);
	value = complex_binary(c, e, op, a, b, real_binary);
	return value ? limited(c, e, value) : NULL;
}

/* What "c" wants of the operand "e" of the operator "op" with the operand "other". */
static enum wanted wanted_of(const struct context *c, const struct ast_expr *e,
	enum op op, const struct ast_expr *other)
{
	bool is_left = e->next == other;

	if (op == OP_ADD || op == OP_SUB || c->wanted == WANT_BOTH)
		return c->wanted;
	if ((op == OP_MUL || (op == OP_DIV && is_left)) &&
	    !may_be_complex(c, other))
		return c->wanted;
	return op == OP_MUL && is_imaginary(c, other) ?
		wanted_turned(c->wanted) : WANT_BOTH;
}

static const struct expr *lower_operand(struct context *c, struct ast_expr *e,
	enum op op, const struct ast_expr *other)
{
	enum wanted outer = c->wanted;
	const struct expr *value;

	c->wanted = wanted_of(c, e, op, other);
	value = lower_any(c, e);
	c->wanted = outer;
	return value;
}

static const struct expr *lower_binary(struct context *c, struct ast_expr *e)
{
	struct ast_expr *left = e->args, *right = left->next;
	const struct expr *a = lower_operand(c, left, e->op, right);
	const struct expr *b = lower_operand(c, right, e->op, left);

	return a && b ? new_binary(c, e, e->op, a, b) : NULL;
}

static const struct expr *lower_unary(struct context *c, struct ast_expr *e)
{
	const struct expr *a = lower_any(c, e->args);

	if (a && is_complex(a))
		return complex_unary(c, e, a);
	if (a && e->op == OP_BIT_NOT && !type_is_integer(a->type))
		return refuse_bits(c, e, e->op, a);
	return a ? check_overflow(c, e,
		expr_unary(c->l->mem, e->op, a, e->at)) : NULL;
}

static const struct expr *lower_select(struct context *c, struct ast_expr *e)
{
	const struct expr *condition = lower_expr(c, e->args);
	const struct expr *a = lower_any(c, e->args->next);
	const struct expr *b = lower_any(c, e->args->next->next);

	if (!condition || !a || !b)
		return NULL;
	if (is_complex(a) || is_complex(b))
		return limited(c, e, complex_select(c, e, condition, a, b));
	check_mixed(c, a, b);
	return limited(c, e,
		expr_select(c->l->mem, condition, a, b, e->at));
}

static const struct expr *lower_cast(struct context *c, struct ast_expr *e)
{
	const struct expr *a = e->is_complex ? lower_any(c, e->args) :
		lower_expr(c, e->args);

	if (a && is_complex(a))
		return complex_cast(c, e, e->type, a);
	return a ? limited(c, e, convert(c, e->type, a)) : NULL;
}

static const struct expr *lower_number(struct context *c,
	const struct ast_expr *e)
{
	const struct expr *part[PARTS] = { NULL };
	struct expr *n = expr_leaf(c->l->mem, e->type == TYPE_INT ?
		EXPR_INT : EXPR_REAL, e->type, e->at);

	n->ivalue = e->ivalue;
	n->rvalue = e->rvalue;
	n->spelling = e->spelling;
	part[1] = n;
	return e->is_complex ? complex_of(c, part, e->at) : n;
}

bool lower_int(struct context *c, struct ast_expr *e, const char *what,
	int64_t *value)
{
	struct context inner = *c;
	const struct expr *v;
	struct value number;

	inner.inlining = true;
	v = lower_expr(&inner, e);
	if (!v)
		return false;
	if (v->type != TYPE_INT) {
		report(c, e, E_TYPE, e->at, "%s must be an int; this is a %s",
			what, type_name(v->type));
		return false;
	}
	if (expr_constant(v, value))
		return true;
	if (!lower_value(c, e, TYPE_INT, what, &number))
		return false;
	*value = number.i;
	return true;
}

/* Calls --------------------------------------------------------------------*/

static bool is_exact_float(double value)
{
	return (double) (float) value == value;
}

/* Is "e" a literal that a float holds, or the negation of one? */
static bool is_float_literal(const struct expr *e)
{
	if (e->kind == EXPR_UNARY && e->op == OP_NEG)
		e = e->arg[0];
	return (e->kind == EXPR_INT && is_exact_float((double) e->ivalue)) ||
		(e->kind == EXPR_REAL && is_exact_float(e->rvalue));
}

/* Is the call "op" of doubles at the arguments one of floats?  The larger of a float and a
 * literal is a float.
 */
static bool is_call_of_floats(enum op op, const struct expr *const *arg)
{
	bool of_floats = op_is_extreme(op);

	for (int i = 0; i < 2 && of_floats; i++)
		of_floats = arg[i]->type == TYPE_FLOAT ||
			is_float_literal(arg[i]);
	return of_floats && (arg[0]->type == TYPE_FLOAT ||
		arg[1]->type == TYPE_FLOAT);
}

/* The call of "type", by C's rules. */
static const struct expr *call_of(struct context *c, enum op op,
	enum type type, const struct expr *const *arg, struct span at)
{
	struct region *mem = c->l->mem;
	int n = op_info(op)->arity;

	if (type != TYPE_DOUBLE || !is_call_of_floats(op, arg))
		return expr_call(mem, op, type, n, arg, at);
	return expr_cast(mem, type, expr_call(mem, op, TYPE_FLOAT, n, arg, at),
		at);
}

static const struct expr *lower_function(struct context *c,
	struct ast_expr *e, enum op op, bool single)
{
	const struct expr *args[3] = { NULL };
	enum type type = TYPE_FLOAT;
	struct ast_expr *arg = e->args;

	enum wanted outer = c->wanted;

	if (!check_count(c, e, op_info(op)->arity))
		return NULL;
	c->wanted = WANT_BOTH;
	for (int i = 0; i < e->n_args; ++i, arg = arg->next) {
		args[i] = lower_any(c, arg);
		if (args[i] && args[i]->type != TYPE_FLOAT && !single)
			type = TYPE_DOUBLE;
	}
	c->wanted = outer;
	for (int i = 0; i < e->n_args; ++i)
		if (!args[i] || is_complex(args[i]))
			return args[i] ? complex_call(c, e, op, args[i],
				real_binary) : NULL;
	for (int i = 0; i < e->n_args; ++i)
		check_division(c, type, args[i]);
	return limited(c, e, call_of(c, op, type, args, e->at));
}

static void check_parameter(struct lower *l, const struct binding *b,
	struct ast_name_link *link)
{
	if (b->used || link->reported)
		return;
	link->reported = true;
	diag(l->diags, E_UNUSED, b->at,
		"the definition does not use its argument '%s'", b->name);
	diag_advice(l->diags, "remove it, or use it");
}

/* Expand the definition "s" with "bindings" for its arguments, called at "at". */
static const struct expr *expand_body(struct context *c,
	const struct symbol *s, struct span at, struct binding *bindings)
{
	struct context inner = *c;
	struct ast_name_link *link = s->item->params.first;
	const struct expr *value;

	for (int i = 0; i < s->item->params.n; ++i)
		bindings[i].outer = i ? &bindings[i - 1] :
			c->statement ? c->statement->indices : NULL;
	inner.bindings = &bindings[s->item->params.n - 1];
	inner.expansion = &(struct expansion) { s, at,
		c->expansion };
	value = lower_any(&inner, s->item->value);
	for (int i = 0; value && link; ++i, link = link->next)
		check_parameter(c->l, &bindings[i], link);
	return value;
}

/* The subscript "e" for the definition, in which names may mean something else: the time plus a
 * constant, or a number.  NULL after a diagnostic.
 */
static struct ast_expr *meant(struct context *c, struct ast_expr *e,
	const struct symbol *s)
{
	struct ast_expr *own = region_new_of(c->l->mem, struct ast_expr);
	bool steps = is_step(c->l, e);

	own->at = e->at;
	own->depth = 1;
	own->kind = steps ? AST_STEP : AST_NUMBER;
	own->type = TYPE_INT;
	if (steps)
		own->name = (struct ast_name) { c->l->time->name, e->at };
	else
		own->spelling = quote(c->l, e->at);
	return (steps ? lower_time_subscript(c, e, s, &own->ivalue) :
		lower_int(c, e, "a component", &own->ivalue)) ? own : NULL;
}

/* Is there the component that "b", a field, is passed with, if any? */
static bool has_component(struct context *c, const struct binding *b)
{
	const struct symbol *s = b->field;
	struct ast_expr *first = b->given.first;
	int n = components_of(s);

	return !n || b->given.n < n + is_state(s) ||
		component_of(c, is_state(s) ? first->next : first, s);
}

/* Bind "b" to the field that "arg" names, by "outer" if that is an argument; is it right? */
static bool bind_field(struct context *c, struct ast_expr *arg,
	const struct binding *outer, struct binding *b)
{
	if (outer)
		append_copies(c->l, &b->given, outer->given.first);
	for (struct ast_expr *e = arg->args; e; e = e->next) {
		struct ast_expr *own = meant(c, e, b->field);

		if (!own)
			return false;
		append_copies(c->l, &b->given, own);
	}
	return has_component(c, b);
}

static struct binding bind_argument(struct context *c,
	const struct ast_name_link *parameter, struct ast_expr *arg)
{
	struct binding b = { .name = parameter->name.text,
		.at = parameter->name.at, .kind = BIND_ARGUMENT, .later = arg,
		.around = c };
	struct binding *outer = NULL;
	struct symbol *s = arg->kind == AST_NAME || arg->kind == AST_ELEMENT ?
		field_named(c, arg, &outer) : NULL;
	enum wanted wanted = c->wanted;

	if (s && lacks_place(c, arg, s, outer ? outer->given.n : 0)) {
		b.field = s;
		b.kind = bind_field(c, arg, outer, &b) ? BIND_FIELD :
			BIND_ARGUMENT;
		if (outer)
			outer->used = true;
	} else if (parameter->is_moved) {
		b.kind = BIND_LATER;
	} else {
		c->wanted = WANT_BOTH;
		b.value = lower_any(c, arg);
		c->wanted = wanted;
	}
	return b;
}

static const struct expr *lower_def(struct context *c, struct ast_expr *e,
	struct symbol *s)
{
	const struct ast_name_link *link = s->item->params.first;
	struct binding *bindings;
	struct ast_expr *arg = e->args;

	s->used = true;
	if (is_expanding(c, s)) {
		if (report(c, e, E_RECURSION, e->at,
				"the definition '%s' needs itself", s->name))
			diag_note(c->l->diags, s->at, "it is defined here");
		return NULL;
	}
	if (!check_count(c, e, s->item->params.n))
		return NULL;
	find_moved(c->l, s);
	bindings = region_array(c->l->mem, struct binding, e->n_args);
	for (int i = 0; link; ++i, link = link->next, arg = arg->next)
		bindings[i] = bind_argument(c, link, arg);
	return expand_body(c, s, e->at, bindings);
}

/* The names of definitions, but of those that other definitions of a used text need. */
static const char *names_of_definitions(struct lower *l)
{
	static const char inner[] = "fd_";
	const char *names = "";

	for (const struct symbol *s = l->first; s; s = s->next)
		if (s->kind == SYMBOL_DEF && !(s->is_lent &&
		    !strncmp(s->name, inner, strlen(inner))))
			names = region_printf(l->mem, "%s %s", names, s->name);
	return names;
}

static void advise_functions(struct lower *l)
{
	const char *names = names_of_definitions(l);

	if (*names)
		diag_advice(l->diags, "the definitions are%s, and the functions%s", names, op_functions);
	else
		diag_advice(l->diags, "the functions are%s; 'def' declares others, and 'use fd;' has derivatives",
			op_functions);
}

static void report_unknown_function(struct context *c, struct ast_expr *e)
{
	const char *similar = similar_name(c, e->name.text,
		USED_AS_FUNCTION);
	struct diags *d = c->l->diags;

	if (!similar) {
		if (report(c, e, E_UNKNOWN_FUNCTION, e->name.at,
				"there is no function '%s'", e->name.text))
			advise_functions(c->l);
		return;
	}
	if (report(c, e, E_UNKNOWN_FUNCTION, e->name.at, "there is no "
			"function '%s'; did you mean '%s'?", e->name.text,
			similar))
		diag_fixit(d, e->name.at, "%s", similar);
}

/* Is "e", by its text a call, a temp between its cells, at a point of a list? */
static bool is_between(const struct context *c, const struct symbol *s)
{
	return c->listing && s->kind == SYMBOL_FIELD && is_of_step(s) &&
		!is_state(s);
}

static const struct expr *lower_between(struct context *c,
	const struct ast_expr *e)
{
	struct ast_expr *element = region_new_of(c->l->mem, struct ast_expr);

	*element = *e;
	element->kind = AST_ELEMENT;
	element->coordinates = e->args;
	element->n_coordinates = e->n_args;
	element->args = NULL;
	element->n_args = 0;
	return lower_element(c, element);
}

static const struct expr *lower_call(struct context *c, struct ast_expr *e)
{
	struct symbol *s = find_symbol(c->l, e->name.text);
	const struct expr *value;
	enum op op;
	bool single;

	if (s && s->kind == SYMBOL_DEF)
		return lower_def(c, e, s);
	if (s && is_between(c, s))
		return lower_between(c, e);
	if (s && s->kind != SYMBOL_UNKNOWN)
		return refuse_kind(c, e, s, "it is not a function");
	if (op_find_function(e->name.text, &op, &single))
		return lower_function(c, e, op, single);
	if (c->l->call(c, e, &value))
		return value ? limited(c, e, value) : NULL;
	if (!e->reported)
		report_unknown_function(c, e);
	return NULL;
}

/* Sums ---------------------------------------------------------------------*/

struct sum {
	struct ast_expr *expr;
	const struct expr *value;	/* of the terms so far */
	int n_terms;
	bool wrong;
};

static void add_term(struct context *c, struct sum *sum)
{
	const struct expr *term = lower_any(c, sum->expr->args);

	if (++sum->n_terms > LOWER_MAX_TERMS)
		term = too_large(c, sum->expr, "this sum has too many terms",
			LOWER_MAX_TERMS);
	if (term && sum->value)
		term = new_binary(c, sum->expr, OP_ADD, sum->value, term);
	sum->value = term;
	sum->wrong = !term;
}

static bool is_taken(struct context *c, struct ast_expr *e,
	struct ast_name name)
{
	const struct binding *b = find_binding(c, name.text);
	const struct symbol *s = find_symbol(c->l, name.text);

	if (!b && (!s || s->kind == SYMBOL_UNKNOWN))
		return false;
	if (report(c, e, E_REDEFINED, name.at, "'%s' is declared twice",
			name.text))
		diag_note(c->l->diags, b ? b->at : s->at,
			"it is declared here");
	return true;
}

static void check_variable(struct context *c, struct sum *sum,
	const struct binding *b)
{
	if (sum->wrong || !sum->n_terms || b->used)
		return;
	if (report(c, sum->expr, E_UNUSED, b->at,
			"the sum does not use its variable '%s'", b->name))
		diag_advice(c->l->diags, "remove it, or use it");
	sum->wrong = true;
}

/* Add the terms for all values of "r" and the ranges after it. */
static void add_terms(struct context *c, struct sum *sum,
	const struct ast_range *r)
{
	struct context inner = *c;
	struct binding b = { .kind = BIND_NUMBER, .outer = c->bindings };
	int64_t begin, end;

	if (!r) {
		add_term(c, sum);
		return;
	}
	sum->wrong |= is_taken(c, sum->expr, r->name) ||
		!lower_int(c, r->begin, "the range of a sum", &begin) ||
		!lower_int(c, r->end, "the range of a sum", &end);
	if (sum->wrong)
		return;
	b.name = r->name.text;
	b.at = r->name.at;
	inner.bindings = &b;
	for (b.number = begin; b.number <= end && !sum->wrong; ++b.number)
		add_terms(&inner, sum, r->next);
	check_variable(c, sum, &b);
	c->closed_sum = b.name;
}

static const struct expr *lower_sum(struct context *c, struct ast_expr *e)
{
	struct sum sum = { .expr = e };

	add_terms(c, &sum, e->ranges);
	if (sum.wrong)
		return NULL;
	if (!sum.n_terms)
		report(c, e, E_EMPTY_SUM, e->ranges->name.at,
			"this sum has no terms: its range is empty");
	return sum.value;
}

/* All ----------------------------------------------------------------------*/

static const struct expr *lower_part(struct context *c, struct ast_expr *e)
{
	struct context inner = *c;
	const struct expr *value;

	inner.wanted = e->ivalue ? WANT_IMAGINARY : WANT_REAL;
	value = lower_any(&inner, e->args);
	c->closed_sum = inner.closed_sum;
	return value ? part_or_zero(c, value, (int) e->ivalue) : NULL;
}

static const struct expr *lower_kind(struct context *c, struct ast_expr *e)
{
	switch (e->kind) {
	case AST_NUMBER:
		return lower_number(c, e);
	case AST_NAME:
		return lower_name(c, e);
	case AST_ELEMENT:
		return lower_element(c, e);
	case AST_CALL:
		return lower_call(c, e);
	case AST_UNARY:
		return lower_unary(c, e);
	case AST_BINARY:
		return lower_binary(c, e);
	case AST_SELECT:
		return lower_select(c, e);
	case AST_CAST:
		return lower_cast(c, e);
	case AST_SUM:
		return lower_sum(c, e);
	case AST_STEP:
		return lower_step(c, e);
	case AST_INDEX:
		return lower_index(c, (int) e->ivalue, e->name.text, e->at);
	case AST_PART:
		return lower_part(c, e);
	default:
		return NULL;
	}
}

const struct expr *lower_any(struct context *c, struct ast_expr *e)
{
	struct lower *l = c->l;
	const struct expr *value;

	if (l->too_large || diag_full(l->diags))
		return NULL;
	if (++l->visited > LOWER_MAX_VISITED)
		return too_large(c, e, "the program is too large once its "
			"definitions and sums are expanded", LOWER_MAX_VISITED);
	if (++l->depth > LOWER_MAX_DEPTH)
		too_large(c, e, "this expression is nested too deeply once "
			"it is expanded", LOWER_MAX_DEPTH);
	value = l->too_large ? NULL : lower_kind(c, e);
	--l->depth;
	return value && !is_complex(value) ? expr_promoted(l->mem, value) : value;
}

const struct expr *lower_expr(struct context *c, struct ast_expr *e)
{
	enum wanted outer = c->wanted;
	const struct expr *value;

	c->wanted = WANT_BOTH;
	value = lower_any(c, e);
	c->wanted = outer;
	return value && is_complex(value) ? refuse_complex(c, e, value) : value;
}

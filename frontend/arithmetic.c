/* Arithmetic of complex numbers, by that of their parts; see complex.h. */
#include "frontend/complex.h"
#include "frontend/derivative.h"

/* An operation in progress. */
struct work {
	struct context *c;
	struct ast_expr *e;
	real_operation *real;	/* of parts */
	bool wrong;		/* reported */
};

/* Parts, NULL where a number has none. */
static const struct expr *operation(struct work *w, enum op op,
	const struct expr *a, const struct expr *b)
{
	const struct expr *value = w->wrong ? NULL :
		w->real(w->c, w->e, op, a, b);

	w->wrong |= !value;
	return value;
}

static bool is_negation(const struct expr *a)
{
	return a->kind == EXPR_UNARY && a->op == OP_NEG;
}

static const struct expr *negated(struct work *w, const struct expr *a)
{
	if (!a || is_negation(a))
		return a ? a->arg[0] : NULL;
	return expr_unary(w->c->l->mem, OP_NEG, a, w->e->at);
}

static const struct expr *plus(struct work *w, const struct expr *a,
	const struct expr *b)
{
	if (!a || !b)
		return a ? a : b;
	if (is_negation(b))
		return operation(w, OP_SUB, a, b->arg[0]);
	return is_negation(a) ? operation(w, OP_SUB, b, a->arg[0]) :
		operation(w, OP_ADD, a, b);
}

static const struct expr *minus(struct work *w, const struct expr *a,
	const struct expr *b)
{
	if (!a || !b)
		return a ? a : negated(w, b);
	return is_negation(b) ? operation(w, OP_ADD, a, b->arg[0]) :
		operation(w, OP_SUB, a, b);
}

/* Is "a" a 1 that changes nothing about "b"? */
static bool is_neutral(const struct expr *a, const struct expr *b)
{
	return expr_is_one(a) && type_common(a->type, b->type) == b->type;
}

static const struct expr *times(struct work *w, const struct expr *a,
	const struct expr *b)
{
	if (!a || !b)
		return NULL;
	if (is_negation(a) && is_negation(b))
		return times(w, a->arg[0], b->arg[0]);
	if (is_negation(a))
		return negated(w, times(w, a->arg[0], b));
	if (is_negation(b))
		return negated(w, times(w, a, b->arg[0]));
	if (is_neutral(a, b) || is_neutral(b, a))
		return is_neutral(a, b) ? b : a;
	return operation(w, OP_MUL, a, b);
}

/* 1i / 2 would be 0, as 1 / 2 is. */
static const struct expr *over(struct work *w, const struct expr *a,
	const struct expr *b)
{
	if (!a || w->wrong)
		return NULL;
	if (is_negation(a))
		return negated(w, over(w, a->arg[0], b));
	if (!type_is_integer(a->type) || !type_is_integer(b->type))
		return operation(w, OP_DIV, a, b);
	w->wrong = true;
	if (report(w->c, w->e, E_DIVISION, w->e->at, "'%s' is a quotient of "
			"integers", quote(w->c->l, w->e->at)))
		diag_advice(w->c->l->diags, "write one of them with a point, "
			"as in '0.5fi'");
	return NULL;
}

/* "a", which stands at several places, as a let unless it is a leaf. */
static const struct expr *once(struct work *w, const struct expr *a)
{
	if (!a || !a->n_args)
		return a;
	return is_negation(a) ? negated(w, once(w, a->arg[0])) :
		name_once(w->c, a, "z");
}

static const struct expr *result(const struct work *w,
	const struct expr *const *part)
{
	return w->wrong ? NULL : complex_of(w->c, part, w->e->at);
}

/* Operators ----------------------------------------------------------------*/

static const struct expr *add(struct work *w, enum op op, const struct expr *a,
	const struct expr *b)
{
	const struct expr *part[PARTS] = { NULL };

	for (int i = 0; i < PARTS; i++)
		if (wants_part(w->c, i))
			part[i] = op == OP_ADD ?
				plus(w, complex_part(a, i), complex_part(b, i)) :
				minus(w, complex_part(a, i), complex_part(b, i));
	return result(w, part);
}

static bool has_both(const struct expr *a)
{
	return complex_part(a, 0) && complex_part(a, 1);
}

/* The parts of "a", as lets if each part of the result uses them: both parts of "other" meet
 * them.
 */
static void take_parts(struct work *w, const struct expr *a,
	const struct expr *other, const struct expr **part)
{
	bool twice = w->c->wanted == WANT_BOTH && has_both(other);

	for (int i = 0; i < PARTS; i++)
		part[i] = twice ? once(w, complex_part(a, i)) :
			complex_part(a, i);
}

static const struct expr *multiply(struct work *w, const struct expr *a,
	const struct expr *b)
{
	const struct expr *x[PARTS], *y[PARTS], *part[PARTS] = { NULL };

	take_parts(w, a, b, x);
	take_parts(w, b, a, y);
	if (wants_part(w->c, 0))
		part[0] = minus(w, times(w, x[0], y[0]), times(w, x[1], y[1]));
	if (wants_part(w->c, 1))
		part[1] = plus(w, times(w, x[0], y[1]), times(w, x[1], y[0]));
	return result(w, part);
}

/* re^2 + im^2 */
static const struct expr *square(struct work *w, const struct expr *const *part)
{
	return plus(w, times(w, part[0], part[0]), times(w, part[1], part[1]));
}

static const struct expr *divide(struct work *w, const struct expr *a,
	const struct expr *b)
{
	const struct expr *x[PARTS], *y[PARTS], *part[PARTS] = { NULL }, *by;

	take_parts(w, a, b, x);
	take_parts(w, b, a, y);
	for (int i = 0; i < PARTS && has_both(b); i++)
		y[i] = once(w, y[i]);
	by = y[0] && y[1] ? once(w, square(w, y)) : y[0] ? y[0] : y[1];
	if (w->wrong)
		return NULL;
	if (y[0] && y[1]) {
		if (wants_part(w->c, 0))
			part[0] = over(w, plus(w, times(w, x[0], y[0]),
				times(w, x[1], y[1])), by);
		if (wants_part(w->c, 1))
			part[1] = over(w, minus(w, times(w, x[1], y[0]),
				times(w, x[0], y[1])), by);
	} else {
		if (wants_part(w->c, 0))
			part[0] = over(w, y[0] ? x[0] : x[1], by);
		if (wants_part(w->c, 1))
			part[1] = over(w, y[0] ? x[1] : negated(w, x[0]), by);
	}
	return result(w, part);
}

/* Equal: in both parts. */
static const struct expr *compare(struct work *w, enum op op,
	const struct expr *a, const struct expr *b)
{
	const struct expr *all = NULL;

	for (int i = 0; i < PARTS; i++) {
		const struct expr *same;

		if (!complex_part(a, i) && !complex_part(b, i))
			continue;
		same = operation(w, op, part_or_zero(w->c, a, i),
			part_or_zero(w->c, b, i));
		all = all && same ? operation(w, op == OP_EQ ? OP_AND : OP_OR,
			all, same) : same;
	}
	if (w->wrong)
		return NULL;
	return all ? all : expr_int(w->c->l->mem, op == OP_EQ, w->e->at);
}

static const struct expr *refuse_operator(struct context *c, struct ast_expr *e,
	enum op op)
{
	if (!report(c, e, E_TYPE, e->at, "'%s' is not for complex numbers",
			op_info(op)->spelling))
		return NULL;
	if (op_is_comparison(op))
		diag_advice(c->l->diags, op == OP_AND || op == OP_OR || op == OP_NOT ?
			"ask whether one is 0, as in 'z != 0'" :
			"complex numbers have no order: compare 'abs(z)', "
			"'norm(z)', 'real(z)' or 'imag(z)'");
	else
		diag_advice(c->l->diags, "'real(z)' and 'imag(z)' are reals, "
			"which '(int) x' converts to integers");
	return NULL;
}

const struct expr *complex_binary(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, const struct expr *b,
	real_operation *real)
{
	struct work w = { c, e, real, false };

	switch (op) {
	case OP_ADD:
	case OP_SUB:
		return add(&w, op, a, b);
	case OP_MUL:
		return multiply(&w, a, b);
	case OP_DIV:
		return divide(&w, a, b);
	case OP_EQ:
	case OP_NE:
		return compare(&w, op, a, b);
	default:
		return refuse_operator(c, e, op);
	}
}

const struct expr *complex_unary(struct context *c, struct ast_expr *e,
	const struct expr *a)
{
	struct work w = { c, e, NULL, false };
	const struct expr *part[PARTS];

	if (e->op != OP_NEG)
		return refuse_operator(c, e, e->op);
	for (int i = 0; i < PARTS; i++)
		part[i] = negated(&w, complex_part(a, i));
	return result(&w, part);
}

const struct expr *complex_select(struct context *c, struct ast_expr *e,
	const struct expr *condition, const struct expr *a,
	const struct expr *b)
{
	const struct expr *part[PARTS] = { NULL };

	for (int i = 0; i < PARTS; i++)
		if (complex_part(a, i) || complex_part(b, i))
			part[i] = expr_select(c->l->mem, condition,
				part_or_zero(c, a, i), part_or_zero(c, b, i),
				e->at);
	return complex_of(c, part, e->at);
}

const struct expr *complex_cast(struct context *c, struct ast_expr *e,
	enum type type, const struct expr *a)
{
	const struct expr *part[PARTS] = { NULL };

	for (int i = 0; i < PARTS; i++)
		if (complex_part(a, i))
			part[i] = convert(c, type, complex_part(a, i));
	return complex_of(c, part, e->at);
}

/* Functions ----------------------------------------------------------------*/

static const struct expr *call_real(struct work *w, enum op op,
	const struct expr *a)
{
	return a ? expr_call(w->c->l->mem, op, a->type == TYPE_FLOAT ?
		TYPE_FLOAT : TYPE_DOUBLE, 1, &a, w->e->at) : NULL;
}

/* e^re (cos im + i sin im) */
static const struct expr *exponential(struct work *w, const struct expr *a)
{
	static const enum op ops[PARTS] = { OP_COS, OP_SIN };
	const struct expr *size = once(w, call_real(w, OP_EXP, complex_part(a, 0)));
	const struct expr *angle = once(w, complex_part(a, 1));
	const struct expr *part[PARTS] = { NULL };

	for (int i = 0; i < PARTS; i++) {
		if (!wants_part(w->c, i))
			continue;
		part[i] = call_real(w, ops[i], angle);
		if (!angle)
			part[i] = i == 0 ? size : NULL;
		else if (size)
			part[i] = times(w, size, part[i]);
	}
	return result(w, part);
}

const struct expr *complex_call(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, real_operation *real)
{
	struct work w = { c, e, real, false };

	if (op == OP_EXP)
		return exponential(&w, a);
	if (report(c, e, E_TYPE, e->at, "'%s' is for real numbers, and '%s' is "
			"complex", e->name.text, quote(c->l, a->at)))
		diag_advice(c->l->diags, op == OP_FABS ? "the absolute value of "
			"a complex number is 'abs(z)'" : "of complex numbers there "
			"are real, imag, conj, abs, norm, which is |z|^2, and exp");
	return NULL;
}

const struct expr *complex_conjugate(struct context *c, struct ast_expr *e,
	const struct expr *a)
{
	struct work w = { c, e, NULL, false };
	const struct expr *part[PARTS] = { complex_part(a, 0),
		negated(&w, complex_part(a, 1)) };

	return is_complex(a) ? result(&w, part) : a;
}

const struct expr *complex_magnitude(struct context *c, struct ast_expr *e,
	const struct expr *a, bool root, real_operation *real)
{
	struct work w = { c, e, real, false };
	const struct expr *part[PARTS] = { complex_part(a, 0), complex_part(a, 1) };
	const struct expr *norm;

	if (root && (!part[0] || !part[1]))
		return call_real(&w, OP_FABS, part[0] ? part[0] :
			part_or_zero(c, a, 1));
	for (int i = 0; i < PARTS; i++)
		part[i] = once(&w, part[i]);
	norm = square(&w, part);
	if (w.wrong)
		return NULL;
	return root ? call_real(&w, OP_SQRT, norm) : norm ? norm :
		part_or_zero(c, a, 0);
}

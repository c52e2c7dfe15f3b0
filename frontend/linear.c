/* Linear expressions, and quotients of them: subscripts. */
#include "base/number.h"
#include "frontend/linear.h"

enum { MOST_DIVISOR = 1 << 20 };

static bool is_line(const struct lattice *l, int dim)
{
	return l && l->line[dim].step > 0;
}

bool quotient_is_exact(const struct linear *a, const struct lattice *l)
{
	int64_t rest = floor_mod(a->constant, a->divisor);

	if (floor_mod(a->time, a->divisor))
		return false;
	for (int i = 0; i < IR_MAX_DIMS; ++i) {
		int64_t step = is_line(l, i) ? l->line[i].step : 1;

		if (floor_mod(floor_mod(a->coefficient[i], a->divisor) *
		    floor_mod(step, a->divisor), a->divisor))
			return false;
		if (is_line(l, i))
			rest += floor_mod(a->coefficient[i], a->divisor) *
				floor_mod(l->line[i].first, a->divisor);
	}
	return floor_mod(rest, a->divisor) == 0;
}

/* *sum = a*b + c*d; false if that overflows. */
static bool add_products(int64_t a, int64_t b, int64_t c, int64_t d,
	int64_t *sum)
{
	int64_t left, right;

	return !__builtin_mul_overflow(a, b, &left) &&
		!__builtin_mul_overflow(c, d, &right) &&
		!__builtin_add_overflow(left, right, sum);
}

/* Is the sum over "a" at least 0 at all points? */
static bool is_not_negative(const struct linear *a, const struct lattice *l)
{
	int64_t least = a->constant;
	bool fits = a->time == 0;

	for (int i = 0; i < IR_MAX_DIMS; ++i)
		fits = fits && a->coefficient[i] >= 0 && (!l ||
			add_products(1, least, a->coefficient[i], larger(
				l->line[i].first, l->line[i].least), &least));
	return fits && least >= 0;
}

/* Divide sum and divisor by what divides all terms but the constant. */
static void reduce(struct linear *a)
{
	int64_t common = greatest_common_divisor(a->time, a->divisor);

	for (int i = 0; i < IR_MAX_DIMS; ++i)
		common = greatest_common_divisor(a->coefficient[i], common);
	a->divisor /= common;
	a->time /= common;
	a->constant = floor_div(a->constant, common);
	for (int i = 0; i < IR_MAX_DIMS; ++i)
		a->coefficient[i] /= common;
}

/* a += factor * b; false if that overflows, or is no quotient. */
static bool add_linear(struct linear *a, const struct linear *b,
	int64_t factor, const struct lattice *l)
{
	bool exact = quotient_is_exact(b, l), fits = exact || factor == 1;
	int64_t of_a = b->divisor, of_b;

	fits = fits && (exact || quotient_is_exact(a, l));
	fits = fits && !__builtin_mul_overflow(a->divisor, factor, &of_b);
	for (int i = 0; fits && i < IR_MAX_DIMS; ++i)
		fits = add_products(a->coefficient[i], of_a,
			b->coefficient[i], of_b, &a->coefficient[i]);
	fits = fits && add_products(a->time, of_a, b->time, of_b, &a->time) &&
		add_products(a->constant, of_a, b->constant, of_b,
			&a->constant) &&
		!__builtin_mul_overflow(a->divisor, of_a, &a->divisor);
	if (fits)
		reduce(a);
	return fits && a->divisor <= MOST_DIVISOR;
}

/* linear += factor * e */
static const struct expr *add_expr(const struct expr *e, int64_t factor,
	const struct lattice *l, struct linear *linear)
{
	struct linear inner;
	const struct expr *culprit = find_quotient(e, l, &inner);

	if (culprit)
		return culprit;
	return add_linear(linear, &inner, factor, l) ? NULL : e;
}

static const struct expr *find_product(const struct expr *e,
	const struct lattice *l, struct linear *linear)
{
	int64_t factor;

	if (expr_constant(e->arg[0], &factor))
		return add_expr(e->arg[1], factor, l, linear);
	if (expr_constant(e->arg[1], &factor))
		return add_expr(e->arg[0], factor, l, linear);
	return e;
}

/* The quotient "e"; "linear" is its dividend. */
static const struct expr *divide(const struct expr *e,
	const struct lattice *l, struct linear *linear)
{
	int64_t divisor;

	if (!expr_constant(e->arg[1], &divisor) || divisor <= 0 ||
	    __builtin_mul_overflow(linear->divisor, divisor,
		&linear->divisor) || linear->divisor > MOST_DIVISOR)
		return e;
	if (!quotient_is_exact(linear, l) && !is_not_negative(linear, l))
		return e;
	reduce(linear);
	return NULL;
}

static const struct expr *find_binary(const struct expr *e,
	const struct lattice *l, struct linear *linear)
{
	const struct expr *culprit;

	if (e->op == OP_MUL)
		return find_product(e, l, linear);
	if (e->op != OP_ADD && e->op != OP_SUB && e->op != OP_DIV)
		return e;
	culprit = add_expr(e->arg[0], 1, l, linear);
	if (culprit)
		return culprit;
	return e->op == OP_DIV ? divide(e, l, linear) :
		add_expr(e->arg[1], e->op == OP_SUB ? -1 : 1, l, linear);
}

const struct expr *find_quotient(const struct expr *e,
	const struct lattice *l, struct linear *linear)
{
	*linear = (struct linear) { .divisor = 1 };
	if (e->type != TYPE_INT)
		return e;
	if (expr_constant(e, &linear->constant))
		return NULL;
	switch (e->kind) {
	case EXPR_INDEX:
		linear->coefficient[e->dim] = 1;
		return NULL;
	case EXPR_TIME:
		linear->time = 1;
		return NULL;
	case EXPR_UNARY:
		return e->op == OP_NEG ? add_expr(e->arg[0], -1, l, linear) : e;
	case EXPR_BINARY:
		return find_binary(e, l, linear);
	default:
		return e;
	}
}

const struct expr *find_linear(const struct expr *e, struct linear *linear)
{
	const struct expr *culprit = find_quotient(e, NULL, linear);

	return culprit ? culprit : linear->divisor == 1 ? NULL : e;
}

bool quotient_rounds_up(const struct expr *e, const struct lattice *lattice,
	struct linear *sum)
{
	int64_t divisor;

	return e->kind == EXPR_BINARY && e->op == OP_DIV &&
		expr_constant(e->arg[1], &divisor) && divisor > 0 &&
		!find_quotient(e->arg[0], lattice, sum) &&
		!is_not_negative(sum, lattice);
}

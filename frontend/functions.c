/* Functions of complex numbers, see complex.h. */
#include "frontend/complex.h"
#include "frontend/derivative.h"

static const struct expr *compose(struct context *c, struct ast_expr *e)
{
	const struct expr *part[PARTS] = { NULL };
	struct ast_expr *arg = e->args;

	for (int i = 0; i < PARTS; i++, arg = arg->next)
		if (wants_part(c, i) && !(part[i] = lower_expr(c, arg)))
			return NULL;
	return complex_of(c, part, e->at);
}

static const struct expr *lower_argument(struct context *c, struct ast_expr *e,
	enum wanted wanted)
{
	enum wanted outer = c->wanted;
	const struct expr *value;

	c->wanted = wanted;
	value = lower_any(c, e);
	c->wanted = outer;
	return value;
}

/* The function "f" of an argument. */
static const struct expr *lower_function(struct context *c, struct ast_expr *e,
	enum complex_function f)
{
	const struct expr *a = lower_argument(c, e->args,
		f == FUNCTION_REAL ? WANT_REAL :
		f == FUNCTION_IMAG ? WANT_IMAGINARY :
		f == FUNCTION_CONJ ? c->wanted : WANT_BOTH);

	if (!a)
		return NULL;
	switch (f) {
	case FUNCTION_REAL:
	case FUNCTION_IMAG:
		return part_or_zero(c, a, f == FUNCTION_IMAG);
	case FUNCTION_CONJ:
		return complex_conjugate(c, e, a);
	case FUNCTION_EXP:
		return complex_call(c, e, OP_EXP, a, real_binary);
	default:
		return complex_magnitude(c, e, a, f == FUNCTION_ABS,
			real_binary);
	}
}

static bool lower_complex_call(struct context *c, struct ast_expr *e,
	const struct expr **value)
{
	enum complex_function f = find_complex_function(e->name.text);

	if (!c->l->ast->has_complex || f == NO_FUNCTION)
		return false;
	*value = !check_count(c, e, f == FUNCTION_COMPLEX ? 2 : 1) ? NULL :
		f == FUNCTION_COMPLEX ? compose(c, e) : lower_function(c, e, f);
	return true;
}

bool lower_known_call(struct context *c, struct ast_expr *e,
	const struct expr **value)
{
	return lower_at_points(c, e, value) || lower_complex_call(c, e, value);
}

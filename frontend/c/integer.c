/* Values of integers as sums of products of variables, and what these decide. */
#include "frontend/c/passes.h"

/* "p" modulo "n": known if only the constant term leaves a remainder, and there
 * is none or "p" is a sum of rounds, which are not negative: C's remainder is
 * then the mathematical one.
 */
static bool poly_modulo(const struct stencil *s, struct poly *p, int64_t n)
{
	bool counts_rounds = true;
	int64_t rest = 0;

	if (n <= 0)
		return false;
	for (int i = 0; i < p->n; i++) {
		const struct poly_term *t = &p->term[i];

		if (t->coefficient < 0 || (t->degree && t->coefficient % n))
			return false;
		if (!t->degree)
			rest = t->coefficient % n;
		else
			counts_rounds &= t->degree == 1 &&
				t->symbol[0] == s->round;
	}
	if (rest && !counts_rounds)
		return false;
	*p = poly_constant(rest);
	return true;
}

static bool poly_of_binary(const struct stencil *s, const struct c_expr *e,
	struct poly *value)
{
	struct poly right;
	int64_t a, b;

	if (!poly_of(s, e->arg[0], value) || !poly_of(s, e->arg[1], &right))
		return false;
	switch (e->op) {
	case OP_ADD:
		return poly_add(value, &right, 1);
	case OP_SUB:
		return poly_add(value, &right, -1);
	case OP_MUL:
		return poly_multiply(value, &right);
	case OP_MOD:
		return poly_is_constant(&right, &b) &&
			poly_modulo(s, value, b);
	case OP_BIT_AND:
		return poly_is_constant(&right, &b) && b >= 0 &&
			!(b & (b + 1)) && poly_modulo(s, value, b + 1);
	default:
		break;
	}
	if (!poly_is_constant(value, &a) || !poly_is_constant(&right, &b))
		return false;
	if (e->op == OP_DIV && b > 0)
		*value = poly_constant(a / b);
	else if (e->op == OP_SHIFT_LEFT && b >= 0 && b < 31 && a >= 0 &&
		 a < (int64_t) 1 << 31)
		*value = poly_constant(a << b);
	else if (e->op == OP_SHIFT_RIGHT && b >= 0 && b < 63 && a >= 0)
		*value = poly_constant(a >> b);
	else if ((e->op == OP_BIT_XOR || e->op == OP_BIT_OR) && a >= 0 &&
		 b >= 0)
		*value = poly_constant(e->op == OP_BIT_XOR ? a ^ b : a | b);
	else if (c_op_compares(e->op) && op_compare(e->op, a, b, &a))
		*value = poly_constant(a);
	else
		return false;
	return true;
}

bool poly_of(const struct stencil *s, const struct c_expr *e,
	struct poly *value)
{
	const struct poly zero = { 0 };
	struct poly inner;
	bool truth;

	switch (e->kind) {
	case CX_INT:
		*value = poly_constant(e->value);
		return true;
	case CX_VAR:
		*value = poly_symbol(e->decl);
		return is_integer(e->type);
	case CX_CAST:
		return is_integer(e->type) && !is_narrow(e->type) &&
			poly_of(s, e->arg[0], value);
	case CX_UNARY:
		if (e->op == OP_NOT && is_decided(s, e->arg[0], &truth)) {
			*value = poly_constant(!truth);
			return true;
		}
		if (e->op != OP_NEG || !poly_of(s, e->arg[0], &inner))
			return false;
		*value = zero;
		return poly_add(value, &inner, -1);
	case CX_BINARY:
		return poly_of_binary(s, e, value);
	case CX_SELECT:
		return is_decided(s, e->arg[0], &truth) &&
			poly_of(s, e->arg[truth ? 1 : 2], value);
	default:
		return false;
	}
}

bool is_decided(const struct stencil *s, const struct c_expr *e, bool *value)
{
	struct poly p, q;
	int64_t a;
	bool left, right;

	if (poly_of(s, e, &p) && poly_is_constant(&p, &a)) {
		*value = a != 0;
		return true;
	}
	if (e->kind == CX_UNARY && e->op == OP_NOT) {
		if (!is_decided(s, e->arg[0], &left))
			return false;
		*value = !left;
		return true;
	}
	if (e->kind != CX_BINARY)
		return false;
	if (e->op == OP_AND || e->op == OP_OR) {
		bool stop = e->op == OP_OR;

		if (is_decided(s, e->arg[0], &left) && left == stop) {
			*value = stop;
			return true;
		}
		if (!is_decided(s, e->arg[1], &right))
			return false;
		*value = right;
		return right == stop || is_decided(s, e->arg[0], &left);
	}
	if (!poly_of(s, e->arg[0], &p) || !poly_of(s, e->arg[1], &q) ||
	    !poly_add(&p, &q, -1) || !poly_is_constant(&p, &a) ||
	    !op_compare(e->op, a, 0, &a))
		return false;
	*value = a;
	return true;
}

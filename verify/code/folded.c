/* What code has in place of the program's expressions where coordinates are numbers: folded.h. */
#include <stdint.h>

#include "verify/code/folded.h"

enum { MOST_TERMS = 32 };

/* Numbers ----------------------------------------------------------------- */

static bool comes_to(struct trees *t, const struct expr *e, int64_t *n);

/* Does one operand tell the result: 0 of a product, true of ||, false of &&? */
static bool is_told(const struct expr *e, int64_t operand, int64_t *n)
{
	*n = e->op == OP_OR;
	return e->kind == EXPR_BINARY && (e->op == OP_OR ? operand != 0 :
		(e->op == OP_AND || e->op == OP_MUL) && operand == 0);
}

/* What an operation comes to if its operands do. */
static bool operation_comes_to(struct trees *t, const struct expr *e,
	int64_t *n)
{
	int64_t a = 0, b = 0;
	bool knows_a = e->n_args > 0 && comes_to(t, e->arg[0], &a);
	bool knows_b = e->kind == EXPR_BINARY && comes_to(t, e->arg[1], &b);

	if ((knows_a && is_told(e, a, n)) || (knows_b && is_told(e, b, n)))
		return true;
	if (!knows_a)
		return false;
	if (e->kind == EXPR_SELECT)
		return comes_to(t, e->arg[a ? 1 : 2], n);
	if (e->kind == EXPR_UNARY && e->op == OP_NOT) {
		*n = !a;
		return true;
	}
	return knows_b && op_on_integers(e->op, a, b, n);
}

/* The sides at which "f" has the boundary value "n". */
static unsigned sides_with(const struct field *f, int64_t n)
{
	unsigned which = 0;

	for (int i = 0; i < SIDES * f->n_dims; i++) {
		const struct boundary *b = &f->boundary[i / SIDES][i % SIDES];

		if (b->kind == BOUNDARY_VALUE && b->value->kind == EXPR_INT &&
		    b->value->ivalue == n)
			which |= 1u << i;
	}
	return which;
}

/* Is what "acc" reads there the number "n", as its boundaries say? */
static bool reads_number(struct trees *t, const struct access *acc, int64_t *n)
{
	const struct field *f = acc->field;
	unsigned tried = 0;

	for (int i = 0; i < SIDES * f->n_dims; i++) {
		const struct boundary *b = &f->boundary[i / SIDES][i % SIDES];
		unsigned which;

		if (b->kind != BOUNDARY_VALUE || b->value->kind != EXPR_INT ||
		    tried & 1u << i)
			continue;
		*n = b->value->ivalue;
		which = sides_with(f, *n);
		if (t->leaves->reads_value(t, acc, which))
			return true;
		tried |= which;
	}
	return false;
}

/* Is "e" the integer "n" there, as the coordinates that it names are numbers, and reads lie beyond
 * the grid?
 */
static bool comes_to(struct trees *t, const struct expr *e, int64_t *n)
{
	if (e->type != TYPE_INT || e->kind == EXPR_ELEMENT)
		return false;
	if (e->kind == EXPR_LOCAL)
		return comes_to(t, e->local->value, n);
	if (e->kind == EXPR_READ)
		return reads_number(t, e->access, n);
	if (expr_not_affine(e, true))
		return operation_comes_to(t, e, n) && *n == (int32_t) *n;
	return t->leaves->is_known_number(t, e, n);
}

/* The factor of "e" beside one that comes to 1; NULL: there is none. */
static const struct expr *factor_of_one(struct trees *t, const struct expr *e)
{
	int64_t n;

	for (int i = 0; i < 2 && e->kind == EXPR_BINARY && e->op == OP_MUL; i++)
		if (comes_to(t, e->arg[i], &n) && n == 1)
			return e->arg[1 - i];
	return NULL;
}

/* Sums -------------------------------------------------------------------- */

/* Of integers: what is added and subtracted, in order, and a number. */
struct terms {
	struct term {
		bool is_subtracted;
		const struct kx *x;
		const struct expr *e;
	} term[MOST_TERMS];
	int n;
	int64_t number;
};

static bool add_term(struct terms *s, struct term term)
{
	if (s->n == MOST_TERMS)
		return false;
	s->term[s->n++] = term;
	return true;
}

static bool is_sum(enum op op)
{
	return op == OP_ADD || op == OP_SUB;
}

static bool add_code(struct terms *s, const struct kx *x, enum type type,
	bool minus)
{
	if (x->kind == KX_INT) {
		s->number += minus ? -x->ivalue : x->ivalue;
		return true;
	}
	if (x->kind == KX_BINARY && is_sum(x->op) && x->type == type)
		return add_code(s, x->arg[0], type, minus) && add_code(s,
			x->arg[1], type, minus != (x->op == OP_SUB));
	return add_term(s, (struct term) { minus, x, NULL });
}

static bool add_expr(struct trees *t, struct terms *s,
	const struct expr *e, enum type type, bool minus)
{
	const struct expr *factor;
	int64_t n;

	if (!expr_any(e, expr_is_read) && comes_to(t, e, &n)) {
		s->number += minus ? -n : n;
		return true;
	}
	if (e->kind == EXPR_BINARY && is_sum(e->op) && e->type == type)
		return add_expr(t, s, e->arg[0], type, minus) && add_expr(t, s,
			e->arg[1], type, minus != (e->op == OP_SUB));
	factor = factor_of_one(t, e);
	if (factor)
		return add_expr(t, s, factor, type, minus);
	return add_term(s, (struct term) { minus, NULL, e });
}

static bool is_same_term(struct trees *t, const struct term *is,
	const struct term *should)
{
	return is->is_subtracted == should->is_subtracted &&
		is_same(t, is->x, should->e);
}

/* Are the terms the same, in the same order, and is what the numbers among them come to?  The code
 * may have a number for what reads beyond the grid.
 */
static bool is_same_sum(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	struct terms is = { .n = 0 }, should = { .n = 0 };
	int next = 0;

	if (!add_code(&is, x, x->type, false) ||
	    !add_expr(t, &should, e, e->type, false))
		return false;
	for (int i = 0; i < should.n; i++) {
		const struct term *term = &should.term[i];
		int64_t n;

		if (next < is.n && is_same_term(t, &is.term[next], term))
			next++;
		else if (comes_to(t, term->e, &n))
			should.number += term->is_subtracted ? -n : n;
		else
			return false;
	}
	return next == is.n && is.number == should.number;
}

static bool is_truth(const struct expr *e)
{
	return e->kind == EXPR_LOCAL ? is_truth(e->local->value) :
		(e->kind == EXPR_BINARY && op_is_comparison(e->op)) ||
		(e->kind == EXPR_UNARY && e->op == OP_NOT);
}

/* Is "x" the truth of "e"? */
static bool is_truth_of(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	if (is_truth(e))
		return is_same(t, x, e);
	return x->kind == KX_BINARY && x->op == OP_NE &&
		kx_is_int(x->arg[1], 0) && is_same(t, x->arg[0], e);
}

/* Is it known whether the condition holds?  "n" is 1 if so. */
static bool is_decided(struct trees *t, const struct expr *condition,
	int64_t *n)
{
	bool holds, is = comes_to(t, condition, n);

	if (is || t->leaves->is_decided(t, condition, &holds)) {
		*n = is ? *n : holds;
		return true;
	}
	for (int i = 0; condition->kind == EXPR_BINARY && (condition->op ==
	     OP_AND || condition->op == OP_OR) && i < 2; i++)
		if (is_decided(t, condition->arg[i], n) && (*n != 0) ==
		    (condition->op == OP_OR))
			return true;
	return false;
}

/* .. of the operand beside one that leaves it to decide: true of &&, false of ||? */
static bool is_decided_by(struct trees *t, const struct kx *x,
	const struct expr *e)
{
	int64_t n;

	for (int i = 0; i < 2; i++)
		if (is_decided(t, e->arg[i], &n) && (n != 0) == (e->op == OP_AND) &&
		    is_truth_of(t, x, e->arg[1 - i]))
			return true;
	return false;
}

/* Is "x" what the choice "e" converts "chosen" to? */
static bool is_chosen(struct trees *t, const struct kx *x,
	const struct expr *e, const struct expr *chosen)
{
	if (is_same(t, x, chosen))
		return true;
	return chosen->type != e->type && x->kind == KX_CAST && x->type ==
		e->type && ctype_same(x->c_type, ctype_of(e->type)) &&
		is_same(t, x->arg[0], chosen);
}

bool is_folded(struct trees *t, const struct kx *x, const struct expr *e)
{
	const struct expr *factor;
	int64_t n;

	if (x->kind == KX_INT && x->type == e->type && e->kind != EXPR_INT &&
	    comes_to(t, e, &n) && n == x->ivalue)
		return true;
	if (e->kind == EXPR_BINARY && is_sum(e->op) && x->type == e->type &&
	    type_is_integer(e->type) && is_same_sum(t, x, e))
		return true;
	if (e->kind == EXPR_BINARY && (e->op == OP_AND || e->op == OP_OR) &&
	    is_decided_by(t, x, e))
		return true;
	/* What is left may be a read, with a choice between cell and boundary. */
	if (e->kind == EXPR_SELECT && is_decided(t, e->arg[0], &n) &&
	    is_chosen(t, x, e, e->arg[n ? 1 : 2]))
		return true;
	factor = factor_of_one(t, e);
	return factor && is_same(t, x, factor);
}

/* Polynomials in variables, with integer coefficients. */
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/question.h"
#include "frontend/c/split.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct poly poly_constant(int64_t value)
{
	struct poly p = { .n = value != 0 };

	p.term[0].coefficient = value;
	return p;
}

struct poly poly_symbol(const struct c_decl *symbol)
{
	struct poly p = poly_constant(1);

	p.term[0].degree = 1;
	p.term[0].symbol[0] = symbol;
	return p;
}

static bool same_product(const struct poly_term *a, const struct poly_term *b)
{
	return a->degree == b->degree && !memcmp(a->symbol, b->symbol,
		sizeof(a->symbol[0]) * (size_t) a->degree);
}

static bool add_term(struct poly *p, const struct poly_term *term,
	int64_t factor)
{
	struct poly_term *same;
	int64_t product;
	int i = 0;

	if (__builtin_mul_overflow(term->coefficient, factor, &product))
		return false;
	while (i < p->n && !same_product(&p->term[i], term))
		++i;
	if (i == POLY_TERMS)
		return false;
	same = &p->term[i];
	if (i == p->n) {
		*same = *term;
		same->coefficient = 0;
		p->n++;
	}
	if (__builtin_add_overflow(same->coefficient, product,
			&same->coefficient))
		return false;
	if (!same->coefficient)
		*same = p->term[--p->n];
	return true;
}

bool poly_add(struct poly *p, const struct poly *q, int64_t factor)
{
	struct poly copy = *q;

	for (int i = 0; i < copy.n; i++)
		if (!add_term(p, &copy.term[i], factor))
			return false;
	return true;
}

/* The product of two terms; the symbols stay sorted by address. */
static bool multiply_terms(const struct poly_term *a,
	const struct poly_term *b, struct poly_term *product)
{
	int i = 0, j = 0;

	*product = (struct poly_term) { .degree = a->degree + b->degree };
	if (product->degree > POLY_DEGREE || __builtin_mul_overflow(
			a->coefficient, b->coefficient,
			&product->coefficient))
		return false;
	for (int k = 0; k < product->degree; k++)
		product->symbol[k] = j == b->degree || (i < a->degree &&
			(uintptr_t) a->symbol[i] <=
			(uintptr_t) b->symbol[j]) ?
			a->symbol[i++] : b->symbol[j++];
	return true;
}

bool poly_multiply(struct poly *p, const struct poly *q)
{
	struct poly product = { 0 };
	struct poly_term term;

	for (int i = 0; i < p->n; i++)
		for (int j = 0; j < q->n; j++)
			if (!multiply_terms(&p->term[i], &q->term[j], &term) ||
			    !add_term(&product, &term, 1))
				return false;
	*p = product;
	return true;
}

bool poly_is_constant(const struct poly *p, int64_t *value)
{
	*value = p->n ? p->term[0].coefficient : 0;
	return !p->n || (p->n == 1 && !p->term[0].degree);
}

bool poly_equal(const struct poly *p, const struct poly *q)
{
	struct poly difference = *p;

	return poly_add(&difference, q, -1) && !difference.n;
}

static bool has_symbol(const struct poly_term *t, const struct c_decl *symbol)
{
	for (int i = 0; i < t->degree; i++)
		if (t->symbol[i] == symbol)
			return true;
	return false;
}

bool poly_uses(const struct poly *p, const struct c_decl *symbol)
{
	for (int i = 0; i < p->n; i++)
		if (has_symbol(&p->term[i], symbol))
			return true;
	return false;
}

bool poly_split(const struct poly *p, const struct c_decl *symbol,
	int64_t *coefficient, struct poly *rest)
{
	*coefficient = 0;
	*rest = (struct poly) { 0 };
	for (int i = 0; i < p->n; i++) {
		const struct poly_term *t = &p->term[i];

		if (!has_symbol(t, symbol))
			rest->term[rest->n++] = *t;
		else if (t->degree == 1)
			*coefficient = t->coefficient;
		else
			return false;
	}
	return true;
}

bool poly_substitute(struct poly *p, const struct c_decl *symbol,
	const struct poly *value)
{
	struct poly result = { 0 };

	for (int i = 0; i < p->n; i++) {
		const struct poly_term *t = &p->term[i];
		struct poly product = poly_constant(t->coefficient);

		for (int k = 0; k < t->degree; k++) {
			struct poly factor = t->symbol[k] == symbol ? *value :
				poly_symbol(t->symbol[k]);

			if (!poly_multiply(&product, &factor))
				return false;
		}
		if (!poly_add(&result, &product, 1))
			return false;
	}
	*p = result;
	return true;
}

void poly_print_term(struct text *t, const struct poly_term *term,
	bool first, const char *times, const char *(*name)(const void *user,
		const struct c_decl *symbol), const void *user)
{
	int64_t c = term->coefficient;

	text_puts(t, c < 0 ? first ? "-" : " - " : first ? "" : " + ");
	c = c < 0 ? -c : c;
	if (c != 1 || !term->degree)
		text_printf(t, "%" PRId64 "%s", c, term->degree ? times : "");
	for (int i = 0; i < term->degree; i++)
		text_printf(t, "%s%s", i ? times : "", name(user,
			term->symbol[i]));
}

const char *name_in_c(const void *user, const struct c_decl *symbol)
{
	struct region *mem = (struct region *) user;
	struct text t = { 0 };
	const char *name;

	if (!symbol->quotient || symbol->is_inside)
		return c_name(symbol);
	text_puts(&t, "(");
	print_argument(&t, symbol);
	text_puts(&t, ")");
	name = region_strndup(mem, t.bytes, t.length);
	text_free(&t);
	return name;
}

void poly_print(struct text *t, const struct poly *p)
{
	struct region *mem = region_new();
	bool first = true;

	for (int pass = 1; pass >= 0; pass--)
		for (int i = 0; i < p->n; i++)
			if ((p->term[i].degree > 0) == pass) {
				poly_print_term(t, &p->term[i], first, "*",
					name_in_c, mem);
				first = false;
			}
	if (!p->n)
		text_puts(t, "0");
	region_free(mem);
}

void poly_print_factor(struct text *t, const struct poly *p)
{
	bool is_sum = p->n > 1;

	text_puts(t, is_sum ? " * (" : " * ");
	poly_print(t, p);
	text_puts(t, is_sum ? ")" : "");
}

bool poly_is_linear(const struct poly *p)
{
	for (int i = 0; i < p->n; i++)
		if (p->term[i].degree > 1)
			return false;
	return true;
}

/* As expressions -----------------------------------------------------------*/

static struct c_expr *integer(struct stencil *s, int64_t value,
	struct span at)
{
	struct c_expr *e = c_leaf(s->mem, CX_INT, C_INT, at);

	e->value = value;
	return e;
}

static struct c_expr *binary(struct stencil *s, int op, struct c_expr *a,
	struct c_expr *b)
{
	return c_binary(s->mem, op, C_INT, a, b, a->at);
}

/* A product of symbols. */
static struct c_expr *expr_of_term(struct stencil *s,
	const struct poly_term *t, struct span at)
{
	struct c_expr *e = NULL;

	if (t->coefficient != 1 || !t->degree)
		e = integer(s, t->coefficient, at);
	for (int i = 0; i < t->degree; i++) {
		struct c_expr *symbol = c_variable(s->mem, t->symbol[i],
			C_INT, at);

		e = e ? binary(s, OP_MUL, e, symbol) : symbol;
	}
	return e;
}

struct c_expr *expr_of_poly(struct stencil *s, const struct poly *p,
	struct span at)
{
	struct c_expr *e = NULL;

	for (int i = 0; i < p->n; i++) {
		struct poly_term term = p->term[i];
		const bool minus = e && term.coefficient < 0 && term.coefficient > INT64_MIN;
		struct c_expr *own;

		term.coefficient = minus ? -term.coefficient : term.coefficient;
		own = expr_of_term(s, &term, at);
		e = e ? binary(s, minus ? OP_SUB : OP_ADD, e, own) : own;
	}
	return e ? e : integer(s, 0, at);
}

void print_literal(struct text *t, const struct c_expr *e)
{
	bool negative = e->kind == CX_INT ? e->value < 0 : signbit(e->real);

	text_puts(t, negative ? "(" : "");
	if (e->kind == CX_INT)
		text_printf(t, "%" PRId64, e->value);
	else
		ir_print_real(t, c_stored_type(e->type), e->real);
	text_puts(t, negative ? ")" : "");
}

/* Division -----------------------------------------------------------------*/

/* "a" before "b" in the order of degrees, then of symbols. */
static bool leads(const struct poly_term *a, const struct poly_term *b)
{
	if (a->degree != b->degree)
		return a->degree > b->degree;
	for (int i = 0; i < a->degree; i++)
		if (a->symbol[i] != b->symbol[i])
			return (uintptr_t) a->symbol[i] <
				(uintptr_t) b->symbol[i];
	return false;
}

const struct poly_term *poly_leading(const struct poly *p)
{
	const struct poly_term *first = NULL;

	for (int i = 0; i < p->n; i++)
		if (!first || leads(&p->term[i], first))
			first = &p->term[i];
	return first;
}

bool poly_divide_symbols(const struct poly_term *a,
	const struct poly_term *b, struct poly_term *quotient)
{
	int k = 0;

	*quotient = (struct poly_term) { .coefficient = 1 };
	for (int i = 0; i < a->degree; i++) {
		if (k < b->degree && a->symbol[i] == b->symbol[k])
			k++;
		else
			quotient->symbol[quotient->degree++] = a->symbol[i];
	}
	return k == b->degree;
}

/* a / b, to the nearest. */
static int64_t nearest(int64_t a, int64_t b)
{
	int64_t q = a / b, rest = a % b;

	if (2 * rest > b)
		return q + 1;
	return 2 * rest <= -b ? q - 1 : q;
}

void poly_factor(const struct poly *p, const struct c_decl *symbol,
	struct poly *factor, struct poly *rest)
{
	const struct poly_term one = { .coefficient = 1, .degree = 1,
		.symbol = { symbol } };
	const struct poly all = *p;

	*factor = *rest = (struct poly) { 0 };
	for (int i = 0; i < all.n; i++) {
		struct poly_term q;

		if (poly_divide_symbols(&all.term[i], &one, &q)) {
			q.coefficient = all.term[i].coefficient;
			factor->term[factor->n++] = q;
		} else {
			rest->term[rest->n++] = all.term[i];
		}
	}
}

bool poly_divide(const struct poly *p, const struct poly *divisor,
	struct poly *quotient, struct poly *rest)
{
	const struct poly_term *by = poly_leading(divisor);

	*quotient = (struct poly) { 0 };
	*rest = *p;
	if (!by || by->coefficient <= 0)
		return false;
	for (int i = 0; i < rest->n;) {
		struct poly one = { .n = 1 };
		struct poly product;

		if (!poly_divide_symbols(&rest->term[i], by, &one.term[0])) {
			i++;
			continue;
		}
		one.term[0].coefficient = nearest(rest->term[i].coefficient,
			by->coefficient);
		if (!one.term[0].coefficient) {
			i++;
			continue;
		}
		product = one;
		if (!poly_multiply(&product, divisor) ||
		    !poly_add(rest, &product, -1) ||
		    !poly_add(quotient, &one, 1))
			return false;
		i = 0;
	}
	return true;
}

int64_t poly_number(const struct poly *p)
{
	int64_t number = 0;

	for (int i = 0; i < p->n; i++)
		number = greatest_common_divisor(number,
			p->term[i].coefficient);
	return number;
}

struct poly poly_without_number(const struct poly *p)
{
	int64_t number = poly_number(p);
	struct poly rest = *p;

	if (poly_leading(p) && poly_leading(p)->coefficient < 0)
		number = -number;
	for (int i = 0; i < rest.n; i++)
		rest.term[i].coefficient /= number;
	return rest;
}

/* Dimensions and sizes of the fields. */
#include "frontend/c/passes.h"

#include <string.h>

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

static const struct poly_term *leading(const struct poly *p)
{
	const struct poly_term *first = NULL;

	for (int i = 0; i < p->n; i++)
		if (!first || leads(&p->term[i], first))
			first = &p->term[i];
	return first;
}

/* The product of symbols "a" divided by "b"; false if a symbol is missing. */
static bool divide_symbols(const struct poly_term *a,
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

/* p = quotient * divisor + rest, no term of the rest being divisible. */
static bool poly_divide(const struct poly *p, const struct poly *divisor,
	struct poly *quotient, struct poly *rest)
{
	const struct poly_term *by = leading(divisor);

	*quotient = (struct poly) { 0 };
	*rest = *p;
	if (!by || by->coefficient <= 0)
		return false;
	for (int i = 0; i < rest->n;) {
		struct poly one = { .n = 1 };
		struct poly product;

		if (!divide_symbols(&rest->term[i], by, &one.term[0])) {
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

/* Linear subscripts --------------------------------------------------------*/

struct strides {
	int n;
	struct poly stride[C_MAX_DIMS];		/* the greatest first */
};

/* The factor of "symbol" in "p"; the rest has no such term. */
static void factor_of(const struct poly *p, const struct c_decl *symbol,
	struct poly *factor, struct poly *rest)
{
	const struct poly_term one = { .coefficient = 1, .degree = 1,
		.symbol = { symbol } };

	*factor = *rest = (struct poly) { 0 };
	for (int i = 0; i < p->n; i++) {
		struct poly_term q;

		if (divide_symbols(&p->term[i], &one, &q)) {
			q.coefficient = p->term[i].coefficient;
			factor->term[factor->n++] = q;
		} else {
			rest->term[rest->n++] = p->term[i];
		}
	}
}

static bool is_greater(const struct poly *a, const struct poly *b)
{
	const struct poly_term *x = leading(a), *y = leading(b);

	return x->degree != y->degree ? x->degree > y->degree :
		x->coefficient > y->coefficient;
}

static bool add_stride(struct strides *all, const struct poly *stride)
{
	int at = 0;

	for (int i = 0; i < all->n; i++)
		if (poly_equal(&all->stride[i], stride))
			return true;
	if (all->n == IR_MAX_DIMS)
		return false;
	while (at < all->n && is_greater(&all->stride[at], stride))
		at++;
	memmove(all->stride + at + 1, all->stride + at,
		sizeof(all->stride[0]) * (size_t) (all->n - at));
	all->stride[at] = *stride;
	all->n++;
	return true;
}

/* "p" without its greatest numeric divisor. */
static struct poly without_number(struct poly p)
{
	int64_t number = 0;

	for (int i = 0; i < p.n; i++)
		number = greatest_common_divisor(number,
			p.term[i].coefficient);
	for (int i = 0; i < p.n; i++)
		p.term[i].coefficient /= number;
	return p;
}

/* Factors, found one by one in the subscript "rest". */
struct factors {
	struct poly rest;
	struct strides own;
	int n;
};

/* The factor of "symbol"; false if it cannot be a row's. */
static bool add_factor(struct factors *f, const struct c_decl *symbol,
	const struct c_loop *loops, bool bare, struct strides *all)
{
	struct poly factor, left;

	factor_of(&f->rest, symbol, &factor, &left);
	f->rest = left;
	if (!factor.n)
		return true;
	if (bare)
		factor = without_number(factor);
	f->n++;
	return !loop_of(loops, &factor) && add_stride(all, &factor) &&
		add_stride(&f->own, &factor);
}

/* The factors of loop variables, and of the step that an input has an element
 * for, if a subscript has several of these.  If "bare", without numbers; false
 * if two in a subscript differ only in the number: these are dimensions of
 * their own.
 */
static bool find_strides(const struct stencil *s, const struct c_field *f,
	bool bare, struct strides *all)
{
	const struct c_access *a;
	bool any = false;

	for (a = s->accesses; a; a = a->next) {
		const struct c_loop *loop = a->place.loop;
		struct factors own = { .rest = a->sub[0] };

		if (a->field != f)
			continue;
		for (; loop; loop = loop->outer)
			if (!add_factor(&own, loop->decl, a->place.loop, bare,
					all))
				return false;
		if (!f->is_written && !add_factor(&own, s->round,
				a->place.loop, bare, all))
			return false;
		if (bare && own.own.n < own.n)
			return false;
		any |= own.n > 1;
	}
	return any;
}

/* Rewrite "a" with a subscript for each stride. */
static bool split_access(struct c_access *a, const struct strides *all)
{
	struct poly rest = a->sub[0];

	for (int d = 0; d < all->n; d++) {
		struct poly left;

		if (!poly_divide(&rest, &all->stride[d], &a->sub[d], &left))
			return false;
		rest = left;
		a->sub_at[d] = a->sub_at[0];
	}
	a->n_subs = all->n;
	return !rest.n;
}

/* Is "t" a number times the symbols of "row", and at most one loop variable? */
static bool counts_rows(const struct poly_term *t, const struct poly_term *row,
	const struct c_loop *loop)
{
	struct poly_term q;

	if (!divide_symbols(t, row, &q) || q.degree > 1)
		return false;
	while (q.degree && loop && loop->decl != q.symbol[0])
		loop = loop->outer;
	return !q.degree || loop;
}

/* Among bare strides, those of the longest rows that all accesses fit: for
 * A[2*i*M + 2*j] and A[(2*i - 1)*M + 2*j] that of M, for A[4*i*M + 2*j] and
 * A[(4*i - 2)*M + 2*j] that of 2*M. False if a row is not a product.
 */
static bool find_rows(const struct stencil *s, const struct c_field *f,
	struct strides *all)
{
	for (int d = 0; d < all->n; d++) {
		struct poly_term *row = &all->stride[d].term[0];
		int64_t longest = 0;

		if (all->stride[d].n > 1)
			return false;
		for (const struct c_access *a = s->accesses; a; a = a->next)
			for (int i = 0; a->field == f && i < a->sub[0].n; i++)
				if (counts_rows(&a->sub[0].term[i], row,
						a->place.loop))
					longest = greatest_common_divisor(longest,
						a->sub[0].term[i].coefficient);
		if (row->degree && longest)
			row->coefficient = longest;
	}
	return true;
}

/* The sizes of "f" if each row consists of so many rows of the next dimension. */
static bool find_row_sizes(struct c_field *f, const struct strides *all)
{
	const struct poly one = poly_constant(1);
	struct poly size[C_MAX_DIMS], rest;

	if (all->n < 2 || !poly_equal(&all->stride[all->n - 1], &one))
		return false;
	for (int d = 1; d < all->n; d++)
		if (!poly_divide(&all->stride[d - 1], &all->stride[d],
				&size[d], &rest) || rest.n)
			return false;
	for (int d = 1; d < all->n; d++) {
		f->size[d] = size[d];
		f->is_sized[d] = true;
	}
	return true;
}

/* A[i*M + j] is A[i][j] of rows of M, and so is A[2*i*M + 2*j] A[2*i][2*j]. */
static bool split_field(struct stencil *s, struct c_field *f)
{
	struct strides all = { 0 };

	if (f->n_dims != 1)
		return true;
	if (!find_strides(s, f, true, &all) || !find_rows(s, f, &all) ||
	    !find_row_sizes(f, &all)) {
		all = (struct strides) { 0 };
		if (!find_strides(s, f, false, &all) ||
		    !find_row_sizes(f, &all))
			return true;
	}
	for (struct c_access *a = s->accesses; a; a = a->next)
		if (a->field == f && !split_access(a, &all))
			return refuse(s, E_SUBSCRIPT, a->at, "'%s' does not "
				"say which row and column it means",
				c_quote(s, a->at));
	f->n_dims = all.n;
	f->is_split = true;
	return true;
}

/* Declared sizes -----------------------------------------------------------*/

static bool is_linear(const struct poly *p)
{
	for (int i = 0; i < p->n; i++)
		if (p->term[i].degree > 1)
			return false;
	return true;
}

static bool declared_size(struct stencil *s, struct c_field *f, int dim)
{
	int depth = local_depth(f->local);
	const struct c_expr *size = dim < depth ? NULL :
		f->decl->size[dim - depth + (f->slot != NO_SLOT)];
	struct c_expr *value;

	if (!size || f->is_sized[dim] || f->is_split)
		return true;
	if (assigns_any(s->region->body, size))
		return refuse(s, E_C_CONSTRUCT, f->decl->at, "the region "
			"assigns what '%s', the size of '%s', depends on",
			c_quote(s, size->at), f->decl->name);
	value = resolve(s, size);
	if (!value)
		return false;
	f->is_sized[dim] = poly_of(s, value, &f->size[dim]) &&
		is_linear(&f->size[dim]);
	return f->is_sized[dim] || dim == 0 || refuse(s, E_NOT_AFFINE,
		f->decl->at, "the size '%s' of '%s' is not a sum of variables "
		"with constant factors", c_quote(s, size->at), f->decl->name);
}

/* Each subscript is a loop's, or fixed; each loop of a write appears in one of
 * them.
 */
static bool check_write(struct stencil *s, const struct c_update *u)
{
	const struct c_access *a = u->write;
	const struct c_loop *loop;

	for (loop = u->place.loop; loop; loop = loop->outer) {
		int n = 0;

		for (int d = 0; d < a->n_subs; d++) {
			struct poly rest;
			int64_t c;

			if (!poly_uses(&a->sub[d], loop->decl))
				continue;
			n++;
			if (!poly_split(&a->sub[d], loop->decl, &c, &rest) ||
			    (c != 1 && c != -1))
				return refuse(s, E_SUBSCRIPT, a->sub_at[d],
					"the subscript '%s' is not a loop "
					"variable plus a constant",
					c_quote(s, a->sub_at[d]));
		}
		if (n == 1)
			continue;
		refuse(s, E_C_CARRIED, loop->at, "each iteration of the loop "
			"over '%s' writes '%s' again", loop->decl->name,
			c_quote(s, a->at));
		diag_note(s->diags, a->at, "it is written here");
		return false;
	}
	for (int d = 0; d < a->n_subs; d++) {
		int n = 0;

		for (loop = u->place.loop; loop; loop = loop->outer)
			n += poly_uses(&a->sub[d], loop->decl);
		if (n > 1)
			return refuse(s, E_SUBSCRIPT, a->sub_at[d], "the "
				"subscript '%s' has two loop variables",
				c_quote(s, a->sub_at[d]));
	}
	return true;
}

bool find_shapes(struct stencil *s)
{
	for (struct c_field *f = s->fields; f; f = f->next) {
		if (!split_field(s, f))
			return false;
		if (f->n_dims > IR_MAX_DIMS)
			return refuse(s, E_TOO_LARGE, f->decl->at, "'%s' has "
				"more than %d dimensions", f->decl->name,
				IR_MAX_DIMS);
		for (int d = 0; d < f->n_dims; d++)
			if (!declared_size(s, f, d))
				return false;
	}
	for (const struct c_update *u = s->updates; u; u = u->next)
		if (!check_write(s, u))
			return false;
	return true;
}

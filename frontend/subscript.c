/* A subscript: an index with a factor, plus a constant, divided by another
 * constant.
 */
#include <inttypes.h>

#include "base/number.h"
#include "frontend/linear.h"

static bool refuse_subscript(struct context *c, struct ast_expr *e,
	const char *reason)
{
	if (report(c, e, E_SUBSCRIPT, e->at,
			"the subscript '%s' is not an index plus a constant: "
			"%s", quote(c->l, e->at), reason))
		diag_advice(c->l->diags, "a stencil reads at fixed distances "
			"from the point, as in '[i-1]'");
	return false;
}

static bool refuse_param(struct context *c, struct ast_expr *e,
	const struct param *p)
{
	if (report(c, e, E_SUBSCRIPT, e->at,
			"the subscript '%s' is not an index plus a constant: "
			"'%s' is not known at compile time",
			quote(c->l, e->at), p->name))
		diag_advice(c->l->diags, "fix it with '%s = ...' in its "
			"declaration, or with -D %s=...", p->name, p->name);
	return false;
}

/* Does an index of dimension "dim" count other points than the grid's? */
static bool counts_points(const struct context *c, int dim)
{
	const struct lattice *l = c->statement->lattice;

	return l && l->line[dim].is_named;
}

/* The text of a quotient that C rounds up, rewritten to round down; NULL if the sum is not one
 * index with a positive factor.
 */
static const char *rounded_down(struct context *c, const struct expr *quotient,
	const struct linear *sum)
{
	struct region *mem = c->l->mem;
	const char *product = NULL;
	int64_t by = 1, whole, rest;

	expr_constant(quotient->arg[1], &by);
	by *= sum->divisor;
	whole = floor_div(sum->constant, by);
	rest = sum->constant - whole * by;
	for (int i = 0; i < c->statement->ir->n_dims; ++i) {
		const char *index = c->statement->ir->iterator[i];
		int64_t factor = sum->coefficient[i];

		if (factor == 0)
			continue;
		if (product || factor < 0 || sum->time || counts_points(c, i))
			return NULL;
		product = factor == 1 ? index : region_printf(mem,
			"%" PRId64 "*%s", factor, index);
	}
	if (!product || whole >= 0)
		return NULL;
	return rest ? region_printf(mem, "(%s + %" PRId64 ")/%" PRId64 " - %"
		PRId64, product, rest, by, -whole) : region_printf(mem, "%s/%"
		PRId64 " - %" PRId64, product, by, -whole);
}

static bool refuse_rounding(struct context *c, struct ast_expr *e,
	const struct expr *quotient, const struct linear *sum)
{
	const char *down = c->statement ? rounded_down(c, quotient, sum) : NULL;

	if (!report(c, e, E_SUBSCRIPT, e->at, "the subscript '%s' divides '%s', "
			"which may be negative: C rounds the quotient up then",
			quote(c->l, e->at), quote(c->l,
				quotient->arg[0]->at)))
		return false;
	if (down)
		diag_advice(c->l->diags, "write '%s', which is rounded down, "
			"or leave such points out by 'on (..)'", down);
	else
		diag_advice(c->l->diags, "add what makes it positive, as in "
			"'(i + 1)/2 - 1' for '(i - 1)/2'");
	return false;
}

static const char *why_no_sum(const struct expr *culprit)
{
	int64_t divisor;

	if (culprit->kind != EXPR_BINARY || culprit->op != OP_DIV)
		return "it is not a sum";
	return expr_constant(culprit->arg[1], &divisor) && divisor > 0 ?
		"a quotient, which is rounded, has a factor, or is added to "
		"another one" : "the divisor is not a positive constant";
}

static bool refuse_not_linear(struct context *c, struct ast_expr *e,
	const struct expr *culprit)
{
	struct linear sum;

	if (culprit->kind == EXPR_PARAM && culprit->type == TYPE_INT)
		return refuse_param(c, e, culprit->param);
	if (culprit->type != TYPE_INT)
		return refuse_subscript(c, e, "it is not an int");
	if (expr_is_read(culprit))
		return refuse_subscript(c, e, "it is read from a field");
	if (quotient_rounds_up(culprit, c->statement ?
	    c->statement->lattice : NULL, &sum))
		return refuse_rounding(c, e, culprit, &sum);
	return refuse_subscript(c, e, why_no_sum(culprit));
}

static bool refuse_far(struct context *c, struct ast_expr *e, int64_t offset)
{
	report(c, e, E_TOO_LARGE, e->at, "a distance of %" PRId64
		" does not fit an int", offset);
	return false;
}

static bool refuse_stride(struct context *c, struct ast_expr *e,
	const char *what, int64_t stride)
{
	if (stride < 0)
		return refuse_subscript(c, e, "the factor of the index is "
			"negative");
	report(c, e, E_TOO_LARGE, e->at, "a %s of %" PRId64
		" is too large: the limit is %d", what, stride,
		LOWER_MAX_STRIDE);
	return false;
}

/* Is "linear" one index, with a positive factor, plus a constant? */
static bool check_linear(struct context *c, struct ast_expr *e,
	const struct linear *linear, int *dim, int64_t *stride)
{
	*dim = -1;
	if (linear->time)
		return refuse_subscript(c, e, "it depends on the time");
	for (int i = 0; i < IR_MAX_DIMS; ++i) {
		if (!linear->coefficient[i])
			continue;
		if (*dim >= 0)
			return refuse_subscript(c, e, "it has two indices");
		*dim = i;
	}
	if (*dim < 0)
		return refuse_subscript(c, e, "it has no index");
	*stride = linear->coefficient[*dim];
	if (*stride < 1 || *stride > LOWER_MAX_STRIDE)
		return refuse_stride(c, e, "stride", *stride);
	if (linear->divisor > LOWER_MAX_STRIDE)
		return refuse_stride(c, e, "divisor", linear->divisor);
	return linear->constant == (int32_t) linear->constant ||
		refuse_far(c, e, linear->constant);
}

bool find_index(struct context *c, struct ast_expr *e,
	const struct expr *value, struct access *a, int i)
{
	const struct lattice *lattice = c->statement ? c->statement->lattice :
		NULL;
	const struct expr *culprit;
	struct linear linear;

	culprit = find_quotient(value, lattice, &linear);
	if (culprit)
		return refuse_not_linear(c, e, culprit);
	/* Rounding down gives the same result, which is not before the first
	 * cell.
	 */
	if (quotient_is_exact(&linear, lattice))
		linear.constant = ceil_div(linear.constant, linear.divisor) *
			linear.divisor;
	a->offset[i] = linear.constant;
	a->divisor[i] = linear.divisor;
	return check_linear(c, e, &linear, &a->dim[i], &a->stride[i]);
}

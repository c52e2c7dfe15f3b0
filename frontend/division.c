/* Divisions of ints that lose a fraction; the warning comes where their value becomes a real. */
#include "frontend/lower.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

/* Does "a / b" lose a fraction: for these numbers, or for all but a few values
 * of "b"?
 */
static bool loses_fraction(const struct expr *a, const struct expr *b)
{
	int64_t dividend, divisor;

	if (!expr_constant(a, &dividend))
		return false;
	if (!expr_constant(b, &divisor))
		return dividend != 0;
	return divisor && dividend % divisor;
}

/* The division in the int "e" that loses a fraction, or NULL. */
static const struct expr *find_division(const struct expr *e)
{
	const struct expr *found = NULL;

	assert(e);
	if (!type_is_integer(e->type) || e->kind == EXPR_CALL)
		return NULL;
	if (e->kind == EXPR_LOCAL)
		return find_division(e->local->value);
	if (e->kind == EXPR_BINARY && op_is_comparison(e->op))
		return NULL;
	if (e->kind == EXPR_BINARY && e->op == OP_DIV &&
	    loses_fraction(e->arg[0], e->arg[1]))
		return e;
	for (int i = e->kind == EXPR_SELECT; i < e->n_args && !found; ++i)
		found = find_division(e->arg[i]);
	return found;
}

/* A place in a sum or definition comes up repeatedly: warn once. */
static bool is_first_warning(struct lower *l, unsigned place)
{
	bool first;

	if (!l->warned)
		l->warned = region_array(l->mem, bool,
			l->diags->source->length + 1);
	first = !l->warned[place];
	l->warned[place] = true;
	return first;
}

/* Is the text at "at" a decimal int? */
static bool is_decimal(const struct lower *l, struct span at)
{
	const char *s = quote(l, at);

	s += *s == '-';
	return *s >= '1' && *s <= '9' && !s[strspn(s, "0123456789")];
}

/* Propose a division in the type that its value becomes. */
static void propose_point(struct lower *l, enum type type,
	const struct expr *division)
{
	const char *point = type == TYPE_FLOAT ? ".0f" : ".0";
	struct span at = division->at;

	for (int i = 0; i < 2; ++i) {
		unsigned end = division->arg[i]->at.end;
		struct span before = { at.start, end }, rest = { end, at.end };

		if (!is_decimal(l, division->arg[i]->at) ||
		    strstr(quote(l, at), "..."))
			continue;
		diag_fixit(l->diags, at, "%s%s%s", quote(l, before), point,
			quote(l, rest));
		return;
	}
	diag_advice(l->diags, "write one of them with a point, as in "
		"'1.0/8' or '1.0f/8'");
}

void check_division(struct context *c, enum type type, const struct expr *e)
{
	const struct expr *division = find_division(e);
	struct lower *l = c->l;
	int64_t value;

	if (!division || !is_first_warning(l, division->at.start))
		return;
	if (expr_constant(division, &value))
		diag(l->diags, W_INTEGER_DIVISION, division->at,
			"'%s' is a division of ints: its value is %" PRId64,
			quote(l, division->at), value);
	else
		diag(l->diags, W_INTEGER_DIVISION, division->at,
			"'%s' is a division of ints: its fraction is lost",
			quote(l, division->at));
	propose_point(l, type, division);
}

const struct expr *convert(struct context *c, enum type type,
	const struct expr *e)
{
	if (!type_is_integer(type))
		check_division(c, type, e);
	return expr_stored(c->l->mem, type, e, e->at);
}

void check_mixed(struct context *c, const struct expr *a,
	const struct expr *b)
{
	enum type type = type_common(a->type, b->type);

	if (type_is_integer(type))
		return;
	check_division(c, type, a);
	check_division(c, type, b);
}

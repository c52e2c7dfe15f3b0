/* Derivatives along the dimensions of a grid, by the values at points around; see derivative.h.
 *
 *	fd_at(A, k, m)			A, m cells further along dimension k
 *	fd_sum(A, n, k, l, a, b, s)	the n-th derivatives along dimensions k to l, added,
 *					s halves of a cell away, by the points a to b
 *	fd_among(x, a, b, by)		x, which is a, a + by, .. or b
 *	fd_once(x, name)		x, computed once and called so
 */
#include "frontend/complex.h"
#include "frontend/derivative.h"
#include "frontend/weights.h"

#include <inttypes.h>
#include <string.h>

/* The call in the program that contains "e". */
static struct span place_of(const struct context *c, const struct ast_expr *e)
{
	const struct expansion *x = c->expansion;

	while (x && x->outer)
		x = x->outer;
	return x ? x->at : e->at;
}

static const struct expr *refuse_place(struct context *c, struct ast_expr *e)
{
	struct span at = place_of(c, e);

	if (report(c, e, E_DERIVATIVE, at, "'%s' is made of values at points "
			"around: there is no point here", quote(c->l, at)))
		diag_advice(c->l->diags, "compute it in a statement of all "
			"points, into a field");
	return NULL;
}

/* Does a statement have points around what "e" reads? */
static bool has_points(const struct context *c)
{
	return c->statement && !c->listing && !c->recording;
}

/* The dimension that "arg" names, -1 for the last one. */
static bool find_dim(struct context *c, struct ast_expr *e,
	struct ast_expr *arg, int *dim)
{
	const struct stmt *ir = c->statement->ir;
	const struct expr *value;
	int64_t d;

	if (!lower_int(c, arg, "a dimension", &d))
		return false;
	*dim = (int) (d < 0 ? ir->n_dims + d : d);
	if (d < ir->n_dims && *dim >= 0)
		return true;
	value = lower_expr(c, arg);
	if (report(c, e, E_DERIVATIVE, value ? value->at : e->at, "there is no "
			"dimension %" PRId64 " here", d))
		diag_advice(c->l->diags, "the last one of the statement is %d",
			ir->n_dims - 1);
	return false;
}

/* "e", "by" cells further along dimension "dim". */
static const struct expr *lower_moved(struct context *c, struct ast_expr *e, int dim,
	int64_t by)
{
	struct context inner = *c;
	int64_t moved[IR_MAX_DIMS] = { 0 };

	if (c->moved)
		memcpy(moved, c->moved, sizeof(moved));
	moved[dim] += by;
	inner.moved = moved;
	return lower_any(&inner, e);
}

/* fd_at ---------------------------------------------------------------------*/

static const struct expr *lower_at(struct context *c, struct ast_expr *e)
{
	struct ast_expr *dim = e->args->next;
	int64_t by;
	int k;

	if (!find_dim(c, e, dim, &k) ||
	    !lower_int(c, dim->next, "a distance", &by))
		return NULL;
	return lower_moved(c, e->args, k, by);
}

/* fd_sum --------------------------------------------------------------------*/

/* A derivative in progress. */
struct derivative {
	struct ast_expr *expr;		/* its argument */
	int64_t order, begin, end, half;
	int first, last;		/* dimensions */
	struct weight w[WEIGHTS_MOST];
	const struct expr *value;	/* so far */
	bool wrong;
};

static bool is_pairwise(const struct derivative *d)
{
	return d->begin + d->end == d->half;
}

static const struct expr *as_it_is(struct context *c, struct ast_expr *e,
	enum op op, const struct expr *a, const struct expr *b)
{
	(void) e;
	return expr_binary(c->l->mem, op, a, b, b->at);
}

static const struct expr *linear(struct context *c, struct derivative *d,
	enum op op, const struct expr *a, const struct expr *b)
{
	return is_complex(a) || is_complex(b) ?
		complex_binary(c, d->expr, op, a, b, as_it_is) :
		expr_binary(c->l->mem, op, a, b, b->at);
}

/* Add "more" to "sum", or subtract it. */
static const struct expr *plus(struct context *c, struct derivative *d,
	const struct expr *sum, const struct expr *more, bool away)
{
	if (!sum || !more)
		return more;
	return linear(c, d, away ? OP_SUB : OP_ADD, sum, more);
}

/* The value "m" cells away along all dimensions, and its mirror image. */
static const struct expr *all_around(struct context *c, struct derivative *d,
	int64_t m)
{
	int64_t other = is_pairwise(d) ? d->half - m : m;
	bool odd = d->order % 2;
	const struct expr *all = NULL;

	for (int k = d->first; k <= d->last && !d->wrong; k++) {
		all = plus(c, d, all, lower_moved(c, d->expr, k,
			odd ? m : other), false);
		d->wrong |= !all;
		if (other != m && !d->wrong)
			all = plus(c, d, all, lower_moved(c, d->expr, k,
				odd ? other : m), odd);
		d->wrong |= !all;
	}
	return all;
}

static bool is_one(struct weight w)
{
	return w.above == w.below;
}

/* Add the contribution of the points "m" cells away. */
static void add_points(struct context *c, struct derivative *d, int64_t m)
{
	bool once = m == 0 && (!is_pairwise(d) || d->half == 0);
	struct weight w = weights_times(d->w[m - d->begin],
		once ? d->last - d->first + 1 : 1);
	bool away = d->value && w.above < 0;
	const struct expr *x;
	enum type type;

	if (!w.above)
		return;
	x = once ? lower_moved(c, d->expr, d->first, 0) : all_around(c, d, m);
	d->wrong |= !x;
	if (d->wrong)
		return;
	type = x->type == TYPE_FLOAT ? TYPE_FLOAT : TYPE_DOUBLE;
	w = away ? weights_times(w, -1) : w;
	if (!is_one(w))
		x = linear(c, d, OP_MUL, expr_real(c->l->mem, type,
			weights_round(w, type), x->at), x);
	d->value = plus(c, d, d->value, x, away);
}

static const struct expr *add_all(struct context *c, struct derivative *d)
{
	int64_t m = d->begin;

	if (!weights_find((int) d->order, (int) d->begin, (int) d->end,
	    (int) d->half, d->w))
		d->wrong = true;
	if (is_pairwise(d))
		while (2 * m < d->half)
			m++;
	for (; m <= d->end && !d->wrong; m++)
		add_points(c, d, m);
	return d->wrong ? NULL : d->value;
}

static bool check_points(struct context *c, struct ast_expr *e,
	const struct derivative *d)
{
	int64_t n = d->end - d->begin + 1;

	if (d->order >= 0 && n > d->order && n <= WEIGHTS_MOST &&
	    d->begin > -WEIGHTS_MOST && d->end < WEIGHTS_MOST &&
	    d->half >= -1 && d->half <= 1)
		return true;
	report(c, e, E_DERIVATIVE, place_of(c, e), "a derivative of order %" PRId64
		" by the points %" PRId64 " .. %" PRId64 ": it takes more "
		"points than its order, at most %d", d->order, d->begin,
		d->end, WEIGHTS_MOST);
	return false;
}

static const struct expr *lower_derivative(struct context *c,
	struct ast_expr *e)
{
	struct derivative d = { .expr = e->args };
	struct ast_expr *order = e->args->next, *first = order->next;
	struct ast_expr *last = first->next, *begin = last->next;

	if (!lower_int(c, order, "the order of a derivative", &d.order) ||
	    !find_dim(c, e, first, &d.first) ||
	    !find_dim(c, e, last, &d.last) ||
	    !lower_int(c, begin, "the points of a derivative", &d.begin) ||
	    !lower_int(c, begin->next, "the points of a derivative", &d.end) ||
	    !lower_int(c, begin->next->next, "the place of a derivative",
		&d.half) || !check_points(c, e, &d))
		return NULL;
	return add_all(c, &d);
}

/* fd_among ------------------------------------------------------------------*/

/* "2, 4, .. 16" */
static void list_values(struct text *t, const int64_t *range)
{
	int64_t n = (range[1] - range[0]) / range[2];

	text_printf(t, "%" PRId64, range[0]);
	if (n > 1)
		text_printf(t, ", %" PRId64, range[0] + range[2]);
	if (n > 2)
		text_puts(t, ", ..");
	if (n)
		text_printf(t, " or %" PRId64, range[1]);
}

static const struct expr *refuse_value(struct context *c, struct ast_expr *e,
	const char *what, const struct expr *value, const int64_t *range)
{
	struct text t = { 0 };

	list_values(&t, range);
	report(c, e, E_DERIVATIVE, value->at, "%s is %s: it must be %s", what,
		quote(c->l, value->at), t.bytes);
	text_free(&t);
	return NULL;
}

static const struct expr *lower_among(struct context *c, struct ast_expr *e)
{
	const char *what = region_printf(c->l->mem, "'%s' of '%s'",
		quote(c->l, e->args->at), c->expansion ?
		c->expansion->def->name : "fd_among");
	const struct expr *value = lower_expr(c, e->args);
	struct ast_expr *arg = e->args->next;
	int64_t range[3], x;

	for (int i = 0; i < 3; i++, arg = arg->next)
		if (!lower_int(c, arg, "a range", &range[i]))
			return NULL;
	if (value && value->type != TYPE_INT)
		return refuse_value(c, e, what, value, range);
	if (!value || !lower_int(c, e->args, what, &x))
		return NULL;
	if (x < range[0] || x > range[1] || range[2] < 1 ||
	    (x - range[0]) % range[2])
		return refuse_value(c, e, what, value, range);
	return expr_int(c->l->mem, x, e->at);
}

/* fd_once -------------------------------------------------------------------*/

/* .. by its parts. */
static const struct expr *complex_once(struct context *c,
	const struct expr *value, const char *name)
{
	const struct expr *part[PARTS];

	for (int i = 0; i < PARTS; i++) {
		part[i] = complex_part(value, i);
		if (part[i] && part[i]->n_args)
			part[i] = name_once(c, part[i], name);
	}
	return complex_of(c, part, value->at);
}

static const struct expr *lower_once(struct context *c, struct ast_expr *e)
{
	const struct expr *value = lower_any(c, e->args);
	const struct ast_name *name = &e->args->next->name;

	if (e->args->next->kind != AST_NAME) {
		report(c, e, E_ARGUMENTS, e->args->next->at, "'%s' is not a name",
			quote(c->l, e->args->next->at));
		return NULL;
	}
	if (value && is_complex(value))
		return complex_once(c, value, name->text);
	if (!value || c->inlining || !c->statement || !value->n_args)
		return value;
	return add_name(c, value, name->text);
}

/* All -----------------------------------------------------------------------*/

static const struct function {
	const char *name;
	int n_args;
	const struct expr *(*lower)(struct context *c, struct ast_expr *e);
} functions[] = {
	{ "fd_at", 3, lower_at },
	{ "fd_sum", 7, lower_derivative },
	{ "fd_among", 4, lower_among },
	{ "fd_once", 2, lower_once },
};

static const struct function *find(const char *name)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!strcmp(functions[i].name, name))
			return &functions[i];
	return NULL;
}

bool lower_at_points(struct context *c, struct ast_expr *e,
	const struct expr **value)
{
	const struct function *f = find(e->name.text);

	if (!f)
		return false;
	*value = !check_count(c, e, f->n_args) ? NULL :
		reads_at_points(f->name) && !has_points(c) ? refuse_place(c, e) :
		f->lower(c, e);
	return true;
}

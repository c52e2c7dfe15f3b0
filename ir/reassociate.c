/* --reassociate: sums in an order in which neighbours share more of them.
 *
 * Only for real arithmetic: sums of weighted reads are factored (factor.c), and
 * differences that are squared or made absolute get the sign that neighbours
 * give them: (u[i] - u[i+1])^2 is the (u[i] - u[i-1])^2 of the next point.  A
 * sum of such terms has them in the order in which planes arrive.  Values are
 * equal in exact arithmetic; rounded, they differ in their last bits.
 *
 * This pass shares nothing itself: a statement stays one expression.  Equal
 * parts of neighbours are equal trees, up to a shift; code that computes
 * several points finds them.
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "ir/factor.h"
#include "ir/memo.h"

/* Larger expressions stay as they are. */
enum { MOST_NODES = 20000 };

struct term {
	struct weight weight;
	const struct expr *value;
	bool is_used;
};

/* value = sum of the terms, all in "type" */
struct sum {
	enum type type;
	int n, capacity;
	struct term *term;
};

struct pass {
	struct region *mem, *tmp;
	const struct stmt *stmt;
	struct memo **memo;
};

static const struct expr *rewrite(struct pass *p, const struct expr *e);

/* Weights --------------------------------------------------------------- */

static const struct expr *product(struct region *r, const struct expr *a,
	const struct expr *b)
{
	return !a ? b : !b ? a : expr_binary(r, OP_MUL, a, b, a->at);
}

/* w = w * e, if "e" consists of numbers and real parameters of "type". */
static bool scale(struct pass *p, const struct expr *e, enum type type,
	struct weight *w)
{
	switch (e->kind) {
	case EXPR_INT:
		w->value *= (double) e->ivalue;
		return true;
	case EXPR_REAL:
		w->value *= e->rvalue;
		return e->type <= type;
	case EXPR_PARAM:
		if (e->type != type)
			return false;
		if (e->param->fixed)
			w->value *= e->param->rvalue;
		else
			w->symbol = product(p->mem, w->symbol, e);
		return true;
	case EXPR_UNARY:
		w->value = -w->value;
		return e->op == OP_NEG && e->type == type &&
			scale(p, e->arg[0], type, w);
	case EXPR_BINARY:
		return e->op == OP_MUL && e->type == type &&
			scale(p, e->arg[0], type, w) &&
			scale(p, e->arg[1], type, w);
	default:
		return false;
	}
}

/* Divide by "e", if that is a number. */
static bool unscale(const struct expr *e, enum type type, struct weight *w)
{
	double by = e->kind == EXPR_INT ? (double) e->ivalue :
		e->kind == EXPR_REAL && e->type <= type ? e->rvalue : 0;

	if (by == 0)
		return false;
	w->value /= by;
	return true;
}

/* Sums ------------------------------------------------------------------ */

/* Is "e" a sum, or a multiple of "inner" by "weight"? */
static bool is_multiple(struct pass *p, const struct expr *e,
	const struct expr **inner, struct weight *weight)
{
	if (e->kind != EXPR_BINARY || (e->op != OP_MUL && e->op != OP_DIV))
		return false;
	for (int i = 0; i < 2; i++) {
		struct weight w = *weight;

		*inner = e->arg[1 - i];
		if ((*inner)->type != e->type || (e->op == OP_DIV && i == 0))
			continue;
		if (e->op == OP_DIV ? unscale(e->arg[i], e->type, &w) :
		    scale(p, e->arg[i], e->type, &w)) {
			*weight = w;
			return true;
		}
	}
	return false;
}

static bool is_addition(const struct expr *e)
{
	return e->kind == EXPR_BINARY && (e->op == OP_ADD || e->op == OP_SUB) &&
		e->arg[0]->type == e->type && e->arg[1]->type == e->type;
}

static bool is_negation(const struct expr *e)
{
	return e->kind == EXPR_UNARY && e->op == OP_NEG;
}

static void add_term(struct pass *p, struct sum *s, const struct expr *e,
	struct weight weight)
{
	if (s->n == s->capacity) {
		struct term *grown = region_array(p->tmp, struct term,
			2 * s->capacity + 8);

		if (s->n)
			memcpy(grown, s->term, sizeof(*grown) * (size_t) s->n);
		s->term = grown;
		s->capacity = 2 * s->capacity + 8;
	}
	s->term[s->n++] = (struct term) { weight, e, false };
}

/* Add weight * e to "s"; sums, and multiples of sums, term by term. */
static void flatten(struct pass *p, struct sum *s, const struct expr *e,
	struct weight weight)
{
	const struct expr *inner;

	if (is_addition(e)) {
		flatten(p, s, e->arg[0], weight);
		if (e->op == OP_SUB)
			weight.value = -weight.value;
		flatten(p, s, e->arg[1], weight);
	} else if (is_negation(e)) {
		weight.value = -weight.value;
		flatten(p, s, e->arg[0], weight);
	} else if (is_multiple(p, e, &inner, &weight)) {
		flatten(p, s, inner, weight);
	} else {
		add_term(p, s, e, weight);
	}
}

/* sum + weight * e; "sum" may be NULL: 0 */
static const struct expr *accumulate(struct pass *p, const struct expr *sum,
	struct weight weight, const struct expr *e)
{
	bool subtracts = sum && weight.value < 0;
	double value = subtracts ? -weight.value : weight.value;
	const struct expr *by = weight.symbol;

	if (e->type == TYPE_FLOAT)
		value = (double) (float) value;
	if (value == -1)
		e = expr_unary(p->mem, OP_NEG, e, e->at);
	else if (value != 1)
		by = product(p->mem, expr_real(p->mem, e->type, value, e->at),
			by);
	e = product(p->mem, by, e);
	return sum ? expr_binary(p->mem, subtracts ? OP_SUB : OP_ADD, sum, e,
		e->at) : e;
}

/* Factored sums of reads ------------------------------------------------ */

/* Does "e" read the point's neighbour, with all dimensions in their order? */
static bool is_neighbour(const struct pass *p, const struct expr *e)
{
	const struct access *a = e->access;

	if (e->kind != EXPR_READ || a->field->n_dims != p->stmt->n_dims ||
	    !access_is_in_order(a))
		return false;
	for (int d = 0; d < p->stmt->n_dims; d++)
		if (a->offset[d] > INT_MAX || a->offset[d] < INT_MIN)
			return false;
	return true;
}

static bool same_value(const struct expr *a, const struct expr *b)
{
	return a->access->field == b->access->field &&
		a->access->version == b->access->version;
}

static bool same_cell(const struct pass *p, const struct expr *a,
	const struct expr *b)
{
	return same_value(a, b) && !memcmp(a->access->offset,
		b->access->offset, sizeof(a->access->offset[0]) *
		(size_t) p->stmt->n_dims);
}

/* Reads of one cell form one term, if their weights can be added. */
static void merge_terms(const struct pass *p, struct sum *s)
{
	int n = 0;

	for (int i = 0; i < s->n; i++) {
		int j = is_neighbour(p, s->term[i].value) ? 0 : n;

		while (j < n && !(is_neighbour(p, s->term[j].value) &&
		       same_cell(p, s->term[i].value, s->term[j].value) &&
		       weight_same_symbol(s->term[i].weight,
				s->term[j].weight)))
			j++;
		if (j < n)
			s->term[j].weight.value += s->term[i].weight.value;
		else
			s->term[n++] = s->term[i];
	}
	s->n = n;
}

/* A read of the cell at "at", in the field and version that "like" reads. */
static const struct expr *read_at(const struct pass *p, const struct sum *s,
	const struct expr *like, const int *at)
{
	for (int i = 0; i < s->n; i++) {
		const struct expr *e = s->term[i].value;
		bool same = is_neighbour(p, e) && same_value(e, like);

		for (int d = 0; d < p->stmt->n_dims && same; d++)
			same = e->access->offset[d] == at[d];
		if (same)
			return e;
	}
	return like;
}

static const struct expr *expr_of_form(struct pass *p, const struct sum *s,
	const struct expr *like, const struct form *form, const int *at)
{
	const struct expr *e = NULL;

	if (!form->n_parts)
		return read_at(p, s, like, at);
	for (int i = 0; i < form->n_parts; i++) {
		const struct part *part = &form->part[i];
		int there[IR_MAX_DIMS];

		memcpy(there, at, sizeof(there));
		if (part->dim >= 0)
			there[part->dim] += part->offset;
		e = accumulate(p, e, part->weight, expr_of_form(p, s, like,
			part->form, there));
	}
	return e;
}

/* The terms from "first" on that read other cells of the same value, each cell
 * once, as cells; marks them as used if "use".
 */
static int cells_of(const struct pass *p, struct sum *s, int first,
	struct cell *cell, bool use)
{
	int n = 0;

	for (int i = first; i < s->n; i++) {
		struct term *t = &s->term[i];
		bool twice = false;

		if (t->is_used || !is_neighbour(p, t->value) ||
		    !same_value(t->value, s->term[first].value))
			continue;
		for (int j = first; j < i && !twice; j++)
			twice = is_neighbour(p, s->term[j].value) &&
				same_cell(p, s->term[j].value, t->value);
		if (twice || t->weight.value == 0)
			continue;
		memset(&cell[n], 0, sizeof(cell[n]));
		for (int d = 0; d < p->stmt->n_dims; d++)
			cell[n].at[d] = (int) t->value->access->offset[d];
		cell[n++].weight = t->weight;
		t->is_used = use;
	}
	return n;
}

/* Add to "*sum" the factored reads of each value that can be factored.  False
 * if there is none.
 */
static bool factor_reads(struct pass *p, struct sum *s,
	const struct expr **sum)
{
	static const int here[IR_MAX_DIMS];
	static const struct weight one = { 1, NULL };
	struct cell *cell = region_array(p->tmp, struct cell, s->n);
	double epsilon = s->type == TYPE_FLOAT ? (double) FLT_EPSILON :
		DBL_EPSILON;
	bool any = false;

	for (int i = 0; i < s->n; i++) {
		const struct expr *like = s->term[i].value;
		const struct form *form;
		int n;

		if (s->term[i].is_used || !is_neighbour(p, like))
			continue;
		n = cells_of(p, s, i, cell, false);
		form = n > 2 ? factor(p->tmp, p->stmt->n_dims, 4 * epsilon, n,
			cell) : NULL;
		if (!form)
			continue;
		cells_of(p, s, i, cell, true);
		*sum = accumulate(p, *sum, one, expr_of_form(p, s, like, form,
			here));
		any = true;
	}
	return any;
}

/* Differences ----------------------------------------------------------- */

/* Where "a" lies relative to "b", which reads the same value: before it (< 0)
 * in the first dimension in which they differ, or after it.
 */
static int compare_places(const struct pass *p, const struct expr *a,
	const struct expr *b)
{
	for (int d = 0; d < p->stmt->n_dims; d++)
		if (a->access->offset[d] != b->access->offset[d])
			return a->access->offset[d] < b->access->offset[d] ?
				-1 : 1;
	return 0;
}

static bool is_difference(const struct pass *p, const struct expr *e)
{
	return e->kind == EXPR_BINARY && e->op == OP_SUB &&
		!type_is_integer(e->type) && is_neighbour(p, e->arg[0]) &&
		is_neighbour(p, e->arg[1]) && same_value(e->arg[0], e->arg[1]);
}

/* The difference whose square or absolute value "e" is, or NULL. */
static const struct expr *even_argument(const struct pass *p,
	const struct expr *e)
{
	bool square = e->kind == EXPR_BINARY && e->op == OP_MUL &&
		e->arg[0] == e->arg[1];
	bool absolute = e->kind == EXPR_CALL && e->op == OP_FABS;

	return (square || absolute) && is_difference(p, e->arg[0]) ?
		e->arg[0] : NULL;
}

/* later - earlier */
static const struct expr *directed(struct pass *p, const struct expr *e)
{
	return compare_places(p, e->arg[0], e->arg[1]) >= 0 ? e :
		expr_binary(p->mem, OP_SUB, e->arg[1], e->arg[0], e->at);
}

/* Is "b" the difference "a" of another point? */
static bool is_shifted(const struct pass *p, const struct expr *a,
	const struct expr *b)
{
	if (!same_value(a->arg[0], b->arg[0]))
		return false;
	for (int d = 0; d < p->stmt->n_dims; d++)
		if (a->arg[0]->access->offset[d] - a->arg[1]->access->offset[d]
		    != b->arg[0]->access->offset[d] -
		    b->arg[1]->access->offset[d])
			return false;
	return true;
}

/* Do two of the terms have a difference that neighbours share? */
static bool shares_differences(const struct pass *p, const struct sum *s)
{
	for (int i = 0; i < s->n; i++) {
		const struct expr *a = even_argument(p, s->term[i].value);

		for (int j = 0; a && j < i; j++) {
			const struct expr *b = even_argument(p,
				s->term[j].value);

			if (b && is_shifted(p, a, b))
				return true;
		}
	}
	return false;
}

/* The last position along the first dimension that "e" reads, or INT64_MIN. */
static int64_t newest_read(const struct expr *e)
{
	int64_t newest = INT64_MIN;

	if (e->kind == EXPR_READ && e->access->dim[0] == 0)
		newest = e->access->offset[0];
	for (int i = 0; i < e->n_args; i++) {
		newest = larger(newest, newest_read(e->arg[i]));
	}
	return newest;
}

/* Sort terms by when the last position that they read arrives. */
static void sort_terms(struct sum *s)
{
	for (int i = 1; i < s->n; i++) {
		struct term t = s->term[i];
		int64_t newest = newest_read(t.value);
		int j = i;

		for (; j > 0 && newest_read(s->term[j - 1].value) > newest; j--)
			s->term[j] = s->term[j - 1];
		s->term[j] = t;
	}
}

/* Expressions ----------------------------------------------------------- */

/* "e" with other operands. */
static const struct expr *with_args(struct pass *p, const struct expr *e,
	const struct expr *const *arg)
{
	switch (e->kind) {
	case EXPR_UNARY:
		return expr_unary(p->mem, e->op, arg[0], e->at);
	case EXPR_BINARY:
		return expr_binary(p->mem, e->op, arg[0], arg[1], e->at);
	case EXPR_SELECT:
		return expr_select(p->mem, arg[0], arg[1], arg[2], e->at);
	case EXPR_CAST:
		return expr_cast(p->mem, e->type, arg[0], e->at);
	default:
		return expr_call(p->mem, e->op, e->type, e->n_args, arg,
			e->at);
	}
}

static const struct expr *rewrite_args(struct pass *p, const struct expr *e)
{
	const struct expr *arg[EXPR_MAX_ARGS], *even = even_argument(p, e);
	bool changed = false;

	for (int i = 0; i < e->n_args; i++) {
		arg[i] = even ? directed(p, even) : rewrite(p, e->arg[i]);
		if (even && i > 0)
			arg[i] = arg[0];
		changed = changed || arg[i] != e->arg[i];
	}
	return changed ? with_args(p, e, arg) : e;
}

static bool is_sum(struct pass *p, const struct expr *e)
{
	struct weight w = { 1, NULL };
	const struct expr *inner;

	return is_addition(e) || is_negation(e) || is_multiple(p, e, &inner,
		&w);
}

/* The sum "e" in its old order, with its parts rewritten. */
static const struct expr *rewrite_terms(struct pass *p, const struct expr *e)
{
	const struct expr *arg[EXPR_MAX_ARGS];
	bool changed = false;

	if (!is_sum(p, e))
		return rewrite(p, e);
	for (int i = 0; i < e->n_args; i++) {
		arg[i] = rewrite_terms(p, e->arg[i]);
		changed = changed || arg[i] != e->arg[i];
	}
	return changed ? with_args(p, e, arg) : e;
}

static const struct expr *rewrite_sum(struct pass *p, const struct expr *e)
{
	static const struct weight one = { 1, NULL };
	struct sum s = { .type = e->type };
	const struct expr *sum = NULL;
	bool factored, shared;

	flatten(p, &s, e, one);
	for (int i = 0; i < s.n; i++)
		s.term[i].value = rewrite(p, s.term[i].value);
	merge_terms(p, &s);
	shared = shares_differences(p, &s);
	factored = factor_reads(p, &s, &sum);
	if (!factored && !shared)
		return rewrite_terms(p, e);
	if (shared)
		sort_terms(&s);
	for (int i = 0; i < s.n; i++)
		if (!s.term[i].is_used && s.term[i].weight.value != 0)
			sum = accumulate(p, sum, s.term[i].weight,
				s.term[i].value);
	return sum;
}

static const struct expr *rewrite(struct pass *p, const struct expr *e)
{
	struct memo *m;

	if (!e->n_args)
		return e;
	m = memo_of(p->tmp, p->memo, e);
	if (!m->to)
		m->to = !type_is_integer(e->type) && is_sum(p, e) ?
			rewrite_sum(p, e) : rewrite_args(p, e);
	return m->to;
}

static struct stmt *rewrite_stmt(struct region *r, const struct stmt *s)
{
	struct pass p = { .mem = r, .tmp = region_new(), .stmt = s };
	struct stmt *copy = region_new_of(r, struct stmt);
	const struct expr *value;

	*copy = *s;
	p.memo = memo_new(p.tmp);
	value = s->value->nodes <= MOST_NODES ? rewrite(&p, s->value) :
		s->value;
	region_free(p.tmp);
	if (value != s->value) {
		copy->value = value;
		copy->written = s->value;
	}
	return copy;
}

const struct program *ir_reassociate(struct region *r,
	const struct program *prog)
{
	struct program *copy = region_new_of(r, struct program);

	*copy = *prog;
	copy->reassociated = true;
	copy->stmt = region_array(r, struct stmt *, prog->n_stmts);
	for (int i = 0; i < prog->n_stmts; i++)
		copy->stmt[i] = rewrite_stmt(r, prog->stmt[i]);
	return copy;
}

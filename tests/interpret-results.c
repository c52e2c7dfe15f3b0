/* The plain interpreter: reductions, by the letter of doc/language.md. */
#include <math.h>
#include <stdlib.h>

#include "tests/interpreter.h"

struct box {
	int64_t low[IR_MAX_DIMS], high[IR_MAX_DIMS];	/* both included */
};

static struct value none(enum reduce how, enum type type)
{
	bool least = how == REDUCE_MAX;

	if (how == REDUCE_SUM)
		return type == TYPE_INT ? value_int(0) : value_real(type, 0);
	return type == TYPE_INT ? value_int(least ? INT32_MIN : INT32_MAX) :
		value_real(type, least ? -INFINITY : INFINITY);
}

static bool is_nan(struct value v)
{
	return !type_is_integer(v.type) && isnan(v.r);
}

static struct value join(enum reduce how, struct value a, struct value b)
{
	double x = a.type == TYPE_INT ? (double) a.i : a.r;
	double y = b.type == TYPE_INT ? (double) b.i : b.r;

	if (how == REDUCE_SUM)
		return a.type == TYPE_INT ? value_int(a.i + b.i) :
			value_real(a.type, a.type == TYPE_FLOAT ?
				(float) x + (float) y : x + y);
	if (is_nan(a) || is_nan(b))
		return is_nan(a) ? a : b;
	return (how == REDUCE_MAX ? y > x : y < x) ? b : a;
}

/* Where each read lies in its grid. */
static struct box box_of(const struct state *s, const struct stmt *point)
{
	struct box b = { { 0 }, { 0 } };

	for (int d = 0; d < point->n_dims; d++) {
		b.low[d] = INT32_MIN;
		b.high[d] = INT32_MAX;
	}
	for (int i = 0; i < point->n_reads; i++)
		for (int d = 0; d < point->read[i]->field->n_dims; d++) {
			const struct access *a = point->read[i];
			int64_t n = s->memory[a->field->index].size[d];
			int64_t x = a->dim[d], k = a->stride[d];
			int64_t low = (int64_t) ceil(-(double) a->offset[d] / (double) k);
			int64_t high = (int64_t) ceil((double) (n *
				a->divisor[d] - a->offset[d]) / (double) k) - 1;

			b.low[x] = low > b.low[x] ? low : b.low[x];
			b.high[x] = high < b.high[x] ? high : b.high[x];
		}
	return b;
}

static struct value value_at(const struct state *s, const struct reduction *r)
{
	const struct stmt *point = r->point;

	for (int i = 0; i < point->n_conditions; i++)
		if (!truth(eval(s, point->condition[i])))
			return none(r->how, point->value->type);
	return eval(s, point->value);
}

/* "n" of one piece: in lanes, then these two and two. */
static struct value reduce_piece(enum reduce how, const struct value *v,
	int64_t n)
{
	struct value lane[REDUCE_LANES];

	for (int l = 0; l < REDUCE_LANES; l++)
		lane[l] = none(how, v[0].type);
	for (int64_t i = 0; i < n; i++)
		lane[i % REDUCE_LANES] = join(how, lane[i % REDUCE_LANES],
			v[i]);
	for (int half = REDUCE_LANES / 2; half > 0; half /= 2)
		for (int l = 0; l < half; l++)
			lane[l] = join(how, lane[l], lane[l + half]);
	return lane[0];
}

/* Of rows of "columns" values in "v", which is overwritten. */
static struct value reduce_all(enum reduce how, struct value *v, int64_t rows,
	int64_t columns)
{
	int64_t n = 0;

	for (int64_t row = 0; row < rows; row++)
		for (int64_t at = 0; at < columns; at += REDUCE_PIECE) {
			int64_t left = columns - at;

			v[n++] = reduce_piece(how, v + row * columns + at,
				left < REDUCE_PIECE ? left : REDUCE_PIECE);
		}
	return n == 1 ? v[0] : reduce_all(how, v, 1, n);
}

/* The point after s->x in the box; false behind the last one. */
static bool next_point(struct state *s, const struct box *b, int n_dims)
{
	for (int d = n_dims - 1; d >= 0; d--) {
		if (++s->x[d] <= b->high[d])
			return true;
		s->x[d] = b->low[d];
	}
	return false;
}

static struct value reduce(struct state *s, const struct reduction *r)
{
	int n_dims = r->point->n_dims;
	struct box b = box_of(s, r->point);
	int64_t rows = 1, columns = 1, n = 0;
	struct value *v, result;

	for (int d = 0; d < n_dims; d++) {
		if (b.low[d] > b.high[d])
			return none(r->how, r->point->value->type);
		rows *= columns;
		columns = b.high[d] - b.low[d] + 1;
		s->x[d] = b.low[d];
	}
	v = malloc((size_t) (rows * columns) * sizeof(*v));
	if (!v)
		give_up("no memory");
	do
		v[n++] = value_at(s, r);
	while (next_point(s, &b, n_dims));
	result = reduce_all(r->how, v, rows, columns);
	free(v);
	return result;
}

/* A zero has no sign, a NaN no bits of its own. */
static struct value plain(struct value v)
{
	if (v.type == TYPE_INT)
		return v;
	return value_real(v.type, isnan(v.r) ? (double) NAN : v.r + 0.0);
}

static bool is_due(const struct state *s, const struct reduction *r)
{
	return (s->t + 1) % r->every == 0;
}

/* What "r" gives after a step that may be the last one. */
static void note(struct state *s, const struct reduction *r, bool is_last)
{
	const struct memory *m = &s->memory[r->result->index];

	if (is_due(s, r) || (r->result->is_scalar && is_last))
		store(m, r->result->is_scalar ? 0 : (s->t + 1) / r->every - 1,
			plain(reduce(s, r)));
}

static bool has_result(const struct expr *e, const struct field *f)
{
	bool has = e->kind == EXPR_ELEMENT && e->field == f;

	for (int i = 0; i < e->n_args; i++)
		has = has || has_result(e->arg[i], f);
	return has;
}

bool reduce_step(struct state *s)
{
	const struct program *p = s->prog;
	bool is_last = s->t + 1 == s->steps, ends = p->until;

	for (int i = 0; i < p->n_reductions; i++) {
		const struct reduction *r = p->reduction[i];

		note(s, r, is_last);
		if (ends && has_result(p->until, r->result))
			ends = is_due(s, r);
	}
	ends = ends && truth(eval(s, p->until));
	for (int i = 0; i < p->n_reductions && ends && !is_last; i++)
		note(s, p->reduction[i], true);
	return ends;
}

bool some_series_too_short(const struct state *s)
{
	const struct program *p = s->prog;

	for (int i = 0; i < p->n_reductions; i++) {
		const struct reduction *r = p->reduction[i];

		if (!r->result->is_scalar && s->steps / r->every >
		    s->memory[r->result->index].size[0])
			return true;
	}
	return false;
}

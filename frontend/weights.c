/* Weights of finite differences by the recurrence of B. Fornberg, Generation of finite
 * difference formulas on arbitrarily spaced grids, Mathematics of Computation 51, 1988, in
 * quotients of integers.
 */
#include "frontend/weights.h"

#include <float.h>
#include <math.h>

/* Quotients ----------------------------------------------------------------*/

static weights_int gcd(weights_int a, weights_int b)
{
	while (b) {
		weights_int rest = a % b;

		a = b;
		b = rest;
	}
	return a < 0 ? -a : a;
}

static struct weight whole(int number)
{
	return (struct weight) { number, 1 };
}

/* above / below, in lowest terms. */
static struct weight reduced(weights_int above, weights_int below)
{
	weights_int common = gcd(above, below);

	if (!common)
		return (struct weight) { 0, 0 };
	if (below < 0)
		common = -common;
	return (struct weight) { above / common, below / common };
}

static struct weight product(struct weight a, struct weight b)
{
	struct weight across = reduced(a.above, b.below);
	struct weight along = reduced(b.above, a.below);
	struct weight all = { 0, 0 };

	if (a.below && b.below && (__builtin_mul_overflow(across.above,
	    along.above, &all.above) || __builtin_mul_overflow(across.below,
	    along.below, &all.below)))
		all.below = 0;
	return all;
}

static struct weight sum(struct weight a, struct weight b)
{
	weights_int common = gcd(a.below, b.below), x, y, above, below;

	if (!common || __builtin_mul_overflow(a.above, b.below / common, &x) ||
	    __builtin_mul_overflow(b.above, a.below / common, &y) ||
	    __builtin_add_overflow(x, y, &above) ||
	    __builtin_mul_overflow(a.below, b.below / common, &below))
		return (struct weight) { 0, 0 };
	return reduced(above, below);
}

struct weight weights_times(struct weight w, int factor)
{
	return product(w, whole(factor));
}

/* The recurrence -----------------------------------------------------------*/

/* Distances count half cells, so that they are integers. */
struct recurrence {
	int order, n_points;
	int at[WEIGHTS_MOST];		/* the points, relative to where the
					 * derivative is taken */
	struct weight w[WEIGHTS_MOST + 1][WEIGHTS_MOST];	/* by order and point */
};

/* The weight of point "i", from that of the one before it. */
static void add_point(struct recurrence *r, int i)
{
	struct weight ratio = whole(1);

	for (int j = 0; j + 1 < i; j++)
		ratio = product(ratio, reduced(r->at[i - 1] - r->at[j],
			r->at[i] - r->at[j]));
	ratio = product(ratio, reduced(1, r->at[i] - r->at[i - 1]));
	for (int k = 0; k <= r->order; k++) {
		struct weight of = weights_times(r->w[k][i - 1],
			-r->at[i - 1]);

		if (k)
			of = sum(of, weights_times(r->w[k - 1][i - 1], k));
		r->w[k][i] = product(ratio, of);
	}
}

/* The weight of point "j" once point "i" is included. */
static void change_point(struct recurrence *r, int i, int j)
{
	struct weight over = reduced(1, r->at[i] - r->at[j]);

	for (int k = r->order; k >= 0; k--) {
		struct weight of = weights_times(r->w[k][j], r->at[i]);

		if (k)
			of = sum(of, weights_times(r->w[k - 1][j], -k));
		r->w[k][j] = product(of, over);
	}
}

static void recur(struct recurrence *r)
{
	for (int k = 0; k <= r->order; k++)
		r->w[k][0] = whole(k == 0);
	for (int i = 1; i < r->n_points; i++) {
		add_point(r, i);
		for (int j = 0; j < i; j++)
			change_point(r, i, j);
	}
}

bool weights_find(int n, int begin, int end, int half, struct weight *w)
{
	struct recurrence r = { .order = n, .n_points = end - begin + 1 };
	bool done = true;

	for (int i = 0; i < r.n_points; i++)
		r.at[i] = 2 * (begin + i) - half;
	recur(&r);
	for (int i = 0; i < r.n_points; i++) {
		w[i] = r.w[n][i];
		for (int k = 0; k < n; k++)
			w[i] = weights_times(w[i], 2);
		done &= w[i].below != 0;
	}
	return done;
}

/* Rounding -----------------------------------------------------------------*/

/* The leading bits of above / below, which is not 0; "*rest" compares the remainder with half a
 * bit: -1, 0 or 1.
 */
static uint64_t leading_bits(weights_int above, weights_int below, int bits,
	int *exponent, int *rest)
{
	uint64_t all = 0;

	*exponent = 0;
	for (; above / 2 >= below; (*exponent)++)
		below *= 2;
	if (above >= below) {
		(*exponent)++;
		below *= 2;
	}
	for (; above * 2 < below; (*exponent)--)
		above *= 2;
	for (int i = 0; i < bits; i++) {
		above *= 2;
		all = 2 * all + (above >= below);
		if (above >= below)
			above -= below;
	}
	*rest = (2 * above > below) - (2 * above < below);
	return all;
}

double weights_round(struct weight w, enum type type)
{
	int bits = type == TYPE_FLOAT ? FLT_MANT_DIG : DBL_MANT_DIG;
	weights_int above = w.above < 0 ? -w.above : w.above;
	int exponent, rest;
	uint64_t leading;

	if (!above)
		return 0;
	leading = leading_bits(above, w.below, bits, &exponent, &rest);
	leading += rest > 0 || (rest == 0 && leading % 2);
	return ldexp(w.above < 0 ? -(double) leading : (double) leading,
		exponent - bits);
}

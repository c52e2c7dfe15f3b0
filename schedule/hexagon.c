#include <math.h>

#include "schedule/strategies.h"
#include "model/choose_hexagons.inc"

/* floor(r * times) */
int64_t rational_floor(struct rational r, int64_t times)
{
	return floor_div(r.num * times, r.den);
}

/* ceil(r * times) */
int64_t rational_ceil(struct rational r, int64_t times)
{
	return -floor_div(-r.num * times, r.den);
}

int hexagon_least_width(struct rational delta0, struct rational delta1, int h)
{
	const struct stencilc_slope slope[2] = {
		{ delta0.num, delta0.den }, { delta1.num, delta1.den },
	};

	return stencilc_least_width(slope, h);
}

struct hexagon hexagon_make(struct rational delta0, struct rational delta1,
	int h, int w0)
{
	struct hexagon x = {
		.delta0 = delta0, .delta1 = delta1, .h = h, .w0 = w0,
		.f0 = (int) rational_floor(delta0, h),
		.f1 = (int) rational_floor(delta1, h),
		.height = 2 * h + 2,
	};

	x.pitch = 2 * w0 + 2 + x.f0 + x.f1;
	return x;
}

struct hexagon skewed_make(struct rational delta1, int h, int k, int w0)
{
	struct hexagon x = {
		.is_skewed = true, .delta0 = { 0, 1 }, .delta1 = delta1,
		.h = h, .w0 = w0, .height = k * h,
		.f1 = (int) rational_floor(delta1, (int64_t) k * h - 1),
		.drift = (int) rational_ceil(delta1, (int64_t) k * h),
	};

	x.pitch = w0 + x.drift;
	return x;
}

/* (6): b >= delta0*a - (2h+1)*delta0 + f0, the upper left side, and
 * (10): b >= h*delta1 - (q1-1)/q1 - delta1*a, the lower left side.
 */
static int upright_first(const struct hexagon *x, int a)
{
	int64_t upper = rational_ceil(x->delta0, a - (2 * x->h + 1)) + x->f0;
	int64_t q1 = x->delta1.den;
	int64_t lower = -floor_div(
		-(x->delta1.num * (x->h - a) - (q1 - 1)), q1);

	return (int) (upper > lower ? upper : lower);
}

/* (8): b <= (2h+1)*delta1 + f0 + w0 - delta1*a, the upper right side, and
 * (12): b <= delta0*a - delta0*h + f0 + w0 + f1 + (q0-1)/q0, the lower right.
 */
static int upright_last(const struct hexagon *x, int a)
{
	int64_t upper = rational_floor(x->delta1, 2 * x->h + 1 - a) +
		x->f0 + x->w0;
	int64_t q0 = x->delta0.den;
	int64_t lower = floor_div(x->delta0.num * (a - x->h) + q0 - 1, q0) +
		x->f0 + x->w0 + x->f1;

	return (int) (upper < lower ? upper : lower);
}

static int skewed_first(const struct hexagon *x, int a)
{
	return x->f1 - (int) rational_floor(x->delta1, a);
}

int hexagon_first(const struct hexagon *x, int a)
{
	return x->is_skewed ? skewed_first(x, a) : upright_first(x, a);
}

int hexagon_last(const struct hexagon *x, int a)
{
	return x->is_skewed ? skewed_first(x, a) + x->w0 - 1 :
		upright_last(x, a);
}

int hexagon_extent(const struct hexagon *x)
{
	return x->f0 + x->f1 + x->w0 + (x->is_skewed ? 0 : 1);
}

int64_t hexagon_points(const struct hexagon *x)
{
	return x->is_skewed ? (int64_t) x->height * x->w0 :
		(int64_t) (x->h + 1) * x->pitch;
}

/* (2), (4): T = floor((tau + shift) / H) */
int hexagon_tau_shift(const struct hexagon *x, int phase)
{
	return phase == 0 ? x->h + 1 : 0;
}

/* (3), (5): S0 = floor((s0 + shift + T*(f1 - f0)) / W), with f0 in phase 0,
 * where the paper prints f1.
 */
int hexagon_s_shift(const struct hexagon *x, int phase)
{
	return phase == 0 ? x->f0 + x->w0 + 1 : 0;
}

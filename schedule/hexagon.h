/* A tile in time and the dimension of blocks: pure arithmetic. */
#ifndef STENCILC_SCHEDULE_HEXAGON_H
#define STENCILC_SCHEDULE_HEXAGON_H

#include "schedule/scop/scop.h"

/* A hexagon or, for the strategy skew, a skewed rectangle: "height" rows of w0
 * points, with row a starting floor(delta1*a) before the first one.
 */
struct hexagon {
	bool is_skewed;
	struct rational delta0, delta1;
	int h, w0;		/* skewed: time steps, points of a row */
	int f0, f1;		/* floor(delta0*h), floor(delta1*h); skewed: 0,
				 * floor(delta1*(height - 1)) */
	int height;		/* H = 2h + 2; skewed: k*h */
	int pitch;		/* W = 2*w0 + 2 + f0 + f1; skewed: w0 + drift */
	int drift;		/* skewed: the tile h steps later begins so many
				 * points before this one, at least
				 * delta1*height */
};

int64_t rational_floor(struct rational r, int64_t times);
int64_t rational_ceil(struct rational r, int64_t times);
/* The least w0 that bound (1) of [CGO] allows for this h. */
int hexagon_least_width(struct rational delta0, struct rational delta1, int h);
struct hexagon hexagon_make(struct rational delta0, struct rational delta1,
	int h, int w0);
/* The skewed rectangle of h time steps of k rows, with the least drift. */
struct hexagon skewed_make(struct rational delta1, int h, int k, int w0);
/* First and last b of local time a, 0 <= a < height: (6), (8), (10), (12). */
int hexagon_first(const struct hexagon *x, int a);
int hexagon_last(const struct hexagon *x, int a);
/* All points have 0 <= b < extent. */
int hexagon_extent(const struct hexagon *x);
int64_t hexagon_points(const struct hexagon *x);
/* The tile's origin: its local (a, b) = (0, 0) is the point (tau, s0).
 * tau = T*H - hexagon_tau_shift, s0 = S0*W - hexagon_s_shift - T*(f1 - f0).
 */
int hexagon_tau_shift(const struct hexagon *x, int phase);
int hexagon_s_shift(const struct hexagon *x, int phase);

/* print.c: the hexagon alone. */
void hexagon_draw(struct text *t, const struct hexagon *x);

#endif

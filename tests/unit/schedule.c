/* schedule: the tiling against enumeration.  Nothing here knows the formulas
 * of the hexagon except as what they promise: each instance runs once, and
 * after all that it needs.
 */
#include "schedule/schedule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <isl/options.h>
#include <isl/point.h>

#include <cmocka.h>

#include "frontend/frontend.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

struct fixture {
	struct region *mem;
	struct diags diags;
	FILE *out;
	isl_ctx *isl;
};

static int set_up(void **state)
{
	struct region *r = region_new();
	struct fixture *f = region_new_of(r, struct fixture);

	f->mem = r;
	f->out = tmpfile();
	diags_init(&f->diags, f->out);
	f->isl = isl_ctx_alloc();
	isl_options_set_on_error(f->isl, ISL_ON_ERROR_ABORT);
	*state = f;
	return 0;
}

/* isl aborts if an object is left that no region owns. */
static int tear_down(void **state)
{
	struct fixture *f = *state;
	isl_ctx *isl = f->isl;

	fclose(f->out);
	region_free(f->mem);
	isl_ctx_free(isl);
	return 0;
}

/* Points ----------------------------------------------------------------- */

enum { MOST_DIMS = 4 };

struct points {			/* of Z^n; unused coordinates are 0 */
	struct region *mem;
	int n, capacity;
	int (*at)[MOST_DIMS];
};

static struct points *points_new(struct region *mem)
{
	struct points *ps = region_new_of(mem, struct points);

	ps->mem = mem;
	return ps;
}

static void points_add(struct points *ps, const int p[MOST_DIMS])
{
	if (ps->n == ps->capacity) {
		void *old = ps->at;

		ps->capacity = 2 * ps->capacity + 64;
		ps->at = region_alloc(ps->mem,
			sizeof(*ps->at) * (size_t) ps->capacity);
		if (ps->n > 0)
			memcpy(ps->at, old, sizeof(*ps->at) * (size_t) ps->n);
	}
	memcpy(ps->at[ps->n++], p, sizeof(*ps->at));
}

static int compare_points(const void *a, const void *b)
{
	const int *p = a, *q = b;

	for (int i = 0; i < MOST_DIMS; i++)
		if (p[i] != q[i])
			return p[i] < q[i] ? -1 : 1;
	return 0;
}

/* Sorted, each once. */
static void points_sort(struct points *ps)
{
	int n = 0;

	if (ps->n == 0)
		return;
	qsort(ps->at, (size_t) ps->n, sizeof(*ps->at), compare_points);
	for (int i = 0; i < ps->n; i++)
		if (n == 0 || compare_points(ps->at[n - 1], ps->at[i]))
			memmove(ps->at[n++], ps->at[i], sizeof(*ps->at));
	ps->n = n;
}

static bool points_equal(const struct points *a, const struct points *b)
{
	return a->n == b->n && (a->n == 0 || !memcmp(a->at, b->at,
		sizeof(*a->at) * (size_t) a->n));
}

static isl_stat add_isl_point(__isl_take isl_point *point, void *user)
{
	isl_space *space = isl_point_get_space(point);
	int n = isl_space_dim(space, isl_dim_set), p[MOST_DIMS] = { 0 };

	assert_true(n <= MOST_DIMS);
	for (int i = 0; i < n; i++) {
		isl_val *v = isl_point_get_coordinate_val(point, isl_dim_set,
			i);

		p[i] = (int) isl_val_get_num_si(v);
		isl_val_free(v);
	}
	points_add(user, p);
	isl_space_free(space);
	isl_point_free(point);
	return isl_stat_ok;
}

static struct points *points_of_set(struct region *mem,
	__isl_take isl_set *set)
{
	struct points *ps = points_new(mem);

	assert_int_equal(isl_set_is_bounded(set), isl_bool_true);
	isl_set_foreach_point(set, add_isl_point, ps);
	isl_set_free(set);
	points_sort(ps);
	return ps;
}

/* The hexagon ------------------------------------------------------------ */

static const struct rational slopes[][2] = {
	{ { 0, 1 }, { 0, 1 } }, { { 1, 1 }, { 1, 1 } },
	{ { 1, 1 }, { 0, 1 } }, { { 0, 1 }, { 1, 1 } },
	{ { 2, 1 }, { 1, 1 } }, { { 1, 1 }, { 2, 1 } },
	{ { 1, 2 }, { 1, 1 } }, { { 1, 1 }, { 1, 2 } },
	{ { 2, 1 }, { 2, 1 } }, { { 3, 2 }, { 1, 2 } },
	{ { 1, 3 }, { 5, 3 } }, { { 1, 2 }, { 1, 2 } },
	{ { 3, 1 }, { 0, 1 } },
};

enum { MOST_H = 5, WIDER = 3 };

/* Where a point lies: the T-th launch of "phase", tile s0 of it, row a. */
struct place {
	int phase;
	int64_t t, s0, a, b;
};

/* The tiles of the two phases that hold (tau, s): how many, and the last. */
static int places_of(const struct hexagon *x, const int s_shift[2],
	int64_t tau, int64_t s, struct place *place)
{
	int n = 0;

	for (int phase = 0; phase < 2; phase++) {
		struct place p = { .phase = phase };
		int64_t at = tau + hexagon_tau_shift(x, phase);

		p.t = floor_div(at, x->height);
		p.a = at - p.t * x->height;
		at = s + s_shift[phase] + p.t * (x->f1 - x->f0);
		p.s0 = floor_div(at, x->pitch);
		p.b = at - p.s0 * x->pitch;
		if (p.b < hexagon_first(x, (int) p.a) ||
		    p.b > hexagon_last(x, (int) p.a))
			continue;
		*place = p;
		n++;
	}
	return n;
}

/* Is each point of a window of two periods in exactly one tile? */
static bool covers(const struct hexagon *x, const int s_shift[2])
{
	struct place place;

	for (int tau = -x->height; tau < x->height; tau++)
		for (int s = -x->pitch; s < x->pitch; s++)
			if (places_of(x, s_shift, tau, s, &place) != 1)
				return false;
	return true;
}

/* Must a tile at "from" run before, or together with, one at "to"? */
static bool in_order(const struct place *from, const struct place *to)
{
	if (from->t != to->t)
		return from->t < to->t;
	if (from->phase != to->phase)
		return from->phase < to->phase;
	return from->s0 == to->s0 && from->a < to->a;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

/* Dependences (dtau, ds) of the cone that are not in order.  Those that reach
 * no further than the denominators compose all others.
 */
static int violations(const struct hexagon *x, const int s_shift[2])
{
	int far = most((int) x->delta0.den, (int) x->delta1.den), n = 0;

	for (int tau = 0; tau < x->height; tau++)
		for (int s = 0; s < x->pitch; s++) {
			struct place from, to;

			places_of(x, s_shift, tau, s, &from);
			for (int dt = 1; dt <= far; dt++) {
				int first = (int) -rational_floor(x->delta1,
					dt);
				int last = (int) rational_floor(x->delta0, dt);

				for (int ds = first; ds <= last; ds++) {
					places_of(x, s_shift, tau + dt, s + ds,
						&to);
					n += !in_order(&from, &to);
				}
			}
		}
	return n;
}

static struct hexagon hexagon_with_shifts(const struct rational delta[2],
	int h, int w0, int s_shift[2])
{
	struct hexagon x = hexagon_make(delta[0], delta[1], h, w0);

	for (int phase = 0; phase < 2; phase++)
		s_shift[phase] = hexagon_s_shift(&x, phase);
	return x;
}

static void fail_hexagon(const struct hexagon *x, const char *what)
{
	fail_msg("delta0 = %d/%d, delta1 = %d/%d, h = %d, w0 = %d: %s",
		(int) x->delta0.num, (int) x->delta0.den,
		(int) x->delta1.num, (int) x->delta1.den, x->h, x->w0, what);
}

static void check_hexagon(const struct hexagon *x, const int s_shift[2])
{
	int points = 0, low = x->pitch, high = -1;

	for (int a = 0; a < x->height; a++) {
		int first = hexagon_first(x, a), last = hexagon_last(x, a);

		if (last < first)
			fail_hexagon(x, "a row is empty");
		points += last - first + 1;
		low = least(low, first);
		high = most(high, last);
	}
	if (points != (x->h + 1) * x->pitch)
		fail_hexagon(x, "a tile has not (h + 1) * W points");
	if (low != 0 || high != x->f0 + x->f1 + x->w0)
		fail_hexagon(x, "b is not 0 .. f0 + f1 + w0");
	if (hexagon_first(x, 0) != x->f1 ||
	    hexagon_last(x, 0) != x->f1 + x->w0)
		fail_hexagon(x, "the first row is not b = f1 .. f1 + w0");
	if (hexagon_first(x, x->height - 1) != x->f0 ||
	    hexagon_last(x, x->height - 1) != x->f0 + x->w0)
		fail_hexagon(x, "the last row is not b = f0 .. f0 + w0");
	if (!covers(x, s_shift))
		fail_hexagon(x, "the tiles do not partition the plane");
	if (violations(x, s_shift))
		fail_hexagon(x, "a dependence is not in order");
}

static void test_hexagon(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			int w0 = hexagon_least_width(slopes[i][0],
				slopes[i][1], h);

			for (int more = 0; more <= WIDER; more++) {
				int s_shift[2];
				struct hexagon x = hexagon_with_shifts(
					slopes[i], h, w0 + more, s_shift);

				check_hexagon(&x, s_shift);
			}
		}
}

static unsigned next_random(unsigned *seed, unsigned below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 16) % below;
}

static struct rational random_slope(unsigned *seed)
{
	int den = 1 + (int) next_random(seed, 5);

	return (struct rational) { (int) next_random(seed, 3 * 5), den };
}

static void test_random_hexagons(void **state)
{
	unsigned seed = 2014;

	(void) state;
	for (int i = 0; i < 250; i++) {
		struct rational delta[2] = { random_slope(&seed),
			random_slope(&seed) };
		int h = (int) next_random(&seed, 7), s_shift[2];
		int w0 = hexagon_least_width(delta[0], delta[1], h);
		struct hexagon x = hexagon_with_shifts(delta, h,
			w0 + (int) next_random(&seed, 4), s_shift);

		check_hexagon(&x, s_shift);
	}
}

/* (3) as printed has f1 where f0 must stand. */
static void test_printed_offset_is_wrong(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			int w0 = 1 + hexagon_least_width(slopes[i][0],
				slopes[i][1], h), s_shift[2];
			struct hexagon x = hexagon_with_shifts(slopes[i], h,
				w0, s_shift);

			s_shift[0] = x.f1 + x.w0 + 1;
			if (covers(&x, s_shift) != (x.f0 == x.f1))
				fail_hexagon(&x, "the printed offset");
		}
}

/* Bound (1) is needed: below it tiles still partition the plane, but tiles of
 * a launch depend on each other.  With h = 0 the fractions of a slope reach
 * no point, and two of the pairs stay legal.
 */
static void test_bound_is_needed(void **state)
{
	int below = 0, legal = 0;

	(void) state;
	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			int bound = hexagon_least_width(slopes[i][0],
				slopes[i][1], h);

			for (int w0 = 0; w0 < bound; w0++) {
				int s_shift[2];
				struct hexagon x = hexagon_with_shifts(
					slopes[i], h, w0, s_shift);

				below++;
				if (!covers(&x, s_shift))
					fail_hexagon(&x, "not covered");
				if (violations(&x, s_shift))
					continue;
				if (h > 0)
					fail_hexagon(&x, "legal below (1)");
				legal++;
			}
		}
	assert_int_equal(below, 44);
	assert_int_equal(legal, 2);
}

/* d0 = 1, d1 = 2, h = 2: the example of 3.3.2, where w0 = 1 is the least. */
static void test_paper_example(void **state)
{
	static const struct rational delta[2] = { { 1, 1 }, { 2, 1 } };
	static const int rows[6][2] = {
		{ 4, 7 }, { 2, 8 }, { 0, 9 }, { 0, 9 }, { 1, 7 }, { 2, 5 },
	};
	int s_shift[2];
	struct hexagon x = hexagon_with_shifts(delta, 2, 3, s_shift);

	(void) state;
	assert_int_equal(hexagon_least_width(delta[0], delta[1], 2), 1);
	assert_int_equal(x.height, 6);
	assert_int_equal(x.pitch, 14);
	assert_int_equal(s_shift[0], 6);
	assert_int_equal(s_shift[1], 0);
	assert_int_equal(hexagon_tau_shift(&x, 0), 3);
	assert_int_equal(hexagon_tau_shift(&x, 1), 0);
	for (int a = 0; a < 6; a++) {
		assert_int_equal(hexagon_first(&x, a), rows[a][0]);
		assert_int_equal(hexagon_last(&x, a), rows[a][1]);
	}
}

/* The model counts the same hexagon. */
static void test_model_has_the_same_hexagon(void **state)
{
	(void) state;
	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			struct hex_shape shape = { .dims = 1, .statements = 1,
				.delta0 = slopes[i][0],
				.delta1 = { slopes[i][1] } };
			int w0 = hexagon_least_width(slopes[i][0],
				slopes[i][1], h);
			struct hex_tile tile = { .h = h, .w = { w0 + 1 } };
			struct hexagon x = hexagon_make(slopes[i][0],
				slopes[i][1], h, w0 + 1);

			assert_int_equal(hex_cgo1_min_w0(&shape, h), w0);
			assert_int_equal(hex_width(&shape, &tile), x.pitch);
			for (int a = 0; a < x.height; a++) {
				int64_t low, high;

				hex_row_bounds(&shape, &tile, a, &low, &high);
				assert_int_equal(low, hexagon_first(&x, a));
				assert_int_equal(high, hexagon_last(&x, a));
			}
		}
}

/* Programs --------------------------------------------------------------- */

struct built {
	struct region *mem;
	const struct program *prog;
	struct scop *scop;
	struct deps *deps;
};

/* "text" with its parameters fixed to "sizes", "T=5 N=9", or left open. */
static struct built build(void **state, const char *text, const char *sizes)
{
	struct fixture *f = *state;
	struct built b = { .mem = f->mem };
	struct define define[4];
	char name[4][8], value[4][8];
	int n = 0, length;

	while (n < 4 && sscanf(sizes, " %7[A-Z]=%7[0-9]%n", name[n], value[n],
		&length) == 2) {
		define[n] = (struct define) { name[n], value[n] };
		sizes += length;
		n++;
	}
	b.prog = frontend_stn(f->mem, &f->diags,
		source_of_text(f->mem, "test.stn", text), define, n);
	assert_non_null(b.prog);
	b.scop = scop_build(f->mem, f->isl, &f->diags, b.prog);
	assert_non_null(b.scop);
	b.deps = deps_compute(b.scop);
	return b;
}

static const char jacobi1d[] =
	"stencil p { param int T, N; state float A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = A[t][i-1] + A[t][i] + A[t][i+1]; } }";
static const char upwind1d[] =
	"stencil p { param int T, N; state double A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = A[t][i] - A[t][i-1]; } }";
static const char skew[] =
	"stencil p { param int T, N; state double A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = A[t-1][i-2] + A[t][i+2]; } }";
static const char wave1d[] =
	"stencil p { param int T, N; state float A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = 2 * A[t][i] - A[t-1][i] + (A[t][i-1] - 2 * A[t][i]"
	" + A[t][i+1]); } }";
static const char decay1d[] =
	"stencil p { param int T, N; state float A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = 0.5f * A[t][i]; } }";
static const char third1d[] =
	"stencil p { param int T, N; state float A[N]; iterate t = 0 .. T {"
	" A[t+1][i] = A[t-2][i-1] + A[t][i]; } }";
static const char chain1d[] =
	"stencil p { param int T, N; state float A[N], B[N];"
	" iterate t = 0 .. T {"
	" A[t+1][i] = A[t][i] + B[t][i-2];"
	" B[t+1][i] = B[t][i] + A[t+1][i+1]; } }";
static const char unread1d[] =		/* B is computed, never read */
	"stencil p { param int T, N; state float A[N], B[N];"
	" iterate t = 0 .. T {"
	" A[t+1][i] = 0.5f * (A[t][i-1] + A[t][i+1]);"
	" B[t+1][i] = A[t+1][i] - A[t][i]; } }";
static const char heat2d[] =
	"stencil p { param int T, N, M; state float A[N][M];"
	" iterate t = 0 .. T { A[t+1][i][j] ="
	" sum (d = -1 .. 1, e = -1 .. 1) A[t][i+d][j+e]; } }";
static const char star2d[] =
	"stencil p { param int T, N, M; state double A[N][M];"
	" input float c[M]; iterate t = 0 .. T { A[t+1][i][j] = c[j]"
	" * (A[t][i-1][j] + A[t][i+1][j] + A[t][i][j-1] + A[t][i][j+1]); } }";
static const char fdtd2d[] =
	"stencil p { param int T, N, M; state float ex[N][M], ey[N][M],"
	" hz[N][M]; iterate t = 0 .. T {"
	" ey[t+1][i][j] = ey[t][i][j] - hz[t][i][j] + hz[t][i-1][j];"
	" ex[t+1][i][j] = ex[t][i][j] - hz[t][i][j] + hz[t][i][j-1];"
	" hz[t+1][i][j] = hz[t][i][j] - ex[t+1][i][j+1] + ex[t+1][i][j]"
	"  - ey[t+1][i+1][j] + ey[t+1][i][j]; } }";
static const char wave2d[] =
	"stencil p { param int T, N, M; state float A[N][M];"
	" iterate t = 0 .. T { A[t+1][i][j] = 2 * A[t][i][j] - A[t-1][i][j]"
	" + A[t][i-1][j] + A[t][i+1][j] + A[t][i][j-1] + A[t][i][j+1]; } }";
static const char lag3d[] =
	"stencil p { param int T, N, M, K; state float A[N][M][K];"
	" iterate t = 0 .. T { A[t+1][i][j][k] = A[t][i+1][j][k]"
	" + A[t-1][i-1][j+1][k] + A[t-1][i][j][k+3] + A[t][i][j-1][k]; } }";

static const char star3d[] =
	"stencil p { param int T, N, M, K; state float A[N][M][K];"
	" iterate t = 0 .. T { A[t+1][i][j][k] = A[t][i+1][j][k]"
	" + A[t][i-1][j][k] + A[t][i][j-1][k] + A[t][i][j+1][k]"
	" + A[t][i][j][k-1] + A[t][i][j][k+1]; } }";

/* Dependences ------------------------------------------------------------ */

static struct points *distances(const struct built *b)
{
	return points_of_set(b->mem, isl_set_copy(b->deps->distance));
}

static bool rational_is(struct rational r, int num, int den)
{
	return r.num == num && r.den == den;
}

static int n_carries(const struct scop *scop)
{
	int n = 0;

	for (int i = 0; i < scop->n_stmts; i++)
		n += scop->stmt[i].is_carry;
	return n;
}

static void test_dependences(void **state)
{
	static const struct {
		const char *text;
		int copies, carries;	/* of each state; in all */
		int delta[4][2];	/* delta0, delta1 of two dimensions */
		int n;
		int distance[8][MOST_DIMS];
	} table[] = {
		{ jacobi1d, 2, 0, { { 1, 1 }, { 1, 1 } }, 4,
		  { { 1, -1 }, { 1, 0 }, { 1, 1 }, { 2, 0 } } },
		/* the read of a cell's neighbour forbids to overwrite it */
		{ upwind1d, 2, 0, { { 1, 1 }, { 1, 1 } }, 4,
		  { { 1, -1 }, { 1, 0 }, { 1, 1 }, { 2, 0 } } },
		{ skew, 3, 1, { { 1, 1 }, { 2, 1 } }, 3,
		  { { 1, -2 }, { 2, 2 }, { 3, 0 } } },
		{ wave1d, 2, 1, { { 1, 1 }, { 1, 1 } }, 4,
		  { { 1, -1 }, { 1, 0 }, { 1, 1 }, { 2, 0 } } },
		/* in place, and nothing to carry */
		{ decay1d, 1, 0, { { 0, 1 }, { 0, 1 } }, 1, { { 1, 0 } } },
		/* 4 copies: A[t-2][i-1] is overwritten a step later */
		{ third1d, 4, 1, { { 1, 3 }, { 1, 1 } }, 5,
		  { { 1, -1 }, { 1, 0 }, { 3, 0 }, { 3, 1 }, { 4, 0 } } },
		{ fdtd2d, 1, 0, { { 1, 1 }, { 1, 2 }, { 1, 2 }, { 1, 1 } }, 7,
		  { { 1, 0, -1 }, { 1, 0, 0 }, { 1, 1, 0 }, { 2, -1, 0 },
		    { 2, 0, 0 }, { 2, 0, 1 }, { 3, 0, 0 } } },
		{ wave2d, 2, 1, { { 1, 1 }, { 1, 1 }, { 1, 1 }, { 1, 1 } }, 6,
		  { { 1, -1, 0 }, { 1, 0, -1 }, { 1, 0, 0 }, { 1, 0, 1 },
		    { 1, 1, 0 }, { 2, 0, 0 } } },
	};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct built b = build(state, table[i].text, "");
		struct points *want = points_new(b.mem);
		struct cone cone;

		for (int j = 0; j < table[i].n; j++)
			points_add(want, table[i].distance[j]);
		points_sort(want);
		if (!points_equal(distances(&b), want))
			fail_msg("distances of %s", table[i].text);
		assert_true(cone_of_deps(b.deps, b.scop->n_dims, &cone));
		for (int d = 0; d < b.scop->n_dims; d++)
			if (!rational_is(cone.delta0[d],
				table[i].delta[2 * d][0],
				table[i].delta[2 * d][1]) ||
			    !rational_is(cone.delta1[d],
				table[i].delta[2 * d + 1][0],
				table[i].delta[2 * d + 1][1]))
				fail_msg("cone of %s", table[i].text);
		for (int j = 0; j < b.prog->n_fields; j++)
			assert_int_equal(b.scop->field[j].buffers,
				table[i].copies);
		assert_int_equal(n_carries(b.scop), table[i].carries);
	}
}

static void test_heat2d_dependences(void **state)
{
	struct built b = build(state, heat2d, "");
	struct points *want = points_new(b.mem);

	for (int i = -1; i <= 1; i++)
		for (int j = -1; j <= 1; j++)
			points_add(want, (int [MOST_DIMS]) { 1, i, j });
	points_add(want, (int [MOST_DIMS]) { 2, 0, 0 });
	points_sort(want);
	assert_true(points_equal(distances(&b), want));
	assert_int_equal(b.scop->field[0].buffers, 2);
}

/* Plans ------------------------------------------------------------------ */

struct tiling {			/* a plan and the points of its shape */
	const struct built *b;
	const struct plan *plan;
	struct points *shape;	/* by rows */
	int low[MOST_DIMS], high[MOST_DIMS];
};

static struct tiling tile_of_request(void **state, const struct built *b,
	const struct tile_request *request)
{
	struct fixture *f = *state;
	struct tiling t = { .b = b };
	int n = 0;

	t.plan = strategy_hex.plan(f->mem, &f->diags, b->scop, b->deps,
		request, &n);
	assert_non_null(t.plan);
	assert_int_equal(n, 1);
	t.shape = points_of_set(f->mem, isl_set_copy(t.plan->shape));
	for (int d = 0; d < MOST_DIMS; d++)
		t.low[d] = t.high[d] = t.shape->at[0][d];
	for (int i = 0; i < t.shape->n; i++)
		for (int d = 0; d < MOST_DIMS; d++) {
			t.low[d] = least(t.low[d], t.shape->at[i][d]);
			t.high[d] = most(t.high[d], t.shape->at[i][d]);
		}
	return t;
}

/* Boxes as small as they can be, tiles where the formulas put them. */
static const struct steps plain_steps = { .shared = true, .separate = true };

static struct tiling tile(void **state, const struct built *b, int hex_dim,
	int h, const int w[3])
{
	struct tile_request request = tile_request_default();

	request.steps = plain_steps;
	request.h = h;
	request.hex_dim = hex_dim;
	for (int d = 0; d < b->scop->n_dims; d++)
		request.w[d] = w[d];
	return tile_of_request(state, b, &request);
}

/* Dependences of the given distances, as if the program had them. */
static void forge_distances(struct built *b, const char *distance)
{
	b->deps = region_new_of(b->mem, struct deps);
	b->deps->distance = keep_set(b->mem, isl_set_read_from_str(
		b->scop->ctx, distance));
}

static void test_shape_is_the_hexagon(void **state)
{
	struct built b = build(state, decay1d, "");

	for (size_t i = 0; i < COUNT(slopes); i++)
		for (int h = 0; h <= MOST_H; h++) {
			const struct rational *s = slopes[i];
			int w[3] = { hexagon_least_width(s[0], s[1], h) +
				h % 2 };
			struct points *want = points_new(b.mem);
			struct tiling t;

			forge_distances(&b, region_printf(b.mem,
				"{ [%d, %d]; [%d, %d] }",
				(int) s[0].den, (int) s[0].num,
				(int) s[1].den, (int) -s[1].num));
			t = tile(state, &b, 0, h, w);
			for (int a = 0; a < t.plan->hexagon.height; a++)
				for (int c = hexagon_first(&t.plan->hexagon, a);
				     c <= hexagon_last(&t.plan->hexagon, a);
				     c++)
					points_add(want, (int [MOST_DIMS])
						{ a, c });
			points_sort(want);
			if (!points_equal(t.shape, want))
				fail_hexagon(&t.plan->hexagon, "shape");
		}
}

/* Sweeps ----------------------------------------------------------------- */

/* When an instance runs: launches in turn, blocks of a launch in any order,
 * tiles of a block in turn, rows of a tile in turn.
 */
struct when {
	int launch, block, turn, row;
};

struct sweep {
	const struct tiling *t;
	int low[MOST_DIMS], high[MOST_DIMS];	/* the window of (tau, x) */
	bool backwards;		/* blocks and points of a row */
	void (*visit)(struct sweep *s, const struct when *when,
		const int point[MOST_DIMS]);
	void *user;
};

/* The points of the tile at "origin" (tau, x). */
static void sweep_tile(struct sweep *s, struct when *when,
	const int origin[MOST_DIMS])
{
	const struct points *shape = s->t->shape;

	for (int i = 0; i < shape->n; i++) {
		int p[MOST_DIMS];
		bool inside = true;

		for (int d = 0; d < MOST_DIMS; d++) {
			p[d] = origin[d] + shape->at[i][d];
			inside = inside && p[d] >= s->low[d] &&
				p[d] <= s->high[d];
		}
		when->row = shape->at[i][0];
		if (inside)
			s->visit(s, when, p);
	}
}

/* Tiles that may touch the window in dimension "d" of the space. */
static void tile_range(const struct sweep *s, int launch_t, int phase, int d,
	int *first, int *last)
{
	const struct plan *plan = s->t->plan;
	int shift = plan->shift[d][phase] + launch_t * plan->drift[d];
	int pitch = plan->pitch[d];

	*first = (int) floor_div(s->low[1 + d] - s->t->high[1 + d] + shift,
		pitch);
	*last = (int) floor_div(s->high[1 + d] - s->t->low[1 + d] + shift,
		pitch) + 1;
}

/* All tiles of a block, S1 before S2, from dimension "d" of the space on. */
static void sweep_block(struct sweep *s, int launch_t, int phase, int d,
	struct when *when, int origin[MOST_DIMS])
{
	const struct plan *plan = s->t->plan;
	int first, last;

	if (d == plan->n_dims) {
		when->turn++;
		sweep_tile(s, when, origin);
		return;
	}
	if (d == plan->hex_dim) {
		sweep_block(s, launch_t, phase, d + 1, when, origin);
		return;
	}
	assert_int_equal(plan->role[d], ROLE_SEQUENTIAL);
	tile_range(s, launch_t, phase, d, &first, &last);
	for (int i = first; i <= last; i++) {
		origin[1 + d] = i * plan->pitch[d] - plan->shift[d][phase] -
			launch_t * plan->drift[d];
		sweep_block(s, launch_t, phase, d + 1, when, origin);
	}
}

static void sweep_launch(struct sweep *s, int launch_t, int phase,
	struct when *when)
{
	const struct plan *plan = s->t->plan;
	int hex = plan->hex_dim, first, last;

	assert_int_equal(plan->role[hex], ROLE_BLOCKS);
	tile_range(s, launch_t, phase, hex, &first, &last);
	for (int i = first; i <= last; i++) {
		int s0 = s->backwards ? first + last - i : i;
		int origin[MOST_DIMS] = { 0 };

		origin[0] = plan->scop->k * (launch_t * plan->time_pitch -
			plan->time_shift[phase]);
		origin[1 + hex] = s0 * plan->pitch[hex] -
			plan->shift[hex][phase] - launch_t * plan->drift[hex];
		when->block = s0;
		when->turn = 0;
		sweep_block(s, launch_t, phase, 0, when, origin);
	}
}

/* Visit the instances of the window as the plan orders them. */
static void sweep(struct sweep *s)
{
	const struct plan *plan = s->t->plan;
	struct when when = { 0 };
	int first = (int) floor_div(s->low[0], plan->rows) - 1;
	int last = (int) floor_div(s->high[0], plan->rows) + 1;

	assert_int_equal(plan->rows, plan->scop->k * plan->time_pitch);
	for (int t = first; t <= last; t++)
		for (int phase = 0; phase < plan->n_phases; phase++) {
			when.launch++;
			sweep_launch(s, t, phase, &when);
		}
}

/* Order ------------------------------------------------------------------ */

struct order {
	int extent[MOST_DIMS];
	struct when *when;	/* of each point of the window; launch 0: never */
	int twice;
};

static struct when *when_of(const struct sweep *s, const int p[MOST_DIMS])
{
	const struct order *o = s->user;
	int at = 0;

	for (int d = 0; d < MOST_DIMS; d++) {
		if (p[d] < s->low[d] || p[d] > s->high[d])
			return NULL;
		at = at * o->extent[d] + p[d] - s->low[d];
	}
	return &o->when[at];
}

static void note_when(struct sweep *s, const struct when *when,
	const int p[MOST_DIMS])
{
	struct order *o = s->user;
	struct when *w = when_of(s, p);

	o->twice += w->launch != 0;
	*w = *when;
}

static bool runs_before(const struct when *a, const struct when *b)
{
	if (a->launch != b->launch)
		return a->launch < b->launch;
	if (a->block != b->block)
		return false;
	if (a->turn != b->turn)
		return a->turn < b->turn;
	return a->row < b->row;
}

/* Each point of a window two tiles high runs once, and after the points that
 * lie a distance before it.
 */
static void check_order(const struct tiling *t, const struct points *distance)
{
	struct order o = { .twice = 0 };
	struct sweep s = { .t = t, .visit = note_when, .user = &o };
	int n = 1, p[MOST_DIMS];

	for (int d = 0; d < MOST_DIMS; d++) {
		if (d == 0)
			s.low[d] = -3, s.high[d] = 2 * t->plan->rows;
		else if (d <= t->plan->n_dims)
			s.low[d] = -4, s.high[d] = t->plan->pitch[d - 1] + 3;
		o.extent[d] = s.high[d] - s.low[d] + 1;
		n *= o.extent[d];
	}
	o.when = region_array(t->b->mem, struct when, n);
	sweep(&s);
	assert_int_equal(o.twice, 0);
	for (int i = 0; i < n; i++) {
		int rest = i;

		assert_int_not_equal(o.when[i].launch, 0);
		for (int d = MOST_DIMS - 1; d >= 0; d--) {
			p[d] = s.low[d] + rest % o.extent[d];
			rest /= o.extent[d];
		}
		for (int j = 0; j < distance->n; j++) {
			int q[MOST_DIMS];
			struct when *later;

			for (int d = 0; d < MOST_DIMS; d++)
				q[d] = p[d] + distance->at[j][d];
			later = when_of(&s, q);
			if (later && !runs_before(&o.when[i], later))
				fail_msg("(%d, %d, %d, %d) after its sink", p[0],
					p[1], p[2], p[3]);
		}
	}
}

/* Sizes of tiles for a program. */
static const struct tried {
	const char *text, *sizes;	/* a small grid */
	int hex_dim, h, w[3];
} tried[] = {
	{ jacobi1d, "T=9 N=31", 0, 2, { 3 } },
	{ jacobi1d, "T=5 N=3", 0, 0, { 0 } },
	{ upwind1d, "T=9 N=31", 0, 1, { 1 } },
	{ skew, "T=11 N=37", 0, 2, { 1 } },
	{ skew, "T=11 N=37", 0, 3, { 4 } },
	{ skew, "T=1 N=6", 0, 1, { 2 } },
	{ wave1d, "T=8 N=23", 0, 2, { 2 } },
	{ decay1d, "T=4 N=5", 0, 1, { 0 } },
	{ third1d, "T=13 N=29", 0, 4, { 2 } },
	{ chain1d, "T=7 N=33", 0, 1, { 3 } },
	{ chain1d, "T=7 N=33", 0, 3, { 2 } },
	{ heat2d, "T=6 N=17 M=13", 0, 2, { 3, 5 } },
	{ heat2d, "T=6 N=13 M=17", 1, 1, { 1, 4 } },
	{ star2d, "T=5 N=14 M=9", 0, 1, { 2, 3 } },
	{ fdtd2d, "T=4 N=16 M=11", 0, 2, { 3, 4 } },
	{ fdtd2d, "T=4 N=9 M=17", 1, 5, { 1, 7 } },
	{ wave2d, "T=5 N=12 M=10", 0, 1, { 1, 5 } },
	{ unread1d, "T=7 N=33", 0, 3, { 2 } },
	{ unread1d, "T=7 N=33", 0, 1, { 3 } },
	{ lag3d, "T=5 N=9 M=8 K=11", 0, 1, { 1, 3, 4 } },
	{ lag3d, "T=4 N=8 M=9 K=10", 2, 1, { 4, 3, 2 } },
};

/* With all the optimizations, which move and widen things. */
static struct tiling tile_optimized(void **state, const struct built *b,
	const struct tried *tried)
{
	struct tile_request request = tile_request_default();

	request.h = tried->h;
	request.hex_dim = tried->hex_dim;
	for (int d = 0; d < b->scop->n_dims; d++)
		request.w[d] = tried->w[d];
	return tile_of_request(state, b, &request);
}

static void test_order(void **state)
{
	for (size_t i = 0; i < COUNT(tried); i++) {
		struct built b = build(state, tried[i].text, "");
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);

		check_order(&t, distances(&b));
		t = tile_optimized(state, &b, &tried[i]);
		check_order(&t, distances(&b));
	}
}

/* Three dimensions with fractional skews in the classical ones. */
static void test_order_with_fractional_skews(void **state)
{
	static const char in_3d[] =
		"stencil p { param int T, N; state float A[N][N][N];"
		" iterate t = 0 .. T { A[t+1][i][j][k] = A[t][i][j][k]; } }";
	static const struct {
		const char *distance;
		int skew[2][2];		/* of dimensions 1 and 2 */
		int h, w[3];
	} table[] = {
		{ "{ [2, 1, -1, 1]; [3, -1, 0, -2]; [1, 0, 0, 0] }",
		  { { 1, 2 }, { 2, 3 } }, 2, { 1, 3, 2 } },
		{ "{ [2, 3, -3, -1]; [3, -5, 2, -4]; [1, 0, 1, 1] }",
		  { { 3, 2 }, { 4, 3 } }, 1, { 3, 2, 3 } },
		{ "{ [3, 1, -1, 0]; [1, -1, 1, 5]; [5, 0, -2, -7] }",
		  { { 2, 5 }, { 7, 5 } }, 3, { 2, 1, 4 } },
	};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct built b = build(state, in_3d, "");
		struct tiling t;

		forge_distances(&b, table[i].distance);
		t = tile(state, &b, 0, table[i].h, table[i].w);
		for (int d = 1; d < 3; d++)
			assert_true(rational_is(t.plan->skew[d],
				table[i].skew[d - 1][0],
				table[i].skew[d - 1][1]));
		assert_int_equal(t.shape->n, (table[i].h + 1) *
			t.plan->hexagon.pitch * table[i].w[1] *
			table[i].w[2]);
		check_order(&t, distances(&b));
	}
}

/* Execution -------------------------------------------------------------- */

/* The program run on copies that rotate, a value being a number that says
 * where it comes from.
 */
struct machine_state {
	const struct built *b;
	int64_t steps;
	int n_cells[4], extent[4][3];	/* by field */
	int *value[4];		/* [version + depth - 1][cell]: as it must be */
	int *copy[4];		/* [copy][cell]: as it is */
	bool *has[8];		/* by statement: [t][cell of its grid] */
	int ran, wrong, last_tau;
	const struct scop_stmt *dropped;	/* is not executed, or NULL */
};

static int64_t constant_of(const struct expr *e)
{
	int64_t value = 0;

	assert_true(expr_constant(e, &value));
	return value;
}

/* The number of the cell x of the field, -1 outside the grid. */
static int cell_of(const struct machine_state *m, const struct field *field,
	const int x[])
{
	int at = 0;

	for (int d = 0; d < field->n_dims; d++) {
		int extent = m->extent[field->index][d];

		if (x[d] < 0 || x[d] >= extent)
			return -1;
		at = at * extent + x[d];
	}
	return at;
}

static int *value_of(const struct machine_state *m, const struct field *field,
	int version, int cell)
{
	int i = field->index;

	return &m->value[i][(version + field->depth - 1) * m->n_cells[i] +
		cell];
}

static int *copy_of(const struct machine_state *m, const struct field *field,
	int version, int cell)
{
	int i = field->index, buffers = m->b->scop->field[i].buffers;
	int copy = ((version % buffers) + buffers) % buffers;

	return &m->copy[i][copy * m->n_cells[i] + cell];
}

static bool runs_at(const struct machine_state *m, int stmt, int t,
	const int x[])
{
	const struct field *field =
		m->b->scop->stmt[stmt].stmt->write->field;
	int cell = cell_of(m, field, x);

	return t >= 0 && t < m->steps && cell >= 0 &&
		m->has[stmt][t * m->n_cells[field->index] + cell];
}

static void note_domain(struct machine_state *m, int stmt)
{
	const struct scop_stmt *s = &m->b->scop->stmt[stmt];
	const struct field *field = s->stmt->write->field;
	int n = m->n_cells[field->index];
	struct points *domain = points_of_set(m->b->mem,
		isl_set_copy(s->domain));

	m->has[stmt] = region_array(m->b->mem, bool, m->steps * n);
	for (int i = 0; i < domain->n; i++)
		m->has[stmt][domain->at[i][0] * n +
			cell_of(m, field, domain->at[i] + 1)] = true;
}

/* What each version of each cell is; where none of the program's statements
 * computes it, it is the version before.
 */
static void define_values(struct machine_state *m, const struct field *field)
{
	int n = m->n_cells[field->index], next = 1;

	for (int v = 1 - field->depth; v <= 0; v++)
		for (int cell = 0; cell < n; cell++)
			*value_of(m, field, v, cell) = next++;
	for (int v = 1; v <= m->steps; v++)
		for (int cell = 0; cell < n; cell++) {
			bool computed = false;

			for (int i = 0; i < m->b->scop->n_stmts; i++) {
				const struct scop_stmt *s =
					&m->b->scop->stmt[i];

				computed = computed || (!s->is_carry &&
					s->stmt->write->field == field &&
					m->has[i][(v - 1) * n + cell]);
			}
			*value_of(m, field, v, cell) = computed ? next++ :
				*value_of(m, field, v - 1, cell);
		}
}

/* The caller's copies; a copy of the code's own starts as the newest. */
static void fill_copies(struct machine_state *m, const struct field *field)
{
	int i = field->index;

	for (int cell = 0; cell < m->n_cells[i]; cell++) {
		if (m->b->scop->field[i].buffers > field->depth)
			*copy_of(m, field, 1, cell) =
				*value_of(m, field, 0, cell);
		for (int v = 1 - field->depth; v <= 0; v++)
			*copy_of(m, field, v, cell) =
				*value_of(m, field, v, cell);
	}
}

static struct machine_state machine_of(const struct built *b)
{
	struct machine_state m = { .b = b };

	m.steps = constant_of(b->prog->end);
	for (int i = 0; i < b->prog->n_fields; i++) {
		const struct field *f = b->prog->field[i];
		int n = 1;

		for (int d = 0; d < f->n_dims; d++) {
			m.extent[i][d] = (int) constant_of(f->size[d]);
			n *= m.extent[i][d];
		}
		m.n_cells[i] = n;
		m.value[i] = region_array(b->mem, int,
			n * (m.steps + f->depth + 1));
		m.copy[i] = region_array(b->mem, int,
			n * b->scop->field[i].buffers);
	}
	for (int i = 0; i < b->scop->n_stmts; i++)
		note_domain(&m, i);
	for (int i = 0; i < b->prog->n_fields; i++)
		if (b->prog->field[i]->kind == FIELD_STATE) {
			define_values(&m, b->prog->field[i]);
			fill_copies(&m, b->prog->field[i]);
		}
	return m;
}

static void read_value(struct machine_state *m, const struct access *acc,
	int t, const int x[])
{
	int y[3] = { 0 }, cell;

	if (acc->field->kind != FIELD_STATE)
		return;
	for (int d = 0; d < acc->field->n_dims; d++)
		y[d] = x[acc->dim[d]] + (int) acc->offset[d];
	cell = cell_of(m, acc->field, y);
	assert_true(cell >= 0);
	m->wrong += *copy_of(m, acc->field, t + acc->version, cell) !=
		*value_of(m, acc->field, t + acc->version, cell);
}

/* All instances of slot at (t, x): the statement and its carry. */
static void execute(struct machine_state *m, int slot, int t, const int x[])
{
	for (int i = 0; i < m->b->scop->n_stmts; i++) {
		const struct scop_stmt *s = &m->b->scop->stmt[i];
		const struct field *field = s->stmt->write->field;
		int cell;

		if (s->slot != slot || !runs_at(m, i, t, x))
			continue;
		m->ran++;
		if (s == m->dropped)
			continue;
		cell = cell_of(m, field, x);
		for (int j = 0; !s->is_carry && j < s->stmt->n_reads; j++)
			read_value(m, s->stmt->read[j], t, x);
		*copy_of(m, field, t + 1, cell) = s->is_carry ?
			*copy_of(m, field, t, cell) :
			*value_of(m, field, t + 1, cell);
	}
}

static void execute_visited(struct sweep *s, const struct when *when,
	const int p[MOST_DIMS])
{
	int k = s->t->b->scop->k;
	int t = (int) floor_div(p[0], k);

	(void) when;
	execute(s->user, p[0] - k * t, t, p + 1);
}

/* Each instance ran once, no read was wrong, the caller finds the newest. */
static bool is_right(const struct machine_state *m)
{
	const struct built *b = m->b;
	int instances = 0, wrong = m->wrong;

	for (int i = 0; i < b->scop->n_stmts; i++)
		instances += points_of_set(b->mem,
			isl_set_copy(b->scop->stmt[i].domain))->n;
	for (int i = 0; i < b->prog->n_fields; i++) {
		const struct field *field = b->prog->field[i];
		int last = (int) m->steps;

		for (int v = last - field->depth + 1; v <= last &&
		     field->kind == FIELD_STATE; v++)
			for (int cell = 0; cell < m->n_cells[i]; cell++)
				wrong += *copy_of(m, field, v, cell) !=
					*value_of(m, field, v, cell);
	}
	return m->ran == instances && wrong == 0;
}

/* "t" NULL: step by step and statement by statement, as written. */
static bool execution_is_right(const struct built *b, const struct tiling *t,
	bool backwards, const struct scop_stmt *dropped)
{
	struct machine_state m = machine_of(b);
	struct sweep s = { .t = t, .backwards = backwards,
		.visit = execute_visited, .user = &m };
	int k = b->scop->k, *extent = m.extent[0];

	m.dropped = dropped;
	s.high[0] = k * (int) m.steps - 1;
	for (int d = 0; d < b->scop->n_dims; d++)
		s.high[1 + d] = extent[d] - 1;
	if (t) {
		sweep(&s);
		return is_right(&m);
	}
	for (int tau = 0; tau <= s.high[0]; tau++)
		for (int i = 0; i < m.n_cells[0]; i++) {
			int x[3] = { 0 }, rest = i;

			for (int d = b->scop->n_dims - 1; d >= 0; d--) {
				x[d] = rest % extent[d];
				rest /= extent[d];
			}
			execute(&m, tau % k, tau / k, x);
		}
	return is_right(&m);
}

static void test_execution(void **state)
{
	for (size_t i = 0; i < COUNT(tried); i++) {
		struct built b = build(state, tried[i].text, tried[i].sizes);
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);

		if (!execution_is_right(&b, NULL, false, NULL))
			fail_msg("as written: %s", tried[i].text);
		if (!execution_is_right(&b, &t, false, NULL))
			fail_msg("tiled: %s", tried[i].text);
		if (!execution_is_right(&b, &t, true, NULL))
			fail_msg("tiled, backwards: %s", tried[i].text);
		t = tile_optimized(state, &b, &tried[i]);
		if (!execution_is_right(&b, &t, true, NULL))
			fail_msg("tiled and optimized: %s", tried[i].text);
	}
}

/* Without a carry, a cell is left with an older value. */
static void test_carries_are_needed(void **state)
{
	int dropped = 0;

	for (size_t i = 0; i < COUNT(tried); i++) {
		struct built b = build(state, tried[i].text, tried[i].sizes);

		for (int j = 0; j < b.scop->n_stmts; j++) {
			const struct scop_stmt *s = &b.scop->stmt[j];

			if (!s->is_carry)
				continue;
			dropped++;
			if (execution_is_right(&b, NULL, false, s))
				fail_msg("%s of %s is not needed", s->name,
					tried[i].text);
		}
	}
	assert_true(dropped >= 6);
}

static int random_between(unsigned *seed, int low, int high)
{
	return low + (int) next_random(seed, (unsigned) (high - low + 1));
}

/* A program of "k" statements over "dims" dimensions: statement i writes F_i
 * and reads up to three values at random, none not computed yet.
 */
static const char *random_program(struct region *mem, unsigned *seed, int k,
	int dims)
{
	static const char *const fields[] = { "A", "B", "C" };
	const char *size = dims == 1 ? "[N]" : "[N][M]";
	const char *text = region_printf(mem, "stencil p { param int T, N%s;",
		dims == 1 ? "" : ", M");

	for (int i = 0; i < k; i++)
		text = region_printf(mem, "%s state float %s%s;", text,
			fields[i], size);
	text = region_printf(mem, "%s iterate t = 0 .. T {", text);
	for (int i = 0; i < k; i++) {
		text = region_printf(mem, "%s %s[t+1][i]%s = 1", text,
			fields[i], dims == 1 ? "" : "[j]");
		for (int n = random_between(seed, 1, 3); n > 0; n--) {
			int j = random_between(seed, 0, k - 1);
			int v = random_between(seed, -1, j < i ? 1 : 0);

			text = region_printf(mem, "%s + %s[t%+d][i%+d]", text,
				fields[j], v, random_between(seed, -2, 2));
			if (dims == 2)
				text = region_printf(mem, "%s[j%+d]", text,
					random_between(seed, -2, 2));
		}
		text = region_printf(mem, "%s;", text);
	}
	return region_printf(mem, "%s } }", text);
}

static void check_random_program(void **state, unsigned *seed)
{
	struct fixture *f = *state;
	int k = random_between(seed, 1, 3), dims = random_between(seed, 1, 2);
	const char *text = random_program(f->mem, seed, k, dims);
	char *sizes = region_printf(f->mem, "T=%d N=%d M=%d",
		random_between(seed, 1, 7), random_between(seed, 5, 24),
		random_between(seed, 5, 14));
	struct tile_request request = tile_request_default();
	struct built b;
	struct tiling t;
	struct cone cone;

	if (dims == 1)
		*strchr(sizes, 'M') = '\0';
	b = build(state, text, sizes);
	if (!cone_of_deps(b.deps, dims, &cone))
		fail_msg("no cone: %s with %s", text, sizes);
	request.hex_dim = random_between(seed, 0, dims - 1);
	request.h = k * random_between(seed, 1, 2) - 1;
	request.w[0] = random_between(seed, 0, 2) + hexagon_least_width(
		cone.delta0[request.hex_dim], cone.delta1[request.hex_dim],
		request.h);
	request.w[1] = random_between(seed, 1, 5);
	request.w[1] = dims == 1 ? -1 : request.w[1];
	request.steps.shared = false;
	t = tile_of_request(state, &b, &request);
	if (!execution_is_right(&b, NULL, false, NULL) ||
	    !execution_is_right(&b, &t, false, NULL) ||
	    !execution_is_right(&b, &t, true, NULL))
		fail_msg("%s with %s, h = %d, w0 = %d", text, sizes, request.h,
			request.w[0]);
}

enum { RANDOM_PROGRAMS = 60 };

static void test_random_programs(void **state)
{
	unsigned seed = 2017;

	for (int i = 0; i < RANDOM_PROGRAMS; i++)
		check_random_program(state, &seed);
}

/* Footprints ------------------------------------------------------------- */

static void add_value(struct points *ps, const struct access *acc,
	int version, int m, const int x[])
{
	int value[MOST_DIMS] = { 0 }, n = 0;

	if (acc->field->kind == FIELD_STATE)
		value[n++] = m + version;
	for (int d = 0; d < acc->field->n_dims; d++)
		value[n++] = (acc->dim[d] < 0 ? 0 : x[acc->dim[d]]) +
			(int) acc->offset[d];
	points_add(ps, value);
}

enum touch { COMPUTED_FROM, CARRIED, WRITTEN };

/* The values of "field" that the instances of the shape touch. */
static struct points *values_touched(const struct tiling *t,
	const struct field *field, enum touch touch)
{
	const struct scop *scop = t->b->scop;
	struct points *ps = points_new(t->b->mem);

	for (int i = 0; i < t->shape->n * scop->n_stmts; i++) {
		const struct scop_stmt *s = &scop->stmt[i % scop->n_stmts];
		const int *p = t->shape->at[i / scop->n_stmts];
		const struct access *write = s->stmt->write;
		int m = p[0] / scop->k;

		if (p[0] % scop->k != s->slot)
			continue;
		if (touch == WRITTEN && write->field == field)
			add_value(ps, write, 1, m, p + 1);
		if (touch == CARRIED && s->is_carry && write->field == field)
			add_value(ps, write, 0, m, p + 1);
		for (int j = 0; touch == COMPUTED_FROM && !s->is_carry &&
		     j < s->stmt->n_reads; j++)
			if (s->stmt->read[j]->field == field)
				add_value(ps, s->stmt->read[j],
					s->stmt->read[j]->version, m, p + 1);
	}
	points_sort(ps);
	return ps;
}

static bool points_has(const struct points *ps, const int p[MOST_DIMS])
{
	return ps->n > 0 && bsearch(p, ps->at, (size_t) ps->n,
		sizeof(*ps->at), compare_points);
}

static struct points *join(const struct points *a, const struct points *b)
{
	struct points *ps = points_new(a->mem);

	for (int i = 0; i < a->n; i++)
		points_add(ps, a->at[i]);
	for (int i = 0; i < b->n; i++)
		points_add(ps, b->at[i]);
	points_sort(ps);
	return ps;
}

static struct points *without(const struct points *a, const struct points *b)
{
	struct points *ps = points_new(a->mem);

	for (int i = 0; i < a->n; i++)
		if (!points_has(b, a->at[i]))
			points_add(ps, a->at[i]);
	return ps;
}

static void check_box(const struct tiling *t, const struct field *field,
	const struct points *touched)
{
	const struct box *box = &t->plan->box[field->index];

	assert_int_equal(box->n_dims, field->n_dims);
	for (int d = 0; d < field->n_dims; d++) {
		int low = touched->at[0][1 + d], high = low;

		for (int i = 0; i < touched->n; i++) {
			low = least(low, touched->at[i][1 + d]);
			high = most(high, touched->at[i][1 + d]);
		}
		assert_int_equal(box->low[d], low);
		assert_int_equal(box->extent[d], high - low + 1);
	}
}

/* No tile of the same launch writes into the box: those of other blocks lie
 * a pitch away in the hexagonal dimension.
 */
static void check_neighbours(const struct tiling *t,
	const struct field *field, const struct points *written)
{
	const struct box *box = &t->plan->box[field->index];
	int hex = t->plan->hex_dim, pitch = t->plan->pitch[hex];

	for (int i = 0; i < written->n; i++)
		for (int away = -4; away <= 4; away++) {
			int x = written->at[i][1 + hex] + away * pitch -
				box->low[hex];

			assert_true(away == 0 || x < 0 ||
				x >= box->extent[hex]);
		}
}

/* Has a tile a place for "field"?  A state that nothing reads needs none. */
static bool is_kept(const struct scop *scop, const struct field *field)
{
	bool read = false;

	for (int i = 0; i < scop->n_stmts; i++) {
		const struct stmt *s = scop->stmt[i].stmt;

		read |= scop->stmt[i].is_carry && s->write->field == field;
		for (int j = 0; j < s->n_reads; j++)
			read |= s->read[j]->field == field;
	}
	return field->kind == FIELD_STATE && read;
}

static void check_footprint(const struct tiling *t, const struct field *field)
{
	struct region *mem = t->b->mem;
	struct points *reads = values_touched(t, field, COMPUTED_FROM);
	struct points *all = join(reads, values_touched(t, field, CARRIED));
	struct points *writes = values_touched(t, field, WRITTEN);

	assert_true(points_equal(reads, points_of_set(mem,
		tile_reads(t->plan, field, false))));
	assert_true(points_equal(all, points_of_set(mem,
		tile_reads(t->plan, field, true))));
	assert_true(points_equal(writes, points_of_set(mem,
		tile_writes(t->plan, field))));
	assert_true(points_equal(without(reads, writes), points_of_set(mem,
		tile_loads(t->plan, field))));
	assert_int_equal(plan_is_shared(t->plan, field),
		is_kept(t->b->scop, field));
	if (is_kept(t->b->scop, field)) {
		check_box(t, field, join(all, writes));
		check_neighbours(t, field, writes);
	}
}

static void test_footprints(void **state)
{
	for (size_t i = 0; i < COUNT(tried); i++) {
		struct built b = build(state, tried[i].text, "");
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);
		int64_t bytes = 0;

		for (int j = 0; j < b.prog->n_fields; j++) {
			const struct field *field = b.prog->field[j];
			int64_t cells = b.scop->field[j].buffers;

			check_footprint(&t, field);
			for (int d = 0; d < field->n_dims; d++)
				cells *= t.plan->box[j].extent[d];
			if (is_kept(b.scop, field))
				bytes += cells * type_size(field->type);
		}
		assert_int_equal(plan_shared_bytes(t.plan), bytes);
	}
}

/* Boxes may be wider than they need in the last dimension, so that their rows
 * are whole sectors of 32 bytes; they keep apart from the neighbours.  The
 * loads of a row start on a line of 128 bytes if the width allows it.
 */
static void test_aligned_boxes(void **state)
{
	int aligned = 0;

	for (size_t i = 0; i < COUNT(tried); i++) {
		struct built b = build(state, tried[i].text, "");
		struct tiling plain = tile(state, &b, tried[i].hex_dim,
			tried[i].h, tried[i].w);
		struct tiling t = tile_optimized(state, &b, &tried[i]);
		const struct plan *plan = t.plan;
		int last = plan->n_dims - 1;

		for (int j = 0; j < b.prog->n_fields; j++) {
			const struct field *field = b.prog->field[j];
			const struct box *box = &plan->box[j];
			const struct box *inner = &plain.plan->box[j];
			int size = type_size(field->type), first;

			if (!plan_is_shared(plan, field))
				continue;
			check_neighbours(&t, field, values_touched(&t, field,
				WRITTEN));
			for (int d = 0; d < plan->n_dims; d++) {
				assert_true(box->low[d] <= inner->low[d]);
				assert_true(box->low[d] + box->extent[d] >=
					inner->low[d] + inner->extent[d]);
				assert_true(d == last || box->extent[d] ==
					inner->extent[d]);
			}
			if (!plan->steps.align_loads)
				continue;
			aligned++;
			first = box->low[last] - plan->shift[last][0];
			if (plan->steps.reuse != REUSE_NONE)
				first += box->extent[last];
			assert_int_equal(box->extent[last] * size % 32, 0);
			assert_int_equal(first * size % 128, 0);
		}
	}
	assert_true(aligned > 4);
}

/* A dimension of the program as the model numbers it: hexagonal first. */
static int program_dim(const struct plan *plan, int model_dim)
{
	if (model_dim == 0)
		return plan->hex_dim;
	return model_dim <= plan->hex_dim ? model_dim - 1 : model_dim;
}

/* The model sees the same boxes; and the same loads, if all reads of an array
 * are a box.
 */
static void test_model_counts_the_same(void **state)
{
	for (size_t i = 0; i < COUNT(tried); i++) {
		struct built b = build(state, tried[i].text, "");
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);
		struct hex_tile sizes = { .h = tried[i].h };
		struct hex_shape shape;
		const struct hex_profile *profile;
		struct cone cone;

		cone_of_deps(b.deps, b.scop->n_dims, &cone);
		shape = hex_shape_of_scop(b.scop, &cone, tried[i].hex_dim);
		profile = hex_profile_new(b.mem, &shape, tried[i].h);
		for (int d = 0; d < b.scop->n_dims; d++)
			sizes.w[d] = tried[i].w[d];
		assert_true(hex_points(&shape, &sizes) == t.shape->n);
		for (int j = 0, n = 0; j < b.prog->n_fields; j++) {
			double extent[MODEL_MAX_DIMS];

			if (!plan_is_shared(t.plan, b.prog->field[j]))
				continue;
			hex_box(profile, &sizes, n++, extent);
			for (int d = 0; d < b.scop->n_dims; d++)
				if (extent[d] != t.plan->box[j].extent[
				    program_dim(t.plan, d)])
					fail_msg("%s of %s, dimension %d: "
						"%g is not %d",
						b.prog->field[j]->name,
						tried[i].text, d, extent[d],
						t.plan->box[j].extent[
						program_dim(t.plan, d)]);
		}
		assert_true(hex_shared_bytes(profile, &sizes) ==
			plan_shared_bytes(t.plan));
		if (tried[i].text == jacobi1d || tried[i].text == heat2d)
			assert_true(hex_load_words(profile, &sizes,
				HEX_LOADS_EXACT) == points_of_set(b.mem,
				tile_loads(t.plan, b.prog->field[0]))->n);
	}
}

/* Full tiles ------------------------------------------------------------- */

/* Does the tile at "origin" (t0, o) run all instances of its shape? */
static bool tile_is_full(const struct machine_state *m,
	const struct tiling *t, const int origin[MOST_DIMS])
{
	const struct scop *scop = t->b->scop;

	for (int i = 0; i < t->shape->n * scop->n_stmts; i++) {
		int stmt = i % scop->n_stmts, x[3];
		const int *p = t->shape->at[i / scop->n_stmts];

		if (scop->stmt[stmt].is_carry ||
		    p[0] % scop->k != scop->stmt[stmt].slot)
			continue;
		for (int d = 0; d < 3; d++)
			x[d] = origin[1 + d] + p[1 + d];
		if (!runs_at(m, stmt, origin[0] + p[0] / scop->k, x))
			return false;
	}
	return true;
}

static bool box_in_grid(const struct machine_state *m,
	const struct tiling *t, const struct field *field,
	const int origin[MOST_DIMS])
{
	const struct box *box = &t->plan->box[field->index];

	for (int d = 0; d < field->n_dims; d++) {
		int low = origin[1 + d] + box->low[d];

		if (low < 0 || low + box->extent[d] >
		    m->extent[field->index][d])
			return false;
	}
	return true;
}

static bool boxes_in_grid(const struct machine_state *m,
	const struct tiling *t, const int *p)
{
	const struct program *prog = m->b->prog;

	for (int j = 0; j < prog->n_fields; j++)
		if (plan_is_shared(t->plan, prog->field[j]) &&
		    !box_in_grid(m, t, prog->field[j], p))
			return false;
	return true;
}

/* The origins of a window that holds all full tiles. */
static struct points *full_origins(const struct machine_state *m,
	const struct tiling *t)
{
	struct points *ps = points_new(t->b->mem);
	int low[MOST_DIMS] = { 0 }, high[MOST_DIMS] = { 0 }, p[MOST_DIMS];

	high[0] = (int) m->steps;
	for (int d = 1; d <= t->plan->n_dims; d++) {
		low[d] = -t->high[d];
		high[d] = m->extent[0][d - 1] - t->low[d];
	}
	for (p[0] = low[0]; p[0] <= high[0]; p[0]++)
	for (p[1] = low[1]; p[1] <= high[1]; p[1]++)
	for (p[2] = low[2]; p[2] <= high[2]; p[2]++)
	for (p[3] = low[3]; p[3] <= high[3]; p[3]++)
		if (tile_is_full(m, t, p) && boxes_in_grid(m, t, p))
			points_add(ps, p);
	return ps;
}

/* "found" must be full, and all that are full unless the instances lie in a
 * plane, where none is promised.
 */
static void check_full(const struct machine_state *m,
	const struct points *full, const struct points *found)
{
	bool flat = m->steps == 1;

	for (int d = 0; d < m->b->scop->n_dims; d++)
		flat = flat || m->extent[0][d] <= 3;
	assert_int_equal(without(found, full)->n, 0);
	if (!flat && !points_equal(full, found))
		fail_msg("%d of %d full tiles", found->n, full->n);
}

static void test_full_tiles(void **state)
{
	for (size_t i = 0; i < COUNT(tried); i++) {
		struct built b = build(state, tried[i].text, tried[i].sizes);
		struct tiling t = tile(state, &b, tried[i].hex_dim, tried[i].h,
			tried[i].w);
		struct machine_state m = machine_of(&b);
		struct points *full = full_origins(&m, &t);

		check_full(&m, full, points_of_set(b.mem,
			isl_set_copy(t.plan->full)));
	}
}

/* Refusals --------------------------------------------------------------- */

/* All messages so far. */
static const char *messages(struct fixture *f)
{
	long length = ftell(f->out);
	char *text = region_alloc(f->mem, (size_t) length + 1);

	rewind(f->out);
	assert_int_equal(fread(text, 1, (size_t) length, f->out), length);
	return text;
}

static void test_refusals(void **state)
{
	static const char far1d[] =
		"stencil p { param int T, N; state float A[N];"
		" iterate t = 0 .. T { A[t+1][i] = A[t-1][i-4] + A[t-1][i+4]"
		" + A[t-2][i]; } }";
	static const struct {
		const char *text;
		int h, w[3];
		const char *message;
	} table[] = {
		{ skew, 2, { 0, -1, -1 }, "w0 = 0: with delta0 = 1" },
		{ skew, 2, { 0, -1, -1 }, "the base must be w0 >= 1, or two "
		  "tiles of one phase depend on each other [tile]" },
		{ fdtd2d, 3, { 3, 8, -1 }, "h = 3: h + 1 must be a multiple "
		  "of the 3 statements of a step; the next is h = 5 [tile]" },
		{ heat2d, 2, { 3, 0, -1 }, "w1 = 0: a width is at least 1 "
		  "[tile]" },
		{ heat2d, 2, { 3, 8, 8 }, "w2: the program has 2 space "
		  "dimensions [tile]" },
		/* (w0 + 2h + 3) * (w1 + 2h + 3) * 2 * 4 */
		{ heat2d, 7, { 9, 512, -1 }, "the tile needs 110032 bytes of "
		  "shared memory, a block of h200 has 49152; take smaller sizes or "
		  "'--shared=none' [tile]" },
		{ far1d, 0, { 2, -1, -1 }, "w0 = 2: 'A' is read so far away "
		  "that the copies of neighbouring tiles overlap; take a "
		  "greater w0 or '--shared=none' [tile]" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < COUNT(table); i++) {
		struct built b = build(state, table[i].text, "");
		struct tile_request request = tile_request_default();
		unsigned errors = f->diags.errors;
		int n;

		request.steps = plain_steps;
		request.shared_bytes = 48 * 1024;
		request.h = table[i].h;
		memcpy(request.w, table[i].w, sizeof(table[i].w));
		rewind(f->out);
		assert_null(strategy_hex.plan(f->mem, &f->diags, b.scop,
			b.deps, &request, &n));
		assert_int_equal(f->diags.errors, errors + 1);
		if (!strstr(messages(f), table[i].message))
			fail_msg("%s", messages(f));
	}
}

/* Strips ----------------------------------------------------------------- */

static const struct stream *strip_of(void **state, const struct built *b,
	int steps, int cells, int length, int lanes)
{
	struct fixture *f = *state;
	struct tile_request request = tile_request_default();
	struct plan *plan;
	int n;

	request.b = steps;
	request.v = cells;
	request.l = length;
	request.threads[0] = lanes;
	assert_null(strategy_stream.applies(b->scop, b->deps));
	plan = strategy_stream.plan(f->mem, &f->diags, b->scop, b->deps,
		&request, &n);
	assert_non_null(plan);
	assert_int_equal(n, 1);
	return plan->stream;
}

/* What "acc" reads came at most period - 1 iterations ago, or before the
 * statement in the same iteration; and it is among what is needed, if all that
 * the statement computes is.
 */
static void check_read(const struct built *b, const struct stream *s,
	const struct stmt *stmt, const struct access *acc, int m)
{
	const struct needed *to = &s->needed[m + 1], *from;
	int age = 0;

	if (s->stream_dim >= 0)
		age = stream_age(s, b->scop, stmt, acc,
			(int) acc->offset[s->stream_dim]);
	assert_in_range(age, 0, s->period - 1);
	if (m + acc->version < 0 || b->scop->k > 1)
		return;
	from = &s->needed[m + acc->version];
	for (int d = 0; d < stmt->n_dims; d++) {
		assert_true(from->low[d] <= to->low[d] + acc->offset[d]);
		assert_true(from->high[d] >= to->high[d] + acc->offset[d]);
	}
}

/* A warp skips a step only if nothing needed lies in its rows. */
static void check_live(const struct stream *s)
{
	int d = s->row_dim;

	for (int m = 0; d >= 0 && m < s->steps; m++)
		for (int warp = 0; warp < s->warps; warp++) {
			const struct needed *e = &s->needed[m + 1];
			int first = warp * s->rows - s->before[d];

			if (!stream_warp_is_live(s, warp, m))
				assert_true(first + s->rows <= e->low[d] ||
					first > s->height - 1 + e->high[d]);
		}
}

static void check_strip(const struct built *b, const struct stream *s)
{
	int lane = s->lane_dim, along = s->stream_dim;

	assert_int_equal((s->last - s->first + 1) % s->period, 0);
	assert_int_equal(s->before[lane] % s->cells, 0);
	assert_int_equal(s->after[lane] % s->cells, 0);
	assert_int_equal(s->before[lane] + s->width + s->after[lane],
		s->lanes * s->cells);
	assert_true(s->width > 0);
	check_live(s);
	for (int v = 0; v <= s->steps; v++) {
		assert_true(-s->needed[v].low[lane] <= s->before[lane]);
		assert_true(s->needed[v].high[lane] <= s->after[lane]);
	}
	for (int m = 0; m < s->steps; m++)
		for (int i = 0; i < b->scop->k; i++) {
			const struct stmt *stmt = b->prog->stmt[i];
			int lag = stream_lag(s, m, i);

			if (along >= 0 && b->scop->k == 1)
				assert_true(s->first - lag <=
					s->needed[m + 1].low[along]);
			if (along >= 0)
				assert_true(s->last - lag >= s->length - 1);
			for (int j = 0; j < stmt->n_reads; j++)
				if (stmt->read[j]->field->kind == FIELD_STATE)
					check_read(b, s, stmt, stmt->read[j],
						m);
		}
}

static void test_strips(void **state)
{
	static const char *const text[] = { jacobi1d, upwind1d, skew, wave1d,
		chain1d, heat2d, star2d, fdtd2d, wave2d };

	for (size_t i = 0; i < COUNT(text); i++) {
		struct built b = build(state, text[i], "");

		for (int steps = 2; steps <= 5; steps++)
			for (int cells = 1; cells <= 4; cells *= 2)
				check_strip(&b, strip_of(state, &b, steps,
					cells, b.scop->n_dims > 1 ?
					3 * steps + cells : 1, 32));
	}
}

/* What a lane reads of another was left an iteration before, at least: of
 * heat2d, whose corners come last, a step lags two rows, of jacobi2d one.
 */
static void test_joined_strips(void **state)
{
	static const char *const text[] = { heat2d, star2d, fdtd2d, wave2d };

	for (size_t i = 0; i < COUNT(text); i++) {
		struct built b = build(state, text[i], "");

		for (int steps = 2; steps <= 4; steps++) {
			const struct stream *s = strip_of(state, &b, steps, 4,
				16, 96);

			check_strip(&b, s);
			assert_true(stream_is_joined(s));
			assert_int_equal(s->exchange.dim, s->lane_dim);
			assert_int_equal(s->warps, 1);
			assert_int_equal(stream_shared_bytes(s, b.scop, NULL) %
				(2 * 96 * 4), 0);
			assert_true(stream_shared_bytes(s, b.scop, NULL) > 0);
			if (i == 0)
				assert_int_equal(s->lag_step, 2);
		}
	}
}

static void test_strips_of_planes(void **state)
{
	struct built b = build(state, lag3d, "");
	struct tile_request request = tile_request_default();
	struct fixture *f = *state;
	const struct stream *s;
	struct plan *plan;
	int n;

	assert_null(strategy_stream.applies(b.scop, b.deps));
	request.b = 2;
	request.v = 2;
	request.y = 2;
	request.l = 8;
	plan = strategy_stream.plan(f->mem, &f->diags, b.scop, b.deps,
		&request, &n);
	assert_non_null(plan);
	s = plan->stream;
	check_strip(&b, s);
	assert_true(stream_skips_steps(s));
	assert_true(stream_warp_is_live(s, 0, 0));
	assert_false(stream_warp_is_live(s, 0, 1));
	assert_int_equal(s->before[1] + s->height + s->after[1],
		s->warps * s->rows);
	assert_int_equal(plan->pitch[1], s->height);
	assert_int_equal(plan->pitch[2], s->width);
}

/* Rows cut into hexagons are those of hexagon.c with slopes of a warp's rows,
 * and the phases lie as they do there.
 */
static void check_hexagons(const struct plan *plan)
{
	const struct stream *s = plan->stream;
	struct rational slope = { s->rows, 1 };
	struct hexagon x = hexagon_make(slope, slope, s->steps / 2 - 1,
		s->hexagons.base * s->rows - 1);

	assert_int_equal(plan->pitch[1], x.pitch);
	assert_int_equal(plan->time_pitch, x.height);
	for (int p = 0; p < 2; p++) {
		assert_int_equal(plan->shift[1][p], hexagon_s_shift(&x, p));
		assert_int_equal(plan->time_shift[p],
			hexagon_tau_shift(&x, p));
	}
	for (int m = 0; m < s->steps; m++) {
		isl_set *rows = isl_set_fix_si(isl_set_copy(plan->shape),
			isl_dim_set, 0, m);
		isl_val *first = isl_set_dim_min_val(isl_set_copy(rows), 2);
		isl_val *last = isl_set_dim_max_val(rows, 2);

		assert_int_equal(isl_val_get_num_si(first),
			hexagon_first(&x, m));
		assert_int_equal(isl_val_get_num_si(last),
			hexagon_last(&x, m));
		isl_val_free(first);
		isl_val_free(last);
		for (int warp = 0; warp < s->warps; warp++) {
			int row = (warp - 1) * s->rows;

			assert_int_equal(stream_warp_is_live(s, warp, m),
				row >= hexagon_first(&x, m) &&
				row <= hexagon_last(&x, m));
		}
	}
}

static void test_strips_in_hexagons(void **state)
{
	struct built b = build(state, star3d, "");
	struct fixture *f = *state;

	for (int steps = 2; steps <= 8; steps += 2)
		for (int base = 1; base <= 3; base++) {
			struct tile_request request = tile_request_default();
			struct plan *plan;
			int n;

			request.hexagons = true;
			request.b = steps;
			request.v = 2;
			request.y = base;
			request.l = 8;
			request.threads[0] = 32;
			request.threads[1] = steps + base;
			plan = strategy_stream.plan(f->mem, &f->diags, b.scop,
				b.deps, &request, &n);
			assert_non_null(plan);
			assert_int_equal(n, 1);
			assert_int_equal(plan->n_phases, 2);
			check_hexagons(plan);
		}
}

static void test_hexagons_of_strips_refused(void **state)
{
	static const char own_step[] =
		"stencil p { param int T, N, M, K;"
		" state float A[N][M][K], B[N][M][K]; iterate t = 0 .. T {"
		" A[t+1][i][j][k] = B[t][i][j-1][k];"
		" B[t+1][i][j][k] = A[t+1][i][j+1][k]; } }";
	static const char around[] =
		"stencil p { param int T, N, M, K; state float A[N][M][K];"
		" boundary A = periodic; iterate t = 0 .. T {"
		" A[t+1][i][j][k] = A[t][i][j-1][k]; } }";
	static const struct {
		const char *text;
		int b, warps;
		bool async;
		enum launches launches;
		const char *message;
	} table[] = {
		{ heat2d, 4, 4, false, LAUNCHES_AUTO, "--shape=hex: hexagons "
		  "of strips need three dimensions [tile]" },
		{ lag3d, 4, 6, false, LAUNCHES_AUTO, "--shape=hex: a state has "
		  "more than one past step, and hexagons of strips leave two "
		  "versions of a row [tile]" },
		{ own_step, 4, 6, false, LAUNCHES_AUTO, "--shape=hex: a "
		  "statement reads what its own step computes, which is not "
		  "there at the sides of a hexagon [tile]" },
		{ around, 4, 6, false, LAUNCHES_AUTO, "--shape=hex: rows go "
		  "around the grid, where hexagons of other steps lie "
		  "[tile]" },
		{ star3d, 4, 6, true, LAUNCHES_AUTO, "--shape=hex: rows are "
		  "not copied ahead for hexagons [tile]" },
		{ star3d, 4, 6, false, LAUNCHES_RESIDENT, "--shape=hex: "
		  "hexagons of strips are not one launch: --launch=direct "
		  "[tile]" },
		{ star3d, 4, 4, false, LAUNCHES_AUTO, "4 warps: hexagons of 4 "
		  "steps take 5 warps or more [tile]" },
		{ star3d, 3, 6, false, LAUNCHES_AUTO, "b = 3, v = 4, y = 2, 6 "
		  "warps: hexagons have an even number of steps [tile]" },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < COUNT(table); i++) {
		struct built b = build(state, table[i].text, "");
		struct tile_request request = tile_request_default();
		unsigned errors = f->diags.errors;
		int n;

		request.hexagons = true;
		request.b = table[i].b;
		request.threads[1] = table[i].warps;
		request.steps.async = table[i].async;
		request.launches = table[i].launches;
		rewind(f->out);
		assert_null(strategy_stream.plan(f->mem, &f->diags, b.scop,
			b.deps, &request, &n));
		assert_int_equal(f->diags.errors, errors + 1);
		if (!strstr(messages(f), table[i].message))
			fail_msg("%s", messages(f));
	}
}

static void test_strips_of_heat2d(void **state)
{
	struct built b = build(state, heat2d, "");
	const struct stream *s = strip_of(state, &b, 8, 4, 128, 32);

	assert_int_equal(s->lag_step, 1);
	assert_int_equal(s->period, 3);
	assert_int_equal(s->width, 112);
	assert_int_equal(s->first, -9);
	assert_int_equal(s->last, 134);
	assert_int_equal(s->needed[0].low[0], -8);
	assert_int_equal(s->needed[0].high[1], 8);
}

static void test_strips_refused(void **state)
{
	static const struct {
		const char *text, *why;
	} table[] = {
		{ "stencil p { param int T, N; state int A[N];"
		  " iterate t = 0 .. T { A[t+1][i] = A[t][i-1]; } }",
		  "integers" },
		{ "stencil p { param int T, N; state float A[N], B[N+1];"
		  " iterate t = 0 .. T { A[t+1][i] = A[t][i-1];"
		  " B[t+1][i] = B[t][i-1]; } }", "differ in size" },
		{ "stencil p { param int T, N; state float A[N];"
		  " iterate t = 0 .. T { on (i % 2 == 0) A[t+1][i] = A[t][i];"
		  " on (i % 2 == 1) A[t+1][i] = A[t][i-1]; } }",
		  "one statement for each state" },
	};

	for (size_t i = 0; i < COUNT(table); i++) {
		struct built b = build(state, table[i].text, "");
		const char *why = strategy_stream.applies(b.scop, b.deps);

		assert_non_null(why);
		assert_non_null(strstr(why, table[i].why));
	}
}

#define ISL_TEST(test) \
	cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hexagon),
		cmocka_unit_test(test_random_hexagons),
		cmocka_unit_test(test_printed_offset_is_wrong),
		cmocka_unit_test(test_bound_is_needed),
		cmocka_unit_test(test_paper_example),
		cmocka_unit_test(test_model_has_the_same_hexagon),
		ISL_TEST(test_dependences),
		ISL_TEST(test_heat2d_dependences),
		ISL_TEST(test_shape_is_the_hexagon),
		ISL_TEST(test_order),
		ISL_TEST(test_order_with_fractional_skews),
		ISL_TEST(test_execution),
		ISL_TEST(test_carries_are_needed),
		ISL_TEST(test_random_programs),
		ISL_TEST(test_footprints),
		ISL_TEST(test_aligned_boxes),
		ISL_TEST(test_model_counts_the_same),
		ISL_TEST(test_full_tiles),
		ISL_TEST(test_refusals),
		ISL_TEST(test_strips),
		ISL_TEST(test_joined_strips),
		ISL_TEST(test_strips_of_planes),
		ISL_TEST(test_strips_in_hexagons),
		ISL_TEST(test_hexagons_of_strips_refused),
		ISL_TEST(test_strips_of_heat2d),
		ISL_TEST(test_strips_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

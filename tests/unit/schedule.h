/* What the unit tests of schedule share: points, programs, their tiles, and
 * the instances as a plan orders and runs them.
 */
#ifndef STENCILC_TESTS_UNIT_SCHEDULE_H
#define STENCILC_TESTS_UNIT_SCHEDULE_H

#include "frontend/frontend.h"
#include "schedule/hex/hex.h"
#include "tests/unit/subjects.h"

extern const struct subject hexagon_tests, deps_tests, order_tests,
	execution_tests, footprint_tests, full_tests, strip_tests,
	refusal_tests, dim_tests, size_tests;

static inline int least(int a, int b)
{
	return a < b ? a : b;
}

static inline int most(int a, int b)
{
	return a > b ? a : b;
}

static inline bool rational_is(struct rational r, int num, int den)
{
	return r.num == num && r.den == den;
}

static inline unsigned next_random(unsigned *seed, unsigned below)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 16) % below;
}

/* schedule-points.c ------------------------------------------------------ */

enum { MOST_DIMS = 4 };

struct points {			/* of Z^n; unused coordinates are 0 */
	struct region *mem;
	int n, capacity;
	int (*at)[MOST_DIMS];
};

struct points *points_new(struct region *mem);
void points_add(struct points *ps, const int p[MOST_DIMS]);
/* Sorted, each once: so are those of all functions below. */
void points_sort(struct points *ps);
bool points_equal(const struct points *a, const struct points *b);
struct points *points_join(const struct points *a, const struct points *b);
struct points *points_without(const struct points *a, const struct points *b);
struct points *points_of_set(struct region *mem, __isl_take isl_set *set);

/* schedule-programs.c ---------------------------------------------------- */

struct fixture {
	struct region *mem;
	struct diags diags;
	FILE *out;
	isl_ctx *isl;
};

int set_up(void **state);
int tear_down(void **state);

#define ISL_TEST(test) \
	cmocka_unit_test_setup_teardown(test, set_up, tear_down)

struct built {
	struct region *mem;
	const struct program *prog;
	struct scop *scop;
	struct outlook *outlook;	/* the recommended model on an H200 */
};

/* "text" with its parameters fixed to "sizes", "T=5 N=9", or left open. */
struct built build(void **state, const char *text, const char *sizes);
struct points *distances(const struct built *b);
/* The plans of "strategy" for "request"; NULL after a diagnostic. */
struct plan *plan_of(void **state, const struct built *b,
	const struct strategy *strategy, const struct tile_request *request,
	int *n_plans);
/* Dependences of the given distances, as if the program had them. */
void forge_distances(struct built *b, const char *distance);

extern const char jacobi1d[], upwind1d[], skew[], wave1d[], decay1d[],
	third1d[], chain1d[], unread1d[], heat2d[], star2d[], fdtd2d[],
	wave2d[], lag3d[], star3d[];

/* schedule-tiling.c ------------------------------------------------------ */

struct tiling {			/* a plan and the points of its shape */
	const struct built *b;
	const struct plan *plan;
	struct points *shape;	/* by rows */
	int low[MOST_DIMS], high[MOST_DIMS];
};

/* Sizes of tiles for programs, up to one without a text. */
struct tried {
	const char *text, *sizes;	/* a small grid */
	int hex_dim, h, w[3];
};

extern const struct tried tried[];
/* Boxes as small as they can be, tiles where the formulas put them. */
extern const struct optimizations plain_opt;

struct tiling tile_of_request(void **state, const struct built *b,
	const struct tile_request *request);
struct tiling tile(void **state, const struct built *b, int hex_dim, int h,
	const int w[3]);
/* With all the optimizations, which move and widen things. */
struct tiling tile_optimized(void **state, const struct built *b,
	const struct tried *tried);

/* schedule-sweep.c ------------------------------------------------------- */

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

/* Visit the instances of the window as the plan orders them. */
void sweep(struct sweep *s);

/* schedule-machine.c ----------------------------------------------------- */

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
	int ran, wrong;
	const struct scop_stmt *dropped;	/* is not executed, or NULL */
};

struct machine_state machine_of(const struct built *b);
bool runs_at(const struct machine_state *m, int stmt, int t, const int x[]);
/* "t" NULL: step by step and statement by statement, as written. */
bool execution_is_right(const struct built *b, const struct tiling *t,
	bool backwards, const struct scop_stmt *dropped);

#endif

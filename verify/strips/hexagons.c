/* Strips of register streaming whose rows are cut into hexagons: that a warp
 * that computes a step has the rows it reads, and that what it loads is, in
 * the copy it is loaded from, what a launch before has left there.
 *
 * Hexagons follow each other, in the rows and in time, with a period, and all
 * that matters of a row is which warp of its hexagon has it.  So launches are
 * run here on one period of rows, in warps, with the number of a version in
 * place of its values:
 *
 *	label[row][copy]	the version that the copy has of these rows
 *
 * A step that does not exist, before the first or after the last, keeps values:
 * the version v of N steps is version min(max(v, 0), N).  If after two T all
 * labels that were read or written are 2*b more than before, they are so after
 * the next two: what holds for programs of up to MOST_T T holds for all.
 */
#include <string.h>

#include "verify/strips/strips.h"

enum { COPIES = 4, NOTHING = -1, MOST_T = 8, MOST_WARPS = 64 };

struct hexes {
	struct checker *c;
	const struct plan *plan;
	const struct stream *s;
	int period;		/* of rows, in warps */
	int64_t (*label)[COPIES];
	int (*written)[COPIES], (*read)[COPIES];	/* the launch that did
							 * so last */
	int launch;
};

static int edge_of(const struct hexes *x, int m)
{
	int half = x->s->hexagons.half;

	return m <= half ? half + 1 - m : m - half;
}

static int side_of(const struct hexes *x, int warp)
{
	int other = x->s->warps - 1 - warp;

	return warp < other ? warp : other;
}

static bool computes(const struct hexes *x, int m, int warp)
{
	return side_of(x, warp) >= edge_of(x, m);
}

/* Does the warp load version t0 + m + 1?  m = -1: version t0. */
static bool loads(const struct hexes *x, int m, int warp)
{
	const struct hexagons *h = &x->s->hexagons;

	if (m < 0)
		return side_of(x, warp) >= h->half;
	return m <= h->half && !computes(x, m, warp) &&
		side_of(x, warp) >= edge_of(x, m) - h->loaded;
}

/* Does the warp store version t0 + m + 1?  "Full" hexagons store less. */
static bool stores(const struct hexes *x, int m, int warp, bool full)
{
	const struct hexagons *h = &x->s->hexagons;

	return computes(x, m, warp) && (m >= x->s->steps - (full ? 1 : 2) ||
		side_of(x, warp) <= m - h->half + h->stored);
}

/* The set that a warp reads, in launch (T, p). */
static int set_read(const struct hexes *x, int warp, int tt, int p)
{
	int side = side_of(x, warp);

	return side == 0 ? (tt + p) % 2 : side <= x->s->hexagons.half ? p :
		tt % 2;
}

static int64_t first_time(const struct hexes *x, int tt, int p)
{
	return (int64_t) tt * x->plan->time_pitch - x->plan->time_shift[p];
}

static int modulo(int64_t a, int b)
{
	return (int) (((a % b) + b) % b);
}

/* Where the rows of a warp of phase "p" are in the period. */
static int row_of(const struct hexes *x, int warp, int p)
{
	int shift = x->plan->shift[x->s->dim.row][p] / x->s->rows;

	return modulo(warp - 1 - shift, x->period);
}

/* One hexagon by itself ------------------------------------------------- */

/* Has the warp version t0 + v? */
static bool has(const struct hexes *x, int v, int warp)
{
	return warp >= 0 && warp < x->s->warps && (loads(x, v - 1, warp) ||
		(v > 0 && computes(x, v - 1, warp)));
}

static bool check_rows(const struct hexes *x)
{
	for (int m = 0; m < x->s->steps; m++)
		for (int w = 0; w < x->s->warps; w++)
			for (int by = -1; by <= 1; by++)
				if (computes(x, m, w) && !has(x, m, w + by))
					return refute(x->c, "warp %d computes "
						"step %d of a hexagon, and "
						"warp %d has nothing to read",
						w, m, w + by);
	return true;
}

/* Reads reach no farther than a warp's rows. */
static bool check_reach(const struct hexes *x)
{
	const struct program *prog = x->c->prog;

	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->kind == FIELD_STATE &&
		    (x->s->beside.above[i] > x->s->rows ||
		     x->s->beside.below[i] > x->s->rows))
			return refute(x->c, "rows of '%s' are read beyond the "
				"next warp", prog->field[i]->name);
	for (int c = 0; c < prog->n_stmts; c++)
		for (int i = 0; i < prog->stmt[c]->n_reads; i++) {
			const struct access *acc = prog->stmt[c]->read[i];

			if (acc->field->kind == FIELD_STATE &&
			    (acc->version != 0 || acc->field->depth != 1 ||
			     (is_mapped_along(prog->stmt[c], acc,
				x->s->dim.row) && goes_around(acc->field,
				x->s->dim.row))))
				return refute(x->c, "a step reads '%s' as "
					"hexagons do not have it",
					acc->field->name);
		}
	return true;
}

static bool check_shape(const struct hexes *x)
{
	const struct stream *s = x->s;
	const struct hexagons *h = &s->hexagons;
	const struct plan *plan = x->plan;
	int row = s->dim.row;

	return (h->half >= 0 && h->base > 0 && s->rows > 0 &&
		s->steps == 2 * h->half + 2 &&
		s->warps == h->base + s->steps && s->warps <= MOST_WARPS &&
		plan->time_pitch == s->steps && plan->n_phases == 2 &&
		plan->pitch[row] % s->rows == 0 && plan->drift[row] == 0 &&
		plan->shift[row][0] % s->rows == 0 &&
		plan->shift[row][1] % s->rows == 0 &&
		plan->pitch[row] >= s->height &&
		s->height == (s->warps - 2) * s->rows &&
		s->before[row] == s->rows && s->after[row] == s->rows &&
		!plan->resident) ||
		refute(x->c, "hexagons do not have the steps and rows of "
			"their block");
}

/* Hexagons that are full for the period of iterations at the origin load cells
 * of the box only.
 */
static bool check_box(const struct hexes *x)
{
	const struct stream *s = x->s;

	for (int i = 0; i < x->c->prog->n_stmts; i++) {
		const struct field *f = x->c->prog->stmt[i]->write->field;
		const struct box *box = &x->plan->box[f->index];
		int last = s->period - 1 - (s->lag.of[i] - s->lag.step);
		int first = -(s->lag.of[i] + s->hexagons.half * s->lag.step);
		int row = s->dim.row, along = s->dim.stream;

		if (box->low[row] > -s->rows || box->low[row] +
		    box->extent[row] < (s->warps - 1) * s->rows ||
		    box->low[along] > first ||
		    box->low[along] + box->extent[along] - 1 < last)
			return refute(x->c, "a hexagon loads cells of '%s' "
				"that its box does not have", f->name);
	}
	return true;
}

/* Launches -------------------------------------------------------------- */

/* A warp loads version t0 + m + 1, before version 0 that. */
static bool load(struct hexes *x, int tt, int p, int m, int warp)
{
	int64_t v = first_time(x, tt, p) + m + 1;
	int row = row_of(x, warp, p), copy;

	v = v < 0 ? 0 : v;
	copy = 2 * set_read(x, warp, tt, p) + modulo(v, 2);
	x->read[row][copy] = x->launch;
	if (x->written[row][copy] == x->launch)
		return refute(x->c, "launch (%d, %d) reads rows of a copy "
			"that it replaces", tt, p);
	return x->label[row][copy] == v ||
		refute(x->c, "launch (%d, %d) loads version %lld of the rows "
			"of warp %d, and finds version %lld", tt, p,
			(long long) v, warp, (long long) x->label[row][copy]);
}

static bool store(struct hexes *x, int tt, int p, int m, int warp)
{
	int64_t v = first_time(x, tt, p) + m + 1;
	int row = row_of(x, warp, p);
	int copy = 2 * (1 - set_read(x, warp, tt, p)) + modulo(v, 2);

	if (v < 0)
		return refute(x->c, "launch (%d, %d) stores a version before "
			"the first", tt, p);
	x->label[row][copy] = v;
	x->written[row][copy] = x->launch;
	return true;
}

/* A launch stores before it loads here, so that a load in the place of a store
 * is noticed, whichever would come first.
 */
static bool run_launch(struct hexes *x, int tt, int p, bool full)
{
	bool right = true;

	x->launch++;
	for (int m = 0; m < x->s->steps && right; m++)
		for (int w = 0; w < x->s->warps && right; w++)
			right = !stores(x, m, w, full) ||
				store(x, tt, p, m, w);
	for (int m = -1; m < x->s->steps && right; m++)
		for (int w = 0; w < x->s->warps && right; w++)
			right = !loads(x, m, w) || load(x, tt, p, m, w);
	return right;
}

/* Version 0 is in copy 0. */
static void start(struct hexes *x)
{
	x->launch = 0;
	for (int row = 0; row < x->period; row++)
		for (int copy = 0; copy < COPIES; copy++) {
			x->label[row][copy] = copy == 0 ? 0 : NOTHING;
			x->written[row][copy] = x->read[row][copy] = 0;
		}
}

/* The hexagons that run all their steps, of "n", are full if they "may" be. */
static bool run_time(struct hexes *x, int tt, int64_t n, bool may)
{
	for (int p = 0; p < 2; p++) {
		int64_t t0 = first_time(x, tt, p);

		if (!run_launch(x, tt, p, may && t0 >= 0 &&
		    t0 + x->s->steps <= n))
			return false;
	}
	return true;
}

/* The T that the host launches for "n" steps: those that have any of them, and
 * one more if they are odd.
 */
static int times_of(const struct hexes *x, int64_t n)
{
	int pitch = x->plan->time_pitch;
	int times = (int) ((n + x->plan->time_shift[0] + pitch - 1) / pitch);

	return times + times % 2;
}

/* After "n" steps the result is in copy n mod 2 of set 0. */
static bool ends_right(struct hexes *x, int64_t n, bool may)
{
	start(x);
	for (int tt = 0; tt < times_of(x, n); tt++)
		if (!run_time(x, tt, n, may))
			return false;
	for (int row = 0; row < x->period; row++)
		if (x->label[row][n % 2] < n)
			return refute(x->c, "after %lld steps the result has "
				"version %lld of rows", (long long) n,
				(long long) x->label[row][n % 2]);
	return true;
}

/* Labels as they were "at", and 2*b more, of the last two T. */
static bool is_further(const struct hexes *x, int64_t (*at)[COPIES])
{
	int before = x->launch - 4;

	for (int row = 0; row < x->period; row++)
		for (int copy = 0; copy < COPIES; copy++)
			if ((x->written[row][copy] > before ||
			     x->read[row][copy] > before) &&
			    x->label[row][copy] !=
			    at[row][copy] + 2 * x->s->steps)
				return false;
	return true;
}

/* Labels repeat, of a program that goes on. */
static bool repeats(struct hexes *x, bool may)
{
	enum { FOREVER = 1 << 30 };
	size_t size = sizeof(x->label[0]) * (size_t) x->period;
	int64_t (*at)[COPIES] = region_alloc(x->c->mem, size);

	start(x);
	for (int tt = 0; tt < MOST_T; tt++) {
		if (tt % 2 == 0)
			memcpy(at, x->label, size);
		if (!run_time(x, tt, FOREVER, may))
			return false;
	}
	return is_further(x, at) || refute(x->c, "what launches leave of rows "
		"does not repeat");
}

/* Hexagons store less than others if they are full.  What a copy has only
 * grows, so that what is right if as many are full as can be, and if none is,
 * is right if some are.
 */
static bool check_copies(struct hexes *x)
{
	for (int may = 0; may < 2; may++) {
		if (!repeats(x, may))
			return false;
		for (int n = 1; n <= (MOST_T - 2) * x->s->steps; n++)
			if (!ends_right(x, n, may))
				return false;
	}
	return true;
}

bool check_strip_hexagons(struct checker *c)
{
	struct hexes x = { .c = c, .plan = c->plan, .s = c->plan->strips };

	if (!check_shape(&x) || !check_reach(&x) || !check_rows(&x) ||
	    !check_box(&x))
		return false;
	claim(c, "a warp that computes a step of a hexagon has the rows it "
		"reads, and those of the warps beside it");
	x.period = c->plan->pitch[x.s->dim.row] / x.s->rows;
	x.label = region_alloc(c->mem, sizeof(x.label[0]) *
		(size_t) x.period);
	x.written = region_alloc(c->mem, sizeof(x.written[0]) *
		(size_t) x.period);
	x.read = region_alloc(c->mem, sizeof(x.read[0]) * (size_t) x.period);
	if (!check_copies(&x))
		return false;
	claim(c, "what a hexagon loads is the version it takes it for, left "
		"there by launches before, and nothing that its launch "
		"replaces; after any number of steps the result is the last "
		"version");
	return true;
}

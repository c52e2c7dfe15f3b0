/* The search for sizes: problem (31) of [PP] and the selection of [CGO] 3.7.
 *
 * It walks the whole space in one order, so the result is reproducible: h, w0,
 * w1, .. from small to large, each until even the smallest tile with it exceeds
 * the shared memory of a block.  Threads are chosen for the tiles that are
 * kept.
 */
#include "model/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Some spaces are too large to walk point by point: shared memory is no limit,
 * because tiles keep nothing there, or the limit exceeds any GPU's; or there is
 * one dimension.  So are those of a hexagon without slopes, which needs no more
 * memory when it is higher.  There sizes beyond 16 go in steps of an eighth,
 * beyond 128 of a quarter; without the limit they are bounded.  In more than
 * three dimensions they double from 4.
 */
enum {
	MAX_H = 31, MAX_W0 = 127, MAX_W = 64,
	THIN_FROM = 16, THIN_STEP = 8, THINNER_FROM = 128,
	LARGE_BYTES = 256 * 1024,
	DOUBLE_FROM = 4, MAX_FORCED = 1 << 30,
};

/* How many runners-up get threads before they are ranked again. */
enum { MAX_RANKED = 2048 };

enum objective { LEAST_TIME, LEAST_LOADS };

/* The meaning of "within 10 %" of the best. */
#define WITHIN 1.1

struct hit {
	double value;		/* what is minimised */
	double shared_bytes;
	struct hex_tile tile;
	bool loops;
};

struct search {
	const struct hex_query *q;
	struct hex_query loops;	/* the same for tiles whose rows are loops */
	enum objective objective;
	struct region *tmp;	/* hits */
	struct hex_profiles *profiles;	/* for heights that are given or kept */
	const struct hex_profile *p;	/* for the current height */
	double limit_bytes;
	bool is_limited;	/* its tiles need shared memory */
	double best, feasible, columnless[HEX_COLUMNLESS];
	struct hit *hit;
	int n_hits, capacity;
	bool any_legal, any_fits;
};

struct hex_query hex_query_of(const struct machine *m,
	const struct switches *s, const struct hex_shape *shape)
{
	struct hex_query q = { .machine = m, .switches = s, .shape = shape,
		.steps = 1, .loads = HEX_LOADS_EXACT_REUSE,
		.stores = HEX_STORES_LIVE, .shared = true, .forced.h = -1,
		.max_candidates = 10, .within = WITHIN };

	for (int d = 0; d < MODEL_MAX_DIMS; ++d) {
		q.forced.w[d] = -1;
		q.size[d] = 1;
	}
	return q;
}

struct hex_query hex_query_of_loops(const struct hex_query *q)
{
	struct hex_query loops = *q;

	loops.column_points = 0;
	loops.takes_loops = false;
	loops.across = false;
	memset(loops.work.moves_s, 0, sizeof(loops.work.moves_s));
	memset(loops.work.moves_row_s, 0, sizeof(loops.work.moves_row_s));
	memcpy(loops.work.citer_s, q->work.loop_citer_s,
		sizeof(loops.work.citer_s));
	memset(loops.work.citer_row_s, 0, sizeof(loops.work.citer_row_s));
	return loops;
}

/* Walking the space -------------------------------------------------------*/

static bool is_thin(const struct search *s)
{
	const struct hex_shape *shape = s->q->shape;

	return !s->is_limited || shape->dims == 1 ||
		s->limit_bytes > LARGE_BYTES ||
		(shape->delta0.num == 0 && shape->delta1[0].num == 0);
}

/* The size after "x" in steps of "unit". */
static int64_t next_size(const struct search *s, int64_t x, int64_t unit)
{
	if (s->q->shape->dims > 3 && x >= DOUBLE_FROM)
		return x + ceil_div(x, unit) * unit;
	if (!is_thin(s) || x < THIN_FROM)
		return x + unit;
	return x + ceil_div(x / (x < THINNER_FROM ? THIN_STEP :
		THIN_STEP / 2), unit) * unit;
}

/* Sizes of the last dimension fill warps; in 1D there is the hexagon only. */
static int64_t unit_of(const struct search *s, int d)
{
	return d && d == s->q->shape->dims - 1 ? s->q->machine->warp_size : 1;
}

static bool fits(const struct search *s, const struct hex_tile *t)
{
	return !s->q->shared ||
		hex_block_bytes(s->q, s->p, t) <= s->limit_bytes;
}

/* The smallest tile of the current height. */
static struct hex_tile least_tile(const struct search *s)
{
	struct hex_tile t = { .h = s->p->h };

	for (int d = 0; d < s->q->shape->dims; ++d)
		t.w[d] = s->q->forced.w[d] >= 0 ? s->q->forced.w[d] :
			d ? unit_of(s, d) : s->p->min_w0;
	return t;
}

static void keep_hit(struct search *s, const struct hit *hit)
{
	if (s->n_hits == s->capacity) {
		int capacity = s->capacity ? 2 * s->capacity : 256;
		struct hit *larger = region_array(s->tmp, struct hit,
			capacity);

		if (s->n_hits)
			memcpy(larger, s->hit, sizeof(*hit) *
				(size_t) s->n_hits);
		s->hit = larger;
		s->capacity = capacity;
	}
	s->hit[s->n_hits++] = *hit;
}

/* Drop the hits that better ones have overtaken. */
static void drop_hits(struct search *s)
{
	int n = 0;

	for (int i = 0; i < s->n_hits; ++i)
		if (s->hit[i].value <= s->q->within * s->best)
			s->hit[n++] = s->hit[i];
	s->n_hits = n;
}

static double seconds_of(const struct hex_query *q,
	const struct tile_counts *c, double k)
{
	return time_predict(q->machine, q->switches, q->shape->dims, c,
		k).predicted_s;
}

/* The query for the rows of "t", of profile "p", as loops, with the threads that the code then
 * has.
 */
static const struct hex_query *loops_of_tile(struct search *s,
	const struct hex_profile *p, const struct hex_tile *t)
{
	hex_loop_threads(s->q, p, t, s->loops.forced.threads);
	return &s->loops;
}

/* "c" lacks the words, and underestimates computing: the time of rows is added up only if the
 * tile would otherwise be good, the words are counted only if it would be good without any.
 */
static double value_of(const struct search *s, const struct hex_query *q,
	const struct hex_tile *t, struct tile_counts *c, double k)
{
	double least;

	if (s->objective == LEAST_LOADS)
		return hex_load_words(s->p, t, q->loads) /
			hex_points(q->shape, t);
	least = seconds_of(q, c, k);
	if (least > q->within * s->best)
		return least;
	hex_set_compute(q, s->p, t, c);
	least = seconds_of(q, c, k);
	if (least > q->within * s->best)
		return least;
	hex_set_words(q, s->p, t, c);
	return seconds_of(q, c, k);
}

/* Keep "t", with its rows as in "q", if it may be among the best; false if no block of it fits. */
static bool keep(struct search *s, const struct hex_query *q,
	const struct hex_tile *t)
{
	struct tile_counts c = hex_counts_but_words(q, s->p, t);
	struct hit hit = { .shared_bytes = c.shared_bytes, .tile = *t,
		.loops = q == &s->loops };
	const char *name;
	double k = hex_blocks_per_sm(q, &c, &name);

	if (k < 1)
		return false;
	s->any_fits = true;
	hit.value = value_of(s, q, t, &c, k);
	s->feasible += 1;
	if (hit.value > s->q->within * s->best)
		return true;
	if (hit.value < s->best) {
		s->best = hit.value;
		if (s->n_hits == s->capacity)
			drop_hits(s);
	}
	keep_hit(s, &hit);
	return true;
}

/* "t" as columns of threads if possible, else as loops. */
static void visit(struct search *s, const struct hex_tile *t)
{
	enum hex_columnless why = s->q->column_points > 0 ?
		hex_why_columnless(s->q, t) : HEX_COLUMNLESS;

	if (why == HEX_COLUMNLESS)
		keep(s, s->q, t);
	else if (!s->q->takes_loops || keep(s, loops_of_tile(s, s->p, t), t))
		s->columnless[why] += 1;
}

/* All tiles that agree with "t" in the dimensions before "d". */
static void walk(struct search *s, struct hex_tile t, int d)
{
	int64_t unit = unit_of(s, d), last;

	if (d == s->q->shape->dims) {
		if (fits(s, &t))
			visit(s, &t);
		return;
	}
	if (s->q->forced.w[d] >= 0) {
		walk(s, t, d + 1);
		return;
	}
	last = s->is_limited ? INT32_MAX : d ? MAX_W : MAX_W0;
	for (; t.w[d] <= last && fits(s, &t);
	     t.w[d] = next_size(s, t.w[d], unit))
		walk(s, t, d + 1);
}

/* All tiles of height "h"; false if even the smallest of them is too large. */
static bool walk_height(struct search *s, int64_t h)
{
	struct region *r = region_new();
	struct hex_tile t;
	bool fit;

	s->p = s->q->forced.h >= 0 ?
		hex_profile_of(s->profiles, s->q->shape, h) :
		hex_profile_new(r, s->q->shape, h);
	t = least_tile(s);
	s->is_limited = s->q->shared && hex_block_bytes(s->q, s->p, &t) > 0;
	fit = fits(s, &t);
	if (t.w[0] >= s->p->min_w0) {
		s->any_legal = true;
		walk(s, t, 0);
	}
	region_free(r);
	return fit;
}

/* Are forced values small enough that their products do not overflow? */
static bool is_sane(const struct hex_query *q)
{
	bool sane = q->forced.h <= MODEL_MAX_H;

	for (int d = 0; d < q->shape->dims; ++d)
		sane = sane && q->forced.w[d] <= MAX_FORCED;
	for (int i = 0; i < 3; ++i)
		sane = sane && q->forced.threads[i] <=
			q->machine->max_threads_per_block;
	return sane;
}

/* The greatest height worth trying.  Beyond k*T rows more height has no use;
 * without slopes it takes no more memory, either, so that nothing else would
 * end the search.
 */
static int64_t last_height(const struct hex_query *q)
{
	int64_t last = q->shared ? MODEL_MAX_H : MAX_H;

	if (q->shape->is_skewed) {
		last /= q->shape->statements;
		return smaller(q->steps, last);
	}
	return q->steps < last / q->shape->statements ?
		q->steps * q->shape->statements : last;
}

/* Hexagons have h + 1 = k, 2k, .., skewed rectangles h = 1, 2, .. */
static int64_t step_of_heights(const struct hex_shape *shape)
{
	return shape->is_skewed ? 1 : shape->statements;
}

static bool is_height(const struct hex_shape *shape, int64_t h)
{
	return shape->is_skewed ? h >= 1 : (h + 1) % shape->statements == 0;
}

static void walk_all(struct search *s)
{
	int64_t k = step_of_heights(s->q->shape), last = last_height(s->q);
	int64_t less = s->q->shape->is_skewed ? 0 : 1;

	if (!is_sane(s->q))
		return;
	if (s->q->forced.h >= 0) {
		if (is_height(s->q->shape, s->q->forced.h))
			walk_height(s, s->q->forced.h);
		return;
	}
	for (int64_t h = k - less; h <= last && walk_height(s, h);
	     h = next_size(s, h + less, k) - less)
		continue;
}

/* The result --------------------------------------------------------------*/

static int compare_tiles(const struct hex_tile *a, const struct hex_tile *b)
{
	if (a->h != b->h)
		return a->h < b->h ? -1 : 1;
	for (int d = 0; d < MODEL_MAX_DIMS; ++d)
		if (a->w[d] != b->w[d])
			return a->w[d] < b->w[d] ? -1 : 1;
	return 0;
}

/* The better value first, then less shared memory, then the smaller tile. */
static int compare_hits(const void *x, const void *y)
{
	const struct hit *a = x, *b = y;

	if (a->value < b->value || a->value > b->value)
		return a->value < b->value ? -1 : 1;
	if (a->shared_bytes < b->shared_bytes ||
	    a->shared_bytes > b->shared_bytes)
		return a->shared_bytes < b->shared_bytes ? -1 : 1;
	return compare_tiles(&a->tile, &b->tile);
}

/* Terms of "t" with the threads chosen for it; false if none fit. */
static bool complete(struct search *s, const struct hex_tile *t, bool loops,
	struct hex_candidate *out, struct time_terms *terms)
{
	const struct hex_profile *p =
		hex_profile_of(s->profiles, s->q->shape, t->h);
	const struct hex_query *q = loops ? loops_of_tile(s, p, t) : s->q;
	struct tile_counts c = hex_counts(q, p, t);
	const char *name;
	double k = hex_blocks_per_sm(q, &c, &name);
	struct shape_choice threads = hex_choose_threads(q, p, t, k);

	while (!threads.found && k > 1) {
		k -= 1;
		name = "max_threads_per_sm";
		threads = hex_choose_threads(q, p, t, k);
	}
	if (!threads.found)
		return false;
	if (q->switches->threads == THREADS_PASSES)
		c.compute_s = threads.compute_s;
	c.threads = (double) threads.threads[0] *
		(double) threads.threads[1] * (double) threads.threads[2];
	if (q->column_points <= 0)
		c.ready = c.threads;
	*terms = time_predict(q->machine, q->switches, q->shape->dims, &c, k);
	terms->k_limit = name;
	terms->threads_c_s = threads.compute_s + c.rows *
		machine_sync_s(q->machine, c.threads);
	terms->pitch = (double) hex_pitch(p, t) + (!q->shape->is_skewed &&
		q->switches->pitch == PITCH_PRINTED ? 2 : 0);
	for (int a = 0; a < p->n_rows; ++a) {
		terms->w_tile = fmax(terms->w_tile,
			(double) hex_row_length(p, t, a));
		terms->citer_s += q->work.citer_s[p->row[a].statement] / c.rows;
	}
	out->tile = *t;
	out->loops = loops;
	memcpy(out->threads, threads.threads, sizeof(out->threads));
	out->k = (int64_t) k;
	out->predicted_s = terms->predicted_s;
	out->shared_bytes = c.shared_bytes;
	out->loads_per_point = c.load_words / hex_points(q->shape, t);
	return true;
}

/* The next larger tile than "t" in "d" (-1: in h). */
static struct hex_tile grown(const struct search *s, struct hex_tile t, int d)
{
	if (d < 0)
		t.h += step_of_heights(s->q->shape);
	else
		t.w[d] += unit_of(s, d);
	return t;
}

/* The limit that keeps the choice from growing in some direction. */
static const char *constraint_of(const struct search *s,
	const struct hex_result *result)
{
	const struct hex_candidate *choice = &result->candidate[0];
	const char *name = result->terms.k_limit;
	bool fit = true;

	for (int d = -1; d < s->q->shape->dims; ++d) {
		struct hex_tile t = grown(s, choice->tile, d);
		struct search at = *s;

		at.p = hex_profile_of(s->profiles, s->q->shape, t.h);
		fit = fit && fits(&at, &t);
		if (s->q->column_points > 0 && !choice->loops &&
		    hex_why_columnless(s->q, &t) == HEX_MANY_POINTS)
			name = "points_per_thread";
	}
	return fit ? name : "shared_bytes_per_block";
}

static const char *why_not(struct region *r, const struct search *s)
{
	const struct hex_query *q = s->q;

	if (!is_sane(q))
		return region_printf(r, "a size is beyond all limits: h of "
			"%d, w of 2^30, %lld threads", MODEL_MAX_H,
			(long long) q->machine->max_threads_per_block);
	if (q->shape->is_skewed && (q->forced.h == 0 || q->forced.w[0] == 0))
		return "a skewed tile has a step and a point at least";
	if (q->forced.h >= 0 && !is_height(q->shape, q->forced.h))
		return region_printf(r, "h + 1 is not a multiple of the %d "
			"statements", q->shape->statements);
	if (!s->any_legal && q->forced.h >= 0)
		return region_printf(r,
			"w0 is less than %lld, the least for "
			"h = %lld",
			(long long) hex_cgo1_min_w0(q->shape, q->forced.h),
			(long long) q->forced.h);
	if (!s->any_legal && q->forced.w[0] >= 0)
		return "w0 is too small for the slopes";
	if (!s->any_fits)
		return region_printf(r, "no tile fits the %.0f bytes of "
			"shared memory that a block may have", s->limit_bytes);
	return region_printf(r, "no block of at most %lld threads fits",
		(long long) q->machine->max_threads_per_block);
}

/* As compare_hits, but by the time with the chosen threads. */
static int compare_candidates(const void *x, const void *y)
{
	const struct hex_candidate *a = x, *b = y;

	if (a->predicted_s < b->predicted_s || a->predicted_s > b->predicted_s)
		return a->predicted_s < b->predicted_s ? -1 : 1;
	if (a->shared_bytes < b->shared_bytes ||
	    a->shared_bytes > b->shared_bytes)
		return a->shared_bytes < b->shared_bytes ? -1 : 1;
	return compare_tiles(&a->tile, &b->tile);
}

/* Choose threads for the best hits, as many as requested. */
static void complete_hits(struct region *r, struct search *s,
	struct hex_result *result)
{
	bool timed = s->objective == LEAST_TIME;
	bool passes = s->q->switches->threads == THREADS_PASSES;
	int most = larger(s->q->max_candidates, 1);
	int n = timed && passes ? larger(most, MAX_RANKED) : most;
	struct time_terms terms;

	n = smaller(n, s->n_hits);
	result->candidate = region_array(r, struct hex_candidate, n + 1);
	for (int i = 0; i < s->n_hits && result->n_candidates < n; ++i)
		if (complete(s, &s->hit[i].tile, s->hit[i].loops,
				&result->candidate[result->n_candidates],
				&terms))
			++result->n_candidates;
	if (timed)
		qsort(result->candidate, (size_t) result->n_candidates,
			sizeof(*result->candidate), compare_candidates);
	result->n_candidates = smaller(result->n_candidates, most);
}

static struct hex_result finish(struct region *r, struct search *s)
{
	struct hex_result result = { .feasible = s->feasible,
		.by_loads = s->objective == LEAST_LOADS };

	memcpy(result.columnless, s->columnless, sizeof(s->columnless));
	drop_hits(s);
	if (s->n_hits)
		qsort(s->hit, (size_t) s->n_hits, sizeof(*s->hit),
			compare_hits);
	while (result.within_10_percent < s->n_hits &&
	       s->hit[(int) result.within_10_percent].value <=
	       WITHIN * s->best)
		result.within_10_percent += 1;
	complete_hits(r, s, &result);
	result.found = result.n_candidates > 0;
	if (!result.found) {
		result.why = why_not(r, s);
		return result;
	}
	complete(s, &result.candidate[0].tile, result.candidate[0].loops,
		&result.candidate[0], &result.terms);
	result.constraint = constraint_of(s, &result);
	return result;
}

static struct hex_result run(struct region *r, const struct hex_query *q,
	enum objective objective)
{
	struct search s = { .q = q, .loops = hex_query_of_loops(q),
		.objective = objective, .best = INFINITY };
	struct hex_result result = { .why = hex_verify(q->shape) };

	if (result.why)
		return result;
	s.tmp = region_new();
	s.profiles = q->profiles ? q->profiles : hex_profiles_new(s.tmp);
	s.limit_bytes = hex_limit_bytes(q);
	walk_all(&s);
	result = finish(r, &s);
	region_free(s.tmp);
	return result;
}

struct hex_result hex_search(struct region *r, const struct hex_query *q)
{
	return run(r, q, LEAST_TIME);
}

/* The box of [CGO] 4.2 is exact. */
struct hex_result hex_select(struct region *r, const struct hex_query *q)
{
	struct switches exact = *q->switches;
	struct hex_query counted = *q;

	exact.counts = COUNTS_EXACT;
	counted.switches = &exact;
	counted.takes_loops = false;
	return run(r, &counted, LEAST_LOADS);
}

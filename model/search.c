/* The search for sizes: problem (31) of [PP] and the selection of [CGO] 3.7.
 *
 * The space is walked whole, in one order, so the result is the same each
 * time: h, w0, w1, .. from small to large, each until even the smallest tile
 * with it exceeds the shared memory of a block.  Thread shapes follow for the
 * tiles that are kept.
 */
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the space is too large to be walked point by point (no limit by
 * shared memory or one beyond that of any GPU, one dimension), sizes beyond 16
 * are taken in steps of an eighth, beyond 128 of a quarter; without the limit
 * they are bounded.  In more than three dimensions they double from 4.
 */
enum {
	MAX_H = 31, MAX_W0 = 127, MAX_W = 64,
	THIN_FROM = 16, THIN_STEP = 8, THINNER_FROM = 128,
	LARGE_BYTES = 256 * 1024,
	DOUBLE_FROM = 4, MAX_FORCED = 1 << 30,
};

/* The runners-up that threads are chosen for before they are ranked again. */
enum { MAX_RANKED = 2048 };

/* Warps a scheduler of 32 lanes needs to hide the latency of arithmetic, by
 * Little's law: 4 clocks and more.
 */
enum { WARPS_PER_SCHEDULER = 4, MAX_THREADS_Z = 64 };

enum objective { LEAST_TIME, LEAST_LOADS };

/* What "within 10 %" of the best means. */
#define WITHIN 1.1

struct hit {
	double value;		/* what is minimised */
	double shared_bytes;
	struct hex_tile tile;
};

struct search {
	const struct hex_query *q;
	enum objective objective;
	struct region *tmp;	/* hits */
	const struct hex_profile *p;	/* of the height at hand */
	double limit_bytes;
	double best, feasible;
	struct hit *hit;
	int n_hits, capacity;
	bool any_legal, any_fits;
};

struct hex_query hex_query_of(const struct machine *m,
	const struct switches *s, const struct hex_shape *shape)
{
	struct hex_query q = { .machine = m, .switches = s, .shape = shape,
		.steps = 1, .loads = HEX_LOADS_EXACT_REUSE,
		.stores = HEX_STORES_LIVE, .shared = true, .h = -1,
		.max_candidates = 10, .within = WITHIN };

	for (int d = 0; d < MODEL_MAX_DIMS; ++d) {
		q.w[d] = -1;
		q.size[d] = 1;
	}
	return q;
}

/* Counts ------------------------------------------------------------------*/

/* Whether the words of a tile are those of the printed formulas.  "planar"
 * takes them where they describe the code: in a plane, with reuse.  In 3D
 * (24) leaves out the halo along s2, which nothing reuses.
 */
static bool uses_printed(const struct hex_query *q)
{
	int counts = q->switches->counts;

	if (counts == COUNTS_EXACT || q->shape->dims > 3 ||
	    !hex_is_radius_1(q->shape))
		return false;
	return counts == COUNTS_PRINTED || (q->shape->dims <= 2 &&
		q->loads == HEX_LOADS_EXACT_REUSE &&
		q->stores == HEX_STORES_LIVE);
}

static void other_sizes(const struct hex_query *q, const struct hex_tile *t,
	double ts[], double s[])
{
	for (int d = 1; d < q->shape->dims; ++d) {
		ts[d - 1] = (double) t->w[d];
		s[d - 1] = (double) q->size[d];
	}
}

static double limit_bytes(const struct hex_query *q)
{
	return q->shared_limit_bytes > 0 ? q->shared_limit_bytes :
		(double) q->machine->shared_bytes_per_block;
}

static bool is_forced(const struct hex_query *q)
{
	bool forced = q->h >= 0;

	for (int d = 0; d < q->shape->dims; ++d)
		forced = forced && q->w[d] >= 0;
	return forced;
}

/* M_tile.  (19) is a row and a column larger than the box in shared memory:
 * a tile that the user wants is not refused for that.
 */
static double shared_bytes(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	double ts[MODEL_MAX_DIMS], s[MODEL_MAX_DIMS];
	double printed;

	if (!uses_printed(q))
		return hex_shared_bytes(p, t);
	other_sizes(q, t, ts, s);
	printed = q->shape->array[0].word_bytes * pp19_shared_words(
		(double) t->w[0] + 1, p->n_rows, q->shape->dims - 1, ts);
	return is_forced(q) && printed > limit_bytes(q) ?
		hex_shared_bytes(p, t) : printed;
}

/* (5), (22) in the words of [CGO]: with slopes 1, W + 2 is 2 tS1 + tT. */
static double tiles_per_phase(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	double s1 = (double) q->size[0];
	double ts1 = (double) t->w[0] + 1;
	double reach = (double) (p->f0 + p->f1) + 2;

	if (q->switches->pitch == PITCH_EXACT)
		return exact_tiles_per_phase(s1, 2 * ts1 + reach - 2);
	if (q->shape->dims >= 3)
		return pp22_tiles_per_phase(s1, ts1, reach);
	return pp5_tiles_per_phase(s1, ts1, reach);
}

/* ceil((Si + tT)/tSi) over the classical dimensions; exactly, a dimension
 * grows by the skew of the last row, floor(d1 (2h+1)).
 */
static double tiles_per_prism(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	double ts[MODEL_MAX_DIMS], s[MODEL_MAX_DIMS];
	int n = q->shape->dims - 1;

	other_sizes(q, t, ts, s);
	if (uses_printed(q))
		return pp23_tiles_per_slab(n, s, p->n_rows, ts,
			n > 1 ? q->switches->subslabs : SUBSLABS_EACH);
	for (int i = 0; i < n; ++i)
		s[i] -= (double) p->row[p->n_rows - 1].dim[i + 1].from;
	return pp23_tiles_per_slab(n, s, 0, ts,
		n > 1 ? q->switches->subslabs : SUBSLABS_EACH);
}

/* pp9_rows_s of the tile's rows. */
static double lanes_compute_s(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	double lanes = (double) q->machine->lanes_per_sm;
	double slice = 1, sum = 0;

	for (int d = 1; d < q->shape->dims; ++d)
		slice *= (double) t->w[d];
	for (int a = 0; a < p->n_rows; ++a)
		sum += ceil((double) hex_row_length(p, t, a) * slice / lanes) *
			q->citer_s[p->row[a].statement];
	return sum;
}

static void set_words(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, struct tile_counts *c)
{
	double ts[MODEL_MAX_DIMS], s[MODEL_MAX_DIMS];

	if (uses_printed(q)) {
		other_sizes(q, t, ts, s);
		c->load_words = pp7_words((double) t->w[0] + 1, p->n_rows,
			q->shape->dims - 1, ts);
		c->load_bytes = c->load_words *
			q->shape->array[0].word_bytes;
		c->store_words = c->load_words;
		c->store_bytes = c->load_bytes;
		return;
	}
	c->load_words = hex_load_words(p, t, q->loads);
	c->load_bytes = hex_load_bytes(p, t, q->loads);
	c->store_words = hex_store_words(p, t, q->loads, q->stores);
	c->store_bytes = hex_store_bytes(p, t, q->loads, q->stores);
}

/* All counts but the words moved. */
static struct tile_counts counts_but_words(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	return (struct tile_counts) {
		.steps = (double) q->steps * q->shape->statements,
		.rows = p->n_rows,
		.tiles_per_phase = tiles_per_phase(q, p, t),
		.tiles_per_prism = tiles_per_prism(q, p, t),
		.shared_bytes = q->shared ? shared_bytes(q, p, t) : 0,
		.compute_s = lanes_compute_s(q, p, t),
	};
}

struct tile_counts hex_counts(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	struct tile_counts c = counts_but_words(q, p, t);

	set_words(q, p, t, &c);
	return c;
}

/* Blocks of an SM, (11) ---------------------------------------------------*/

static void limit(double *k, const char **name, double by,
	const char *by_name)
{
	if (floor(by) >= *k)
		return;
	*k = floor(by);
	*name = by_name;
}

/* The blocks of "threads" threads that an SM holds at once; 0 if none fits.
 * "name" is what keeps them from being more.
 */
static double blocks_per_sm(const struct hex_query *q,
	const struct tile_counts *c, double threads, const char **name)
{
	const struct machine *m = q->machine;
	double reserved = (double) m->shared_reserved_bytes;
	double k = (double) m->max_blocks_per_sm;

	*name = "max_blocks_per_sm";
	if (q->shared)
		limit(&k, name, (double) m->shared_bytes_per_sm /
			(c->shared_bytes + reserved), "shared_bytes_per_sm");
	if (q->switches->k == K_MAX)
		return k;
	limit(&k, name, (double) m->max_threads_per_sm / threads,
		"max_threads_per_sm");
	if (q->registers_per_thread > 0)
		limit(&k, name, (double) m->registers_per_sm / (threads *
			(double) q->registers_per_thread), "registers_per_sm");
	limit(&k, name, ceil(c->tiles_per_phase / (double) m->sm_count),
		"tiles_per_phase");
	return k;
}

/* The fewest threads a block of "t" may be launched with. */
static double fewest_threads(const struct hex_query *q,
	const struct hex_tile *t)
{
	int64_t columns[3];
	double n = q->threads[0] > 0 ? (double) q->threads[0] :
		(double) q->machine->warp_size;

	for (int i = 1; i < 3; ++i)
		if (q->threads[i] > 0)
			n *= (double) q->threads[i];
	if (q->column_points > 0) {
		hex_column_threads(t, q->shape->dims, q->threads, columns);
		n = (double) columns[0] * (double) columns[1] *
			(double) columns[2];
	}
	return n;
}

/* The points that a thread computes, if it computes whole columns. */
static double points_of_thread(const struct hex_query *q,
	const struct hex_tile *t)
{
	return hex_points(q->shape, t) / fewest_threads(q, t);
}

/* Is each width a multiple of its threads, and one thread enough along the
 * hexagon?
 */
static bool has_columns(const struct hex_query *q, const struct hex_tile *t)
{
	int dims = q->shape->dims;
	int64_t threads[3];

	hex_column_threads(t, dims, q->threads, threads);
	for (int i = 0; i < 3 && i < dims; ++i)
		if (i == dims - 1 ? threads[i] != 1 :
		    t->w[dims - 1 - i] % threads[i] != 0)
			return false;
	return points_of_thread(q, t) <= q->column_points;
}

/* Thread shapes -----------------------------------------------------------*/

/* The size of row "a" along thread dimension "i": 0 is the innermost. */
static double along(const struct hex_profile *p, const struct hex_tile *t,
	int a, int i)
{
	int d = p->shape->dims - 1 - i;

	if (d < 0)
		return 1;
	return d ? (double) t->w[d] : (double) hex_row_length(p, t, a);
}

/* Passes over the dimensions that threads do not cover. */
static double outer_passes(const struct hex_profile *p,
	const struct hex_tile *t, int a)
{
	double n = 1;

	for (int i = 3; i < p->shape->dims; ++i)
		n *= along(p, t, a, i);
	return n;
}

double hex_threads_compute_s(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t,
	const int64_t threads[3])
{
	double all = (double) threads[0] * (double) threads[1] *
		(double) threads[2];
	double turns = ceil(all / (double) q->machine->lanes_per_sm);
	double sum = 0;

	for (int a = 0; a < p->n_rows; ++a) {
		double passes = outer_passes(p, t, a);

		for (int i = 0; i < 3; ++i)
			passes *= ceil(along(p, t, a, i) /
				(double) threads[i]);
		sum += passes * turns * q->citer_s[p->row[a].statement];
	}
	return sum;
}

struct shape_choice {
	const struct hex_query *q;
	const struct hex_profile *p;
	const struct hex_tile *t;
	double k;
	bool found;
	int64_t threads[3];
	double busy, compute_s;
};

/* Whether k blocks of "threads" fit an SM. */
static bool threads_fit(const struct shape_choice *c, const int64_t threads[3])
{
	const struct machine *m = c->q->machine;
	double all = (double) threads[0] * (double) threads[1] *
		(double) threads[2];
	double registers = (double) c->q->registers_per_thread;

	return all <= (double) m->max_threads_per_block &&
		all * c->k <= (double) m->max_threads_per_sm &&
		all * c->k * registers <= (double) m->registers_per_sm;
}

/* Take "threads" if they hide latencies better, up to what suffices; waste
 * fewer turns; or are more.  The first of equals stays.
 */
static void try_threads(struct shape_choice *c, int64_t x, int64_t y,
	int64_t z)
{
	int64_t threads[3] = { x, y, z };
	double enough = (double) c->q->machine->lanes_per_sm *
		WARPS_PER_SCHEDULER;
	double busy, compute_s;

	if (!threads_fit(c, threads))
		return;
	busy = fmin((double) (x * y * z) * c->k, enough);
	compute_s = hex_threads_compute_s(c->q, c->p, c->t, threads);
	if (c->found && busy < c->busy)
		return;
	if (c->found && !(busy > c->busy) && !(compute_s < c->compute_s) &&
	    (compute_s > c->compute_s ||
	     x * y * z <= c->threads[0] * c->threads[1] * c->threads[2]))
		return;
	c->found = true;
	c->busy = busy;
	c->compute_s = compute_s;
	memcpy(c->threads, threads, sizeof(threads));
}

/* The most threads worth having in dimension "i": the widest row's points. */
static int64_t most_threads(const struct shape_choice *c, int i)
{
	double n = 1;

	for (int a = 0; a < c->p->n_rows; ++a)
		n = fmax(n, along(c->p, c->t, a, i));
	n = fmin(n, (double) c->q->machine->max_threads_per_block);
	return i == 2 && n > MAX_THREADS_Z ? MAX_THREADS_Z : (int64_t) n;
}

static void try_column(struct shape_choice *c, int64_t x, int64_t y)
{
	int64_t forced = c->q->threads[2];
	int64_t last = forced > 0 ? forced : most_threads(c, 2);

	for (int64_t z = forced > 0 ? forced : 1; z <= last; ++z) {
		if (x * y * z > c->q->machine->max_threads_per_block)
			return;
		try_threads(c, x, y, z);
	}
}

static void try_row(struct shape_choice *c, int64_t x)
{
	int64_t forced = c->q->threads[1];
	int64_t last = forced > 0 ? forced : most_threads(c, 1);

	for (int64_t y = forced > 0 ? forced : 1; y <= last; ++y) {
		if (x * y > c->q->machine->max_threads_per_block)
			return;
		try_column(c, x, y);
	}
}

/* Threads for tile "t" when "k" blocks share an SM: innermost whole warps,
 * doubling, until they cover the dimension.
 */
static struct shape_choice choose_threads(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t, double k)
{
	struct shape_choice c = { .q = q, .p = p, .t = t, .k = k };
	int64_t warp = q->machine->warp_size;
	int64_t most = most_threads(&c, 0);

	if (q->column_points > 0) {
		int64_t columns[3];

		hex_column_threads(t, q->shape->dims, q->threads, columns);
		try_threads(&c, columns[0], columns[1], columns[2]);
		return c;
	}
	if (q->threads[0] > 0) {
		try_row(&c, q->threads[0]);
		return c;
	}
	for (int64_t x = warp; ; x *= 2) {
		try_row(&c, x);
		if (x >= most)
			return c;
	}
}

/* Walking the space -------------------------------------------------------*/

static bool is_thin(const struct search *s)
{
	return !s->q->shared || s->q->shape->dims == 1 ||
		s->limit_bytes > LARGE_BYTES;
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
	struct hex_tile column = *t;

	for (int d = 1; d < s->q->shape->dims; ++d)
		column.w[d] = 1;
	if (s->q->column_points > 0 &&
	    hex_points(s->q->shape, &column) > s->q->column_points)
		return false;
	return !s->q->shared ||
		shared_bytes(s->q, s->p, t) <= s->limit_bytes;
}

/* The least tile of the height at hand. */
static struct hex_tile least_tile(const struct search *s)
{
	struct hex_tile t = { .h = s->p->h };

	for (int d = 0; d < s->q->shape->dims; ++d)
		t.w[d] = s->q->w[d] >= 0 ? s->q->w[d] :
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

/* Forget the hits that better ones have left behind. */
static void drop_hits(struct search *s)
{
	int n = 0;

	for (int i = 0; i < s->n_hits; ++i)
		if (s->hit[i].value <= s->q->within * s->best)
			s->hit[n++] = s->hit[i];
	s->n_hits = n;
}

static double seconds_of(const struct search *s, const struct tile_counts *c,
	double k)
{
	return time_predict(s->q->machine, s->q->switches,
		s->q->shape->dims, c, k).predicted_s;
}

/* "c" lacks the words: they are counted only if the tile would be good
 * without any.
 */
static double value_of(const struct search *s, const struct hex_tile *t,
	struct tile_counts *c, double k)
{
	double least;

	if (s->objective == LEAST_LOADS)
		return hex_load_words(s->p, t, s->q->loads) /
			hex_points(s->q->shape, t);
	least = seconds_of(s, c, k);
	if (least > s->q->within * s->best)
		return least;
	set_words(s->q, s->p, t, c);
	return seconds_of(s, c, k);
}

static void visit(struct search *s, const struct hex_tile *t)
{
	struct tile_counts c = counts_but_words(s->q, s->p, t);
	const char *name;
	double k;
	struct hit hit = { .shared_bytes = c.shared_bytes, .tile = *t };

	if (s->q->column_points > 0 && !has_columns(s->q, t))
		return;
	k = blocks_per_sm(s->q, &c, fewest_threads(s->q, t), &name);
	if (k < 1)
		return;
	s->any_fits = true;
	hit.value = value_of(s, t, &c, k);
	s->feasible += 1;
	if (hit.value > s->q->within * s->best)
		return;
	if (hit.value < s->best) {
		s->best = hit.value;
		if (s->n_hits == s->capacity)
			drop_hits(s);
	}
	keep_hit(s, &hit);
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
	if (s->q->w[d] >= 0) {
		walk(s, t, d + 1);
		return;
	}
	last = s->q->shared ? INT32_MAX : d ? MAX_W : MAX_W0;
	for (; t.w[d] <= last && fits(s, &t);
	     t.w[d] = next_size(s, t.w[d], unit))
		walk(s, t, d + 1);
}

/* All tiles of height "h"; false if even the least of them is too large. */
static bool walk_height(struct search *s, int64_t h)
{
	struct region *r = region_new();
	struct hex_tile t;
	bool fit;

	s->p = hex_profile_new(r, s->q->shape, h);
	t = least_tile(s);
	fit = fits(s, &t);
	if (t.w[0] >= s->p->min_w0) {
		s->any_legal = true;
		walk(s, t, 0);
	}
	region_free(r);
	return fit;
}

/* Forced values that products of them cannot overflow. */
static bool is_sane(const struct hex_query *q)
{
	bool sane = q->h <= MODEL_MAX_H;

	for (int d = 0; d < q->shape->dims; ++d)
		sane = sane && q->w[d] <= MAX_FORCED;
	for (int i = 0; i < 3; ++i)
		sane = sane && q->threads[i] <=
			q->machine->max_threads_per_block;
	return sane;
}

static void walk_all(struct search *s)
{
	int64_t k = s->q->shape->statements;
	int64_t last = s->q->shared ? MODEL_MAX_H : MAX_H;

	if (!is_sane(s->q))
		return;
	if (s->q->h >= 0) {
		if ((s->q->h + 1) % k == 0)
			walk_height(s, s->q->h);
		return;
	}
	for (int64_t h = k - 1; h <= last && walk_height(s, h);
	     h = next_size(s, h + 1, k) - 1)
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

/* Terms of "t" with the threads chosen for it; false if no threads fit. */
static bool complete(struct region *r, const struct hex_query *q,
	const struct hex_tile *t, struct hex_candidate *out,
	struct time_terms *terms)
{
	const struct hex_profile *p = hex_profile_new(r, q->shape, t->h);
	struct tile_counts c = hex_counts(q, p, t);
	const char *name;
	double k = blocks_per_sm(q, &c, fewest_threads(q, t), &name);
	struct shape_choice threads = choose_threads(q, p, t, k);

	while (!threads.found && k > 1) {
		k -= 1;
		name = "max_threads_per_sm";
		threads = choose_threads(q, p, t, k);
	}
	if (!threads.found)
		return false;
	if (q->switches->threads == THREADS_PASSES)
		c.compute_s = threads.compute_s;
	*terms = time_predict(q->machine, q->switches, q->shape->dims, &c, k);
	terms->k_limit = name;
	terms->threads_c_s = threads.compute_s + c.rows * q->machine->sync_s;
	terms->pitch = (double) hex_width(q->shape, t) +
		(q->switches->pitch == PITCH_PRINTED ? 2 : 0);
	for (int a = 0; a < p->n_rows; ++a) {
		terms->w_tile = fmax(terms->w_tile,
			(double) hex_row_length(p, t, a));
		terms->citer_s += q->citer_s[p->row[a].statement] / c.rows;
	}
	out->tile = *t;
	memcpy(out->threads, threads.threads, sizeof(out->threads));
	out->k = (int64_t) k;
	out->predicted_s = terms->predicted_s;
	out->shared_bytes = c.shared_bytes;
	out->loads_per_point = c.load_words / hex_points(q->shape, t);
	return true;
}

/* Whether the tile one size up in "d" (-1: in h) is still feasible. */
static bool grows(struct region *r, const struct search *s, struct hex_tile t,
	int d)
{
	struct search at = *s;

	if (d < 0)
		t.h += s->q->shape->statements;
	else
		t.w[d] += unit_of(s, d);
	at.p = hex_profile_new(r, s->q->shape, t.h);
	return fits(&at, &t);
}

/* The limit that keeps the choice from growing in some direction. */
static const char *constraint_of(const struct search *s,
	const struct hex_result *result)
{
	struct region *r = region_new();
	bool free = true;

	for (int d = -1; d < s->q->shape->dims; ++d)
		free = free && grows(r, s, result->candidate[0].tile, d);
	region_free(r);
	return free ? result->terms.k_limit : "shared_bytes_per_block";
}

static const char *why_not(struct region *r, const struct search *s)
{
	const struct hex_query *q = s->q;

	if (!is_sane(q))
		return region_printf(r, "a size is beyond all limits: h of "
			"%d, w of 2^30, %lld threads", MODEL_MAX_H,
			(long long) q->machine->max_threads_per_block);
	if (q->h >= 0 && (q->h + 1) % q->shape->statements)
		return region_printf(r, "h + 1 is not a multiple of the %d "
			"statements", q->shape->statements);
	if (!s->any_legal && q->h >= 0)
		return region_printf(r, "w0 is less than %lld, the least for "
			"h = %lld", (long long)
			hex_cgo1_min_w0(q->shape, q->h), (long long) q->h);
	if (!s->any_legal && q->w[0] >= 0)
		return "w0 is too small for the slopes";
	if (!s->any_fits)
		return region_printf(r, "no tile fits the %.0f bytes of "
			"shared memory that a block may have", s->limit_bytes);
	return region_printf(r, "no block of at most %lld threads fits",
		(long long) q->machine->max_threads_per_block);
}

/* As compare_hits, by the time with the threads chosen. */
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

/* Threads for the best hits, as many as are asked for. */
static void complete_hits(struct region *r, const struct search *s,
	struct hex_result *result)
{
	bool timed = s->objective == LEAST_TIME;
	bool passes = s->q->switches->threads == THREADS_PASSES;
	int most = s->q->max_candidates > 1 ? s->q->max_candidates : 1;
	int n = timed && passes ? MAX_RANKED : most;
	struct time_terms terms;

	n = n < s->n_hits ? n : s->n_hits;
	result->candidate = region_array(r, struct hex_candidate, n + 1);
	for (int i = 0; i < s->n_hits && result->n_candidates < n; ++i) {
		struct region *tmp = region_new();

		if (complete(tmp, s->q, &s->hit[i].tile,
				&result->candidate[result->n_candidates],
				&terms))
			++result->n_candidates;
		region_free(tmp);
	}
	if (timed)
		qsort(result->candidate, (size_t) result->n_candidates,
			sizeof(*result->candidate), compare_candidates);
	if (result->n_candidates > most)
		result->n_candidates = most;
}

static struct hex_result finish(struct region *r, struct search *s)
{
	struct hex_result result = { .feasible = s->feasible };

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
	complete(s->tmp, s->q, &result.candidate[0].tile,
		&result.candidate[0], &result.terms);
	result.constraint = constraint_of(s, &result);
	return result;
}

static struct hex_result run(struct region *r, const struct hex_query *q,
	enum objective objective)
{
	struct search s = { .q = q, .objective = objective,
		.best = INFINITY };
	struct hex_result result = { .why = hex_verify(q->shape) };

	if (result.why)
		return result;
	s.tmp = region_new();
	s.limit_bytes = limit_bytes(q);
	walk_all(&s);
	result = finish(r, &s);
	region_free(s.tmp);
	return result;
}

struct hex_result hex_search(struct region *r, const struct hex_query *q)
{
	return run(r, q, LEAST_TIME);
}

/* The box of [CGO] 4.2 is the exact one. */
struct hex_result hex_select(struct region *r, const struct hex_query *q)
{
	struct switches exact = *q->switches;
	struct hex_query counted = *q;

	exact.counts = COUNTS_EXACT;
	counted.switches = &exact;
	return run(r, &counted, LEAST_LOADS);
}

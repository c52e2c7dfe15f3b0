/* What a hexagonal tile holds and moves, and how many of its blocks run at a
 * time.
 */
#include "model/search.h"

#include <math.h>
#include <string.h>

/* Do the printed formulas give the words of a tile?  "planar" uses them where
 * they describe the code: in a plane, with reuse.  In 3D, (24) omits the halo
 * along s2, which nothing reuses.
 */
static bool uses_printed(const struct hex_query *q)
{
	int counts = q->switches->counts;

	if (counts == COUNTS_EXACT || q->shape->dims > 3 ||
	    q->shape->is_skewed || !hex_is_radius_1(q->shape))
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

double hex_limit_bytes(const struct hex_query *q)
{
	return q->shared_limit_bytes > 0 ? q->shared_limit_bytes :
		(double) q->machine->shared_bytes_per_block;
}

static bool is_forced(const struct hex_query *q)
{
	bool forced = q->forced.h >= 0;

	for (int d = 0; d < q->shape->dims; ++d)
		forced = forced && q->forced.w[d] >= 0;
	return forced;
}

static double box_bytes(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	double ts[MODEL_MAX_DIMS], s[MODEL_MAX_DIMS];
	double printed;

	if (!uses_printed(q))
		return hex_shared_bytes(p, t);
	other_sizes(q, t, ts, s);
	printed = q->shape->array[0].word_bytes * pp19_shared_words(
		(double) t->w[0] + 1, p->n_rows, q->shape->dims - 1, ts);
	return is_forced(q) && printed > hex_limit_bytes(q) ?
		hex_shared_bytes(p, t) : printed;
}

double hex_block_bytes(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	return (q->async ? 2 : 1) * box_bytes(q, p, t);
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

/* ceil((Si + tT)/tSi) over the classical dimensions; exactly, a dimension grows
 * by the skew of the last row, floor(d1 (2h+1)).
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

/* Lanes across rows ------------------------------------------------------- */

/* Bytes of a pass: all banks of shared memory, a line of global memory. */
enum { PASS_BYTES = 128, SECTOR_BYTES = 32 };

/* Passes for a request of a warp whose lanes each access a word in a row of its own, where
 * words of one row would take one pass.  In shared memory, lanes a multiple of all banks apart
 * conflict; in global memory, each lane has a line.
 */
static double passes_of(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	double extents[MODEL_MAX_DIMS], most = 1;

	for (int a = 0; q->across && a < p->shape->n_arrays; ++a) {
		int64_t words = PASS_BYTES / p->shape->array[a].word_bytes;

		if (!p->used[a])
			continue;
		hex_box(p, t, a, extents);
		most = fmax(most, (double) (q->shared ?
			greatest_common_divisor((int64_t) extents[0], words) :
			words));
	}
	return most;
}

/* Bytes of sectors for each byte of the rows of boxes, which start anywhere. */
static double bytes_of_sectors(const struct hex_profile *p,
	const struct hex_tile *t)
{
	double extents[MODEL_MAX_DIMS], most = 1;

	for (int a = 0; a < p->shape->n_arrays; ++a) {
		int64_t words = SECTOR_BYTES / p->shape->array[a].word_bytes;

		if (!p->used[a])
			continue;
		hex_box(p, t, a, extents);
		most = fmax(most, (extents[0] + (double) words - 1) /
			extents[0]);
	}
	return most;
}

/* A second load for a cell of a row of the box hits in L1; but each stored word
 * is a sector for L2.
 */
static void add_sectors(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t,
	struct tile_counts *c)
{
	const struct machine *m = q->machine;
	double part = bytes_of_sectors(p, t);

	c->load_bytes *= part;
	c->store_bytes = fmax(c->store_bytes * part, c->store_words *
		SECTOR_BYTES * m->bandwidth_bytes_per_s /
		m->l2_bandwidth_bytes_per_s);
}

/* The time of a word that occupies a line. */
static double line_s(const struct machine *m)
{
	return PASS_BYTES * (double) m->sm_count /
		m->smem_bandwidth_bytes_per_s;
}

/* The time of a statement's rows: a turn of all lanes, and the rest. */
struct row_times {
	double turn_s[MODEL_MAX_STATEMENTS], row_s[MODEL_MAX_STATEMENTS];
	double slice, lanes;	/* points of a row, over its cells, in a turn */
};

static void find_row_times(struct row_times *r, const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	double passes = passes_of(q, p, t);

	r->lanes = (double) q->machine->lanes_per_sm;
	r->slice = 1;
	for (int d = 1; d < q->shape->dims; ++d)
		r->slice *= (double) t->w[d];
	for (int i = 0; i < q->shape->statements; ++i) {
		r->turn_s[i] = fmax(q->work.citer_s[i],
			passes * q->work.moves_s[i]);
		r->row_s[i] = ceil(r->slice / r->lanes) *
			fmax(q->work.citer_row_s[i],
				passes * q->work.moves_row_s[i]);
	}
}

/* pp9_rows_s of the tile's rows. */
static double lanes_compute_s(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	struct row_times r;
	double sum = 0;

	find_row_times(&r, q, p, t);
	for (int a = 0; a < p->n_rows; ++a) {
		int i = p->row[a].statement;

		sum += ceil((double) hex_row_length(p, t, a) * r.slice /
			r.lanes) * r.turn_s[i] + r.row_s[i];
	}
	return sum;
}

/* An upper bound, without looking at rows: all turns use all lanes. */
static double least_compute_s(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	const double rounding = 1 - 1e-9;
	struct row_times r;
	double sum = 0;

	find_row_times(&r, q, p, t);
	for (int i = 0; i < q->shape->statements; ++i) {
		double cells = (double) (p->of[i].rows * t->w[0] +
			p->of[i].cells);

		sum += fmax(cells, 0) * r.slice / r.lanes * r.turn_s[i] +
			p->of[i].rows * r.row_s[i];
	}
	return rounding * sum;
}

void hex_set_compute(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, struct tile_counts *c)
{
	c->compute_s = lanes_compute_s(q, p, t);
}

/* Instructions a word, with their addresses: taken from the PTX of examples. */
#define COPY_IN 4
#define COPY_OUT 2
#define MOVE 3

/* The instructions that copy what "c" counts, and that move reused words. */
static double copies_s(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, const struct tile_counts *c)
{
	const struct machine *m = q->machine;
	double moved = hex_load_words(p, t, HEX_LOADS_BOX) -
		hex_load_words(p, t, HEX_LOADS_BOX_REUSE);

	double lines_s = q->across ? (c->load_words + c->store_words) *
		line_s(m) : 0;

	if (q->loads != HEX_LOADS_EXACT_REUSE)
		moved = 0;
	return lines_s + (COPY_IN * c->load_words + COPY_OUT * c->store_words +
		MOVE * moved) / (double) m->lanes_per_sm / m->clock_hz;
}

static void set_words(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, struct tile_counts *c)
{
	double ts[MODEL_MAX_DIMS], s[MODEL_MAX_DIMS];

	if (c->row_tiles > 0)
		c->restart_bytes = (hex_load_bytes(p, t, HEX_LOADS_BOX) -
			hex_load_bytes(p, t, HEX_LOADS_BOX_REUSE)) /
			c->row_tiles;
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

/* The bytes of the inputs that a tile reads, each cell once: the rows after it find it in L1. */
static double input_bytes(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	double bytes = q->work.input_bytes * (double) (t->w[0] + p->widest);

	for (int d = 1; bytes > 0 && d < q->shape->dims; ++d)
		bytes *= (double) t->w[d];
	return bytes;
}

void hex_set_words(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, struct tile_counts *c)
{
	if (q->no_transfers)
		return;
	set_words(q, p, t, c);
	c->load_bytes += input_bytes(q, p, t);
	if (q->across)
		add_sectors(q, p, t, c);
	if (q->work.counts_copies && q->shared)
		c->compute_s += copies_s(q, p, t, c);
}

/* Waves ------------------------------------------------------------------- */

/* Tiles along dimension "d". */
static double tiles_along(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t, int d)
{
	return ceil((double) (q->size[d] - p->row[p->n_rows - 1].dim[d].from) /
		(double) t->w[d]);
}

/* Columns that must lie between the chunks of a launch: as far back as a
 * dependence over at most all buffers can lead, plus what a box reaches beyond.
 */
static double reach(const struct hex_profile *p)
{
	const struct hex_shape *s = p->shape;
	struct rational skew = s->delta1[1];
	int64_t age = 0, back, most;

	for (int i = 0; i < s->n_reads; ++i)
		if (s->array[s->read[i].array].writer >= 0 &&
		    s->read[i].age > age)
			age = s->read[i].age;
	for (int a = 0; a < s->n_arrays; ++a)
		if (s->array[a].writer >= 0 &&
		    (int64_t) s->array[a].buffers * s->statements > age)
			age = (int64_t) s->array[a].buffers * s->statements;
	back = ceil_div(skew.num * (age + p->n_rows - 1), skew.den);
	most = back + 2;
	for (int a = 0; a < s->n_arrays; ++a) {
		struct hex_range box = p->box[a][1];

		if (!p->used[a])
			continue;
		most = 1 - box.from > most ? 1 - box.from : most;
		most = back + box.to + 3 > most ? back + box.to + 3 : most;
	}
	return (double) most;
}

/* Blocks that the machine holds at once, at least two for each SM. */
static double blocks_wanted(const struct hex_query *q,
	const struct tile_counts *c)
{
	const struct machine *m = q->machine;
	double k = fmin((double) m->max_blocks_per_sm,
		floor((double) m->max_threads_per_sm / c->threads));

	if (q->shared)
		k = fmin(k, floor((double) m->shared_bytes_per_sm /
			(c->shared_bytes +
			 (double) m->shared_reserved_bytes)));
	return (double) m->sm_count * fmax(k, 2);
}

/* Launches, their blocks and the tiles of a block, if launches hold chunks of
 * several phases.
 */
static void set_waves(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, struct tile_counts *c)
{
	int dims = q->shape->dims;
	bool reuse = q->shared && q->loads == HEX_LOADS_EXACT_REUSE;
	struct wave_grid g = {
		.hexagons = c->tiles_per_phase,
		.phases = floor((c->steps - 1) / (c->rows / 2)) + 2,
		.tiles = tiles_along(q, p, t, 1),
		.least_chunk = ceil(reach(p) / (double) t->w[1]),
		.enough = blocks_wanted(q, c),
		.is_reused = dims == 2 && reuse,
	};
	struct waves w = waves_of(&g);

	c->launches = w.launches;
	c->tiles_per_phase = w.blocks;
	c->tiles_per_prism = w.chunk_tiles;
	for (int d = 2; d < dims; ++d)
		c->tiles_per_prism *= tiles_along(q, p, t, d);
	if (reuse)
		c->row_tiles = dims == 2 ? w.chunk_tiles :
			tiles_along(q, p, t, dims - 1);
}

/* Does the query force the threads of a block? */
static bool has_threads(const struct hex_query *q)
{
	bool has = true;

	for (int i = 0; i < 3 && i < q->shape->dims; ++i)
		has = has && q->forced.threads[i] > 0;
	return has;
}

/* Sides of the grid ------------------------------------------------------- */

/* A tile at a side asks of each cell whether it exists, in loops: a thread waits for each copy
 * that it makes, of all versions of a cell together, and for each point that it computes.  A copy
 * takes so many latencies of memory, alone or if all start together; a point so many Citer, which
 * is the time where MODEL_POINTS_OF_LANE are under way.  Fitted to 134 timings of hexagons in two
 * and three dimensions on an H200.
 */
#define SIDE_COPY 0.8
#define SIDE_COPY_AHEAD 0.25
#define SIDE_POINT 6.5

/* Instructions of each thread for a row of one dimension, beside those of its points: the bounds,
 * the ends, the barrier.  Fitted to 8 timings on an H200.
 */
#define ROW_INSTRUCTIONS 32

/* The threads of a block, as in the code. */
static void threads_of_code(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t,
	int64_t threads[3])
{
	if (q->column_points > 0)
		hex_column_threads(t, q->shape->dims,
			hex_narrowest_row(q->shape, t), q->forced.threads,
			threads);
	else if (has_threads(q))
		memcpy(threads, q->forced.threads, 3 * sizeof(*threads));
	else
		hex_loop_threads(q, p, t, threads);
	for (int i = 0; i < 3; ++i)
		threads[i] = larger(threads[i], 1);
}

/* Cells of its boxes that a thread copies. */
static double copies_of_thread(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t,
	const int64_t threads[3])
{
	int dims = q->shape->dims;
	double extents[MODEL_MAX_DIMS], sum = 0;

	for (int a = 0; a < p->shape->n_arrays; ++a) {
		double copies = 1;

		if (!p->used[a] || p->shape->array[a].unread)
			continue;
		hex_box(p, t, a, extents);
		for (int d = 0; d < dims; ++d)
			copies *= d + 3 < dims ? extents[d] : ceil(extents[d] /
				(double) threads[dims - 1 - d]);
		sum += copies;
	}
	return sum;
}

/* The computing time of a thread that waits for the inputs of each point. */
static double alone_s(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t, double threads)
{
	double slice = 1, sum = 0;

	for (int d = 1; d < q->shape->dims; ++d)
		slice *= (double) t->w[d];
	for (int i = 0; i < q->shape->statements; ++i)
		sum += fmax((double) (p->of[i].rows * t->w[0] +
			p->of[i].cells), 0) * (SIDE_POINT * q->work.citer_s[i] +
			(q->work.waits[i] ? q->machine->memory_latency_s : 0));
	return sum * slice / threads;
}

/* Rows that read inputs wait for memory, as their threads have nothing else to do. */
static double wait_s(const struct hex_query *q, const struct hex_profile *p)
{
	double rows = 0;

	for (int i = 0; i < q->shape->statements; ++i)
		rows += q->work.waits[i] ? p->of[i].rows : 0;
	return rows * q->machine->memory_latency_s;
}

static double side_s(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t)
{
	const struct machine *m = q->machine;
	int64_t threads[3];
	double all, seconds;

	threads_of_code(q, p, t, threads);
	all = (double) threads[0] * (double) threads[1] * (double) threads[2];
	seconds = alone_s(q, p, t, all) +
		p->n_rows * machine_sync_s(m, all);
	if (q->shared && !q->no_transfers)
		seconds += (q->starts ? SIDE_COPY_AHEAD : SIDE_COPY) *
			m->memory_latency_s * copies_of_thread(q, p, t, threads);
	return seconds;
}

/* The time of a row's instructions beside those of its points, in one dimension. */
static double row_s(const struct hex_query *q, const struct hex_profile *p,
	const struct hex_tile *t)
{
	const struct machine *m = q->machine;
	int64_t threads[3];

	threads_of_code(q, p, t, threads);
	return ROW_INSTRUCTIONS * (double) threads[0] /
		(double) m->lanes_per_sm / m->clock_hz;
}

/* Skewed rectangles: a launch has the tiles of a wavefront. */
static void set_wavefronts(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t,
	struct tile_counts *c)
{
	c->wavefronts = (struct wavefronts) {
		.times = ceil_div(q->steps, t->h), .points = q->size[0],
		.w0 = t->w[0], .drift = p->drift, .f1 = p->f1,
	};
	c->tiles_per_phase = (double) wavefronts_most(&c->wavefronts);
}

/* The fewest threads a block of "t" may be launched with. */
static double fewest_threads(const struct hex_query *q,
	const struct hex_tile *t)
{
	int64_t columns[3];
	double n = q->forced.threads[0] > 0 ? (double) q->forced.threads[0] :
		(double) q->machine->warp_size;

	for (int i = 1; i < 3; ++i)
		if (q->forced.threads[i] > 0)
			n *= (double) q->forced.threads[i];
	if (q->column_points > 0) {
		hex_column_threads(t, q->shape->dims,
			hex_narrowest_row(q->shape, t), q->forced.threads,
			columns);
		n = (double) columns[0] * (double) columns[1] *
			(double) columns[2];
	}
	return n;
}

struct tile_counts hex_counts_but_words(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	struct tile_counts c = {
		.steps = (double) q->steps * q->shape->statements,
		.rows = p->n_rows,
		.tiles_per_phase = tiles_per_phase(q, p, t),
		.tiles_per_prism = tiles_per_prism(q, p, t),
		.shared_bytes = q->shared ? hex_block_bytes(q, p, t) : 0,
		.compute_s = least_compute_s(q, p, t),
		.is_serial = q->work.counts_copies && !q->async,
		.no_transfers = q->no_transfers,
		.threads = fewest_threads(q, t),
	};

	if (q->column_points > 0)
		c.ready = hex_points(q->shape, t) / p->n_rows;
	else if (has_threads(q))
		c.ready = c.threads;
	if (q->shape->is_skewed)
		set_wavefronts(q, p, t, &c);
	else if (q->waves && q->shape->dims > 1) {
		set_waves(q, p, t, &c);
		c.side_s = side_s(q, p, t);
		c.wait_s = wait_s(q, p);
	} else if (q->waves) {
		c.row_s = row_s(q, p, t);
	}
	return c;
}

struct tile_counts hex_counts(const struct hex_query *q,
	const struct hex_profile *p, const struct hex_tile *t)
{
	struct tile_counts c = hex_counts_but_words(q, p, t);

	hex_set_compute(q, p, t, &c);
	hex_set_words(q, p, t, &c);
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

/* Registers of a thread that computes columns, where none are given: ptxas takes some 95 to 200 for
 * straight code (make bench-widths).
 */
#define COLUMN_REGISTERS 128

static double registers_of(const struct hex_query *q)
{
	bool are_guessed = q->registers_per_thread <= 0 && q->waves &&
		q->shape->dims > 1 && q->column_points > 0;

	return are_guessed ? COLUMN_REGISTERS :
		(double) q->registers_per_thread;
}

double hex_blocks_per_sm(const struct hex_query *q,
	const struct tile_counts *c, const char **name)
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
	limit(&k, name, (double) m->max_threads_per_sm / c->threads,
		"max_threads_per_sm");
	if (registers_of(q) > 0)
		limit(&k, name, fmax((double) m->registers_per_sm /
			(c->threads * registers_of(q)),
			q->registers_per_thread > 0 ? 0 : 1),
			"registers_per_sm");
	limit(&k, name, ceil(c->tiles_per_phase / (double) m->sm_count),
		"tiles_per_phase");
	return k;
}

/* The points that one of "threads" computes, if it computes whole columns; in one dimension the
 * ends of each row add a part.
 */
static double points_of_thread(const struct hex_query *q,
	const struct hex_tile *t, const int64_t threads[3])
{
	double points = hex_points(q->shape, t) / ((double) threads[0] *
		(double) threads[1] * (double) threads[2]);

	return q->shape->dims > 1 ? points : points +
		(double) hex_rows(q->shape, t->h);
}

enum hex_columnless hex_why_columnless(const struct hex_query *q,
	const struct hex_tile *t)
{
	int dims = q->shape->dims;
	int64_t threads[3], narrowest = hex_narrowest_row(q->shape, t);

	hex_column_threads(t, dims, narrowest, q->forced.threads, threads);
	if (dims == 1 && threads[0] > narrowest)
		return HEX_OTHER_THREADS;
	for (int i = 0; dims > 1 && i < 3 && i < dims; ++i)
		if (i == dims - 1 ? threads[i] != 1 :
		    t->w[dims - 1 - i] % threads[i] != 0)
			return HEX_OTHER_THREADS;
	return points_of_thread(q, t, threads) > q->column_points ? HEX_MANY_POINTS :
		HEX_COLUMNLESS;
}


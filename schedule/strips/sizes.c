/* Strips of register streaming: requested sizes, and why some are impossible. */
#include <math.h>

#include "schedule/strips/strips.h"

enum { MOST_STEPS = 32, MOST_ROWS = 16, MOST_CELLS = 8, MOST_AHEAD = 32, MOST_BLOCKS = 32,
	MOST_CLUSTER = 8 };

/* Are there iterations whose rows registers can hold ahead? */
static bool can_keep_rows(const struct scop *scop,
	const struct tile_request *r)
{
	return scop->n_dims > 1 && !r->opt.async;
}

struct stream strip_of_request(const struct scop *scop,
	const struct tile_request *r)
{
	int lanes = size_or(r->threads[0], r->warp);
	int length = scop->n_dims > 1 ? size_or(r->l, 128) : 1;

	return (struct stream) {
		.b = size_or(r->b, larger(scop->n_dims > 2 ? 2 : 4,
			strip_deepest(scop))),
		.cells = size_or(r->v, 4),
		.rows = size_or(r->y, scop->n_dims > 2 ? 2 : 1),
		.length = length,
		.first = r->f > 0 ? r->f : length,
		.warp = r->warp,
		.lanes = lanes,
		.warps = size_or(r->threads[1], lanes > r->warp ? 1 :
			scop->n_dims > 2 ? 8 : 4),
		.ahead.rows = r->p >= 0 ? r->p : can_keep_rows(scop, r),
		.ahead.used = r->opt.async && scop->n_dims > 1,
		.ahead.bulk = r->opt.bulk && scop->n_dims > 1,
		.blocks = size_or(r->k, 1),
		.exchange.blocks = size_or(r->c, 1),
	};
}

static bool threads_are_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r)
{
	int x = r->threads[0], warp = r->warp;

	if (x > 0 && x % warp) {
		diag_plain(d, E_TILE, "%d threads: a strip is a warp of %d, "
			"or warps, and --threads=%d,4 means four strips a "
			"block", x, warp, warp);
		return false;
	}
	if (x > warp && scop->n_dims != 2) {
		diag_plain(d, E_TILE, "%d threads: in %s a strip is a warp of "
			"%d", x, scop->n_dims < 2 ? "one dimension" :
			"three dimensions", warp);
		return false;
	}
	if (x > warp && r->threads[1] > 1) {
		diag_plain(d, E_TILE, "%d,%d threads: the warps of a block "
			"are one strip or a strip each", x, r->threads[1]);
		return false;
	}
	if (r->threads[2] > 1) {
		diag_plain(d, E_TILE, "%d threads along z: a block is warps "
			"in y", r->threads[2]);
		return false;
	}
	return true;
}

const char *strip_why_no_clusters(const struct scop *scop,
	const struct tile_request *r)
{
	if (r->c < 0 || r->c == 1)
		return NULL;
	if (r->c == 0 || r->c > MOST_CLUSTER || (r->c & (r->c - 1)))
		return "it is 1, 2, 4 or 8";
	if (scop->n_dims < 3)
		return scop->n_dims < 2 ? "in one dimension blocks leave each "
			"other nothing; c is 1" : "in two dimensions blocks "
			"leave each other nothing; c is 1";
	return r->launches == LAUNCHES_RESIDENT ? "--launch=resident is for "
		"blocks that are no clusters; leave one of the two away" : NULL;
}

static bool cluster_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r)
{
	const char *why = strip_why_no_clusters(scop, r);

	if (why)
		diag_plain(d, E_TILE, "c = %d: %s", r->c, why);
	return !why;
}

bool strip_request_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r)
{
	if (!size_is_possible(d, "b", r->b, strip_deepest(scop), MOST_STEPS) ||
	    !size_is_possible(d, "v", r->v, 1, MOST_CELLS) ||
	    !size_is_possible(d, "y", r->y, 1,
		scop->n_dims > 2 ? MOST_ROWS : 1) ||
	    !size_is_possible(d, "l", r->l, 1,
		scop->n_dims > 1 ? STRIP_MOST : 1) ||
	    (r->f > 0 && !size_is_possible(d, "f", r->f, size_or(r->l, 1),
		scop->n_dims > 1 ? STRIP_MOST : 1)) ||
	    !size_is_possible(d, "p", r->p, 0, MOST_AHEAD) ||
	    !size_is_possible(d, "k", r->k, 1, MOST_BLOCKS))
		return false;
	if (r->f > 0 && r->l <= 0) {
		diag_plain(d, E_TILE, "f = %d: strips behind the first one have "
			"their own length; give l, too", r->f);
		return false;
	}
	if (r->v > 0 && (r->v & (r->v - 1))) {
		diag_plain(d, E_TILE, "v = %d: it is 1, 2, 4 or 8", r->v);
		return false;
	}
	if (r->p > 0 && !can_keep_rows(scop, r)) {
		diag_plain(d, E_TILE, "p = %d: %s", r->p, scop->n_dims < 2 ?
			"in one dimension there are no rows to load ahead" :
			"--async copies rows ahead; p is 0");
		return false;
	}
	return threads_are_possible(d, scop, r) &&
		cluster_is_possible(d, scop, r);
}

void strip_to_request(struct tile_request *r, const struct stream *s)
{
	r->b = s->b;
	r->v = s->cells;
	r->y = s->rows;
	r->l = s->length;
	r->f = s->first > s->length ? s->first : 0;
	r->p = s->ahead.used ? 0 : s->ahead.rows;
	r->k = s->blocks;
	r->c = s->exchange.blocks;
	r->threads[0] = s->lanes;
	r->threads[1] = s->warps;
	r->threads[2] = 1;
}

/* The narrowest strip of the fewest steps, which takes the fewest registers. */
static void ask_least(const struct scop *scop, const struct outlook *outlook,
	struct tile_request *r)
{
	struct stream s;

	r->b = strip_deepest(scop);
	r->y = 1;
	r->p = 0;
	for (r->v = 1; r->v < MOST_CELLS; r->v *= 2) {
		s = strip_of_request(scop, r);
		strip_find_schedule(scop, &s);
		strip_find_place(scop, &s);
		if (!strip_refuse(scop, &s, outlook->machine).by)
			return;
	}
}

bool strip_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *r)
{
	struct stream s;

	if (!strip_request_is_possible(d, scop, r))
		return false;
	if (tile_request_is_open(r))
		ask_least(scop, outlook, r);
	s = strip_of_request(scop, r);
	strip_to_request(r, &s);
	if (r->launches == LAUNCHES_AUTO)
		r->launches = LAUNCHES_DIRECT;
	return true;
}

/* The greatest distance from which a statement takes a neighbour's values. */
static int taken_from(const struct scop *scop, const struct stream *s)
{
	int n = 0;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind == FIELD_STATE)
			n = larger(n, larger(stream_taken_before(s, f),
				stream_taken_after(s, f)));
	}
	return n;
}

int strip_stored(const struct stream *s, int d)
{
	return d == s->dim.stream ? s->length :
		d == s->dim.row ? s->height : s->width;
}

/* Refusals -------------------------------------------------------------- */

/* Bulk copies move whole rows, which begin with the cells of any lane, in multiples of
 * BULK_BYTES; at edges lanes copy single cells of at least LEAST_BYTES.
 */
static bool can_be_copied(const struct stream *s, const struct field *f)
{
	int bytes = type_size(f->type);

	return s->ahead.bulk ? s->cells * bytes % BULK_BYTES == 0 :
		!s->ahead.used || bytes >= LEAST_BYTES;
}

/* A state that cannot be copied ahead with "s"; NULL: all can. */
static const struct field *not_copied(const struct scop *scop,
	const struct stream *s)
{
	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind == FIELD_STATE && !can_be_copied(s, f))
			return f;
	}
	return NULL;
}

static struct refusal refused(enum refused by, double need)
{
	return (struct refusal) { .by = by, .need = need };
}

/* Conditions on the columns and rows of "s". */
static struct refusal refuse_place(const struct scop *scop,
	const struct stream *s)
{
	int far = taken_from(scop, s);

	if (s->width <= 0)
		return refused(TOO_NARROW, -s->width);
	if (s->dim.row >= 0 && s->height <= 0)
		return refused(TOO_LOW, -s->height);
	if (far > (stream_is_joined(s) ? s->cells : s->rows))
		return refused(READS_TOO_FAR, far);
	return refused(NOT_REFUSED, 0);
}

static bool ahead_is_in_turn(const struct stream *s)
{
	return s->ahead.rows == 0 || s->ahead.used ||
		s->period % s->ahead.rows == 0;
}

struct refusal strip_refuse(const struct scop *scop, const struct stream *s,
	const struct machine *m)
{
	struct refusal r;
	int64_t bytes;

	if (stream_is_clustered(s) &&
	    s->exchange.blocks > m->cluster_blocks)
		return refused(NO_CLUSTERS, s->exchange.blocks);
	if (not_copied(scop, s))
		return refused(NOT_ALIGNED, 0);
	if (!ahead_is_in_turn(s))
		return refused(NOT_IN_TURN, s->ahead.rows);
	if ((s->first - s->length) % s->period)
		return refused(NOT_IN_TURN, s->first);
	r = refuse_place(scop, s);
	if (r.by)
		return r;
	bytes = stream_shared_bytes(s, scop);
	return bytes <= m->shared_bytes_per_block ? r :
		refused(TOO_MUCH_SHARED, (double) bytes);
}

int stream_rows_extents(const struct stream *s, const struct field *f,
	int extent[4])
{
	int i = f->index, n = 2;

	extent[0] = s->b + f->depth;
	extent[1] = s->period;
	if (s->dim.row >= 0)
		extent[n++] = s->beside.above[i] + s->rows +
			s->beside.below[i];
	extent[n++] = s->beside.left[i] + s->cells + s->beside.right[i];
	return n;
}

static int64_t bytes_of_rows(const struct stream *s, const struct field *f)
{
	int extent[4], n = stream_rows_extents(s, f, extent);
	int64_t bytes = type_size(type_promoted(f->type));

	for (int i = 0; i < n; i++)
		bytes *= extent[i];
	return bytes;
}

/* nvcc keeps arrays of up to 8 KB in registers, and larger ones in memory: star3d4r with
 * b=1,v=2,y=4 has 8640 bytes and takes four times as long.
 */
enum { MOST_BYTES = 8192 };

/* A state of whose rows a lane keeps more, or NULL. */
static const struct field *too_large(const struct scop *scop,
	const struct stream *s)
{
	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind == FIELD_STATE && bytes_of_rows(s, f) > MOST_BYTES)
			return f;
	}
	return NULL;
}

struct refusal strip_refuse_arrays(const struct scop *scop,
	const struct stream *s)
{
	const struct field *f = too_large(scop, s);

	return f ? refused(NOT_IN_REGISTERS, (double) bytes_of_rows(s, f)) :
		refused(NOT_REFUSED, 0);
}

enum refused strip_refused_registers(const struct strip_terms *t)
{
	return t->k < 1 ? NO_BLOCK_FITS : TOO_MANY_REGISTERS;
}

/* Reasons ----------------------------------------------------------------- */

static const char *sizes_of(const struct scop *scop, const struct stream *s)
{
	const char *sizes = region_printf(scop->mem, "b = %d, v = %d",
		s->b, s->cells);

	if (scop->n_dims > 2)
		return region_printf(scop->mem, "%s, y = %d, %d warps%s", sizes,
			s->rows, s->warps, !stream_is_clustered(s) ? "" :
			region_printf(scop->mem, ", c = %d",
			s->exchange.blocks));
	return stream_is_joined(s) ? region_printf(scop->mem, "%s, %d warps",
		sizes, s->lanes / s->warp) : sizes;
}

struct refusal strip_refuse_registers(const struct scop *scop,
	const struct stream *s, const struct machine *m,
	const struct strip_terms *t)
{
	const char *blocks = s->blocks > 1 ? region_printf(scop->mem,
		"each of %d blocks", s->blocks) : "a block";

	return (struct refusal) { strip_refused_registers(t), t->registers,
		region_printf(scop->mem, "%s: a thread needs %.0f registers, "
		"more than %s has for the %d threads of %s", sizes_of(scop, s),
		ceil(t->registers), m->name, s->lanes * s->warps, blocks) };
}

static const char *why_not_aligned(const struct scop *scop,
	const struct stream *s)
{
	const struct field *f = not_copied(scop, s);

	return s->ahead.bulk ? region_printf(scop->mem,
		"--async=bulk copies rows that begin at a multiple of %d "
		"bytes, and %d cells of '%s' are %d bytes", BULK_BYTES,
		s->cells, f->name, s->cells * type_size(f->type)) :
		region_printf(scop->mem, "--async=yes copies %d bytes and "
		"more at a time, and a cell of '%s' has %d", LEAST_BYTES,
		f->name, type_size(f->type));
}

static const char *why_not_in_turn(const struct scop *scop,
	const struct stream *s)
{
	return !ahead_is_in_turn(s) ? region_printf(scop->mem,
		"%d rows ahead are not in turn with the %d of a version that "
		"are kept; p is 0 or divides these", s->ahead.rows,
		s->period) : region_printf(scop->mem, "f = %d is not l = %d "
		"and a multiple of %d, the rows of a version that are kept",
		s->first, s->length, s->period);
}

static const char *why_out_of_place(const struct scop *scop,
	const struct stream *s, enum refused by)
{
	struct region *mem = scop->mem;
	int lane = s->dim.lane, row = s->dim.row;

	if (by == TOO_NARROW)
		return region_printf(mem, "of the %d columns of a strip, %d "
			"are read on the left and %d on the right, and none "
			"is stored", s->lanes * s->cells, s->before[lane],
			s->after[lane]);
	if (by == TOO_LOW)
		return region_printf(mem, "of the %d rows of a %s, %d are "
			"read before and %d after, and none is stored",
			s->rows * stream_warps_of_rows(s),
			stream_is_clustered(s) ? "cluster" : "block",
			s->before[row], s->after[row]);
	return region_printf(mem, stream_is_joined(s) ?
		"columns are read %d away, and a lane has the columns of its "
		"neighbours only" : "rows are read %d away, and a warp has "
		"the rows of its neighbours only", taken_from(scop, s));
}

static const char *why_too_much(const struct scop *scop,
	const struct stream *s, const struct machine *m, enum refused by)
{
	const struct field *f = too_large(scop, s);

	if (by == NOT_IN_REGISTERS)
		return region_printf(scop->mem, "the rows of '%s' that a lane "
			"keeps are %lld bytes, and compilers keep %d in "
			"registers", f->name, (long long) bytes_of_rows(s, f),
			MOST_BYTES);
	return region_printf(scop->mem, "the %s exchange%s need %lld bytes of "
		"shared memory, a block of %s has %lld", stream_is_joined(s) ?
		"columns that lanes" : "rows that warps", s->ahead.used ?
		", and what is copied ahead," : "", (long long)
		stream_shared_bytes(s, scop), m->name,
		(long long) m->shared_bytes_per_block);
}

static const char *why_no_cluster(const struct scop *scop,
	const struct machine *m)
{
	return m->cluster_blocks > 0 ? region_printf(scop->mem,
		"%s has clusters of %lld blocks at most", m->name,
		(long long) m->cluster_blocks) : region_printf(scop->mem,
		"%s has no clusters of blocks, as sm_90 and newer have; c is 1",
		m->name);
}

static const char *reason(const struct scop *scop, const struct stream *s,
	const struct machine *m, enum refused by)
{
	switch (by) {
	case NO_CLUSTERS:
		return why_no_cluster(scop, m);
	case NOT_ALIGNED:
		return why_not_aligned(scop, s);
	case NOT_IN_TURN:
		return why_not_in_turn(scop, s);
	case TOO_NARROW:
	case TOO_LOW:
	case READS_TOO_FAR:
		return why_out_of_place(scop, s, by);
	default:
		return why_too_much(scop, s, m, by);
	}
}

const char *strip_why(const struct scop *scop, const struct stream *s,
	const struct machine *m, enum refused by)
{
	return region_printf(scop->mem, "%s: %s", sizes_of(scop, s),
		reason(scop, s, m, by));
}

/* Input for the model of strips: the shape of strips of given sizes. */
#include "schedule/strips/strips.h"

/* WAIT: instructions of a lane that wait for a row copied in bulk, and test
 * whether this lane copies the next one.
 */
enum { SECTOR = 32, WIDEST = 16, MOST_ROWS = 16, MOST_WIDTHS = 4, WAIT = 5 };

static bool is_state(const struct field *f)
{
	return f->kind == FIELD_STATE;
}

/* Common to all sizes ----------------------------------------------------- */

/* How a step loads an input. */
struct loads {
	int reads;
	int rows;		/* number read by some statement, each once */
	int outer;		/* cells beside those of a lane in these */
	int along, across;	/* reads with the lanes' dimension, and without
				 * it, of a field with fewer dimensions */
	int strided;		/* bytes of reads with a stride */
	int bytes;		/* bytes that arrive for a point, at least */
};

struct strip_facts {
	struct strip_usage *usage;	/* by field */
	struct loads *loads;
	bool one_grid;
	bool has_boundaries;
	/* By statement, and logarithms of a lane's cells and rows; empty if
	 * "known" is false.
	 */
	struct mix {
		bool known;
		struct instruction_mix mix;
	} (*mix)[MOST_WIDTHS][MOST_ROWS + 1];
};

/* Does "acc" have the lanes' dimension? */
static bool lies_along(const struct stream *s, const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] == s->dim.lane)
			return true;
	return false;
}

/* How far reads reach beyond a lane's cells in the row of "read". */
static int outer_cells(const struct stream *s, const struct stmt *stmt,
	int read)
{
	int left = 0, right = 0;

	for (int i = 0; i < stmt->n_reads; i++) {
		int o = (int) stmt->read[i]->offset[s->dim.lane];

		if (!stream_same_rows(s, stmt->read[i], stmt->read[read]))
			continue;
		left = larger(left, -o);
		right = larger(right, o);
	}
	return left + right;
}

static struct loads loads_of(const struct scop *scop, const struct stream *s,
	const struct field *f)
{
	struct loads l = { 0 };

	for (int c = 0; c < scop->k; c++) {
		const struct stmt *stmt = scop->prog->stmt[c];

		for (int i = 0; i < stmt->n_reads; i++) {
			if (stmt->read[i]->field != f)
				continue;
			l.reads++;
			if (read_is_first(stmt, i))
				l.bytes += read_bytes(stmt, stmt->read[i]);
			if (access_strides(stmt->read[i]))
				l.strided += read_bytes(stmt, stmt->read[i]);
			else if (f->n_dims != scop->n_dims) {
				if (lies_along(s, stmt->read[i]))
					l.along++;
				else
					l.across++;
			} else if (stream_is_first_row(s, stmt, i)) {
				l.rows++;
				l.outer += outer_cells(s, stmt, i);
			}
		}
	}
	return l;
}

struct strip_facts *strip_find_facts(const struct scop *scop,
	const struct stream *s)
{
	struct strip_facts *facts = region_new_of(scop->mem,
		struct strip_facts);
	int n = scop->prog->n_fields;

	facts->usage = region_array(scop->mem, struct strip_usage, n);
	facts->loads = region_array(scop->mem, struct loads, n);
	facts->mix = region_alloc(scop->mem, sizeof(facts->mix[0]) *
		(size_t) scop->k);
	for (int i = 0; i < n; i++) {
		const struct field *f = scop->prog->field[i];

		if (is_state(f))
			facts->usage[i] = strip_usage(scop, s, f);
		else
			facts->loads[i] = loads_of(scop, s, f);
	}
	facts->one_grid = stream_has_one_grid(s, scop);
	for (int i = 0; i < scop->k; i++)
		facts->has_boundaries = facts->has_boundaries ||
			stmt_is_mapped(scop->prog->stmt[i]);
	return facts;
}

/* The shape -------------------------------------------------------------- */

/* Instructions that move "n" values to or from memory. */
static double pieces_of(int n, int size)
{
	if (n & (n - 1))
		return n;
	return n * size > WIDEST ? n * size / WIDEST : n > 0;
}

/* What a lane leaves for its neighbours and takes from them. */
static void add_exchange(struct strip_shape *shape, const struct stream *s,
	const struct field *f)
{
	int size = type_size(type_promoted(f->type));
	int before = stream_taken_before(s, f);
	int after = stream_taken_after(s, f);

	if (stream_is_joined(s)) {
		shape->work.shared_moves += 2.0 * (before + after) * size / 4;
		shape->work.shared_accesses += 2 * (pieces_of(before, size) +
			pieces_of(after, size));
		return;
	}
	shape->work.shared_moves += 2.0 * (before + after) * s->cells * size / 4;
	shape->work.shared_accesses += 2 * (before + after) *
		pieces_of(s->cells, size);
}

/* Rows ahead in registers.  In two dimensions warps of their own still read a single one of doubles while
 * the next one is loaded (fdtd2d); estimates for others have that.
 */
static int rows_under_way(const struct stream *s, const struct field *f)
{
	bool apart = s->dim.row < 0 && !stream_is_joined(s);

	return apart && strip_words(f->type) > 1 && s->ahead.rows == 1 ? 2 :
		s->ahead.rows;
}

/* Loads and stores of a state's cells; a temp has none. */
static void add_transfers(struct strip_shape *shape, const struct stream *s,
	const struct field *f)
{
	double pieces = pieces_of(s->cells, type_size(f->type));

	if (!s->ahead.used)
		shape->kept.words += (double) strip_words(f->type) *
			rows_under_way(s, f) * f->depth * s->rows * s->cells;
	shape->traffic.load_bytes += f->depth * type_size(f->type);
	shape->traffic.store_bytes += f->depth * type_size(f->type);
	shape->work.loads += f->depth * (pieces + 1) *
		(stream_copies_cells(s) ? 2 : 1);
	shape->work.stores += f->depth * (pieces + 2);
}

static void add_state(struct strip_shape *shape, const struct stream *s,
	const struct strip_facts *facts, const struct field *f)
{
	struct strip_usage u = facts->usage[f->index];
	struct strip_rows kept = strip_kept_rows(s, u, f);
	int i = f->index, words = strip_words(f->type);
	int across = s->beside.left[i] + s->beside.right[i];
	int along = s->beside.above[i] + s->beside.below[i];
	int rows = kept.rows;

	shape->states++;
	shape->kept.beside_words += words * s->b * kept.positions * rows *
		(kept.cells - s->cells);
	shape->kept.words += words * (double) s->b * kept.positions * rows *
		kept.cells;
	if (u.beside <= 1)
		shape->kept.passing_words += rows * across * words;
	if (u.rows <= 1)
		shape->kept.passing_words += along * s->cells * words;
	if (!f->is_hidden)
		add_transfers(shape, s, f);
	if (!stream_is_joined(s))
		shape->work.shuffles += words * across;
	if (u.corners)
		shape->work.shuffles_beside += words * across * along;
	add_exchange(shape, s, f);
}

/* Each step that reads a row of an input loads it; the outer lanes of joined
 * warps also load the cells beside their own.  A field of fewer dimensions is
 * loaded cell by cell, which touches the sectors again for each of a lane's
 * cells, or one sector if all lanes read the same cell; so is one read with a
 * stride.
 */
static void add_input(struct strip_shape *shape, const struct scop *scop,
	const struct stream *s, const struct strip_facts *facts,
	const struct field *f)
{
	const struct loads *l = &facts->loads[f->index];
	int size = type_size(f->type);

	shape->inputs++;
	shape->work.input_loads += l->reads;
	if (f->n_dims == scop->n_dims) {
		shape->traffic.input_bytes += l->strided ? l->bytes : size;
		shape->has_input_rows = true;
	}
	shape->traffic.input_row_bytes += l->rows * size + l->along * s->cells * size +
		l->across + l->strided * s->cells;
	if (stream_is_joined(s))
		shape->traffic.input_row_bytes += (double) SECTOR * l->outer /
			(s->warp * s->cells);
}

/* Sectors that the warps of a strip touch in a row, of all columns or of those
 * "stored", for each sector that these would fill, on average over the strips
 * of a grid.  Rows of the grid start with a sector.  Lanes move 16 bytes at a
 * time: with more cells, each access touches halves.
 */
static double sectors_of(const struct stream *s, int size, bool stored)
{
	int warp = s->warp * s->cells * size, warps = s->lanes / s->warp;
	int before = s->before[s->dim.lane] * size, width = s->width * size;
	int low = stored ? before : 0;
	int high = stored ? before + width : warps * warp;
	int first = (SECTOR - before % SECTOR) % SECTOR, start = first;
	int touched = 0, strips = 0;

	do {
		for (int w = 0; w < warps; w++) {
			int from = larger(low, w * warp);
			int to = high < (w + 1) * warp ? high : (w + 1) * warp;

			if (from < to)
				touched += ((start + from) % SECTOR + to -
					from + SECTOR - 1) / SECTOR;
		}
		strips++;
		start = (start + width) % SECTOR;
	} while (start != first);
	return (double) touched * SECTOR / ((double) strips * (high - low)) *
		(s->cells * size > WIDEST ? 2 : 1);
}

static void find_sectors(struct strip_shape *shape, const struct stream *s)
{
	shape->traffic.load_sectors = sectors_of(s, shape->work.mix.word_bytes, false);
	shape->traffic.store_sectors = sectors_of(s, shape->work.mix.word_bytes, true);
}

/* The instructions of a cell in operations that a lane's cells share. */
static struct instruction_mix mix_of(const struct stream *s,
	struct strip_facts *facts, const struct stmt *stmt)
{
	const struct strip_parts *parts = &s->parts[stmt->index];
	int width = 0;
	struct mix *mix;

	while (1 << width < s->cells)
		width++;
	mix = &facts->mix[stmt->index][width][s->rows];
	if (!mix->known)
		mix->mix = parts->operations ?
			strip_mix(s, parts->operations) : parts->written;
	mix->known = true;
	return mix->mix;
}

static void add_mix(struct strip_shape *shape, const struct stream *s,
	struct strip_facts *facts, const struct stmt *stmt)
{
	struct instruction_mix mix = mix_of(s, facts, stmt);

	shape->work.mix.arithmetic += mix.arithmetic;
	shape->work.mix.wide += mix.wide;
	shape->work.mix.conversions += mix.conversions;
	shape->work.mix.special += mix.special;
	mix_add_roots(&shape->work.mix, &mix, 1);
	shape->work.mix.word_bytes = larger(shape->work.mix.word_bytes,
		type_size(stmt->write->field->type));
}

/* Parts are kept as rows are; further parts exist while they are computed. */
static void add_parts(struct strip_shape *shape, const struct stream *s,
	const struct stmt *stmt)
{
	const struct strip_parts *parts = &s->parts[stmt->index];
	int words = strip_words(stmt->write->field->type);
	int cells = s->rows * s->cells;

	shape->kept.words += (double) s->b * strip_parts_kept(parts) * cells * words;
	if (parts->n)
		shape->kept.passing_words += cells * words;
	shape->has_parts = shape->has_parts || parts->n;
}

/* Are there cells near edges that are computed otherwise than those far from them? */
static bool has_edges(const struct scop *scop, const struct stream *s)
{
	bool any = false;

	for (int c = 0; c < scop->k; c++)
		any = any || s->parts[c].differs;
	return any;
}

/* Cells at an end of the grid that are never written, or computed otherwise. */
static int margin_of(const struct scop *scop, const struct stream *s,
	const struct outlook *o, int dim)
{
	int reach = (s->before[dim] + s->b - 1) / s->b;
	int unwritten = (int) (o->grid[dim] - o->hull[dim] + 1) / 2;

	return has_edges(scop, s) ? larger(unwritten, reach) : unwritten;
}

bool strip_is_around(const struct scop *scop)
{
	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		for (int j = 0; j < s->n_reads; j++)
			for (int d = 0; d < s->read[j]->field->n_dims; d++)
				if (access_goes_around(s, s->read[j], d))
					return true;
	}
	return false;
}

static void find_edges(struct strip_shape *shape, const struct scop *scop,
	const struct stream *s, const struct outlook *o)
{
	const int dim[3] = { s->dim.stream, s->dim.row, s->dim.lane };
	struct strip_edges *e = &shape->edges;

	e->statements = scop->k;
	e->has_sides = s->dim.stream >= 0 && !stream_goes_around(s);
	for (int i = 0; i < 3; i++) {
		if (dim[i] < 0)
			continue;
		e->margin[i] = margin_of(scop, s, o, dim[i]);
		e->before[i] = s->before[dim[i]];
	}
	if (s->dim.stream >= 0)
		e->last = stream_lag(s, s->b - 1, scop->k - 1) -
			stream_lag(s, -1, 0) + e->margin[0] + s->ahead.rows;
}

/* Steps that a strip leaves out before it stores, as a number of iterations; it depends on the length
 * whether there are any.
 */
static double idle_iterations(const struct stream *s)
{
	double idle = 0;

	for (int m = 0; m < s->b; m++) {
		const int begin = s->walk.of + m * s->walk.step;
		const int end = begin < s->walk.begin ? begin : s->walk.begin;

		idle += larger(end - s->walk.first, 0);
	}
	return idle / s->b;
}

void strip_set_length(struct strip_shape *shape, const struct stream *s)
{
	shape->walk.iterations = s->walk.last - s->walk.first + 1;
	if (s->dim.stream < 0)
		return;
	shape->walk.idle = shape->walk.begins_late ? idle_iterations(s) : 0;
	shape->stored[0] = s->length;
	shape->walk.longer = s->first - s->length;
	shape->halo[0] = shape->walk.iterations - s->length;
	shape->edges.first = shape->halo[0] + shape->edges.margin[0];
}

struct strip_shape strip_shape_of(const struct scop *scop,
	const struct stream *s, struct strip_facts *facts,
	const struct outlook *o)
{
	const int dim[3] = { s->dim.stream, s->dim.row, s->dim.lane };
	struct strip_shape shape = {
		.steps = o->steps, .b = s->b, .v = s->cells,
		.y = s->dim.row < 0 ? 0 : s->rows,
		.p = stream_copied_before(s),
		.walk.turn = s->period,
		.walk.begins_late = stream_may_begin_late(s, scop),
		.warp = s->warp, .warps = s->warps * s->lanes / s->warp,
		.strips = s->dim.row < 0 ? s->warps : 1,
		.work.cluster = s->exchange.blocks,
		.kept.registers = (double) o->registers_per_thread,
		.kept.addresses = s->ahead.used,
		.kept.conditions = scop->is_guarded,
		.kept.pointers = stream_keeps_pointers(s, scop),
		.traffic.beyond = s->ahead.rows,
		.shared_bytes = (double) stream_shared_bytes(s, scop),
	};

	for (int i = 0; i < 3; i++) {
		if (dim[i] < 0)
			continue;
		shape.n[i] = o->grid[dim[i]];
		shape.stored[i] = strip_stored(s, dim[i]);
		shape.halo[i] = s->before[dim[i]] + s->after[dim[i]];
		shape.rim[i][0] = s->rim[dim[i]].low;
		shape.rim[i][1] = s->rim[dim[i]].high;
	}
	for (int i = 0; i < scop->prog->n_fields; i++)
		if (is_state(scop->prog->field[i]))
			add_state(&shape, s, facts, scop->prog->field[i]);
		else
			add_input(&shape, scop, s, facts,
				scop->prog->field[i]);
	for (int i = 0; i < scop->k; i++)
		add_mix(&shape, s, facts, scop->prog->stmt[i]);
	for (int i = 0; i < scop->k; i++)
		add_parts(&shape, s, scop->prog->stmt[i]);
	find_edges(&shape, scop, s, o);
	shape.edges.one_grid = facts->one_grid;
	shape.has_boundaries = facts->has_boundaries;
	strip_set_length(&shape, s);
	if (s->ahead.bulk)
		shape.work.loads += WAIT;
	find_sectors(&shape, s);
	return shape;
}

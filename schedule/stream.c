/* The strategy stream: register streaming, overlapped in time.
 *
 * A launch advances all states by b steps.  A warp holds 32*v cells of the
 * last dimension, v to a lane, and walks along the first; in three dimensions
 * a lane has y rows of the second.  Of each version t0 .. t0 + b a lane keeps
 * the positions that are still read, in registers; neighbours along the warp
 * are shuffled.  What is computed shrinks by what a step reads, so that of
 * the columns, and rows, of a strip only the inner ones are stored.  In three
 * dimensions the warps of a block lie side by side in the second, and leave
 * their outer rows in shared memory for each other, a barrier an iteration: a
 * row of another warp is there the iteration after it was computed.
 *
 * At iteration n statement i of local step m computes position
 *
 *	n - lag(m, i),   lag(m, i) = m*lag_step + lag[i]
 *
 * of the streamed dimension; a version v <= t0 of a field that statement p
 * writes is loaded as if p computed it: at position n - lag(v - 1, p).
 */
#include <string.h>

#include "schedule/strip.h"

enum { MOST_LAG = 32, MOST_STEPS = 32, MOST_LENGTH = 1 << 14,
	MOST_ROWS = 16, MOST_CELLS = 8 };

const char *names_stream(const struct tile_request *request)
{
	return request->b >= 0 ? "b" : request->v >= 0 ? "v" :
		request->y >= 0 ? "y" : request->l >= 0 ? "l" : NULL;
}

static const char *stream_foreign(const struct tile_request *request)
{
	static const char *const name[IR_MAX_DIMS] = {
		"w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7",
	};

	if (request->h >= 0)
		return "h";
	for (int i = 0; i < IR_MAX_DIMS; i++)
		if (request->w[i] >= 0)
			return name[i];
	return request->bx >= 0 ? "bx" : request->by >= 0 ? "by" :
		request->bz >= 0 ? "bz" :
		request->chunk_z >= 0 ? "chunk_z" : NULL;
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

static int least(int a, int b)
{
	return a < b ? a : b;
}

/* What it serves -------------------------------------------------------- */

static const struct stmt *writer_of(const struct scop *scop,
	const struct field *field)
{
	const struct stmt *writer = NULL;

	for (int i = 0; i < scop->k; i++)
		if (scop->prog->stmt[i]->write->field == field)
			writer = scop->prog->stmt[i];
	return writer;
}

static int count_writers(const struct scop *scop, const struct field *field)
{
	int n = 0;

	for (int i = 0; i < scop->k; i++)
		n += scop->prog->stmt[i]->write->field == field;
	return n;
}

static bool has_same_sizes(const struct field *a, const struct field *b)
{
	for (int d = 0; d < a->n_dims; d++)
		if (a->n_dims != b->n_dims ||
		    !expr_same_size(a->size[d], b->size[d]))
			return false;
	return a->n_dims == b->n_dims;
}

static bool is_in_order(const struct access *acc)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] != d)
			return false;
	return true;
}

static const char *why_not_field(const struct scop *scop,
	const struct field *f, const struct field *first)
{
	if (f->kind == FIELD_INPUT)
		return NULL;
	if (f->kind != FIELD_STATE)
		return "it has fields without time that statements write";
	if (f->type == TYPE_INT)
		return "a state of integers could overflow in the columns of "
			"a strip that are not stored";
	if (count_writers(scop, f) != 1)
		return "it needs one statement for each state";
	if (f->n_dims != scop->n_dims || !has_same_sizes(f, first))
		return "its states differ in size";
	return NULL;
}

static void note_division(void *user, const struct expr *e)
{
	int64_t value;

	if (e->kind == EXPR_BINARY && e->type == TYPE_INT &&
	    (e->op == OP_DIV || e->op == OP_MOD) &&
	    !(expr_constant(e->arg[1], &value) && value != 0))
		*(bool *) user = true;
}

static const char *why_not_stmt(const struct scop *scop, const struct stmt *s)
{
	bool divides = false;

	if (s->n_dims != scop->n_dims || !is_in_order(s->write))
		return "a statement does not have all dimensions";
	for (int i = 0; i < s->n_reads; i++)
		if (s->read[i]->field->kind == FIELD_STATE &&
		    !is_in_order(s->read[i]))
			return "a state is read across its dimensions";
	stmt_each_expr(s, note_division, &divides);
	return divides ? "an integer division could be by zero in the "
		"columns of a strip that are not stored" : NULL;
}

static bool find_lags(const struct scop *scop, struct stream *s);

static const char *stream_applies(const struct scop *scop,
	const struct deps *deps)
{
	struct stream s = { 0 };
	const char *why = NULL;

	if (scop->n_dims < 1 || scop->n_dims > 3)
		return "strips have one to three dimensions";
	if (!scop->prog->timed)
		return "the program has no time loop";
	for (int i = 0; i < scop->prog->n_fields && !why; i++)
		why = why_not_field(scop, scop->prog->field[i],
			scop->prog->stmt[0]->write->field);
	for (int i = 0; i < scop->k && !why; i++)
		why = why_not_stmt(scop, scop->prog->stmt[i]);
	if (why)
		return why;
	if (!deps_advance(deps))
		return "its dependences do not advance in time";
	return find_lags(scop, &s) ? NULL :
		"no lag of a row behind the one before it serves all reads";
}

/* Reads ----------------------------------------------------------------- */

void stream_reach(const struct stmt *s, const struct access *acc, int d,
	int *low, int *high)
{
	int o = (int) acc->offset[d];

	*low = *high = o;
	if (!access_is_mapped(s, acc, d))
		return;
	switch (acc->field->boundary[d].kind) {
	case BOUNDARY_MIRROR:
		*low = o < 0 ? o : -o;
		*high = -*low;
		return;
	case BOUNDARY_CLAMP:
		*low = o < 0 ? o : 0;
		*high = o < 0 ? 0 : o;
		return;
	default:
		return;
	}
}

static bool is_streamed(const struct access *acc)
{
	return acc->field->kind == FIELD_STATE;
}

/* Lags ------------------------------------------------------------------ */

/* Does "acc" read other rows, which come an iteration later? */
static bool leaves_row(const struct stream *s, const struct stmt *stmt,
	const struct access *acc)
{
	int low = 0, high = 0;

	if (s->row_dim >= 0)
		stream_reach(stmt, acc, s->row_dim, &low, &high);
	return low < 0 || high > 0;
}

/* Set the lags to the least with which each statement comes, at the same or
 * an earlier iteration, after all that it reads, given lag_step.  False if
 * there are none.
 */
static bool relax_lags(const struct scop *scop, struct stream *s)
{
	bool changed = true;

	memset(s->lag, 0, sizeof(s->lag[0]) * (size_t) scop->k);
	if (s->stream_dim < 0)
		return true;
	for (int round = 0; changed; round++) {
		changed = false;
		for (int c = 0; c < scop->k; c++) {
			const struct stmt *stmt = scop->prog->stmt[c];

			for (int i = 0; i < stmt->n_reads; i++) {
				const struct access *acc = stmt->read[i];
				int low, high, least;

				if (!is_streamed(acc))
					continue;
				stream_reach(stmt, acc, s->stream_dim, &low,
					&high);
				least = s->lag[writer_of(scop,
					acc->field)->index] +
					(acc->version - 1) * s->lag_step +
					high + leaves_row(s, stmt, acc);
				if (s->lag[c] < least) {
					s->lag[c] = least;
					changed = true;
				}
			}
		}
		if (round > scop->k)
			return false;
	}
	return true;
}

static bool find_lags(const struct scop *scop, struct stream *s)
{
	s->stream_dim = scop->n_dims > 1 ? 0 : -1;
	s->row_dim = scop->n_dims > 2 ? 1 : -1;
	s->lane_dim = scop->n_dims - 1;
	s->lag = region_array(scop->mem, int, scop->k);
	for (s->lag_step = 0; s->lag_step <= MOST_LAG; s->lag_step++)
		if (relax_lags(scop, s))
			return true;
	return false;
}

int stream_lag(const struct stream *s, int step, int stmt)
{
	return step * s->lag_step + s->lag[stmt];
}

int stream_age(const struct stream *s, const struct scop *scop,
	const struct stmt *stmt, const struct access *acc, int offset)
{
	return s->lag[stmt->index] -
		stream_lag(s, acc->version - 1,
			writer_of(scop, acc->field)->index) - offset;
}

/* Positions of a version that are kept at a time: one more than the greatest
 * age at which one is read.  A point that is not computed takes the value of
 * the version before.
 */
static void find_period(const struct scop *scop, struct stream *s)
{
	int oldest = s->lag_step;

	for (int c = 0; c < scop->k; c++) {
		const struct stmt *stmt = scop->prog->stmt[c];

		for (int i = 0; i < stmt->n_reads; i++) {
			const struct access *acc = stmt->read[i];
			int low = 0, high = 0, age;

			if (!is_streamed(acc))
				continue;
			if (s->stream_dim >= 0)
				stream_reach(stmt, acc, s->stream_dim, &low,
					&high);
			age = stream_age(s, scop, stmt, acc, low);
			oldest = age > oldest ? age : oldest;
		}
	}
	s->period = oldest + 1;
}

/* What is computed ------------------------------------------------------ */

static void include(struct needed *e, const struct needed *by,
	const struct stmt *stmt, const struct access *acc, int n_dims)
{
	for (int d = 0; d < n_dims; d++) {
		int low, high;

		stream_reach(stmt, acc, d, &low, &high);
		low += by->low[d];
		high += by->high[d];
		e->low[d] = low < e->low[d] ? low : e->low[d];
		e->high[d] = high > e->high[d] ? high : e->high[d];
	}
}

static void widen(struct needed *e, const struct needed *by, int n_dims)
{
	for (int d = 0; d < n_dims; d++) {
		e->low[d] = least(e->low[d], by->low[d]);
		e->high[d] = most(e->high[d], by->high[d]);
	}
}

/* Cells of inputs come from other lanes, too: those that "stmt" reads where it
 * is needed by "e" lie in the strip.
 */
static void include_inputs(const struct scop *scop, struct stream *s,
	const struct stmt *stmt, const struct needed *e)
{
	int d = s->lane_dim;

	for (int i = 0; i < stmt->n_reads; i++) {
		const struct access *acc = stmt->read[i];
		int low, high;

		if (is_streamed(acc) || !is_in_order(acc) ||
		    acc->field->n_dims != scop->n_dims)
			continue;
		stream_reach(stmt, acc, d, &low, &high);
		s->before[d] = most(s->before[d], -(e->low[d] + low));
		s->after[d] = most(s->after[d], e->high[d] + high);
	}
}

/* The extents that each version needs, also to keep values where nothing is
 * computed, of statements from the last to the first, then of what is loaded:
 * extent[(v + depth)*k + p] is that of version v of what statement p writes.
 */
static void find_extents(const struct scop *scop, struct stream *s)
{
	int k = scop->k, depth = s->depth;
	struct needed *all = region_array(scop->mem, struct needed,
		(s->steps + depth + 1) * k);
	int start = 0;

	for (int m = s->steps - 1; m >= 0; m--)
		for (int c = k - 1; c >= 0; c--) {
			const struct stmt *stmt = scop->prog->stmt[c];

			widen(&all[(m + depth) * k + c],
				&all[(m + 1 + depth) * k + c], scop->n_dims);
			for (int i = 0; i < stmt->n_reads; i++) {
				const struct access *acc = stmt->read[i];

				if (is_streamed(acc))
					include(&all[(m + acc->version + depth)
						* k + writer_of(scop,
						acc->field)->index],
						&all[(m + 1 + depth) * k + c],
						stmt, acc, scop->n_dims);
			}
		}
	memset(s->before, 0, sizeof(s->before));
	memset(s->after, 0, sizeof(s->after));
	for (int v = 1 - depth; v <= s->steps; v++)
		for (int p = 0; p < k; p++) {
			const struct needed *e = &all[(v + depth) * k + p];

			for (int d = 0; d < scop->n_dims; d++) {
				s->before[d] = most(s->before[d], -e->low[d]);
				s->after[d] = most(s->after[d], e->high[d]);
			}
			if (s->stream_dim >= 0)
				start = least(start, e->low[s->stream_dim] +
					stream_lag(s, v - 1, p));
		}
	for (int v = 1; v <= s->steps; v++)
		for (int p = 0; p < k; p++)
			include_inputs(scop, s, scop->prog->stmt[p],
				&all[(v + depth) * k + p]);
	s->start = start;
	s->needed = region_array(scop->mem, struct needed, s->steps + 1);
	for (int v = 0; v <= s->steps; v++)
		for (int p = 0; p < k; p++)
			widen(&s->needed[v], &all[(v + depth) * k + p],
				scop->n_dims);
}

static int round_up(int a, int b)
{
	return (a + b - 1) / b * b;
}

/* Iterations: the last stores the last position of the last version, and there
 * is a whole number of periods.
 */
void strip_find_iterations(const struct scop *scop, struct stream *s)
{
	int lag = 0, n;

	if (s->stream_dim < 0) {
		s->first = s->last = 0;
		s->period = 1;
		return;
	}
	for (int i = 0; i < scop->k; i++)
		lag = most(lag, stream_lag(s, s->steps - 1, i));
	s->last = s->length - 1 + lag;
	n = round_up(s->last - s->start + 1, s->period);
	s->first = s->last - n + 1;
}

/* The cells beside those of a lane that it needs of each field. */
static void find_sides(const struct scop *scop, struct stream *s)
{
	s->left = region_array(scop->mem, int, scop->prog->n_fields);
	s->right = region_array(scop->mem, int, scop->prog->n_fields);
	s->above = region_array(scop->mem, int, scop->prog->n_fields);
	s->below = region_array(scop->mem, int, scop->prog->n_fields);
	s->exchanged = region_array(scop->mem, int, scop->prog->n_fields);
	for (int c = 0; c < scop->k; c++) {
		const struct stmt *stmt = scop->prog->stmt[c];

		for (int i = 0; i < stmt->n_reads; i++) {
			const struct access *acc = stmt->read[i];
			int f = acc->field->index, low, high;

			if (!is_in_order(acc) ||
			    acc->field->n_dims != scop->n_dims)
				continue;
			stream_reach(stmt, acc, s->lane_dim, &low, &high);
			s->left[f] = most(s->left[f], -low);
			s->right[f] = most(s->right[f], high);
			if (s->row_dim < 0 || !is_streamed(acc))
				continue;
			stream_reach(stmt, acc, s->row_dim, &low, &high);
			s->above[f] = most(s->above[f], -low);
			s->below[f] = most(s->below[f], high);
			if (low < 0 || high > 0)
				s->exchanged[f] = most(s->exchanged[f],
					s->steps + acc->version +
					acc->field->depth - 1);
		}
	}
}

static int deepest(const struct scop *scop)
{
	int depth = 1;

	for (int i = 0; i < scop->prog->n_fields; i++)
		if (scop->prog->field[i]->kind == FIELD_STATE)
			depth = most(depth, scop->prog->field[i]->depth);
	return depth;
}

void strip_find_schedule(const struct scop *scop, struct stream *s)
{
	s->depth = deepest(scop);
	find_lags(scop, s);
	find_period(scop, s);
	find_extents(scop, s);
	find_sides(scop, s);
	if (s->parts)
		return;
	s->parts = region_array(scop->mem, struct strip_parts, scop->k);
	for (int i = 0; i < scop->k; i++) {
		const struct stmt *stmt = scop->prog->stmt[i];

		strip_find_parts(scop, s, stmt, &s->parts[i]);
		s->parts[i].written = strip_mix_as_written(stmt);
	}
}

/* The rows that a step computes come closer by so many from step to step. */
static void find_live_rows(struct stream *s)
{
	int d = s->row_dim;
	const struct needed *first = &s->needed[1];
	struct live_rows *live = &s->live;

	live->low = s->before[d] + first->low[d];
	live->high = s->before[d] + s->height - 1 + first->high[d];
	live->low_step = live->high_step = s->steps > 1 ? s->rows * s->warps :
		0;
	for (int v = 1; v < s->steps; v++) {
		live->low_step = least(live->low_step,
			s->needed[v + 1].low[d] - s->needed[v].low[d]);
		live->high_step = least(live->high_step,
			s->needed[v].high[d] - s->needed[v + 1].high[d]);
	}
}

bool stream_warp_is_live(const struct stream *s, int warp, int m)
{
	return s->row_dim < 0 || ((warp + 1) * s->rows >
		s->live.low + m * s->live.low_step && warp * s->rows <=
		s->live.high - m * s->live.high_step);
}

bool stream_skips_steps(const struct stream *s)
{
	return !stream_warp_is_live(s, 0, s->steps - 1) ||
		!stream_warp_is_live(s, s->warps - 1, s->steps - 1);
}

void strip_find_place(const struct scop *scop, struct stream *s)
{
	int lane = s->lane_dim, row = s->row_dim;

	strip_find_iterations(scop, s);
	s->before[lane] = round_up(s->before[lane], s->cells);
	s->after[lane] = round_up(s->after[lane], s->cells);
	s->width = WARP * s->cells - s->before[lane] - s->after[lane];
	if (row < 0)
		return;
	s->height = s->warps * s->rows - s->before[row] - s->after[row];
	find_live_rows(s);
}

int64_t stream_shared_bytes(const struct stream *s, const struct scop *scop,
	const struct field *field)
{
	int64_t bytes = 0;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind == FIELD_STATE && (!field || f == field))
			bytes += 2 * s->exchanged[i] *
				(int64_t) s->warps * (s->above[i] +
				s->below[i]) * WARP * s->cells *
				type_size(f->type);
	}
	return bytes;
}

bool stream_same_rows(const struct stream *s, const struct access *a,
	const struct access *b)
{
	const int dim[2] = { s->stream_dim, s->row_dim };

	for (int i = 0; i < 2; i++)
		if (dim[i] >= 0 && a->offset[dim[i]] != b->offset[dim[i]])
			return false;
	return a->field == b->field;
}

bool stream_is_first_row(const struct stream *s, const struct stmt *stmt,
	int read)
{
	for (int i = 0; i < read; i++)
		if (stream_same_rows(s, stmt->read[i], stmt->read[read]))
			return false;
	return true;
}

/* Sizes ----------------------------------------------------------------- */

static int or_default(int value, int fallback)
{
	return value > 0 ? value : fallback;
}

struct stream strip_of_request(const struct scop *scop,
	const struct tile_request *r)
{
	return (struct stream) {
		.depth = deepest(scop),
		.steps = or_default(r->b, most(scop->n_dims > 2 ? 2 : 4,
			deepest(scop))),
		.cells = or_default(r->v, 4),
		.rows = or_default(r->y, scop->n_dims > 2 ? 2 : 1),
		.length = scop->n_dims > 1 ? or_default(r->l, 128) : 1,
		.warps = or_default(r->threads[1], scop->n_dims > 2 ? 8 : 4),
	};
}

static bool size_is_possible(struct diags *d, const char *name, int size,
	int lowest, int highest)
{
	if (size < 0 || (size >= lowest && size <= highest))
		return true;
	diag_plain(d, E_TILE, "%s = %d: it is at least %d and at most %d",
		name, size, lowest, highest);
	return false;
}

static bool request_is_possible(struct diags *d, const struct scop *scop,
	const struct tile_request *r)
{
	if (!size_is_possible(d, "b", r->b, deepest(scop), MOST_STEPS) ||
	    !size_is_possible(d, "v", r->v, 1, MOST_CELLS) ||
	    !size_is_possible(d, "y", r->y, 1,
		scop->n_dims > 2 ? MOST_ROWS : 1) ||
	    !size_is_possible(d, "l", r->l, 1,
		scop->n_dims > 1 ? MOST_LENGTH : 1))
		return false;
	if (r->v > 0 && (r->v & (r->v - 1))) {
		diag_plain(d, E_TILE, "v = %d: it is 1, 2, 4 or 8", r->v);
		return false;
	}
	if (r->threads[0] > 0 && r->threads[0] != WARP) {
		diag_plain(d, E_TILE, "%d threads: a strip is a warp of %d, "
			"and --threads=%d,4 means four strips a block",
			r->threads[0], WARP, WARP);
		return false;
	}
	if (r->threads[2] > 1) {
		diag_plain(d, E_TILE, "%d threads along z: a block is warps "
			"in y", r->threads[2]);
		return false;
	}
	return true;
}

int strip_rows_read(const struct scop *scop, const struct stream *s)
{
	int rows = 1;

	for (int i = 0; i < scop->prog->n_fields; i++)
		rows = most(rows, most(s->above[i], s->below[i]));
	return rows;
}

static bool height_is_possible(struct diags *d, const struct stream *s,
	const struct scop *scop, const struct tile_request *r)
{
	const struct machine *m = r->outlook ? r->outlook->machine : NULL;
	int64_t bytes = stream_shared_bytes(s, scop, NULL);
	int rows = strip_rows_read(scop, s);

	if (s->row_dim < 0)
		return true;
	if (s->rows < rows) {
		diag_plain(d, E_TILE, "y = %d: rows are read %d away, and a "
			"warp has the rows of its neighbours only", s->rows,
			rows);
		return false;
	}
	if (s->height <= 0) {
		diag_plain(d, E_TILE, "b = %d, y = %d, %d warps: of the %d rows "
			"of a block, %d are read before and %d after, and "
			"none is stored", s->steps, s->rows, s->warps,
			s->rows * s->warps, s->before[s->row_dim],
			s->after[s->row_dim]);
		return false;
	}
	if (m && bytes > m->shared_bytes_per_block) {
		diag_plain(d, E_TILE, "the rows that warps exchange need %lld "
			"bytes of shared memory, a block of %s has %lld",
			(long long) bytes, m->name,
			(long long) m->shared_bytes_per_block);
		return false;
	}
	return true;
}

static bool width_is_possible(struct diags *d, const struct stream *s)
{
	if (s->width > 0)
		return true;
	diag_plain(d, E_TILE, "b = %d, v = %d: of the %d columns of a strip, "
		"%d are read on the left and %d on the right, and none is "
		"stored", s->steps, s->cells, WARP * s->cells,
		s->before[s->lane_dim], s->after[s->lane_dim]);
	return false;
}

/* Plans ----------------------------------------------------------------- */

/* What a strip, or the strips of a block in three dimensions, store. */
int strip_stored(const struct stream *s, int d)
{
	return d == s->stream_dim ? s->length :
		d == s->row_dim ? s->height : s->width;
}

/* { [m, x] } with "low" <= x[dim] + m*lag_step <= "high" in the streamed
 * dimension, without m in others
 */
static __isl_give isl_set *bound_dim(__isl_take isl_set *set, int dim,
	int lag, int low, int high)
{
	for (int side = 0; side < 2; side++) {
		isl_constraint *c = isl_constraint_alloc_inequality(
			isl_local_space_from_space(isl_set_get_space(set)));
		int sign = side ? -1 : 1;

		c = isl_constraint_set_coefficient_si(c, isl_dim_set,
			1 + dim, sign);
		c = isl_constraint_set_coefficient_si(c, isl_dim_set, 0,
			sign * lag);
		c = isl_constraint_set_constant_si(c, side ? high : -low);
		set = isl_set_add_constraint(set, c);
	}
	return set;
}

/* { [m, x] : the warps of a block compute x of statement "i" of step m } */
static __isl_give isl_set *computed(const struct plan *plan, int i)
{
	const struct stream *s = plan->stream;
	isl_set *set = isl_set_universe(isl_space_set_alloc(plan->scop->ctx,
		0, 1 + plan->n_dims));

	set = isl_set_lower_bound_si(set, isl_dim_set, 0, 0);
	set = isl_set_upper_bound_si(set, isl_dim_set, 0, s->steps - 1);
	for (int d = 0; d < plan->n_dims; d++)
		if (d == s->stream_dim)
			set = bound_dim(set, d, s->lag_step,
				s->first - s->lag[i], s->last - s->lag[i]);
		else
			set = bound_dim(set, d, 0, -s->before[d],
				strip_stored(s, d) + s->after[d] - 1);
	return set;
}

/* { [m, x] -> [k*m + i, x] } */
static __isl_give isl_map *to_row(const struct plan *plan, int i)
{
	isl_space *space = isl_space_set_alloc(plan->scop->ctx, 0,
		1 + plan->n_dims);
	isl_multi_aff *ma = isl_multi_aff_identity(
		isl_space_map_from_set(space));
	isl_aff *tau = isl_multi_aff_get_aff(ma, 0);

	tau = isl_aff_scale_val(tau,
		isl_val_int_from_si(plan->scop->ctx, plan->scop->k));
	tau = isl_aff_add_constant_si(tau, i);
	return isl_map_from_multi_aff(isl_multi_aff_set_aff(ma, 0, tau));
}

static __isl_give isl_set *shape_of(const struct plan *plan)
{
	isl_set *shape = NULL;

	for (int i = 0; i < plan->scop->k; i++) {
		isl_set *rows = isl_set_apply(computed(plan, i),
			to_row(plan, i));

		shape = shape ? isl_set_union(shape, rows) : rows;
	}
	return shape;
}

/* The box of cells of "field" that a strip loads. */
static struct box loaded(const struct plan *plan, const struct field *field)
{
	const struct stream *s = plan->stream;
	struct box box = { .n_dims = plan->n_dims };
	int writer = writer_of(plan->scop, field)->index;

	for (int d = 0; d < plan->n_dims; d++) {
		box.low[d] = -s->before[d];
		box.extent[d] = strip_stored(s, d) + s->before[d] + s->after[d];
		if (d != s->stream_dim)
			continue;
		box.low[d] = s->first - stream_lag(s, -1, writer);
		box.extent[d] = s->last - stream_lag(s, -field->depth,
			writer) - box.low[d] + 1;
	}
	return box;
}

static void find_boxes(struct plan *plan)
{
	const struct program *prog = plan->scop->prog;

	plan->box = region_array(plan->scop->mem, struct box, prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->kind == FIELD_STATE)
			plan->box[i] = loaded(plan, prog->field[i]);
}

/* States in two sets of copies by turns: a launch reads one and writes the
 * other.
 */
static struct scop *with_two_sets(struct region *mem, const struct scop *scop)
{
	struct scop *copy = region_new_of(mem, struct scop);
	int n = scop->prog->n_fields;

	*copy = *scop;
	copy->field = region_array(mem, struct scop_field, n);
	for (int i = 0; i < n; i++) {
		copy->field[i] = scop->field[i];
		if (scop->prog->field[i]->kind == FIELD_STATE)
			copy->field[i].buffers =
				2 * scop->prog->field[i]->depth;
	}
	return copy;
}

static struct plan *stream_plan(struct region *mem, struct diags *d,
	const struct scop *scop, const struct deps *deps,
	const struct tile_request *request, int *n_plans)
{
	struct stream *s = region_new_of(mem, struct stream);
	struct plan *plan = region_new_of(mem, struct plan);

	if (!request_is_possible(d, scop, request))
		return NULL;
	*s = strip_of_request(scop, request);
	strip_find_schedule(scop, s);
	strip_find_place(scop, s);
	if (!width_is_possible(d, s) ||
	    !height_is_possible(d, s, scop, request))
		return NULL;
	plan->strategy = &strategy_stream;
	plan->scop = with_two_sets(mem, scop);
	plan->deps = deps;
	plan->stream = s;
	plan->steps.align_loads = true;
	plan->steps.separate = request->steps.separate;
	plan->n_phases = 1;
	plan->rows = scop->k * s->steps;
	plan->time_pitch = s->steps;
	plan->chunk_dim = plan->hex_dim = -1;
	plan->n_dims = scop->n_dims;
	for (int dim = 0; dim < plan->n_dims; dim++) {
		plan->role[dim] = ROLE_BLOCKS;
		plan->skew[dim] = (struct rational) { 0, 1 };
		plan->pitch[dim] = strip_stored(s, dim);
		if (dim == s->lane_dim && s->row_dim < 0)
			plan->pitch[dim] *= s->warps;
		plan->width[dim] = plan->pitch[dim];
	}
	plan->threads[0] = WARP;
	plan->threads[1] = s->warps;
	plan->threads[2] = 1;
	plan->shape = keep_set(mem, shape_of(plan));
	find_boxes(plan);
	plan_find_full(plan);
	*n_plans = 1;
	return plan;
}

/* Printing -------------------------------------------------------------- */

void stream_print(struct text *t, const struct plan *plan)
{
	const struct stream *s = plan->stream;
	const struct scop *scop = plan->scop;
	const char *lane = schedule_dim_name(scop, s->lane_dim);

	text_printf(t, "T = floor(t/%d), launched one after the other\n",
		s->steps);
	if (s->stream_dim >= 0)
		text_printf(t, "S%d = floor(%s/%d), over blocks\n",
			s->stream_dim, schedule_dim_name(scop, s->stream_dim),
			s->length);
	if (s->row_dim >= 0)
		text_printf(t, "S%d = floor(%s/%d), over blocks: %d warps of "
			"%d rows, %d before those they store, %d after\n",
			s->row_dim, schedule_dim_name(scop, s->row_dim),
			s->height, s->warps, s->rows, s->before[s->row_dim],
			s->after[s->row_dim]);
	if (s->row_dim >= 0)
		text_printf(t, "S%d = floor(%s/%d), over blocks\n",
			s->lane_dim, lane, s->width);
	else
		text_printf(t, "S%d = floor(%s/%d), over blocks: %d strips of "
			"%d, a warp each\n", s->lane_dim, lane,
			plan->pitch[s->lane_dim], s->warps, s->width);
	text_printf(t, "a strip has %d values of %s, %d to a lane: %d before "
		"those it stores, %d after\n", WARP * s->cells, lane, s->cells,
		s->before[s->lane_dim], s->after[s->lane_dim]);
	if (s->stream_dim < 0)
		return;
	text_printf(t, "iterations n = %d .. %d of a strip, %d positions of a "
		"version kept\n", s->first, s->last, s->period);
	for (int i = 0; i < scop->k; i++)
		text_printf(t, "%s, step m: %s = %d*S%d + n - lag, "
			"lag = %d*m + %d\n", scop->prog->stmt[i]->name,
			schedule_dim_name(scop, s->stream_dim), s->length,
			s->stream_dim, s->lag_step, s->lag[i]);
	for (int i = 0; i < scop->k; i++)
		if (s->parts[i].n > 0)
			text_printf(t, "%s: parts of its value that other "
				"iterations use, too: %d\n",
				scop->prog->stmt[i]->name, s->parts[i].n);
}

enum { DRAWING_WIDTH = 64 };

/* What the lanes have of each version: '#' is stored in the end, '+' is read
 * on the way there, '.' nobody needs.
 */
void stream_draw(struct text *t, const struct plan *plan)
{
	const struct stream *s = plan->stream;
	const char *lane = schedule_dim_name(plan->scop, s->lane_dim);
	int across = WARP * s->cells > DRAWING_WIDTH ?
		WARP * s->cells / DRAWING_WIDTH : 1;

	text_printf(t, "a strip: what is needed of its versions along %s, "
		"time upwards\n\n", lane);
	for (int v = s->steps; v >= 0; v--) {
		const struct needed *e = &s->needed[v];

		text_printf(t, "t0 + %2d  ", v);
		for (int x = -s->before[s->lane_dim]; x < s->width +
		     s->after[s->lane_dim]; x += across) {
			int end = x + across;
			bool stored = end > 0 && x < s->width;
			bool needed = end > e->low[s->lane_dim] &&
				x < s->width + e->high[s->lane_dim];

			text_puts(t, stored ? "#" : needed ? "+" : ".");
		}
		text_printf(t, "  %s = %d .. %d\n", lane,
			e->low[s->lane_dim],
			s->width - 1 + e->high[s->lane_dim]);
	}
	if (across > 1)
		text_printf(t, "(a character is %d points wide)\n", across);
}

const struct strategy strategy_stream = {
	.name = "stream", .applies = stream_applies,
	.foreign = stream_foreign, .predict = strip_predict_sizes,
	.plan = stream_plan,
};

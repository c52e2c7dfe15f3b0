/* Strips of register streaming: the iteration that computes each position of a
 * version, and how many positions are kept.
 */
#include <string.h>

#include "schedule/strips/strips.h"

enum { MOST_LAG = 32, LEAST_OF_PARTS = 3, MOST_PARTS_IN_TURN = 3 };

/* Reads ----------------------------------------------------------------- */

void stream_reach(const struct stmt *s, const struct access *acc, int d,
	int *low, int *high)
{
	int o = (int) acc->offset[d], farthest;
	enum side side = o < 0 ? SIDE_LOW : SIDE_HIGH;
	enum boundary_kind kind = acc->field->boundary[d][side].kind;

	*low = *high = o;
	if (!access_is_mapped_at(s, acc, d, side) ||
	    boundary_info(kind)->stands != STANDS_NEAR)
		return;
	farthest = boundary_cell(kind, o < 0 ? o : -o);
	if (o < 0 && farthest > *high)
		*high = farthest;
	if (o > 0 && -farthest < *low)
		*low = -farthest;
}

/* Lags ------------------------------------------------------------------ */

/* Does "acc" read what neighbours leave, which arrives an iteration later? */
static bool is_exchanged(const struct stream *s, const struct stmt *stmt,
	const struct access *acc)
{
	int low = 0, high = 0;

	if (s->exchange.dim >= 0)
		stream_reach(stmt, acc, s->exchange.dim, &low, &high);
	return low < 0 || high > 0;
}

/* Set the lags to the least with which each statement comes after all that it
 * reads, in the same or a later iteration, given lag.step.  False if there are
 * none.
 */
static bool relax_lags(const struct scop *scop, struct stream *s)
{
	bool changed = true;

	memset(s->lag.of, 0, sizeof(s->lag.of[0]) * (size_t) scop->k);
	if (s->dim.stream < 0)
		return true;
	for (int round = 0; changed; round++) {
		changed = false;
		for (int c = 0; c < scop->k; c++) {
			const struct stmt *stmt = scop->prog->stmt[c];

			for (int i = 0; i < stmt->n_reads; i++) {
				const struct access *acc = stmt->read[i];
				int low, high, least;

				if (!strip_is_streamed(acc))
					continue;
				stream_reach(stmt, acc, s->dim.stream, &low,
					&high);
				least = s->lag.of[program_writer(
					scop->prog, acc->field)] +
					(acc->version - 1) * s->lag.step +
					high + (is_exchanged(s, stmt, acc) ?
					s->exchange.behind : 0);
				if (s->lag.of[c] < least) {
					s->lag.of[c] = least;
					changed = true;
				}
			}
		}
		if (round > scop->k)
			return false;
	}
	return true;
}

bool strip_find_lags(const struct scop *scop, struct stream *s)
{
	s->dim.stream = scop->n_dims > 1 ? 0 : -1;
	s->dim.row = scop->n_dims > 2 ? 1 : -1;
	s->dim.lane = scop->n_dims - 1;
	s->exchange.dim = stream_is_joined(s) ? s->dim.lane : s->dim.row;
	s->exchange.behind = 1;
	s->exchange.barrier = true;
	s->lag.of = region_array(scop->mem, int, scop->k);
	for (s->lag.step = 0; s->lag.step <= MOST_LAG; s->lag.step++)
		if (relax_lags(scop, s))
			return true;
	return false;
}

int stream_lag(const struct stream *s, int step, int stmt)
{
	return step * s->lag.step + s->lag.of[stmt];
}

int stream_age(const struct stream *s, const struct scop *scop,
	const struct stmt *stmt, const struct access *acc, int offset)
{
	return s->lag.of[stmt->index] -
		stream_lag(s, acc->version - 1,
			program_writer(scop->prog, acc->field)) - offset;
}

/* The greatest age at which "acc" is read: at an edge a boundary may stand in for it. */
static int oldest_of_read(const struct scop *scop, const struct stream *s,
	const struct stmt *stmt, const struct access *acc)
{
	int low = 0, high = 0;

	if (s->dim.stream >= 0)
		stream_reach(stmt, acc, s->dim.stream, &low, &high);
	return stream_age(s, scop, stmt, acc, low);
}

/* The parts by which all iterations compute statement "c"; NULL: some do without. */
static const struct strip_parts *parts_read(const struct stream *s, int c)
{
	return s->parts && !s->parts[c].differs ? &s->parts[c] : NULL;
}

/* The greatest age at which "stmt" reads a state, or uses a part of its value. */
static int oldest_of_stmt(const struct scop *scop, const struct stream *s,
	const struct stmt *stmt)
{
	const struct strip_parts *parts = parts_read(s, stmt->index);
	int oldest = 0;

	for (int i = 0; i < strip_n_reads(stmt, parts); i++) {
		struct strip_read read = strip_read_of(stmt, parts, i);

		if (strip_is_streamed(read.acc))
			oldest = larger(oldest, oldest_of_read(scop, s, stmt,
				read.acc) - read.early);
	}
	for (int i = 0; parts && i < parts->n; i++)
		oldest = larger(oldest, parts->part[i].oldest);
	return oldest;
}

/* Does "stmt" read a row in the iteration that loads it? */
static bool reads_what_is_loaded(const struct scop *scop,
	const struct stream *s, const struct stmt *stmt)
{
	const struct strip_parts *parts = parts_read(s, stmt->index);
	bool any = false;

	for (int i = 0; i < strip_n_reads(stmt, parts); i++) {
		struct strip_read read = strip_read_of(stmt, parts, i);
		int low, high;

		if (!strip_is_streamed(read.acc) || read.acc->version > 0)
			continue;
		stream_reach(stmt, read.acc, s->dim.stream, &low, &high);
		any |= stream_age(s, scop, stmt, read.acc, high) - read.early <= 0;
	}
	return any;
}

/* How many iterations ahead rows are copied.  Where one is read in the iteration that loads it, that
 * loads first and then fills the same place.  Else it fills the place that the iteration before
 * emptied, and loads later: nvcc puts three loads without a destination before copies that
 * follow loads.  That leaves an iteration less for a copy, and memory outlasts two of rows, or one.
 */
static int rows_copied_ahead(const struct scop *scop, const struct stream *s)
{
	bool soon = s->dim.row < 0 || s->period <= 2;

	for (int c = 0; c < scop->k; c++)
		soon |= reads_what_is_loaded(scop, s, scop->prog->stmt[c]);
	return soon ? s->period : s->period - 1;
}

/* Parts of shared memory that take turns in an iteration each: the least number, of more than a
 * value stays there, that divides a turn of the loop.  Then each iteration of a turn has a part of
 * its own, and no address depends on the iteration.
 */
static int parts_in_turn(const struct stream *s)
{
	int parts = s->exchange.behind + 1;

	while (s->period % parts && parts < MOST_PARTS_IN_TURN)
		parts++;
	return s->period % parts ? s->exchange.behind + 1 : parts;
}

/* Positions of a version kept at a time: one more than the greatest age at
 * which one is read.  A point that is not computed takes the previous version's
 * value.  Sums that are begun early may leave two, but rows arrive in a turn of three: those
 * copied one iteration ahead are waited for, in rows those two ahead.
 */
void strip_find_period(const struct scop *scop, struct stream *s)
{
	int oldest = s->lag.step;

	for (int c = 0; c < scop->k; c++)
		oldest = larger(oldest, oldest_of_stmt(scop, s,
			scop->prog->stmt[c]));
	s->period = s->parts ? smaller(s->period, larger(oldest + 1,
		LEAST_OF_PARTS)) : oldest + 1;
	if (stream_copies_cells(s))
		s->ahead.rows = rows_copied_ahead(scop, s);
	s->exchange.parts = parts_in_turn(s);
}

int strip_deepest(const struct scop *scop)
{
	int depth = 1;

	for (int i = 0; i < scop->prog->n_fields; i++)
		if (scop->prog->field[i]->kind == FIELD_STATE)
			depth = scop->prog->field[i]->depth > depth ?
				scop->prog->field[i]->depth : depth;
	return depth;
}

bool stream_is_joined(const struct stream *s)
{
	return s->lanes > s->warp;
}

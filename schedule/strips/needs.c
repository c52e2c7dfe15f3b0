/* Strips of register streaming: which points of each version are computed,
 * which lane has them, and what lanes get from each other.
 */
#include <limits.h>
#include <string.h>

#include "schedule/strips/strips.h"

enum { NO_VERSION = INT_MIN };

/* What is computed ------------------------------------------------------ */

static void widen(struct needed *e, const struct needed *by, int n_dims)
{
	for (int d = 0; d < n_dims; d++) {
		e->low[d] = smaller(e->low[d], by->low[d]);
		e->high[d] = larger(e->high[d], by->high[d]);
	}
}

/* What a statement reads of a version of what another one writes, as the box
 * around its reads; of all inputs, along the lanes.
 */
struct strip_reads {
	int n;
	struct box_of_reads {
		int stmt, writer, version;
		struct needed around;
	} *box;
	struct needed *inputs;	/* by statement */
	bool any_around;	/* some go around the grid */
};

static struct box_of_reads *find_box(struct strip_reads *reads, int stmt,
	int writer, int version)
{
	for (int i = 0; i < reads->n; i++)
		if (reads->box[i].stmt == stmt &&
		    reads->box[i].writer == writer &&
		    reads->box[i].version == version)
			return &reads->box[i];
	reads->box[reads->n] = (struct box_of_reads) { stmt, writer, version,
		{ { 0 }, { 0 } } };
	for (int d = 0; d < IR_MAX_DIMS; d++) {
		reads->box[reads->n].around.low[d] = INT_MAX;
		reads->box[reads->n].around.high[d] = INT_MIN;
	}
	return &reads->box[reads->n++];
}

static void add_read(const struct scop *scop, const struct stream *s,
	struct strip_reads *reads, const struct stmt *stmt,
	const struct access *acc)
{
	struct needed own = { { 0 }, { 0 } };

	if (strip_is_streamed(acc)) {
		for (int d = 0; d < scop->n_dims; d++)
			stream_reach(stmt, acc, d, &own.low[d], &own.high[d]);
		widen(&find_box(reads, stmt->index, program_writer(scop->prog,
			acc->field), acc->version)->around, &own,
			scop->n_dims);
	} else if (stream_loads_rows(scop, acc)) {
		int d = s->dim.lane;

		stream_reach(stmt, acc, d, &own.low[d], &own.high[d]);
		widen(&reads->inputs[stmt->index], &own, scop->n_dims);
	}
}

static struct strip_reads *find_reads(const struct scop *scop,
	const struct stream *s)
{
	struct strip_reads *reads = region_new_of(scop->mem,
		struct strip_reads);
	int n = 0;

	for (int c = 0; c < scop->k; c++)
		n += scop->prog->stmt[c]->n_reads;
	reads->box = region_array(scop->mem, struct box_of_reads, n);
	reads->inputs = region_array(scop->mem, struct needed, scop->k);
	reads->any_around = strip_is_around(scop);
	for (int c = 0; c < scop->k; c++)
		for (int i = 0; i < scop->prog->stmt[c]->n_reads; i++)
			add_read(scop, s, reads, scop->prog->stmt[c],
				scop->prog->stmt[c]->read[i]);
	return reads;
}

/* "e" extended by what those "around" of "by" are. */
static void include(struct needed *e, const struct needed *by,
	const struct needed *around, int n_dims)
{
	struct needed all;

	for (int d = 0; d < n_dims; d++) {
		all.low[d] = by->low[d] + around->low[d];
		all.high[d] = by->high[d] + around->high[d];
	}
	widen(e, &all, n_dims);
}

/* Lanes also fetch cells of inputs from each other: those that statement "stmt"
 * reads where "e" needs it must lie in the strip.
 */
static void include_inputs(struct stream *s, int stmt,
	const struct needed *e)
{
	const struct needed *around = &s->reads->inputs[stmt];
	int d = s->dim.lane;

	s->before[d] = larger(s->before[d], -(e->low[d] + around->low[d]));
	s->after[d] = larger(s->after[d], e->high[d] + around->high[d]);
}

/* What each version needs: all[(v + depth)*k + p] is that of version v of what statement p writes. */
struct all_needed {
	const struct scop *scop;
	const struct stream *s;
	const struct needed *all;
	int depth;
	int *youngest;		/* by field: the least age at which a lane reads
				 * cells beside its own, .. */
	int longest;		/* .. and how many iterations longer one of
				 * those is kept, at most */
};

static int lowest(const struct all_needed *n, int version, int writer)
{
	return n->all[(version + n->depth) * n->scop->k + writer].
		low[n->s->dim.stream];
}

static bool is_beside(const struct stream *s, const struct stmt *stmt,
	const struct access *acc)
{
	const int dim[2] = { s->dim.lane, s->dim.row };
	int low = 0, high = 0;

	for (int i = 0; i < 2 && strip_is_streamed(acc) && low == 0 && high == 0; i++)
		if (dim[i] >= 0)
			stream_reach(stmt, acc, dim[i], &low, &high);
	return low != 0 || high != 0;
}

/* The ages at which "stmt" reads cells beside a lane's own, as written or by "parts". */
static void find_ages(struct all_needed *n, const struct stmt *stmt,
	const struct strip_parts *parts)
{
	for (int i = 0; i < strip_n_reads(stmt, parts); i++) {
		const struct strip_read read = strip_read_of(stmt, parts, i);
		int *youngest = &n->youngest[read.acc->field->index];
		int low, high;

		if (!is_beside(n->s, stmt, read.acc))
			continue;
		stream_reach(stmt, read.acc, n->s->dim.stream, &low, &high);
		*youngest = smaller(*youngest, stream_age(n->s, n->scop, stmt,
			read.acc, high) - read.early);
		n->longest = larger(n->longest, stream_age(n->s, n->scop, stmt,
			read.acc, low) - read.early - *youngest);
	}
}

static void find_all_ages(struct all_needed *n)
{
	n->youngest = region_array(n->scop->mem, int, n->scop->prog->n_fields);
	for (int i = 0; i < n->scop->prog->n_fields; i++)
		n->youngest[i] = n->s->period;
	for (int twice = 0; twice < 2; twice++)
		for (int c = 0; c < n->scop->k; c++) {
			const struct stmt *stmt = n->scop->prog->stmt[c];

			find_ages(n, n->s->parts[c].of.stmt, &n->s->parts[c]);
			if (n->s->parts[c].differs)
				find_ages(n, stmt, NULL);
		}
}

/* The first position for which "e", of step "m", reads only what is needed; or "first". */
static int first_of_part(const struct all_needed *n, const struct expr *e,
	int m, int first)
{
	const struct access *acc = e->kind == EXPR_READ ? e->access : NULL;

	if (e->kind == EXPR_LOCAL)
		return first_of_part(n, e->local->value, m, first);
	if (acc && strip_is_streamed(acc))
		first = larger(first, lowest(n, m + acc->version,
			program_writer(n->scop->prog, acc->field)) -
			(int) acc->offset[n->s->dim.stream]);
	for (int i = 0; i < e->n_args; i++)
		first = first_of_part(n, e->arg[i], m, first);
	return first;
}

/* Of the cells that "acc" reads, steps need some: the iteration in which step "m" fetches the first one
 * of these from other lanes, and keeps it from then on.
 */
static int first_of_read(const struct all_needed *n, const struct access *acc,
	int m)
{
	const int writer = program_writer(n->scop->prog, acc->field);
	const int version = m + acc->version;

	return lowest(n, version, writer) + stream_lag(n->s, version - 1,
		writer) + n->youngest[acc->field->index];
}

/* The iteration in which statement "c" of step "m" begins: it computes a value that is needed, or a
 * part of one, or fetches cells that are, if others are kept for later iterations.
 */
static int begin_of(const struct all_needed *n, int m, int c)
{
	const struct stmt *stmt = n->scop->prog->stmt[c];
	const struct strip_parts *parts = &n->s->parts[c];
	const int lag = stream_lag(n->s, m, c);
	int begin = lowest(n, m + 1, c) + lag;

	for (int i = 0; i < parts->n; i++)
		begin = smaller(begin, smaller(lowest(n, m + 1, c),
			first_of_part(n, parts->part[i].value, m, INT_MIN / 2)) +
			lag - parts->part[i].early);
	for (int i = 0; i < stmt->n_reads && n->longest > 0; i++)
		if (is_beside(n->s, stmt, stmt->read[i]))
			begin = smaller(begin, first_of_read(n, stmt->read[i],
				m));
	return begin;
}

/* Where each step begins. */
static void find_begin(const struct all_needed *n, struct stream *s)
{
	int *begin = region_array(n->scop->mem, int, s->b);

	for (int m = 0; m < s->b; m++) {
		begin[m] = INT_MAX;
		for (int c = 0; c < n->scop->k; c++)
			begin[m] = smaller(begin[m], begin_of(n, m, c));
	}
	s->walk.step = s->b > 1 ? begin[1] - begin[0] : 0;
	for (int m = 2; m < s->b; m++)
		s->walk.step = smaller(s->walk.step, begin[m] - begin[m - 1]);
	s->walk.of = begin[0];
	for (int m = 1; m < s->b; m++)
		s->walk.of = smaller(s->walk.of, begin[m] - m * s->walk.step);
}

/* The extents that each version needs, also to keep values where nothing is
 * computed, for statements from the last to the first, then for loads:
 * extent[(v + depth)*k + p] is that of version v of what statement p writes.
 */
static void find_extents(const struct scop *scop, struct stream *s)
{
	int k = scop->k, depth = strip_deepest(scop);
	struct needed *all = region_array(scop->mem, struct needed,
		(s->b + depth + 1) * k);
	int start = 0;

	for (int m = s->b - 1; m >= 0; m--)
		for (int c = k - 1; c >= 0; c--) {
			const struct needed *by = &all[(m + 1 + depth) * k +
				c];

			widen(&all[(m + depth) * k + c], by, scop->n_dims);
			for (int i = 0; i < s->reads->n; i++) {
				const struct box_of_reads *box =
					&s->reads->box[i];

				if (box->stmt == c)
					include(&all[(m + box->version + depth)
						* k + box->writer], by,
						&box->around, scop->n_dims);
			}
		}
	memset(s->before, 0, sizeof(s->before));
	memset(s->after, 0, sizeof(s->after));
	for (int v = 1 - depth; v <= s->b; v++)
		for (int p = 0; p < k; p++) {
			const struct needed *e = &all[(v + depth) * k + p];

			for (int d = 0; d < scop->n_dims; d++) {
				s->before[d] = larger(s->before[d], -e->low[d]);
				s->after[d] = larger(s->after[d], e->high[d]);
			}
			if (s->dim.stream >= 0)
				start = smaller(start, e->low[s->dim.stream] +
					stream_lag(s, v - 1, p));
		}
	for (int v = 1; v <= s->b; v++)
		for (int p = 0; p < k; p++)
			include_inputs(s, p, &all[(v + depth) * k + p]);
	s->walk.start = start;
	if (s->dim.stream >= 0) {
		struct all_needed n = { scop, s, all, depth, NULL, 0 };

		find_all_ages(&n);
		find_begin(&n, s);
	}
	s->needed = region_array(scop->mem, struct needed, s->b + 1);
	for (int v = 0; v <= s->b; v++)
		for (int p = 0; p < k; p++)
			widen(&s->needed[v], &all[(v + depth) * k + p],
				scop->n_dims);
}

/* The first iteration that stores a position of some version. */
static int first_store(const struct scop *scop, const struct stream *s)
{
	int first = INT_MAX;

	for (int i = 0; i < scop->k; i++) {
		const int depth = scop->prog->stmt[i]->write->field->depth;

		first = smaller(first, stream_lag(s, s->b - depth, i));
	}
	return first;
}

/* Iterations: the last one stores the last position of the last version, and
 * their number is a whole number of periods.
 */
void strip_find_iterations(const struct scop *scop, struct stream *s)
{
	int lag = 0, n;

	if (s->dim.stream < 0) {
		s->walk.first = s->walk.last = 0;
		s->period = 1;
		return;
	}
	for (int i = 0; i < scop->k; i++)
		lag = larger(lag, stream_lag(s, s->b - 1, i));
	s->walk.last = s->length - 1 + lag;
	n = round_up(s->walk.last - s->walk.start + 1, s->period);
	s->walk.first = s->walk.last - n + 1;
	s->walk.begin = s->walk.first + (first_store(scop, s) -
		s->walk.first) / s->period * s->period;
}

/* "stmt" reads "acc", which a neighbour leaves, no earlier than with the newest
 * position that it may find there.
 */
static void add_exchanged(const struct scop *scop, struct stream *s,
	const struct stmt *stmt, const struct access *acc)
{
	struct exchange *x = &s->exchange;
	int f = acc->field->index, low = 0, high = 0;

	if (s->dim.stream >= 0)
		stream_reach(stmt, acc, s->dim.stream, &low, &high);
	x->newest[f] = larger(x->newest[f], acc->version);
	x->late[f] = smaller(x->late[f], stream_age(s, scop, stmt, acc, high) -
		x->behind);
}

/* The cells of each field that a lane needs beside its own. */
static void find_sides(const struct scop *scop, struct stream *s)
{
	s->beside.left = region_array(scop->mem, int, scop->prog->n_fields);
	s->beside.right = region_array(scop->mem, int, scop->prog->n_fields);
	s->beside.above = region_array(scop->mem, int, scop->prog->n_fields);
	s->beside.below = region_array(scop->mem, int, scop->prog->n_fields);
	s->exchange.newest = region_array(scop->mem, int,
		scop->prog->n_fields);
	s->exchange.late = region_array(scop->mem, int, scop->prog->n_fields);
	for (int i = 0; i < scop->prog->n_fields; i++) {
		s->exchange.newest[i] = NO_VERSION;
		s->exchange.late[i] = s->period;
	}
	for (int c = 0; c < scop->k; c++) {
		const struct stmt *stmt = scop->prog->stmt[c];

		for (int i = 0; i < stmt->n_reads; i++) {
			const struct access *acc = stmt->read[i];
			int f = acc->field->index, low, high;

			if (!access_is_in_order(acc) ||
			    acc->field->n_dims != scop->n_dims)
				continue;
			stream_reach(stmt, acc, s->dim.lane, &low, &high);
			s->beside.left[f] = larger(s->beside.left[f], -low);
			s->beside.right[f] = larger(s->beside.right[f], high);
			if (s->exchange.dim < 0 || !strip_is_streamed(acc))
				continue;
			stream_reach(stmt, acc, s->exchange.dim, &low, &high);
			if (s->dim.row >= 0) {
				s->beside.above[f] = larger(-low,
					s->beside.above[f]);
				s->beside.below[f] = larger(high,
					s->beside.below[f]);
			}
			if (low < 0 || high > 0)
				add_exchanged(scop, s, stmt, acc);
		}
	}
}

/* The versions left for neighbours: those that the steps take, and older ones. */
static void find_versions(const struct scop *scop, struct stream *s)
{
	struct exchange *x = &s->exchange;

	x->versions = region_array(scop->mem, int, scop->prog->n_fields);
	for (int i = 0; i < scop->prog->n_fields; i++)
		if (x->newest[i] != NO_VERSION)
			x->versions[i] = s->b + x->newest[i] +
				scop->prog->field[i]->depth - 1;
}

void strip_find_schedule(const struct scop *scop, struct stream *s)
{
	if (!s->parts) {
		strip_find_lags(scop, s);
		strip_find_period(scop, s);
		s->reads = find_reads(scop, s);
		find_sides(scop, s);
		strip_choose_parts(scop, s);
		strip_find_period(scop, s);
	}
	find_versions(scop, s);
	find_extents(scop, s);
}

int stream_taken_before(const struct stream *s, const struct field *field)
{
	return (stream_is_joined(s) ? s->beside.left :
		s->beside.above)[field->index];
}

int stream_taken_after(const struct stream *s, const struct field *field)
{
	return (stream_is_joined(s) ? s->beside.right :
		s->beside.below)[field->index];
}

/* The next warp, or lane, takes the last rows, or cells, the previous one the
 * first.
 */
static void find_first_left(const struct scop *scop, struct stream *s)
{
	int n = scop->prog->n_fields;

	s->exchange.last = region_array(scop->mem, int, n);
	s->exchange.first = region_array(scop->mem, int, n);
	for (int i = 0; i < n; i++)
		s->exchange.last[i] = (stream_is_joined(s) ? s->cells :
			s->rows) - stream_taken_before(s,
			scop->prog->field[i]);
}

bool stream_goes_around(const struct stream *s)
{
	return s->reads->any_around;
}

/* Do lists of points, or outputs by step, follow a statement? */
static bool has_listed(const struct scop *scop)
{
	bool any = scop->prog->n_lists > 0;

	for (int i = 0; i < scop->prog->n_stmts; i++)
		any = any || scop->prog->stmt[i]->n_listed > 0;
	return any;
}

bool stream_may_begin_late(const struct stream *s, const struct scop *scop)
{
	return s->dim.row >= 0 && s->dim.stream >= 0 && !s->ahead.bulk &&
		!has_listed(scop) && !s->reads->any_around;
}

bool stream_begins_late(const struct stream *s, const struct scop *scop)
{
	return stream_may_begin_late(s, scop) &&
		s->walk.begin > s->walk.first &&
		s->walk.of + (s->b - 1) * s->walk.step > s->walk.first;
}

bool stream_keeps_pointers(const struct stream *s, const struct scop *scop)
{
	enum { MANY = 3, NARROW = 4 };
	int states = 0;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind != FIELD_STATE || type_size(f->type) > NARROW)
			return false;
		states += !f->is_hidden;
	}
	return s->dim.row < 0 && s->dim.stream >= 0 &&
		stream_copies_cells(s) && states >= MANY;
}

/* In three dimensions, where a block has few rows and columns, and nothing that lies beyond the
 * grid is read at its other end.
 */
static void find_rims(const struct scop *scop, struct stream *s)
{
	const bool any = s->dim.row >= 0 && s->dim.stream >= 0 &&
		!s->reads->any_around;

	for (int d = 0; d < scop->n_dims; d++)
		s->rim[d] = any && d != s->dim.stream ?
			(struct rim) { s->before[d], s->after[d],
				d == s->dim.lane ? s->cells : 1 } :
			(struct rim) { 0 };
}

void strip_find_place(const struct scop *scop, struct stream *s)
{
	int lane = s->dim.lane, row = s->dim.row;

	strip_find_iterations(scop, s);
	s->before[lane] = round_up(s->before[lane], s->cells);
	s->after[lane] = round_up(s->after[lane], s->cells);
	s->width = s->lanes * s->cells - s->before[lane] - s->after[lane];
	find_first_left(scop, s);
	find_rims(scop, s);
	if (row < 0)
		return;
	s->height = stream_warps_of_rows(s) * s->rows - s->before[row] - s->after[row];
}

struct stream stream_of_steps(const struct scop *scop, const struct stream *s,
	int b)
{
	struct stream other = *s;

	other.b = b;
	strip_find_schedule(scop, &other);
	strip_find_place(scop, &other);
	return other;
}

int stream_least_steps(const struct scop *scop)
{
	return strip_deepest(scop);
}

int64_t stream_ahead_bytes(const struct stream *s, const struct field *field)
{
	return !s->ahead.used ? 0 : (int64_t) field->depth * s->period *
		s->warps * s->rows * s->lanes * s->cells *
		type_size(field->type);
}

int stream_row_bytes(const struct stream *s, const struct field *field)
{
	return s->warp * s->cells * type_size(field->type);
}

/* Bytes of shared memory for the barriers at which whole rows arrive. */
static int64_t stream_arrival_bytes(const struct stream *s)
{
	enum { BARRIER_BYTES = 8 };

	return !s->ahead.bulk ? 0 : (int64_t) BARRIER_BYTES * s->period *
		s->warps * s->lanes / s->warp;
}

/* The bytes of all arrays, each of a multiple of "unit": what is copied ahead, and what neighbours on either
 * side leave for each other.
 */
static int64_t arrays_bytes(const struct stream *s, const struct scop *scop,
	int64_t unit)
{
	const bool joined = stream_is_joined(s);
	const int *before = joined ? s->beside.left : s->beside.above;
	const int *after = joined ? s->beside.right : s->beside.below;
	const int64_t lanes = joined ? s->lanes :
		(int64_t) s->warps * s->warp * s->cells;
	int64_t bytes = stream_arrival_bytes(s);

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];
		int64_t one;

		if (f->kind != FIELD_STATE)
			continue;
		if (!f->is_hidden)
			bytes += round_up(stream_ahead_bytes(s, f), unit);
		one = s->exchange.parts * s->exchange.versions[i] * lanes *
			type_size(type_promoted(f->type));
		bytes += round_up(before[i] * one, unit) +
			round_up(after[i] * one, unit);
	}
	return bytes;
}

int64_t stream_shared_bytes(const struct stream *s, const struct scop *scop)
{
	int64_t bytes = arrays_bytes(s, scop, 1);

	return bytes > MOST_STATIC_BYTES ? arrays_bytes(s, scop,
		BOX_ALIGNMENT) : bytes;
}

bool stream_loads_rows(const struct scop *scop, const struct access *acc)
{
	return acc->field->n_dims == scop->n_dims && access_is_in_order(acc);
}

bool stream_same_rows(const struct stream *s, const struct access *a,
	const struct access *b)
{
	const int dim[2] = { s->dim.stream, s->dim.row };

	for (int i = 0; i < 2; i++)
		if (dim[i] >= 0 && a->offset[dim[i]] != b->offset[dim[i]])
			return false;
	return a->field == b->field &&
		access_is_in_order(a) == access_is_in_order(b);
}

bool stream_is_first_row(const struct stream *s, const struct stmt *stmt,
	int read)
{
	for (int i = 0; i < read; i++)
		if (stream_same_rows(s, stmt->read[i], stmt->read[read]))
			return false;
	return true;
}

__isl_give isl_set *stream_cells_across(const struct stream *s,
	const struct scop *scop, const struct field *field)
{
	isl_set *cells = isl_set_copy(scop->field[field->index].cells);

	return s->dim.stream < 0 ? cells :
		isl_set_drop_constraints_involving_dims(cells, isl_dim_set,
			(unsigned) s->dim.stream, 1);
}

bool stream_has_one_grid(const struct stream *s, const struct scop *scop)
{
	isl_set *cells = NULL;
	bool one = true;

	for (int i = 0; one && i < scop->prog->n_fields; i++) {
		isl_set *own;

		if (scop->prog->field[i]->kind != FIELD_STATE)
			continue;
		own = stream_cells_across(s, scop, scop->prog->field[i]);
		one = !cells || isl_set_is_equal(cells, own) == isl_bool_true;
		isl_set_free(cells);
		cells = own;
	}
	isl_set_free(cells);
	return one;
}

/* Strips of register streaming: loads and stores of global memory. */
#include "codegen/strips/ahead.h"

/* "pointer"[0], or *(pointer + ..) */
static const struct kx *strip_dereference(const struct strip *p,
	const struct kx *pointer)
{
	const struct kx *zero = integer(p, 0);

	return pointer->kind == KX_NAME ? kx_of_kind(p->mem, KX_INDEX,
		pointer->name, 1, &zero) : kx_builtin(p->mem, B_DEREFERENCE, 1,
		pointer);
}

static struct ks *move_cells(const struct strip *p, enum builtin move,
	enum type type, int n, const struct kx *to, const struct kx *from)
{
	return ks_expression(p->mem, KS_EXPRESSION, kx_move(p->mem, move,
		type, n, to, from));
}

static const struct kx *pointee(const struct strip *p,
	const struct kx *pointer)
{
	return pointer->kind == KX_ADDRESS ? pointer->arg[0] :
		strip_dereference(p, pointer);
}

struct ks *strip_take(const struct strip *p, int n, const struct kx *cell,
	const struct kx *from)
{
	return n > 1 ? move_cells(p, B_LOAD, cell->type, n, kx_address(p->mem,
		cell), from) : ks_assign(p->mem, cell, pointee(p, from));
}

struct ks *strip_leave(const struct strip *p, int n, const struct kx *to,
	const struct kx *cell)
{
	return n > 1 ? move_cells(p, B_STORE, cell->type, n, to, kx_address(
		p->mem, cell)) : ks_assign(p->mem, pointee(p, to), cell);
}

/* Cells as memory has them, where registers have them in another type ------- */

/* "cell", an element of an array, "by" elements further. */
static const struct kx *further(const struct strip *p, const struct kx *cell,
	const struct kx *by)
{
	const struct kx *arg[4];
	struct kx *x;

	for (int i = 0; i < cell->n_args; i++)
		arg[i] = cell->arg[i];
	arg[cell->n_args - 1] = op(p, OP_ADD, by, cell->arg[cell->n_args - 1]);
	x = kx_of_kind(p->mem, KX_INDEX, cell->name, cell->n_args, arg);
	x->type = cell->type;
	return x;
}

/* Element "at" of the cells that are moved together. */
static const struct kx *moved_cell(const struct strip *p,
	const struct field *f, const struct kx *at)
{
	struct kx *x = kx_of_kind(p->mem, KX_INDEX, strip_name(p, f, "moved"),
		1, &at);

	x->type = f->type;
	return x;
}

static struct ks *declare_moved(const struct strip *p, const struct field *f,
	int n)
{
	struct ks *scope = ks_scope(p->mem);

	scope->braces = true;
	ks_add(p->mem, scope, ks_array(p->mem, ctype_of(f->type), strip_name(p,
		f, "moved"), 1, &n, false, -1));
	return scope;
}

static struct ks *load_promoted(const struct strip *p, const struct field *f,
	int n, const struct kx *cell, const struct kx *from)
{
	struct ks *scope = declare_moved(p, f, n);

	ks_add(p->mem, scope, strip_take(p, n, moved_cell(p, f, integer(p, 0)),
		from));
	ks_add(p->mem, scope, strip_over_columns(p, ks_assign(p->mem,
		further(p, cell, p->c), kx_promoted(p->mem, moved_cell(p, f,
			p->c)))));
	return scope;
}

static struct ks *store_promoted(const struct strip *p, const struct field *f,
	int n, const struct kx *to, const struct kx *cell)
{
	struct ks *scope = declare_moved(p, f, n);

	ks_add(p->mem, scope, strip_over_columns(p, ks_assign(p->mem,
		moved_cell(p, f, p->c), kx_stored(p->mem, f->type, further(p,
			cell, p->c)))));
	ks_add(p->mem, scope, strip_leave(p, n, to, moved_cell(p, f, integer(p,
		0))));
	return scope;
}

/* "from" as memory has it. */
static const struct kx *of_memory(const struct strip *p, const struct field *f,
	const struct kx *from)
{
	struct kx *x = region_new_of(p->mem, struct kx);

	*x = *from;
	x->type = f->type;
	return x;
}

static struct ks *load_from(const struct strip *p, const struct field *f,
	const struct kx *cell, const struct kx *from)
{
	return ks_assign(p->mem, cell, cell->type == f->type ? from :
		kx_promoted(p->mem, of_memory(p, f, from)));
}

static struct ks *store_cell(const struct strip *p, const struct field *f,
	const struct kx *to, const struct kx *cell)
{
	return ks_assign(p->mem, to, cell->type == f->type ? cell :
		kx_stored(p->mem, f->type, cell));
}

struct ks *strip_load(const struct strip *p, const struct field *f,
	const struct kx *cell, const struct kx *from)
{
	int n = p->s->cells;

	if (n == 1)
		return load_from(p, f, cell, pointee(p, from));
	return cell->type == f->type ? strip_take(p, n, cell, from) :
		load_promoted(p, f, n, cell, from);
}

static struct ks *store_cells(const struct strip *p, const struct field *f,
	const struct kx *to, const struct kx *cell)
{
	int n = p->s->cells;

	if (n == 1)
		return store_cell(p, f, pointee(p, to), cell);
	return cell->type == f->type ? strip_leave(p, n, to, cell) :
		store_promoted(p, f, n, to, cell);
}

const struct kx *strip_copy(const struct strip *p, const struct field *f,
	bool last, const struct kx *behind)
{
	int n = 2 * f->depth;
	const struct kx *before = passes_before(p->place, f);
	const struct kx *pass = named(p, p->names->tt);
	const struct kx *first = op(p, OP_MUL, integer(p, f->depth), before ?
		op(p, OP_ADD, pass, before) : pass);

	if (behind->kind == KX_INT)
		first = kx_add(p->mem, first, floor_mod((last ? f->depth : 0) -
			behind->ivalue, n));
	else
		first = op(p, OP_SUB, kx_add(p->mem, first,
			last ? f->depth : 0), behind);
	return op(p, OP_MOD, first, integer(p, n));
}

const struct kx *strip_at_row(const struct strip *p, const struct field *f,
	const char *pointer)
{
	if (p->s->dim.row < 0)
		return named(p, pointer);
	return op(p, OP_ADD, named(p, pointer), op(p, OP_MUL, p->r,
		named(p, strip_pitch_name(p, f))));
}

/* The cell of the row of the loop where "pointer" begins, at the column of the loop. */
static const struct kx *cell_by_pointer(const struct strip *p,
	const struct field *f, const char *pointer)
{
	return strip_dereference(p, op(p, OP_ADD, strip_at_row(p, f, pointer),
		p->c));
}

/* The cell at "column", or if that is NULL at the column of the loop. */
static const struct kx *cell_in_memory(const struct strip *p,
	const struct field *f, const struct kx *copy, const struct kx *column)
{
	const struct kx *at[IR_MAX_DIMS];

	for (int d = 0; d < f->n_dims; d++)
		at[d] = strip_point(p, d);
	if (column)
		at[p->s->dim.lane] = column;
	return global_cell(p->place, f, copy, at);
}

/* The lane's cells of a row that begins in the grid: moved at once, "whole",
 * where the lane has all of them, else "one" by one.
 */
static struct ks *cells_of_row(const struct strip *p, const struct field *f,
	struct ks *whole, struct ks *one)
{
	const struct kx *ends = strip_ends_in_grid(p, f);

	if (p->s->cells == 1 || !ends)
		return whole;
	return ks_if(p->mem, ends, whole, strip_over_columns(p,
		guarded(p->mem, strip_in_row(p, f), one)));
}

/* Load all of the lane's cells in a row, which begin at "from", or the one at "from", to
 * registers or on their way to shared memory.
 */
static struct ks *fetch_cells(const struct strip *p, const struct field *f,
	const struct kx *version, const struct kx *from)
{
	if (stream_copies_cells(p->s))
		return strip_copy_cells_ahead(p, f, (int) -version->ivalue, from);
	return strip_load(p, f, strip_loaded_cell(p, f, version, p->r,
		integer(p, 0)), from);
}

static struct ks *fetch_cell(const struct strip *p, const struct field *f,
	const struct kx *version, const struct kx *from)
{
	if (stream_copies_cells(p->s))
		return strip_copy_cell_ahead(p, f, (int) -version->ivalue, from);
	return load_from(p, f, strip_loaded_cell(p, f, version, p->r, p->c),
		from);
}

/* Where cells of "version" are in memory: in "copy", or by "pointer" if there is one. */
struct in_memory {
	const struct kx *version, *copy, *lag;	/* with which it comes */
	const char *pointer;
};

static const struct kx *cell_of(const struct strip *p, const struct field *f,
	const struct in_memory *at)
{
	return at->pointer ? cell_by_pointer(p, f, at->pointer) :
		cell_in_memory(p, f, at->copy, NULL);
}

/* The address of the lane's cells. */
static const struct kx *cells_of(const struct strip *p, const struct field *f,
	const struct in_memory *at)
{
	return at->pointer ? strip_at_row(p, f, at->pointer) :
		kx_address(p->mem, cell_in_memory(p, f, at->copy,
			named(p, p->names->lanes.first_column)));
}

/* Move the "whole" of a lane whose cells all lie in the grid, without a condition on each; in
 * others those that do, "with_care".
 */
static struct ks *or_whole_lanes(const struct strip *p, struct ks *whole,
	struct ks *with_care)
{
	const struct names_of_lanes *names = &p->names->lanes;

	if (!p->one_grid)
		return with_care;
	return ks_if(p->mem, named(p, names->inside), whole, ks_if(p->mem,
		named(p, names->touches), with_care, NULL));
}

/* Load the lane's cells; those beyond the grid keep their value. */
static struct ks *load_with_care(const struct strip *p, const struct field *f,
	const struct in_memory *at)
{
	struct ks *block = ks_scope(p->mem), *body;

	body = fetch_cell(p, f, at->version, cell_of(p, f, at));
	if (strip_goes_around(p, p->s->dim.lane))
		body = strip_over_columns(p, guarded(p->mem,
			strip_in_grid(p, f), body));
	else
		body = guarded(p->mem, strip_row_in_grid(p, f), cells_of_row(p,
			f, fetch_cells(p, f, at->version, cells_of(p, f, at)),
			body));
	body = strip_over_rows(p, body);
	if (p->steady)
		body = or_whole_lanes(p, strip_over_rows(p, fetch_cells(p, f,
			at->version, cells_of(p, f, at))), body);
	strip_declare_position(p, block, body, at->lag);
	ks_add(p->mem, block, body);
	return block;
}

struct ks *strip_advance(const struct strip *p, const struct field *f,
	const char *pointer)
{
	return ks_assign(p->mem, named(p, pointer), op(p, OP_ADD,
		named(p, pointer), named(p, strip_stride_name(p, f))));
}

static void load_state(const struct strip *p, struct ks *block,
	const struct field *f, int behind)
{
	const char *pointer = strip_pointer_name(p, f, "from", behind);
	const struct in_memory at = {
		.version = integer(p, -behind),
		.copy = strip_copy(p, f, false, integer(p, behind)),
		.lag = integer(p, stream_lag(p->s, -behind - 1,
			strip_writer(p, f)) - p->s->ahead.rows),
		.pointer = p->steady ? pointer : NULL,
	};

	ks_add(p->mem, block, !p->full ? load_with_care(p, f, &at) :
		strip_over_rows(p, fetch_cells(p, f, at.version,
			strip_at_row(p, f, pointer))));
	if ((p->full || p->steady) && p->s->dim.stream >= 0)
		ks_add(p->mem, block, strip_advance(p, f, pointer));
}

void strip_load_rows(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_moved(f) && v >= 0; v--)
			load_state(p, block, f, v);
	}
}

static void take_rows(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_moved(f) && v >= 0; v--)
			ks_add(p->mem, block, strip_take_next(p, f, v));
	}
}

void strip_load_states(const struct strip *p, struct ks *block)
{
	bool by_lanes = stream_copies_cells(p->s);

	if (p->full && p->s->ahead.bulk) {
		strip_load_bulk(p, block);
		return;
	}
	if (by_lanes && !stream_copies_first(p->s))
		strip_take_group(p, block);
	else if (!by_lanes && p->s->ahead.rows > 0)
		take_rows(p, block);
	strip_load_rows(p, block);
	if (by_lanes)
		ks_add(p->mem, block, strip_end_group(p));
	if (by_lanes && stream_copies_first(p->s))
		strip_take_group(p, block);
}

/* Does the lane store what comes with "lag" in this iteration? */
static const struct kx *stores_now(const struct strip *p, int lag)
{
	const struct stream *s = p->s;
	const struct kx *now = named(p, p->names->lanes.stores);
	const struct kx *at = op(p, OP_ADD, p->n, p->u);

	if (s->dim.stream < 0)
		return now;
	if (s->walk.first < lag)
		now = kx_and(p->mem, now, op(p, OP_GE, at, integer(p, lag)));
	if (s->walk.last >= lag + s->length)
		now = kx_and(p->mem, now, op(p, OP_LT, at,
			strip_length(p, lag)));
	return now;
}

/* Does the block store the row of the loop?  NULL: always. */
static const struct kx *row_is_stored(const struct strip *p)
{
	const int d = p->s->dim.row;
	const struct kx *at = op(p, OP_ADD, named(p,
		p->names->lanes.first_row), p->r);

	return d < 0 ? NULL : strip_is_stored(p, d, at);
}

/* Where the strip continues around the grid in dimension "d": is "at" the grid's own cell, not
 * one of its repetitions?  NULL: the dimension does not go around.
 */
static const struct kx *is_first_time(const struct strip *p, int d,
	const struct kx *at)
{
	const struct field *f = p->cursor->stmt->stmt->write->field;

	return d >= 0 && strip_goes_around(p, d) ? op(p, OP_LT, at,
		size_of_field(p->place, f, d)) : NULL;
}

const struct kx *strip_is_own(const struct strip *p, const struct kx *lag)
{
	const struct stream *s = p->s;
	const struct kx *own = kx_and(p->mem, row_is_stored(p), named(p,
		p->names->lanes.stores));
	const struct kx *at = op(p, OP_SUB, op(p, OP_ADD, p->n, p->u), lag);

	own = kx_and(p->mem, own, is_first_time(p, s->dim.lane, op(p, OP_ADD,
		named(p, p->names->lanes.first_column), p->c)));
	own = kx_and(p->mem, own, is_first_time(p, s->dim.row, op(p, OP_ADD,
		named(p, p->names->lanes.first_row), p->r)));
	if (s->dim.stream < 0)
		return own;
	own = kx_and(p->mem, own, is_first_time(p, s->dim.stream, op(p, OP_ADD,
		named(p, p->names->origin[s->dim.stream]), at)));
	return kx_and(p->mem, own, kx_and(p->mem, op(p, OP_GE, at, integer(p,
		0)), op(p, OP_LT, at, strip_length(p, 0))));
}

/* The version that is "behind" the last one, in a strip that runs all steps. */
static void store_version(const struct strip *p, struct ks *block,
	const struct field *f, int behind)
{
	int version = p->s->b - behind;
	int lag = stream_lag(p->s, version - 1, strip_writer(p, f));
	const char *pointer = strip_pointer_name(p, f, "to", behind);
	const struct kx *cell = strip_cell(p, f, integer(p, version), 0,
		p->r, integer(p, 0));
	const struct kx *to = strip_at_row(p, f, pointer);
	struct ks *store;

	store = store_cells(p, f, to, cell);
	store = strip_over_rows(p, guarded(p->mem, row_is_stored(p), store));
	ks_add(p->mem, block, guarded(p->mem, stores_now(p, lag), store));
	if (p->s->dim.stream >= 0)
		ks_add(p->mem, block, strip_advance(p, f, pointer));
}

static struct ks *store_lane(const struct strip *p, const struct field *f,
	const struct in_memory *to)
{
	return store_cells(p, f, cells_of(p, f, to), strip_cell(p, f,
		to->version, 0, p->r, integer(p, 0)));
}

/* Store the lane's cells that lie in the grid, if the strip stores the position and "when"
 * holds.
 */
static struct ks *store_in_grid(const struct strip *p, const struct field *f,
	const struct in_memory *to, const struct kx *when)
{
	const struct kx *now = named(p, p->names->lanes.stores);
	struct strip q = *p;
	struct ks *block = ks_block(p->mem);
	struct ks *body = store_cell(p, f, cell_of(p, f, to),
		strip_cell(p, f, to->version, 0, p->r, p->c));

	q.stores = true;
	body = guarded(p->mem, strip_row_in_grid(p, f), cells_of_row(&q, f,
		store_lane(p, f, to), body));
	body = strip_over_rows(&q, guarded(p->mem, row_is_stored(p), body));
	if (p->steady)
		body = or_whole_lanes(p, strip_over_rows(p, guarded(p->mem,
			row_is_stored(p), store_lane(p, f, to))), body);
	strip_declare_position(&q, block, body, to->lag);
	ks_add(p->mem, block, body);
	if (p->s->dim.stream >= 0) {
		const struct kx *at = op(p, OP_SUB, op(p, OP_ADD, p->n, p->u),
			to->lag);

		now = kx_and(p->mem, now, kx_and(p->mem,
			op(p, OP_GE, at, integer(p, 0)),
			op(p, OP_LT, at, strip_length(p, 0))));
	}
	return ks_if(p->mem, kx_and(p->mem, when, now), block, NULL);
}

/* The same for a strip at a side of the grid. */
static void store_version_in_grid(const struct strip *p, struct ks *block,
	const struct field *f, int behind)
{
	const int version = p->s->b - behind;
	const char *pointer = strip_pointer_name(p, f, "to", behind);
	const struct in_memory to = {
		.version = integer(p, version),
		.lag = integer(p, stream_lag(p->s, version - 1,
			strip_writer(p, f))),
		.pointer = pointer,
	};
	struct ks *scope = ks_scope(p->mem);

	ks_add(p->mem, scope, store_in_grid(p, f, &to, NULL));
	ks_add(p->mem, block, scope);
	ks_add(p->mem, block, strip_advance(p, f, pointer));
}

void strip_store_versions(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_moved(f) && v >= 0; v--)
			(p->steady ? store_version_in_grid : store_version)(p,
				block, f, v);
	}
}

void strip_store_if_last(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *version, const struct kx *lag)
{
	const struct kernel_names *names = p->names;
	const struct kx *behind = named(p, names->strips.behind);
	const struct in_memory to = {
		.version = version, .copy = strip_copy(p, f, true, behind),
		.lag = lag,
	};
	struct ks *scope = ks_scope(p->mem);

	ks_add(p->mem, scope, ks_declare(p->mem, ctype_const(CT_INT),
		names->strips.behind, op(p, OP_SUB, named(p,
		names->strips.last_version), version)));
	ks_add(p->mem, scope, store_in_grid(p, f, &to, kx_and(p->mem,
		op(p, OP_GE, behind, integer(p, 0)),
		op(p, OP_LT, behind, integer(p, f->depth)))));
	ks_add(p->mem, block, scope);
}

void strip_store_last(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct in_memory to = { .version = integer(p, p->s->b) };

		if (!is_moved(f) || f->depth > 1)
			continue;
		to.copy = strip_copy(p, f, true, integer(p, 0));
		to.lag = integer(p, stream_lag(p->s, p->s->b - 1,
			strip_writer(p, f)));
		ks_add(p->mem, block, store_in_grid(p, f, &to, NULL));
	}
}

void strip_store_loaded(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 2; is_moved(f) && v >= 0; v--) {
			const struct kx *lag = integer(p, stream_lag(p->s,
				-v - 1, strip_writer(p, f)));

			strip_store_if_last(p, block, f, integer(p, -v), lag);
		}
	}
}

/* Inputs ---------------------------------------------------------------- */

/* How far reads of the same rows of an input reach beyond a lane's cells. */
static void find_row_sides(const struct strip *p, const struct stmt *s,
	const struct access *acc, int *left, int *right)
{
	*left = *right = 0;
	for (int i = 0; i < s->n_reads; i++) {
		const struct access *other = s->read[i];
		int o;

		if (!stream_same_rows(p->s, other, acc))
			continue;
		o = (int) other->offset[p->s->dim.lane];
		*left = -o > *left ? -o : *left;
		*right = o > *right ? o : *right;
	}
}

/* The address of the lane's cells of an input. */
static const struct kx *input_address(const struct strip *p,
	const struct access *acc)
{
	const struct field *f = acc->field;
	const struct kx *from = named(p, strip_name(p, f, "from"));
	int along = p->s->dim.stream, row = p->s->dim.row;

	if (along >= 0) {
		const struct kx *back = kx_add(p->mem, op(p, OP_ADD,
			op(p, OP_MUL, p->m, integer(p, p->s->lag.step)),
			integer(p, p->s->lag.of[p->cursor->stmt->stmt->index])),
			-acc->offset[along]);

		if (!kx_is_int(back, 0))
			from = op(p, OP_SUB, from, op(p, OP_MUL, back,
				named(p, strip_stride_name(p, f))));
	}
	if (row >= 0)
		from = op(p, OP_ADD, from, op(p, OP_MUL, kx_add(p->mem, p->r,
			acc->offset[row]), named(p, strip_pitch_name(p, f))));
	return from;
}

/* { lane : the lane "lanes" away belongs to another warp of the strip } */
static const struct kx *is_outer(const struct strip *p, int lanes)
{
	const struct kx *lane = named(p, p->names->lanes.thread[0]);
	const struct kx *in_warp = op(p, OP_MOD, lane, integer(p, p->s->warp));

	if (lanes < 0)
		return kx_and(p->mem,
			op(p, OP_LT, in_warp, integer(p, -lanes)),
			op(p, OP_GE, lane, integer(p, -lanes)));
	return kx_and(p->mem,
		op(p, OP_GE, in_warp, integer(p, p->s->warp - lanes)),
		op(p, OP_LT, lane, kx_add(p->mem, threads_along(p->mem,
			p->place->plan, p->names, 0), -lanes)));
}

static void load_input(const struct strip *p, struct ks *block,
	const struct access *acc)
{
	const struct field *f = acc->field;
	int extent[2] = { p->s->rows }, n = p->s->dim.row < 0 ? 0 : 1;
	int left, right;
	struct ks *body = ks_block(p->mem);
	const struct kx *own = strip_input_cell(p, acc, p->r, integer(p, 0));

	extent[n++] = p->s->beside.left[f->index] + p->s->cells +
		p->s->beside.right[f->index];
	ks_add(p->mem, block, ks_array(p->mem, ctype_of(f->type),
		own->name, n, extent, false, -1));
	ks_add(p->mem, body, strip_load(p, f, own,
		input_address(p, acc)));
	find_row_sides(p, p->cursor->stmt->stmt, acc, &left, &right);
	for (int at = -left; at < p->s->cells + right; at++) {
		int lanes = strip_lanes_to(p, at);
		const struct kx *cell = strip_input_cell(p, acc, p->r,
			integer(p, at));

		if (at >= 0 && at < p->s->cells)
			continue;
		ks_add(p->mem, body, strip_shuffle(p, cell,
			strip_input_cell(p, acc, p->r, integer(p,
				at - lanes * p->s->cells)), lanes));
		if (stream_is_joined(p->s))
			ks_add(p->mem, body, ks_if(p->mem, is_outer(p, lanes),
				ks_assign(p->mem, cell, strip_dereference(p,
					kx_add(p->mem, input_address(p, acc),
						at))), NULL));
	}
	ks_add(p->mem, block, strip_over_rows(p, body));
}

void strip_load_inputs(const struct strip *p, struct ks *block)
{
	const struct stmt *s = p->cursor->stmt->stmt;

	for (int i = 0; i < s->n_reads; i++)
		if (!is_state(s->read[i]->field) &&
		    strip_loads_rows(p, s->read[i]) &&
		    stream_is_first_row(p->s, s, i))
			load_input(p, block, s->read[i]);
}

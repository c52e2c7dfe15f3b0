/* Copies from global to shared memory, and within shared memory from one tile's
 * place to the next one's; 4.2.2 of [CGO].
 */
#include "codegen/forms.h"
#include "codegen/tile.h"

/* Cells of a box -------------------------------------------------------- */

/* The columns of a box, in its last dimension. */
enum columns {
	COLUMNS_ALL,
	COLUMNS_NEW,		/* those that the previous tile did not have */
	COLUMNS_OLD,		/* the others */
};

static int last_dim(const struct transfer *t)
{
	return t->field->n_dims - 1;
}

/* How far a tile lies from the one before it in the last dimension. */
static int advance(const struct place *p)
{
	return p->plan->pitch[p->plan->n_dims - 1];
}

/* { [copy, c] : 0 <= copy < buffers, 0 <= c < extent of the box }, in the last
 * dimension only the "columns".
 */
static __isl_give isl_set *box_cells(const struct transfer *t,
	enum columns columns)
{
	const struct place *p = t->p;
	const struct box *box = &p->plan->box[t->field->index];
	isl_set *cells = isl_set_universe(isl_space_set_alloc(p->scop->ctx, 0,
		1 + t->field->n_dims));

	cells = set_between(cells, 0, 0, plan_copies(p->plan, t->field) - 1);
	for (int d = 0; d < box->n_dims; d++) {
		int first = 0, extent = box->extent[d];

		if (d == last_dim(t) && columns == COLUMNS_NEW)
			first = extent - advance(t->p);
		if (d == last_dim(t) && columns == COLUMNS_OLD)
			extent -= advance(t->p);
		cells = set_between(cells, 1 + d, first, extent - 1);
	}
	return cells;
}

/* Lines ----------------------------------------------------------------- */

/* { [v, y] : the tile reads the value but does not compute it, and the tile before, which
 * lies advance() back in the last dimension, did not have it }
 */
static __isl_give isl_set *new_values(const struct transfer *t)
{
	isl_set *own = tile_writes(t->p->plan, t->field);
	isl_set *reads = tile_reads(t->p->plan, t->field);
	isl_set *before = isl_set_union(isl_set_copy(own),
		isl_set_copy(reads));

	before = shift_dim(before, isl_set_dim(before, isl_dim_set) - 1,
		-advance(t->p));
	return isl_set_subtract(isl_set_subtract(reads, own), before);
}

/* { [copy, c] : c_last is a new column, and some value of the line (copy, c0,
 * ..) along the last dimension is new }: whole lines of new cells.
 */
static __isl_give isl_set *new_cells(const struct transfer *t)
{
	const struct box *box = &t->p->plan->box[t->field->index];
	isl_set *lines = tile_cells(t->p->plan, t->field, new_values(t));
	int last = 1 + last_dim(t);

	for (int d = 0; d < box->n_dims; d++)
		lines = shift_dim(lines, 1 + d, -box->low[d]);
	lines = isl_set_project_out(lines, isl_dim_set, last, 1);
	lines = isl_set_insert_dims(lines, isl_dim_set, last, 1);
	return set_coalesce(isl_set_intersect(lines,
		box_cells(t, COLUMNS_NEW)));
}

/* Moves ----------------------------------------------------------------- */

/* { [copy, c] : the tile reads, but does not compute, a value there that the
 * previous tile left in an old column }
 */
static __isl_give isl_set *old_cells(const struct transfer *t)
{
	const struct place *p = t->p;
	const struct box *box = &p->plan->box[t->field->index];
	isl_set *cells = tile_cells(p->plan, t->field, isl_set_subtract(
		tile_reads(p->plan, t->field),
		tile_writes(p->plan, t->field)));

	for (int d = 0; d < box->n_dims; d++)
		cells = shift_dim(cells, 1 + d, -box->low[d]);
	return isl_set_intersect(cells, box_cells(t, COLUMNS_OLD));
}

static struct ks *move_cell(void *user)
{
	const struct transfer *t = user;
	const struct place *p = t->p;
	const struct kx *to[IR_MAX_DIMS], *from[IR_MAX_DIMS];
	const struct kx *copy = t->at[0];

	for (int d = 0; d < t->field->n_dims; d++) {
		to[d] = from[d] = t->at[1 + d];
		if (d == last_dim(t))
			from[d] = kx_add(t->mem, to[d], advance(t->p));
	}
	return ks_assign(t->mem, shared_cell(p, t->field, copy, to, false),
		shared_cell(p, t->field, copy, from, p->plan->opt.async));
}

/* A block of columns in the rows of a box; rows of all copies are numbered
 * consecutively.
 */
struct columns_of_rows {
	int first_row, rows;
	int first, width;
	int threads;		/* each thread has a row */
};

static int row_number(const struct transfer *t, __isl_take isl_set *cell)
{
	const struct box *box = &t->p->plan->box[t->field->index];
	int number = set_extreme(cell, 0, false);

	for (int d = 0; d < last_dim(t); d++)
		number = number * box->extent[d] +
			set_extreme(cell, 1 + d, false);
	isl_set_free(cell);
	return number;
}

static int least_power(int least)
{
	int power = 1;

	while (power < least)
		power *= 2;
	return power;
}

/* The number of columns to move, a power of two that divides a row of threads:
 * all old columns if possible, as rows of the box then differ by their number
 * modulo the banks of shared memory.  False: there is none.
 */
static bool find_columns(const struct transfer *t, __isl_keep isl_set *cells,
	struct columns_of_rows *c)
{
	int old = t->p->plan->box[t->field->index].extent[last_dim(t)] -
		advance(t->p);
	int dim = 1 + last_dim(t);
	const int *threads = t->p->plan->threads;
	int least = set_extreme(cells, dim, false);
	int most = set_extreme(cells, dim, true);

	c->width = least_power(old) == old ? old :
		least_power(most + 1 - least);
	c->first = least + c->width > old ? old - c->width : least;
	c->first_row = row_number(t, isl_set_lexmin(isl_set_copy(cells)));
	c->rows = row_number(t, isl_set_lexmax(isl_set_copy(cells))) + 1 -
		c->first_row;
	if (c->first < 0 || threads[0] % c->width != 0)
		return false;
	c->threads = threads[0] / c->width * threads[1] * threads[2];
	return true;
}

/* The first cell that the thread moves, as a pointer. */
static const struct kx *first_moved(const struct transfer *t,
	const struct columns_of_rows *c, const struct kx *row, int words, bool other)
{
	const struct place *p = t->p;
	const struct box *box = &p->plan->box[t->field->index];
	const struct kx *at[IR_MAX_DIMS], *cell;
	int last = last_dim(t), stride = plan_line(p->plan, box, last);

	for (int d = 0; d < last; d++)
		at[d] = kx_int(t->mem, 0);
	at[last] = kx_add(t->mem, kx_binary(t->mem, OP_MUL, kx_binary(t->mem,
		OP_MOD, kx_name(p->mem, p->names->lanes.thread[0]),
		kx_int(t->mem, c->width / words)), kx_int(t->mem, words)),
		c->first);
	cell = shared_cell(p, t->field, kx_int(t->mem, 0), at, other);
	return kx_binary(t->mem, OP_ADD, kx_address(t->mem, cell),
		kx_binary(t->mem, OP_MUL, kx_add(t->mem, row, c->first_row),
			kx_int(t->mem, stride)));
}

/* moved[at] = moved[at + advance], or from[..] of the other box */
static struct ks *move_one(const struct transfer *t, const struct kx *at)
{
	const struct place *p = t->p;
	const struct kx *from = kx_add(t->mem, at, advance(t->p));

	return ks_assign(t->mem,
		kx_of_kind(t->mem, KX_INDEX, p->names->memory.moved, 1, &at),
		kx_of_kind(t->mem, KX_INDEX, p->plan->opt.async ?
			p->names->memory.from : p->names->memory.moved, 1,
			&from));
}

/* The cells that a thread moves at a time. */
static int words_moved(const struct transfer *t, const struct columns_of_rows *c)
{
	int words = vector_words(t->p);

	return c->width % words == 0 && c->first % words == 0 ? words : 1;
}

/* moved[at..] = moved[at + advance..], so many cells. */
static struct ks *move_words(const struct transfer *t, const struct kx *at, int words)
{
	struct ks *one = move_one(t, at);

	return words == 1 ? one : ks_expression(t->mem, KS_EXPRESSION, kx_move(
		t->mem, B_COPY, t->field->type, words, kx_address(t->mem,
		one->x[0]), kx_address(t->mem, one->x[1])));
}

/* Deal rows to as many groups of threads as there are, a number that is an argument. */
static struct ks *move_any_rows(const struct transfer *t,
	const struct columns_of_rows *c)
{
	const struct place *p = t->p;
	struct region *mem = t->mem;
	const struct kx *i = kx_name(mem, p->names->cell[0]);
	int words = words_moved(t, c), group = c->width / words;
	struct ks *loop = ks_for(mem, i->name, row_of_thread(p, group),
		kx_binary(mem, OP_LT, i, kx_int(mem, c->rows)), kx_int(mem,
			c->threads * words), move_words(t, kx_binary(mem,
			OP_MUL, i, kx_int(mem, plan_line(p->plan,
			&p->plan->box[t->field->index], last_dim(t)))), words));

	loop->unroll_by = 1;
	return loop;
}

/* Deal rows to groups of threads, as many as there are columns. */
static struct ks *move_rows(const struct transfer *t,
	const struct columns_of_rows *c)
{
	const struct place *p = t->p;
	struct region *mem = t->mem;
	const struct kx *row = row_of_thread(p, c->width), *first;
	int step = c->threads * plan_line(p->plan,
		&p->plan->box[t->field->index], last_dim(t));
	int all = c->rows / c->threads, rest = c->rows % c->threads;
	const bool any = p->plan->tiles.widths;
	const int words = any ? words_moved(t, c) : 1;
	const char *i = p->names->cell[0];
	struct ks *block = ks_scope(mem), *loop;

	first = any ? kx_int(mem, 0) : row;
	ks_add(mem, block, ks_declare(mem, ctype_fixed(
		scalar_of(t->field->type), false), p->names->memory.moved,
		first_moved(t, c, first, words, false)));
	if (p->plan->opt.async)
		ks_add(mem, block, ks_declare(mem, ctype_fixed(
			scalar_of(t->field->type), true),
			p->names->memory.from, first_moved(t, c, first, words,
				true)));
	if (any) {
		ks_add(mem, block, move_any_rows(t, c));
		return block;
	}
	loop = ks_for(mem, i, kx_int(mem, 0), kx_binary(mem, OP_LT,
		kx_name(mem, i), kx_int(mem, all)), kx_int(mem, 1),
		move_one(t, kx_binary(mem, OP_MUL, kx_name(mem, i),
			kx_int(mem, step))));
	loop->unroll = true;
	if (all > 1)
		ks_add(mem, block, loop);
	else if (all == 1)
		ks_add(mem, block, move_one(t, kx_int(mem, 0)));
	if (rest > 0)
		ks_add(mem, block, ks_if(mem, kx_binary(mem, OP_LT, row,
			kx_int(mem, rest)), move_one(t, kx_int(mem,
				(int64_t) all * step)), NULL));
	return block;
}

static struct ks *move_old(struct transfer *t)
{
	isl_set *cells = old_cells(t);
	struct columns_of_rows c;

	if (isl_set_is_empty(cells) != isl_bool_false) {
		isl_set_free(cells);
		return ks_block(t->mem);
	}
	if (find_columns(t, cells, &c)) {
		isl_set_free(cells);
		return move_rows(t, &c);
	}
	cells = set_coalesce(cells);
	return can_be_dealt(t) ? deal_cells(t, cells, move_cell) :
		loops_over(t, cells, move_cell);
}

/* Copy-in --------------------------------------------------------------- */

/* Straight code has many loads under way; a loop whose bounds depend on the thread waits for
 * each.
 */
static struct ks *load_box(struct transfer *t)
{
	isl_set *cells = box_cells(t, COLUMNS_ALL);

	if (t->full || !can_be_asked(t))
		return load_cells(t, cells);
	return deal_cells(t, isl_set_fix_si(cells, isl_dim_set, 0, 0),
		load_all_copies);
}

/* "copy" for new cells, by vectors if possible, else "one" by one. */
static struct ks *copy_new(struct transfer *t, struct ks *(*copy)(void *user),
	struct ks *(*one)(void *user))
{
	t->words = vector_words(t->p);
	return deal_cells(t, new_cells(t), t->words > 1 ? copy : one);
}

static struct ks *load_new(struct transfer *t)
{
	return can_be_dealt(t) ? copy_new(t, load_vector, load_relative) :
		loops_over(t, new_cells(t), load_cell);
}

/* Where tiles overlap, a tile computes what it reads or copies it in first. */
static bool is_copied(const struct place *p, const struct field *field)
{
	return plan_is_shared(p->plan, field) && (!p->unit->form->overlaps ||
		set_has_points(tile_loads(p->plan, field)));
}

static struct ks *each_of(const struct cursor *c, isl_set ***stored,
	const char *comment, struct ks *(*copy)(struct transfer *t))
{
	const struct program *prog = c->place->unit->prog;
	struct ks *block = ks_block(c->mem);

	ks_add(c->mem, block, ks_comment(c->mem, "%s", comment));
	for (int i = 0; i < prog->n_fields; i++) {
		struct ks *scope = ks_scope(c->mem);
		struct transfer t = {
			.mem = c->mem, .p = c->place, .field = prog->field[i],
			.full = c->full, .relative = is_relative(c), .words = 1,
			.stored = stored ? stored[i] : NULL,
		};

		if (!is_copied(c->place, t.field))
			continue;
		ks_add(c->mem, scope, copy(&t));
		ks_add(c->mem, block, scope);
	}
	return block;
}

static struct ks *for_each_shared(const struct cursor *c,
	const char *comment, struct ks *(*copy)(struct transfer *t))
{
	return each_of(c, NULL, comment, copy);
}

/* Deferred stores ------------------------------------------------------- */

static struct ks *store_relative(void *user)
{
	const struct transfer *t = user;

	return ks_assign(t->mem,
		relative_cell(t->p, t->field, (int) t->at[0]->ivalue, t->apart,
			1),
		shared_cell(t->p, t->field, t->at[0], t->at + 1, false));
}

static int lines_of_copy(const struct place *p, const struct field *field)
{
	return p->plan->box[field->index].extent[p->plan->tiles.hex_dim];
}

isl_set **deferred_line(struct cursor *c, const struct field *field,
	enum deferral kind, int version, int at)
{
	const struct place *p = c->place;
	int lines = lines_of_copy(p, field), n = buffers_of(p, field);
	isl_set ***cells = &c->gathered->deferred[kind][field->index];

	at -= p->plan->box[field->index].low[p->plan->tiles.hex_dim];
	if (!*cells)
		*cells = region_array(c->mem, isl_set *, n * lines);
	return &(*cells)[version % n * lines + at];
}

static struct ks *store_field(struct transfer *t)
{
	int n = t->stored ? lines_of_copy(t->p, t->field) *
		buffers_of(t->p, t->field) : 0;
	isl_set *cells = NULL;

	for (int i = 0; i < n; i++)
		if (t->stored[i])
			cells = cells ? isl_set_union(cells, t->stored[i]) :
				t->stored[i];
	return cells ? deal_cells(t, cells, store_relative) : ks_block(t->mem);
}

/* Store now, and no longer, what was deferred. */
static struct ks *store_all(struct cursor *c, enum deferral kind,
	const char *comment)
{
	isl_set ***stored = c->gathered->deferred[kind];

	c->gathered->deferred[kind] = region_array(c->mem, isl_set **,
		c->place->unit->prog->n_fields);
	return each_of(c, stored, comment, store_field);
}

/* Is the tile "steps" further in the last dimension full, if it exists? */
static const struct kx *is_full_at(const struct place *p, int steps)
{
	const struct plan *plan = p->plan;
	const char *dims[1 + IR_MAX_DIMS] = { p->names->t0 };
	int inner = plan->n_dims - 1;
	isl_set *full = shift_dim(isl_set_copy(plan->full), 1 + inner,
		-steps * plan->pitch[inner]);

	for (int d = 0; d < plan->n_dims; d++)
		dims[1 + d] = p->names->origin[d];
	return kx_of_set(p->mem, name_dims(full, dims),
		name_dims(isl_set_copy(plan->full), dims));
}

/* Does a tile follow this one, and is it full?  Then it finds what this one
 * leaves in shared memory, and stores the later versions itself.
 */
static const struct kx *next_is_full(const struct place *p)
{
	int inner = p->plan->n_dims - 1;

	return kx_and(p->mem, kx_binary(p->mem, OP_LT,
		kx_name(p->mem, p->names->tile[inner]),
		kx_name(p->mem, p->names->last[inner])), is_full_at(p, 1));
}

static bool is_any_deferred(const struct cursor *c, enum deferral kind)
{
	for (int i = 0; i < c->place->unit->prog->n_fields; i++)
		if (c->gathered->deferred[kind][i])
			return true;
	return false;
}

struct ks *store_deferred(struct cursor *c)
{
	struct ks *block = ks_block(c->mem);

	if (is_any_deferred(c, STORE_ALWAYS))
		ks_add(c->mem, block, store_all(c, STORE_ALWAYS,
			plan_deals_hexagon(c->place->plan) ?
			"Copy out the ends of rows above." :
			"Copy out what the skew left behind: the last columns "
			"of rows above."));
	if (is_any_deferred(c, STORE_UNLESS_TAKEN)) {
		ks_add(c->mem, block, ks_comment(c->mem, "The next tile, if "
			"full, continues with the last columns of rows above."));
		ks_add(c->mem, block, ks_if(c->mem, kx_unary(c->mem, OP_NOT,
			next_is_full(c->place)), store_all(c,
			STORE_UNLESS_TAKEN, "Copy them out."), NULL));
	}
	return block;
}

/* Did the previous tile leave something in shared memory? */
static const struct kx *follows_another(const struct place *p)
{
	int dim = p->plan->n_dims - 1;

	return kx_binary(p->mem, OP_GT,
		kx_name(p->mem, p->names->tile[dim]),
		kx_name(p->mem, p->names->first[dim]));
}

static struct ks *reuse_and_load(struct cursor *c)
{
	struct ks *block = ks_block(c->mem);

	if (c->place->plan->opt.reuse == REUSE_DYNAMIC) {
		ks_add(c->mem, block, for_each_shared(c, "Move what the "
			"previous tile left of this one's box to its place.",
			move_old));
		ks_add(c->mem, block, ks_simple(c->mem, KS_BARRIER));
	}
	ks_add(c->mem, block, for_each_shared(c, "Copy in what is new.",
		load_new));
	return block;
}

static struct ks *load_boxes(struct cursor *c)
{
	return for_each_shared(c, "Copy in the box around all cells that this "
		"tile touches.", load_box);
}

/* Asynchronous copies --------------------------------------------------- */

/* Start to copy a cell to its place in the next tile. */
static struct ks *start_cell(void *user)
{
	const struct transfer *t = user;
	const struct kx *to = shared_cell(t->p, t->field, t->at[0], t->at + 1,
		true), *apart[IR_MAX_DIMS];

	for (int d = 0; d < t->field->n_dims; d++)
		apart[d] = d == last_dim(t) ? kx_add(t->mem, t->apart[d],
			advance(t->p)) : t->apart[d];
	return start_copy(t, to, relative_cell(t->p, t->field,
		(int) t->at[0]->ivalue, apart, t->words));
}

static struct ks *start_new(struct transfer *t)
{
	return copy_new(t, start_cell, start_cell);
}

static struct ks *call(struct region *r, const struct kx *x)
{
	return ks_expression(r, KS_EXPRESSION, x);
}

static void end_copies(struct region *r, struct ks *block)
{
	ks_add(r, block, call(r, kx_builtin(r, B_END_COPIES, 0)));
}

static void wait_for_copies(struct region *r, struct ks *block)
{
	ks_add(r, block, call(r, kx_builtin(r, B_WAIT_FOR_COPIES, 1,
		kx_int(r, 0))));
}

void finish_copies(struct region *r, struct ks *block)
{
	end_copies(r, block);
	wait_for_copies(r, block);
}

/* Wait for what the previous tile started to copy; copies for the next tile may
 * take as long as the rows of this one.
 */
static void copy_in_ahead(struct cursor *c, struct ks *block)
{
	const struct place *p = c->place;
	struct ks *arrive = ks_block(c->mem), *start = ks_block(c->mem);

	ks_add(c->mem, arrive, ks_comment(c->mem,
		"The previous tile has started to copy in what is new."));
	wait_for_copies(c->mem, arrive);
	ks_add(c->mem, arrive, for_each_shared(c, "Move what it left of this "
		"one's box to its place.", move_old));
	ks_add(c->mem, block, ks_if(c->mem, kx_and(c->mem, follows_another(p),
		is_full_at(p, -1)), arrive, load_boxes(c)));
	ks_add(c->mem, block, ks_simple(c->mem, KS_BARRIER));
	ks_add(c->mem, start, for_each_shared(c, "Start to copy in what is "
		"new in the next tile.", start_new));
	end_copies(c->mem, start);
	ks_add(c->mem, block, ks_if(c->mem, next_is_full(p), start, NULL));
}

static bool copies_nothing(const struct place *p)
{
	for (int i = 0; i < p->unit->prog->n_fields; i++)
		if (is_copied(p, p->unit->prog->field[i]))
			return false;
	return true;
}

bool tile_starts_copies(const struct place *p, bool full)
{
	return p->plan->opt.starts && (!full || p->plan->group);
}

/* .. of a field that can be copied so? */
static bool starts_some(const struct cursor *c)
{
	const struct program *prog = c->place->unit->prog;
	bool some = false;

	for (int i = 0; i < prog->n_fields; i++)
		some |= is_copied(c->place, prog->field[i]) &&
			field_may_start(prog->field[i]);
	return some && tile_starts_copies(c->place, c->full);
}

void copy_in(struct cursor *c, struct ks *block)
{
	const struct place *p = c->place;

	if (copies_nothing(p))
		return;
	if (c->full && p->plan->opt.async) {
		copy_in_ahead(c, block);
		return;
	}
	if (!c->full || p->plan->opt.reuse == REUSE_NONE) {
		ks_add(c->mem, block, load_boxes(c));
		if (starts_some(c))
			finish_copies(c->mem, block);
	} else if (first_is_partial(p))
		ks_add(c->mem, block, reuse_and_load(c));
	else
		ks_add(c->mem, block, ks_if(c->mem, follows_another(p),
			reuse_and_load(c), load_boxes(c)));
	ks_add(c->mem, block, ks_simple(c->mem, KS_BARRIER));
}

/* place = S*pitch mod extent, the same for all fields */
void declare_places(const struct place *p, struct ks *block)
{
	const struct plan *plan = p->plan;
	int dim = plan->n_dims - 1;
	const struct kx *extent = NULL, *place;

	for (int i = 0; i < p->unit->prog->n_fields; i++)
		if (plan_is_shared(plan, p->unit->prog->field[i]))
			extent = kx_int(p->mem, plan->box[i].extent[dim]);
	if (!extent || plan->opt.reuse != REUSE_STATIC)
		return;
	place = kx_binary(p->mem, OP_MUL, kx_binary(p->mem, OP_SUB,
		kx_name(p->mem, p->names->tile[dim]),
		kx_name(p->mem, p->names->first[dim])),
		kx_int(p->mem, plan->pitch[dim]));
	ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_INT),
		p->names->memory.place, kx_binary(p->mem, OP_MOD, place,
		extent)));
}

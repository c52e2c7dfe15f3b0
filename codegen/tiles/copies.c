/* Copies from global to shared memory, and within shared memory from the
 * place of one tile to that of the next; 4.2.2 of [CGO].
 */
#include "codegen/forms.h"

/* { [c] : the cell of t->field at c is in the grid } */
static const struct kx *grid_guard(const struct transfer *t)
{
	const struct builder *b = t->b;
	isl_set *cells = b->scop->field[t->field->index].cells;

	return kx_of_set(t->mem, name_dims(isl_set_copy(cells),
		b->names->point), isl_set_copy(b->scop->context));
}

/* Cells of a box -------------------------------------------------------- */

/* The columns of a box, in its last dimension. */
enum columns {
	COLUMNS_ALL,
	COLUMNS_NEW,		/* those that the tile before did not have */
	COLUMNS_OLD,		/* the others */
};

static int last_dim(const struct transfer *t)
{
	return t->field->n_dims - 1;
}

/* How far the tile moves on in the last dimension from one to the next. */
static int advance(const struct builder *b)
{
	return b->plan->pitch[b->plan->n_dims - 1];
}

/* { [copy, c] : 0 <= copy < buffers, 0 <= c < extent of the box }, the last
 * dimension only the "columns".
 */
static __isl_give isl_set *box_cells(const struct transfer *t,
	enum columns columns)
{
	const struct builder *b = t->b;
	const struct box *box = &b->plan->box[t->field->index];
	isl_set *cells = isl_set_universe(isl_space_set_alloc(b->scop->ctx, 0,
		1 + t->field->n_dims));

	cells = set_between(cells, 0, 0, plan_copies(b->plan, t->field) - 1);
	for (int d = 0; d < box->n_dims; d++) {
		int first = 0, extent = box->extent[d];

		if (d == last_dim(t) && columns == COLUMNS_NEW)
			first = extent - advance(t->b);
		if (d == last_dim(t) && columns == COLUMNS_OLD)
			extent -= advance(t->b);
		cells = set_between(cells, 1 + d, first, extent - 1);
	}
	return cells;
}

/* Loops over "cells", of [copy, c]. */
static struct ks *loops_over(struct transfer *t, __isl_take isl_set *cells,
	struct ks *(*body)(void *user))
{
	const struct builder *b = t->b;
	bool straight[1 + IR_MAX_DIMS] = { true };
	int n = t->field->n_dims;
	const char *iterator[1 + IR_MAX_DIMS] = { b->names->memory.slot };
	const char *first[1 + IR_MAX_DIMS];
	int step[1 + IR_MAX_DIMS];
	struct loop_nest nest = {
		.mem = t->mem, .n_dims = 1 + n, .iterator = iterator,
		.body = body, .user = t, .straight = t->near ? straight : NULL,
		.at = t->at,
	};

	for (int d = 0; d < n; d++)
		iterator[1 + d] = b->names->cell[d];
	if (b->plan->tiles.hex_dim >= 0)
		straight[1 + b->plan->tiles.hex_dim] =
			b->plan->tiles.straight &&
			!plan_deals_hexagon(b->plan);
	map_threads(b, &nest, first, step, n);
	return loops_of_set(&nest, cells);
}

/* Loads ----------------------------------------------------------------- */

static struct ks *load_near(void *user)
{
	const struct transfer *t = user;

	return ks_assign(t->mem,
		shared_cell(t->b, t->field, t->at[0], t->at + 1, false),
		near_cell(t->b, t->field, (int) t->at[0]->ivalue, t->apart, 1));
}

static struct ks *load_cell(void *user)
{
	const struct transfer *t = user;
	const struct builder *b = t->b;
	const struct field *field = t->field;
	const struct box *box = &b->plan->box[field->index];
	const struct kx *local[IR_MAX_DIMS], *global[IR_MAX_DIMS];
	const struct kx *copy = t->at[0];
	int version = plan_version(b->plan, field);
	struct ks *body, *block = ks_block(t->mem);

	for (int d = 0; d < field->n_dims; d++) {
		local[d] = t->at[1 + d];
		global[d] = builder_name(b, b->names->point[d]);
	}
	body = ks_assign(t->mem, shared_cell(b, field, copy, local,
		false),
		global_cell(b, field, global_copy(b, field, copy, version),
			global));
	if (!t->full)
		body = guarded(b, grid_guard(t), body);
	for (int d = 0; d < field->n_dims; d++)
		declare_if_used(b, block, body, b->names->point[d],
			kx_binary(t->mem, OP_ADD,
				builder_name(b, b->names->origin[d]),
				kx_add(t->mem, local[d], box->low[d])));
	ks_add(t->mem, block, body);
	return block;
}

/* "cells", of [copy, c], from global memory. */
static struct ks *load_cells(struct transfer *t, __isl_take isl_set *cells)
{
	return can_be_dealt(t) ? deal_cells(t, cells, load_near) :
		loops_over(t, cells, load_cell);
}

/* Lines ----------------------------------------------------------------- */

/* { [v, y] : the tile reads the value but neither computes it nor had the
 * tile before, which lies advance() back in the last dimension }
 */
static __isl_give isl_set *new_values(const struct transfer *t)
{
	isl_set *own = tile_writes(t->b->plan, t->field);
	isl_set *reads = tile_reads(t->b->plan, t->field, false);
	isl_set *before = isl_set_union(isl_set_copy(own),
		isl_set_copy(reads));

	before = shift_dim(before, isl_set_dim(before, isl_dim_set) - 1,
		-advance(t->b));
	return isl_set_subtract(isl_set_subtract(reads, own), before);
}

/* { [copy, c] : c_last a new column, some value of the line (copy, c0, ..)
 * along the last dimension is new }: whole lines of what is new.
 */
static __isl_give isl_set *new_cells(const struct transfer *t)
{
	const struct box *box = &t->b->plan->box[t->field->index];
	isl_set *lines = tile_cells(t->b->plan, t->field, new_values(t));
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
 * tile before left in an old column }
 */
static __isl_give isl_set *old_cells(const struct transfer *t)
{
	const struct builder *b = t->b;
	const struct box *box = &b->plan->box[t->field->index];
	isl_set *cells = tile_cells(b->plan, t->field, isl_set_subtract(
		tile_reads(b->plan, t->field, false),
		tile_writes(b->plan, t->field)));

	for (int d = 0; d < box->n_dims; d++)
		cells = shift_dim(cells, 1 + d, -box->low[d]);
	return set_coalesce(isl_set_intersect(cells,
		box_cells(t, COLUMNS_OLD)));
}

static struct ks *move_cell(void *user)
{
	const struct transfer *t = user;
	const struct builder *b = t->b;
	const struct kx *to[IR_MAX_DIMS], *from[IR_MAX_DIMS];
	const struct kx *copy = t->at[0];

	for (int d = 0; d < t->field->n_dims; d++) {
		to[d] = from[d] = t->at[1 + d];
		if (d == last_dim(t))
			from[d] = kx_add(t->mem, to[d], advance(t->b));
	}
	return ks_assign(t->mem, shared_cell(b, t->field, copy, to, false),
		shared_cell(b, t->field, copy, from, b->plan->steps.async));
}

/* A block of columns in the rows of a box, the rows of all copies numbered
 * one after the other.
 */
struct columns_of_rows {
	int first_row, rows;
	int first, width;
	int threads;		/* that have a row each */
};

static int row_number(const struct transfer *t, __isl_take isl_set *cell)
{
	const struct box *box = &t->b->plan->box[t->field->index];
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

/* The columns to move, a power of two that a row of threads is a multiple of:
 * all old ones if possible, as rows of the box differ by one of them modulo
 * the banks of shared memory.  False: there are none such.
 */
static bool find_columns(const struct transfer *t, __isl_keep isl_set *cells,
	struct columns_of_rows *c)
{
	int old = t->b->plan->box[t->field->index].extent[last_dim(t)] -
		advance(t->b);
	int dim = 1 + last_dim(t);
	const int *threads = t->b->plan->threads;
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
	const struct columns_of_rows *c, const struct kx *row, bool other)
{
	const struct builder *b = t->b;
	const struct box *box = &b->plan->box[t->field->index];
	const struct kx *at[IR_MAX_DIMS], *cell;
	int last = last_dim(t), stride = box->extent[last];

	for (int d = 0; d < last; d++)
		at[d] = kx_int(t->mem, 0);
	at[last] = kx_add(t->mem, kx_binary(t->mem, OP_MOD,
		builder_name(b, b->names->lanes.thread[0]),
		kx_int(t->mem, c->width)), c->first);
	cell = shared_cell(b, t->field, kx_int(t->mem, 0), at, other);
	return kx_binary(t->mem, OP_ADD, kx_address(t->mem, cell),
		kx_binary(t->mem, OP_MUL, kx_add(t->mem, row, c->first_row),
			kx_int(t->mem, stride)));
}

/* moved[at] = moved[at + advance], or from[..] of the other box */
static struct ks *move_one(const struct transfer *t, const struct kx *at)
{
	const struct builder *b = t->b;
	const struct kx *from = kx_add(t->mem, at, advance(t->b));

	return ks_assign(t->mem,
		kx_of_kind(t->mem, KX_INDEX, b->names->memory.moved, 1, &at),
		kx_of_kind(t->mem, KX_INDEX, b->plan->steps.async ?
			b->names->memory.from : b->names->memory.moved, 1,
			&from));
}

/* Rows are dealt to groups of threads, as many as there are columns. */
static struct ks *move_rows(const struct transfer *t,
	const struct columns_of_rows *c)
{
	const struct builder *b = t->b;
	struct region *mem = t->mem;
	const struct box *box = &b->plan->box[t->field->index];
	const struct kx *row = row_of_thread(b, c->width);
	int step = c->threads * box->extent[last_dim(t)];
	int all = c->rows / c->threads, rest = c->rows % c->threads;
	const char *i = b->names->cell[0];
	struct ks *block = ks_scope(mem), *loop;

	ks_add(mem, block, ks_declare(mem, ctype_fixed(
		scalar_of(t->field->type), false), b->names->memory.moved,
		first_moved(t, c, row, false)));
	if (b->plan->steps.async)
		ks_add(mem, block, ks_declare(mem, ctype_fixed(
			scalar_of(t->field->type), true),
			b->names->memory.from, first_moved(t, c, row, true)));
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
	struct ks *code = ks_block(t->mem);

	if (isl_set_is_empty(cells) != isl_bool_false) {
		isl_set_free(cells);
		return code;
	}
	if (find_columns(t, cells, &c))
		code = move_rows(t, &c);
	else if (can_be_dealt(t))
		return deal_cells(t, cells, move_cell);
	else
		return loops_over(t, cells, move_cell);
	isl_set_free(cells);
	return code;
}

/* Copy-in --------------------------------------------------------------- */

static struct ks *load_box(struct transfer *t)
{
	return load_cells(t, box_cells(t, COLUMNS_ALL));
}

/* "copy" for what is new, by vectors if possible, else "one". */
static struct ks *copy_new(struct transfer *t, struct ks *(*copy)(void *user),
	struct ks *(*one)(void *user))
{
	t->words = vector_words(t->b);
	return deal_cells(t, new_cells(t), t->words > 1 ? copy : one);
}

static struct ks *load_new(struct transfer *t)
{
	return can_be_dealt(t) ? copy_new(t, load_vector, load_near) :
		loops_over(t, new_cells(t), load_cell);
}

/* Where tiles overlap all that a tile computes is there when it is read. */
static bool is_copied(const struct builder *b, const struct field *field)
{
	return plan_is_shared(b->plan, field) && (!b->unit->form->overlaps ||
		set_has_points(tile_loads(b->plan, field)));
}

static struct ks *each_of(const struct builder *b, isl_set ***stored,
	const char *comment, struct ks *(*copy)(struct transfer *t))
{
	const struct program *prog = b->unit->prog;
	struct ks *block = ks_block(b->mem);

	ks_add(b->mem, block, ks_comment(b->mem, "%s", comment));
	for (int i = 0; i < prog->n_fields; i++) {
		struct ks *scope = ks_scope(b->mem);
		struct transfer t = {
			.mem = b->mem, .b = b, .field = prog->field[i],
			.full = b->full, .near = is_near(b), .words = 1,
			.stored = stored ? stored[i] : NULL,
		};

		if (!is_copied(b, t.field))
			continue;
		ks_add(b->mem, scope, copy(&t));
		ks_add(b->mem, block, scope);
	}
	return block;
}

static struct ks *for_each_shared(const struct builder *b,
	const char *comment, struct ks *(*copy)(struct transfer *t))
{
	return each_of(b, NULL, comment, copy);
}

/* Deferred stores ------------------------------------------------------- */

static struct ks *store_near(void *user)
{
	const struct transfer *t = user;

	return ks_assign(t->mem,
		near_cell(t->b, t->field, (int) t->at[0]->ivalue, t->apart, 1),
		shared_cell(t->b, t->field, t->at[0], t->at + 1, false));
}

static int lines_of_copy(const struct builder *b, const struct field *field)
{
	return b->plan->box[field->index].extent[b->plan->tiles.hex_dim];
}

isl_set **deferred_line(struct builder *b, const struct field *field,
	enum deferral kind, int version, int at)
{
	int lines = lines_of_copy(b, field), n = buffers_of(b, field);
	isl_set ***cells = &b->gathered->deferred[kind][field->index];

	at -= b->plan->box[field->index].low[b->plan->tiles.hex_dim];
	if (!*cells)
		*cells = region_array(b->mem, isl_set *, n * lines);
	return &(*cells)[version % n * lines + at];
}

static struct ks *store_field(struct transfer *t)
{
	int n = t->stored ? lines_of_copy(t->b, t->field) *
		buffers_of(t->b, t->field) : 0;
	isl_set *cells = NULL;

	for (int i = 0; i < n; i++)
		if (t->stored[i])
			cells = cells ? isl_set_union(cells, t->stored[i]) :
				t->stored[i];
	return cells ? deal_cells(t, cells, store_near) : ks_block(t->mem);
}

/* What was deferred is stored now, and no longer. */
static struct ks *store_all(struct builder *b, enum deferral kind,
	const char *comment)
{
	isl_set ***stored = b->gathered->deferred[kind];

	b->gathered->deferred[kind] = region_array(b->mem, isl_set **,
		b->unit->prog->n_fields);
	return each_of(b, stored, comment, store_field);
}

/* Is the tile "steps" further in the last dimension full, if there is one? */
static const struct kx *is_full_at(const struct builder *b, int steps)
{
	const struct plan *plan = b->plan;
	const char *dims[1 + IR_MAX_DIMS] = { b->names->t0 };
	int inner = plan->n_dims - 1;
	isl_set *full = shift_dim(isl_set_copy(plan->full), 1 + inner,
		-steps * plan->pitch[inner]);

	for (int d = 0; d < plan->n_dims; d++)
		dims[1 + d] = b->names->origin[d];
	return kx_of_set(b->mem, name_dims(full, dims),
		name_dims(isl_set_copy(plan->full), dims));
}

/* Is there a tile after this one, and is it full?  Then it finds what this one
 * leaves in shared memory, and stores the later versions itself.
 */
static const struct kx *next_is_full(const struct builder *b)
{
	int inner = b->plan->n_dims - 1;

	return kx_and(b->mem, kx_binary(b->mem, OP_LT,
		builder_name(b, b->names->tile[inner]),
		builder_name(b, b->names->last[inner])), is_full_at(b, 1));
}

static bool is_any_deferred(const struct builder *b, enum deferral kind)
{
	for (int i = 0; i < b->unit->prog->n_fields; i++)
		if (b->gathered->deferred[kind][i])
			return true;
	return false;
}

struct ks *store_deferred(struct builder *b)
{
	struct ks *block = ks_block(b->mem);

	if (is_any_deferred(b, STORE_ALWAYS))
		ks_add(b->mem, block, store_all(b, STORE_ALWAYS,
			plan_deals_hexagon(b->plan) ? "Copy out the ends of "
			"rows above." : "Copy out what the skew left behind: "
			"the last columns of rows above."));
	if (is_any_deferred(b, STORE_UNLESS_TAKEN)) {
		ks_add(b->mem, block, ks_comment(b->mem, "The next tile, if "
			"full, goes on with the last columns of rows above."));
		ks_add(b->mem, block, ks_if(b->mem, kx_unary(b->mem, OP_NOT,
			next_is_full(b)), store_all(b, STORE_UNLESS_TAKEN,
			"Copy them out."), NULL));
	}
	return block;
}

/* Has the tile before left something in shared memory? */
static const struct kx *follows_another(const struct builder *b)
{
	int dim = b->plan->n_dims - 1;

	return kx_binary(b->mem, OP_GT,
		builder_name(b, b->names->tile[dim]),
		builder_name(b, b->names->first[dim]));
}

static struct ks *reuse_and_load(struct builder *b)
{
	struct ks *block = ks_block(b->mem);

	if (b->plan->steps.reuse == REUSE_DYNAMIC) {
		ks_add(b->mem, block, for_each_shared(b, "Move what the tile "
			"before has of this one's box to its place here.",
			move_old));
		ks_add(b->mem, block, barrier(b));
	}
	ks_add(b->mem, block, for_each_shared(b, "Copy in what is new.",
		load_new));
	return block;
}

static struct ks *load_boxes(struct builder *b)
{
	return for_each_shared(b, "Copy in the box around all cells that this "
		"tile touches.", load_box);
}

/* Asynchronous copies --------------------------------------------------- */

/* Start to copy a cell to the place that it has in the next tile. */
static struct ks *start_cell(void *user)
{
	const struct transfer *t = user;
	const struct kx *to = shared_cell(t->b, t->field, t->at[0], t->at + 1,
		true), *apart[IR_MAX_DIMS];

	for (int d = 0; d < t->field->n_dims; d++)
		apart[d] = d == last_dim(t) ? kx_add(t->mem, t->apart[d],
			advance(t->b)) : t->apart[d];
	return ks_expression(t->mem, KS_EXPRESSION, kx_builtin(t->mem,
		B_COPY_AHEAD, 3, kx_address(t->mem, to),
		kx_address(t->mem, near_cell(t->b, t->field,
			(int) t->at[0]->ivalue, apart, t->words)),
		kx_sizeof(t->mem, (struct ctype) {
			.scalar = scalar_of(t->field->type),
			.lanes = t->words > 1 ? t->words : 0 })));
}

static struct ks *start_new(struct transfer *t)
{
	return copy_new(t, start_cell, start_cell);
}

static struct ks *call(const struct builder *b, const struct kx *x)
{
	return ks_expression(b->mem, KS_EXPRESSION, x);
}

/* What the tile before started to copy has to arrive; the next one's may take
 * as long as the rows of this one.
 */
static void copy_in_ahead(struct builder *b, struct ks *block)
{
	struct ks *arrive = ks_block(b->mem), *start = ks_block(b->mem);

	ks_add(b->mem, arrive, ks_comment(b->mem,
		"The tile before has started to copy in what is new."));
	ks_add(b->mem, arrive, call(b, kx_builtin(b->mem,
		B_WAIT_FOR_COPIES, 1, kx_int(b->mem, 0))));
	ks_add(b->mem, arrive, for_each_shared(b, "Move what it has of this "
		"one's box to its place here.", move_old));
	ks_add(b->mem, block, ks_if(b->mem, kx_and(b->mem, follows_another(b),
		is_full_at(b, -1)), arrive, load_boxes(b)));
	ks_add(b->mem, block, barrier(b));
	ks_add(b->mem, start, for_each_shared(b, "Start to copy in what is "
		"new in the next tile.", start_new));
	ks_add(b->mem, start, call(b, kx_builtin(b->mem, B_END_COPIES,
		0)));
	ks_add(b->mem, block, ks_if(b->mem, next_is_full(b), start, NULL));
}

static bool copies_nothing(const struct builder *b)
{
	for (int i = 0; i < b->unit->prog->n_fields; i++)
		if (is_copied(b, b->unit->prog->field[i]))
			return false;
	return true;
}

void copy_in(struct builder *b, struct ks *block)
{
	if (copies_nothing(b))
		return;
	if (b->full && b->plan->steps.async) {
		copy_in_ahead(b, block);
		return;
	}
	if (!b->full || b->plan->steps.reuse == REUSE_NONE)
		ks_add(b->mem, block, load_boxes(b));
	else if (first_is_partial(b))
		ks_add(b->mem, block, reuse_and_load(b));
	else
		ks_add(b->mem, block, ks_if(b->mem, follows_another(b),
			reuse_and_load(b), load_boxes(b)));
	ks_add(b->mem, block, barrier(b));
}

/* place = S*pitch mod extent, the same for all fields */
void declare_places(struct builder *b, struct ks *block)
{
	const struct plan *plan = b->plan;
	int dim = plan->n_dims - 1;
	const struct kx *extent = NULL, *place;

	for (int i = 0; i < b->unit->prog->n_fields; i++)
		if (plan_is_shared(plan, b->unit->prog->field[i]))
			extent = kx_int(b->mem, plan->box[i].extent[dim]);
	if (!extent || plan->steps.reuse != REUSE_STATIC)
		return;
	place = kx_binary(b->mem, OP_MUL, kx_binary(b->mem, OP_SUB,
		builder_name(b, b->names->tile[dim]),
		builder_name(b, b->names->first[dim])),
		kx_int(b->mem, plan->pitch[dim]));
	ks_add(b->mem, block, ks_declare(b->mem, ctype_const(CT_INT),
		b->names->memory.place, kx_binary(b->mem, OP_MOD, place,
		extent)));
}

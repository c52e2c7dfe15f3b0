/* Copies from global to shared memory, and within shared memory from the
 * place of one tile to that of the next; 4.2.2 of [CGO].
 */
#include "codegen/tile.h"

/* { [c] : the cell of b->field at c is in the grid } */
static const struct kx *grid_guard(const struct builder *b)
{
	isl_set *cells = b->scop->field[b->field->index].cells;

	return kx_of_set(b->mem, name_dims(isl_set_copy(cells),
		b->names->point), isl_set_copy(b->scop->context));
}

/* Cells of a box -------------------------------------------------------- */

/* The columns of a box, in its last dimension. */
enum columns {
	COLUMNS_ALL,
	COLUMNS_NEW,		/* those that the tile before did not have */
	COLUMNS_OLD,		/* the others */
};

static int last_dim(const struct builder *b)
{
	return b->field->n_dims - 1;
}

/* How far the tile moves on in the last dimension from one to the next. */
static int advance(const struct builder *b)
{
	return b->plan->pitch[b->plan->n_dims - 1];
}

/* { [copy, c] : 0 <= copy < buffers, 0 <= c < extent of the box }, the last
 * dimension only the "columns", new ones counted from the first of them.
 */
static __isl_give isl_set *box_cells(const struct builder *b,
	enum columns columns)
{
	const struct box *box = &b->plan->box[b->field->index];
	isl_set *cells = isl_set_universe(isl_space_set_alloc(b->scop->ctx, 0,
		1 + b->field->n_dims));

	cells = isl_set_lower_bound_si(cells, isl_dim_set, 0, 0);
	cells = isl_set_upper_bound_si(cells, isl_dim_set, 0,
		buffers_of(b, b->field) - 1);
	for (int d = 0; d < box->n_dims; d++) {
		int extent = box->extent[d];

		if (d == last_dim(b) && columns == COLUMNS_NEW)
			extent = advance(b);
		if (d == last_dim(b) && columns == COLUMNS_OLD)
			extent -= advance(b);
		cells = isl_set_lower_bound_si(cells, isl_dim_set, 1 + d, 0);
		cells = isl_set_upper_bound_si(cells, isl_dim_set, 1 + d,
			extent - 1);
	}
	return cells;
}

/* Loops over "cells", of [copy, c]; "straight" as in struct loop_nest. */
static struct ks *loops_over(struct builder *b, __isl_take isl_set *cells,
	const bool *straight, struct ks *(*body)(void *user))
{
	int n = b->field->n_dims;
	const char *iterator[1 + IR_MAX_DIMS] = { b->names->slot };
	const char *first[1 + IR_MAX_DIMS];
	int step[1 + IR_MAX_DIMS];
	struct loop_nest nest = {
		.mem = b->mem, .n_dims = 1 + n, .iterator = iterator,
		.body = body, .user = b, .unroll = b->plan->steps.unroll,
		.straight = straight, .at = b->at,
	};

	for (int d = 0; d < n; d++)
		iterator[1 + d] = b->names->cell[d];
	map_threads(b, &nest, first, step, n);
	return loops_of_set(&nest, cells);
}

static struct ks *loops_over_box(struct builder *b, enum columns columns,
	struct ks *(*body)(void *user))
{
	return loops_over(b, box_cells(b, columns), NULL, body);
}

/* Loads ----------------------------------------------------------------- */

/* Load the cell at the iterators, the last one plus "shift". */
static struct ks *load_shifted(const struct builder *b, int shift)
{
	const struct field *field = b->field;
	const struct box *box = &b->plan->box[field->index];
	const struct kx *local[IR_MAX_DIMS], *global[IR_MAX_DIMS];
	const struct kx *copy = b->at[0];
	struct ks *body, *block = ks_block(b->mem);

	for (int d = 0; d < field->n_dims; d++) {
		local[d] = b->at[1 + d];
		if (d == last_dim(b))
			local[d] = kx_add(b->mem, local[d], shift);
		global[d] = builder_name(b, b->names->point[d]);
	}
	body = ks_assign(b->mem, shared_cell(b, field, copy, local),
		global_cell(b, field, global_copy(b, field, copy, 0),
			global));
	if (!b->full)
		body = guarded(b, grid_guard(b), body);
	for (int d = 0; d < field->n_dims; d++)
		declare_if_used(b, block, body, b->names->point[d],
			kx_binary(b->mem, OP_ADD,
				builder_name(b, b->names->origin[d]),
				kx_add(b->mem, local[d], box->low[d])));
	ks_add(b->mem, block, body);
	return block;
}

static struct ks *load_cell(void *user)
{
	return load_shifted(user, 0);
}

/* Lines ----------------------------------------------------------------- */

/* { [v, y] : the tile reads the value but neither computes it nor had the
 * tile before, which lies advance() back in the last dimension }
 */
static __isl_give isl_set *new_values(const struct builder *b)
{
	isl_set *own = tile_writes(b->plan, b->field);
	isl_set *reads = tile_reads(b->plan, b->field, false);
	isl_set *before = isl_set_union(isl_set_copy(own),
		isl_set_copy(reads));

	before = shift_dim(before, isl_set_dim(before, isl_dim_set) - 1,
		-advance(b));
	return isl_set_subtract(isl_set_subtract(reads, own), before);
}

/* { [copy, c] : 0 <= c_last < advance(), some value of the line (copy, c0, ..)
 * along the last dimension is new }: whole lines of what is new.
 */
static __isl_give isl_set *new_cells(const struct builder *b)
{
	const struct box *box = &b->plan->box[b->field->index];
	isl_set *lines = tile_cells(b->plan, b->field, new_values(b));
	int last = 1 + last_dim(b);

	for (int d = 0; d < box->n_dims; d++)
		lines = shift_dim(lines, 1 + d, -box->low[d]);
	lines = isl_set_project_out(lines, isl_dim_set, last, 1);
	lines = isl_set_insert_dims(lines, isl_dim_set, last, 1);
	return isl_set_coalesce(isl_set_intersect(lines,
		box_cells(b, COLUMNS_NEW)));
}

static struct ks *load_new_cell(void *user)
{
	const struct builder *b = user;
	const struct box *box = &b->plan->box[b->field->index];

	return load_shifted(b, box->extent[last_dim(b)] - advance(b));
}

/* Moves ----------------------------------------------------------------- */

static struct ks *move_cell(void *user)
{
	const struct builder *b = user;
	const struct kx *to[IR_MAX_DIMS], *from[IR_MAX_DIMS];
	const struct kx *copy = b->at[0];

	for (int d = 0; d < b->field->n_dims; d++) {
		to[d] = from[d] = b->at[1 + d];
		if (d == last_dim(b))
			from[d] = kx_add(b->mem, to[d], advance(b));
	}
	return ks_assign(b->mem, shared_cell(b, b->field, copy, to),
		shared_cell(b, b->field, copy, from));
}

/* Copy-in --------------------------------------------------------------- */

static struct ks *load_box(struct builder *b)
{
	return loops_over_box(b, COLUMNS_ALL, load_cell);
}

static struct ks *load_new(struct builder *b)
{
	bool straight[1 + IR_MAX_DIMS] = { true };

	if (b->plan->hex_dim >= 0)
		straight[1 + b->plan->hex_dim] = b->plan->straight;
	return loops_over(b, new_cells(b), straight, load_new_cell);
}

static struct ks *move_old(struct builder *b)
{
	return loops_over_box(b, COLUMNS_OLD, move_cell);
}

static struct ks *for_each_shared(struct builder *b, const char *comment,
	struct ks *(*copy)(struct builder *b))
{
	const struct program *prog = b->unit->prog;
	struct ks *block = ks_block(b->mem);

	ks_add(b->mem, block, ks_comment(b->mem, "%s", comment));
	for (int i = 0; i < prog->n_fields; i++) {
		struct ks *scope = ks_scope(b->mem);

		b->field = prog->field[i];
		if (!plan_is_shared(b->plan, b->field))
			continue;
		ks_add(b->mem, scope, copy(b));
		ks_add(b->mem, block, scope);
	}
	return block;
}

/* Deferred stores ------------------------------------------------------- */

static struct ks *store_cell(void *user)
{
	const struct builder *b = user;
	const struct field *field = b->field;
	const struct box *box = &b->plan->box[field->index];
	const struct kx *global[IR_MAX_DIMS];

	for (int d = 0; d < field->n_dims; d++)
		global[d] = kx_binary(b->mem, OP_ADD,
			builder_name(b, b->names->origin[d]),
			kx_add(b->mem, b->at[1 + d], box->low[d]));
	return ks_assign(b->mem, global_cell(b, field,
		global_copy(b, field, b->at[0], 0), global),
		shared_cell(b, field, b->at[0], b->at + 1));
}

static int lines_of_copy(const struct builder *b, const struct field *field)
{
	return b->plan->box[field->index].extent[b->plan->hex_dim];
}

isl_set **deferred_line(struct builder *b, const struct field *field,
	enum deferral kind, int version, int at)
{
	int lines = lines_of_copy(b, field), n = buffers_of(b, field);
	isl_set ***cells = &b->deferred[kind][field->index];

	at -= b->plan->box[field->index].low[b->plan->hex_dim];
	if (!*cells)
		*cells = region_array(b->mem, isl_set *, n * lines);
	return &(*cells)[version % n * lines + at];
}

/* Does "next" hold the cells of "line" one further along the hexagon? */
static bool continues(const struct builder *b, __isl_keep isl_set *line,
	__isl_keep isl_set *next)
{
	isl_set *moved;
	bool equal;

	if (!line || !next)
		return false;
	moved = shift_dim(isl_set_copy(line), 1 + b->plan->hex_dim, 1);
	equal = isl_set_is_equal(moved, next) == isl_bool_true;
	isl_set_free(moved);
	return equal;
}

/* "line" from its own to the "last" hexagonal coordinate. */
static __isl_give isl_set *stretch(const struct builder *b,
	__isl_take isl_set *line, int first, int last)
{
	int dim = 1 + b->plan->hex_dim;

	line = isl_set_eliminate(line, isl_dim_set, dim, 1);
	line = isl_set_lower_bound_si(line, isl_dim_set, dim, first);
	return isl_set_upper_bound_si(line, isl_dim_set, dim, last);
}

/* Loops over runs of equal lines. */
static struct ks *store_field(struct builder *b)
{
	bool straight[1 + IR_MAX_DIMS] = { true };
	isl_set **line = b->deferred[b->deferral][b->field->index];
	int lines = lines_of_copy(b, b->field);
	struct ks *block = ks_block(b->mem);
	int n = line ? lines * buffers_of(b, b->field) : 0;

	for (int i = 0, next; i < n; i = next) {
		struct ks *scope = ks_scope(b->mem);

		next = i + 1;
		while (next % lines != 0 &&
		    continues(b, line[next - 1], line[next]))
			next++;
		if (!line[i])
			continue;
		ks_add(b->mem, scope, loops_over(b, stretch(b,
			isl_set_copy(line[i]), i % lines,
			(next - 1) % lines), straight, store_cell));
		ks_add(b->mem, block, scope);
	}
	for (int i = 0; i < n; i++)
		isl_set_free(line[i]);
	b->deferred[b->deferral][b->field->index] = NULL;
	return block;
}

/* Is there a tile after this one, and is it full?  Then it finds what this one
 * leaves in shared memory, and stores the later versions itself.
 */
static const struct kx *next_is_full(const struct builder *b)
{
	const struct plan *plan = b->plan;
	const char *dims[1 + IR_MAX_DIMS] = { b->names->t0 };
	int inner = plan->n_dims - 1;
	isl_set *next = shift_dim(isl_set_copy(plan->full), 1 + inner,
		-plan->pitch[inner]);

	for (int d = 0; d < plan->n_dims; d++)
		dims[1 + d] = b->names->origin[d];
	return kx_and(b->mem, kx_binary(b->mem, OP_LT,
		builder_name(b, b->names->tile[inner]),
		builder_name(b, b->names->last[inner])),
		kx_of_set(b->mem, name_dims(next, dims),
			name_dims(isl_set_copy(plan->full), dims)));
}

static bool is_any_deferred(const struct builder *b, enum deferral kind)
{
	for (int i = 0; i < b->unit->prog->n_fields; i++)
		if (b->deferred[kind][i])
			return true;
	return false;
}

struct ks *store_deferred(struct builder *b)
{
	struct ks *block = ks_block(b->mem);

	if (is_any_deferred(b, STORE_ALWAYS)) {
		b->deferral = STORE_ALWAYS;
		ks_add(b->mem, block, for_each_shared(b, "Copy out what the "
			"skew left behind: the last columns of rows above.",
			store_field));
	}
	if (is_any_deferred(b, STORE_UNLESS_TAKEN)) {
		b->deferral = STORE_UNLESS_TAKEN;
		ks_add(b->mem, block, ks_comment(b->mem, "The next tile, if "
			"full, goes on with the last columns of rows above."));
		ks_add(b->mem, block, ks_if(b->mem, kx_unary(b->mem, OP_NOT,
			next_is_full(b)), for_each_shared(b,
			"Copy them out.", store_field), NULL));
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

void copy_in(struct builder *b, struct ks *block)
{
	struct ks *box = for_each_shared(b, "Copy in the box around all cells "
		"that this tile touches.", load_box);

	if (b->full && b->plan->steps.reuse != REUSE_NONE)
		ks_add(b->mem, block, ks_if(b->mem, follows_another(b),
			reuse_and_load(b), box));
	else
		ks_add(b->mem, block, box);
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
	ks_add(b->mem, block, ks_declare(b->mem, "const int",
		b->names->place, kx_binary(b->mem, OP_MOD, place, extent)));
}

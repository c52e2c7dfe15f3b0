/* Overlapping tiles, of schedule/overlap/overlap.c, as C: a function for a tile, and the loops
 * over blocks of steps and over tiles.
 */
#include <string.h>

#include "codegen/overlap/overlap.h"

enum { LOW, HIGH };

const char *overlap_old_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_old", f->name);
}

const char *overlap_new_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_new", f->name);
}

static const char *tile_name(const struct host *h, const struct field *f)
{
	return fresh_name(h->mem, h->prog, "%s_tile", f->name);
}

static const struct kx *point(const struct overlap *o, int d)
{
	return name(o->h, o->names->point[d]);
}

static const struct kx *step(const struct overlap *o)
{
	return name(o->h, o->names->step);
}

static const struct kx *size_of(const struct overlap *o, int d)
{
	return host_param(o->h, o->stmt->write->field->size[d], ctype(CT_NONE));
}

static const struct kx *least(const struct overlap *o, const struct kx *a,
	const struct kx *b)
{
	return kx_min(o->h->mem, a, b);
}

static const struct kx *most(const struct overlap *o, const struct kx *a,
	const struct kx *b)
{
	return kx_max(o->h->mem, a, b);
}

static const struct kx *minus(const struct overlap *o, const struct kx *a,
	const struct kx *b)
{
	return op(o->h, OP_SUB, a, b);
}

static const struct kx *plus(const struct overlap *o, const struct kx *a,
	const struct kx *b)
{
	return op(o->h, OP_ADD, a, b);
}

/* Loops ----------------------------------------------------------------- */

static struct ks *loop(const struct overlap *o, int d, const struct kx *first,
	const struct kx *end, struct ks *body)
{
	return ks_for(o->h->mem, o->names->point[d], first, op(o->h, OP_LT,
		point(o, d), end), integer(o->h, 1), body);
}

/* The innermost loop. */
static struct ks *row_loop(const struct overlap *o, const struct kx *first,
	const struct kx *end, struct ks *body)
{
	return overlap_simd(o, loop(o, o->last, first, end, body));
}

/* A row of the statement, and the cells at its ends that it does not write. */
static struct ks *computed_row(const struct overlap *o)
{
	const struct host *h = o->h;
	const struct stmt *s = o->stmt;
	struct ks *block = ks_block(h->mem), *body = overlap_instance(o, s);
	const struct kx *low = name(h, o->low), *high = name(h, o->high);
	int64_t first = overlap_first_point(o, s, o->last);
	const struct kx *end = overlap_end_point(o, s, o->last);

	if (o->p->is_clipped)
		ks_add(h->mem, block, row_loop(o, most(o, low,
			integer(h, first)), least(o, high, end), body));
	else
		ks_add(h->mem, block, row_loop(o, low, high, body));
	if (s->write->field->is_hidden)
		return block;
	if (first > 0)
		ks_add(h->mem, block, loop(o, o->last, low, least(o, high,
			integer(h, first)), overlap_keep(o)));
	if (overlap_ends_early(o, s, o->last))
		ks_add(h->mem, block, loop(o, o->last, most(o, low, end), high,
			overlap_keep(o)));
	return block;
}

/* Does the statement write in the current row?  NULL: always. */
static const struct kx *row_is_computed(const struct overlap *o)
{
	const struct kx *inside = NULL;

	for (int d = 0; d < o->last; d++) {
		int64_t first = overlap_first_point(o, o->stmt, d);

		if (first > 0)
			inside = kx_and(o->h->mem, inside, op(o->h, OP_GE,
				point(o, d), integer(o->h, first)));
		if (overlap_ends_early(o, o->stmt, d))
			inside = kx_and(o->h->mem, inside, op(o->h, OP_LT,
				point(o, d), overlap_end_point(o, o->stmt,
				d)));
	}
	return inside;
}

/* Copy the tile's part of "version" of the current row to the next copy of the grid, if "where"
 * says that the version is one of the last.
 */
static struct ks *row_to_grid(const struct overlap *o, const struct kx *version,
	const struct kx *where)
{
	const struct host *h = o->h;
	const struct field *f = o->stmt->write->field;

	return ks_if(h->mem, where, row_loop(o, name(h, o->begin[o->last]),
		name(h, o->end[o->last]), ks_assign(h->mem, overlap_global(o,
			f, overlap_new_name(h, f), overlap_new_copy(o, f,
			version)), overlap_cell(o, f, version))), NULL);
}

static struct ks *stored_row(const struct overlap *o)
{
	const struct host *h = o->h;
	int past = overlap_loaded(o, o->stmt->write->field) - 1;
	const struct kx *is_last = past == 0 ? op(h, OP_EQ, step(o), name(h,
		o->count)) : op(h, OP_GE, kx_add(h->mem, step(o), past),
			name(h, o->count));

	return row_to_grid(o, step(o), overlap_is_own(o, o->last, past,
		is_last));
}

/* Run "body" for the rows of the current plane of the stage at "at", as far as they lie in the
 * grid.
 */
static struct ks *rows_of_plane(const struct overlap *o, const struct kx *at,
	struct ks *body)
{
	const struct kx *zero = integer(o->h, 0);

	for (int d = o->last - 1; d > 0; d--)
		body = loop(o, d, most(o, overlap_low(o, d, at, false), zero),
			least(o, overlap_high(o, d, at, false), size_of(o, d)),
			body);
	return body;
}

/* Run "body" for the planes of that stage. */
static struct ks *planes_of_stage(const struct overlap *o,
	const struct kx *at, struct ks *body)
{
	const struct host *h = o->h;
	const struct pipeline *p = o->p;
	const struct kx *lag = kx_add(h->mem, op(h, OP_MUL, integer(h,
		p->period), at), p->lag[o->stmt->index]);
	const struct kx *first = minus(o, name(h, o->front), lag);

	return loop(o, 0, most(o, most(o, first, overlap_low(o, 0, at, false)),
		integer(h, 0)), least(o, least(o, kx_add(h->mem, first, p->rows),
			overlap_high(o, 0, at, false)), size_of(o, 0)), body);
}

static void declare_ends(const struct overlap *o, struct ks *block,
	const struct kx *at, const struct ks *user)
{
	struct region *r = o->h->mem;
	bool round = !o->p->is_clipped;

	declare_if_used(r, block, user, o->low, most(o,
		overlap_low(o, o->last, at, round), integer(o->h, 0)));
	declare_if_used(r, block, user, o->high, least(o,
		overlap_high(o, o->last, at, round), size_of(o, o->last)));
}

/* Rows of a statement that computes all points between its edges. */
static struct ks *plain_row(const struct overlap *o)
{
	const struct host *h = o->h;
	const struct kx *inside = row_is_computed(o);
	struct ks *copied = o->stmt->write->field->is_hidden ? NULL :
		row_loop(o, name(h, o->low), name(h, o->high),
			overlap_keep(o));

	return inside ? ks_if(h->mem, inside, computed_row(o), copied) :
		computed_row(o);
}

static bool is_last_writer(const struct overlap *o)
{
	for (int i = o->stmt->index + 1; i < o->h->prog->n_stmts; i++)
		if (o->h->prog->stmt[i]->write->field == o->stmt->write->field)
			return false;
	return true;
}

static struct ks *guarded_by(const struct overlap *o, const struct kx *guard,
	struct ks *s)
{
	return guard ? ks_if(o->h->mem, guard, s, NULL) : s;
}

/* Outputs by step of the current row, up to a list; returns the number of what follows them. */
static int add_records(const struct overlap *o, struct ks *rows, int listed)
{
	const struct host *h = o->h;
	struct ks *recorded = ks_block(h->mem);

	for (; listed < o->stmt->n_listed && !o->stmt->listed[listed]->list;
	     listed++)
		overlap_record_row(o, recorded, o->stmt->listed[listed]);
	if (recorded->n_children)
		ks_add(h->mem, rows, guarded_by(o, overlap_is_own(o, o->last,
			o->p->h - 1, NULL), recorded));
	return listed;
}

/* Lists in a row at the current plane; returns likewise. */
static int add_lists(const struct overlap *o, struct ks *planes, int listed)
{
	const struct host *h = o->h;

	for (int i = listed; i < o->stmt->n_listed && o->stmt->listed[i]->list; i++) {
		const struct list *list = o->stmt->listed[i]->list;

		if (i == listed || list != o->stmt->listed[i - 1]->list)
			ks_add(h->mem, planes, ks_comment(h->mem, "at %s",
				list->index));
		ks_add(h->mem, planes, overlap_points_of_list(o, i));
	}
	while (listed < o->stmt->n_listed && o->stmt->listed[listed]->list)
		listed++;
	return listed;
}

/* Each plane of a stage: "row" for all rows, and what follows the statement, in order; lists
 * run once all rows of the plane exist.
 */
static struct ks *stage_of(const struct overlap *o, struct ks *row, bool stores)
{
	const struct host *h = o->h;
	struct ks *planes = ks_block(h->mem), *rows = ks_block(h->mem);
	struct ks *scope = ks_scope(h->mem);
	int listed = 0;

	ks_add(h->mem, rows, row);
	while ((listed = add_records(o, rows, listed)) < o->stmt->n_listed) {
		if (rows->n_children)
			ks_add(h->mem, planes, rows_of_plane(o, step(o),
				rows));
		listed = add_lists(o, planes, listed);
		rows = ks_block(h->mem);
	}
	if (stores)
		ks_add(h->mem, rows, stored_row(o));
	if (rows->n_children)
		ks_add(h->mem, planes, rows_of_plane(o, step(o), rows));
	declare_ends(o, scope, step(o), planes);
	ks_add(h->mem, scope, planes_of_stage(o, step(o), planes));
	return scope;
}

static struct ks *stage(const struct overlap *o)
{
	struct ks *row = o->p->points[o->stmt->index].computed ?
		overlap_guarded_row(o) : plain_row(o);
	bool stores = !o->stmt->write->field->is_hidden && is_last_writer(o);

	return row->n_children || stores ? stage_of(o, row, stores) : row;
}

/* A version up to 0 of what the statement writes; in a tile of few steps it may also be one of
 * the last.
 */
static struct ks *load(struct overlap *o, int version)
{
	const struct host *h = o->h;
	const struct field *f = o->stmt->write->field;
	const struct kx *at = integer(h, version), *zero = integer(h, 0);
	int copy = version + overlap_loaded(o, f) - 1;
	struct ks *rows = ks_block(h->mem);

	ks_add(h->mem, rows, row_loop(o, most(o, overlap_low(o, o->last, at,
		false), zero), least(o, overlap_high(o, o->last, at, false),
		size_of(o, o->last)), ks_assign(h->mem, overlap_cell(o, f, at),
			overlap_global(o, f, overlap_old_name(h, f),
				integer(h, copy)))));
	if (copy > 0)
		ks_add(h->mem, rows, row_to_grid(o, at, overlap_is_own(o,
			o->last, o->p->h - version, op(h, OP_LE, name(h,
				o->count), integer(h, copy)))));
	return planes_of_stage(o, at, rows_of_plane(o, at, rows));
}

static void add_loads(struct overlap *o, struct ks *block)
{
	const struct field *f = o->stmt->write->field;

	if (f->is_hidden || !overlap_is_first_writer(o, o->stmt))
		return;
	for (int version = 1 - overlap_loaded(o, f); version <= 0; version++)
		ks_add(o->h->mem, block, load(o, version));
}

/* The function for a tile ----------------------------------------------- */

/* How far the front goes before or after the tile. */
static const struct kx *front_reach(const struct overlap *o, int side)
{
	return op(o->h, OP_MUL, integer(o->h, o->p->front[side].slope),
		name(o->h, o->count));
}

static struct ks *front_loop(const struct overlap *o, struct ks *body)
{
	const struct host *h = o->h;
	const struct pipeline *p = o->p;

	return ks_for(h->mem, o->front, kx_add(h->mem, minus(o, name(h,
		o->begin[0]), front_reach(o, LOW)), -p->front[LOW].count),
		op(h, OP_LT, name(h, o->front), kx_add(h->mem, plus(o,
			name(h, o->end[0]), front_reach(o, HIGH)),
			p->front[HIGH].count)), integer(h, p->rows), body);
}

static struct ks *tile_body(struct overlap *o)
{
	const struct host *h = o->h;
	const struct pipeline *p = o->p;
	struct ks *block = ks_block(h->mem), *body = ks_block(h->mem);
	struct ks *steps = ks_block(h->mem), *stages = ks_block(h->mem);

	if (o->n_dims == 1)
		return lanes_tile(o);
	for (int d = 1; d < o->n_dims; d++)
		ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_INT),
			o->base[d], kx_add(h->mem, name(h, o->begin[d]),
				-p->base[d])));
	ks_add(h->mem, block, ks_simple(h->mem, KS_BLANK));
	for (int i = 0; i < h->prog->n_stmts; i++) {
		o->stmt = h->prog->stmt[i];
		add_loads(o, body);
	}
	for (int i = 0; i < h->prog->n_stmts; i++) {
		o->stmt = h->prog->stmt[i];
		ks_add(h->mem, stages, stage(o));
	}
	if (ks_uses(stages, o->names->time))
		ks_add(h->mem, steps, ks_declare(h->mem, ctype_const(CT_INT),
			o->names->time, kx_add(h->mem, plus(o,
			name(h, o->t0), step(o)), -1)));
	ks_add(h->mem, steps, stages);
	ks_add(h->mem, body, ks_for(h->mem, o->names->step, integer(h, 1),
		op(h, OP_LE, step(o), name(h, o->count)), integer(h, 1),
		steps));
	ks_add(h->mem, block, front_loop(o, body));
	return block;
}

/* float (*restrict A)[ring][extent..]: the tile's own memory */
static struct kparam tile_param(const struct overlap *o,
	const struct field *f, const char *var)
{
	struct kparam p = { .c_type = ctype_of(f->type), .name = var,
		.is_array = true, .n_extents = o->n_dims,
		.extent = region_array(o->h->mem, const struct kx *,
			o->n_dims + 1) };

	if (o->n_dims == 1) {
		p.n_extents = 2;
		p.extent[0] = integer(o->h, o->p->extent[0]);
		p.extent[1] = integer(o->h, o->p->lanes);
		return p;
	}
	p.extent[0] = integer(o->h, o->p->ring);
	for (int d = 1; d < o->n_dims; d++)
		p.extent[d] = integer(o->h, o->p->extent[d]);
	return p;
}

static struct kfunc *tile_function(struct overlap *o)
{
	const struct host *h = o->h;
	const struct program *prog = h->prog;
	struct kfunc *f = cpu_function(h, "tile");

	f->comment = o->n_dims == 1 ? lanes_comment(o) :
		region_printf(h->mem, "The next steps of a tile and of the "
		"cells that it depends on.  [v][row %% %d] keeps\nthe last %d "
		"rows of version v; a row of version v + 1 follows as soon as "
		"all that it reads\nis there.", o->p->ring,
		o->p->ring);
	kfunc_add_int(h->mem, f, o->t0);
	kfunc_add_int(h->mem, f, o->count);
	kfunc_add_int(h->mem, f, o->next);
	for (int d = 0; d < o->n_dims; d++) {
		kfunc_add_int(h->mem, f, o->begin[d]);
		kfunc_add_int(h->mem, f, o->end[d]);
	}
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];

		if (field->kind != FIELD_STATE) {
			cpu_add_array(h, f, field, field->name, 1,
				CPU_DENSE);
			continue;
		}
		cpu_add_array(h, f, field, overlap_old_name(h, field),
			field->depth, CPU_DENSE);
		cpu_add_array(h, f, field, overlap_new_name(h, field),
			field->depth, CPU_DENSE);
		kfunc_add_param(h->mem, f, tile_param(o, field, field->name));
	}
	f->body = tile_body(o);
	kfunc_drop_unused(f);
	return f;
}

/* The run --------------------------------------------------------------- */

/* block % 2 ? odd : even */
static const struct kx *grid_of(const struct overlap *o, const char *odd,
	const char *even)
{
	return kx_select(o->h->mem, op(o->h, OP_MOD, name(o->h, o->block),
		integer(o->h, 2)), name(o->h, odd), name(o->h, even));
}

static const struct kx *argument_of_tile(const void *user, const char *param)
{
	const struct overlap *o = user;
	const struct host *h = o->h;

	for (int d = 0; d < o->n_dims; d++)
		if (!strcmp(param, o->end[d]))
			return least(o, kx_add(h->mem, name(h, o->begin[d]),
				o->p->width[d]), size_of(o, d));
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (f->kind != FIELD_STATE)
			continue;
		if (!strcmp(param, overlap_old_name(h, f)))
			return grid_of(o, f->name, cpu_user_name(h, f));
		if (!strcmp(param, overlap_new_name(h, f)))
			return grid_of(o, cpu_user_name(h, f), f->name);
		if (!strcmp(param, f->name))
			return name(h, tile_name(h, f));
	}
	return NULL;
}

/* floor(steps * block / blocks): where a block of steps begins */
static const struct kx *start_of_block(const struct overlap *o,
	const struct kx *block)
{
	const struct host *h = o->h;

	return kx_cast(h->mem, ctype(CT_INT), op(h, OP_DIV, op(h, OP_MUL,
		kx_cast(h->mem, ctype(CT_LONG), name(h, o->names->steps)),
		block), name(h, o->blocks)));
}

/* for all blocks of steps, for all tiles, shared out: call the function of a
 * tile
 */
static struct ks *blocks_of_steps(const struct overlap *o,
	const struct kfunc *tile)
{
	const struct host *h = o->h;
	struct ks *s = ks_expression(h->mem, KS_EXPRESSION,
		kfunc_call(h->mem, tile, argument_of_tile, o));
	struct ks *body = ks_block(h->mem);
	const struct kx *block = name(h, o->block);

	for (int d = o->n_dims - 1; d >= 0; d--)
		s = ks_for(h->mem, o->begin[d], integer(h, 0), op(h, OP_LT,
			name(h, o->begin[d]), size_of(o, d)),
			integer(h, o->p->width[d]), s);
	ks_add(h->mem, body, ks_declare(h->mem, ctype_const(CT_INT), o->t0,
		start_of_block(o, block)));
	ks_add(h->mem, body, ks_declare(h->mem, ctype_const(CT_INT), o->count,
		minus(o, start_of_block(o, kx_add(h->mem, block, 1)),
			name(h, o->t0))));
	ks_add(h->mem, body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, body, ks_directive(h->mem, (struct directive) {
		.kind = OMP_FOR, .schedule = OMP_RUNTIME, .collapse = o->n_dims }));
	ks_add(h->mem, body, s);
	return ks_for(h->mem, o->block, integer(h, 0), op(h, OP_LT, block,
		name(h, o->blocks)), integer(h, 1), body);
}

/* In whole lines of the cache: aligned_alloc() requires that. */
static int64_t cells_of_tile(const struct overlap *o, const struct field *f)
{
	const struct pipeline *p = o->p;
	int64_t cells = (int64_t) (p->h + overlap_loaded(o, f)) * p->ring;

	if (o->n_dims == 1)
		cells = (int64_t) overlap_kept(o, f) * p->extent[0] * p->lanes;
	for (int d = 1; d < o->n_dims; d++)
		cells *= p->extent[d];
	return round_up(cells, LINE_BYTES / type_size(f->type));
}

/* Memory for a thread's tiles; "failed" says whether a thread got none. */
static void add_tile_memory(const struct overlap *o, struct ks *region,
	const char *failed)
{
	const struct host *h = o->h;
	const struct kx *all = NULL;
	struct ks *flag = ks_block(h->mem);

	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *f = h->prog->field[i];

		if (f->kind != FIELD_STATE)
			continue;
		ks_add(h->mem, region, ks_declare(h->mem, ctype_fixed(CT_VOID,
			false), tile_name(h, f), kx_builtin(h->mem,
			B_NEW_ALIGNED, 2, integer(h, LINE_BYTES), op(h, OP_MUL,
				integer(h, cells_of_tile(o, f)), kx_sizeof(h->mem,
				ctype_of(f->type))))));
		all = kx_and(h->mem, all, name(h, tile_name(h, f)));
	}
	ks_add(h->mem, flag, ks_directive(h->mem,
		(struct directive) { .kind = OMP_ATOMIC_WRITE }));
	ks_add(h->mem, flag, ks_assign(h->mem, name(h, failed),
		integer(h, 1)));
	ks_add(h->mem, region, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, region, ks_if(h->mem, kx_unary(h->mem, OP_NOT, all),
		flag, NULL));
}

static void free_tile_memory(const struct overlap *o, struct ks *region)
{
	const struct host *h = o->h;

	for (int i = 0; i < h->prog->n_fields; i++)
		if (h->prog->field[i]->kind == FIELD_STATE)
			ks_add(h->mem, region, ks_expression(h->mem,
				KS_EXPRESSION, kx_builtin(h->mem, B_DELETE, 1,
				name(h, tile_name(h, h->prog->field[i])))));
}

/* As few blocks as tiles of "h" steps allow, but 1 for one step and otherwise
 * an even number, so that the last block writes the caller's grid:
 *
 *	2 * ceil(steps / (2 * h))
 *
 * Tiles of one step leave no choice: each step is a block.
 */
static const struct kx *number_of_blocks(const struct overlap *o)
{
	const struct host *h = o->h;
	const struct kx *steps = name(h, o->names->steps);
	int two = 2 * o->p->h;

	return o->p->h == 1 ? steps : kx_select(h->mem, op(h, OP_EQ,
		steps, integer(h, 1)), integer(h, 1), op(h, OP_MUL,
		integer(h, 2), op(h, OP_DIV, kx_add(h->mem, steps, two - 1),
			integer(h, two))));
}

/* Did the last block write our own grid? */
static const struct kx *is_left_in_ours(const struct overlap *o)
{
	const struct host *h = o->h;
	const struct kx *blocks = name(h, o->blocks);

	return op(h, OP_EQ, o->p->h == 1 ?
		op(h, OP_MOD, blocks, integer(h, 2)) : blocks, integer(h, 1));
}

static void add(const struct host *h, struct cpu_run *run)
{
	struct overlap o = {
		.h = h, .p = h->plan->pipeline,
		.names = h->names, .n_dims = h->scop->n_dims,
		.last = h->scop->n_dims - 1,
		.front = fresh_name(h->mem, h->prog, "front"),
		.count = fresh_name(h->mem, h->prog, "count"),
		.block = fresh_name(h->mem, h->prog, "block"),
		.blocks = fresh_name(h->mem, h->prog, "blocks"),
		.next = fresh_name(h->mem, h->prog, "next"),
		.t0 = h->names->t0, .stmt = h->prog->stmt[0],
	};
	struct ks *work = ks_block(h->mem);

	for (int d = 0; d < o.n_dims; d++) {
		const char *x = h->names->point[d];

		o.begin[d] = fresh_name(h->mem, h->prog, "%s_begin", x);
		o.end[d] = fresh_name(h->mem, h->prog, "%s_end", x);
		o.base[d] = fresh_name(h->mem, h->prog, "%s_base", x);
	}
	o.low = fresh_name(h->mem, h->prog, "%s_low", h->names->point[o.last]);
	o.high = fresh_name(h->mem, h->prog, "%s_high",
		h->names->point[o.last]);
	run->functions = region_array(h->mem, struct kfunc *, 2);
	*run->functions = tile_function(&o);
	o.stmt = h->prog->stmt[0];
	ks_add(h->mem, run->body, ks_declare(h->mem, ctype_const(CT_INT),
		o.blocks,
		number_of_blocks(&o)));
	ks_add(h->mem, run->body, ks_simple(h->mem, KS_BLANK));
	cpu_deal_tiles(h, run->region);
	add_tile_memory(&o, run->region, run->failed);
	ks_add(h->mem, run->region, ks_directive(h->mem,
		(struct directive) { .kind = OMP_BARRIER }));
	if (o.n_dims == 1)
		ks_add(h->mem, work, ks_declare(h->mem, ctype_const(CT_INT),
			o.next, op(h, OP_MUL, integer(h, o.p->width[0]),
				kx_builtin(h->mem, B_TILES_AHEAD, 0))));
	ks_add(h->mem, work, blocks_of_steps(&o, *run->functions));
	ks_add(h->mem, work, ks_if(h->mem, is_left_in_ours(&o), run->out,
		NULL));
	ks_add(h->mem, run->region, ks_if(h->mem, kx_unary(h->mem, OP_NOT,
		name(h, run->failed)), work, NULL));
	free_tile_memory(&o, run->region);
}

static const char *describe(const struct host *h)
{
	if (!h->prog->timed)
		return "All statements.";
	return h->plan->pipeline->h == 1 ?
		"All steps.  A step reads one grid and writes the other." :
		"All steps.  Blocks of steps read one grid and write the "
		"other, an even number of\nthem if there is more than one "
		"step.";
}

const struct form_run pipeline_run = {
	.describe = describe, .add = add, .has_two_grids = true,
};

/* Tiles of one dimension, with what they are computed from: cut into as many
 * parts as a line of the cache has cells.  The parts lie side by side, so that
 * neighbours of a point are neighbours of its whole line in memory, and all
 * loads are of whole lines.
 *
 *	A[version % 2][row][lane] is point i_begin - before + lane*part +
 *	row - ghosts[LOW], where the part has it: 0 <= row - ghosts[LOW] < part
 *
 * Rows before and after a part copy the last rows of the lane before, and the
 * first ones of the lane after.  All steps compute all rows; what the ends of
 * the tile lack spreads no faster than the tile narrows.
 */
#include <string.h>

#include "codegen/overlap/lanes.h"

enum { LOW, HIGH };

/* (version + loaded - 1) % kept */
static const struct kx *place_of_version(const struct lanes *x,
	const struct field *f, const struct kx *version)
{
	return op(x->h, OP_MOD, kx_add(x->h->mem, version, overlap_loaded(x->o,
		f) - 1), integer(x->h, overlap_kept(x->o, f)));
}

static const struct kx *cell_of_row(const struct lanes *x,
	const struct field *f, const struct kx *version, const struct kx *row)
{
	const struct kx *arg[3] = {
		place_of_version(x, f, version), row, name(x->h, x->lane),
	};
	struct kx *cell = kx_of_kind(x->h->mem, KX_INDEX, f->name, 3, arg);

	cell->type = f->type;
	return cell;
}

const struct kx *lanes_cell(const struct lanes *x, const struct field *f,
	const struct kx *version, int64_t offset)
{
	return cell_of_row(x, f, version, kx_add(x->h->mem, name(x->h, x->row),
		offset));
}

static const struct kx *step(const struct lanes *x)
{
	return name(x->h, x->h->names->step);
}

/* The row, in the current lane, of what stands for the cell; it lies no farther from the point
 * than the rows of adjacent lanes reach.
 */
static const struct kx *row_standing_in(const struct lanes *x,
	const struct access *acc)
{
	return op(x->h, OP_SUB, mapped_index(x->beyond, acc, 0), name(x->h,
		x->first));
}

static const struct kx *read_cell(const struct binding *binding,
	const struct access *acc)
{
	const struct lanes *x = binding->user;
	const struct kx *version = kx_add(x->h->mem, step(x), acc->version - 1);

	return x->beyond && is_mapped_here(x->beyond, acc, 0) ? cell_or_value(
		x->beyond, acc, cell_of_row(x, acc->field, version,
		row_standing_in(x, acc))) : lanes_cell(x, acc->field, version,
		acc->offset[0] + x->ahead);
}

struct binding lanes_binding(const struct lanes *x)
{
	return (struct binding) { .mem = x->h->mem, .prog = x->h->prog,
		.read = read_cell, .user = x, .element = ELEMENT_OF_ARRAY,
		.time = name(x->h, x->h->names->time),
		.point = { name(x->h, x->point) } };
}

static struct ks *loop(const struct lanes *x, const char *var,
	const struct kx *first, const struct kx *end, struct ks *body)
{
	return ks_for(x->h->mem, var, first, op(x->h, OP_LT, name(x->h, var),
		end), integer(x->h, 1), body);
}

static const struct kx *imax_of(const struct lanes *x, const struct kx *a,
	const struct kx *b)
{
	return kx_max(x->h->mem, a, b);
}

static const struct kx *imin_of(const struct lanes *x, const struct kx *a,
	const struct kx *b)
{
	return kx_min(x->h->mem, a, b);
}

/* i_begin - before - ghosts[LOW] + lane*part: the point of row 0 */
static const struct kx *point_of_lane(const struct lanes *x)
{
	return op(x->h, OP_ADD, kx_add(x->h->mem, name(x->h, x->begin),
		-x->p->before - lanes_first_row(x)), op(x->h, OP_MUL,
		name(x->h, x->lane), integer(x->h, x->p->part)));
}

static struct ks *declare_first(const struct lanes *x)
{
	return ks_declare(x->h->mem, ctype_const(CT_INT), x->first,
		point_of_lane(x));
}

static struct ks *each_lane(const struct lanes *x, struct ks *body)
{
	return loop(x, x->lane, integer(x->h, 0), integer(x->h, x->p->lanes),
		body);
}

/* A global cell at first + row, in copy "copy" if there are several. */
static const struct kx *global(const struct lanes *x, const char *var,
	int copy)
{
	bool one = x->stmt->write->field->depth == 1;
	const struct kx *at[2] = { integer(x->h, copy), op(x->h, OP_ADD,
		name(x->h, x->first), name(x->h, x->row)) };

	return kx_of_kind(x->h->mem, KX_INDEX, var, one ? 1 : 2, at + one);
}

/* for each lane: the rows of its points "from" (NULL: 0) .. "to", but for the first "done"
 * (NULL: none): body
 */
static struct ks *each_part(const struct lanes *x, const struct kx *done,
	const struct kx *from, const struct kx *to, struct ks *body)
{
	const struct host *h = x->h;
	struct ks *lane = ks_block(h->mem);
	const struct kx *first = name(h, x->first);
	const struct kx *row = integer(h, lanes_first_row(x));

	ks_add(h->mem, lane, declare_first(x));
	ks_add(h->mem, lane, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, lane, loop(x, x->row, imax_of(x, done ? kx_add(h->mem,
		done, lanes_first_row(x)) : row, from ?
		op(h, OP_SUB, from, first) :
		kx_unary(h->mem, OP_NEG, first)), imin_of(x,
		integer(h, lanes_end_row(x)), op(h, OP_SUB, to, first)), body));
	return each_lane(x, lane);
}

/* Do processors have instructions that move cells of the field between memory and lanes, and can the grid hold all
 * lanes?
 */
static bool has_moves(const struct lanes *x)
{
	const enum type type = x->stmt->write->field->type;
	const struct kx *size = lanes_size(x);

	if (size->kind == KX_INT && size->ivalue < x->p->lanes * x->p->part)
		return false;
	return (type == TYPE_FLOAT || type == TYPE_DOUBLE) && x->p->lanes ==
		(int) (LINE_BYTES / type_size(type)) &&
		overlap_loaded(x->o, x->stmt->write->field) == 1;
}

/* begin >= before && begin <= size - (lanes*part - before): do all lanes lie in the grid? */
static const struct kx *is_whole(const struct lanes *x)
{
	const struct host *h = x->h;
	const struct kx *begin = name(h, x->begin);

	return op(h, OP_AND, op(h, OP_GE, begin, integer(h, x->p->before)),
		op(h, OP_LE, begin, kx_add(h->mem, lanes_size(x), x->p->before -
			x->p->lanes * x->p->part)));
}

/* The first cell of row "row" of "version", and where the first one of the first lane lies in
 * "grid".
 */
static const struct kx *lanes_begin(const struct lanes *x,
	const struct kx *version, int row)
{
	const struct field *f = x->stmt->write->field;
	const struct kx *at[3] = { place_of_version(x, f, version),
		integer(x->h, row), integer(x->h, 0) };

	return kx_address(x->h->mem, kx_of_kind(x->h->mem, KX_INDEX, f->name,
		3, at));
}

static const struct kx *grid_begin(const struct lanes *x, const char *grid)
{
	const struct kx *at[1] = { kx_add(x->h->mem, name(x->h, x->begin),
		-x->p->before) };

	return kx_address(x->h->mem, kx_of_kind(x->h->mem, KX_INDEX, grid, 1,
		at));
}

/* { const int done = all lanes lie in the grid ? move : 0; the rows that are left: cells } */
static struct ks *moved_first(const struct lanes *x, struct kx *move,
	const struct kx *from, const struct kx *to, struct ks *cells)
{
	const struct host *h = x->h;
	const char *done = fresh_name(h->mem, h->prog, "done");
	struct ks *block = ks_scope(h->mem);

	move->c_type = (struct ctype) { .lanes = LANES_OF_PROCESSOR,
		.scalar = scalar_of(x->stmt->write->field->type) };
	ks_add(h->mem, block, ks_declare(h->mem, ctype_const(CT_INT), done,
		kx_select(h->mem, is_whole(x), move, integer(h, 0))));
	ks_add(h->mem, block, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, block, each_part(x, name(h, done), from, to, cells));
	return block;
}

/* Versions up to 0, in copies of the grid from 0 on. */
static struct ks *load(const struct lanes *x)
{
	const struct host *h = x->h;
	const struct field *f = x->stmt->write->field;
	struct ks *cells = ks_block(h->mem);

	for (int i = 0; i < overlap_loaded(x->o, f); i++)
		ks_add(h->mem, cells, ks_assign(h->mem, lanes_cell(x, f,
			integer(h, i + 1 - overlap_loaded(x->o, f)), 0),
			global(x, overlap_old_name(h, f), i)));
	return !has_moves(x) ? each_part(x, NULL, NULL, lanes_size(x), cells) :
		moved_first(x, kx_builtin(h->mem, B_TO_LANES, 3, lanes_begin(x,
			integer(h, 0), lanes_first_row(x)), grid_begin(x,
			overlap_old_name(h, f)), integer(h, x->p->part)), NULL,
			lanes_size(x), cells);
}

static struct ks *store(const struct lanes *x)
{
	const struct host *h = x->h;
	const struct field *f = x->stmt->write->field;
	const struct kx *count = name(h, x->o->count);
	const struct kx *begin = name(h, x->begin);
	const struct kx *end = name(h, x->o->end[0]);
	struct ks *cells = ks_block(h->mem);

	for (int i = 0; i < overlap_loaded(x->o, f); i++)
		ks_add(h->mem, cells, ks_assign(h->mem, global(x,
			overlap_new_name(h, f), i), lanes_cell(x, f, kx_add(
			h->mem, count, i + 1 - overlap_loaded(x->o, f)), 0)));
	return !has_moves(x) ? each_part(x, NULL, begin, end, cells) :
		moved_first(x, kx_builtin(h->mem, B_FROM_LANES, 6, grid_begin(x,
			overlap_new_name(h, f)), lanes_begin(x, kx_add(h->mem,
				count, 1), 0), lanes_begin(x, count,
				lanes_first_row(x)),
			integer(h, x->p->part), integer(h, x->p->before),
			integer(h, x->p->lanes * x->p->part - x->p->before -
				x->p->width[0])), begin, end, cells);
}

/* Points "from" .. "to" of the grid keep their values. */
static struct ks *keep(const struct lanes *x, const struct kx *from,
	const struct kx *to)
{
	const struct field *f = x->stmt->write->field;

	return each_part(x, NULL, from, to, ks_assign(x->h->mem, lanes_cell(x, f, step(x),
		0), lanes_cell(x, f, kx_add(x->h->mem, step(x), -1), 0)));
}

/* Rows "first" .. "end" of a lane copy the rows "back" further on of its
 * "neighbour"; the outermost lanes have no neighbour, and take their own
 * instead.
 */
static void add_ghosts(const struct lanes *x, struct ks *block, int first,
	int end, int back, const struct kx *neighbour,
	const struct kx *version)
{
	const struct host *h = x->h;
	const struct field *f = x->stmt->write->field;

	for (int row = first; row < end; row++) {
		const struct kx *arg[3] = {
			place_of_version(x, f, version),
			integer(h, row + back), neighbour,
		};
		const struct kx *to[3] = { arg[0], integer(h, row),
			name(h, x->lane) };

		ks_add(h->mem, block, ks_assign(h->mem, kx_of_kind(h->mem,
			KX_INDEX, f->name, 3, to), kx_of_kind(h->mem,
			KX_INDEX, f->name, 3, arg)));
	}
}

/* Copy "version" of what the statement wrote, or of what was loaded, to where adjacent lanes
 * read it.
 */
static struct ks *share(const struct lanes *x, const struct kx *version)
{
	const struct host *h = x->h;
	const struct kx *lane = name(h, x->lane);
	struct ks *rows = ks_block(h->mem);

	add_ghosts(x, rows, 0, lanes_first_row(x), x->p->part, imax_of(x,
		kx_add(h->mem, lane, -1), integer(h, 0)), version);
	add_ghosts(x, rows, lanes_end_row(x), x->p->extent[0], -x->p->part,
		imin_of(x, kx_add(h->mem, lane, 1), integer(h,
			x->p->lanes - 1)), version);
	return each_lane(x, rows);
}

static void share_loads(const struct lanes *x, struct ks *block)
{
	int loaded = overlap_loaded(x->o, x->stmt->write->field);

	for (int v = 1 - loaded; v <= 0 && x->p->extent[0] > x->p->part; v++)
		ks_add(x->h->mem, block, share(x, integer(x->h, v)));
}

static void add_copy_statements(const struct lanes *x, struct ks *block)
{
	const struct host *h = x->h;
	int64_t first = overlap_first_point(x->o, x->stmt, 0);
	const struct kx *end = overlap_end_point(x->o, x->stmt, 0);
	const struct kx *begin = name(h, x->begin);

	if (first > 0)
		ks_add(h->mem, block, ks_if(h->mem, op(h, OP_LT, begin,
			integer(h, first + x->p->before)), keep(x, NULL,
			integer(h, first)), NULL));
	if (overlap_ends_early(x->o, x->stmt, 0))
		ks_add(h->mem, block, ks_if(h->mem, op(h, OP_GT, kx_add(
			h->mem, begin, x->p->lanes * x->p->part -
			x->p->before), end), keep(x, end, lanes_size(x)), NULL));
}

/* Rows to compute at a time, so that they share loads; one if a statement names
 * intermediate values, or uses its coordinates.
 */
static int rows_at_a_time(const struct lanes *x, const struct ks *row)
{
	return x->stmt->locals || ks_uses(row, x->point) ||
		x->p->part % LANE_ROWS ? 1 : LANE_ROWS;
}

static isl_set *computed_points(const struct lanes *x)
{
	return x->p->points[x->stmt->index].computed;
}

/* "value" where the statement computes the point of the current row; elsewhere the value that
 * the field has there already, or had a step before.
 */
static const struct kx *where_computed(const struct lanes *x,
	const struct kx *value)
{
	const struct host *h = x->h;
	const struct kx *version = overlap_is_first_writer(x->o, x->stmt) ?
		kx_add(h->mem, step(x), -1) : step(x);
	const struct kx *guard;

	if (x->all || !computed_points(x))
		return value;
	guard = kx_of_set(h->mem, name_dims(overlap_points_of_row(x->o,
		isl_set_copy(computed_points(x))), &x->point),
		isl_set_intersect(cpu_times(h),
			isl_set_copy(h->scop->context)));
	return guard ? kx_select(h->mem, guard, value, lanes_cell(x,
		x->stmt->write->field, version, x->ahead)) : value;
}

static struct ks *instance(const struct lanes *x,
	const struct binding *binding, bool everywhere)
{
	const struct host *h = x->h;
	const struct stmt *s = x->stmt;
	const struct kx *value = kx_of_expr(binding, s->value);
	struct ks *body = ks_block(h->mem);

	for (const struct local *l = s->locals; l; l = l->next)
		ks_add(h->mem, body, ks_declare(h->mem,
			ctype_const(scalar_of(l->value->type)), l->name,
			kx_of_expr(binding, l->value)));
	ks_add(h->mem, body, ks_assign(h->mem, lanes_cell(x, s->write->field,
		step(x), 0), everywhere ? where_computed(x, value) : value));
	return body;
}

static struct ks *row_at_hand(struct lanes *x, const struct binding *binding)
{
	const struct host *h = x->h;
	struct ks *body = instance(x, binding, true), *at = ks_block(h->mem);

	if (!ks_uses(body, x->point))
		return body;
	ks_add(h->mem, at, ks_declare(h->mem, ctype_const(CT_INT), x->point,
		op(h, OP_ADD, point_of_lane(x), name(h, x->row))));
	ks_add(h->mem, at, body);
	return at;
}

/* All values before all stores, which a compiler may take to change what is read. */
static struct ks *rows_at_hand(struct lanes *x, int rows,
	const struct binding *binding)
{
	const struct host *h = x->h;
	const struct field *f = x->stmt->write->field;
	struct ks *body = ks_block(h->mem), *stores = ks_block(h->mem);

	for (int i = 0; i < rows; i++) {
		const char *value = fresh_name(h->mem, h->prog, "value%d",
			i);

		x->ahead = i;
		ks_add(h->mem, body, ks_declare(h->mem,
			ctype_const(scalar_of(f->type)), value,
			where_computed(x, kx_of_expr(binding,
				x->stmt->value))));
		ks_add(h->mem, stores, ks_assign(h->mem, lanes_cell(x, f, step(x),
			i), name(h, value)));
	}
	x->ahead = 0;
	ks_add(h->mem, body, stores);
	return body;
}

/* Do adjacent lanes read what the statement wrote before another statement writes the field? */
static bool is_shared(const struct lanes *x)
{
	const struct program *prog = x->h->prog;
	const struct field *f = x->stmt->write->field;

	for (int i = x->stmt->index + 1; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		for (int j = 0; j < s->n_reads; j++)
			if (s->read[j]->field == f && s->read[j]->version > 0)
				return true;
		if (s->write->field == f)
			return false;
	}
	return true;
}

/* Points one by one ------------------------------------------------------- */

/* How many points the statement computes in a step, among values that others have left: at most
 * one, or ALL if that is unknown?
 */
enum points { NONE, ONE, ALL };

static enum points count_points(const struct lanes *x)
{
	enum points n = ALL;
	isl_set *set;

	if (!computed_points(x) || overlap_is_first_writer(x->o, x->stmt))
		return ALL;
	set = overlap_points_of_row(x->o, isl_set_copy(computed_points(x)));
	if (isl_set_is_empty(set) == isl_bool_true)
		n = NONE;
	else if (isl_set_is_singleton(set) == isl_bool_true)
		n = ONE;
	isl_set_free(set);
	return n;
}

struct each_point {
	const struct lanes *x;
	struct ks *(*body)(void *user);
	void *user;
};

/* const int row = i - first; body */
static struct ks *at_point(void *user)
{
	const struct each_point *p = user;
	const struct lanes *x = p->x;
	struct ks *at = ks_block(x->h->mem);

	ks_add(x->h->mem, at, ks_declare(x->h->mem, ctype_const(CT_INT),
		x->row, op(x->h, OP_SUB, name(x->h, x->point),
			name(x->h, x->first))));
	ks_add(x->h->mem, at, p->body(p->user));
	return at;
}

struct ks *lanes_each_point(const struct lanes *x, __isl_take isl_set *set,
	struct ks *(*body)(void *user), void *user)
{
	const struct host *h = x->h;
	struct each_point p = { x, body, user };
	const char *first[1] = { NULL };
	struct loop_nest nest = {
		.mem = h->mem, .n_dims = 1, .iterator = &x->point,
		.first = first, .body = at_point, .user = &p,
	};
	struct ks *lane = ks_block(h->mem);

	ks_add(h->mem, lane, declare_first(x));
	ks_add(h->mem, lane, loops_of_set(&nest, overlap_points_after(set,
		x->first, lanes_first_row(x), lanes_end_row(x)),
		isl_set_intersect(cpu_times(h), isl_set_copy(
			h->scop->context))));
	return each_lane(x, lane);
}

static struct ks *instance_of_point(void *user)
{
	const struct lanes *x = user;
	const struct binding binding = lanes_binding(x);

	return instance(x, &binding, false);
}

/* for each lane: if it has a point of "set": compute it */
static void add_points(struct lanes *x, struct ks *block,
	__isl_take isl_set *set)
{
	set = overlap_points_of_row(x->o, set);
	if (isl_set_is_empty(set) == isl_bool_false)
		ks_add(x->h->mem, block, lanes_each_point(x, set,
			instance_of_point, x));
	else
		isl_set_free(set);
}

/* Points near ends of the grid for which a boundary needs more code, once all other points
 * exist.
 */
static void add_points_at_ends(struct lanes *x, struct ks *block)
{
	const struct scop_stmt *s = overlap_scop_stmt(x->o, x->stmt);
	const struct place place = cpu_place(x->h);
	struct cursor c = cpu_cursor(&place);

	if (!s->is_mapped)
		return;
	c.stmt = s;
	c.mapped = true;
	x->beyond = &c;
	add_points(x, block, overlap_points_beyond(s, isl_set_reset_tuple_id(
		isl_set_copy(s->domain))));
	x->beyond = NULL;
}

/* ----------------------------------------------------------------------------- */

/* All rows of all lanes. */
static struct ks *loop_over_rows(struct lanes *x, const struct binding *binding)
{
	const struct host *h = x->h;
	struct ks *all = ks_block(h->mem), *body = row_at_hand(x, binding);
	int rows = rows_at_a_time(x, body);

	if (rows > 1)
		body = rows_at_hand(x, rows, binding);
	ks_add(h->mem, all, ks_directive(h->mem,
		(struct directive) { .kind = OMP_SIMD, .lanes = x->p->lanes }));
	ks_add(h->mem, all, each_lane(x, body));
	return ks_for(h->mem, x->row, integer(h, lanes_first_row(x)),
		op(h, OP_LT, name(h, x->row), integer(h, lanes_end_row(x))),
		integer(h, rows), all);
}

/* Is the tile one of those of which the statement computes all points?  NULL: no sum of its
 * begin tells, or the statement computes all points of all tiles.
 */
static const struct kx *computes_all(const struct lanes *x)
{
	const struct host *h = x->h;
	const struct pipeline *p = x->p;
	isl_set *known = isl_set_intersect(cpu_times(h),
		isl_set_copy(h->scop->context));
	const struct kx *all = NULL;
	isl_set *points, *others;

	if (!computed_points(x)) {
		isl_set_free(known);
		return NULL;
	}
	points = overlap_points_of_row(x->o, isl_set_reset_tuple_id(
		isl_set_copy(computed_points(x))));
	others = isl_set_subtract(isl_set_intersect_params(isl_set_universe(
		isl_set_get_space(points)), isl_set_copy(known)), points);
	others = isl_set_params(overlap_points_after(others, x->begin,
		-p->before, p->lanes * p->part - p->before));
	points = set_coalesce(isl_set_subtract(isl_set_copy(known), others));
	if (isl_set_n_basic_set(points) == 1)
		all = kx_of_set(h->mem, isl_set_copy(points), known);
	else
		isl_set_free(known);
	isl_set_free(points);
	return all;
}

/* Where no point needs a condition, compilers have vectors for the loop whatever their options. */
static struct ks *compute_rows(struct lanes *x, const struct binding *binding)
{
	struct ks *rows = loop_over_rows(x, binding), *unasked;
	const struct kx *all = computes_all(x);

	if (!all)
		return rows;
	x->all = true;
	unasked = loop_over_rows(x, binding);
	x->all = false;
	return ks_if(x->h->mem, all, unasked, rows);
}

static struct ks *compute(struct lanes *x)
{
	const struct host *h = x->h;
	struct ks *block = ks_block(h->mem);
	const struct binding binding = lanes_binding(x);
	const enum points n = count_points(x);

	if (n == ONE)
		add_points(x, block, overlap_points_inside(overlap_scop_stmt(
			x->o, x->stmt), isl_set_copy(computed_points(x))));
	else if (n == ALL)
		ks_add(h->mem, block, compute_rows(x, &binding));
	add_points_at_ends(x, block);
	if (!computed_points(x))
		add_copy_statements(x, block);
	lanes_add_listed(x, block);
	if (x->p->extent[0] > x->p->part && is_shared(x))
		ks_add(h->mem, block, share(x, step(x)));
	return block;
}

struct ks *lanes_tile(const struct overlap *o)
{
	const struct host *h = o->h;
	struct lanes x = { .o = o, .h = h, .p = o->p,
		.row = fresh_name(h->mem, h->prog, "row"),
		.lane = fresh_name(h->mem, h->prog, "lane"),
		.first = fresh_name(h->mem, h->prog, "first"),
		.point = h->names->point[0], .begin = o->begin[0] };
	struct ks *block = ks_block(h->mem), *steps = ks_block(h->mem);
	struct ks *stages = ks_block(h->mem);

	for (int i = 0; i < h->prog->n_stmts; i++) {
		x.stmt = h->prog->stmt[i];
		if (overlap_is_first_writer(o, x.stmt)) {
			ks_add(h->mem, block, load(&x));
			share_loads(&x, block);
			lanes_add_fetches(&x, steps);
		}
		ks_add(h->mem, stages, compute(&x));
	}
	if (ks_uses(stages, h->names->time))
		ks_add(h->mem, steps, ks_declare(h->mem, ctype_const(CT_INT),
			h->names->time, kx_add(h->mem, op(h, OP_ADD,
			name(h, o->t0), step(&x)), -1)));
	ks_add(h->mem, steps, stages);
	ks_add(h->mem, block, ks_for(h->mem, h->names->step, integer(h, 1),
		op(h, OP_LE, step(&x), name(h, o->count)), integer(h, 1),
		steps));
	for (int i = 0; i < h->prog->n_stmts; i++) {
		x.stmt = h->prog->stmt[i];
		if (overlap_is_first_writer(o, x.stmt))
			ks_add(h->mem, block, store(&x));
	}
	return block;
}

const char *lanes_comment(const struct overlap *o)
{
	const struct pipeline *p = o->p;
	const struct field *f = o->h->prog->stmt[0]->write->field;

	return region_printf(o->h->mem, "The next steps of a tile of %d "
		"points, and of what it is computed from, in %d parts:\n"
		"%s[%s][row][lane] is version v of point %s - %d + %d*lane "
		"+ row.%s", p->width[0], p->lanes,
		f->name, p->loaded[0] == 1 ? "v % 2" : region_printf(
			o->h->mem, "(v + %d) %% %d", p->loaded[0] - 1,
			p->kept[0]), o->begin[0], p->before + p->ghosts[LOW], p->part,
		p->extent[0] == p->part ? "" : "  The\nfirst and last rows are "
		"those of the lanes beside.");
}

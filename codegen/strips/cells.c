/* Strips of register streaming: names, a lane's registers and what reads find
 * in them, and loops over a lane's cells.
 */
#include "codegen/strips/strips.h"

/* Names ----------------------------------------------------------------- */

const char *strip_name(const struct strip *p, const struct field *f,
	const char *what)
{
	return fresh_name(p->mem, program(p), "%s_%s", f->name, what);
}

const char *strip_row_name(const struct strip *p, const struct field *f)
{
	return strip_name(p, f, p->s->dim.row < 0 ? "row" : "plane");
}

const char *strip_pointer_name(const struct strip *p, const struct field *f,
	const char *what, int behind)
{
	return f->depth > 1 ? fresh_name(p->mem, program(p), "%s_%s%d",
		f->name, what, behind) : strip_name(p, f, what);
}

const char *strip_pitch_name(const struct strip *p, const struct field *f)
{
	return strip_name(p, f, "pitch");
}

const struct kx *stream_is_behind(const struct place *p)
{
	const int d = p->plan->strips->dim.stream;

	return kx_binary(p->mem, OP_GT, kx_name(p->mem, p->names->tile[d]),
		kx_name(p->mem, p->names->first[d]));
}

const struct kx *strip_length(const struct strip *p, int more)
{
	return kx_add(p->mem, p->s->first > p->s->length ?
		named(p, p->names->strips.length) : pitch_of_tiles(p->mem,
			p->place->plan, p->names, p->s->dim.stream), more);
}

/* The first of the strip's own cells along "d", and behind the last one. */
static const struct kx *own_begin(const struct strip *p, int d)
{
	return named(p, p->names->origin[d]);
}

static const struct kx *own_end(const struct strip *p, int d)
{
	return op(p, OP_ADD, named(p, p->names->origin[d]), pitch_of_tiles(
		p->mem, p->place->plan, p->names, d));
}

static const char *begin_name(const struct strip *p, int d)
{
	return d == p->s->dim.lane ? p->names->lanes.stored_column :
		p->names->lanes.stored_row;
}

static const char *end_name(const struct strip *p, int d)
{
	return d == p->s->dim.lane ? p->names->lanes.column_end :
		p->names->lanes.row_end;
}

const struct kx *strip_is_stored(const struct strip *p, int d,
	const struct kx *at)
{
	const bool has_rim = plan_has_rim(p->place->plan, d);

	return kx_and(p->mem, op(p, OP_GE, at, has_rim ? named(p,
		begin_name(p, d)) : own_begin(p, d)), op(p, OP_LT, at,
		has_rim ? named(p, end_name(p, d)) : own_end(p, d)));
}

void strip_declare_stored(const struct strip *p, struct ks *block, int d)
{
	const struct rim *rim = &p->s->rim[d];
	const struct kx *o = named(p, p->names->origin[d]);
	const struct kx *end = own_end(p, d);
	const struct kx *of_last = kx_add(p->mem, edge_of_plan(p->mem,
		p->place->plan, d, true), 1 - p->place->plan->pitch[d] -
		rim->high);

	ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_INT),
		begin_name(p, d), rim->low == 0 ? o : kx_select(p->mem, op(p,
			OP_EQ, o, integer(p, rim->low)), integer(p, 0), o)));
	ks_add(p->mem, block, ks_declare(p->mem, ctype_const(CT_INT),
		end_name(p, d), rim->high == 0 ? end : kx_select(p->mem, op(p,
			OP_GE, o, of_last), kx_add(p->mem, end, rim->high),
			end)));
}

const char *strip_stride_name(const struct strip *p, const struct field *f)
{
	return p->s->dim.row < 0 ? strip_pitch_name(p, f) :
		strip_name(p, f, "stride");
}

/* Registers ------------------------------------------------------------- */

int strip_writer(const struct strip *p, const struct field *f)
{
	for (int i = 0; i < p->scop->k; i++)
		if (program(p)->stmt[i]->write->field == f)
			return i;
	return -1;
}

const struct kx *strip_turn_of_age(const struct strip *p, int age)
{
	const struct kx *period = integer(p, p->s->period);

	if (age == 0)
		return p->u;
	return op(p, OP_MOD, kx_add(p->mem, p->u, p->s->period - age), period);
}

const struct kx *strip_cell(const struct strip *p,
	const struct field *f, const struct kx *version, int age,
	const struct kx *row, const struct kx *cell)
{
	const struct kx *arg[4] = {
		kx_add(p->mem, version, f->depth - 1), strip_turn_of_age(p, age),
	};
	struct kx *x;
	int n = 2;

	if (p->s->dim.row >= 0)
		arg[n++] = kx_add(p->mem, row, p->s->beside.above[f->index]);
	arg[n++] = kx_add(p->mem, cell, p->s->beside.left[f->index]);
	x = kx_of_kind(p->mem, KX_INDEX, strip_row_name(p, f), n, arg);
	x->type = type_promoted(f->type);
	return x;
}

/* The name of what holds the rows of an input that "acc" reads; it says how far
 * they are from the statement's row.
 */
static const char *input_name(const struct strip *p, const struct access *acc)
{
	const struct stream *s = p->s;
	const char *name = acc->field->name;
	const int dim[2] = { s->dim.stream, s->dim.row };

	name = region_printf(p->mem, "%s_near", name);
	for (int i = 0; i < 2; i++) {
		int o = dim[i] < 0 ? 0 : (int) acc->offset[dim[i]];

		if (dim[i] >= 0 && (o != 0 || i == 1))
			name = region_printf(p->mem, o < 0 ? "%s_m%d" :
				"%s_%d", name, o < 0 ? -o : o);
	}
	return fresh_name(p->mem, program(p), "%s", name);
}

const struct kx *strip_input_cell(const struct strip *p,
	const struct access *acc, const struct kx *row, const struct kx *cell)
{
	const struct field *f = acc->field;
	const struct kx *arg[2];
	struct kx *x;
	int n = 0;

	if (p->s->dim.row >= 0)
		arg[n++] = row;
	arg[n++] = kx_add(p->mem, cell, p->s->beside.left[f->index]);
	x = kx_of_kind(p->mem, KX_INDEX, input_name(p, acc), n, arg);
	x->type = f->type;
	return x;
}

/* Reads ----------------------------------------------------------------- */

bool strip_loads_rows(const struct strip *p, const struct access *acc)
{
	return p->full && stream_loads_rows(p->scop, acc);
}

void strip_reach(const struct strip *p, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high)
{
	if (p->full)
		*low = *high = (int) acc->offset[d];
	else
		stream_reach(s, acc, d, low, high);
}

const struct kx *strip_point(const struct strip *p, int d)
{
	return named(p, p->names->point[d]);
}

static const struct kx *chosen(const struct strip *p,
	const struct kx *condition, const struct kx *a, const struct kx *b)
{
	struct kx *x = kx_select(p->mem, condition, a, b);

	x->type = a->type;
	return x;
}

/* The register of the cell "offset" away from the point. */
static const struct kx *cell_at(const struct strip *p,
	const struct access *acc, const int *offset)
{
	const struct stream *s = p->s;
	int along = s->dim.stream < 0 ? 0 : offset[s->dim.stream];
	int age = s->dim.stream < 0 ? 0 : stream_age(s, p->scop,
		p->cursor->stmt->stmt, acc, along);

	return strip_cell(p, acc->field, kx_add(p->mem, p->m, acc->version),
		age - p->early, s->dim.row < 0 ? p->r :
		kx_add(p->mem, p->r, offset[s->dim.row]),
		kx_add(p->mem, p->c, offset[s->dim.lane]));
}

/* { x : x + offset lies in the grid } in dimension "d" */
static const struct kx *stays_inside(const struct strip *p,
	const struct access *acc, int d)
{
	const struct kx *at = kx_add(p->mem, strip_point(p, d), acc->offset[d]);

	return acc->offset[d] < 0 ? op(p, OP_GE, at, integer(p, 0)) :
		op(p, OP_LT, at, size_of_field(p->place, acc->field, d));
}

/* What the boundary puts in place of reads of "acc" beyond the grid in dimension "d"; NULL:
 * nothing.
 */
static const struct boundary *stands_along(const struct strip *p,
	const struct access *acc, int d)
{
	enum side side = acc->offset[d] < 0 ? SIDE_LOW : SIDE_HIGH;
	bool stays = p->interior || (p->steady && d == p->s->dim.stream) ||
		!access_is_mapped_at(p->cursor->stmt->stmt, acc, d, side);

	return stays ? NULL : &acc->field->boundary[d][side];
}

static const struct kx *value_at(const struct strip *p,
	const struct access *acc, int d, int *offset, bool minus);

/* "value", or near the end of dimension "d" the value of the cell nearer to the point that
 * stands for the one beyond.
 */
static const struct kx *or_near(const struct strip *p,
	const struct access *acc, int d, int *offset, bool minus,
	const struct boundary *b, const struct kx *value)
{
	int o = (int) acc->offset[d], beyond = o < 0 ? -o : o;

	for (int k = beyond - 1; k >= 0; k--) {
		const struct kx *edge = o < 0 ? integer(p, k) :
			kx_add(p->mem, size_of_field(p->place, acc->field, d),
				-1 - k);
		int back = k - boundary_cell(b->kind, k - beyond);

		offset[d] = o < 0 ? -back : back;
		value = chosen(p, op(p, OP_EQ, strip_point(p, d), edge),
			value_at(p, acc, d + 1, offset, minus !=
				boundary_is_odd(b)), value);
	}
	return value;
}

/* Coordinate "e" of the cell whose value "boundary" of dimension "d" gives;
 * "offset" settles the dimensions below: see struct boundary.
 */
static const struct kx *index_in_value(const struct strip *p,
	const struct access *acc, const struct boundary *boundary, int d,
	const int *offset, int e)
{
	const struct kx *at = kx_add(p->mem, strip_point(p, e), e < d ?
		offset[e] : acc->offset[e]);
	const struct boundary *b = e == d ? NULL : stands_along(p, acc, e);
	enum boundary_kind kind = !b ? BOUNDARY_FIXED : b->kind;

	if (kind == BOUNDARY_VALUE && boundary_reads_at_index(boundary))
		kind = BOUNDARY_CLAMP;
	if (kind == BOUNDARY_FIXED || kind == BOUNDARY_VALUE ||
	    (e < d && boundary_info(kind)->stands == STANDS_NEAR))
		return at;
	return cell_standing_in(p->mem, kind, acc->offset[e] < 0 ? SIDE_LOW :
		SIDE_HIGH, at, size_of_field(p->place, acc->field, e));
}

/* The place of the value of "e" if it is the same for all cells of a step. */
static const struct kx *known_of_step(const struct binding *binding,
	const struct expr *e)
{
	return strip_value_kept(binding->user, e, false);
}

/* Likewise the value that "b" of dimension "d" gives for the cell that "acc"
 * reads.
 */
static const struct kx *value_beyond(const struct strip *p,
	const struct access *acc, const struct boundary *b, int d,
	const int *offset)
{
	struct binding binding = {
		.mem = p->mem, .prog = program(p),
		.time = named(p, p->names->time),
		.known = known_of_step, .user = p,
	};

	if (expr_any(b->value, expr_is_index))
		for (int e = 0; e < acc->field->n_dims; e++)
			binding.point[e] = index_in_value(p, acc, b, d,
				offset, e);
	return kx_of_expr(&binding, b->value);
}

/* The value that "acc" reads, where "offset" settles the dimensions below "d"; a cell's value
 * with its sign turned if "minus".
 */
static const struct kx *value_at(const struct strip *p,
	const struct access *acc, int d, int *offset, bool minus)
{
	const struct boundary *b;
	const struct kx *value;

	if (d == acc->field->n_dims) {
		value = cell_at(p, acc, offset);
		return minus ? kx_stored(p->mem, value->type, kx_unary(p->mem,
			OP_NEG, kx_promoted(p->mem, value))) : value;
	}
	offset[d] = (int) acc->offset[d];
	value = value_at(p, acc, d + 1, offset, minus);
	b = stands_along(p, acc, d);
	if (b && b->kind == BOUNDARY_VALUE)
		return chosen(p, stays_inside(p, acc, d), value,
			kx_promoted(p->mem, value_beyond(p, acc, b, d,
				offset)));
	return b && boundary_info(b->kind)->stands == STANDS_NEAR ?
		or_near(p, acc, d, offset, minus, b, value) : value;
}

/* For binding.read: the value that "acc" reads. */
static const struct kx *strip_read_value(const struct binding *binding,
	const struct access *acc)
{
	const struct strip *p = binding->user;
	int offset[IR_MAX_DIMS];

	if (is_state(acc->field))
		return value_at(p, acc, 0, offset, false);
	if (!strip_loads_rows(p, acc))
		return read_value(p->cursor, acc);
	return strip_input_cell(p, acc, p->r,
		kx_add(p->mem, p->c, acc->offset[p->s->dim.lane]));
}

/* The place of the value of "e", if it was computed before. */
static const struct kx *known_value(const struct binding *binding,
	const struct expr *e)
{
	const struct strip *p = binding->user;
	const struct kx *kept = strip_value_kept(p, e, true);

	if (kept)
		return kept;
	return strip_has_parts(p, p->cursor->stmt->stmt->index) ?
		strip_known_part(binding, e) : NULL;
}

struct binding strip_binding(const struct strip *p)
{
	struct binding binding = {
		.mem = p->mem, .prog = program(p),
		.time = named(p, p->names->time),
		.read = strip_read_value, .user = p,
		.known = known_value,
	};

	for (int d = 0; d < p->scop->n_dims; d++)
		binding.point[d] = strip_point(p, d);
	return binding;
}

/* Coordinates ----------------------------------------------------------- */

bool strip_goes_around(const struct strip *p, int d)
{
	for (int c = 0; c < p->scop->k; c++) {
		const struct stmt *s = program(p)->stmt[c];

		for (int i = 0; i < s->n_reads; i++) {
			const struct access *acc = s->read[i];

			for (int e = 0; e < acc->field->n_dims; e++)
				if (acc->dim[e] == d &&
				    access_goes_around(s, acc, e))
					return true;
		}
	}
	return false;
}

static const struct field *some_state(const struct strip *p)
{
	return program(p)->stmt[0]->write->field;
}

static const struct kx *wrapped(const struct strip *p, int d,
	const struct kx *x)
{
	if (p->full || p->stores || !strip_goes_around(p, d))
		return x;
	return kx_builtin(p->mem, B_MODULO, 2, x,
		size_of_field(p->place, some_state(p), d));
}

static const struct kx *position(const struct strip *p,
	const struct kx *lag)
{
	return op(p, OP_SUB, op(p, OP_ADD, op(p, OP_ADD, named(p,
		p->names->origin[p->s->dim.stream]), p->n), p->u), lag);
}

void strip_declare_position(const struct strip *p, struct ks *block,
	const struct ks *body, const struct kx *lag)
{
	int d = p->s->dim.stream;

	if (d >= 0)
		declare_if_used(p->mem, block, body, p->names->point[d],
			wrapped(p, d, position(p, lag)));
}

struct ks *strip_over_rows(const struct strip *p, struct ks *body)
{
	struct ks *block = ks_block(p->mem), *loop;
	int d = p->s->dim.row;

	if (d < 0)
		return body;
	declare_if_used(p->mem, block, body, p->names->point[d], wrapped(p, d,
		op(p, OP_ADD, named(p, p->names->lanes.first_row), p->r)));
	ks_add(p->mem, block, body);
	loop = ks_for(p->mem, p->names->lanes.row, integer(p, 0), op(p,
		OP_LT, p->r, integer(p, p->s->rows)), integer(p, 1), block);
	loop->unroll = true;
	return loop;
}

struct ks *strip_over_columns(const struct strip *p, struct ks *body)
{
	const char *c = p->names->lanes.column;
	struct ks *block = ks_block(p->mem), *loop;
	int d = p->s->dim.lane;

	declare_if_used(p->mem, block, body, p->names->point[d], wrapped(p, d,
		op(p, OP_ADD, named(p, p->names->lanes.first_column),
		p->c)));
	ks_add(p->mem, block, body);
	loop = ks_for(p->mem, c, integer(p, 0), op(p, OP_LT, p->c,
		integer(p, p->s->cells)), integer(p, 1), block);
	loop->unroll = true;
	return loop;
}

struct ks *strip_over_cells(const struct strip *p, struct ks *body)
{
	return strip_over_rows(p, strip_over_columns(p, body));
}

struct ks *strip_over_steps(const struct strip *p, struct ks *body)
{
	struct ks *block = ks_block(p->mem), *loop;

	declare_if_used(p->mem, block, body, p->names->time, op(p, OP_ADD,
		named(p, p->names->t0), p->m));
	ks_add(p->mem, block, body);
	loop = ks_for(p->mem, p->names->step, integer(p, 0), op(p, OP_LT,
		p->m, integer(p, p->s->b)), integer(p, 1), block);
	loop->unroll = true;
	return loop;
}

static const struct kx *condition_on(const struct strip *p,
	__isl_take isl_set *cells, const char *column)
{
	const char *dims[IR_MAX_DIMS];

	for (int d = 0; d < p->scop->n_dims; d++)
		dims[d] = d == p->s->dim.lane ? column : p->names->point[d];
	if (p->steady)
		cells = isl_set_drop_constraints_involving_dims(cells,
			isl_dim_set, (unsigned) p->s->dim.stream, 1);
	return kx_of_set(p->mem, name_dims(cells, dims),
		isl_set_copy(p->scop->context));
}

const struct kx *strip_in_grid(const struct strip *p, const struct field *f)
{
	return condition_on(p, isl_set_copy(p->scop->field[f->index].cells),
		p->names->point[p->s->dim.lane]);
}

/* { x : x + by*e is in "cells" }, e the unit of dimension "d" */
static __isl_give isl_set *cells_moved(__isl_take isl_set *cells, int d, int by)
{
	isl_multi_aff *ma = isl_multi_aff_identity(isl_space_map_from_set(
		isl_set_get_space(cells)));
	isl_aff *x = isl_multi_aff_get_aff(ma, d);

	return isl_set_preimage_multi_aff(cells, isl_multi_aff_set_aff(ma, d,
		isl_aff_add_constant_si(x, by)));
}

/* { x : x + by is in "cells" }, of the last dimension */
static __isl_give isl_set *cells_before(const struct strip *p,
	const struct field *f, int by)
{
	return cells_moved(isl_set_copy(p->scop->field[f->index].cells),
		p->s->dim.lane, by);
}

const struct kx *strip_row_in_grid(const struct strip *p,
	const struct field *f)
{
	return condition_on(p, cells_before(p, f, 0),
		p->names->lanes.first_column);
}

const struct kx *strip_ends_in_grid(const struct strip *p,
	const struct field *f)
{
	return condition_on(p, isl_set_gist(cells_before(p, f, p->s->cells - 1),
		cells_before(p, f, 0)), p->names->lanes.first_column);
}

const struct kx *strip_in_row(const struct strip *p, const struct field *f)
{
	isl_set *cells = cells_before(p, f, 0);

	for (int d = 0; d < f->n_dims; d++)
		if (d != p->s->dim.lane)
			cells = isl_set_drop_constraints_involving_dims(cells,
				isl_dim_set, (unsigned) d, 1);
	return condition_on(p, isl_set_gist(cells, isl_set_lower_bound_si(
		isl_set_universe(isl_set_get_space(cells)), isl_dim_set,
		(unsigned) p->s->dim.lane, 0)),
		p->names->point[p->s->dim.lane]);
}

/* The lane's cells at a position -------------------------------------------- */

/* Whether the lane whose first cell, in its first row, is x has "all" of its cells in the grid,
 * or some.
 */
static const struct kx *lane_has(const struct strip *p, bool all)
{
	const int row = p->s->dim.row < 0 ? p->s->dim.lane : p->s->dim.row;
	const char *dims[IR_MAX_DIMS];
	isl_set *lanes = NULL;

	for (int r = 0; r < p->s->rows; r++)
		for (int c = 0; c < p->s->cells; c++) {
			isl_set *cell = cells_moved(cells_moved(
				stream_cells_across(p->s, p->scop,
					some_state(p)), row, r), p->s->dim.lane,
				c);

			lanes = !lanes ? cell : all ? isl_set_intersect(lanes,
				cell) : isl_set_union(lanes, cell);
		}
	if (!all)
		lanes = isl_set_from_basic_set(isl_set_simple_hull(lanes));
	for (int d = 0; d < p->scop->n_dims; d++)
		dims[d] = d == p->s->dim.lane ? p->names->lanes.first_column :
			d == row ? p->names->lanes.first_row :
			p->names->point[d];
	return kx_of_set(p->mem, name_dims(lanes, dims),
		isl_set_copy(p->scop->context));
}

const struct kx *strip_lane_is_inside(const struct strip *p)
{
	return lane_has(p, true);
}

const struct kx *strip_lane_touches(const struct strip *p)
{
	return lane_has(p, false);
}

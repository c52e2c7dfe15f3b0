/* Strips of register streaming: what a warp loads, computes and stores at each
 * iteration.  schedule/stream.c has the schedule.
 *
 * A lane keeps, of a state A of depth d, version t0 + v in A_row[v + d - 1],
 * the position that it came to u iterations into a period in [u], its cells
 * from column "left" on in the last dimension, neighbours' cells around them.
 * In three dimensions it is a plane, [u][r], its rows from "above" on.
 */
#include <string.h>

#include "codegen/tile.h"

struct strip {
	struct builder *b;
	const struct stream *s;
	const struct scop *scop;
	struct region *mem;
	bool full;		/* all cells are computed as the statements say,
				 * all steps run */
	const struct kx *n, *u, *m, *c;	/* iteration, turn, step, cell */
	const struct kx *r;	/* row, 0 in fewer than three dimensions */
	bool cared;		/* reads may have to go where a boundary says */
	bool stores;		/* coordinates are those of cells to store, which
				 * do not go around the grid */
};

static const struct kx *integer(const struct strip *p, int64_t value)
{
	return kx_int(p->mem, value);
}

static const struct kx *named(const struct strip *p, const char *name)
{
	return kx_name(p->mem, name);
}

static const struct kx *op(const struct strip *p, enum op o,
	const struct kx *a, const struct kx *b)
{
	return kx_binary(p->mem, o, a, b);
}

static const struct program *program(const struct strip *p)
{
	return p->scop->prog;
}

/* Names ----------------------------------------------------------------- */

static const char *name_of(const struct strip *p, const struct field *f,
	const char *what)
{
	return fresh_name(p->mem, program(p), "%s_%s", f->name, what);
}

static const char *row_name(const struct strip *p, const struct field *f)
{
	return name_of(p, f, p->s->row_dim < 0 ? "row" : "plane");
}

/* The rows of neighbouring warps, in shared memory. */
static const char *edge_name(const struct strip *p, const struct field *f)
{
	return name_of(p, f, "edge");
}

/* Versions of a field of some depth have a pointer each. */
static const char *pointer_name(const struct strip *p, const struct field *f,
	const char *what, int behind)
{
	return f->depth > 1 ? fresh_name(p->mem, program(p), "%s_%s%d",
		f->name, what, behind) : name_of(p, f, what);
}

static const char *pitch_name(const struct strip *p, const struct field *f)
{
	return name_of(p, f, "pitch");
}

/* From one position of the streamed dimension to the next. */
static const char *stride_name(const struct strip *p, const struct field *f)
{
	return p->s->row_dim < 0 ? pitch_name(p, f) : name_of(p, f, "stride");
}

/* Registers ------------------------------------------------------------- */

static bool is_state(const struct field *f)
{
	return f->kind == FIELD_STATE;
}

static int writer_index(const struct strip *p, const struct field *f)
{
	for (int i = 0; i < p->scop->k; i++)
		if (program(p)->stmt[i]->write->field == f)
			return i;
	return -1;
}

/* (u - age) mod period */
static const struct kx *turn_of_age(const struct strip *p, int age)
{
	const struct kx *period = integer(p, p->s->period);

	if (age == 0)
		return p->u;
	return op(p, OP_MOD, kx_add(p->mem, p->u, p->s->period - age), period);
}

/* The register of cell "cell" of row "row" of version "version", relative to
 * t0, of "f" that is "age" iterations old.
 */
static const struct kx *cell_of_row(const struct strip *p,
	const struct field *f, const struct kx *version, int age,
	const struct kx *row, const struct kx *cell)
{
	const struct kx *arg[4] = {
		kx_add(p->mem, version, f->depth - 1), turn_of_age(p, age),
	};
	struct kx *x;
	int n = 2;

	if (p->s->row_dim >= 0)
		arg[n++] = kx_add(p->mem, row, p->s->above[f->index]);
	arg[n++] = kx_add(p->mem, cell, p->s->left[f->index]);
	x = kx_of_kind(p->mem, KX_INDEX, row_name(p, f), n, arg);
	x->type = f->type;
	return x;
}

/* How far the rows that "acc" of an input reads are from the statement's: the
 * name of what holds them.
 */
static const char *input_name(const struct strip *p, const struct access *acc)
{
	const struct stream *s = p->s;
	const char *name = acc->field->name;
	const int dim[2] = { s->stream_dim, s->row_dim };

	name = region_printf(p->mem, "%s_near", name);
	for (int i = 0; i < 2; i++) {
		int o = dim[i] < 0 ? 0 : (int) acc->offset[dim[i]];

		if (dim[i] >= 0 && (o != 0 || i == 1))
			name = region_printf(p->mem, o < 0 ? "%s_m%d" :
				"%s_%d", name, o < 0 ? -o : o);
	}
	return fresh_name(p->mem, program(p), "%s", name);
}

/* "cell" counts from the first of the lane's own. */
static const struct kx *cell_of_input(const struct strip *p,
	const struct access *acc, const struct kx *row, const struct kx *cell)
{
	const struct field *f = acc->field;
	const struct kx *arg[2];
	struct kx *x;
	int n = 0;

	if (p->s->row_dim >= 0)
		arg[n++] = row;
	arg[n++] = kx_add(p->mem, cell, p->s->left[f->index]);
	x = kx_of_kind(p->mem, KX_INDEX, input_name(p, acc), n, arg);
	x->type = f->type;
	return x;
}

/* Reads ----------------------------------------------------------------- */

/* Does the strip load rows of the input "f", or does each cell read it? */
static bool loads_rows(const struct strip *p, const struct access *acc)
{
	if (!p->full || acc->field->n_dims != p->scop->n_dims)
		return false;
	for (int d = 0; d < acc->field->n_dims; d++)
		if (acc->dim[d] != d)
			return false;
	return true;
}

/* The offsets of "acc" in dimension "d" that its reads in this strip have. */
static void reach_of(const struct strip *p, const struct stmt *s,
	const struct access *acc, int d, int *low, int *high)
{
	if (p->full)
		*low = *high = (int) acc->offset[d];
	else
		stream_reach(s, acc, d, low, high);
}

static const struct kx *point(const struct strip *p, int d)
{
	return named(p, p->b->names->point[d]);
}

static const struct kx *select_of(const struct strip *p,
	const struct kx *condition, const struct kx *a, const struct kx *b)
{
	const struct kx *arg[3] = { condition, a, b };
	struct kx *x = kx_of_kind(p->mem, KX_SELECT, NULL, 3, arg);

	x->type = a->type;
	return x;
}

/* The register of the cell that lies at "offset" from the point. */
static const struct kx *cell_at(const struct strip *p,
	const struct access *acc, const int *offset)
{
	const struct stream *s = p->s;
	int along = s->stream_dim < 0 ? 0 : offset[s->stream_dim];
	int age = s->stream_dim < 0 ? 0 : stream_age(s, p->scop,
		p->b->stmt->stmt, acc, along);

	return cell_of_row(p, acc->field, kx_add(p->mem, p->m, acc->version),
		age, s->row_dim < 0 ? p->r :
		kx_add(p->mem, p->r, offset[s->row_dim]),
		kx_add(p->mem, p->c, offset[s->lane_dim]));
}

/* { x : x + offset lies in the grid } in dimension "d" */
static const struct kx *stays_inside(const struct strip *p,
	const struct access *acc, int d)
{
	const struct kx *at = kx_add(p->mem, point(p, d), acc->offset[d]);

	return acc->offset[d] < 0 ? op(p, OP_GE, at, integer(p, 0)) :
		op(p, OP_LT, at, size_of_field(p->b, acc->field, d));
}

/* The value that "acc" reads, dimensions below "d" settled in "offset". */
static const struct kx *value_at(const struct strip *p,
	const struct access *acc, int d, int *offset)
{
	const struct field *f = acc->field;
	struct binding binding = { .mem = p->mem, .prog = program(p) };
	enum boundary_kind kind;
	const struct kx *value;
	int o, beyond;

	if (d == f->n_dims)
		return cell_at(p, acc, offset);
	o = offset[d] = (int) acc->offset[d];
	value = value_at(p, acc, d + 1, offset);
	kind = f->boundary[d].kind;
	if (!p->cared || !access_is_mapped(p->b->stmt->stmt, acc, d))
		return value;
	if (kind == BOUNDARY_VALUE)
		return select_of(p, stays_inside(p, acc, d), value,
			kx_of_expr(&binding, f->boundary[d].value));
	if (kind == BOUNDARY_PERIODIC)
		return value;
	beyond = o < 0 ? -o : o;
	for (int k = beyond - 1; k >= 0; k--) {
		const struct kx *edge = o < 0 ? integer(p, k) :
			kx_add(p->mem, size_of_field(p->b, f, d), -1 - k);
		int back = kind == BOUNDARY_CLAMP ? k : 2 * k - beyond;

		offset[d] = o < 0 ? -back : back;
		value = select_of(p, op(p, OP_EQ, point(p, d), edge),
			value_at(p, acc, d + 1, offset), value);
	}
	return value;
}

static const struct kx *read_value_of(const struct binding *binding,
	const struct access *acc)
{
	const struct strip *p = binding->user;
	int offset[IR_MAX_DIMS];

	if (is_state(acc->field))
		return value_at(p, acc, 0, offset);
	if (!loads_rows(p, acc))
		return read_value(p->b, acc);
	return cell_of_input(p, acc, p->r,
		kx_add(p->mem, p->c, acc->offset[p->s->lane_dim]));
}

/* Coordinates ----------------------------------------------------------- */

/* Do reads go around in dimension "d"?  Then the strip lies in a grid that
 * has no end, each cell computed wherever it appears.
 */
static bool goes_around(const struct strip *p, int d)
{
	for (int c = 0; c < p->scop->k; c++) {
		const struct stmt *s = program(p)->stmt[c];

		for (int i = 0; i < s->n_reads; i++) {
			const struct access *acc = s->read[i];

			for (int e = 0; e < acc->field->n_dims; e++)
				if (acc->dim[e] == d &&
				    acc->field->boundary[e].kind ==
				    BOUNDARY_PERIODIC &&
				    access_is_mapped(s, acc, e))
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
	if (p->full || p->stores || !goes_around(p, d))
		return x;
	return kx_call(p->mem, "stencilc_wrap", 2, x,
		size_of_field(p->b, some_state(p), d));
}

static const struct kx *position(const struct strip *p,
	const struct kx *lag)
{
	return op(p, OP_SUB, op(p, OP_ADD, op(p, OP_ADD, named(p,
		p->b->names->origin[p->s->stream_dim]), p->n), p->u), lag);
}

/* The position of a statement or a load in the streamed dimension. */
static void declare_position(const struct strip *p, struct ks *block,
	const struct ks *body, const struct kx *lag)
{
	int d = p->s->stream_dim;

	if (d >= 0)
		declare_if_used(p->b, block, body, p->b->names->point[d],
			wrapped(p, d, position(p, lag)));
}

/* "body" for each row of the lane; as it is in fewer dimensions. */
static struct ks *loop_over_rows(const struct strip *p, struct ks *body)
{
	struct ks *block = ks_block(p->mem), *loop;
	int d = p->s->row_dim;

	if (d < 0)
		return body;
	declare_if_used(p->b, block, body, p->b->names->point[d], wrapped(p, d,
		op(p, OP_ADD, named(p, p->b->names->first_row), p->r)));
	ks_add(p->mem, block, body);
	loop = ks_for(p->mem, p->b->names->row, integer(p, 0), op(p, OP_LT,
		p->r, integer(p, p->s->rows)), integer(p, 1), block);
	loop->unroll = true;
	return loop;
}

static struct ks *loop_over_columns(const struct strip *p, struct ks *body)
{
	const char *c = p->b->names->column;
	struct ks *block = ks_block(p->mem), *loop;
	int d = p->s->lane_dim;

	declare_if_used(p->b, block, body, p->b->names->point[d], wrapped(p, d,
		op(p, OP_ADD, named(p, p->b->names->first_column), p->c)));
	ks_add(p->mem, block, body);
	loop = ks_for(p->mem, c, integer(p, 0), op(p, OP_LT, p->c,
		integer(p, p->s->cells)), integer(p, 1), block);
	loop->unroll = true;
	return loop;
}

static struct ks *loop_over_cells(const struct strip *p, struct ks *body)
{
	return loop_over_rows(p, loop_over_columns(p, body));
}

/* { x : the cell lies in the grid } as a condition */
static const struct kx *in_grid(const struct strip *p, const struct field *f)
{
	const char *dims[IR_MAX_DIMS];

	for (int d = 0; d < f->n_dims; d++)
		dims[d] = p->b->names->point[d];
	return kx_of_set(p->mem, name_dims(isl_set_copy(
		p->scop->field[f->index].cells), dims),
		isl_set_copy(p->scop->context));
}

/* Shuffles -------------------------------------------------------------- */

/* A statement reads cells beside a lane's, of positions of some age. */
struct use {
	int stmt, version, age;
	int left, right;	/* cells beyond either end */
	int above, below;	/* of rows beyond those of the lane, too */
};

enum { MOST_USES = 4 * MODEL_MAX_READS };

/* The reads of "f" beyond a lane's cells, by each statement, version and age.
 */
static int find_uses(const struct strip *p, const struct field *f,
	struct use *use)
{
	const struct stream *s = p->s;
	int n = 0;

	for (int c = 0; c < p->scop->k; c++) {
		const struct stmt *stmt = program(p)->stmt[c];

		for (int i = 0; i < stmt->n_reads; i++) {
			const struct access *acc = stmt->read[i];
			int first = 0, last = 0, low, high;
			int above = 0, below = 0;

			if (acc->field != f)
				continue;
			reach_of(p, stmt, acc, s->lane_dim, &low, &high);
			if (low >= 0 && high <= 0)
				continue;
			if (s->stream_dim >= 0)
				reach_of(p, stmt, acc, s->stream_dim, &first,
					&last);
			if (s->row_dim >= 0)
				reach_of(p, stmt, acc, s->row_dim, &above,
					&below);
			for (int o = first; o <= last && n < MOST_USES; o++)
				use[n++] = (struct use) {
					c, acc->version, s->stream_dim < 0 ?
					0 : stream_age(s, p->scop, stmt, acc,
						o),
					low < 0 ? -low : 0,
					high > 0 ? high : 0,
					above < 0 ? -above : 0,
					below > 0 ? below : 0 };
		}
	}
	return n;
}

/* Does "a" come before "b", of the same version of the same position? */
static bool comes_first(const struct use *a, const struct use *b)
{
	if (a->age != b->age)
		return a->age < b->age;
	if (a->version != b->version)
		return a->version > b->version;
	return a->stmt < b->stmt;
}

static bool needs(const struct strip *p, const struct use *use, int row,
	int at)
{
	return (at < 0 ? -at <= use->left : at - p->s->cells < use->right) &&
		-row <= use->above && row - p->s->rows < use->below;
}

/* Is "use" in step "m" the first that needs cell "at" of "row"?  Versions that are
 * loaded have no use in the steps before the first.
 */
static bool is_first_use(const struct strip *p, const struct use *use,
	const struct use *all, int n, int m, int row, int at)
{
	for (int i = 0; i < n; i++)
		if (needs(p, &all[i], row, at) &&
		    m + use->version - all[i].version >= 0 &&
		    comes_first(&all[i], use))
			return false;
	return true;
}

static const struct kx *all_lanes(const struct strip *p)
{
	struct kx *mask = kx_int(p->mem, -1);

	mask->name = "0xffffffffu";
	return mask;
}

/* to = from of the lane that is "lanes" away */
static struct ks *shuffle(const struct strip *p, const struct kx *to,
	const struct kx *from, int lanes)
{
	return ks_assign(p->mem, to, kx_call(p->mem, lanes < 0 ?
		"__shfl_up_sync" : "__shfl_down_sync", 3, all_lanes(p), from,
		integer(p, lanes < 0 ? -lanes : lanes)));
}

/* The lanes from here to the one that has cell "at". */
static int lanes_to(const struct strip *p, int at)
{
	return at < 0 ? -((-at + p->s->cells - 1) / p->s->cells) :
		at / p->s->cells;
}

/* The condition on the step under which "use" is the first that needs cell
 * "at": NULL for always, 0 for never.
 */
static const struct kx *first_steps(const struct strip *p,
	const struct use *use, const struct use *all, int n, int row, int at)
{
	int steps = p->s->steps, first = 0;
	bool at_start = is_first_use(p, use, all, n, 0, row, at);

	while (first < steps &&
	       is_first_use(p, use, all, n, first, row, at) == at_start)
		first++;
	if (first == steps)
		return at_start ? NULL : integer(p, 0);
	return op(p, at_start ? OP_LT : OP_GE, p->m, integer(p, first));
}

static void shuffle_row(const struct strip *p, struct ks *block,
	const struct field *f, const struct use *use, const struct use *all,
	int n, int row, const struct kx *x)
{
	const struct kx *version = kx_add(p->mem, p->m, use->version);

	for (int at = -use->left; at < p->s->cells + use->right; at++) {
		const struct kx *when;
		int lanes = lanes_to(p, at);

		if (at >= 0 && at < p->s->cells)
			continue;
		when = first_steps(p, use, all, n, row, at);
		if (when && kx_is_int(when, 0))
			continue;
		ks_add(p->mem, block, guarded(p->b, when, shuffle(p,
			cell_of_row(p, f, version, use->age, x, integer(p,
				at)),
			cell_of_row(p, f, version, use->age, x, integer(p,
				at - lanes * p->s->cells)), lanes)));
	}
}

/* The rows of the lane in a loop, those of its neighbours one by one. */
static void shuffle_use(const struct strip *p, struct ks *block,
	const struct field *f, const struct use *use, const struct use *all,
	int n)
{
	struct ks *own = ks_block(p->mem);

	for (int row = -use->above; row < 0; row++)
		shuffle_row(p, block, f, use, all, n, row, integer(p, row));
	shuffle_row(p, own, f, use, all, n, 0, p->r);
	if (own->n_children)
		ks_add(p->mem, block, loop_over_rows(p, own));
	for (int row = p->s->rows; row < p->s->rows + use->below; row++)
		shuffle_row(p, block, f, use, all, n, row, integer(p, row));
}

/* Merge uses of one statement, version and age. */
static int merge_uses(struct use *use, int n)
{
	int merged = 0;

	for (int i = 0; i < n; i++) {
		int j = 0;

		while (j < merged && (use[j].stmt != use[i].stmt ||
		       use[j].version != use[i].version ||
		       use[j].age != use[i].age))
			j++;
		if (j == merged) {
			use[merged++] = use[i];
			continue;
		}
		if (use[i].left > use[j].left)
			use[j].left = use[i].left;
		if (use[i].right > use[j].right)
			use[j].right = use[i].right;
		if (use[i].above > use[j].above)
			use[j].above = use[i].above;
		if (use[i].below > use[j].below)
			use[j].below = use[i].below;
	}
	return merged;
}

/* Get from other lanes what the statement p->b->stmt is the first to need. */
static void add_shuffles(const struct strip *p, struct ks *block)
{
	struct use *use = region_array(p->mem, struct use, MOST_USES);

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		int n;

		if (!is_state(f))
			continue;
		n = merge_uses(use, find_uses(p, f, use));
		for (int j = 0; j < n; j++)
			if (use[j].stmt == p->b->stmt->stmt->index)
				shuffle_use(p, block, f, &use[j], use, n);
	}
}

/* Inputs ---------------------------------------------------------------- */

static const char *load_name(const struct strip *p, const struct field *f)
{
	return region_printf(p->mem, "stencilc_load_%s%d", type_name(f->type),
		p->s->cells);
}

/* "pointer"[0], or *(pointer + ..) */
static const struct kx *dereference(const struct strip *p,
	const struct kx *pointer)
{
	const struct kx *zero = integer(p, 0);

	return pointer->kind == KX_NAME ? kx_of_kind(p->mem, KX_INDEX,
		pointer->name, 1, &zero) : kx_call(p->mem, "*", 1, pointer);
}

/* "cells" = the lane's cells at "from" */
static struct ks *load(const struct strip *p, const struct field *f,
	const struct kx *cell, const struct kx *from)
{
	if (p->s->cells > 1)
		return ks_expression(p->mem, KS_EXPRESSION, kx_call(p->mem,
			load_name(p, f), 2, kx_address(p->mem, cell), from));
	return ks_assign(p->mem, cell, from->kind == KX_ADDRESS ?
		from->arg[0] : dereference(p, from));
}

/* Do both read the same rows of an input? */
static bool same_rows(const struct strip *p, const struct access *a,
	const struct access *b)
{
	const int dim[2] = { p->s->stream_dim, p->s->row_dim };

	for (int i = 0; i < 2; i++)
		if (dim[i] >= 0 && a->offset[dim[i]] != b->offset[dim[i]])
			return false;
	return a->field == b->field;
}

static bool is_first_row(const struct strip *p, const struct stmt *s, int read)
{
	for (int i = 0; i < read; i++)
		if (s->read[i]->field == s->read[read]->field &&
		    same_rows(p, s->read[i], s->read[read]))
			return false;
	return true;
}

/* How far reads of the same rows of an input go beyond a lane's cells. */
static void find_row_sides(const struct strip *p, const struct stmt *s,
	const struct access *acc, int *left, int *right)
{
	*left = *right = 0;
	for (int i = 0; i < s->n_reads; i++) {
		const struct access *other = s->read[i];
		int o;

		if (other->field != acc->field || !same_rows(p, other, acc))
			continue;
		o = (int) other->offset[p->s->lane_dim];
		*left = -o > *left ? -o : *left;
		*right = o > *right ? o : *right;
	}
}

/* Where the lane's cells of an input are in memory. */
static const struct kx *input_address(const struct strip *p,
	const struct access *acc)
{
	const struct field *f = acc->field;
	const struct kx *from = named(p, name_of(p, f, "from"));
	int along = p->s->stream_dim, row = p->s->row_dim;

	if (along >= 0) {
		const struct kx *back = kx_add(p->mem, op(p, OP_ADD,
			op(p, OP_MUL, p->m, integer(p, p->s->lag_step)),
			integer(p, p->s->lag[p->b->stmt->stmt->index])),
			-acc->offset[along]);

		if (!kx_is_int(back, 0))
			from = op(p, OP_SUB, from, op(p, OP_MUL, back,
				named(p, stride_name(p, f))));
	}
	if (row >= 0)
		from = op(p, OP_ADD, from, op(p, OP_MUL, kx_add(p->mem, p->r,
			acc->offset[row]), named(p, pitch_name(p, f))));
	return from;
}

static void load_input(const struct strip *p, struct ks *block,
	const struct access *acc)
{
	const struct field *f = acc->field;
	int extent[2] = { p->s->rows }, n = p->s->row_dim < 0 ? 0 : 1;
	int left, right;
	struct ks *body = ks_block(p->mem);
	const struct kx *own = cell_of_input(p, acc, p->r, integer(p, 0));

	extent[n++] = p->s->left[f->index] + p->s->cells +
		p->s->right[f->index];
	ks_add(p->mem, block, ks_array(p->mem, type_name(f->type), own->name,
		n, extent, false, -1));
	ks_add(p->mem, body, load(p, f, own, input_address(p, acc)));
	find_row_sides(p, p->b->stmt->stmt, acc, &left, &right);
	for (int at = -left; at < p->s->cells + right; at++) {
		int lanes = lanes_to(p, at);

		if (at < 0 || at >= p->s->cells)
			ks_add(p->mem, body, shuffle(p, cell_of_input(p, acc,
				p->r, integer(p, at)), cell_of_input(p, acc,
				p->r, integer(p, at - lanes *
				p->s->cells)), lanes));
	}
	ks_add(p->mem, block, loop_over_rows(p, body));
}

static void load_inputs(const struct strip *p, struct ks *block)
{
	const struct stmt *s = p->b->stmt->stmt;

	for (int i = 0; i < s->n_reads; i++)
		if (!is_state(s->read[i]->field) &&
		    loads_rows(p, s->read[i]) &&
		    is_first_row(p, s, i))
			load_input(p, block, s->read[i]);
}

/* Global memory --------------------------------------------------------- */

/* The copy of the version that is "behind" versions before the first, or the
 * last, of this launch.
 */
static const struct kx *copy_of(const struct strip *p, const struct field *f,
	bool last, const struct kx *behind)
{
	int n = 2 * f->depth;
	const struct kx *first = op(p, OP_MUL, integer(p, f->depth),
		named(p, p->b->names->tt));

	if (behind->kind == KX_INT)
		first = kx_add(p->mem, first, ((last ? f->depth : 0) -
			behind->ivalue + n) % n);
	else
		first = op(p, OP_SUB, kx_add(p->mem, first,
			last ? f->depth : 0), behind);
	return op(p, OP_MOD, first, integer(p, n));
}

static const struct kx *cell_in_memory(const struct strip *p,
	const struct field *f, const struct kx *copy)
{
	const struct kx *at[IR_MAX_DIMS];

	for (int d = 0; d < f->n_dims; d++)
		at[d] = point(p, d);
	return global_cell(p->b, f, copy, at);
}

static struct ks *load_cells_with_care(const struct strip *p,
	const struct field *f, int behind)
{
	struct ks *block = ks_scope(p->mem), *body;
	int lag = stream_lag(p->s, -behind - 1, writer_index(p, f));
	const struct kx *cell = cell_in_memory(p, f, copy_of(p, f, false,
		integer(p, behind)));
	const struct kx *inside = in_grid(p, f);
	struct kx *zero = kx_int(p->mem, 0);

	body = ks_assign(p->mem, cell_of_row(p, f, integer(p, -behind), 0,
		p->r, p->c), inside ? select_of(p, inside, cell, zero) : cell);
	body = loop_over_cells(p, body);
	declare_position(p, block, body, integer(p, lag));
	ks_add(p->mem, block, body);
	return block;
}

/* "pointer" to the lane's first row, at the row of the loop. */
static const struct kx *at_row(const struct strip *p, const struct field *f,
	const char *pointer)
{
	if (p->s->row_dim < 0)
		return named(p, pointer);
	return op(p, OP_ADD, named(p, pointer), op(p, OP_MUL, p->r,
		named(p, pitch_name(p, f))));
}

static struct ks *advance(const struct strip *p, const struct field *f,
	const char *pointer)
{
	return ks_assign(p->mem, named(p, pointer), op(p, OP_ADD,
		named(p, pointer), named(p, stride_name(p, f))));
}

static void load_state(const struct strip *p, struct ks *block,
	const struct field *f, int behind)
{
	const char *pointer = pointer_name(p, f, "from", behind);

	if (!p->full) {
		ks_add(p->mem, block, load_cells_with_care(p, f, behind));
		return;
	}
	ks_add(p->mem, block, loop_over_rows(p, load(p, f, cell_of_row(p, f,
		integer(p, -behind), 0, p->r, integer(p, 0)),
		at_row(p, f, pointer))));
	if (p->s->stream_dim >= 0)
		ks_add(p->mem, block, advance(p, f, pointer));
}

static void load_states(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_state(f) && v >= 0; v--)
			load_state(p, block, f, v);
	}
}

/* Does the lane store what comes with "lag" at this iteration? */
static const struct kx *stores_now(const struct strip *p, int lag)
{
	const struct stream *s = p->s;
	const struct kx *now = named(p, p->b->names->stores);
	const struct kx *at = op(p, OP_ADD, p->n, p->u);

	if (s->stream_dim < 0)
		return now;
	if (s->first < lag)
		now = kx_and(p->mem, now, op(p, OP_GE, at, integer(p, lag)));
	if (s->last >= lag + s->length)
		now = kx_and(p->mem, now, op(p, OP_LT, at,
			integer(p, lag + s->length)));
	return now;
}

/* Is the row of the loop among those that the block stores?  NULL: yes. */
static const struct kx *row_is_stored(const struct strip *p)
{
	int d = p->s->row_dim;
	const struct kx *first, *at;

	if (d < 0)
		return NULL;
	first = named(p, p->b->names->origin[d]);
	at = op(p, OP_ADD, named(p, p->b->names->first_row), p->r);
	return kx_and(p->mem, op(p, OP_GE, at, first), op(p, OP_LT, at,
		kx_add(p->mem, first, p->s->height)));
}

/* The version that is "behind" the last, of a strip that runs all steps. */
static void store_version(const struct strip *p, struct ks *block,
	const struct field *f, int behind)
{
	int version = p->s->steps - behind;
	int lag = stream_lag(p->s, version - 1, writer_index(p, f));
	const char *pointer = pointer_name(p, f, "to", behind);
	const struct kx *cell = cell_of_row(p, f, integer(p, version), 0,
		p->r, integer(p, 0));
	const struct kx *to = at_row(p, f, pointer);
	struct ks *store;

	if (p->s->cells > 1)
		store = ks_expression(p->mem, KS_EXPRESSION, kx_call(p->mem,
			region_printf(p->mem, "stencilc_store_%s%d",
				type_name(f->type), p->s->cells), 2, to,
			kx_address(p->mem, cell)));
	else
		store = ks_assign(p->mem, dereference(p, to), cell);
	store = loop_over_rows(p, guarded(p->b, row_is_stored(p), store));
	ks_add(p->mem, block, guarded(p->b, stores_now(p, lag), store));
	if (p->s->stream_dim >= 0)
		ks_add(p->mem, block, advance(p, f, pointer));
}

static void store_versions(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 1; is_state(f) && v >= 0; v--)
			store_version(p, block, f, v);
	}
}

/* The lane's cells of "version" that lie in the grid, to "copy" if the position
 * is one that the strip stores; "when" holds too.
 */
static struct ks *store_in_grid(const struct strip *p, const struct field *f,
	const struct kx *version, const struct kx *copy, const struct kx *lag,
	const struct kx *when)
{
	const struct kx *now = named(p, p->b->names->stores);
	struct strip q = *p;
	struct ks *block = ks_block(p->mem);
	struct ks *body = ks_assign(p->mem, cell_in_memory(p, f, copy),
		cell_of_row(p, f, version, 0, p->r, p->c));

	q.stores = true;
	body = loop_over_columns(&q, guarded(p->b, in_grid(p, f), body));
	body = loop_over_rows(&q, guarded(p->b, row_is_stored(p), body));
	declare_position(&q, block, body, lag);
	ks_add(p->mem, block, body);
	if (p->s->stream_dim >= 0) {
		const struct kx *at = op(p, OP_SUB, op(p, OP_ADD, p->n, p->u),
			lag);

		now = kx_and(p->mem, now, kx_and(p->mem,
			op(p, OP_GE, at, integer(p, 0)),
			op(p, OP_LT, at, integer(p, p->s->length))));
	}
	return ks_if(p->mem, kx_and(p->mem, when, now), block, NULL);
}

/* Store version "version", whose position comes with "lag", if it is one of
 * the last that this launch is to reach.
 */
static void store_if_last(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *version, const struct kx *lag)
{
	const struct kernel_names *names = p->b->names;
	const struct kx *behind = named(p, names->behind);
	struct ks *scope = ks_scope(p->mem);

	ks_add(p->mem, scope, ks_declare(p->mem, "const int", names->behind,
		op(p, OP_SUB, named(p, names->last_version), version)));
	ks_add(p->mem, scope, store_in_grid(p, f, version, copy_of(p, f, true,
		behind), lag, kx_and(p->mem,
		op(p, OP_GE, behind, integer(p, 0)),
		op(p, OP_LT, behind, integer(p, f->depth)))));
	ks_add(p->mem, block, scope);
}

/* Of a state of depth 1 the last version is that after all steps: beyond the
 * last step of the program nothing runs and values stay.
 */
static void store_last(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		const struct kx *zero = integer(p, 0), *lag;

		if (!is_state(f) || f->depth > 1)
			continue;
		lag = integer(p, stream_lag(p->s, p->s->steps - 1,
			writer_index(p, f)));
		ks_add(p->mem, block, store_in_grid(p, f, integer(p,
			p->s->steps), copy_of(p, f, true, zero), lag, NULL));
	}
}

/* Versions that are loaded may be among the last, too. */
static void store_loaded(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		for (int v = f->depth - 2; is_state(f) && v >= 0; v--) {
			const struct kx *lag = integer(p, stream_lag(p->s,
				-v - 1, writer_index(p, f)));

			store_if_last(p, block, f, integer(p, -v), lag);
		}
	}
}

/* Rows of other warps ---------------------------------------------------- */

static bool has_edges(const struct strip *p, const struct field *f)
{
	return is_state(f) && p->s->row_dim >= 0 &&
		p->s->above[f->index] + p->s->below[f->index] > 0;
}

/* The cells that the lanes of "warp" left "age" iterations ago: edge row
 * "edge", of the last "above" rows and then the first "below" ones.
 */
static const struct kx *edge_cell(const struct strip *p,
	const struct field *f, const struct kx *version, int age,
	const struct kx *warp, int edge)
{
	const struct kx *both = kx_add(p->mem, op(p, OP_ADD, p->n, p->u), age);
	struct kx *half = kx_call(p->mem, "stencilc_parity", 1, both);
	const struct kx *arg[5] = { half,
		kx_add(p->mem, version, f->depth - 1), warp, integer(p, edge),
		op(p, OP_MUL, integer(p, p->s->cells),
			named(p, p->b->names->thread[0])) };

	return kx_of_kind(p->mem, KX_INDEX, edge_name(p, f), 5, arg);
}

/* Own rows to shared memory: the last ones for the warp below. */
static void leave_rows(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *version)
{
	int above = p->s->above[f->index], below = p->s->below[f->index];
	const struct kx *warp = named(p, p->b->names->thread[1]);

	for (int edge = 0; edge < above + below; edge++) {
		int row = edge < above ? p->s->rows - above + edge :
			edge - above;
		const struct kx *to = edge_cell(p, f, version, 0, warp, edge);
		const struct kx *from = cell_of_row(p, f, version, 0,
			integer(p, row), integer(p, 0));

		ks_add(p->mem, block, p->s->cells > 1 ? ks_expression(p->mem,
			KS_EXPRESSION, kx_call(p->mem, region_printf(p->mem,
				"stencilc_store_%s%d", type_name(f->type),
				p->s->cells), 2, kx_address(p->mem, to),
				kx_address(p->mem, from))) :
			ks_assign(p->mem, to, from));
	}
}

/* The rows around those of this warp, of the iteration before. */
static void get_rows(const struct strip *p, struct ks *block,
	const struct field *f, const struct kx *version)
{
	int above = p->s->above[f->index], below = p->s->below[f->index];

	for (int edge = 0; edge < above + below; edge++) {
		int row = edge < above ? edge - above :
			p->s->rows + edge - above;
		const struct kx *from = edge_cell(p, f, version, 1, named(p,
			edge < above ? p->b->names->warp_above :
			p->b->names->warp_below), edge);

		ks_add(p->mem, block, load(p, f, cell_of_row(p, f, version, 1,
			integer(p, row), integer(p, 0)),
			kx_address(p->mem, from)));
	}
}

/* The newest version, relative to that of a step, of which the step reads
 * rows of other warps.
 */
static int newest_read(const struct strip *p, const struct field *f)
{
	int newest = -f->depth;

	for (int c = 0; c < p->scop->k; c++) {
		const struct stmt *s = program(p)->stmt[c];

		for (int i = 0; i < s->n_reads; i++) {
			int low, high;

			if (s->read[i]->field != f)
				continue;
			stream_reach(s, s->read[i], p->s->row_dim, &low,
				&high);
			if ((low < 0 || high > 0) &&
			    s->read[i]->version > newest)
				newest = s->read[i]->version;
		}
	}
	return newest;
}

/* Before step m: the version that it is the first to read; before the first
 * step those that are older, too.
 */
static void get_rows_of_step(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *older = ks_block(p->mem);
		int newest;

		if (!has_edges(p, f))
			continue;
		newest = newest_read(p, f);
		for (int v = 1 - f->depth; v < newest; v++)
			get_rows(p, older, f, integer(p, v));
		if (older->n_children)
			ks_add(p->mem, block, ks_if(p->mem, op(p, OP_EQ, p->m,
				integer(p, 0)), older, NULL));
		get_rows(p, block, f, kx_add(p->mem, p->m, newest));
	}
}

/* All versions that are read, those of this iteration. */
static void leave_all_rows(const struct strip *p, struct ks *block)
{
	bool any = false;

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		struct ks *body = ks_block(p->mem), *loop;

		if (!has_edges(p, f))
			continue;
		leave_rows(p, body, f, p->m);
		loop = ks_for(p->mem, p->b->names->step,
			integer(p, 1 - f->depth), op(p, OP_LT, p->m,
				integer(p, p->s->exchanged[i] + 1 - f->depth)),
			integer(p, 1), body);
		loop->unroll = true;
		ks_add(p->mem, block, loop);
		any = true;
	}
	if (any)
		ks_add(p->mem, block, ks_simple(p->mem, KS_BARRIER));
}

/* Shared memory starts with the rows of the iteration before the first, all
 * zero, which nobody stores anything of.
 */
static void leave_first_rows(struct strip *p, struct ks *block)
{
	const struct kx *n = p->n, *u = p->u;

	if (p->s->row_dim < 0)
		return;
	p->n = integer(p, p->s->first - 1);
	p->u = integer(p, 0);
	leave_all_rows(p, block);
	p->n = n;
	p->u = u;
}

int64_t stream_declare_edges(const struct builder *b, struct ks *block)
{
	enum { MOST_STATIC_BYTES = 48 * 1024, ALIGNMENT = 128 };
	const struct stream *s = b->plan->stream;
	struct strip p = { .b = (struct builder *) b, .s = s, .scop = b->scop,
		.mem = b->mem };
	bool dynamic = stream_shared_bytes(s, b->scop, NULL) >
		MOST_STATIC_BYTES;
	int64_t offset = 0;

	for (int i = 0; i < program(&p)->n_fields; i++) {
		const struct field *f = program(&p)->field[i];
		int extent[5] = { 2, s->exchanged[i], s->warps,
			s->above[i] + s->below[i], 32 * s->cells };
		struct ks *array;

		if (!has_edges(&p, f))
			continue;
		array = ks_array(b->mem, type_name(f->type), edge_name(&p, f),
			5, extent, true, dynamic ? offset : -1);
		array->is_aligned = true;
		ks_add(b->mem, block, array);
		offset += (stream_shared_bytes(s, b->scop, f) + ALIGNMENT -
			1) / ALIGNMENT * ALIGNMENT;
	}
	return dynamic ? offset : 0;
}

/* Statements ------------------------------------------------------------ */

static const struct kx *lag_of_step(const struct strip *p, int stmt)
{
	return op(p, OP_ADD, op(p, OP_MUL, p->m, integer(p, p->s->lag_step)),
		integer(p, p->s->lag[stmt]));
}

static struct binding binding_of(const struct strip *p)
{
	struct binding binding = {
		.mem = p->mem, .prog = program(p),
		.time = named(p, p->b->names->time),
		.read = read_value_of, .user = p,
	};

	for (int d = 0; d < p->scop->n_dims; d++)
		binding.point[d] = point(p, d);
	return binding;
}

/* The condition that the statement has this instance; NULL: it has. */
static const struct kx *runs(const struct strip *p)
{
	const struct scop_stmt *s = p->b->stmt;

	if (!p->full)
		return instance_condition(p->b, s->domain, NULL);
	return s->is_guarded ? instance_condition(p->b, s->domain, s->inside) :
		NULL;
}

/* The lane's cells take their new values, or keep those of the version before.
 */
static struct ks *compute_cells(const struct strip *p)
{
	const struct stmt *s = p->b->stmt->stmt;
	const struct field *f = s->write->field;
	const struct kx *next = cell_of_row(p, f, kx_add(p->mem, p->m, 1), 0,
		p->r, p->c);
	const struct kx *now = cell_of_row(p, f, p->m, p->s->lag_step, p->r,
		p->c);
	const struct kx *when = runs(p);
	struct binding binding = binding_of(p);
	struct ks *body = ks_block(p->mem);

	declare_locals(p->b, &binding, body);
	ks_add(p->mem, body, ks_assign(p->mem, next,
		kx_of_expr(&binding, s->value)));
	return loop_over_cells(p, when ? ks_if(p->mem, when, body,
		ks_assign(p->mem, next, now)) : body);
}

/* Statement "i" of step m. */
static struct ks *statement(struct strip *p, int i)
{
	struct ks *scope = ks_scope(p->mem), *body = ks_block(p->mem);
	const struct field *written = p->scop->stmt[i].stmt->write->field;

	p->b->stmt = &p->scop->stmt[i];
	if (p->scop->k > 1)
		ks_add(p->mem, body, ks_comment(p->mem, "%s", written->name));
	if (p->full)
		load_inputs(p, body);
	add_shuffles(p, body);
	ks_add(p->mem, body, compute_cells(p));
	declare_position(p, scope, body, lag_of_step(p, i));
	ks_add(p->mem, scope, body);
	if (!p->full && written->depth > 1)
		store_if_last(p, scope, written, kx_add(p->mem, p->m, 1),
			lag_of_step(p, i));
	return scope;
}

static struct ks *all_steps(struct strip *p)
{
	struct ks *block = ks_block(p->mem), *body = ks_block(p->mem), *loop;

	if (p->s->row_dim >= 0)
		get_rows_of_step(p, body);
	for (int i = 0; i < p->scop->k; i++)
		ks_add(p->mem, body, statement(p, i));
	declare_if_used(p->b, block, body, p->b->names->time, op(p, OP_ADD,
		named(p, p->b->names->t0), p->m));
	ks_add(p->mem, block, body);
	loop = ks_for(p->mem, p->b->names->step, integer(p, 0), op(p, OP_LT,
		p->m, integer(p, p->s->steps)), integer(p, 1), block);
	loop->unroll = true;
	return loop;
}

static struct ks *iteration(struct strip *p)
{
	struct ks *block = ks_block(p->mem);

	load_states(p, block);
	if (p->full) {
		ks_add(p->mem, block, all_steps(p));
		store_versions(p, block);
	} else {
		store_loaded(p, block);
		ks_add(p->mem, block, all_steps(p));
		store_last(p, block);
	}
	if (p->s->row_dim >= 0)
		leave_all_rows(p, block);
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		const char *from = name_of(p, f, "from");

		if (!is_state(f) && p->s->stream_dim >= 0 &&
		    ks_uses(block, from))
			ks_add(p->mem, block, advance(p, f, from));
	}
	return block;
}

/* The strip ------------------------------------------------------------- */

static struct ks *all_iterations(struct strip *p)
{
	const struct kernel_names *names = p->b->names;
	const struct stream *s = p->s;
	struct ks *turns, *loop;

	if (s->stream_dim < 0)
		return iteration(p);
	turns = ks_for(p->mem, names->turn, integer(p, 0), op(p, OP_LT, p->u,
		integer(p, s->period)), integer(p, 1), iteration(p));
	turns->unroll = true;
	loop = ks_for(p->mem, names->iteration, integer(p, s->first),
		op(p, OP_LE, p->n, integer(p, s->last)),
		integer(p, s->period), turns);
	loop->keep_rolled = true;
	return loop;
}

static void declare_rows(const struct strip *p, struct ks *block)
{
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		int extent[4] = { p->s->steps + f->depth, p->s->period };
		struct ks *array;
		int n = 2;

		if (!is_state(f))
			continue;
		if (p->s->row_dim >= 0)
			extent[n++] = p->s->above[i] + p->s->rows +
				p->s->below[i];
		extent[n++] = p->s->left[i] + p->s->cells + p->s->right[i];
		array = ks_add(p->mem, block, ks_array(p->mem,
			type_name(f->type), row_name(p, f), n, extent, false,
			-1));
		array->is_zeroed = true;
	}
}

/* The lane's first cell, "ahead" of the position of the origin. */
static const struct kx *first_cell(const struct strip *p,
	const struct field *f, const struct kx *copy, int ahead)
{
	const struct kx *at[IR_MAX_DIMS];

	for (int d = 0; d < f->n_dims; d++)
		at[d] = d == p->s->lane_dim ?
			named(p, p->b->names->first_column) :
			d == p->s->row_dim ?
			named(p, p->b->names->first_row) :
			kx_add(p->mem, named(p, p->b->names->origin[d]),
				ahead);
	return kx_address(p->mem, global_cell(p->b, f, copy, at));
}

static const struct kx *pitch_of(const struct strip *p, const struct field *f)
{
	int multiple = field_row_multiple(p->b->unit, f);
	const struct kx *size = size_of_field(p->b, f, f->n_dims - 1);

	return op(p, OP_MUL, op(p, OP_DIV, kx_add(p->mem, size, multiple - 1),
		integer(p, multiple)), integer(p, multiple));
}

static void declare_pointer(const struct strip *p, struct ks *block,
	const struct ks *user, const struct field *f, const char *pointer,
	const struct kx *at)
{
	bool is_const = strstr(pointer, "_from") != NULL;

	if (ks_uses(user, pointer))
		ks_add(p->mem, block, ks_declare(p->mem, region_printf(p->mem,
			"%s%s *", is_const ? "const " : "",
			type_name(f->type)), pointer, at));
}

static void declare_pointers(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	const struct stream *s = p->s;

	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];
		int writer = writer_index(p, f);

		if (!is_state(f)) {
			declare_pointer(p, block, user, f,
				name_of(p, f, "from"), first_cell(p, f, NULL,
					s->first));
			continue;
		}
		for (int v = 0; v < f->depth; v++) {
			declare_pointer(p, block, user, f, pointer_name(p, f,
				"from", v), first_cell(p, f, copy_of(p, f,
				false, integer(p, v)), s->first -
				stream_lag(s, -v - 1, writer)));
			declare_pointer(p, block, user, f, pointer_name(p, f,
				"to", v), first_cell(p, f, copy_of(p, f, true,
				integer(p, v)), s->first -
				stream_lag(s, s->steps - v - 1, writer)));
		}
	}
	for (int i = 0; i < program(p)->n_fields; i++) {
		const struct field *f = program(p)->field[i];

		bool strides = p->s->row_dim >= 0 &&
			ks_uses(user, stride_name(p, f));

		if (strides || ks_uses(user, pitch_name(p, f)))
			ks_add(p->mem, block, ks_declare(p->mem,
				"const ptrdiff_t", pitch_name(p, f),
				pitch_of(p, f)));
		if (strides)
			ks_add(p->mem, block, ks_declare(p->mem,
				"const ptrdiff_t", stride_name(p, f),
				op(p, OP_MUL, size_of_field(p->b, f,
					p->s->row_dim),
					named(p, pitch_name(p, f)))));
	}
}

/* { lane : its cells are among those that the strip stores } */
static void declare_lane(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	const struct kernel_names *names = p->b->names;
	const struct stream *s = p->s;
	const struct kx *lane = named(p, names->thread[0]);
	int before = s->before[s->lane_dim];

	declare_if_used(p->b, block, user, names->first_column, kx_add(p->mem,
		op(p, OP_ADD, named(p, names->origin[s->lane_dim]),
		op(p, OP_MUL, integer(p, s->cells), lane)), -before));
	if (s->row_dim >= 0)
		declare_if_used(p->b, block, user, names->first_row,
			kx_add(p->mem, op(p, OP_ADD,
				named(p, names->origin[s->row_dim]),
				op(p, OP_MUL, integer(p, s->rows),
					named(p, names->thread[1]))),
				-s->before[s->row_dim]));
	ks_add(p->mem, block, ks_declare(p->mem, "const bool", names->stores,
		kx_and(p->mem, op(p, OP_GE, lane,
			integer(p, before / s->cells)),
			op(p, OP_LT, lane, integer(p, (before + s->width) /
				s->cells)))));
}

/* The warps with the rows around; the first and last have none, and what they
 * then compute is not stored.
 */
static void declare_warps(const struct strip *p, struct ks *block,
	const struct ks *user)
{
	const struct kx *warp = named(p, p->b->names->thread[1]);

	declare_if_used(p->b, block, user, p->b->names->warp_above,
		kx_call(p->mem, "imax", 2, kx_add(p->mem, warp, -1),
			integer(p, 0)));
	declare_if_used(p->b, block, user, p->b->names->warp_below,
		kx_call(p->mem, "imin", 2, kx_add(p->mem, warp, 1),
			integer(p, p->s->warps - 1)));
}

static struct ks *strip_body(struct strip *p, bool full)
{
	struct ks *block = ks_scope(p->mem), *first = ks_block(p->mem), *loop;
	const struct kernel_names *names = p->b->names;

	p->full = full;
	p->cared = p->b->mapped = !full;
	leave_first_rows(p, first);
	loop = all_iterations(p);
	if (full)
		ks_add(p->mem, block, ks_comment(p->mem, "Far from all edges: "
			"cells are computed as the statements say."));
	else
		ks_add(p->mem, block, ks_comment(p->mem, "At an edge of the "
			"grid, or the last steps: each cell by itself."));
	declare_rows(p, block);
	declare_pointers(p, block, loop);
	declare_if_used(p->b, block, loop, names->last_version, kx_call(p->mem,
		"imin", 2, integer(p, p->s->steps), op(p, OP_SUB,
			kx_of_pw_aff(p->mem, scop_steps(p->scop),
			isl_set_copy(p->scop->context)),
			named(p, names->t0))));
	ks_add(p->mem, block, ks_simple(p->mem, KS_BLANK));
	ks_add(p->mem, block, first);
	ks_add(p->mem, block, loop);
	p->b->mapped = false;
	return block;
}

/* "condition", the same for all lanes, known to be so: what one way needs is
 * then not kept in registers along the other.
 */
static const struct kx *of_all_lanes(const struct strip *p,
	const struct kx *condition)
{
	return kx_call(p->mem, "__all_sync", 2, all_lanes(p), condition);
}

struct ks *stream_strip(struct builder *b, const struct kx *full)
{
	struct strip p = {
		.b = b, .s = b->plan->stream, .scop = b->scop, .mem = b->mem,
		.n = kx_name(b->mem, b->names->iteration),
		.u = b->plan->stream->stream_dim < 0 ? kx_int(b->mem, 0) :
			kx_name(b->mem, b->names->turn),
		.m = kx_name(b->mem, b->names->step),
		.c = kx_name(b->mem, b->names->column),
		.r = b->plan->stream->row_dim < 0 ? kx_int(b->mem, 0) :
			kx_name(b->mem, b->names->row),
	};
	struct ks *block = ks_block(b->mem), *bodies;

	b->m = p.m;
	bodies = full ? ks_if(b->mem, of_all_lanes(&p, full), strip_body(&p, true),
		strip_body(&p, false)) : strip_body(&p, false);
	declare_lane(&p, block, bodies);
	declare_warps(&p, block, bodies);
	ks_add(b->mem, block, bodies);
	return block;
}

void stream_describe(struct text *t, const struct builder *b)
{
	const struct stream *s = b->plan->stream;

	text_printf(t, "%d steps of a strip by a warp, %d columns of which %d "
		"are stored, a lane %d.\n", s->steps, 32 * s->cells, s->width,
		s->cells);
	for (int i = 0; i < b->scop->prog->n_fields; i++) {
		const struct field *f = b->scop->prog->field[i];

		if (f->kind != FIELD_STATE)
			continue;
		text_printf(t, "%s_row[v]%s[c] is version %s + v", f->name,
			s->stream_dim < 0 ? "[0]" : "[u]", b->names->t0);
		if (f->depth > 1)
			text_printf(t, " - %d", f->depth - 1);
		text_printf(t, " of %s", f->name);
		if (s->stream_dim >= 0)
			text_printf(t, " in the row that iteration n + u came "
				"to");
		text_printf(t, ", column c - %d of the lane.\n",
			s->left[i]);
	}
}

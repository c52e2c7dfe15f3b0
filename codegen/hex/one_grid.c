/* Tiles on one grid as C: each step writes its values a plane and a row on, over those that nobody
 * needs any more.
 *
 *	for each band of steps:
 *		for all tiles, shared out along the first dimension, (S0, S1) after (S0 - 1, S1):
 *			take cells of the caller's
 *			for its steps: keep cells; rows; keep cells
 *			give cells to the caller
 *
 * A cell that no statement computes is kept in each step.  Those before all points are kept first,
 * as rows overwrite them; the others last, as they overwrite what rows read.
 */
#include <string.h>

#include "codegen/hex/hex.h"

#include "codegen/host/lists.h"
#include "schedule/onegrid.h"

struct one_grid_code {
	struct cpu_hex hex;	/* for rows */
	const struct one_grid *g;
	const struct field *field;
	const char *user;	/* the caller's array of it */
	const char *row;	/* a */
	const struct kfunc *rows, *take, *give, *keep[2];
};

static const struct kx *number(const struct one_grid_code *x, int64_t value)
{
	return integer(x->hex.h, value);
}

static const struct kx *size_of(const struct one_grid_code *x, int d)
{
	return host_param(x->hex.h, x->field->size[d], ctype(CT_NONE));
}

/* Boxes: of planes and whole rows -------------------------------------------- */

/* NAME_run_SUFFIX(params, i_low, i_high, ..): for a box, without its arrays. */
static struct kfunc *function_of_box(const struct one_grid_code *x,
	const char *suffix, const char *comment)
{
	const struct host *h = x->hex.h;
	struct kfunc *f = cpu_function(h, suffix);

	f->comment = comment;
	for (int d = 0; d < ONE_GRID_TILED; d++) {
		kfunc_add_int(h->mem, f, x->hex.low[d]);
		kfunc_add_int(h->mem, f, x->hex.high[d]);
	}
	return f;
}

/* "body" for the cells of the box that lie in the grid. */
static struct ks *each_cell(const struct one_grid_code *x, struct ks *body)
{
	const struct host *h = x->hex.h;
	struct ks *s = body;

	for (int d = ONE_GRID_DIMS - 1; d >= 0; d--) {
		const char *point = x->hex.names->point[d];
		const bool is_row = d == ONE_GRID_DIMS - 1;
		struct ks *block = ks_block(h->mem);

		if (is_row)
			ks_add(h->mem, block, ks_directive(h->mem,
				(struct directive) { .kind = OMP_SIMD }));
		ks_add(h->mem, block, ks_for(h->mem, point, is_row ?
			number(x, 0) : kx_max(h->mem, name(h, x->hex.low[d]),
				number(x, 0)), is_row ? op(h, OP_LT, name(h,
				point), size_of(x, d)) : op(h, OP_LE, name(h,
				point), kx_min(h->mem, name(h, x->hex.high[d]),
				kx_add(h->mem, size_of(x, d), -1))),
			number(x, 1), s));
		s = block;
	}
	return s;
}

/* Copy the cells of a box between the grid and the caller's array. */
static struct kfunc *copies(const struct one_grid_code *x, const char *suffix,
	const char *comment, bool takes)
{
	const struct host *h = x->hex.h;
	struct kfunc *f = function_of_box(x, suffix, comment);
	const struct kx *own = cpu_cell(h, x->field, x->field->name, 1, NULL);
	const struct kx *theirs = cpu_cell(h, x->field, x->user, 1, NULL);

	cpu_add_array(h, f, x->field, x->field->name, 1, cpu_layout_of_copies(h,
		x->field));
	cpu_add_array(h, f, x->field, x->user, 1, cpu_layout_of_user(h,
		x->field));
	ks_add(h->mem, f->body, each_cell(x, ks_assign(h->mem, takes ? own :
		theirs, takes ? theirs : own)));
	kfunc_drop_unused(f);
	return f;
}

/* Cells that are kept --------------------------------------------------------- */

/* { [x] : the statement computes x }, the same in each step */
static __isl_give isl_set *computed(const struct one_grid_code *x)
{
	isl_set *domain = isl_set_fix_si(isl_set_copy(
		x->hex.h->scop->stmt[0].domain), isl_dim_set, 0, 0);

	return isl_set_project_out(isl_set_reset_tuple_id(domain), isl_dim_set,
		0, 1);
}

/* { params : the statement has points } */
static __isl_give isl_set *runs(const struct one_grid_code *x)
{
	return isl_set_intersect_params(isl_set_params(computed(x)), isl_set_copy(
		x->hex.h->scop->context));
}

/* { [x] : x_d is less, or "behind": greater, than that of all points computed } */
static __isl_give isl_set *outside(__isl_keep isl_set *computed, unsigned d,
	bool behind)
{
	isl_map *all = isl_map_universe(isl_space_map_from_set(
		isl_set_get_space(computed)));
	isl_map *others = behind ? isl_map_order_le(all, isl_dim_out, d,
		isl_dim_in, d) : isl_map_order_ge(all, isl_dim_out, d,
		isl_dim_in, d);

	return isl_set_complement(isl_set_apply(isl_set_copy(computed), others));
}

/* The cells kept, part after part: before the rows of a step those before its points along the
 * first two dimensions; after the rows those beside its points, those behind them along the second
 * dimension, and along the first.  So, and in lexicographic order in each part, none takes the place
 * of one that is still to be kept.
 */
enum { BEFORE_0 = 1, BEFORE_1 = 2, BEHIND_0 = 4, BEHIND_1 = 8 };

static const struct {
	bool after;		/* the rows */
	unsigned in, out;	/* it lies so, and not so */
} parts[] = {
	{ false, BEFORE_0, 0 },
	{ false, BEFORE_1, BEFORE_0 },
	{ true, 0, BEFORE_0 | BEFORE_1 | BEHIND_0 | BEHIND_1 },
	{ true, BEHIND_1, BEFORE_0 | BEFORE_1 | BEHIND_0 },
	{ true, BEHIND_0, BEFORE_0 | BEFORE_1 },
};

enum { PARTS = sizeof(parts) / sizeof(*parts) };

static __isl_give isl_set *kept(const struct one_grid_code *x, int part)
{
	isl_set *points = computed(x);
	isl_set *cells = isl_set_subtract(isl_set_reset_tuple_id(isl_set_copy(
		x->hex.h->scop->field[x->field->index].cells)),
		isl_set_copy(points));

	for (unsigned i = 0; i < 4; i++) {
		isl_set *side = outside(points, i % 2, i >= 2);

		if (parts[part].in & 1u << i)
			cells = isl_set_intersect(cells, side);
		else if (parts[part].out & 1u << i)
			cells = isl_set_subtract(cells, side);
		else
			isl_set_free(side);
	}
	isl_set_free(points);
	return set_coalesce(isl_set_intersect_params(cells, runs(x)));
}

static struct ks *keep_cell(void *user)
{
	const struct one_grid_code *x = user;
	const struct host *h = x->hex.h;
	const char *of[2];

	for (int back = 0; back < 2; back++)
		of[back] = version_name(h->mem, h->prog, x->field, 1 - back);
	return ks_assign(h->mem, cpu_cell(h, x->field, of[0], 1, NULL),
		cpu_cell(h, x->field, of[1], 1, NULL));
}

static struct ks *keep_part(struct one_grid_code *x, int part)
{
	const struct host *h = x->hex.h;
	const char *first[IR_MAX_DIMS] = { NULL };
	const char *const low[] = { x->hex.low[0], x->hex.low[1], NULL };
	const char *const high[] = { x->hex.high[0], x->hex.high[1], NULL };
	struct loop_nest nest = {
		.mem = h->mem, .n_dims = ONE_GRID_DIMS,
		.iterator = x->hex.names->point, .first = first,
		.body = keep_cell, .user = x,
	};

	return loops_of_set(&nest, points_within(kept(x, part), low, high),
		runs(x));
}

/* NULL: there are none, as before the points of a step that only reads ahead. */
static const struct kfunc *keeps(struct one_grid_code *x, bool after)
{
	const struct host *h = x->hex.h;
	struct kfunc *f = function_of_box(x, after ? "keep_last" : "keep_first",
		after ? "Keep the other cells of a box that a step does not "
		"compute." : "Keep the cells of a box that a step does not "
		"compute, and that lie before its points.");

	cpu_hex_add_arrays(&x->hex, f);
	for (int i = 0; i < PARTS; i++)
		if (parts[i].after == after)
			ks_add(h->mem, f->body, keep_part(x, i));
	kfunc_drop_unused(f);
	return f->body->n_children ? f : NULL;
}

/* The tile -------------------------------------------------------------------- */

/* Call a function for the box of a row of the tile. */
struct call_of_box {
	const struct one_grid_code *x;
	const struct kx *row;		/* a */
	bool computes;			/* version a from a - 1, or copies version a */
};

/* (void *)&grid[(h - v)*shift0][(h - v)*shift1][lead], v = row - earlier */
static const struct kx *grid_at(const struct one_grid_code *x,
	const struct kx *row, int earlier)
{
	const struct host *h = x->hex.h;
	const struct kx *back = op(h, OP_SUB, number(x, x->g->h + earlier), row);
	const struct kx *at[ONE_GRID_DIMS];

	for (int d = 0; d < ONE_GRID_TILED; d++)
		at[d] = op(h, OP_MUL, number(x, x->g->shift[d]), back);
	at[ONE_GRID_TILED] = number(x, x->g->lead);
	return kx_cast(h->mem, ctype_pointer(CT_VOID, false), kx_address(h->mem,
		kx_of_kind(h->mem, KX_INDEX, x->field->name, ONE_GRID_DIMS,
			at)));
}

/* The first or last point of the row along "d". */
static const struct kx *side_of_row(const struct call_of_box *call, int d,
	bool last)
{
	const struct one_grid_code *x = call->x;
	const struct host *h = x->hex.h;
	const struct kx *low;

	if (d == ONE_GRID_TILED)
		return last ? kx_add(h->mem, size_of(x, d), -1) : number(x, 0);
	low = op(h, OP_SUB, name(h, x->hex.names->origin[d]), op(h, OP_MUL,
		number(x, x->g->skew[d]), call->row));
	return last ? kx_add(h->mem, low, x->g->width[d] - 1) : low;
}

static const struct kx *argument_of_box(const void *user, const char *param)
{
	const struct call_of_box *call = user;
	const struct one_grid_code *x = call->x;
	const struct host *h = x->hex.h;

	for (int d = 0; d < ONE_GRID_DIMS; d++) {
		if (!strcmp(param, x->hex.low[d]))
			return side_of_row(call, d, false);
		if (!strcmp(param, x->hex.high[d]))
			return side_of_row(call, d, true);
	}
	if (!call->computes)
		return strcmp(param, x->field->name) ? NULL : grid_at(x,
			call->row, 0);
	for (int back = 0; back < 2; back++)
		if (!strcmp(param, version_name(h->mem, h->prog, x->field, 1 -
		    back)))
			return grid_at(x, call->row, back);
	return NULL;
}

static void add_call(const struct one_grid_code *x, struct ks *block,
	const struct kfunc *f, const struct kx *row, bool computes)
{
	struct region *r = x->hex.h->mem;
	const struct call_of_box call = { x, row, computes };

	if (f)
		ks_add(r, block, ks_expression(r, KS_EXPRESSION, kfunc_call(r, f,
			argument_of_box, &call)));
}

/* for its rows: keep, compute, keep */
static struct ks *steps_of_tile(const struct one_grid_code *x,
	const struct kx *n)
{
	const struct host *h = x->hex.h;
	const struct kernel_names *names = x->hex.names;
	const struct kx *row = name(h, x->row);
	struct ks *body = ks_block(h->mem), *calls = ks_block(h->mem);

	add_call(x, calls, x->keep[0], row, true);
	add_call(x, calls, x->rows, row, true);
	add_call(x, calls, x->keep[1], row, true);
	if (ks_uses(calls, names->time))
		host_declare_int(h, body, names->time, kx_add(h->mem, op(h,
			OP_ADD, name(h, names->t0), row), -1));
	ks_add(h->mem, body, calls);
	return ks_for(h->mem, x->row, number(x, 1), op(h, OP_LE, row, n),
		number(x, 1), body);
}

/* "[i][j][k]", or where it lies, "[i + 2*(48 - v)][j + 48 - v][k + 7]" */
static const char *cell_text(const struct one_grid_code *x, bool lies)
{
	struct region *r = x->hex.h->mem;
	const char *const *point = x->hex.names->point;
	const char *text = x->field->name;

	for (int d = 0; d < ONE_GRID_DIMS; d++) {
		const int by = d < ONE_GRID_TILED ? x->g->shift[d] : 0;
		const char *at = !lies ? "" : by > 1 ? region_printf(r,
			" + %d*(%d - v)", by, x->g->h) : by == 1 ?
			region_printf(r, " + %d - v", x->g->h) :
			d == ONE_GRID_TILED && x->g->lead > 0 ?
			region_printf(r, " + %d", x->g->lead) : "";

		text = region_printf(r, "%s[%s%s]", text, point[d], at);
	}
	return text;
}

static struct kfunc *tile(const struct one_grid_code *x)
{
	const struct host *h = x->hex.h;
	const struct kernel_names *names = x->hex.names;
	struct kfunc *f = cpu_function(h, "tile");
	const char *count = fresh_name(h->mem, h->prog, "count");

	f->comment = region_printf(h->mem, "A tile.  Row 0 takes what the caller has, each "
		"of at most %d others computes a step; row v of\n%s lies in %s.",
		x->g->h, cell_text(x, false), cell_text(x, true));
	kfunc_add_int(h->mem, f, names->steps);
	kfunc_add_int(h->mem, f, names->t0);
	for (int d = 0; d < ONE_GRID_TILED; d++)
		kfunc_add_int(h->mem, f, names->origin[d]);
	for (int i = 0; i < h->prog->n_fields; i++) {
		const struct field *field = h->prog->field[i];

		cpu_add_array(h, f, field, field->name, 1, cpu_layout_of_copies(
			h, field));
		if (field == x->field)
			cpu_add_array(h, f, field, x->user, 1,
				cpu_layout_of_user(h, field));
	}
	host_declare_int(h, f->body, count, kx_min(h->mem, op(h, OP_SUB, name(h,
		names->steps), name(h, names->t0)), number(x, x->g->h)));
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	add_call(x, f->body, x->take, number(x, 0), false);
	ks_add(h->mem, f->body, steps_of_tile(x, name(h, count)));
	add_call(x, f->body, x->give, name(h, count), false);
	kfunc_drop_unused(f);
	return f;
}

/* All tiles -------------------------------------------------------------------- */

/* The last tile along "d": in row h it has the last cell. */
static const struct kx *last_tile(const struct one_grid_code *x, int d)
{
	const struct host *h = x->hex.h;

	return op(h, OP_DIV, kx_add(h->mem, size_of(x, d), x->g->skew[d] *
		x->g->h - 1), number(x, x->g->width[d]));
}

static struct ks *directed(const struct one_grid_code *x, struct directive d)
{
	return ks_directive(x->hex.h->mem, d);
}

/* for t0: for S0, shared out: for S1: after (S0 - 1, S1): the tile */
static struct ks *all_bands(const struct one_grid_code *x,
	const struct kfunc *tile)
{
	const struct host *h = x->hex.h;
	const struct kernel_names *names = x->hex.names;
	struct ks *s = ks_block(h->mem), *band = ks_block(h->mem);
	const struct kx *something;

	ks_add(h->mem, s, directed(x, (struct directive) { .kind = OMP_AFTER,
		.after = { names->tile[0], names->tile[1] } }));
	for (int d = 0; d < ONE_GRID_TILED; d++)
		host_declare_int(h, s, names->origin[d], op(h, OP_MUL,
			number(x, x->g->width[d]), name(h, names->tile[d])));
	ks_add(h->mem, s, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, s, ks_expression(h->mem, KS_EXPRESSION, kfunc_call(h->mem,
		tile, NULL, NULL)));
	ks_add(h->mem, s, directed(x, (struct directive) { .kind = OMP_DONE }));
	for (int d = ONE_GRID_TILED - 1; d >= 0; d--)
		s = ks_for(h->mem, names->tile[d], number(x, 0), op(h, OP_LE,
			name(h, names->tile[d]), last_tile(x, d)), number(x, 1),
			s);
	ks_add(h->mem, band, directed(x, (struct directive) { .kind = OMP_FOR,
		.schedule = OMP_IN_TURN, .ordered = ONE_GRID_TILED }));
	ks_add(h->mem, band, s);
	s = ks_for(h->mem, names->t0, number(x, 0), op(h, OP_LT, name(h,
		names->t0), name(h, names->steps)), number(x, x->g->h), band);
	something = kx_of_set(h->mem, runs(x), isl_set_copy(h->scop->context));
	return something ? ks_if(h->mem, something, s, NULL) : s;
}

static void name_boxes(struct cpu_hex *x)
{
	const struct host *h = x->h;

	for (int d = 0; d < ONE_GRID_DIMS; d++) {
		x->low[d] = fresh_name(h->mem, h->prog, "%s_low",
			h->names->point[d]);
		x->high[d] = fresh_name(h->mem, h->prog, "%s_high",
			h->names->point[d]);
	}
	for (int i = 0; i < CPU_HEX_ROWS; i++)
		x->row[i] = fresh_name(h->mem, h->prog, "%s_%d",
			h->names->point[1], i);
}

static void add(const struct host *h, struct cpu_run *run)
{
	enum { MOST_FUNCTIONS = 2 + 5 * SCOP_MOST_PARTS + 6 };
	const struct field *field = h->prog->stmt[0]->write->field;
	struct one_grid_code x = {
		.hex = {
			.h = h, .place = cpu_place(h), .plan = h->plan,
			.names = h->names, .n_dims = ONE_GRID_DIMS,
			.line = 64 / type_size(field->type),
			.functions = region_array(h->mem, struct kfunc *,
				MOST_FUNCTIONS),
			.in_one_grid = true,
		},
		.g = h->plan->one_grid, .field = field,
		.user = cpu_user_name(h, field),
		.row = fresh_name(h->mem, h->prog, "row"),
	};
	struct kfunc *of_tile;

	name_boxes(&x.hex);
	x.hex.place.versions = true;
	x.hex.c = cpu_cursor(&x.hex.place);
	x.take = copies(&x, "take", "Take the caller's cells of a box into the "
		"grid.", true);
	x.give = copies(&x, "give", "Give the cells of a box to the caller.",
		false);
	x.rows = cpu_hex_rows(&x.hex, &h->scop->stmt[0], 0);
	cpu_hex_append(&x.hex, (struct kfunc *) x.rows);
	for (int after = 0; after < 2; after++) {
		x.keep[after] = keeps(&x, after);
		if (x.keep[after])
			cpu_hex_append(&x.hex, (struct kfunc *) x.keep[after]);
	}
	cpu_hex_append(&x.hex, (struct kfunc *) x.take);
	cpu_hex_append(&x.hex, (struct kfunc *) x.give);
	of_tile = tile(&x);
	cpu_hex_append(&x.hex, of_tile);
	run->functions = x.hex.functions;
	ks_add(h->mem, run->region, all_bands(&x, of_tile));
}

/* The row of the table of forms ------------------------------------------------ */

/* (size + h*shift) planes and rows; rows of an odd number of whole lines */
static const struct kx *extent(const struct host *h, const struct field *f, int d)
{
	const struct one_grid *g = h->plan->one_grid;
	const struct kx *size = host_param(h, f->size[d], ctype(CT_NONE));

	return d < ONE_GRID_TILED ? kx_add(h->mem, size, g->h * g->shift[d]) :
		cpu_in_odd_lines(h, kx_add(h->mem, size, g->lead), LINE_BYTES /
			type_size(f->type));
}

static bool is_in_place(const struct plan *plan)
{
	(void) plan;
	return true;
}

static const char *describe(const struct host *h)
{
	(void) h;
	return "All steps, in one grid beside the caller's.  Threads follow "
		"each other through it, a\ntile behind.";
}

const struct form_run one_grid_run = {
	.describe = describe, .add = add, .is_in_place = is_in_place,
	.extent = extent,
};

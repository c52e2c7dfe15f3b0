/* The values that a tile loads and stores. */
#include "picture/forms.h"

#include <isl/point.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 760, LEFT = 70, RIGHT = 40, MOST_FIELDS = 4 };

/* Loads and stores -------------------------------------------------------*/

/* What happens to a field's value, in the order in which it is decided. */
enum value_use { USE_NONE, USE_LOADED, USE_REUSED, USE_KEPT, USE_STORED };

/* The last dimension with tiles one after the other, or -1. */
static int sequential_dim(const struct plan *plan)
{
	for (int d = plan->n_dims - 1; d >= 0; d--)
		if (plan->role[d] == ROLE_SEQUENTIAL)
			return d;
	return -1;
}

static int dims_of(__isl_keep isl_set *set)
{
	return (int) isl_set_dim(set, isl_dim_set);
}

/* The values that the previous tile has read or computed. */
static __isl_give isl_set *left_before(const struct plan *plan,
	const struct field *field)
{
	int dim = sequential_dim(plan);
	isl_set *values;

	values = isl_set_union(tile_reads(plan, field),
		tile_writes(plan, field));
	if (dim < 0 || dim >= field->n_dims || !plan->opt.shared ||
	    plan->opt.reuse == REUSE_NONE) {
		isl_set *none = isl_set_empty(isl_set_get_space(values));

		isl_set_free(values);
		return none;
	}
	return shift_dim(values, 1 + dim, -plan->pitch[dim]);
}

/* The instances of "number" in the tile and all tiles that the same block
 * executes before and after it.
 */
static __isl_give isl_set *prism_instances(const struct plan *plan, int number)
{
	isl_set *all = tile_instances(plan, number);

	for (int d = 0; d < plan->n_dims; d++)
		if (plan->role[d] == ROLE_SEQUENTIAL) {
			all = isl_set_project_out(all, isl_dim_set,
				1 + (unsigned) d, 1);
			all = isl_set_insert_dims(all, isl_dim_set,
				1 + (unsigned) d, 1);
		}
	return all;
}

/* The values of "field" that the tile computes and an instance outside its
 * block's tiles reads.
 */
static __isl_give isl_set *read_elsewhere(const struct plan *plan,
	const struct field *field)
{
	isl_set *writes = tile_writes(plan, field);
	isl_set *found = isl_set_empty(isl_set_get_space(writes));

	for (int i = 0; i < plan->scop->n_stmts; i++) {
		const struct scop_stmt *s = &plan->scop->stmt[i];

		for (int j = 0; !s->is_copy && j < s->stmt->n_reads; j++) {
			isl_set *readers;
			isl_map *read;

			if (s->stmt->read[j]->field != field)
				continue;
			read = tile_access(plan, s->stmt->read[j]);
			readers = isl_set_apply(isl_set_copy(writes),
				isl_map_reverse(isl_map_copy(read)));
			readers = isl_set_subtract(readers,
				prism_instances(plan, s->number));
			found = isl_set_union(found,
				isl_set_apply(readers, read));
		}
	}
	return isl_set_coalesce(isl_set_intersect(found, writes));
}

static double count(__isl_take isl_set *set)
{
	isl_val *n = isl_set_count_val(set);
	double value = (double) isl_val_get_num_si(n);

	isl_val_free(n);
	isl_set_free(set);
	return value;
}

double picture_points(const struct plan *plan)
{
	const struct scop *scop = plan->scop;
	double points = 0;

	for (int i = 0; i < scop->n_stmts; i++)
		if (!scop->stmt[i].is_copy)
			points += count(tile_instances(plan,
				scop->stmt[i].number));
	return points;
}

struct transfers picture_transfers(const struct plan *plan)
{
	const struct scop *scop = plan->scop;
	struct transfers t = { .points = picture_points(plan) };

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];
		double loads, reused, writes, stored;

		if (f->kind != FIELD_STATE)
			continue;
		loads = count(tile_loads(plan, f));
		reused = count(isl_set_intersect(tile_loads(plan, f),
			left_before(plan, f)));
		writes = count(tile_writes(plan, f));
		stored = count(read_elsewhere(plan, f));
		t.loaded += loads - reused;
		t.reused += reused;
		t.stored += stored;
		t.kept += writes - stored;
	}
	return t;
}

/* A plane through the values [v, y] of a field: "across" and "up" are
 * dimensions of values, the others are fixed at "at".
 */
struct slice {
	int across, up, n_dims;
	int64_t at[1 + IR_MAX_DIMS];
	int left, low, wide, high;	/* the part that has values */
	unsigned char *use;		/* enum value_use, row by row */
};

/* Adjacent values of a row with the same use. */
struct run {
	unsigned char *use;	/* of column "left" */
	int left, wide;
	enum value_use paint;
};

/* The least or greatest value in the only dimension of "set". */
static int64_t bound_of(__isl_keep isl_basic_set *set, bool greatest)
{
	isl_set *all = isl_set_from_basic_set(isl_basic_set_copy(set));
	isl_val *v = greatest ? isl_set_dim_max_val(all, 0) :
		isl_set_dim_min_val(all, 0);
	int64_t bound = isl_val_is_int(v) == isl_bool_true ?
		isl_val_get_num_si(v) : greatest ? -1 : 0;

	isl_val_free(v);
	return bound;
}

static isl_stat paint_run(__isl_take isl_basic_set *set, void *user)
{
	struct run *run = user;
	int64_t first = bound_of(set, false), last = bound_of(set, true);

	if (last >= first)
		memset(run->use + first - run->left, run->paint,
			(size_t) (last - first + 1));
	isl_basic_set_free(set);
	return isl_stat_ok;
}

/* The plane's part of "values", with the plane's dimensions only: up, across.
 * Consumes "values".
 */
static __isl_give isl_set *cut(const struct slice *s,
	__isl_take isl_set *values)
{
	for (int i = s->n_dims - 1; i >= 0; i--)
		if (i != s->across && i != s->up) {
			values = isl_set_fix_si(values, isl_dim_set,
				(unsigned) i, (int) s->at[i]);
			values = isl_set_project_out(values, isl_dim_set,
				(unsigned) i, 1);
		}
	return isl_set_coalesce(values);
}

int64_t picture_extreme(__isl_keep isl_set *set, int pos, bool greatest)
{
	isl_val *v = greatest ? isl_set_dim_max_val(isl_set_copy(set), pos) :
		isl_set_dim_min_val(isl_set_copy(set), pos);
	int64_t x = isl_val_is_int(v) == isl_bool_true ?
		isl_val_get_num_si(v) : 0;

	isl_val_free(v);
	return x;
}

/* The part of the plane that holds "values", which is consumed. */
static void measure(struct slice *s, __isl_take isl_set *values)
{
	values = cut(s, values);
	if (isl_set_is_empty(values) == isl_bool_false) {
		s->low = (int) picture_extreme(values, 0, false);
		s->high = (int) picture_extreme(values, 0, true) - s->low + 1;
		s->left = (int) picture_extreme(values, 1, false);
		s->wide = (int) picture_extreme(values, 1, true) - s->left + 1;
	}
	isl_set_free(values);
}

/* Consumes "values". */
static void paint(struct slice *s, __isl_take isl_set *values,
	enum value_use use)
{
	values = cut(s, values);
	for (int y = 0; y < s->high; y++) {
		struct run run = { s->use + y * s->wide, s->left, s->wide,
			use };
		isl_set *row = isl_set_fix_si(isl_set_copy(values),
			isl_dim_set, 0, s->low + y);

		row = isl_set_project_out(row, isl_dim_set, 0, 1);
		isl_set_foreach_basic_set(row, paint_run, &run);
		isl_set_free(row);
	}
	isl_set_free(values);
}

/* Determine the use of each value in the plane.  Without time tiling, the plane
 * shows the step before, with stored cells above it.
 */
static void fill_slice(struct slice *s, const struct plan *plan,
	const struct field *field, struct region *mem)
{
	isl_set *loads = tile_loads(plan, field);
	isl_set *writes = tile_writes(plan, field);
	isl_set *stores = plan_has_hexagons(plan) ?
		read_elsewhere(plan, field) :
		shift_dim(isl_set_copy(writes), 0, -1);

	s->n_dims = dims_of(loads);
	measure(s, isl_set_union(isl_set_copy(loads), isl_set_copy(writes)));
	s->use = region_alloc(mem, (size_t) s->wide * (size_t) s->high + 1);
	paint(s, isl_set_copy(loads), USE_LOADED);
	paint(s, isl_set_intersect(loads, left_before(plan, field)),
		USE_REUSED);
	paint(s, writes, USE_KEPT);
	paint(s, stores, USE_STORED);
}

static const char *class_of_use(enum value_use use)
{
	static const char *const class[] = { "", "loaded", "reused", "kept",
		"stored" };

	return class[use];
}

/* Runs of values with the same use, with gaps between points where there is
 * room.
 */
static void draw_row(struct markup *m, const struct slice *s, int row,
	double left, double y, double cell, double high)
{
	const unsigned char *use = s->use + row * s->wide;
	double gap = high >= 4 ? 0.5 : 0;
	int end;

	for (int x = 0; x < s->wide; x = end) {
		for (end = x + 1; end < s->wide && use[end] == use[x]; end++)
			;
		if (use[x] == USE_NONE)
			continue;
		svg_rect(m, class_of_use(use[x]), left + x * cell, y + gap,
			(end - x) * cell, gap > 0 ? high - 2 * gap :
			high + 0.4);
		for (int i = x + 1; cell >= 7 && i < end; i++)
			svg_line(m, "gap", left + i * cell, y,
				left + i * cell, y + high);
	}
}

static bool equal_columns(const struct slice *s, int a, int b)
{
	for (int y = 0; y < s->high; y++)
		if (s->use[y * s->wide + a] != s->use[y * s->wide + b])
			return false;
	return true;
}

/* "s" with long runs of equal columns shortened to END on both sides of a gap;
 * "s" itself if it has none.
 */
static struct slice shortened(const struct slice *s, struct region *mem)
{
	enum { END = 10, GAP = 2, LONG = 3 * END };
	struct slice part = *s;
	int *column = region_array(mem, int, s->wide);
	int n = 0;

	for (int x = 0, end; x < s->wide; x = end) {
		for (end = x + 1; end < s->wide && equal_columns(s, x, end);
		     end++)
			;
		for (int i = x; i < end; i++)
			if (end - x <= LONG || i < x + END || i >= end - END)
				column[n++] = i;
			else if (i < x + END + GAP)
				column[n++] = -1;
	}
	part.wide = n;
	part.use = region_alloc(mem, (size_t) n * (size_t) s->high + 1);
	for (int y = 0; y < s->high; y++)
		for (int x = 0; x < n; x++)
			if (column[x] >= 0)
				part.use[y * n + x] =
					s->use[y * s->wide + column[x]];
	return part;
}

static double draw_slice(struct markup *m, const struct plan *plan,
	const struct field *field, struct slice *s, const char *across,
	const char *where, double top, struct region *mem)
{
	struct slice part = shortened(s, mem);
	double cell = fmin(24, (WIDTH - LEFT - RIGHT) / (double) part.wide);
	double high = fmin(24, fmin(fmax(cell, 8), 300.0 / part.high));
	double bottom = top + 34 + high * part.high;
	int each = (int) ceil(13 / high), row = (int) ceil(1 / high);

	svg_label(m, NULL, LEFT, top, "%s, %s", field->name, where);
	svg_label(m, "small", LEFT, top + 18, "columns %s = %d .. %d%s, "
		"from the tile's origin", across, s->left,
		s->left + s->wide - 1,
		part.wide < s->wide ? " (equal columns are left out)" : "");
	for (int y = 0; y < part.high; y++) {
		double at = bottom - (y + 1) * high;

		if (y % row == 0)
			draw_row(m, &part, y, LEFT, at, cell, row * high);
		if (y % each == 0)
			svg_label(m, "small end", LEFT - 8, at + high / 2 + 4,
				plan_has_hexagons(plan) ? "t%+d" : "%d",
				part.low + y);
	}
	return bottom + 34;
}

static double draw_legend(struct markup *m, const struct plan *plan,
	double top)
{
	const struct {
		const char *class, *text;
	} entry[] = {
		{ "loaded", plan_has_hexagons(plan) ?
			"read, loaded from global memory" :
			"read only: the halo" },
		{ "reused", "read, left by the tile before" },
		{ "stored", plan_has_hexagons(plan) ?
			"computed, read by other blocks: stored" :
			"read, and computed for the next step" },
		{ "kept", "computed, used in this block only" },
	};
	int n = 0;

	for (int i = 0; i < 4; i++) {
		double x = LEFT + n % 2 * 320, y = top + n / 2 * 22;

		if (!plan_has_hexagons(plan) && i % 2)
			continue;
		svg_rect(m, entry[i].class, x, y - 11, 14, 14);
		svg_label(m, NULL, x + 22, y, "%s", entry[i].text);
		n++;
	}
	return top + 22 * ((n + 1) / 2) + 10;
}

/* The middle of the tile in each dimension of the values. */
static void find_middle(struct slice *s, const struct plan *plan)
{
	const struct hexagon *x = &plan->tiles.hexagon;

	s->at[0] = plan_has_hexagons(plan) ? plan->rows / plan->scop->k / 2 : 1;
	for (int d = 0; d < plan->n_dims; d++)
		s->at[1 + d] = d == plan->tiles.hex_dim ?
			(hexagon_extent(x) - 1) / 2 :
			(plan_has_hexagons(plan) ? plan->tiles.width[d] -
				(int) rational_floor(plan->tiles.skew[d],
					plan->rows) : plan->pitch[d]) / 2;
}

/* Time over the hexagonal dimension, and over the dimension with reuse. */
static double draw_hex_field(struct markup *m, const struct plan *plan,
	const struct field *field, double top, struct region *mem)
{
	static const char *const where[2][2] = {
		{ "across the hexagon, in the middle of the tile",
		  "along the tiles, in the middle of the hexagon" },
		{ "across the skewed rectangle, in the middle of the tile",
		  "along the tiles, in the middle of the skewed rectangle" },
	};
	int dim[] = { plan->tiles.hex_dim, sequential_dim(plan) };

	for (int i = 0; i < 2; i++) {
		struct slice s = { .across = 1 + dim[i], .up = 0 };

		if (dim[i] < 0 || dim[i] >= field->n_dims)
			continue;
		find_middle(&s, plan);
		fill_slice(&s, plan, field, mem);
		if (!s.wide)
			continue;
		top = draw_slice(m, plan, field, &s,
			picture_dim(plan->scop, dim[i]),
			where[plan_is_diagonal(plan)][i], top, mem);
	}
	return top;
}

static double draw_sweep_field(struct markup *m, const struct plan *plan,
	const struct field *field, double top, struct region *mem)
{
	struct slice s = { .across = field->n_dims, .up = field->n_dims - 1 };
	bool is_line = field->n_dims < 2;

	if (is_line)
		s.up = 0;
	find_middle(&s, plan);
	s.at[0] = 0;
	fill_slice(&s, plan, field, mem);
	if (!s.wide)
		return top;
	return draw_slice(m, plan, field, &s, picture_dim(plan->scop,
		field->n_dims - 1), is_line ? "a block, of the step before" :
		"the block's plane, of the step before", top, mem);
}

static double draw_transfers(struct markup *m, const struct plan *plan,
	double top, struct region *mem)
{
	const struct program *prog = plan->scop->prog;
	int drawn = 0;

	svg_label(m, "heading", 20, top, "What a tile loads and stores");
	top = draw_legend(m, plan, top + 30) + 16;
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *field = prog->field[i];

		if (field->kind != FIELD_STATE || !field->n_dims)
			continue;
		if (drawn++ == MOST_FIELDS) {
			svg_label(m, NULL, LEFT, top, "further states are "
				"left out");
			return top + 30;
		}
		top = plan_has_hexagons(plan) ?
			draw_hex_field(m, plan, field, top, mem) :
			draw_sweep_field(m, plan, field, top, mem);
	}
	return top;
}

double tiles_draw_work(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	return draw_transfers(m, plan, top, mem);
}

/* Memory: every index in its array, every value where it is read.
 *
 * That a value which another tile computed is in global memory when a tile
 * copies it in, and still there, follows from the order of dependences: its
 * tile ran before, and the next value of that cell comes after.  Here it is
 * shown that the boxes hold what their tile touches, that no other block
 * changes them meanwhile, and that what a tile takes from the one before it is
 * there.
 */
#include <isl/point.h>

#include "verify/checker.h"

static bool has_reader(const struct statement *s, const struct field *f)
{
	if (s->is_carry)
		return s->stmt->write->field == f;
	for (int i = 0; i < s->stmt->n_reads; i++)
		if (s->stmt->read[i]->field == f)
			return true;
	return false;
}

/* Is "f" kept in shared memory?  States are, which some statement reads. */
static bool is_shared(struct checker *c, const struct plan *plan,
	const struct field *f)
{
	if (!plan->steps.shared || f->kind != FIELD_STATE)
		return false;
	for (int i = 0; i < c->n_stmts; i++)
		if (has_reader(&c->stmt[i], f))
			return true;
	return false;
}

__isl_give isl_set *rows_of(struct checker *c, const struct plan *plan,
	int slot)
{
	struct text t = { 0 };
	isl_set *rows;

	text_puts(&t, "{ [a");
	put_dims(&t, "x", plan->n_dims, ALL_DIMS);
	text_printf(&t, "] : a mod %d = %d }", c->scop->k, slot);
	rows = isl_set_read_from_str(c->ctx, t.bytes);
	text_free(&t);
	return isl_set_intersect(rows, isl_set_copy(plan->shape));
}

int64_t edge_of_set(__isl_keep isl_set *set, int d, bool last)
{
	isl_val *v = last ? isl_set_dim_max_val(isl_set_copy(set), d) :
		isl_set_dim_min_val(isl_set_copy(set), d);
	int64_t value = isl_val_is_int(v) == isl_bool_true ?
		isl_val_get_num_si(v) : last ? INT32_MAX : INT32_MIN;

	isl_val_free(v);
	return value;
}

/* Boxes ----------------------------------------------------------------- */

static bool fits_box(struct checker *c, const struct statement *s,
	const struct field *f, int d, int64_t low, int64_t high)
{
	const struct box *box = &s->plan->box[f->index];

	if (low >= box->low[d] && high < box->low[d] + box->extent[d])
		return true;
	return refute(c, "%s touches '%s' at %lld .. %lld from its tile's "
		"origin in dimension %d, and the box in shared memory holds "
		"%d .. %d", s->name, f->name, (long long) low,
		(long long) high, d, box->low[d],
		box->low[d] + box->extent[d] - 1);
}

/* Reads of "acc" by the rows "rows", wherever the tile is. */
static bool read_fits_box(struct checker *c, const struct statement *s,
	const struct access *acc, __isl_keep isl_set *rows)
{
	for (int d = 0; d < acc->field->n_dims; d++) {
		int64_t low, high;

		if (acc->dim[d] < 0 || !reach_along(c, s->stmt, acc, d, &low,
		    &high))
			return refute(c, "'%s' is read too far away for a "
				"box", acc->field->name);
		low += edge_of_set(rows, 1 + acc->dim[d], false);
		high += edge_of_set(rows, 1 + acc->dim[d], true);
		if (!fits_box(c, s, acc->field, d, low, high))
			return false;
	}
	return true;
}

static bool boxes_hold(struct checker *c, const struct statement *s)
{
	isl_set *rows = rows_of(c, s->plan, s->slot);
	const struct field *written = s->stmt->write->field;
	bool hold = true;

	for (int d = 0; d < written->n_dims && hold; d++)
		hold = !is_shared(c, s->plan, written) || fits_box(c, s,
			written, d, edge_of_set(rows, 1 + d, false),
			edge_of_set(rows, 1 + d, true));
	for (int i = 0; i < s->stmt->n_reads && hold && !s->is_carry; i++)
		hold = !is_shared(c, s->plan, s->stmt->read[i]->field) ||
			read_fits_box(c, s, s->stmt->read[i], rows);
	isl_set_free(rows);
	return hold;
}

/* Global memory ---------------------------------------------------------- */

/* { [.., x at "pos", ..] in "space" : x + offset is no index of "size" cells }
 */
static __isl_give isl_set *beyond(struct checker *c,
	__isl_keep isl_space *space, int pos, int64_t offset,
	const struct expr *size)
{
	isl_pw_aff *at = isl_pw_aff_add_constant_val(isl_pw_aff_var_on_domain(
		isl_local_space_from_space(isl_space_copy(space)), isl_dim_set,
		(unsigned) pos), isl_val_int_from_si(c->ctx, offset));
	isl_set *above = isl_pw_aff_ge_set(isl_pw_aff_copy(at),
		value_of(c, space, size));

	return isl_set_union(above, isl_pw_aff_nonneg_set(
		isl_pw_aff_add_constant_val(isl_pw_aff_neg(at),
			isl_val_negone(c->ctx))));
}

static bool read_lies_in_grid(struct checker *c, const struct statement *s,
	const struct access *acc, int d)
{
	isl_space *space = space_of_dims(c, 1);
	isl_set *cells = isl_map_range(isl_map_intersect_params(
		reads_along(c, s->stmt, acc, d), isl_set_copy(c->context)));

	cells = isl_set_intersect(cells, beyond(c, space, 0, 0,
		acc->field->size[d]));
	isl_space_free(space);
	return is_shown_empty(c, cells) || refute(c, "%s reads '%s' outside "
		"of its grid in dimension %d", s->name, acc->field->name, d);
}

/* What "s" reads lies in the grids.  Of reads without a boundary this is how
 * its domain is defined.
 */
static bool reads_lie_in_grid(struct checker *c, const struct statement *s)
{
	for (int i = 0; i < s->stmt->n_reads && !s->is_carry; i++)
		for (int d = 0; d < s->stmt->read[i]->field->n_dims; d++)
			if (is_mapped_along(s->stmt, s->stmt->read[i], d) &&
			    !read_lies_in_grid(c, s, s->stmt->read[i], d))
				return false;
	return true;
}

/* Full tiles -------------------------------------------------------------- */

static void put_origin(struct text *t, int n)
{
	text_puts(t, "t0");
	put_dims(t, "o", n, ALL_DIMS);
}

/* { [t0, o.., a, x..] -> [t, x] : the instance at row a and x of the tile with
 * this origin }
 */
static __isl_give isl_map *instance_at(struct checker *c,
	const struct plan *plan, int slot)
{
	struct text t = { 0 };
	isl_map *map;

	text_puts(&t, "{ [");
	put_origin(&t, plan->n_dims);
	text_puts(&t, ", a");
	put_dims(&t, "x", plan->n_dims, ALL_DIMS);
	text_puts(&t, "] -> [t");
	put_dims(&t, "y", plan->n_dims, ALL_DIMS);
	text_printf(&t, "] : %d*t + %d = %d*t0 + a", c->scop->k, slot,
		c->scop->k);
	for (int d = 0; d < plan->n_dims; d++)
		text_printf(&t, " and y%d = o%d + x%d", d, d, d);
	text_puts(&t, " }");
	map = isl_map_read_from_str(c->ctx, t.bytes);
	text_free(&t);
	return map;
}

/* { [t, x] : in a full tile }.  A program without a time loop has one launch
 * of its stages, so the condition does not speak of time.
 */
static __isl_give isl_set *in_full_tiles(struct checker *c,
	const struct statement *s)
{
	const struct plan *plan = s->plan;
	int n = plan->n_dims;
	isl_space *space = space_of_dims(c, 1 + n);
	isl_set *full = isl_set_add_dims(adopt(c, plan->full), isl_dim_set,
		(unsigned) (1 + n));

	full = isl_set_intersect(full, shape_at(c, plan, ALL_DIMS, 1 + n,
		2 + 2 * n));
	full = isl_set_apply(full, instance_at(c, plan, s->slot));
	if (!c->prog->timed)
		full = isl_set_intersect(full, points_in_time(c, space));
	isl_space_free(space);
	return isl_set_intersect_params(full, isl_set_copy(c->context));
}

static bool refute_full(struct checker *c, const struct statement *s,
	__isl_take isl_set *set, const char *what)
{
	isl_point *example = example_of(c, set);

	if (example)
		refute(c, "%s: %s lies in a full tile and %s",
			sizes_of_point(c, example),
			instance_of_point(c, s, example, 0), what);
	isl_point_free(example);
	isl_set_free(set);
	return refute(c, "%s may lie in a full tile and %s", s->name, what);
}

/* All of "s" in full tiles is in "good". */
static bool full_is_within(struct checker *c, const struct statement *s,
	__isl_take isl_set *good, const char *what)
{
	isl_set *rest = isl_set_subtract(in_full_tiles(c, s), good);

	if (is_shown_empty(c, isl_set_copy(rest))) {
		isl_set_free(rest);
		return true;
	}
	return refute_full(c, s, rest, what);
}

/* { x : x + by along dimension "pos" is in "set" } */
static __isl_give isl_set *before(__isl_take isl_set *set, int pos, int by)
{
	isl_local_space *ls;
	isl_constraint *moved;

	set = isl_set_insert_dims(set, isl_dim_set, (unsigned) pos, 1);
	ls = isl_local_space_from_space(isl_set_get_space(set));
	moved = isl_constraint_alloc_equality(ls);
	moved = isl_constraint_set_coefficient_si(moved, isl_dim_set, pos, 1);
	moved = isl_constraint_set_coefficient_si(moved, isl_dim_set, pos + 1,
		-1);
	moved = isl_constraint_set_constant_si(moved, by);
	set = isl_set_add_constraint(set, moved);
	return isl_set_project_out(set, isl_dim_set, (unsigned) pos + 1, 1);
}

/* Straight code asks for the condition of "s" once for points of a column that
 * are its period apart: it must hold for all of them or none.
 */
static bool classes_are_right(struct checker *c, const struct statement *s)
{
	int d = s->plan->tiles.hex_dim;
	int by = d < 0 ? 0 : s->plan_stmt->period[d];
	isl_set *full, *runs, *other, *differ;

	if (by <= 0)
		return refute(c, "code for full tiles relies on all instances "
			"of %s, which has a condition", s->name);
	full = in_full_tiles(c, s);
	runs = isl_set_intersect(isl_set_copy(full), isl_set_copy(s->domain));
	other = isl_set_subtract(full, isl_set_copy(runs));
	differ = isl_set_intersect(isl_set_copy(runs),
		before(isl_set_copy(other), 1 + d, by));
	differ = isl_set_union(differ, isl_set_intersect(other,
		before(runs, 1 + d, by)));
	if (is_shown_empty(c, isl_set_copy(differ))) {
		isl_set_free(differ);
		return true;
	}
	return refute_full(c, s, differ, "runs, but not where its condition "
		"is taken to be the same, or the other way round");
}

/* In full tiles there are no boundaries, and no guard where the plan says that
 * all instances run.
 */
static bool full_is_right(struct checker *c, const struct statement *s)
{
	const struct scop_stmt *p = s->plan_stmt;
	isl_set *none;

	if (!p->in_full) {
		none = isl_set_intersect(in_full_tiles(c, s),
			isl_set_copy(s->domain));
		if (is_shown_empty(c, isl_set_copy(none))) {
			isl_set_free(none);
			return true;
		}
		return refute_full(c, s, none, "is left out there");
	}
	if (s->plan->steps.reuse != REUSE_NONE && p->is_guarded)
		return refute(c, "code for full tiles relies on all instances "
			"of %s, which has a condition", s->name);
	if (s->plan->tiles.straight && p->is_guarded &&
	    !classes_are_right(c, s))
		return false;
	if (!s->is_carry && !full_is_within(c, s, points_inside(c, s->stmt,
	    false), "reads outside of the grid"))
		return false;
	return p->is_guarded || full_is_within(c, s, isl_set_copy(s->domain),
		"is no instance of the program");
}

/* No cell of the box of "f" is outside of its grid where a tile is full. */
static bool box_lies_in_grid(struct checker *c, const struct plan *plan,
	const struct field *f, int d)
{
	const struct box *box = &plan->box[f->index];
	isl_space *space = space_of_dims(c, 1 + plan->n_dims);
	isl_set *outside = isl_set_union(
		beyond(c, space, 1 + d, box->low[d], f->size[d]),
		beyond(c, space, 1 + d, box->low[d] + box->extent[d] - 1,
			f->size[d]));

	isl_space_free(space);
	outside = isl_set_intersect(outside, adopt(c, plan->full));
	return is_shown_empty(c, isl_set_intersect_params(outside,
		isl_set_copy(c->context))) ||
		refute(c, "a full tile copies cells of '%s' that are outside "
			"of its grid in dimension %d", f->name, d);
}

static bool boxes_lie_in_grid(struct checker *c, const struct plan *plan,
	const struct field *f)
{
	for (int d = 0; d < f->n_dims; d++)
		if (!box_lies_in_grid(c, plan, f, d))
			return false;
	return true;
}

bool check_full(struct checker *c, const struct plan *plan)
{
	if (!plan->steps.separate)
		return true;
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].plan == plan &&
		    !full_is_right(c, &c->stmt[i]))
			return false;
	for (int i = 0; i < c->prog->n_fields; i++)
		if ((is_shared(c, plan, c->prog->field[i]) ||
		    (plan->form == FORM_STRIPS &&
		     plan->box[i].n_dims > 0)) &&
		    !boxes_lie_in_grid(c, plan, c->prog->field[i]))
			return false;
	claim(c, "in full tiles all instances run that have no guard, no read "
		"needs a boundary and all boxes lie in the grid");
	return true;
}

/* Straight code ---------------------------------------------------------- */

/* Straight code takes the points of row a from the hexagon's sides, and deals
 * the others to the threads evenly; those of the only dimension in parts of a
 * point for each thread.
 */
static bool straight_is_right(struct checker *c, const struct plan *plan)
{
	for (int d = 0; d < plan->n_dims; d++) {
		int i = plan->n_dims - 1 - d;

		if (d != plan->tiles.hex_dim && i < 3 &&
		    (plan->threads[i] < 1 ||
		    plan->tiles.width[d] % plan->threads[i] != 0))
			return refute(c, "%d threads have no equal parts of "
				"%d columns", plan->threads[i],
				plan->tiles.width[d]);
		if (d == plan->tiles.hex_dim && i < 3 && plan->threads[i] !=
		    1 &&
		    plan->n_dims > 1)
			return refute(c, "several threads along the hexagon "
				"of straight code");
		if (plan->n_dims == 1 && plan->tiles.hex_dim == 0 &&
		    plan->threads[0] > plan->tiles.hexagon.w0 + 1)
			return refute(c, "%d threads, of which some have no "
				"point in the hexagon's first row",
				plan->threads[0]);
	}
	for (int a = 0; a < plan->rows && plan->tiles.hex_dim >= 0; a++) {
		isl_set *row = isl_set_fix_si(isl_set_copy(plan->shape),
			isl_dim_set, 0, a);
		int64_t first = edge_of_set(row, 1 + plan->tiles.hex_dim,
			false);
		int64_t last = edge_of_set(row, 1 + plan->tiles.hex_dim, true);

		isl_set_free(row);
		if (first != hexagon_first(&plan->tiles.hexagon, a) ||
		    last != hexagon_last(&plan->tiles.hexagon, a))
			return refute(c, "row %d of the tile has the points "
				"%lld .. %lld, straight code computes %d .. "
				"%d", a, (long long) first, (long long) last,
				hexagon_first(&plan->tiles.hexagon, a),
				hexagon_last(&plan->tiles.hexagon, a));
	}
	return true;
}

/* Copies that run beside other blocks ------------------------------------ */

/* { cells that tile (p, 0, 0) copies and (q, dT, dS) computes : "piece" } */
static __isl_give isl_set *copied_and_written(struct checker *c,
	const struct statement *writer, int p, int q, const char *piece,
	dims which)
{
	const struct plan *plan = writer->plan;
	const struct field *f = writer->stmt->write->field;
	const struct box *box = &plan->box[f->index];
	int n = plan->n_dims, all = 2 + 3 * count_dims(plan, which);
	struct text t = { 0 };
	isl_set *set;

	text_puts(&t, "{ [b");
	put_dims(&t, "y", n, which);
	text_puts(&t, ", dT");
	put_dims(&t, "dS", n, which);
	put_dims(&t, "x", n, which);
	text_printf(&t, "] : b mod %d = %d", c->scop->k, writer->slot);
	for (int d = 0; d < n; d++) {
		if (!has_dim(which, d))
			continue;
		text_puts(&t, " and ");
		put_x(&t, plan, p, d, "x", NULL, NULL);
		text_puts(&t, " = ");
		put_x(&t, plan, q, d, "y", "dT", "dS");
		text_printf(&t, " and %d <= x%d <= %d", box->low[d], d,
			box->low[d] + box->extent[d] - 1);
	}
	text_printf(&t, " and %s }", piece);
	set = isl_set_read_from_str(c->ctx, t.bytes);
	note_formula(c, plan, t.bytes);
	text_free(&t);
	return isl_set_intersect(set, shape_at(c, plan, which, 0, all));
}

static bool copies_are_apart(struct checker *c, const struct statement *writer,
	int p, int q, const char *piece, int dim)
{
	const struct plan *plan = writer->plan;
	int n = plan->n_dims;
	isl_point *example;
	isl_set *both;

	if (is_shown_empty(c, copied_and_written(c, writer, p, q, piece,
	    1u << dim)))
		return true;
	both = copied_and_written(c, writer, p, q, piece, ALL_DIMS);
	if (is_shown_empty(c, isl_set_copy(both))) {
		isl_set_free(both);
		return true;
	}
	example = isl_set_sample_point(both);
	if (example && isl_point_is_void(example) == isl_bool_false)
		refute(c, "the tile of phase %d at S%d = 0 copies a cell of "
			"'%s' that the tile of phase %d at S%d = %lld writes "
			"in the same launch", p, plan->tiles.hex_dim,
			writer->stmt->write->field->name, q,
			plan->tiles.hex_dim,
			(long long) coordinate_of_point(example, 2 + n +
				(plan->tiles.hex_dim > 0 ? plan->tiles.hex_dim :
				0)));
	isl_point_free(example);
	return refute(c, "a tile copies cells of '%s' that another block "
		"writes", writer->stmt->write->field->name);
}

/* Blocks of one launch: other tiles of the phase; with waves, chunk c - 2*j of
 * phase phi + j, the tiles of which are more than 2*j - 1 chunks away.
 */
static bool copies_are_safe(struct checker *c, const struct statement *writer)
{
	const struct plan *plan = writer->plan;
	char piece[160];

	for (int p = 0; p < plan->n_phases; p++)
		for (int d = 0; d < plan->n_dims; d++)
			for (int side = 0; side < 2; side++) {
				if (plan->role[d] != ROLE_BLOCKS)
					continue;
				snprintf(piece, sizeof(piece),
					"dT = 0 and dS%d %c 0", d,
					"<>"[side]);
				if (!copies_are_apart(c, writer, p, p, piece,
				    d))
					return false;
			}
	if (plan->tiles.waves.dim < 0)
		return true;
	for (int p = 0; p < 2; p++)
		for (int q = 0; q < 2; q++)
			for (int side = -1; side <= 1; side += 2) {
				snprintf(piece, sizeof(piece),
					"%d*(2*dT + %d) >= 1 and %d*dS%d >= "
					"%d*(2*%d*(2*dT + %d) - 1) + 1", side,
					q - p, -side, plan->tiles.waves.dim,
					plan->tiles.waves.least_chunk, side, q -
					p);
				if (!copies_are_apart(c, writer, p, q, piece,
				    plan->tiles.waves.dim))
					return false;
			}
	return true;
}

/* Reuse ------------------------------------------------------------------ */

/* A tile takes from the one before, "pitch" back in the last dimension, what
 * both have in their boxes.  What it reads it computes; or the tile before has
 * computed or read it, and has it; or else its whole line is loaded, by this
 * tile in the columns that are new and by those before in theirs.  It remains
 * that both tiles run all their instances (full_is_right), that the one before
 * is executed by the same block, and that columns are moved whole.
 */
static bool reuse_is_right(struct checker *c, const struct plan *plan)
{
	int n = plan->n_dims, extent = -1;

	if (plan->steps.reuse == REUSE_NONE || !plan->steps.separate)
		return true;
	if (plan->role[n - 1] != ROLE_SEQUENTIAL)
		return refute(c, "a block does not execute the tile before");
	if (!plan->steps.shared)
		return refute(c, "reuse without shared memory");
	for (int i = 0; i < c->prog->n_fields; i++) {
		const struct field *f = c->prog->field[i];
		const struct box *box = &plan->box[i];

		if (!is_shared(c, plan, f))
			continue;
		if (f->n_dims != n)
			return refute(c, "'%s' has fewer dimensions than its "
				"tiles", f->name);
		if (extent >= 0 && extent != box->extent[n - 1])
			return refute(c, "boxes of different width share one "
				"place");
		extent = box->extent[n - 1];
		if (extent < plan->pitch[n - 1])
			return refute(c, "the box of '%s' has fewer columns "
				"than a tile advances", f->name);
		if (plan->steps.reuse == REUSE_DYNAMIC &&
		    extent > 2 * plan->pitch[n - 1])
			return refute(c, "a box of %d columns moves by %d: "
				"columns are overwritten before they are "
				"moved", extent, plan->pitch[n - 1]);
	}
	claim(c, "what a full tile reads it computes, loads, or finds from "
		"the tile before");
	return true;
}

/* ------------------------------------------------------------------------ */

bool check_memory(struct checker *c)
{
	section(c, "Values are where they are read");
	for (int i = 0; i < c->n_stmts; i++) {
		const struct statement *s = &c->stmt[i];

		if (!boxes_hold(c, s) || !reads_lie_in_grid(c, s))
			return false;
		if (is_shared(c, s->plan, s->stmt->write->field) &&
		    !copies_are_safe(c, s))
			return false;
		if (s->plan->steps.shared &&
		    s->stmt->write->field->kind == FIELD_STATE &&
		    !check_copy_out(c, s))
			return false;
		claim(c, "%s: all indices lie in their arrays%s", s->name,
			s->plan->steps.shared ? ", those of shared memory in "
			"their boxes; no block copies what another one of "
			"the launch writes" : "");
	}
	for (int q = 0; q < c->n_plans; q++) {
		const struct plan *plan = &c->plan[q];

		if (!check_full(c, plan) || !reuse_is_right(c, plan) ||
		    (plan->tiles.straight && !straight_is_right(c, plan)))
			return false;
	}
	return true;
}

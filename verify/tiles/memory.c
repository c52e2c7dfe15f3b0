/* Memory: every index lies in its array, and every value is where it is read.
 *
 * That a value computed by another tile is in global memory when a tile copies
 * it in, and still there, follows from the order of dependences: its tile ran
 * before, and the next value of that cell comes after.  Here the proof shows
 * that the boxes hold what their tile touches, that no other block changes them
 * meanwhile, and that a tile finds what it takes from the one before it.
 */
#include <isl/point.h>

#include "verify/tiles/tiles.h"


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
	isl_set *rows = rows_of(c, s->plan, s->number);
	const struct field *written = s->stmt->write->field;
	bool hold = true;

	for (int d = 0; d < written->n_dims && hold; d++)
		hold = !is_shared_state(c, s->plan, written) || fits_box(c, s,
			written, d, edge_of_set(rows, 1 + d, false),
			edge_of_set(rows, 1 + d, true));
	for (int i = 0; i < s->stmt->n_reads && hold && !s->is_copy; i++)
		hold = !is_shared_state(c, s->plan, s->stmt->read[i]->field) ||
			read_fits_box(c, s, s->stmt->read[i], rows);
	isl_set_free(rows);
	return hold;
}

/* Global memory ---------------------------------------------------------- */

static bool read_lies_in_grid(struct checker *c, const struct statement *s,
	const struct access *acc, int d)
{
	isl_space *space = space_of_dims(c, 1);
	isl_set *cells = isl_set_intersect_params(cells_read_along(c, s->stmt,
		acc, d), isl_set_copy(c->context));

	cells = isl_set_intersect(cells, points_beyond(c, space, 0, 0,
		acc->field->size[d]));
	isl_space_free(space);
	return is_shown_empty(c, cells) || refute(c, "%s reads '%s' outside "
		"of its grid in dimension %d", s->name, acc->field->name, d);
}

/* What "s" reads lies in the grids.  For reads without a boundary this defines
 * its domain.
 */
static bool reads_lie_in_grid(struct checker *c, const struct statement *s)
{
	for (int i = 0; i < s->stmt->n_reads && !s->is_copy; i++)
		for (int d = 0; d < s->stmt->read[i]->field->n_dims; d++)
			if (is_mapped_along(s->stmt, s->stmt->read[i], d) &&
			    !read_lies_in_grid(c, s, s->stmt->read[i], d))
				return false;
	return true;
}


/* Straight code ---------------------------------------------------------- */

/* Straight code takes the points of row a from the hexagon's sides, and deals
 * the other dimensions to threads evenly; the only dimension in parts of one
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
	text_printf(&t, "] : b mod %d = %d", c->scop->k, writer->number);
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
 * phase phi + j, whose tiles are more than 2*j - 1 chunks away.
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

/* A tile takes from the previous one, "pitch" back in the last dimension, what
 * both have in their boxes.  What it reads it computes; or the previous tile
 * has computed or read it; or its whole line is loaded, by this tile in the new
 * columns and by earlier ones in theirs.  It remains to show that both tiles
 * run all their instances (full_is_right), that the same block executes the
 * previous one, and that columns move whole.
 */
static bool reuse_is_right(struct checker *c, const struct plan *plan)
{
	int n = plan->n_dims, extent = -1;

	if (plan->opt.reuse == REUSE_NONE || !plan->opt.separate)
		return true;
	if (plan->role[n - 1] != ROLE_SEQUENTIAL)
		return refute(c, "a block does not execute the tile before");
	if (!plan->opt.shared)
		return refute(c, "reuse without shared memory");
	for (int i = 0; i < c->prog->n_fields; i++) {
		const struct field *f = c->prog->field[i];
		const struct box *box = &plan->box[i];

		if (!is_shared_state(c, plan, f))
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
		if (plan->opt.reuse == REUSE_DYNAMIC &&
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
		if (is_shared_state(c, s->plan, s->stmt->write->field) &&
		    !copies_are_safe(c, s))
			return false;
		if (s->plan->opt.shared &&
		    s->stmt->write->field->kind == FIELD_STATE &&
		    !check_copy_out(c, s))
			return false;
		claim(c, "%s: all indices lie in their arrays%s", s->name,
			s->plan->opt.shared ? ", those of shared memory in "
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

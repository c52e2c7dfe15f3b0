/* Overlapping tiles of C: each value that a tile stores is computed from values
 * that the tile has.  The proof looks at a tile of n steps in one dimension at
 * a time: it is number S, of w <= width points, and the questions do not depend
 * on sizes.  If a question fails for some tile, statements and sizes are added,
 * and what remains is the counterexample.
 *
 *	[n, m, S, w, x, ..]: at step m, 0 < m <= n, the point x
 *
 * Values are right by induction: a point of stage (m, i) at which the statement
 * has an instance reads cells of its grids, each of which lies among the points
 * of the stage that computes it, or in an input.  Elsewhere it keeps the value
 * of stage (m - 1, i).  Stages of m <= 0 load the versions of the grid.
 */
#include <string.h>

#include <isl/point.h>

#include "verify/overlap/overlap.h"

enum { LOW, HIGH };

static int width_of(const struct pipe *x, int d)
{
	return x->p->width[d];
}

static bool is_computed_beyond(const struct pipe *x, int d)
{
	return !x->p->is_clipped && d == x->n_dims - 1;
}

/* Formulas -------------------------------------------------------------- */

/* around + (n - m)*slope; "whole": rounded to lines of the cache */
static void put_reach(struct text *t, const struct pipe *x, int i, int d,
	int side, const char *m, bool whole)
{
	int around = x->p->around[i][d][side], slope = x->p->slope[d][side];
	int line = x->p->line;

	if (whole)
		text_printf(t, "%d*floor((%d + %d*(n - %s))/%d)", line,
			around + line - 1, slope, m, line);
	else
		text_printf(t, "(%d + %d*(n - %s))", around, slope, m);
}

/* x is one of the points that stage (m, i) computes. */
static void put_inside(struct text *t, const struct pipe *x, int i, int d,
	bool whole)
{
	int width = width_of(x, d);

	text_printf(t, " and %d*S - ", width);
	put_reach(t, x, i, d, LOW, "m", whole);
	text_printf(t, " <= x < %d*S + w + ", width);
	put_reach(t, x, i, d, HIGH, "m", whole);
}

static void put_outside(struct text *t, const struct pipe *x, int i, int d,
	const char *m, const char *at)
{
	int width = width_of(x, d);

	text_printf(t, " and (%s < %d*S - ", at, width);
	put_reach(t, x, i, d, LOW, m, false);
	text_printf(t, " or %s >= %d*S + w + ", at, width);
	put_reach(t, x, i, d, HIGH, m, false);
	text_puts(t, ")");
}

/* x is a point of another tile along "d". */
static void put_others(struct text *t, const struct pipe *x, int d)
{
	int width = width_of(x, d);

	text_printf(t, " and (x < %d*S or x >= %d*S + w)", width, width);
}

/* The tiles, with further variables in "more"; m from "first" on. */
static void put_tiles(struct text *t, const struct pipe *x, int d, int first,
	const char *more)
{
	text_printf(t, "{ [n, m, S, w, x%s] : %d <= m <= n and 1 <= n <= %d "
		"and 1 <= w <= %d", more, first, x->p->h, width_of(x, d));
}

/* The row "at" of stage (m, i) comes in iteration "f". */
static void put_iteration(struct text *t, const struct pipe *x, int i,
	const char *m, const char *at, const char *f)
{
	const struct pipeline *p = x->p;

	text_printf(t, " and %d*%s <= %s - %d*S + %d + %d*n + %d*%s + %d < "
		"%d*%s + %d", p->rows, f, at, width_of(x, 0),
		p->front[LOW].count, p->front[LOW].slope, p->period, m,
		p->lag[i], p->rows, f, p->rows);
}

static const char *step_of(const struct pipe *x, const struct use *use)
{
	return use->back ? region_printf(x->c->mem, "(m - %d)", use->back) :
		"m";
}

/* The versions of the field of "i" that a tile loads; that lanes keep. */
static int loaded_of(const struct pipe *x, int i)
{
	return x->p->loaded[writer_of(x->prog, stmt_of(x, i)->write->field)];
}

static int kept_of(const struct pipe *x, int i)
{
	return x->p->kept[writer_of(x->prog, stmt_of(x, i)->write->field)];
}

/* The least m that a tile has of the field of "i". */
static int first_version(const struct pipe *x, int i)
{
	return 1 - loaded_of(x, i);
}

static const char *cell_of(const struct pipe *x, const struct use *use, int d)
{
	return region_printf(x->c->mem, "(x + %lld)",
		(long long) use->offset[d]);
}

/* Counterexamples ------------------------------------------------------- */

/* { [n, m, S, w, x, ..] : a grid has the tile, a run of 2*n steps has two blocks of n, and the
 * statement has an instance at x }
 */
static __isl_give isl_set *with_sizes(const struct pipe *x,
	__isl_take isl_set *set, int i, int d, bool any_step)
{
	unsigned n = (unsigned) isl_set_dim(set, isl_dim_set);
	int width = width_of(x, d);
	isl_set *points = isl_set_copy(x->points[i]);
	isl_space *space;
	isl_local_space *ls;
	isl_pw_aff *size, *end, *steps, *count;

	points = isl_set_project_out(points, isl_dim_set, (unsigned) (2 + d),
		(unsigned) (x->n_dims - 1 - d));
	points = isl_set_project_out(points, isl_dim_set, 0,
		(unsigned) (1 + d));
	points = isl_set_insert_dims(points, isl_dim_set, 0, 4);
	points = isl_set_add_dims(points, isl_dim_set, n - 5);
	set = isl_set_intersect(set, points);
	set = isl_set_intersect_params(set, isl_set_copy(x->c->context));
	set = isl_set_lower_bound_si(set, isl_dim_set, 2, 0);
	space = isl_set_get_space(set);
	ls = isl_local_space_from_space(isl_space_copy(space));
	size = value_of(x->c, space, stmt_of(x, i)->write->field->size[d]);
	end = isl_pw_aff_from_aff(isl_aff_add(isl_aff_scale_val(
		isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set,
		2), isl_val_int_from_si(x->c->ctx, width)),
		isl_aff_var_on_domain(isl_local_space_copy(ls), isl_dim_set,
		3)));
	set = isl_set_intersect(set, isl_pw_aff_le_set(isl_pw_aff_copy(end),
		isl_pw_aff_copy(size)));
	set = isl_set_intersect(set, isl_set_union(isl_set_fix_si(
		isl_set_universe(isl_space_copy(space)), isl_dim_set, 3,
		width), isl_pw_aff_eq_set(end, size)));
	steps = isl_pw_aff_sub(value_of(x->c, space, x->prog->end),
		value_of(x->c, space, x->prog->begin));
	count = isl_pw_aff_var_on_domain(ls, isl_dim_set, 0);
	if (!any_step)
		set = isl_set_intersect(set, isl_pw_aff_eq_set(steps,
			isl_pw_aff_scale_val(count, isl_val_int_from_si(
				x->c->ctx, x->p->h > 1 ? 2 : 1))));
	else
		set = isl_set_intersect(set, isl_pw_aff_ge_set(steps, count));
	isl_space_free(space);
	return set;
}

static bool was_shown(const struct pipe *x, const char *formula)
{
	for (const struct shown *s = *x->shown; s; s = s->next)
		if (!strcmp(s->formula, formula))
			return true;
	return false;
}

static void note_shown(const struct pipe *x, const char *formula)
{
	struct shown *s = region_new_of(x->c->mem, struct shown);

	s->formula = region_strdup(x->c->mem, formula);
	s->next = *x->shown;
	*x->shown = s;
}

/* Is the formula empty?  "what" describes a point of it; "i" is the statement,
 * "d" the dimension, of x.
 */
static bool is_never(const struct pipe *x, const char *formula, int i, int d,
	const char *what)
{
	struct checker *c = x->c;
	isl_set *set;
	isl_point *example = NULL;

	if (was_shown(x, formula))
		return true;
	set = isl_set_read_from_str(c->ctx, formula);
	note_formula(c, c->plan, formula);
	if (is_shown_empty(c, isl_set_copy(set))) {
		isl_set_free(set);
		note_shown(x, formula);
		return true;
	}
	for (int any = 0; any < 2 && !example; any++) {
		isl_set *sized = with_sizes(x, isl_set_copy(set), i, d, any);

		if (any && is_shown_empty(c, isl_set_copy(sized))) {
			isl_set_free(sized);
			isl_set_free(set);
			return true;
		}
		example = example_of(c, sized);
		isl_set_free(sized);
	}
	isl_set_free(set);
	if (!example)
		return refute(c, "%s %s", name_of(x, i), what);
	refute(c, "%s: in the tile at %s = %lld, of n = %lld, step %lld of "
		"%s at %s = %lld %s", sizes_of_point(c, example),
		stmt_of(x, i)->iterator[d], (long long) width_of(x, d) *
		(long long) coordinate_of_point(example, 2),
		(long long) coordinate_of_point(example, 0),
		(long long) coordinate_of_point(example, 1), name_of(x, i),
		stmt_of(x, i)->iterator[d],
		(long long) coordinate_of_point(example, 4), what);
	isl_point_free(example);
	return false;
}

static bool is_never_text(const struct pipe *x, struct text *t, int i, int d,
	const char *what)
{
	bool never;

	text_puts(t, " }");
	never = is_never(x, t->bytes, i, d, what);
	text_free(t);
	return never;
}

static const char *verb_of(const struct pipe *x, const struct use *use,
	const char *rest)
{
	if (!use->acc && use->back)
		return region_printf(x->c->mem, "keeps a value %s", rest);
	if (!use->acc)
		return region_printf(x->c->mem, "writes '%s' %s", stmt_of(x,
			use->i)->write->field->name, rest);
	return region_printf(x->c->mem, "reads '%s' %s",
		use->acc->field->name, rest);
}

/* Which values ------------------------------------------------------------ */

/* The version read is among those that tiles load and lanes keep; the oldest
 * one is the grid's.
 */
static bool is_there(const struct pipe *x, const struct use *use)
{
	if (use->back > loaded_of(x, use->writer))
		return refute(x->c, "%s %s", name_of(x, use->i), verb_of(x,
			use, region_printf(x->c->mem, "%d steps back, of "
			"which tiles load %d", use->back, loaded_of(x,
			use->writer))));
	if (x->n_dims == 1 && use->back >= kept_of(x, use->writer))
		return refute(x->c, "%s %s", name_of(x, use->i), verb_of(x,
			use, region_printf(x->c->mem, "%d steps back, where "
			"a later version has taken its place", use->back)));
	return true;
}

/* Each cell read lies among those that the stage computed. */
static bool is_covered(const struct pipe *x, const struct use *use)
{
	for (int d = 0; d < x->n_dims; d++) {
		struct text t = { 0 };

		put_tiles(&t, x, d, 1, "");
		put_inside(&t, x, use->i, d, false);
		put_outside(&t, x, use->writer, d, step_of(x, use),
			cell_of(x, use, d));
		if (!is_never_text(x, &t, use->i, d, verb_of(x, use,
		    "where its tile has not computed it")))
			return false;
	}
	return true;
}

/* The row read came in an earlier iteration, or in this one by an earlier
 * stage.
 */
static bool came_before(const struct pipe *x, const struct use *use)
{
	bool before = use->back > 0 || use->writer < use->i;
	struct text t = { 0 };

	put_tiles(&t, x, 0, 1, ", f, g");
	put_inside(&t, x, use->i, 0, false);
	put_iteration(&t, x, use->i, "m", "x", "f");
	put_iteration(&t, x, use->writer, step_of(x, use), cell_of(x, use, 0),
		"g");
	text_printf(&t, " and g %s f", before ? ">" : ">=");
	return is_never_text(x, &t, use->i, 0, verb_of(x, use,
		"before its row is computed"));
}

/* No row that takes its place in the ring came in an earlier iteration, or in
 * this one before this stage.
 */
static bool is_kept(const struct pipe *x, const struct use *use)
{
	struct text t = { 0 };

	put_tiles(&t, x, 0, 1, ", k, f, h");
	put_inside(&t, x, use->i, 0, false);
	put_iteration(&t, x, use->i, "m", "x", "f");
	put_iteration(&t, x, use->writer, step_of(x, use), region_printf(
		x->c->mem, "(x + %lld + %d*k)", (long long) use->offset[0],
		x->p->ring), "h");
	text_puts(&t, " and k >= 1 and h <= f");
	return is_never_text(x, &t, use->i, 0, verb_of(x, use,
		"when another row has taken its place in the ring"));
}

/* The loop over the front reaches all rows of the stage, loads included. */
static bool has_iterations(const struct pipe *x, int i)
{
	const struct pipeline *p = x->p;
	int width = width_of(x, 0);
	struct text t = { 0 };

	put_tiles(&t, x, 0, first_version(x, i), "");
	put_inside(&t, x, i, 0, false);
	text_printf(&t, " and (x - %d*S + %d*m + %d + %d + %d*n < 0 or "
		"x + %d*m + %d >= %d*S + w + %d + %d*n)", width, p->period,
		p->lag[i], p->front[LOW].count, p->front[LOW].slope,
		p->period, p->lag[i], width, p->front[HIGH].count,
		p->front[HIGH].slope);
	return is_never_text(x, &t, i, 0, "lies beyond the rows to which the "
		"front of the pipeline goes");
}

/* Memory ------------------------------------------------------------------ */

static bool cell_has_place(const struct pipe *x, int i, int d, int first,
	int64_t offset, const char *what)
{
	const struct pipeline *p = x->p;
	int base = x->n_dims == 1 ? p->before : p->base[d];
	int extent = x->n_dims == 1 ? p->part * p->lanes : p->extent[d];
	struct text t = { 0 };

	put_tiles(&t, x, d, first, "");
	put_inside(&t, x, i, d, first > 0 && x->n_dims > 1 &&
		is_computed_beyond(x, d));
	text_printf(&t, " and (x + %lld - %d*S + %d < 0 or x + %lld - %d*S + "
		"%d >= %d)", (long long) offset, width_of(x, d), base,
		(long long) offset, width_of(x, d), base, extent);
	return is_never_text(x, &t, i, d, what);
}

static bool use_has_place(const struct pipe *x, const struct use *use)
{
	for (int d = x->n_dims > 1; d < x->n_dims; d++)
		if (!cell_has_place(x, use->i, d, 1, use->offset[d],
		    verb_of(x, use, "beyond the tile's memory")))
			return false;
	return true;
}

/* Loads, and what stages write. */
static bool points_have_place(const struct pipe *x, int i)
{
	for (int d = x->n_dims > 1; d < x->n_dims; d++)
		if (!cell_has_place(x, i, d, first_version(x, i), 0,
		    "lies beyond the tile's memory") ||
		    !cell_has_place(x, i, d, 1, 0,
		    "lies beyond the tile's memory"))
			return false;
	return true;
}

/* In one dimension, a row that is read beyond a part's own is a copy of one of the adjacent
 * part, made when that has the version.
 */
static bool ghosts_are_enough(const struct pipe *x, const struct use *use)
{
	const struct pipeline *p = x->p;
	int64_t offset = use->offset[0];
	bool enough = offset < 0 ? -offset <= p->ghosts[LOW] :
		offset <= p->ghosts[HIGH];

	return enough || refute(x->c, "%s", verb_of(x, use,
		"beyond the rows that a part has of the part beside"));
}

static bool parts_have_ghosts(const struct pipe *x)
{
	const struct pipeline *p = x->p;

	return (p->ghosts[LOW] <= p->part && p->ghosts[HIGH] <= p->part &&
		p->extent[0] == p->ghosts[LOW] + p->part + p->ghosts[HIGH]) ||
		refute(x->c, "parts of %d points are too short for %d and %d "
			"rows of their neighbours in memory of %d", p->part,
			p->ghosts[LOW], p->ghosts[HIGH], p->extent[0]);
}

/* A field that a statement reads and tiles do not keep. */
static void note_others(void *user, const struct expr *e)
{
	const struct field **found = user;

	if (e->kind == EXPR_ELEMENT)
		*found = e->field;
	else if (e->kind == EXPR_READ && e->access->field->kind != FIELD_STATE)
		*found = e->access->field;
}

/* Where the code computes more than the points of the grid, it may only read
 * what is kept, and no operation may fail.
 */
static bool may_be_computed_beyond(const struct pipe *x)
{
	const struct field *found = NULL;

	if (x->p->is_clipped && x->n_dims > 1)
		return true;
	for (int i = 0; i < x->prog->n_stmts; i++) {
		const struct field *written = stmt_of(x, i)->write->field;

		stmt_each_expr(stmt_of(x, i), note_others, &found);
		if (!found && type_is_integer(written->type))
			found = written;
	}
	return !found || refute(x->c, "cells of '%s' are read where there may "
		"be no grid", found->name);
}

/* Tiles ------------------------------------------------------------------- */

static bool are_positive(const struct pipe *x)
{
	const struct pipeline *p = x->p;
	bool positive = p->h > 0 && p->line > 0 && (x->n_dims == 1 ?
		p->part > 0 && p->lanes > 0 :
		p->rows > 0 && p->ring > 0);

	for (int d = 0; d < x->n_dims; d++) {
		positive = positive && p->width[d] > 0;
		for (int side = LOW; side <= HIGH; side++) {
			positive = positive && p->slope[d][side] >= 0;
			for (int i = 0; i < x->prog->n_stmts; i++)
				positive = positive &&
					p->around[i][d][side] >= 0;
		}
	}
	return positive || refute(x->c, "a stage of the last step computes "
		"less than its tile");
}

/* There are 2*q blocks of steps, each of floor or ceil of s/(2*q) steps: at
 * least 1 and at most as many as a tile has.
 */
static bool check_blocks(const struct pipe *x)
{
	int h = x->p->h;
	char *formula = region_printf(x->c->mem, "{ [s, q] : s >= 2 and "
		"q = floor((s + %d)/%d) and (2*q > s or s > %d*q) }",
		2 * h - 1, 2 * h, 2 * h);

	note_formula(x->c, x->c->plan, formula);
	if (h > 1 && !is_shown_empty(x->c, isl_set_read_from_str(x->c->ctx,
	    formula)))
		return refute(x->c, "a block of steps has none, or more than "
			"%d", h);
	claim(x->c, "each step is in one block, of at least 1 and at most %d "
		"steps; each cell of the grid is a cell of one tile, which "
		"stores its last versions into the copies that no tile of the "
		"block reads", h);
	return true;
}

/* A block begins with what the previous one has stored: as many versions as the grid has, all
 * kept.
 */
static bool loads_what_there_is(const struct pipe *x, int i)
{
	const struct field *f = stmt_of(x, i)->write->field;

	if (loaded_of(x, i) != f->depth)
		return refute(x->c, "tiles load %d versions of '%s', of which "
			"there are %d", loaded_of(x, i), f->name, f->depth);
	return kept_of(x, i) > f->depth || x->n_dims > 1 ||
		refute(x->c, "a version of '%s' takes the place of one that "
			"the next block needs", f->name);
}

/* Lists of a statement --------------------------------------------------- */

/* If only the owner would change a value at a point of a list, no other tile may compute it; if
 * every tile that computes the point would write to a series, only the owner may.
 */
static bool is_listed_once(const struct pipe *x, int i, int listed)
{
	const struct listed *l = stmt_of(x, i)->listed[listed];
	const char *what = l->series ? region_printf(x->c->mem, "is recorded "
		"in '%s' by a tile that does not own it", l->series->name) :
		"is not changed as its list says, though the tile computes it";

	for (int d = 0; d < x->n_dims; d++) {
		struct text t = { 0 };

		put_tiles(&t, x, d, 1, "");
		put_inside(&t, x, i, d, false);
		put_others(&t, x, d);
		if (!is_never_text(x, &t, i, d, what))
			return false;
	}
	return true;
}

static bool check_listed(const struct pipe *x, int i)
{
	const struct stmt *s = stmt_of(x, i);

	for (int k = 0; k < s->n_listed; k++)
		if (x->p->by_owner[i][k] != (s->listed[k]->series != NULL) &&
		    !is_listed_once(x, i, k))
			return false;
	if (s->n_listed > 0)
		claim(x->c, "%s: each tile changes the points that it "
			"computes as lists say, before it reads them; each "
			"is recorded by the one that owns it", name_of(x, i));
	return true;
}

/* -------------------------------------------------------------------------- */

static bool check_stage(const struct pipe *x, int i)
{
	bool in_rows = x->n_dims > 1;

	if (!each_use_of_stage(x, i, is_there) || !loads_what_there_is(x, i) ||
	    !points_have_place(x, i) || !each_use_of_stage(x, i, is_covered) ||
	    !each_use_of_stage(x, i, use_has_place) || (!in_rows &&
	    (!parts_have_ghosts(x) || !each_use_of_stage(x, i, ghosts_are_enough))))
		return false;
	claim(x->c, "%s: what a tile reads it has computed or loaded, and "
		"all indices lie in its memory", name_of(x, i));
	if (in_rows && (!has_iterations(x, i) ||
	    !each_use_of_stage(x, i, came_before) || !each_use_of_stage(x, i, is_kept)))
		return false;
	claim(x->c, in_rows ? "%s: rows come before they are read, and stay "
		"in the ring of %d until then" : "%s: a step reads its own "
		"version or those before, of which %d are kept",
		name_of(x, i), in_rows ? x->p->ring : kept_of(x, i));
	return check_listed(x, i);
}

static void find_points(struct pipe *x)
{
	x->points = region_array(x->c->mem, isl_set *, x->prog->n_stmts + 1);
	for (int i = 0; i < x->prog->n_stmts; i++)
		x->points[i] = keep_in_checker(x->c, isl_set_intersect_params(
			instances_of(x->c, stmt_of(x, i)),
			isl_set_copy(x->c->context)));
}

static bool check_pipeline(struct checker *c)
{
	struct shown *shown = NULL;
	struct pipe x = { .c = c, .prog = c->prog, .p = c->plan->pipeline,
		.n_dims = c->scop->n_dims, .shown = &shown };

	find_points(&x);
	section(c, "What runs is what the program says");
	for (int i = 0; i < c->prog->n_stmts; i++)
		if (!points_are_right(&x, i))
			return false;
	section(c, "Overlapping tiles");
	if (!are_positive(&x) || !may_be_computed_beyond(&x) ||
	    !check_blocks(&x))
		return false;
	for (int i = 0; i < c->prog->n_stmts; i++)
		if (!check_stage(&x, i))
			return false;
	return true;
}

static void describe(struct text *t, const struct checker *c)
{
	schedule_print(t, c->plan, 1);
}

const struct form_proof pipeline_proof = {
	.prove = check_pipeline, .describe = describe,
	.tiles = ": tile S has w\npoints, of n steps, and computes point x at "
		"step m",
};

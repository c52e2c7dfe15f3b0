/* Tiles on one grid: each value is there when it is read, and nobody needs the one whose place it
 * takes.  Most questions are about one dimension at a time, and do not depend on sizes:
 *
 *	[x, a, S, R]: row a of tile S has x, if width*S <= x + skew*a < width*(S + 1)
 *
 * A tile runs after those with smaller or equal S in both dimensions.  In a row some cells are
 * kept before others are computed, and others after these; so what happens in a row of one tile
 * depends on the sizes, and on the points of the statement.
 */
#include "schedule/onegrid.h"
#include "verify/checker.h"

struct grid {
	struct checker *c;
	const struct one_grid *g;
	const struct stmt *stmt;
	isl_set *points, *cells;	/* { [x] }: computed, and all of the field */
};

/* Formulas ------------------------------------------------------------------ */

static void put_tile(struct text *t, const struct grid *x, int d, const char *at,
	const char *row, const char *tile)
{
	const int w = x->g->width[d];

	text_printf(t, " and %d*%s <= %s + %d*(%s) < %d*%s + %d", w, tile, at,
		x->g->skew[d], row, w, tile, w);
}

/* Is the formula that "t" has so far, which it frees, never true? */
static bool is_never(const struct grid *x, struct text *t, const char *what)
{
	struct checker *c = x->c;
	isl_set *set;
	bool never;

	text_puts(t, " }");
	if (was_shown_empty(c, c->plan, t->bytes)) {
		text_free(t);
		return true;
	}
	set = isl_set_read_from_str(c->ctx, t->bytes);
	note_formula(c, c->plan, t->bytes);
	never = is_shown_empty(c, isl_set_copy(set));
	if (!never) {
		isl_point *p = isl_set_sample_point(set);

		refute(c, "at %lld, row %lld: %s", (long long)
			coordinate_of_point(p, 0), (long long)
			coordinate_of_point(p, 1), what);
		isl_point_free(p);
	} else {
		isl_set_free(set);
	}
	text_free(t);
	return never;
}

/* The cell x of row "a" comes in a tile S, and x + dx of row "b" in a tile R; never R < S. */
static bool comes_before(const struct grid *x, int d, const char *a,
	const char *b, int64_t dx, const char *what)
{
	struct text t = { 0 };
	const char *at = region_printf(x->c->mem, "x + (%lld)", (long long) dx);

	text_printf(&t, "{ [x, a, S, R] : 0 <= a < %d and R < S", x->g->h);
	put_tile(&t, x, d, "x", a, "S");
	put_tile(&t, x, d, at, b, "R");
	return is_never(x, &t, what);
}

/* Tiles ---------------------------------------------------------------------- */

static bool is_sound(const struct grid *x)
{
	bool sound = x->g->h >= 1 && x->g->lead >= 0;

	for (int d = 0; d < ONE_GRID_TILED; d++)
		sound = sound && x->g->width[d] >= 1 && x->g->skew[d] >= 0 &&
			x->g->shift[d] >= 0;
	return sound || refute(x->c, "tiles of senseless sizes");
}

/* All rows lie in the tiles 0 .. (size - 1 + skew*h)/width. */
static bool tiles_cover(const struct grid *x, int d)
{
	struct text t = { 0 };

	text_printf(&t, "{ [x, a, N] : 0 <= x < N and 0 <= a <= %d and (x + "
		"%d*a < 0 or x + %d*a > N - 1 + %d)", x->g->h, x->g->skew[d],
		x->g->skew[d], x->g->skew[d] * x->g->h);
	return is_never(x, &t, "no tile has the cell");
}

/* Versions 0 .. h lie in arrays of h*shift more cells. */
static bool versions_have_place(const struct grid *x, int d)
{
	struct text t = { 0 };
	const int h = x->g->h, shift = x->g->shift[d];

	text_printf(&t, "{ [x, v, N] : 0 <= x < N and 0 <= v <= %d and (x + "
		"%d*(%d - v) < 0 or x + %d*(%d - v) >= N + %d)", h, shift, h,
		shift, h, h * shift);
	return is_never(x, &t, "a version lies beyond the grid");
}

static bool tiles_are_right(const struct grid *x)
{
	for (int d = 0; d < ONE_GRID_TILED; d++)
		if (!tiles_cover(x, d) || !versions_have_place(x, d) ||
		    !comes_before(x, d, "0", "a + 1", 0, "what the tile gives "
			"back has not been taken"))
			return false;
	claim(x->c, "each cell of each row is in one tile, which takes it before "
		"any gives it back; each version lies in the grid");
	return true;
}

/* The order of tiles ----------------------------------------------------------- */

/* The cell at "offset" from a point, read in row a + 1 by it. */
static bool read_in_order(const struct grid *x, const int64_t *offset)
{
	for (int d = 0; d < ONE_GRID_TILED; d++)
		if (!comes_before(x, d, "a", "a + 1", -offset[d], "a point of "
			"the next row reads a value that is not there yet") ||
		    !comes_before(x, d, "a + 1", "a + 1", offset[d] +
			x->g->shift[d], "a value takes the place of one that "
			"the point has to read"))
			return false;
	return true;
}

static bool replaces_in_order(const struct grid *x)
{
	for (int d = 0; d < ONE_GRID_TILED; d++)
		if (!comes_before(x, d, "a", "a + 1", x->g->shift[d], "a value "
			"has been written over the one that replaces it"))
			return false;
	return true;
}

static bool is_state(const struct grid *x, const struct access *acc)
{
	return acc->field == x->stmt->write->field;
}

static bool reads_in_order(const struct grid *x)
{
	static const int64_t here[IR_MAX_DIMS];

	if (!replaces_in_order(x) || !read_in_order(x, here))
		return false;
	for (int i = 0; i < x->stmt->n_reads; i++) {
		const struct access *acc = x->stmt->read[i];

		if (!is_state(x, acc))
			continue;
		for (int d = 0; d < ONE_GRID_DIMS; d++)
			if (acc->dim[d] != d || acc->stride[d] != 1 ||
			    acc->divisor[d] != 1 || is_mapped_along(x->stmt,
				acc, d))
				return refute(x->c, "'%s' is read far away",
					acc->field->name);
		if (acc->version != 0)
			return refute(x->c, "'%s' is read of another step",
				acc->field->name);
		if (!read_in_order(x, acc->offset))
			return false;
	}
	claim(x->c, "each read, and each cell that is kept, comes in its tile or "
		"a later one, but no later than what takes its place");
	return true;
}

/* The order in a row of a tile --------------------------------------------------- */

/* { [x] : no point has x_d or less, or "behind": x_d or more } */
static __isl_give isl_set *away(const struct grid *x, int d, bool behind)
{
	const char *order = behind ? ">=" : "<=";
	isl_map *map = isl_map_read_from_str(x->c->ctx, region_printf(x->c->mem,
		"{ [y0, y1, y2] -> [x0, x1, x2] : y%d %s x%d }", d, order, d));

	return isl_set_subtract(isl_set_copy(x->cells), isl_set_apply(
		isl_set_copy(x->points), map));
}

/* In the order of enum grid_part. */
static void find_parts(const struct grid *x, isl_set *part[GRID_PARTS])
{
	isl_set *rest = isl_set_subtract(isl_set_copy(x->cells), isl_set_copy(
		x->points));
	const struct { int part, d; bool behind; } order[] = {
		{ GRID_BEFORE_0, 0, false }, { GRID_BEFORE_1, 1, false },
		{ GRID_BEHIND_0, 0, true }, { GRID_BEHIND_1, 1, true },
	};

	for (int i = 0; i < 4; i++) {
		const int n = order[i].part;

		part[n] = isl_set_intersect(away(x, order[i].d, order[i].behind),
			isl_set_copy(rest));
		rest = isl_set_subtract(rest, isl_set_copy(part[n]));
	}
	part[GRID_COMPUTED] = isl_set_copy(x->points);
	part[GRID_BESIDE] = rest;
}

/* { y -> x : x comes in the same row as y, or before it } */
static __isl_give isl_map *not_after(const struct grid *x, isl_set *part[GRID_PARTS])
{
	isl_map *all = NULL;

	for (int p = 0; p < GRID_PARTS; p++)
		for (int q = 0; q <= p; q++) {
			isl_map *one = isl_map_from_domain_and_range(
				isl_set_copy(part[p]), isl_set_copy(part[q]));

			if (p == q)
				one = isl_map_intersect(one,
					isl_map_read_from_str(x->c->ctx,
					"{ [y0, y1, y2] -> [x0, x1, x2] : y0 > "
					"x0 or (y0 = x0 and y1 >= x1) }"));
			all = all ? isl_map_union(all, one) : one;
		}
	return all;
}

/* { y -> x : x, if it is a cell, takes the place of the one at "offset" from y } */
static __isl_give isl_map *replaced_by(const struct grid *x,
	const int64_t *offset)
{
	const long long a = offset[0] + x->g->shift[0];
	const long long b = offset[1] + x->g->shift[1];

	return isl_map_read_from_str(x->c->ctx, region_printf(x->c->mem, "{ [y0, "
		"y1, y2] -> [y0 + (%lld), y1 + (%lld), y2 + (%lld)] }", a, b,
		(long long) offset[2]));
}

static bool is_in_row_order(const struct grid *x, __isl_keep isl_map *wrong,
	__isl_take isl_set *readers, const int64_t *offset)
{
	isl_map *map = isl_map_intersect(isl_map_intersect_domain(replaced_by(x,
		offset), readers), isl_map_copy(wrong));

	map = isl_map_intersect_params(map, isl_set_params(isl_set_copy(
		x->points)));
	return is_shown_empty(x->c, isl_map_wrap(isl_map_intersect_params(map,
		isl_set_copy(x->c->context)))) || refute(x->c, "in a row of a "
		"tile a value takes the place of one that is still read");
}

static bool rows_in_order(const struct grid *x)
{
	static const int64_t here[IR_MAX_DIMS];
	isl_set *part[GRID_PARTS];
	isl_map *wrong;
	bool right;

	find_parts(x, part);
	wrong = not_after(x, part);
	right = is_in_row_order(x, wrong, isl_set_subtract(isl_set_copy(
		x->cells), isl_set_copy(x->points)), here);
	for (int i = 0; right && i < x->stmt->n_reads; i++)
		if (is_state(x, x->stmt->read[i]))
			right = is_in_row_order(x, wrong, isl_set_copy(
				x->points), x->stmt->read[i]->offset);
	isl_map_free(wrong);
	for (int i = 0; i < GRID_PARTS; i++)
		isl_set_free(part[i]);
	if (right)
		claim(x->c, "in a row of a tile, planes and rows of points come "
			"after all that read, or keep, the values whose place "
			"they take");
	return right;
}

/* The proof ---------------------------------------------------------------------- */

/* { [t, x] in "set" : t = 0 } without t */
static __isl_give isl_set *of_a_step(__isl_take isl_set *set)
{
	set = isl_set_fix_si(set, isl_dim_set, 0, 0);
	return isl_set_project_out(set, isl_dim_set, 0, 1);
}

static bool is_the_same_in_each_step(const struct grid *x)
{
	isl_set *all = isl_set_insert_dims(isl_set_copy(x->points), isl_dim_set,
		0, 1);
	isl_set *missing = isl_set_subtract(isl_set_intersect(all,
		points_in_time(x->c, space_of_dims(x->c, 1 + ONE_GRID_DIMS))),
		instances_of(x->c, x->stmt));

	return is_shown_empty(x->c, isl_set_intersect_params(missing,
		isl_set_copy(x->c->context))) || refute(x->c, "the points of a "
		"step are not those of others");
}

static struct grid grid_of(struct checker *c)
{
	const struct stmt *s = c->prog->stmt[0];
	const struct stmt plain = { .write = s->write, .n_dims = s->n_dims };

	return (struct grid) {
		.c = c, .g = c->plan->one_grid, .stmt = s,
		.points = of_a_step(instances_of(c, s)),
		.cells = of_a_step(points_inside(c, &plain, true)),
	};
}

static bool prove(struct checker *c)
{
	const struct stmt *s = c->prog->stmt[0];
	struct grid x;
	bool right;

	if (c->prog->n_stmts != 1 || s->n_dims != ONE_GRID_DIMS)
		return refute(c, "more than one statement on one grid");
	if (!check_domains(c))
		return false;
	x = grid_of(c);
	section(c, "Tiles on one grid");
	right = is_sound(&x) && is_the_same_in_each_step(&x) &&
		tiles_are_right(&x) && reads_in_order(&x) && rows_in_order(&x);
	isl_set_free(x.points);
	isl_set_free(x.cells);
	return right;
}

static void describe(struct text *t, const struct checker *c)
{
	schedule_print(t, c->plan, 1);
}

static struct grid_numbers find_grid(const struct plan *plan)
{
	const struct one_grid *g = plan->one_grid;

	return (struct grid_numbers) { g->h, g->lead, g->width, g->skew,
		g->shift };
}

static __isl_give isl_set *cells_of_part(struct checker *c, int part)
{
	struct grid x = grid_of(c);
	isl_set *all[GRID_PARTS], *found;

	find_parts(&x, all);
	found = isl_set_intersect_params(isl_set_copy(all[part]), isl_set_params(
		isl_set_copy(x.points)));
	for (int i = 0; i < GRID_PARTS; i++)
		isl_set_free(all[i]);
	isl_set_free(x.points);
	isl_set_free(x.cells);
	return found;
}

const struct form_proof one_grid_proof = {
	.prove = prove, .describe = describe, .has_statements = true,
	.tiles = ": row a of\ntile S has x, if width*S <= x + skew*a < width*(S + "
		"1); version v is at x + (h - v)*shift",
	.find_grid = find_grid, .cells_of_part = cells_of_part,
};

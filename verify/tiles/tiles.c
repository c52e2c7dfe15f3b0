/* Each instance runs exactly once: the statements' domains are the program's,
 * each point lies in exactly one tile, and all tiles are launched, see
 * launches.c.
 *
 * A tile (p, T, S) is the shape at an origin that is linear in T and S.  So two
 * tiles relate as any two that are as far apart, and T = S = 0 stands for all
 * of them.
 */
#include "verify/tiles/tiles.h"

/* Disjoint -------------------------------------------------------------- */

/* { points of tile (p, 0, 0) at [a, x] and of (q, T, S) at [b, y] that coincide
 * : "piece" }, seen in the dimensions "which"
 */
static __isl_give isl_set *common_points(struct checker *c,
	const struct plan *plan, int p, int q, const char *piece, dims which)
{
	int n = plan->n_dims, m, all;
	struct text t = { 0 };
	isl_set *set;

	which = with_time(plan, which);
	m = count_dims(plan, which);
	all = 3 + 3 * m;
	text_puts(&t, "{ [a");
	put_dims(&t, "x", n, which);
	text_puts(&t, ", b");
	put_dims(&t, "y", n, which);
	text_puts(&t, ", T");
	put_dims(&t, "S", n, which);
	text_puts(&t, "] : ");
	put_tau(&t, plan, p, "a", NULL, NULL);
	text_puts(&t, " = ");
	put_tau(&t, plan, q, "b", "T", "S");
	for (int d = 0; d < n; d++) {
		if (!has_dim(which, d))
			continue;
		text_puts(&t, " and ");
		put_x(&t, plan, p, d, "x", NULL, NULL);
		text_puts(&t, " = ");
		put_x(&t, plan, q, d, "y", "T", "S");
	}
	text_printf(&t, " and %s }", piece);
	set = isl_set_read_from_str(c->ctx, t.bytes);
	note_formula(c, plan, t.bytes);
	text_free(&t);
	set = isl_set_intersect(set, shape_at(c, plan, which, 0, all));
	return isl_set_intersect(set, shape_at(c, plan, which, 1 + m, all));
}

static bool are_apart(struct checker *c, const struct plan *plan, int p, int q,
	const char *piece, dims which)
{
	isl_set *common;
	isl_point *example;

	if (is_shown_empty(c, common_points(c, plan, p, q, piece, which)))
		return true;
	common = common_points(c, plan, p, q, piece, ALL_DIMS);
	if (is_shown_empty(c, isl_set_copy(common))) {
		isl_set_free(common);
		return true;
	}
	example = isl_set_sample_point(common);
	refute(c, "an instance runs twice: row a = %lld of the tile (phase "
		"%d, T = 0, S0 = 0) is also row %lld of the tile (phase %d, "
		"T = %lld, S0 = %lld)",
		(long long) coordinate_of_point(example, 0), p,
		(long long) coordinate_of_point(example, 1 + plan->n_dims), q,
		(long long) coordinate_of_point(example, 2 + 2 * plan->n_dims),
		(long long) coordinate_of_point(example,
			3 + 2 * plan->n_dims));
	isl_point_free(example);
	return false;
}

/* Different tiles have no point in common. */
static bool tiles_are_disjoint(struct checker *c, const struct plan *plan)
{
	dims hex = hex_dims(plan);
	char piece[64];

	for (int p = 0; p < plan->n_phases; p++) {
		for (int q = p + 1; q < plan->n_phases; q++)
			if (!are_apart(c, plan, p, q, "0 = 0", hex))
				return false;
		if (!are_apart(c, plan, p, p, "T > 0", hex))
			return false;
		for (int d = 0; d < plan->n_dims; d++) {
			snprintf(piece, sizeof(piece), "T = 0 and S%d > 0", d);
			if (!are_apart(c, plan, p, p, piece, 1u << d))
				return false;
		}
	}
	return true;
}

/* Covered --------------------------------------------------------------- */

/* The points of row "a" of the shape, which must be a box; -1 if it is not. */
static int64_t points_of_row(const struct plan *plan, int a)
{
	isl_set *row = isl_set_fix_si(isl_set_copy(plan->shape), isl_dim_set,
		0, a);
	isl_set *box = isl_set_fix_si(isl_set_universe(
		isl_set_get_space(row)), isl_dim_set, 0, a);
	int64_t points = isl_set_is_empty(row) == isl_bool_true ? 0 : 1;

	for (int d = 1; d <= plan->n_dims && points > 0; d++) {
		isl_val *low = isl_set_dim_min_val(isl_set_copy(row), d);
		isl_val *high = isl_set_dim_max_val(isl_set_copy(row), d);

		if (isl_val_is_int(low) != isl_bool_true ||
		    isl_val_is_int(high) != isl_bool_true) {
			points = -1;
		} else {
			points *= isl_val_get_num_si(high) -
				isl_val_get_num_si(low) + 1;
			box = isl_set_lower_bound_val(box, isl_dim_set,
				(unsigned) d, isl_val_copy(low));
			box = isl_set_upper_bound_val(box, isl_dim_set,
				(unsigned) d, isl_val_copy(high));
		}
		isl_val_free(low);
		isl_val_free(high);
	}
	if (points > 0 && isl_set_is_subset(box, row) != isl_bool_true)
		points = -1;
	isl_set_free(row);
	isl_set_free(box);
	return points;
}

/* Points of the lattice of origins: |det| of its steps (time_pitch, -drift) for
 * T and (0, pitch), or (-time_pitch, pitch) on a diagonal, for S.
 */
static int64_t points_of_period(const struct plan *plan)
{
	int64_t all = plan->time_pitch;

	for (int d = 0; d < plan->n_dims; d++)
		all *= plan->pitch[d] - (plan->tiles.diagonal &&
			d == plan->tiles.hex_dim ? plan->drift[d] : 0);
	return all;
}

/* Disjoint tiles hold all points of a statement if they hold as many as there
 * are: tiles repeat with a period of time_pitch steps and pitch[d] points, and
 * each phase has a tile of these points.
 */
static bool tiles_cover(struct checker *c, const struct plan *plan, int number)
{
	int64_t points = 0, all = points_of_period(plan);
	int k = plan->scop->k;

	for (int a = number; a < plan->rows; a += k) {
		int64_t row = points_of_row(plan, a);

		if (row < 0)
			return refute(c, "row %d of a tile is no box", a);
		points += row;
	}
	points *= plan->n_phases;
	if (points != all)
		return refute(c, "of %lld instances of statement %d the tiles "
			"of a period hold %lld: some never run", (long long)
			all, number, (long long) points);
	claim(c, "statement %d: a period of %d steps holds %lld points, and so "
		"do its %d tile%s: each point is in a tile", number,
		plan->time_pitch, (long long) all, plan->n_phases,
		plan->n_phases > 1 ? "s" : "");
	return true;
}

static bool has_rows_in_range(struct checker *c, const struct plan *plan)
{
	isl_set *below = isl_set_upper_bound_si(isl_set_copy(plan->shape),
		isl_dim_set, 0, -1);
	isl_set *above = isl_set_lower_bound_si(isl_set_copy(plan->shape),
		isl_dim_set, 0, plan->rows);

	return is_shown_empty(c, isl_set_union(below, above)) ||
		refute(c, "a tile has rows beyond 0 .. %d", plan->rows - 1);
}

static bool check_tiles(struct checker *c)
{
	if (!check_domains(c) || !check_copy_statements(c))
		return false;
	section(c, "Each instance lies in exactly one tile, which is launched");
	for (int q = 0; q < c->n_plans; q++) {
		const struct plan *plan = &c->plan[q];

		if (!has_rows_in_range(c, plan) ||
		    !tiles_are_disjoint(c, plan))
			return false;
		claim(c, "launch %d: no two tiles of any T, phase and S have a "
			"point in common", q);
		for (int i = 0; i < c->n_stmts; i++)
			if (c->stmt[i].plan == plan && !c->stmt[i].is_copy &&
			    !tiles_cover(c, plan, c->stmt[i].number))
				return false;
		if (!check_launches(c, plan))
			return false;
	}
	return true;
}

static bool prove(struct checker *c)
{
	return check_tiles(c) && check_order(c) && check_memory(c);
}

/* The row of forms.c ----------------------------------------------------- */

static void describe(struct text *t, const struct checker *c)
{
	const struct hexagon *x = &c->plan->tiles.hexagon;

	if (c->plan->tiles.hex_dim >= 0)
		text_printf(t, "h = %d, w0 = %d, delta0 = %lld/%lld, delta1 = "
			"%lld/%lld, k = %d%s\n", x->h, x->w0,
			(long long) x->delta0.num, (long long) x->delta0.den,
			(long long) x->delta1.num, (long long) x->delta1.den,
			c->scop->k, c->plan->tiles.waves.dim >= 0 ?
			", waves" : "");
	if (plan_is_of_any_width(c->plan) && c->plan->n_dims > 1)
		text_puts(t, "Tiles of any widths w1, .. are these put "
			"together: no dependence leads back in any\n"
			"of their dimensions.\n");
	describe_pitches(t, c);
}

static __isl_give isl_set *points_needed(struct checker *c,
	const struct statement *s)
{
	(void) c;
	return isl_set_copy(s->domain);
}

/* Do all tiles of a launch belong to one step? */
static bool is_read(const struct plan *plan)
{
	return plan->n_phases == 1 && plan->tiles.waves.dim < 0 &&
		plan->time_pitch == 1 && !plan->tiles.diagonal &&
		plan->time_shift[0] == 0;
}

const struct form_proof tiles_proof = {
	.prove = prove, .describe = describe,
	.has_statements = true,
	.points_needed = points_needed, .is_read = is_read,
};

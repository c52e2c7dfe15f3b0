/* Every tile with an instance is launched: the host's loop reaches its step, and the plan's
 * cover includes its points.  Launches and the loops of blocks derive their first and last tile
 * from that.
 */
#include "verify/checker.h"

/* Times ----------------------------------------------------------------- */

/* Instance t = T*pitch - shift + m, 0 <= m < rows/k, of a step 0 <= t < steps:
 * T >= 0 if m < pitch + shift; and T*pitch < steps + shift always.  On a
 * diagonal this is T' = T - S_e, 0 <= T' <= (steps - 1)/pitch: these tiles are
 * launched for each T.
 */
static bool launches_all_times(struct checker *c, const struct plan *plan)
{
	int most = (plan->rows - 1) / plan->scop->k;

	if (plan_is_diagonal(plan) &&
	    (plan->n_phases != 1 || plan_has_waves(plan) ||
	    plan->time_shift[0] != 0))
		return refute(c, "a wavefront has phases");
	for (int p = 0; p < plan->n_phases; p++)
		if (most >= plan->time_pitch + plan->time_shift[p])
			return refute(c, "the host starts with T = 0, but a "
				"tile of T = -1 has steps (phase %d)", p);
	if (!plan_has_waves(plan))
		return true;
	if (plan->time_pitch != 2 * plan->time_shift[0] ||
	    plan->time_shift[1] != 0)
		return refute(c, "the phases are not half a tile apart");
	return true;
}

/* Points ---------------------------------------------------------------- */

/* Least and greatest x - origin that a tile must have. */
static void extent_of_tile(const struct checker *c, const struct plan *plan,
	int d, int64_t *low, int64_t *high)
{
	bool stores_own = c->form->has_own_points;

	*low = stores_own ? 0 : edge_of_set(plan->shape, 1 + d, false);
	*high = stores_own ? plan->pitch[d] - 1 :
		edge_of_set(plan->shape, 1 + d, true);
}

/* Edge "i" of the cover, on the points [t, x]. */
static __isl_give isl_pw_aff *edge_at(const struct plan *plan, int d,
	bool last, int i)
{
	isl_pw_aff *edge = isl_pw_aff_copy(last ? plan->cover[d].last[i] :
		plan->cover[d].first[i]);
	isl_space *space = isl_space_add_dims(isl_space_set_from_params(
		isl_pw_aff_get_domain_space(edge)), isl_dim_set,
		(unsigned) (1 + plan->n_dims));

	return isl_pw_aff_insert_domain(edge, space);
}

/* { [t, x] -> [x[d]] } on the points of "edge" */
static __isl_give isl_pw_aff *coordinate_at(__isl_keep isl_pw_aff *edge, int d)
{
	return isl_pw_aff_from_aff(isl_aff_var_on_domain(
		isl_local_space_from_space(isl_pw_aff_get_domain_space(edge)),
		isl_dim_set, (unsigned) (1 + d)));
}

static __isl_give isl_set *adopt_new(struct checker *c,
	__isl_take isl_set *set)
{
	isl_set *own = adopt(c, set);

	isl_set_free(set);
	return own;
}

/* { [t, x] : x[d] is not before the first, or after the last, of the points
 * that edge "i" covers }, where the edge is defined
 */
static __isl_give isl_set *side(struct checker *c, const struct plan *plan,
	int d, bool last, int i)
{
	isl_pw_aff *edge = edge_at(plan, d, last, i);
	isl_pw_aff *x = coordinate_at(edge, d);

	return adopt_new(c, last ? isl_pw_aff_le_set(x, edge) :
		isl_pw_aff_ge_set(x, edge));
}

/* All edges together. */
static __isl_give isl_set *all_of_side(struct checker *c,
	const struct plan *plan, int d, bool last)
{
	isl_set *all = side(c, plan, d, last, 0);

	for (int i = 1; i < plan->cover[d].n; i++)
		all = isl_set_union(all, side(c, plan, d, last, i));
	return all;
}

static bool is_within(struct checker *c, __isl_keep isl_set *points,
	__isl_take isl_set *covered)
{
	return is_shown_empty(c, isl_set_intersect_params(isl_set_subtract(
		isl_set_copy(points), covered), isl_set_copy(c->context)));
}

/* Does one side cover "points", by one edge or by all edges together?  Edges
 * are in the order of statements, so that of statement "at" is at "at" or
 * before.
 */
static bool is_covered(struct checker *c, const struct plan *plan, int d,
	bool last, int at, __isl_keep isl_set *points)
{
	int n = plan->cover[d].n;

	for (int i = at < n ? at : n - 1; i >= 0; i--)
		if (is_within(c, points, side(c, plan, d, last, i)))
			return true;
	return n > 1 && is_within(c, points, all_of_side(c, plan, d, last));
}

/* Counterexamples ------------------------------------------------------- */

/* floor((x + by) / pitch) */
static __isl_give isl_pw_aff *tile_at(__isl_take isl_pw_aff *x, int64_t by,
	int pitch)
{
	isl_ctx *ctx = isl_pw_aff_get_ctx(x);

	x = isl_pw_aff_add_constant_val(x, isl_val_int_from_si(ctx, by));
	return isl_pw_aff_floor(isl_pw_aff_scale_down_val(x,
		isl_val_int_from_si(ctx, pitch)));
}

/* { [t, x] : all tiles of T = 0 that can hold x lie before the first, or after
 * the last, that runs }, where there is one edge
 */
static __isl_give isl_set *in_no_tile(struct checker *c,
	const struct plan *plan, int d, bool last)
{
	isl_pw_aff *edge = edge_at(plan, d, last, 0);
	isl_set *set = NULL;
	int64_t low, high;

	extent_of_tile(c, plan, d, &low, &high);
	for (int p = 0; p < plan->n_phases; p++) {
		int shift = plan->shift[d][p], pitch = plan->pitch[d];
		isl_pw_aff *end = tile_at(isl_pw_aff_copy(edge), shift +
			(last ? plan->cover[d].beyond : 0), pitch);
		isl_pw_aff *own = tile_at(coordinate_at(edge, d), shift +
			(last ? pitch - 1 - high : -low), pitch);
		isl_set *of_phase = last ? isl_pw_aff_gt_set(own, end) :
			isl_pw_aff_lt_set(own, end);

		set = set ? isl_set_intersect(set, of_phase) : of_phase;
	}
	isl_pw_aff_free(edge);
	return adopt_new(c, set);
}

/* Some of "points" are not covered: report one, if possible one whose tile does
 * not run.
 */
static bool refute_launch(struct checker *c, const struct statement *s, int d,
	bool last, __isl_keep isl_set *points)
{
	isl_set *missing, *covered;

	if (s->plan->cover[d].n == 0)
		return refute(c, "nothing is launched for %s", s->name);
	missing = isl_set_intersect(isl_set_copy(points),
		in_no_tile(c, s->plan, d, last));
	covered = isl_set_empty(isl_set_get_space(missing));
	has_no_more(c, s, missing, covered, last ?
		"lies in a tile after the last that is launched" :
		"lies in a tile before the first that is launched");
	isl_set_free(covered);
	covered = all_of_side(c, s->plan, d, last);
	has_no_more(c, s, isl_set_copy(points), covered, last ?
		"lies after the last point that launches cover" :
		"lies before the first point that launches cover");
	isl_set_free(covered);
	return false;
}

static bool is_launched(struct checker *c, const struct statement *s, int d,
	bool last, __isl_keep isl_set *points)
{
	return is_covered(c, s->plan, d, last, (int) (s - c->stmt), points) ||
		refute_launch(c, s, d, last, points);
}

/* All points ------------------------------------------------------------ */

/* All points of the grid of "s", where rows go around it. */
static __isl_give isl_set *points_around(struct checker *c,
	const struct statement *s)
{
	isl_space *space = space_of_dims(c, 1 + s->plan->n_dims);
	isl_set *points = grid_points(c, space, s->stmt);

	isl_space_free(space);
	return points;
}

static bool reaches_points(struct checker *c, const struct statement *s)
{
	isl_set *needed = c->form->points_needed(c, s);
	bool all = true;

	for (int d = 0; needed && all && d < s->plan->n_dims; d++) {
		isl_set *points = plan_goes_around(s->plan, d) ?
			points_around(c, s) : isl_set_copy(needed);

		all = is_launched(c, s, d, false, points) &&
			is_launched(c, s, d, true, points);
		isl_set_free(points);
	}
	isl_set_free(needed);
	return all;
}

/* Tiles ----------------------------------------------------------------- */

/* Tiles have their origins at S*pitch - shift - T*drift.  They run from S = floor((first +
 * shift + T*drift) / pitch) to floor((last + beyond + shift + T*drift) / pitch).  For a point
 * first <= x <= last at x = S*pitch - shift - T*drift + r the tile S is among them if r < pitch
 * and -r <= beyond.  Where rows lead around the grid, x exceeds the last of its points by at
 * most this much.
 */
static bool launches_all_tiles(struct checker *c, const struct plan *plan,
	int d)
{
	struct rational lead = plan->tiles.around[d].lead;
	int64_t low, high;

	extent_of_tile(c, plan, d, &low, &high);
	if (plan_has_lead(plan, d))
		low -= floor_div(lead.num * (plan->rows - 1), lead.den);
	return (plan->pitch[d] > 0 && high < plan->pitch[d] &&
		-low <= plan->cover[d].beyond) ||
		refute(c, "tiles at an edge of dimension %d hold instances "
			"and are not launched", d);
}

/* Where the first tile is longer by "by", 0 <= x < pitch + by are its points, and x = S*pitch + by
 * + r those of tile S > 0.  The last tile is floor(max(last - by, 0) / pitch), so that it has the
 * last point, too, where that lies in the first one.
 */
static bool launches_longer(struct checker *c, const struct plan *plan, int d)
{
	bool upright = plan->n_phases == 1 && plan->shift[d][0] == 0 &&
		plan->drift[d] == 0 && plan->cover[d].beyond == 0;

	return plan->tiles.longer[d] == 0 || (plan->tiles.longer[d] > 0 &&
		upright && c->form->has_own_points) || refute(c, "the first "
			"tile of dimension %d is longer, and tiles have more "
			"than their points", d);
}

/* Where dimension "d" has a rim, tile S has the points x = S*pitch + low + r, 0 <= r < pitch.  The
 * first one has 0 <= x < low, too.  The last one, S = floor(max(last - low - high, 0) / pitch), has
 *
 *	S*pitch + low + pitch + high > last
 *
 * so that its rim ends with the last point or behind it; of no other one is that so.
 */
static bool launches_rims(struct checker *c, const struct plan *plan, int d)
{
	bool upright = plan->n_phases == 1 && plan->shift[d][0] == 0 &&
		plan->drift[d] == 0 && plan->cover[d].beyond == 0 &&
		plan->tiles.longer[d] == 0;

	return !plan_has_rim(plan, d) || (upright && c->form->has_own_points) ||
		refute(c, "tiles at a side of dimension %d have more points, "
			"and others more than their own", d);
}

/* Wavefronts T = 0 .. last' + floor((last + shift + last'*drift)/w), where last' is the
 * greatest T' and w = pitch - drift, are all there are.  A point of tile (T', S) is
 *
 *	0 <= x = S*w - shift - T'*drift + r,  r < w + shift
 *
 * so that S > -1 and T = T' + S >= 0; and S is at most its value for x = last, r = 0 and T' =
 * last'.
 */
static bool launches_all_wavefronts(struct checker *c,
	const struct plan *plan)
{
	int e = plan->tiles.hex_dim;
	int64_t low, high, w = plan->pitch[e] - plan->drift[e];

	extent_of_tile(c, plan, e, &low, &high);
	return (plan->drift[e] >= 0 && w > 0 && low >= 0 &&
		plan->cover[e].beyond == 0 && high < w + plan->shift[e][0]) ||
		refute(c, "tiles that hold instances lie on no wavefront that "
			"is launched");
}

bool check_launches(struct checker *c, const struct plan *plan)
{
	if (!launches_all_times(c, plan) ||
	    (plan_is_diagonal(plan) && !launches_all_wavefronts(c, plan)))
		return false;
	for (int d = 0; d < plan->n_dims; d++)
		if (!launches_all_tiles(c, plan, d) ||
		    !launches_longer(c, plan, d) || !launches_rims(c, plan, d))
			return false;
	for (int i = 0; i < c->n_stmts; i++)
		if (c->stmt[i].plan == plan &&
		    !reaches_points(c, &c->stmt[i]))
			return false;
	claim(c, "launch %d: the loops of host and blocks reach all tiles that "
		"hold an instance", (int) (plan - c->plan));
	return true;
}

/* Dimensions that go around: coordinates that differ by the size N of the grid are one point.
 * Proofs about tiles and distances hold for a grid without ends; here is why they hold around.
 *
 * Hexagons.  Let c be a column of points that all rows of a tile of phase 0 have, and which are
 * rows of some tile at all times.  Cut N mod W of the N columns out beside column c of tile 0:
 * what is left are n*W columns around, with the tiles of the grid without ends, S mod n.  Two
 * points come nearer to each other, or stay as far apart as they were, on the same side; so a
 * distance of low .. high becomes one of min(low, 0) .. max(high, 0).  No tile of a launch
 * depends on another one, so it does not matter that S and S + n are one.  If N < W one tile
 * has all rows, one after the other.
 *
 * Classical tiles.  Row a of the tiles together has N columns, from g(a) on, each point once.
 * Let the source x, of row a, and the sink y, of row b, lie in them, so that y = x + dx + m*N.
 * If g(b) - g(a) >= dx then m >= 0, as
 *
 *	x + dx - N < g(a) + dx <= g(b) <= y
 *
 * and a distance of low .. high is one of low or more.  Where one tile has 0 .. N - 1 in each
 * row, and rows do not move on, their order is that in which they follow each other.
 */
#include "verify/tiles/tiles.h"

bool read_goes_around(const struct statement *s, const struct access *acc,
	int d)
{
	return plan_goes_around(s->plan, d) && field_goes_around(acc->field, d) &&
		acc->dim[d] == d && !access_strides_along(acc, d);
}

/* Do all states have the points around "d"? */
static bool sizes_are_equal(struct checker *c, const struct plan *plan, int d)
{
	for (int i = 0; i < c->prog->n_fields; i++) {
		const struct field *f = c->prog->field[i];

		if (f->kind == FIELD_STATE && (f->n_dims != plan->n_dims ||
		    !expr_same_size(f->size[d], plan->tiles.around[d].size)))
			return refute(c, "'%s' has another size than what goes "
				"around in dimension %d", f->name, d);
	}
	return true;
}

/* Hexagons ---------------------------------------------------------------- */

/* The least and greatest coordinate along "d" that all rows of the shape have. */
static void columns_of_all_rows(const struct plan *plan, int d, int64_t *low,
	int64_t *high)
{
	*low = INT32_MIN;
	*high = INT32_MAX;
	for (int a = 0; a < plan->rows; a++) {
		isl_set *row = isl_set_fix_si(isl_set_copy(plan->shape),
			isl_dim_set, 0, a);
		int64_t first = edge_of_set(row, 1 + d, false);
		int64_t last = edge_of_set(row, 1 + d, true);

		*low = first > *low ? first : *low;
		*high = last < *high ? last : *high;
		isl_set_free(row);
	}
}

/* Tiles S = 0 of phase 1 lie between column c of tiles 0 and 1 of phase 0. */
static bool hexagons_go_around(struct checker *c, const struct plan *plan,
	int d)
{
	int64_t low, high, between = plan->shift[d][1] - plan->shift[d][0];

	if (plan->n_phases != 2 || plan->drift[d] != 0 ||
	    plan->rows != c->scop->k * plan->time_pitch)
		return refute(c, "the tiles of phase 0 are not above each other "
			"in dimension %d, which goes around", d);
	columns_of_all_rows(plan, d, &low, &high);
	if (low > high)
		return refute(c, "the rows of a tile have no column in common "
			"in dimension %d, which goes around", d);
	if (edge_of_set(plan->shape, 1 + d, false) <= low + between ||
	    edge_of_set(plan->shape, 1 + d, true) >= low + between +
	    plan->pitch[d])
		return refute(c, "the first tile of phase 1 does not follow the "
			"first of phase 0 in dimension %d, which goes around",
			d);
	claim(c, "around dimension %d: all rows of tiles of phase 0 have column "
		"%lld, where the first one takes up what whole tiles leave", d,
		(long long) low);
	return true;
}

/* Classical tiles --------------------------------------------------------- */

static int64_t lead_of_row(const struct plan *plan, int d, int64_t a)
{
	struct rational lead = plan->tiles.around[d].lead;

	return floor_div(lead.num * a, lead.den);
}

/* No row begins before the one before it, the first one at 0. */
static bool rows_move_on(struct checker *c, const struct plan *plan, int d)
{
	if (plan->role[d] != ROLE_SEQUENTIAL || plan->drift[d] != 0 ||
	    plan->shift[d][0] != 0 || plan->shift[d][1] != 0 ||
	    plan->tiles.around[d].lead.num < 0 ||
	    plan->tiles.around[d].lead.den < 1)
		return refute(c, "tiles along dimension %d, which goes around, "
			"do not begin at 0", d);
	claim(c, "around dimension %d: row a has the points %lld*a/%lld .. "
		"size - 1 + %lld*a/%lld", d,
		(long long) plan->tiles.around[d].lead.num,
		(long long) plan->tiles.around[d].lead.den,
		(long long) plan->tiles.around[d].lead.num,
		(long long) plan->tiles.around[d].lead.den);
	return true;
}

bool check_around(struct checker *c, const struct plan *plan)
{
	for (int d = 0; d < plan->n_dims; d++) {
		if (!plan_goes_around(plan, d))
			continue;
		if (!sizes_are_equal(c, plan, d) ||
		    !(d == plan->tiles.hex_dim ?
		    hexagons_go_around(c, plan, d) : rows_move_on(c, plan, d)))
			return false;
	}
	return true;
}

/* Distances --------------------------------------------------------------- */

/* Does each row b of a tile, with the sink of "dist", begin as far after the row a of its
 * source as the dependence leads along "d"?
 */
static bool rows_keep_up(struct checker *c, const struct distance *dist, int d)
{
	const struct plan *plan = dist->source->plan;
	int64_t first = dist->dtau + dist->repeat * dist->first;

	for (int64_t a = dist->source->number; a < plan->rows;
	     a += c->scop->k)
		for (int64_t b = a + first; b < plan->rows; b += dist->repeat) {
			if (b > a && lead_of_row(plan, d, b) -
			    lead_of_row(plan, d, a) < dist->high[d])
				return refute(c, "row %lld of a tile, in "
					"dimension %d, begins %lld points "
					"after row %lld, of which it needs "
					"'%s' %lld points before", (long long)
					b, d, (long long)
					(lead_of_row(plan, d, b) -
						lead_of_row(plan, d, a)),
					(long long) a, dist->field->name,
					(long long) dist->high[d]);
			if (dist->repeat == 0)
				break;
		}
	return true;
}

bool go_around(struct checker *c, struct distance *dist)
{
	const struct plan *plan = dist->source->plan;

	for (int d = 0; d < plan->n_dims; d++) {
		if (!plan_goes_around(plan, d) || !dist->bounded[d])
			continue;
		if (d != plan->tiles.hex_dim) {
			dist->is_endless[d] = true;
			if (!rows_keep_up(c, dist, d))
				return false;
			continue;
		}
		if (dist->low[d] > 0)
			dist->low[d] = 0;
		if (dist->high[d] < 0)
			dist->high[d] = 0;
	}
	return true;
}

/* Lists of points in strips: values go through the function that acts as lists say, unless no
 * list has a point there.
 */
#include <string.h>

#include "verify/code/lanes.h"

/* "x", of a lane of the strip, for its first or last lane */
static struct line of_lane(const struct lanes *l, struct line x, bool last)
{
	x.number += last ? (int64_t) x.by[LANE] * (l->s.lanes - 1) : 0;
	x.by[LANE] = 0;
	return x;
}

/* low <= the coordinate of "p" along "axis" <= high, in all lanes */
static bool lies_between(struct lanes *l, const struct point *p, int axis,
	const struct kx *low, const struct kx *high)
{
	struct line at = line_along(l, axis, p->cell.at[axis]), bound[2];
	struct line first = of_lane(l, at, false), last = of_lane(l, at, true);
	int64_t by;

	return line_of(l, low, &bound[0], NULL) &&
		line_of(l, high, &bound[1], NULL) &&
		lines_are_apart(&first, &bound[0], &by) && by >= 0 &&
		lines_are_apart(&bound[1], &last, &by) && by >= 0;
}

/* The box that the code asked about, if "condition" does so; see has_no_points() of codegen. */
static const struct kx *box_asked(const struct lanes *l,
	const struct kx *condition)
{
	const struct kx *box = NULL;

	if (asks_for_points(l, condition))
		return condition;
	for (int i = 0; !box && condition->kind == KX_BINARY &&
	     condition->op == OP_AND && i < 2; i++)
		box = box_asked(l, condition->arg[i]);
	return box;
}

bool has_no_listed(struct lanes *l, const struct point *p)
{
	for (const struct way *way = l->way; way; way = way->before) {
		const struct kx *box = way->holds ? box_asked(l,
			way->condition) : NULL;

		if (box && dim_of_axis(l, ALONG) == 0 &&
		    dim_of_axis(l, COLUMN) == p->stmt->n_dims - 1 &&
		    lies_between(l, p, ALONG, box->arg[0], box->arg[1]) &&
		    lies_between(l, p, COLUMN, box->arg[2], box->arg[3]))
			return true;
	}
	return false;
}

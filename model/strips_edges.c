/* Strips at the edges of a grid: the cost of testing which rows and cells exist. */
#include "model/model.h"

#include <math.h>

/* The part of strips along dimension "d" that touch no edge.  Strip i begins with the cell that
 * lies i times those of a strip behind the first one's rim.
 */
static double interior_share(const struct strip_shape *s, int d)
{
	const struct strip_edges *e = &s->edges;
	double stored = s->stored[d], after = s->halo[d] - e->before[d];
	double n = (double) s->n[d] - s->rim[d][0];
	double first = ceil((e->margin[d] + e->before[d] - s->rim[d][0]) /
		stored);
	double end = floor((n - e->margin[d] - after) / stored);

	return fmax(0, end - first) / strips_along(s, d);
}

/* The part of iterations at either end of dimension 0; a strip ends with the
 * grid.
 */
static double end_share(const struct strip_shape *s)
{
	double strips = strips_along(s, 0);
	double all = strips * s->halo[0] + (double) s->n[0], at_ends = 0;

	for (int i = 0; i < strips; i++) {
		double first = s->edges.first - strip_start(s, i);
		double last = s->edges.last - strip_start(s, i);

		if (first <= 0 && last <= 0)
			break;
		at_ends += fmax(0, first) + fmax(0, last);
	}
	return fmin(1, at_ends / all);
}

/* The part of iterations neither near an end nor in a last launch of fewer
 * steps.
 */
static double steady_share(const struct strip_shape *s)
{
	double launches = ceil((double) s->steps / s->b), steady = 1;

	if (s->stored[0] > 0)
		steady *= 1 - end_share(s);
	if (s->steps % s->b != 0)
		steady *= 1 - 1 / launches;
	return steady;
}

/* The part of strips that touch no side of the grid. */
static double inner_share(const struct strip_shape *s)
{
	double share = 1;

	for (int d = 1; d < 3; d++)
		if (s->stored[d] > 0)
			share *= interior_share(s, d);
	return share;
}

double strip_guarded_share(const struct strip_shape *s)
{
	return 1 - steady_share(s) * (s->edges.has_sides ? 1 : inner_share(s));
}

double strip_side_share(const struct strip_shape *s)
{
	return s->edges.has_sides ? steady_share(s) * (1 - inner_share(s)) : 0;
}

/* A cell of a step takes a condition and a selection, and a move where the whole step lies
 * outside the grid.  A row is tested where it is loaded and stored, a cell of an input at each
 * read.  Fitted to the PTX of ten examples, within a third except for jacobi1d.
 */
double strip_guards(const struct strip_shape *s)
{
	double rows = fmax(s->y, 1), cells = s->v * rows;

	return s->b * cells * (3 * s->edges.statements +
		(s->work.input_loads > 0 ? 10 : 0)) + 12 * rows * s->states;
}

/* There all steps and positions exist: a cell takes a selection, whose condition is kept as a bit.
 * Lanes whose cells lie in the grid move them as those far from it do; where states have several
 * grids, each row is tested.  SASS of heat3d: 45 where 16 cells are computed.
 */
double strip_side_guards(const struct strip_shape *s)
{
	double rows = fmax(s->y, 1), cells = s->v * rows;

	return s->b * cells * (2.2 * s->edges.statements +
		(s->work.input_loads > 0 ? 8 : 0)) +
		(s->edges.one_grid ? 10 : 12 * rows + 10) * s->states;
}

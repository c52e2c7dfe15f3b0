/* Tiles on one grid, drawn: the rows of one, which lean back, and the places of its versions. */
#include "picture/forms.h"
#include "schedule/onegrid.h"

enum { MOST_ROWS = 16 };

/* Along "d": row 0 below, which is taken; the last one drawn is above all others. */
static double draw_rows(struct markup *m, const struct plan *plan, int d,
	double top, struct region *mem)
{
	const struct one_grid *g = plan->one_grid;
	const int rows = smaller(g->h, MOST_ROWS);
	struct bar *bar = region_array(mem, struct bar, rows + 1);

	for (int a = 0; a <= rows; a++)
		bar[a] = (struct bar) { -g->skew[d] * a, g->width[d] - 1 -
			g->skew[d] * a, region_printf(mem, "row %d", a) };
	return bars_draw(m, picture_dim(plan->scop, d), g->width[d], rows + 1,
		bar, top);
}

static double draw(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	const struct one_grid *g = plan->one_grid;

	svg_label(m, "heading", 20, top, "A tile of strategy %s",
		plan->strategy->name);
	svg_label(m, "small", 20, top + 20, "row 0 takes the caller's cells, each "
		"of the %d rows above computes a step, the last one is given "
		"back;", g->h);
	svg_label(m, "small", 20, top + 36, "time goes up; blue lies above row 0, "
		"orange beside it;");
	svg_label(m, "small", 20, top + 52, "in the grid row a lies %d*a cells "
		"along %s, and %d*a along %s, before row 0", g->shift[0],
		picture_dim(plan->scop, 0), g->shift[1],
		picture_dim(plan->scop, 1));
	top += 72;
	for (int d = ONE_GRID_TILED - 1; d >= 0; d--)
		top = draw_rows(m, plan, d, top, mem);
	return top;
}

static const char *describe(const struct plan *plan)
{
	(void) plan;
	return "The points of a tile that each step computes, and where their "
		"values lie";
}

static const struct explorer *explorer(const struct report *r, const char **why)
{
	(void) r;
	*why = "tiles on one grid have none";
	return NULL;
}

const struct form_picture one_grid_picture = {
	.tile = draw, .work = draw, .describe = describe,
	.tile_says_all = true, .explorer = explorer,
};

/* The tiles of the classical dimensions within a hexagon. */
#include "picture/forms.h"

#include <math.h>

enum { WIDTH = 760, LEFT = 70, RIGHT = 40, HALF_LABEL = 30 };

/* The width of drawn tiles: if they were wide, their skew would be invisible. */
static int drawn_width(const struct plan *plan, int dim)
{
	int64_t skewed = rational_floor(plan->tiles.skew[dim], plan->rows - 1);
	int enough = 3 * (int) skewed + 8;

	return plan->tiles.width[dim] < enough ? plan->tiles.width[dim] :
		enough;
}

/* Tile "s" of dimension "dim" drawn "wide": rows of cells, each row further
 * left by the skew.
 */
static void draw_inner_tile(struct markup *m, const struct plan *plan, int dim,
	int s, int wide, const struct chart *c, struct region *mem)
{
	int n = 4 * plan->rows;
	struct point *p = region_array(mem, struct point, n);
	double middle;

	for (int a = 0; a < plan->rows; a++) {
		double skew = (double) rational_floor(plan->tiles.skew[dim], a);
		double left = chart_x(c, s * wide - skew);
		double right = chart_x(c, (s + 1) * wide - skew);

		p[2 * a] = (struct point) { right, chart_y(c, a) };
		p[2 * a + 1] = (struct point) { right, chart_y(c, a + 1) };
		p[n - 1 - 2 * a] = (struct point) { left, chart_y(c, a) };
		p[n - 2 - 2 * a] = (struct point) { left, chart_y(c, a + 1) };
	}
	middle = (p[0].x + p[2 * plan->rows - 1].x) / 2 -
		wide * c->width / (c->across.to - c->across.from) / 2;
	svg_polygon(m, s % 2 ? "second" : "first", n, p);
	if (middle > c->left + HALF_LABEL && middle < c->left + c->width - HALF_LABEL)
		svg_label(m, "middle", middle, chart_y(c, plan->rows / 2.0) + 5,
			"S%d = %d", dim, s);
}

double inner_draw(struct markup *m, const struct plan *plan, int dim,
	double top, struct region *mem)
{
	int wide = drawn_width(plan, dim), rows = plan->rows;
	const char *name = picture_dim(plan->scop, dim);
	struct chart c = {
		.left = LEFT, .top = top + 40, .width = WIDTH - LEFT - RIGHT,
		.height = fmin(180, fmax(60, rows * 12)),
		.across = { .title = name, .from = 0, .to = 3.0 * wide,
			.counts = true },
		.up = { .title = "row a", .from = 0, .to = rows,
			.counts = true },
	};

	svg_label(m, "heading", 20, top, "Tiles along %s, one after the "
		"other", name);
	svg_label(m, "small", 20, top + 20, "%d points wide%s; row a starts "
		"floor(%s\xc2\xb7" "a) points earlier, so that what it reads is there",
		plan->tiles.width[dim], wide < plan->tiles.width[dim] ?
		" (drawn narrower)" : "",
		picture_rational(mem, plan->tiles.skew[dim]));
	svg_clip(m, region_printf(mem, "inner%d", dim), c.left, c.top,
		c.width, c.height);
	for (int s = 0; s <= 4; s++)
		draw_inner_tile(m, plan, dim, s, wide, &c, mem);
	svg_close(m);
	chart_frame(m, &c);
	return c.top + c.height + 50;
}

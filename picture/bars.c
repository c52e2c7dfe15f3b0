/* What overlapping tiles compute along one dimension: a bar for each stage. */
#include "picture/forms.h"

#include <math.h>

enum { WIDTH = 760, LEFT = 110, RIGHT = 120, ROW = 20, LEAST_LABEL = 12 };

/* The points of the tile, 0 to "size" - 1, and those of all bars. */
static struct axis axis_of(const char *dim, int size, int n,
	const struct bar *bar)
{
	struct axis a = { .title = dim, .to = size - 1, .counts = true };

	for (int i = 0; i < n; i++) {
		a.from = smaller((int) a.from, bar[i].first);
		a.to = larger((int) a.to, bar[i].last);
	}
	return a;
}

static void draw_bar(struct markup *m, const struct chart *c, int size,
	const struct bar *b, double y, double row)
{
	double cell = c->width / (c->across.to - c->across.from + 1);
	int first = larger(0, b->first), last = smaller(size - 1, b->last);
	double left = c->left - c->across.from * cell;

	svg_rect(m, "loaded", left + b->first * cell, y, (b->last - b->first +
		1) * cell, row - fmin(2, row / 4));
	if (first <= last)
		svg_rect(m, "stored", left + first * cell, y, (last - first +
			1) * cell, row - fmin(2, row / 4));
}

double bars_draw(struct markup *m, const char *dim, int size, int n,
	const struct bar *bar, double top)
{
	double row = fmin(ROW, 360.0 / n);
	int each = (int) ceil(LEAST_LABEL / row);
	struct chart c = {
		.left = LEFT, .width = WIDTH - LEFT - RIGHT, .top = top,
		.height = n * row, .across = axis_of(dim, size, n, bar),
	};

	for (int i = 0; i < n; i++) {
		double y = top + (n - 1 - i) * row;

		draw_bar(m, &c, size, &bar[i], y, row);
		if (i % each)
			continue;
		svg_label(m, "small end", LEFT - 8, y + row / 2 + 4, "%s",
			bar[i].label);
		svg_label(m, "small", WIDTH - RIGHT + 8, y + row / 2 + 4,
			"%s = %d .. %d", dim, bar[i].first, bar[i].last);
	}
	c.across.from -= 0.5;
	c.across.to += 0.5;
	chart_across(m, &c);
	return top + c.height + 66;
}

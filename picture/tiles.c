/* Tiles in time and the hexagonal dimension. */
#include "picture/forms.h"

#include <math.h>
#include <stdlib.h>

#include "ir/waves.h"

enum { WIDTH = 760, LEFT = 70, RIGHT = 150 };

/* Where point (tau, s) is drawn; cells are "cell" wide and "row" high. */
struct lattice {
	double left, bottom;	/* of cell (0, 0) */
	double cell, row;
};

static double lattice_x(const struct lattice *l, double s)
{
	return l->left + s * l->cell;
}

static double lattice_y(const struct lattice *l, double tau)
{
	return l->bottom - tau * l->row;
}

/* Cells for "columns" times "rows" in the given space, at most "most" large. */
static struct lattice fit(double top, double width, double height,
	int columns, int rows, double most)
{
	struct lattice l = { .left = LEFT };

	l.cell = fmin(most, width / columns);
	l.row = fmin(fmax(l.cell, 11), fmin(most, height / rows));
	l.cell = fmin(l.cell, 6 * l.row);
	l.bottom = top + l.row * rows;
	return l;
}

/* The hexagon's outline with (a, b) = (0, 0) at "at": steps along the cells, up
 * the right side and down the left one; where rows are thinner than a pixel,
 * one stands for several.
 */
static void draw_outline(struct markup *m, const char *class,
	const struct lattice *l, const struct hexagon *x, struct point at,
	struct region *mem)
{
	int each = (int) ceil(1.2 / l->row), rows = x->height / each;
	int n = 4 * rows;
	struct point *p = region_array(mem, struct point, n);

	for (int i = 0; i < rows; i++) {
		int a = i * each, end = i == rows - 1 ? x->height : a + each;
		int b = i < rows / 2 ? a : end - 1;
		double right = lattice_x(l, at.x + hexagon_last(x, b) + 1);
		double left = lattice_x(l, at.x + hexagon_first(x, b));
		double low = lattice_y(l, at.y + a);
		double high = lattice_y(l, at.y + end);

		p[2 * i] = (struct point) { right, low };
		p[2 * i + 1] = (struct point) { right, high };
		p[n - 1 - 2 * i] = (struct point) { left, low };
		p[n - 2 - 2 * i] = (struct point) { left, high };
	}
	svg_polygon(m, class, n, p);
}

/* A hexagon of the same height and slopes, narrow enough that its sides are
 * visible.
 */
static struct hexagon drawn_hexagon(const struct hexagon *x)
{
	int enough = x->f0 + x->f1 + 8;
	int least = hexagon_least_width(x->delta0, x->delta1, x->h);
	struct hexagon narrow = *x;

	if (x->is_skewed) {
		narrow.w0 = x->w0 < enough ? x->w0 : enough;
		narrow.pitch = narrow.w0 + x->drift;
		return narrow;
	}
	if (enough < least)
		enough = least;
	return hexagon_make(x->delta0, x->delta1, x->h,
		x->w0 < enough ? x->w0 : enough);
}

/* One tile ---------------------------------------------------------------*/

/* A truncated cone below the w0 + 1 points at the top of a box with origin (a,
 * b), through the middle of cells.
 */
struct truncated_cone {
	int a, b;
	double depth;
};

/* The tile's own cone, and those of three earlier tiles, which are cut out of
 * it, down to the row h + 1 below it.
 */
enum { OWN, CONES = 4 };

static void find_cones(const struct hexagon *x, struct truncated_cone cone[])
{
	const int a = -x->h - 1, below = -x->height;
	const struct truncated_cone all[CONES] = {
		{ 0, 0, x->height },
		{ a, -x->w0 - 1 - x->f0, x->height - 0.5 },
		{ a, x->w0 + 1 + x->f1, x->height - 0.5 },
		{ below, x->f1 - x->f0, x->h + 0.5 },
	};

	for (int i = 0; i < CONES; i++)
		cone[i] = all[i];
}

static double value_of(struct rational r)
{
	return (double) r.num / (double) r.den;
}

/* The first and last point of a cone, "below" its top. */
static double cone_first(const struct hexagon *x,
	const struct truncated_cone *c, double below)
{
	return c->b + x->f0 + 0.5 - value_of(x->delta0) * below;
}

static double cone_last(const struct hexagon *x,
	const struct truncated_cone *c, double below)
{
	return c->b + x->f0 + 0.5 + x->w0 + value_of(x->delta1) * below;
}

static void draw_truncated_cone(struct markup *m, const char *class,
	const struct lattice *l, const struct hexagon *x,
	const struct truncated_cone *c)
{
	double top = c->a + 2 * x->h + 1.5, low = top - c->depth;
	struct point p[] = {
		{ lattice_x(l, cone_first(x, c, 0)), lattice_y(l, top) },
		{ lattice_x(l, cone_last(x, c, 0)), lattice_y(l, top) },
		{ lattice_x(l, cone_last(x, c, c->depth)), lattice_y(l, low) },
		{ lattice_x(l, cone_first(x, c, c->depth)), lattice_y(l, low) },
	};

	svg_polygon(m, class, 4, p);
}

static void draw_cells(struct markup *m, const struct lattice *l,
	const struct hexagon *x)
{
	for (int a = 0; a < x->height; a++)
		for (int b = hexagon_first(x, a); b <= hexagon_last(x, a); b++)
			svg_circle(m, "paper", lattice_x(l, b + 0.5),
				lattice_y(l, a + 0.5), fmin(3, l->cell / 5));
}

/* Label rows far enough apart that labels do not meet. */
static void label_rows(struct markup *m, const struct lattice *l,
	const struct hexagon *x)
{
	enum { LEAST = 13 };	/* pixels */
	int each = (int) ceil(LEAST / l->row);

	for (int a = 0; a < x->height; a += each)
		svg_label(m, "small end", LEFT - 8,
			lattice_y(l, a + 0.5) + 4, "a = %d", a);
}

/* Numbers below the columns "first" to "last" of a tile. */
static void number_columns(struct markup *m, const struct lattice *l,
	int first, int last, double bottom)
{
	struct chart c = {
		.left = lattice_x(l, first), .top = bottom - 1, .height = 1,
		.width = (last + 1 - first) * l->cell,
		.across = { .title = "b", .from = first - 0.5,
			.to = last + 0.5, .counts = true },
	};

	chart_across(m, &c);
}

/* Arrows to the later points, along the tile's dimension, that use a value. */
static double draw_dependences(struct markup *m, const struct plan *plan,
	double top, struct region *mem)
{
	struct distances list = picture_distances(mem, plan->scop,
		plan->tiles.hex_dim);
	double wide = 1, high = 1;
	struct chart c = {
		.left = LEFT, .top = top + 34, .width = 240, .height = 90,
		.across = { .counts = true, .title = region_printf(mem,
			"\xce\x94%s", picture_dim(plan->scop,
			plan->tiles.hex_dim)) },
		.up = { .title = "\xce\x94\xcf\x84", .from = -0.25,
			.counts = true },
	};

	for (int i = 0; i < list.n; i++) {
		wide = fmax(wide, fabs(list.at[i].x));
		high = fmax(high, list.at[i].y);
	}
	c.across.from = -wide - 0.5;
	c.across.to = wide + 0.5;
	c.up.to = high + 0.25;
	svg_label(m, "heading", 20, top, "Dependences");
	svg_label(m, "small", 20, top + 20, "from a point to those that must "
		"come after it: they use its value, or its memory again");
	for (int i = 0; i < list.n; i++)
		svg_arrow(m, chart_x(&c, 0), chart_y(&c, 0),
			chart_x(&c, list.at[i].x), chart_y(&c, list.at[i].y));
	chart_frame(m, &c);
	return c.top + c.height + 44;
}

/* A tile with the three cones that are cut out of its own. */
static double draw_tile(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	const struct hexagon *whole = &plan->tiles.hexagon;
	const struct hexagon drawn = drawn_hexagon(whole), *x = &drawn;
	struct truncated_cone cone[CONES];
	double first = 0, last = 0, bottom;
	struct lattice l;

	find_cones(x, cone);
	for (int i = 0; i < CONES; i++) {
		first = fmin(first, cone_first(x, &cone[i], cone[i].depth));
		last = fmax(last, cone_last(x, &cone[i], cone[i].depth));
	}
	l = fit(top + 56, WIDTH - LEFT - 30, 300, (int) ceil(last - first) + 2,
		x->height + x->h + 1, 26);
	svg_label(m, "heading", 20, top, "One tile: h = %d, w\xe2\x82\x80 = %d",
		whole->h, whole->w0);
	svg_label(m, "small", 20, top + 20, "%lld points: the cone of the "
		"%d at the top, solid, less the cones of three earlier tiles, "
		"dashed", (whole->h + 1LL) * whole->pitch, whole->w0 + 1);
	if (x->w0 < whole->w0)
		svg_label(m, "small", 20, top + 38, "drawn narrower: "
			"w\xe2\x82\x80 = %d", x->w0);
	bottom = l.bottom;
	l.left += (1 - first) * l.cell;
	l.bottom -= (x->h + 1) * l.row;
	draw_outline(m, "phase0", &l, x, (struct point) { 0, 0 }, mem);
	for (int i = OWN + 1; i < CONES; i++)
		draw_truncated_cone(m, "cone dashed", &l, x, &cone[i]);
	draw_truncated_cone(m, "line", &l, x, &cone[OWN]);
	if (l.cell >= 7 && l.row >= 7)
		draw_cells(m, &l, x);
	label_rows(m, &l, x);
	number_columns(m, &l, 0, hexagon_extent(x) - 1, bottom);
	return bottom + 40;
}

/* A skewed rectangle. */
static double draw_skewed_tile(struct markup *m, const struct plan *plan,
	double top, struct region *mem)
{
	const struct hexagon *whole = &plan->tiles.hexagon;
	const struct hexagon drawn = drawn_hexagon(whole), *x = &drawn;
	struct lattice l = fit(top + 56, WIDTH - LEFT - 30, 240,
		hexagon_extent(x), x->height, 26);

	svg_label(m, "heading", 20, top, "One tile: h = %d, w\xe2\x82\x80 = %d",
		whole->h, whole->w0);
	svg_label(m, "small", 20, top + 20, "%lld points: %d rows of %d, each "
		"\xce\xb4\xe2\x82\x81 before the one below it",
		(long long) hexagon_points(whole), whole->height, whole->w0);
	if (x->w0 < whole->w0)
		svg_label(m, "small", 20, top + 38, "drawn narrower: "
			"w\xe2\x82\x80 = %d", x->w0);
	draw_outline(m, "phase0", &l, x, (struct point) { 0, 0 }, mem);
	if (l.cell >= 7 && l.row >= 7)
		draw_cells(m, &l, x);
	label_rows(m, &l, x);
	number_columns(m, &l, 0, hexagon_extent(x) - 1, l.bottom);
	return l.bottom + 40;
}

/* The pattern ------------------------------------------------------------*/

static void draw_pattern_tile(struct markup *m, const struct lattice *l,
	const struct hexagon *x, int phase, int tt, int s, double high,
	struct region *mem)
{
	double tau = tt * x->height - hexagon_tau_shift(x, phase);
	double b = s * x->pitch - hexagon_s_shift(x, phase) -
		tt * (x->f1 - x->f0);
	double middle = b + (x->f0 + x->f1 + x->w0 + 1) / 2.0;
	double y = lattice_y(l, tau + x->height / 2.0);

	svg_group(m);
	svg_hint(m, "T = %d, phase %d, S0 = %d: rows %.0f to %.0f", tt, phase,
		s, tau, tau + x->height - 1);
	draw_outline(m, phase ? "phase1" : "phase0", l, x,
		(struct point) { b, tau }, mem);
	if (x->pitch * l->cell >= 32 && l->row * x->height >= 20 &&
	    y > high + 9 && y < l->bottom - 9)
		svg_label(m, phase ? "on1 middle" : "on0 middle",
			lattice_x(l, middle), y + 5, "%d", s);
	svg_close(m);
}

/* A frame around "columns" and "rows" from (0, 0), with their numbers. */
static void draw_axes(struct markup *m, const struct plan *plan,
	const struct lattice *l, int columns, int rows)
{
	struct chart c = {
		.left = l->left, .top = lattice_y(l, rows),
		.width = columns * l->cell, .height = rows * l->row,
		.across = { .title = picture_dim(plan->scop,
			plan->tiles.hex_dim), .from = -0.5,
			.to = columns - 0.5, .counts = true },
		.up = { .title = "\xcf\x84", .from = -0.5, .to = rows - 0.5,
			.counts = true },
	};

	chart_frame(m, &c);
}

/* "T = 0, phase 1" beside each launch's rows, where there is room. */
static void label_launches(struct markup *m, const struct lattice *l,
	const struct hexagon *x, double x_at, double high)
{
	enum { LEAST = 15 };	/* pixels */
	double last = l->bottom + LEAST;

	for (int n = 0; n <= 5; n++) {
		int tt = n / 2, phase = n % 2;
		double y = lattice_y(l, tt * x->height -
			hexagon_tau_shift(x, phase) + x->height / 2.0);

		y += y > l->bottom - 6 ? -2 : 4;
		if (y <= high || y > l->bottom || last - y < LEAST)
			continue;
		svg_label(m, NULL, x_at, y, "T = %d, phase %d", tt, phase);
		last = y;
	}
}

/* Time 0 to two heights; the tiles of a row are one launch. */
static double draw_pattern(struct markup *m, const struct plan *plan,
	double top, struct region *mem)
{
	const struct hexagon drawn = drawn_hexagon(&plan->tiles.hexagon);
	const struct hexagon *x = &drawn;
	int columns = 3 * x->pitch, rows = 2 * x->height;
	struct lattice l = fit(top + 50, WIDTH - LEFT - RIGHT, 340,
		columns, rows, 24);
	double high = l.bottom - rows * l.row, wide = columns * l.cell;

	svg_label(m, "heading", 20, top, "The pattern");
	svg_label(m, "small", 20, top + 20, "each row of tiles is a launch, "
		"its tiles are numbered by S0 and run in parallel");
	svg_clip(m, "pattern", LEFT, high, wide, l.bottom - high);
	for (int tt = 0; tt <= 3; tt++)
		for (int phase = 0; phase < 2; phase++)
			for (int s = -2 - abs(tt * (x->f1 - x->f0)) / x->pitch;
			     s <= 6 + abs(tt * (x->f1 - x->f0)) / x->pitch;
			     s++)
				draw_pattern_tile(m, &l, x, phase, tt, s,
					high, mem);
	svg_close(m);
	label_launches(m, &l, x, LEFT + wide + 12, high);
	draw_axes(m, plan, &l, columns, rows);
	return l.bottom + 50;
}

/* Tile "s" of time "time", in the colour of its wavefront. */
static void draw_wavefront_tile(struct markup *m, const struct lattice *l,
	const struct hexagon *x, int time, int s, struct region *mem)
{
	double tau = time * x->height;
	double b = s * x->w0 - x->f1 - time * x->drift;
	double middle = b + hexagon_extent(x) / 2.0;
	int front = time + s;

	svg_group(m);
	svg_hint(m, "wavefront %d, tile %d: rows %.0f to %.0f", front, s, tau,
		tau + x->height - 1);
	draw_outline(m, front % 2 ? "phase1" : "phase0", l, x,
		(struct point) { b, tau }, mem);
	if (x->w0 * l->cell >= 24 && l->row * x->height >= 18)
		svg_label(m, front % 2 ? "on1 middle" : "on0 middle",
			lattice_x(l, middle),
			lattice_y(l, tau + x->height / 2.0) + 5, "%d", front);
	svg_close(m);
}

/* Three times of tiles; a number is a wavefront. */
static double draw_wavefronts(struct markup *m, const struct plan *plan,
	double top, struct region *mem)
{
	enum { TIMES = 3, TILES = 5 };
	const struct hexagon drawn = drawn_hexagon(&plan->tiles.hexagon);
	const struct hexagon *x = &drawn;
	int columns = TILES * x->w0, rows = TIMES * x->height;
	struct lattice l = fit(top + 50, WIDTH - LEFT - RIGHT, 340,
		columns, rows, 24);
	double high = l.bottom - rows * l.row, wide = columns * l.cell;

	svg_label(m, "heading", 20, top, "The pattern");
	svg_label(m, "small", 20, top + 20, "each number is a wavefront: a "
		"launch, of which the tiles run in parallel");
	svg_clip(m, "pattern", LEFT, high, wide, l.bottom - high);
	for (int time = 0; time < TIMES; time++) {
		int last = (columns + x->f1 + time * x->drift) / x->w0;

		for (int s = time * x->drift / x->w0; s <= last; s++)
			draw_wavefront_tile(m, &l, x, time, s, mem);
	}
	svg_close(m);
	draw_axes(m, plan, &l, columns, rows);
	return l.bottom + 50;
}

/* Blocks without time tiling ---------------------------------------------*/

/* 3 x 3 blocks of points in the two innermost dimensions. */
static double draw_blocks(struct markup *m, const struct plan *plan,
	double top)
{
	int inner = plan->n_dims - 1, outer = plan->n_dims - 2;
	int wide = plan->pitch[inner], across = 3, down = outer >= 0 ? 3 : 1;
	int high = outer >= 0 ? plan->pitch[outer] : 1;
	double width = 160, height = fmin(160, fmax(40, width * high / wide));
	struct chart c = {
		.left = LEFT, .top = top + 50, .width = across * width,
		.height = down * height,
		.across = { .title = picture_dim(plan->scop, inner),
			.to = across * wide, .counts = true },
		.up = { .title = outer < 0 ? "" : picture_dim(plan->scop,
			outer), .from = down * high, .counts = true },
	};

	svg_label(m, "heading", 20, top, "Blocks of strategy %s",
		plan->strategy->name);
	svg_label(m, "small", 20, top + 20, "each %s is a launch; a block has "
		"%d x %d x %d threads and computes %d x %d points of a plane",
		plan->scop->prog->waves ? "wave" : "step and statement",
		plan->threads[0], plan->threads[1], plan->threads[2], wide,
		high);
	for (int i = 0; i < down; i++)
		for (int k = 0; k < across; k++) {
			double x = LEFT + k * width;
			double y = c.top + i * height;

			svg_rect(m, (i + k) % 2 ? "phase1" : "phase0", x, y,
				width, height);
			svg_label(m, (i + k) % 2 ? "middle on1" :
				"middle on0", x + width / 2, y + height / 2 +
				5, "%d x %d", wide, high);
		}
	chart_frame(m, &c);
	return c.top + c.height + 50;
}

/* A sweep: the waves of the points in a corner of the grid, in the first step. */
static double draw_waves(struct markup *m, const struct plan *plan, double top)
{
	enum { ACROSS = 20, DOWN = 10, CELL = 26 };
	const struct sweep_waves *waves = plan->scop->prog->waves;
	int inner = plan->n_dims - 1, outer = plan->n_dims - 2;
	int down = outer < 0 ? 1 : DOWN;
	struct chart c = {
		.left = LEFT, .top = top + 50, .width = ACROSS * CELL,
		.height = down * CELL,
		.across = { .title = picture_dim(plan->scop, inner),
			.from = -0.5, .to = ACROSS - 0.5, .counts = true },
		.up = { .title = outer < 0 ? "" : picture_dim(plan->scop,
			outer), .from = down - 0.5, .to = -0.5,
			.counts = true },
	};

	svg_label(m, "heading", 20, top, "The waves of a sweep");
	svg_label(m, "small", 20, top + 20, "points of equal number do not "
		"wait for each other; the next step follows %d waves later",
		(int) waves->step);
	for (int i = 0; i < down; i++)
		for (int j = 0; j < ACROSS; j++) {
			int wave = (int) (waves->along[inner] * j + (outer < 0 ?
				0 : waves->along[outer] * i));
			const char *on = wave % 2 ? "small middle on1" :
				"small middle on0";

			svg_rect(m, wave % 2 ? "phase1" : "phase0", LEFT +
				j * CELL, c.top + i * CELL, CELL, CELL);
			svg_label(m, on, LEFT + (j + 0.5) * CELL, c.top +
				(i + 0.5) * CELL + 4, "%d", wave);
		}
	chart_frame(m, &c);
	return c.top + c.height + 70;
}

double tiles_draw(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	if (!plan_has_hexagons(plan) && plan->scop->prog->waves)
		top = draw_waves(m, plan, top);
	if (!plan_has_hexagons(plan))
		return draw_blocks(m, plan, top);
	top = plan_is_diagonal(plan) ? draw_skewed_tile(m, plan, top, mem) :
		draw_tile(m, plan, top, mem);
	top = draw_dependences(m, plan, top + 40, mem);
	top = plan_is_diagonal(plan) ?
		draw_wavefronts(m, plan, top + 30, mem) :
		draw_pattern(m, plan, top + 30, mem);
	for (int d = 0; d < plan->n_dims; d++)
		if (d != plan->tiles.hex_dim)
			top = inner_draw(m, plan, d, top + 30, mem);
	return top;
}

const char *tiles_describe_picture(const struct plan *plan)
{
	return !plan_has_hexagons(plan) ? "Blocks of points of one step" :
		plan_is_diagonal(plan) ?
		"A skewed rectangle and the wavefronts that its copies make in "
		"time and space" :
		"A hexagonal tile and the pattern that its copies make in "
		"time and space";
}

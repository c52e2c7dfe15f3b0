/* A strip of registers: the columns that each version needs, and the explorer. */
#include "picture/forms.h"
#include "schedule/stream.h"

#include "picture/explore-strips-text.h"

enum { WIDTH = 760, LEFT = 90, RIGHT = 130, ROW = 18 };

/* Columns "low" to "high" - 1, from the first that the strip stores. */
static void draw_columns(struct markup *m, const struct stream *s,
	const char *class, int low, int high, double y)
{
	double cell = (double) (WIDTH - LEFT - RIGHT) / (s->width +
		s->before[s->dim.lane] + s->after[s->dim.lane]);

	if (low < high)
		svg_rect(m, class, LEFT + (low + s->before[s->dim.lane]) * cell,
			y, (high - low) * cell, ROW - 2);
}

/* Version t0 + v: all columns, the needed ones, and those of the last version. */
static void draw_version(struct markup *m, const struct plan *plan, int v,
	double y)
{
	const struct stream *s = plan->strips;
	int lane = s->dim.lane;
	int low = s->needed[v].low[lane];
	int high = s->width + s->needed[v].high[lane];

	draw_columns(m, s, "kept", -s->before[lane], s->width +
		s->after[lane], y);
	draw_columns(m, s, "loaded", low, high, y);
	draw_columns(m, s, "stored", 0, s->width, y);
	svg_label(m, "small end", LEFT - 8, y + 13, "t0 + %d", v);
	svg_label(m, "small", WIDTH - RIGHT + 8, y + 13, "%s = %d .. %d",
		picture_dim(plan->scop, lane), low, high - 1);
}

static double draw_legend(struct markup *m, double top)
{
	static const char *const entry[][2] = {
		{ "stored", "in the columns that are stored in the end" },
		{ "loaded", "read on the way there: the next strip computes "
			"it, too" },
		{ "kept", "computed by the lanes that are there, not used" },
	};

	for (int i = 0; i < 3; i++) {
		svg_rect(m, entry[i][0], LEFT, top - 11, 14, 14);
		svg_label(m, NULL, LEFT + 22, top, "%s", entry[i][1]);
		top += 22;
	}
	return top;
}

/* Numbers of the columns, below them. */
static double number_columns(struct markup *m, const struct plan *plan,
	double top)
{
	const struct stream *s = plan->strips;
	int lane = s->dim.lane;
	struct chart c = {
		.left = LEFT, .width = WIDTH - LEFT - RIGHT, .top = top - 3,
		.height = 1,
		.across = { .title = picture_dim(plan->scop, lane),
			.from = -s->before[lane] - 0.5,
			.to = s->width + s->after[lane] - 0.5,
			.counts = true },
	};

	chart_across(m, &c);
	return top + 44;
}

/* A rectangle of columns "left" to "right" and rows "low" to "high" around those
 * stored, in the plane drawn from "top" on.
 */
static void draw_box(struct markup *m, const struct stream *s,
	const char *class, const struct needed *e, double top, double row)
{
	double cell = (double) (WIDTH - LEFT - RIGHT) / (s->width +
		s->before[s->dim.lane] + s->after[s->dim.lane]);
	int left = e->low[s->dim.lane] + s->before[s->dim.lane];
	int low = e->low[s->dim.row] + s->before[s->dim.row];

	svg_rect(m, class, LEFT + left * cell, top + low * row,
		(s->width + e->high[s->dim.lane] - e->low[s->dim.lane]) * cell,
		(s->height + e->high[s->dim.row] - e->low[s->dim.row]) * row);
}

/* In three dimensions: the plane of a block; later versions need less on all four sides. */
static double draw_plane(struct markup *m, const struct plan *plan, double top)
{
	const struct stream *s = plan->strips;
	struct needed all = { { 0 }, { 0 } }, stored = { { 0 }, { 0 } };
	const int warps = stream_warps_of_rows(s);
	double row;

	if (s->dim.row < 0)
		return top;
	for (int d = 0; d < plan->n_dims; d++) {
		all.low[d] = -s->before[d];
		all.high[d] = s->after[d];
	}
	row = 200.0 / (warps * s->rows);
	svg_label(m, NULL, 20, top, "Its plane: %d warps%s of %d rows of %s, of "
		"which %d are stored; a line is what a version needs",
		warps, stream_is_clustered(s) ? " of a cluster" : "", s->rows, picture_dim(plan->scop, s->dim.row),
		s->height);
	top += 14;
	draw_box(m, s, "kept", &all, top, row);
	draw_box(m, s, "loaded", &s->needed[0], top, row);
	for (int v = 1; v < s->b; v++)
		draw_box(m, s, "gap none", &s->needed[v], top, row);
	draw_box(m, s, "stored", &stored, top, row);
	for (int w = 0; w < warps; w++)
		svg_label(m, "small end", LEFT - 8, top + (w + 0.5) * s->rows *
			row + 4, "warp %d", w);
	return top + 200 + 30;
}

/* The newest position of version t0 + v of what statement "i" writes, from n on. */
static int newest(const struct plan *plan, int v, int i)
{
	return -stream_lag(plan->strips, v - 1, i);
}

static double draw_iteration(struct markup *m, const struct plan *plan,
	double top)
{
	const struct stream *s = plan->strips;
	struct turn t = {
		.plan = plan, .steps = s->b, .computed = 1, .kept = s->period,
		.ahead = stream_copied_before(s),
		.newest = newest, .kept_where = "in registers",
		.title = "positions from n on, in the direction of the stream",
	};

	return turn_draw(m, &t, top);
}

/* How a strip goes along the dimension that is streamed. */
static double draw_lags(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	const struct stream *s = plan->strips;

	if (s->dim.stream < 0)
		return top;
	svg_label(m, NULL, 20, top, "Along %s the strip goes from iteration "
		"n = %d to %d; %d positions of a version are kept.",
		picture_dim(plan->scop, s->dim.stream), s->walk.first,
		s->walk.last, s->period);
	for (int i = 0; i < plan->scop->k; i++) {
		top += 20;
		svg_label(m, "small", 40, top, "%s, step m, computes position "
			"n - lag, lag = %s",
			plan->scop->prog->stmt[i]->name, turn_lag(mem,
			s->lag.step, s->lag.of[i]));
	}
	return draw_iteration(m, plan, top + 20);
}

static double draw(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	const struct stream *s = plan->strips;

	svg_label(m, "heading", 20, top, "A strip of strategy %s",
		plan->strategy->name);
	svg_label(m, "small", 20, top + 20, "%d lanes compute %d steps of %d "
		"columns in registers, %d to a lane, and store %d of them; "
		"time goes up", s->lanes, s->b, s->width +
		s->before[s->dim.lane] + s->after[s->dim.lane], s->cells,
		s->width);
	top += 36;
	for (int v = s->b; v >= 0; v--) {
		draw_version(m, plan, v, top);
		top += ROW;
	}
	top = number_columns(m, plan, top);
	top = draw_legend(m, top + 16) + 10;
	return draw_lags(m, plan, draw_plane(m, plan, top), mem);
}

static const char *describe(const struct plan *plan)
{
	(void) plan;
	return "A strip of a warp";
}

/* The explorer -----------------------------------------------------------*/

enum { MOST_STEPS = 12, MOST_LENGTH = 256 };

/* "of" is by dimension; as a list by role: streamed, of rows, of lanes. */
static void json_roles(struct json *j, const char *key,
	const struct stream *s, const int *of)
{
	const int dim[] = { s->dim.stream, s->dim.row, s->dim.lane };

	json_open(j, key, '[');
	for (int i = 0; i < 3; i++)
		json_int(j, NULL, dim[i] < 0 ? 0 : of[dim[i]]);
	json_close(j, ']');
}

/* What a launch of "b" steps needs. */
static void json_launch(struct json *j, const struct plan *plan, int b)
{
	struct stream s = stream_of_steps(plan->scop, plan->strips, b);

	json_line(j);
	json_open(j, NULL, '{');
	json_int(j, "b", b);
	json_int(j, "start", s.walk.start);
	json_roles(j, "before", &s, s.before);
	json_roles(j, "after", &s, s.after);
	json_open(j, "needed", '[');
	for (int v = 0; v <= b; v++) {
		json_open(j, NULL, '{');
		json_roles(j, "low", &s, s.needed[v].low);
		json_roles(j, "high", &s, s.needed[v].high);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static int most_steps(const struct plan *plan)
{
	return larger(plan->strips->b, larger(MOST_STEPS,
		stream_least_steps(plan->scop)));
}

static void data(struct json *j, const struct report *r)
{
	const struct plan *plan = r->plans;
	const struct stream *s = plan->strips;
	const int dim[] = { s->dim.stream, s->dim.row, s->dim.lane };

	report_json_program(j, r);
	json_open(j, "role", '[');
	for (int i = 0; i < 3; i++)
		json_int(j, NULL, dim[i]);
	json_close(j, ']');
	json_int(j, "lanes", s->lanes);
	json_int(j, "warp", s->warp);
	json_int(j, "period", s->period);
	json_int(j, "ahead", stream_copied_before(s));
	json_int(j, "step", s->lag.step);
	json_open(j, "lag", '[');
	for (int i = 0; i < r->scop->k; i++)
		json_int(j, NULL, s->lag.of[i]);
	json_close(j, ']');
	json_open(j, "launches", '[');
	for (int b = stream_least_steps(plan->scop); b <= most_steps(plan); b++)
		json_launch(j, plan, b);
	json_close(j, ']');
}

static void sliders(struct markup *m, const struct report *r)
{
	const struct stream *s = r->plans->strips;

	report_slider(m, "b", "b, steps of a launch",
		stream_least_steps(r->scop), most_steps(r->plans), 1, s->b);
	report_slider(m, "v", "v, cells of a lane", 1, 8, 1, s->cells);
	if (s->dim.stream >= 0)
		report_slider(m, "l", "l, positions stored", 1,
			larger(MOST_LENGTH, s->length), 1, s->length);
	if (s->dim.row < 0)
		return;
	report_slider(m, "y", "y, rows of a lane", 1, 16, 1, s->rows);
	report_slider(m, "warps", stream_is_clustered(s) ?
		"warps of a cluster" : "warps of a block", 1, larger(16,
			stream_warps_of_rows(s)), 1, stream_warps_of_rows(s));
}

static void counts(struct markup *m, const struct report *r)
{
	const struct stream *s = r->plans->strips;

	markup_number(m, "data-columns", s->lanes * s->cells);
	markup_number(m, "data-width", s->width);
	markup_number(m, "data-iterations", s->walk.last - s->walk.first + 1);
	if (s->dim.row < 0)
		return;
	markup_number(m, "data-rows", stream_warps_of_rows(s) * s->rows);
	markup_number(m, "data-height", s->height);
}

static const struct explorer_view views[] = {
	{ "explorer-stream", "Positions along the streamed dimension",
	  "What is loaded, computed, kept and stored in this iteration" },
	{ "explorer-block", "Around what is stored, in this step",
	  "Columns, and rows, that the version needs" },
	{ NULL, NULL, NULL },
};

static const struct explorer_number numbers[] = {
	{ "columns", NULL, "columns that the lanes have" },
	{ "width", "stored", "columns stored" },
	{ "rows", NULL, "rows of a block" },
	{ "height", "stored", "rows stored" },
	{ "iterations", NULL, "iterations" },
	{ "length", "stored", "positions stored" },
	{ "useful", NULL, "part of the points that is stored" },
	{ "ratio", "loaded", "values loaded for an update" },
	{ "period", "kept", "positions of a version kept" },
	{ "lag", NULL, "lag of the last step" },
	{ "iteration", NULL, "this iteration, n" },
	{ NULL, NULL, NULL },
};

static const struct explorer strips_explorer = {
	.intro = "It starts with the sizes chosen. Orange is loaded, or "
		"computed by neighbours, too; grey waits in registers; blue "
		"is stored.",
	.too_large = "Nothing is left to store: take fewer steps, or more "
		"cells or rows.",
	.caption = "A strip",
	.button = { "Step before", "Next step", "Next iteration" },
	.views = views, .numbers = numbers,
	.counts = counts, .data = data, .sliders = sliders,
	.script = explore_strips_text, .script_lines = EXPLORE_STRIPS_LINES,
};

static const struct explorer *explorer(const struct report *r,
	const char **why)
{
	(void) r;
	(void) why;
	return &strips_explorer;
}

/* A picture of a strip also shows what it does. */
const struct form_picture strips_picture = {
	.tile = draw, .work = draw, .describe = describe, .tile_says_all = true,
	.explorer = explorer,
};

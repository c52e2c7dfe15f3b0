/* A strip of registers: which of its columns each version needs. */
#include "picture/forms.h"
#include "schedule/stream.h"

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

/* Version t0 + v: all columns, those needed, and those of the last version. */
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

/* How a strip goes along the dimension that is streamed. */
static double draw_lags(struct markup *m, const struct plan *plan, double top)
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
			"n - lag, lag = %d*m + %d",
			plan->scop->prog->stmt[i]->name, s->lag.step,
			s->lag.of[i]);
	}
	return top + 20;
}

static double draw(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	const struct stream *s = plan->strips;

	(void) mem;
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
	return draw_lags(m, plan, draw_legend(m, top + 24) + 10);
}

static const char *describe(const struct plan *plan)
{
	(void) plan;
	return "A strip of a warp";
}

/* What a strip is, is what it does. */
const struct form_picture strips_picture = {
	.tile = draw, .work = draw, .describe = describe, .tile_says_all = true,
};

/* Pipelines of C, drawn and explored: stages follow each other, row by row, through
 * tiles that overlap.  The explorer is that of strips: a row is a position, a ring
 * keeps some of them, stage (m, i) computes version m.
 */
#include "picture/forms.h"
#include "schedule/pipeline.h"

#include <stdio.h>

#include "picture/explore-strips-text.h"

enum { MOST_STEPS = 32, MOST_WIDTH = 1024, LOW = 0, HIGH = 1 };

static const int no_dim = -1;

/* Streamed, of rows, of lanes. */
static int dim_of_role(const struct plan *plan, int role)
{
	int n = plan->n_dims;
	const int dim[] = { n > 1 ? 0 : no_dim, n > 2 ? 1 : no_dim, n - 1 };

	return dim[role];
}

/* Points beyond "side" of a tile that version "v" of "n" steps has of what statement
 * "i" writes.
 */
static int reach(const struct pipeline *p, int v, int n, int i, int d, int side)
{
	return p->around[i][d][side] + (n - v) * p->slope[d][side];
}

/* The same of all statements. */
static int around(const struct plan *plan, int v, int n, int d, int side)
{
	int most = 0;

	for (int i = 0; i < plan->scop->prog->n_stmts; i++)
		most = larger(most, reach(plan->pipeline, v, n, i, d, side));
	return most;
}

/* The picture ------------------------------------------------------------*/

/* Along "d": the versions of each statement, those loaded below. */
static double draw_around(struct markup *m, const struct plan *plan, int d,
	double top, struct region *mem)
{
	const struct pipeline *p = plan->pipeline;
	int k = plan->scop->prog->n_stmts, n = 0;
	struct bar *bar = region_array(mem, struct bar, (p->h + 1) * k);

	for (int v = 0; v <= p->h; v++)
		for (int i = 0; i < k; i++)
			bar[n++] = (struct bar) {
				-reach(p, v, p->h, i, d, LOW), p->width[d] - 1 +
				reach(p, v, p->h, i, d, HIGH),
				region_printf(mem, "%s, t0 + %d", plan->scop->
					prog->stmt[i]->write->field->name, v),
			};
	return bars_draw(m, picture_dim(plan->scop, d), p->width[d], n, bar,
		top);
}

/* The newest row of version t0 + v of what statement "i" writes, from p on. */
static int newest(const struct plan *plan, int v, int i)
{
	const struct pipeline *p = plan->pipeline;

	return p->rows - 1 - v * p->period - p->lag[i];
}

/* With one dimension nothing is streamed: lanes have parts of the tile. */
static double draw_lanes(struct markup *m, const struct plan *plan, double top)
{
	const struct pipeline *p = plan->pipeline;

	svg_label(m, NULL, 20, top, "%d lanes of vectors have parts of %d "
		"points each, from %d points before the tile on.", p->lanes,
		p->part, p->before);
	return top + 26;
}

static double draw_turn(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	const struct pipeline *p = plan->pipeline;
	struct turn t = {
		.plan = plan, .steps = p->h, .computed = p->rows,
		.kept = p->ring, .newest = newest, .kept_where = "in a ring",
		.title = "rows from p on",
	};

	if (plan->n_dims == 1)
		return draw_lanes(m, plan, top);
	svg_label(m, NULL, 20, top, "Turn p along %s computes the outlined "
		"row%s of each version, %d; a ring keeps %d.",
		picture_dim(plan->scop, 0), p->rows == 1 ? "" : "s", p->rows,
		p->ring);
	for (int i = 0; i < plan->scop->prog->n_stmts; i++) {
		top += 20;
		svg_label(m, "small", 40, top, "%s, step m, begins with row "
			"p - lag, lag = %s",
			plan->scop->prog->stmt[i]->name, turn_lag(mem,
			p->period, p->lag[i]));
	}
	return turn_draw(m, &t, top + 20);
}

static double draw(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	svg_label(m, "heading", 20, top, "A tile of strategy %s",
		plan->strategy->name);
	svg_label(m, "small", 20, top + 20, "a core computes %d step%s of the "
		"tile: blue in it, orange around it what its neighbours "
		"compute, too;", plan->pipeline->h,
		plan->pipeline->h == 1 ? "" : "s");
	svg_label(m, "small", 20, top + 36, "time goes up, t0 + 0 is loaded");
	top += 56;
	for (int d = plan->n_dims - 1; d >= 0; d--)
		top = draw_around(m, plan, d, top, mem);
	return draw_turn(m, plan, top, mem);
}

static const char *describe(const struct plan *plan)
{
	(void) plan;
	return "The points around a tile that each step computes, and the rows "
		"that a turn of the pipeline has of each version";
}

/* The explorer -----------------------------------------------------------*/

static void json_sides(struct json *j, const char *key,
	const struct plan *plan, int v, int n, int side, int sign)
{
	json_open(j, key, '[');
	for (int role = 0; role < 3; role++) {
		int d = dim_of_role(plan, role);

		json_int(j, NULL, d < 0 ? 0 : sign * around(plan, v, n, d,
			side));
	}
	json_close(j, ']');
}

static void json_launch(struct json *j, const struct plan *plan, int n)
{
	const struct pipeline *p = plan->pipeline;

	json_line(j);
	json_open(j, NULL, '{');
	json_int(j, "b", n);
	json_int(j, "first", -(p->front[LOW].count + n * p->front[LOW].slope));
	json_int(j, "beyond", p->front[HIGH].count + n * p->front[HIGH].slope);
	json_sides(j, "before", plan, 0, n, LOW, 1);
	json_sides(j, "after", plan, 0, n, HIGH, 1);
	json_open(j, "needed", '[');
	for (int v = 0; v <= n; v++) {
		json_open(j, NULL, '{');
		json_sides(j, "low", plan, v, n, LOW, -1);
		json_sides(j, "high", plan, v, n, HIGH, 1);
		json_close(j, '}');
	}
	json_close(j, ']');
	json_close(j, '}');
}

static void data(struct json *j, const struct report *r)
{
	const struct plan *plan = r->plans;
	const struct pipeline *p = plan->pipeline;

	report_json_program(j, r);
	json_bool(j, "tiles", true);
	json_open(j, "role", '[');
	for (int role = 0; role < 3; role++)
		json_int(j, NULL, dim_of_role(plan, role));
	json_close(j, ']');
	json_int(j, "period", p->ring);
	json_int(j, "at", plan->n_dims > 1 ? p->rows : 1);
	json_int(j, "ahead", 0);
	json_int(j, "step", p->period);
	json_open(j, "lag", '[');
	for (int i = 0; i < r->scop->prog->n_stmts; i++)
		json_int(j, NULL, p->lag[i] + p->period);
	json_close(j, ']');
	json_open(j, "launches", '[');
	for (int n = 1; n <= larger(p->h, MOST_STEPS); n++)
		json_launch(j, plan, n);
	json_close(j, ']');
}

static void sliders(struct markup *m, const struct report *r)
{
	const struct pipeline *p = r->plans->pipeline;
	char name[16];

	report_slider(m, "h", "h, steps", 1, larger(p->h, MOST_STEPS), 1,
		p->h);
	for (int d = 0; d < r->plans->n_dims; d++) {
		snprintf(name, sizeof(name), "w%d", d);
		report_slider(m, name, name, 1, larger(p->width[d],
			MOST_WIDTH), 1, p->width[d]);
	}
}

static void counts(struct markup *m, const struct report *r)
{
	const struct plan *plan = r->plans;
	const struct pipeline *p = plan->pipeline;
	int lane = plan->n_dims - 1;

	markup_number(m, "data-width", p->width[lane]);
	markup_number(m, "data-columns", p->width[lane] + around(plan, 0, p->h,
		lane, LOW) + around(plan, 0, p->h, lane, HIGH));
}

static const struct explorer_view views[] = {
	{ "explorer-stream", "Rows along the first dimension",
	  "What is loaded, computed and kept in this turn" },
	{ "explorer-block", "Around the tile, in this step",
	  "Columns, and rows, that the version has" },
	{ NULL, NULL, NULL },
};

static const struct explorer_number numbers[] = {
	{ "columns", NULL, "columns computed from" },
	{ "width", "stored", "columns of the tile" },
	{ "rows", NULL, "rows computed from" },
	{ "height", "stored", "rows of the tile" },
	{ "iterations", NULL, "turns of the pipeline" },
	{ "length", "stored", "rows of the first dimension" },
	{ "useful", NULL, "part of the points stored, about" },
	{ "ratio", "loaded", "loads for an update, about" },
	{ "period", "kept", "rows of a version kept: a ring" },
	{ "lag", NULL, "lag of the last step" },
	{ "iteration", NULL, "this turn, p" },
	{ NULL, NULL, NULL },
};

static const struct explorer pipelines_explorer = {
	.intro = "It starts with the sizes chosen. Orange is loaded, or "
		"computed by neighbours, too; grey waits in a ring of rows; "
		"blue is stored.",
	.too_large = "", .caption = "A tile",
	.button = { "Step before", "Next step", "Next turn" },
	.views = views, .numbers = numbers,
	.counts = counts, .data = data, .sliders = sliders,
	.script = explore_strips_text, .script_lines = EXPLORE_STRIPS_LINES,
};

static const struct explorer *explorer(const struct report *r,
	const char **why)
{
	(void) r;
	(void) why;
	return &pipelines_explorer;
}

const struct form_picture pipelines_picture = {
	.tile = draw, .work = draw, .describe = describe,
	.tile_says_all = true, .explorer = explorer,
};

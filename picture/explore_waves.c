/* The explorer for sweeps: the points of a wave, whose blocks form a launch. */
#include "picture/forms.h"

#include "ir/waves.h"
#include "picture/explore-waves-text.h"

static void data(struct json *j, const struct report *r)
{
	const struct sweep_waves *waves = r->scop->prog->waves;
	const struct program *of = waves->of;

	json_int(j, "step", waves->step);
	json_open(j, "along", '[');
	for (int d = 0; d < r->scop->n_dims; d++)
		json_int(j, NULL, waves->along[d]);
	json_close(j, ']');
	json_open(j, "sweeps", '[');
	for (int i = 0; i < of->n_stmts; i++) {
		json_open(j, NULL, '{');
		json_string(j, "name", of->stmt[i]->name);
		json_string(j, "field", of->stmt[i]->write->field->name);
		json_int(j, "behind", waves->behind[i]);
		json_close(j, '}');
	}
	json_close(j, ']');
}

static void sliders(struct markup *m, const struct report *r)
{
	report_slider(m, "T", "steps", 1, 6, 1, 3);
	report_slider(m, "N", picture_dim(r->scop, 0), 2, 32, 1, 10);
	if (r->scop->n_dims > 1)
		report_slider(m, "M", picture_dim(r->scop, 1), 2, 32, 1, 20);
}

/* The waves from that of the first point of the first step to that of the last
 * point.
 */
static void counts(struct markup *m, const struct report *r)
{
	const struct sweep_waves *waves = r->scop->prog->waves;

	markup_number(m, "data-step", (double) waves->step);
}

static const struct explorer_view views[] = {
	{ "explorer-points", "Points, and the wave of each in this step",
	  "The points that the wave computes, those before and after it" },
	{ NULL, NULL, NULL },
};

static const struct explorer_number numbers[] = {
	{ "waves", NULL, "waves, each a launch" },
	{ "points", NULL, "points of all of them" },
	{ "mean", NULL, "points of a wave, on average" },
	{ "wave", NULL, "this wave" },
	{ "row-points", "stored", "its points, computed in parallel" },
	{ "steps", NULL, "steps that it has points of" },
	{ NULL, NULL, NULL },
};

const struct explorer waves_explorer = {
	.intro = "A point of a sweep waits for those before it; the points of "
		"a wave do not wait for each other. The numbers in the grid "
		"are waves.",
	.too_large = "", .caption = "A grid",
	.button = { "Wave before", "Next wave", "Next step" },
	.views = views, .numbers = numbers,
	.counts = counts, .data = data, .sliders = sliders,
	.script = explore_waves_text, .script_lines = EXPLORE_WAVES_LINES,
};

/* The explorer for tiles of one step: blocks of points of a statement, or of
 * several statements, where tiles recompute what they need from neighbours.
 */
#include "picture/forms.h"

#include "picture/explore-blocks-text.h"

static const char *const size_name[] = { "bx", "by", "bz" };

/* Lists of the least and greatest points, or values, around a tile. */
static void json_around(struct json *j, const struct plan *plan,
	__isl_keep isl_set *set, int before)
{
	json_open(j, "low", '[');
	for (int d = 0; d < plan->n_dims; d++)
		json_int(j, NULL, picture_extreme(set, before + d, false));
	json_close(j, ']');
	json_open(j, "high", '[');
	for (int d = 0; d < plan->n_dims; d++)
		json_int(j, NULL, picture_extreme(set, before + d, true) -
			(plan->pitch[d] - 1));
	json_close(j, ']');
}

static void json_stage(struct json *j, const struct plan *plan,
	const struct scop_stmt *s)
{
	isl_set *points = tile_instances(plan, s->number);

	json_open(j, NULL, '{');
	json_string(j, "name", s->stmt->name);
	json_string(j, "field", s->stmt->write->field->name);
	json_int(j, "statement", s->stmt->index);
	json_around(j, plan, points, 1);
	json_close(j, '}');
	isl_set_free(points);
}

/* The values read around a tile, of a field with the tile's dimensions. */
static void json_loads(struct json *j, const struct plan *plan,
	const struct field *f)
{
	isl_set *values = tile_loads(plan, f);
	int before = (int) isl_set_dim(values, isl_dim_set) - plan->n_dims;

	if (f->n_dims == plan->n_dims &&
	    isl_set_is_empty(values) == isl_bool_false) {
		json_open(j, NULL, '{');
		json_string(j, "name", f->name);
		json_around(j, plan, values, before);
		json_close(j, '}');
	}
	isl_set_free(values);
}

static void json_kernel(struct json *j, const struct plan *plan)
{
	const struct scop *scop = plan->scop;

	json_line(j);
	json_open(j, NULL, '{');
	json_open(j, "pitch", '[');
	for (int d = 0; d < plan->n_dims; d++)
		json_int(j, NULL, plan->pitch[d]);
	json_close(j, ']');
	json_open(j, "stages", '[');
	for (int i = 0; i < scop->n_stmts; i++)
		if (!scop->stmt[i].is_copy &&
		    tile_has(plan, scop->stmt[i].number))
			json_stage(j, plan, &scop->stmt[i]);
	json_close(j, ']');
	json_open(j, "loads", '[');
	for (int i = 0; i < scop->prog->n_fields; i++)
		json_loads(j, plan, scop->prog->field[i]);
	json_close(j, ']');
	json_close(j, '}');
}

static void data(struct json *j, const struct report *r)
{
	json_open(j, "kernels", '[');
	for (int i = 0; i < r->n_plans; i++)
		json_kernel(j, &r->plans[i]);
	json_close(j, ']');
}

static void sliders(struct markup *m, const struct report *r)
{
	static const int most[] = { 256, 64, 64 };
	int n = r->plans->n_dims;

	if (r->n_plans > 1)
		report_slider(m, "kernel", "kernel", 0, r->n_plans - 1, 1, 0);
	for (int i = 0; i < 3 && i < n; i++) {
		int size = r->plans->pitch[n - 1 - i];

		report_slider(m, size_name[i], size_name[i], 1,
			larger(most[i], size), 1, size);
	}
}

/* The points of the first kernel. */
static void counts(struct markup *m, const struct report *r)
{
	markup_number(m, "data-points", picture_points(r->plans));
}

static const struct explorer_view views[] = {
	{ "explorer-stages", "Stages of a tile, from below",
	  "Points of each stage along a dimension" },
	{ "explorer-plane", "The tile and its neighbours",
	  "Points that the stage computes in the tile's plane" },
	{ NULL, NULL, NULL },
};

static const struct explorer_number numbers[] = {
	{ "stages", NULL, "stages of the kernel" },
	{ "own", NULL, "points of the tile" },
	{ "points", NULL, "points computed, all stages" },
	{ "stored", "stored", "of the tile itself" },
	{ "again", "loaded", "around it: neighbours compute them, too" },
	{ "overlap", NULL, "computed for each of the tile" },
	{ "row-points", NULL, "points of this moment" },
	{ NULL, NULL, NULL },
};

const struct explorer blocks_explorer = {
	.intro = "A launch computes one step: all tiles, each by a block. It "
		"starts with the sizes chosen.",
	.too_large = "", .caption = "A tile",
	.button = { "Stage before", "Next stage", "Next plane or tile" },
	.views = views, .numbers = numbers,
	.counts = counts, .data = data, .sliders = sliders,
	.script = explore_blocks_text, .script_lines = EXPLORE_BLOCKS_LINES,
};

/* The explorer for hexagons and skewed rectangles. */
#include "picture/forms.h"

#include <stdio.h>

#include "picture/explore-hexagons-text.h"

/* The model's number for dimension "d". */
static int place_of(int d, int hex)
{
	return d == hex ? 0 : d < hex ? d + 1 : d;
}

/* Do all accesses to states have their dimensions in order? */
static bool has_plain_accesses(const struct scop *scop)
{
	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		if (s->n_dims != scop->n_dims)
			return false;
		for (int j = -1; j < s->n_reads; j++) {
			const struct access *acc = j < 0 ? s->write :
				s->read[j];

			if (acc->field->kind != FIELD_STATE)
				continue;
			if (acc->field->n_dims != scop->n_dims ||
			    !access_is_in_order(acc))
				return false;
		}
	}
	return true;
}

static void json_rationals(struct json *j, const char *name,
	const struct rational *r, int n)
{
	json_open(j, name, '[');
	for (int i = 0; i < n; i++) {
		json_open(j, NULL, '[');
		json_int(j, NULL, r[i].num);
		json_int(j, NULL, r[i].den);
		json_close(j, ']');
	}
	json_close(j, ']');
	json_line(j);
}

static void data(struct json *j, const struct report *r)
{
	const struct plan *plan = r->plans;
	struct cone cone;

	cone_of_deps(r->scop->deps, r->scop->n_dims, &cone);
	report_json_program(j, r);
	json_rationals(j, "delta0", cone.delta0, cone.n_dims);
	json_rationals(j, "delta1", cone.delta1, cone.n_dims);
	json_open(j, "threads", '[');
	for (int i = 0; i < 3; i++)
		json_int(j, NULL, i < plan->n_dims ? plan->threads[i] : 1);
	json_close(j, ']');
	json_bool(j, "reuse", plan->opt.shared &&
		plan->opt.reuse != REUSE_NONE);
	json_bool(j, "skewed", plan_is_diagonal(plan));
	json_int(j, "hex", plan->tiles.hex_dim);
}

/* Sizes for which a page can count in a moment. */
static void print_widths(struct markup *m, const struct plan *plan)
{
	static const int most_inner[] = { 512, 64, 16, 8 };
	int n = plan->n_dims, hex = plan->tiles.hex_dim;
	int most = most_inner[n < 2 ? 0 : n > 5 ? 3 : n - 2];
	int w[IR_MAX_DIMS];
	char name[16];

	for (int d = 0; d < n; d++)
		w[place_of(d, hex)] = d == hex ? plan->tiles.hexagon.w0 :
			plan->tiles.width[d];
	for (int d = 0; d < n; d++) {
		snprintf(name, sizeof(name), "w%d", d);
		report_slider(m, name, name, d ? 1 : 0, d ? most : 48, 1, w[d]);
	}
}

static void sliders(struct markup *m, const struct report *r)
{
	int k = r->scop->k, most = (24 + k - 1) / k * k - 1;

	report_slider(m, "h", "h", k - 1, larger(most, 9 * k - 1), k,
		r->plans->tiles.hexagon.h);
	print_widths(m, r->plans);
}

static void skewed_sliders(struct markup *m, const struct report *r)
{
	report_slider(m, "h", "h", 1, 8, 1, r->plans->tiles.hexagon.h);
	print_widths(m, r->plans);
}

/* What the compiler counts for the chosen sizes, if that takes a moment only. */
static void counts(struct markup *m, const struct report *r)
{
	enum { MOST_POINTS = 20000 };
	const struct plan *plan = r->plans;
	double points = (double) hexagon_points(&plan->tiles.hexagon);
	struct transfers t;

	for (int d = 0; d < plan->n_dims; d++)
		points *= d == plan->tiles.hex_dim ? 1 : plan->tiles.width[d];
	if (points > MOST_POINTS)
		return;
	t = picture_transfers(plan);
	markup_number(m, "data-height", plan->tiles.hexagon.height);
	markup_number(m, "data-pitch", plan->tiles.hexagon.pitch);
	markup_number(m, "data-points", t.points);
	markup_number(m, "data-loaded", t.loaded);
	markup_number(m, "data-reused", t.reused);
	markup_number(m, "data-stored", t.stored);
	markup_number(m, "data-kept", t.kept);
}

static const struct explorer_view views[] = {
	{ "explorer-pattern", "Rows of the schedule, time upwards",
	  "The tiles of the launches; those that have run are filled" },
	{ "explorer-values", "Values of a tile, a slice through its middle",
	  "Which values are loaded, reused, kept and stored" },
	{ NULL, NULL, NULL },
};

/* Skewed rectangles have all but the first two. */
static const struct explorer_number numbers[] = {
	{ "f0", NULL, "f0 = floor(\xce\xb4\xe2\x82\x80 h)" },
	{ "f1", NULL, "f1 = floor(\xce\xb4\xe2\x82\x81 h)" },
	{ "height", NULL, "H, rows of a tile" },
	{ "pitch", NULL, "W = 2 w0 + 2 + f0 + f1; w0 + drift if skewed" },
	{ "points", NULL, "points computed" },
	{ "loaded", "loaded", "values loaded" },
	{ "reused", "reused", "left by the tile before" },
	{ "stored", "stored", "computed, read by other blocks" },
	{ "kept", "kept", "computed, used in the block only" },
	{ "ratio", NULL, "loads for a point" },
	{ "row", NULL, "row a" },
	{ "row-points", NULL, "its points" },
	{ "threads", NULL, "threads that run" },
	{ NULL, NULL, NULL },
};

static const struct explorer hexagons = {
	.intro = "It starts with the sizes chosen, or with those nearest to them that "
		"can be drawn.",
	.too_large = "This is a large tile: the numbers take a moment.",
	.caption = "A tile",
	.button = { "Row before", "Next row", "Next launch" },
	.has_meter = "part of the threads that run",
	.views = views, .numbers = numbers,
	.counts = counts, .data = data, .sliders = sliders,
	.script = explore_hexagons_text,
	.script_lines = EXPLORE_HEXAGONS_LINES,
};

static const struct explorer skewed_rectangles = {
	.intro = "It starts with the sizes chosen, or with those nearest to them that "
		"can be drawn.",
	.too_large = "This is a large tile: the numbers take a moment.",
	.caption = "A tile",
	.button = { "Row before", "Next row", "Next wavefront" },
	.has_meter = "part of the threads that run",
	.views = views, .numbers = numbers + 2,
	.counts = counts, .data = data, .sliders = skewed_sliders,
	.script = explore_hexagons_text,
	.script_lines = EXPLORE_HEXAGONS_LINES,
};

const struct explorer *tiles_explorer(const struct report *r, const char **why)
{
	if (!plan_has_hexagons(r->plans))
		return r->scop->prog->waves ? &waves_explorer :
			&blocks_explorer;
	if (!has_plain_accesses(r->scop)) {
		*why = "not all fields have all dimensions";
		return NULL;
	}
	return plan_is_diagonal(r->plans) ? &skewed_rectangles : &hexagons;
}

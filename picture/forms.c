/* Pictures of plans: a row per form. */
#include "picture/forms.h"

static const struct form_picture tiles_picture = {
	.tile = tiles_draw, .work = tiles_draw_work,
	.describe = tiles_describe_picture, .explorer = tiles_explorer,
};

static const struct form_picture *const forms[] = {
	[FORM_TILES] = &tiles_picture,
	[FORM_STRIPS] = &strips_picture,
	[FORM_GROUPS] = &groups_picture,
	[FORM_PIPELINE] = &pipelines_picture,
	[FORM_ONE_GRID] = &one_grid_picture,
};

enum { WIDTH = 760, LEFT = 20, TOP = 60 };

static double draw_nothing(struct markup *m, double top)
{
	svg_label(m, NULL, LEFT, top, "there is nothing to compute");
	return top + 20;
}

void picture_tiles(struct text *t, enum picture_format format,
	const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	struct region *mem = region_new();
	struct text body = { 0 };
	struct markup m = { .out = &body, .is_tikz = format == AS_TIKZ };
	double height = n_plans == 0 ? draw_nothing(&m, TOP) :
		forms[plans->form]->tile(&m, plans, TOP, mem);

	picture_finish(t, &body, format, WIDTH, height,
		region_printf(mem, "%s: tiles", scop->prog->name),
		n_plans == 0 ? "Blocks of points of one step" :
		forms[plans->form]->describe(plans));
	region_free(mem);
}

void picture_schedule(struct text *t, enum picture_format format,
	const struct scop *scop,
	const struct plan *plans, int n_plans)
{
	struct region *mem = region_new();
	struct text body = { 0 };
	struct markup m = { .out = &body, .is_tikz = format == AS_TIKZ };
	double height = TOP;

	for (int i = 0; i < n_plans; i++)
		height = forms[plans[i].form]->work(&m, &plans[i], height,
			mem) + 20;
	if (n_plans == 0)
		draw_nothing(&m, height);
	picture_finish(t, &body, format, WIDTH, height, region_printf(mem,
		"%s: what a tile does", scop->prog->name),
		"The tiles that a block executes one after the other, and "
		"which values a tile loads, computes, keeps and stores");
	region_free(mem);
}

bool picture_of_tiles_says_all(const struct plan *plans, int n)
{
	return n > 0 && forms[plans->form]->tile_says_all;
}

const struct explorer *picture_explorer(const struct report *r,
	const char **why)
{
	return forms[r->plans->form]->explorer(r, why);
}

void picture_walk(struct json *j, const struct plan *plan)
{
	if (forms[plan->form]->walk)
		forms[plan->form]->walk(j, plan);
}

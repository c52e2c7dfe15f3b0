/* Pictures of groups of stages, whose tiles overlap. */
#include "picture/forms.h"
#include "schedule/groups.h"

static void walk(struct json *j, const struct plan *plan)
{
	const struct planes *p = plan->group->planes;

	if (!p)
		return;
	json_int(j, "first", p->first);
	json_int(j, "last", p->last);
	json_open(j, "lead", '[');
	for (int i = 0; i < plan->scop->n_stmts; i++)
		json_int(j, NULL, p->lead[i]);
	json_close(j, ']');
}

static const struct explorer *explorer(const struct report *r,
	const char **why)
{
	(void) r;
	(void) why;
	return &blocks_explorer;
}

/* Stages from below ------------------------------------------------------*/

/* Points "first" to "last" of the tile's dimension "d" that a stage computes. */
struct extent {
	int first, last;
};

static struct extent extent_of(const struct plan *plan, int number, int d)
{
	isl_set *points = tile_instances(plan, number);
	struct extent e = {
		(int) picture_extreme(points, 1 + d, false),
		(int) picture_extreme(points, 1 + d, true),
	};

	isl_set_free(points);
	return e;
}

static bool is_stage(const struct plan *plan, const struct scop_stmt *s)
{
	return !s->is_copy && tile_has(plan, s->number);
}

/* Each stage's points along "d"; blue are those of the tile. */
static double draw_stages(struct markup *m, const struct plan *plan, int d,
	double top, struct region *mem)
{
	struct bar *bar = region_array(mem, struct bar, plan->scop->n_stmts);
	int n = 0;

	for (int i = 0; i < plan->scop->n_stmts; i++) {
		const struct scop_stmt *s = &plan->scop->stmt[i];
		struct extent e;

		if (!is_stage(plan, s))
			continue;
		e = extent_of(plan, s->number, d);
		bar[n++] = (struct bar) { e.first, e.last, region_printf(mem,
			"%s, %s", s->stmt->name, s->stmt->write->field->name) };
	}
	return bars_draw(m, picture_dim(plan->scop, d), plan->pitch[d], n,
		bar, top);
}

static double draw(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	const struct planes *p = plan->group->planes;

	svg_label(m, "heading", 20, top, "A tile of strategy %s",
		plan->strategy->name);
	svg_label(m, "small", 20, top + 20, "a block computes these stages in "
		"a launch, from below: blue in its tile,");
	svg_label(m, "small", 20, top + 36, "orange around it what its "
		"neighbours compute, too");
	if (p)
		svg_label(m, "small", 20, top + 54, "plane after plane along "
			"%s: iterations %d .. %d, a stage some planes before "
			"those that read it", picture_dim(plan->scop, 0),
			p->first, p->last);
	top += 76;
	for (int d = plan->n_dims - 1; d >= 0; d--)
		if (plan->pitch[d] > 1)
			top = draw_stages(m, plan, d, top, mem);
	return top;
}

static const char *describe(const struct plan *plan)
{
	(void) plan;
	return "The stages of a tile and the points that each computes";
}

const struct form_picture groups_picture = {
	.tile = draw, .work = tiles_draw_work,
	.describe = describe, .explorer = explorer,
	.walk = walk,
};

/* Groups of stages, whose tiles overlap: what only they have. */
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

enum { WIDTH = 760, LEFT = 110, RIGHT = 120, ROW = 20 };

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

/* The stages along "d", from below; blue are the points of the tile. */
static double draw_stages(struct markup *m, const struct plan *plan, int d,
	double top)
{
	struct chart c = {
		.left = LEFT, .width = WIDTH - LEFT - RIGHT,
		.across = { .title = picture_dim(plan->scop, d), .from = 0,
			.to = plan->pitch[d] - 1, .counts = true },
	};
	double cell;

	for (int i = 0; i < plan->scop->n_stmts; i++)
		if (is_stage(plan, &plan->scop->stmt[i])) {
			struct extent e = extent_of(plan,
				plan->scop->stmt[i].number, d);

			c.across.from = smaller((int) c.across.from, e.first);
			c.across.to = larger((int) c.across.to, e.last);
			c.height += ROW;
		}
	c.top = top;
	cell = c.width / (c.across.to - c.across.from + 1);
	top += c.height;
	for (int i = 0; i < plan->scop->n_stmts; i++) {
		const struct scop_stmt *s = &plan->scop->stmt[i];
		struct extent e;

		if (!is_stage(plan, s))
			continue;
		top -= ROW;
		e = extent_of(plan, s->number, d);
		svg_rect(m, "loaded", LEFT + (e.first - c.across.from) * cell,
			top, (e.last - e.first + 1) * cell, ROW - 2);
		svg_rect(m, "stored", LEFT + (larger(0, e.first) -
			c.across.from) * cell, top, (smaller(plan->pitch[d] -
			1, e.last) - larger(0, e.first) + 1) * cell, ROW - 2);
		svg_label(m, "small end", LEFT - 8, top + 14, "%s, %s",
			s->stmt->name, s->stmt->write->field->name);
		svg_label(m, "small", WIDTH - RIGHT + 8, top + 14,
			"%s = %d .. %d", c.across.title, e.first, e.last);
	}
	top += c.height;
	c.across.from -= 0.5;
	c.across.to += 0.5;
	chart_across(m, &c);
	return top + 66;
}

static double draw(struct markup *m, const struct plan *plan, double top,
	struct region *mem)
{
	const struct planes *p = plan->group->planes;

	(void) mem;
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
			top = draw_stages(m, plan, d, top);
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

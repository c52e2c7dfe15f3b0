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

const struct form_picture groups_picture = {
	.tile = tiles_draw, .work = tiles_draw_work,
	.describe = tiles_describe_picture, .explorer = explorer,
	.walk = walk,
};

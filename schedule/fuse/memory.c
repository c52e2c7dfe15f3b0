/* What the tiles of a group of stages keep and write. */
#include "schedule/forms.h"
#include "schedule/groups.h"

static bool is_shared(const struct plan *plan, const struct field *field)
{
	return plan->group->in_shared[field->index];
}

static int version(const struct plan *plan, const struct field *field)
{
	return plan->group->version[field->index];
}

static bool writes(const struct plan *plan, const struct field *field)
{
	return plan->group->in_global[field->index];
}

static bool is_swept(const struct plan *plan)
{
	return plan->group->planes;
}

const struct form_memory groups_memory = {
	.is_shared = is_shared, .version = version, .writes = writes,
	.is_swept = is_swept,
};

/* Kernels of fused stages: their row of the table of forms. */
#include "codegen/fuse/fused.h"
#include "codegen/forms.h"

/* "lap, fli and flj, fused" */
static void describe(struct text *t, const struct builder *b, int index)
{
	const struct plan *plan = b->plan;
	int n = 0, at = 0;

	(void) index;
	for (int i = 0; i < b->scop->k; i++)
		n += tile_has(b->plan, i);
	for (int i = 0; i < b->scop->k; i++)
		if (tile_has(b->plan, i)) {
			text_printf(t, "%s%s", at == 0 ? "" : at + 1 < n ?
				", " : " and ", b->unit->prog->stmt[i]->write->
				field->name);
			at++;
		}
	text_printf(t, "%s: a block computes", n > 1 ? ", fused" : "");
	for (int d = 0; d < plan->n_dims; d++)
		text_printf(t, "%s%d", d ? " x " : " ", plan->pitch[d]);
	text_puts(t, " points");
	text_puts(t, n > 1 ? " of what leaves\nit, and of the others what "
		"these need." : ".");
	if (plan->group->planes)
		text_printf(t, "\nIt is swept along %s: an iteration computes "
			"a plane of each, and the planes that are\nstill to "
			"be read are kept in turn%s.", b->names->point[0],
			plan->group->planes->points[plan->n_dims - 1] > 0 ?
			", in registers until other threads read\nthem" : "");
}

static struct ks *tile(struct builder *b, const struct kx *full)
{
	return b->plan->group->planes ? swept_tile_of_block(b, full) :
		tile_of_block(b, full);
}

/* A thread has all registers that it needs. */
static int min_blocks(const struct plan *plan)
{
	(void) plan;
	return 1;
}

const struct form_code groups_code = {
	.tile = tile, .declare_memory = tile_declare_memory,
	.describe = describe, .overlaps = true, .min_blocks = min_blocks,
	.least_padded_dims = 2,
};

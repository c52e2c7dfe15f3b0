/* Kernels of fused stages: their row of the table of forms. */
#include "codegen/fuse/fused.h"
#include "codegen/forms.h"

/* "lap, fli and flj, fused" */
static void describe(struct text *t, const struct place *p, int index)
{
	const struct plan *plan = p->plan;
	int n = 0, at = 0;

	(void) index;
	for (int i = 0; i < p->scop->k; i++)
		n += tile_has(p->plan, i);
	for (int i = 0; i < p->scop->k; i++)
		if (tile_has(p->plan, i)) {
			text_printf(t, "%s%s", at == 0 ? "" : at + 1 < n ?
				", " : " and ", p->unit->prog->stmt[i]->write->
				field->name);
			at++;
		}
	text_printf(t, "%s: a block computes", n > 1 ? ", fused" : "");
	for (int d = 0; d < plan->n_dims; d++)
		text_printf(t, "%s%d", d ? " x " : " ", plan->pitch[d]);
	text_puts(t, " points");
	text_puts(t, n > 1 ? " of what it\nstores, and of the others what "
		"these need." : ".");
	if (plan->group->planes)
		text_printf(t, "\nIt is swept along %s: an iteration computes "
			"a plane of each, and the planes that are\nstill to "
			"be read are kept in turn%s.", p->names->point[0],
			plan->group->planes->points[plan->n_dims - 1] > 0 ?
			", in registers until other threads read\nthem" : "");
}

/* [t0, o..] of a tile */
static const struct kx *const *place_of_tile(const struct place *p)
{
	const struct plan *plan = p->plan;
	const struct kx **at = region_array(p->mem, const struct kx *,
		1 + plan->n_dims);

	at[0] = p->unit->prog->timed ? kx_name(p->mem, p->names->tt) :
		kx_int(p->mem, 0);
	for (int d = 0; d < plan->n_dims; d++)
		at[1 + d] = kx_binary(p->mem, OP_MUL, kx_name(p->mem,
			p->names->tile[d]), kx_int(p->mem, plan->pitch[d]));
	return at;
}

/* Note at the "if (full)" in "s" that it asks that of the tile. */
static void note_full(const struct place *p, struct ks *s,
	const struct kx *full)
{
	if (s->kind == KS_IF && s->x[0] == full)
		s->full_at = place_of_tile(p);
	for (int i = 0; s->kind == KS_BLOCK && i < s->n_children; i++)
		note_full(p, s->child[i], full);
}

static struct ks *tile(struct cursor *c, const struct kx *full)
{
	struct ks *tile = c->place->plan->group->planes ?
		swept_tile_of_block(c, full) : tile_of_block(c, full);

	if (full)
		note_full(c->place, tile, full);
	return tile;
}

static int min_blocks(const struct plan *plan)
{
	return plan->group->min_blocks;
}

const struct form_code groups_code = {
	.tile = tile, .declare_memory = tile_declare_memory,
	.describe = describe, .overlaps = true,
	.finish = reach_near_cells, .min_blocks = min_blocks,
	.least_padded_dims = 2,
};

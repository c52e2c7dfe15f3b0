/* The strategy point: a thread a point, a kernel a statement and step. */
#include "schedule/schedule.h"

static const char *point_applies(const struct scop *scop,
	const struct deps *deps)
{
	struct cone cone;

	if (scop->n_dims < 1)
		return "the program has no space dimension";
	if (!cone_of_deps(deps, scop->n_dims, &cone))
		return "its dependences have no bounded cone";
	return NULL;
}

/* { [tau, x] : tau = slot, 0 <= x < pitch } */
static __isl_give isl_set *block_shape(const struct plan *plan, int slot)
{
	isl_set *shape = isl_set_universe(isl_space_set_alloc(plan->scop->ctx,
		0, 1 + plan->n_dims));

	shape = isl_set_fix_si(shape, isl_dim_set, 0, slot);
	for (int d = 0; d < plan->n_dims; d++) {
		shape = isl_set_lower_bound_si(shape, isl_dim_set, 1 + d, 0);
		shape = isl_set_upper_bound_si(shape, isl_dim_set, 1 + d,
			plan->pitch[d] - 1);
	}
	return shape;
}

static int or_default(int value, int fallback)
{
	return value > 0 ? value : fallback;
}

/* Points of a block, innermost dimension first. */
static void block_extent(const struct tile_request *r, int n_dims, int *extent)
{
	static const int usual[3][3] = { { 256 }, { 32, 8 }, { 32, 4, 2 } };
	const int *u = usual[n_dims < 3 ? n_dims - 1 : 2];

	extent[0] = or_default(r->bx, u[0]);
	extent[1] = or_default(r->by, u[1]);
	extent[2] = or_default(r->bz, u[2]);
	for (int i = 3; i < n_dims; i++)
		extent[i] = 1;
}

static struct plan *point_plan(struct region *mem, struct diags *d,
	const struct scop *scop, const struct deps *deps,
	const struct tile_request *request, int *n_plans)
{
	struct plan *plans = region_array(mem, struct plan, scop->k);

	(void) d;
	for (int slot = 0; slot < scop->k; slot++) {
		struct plan *plan = &plans[slot];
		int extent[IR_MAX_DIMS] = { 0 };

		plan->strategy = &strategy_point;
		plan->scop = scop;
		plan->deps = deps;
		plan->n_phases = 1;
		plan->rows = scop->k;
		plan->time_pitch = 1;
		plan->n_dims = scop->prog->stmt[slot]->n_dims;
		plan->hex_dim = -1;
		block_extent(request, plan->n_dims, extent);
		for (int dim = 0; dim < plan->n_dims; dim++) {
			int i = plan->n_dims - 1 - dim;

			plan->role[dim] = ROLE_BLOCKS;
			plan->pitch[dim] = plan->width[dim] = extent[i];
			plan->skew[dim] = (struct rational) { 0, 1 };
		}
		plan_choose_threads(plan, request, extent);
		plan->shape = keep_set(mem, block_shape(plan, slot));
		plan_find_boxes(plan);
		plan_find_full(plan);
	}
	*n_plans = scop->k;
	return plans;
}

const struct strategy strategy_point = {
	.name = "point", .applies = point_applies, .plan = point_plan,
};

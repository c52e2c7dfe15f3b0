/* --tile=runtime: hexagons of several widths by one kernel, which has the width as an argument. */
#include "codegen/codegen.h"
#include "driver/driver.h"
#include "schedule/choice.h"

/* The widths least, least + step, .. up to that of "widest". */
struct widths_to_try {
	int least, step;
};

struct tile_request request_of_width(const struct tile_request *of, int width)
{
	struct tile_request request = *of;

	request.w[1] = request.threads[0] = width;
	return request;
}

/* The plans for these widths; NULL: some have none. */
static struct tile_widths *plan_widths(struct compilation *s, struct diags *unseen,
	const struct scop *scop, const struct plan *widest,
	const struct tile_request *request, struct widths_to_try range)
{
	struct tile_widths *w = region_new_of(s->mem, struct tile_widths);
	int most = plan_other_width(widest);
	int n = (most - range.least) / range.step + 1;
	int *width = region_array(s->mem, int, n);
	const struct plan **plan = region_array(s->mem, const struct plan *, n);
	struct plan **made = region_array(s->mem, struct plan *, n);
	int chunk = 1;

	for (int i = 0; i < n; i++) {
		struct tile_request own = request_of_width(request, range.least +
			i * range.step);
		int n_plans;

		made[i] = strategy_plan(unseen, widest->strategy, scop,
			s->machine, &own, &n_plans);
		if (!made[i] || n_plans != 1 ||
		    !plan_can_be_of_any_width(made[i]))
			return NULL;
		chunk = larger(chunk, made[i]->tiles.waves.least_chunk);
		width[i] = own.w[1];
		plan[i] = made[i];
	}
	for (int i = 0; i < n; i++) {
		made[i]->tiles.waves.least_chunk = chunk;
		made[i]->tiles.waves.enough_blocks =
			widest->tiles.waves.enough_blocks;
		made[i]->tiles.widths = w;
	}
	*w = (struct tile_widths) { n, width, plan };
	return w;
}

/* Are their kernels the same, but for numbers that follow from the width? */
static bool are_alike(struct compilation *s, const struct scop *scop,
	const struct tile_widths *w)
{
	const struct plan *widest = w->plan[w->n - 1];
	struct tile_variants one = { .n = 1, .plans = &widest,
		.has_widths = true, .width = 2 };
	struct plan plan = *widest;
	const char *sizes = NULL;

	one.sizes = &sizes;
	plan.tiles.variants = &one;
	return !codegen_lacks_widths(s->options.target->unit(s->mem, scop,
		&plan, 1, 0));
}

const struct plan *plan_of_widths(struct compilation *s, struct diags *unseen,
	const struct scop *scop, const struct plan *plan, int n_plans,
	const struct tile_request *request)
{
	enum { LONGEST_STEP = 4 };
	const int warp = (int) s->machine->warp_size;

	if (n_plans != 1 || !plan_can_be_of_any_width(plan))
		return plan;
	for (int step = warp; step <= LONGEST_STEP * warp; step *= 2)
		for (int least = step; plan_other_width(plan) % step == 0 &&
		     least < plan_other_width(plan); least += step) {
			const struct tile_widths *w = plan_widths(s, unseen,
				scop, plan, request, (struct widths_to_try) { least,
				step });

			if (w && are_alike(s, scop, w))
				return w->plan[w->n - 1];
		}
	return plan;
}

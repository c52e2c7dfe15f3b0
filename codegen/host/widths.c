/* Kernels and runs for tiles of several widths, which are an argument of both. */
#include "codegen/host/variants.h"
#include "codegen/tree/widths.h"

/* What make(.., i) returns for each width of "widths", as one function. */
static struct kfunc *of_any_width(const struct host *h,
	const struct tile_widths *widths, struct kfunc *(*make)(
		const struct host *h, const struct plan *plan, void *user),
	void *user)
{
	struct made_for m = {
		.mem = h->mem, .name = h->names->lanes.width, .n = widths->n,
		.value = widths->width,
		.of = region_array(h->mem, struct kfunc *, widths->n),
	};
	struct kfunc *f;

	for (int i = 0; i < widths->n; i++) {
		h->unit->n_once = 0;	/* names are those of one function */
		m.of[i] = make(h, widths->plan[i], user);
	}
	f = kfunc_of_any(&m);
	h->unit->lacks_widths = h->unit->lacks_widths || !f;
	return f ? f : m.of[m.n - 1];
}

static struct kfunc *make_kernel(const struct host *h, const struct plan *plan,
	void *user)
{
	const int *index = user;

	return kernel_of_plan(h->unit, plan, *index);
}

struct kfunc *host_kernel(const struct host *h, const struct plan *plan, int index)
{
	return plan->tiles.widths && host_variants(h) ? of_any_width(h,
		plan->tiles.widths, make_kernel, &index) :
		kernel_of_plan(h->unit, plan, index);
}

struct run_to_make {
	struct kfunc *const *kernels;
	struct kfunc *store;
};

static struct kfunc *make_run(const struct host *h, const struct plan *plan,
	void *user)
{
	struct run_to_make *run = user;
	struct host own = *h;

	own.plan = plan;
	return host_run(&own, run->kernels, &run->store);
}

struct kfunc *host_run_of_kernels(const struct host *h,
	struct kfunc *const *kernels, struct kfunc **store)
{
	struct run_to_make run = { kernels, NULL };
	struct kfunc *f = h->plan->tiles.widths && host_variants(h) ?
		of_any_width(h, h->plan->tiles.widths, make_run, &run) :
		make_run(h, h->plan, &run);

	*store = run.store;
	return f;
}

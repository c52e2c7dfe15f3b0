/* The strategies that there are. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/strategies.h"

enum { MOST_STRATEGIES = 8 };

/* For GPUs and for processors, each list ending with NULL. */
static const struct strategy *const strategies[2][MOST_STRATEGIES] = {
	{
#define GPU_STRATEGY(name) &strategy_##name,
#define CPU_STRATEGY(name)
#include "schedule/strategies.def"
#undef GPU_STRATEGY
#undef CPU_STRATEGY
	}, {
#define GPU_STRATEGY(name)
#define CPU_STRATEGY(name) &strategy_cpu_##name,
#include "schedule/strategies.def"
#undef GPU_STRATEGY
#undef CPU_STRATEGY
	},
};

const struct strategy *strategy_find(const char *name, bool for_cpu)
{
	for (int i = 0; strategies[for_cpu][i]; i++)
		if (!strcmp(strategies[for_cpu][i]->name, name))
			return strategies[for_cpu][i];
	return NULL;
}

void strategy_names(struct text *t, bool for_cpu)
{
	text_puts(t, "auto");
	for (int i = 0; strategies[for_cpu][i]; i++)
		text_printf(t, ", %s", strategies[for_cpu][i]->name);
}

void strategies_with(struct text *t, enum tile_option option, bool for_cpu)
{
	const char *between = "";

	for (int i = 0; strategies[for_cpu][i]; i++) {
		if (!(strategies[for_cpu][i]->options >> option & 1))
			continue;
		text_printf(t, "%s%s", between, strategies[for_cpu][i]->name);
		between = ", ";
	}
}

/* The quantity by which strategies compete. */
static double seconds_of(const void *prediction)
{
	const struct prediction *p = prediction;

	return p->n_candidates ? p->candidate[0].predicted_s *
		(1 + p->doubt) : INFINITY;
}

struct prediction strategy_predict(struct region *mem,
	const struct strategy *strategy, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook)
{
	int kind = scop->prog->timed ? smaller(scop->n_dims, 3) : 0;
	struct prediction p = { .strategy = strategy, .outlook = outlook,
		.doubt = strategy->doubt[kind] };

	strategy->predict(mem, scop, request, outlook, &p);
	return p;
}

struct plan *strategy_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans)
{
	assert(strategy_has_all(strategy, request, scop->n_dims));
	return strategy->plan(d, strategy, scop, machine, request, n_plans);
}

struct plan *strategy_complete_plan(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct outlook *outlook, const struct tile_request *request,
	int *n_plans)
{
	struct tile_request r = *request;

	if (strategy->complete && !strategy->complete(d, scop, outlook, &r))
		return NULL;
	return strategy_plan(d, strategy, scop, outlook->machine, &r, n_plans);
}

int strategies_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction **predictions)
{
	struct fastest f;

	fastest_start(&f, mem, MOST_STRATEGIES, sizeof(struct prediction),
		seconds_of);
	for (int i = 0; strategies[request->for_cpu][i]; i++) {
		const struct strategy *s = strategies[request->for_cpu][i];
		struct prediction p;

		if (s->by_name || s->applies(scop) ||
		    strategy_foreign(s, request) ||
		    (request->opt.at_run_time && request->for_cpu && !s->choice))
			continue;
		p = strategy_predict(mem, s, scop, request, outlook);
		fastest_try(&f, &p);
	}
	*predictions = f.all;
	return f.n;
}

void strategies_refused(struct text *t, const struct scop *scop, bool for_cpu)
{
	for (int i = 0; strategies[for_cpu][i]; i++) {
		const struct strategy *s = strategies[for_cpu][i];
		const char *why = s->by_name ? NULL : s->applies(scop);

		if (why)
			text_printf(t, "stencilc: strategy %s does not apply: "
				"%s\n", s->name, why);
	}
}

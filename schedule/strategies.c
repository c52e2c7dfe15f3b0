/* The strategies that there are. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "schedule/strategies.h"

enum { MOST_STRATEGIES = 8 };

/* For CUDA and for C, each list ends with NULL.  The first of equals is
 * taken.
 */
static const struct strategy *const strategies[2][MOST_STRATEGIES] = {
	{ &strategy_hex, &strategy_stream, &strategy_fuse, &strategy_zblock,
	   &strategy_point, &strategy_skew },
	{ &strategy_cpu_hex, &strategy_cpu_overlap, &strategy_cpu_fuse,
	   &strategy_cpu_point },
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

static double time_of(const struct prediction *p)
{
	return p->n_candidates ? p->candidate[0].predicted_s : INFINITY;
}

/* Move the last of "n" predictions to its place. */
static void insert_last(struct prediction *p, int n)
{
	for (int i = n - 1; i > 0 && time_of(&p[i]) < time_of(&p[i - 1]);
	     i--) {
		struct prediction slower = p[i - 1];

		p[i - 1] = p[i];
		p[i] = slower;
	}
}

struct prediction strategy_predict(struct region *mem,
	const struct strategy *strategy, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook)
{
	struct prediction p = { .strategy = strategy, .outlook = outlook };

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
	struct prediction *p = region_array(mem, struct prediction,
		MOST_STRATEGIES + 1);
	int n = 0;

	for (int i = 0; strategies[request->for_cpu][i]; i++) {
		const struct strategy *s = strategies[request->for_cpu][i];

		if (s->by_name || s->applies(scop) ||
		    strategy_foreign(s, request))
			continue;
		p[n++] = strategy_predict(mem, s, scop, request, outlook);
		insert_last(p, n);
	}
	*predictions = p;
	return n;
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

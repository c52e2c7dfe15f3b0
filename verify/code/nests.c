/* Fused stages as C: the loops over tiles, of one plan after the other. */
#include "verify/code/kept.h"

/* The step of C is the pass of a plan. */
static void name_pass(struct code *w)
{
	const struct variable *step = variable_called(w,
		w->nests->names->time);

	if (step)
		declare_variable(w, w->nests->names->tt)->number =
			step->number;
}

static bool read_nest(struct code *w, const struct ks *s)
{
	int number = w->nests->n++;

	if (number >= w->c->n_plans)
		return refute(w->c, "the code has tiles that no plan has");
	return read_tiles(w, s, &w->c->plan[number], name_pass);
}

bool check_nests(struct code *w, const struct kfunc *run, bool *any)
{
	struct nests nests = {
		.names = kernel_names_new(w->c->mem, w->c->prog),
		.read = read_nest,
	};
	struct code inner = *w;
	bool right;

	inner.nests = &nests;
	inner.follows_some = false;
	inner.touch = touch_in_memory;
	inner.call = NULL;
	inner.at = isl_set_copy(w->at);
	inner.ranges = isl_set_copy(w->ranges);
	right = read_statement(&inner, run->body);
	w->n_numbers = inner.n_numbers;
	isl_set_free(inner.at);
	isl_set_free(inner.ranges);
	*any = *any || nests.n > 0;
	return right && (nests.n == 0 || nests.n == w->c->n_plans ||
		refute(w->c, "the code lacks the tiles of a plan"));
}

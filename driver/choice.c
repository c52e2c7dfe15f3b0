/* The choice of strategy, sizes and plan. */
#include "driver/driver.h"

#include <stdio.h>
#include <string.h>

bool set_outlook(struct compilation *s, const struct scop *scop)
{
	const struct options *o = &s->options;
	struct outlook *outlook = region_new_of(s->mem, struct outlook);

	*outlook = o->outlook;
	outlook->machine = s->machine;
	s->outlook = outlook;
	return outlook_set_problem(outlook, &s->diags, scop, o->given.size,
		o->given.n_sizes);
}

/* The prediction of the strategy asked for, followed by one without a strategy;
 * NULL if it cannot serve.
 */
static struct prediction *predict_one(struct compilation *s,
	const struct scop *scop)
{
	struct prediction *p = region_array(s->mem, struct prediction, 2);
	const struct strategy *strategy = s->options.strategy;
	const struct tile_request *request = &s->options.tile;
	const char *why;

	why = strategy->applies(scop);
	if (why) {
		diag_plain(&s->diags, E_STRATEGY, "strategy '%s' does not "
			"apply: %s", strategy->name, why);
		return NULL;
	}
	why = strategy_foreign(strategy, request);
	if (why) {
		diag_plain(&s->diags, E_TILE, "strategy '%s' has no tile size "
			"'%s'", strategy->name, why);
		return NULL;
	}
	if (strategy->accepts &&
	    !strategy->accepts(&s->diags, scop, request, s->outlook))
		return NULL;
	*p = strategy_predict(s->mem, strategy, scop, request, s->outlook);
	return p;
}

static void print_refused(const struct scop *scop, bool for_cpu)
{
	struct text t = { 0 };

	strategies_refused(&t, scop, for_cpu);
	fputs(t.bytes ? t.bytes : "", stderr);
	text_free(&t);
}

/* The best tile with its hexagons in each dimension, where the dimension was
 * open.
 */
static void print_dims(const struct prediction *p)
{
	for (int i = 0; i < p->n_dims; i++) {
		struct text t = { 0 };

		hex_dim_print(&t, &p->dim[i]);
		fprintf(stderr, "stencilc: %s\n", t.bytes);
		text_free(&t);
	}
}

/* The predictions of the other strategies, "or up to" what one may take that is not chosen for
 * that.
 */
static bool print_others(const struct prediction *p)
{
	double best = p[0].candidate[0].predicted_s;
	bool other = false;

	for (int i = 1; p[i].strategy; i++) {
		double seconds = p[i].n_candidates ?
			p[i].candidate[0].predicted_s : 0;

		if (!p[i].n_candidates)
			continue;
		fprintf(stderr, "%s%s %.4g s", other ? ", " : " (",
			p[i].strategy->name, seconds);
		if (seconds < best)
			fprintf(stderr, " or up to %.4g s",
				seconds * (1 + p[i].doubt));
		other = true;
	}
	return other;
}

void report_choice(const struct compilation *s, const struct scop *scop,
	const struct prediction *p)
{
	const struct segments *segments = scop->prog->segments;
	const struct prediction *best = &p[0];

	if (!s->options.say.more)
		return;
	if (!best->n_candidates) {
		fprintf(stderr, "stencilc: strategy %s: no prediction: %s\n",
			best->strategy->name, best->why);
		return;
	}
	fprintf(stderr, "stencilc: problem %s\n", s->outlook->problem);
	if (segments && segments->most > 0)
		fprintf(stderr, "stencilc: segments of %lld steps, of which "
			"times are of one\n", (long long) segments->most);
	fprintf(stderr, "stencilc: strategy %s: predicted %.4g s",
		best->strategy->name, best->candidate[0].predicted_s);
	fprintf(stderr, "%s on %s; %s, %s binds\n", print_others(p) ? ")" : "",
		s->machine->name, best->sizes, best->binding);
	print_dims(best);
	if (best->remark)
		fprintf(stderr, "stencilc: %s\n", best->remark);
}

struct prediction *choose_strategy(struct compilation *s,
	const struct scop *scop)
{
	struct prediction *p;
	int n = 1;

	if (s->options.strategy)
		p = predict_one(s, scop);
	else
		n = strategies_predict(s->mem, scop, &s->options.tile,
			s->outlook, &p);
	if (n == 0 && s->options.tile.opt.at_run_time) {
		diag_plain(&s->diags, E_STRATEGY, "no strategy that takes sizes "
			"of tiles as arguments applies to the program; without "
			"--tile=runtime they are constants");
		return NULL;
	}
	if (n == 0) {
		diag_plain(&s->diags, E_STRATEGY, "no strategy applies to "
			"the program and has all sizes of --tile");
		return NULL;
	}
	report_stage(s, "model");
	if (s->options.say.more && !s->options.strategy)
		print_refused(scop, s->options.tile.for_cpu);
	return p;
}

/* Is "s" faster than the prediction behind "p"? */
static bool comes_next(const struct sized *s, const struct prediction *p)
{
	return !p[1].n_candidates ||
		s->predicted_s <= p[1].candidate->predicted_s;
}

/* The plan of the first candidate of "p" that has one (the last candidates are the best
 * hexagons in other dimensions), or of the sizes asked for, or NULL.
 */
static struct plan *plan_of_one(struct compilation *s, struct diags *d,
	const struct scop *scop, const struct prediction *p, int *n_plans)
{
	struct plan *plans = NULL;

	for (int i = 0; i < p->n_candidates && !plans; i++)
		plans = strategy_plan(d, p->strategy, scop, s->machine,
			&p->candidate[i].request, n_plans);
	for (int i = 0; i < p->n_others && !plans &&
	     comes_next(&p->other[i], p); i++)
		plans = strategy_plan(d, p->strategy, scop, s->machine,
			&p->other[i].request, n_plans);
	return plans ? plans : strategy_complete_plan(d, p->strategy, scop,
		s->outlook, &s->options.tile, n_plans);
}

/* Did the model find nothing in an unrestricted search? */
static bool has_no_tile(const struct compilation *s, const struct prediction *p)
{
	return p->n_candidates == 0 && p->why &&
		tile_request_is_open(&s->options.tile);
}

/* Warn if the strategy that was asked for has no tile that fits: its plan has the least one. */
static void warn_misfit(struct compilation *s, const struct prediction *p)
{
	if (!s->options.strategy || !has_no_tile(s, p))
		return;
	diag_plain(&s->diags, W_MISFIT, "no tile of strategy '%s' fits %s: %s",
		p->strategy->name, s->machine->name, p->why);
	diag_advice(&s->diags, "without --strategy stencilc takes the fastest "
		"one of those that fit");
}

/* Warn if the sizes asked for rule out the fastest strategy that has such sizes. */
static void warn_ruled_out(struct compilation *s, const struct prediction *fastest,
	const struct prediction *taken)
{
	if (taken == fastest || tile_request_is_open(&s->options.tile) ||
	    !taken->n_candidates || !fastest->n_candidates)
		return;
	diag_plain(&s->diags, W_MISFIT, "no tile of strategy '%s' has the sizes of "
		"--tile; '%s', which takes %.2g times as long, has them",
		fastest->strategy->name, taken->strategy->name,
		taken->candidate->predicted_s / fastest->candidate->predicted_s);
	diag_advice(&s->diags, "--strategy=%s says what it needs",
		fastest->strategy->name);
}

struct plan *plan_of(struct compilation *s, const struct scop *scop,
	struct prediction **choice, int *n_plans)
{
	const struct prediction *fastest = *choice;
	struct plan *plans = NULL;
	struct diags unseen;

	diags_init_unseen(&unseen);
	for (struct prediction *p = *choice; p->strategy && !plans; p++) {
		plans = plan_of_one(s, &unseen, scop, p, n_plans);
		if (plans)
			*choice = p;
		else if (s->options.say.more)
			fprintf(stderr, "stencilc: strategy %s: no tile has a "
				"plan\n", p->strategy->name);
	}
	diags_end_unseen(&unseen);
	if (plans) {
		warn_misfit(s, *choice);
		warn_ruled_out(s, fastest, *choice);
		return plans;
	}
	if (has_no_tile(s, *choice)) {
		diag_plain(&s->diags, E_STRATEGY, "strategy '%s' has no tile "
			"for this program: %s", (*choice)->strategy->name,
			(*choice)->why);
		return NULL;
	}
	return strategy_complete_plan(&s->diags, (*choice)->strategy, scop,
		s->outlook, &s->options.tile, n_plans);
}

/* Does the whole program have such a parameter, but not the block? */
static bool is_of_whole(const struct blocks *b, const char *name)
{
	bool is_known = false;

	for (int i = 0; i < b->whole->n_params; i++)
		is_known |= !strcmp(b->whole->param[i]->name, name);
	for (int i = 0; i < b->block->n_params; i++)
		is_known &= strcmp(b->block->param[i]->name, name) != 0;
	return is_known;
}

void drop_sizes_of_whole(struct compilation *s)
{
	struct problem_size *size = s->options.given.size;
	int n = s->options.given.n_sizes;

	s->options.given.n_sizes = 0;
	for (int i = 0; i < n; i++)
		if (!is_of_whole(s->mpi.blocks, size[i].name))
			size[s->options.given.n_sizes++] = size[i];
}

struct exchange_steps steps_of_exchange(const struct compilation *s,
	const struct plan *plans, int n_plans)
{
	enum { LEAST = 8 };
	int most = LEAST;

	if (s->mpi.ranks)
		return steps_of_ranks(s->mpi.ranks);
	if (s->options.with.mpi_steps)
		return with_zones(s, (struct exchange_steps) {
			.most = s->options.with.mpi_steps, .part = 1 });
	for (int i = 0; i < n_plans; i++)
		if (plans[i].time_pitch > most)
			most = plans[i].time_pitch;
	return with_zones(s, (struct exchange_steps) { .most = most < BLOCKS_MAX_STEPS ?
		most : BLOCKS_MAX_STEPS, .part = EXCHANGE_PART });
}

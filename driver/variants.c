/* --tile=runtime for GPUs: kernels in a few sizes; the code chooses one as it runs, by the
 * device's multiprocessors and the sizes of the grid.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "driver/driver.h"
#include "model/choose_length.inc"
#include "schedule/choice.h"

/* The problem's grid, and grids smaller by these factors in each dimension. */
static const int smaller_by[] = { 1, 2, 4, 8 };

/* At each point a variant takes at most so many times the best time there. */
#define MOST_LOSS 1.05

enum {
	MOST_VARIANTS = 6, MOST_MACHINES = 8, SCALES = 4,
	MOST_POINTS = MOST_MACHINES * SCALES,
	MOST_WIDTHS = 32,
	MOST_SHOWN = MOST_VARIANTS * MOST_WIDTHS + MOST_POINTS,
};

/* A machine and a grid, and the model's times for them. */
struct tried_point {
	const struct outlook *outlook;
	int64_t *size;			/* by parameter */
	struct sized best;
	const char *sizes;		/* its own */
	struct sized by[MOST_VARIANTS];	/* each variant with its arguments chosen; predicted_s
					 * is infinite if it does not fit */
};

struct search {
	struct compilation *s;
	const struct scop *scop;
	const struct strategy *strategy;
	struct tile_variants *found;
	const struct machine *machine[MOST_MACHINES];
	struct tried_point point[MOST_POINTS];
	int n_machines, n_points;
	int shown_variant[MOST_SHOWN];
	struct tile_request taken[MOST_VARIANTS];	/* what is an argument open */
};

/* Machines ------------------------------------------------------------------ */

static bool has_multiprocessors(const struct search *q, int64_t n)
{
	for (int i = 0; i < q->n_machines; i++)
		if (q->machine[i]->sm_count == n)
			return true;
	return false;
}

/* Can "m" run about the same code as "like"? */
static bool is_alike(const struct machine *m, const struct machine *like)
{
	return machine_is_gpu(m) && m->warp_size == like->warp_size &&
		m->root_set == like->root_set &&
		2 * m->shared_bytes_per_block >= like->shared_bytes_per_block;
}

static void find_machines(struct search *q)
{
	q->machine[q->n_machines++] = q->s->machine;
	for (int i = 0; i < machine_count(); i++) {
		const struct machine *m = machine_find(q->s->mem,
			machine_name(i));

		if (q->n_machines < MOST_MACHINES && is_alike(m, q->s->machine)
		    && !has_multiprocessors(q, m->sm_count))
			q->machine[q->n_machines++] = m;
	}
}

/* Points --------------------------------------------------------------------- */

/* Does the size of a field that a statement computes depend on it? */
static bool is_of_grid(const struct program *prog, const struct param *param)
{
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct field *f = prog->stmt[i]->write->field;

		for (int d = 0; d < f->n_dims; d++)
			if (expr_uses(f->size[d], param))
				return true;
	}
	return false;
}

static void find_params(struct search *q)
{
	const struct program *prog = q->scop->prog;
	const struct param **param = region_array(q->s->mem,
		const struct param *, prog->n_params + 1);

	q->found->param = param;
	for (int i = 0; i < prog->n_params; i++)
		if (!prog->param[i]->fixed && is_of_grid(prog, prog->param[i]))
			param[q->found->n_params++] = prog->param[i];
}

/* The problem with its grid smaller by this factor. */
static bool add_point(struct search *q, const struct machine *m, int by)
{
	const struct options *options = &q->s->options;
	int n = options->given.n_sizes, params = q->found->n_params;
	struct outlook *o = region_new_of(q->s->mem, struct outlook);
	struct problem_size *size = region_array(q->s->mem,
		struct problem_size, n + params);
	struct tried_point *p = &q->point[q->n_points];
	struct prediction found;

	if (n)
		memcpy(size, options->given.size, sizeof(*size) * (size_t) n);
	p->size = region_array(q->s->mem, int64_t, params + 1);
	for (int i = 0; i < params; i++) {
		const struct param *param = q->found->param[i];

		p->size[i] = larger(problem_value(q->scop, param,
			options->given.size, n) / by, 1);
		size[n + i] = (struct problem_size) { param->name, p->size[i] };
	}
	*o = options->outlook;
	o->machine = m;
	if (!outlook_set_problem(o, &q->s->diags, q->scop, size, n + params))
		return false;
	p->outlook = o;
	found = strategy_predict(q->s->mem, q->strategy, q->scop,
		&options->tile, o);
	if (found.n_candidates > 0) {
		p->best = found.candidate[0];
		p->sizes = found.sizes;
		q->n_points++;
	}
	return true;
}

/* Variants ------------------------------------------------------------------- */

static struct sized predicted(const struct search *q, const struct tried_point *p,
	const struct tile_request *request)
{
	struct prediction found = strategy_predict(q->s->mem, q->strategy,
		q->scop, request, p->outlook);

	return found.n_candidates ? found.candidate[0] : (struct sized) {
		.predicted_s = INFINITY };
}

/* The sizes of variant "v" with so many warps in a block. */
static struct tile_request with_warps(const struct search *q, int v, int warps)
{
	const struct plan *plan = q->found->plans[v];
	struct tile_request request = q->taken[v];

	request.threads[plan->tiles.warps.axis] = warps *
		plan->tiles.warps.lanes;
	return request;
}

static int64_t bytes_of_block(const struct machine *m, const struct tile_widths *widths,
	int i)
{
	struct plan plan = *widths->plan[i];

	plan.tiles.widths = i < widths->n - 1 ? NULL : widths;
	return plan_shared_bytes(&plan) + m->shared_reserved_bytes;
}

/* Variant "v" at "p" with tiles of width number "i"; each multiprocessor has shared memory for as
 * many blocks as if they were the widest.
 */
static struct sized with_width(const struct search *q, const struct tried_point *p,
	int v, int i)
{
	const struct tile_widths *widths = q->found->plans[v]->tiles.widths;
	struct tile_request request = request_of_width(&q->taken[v],
		widths->width[i]);
	struct machine machine = *p->outlook->machine;
	struct outlook outlook = *p->outlook;
	struct tried_point own = *p;

	machine.shared_bytes_per_sm = bytes_of_block(&machine, widths, i) *
		(machine.shared_bytes_per_sm / bytes_of_block(&machine, widths,
			widths->n - 1));
	outlook.machine = &machine;
	own.outlook = &outlook;
	return predicted(q, &own, &request);
}

/* Variant "v" at "p", with half the warps, a quarter, .., where that is faster: the registers of
 * a thread and the shared memory are those of most warps.
 */
static struct sized sized_at(const struct search *q, const struct tried_point *p,
	int v)
{
	const struct plan *plan = q->found->plans[v];
	const struct tile_widths *widths = plan->tiles.widths;
	struct sized best = predicted(q, p, &q->taken[v]);

	for (int i = 0; widths && i < widths->n; i++) {
		struct sized other = with_width(q, p, v, i);

		if (other.predicted_s < best.predicted_s)
			best = other;
	}
	if (plan->tiles.warps.least == 0)
		return best;
	for (int n = plan_most_warps(plan) / 2; n >= plan->tiles.warps.least;
	     n /= 2) {
		struct tile_request request = with_warps(q, v, n);
		struct sized fewer = predicted(q, p, &request);

		if (fewer.predicted_s < best.predicted_s && (double) fewer.k *
		    (double) plan->tiles.warps.shared_bytes <=
		    p->outlook->machine->shared_bytes_per_sm)
			best = fewer;
	}
	return best;
}

/* The fastest variant at "p"; its time relative to the best there. */
static int variant_at(const struct search *q, const struct tried_point *p,
	double *ratio)
{
	double least = INFINITY;
	int best = 0;

	for (int v = 0; v < q->found->n; v++) {
		if (p->by[v].predicted_s < least) {
			least = p->by[v].predicted_s;
			best = v;
		}
	}
	*ratio = least / p->best.predicted_s;
	return best;
}

/* Do fields have as many copies in both? */
static bool have_same_memory(const struct plan *a, const struct plan *b)
{
	bool same = a->form == b->form;

	for (int i = 0; i < a->scop->prog->n_fields; i++)
		same = same && a->scop->field[i].buffers ==
			b->scop->field[i].buffers;
	return same;
}

static bool take(struct search *q, const struct sized *sizes, const char *named,
	const struct plan *first, int n_plans, struct diags *unseen)
{
	const struct plan *plans;
	int n;

	plans = strategy_plan(unseen, q->strategy, q->scop, q->s->machine,
		&sizes->request, &n);
	if (!plans || n != n_plans || !have_same_memory(plans, first))
		return false;
	plans = plan_of_widths(q->s, unseen, q->scop, plans, n, &sizes->request);
	q->found->has_widths = q->found->has_widths || plans->tiles.widths;
	q->taken[q->found->n] = sizes->request;
	if (plan_given_dim(plans) >= 0)
		q->taken[q->found->n].l = -1;
	q->found->sizes[q->found->n] = named;
	q->found->plans[q->found->n] = plans;
	for (int i = 0; i < q->n_points; i++)
		q->point[i].by[q->found->n] = sized_at(q, &q->point[i],
			q->found->n);
	q->found->n++;
	return true;
}

/* Add the best sizes of the point where the variants so far lose most, if that is a twentieth
 * or more.
 */
static bool add_variant(struct search *q, const struct plan *plans,
	int n_plans, struct diags *unseen, bool *is_hopeless)
{
	double worst = MOST_LOSS;
	int at = -1;

	for (int i = 0; i < q->n_points; i++) {
		double ratio;

		variant_at(q, &q->point[i], &ratio);
		if (!is_hopeless[i] && ratio > worst) {
			worst = ratio;
			at = i;
		}
	}
	if (at < 0)
		return false;
	is_hopeless[at] = !take(q, &q->point[at].best, q->point[at].sizes, plans,
		n_plans, unseen);
	return true;
}

/* Does no point lose more than a twentieth, or more than now, without variant "v"? */
static bool is_needless(const struct search *q, int v)
{
	for (int i = 0; i < q->n_points; i++) {
		double now, least = INFINITY;

		if (variant_at(q, &q->point[i], &now) != v)
			continue;
		for (int u = 0; u < q->found->n; u++)
			if (u != v)
				least = fmin(least,
					q->point[i].by[u].predicted_s);
		if (least > MOST_LOSS * q->point[i].best.predicted_s)
			return false;
	}
	return true;
}

static void drop(struct search *q, int v)
{
	for (int u = v; u + 1 < q->found->n; u++) {
		q->taken[u] = q->taken[u + 1];
		q->found->sizes[u] = q->found->sizes[u + 1];
		q->found->plans[u] = q->found->plans[u + 1];
		for (int i = 0; i < q->n_points; i++)
			q->point[i].by[u] = q->point[i].by[u + 1];
	}
	q->found->n--;
}

/* A later variant whose width is an argument may do for an earlier one. */
static void drop_needless(struct search *q)
{
	for (int v = q->found->n - 1; v > 0; v--)
		if (is_needless(q, v))
			drop(q, v);
}

/* The length that a kernel gets for "length". */
static int length_given(const struct plan *plan, int length)
{
	const int d = plan_given_dim(plan);

	return stencilc_length(length, 1, 1, plan->tiles.given[d].least,
		plan->tiles.given[d].step);
}

/* -v: report the variant chosen at "p", and its loss. */
static void report_point(const struct search *q, const struct tried_point *p,
	int variant, const struct tile_request *request, int warps, double ratio)
{
	const struct tile_variants *v = q->found;
	const int length = warps > 0 ? request->l : 0;

	if (!q->s->options.say.more)
		return;
	fprintf(stderr, "stencilc: %s", p->outlook->machine->name);
	for (int i = 0; i < v->n_params; i++)
		fprintf(stderr, " %s=%lld", v->param[i]->name,
			(long long) p->size[i]);
	fprintf(stderr, ": variant %d", variant);
	if (length > 0)
		fprintf(stderr, " l=%d warps=%d", length_given(v->plans[variant],
			length), warps);
	if (v->plans[variant]->tiles.widths)
		fprintf(stderr, " w1=%d", request->w[1]);
	fprintf(stderr, ", %.3g times the best time\n", ratio);
}

static int warps_of(const struct plan *plan, const struct tile_request *request)
{
	return request->threads[plan->tiles.warps.axis] /
		plan->tiles.warps.lanes;
}

/* From tile to tile, given the sizes that are arguments. */
static int pitch_of(const struct plan *plan, const struct tile_request *request,
	int d)
{
	if (!plan_is_open(plan, d))
		return plan->pitch[d];
	return plan_is_given(plan, d) ? request->l : plan->tiles.warps.each *
		warps_of(plan, request) - plan->tiles.warps.less;
}

/* Blocks of a launch for each multiprocessor: of "plan" at "p", given the sizes that are
 * arguments.
 */
static int blocks_at(const struct tried_point *p, const struct plan *plan,
	const struct tile_request *request)
{
	double blocks = 1;

	for (int d = 0; d < plan->n_dims; d++)
		blocks *= ceil((double) p->outlook->grid[d] / pitch_of(plan,
			request, d));
	return (int) fmax(1, fmin(ceil(blocks /
		(double) p->outlook->machine->sm_count), 1 << 20));
}

/* Multiprocessors, sizes, variant, blocks, warps: of each point. */
static void fill_table(struct search *q)
{
	struct tile_variants *found = q->found;
	const bool given = plan_given_dim(found->plans[0]) >= 0;
	int *row;

	found->width = found->n_params + (given ? 4 : found->has_widths ? 3 : 2);
	found->n_rows = q->n_points;
	found->row = row = region_array(q->s->mem, int, q->n_points *
		found->width);
	for (int i = 0; i < q->n_points; i++, row += found->width) {
		const struct tried_point *p = &q->point[i];
		int *chosen = &row[1 + found->n_params];
		const struct tile_request *request;
		double ratio;

		row[0] = (int) p->outlook->machine->sm_count;
		for (int j = 0; j < found->n_params; j++)
			row[1 + j] = (int) p->size[j];
		chosen[0] = variant_at(q, p, &ratio);
		request = &p->by[chosen[0]].request;
		if (found->has_widths)
			chosen[1] = request->w[1];
		if (given) {
			const struct plan *plan = found->plans[chosen[0]];

			chosen[1] = blocks_at(p, plan, request);
			chosen[2] = warps_of(plan, request);
		}
		report_point(q, p, chosen[0], request, given ? chosen[2] : 0,
			ratio);
	}
}

/* What is shown --------------------------------------------------------------- */

/* Is variant "v" with these threads among what is shown? */
static bool is_shown(const struct search *q, int v,
	const struct tile_request *request)
{
	const struct tile_variants *found = q->found;
	const int axis = found->plans[v]->tiles.warps.axis;

	for (int i = 0; i < found->n_shown; i++)
		if (q->shown_variant[i] == v &&
		    found->shown[i]->threads[axis] == request->threads[axis])
			return true;
	return false;
}

/* --verify: variant "v" with strips of any length and so many warps. */
static bool show(struct search *q, int v, int warps)
{
	struct tile_variants *found = q->found;
	const struct plan *plan = found->plans[v];
	struct tile_request request = with_warps(q, v, warps);
	const struct plan *made;
	struct plan *shown;
	int n;

	if (is_shown(q, v, &request))
		return true;
	request.l = plan->pitch[plan_given_dim(plan)];
	made = strategy_plan(&q->s->diags, q->strategy, q->scop,
		q->s->machine, &request, &n);
	if (!made)
		return false;
	shown = region_new_of(q->s->mem, struct plan);
	*shown = *made;
	shown->tiles.warps.least = 0;
	q->shown_variant[found->n_shown] = v;
	found->shown[found->n_shown++] = shown;
	return true;
}

/* Variant "v" as it is, in each of its widths; where warps are arguments as many as it can have. */
static bool show_variant(struct search *q, int v)
{
	struct tile_variants *found = q->found;
	const struct plan *plan = found->plans[v];

	if (plan_given_dim(plan) >= 0)
		return show(q, v, plan_most_warps(plan));
	if (!plan->tiles.widths)
		found->shown[found->n_shown++] = plan;
	for (int i = 0; plan->tiles.widths && i < plan->tiles.widths->n; i++)
		found->shown[found->n_shown++] = plan->tiles.widths->plan[i];
	return true;
}

/* .. and what the points of the table get. */
static bool find_shown(struct search *q)
{
	struct tile_variants *found = q->found;
	bool done = true;

	found->shown = region_array(q->s->mem, const struct plan *, MOST_SHOWN);
	for (int v = 0; done && v < found->n; v++)
		done = show_variant(q, v);
	for (int i = 0; done && i < found->n_rows; i++) {
		int v = found->row[i * found->width + 1 + found->n_params];

		if (plan_given_dim(found->plans[v]) >= 0)
			done = show(q, v, found->row[(i + 1) *
				found->width - 1]);
	}
	return done;
}

static bool no_variants(struct compilation *s, const struct prediction *choice)
{
	diag_plain(&s->diags, E_TILE, "the model has no sizes for strategy '%s' "
		"to choose from as the code runs; without --tile=runtime they "
		"are constants", choice->strategy->name);
	return false;
}

bool find_variants(struct compilation *s, const struct scop *scop,
	const struct prediction *choice, struct plan *plans, int n_plans)
{
	struct search q = { .s = s, .scop = scop, .strategy = choice->strategy };
	bool is_hopeless[MOST_POINTS] = { false };
	struct diags unseen;
	bool done = true;

	diags_init_unseen(&unseen);
	q.found = region_new_of(s->mem, struct tile_variants);
	q.found->plans = region_array(s->mem, const struct plan *,
		MOST_VARIANTS);
	q.found->sizes = region_array(s->mem, const char *, MOST_VARIANTS);
	find_machines(&q);
	find_params(&q);
	for (int m = 0; done && m < q.n_machines; m++)
		for (int i = 0; done && i < SCALES; i++)
			done = add_point(&q, q.machine[m], smaller_by[i]);
	for (int i = 0; done && i < choice->n_candidates && !q.found->n; i++)
		take(&q, &choice->candidate[i], i == 0 ? choice->sizes : NULL,
			plans, n_plans, &unseen);
	while (q.found->n > 0 && q.found->n < MOST_VARIANTS && add_variant(&q,
		plans, n_plans, &unseen, is_hopeless))
		;
	if (q.found->has_widths)
		drop_needless(&q);
	if (done && q.found->n > 0) {
		fill_table(&q);
		done = !s->options.proof.asked || find_shown(&q);
	}
	diags_end_unseen(&unseen);
	if (done && q.found->n == 0)
		return no_variants(s, choice);
	plans->tiles.variants = q.found;
	return done;
}

/* The strategy hex of the C target: hexagonal tiles in time and the outermost
 * space dimension, skewed ones in the others, computed in place in the copies
 * that the fields rotate.  The hexagons of a phase are shared out to the
 * threads; nothing is computed twice and nothing is copied.
 */
#include <string.h>

#include "schedule/schedule.h"

/* What every size of tile has in common. */
struct cpu_hex {
	const struct scop *scop;
	struct cone cone;
	int line;			/* cells of a line of the cache */
	struct rational skew[IR_MAX_DIMS];
};

/* Rows of the innermost dimension start at whole lines, if they do in one
 * step: its skew is a multiple of them.
 */
static void find_skews(struct cpu_hex *x)
{
	int last = x->scop->n_dims - 1;

	x->line = 64 / type_size(x->scop->prog->stmt[0]->write->field->type);
	memcpy(x->skew, x->cone.delta1, sizeof(x->skew));
	if (last > 0 && x->skew[last].num > 0)
		x->skew[last] = (struct rational) { rational_ceil(
			x->cone.delta1[last], x->scop->k) <= x->line ?
			x->line : 2 * x->line, x->scop->k };
}

static bool find_common(struct cpu_hex *x, const struct scop *scop,
	const struct deps *deps)
{
	x->scop = scop;
	if (!cone_of_deps(deps, scop->n_dims, &x->cone))
		return false;
	find_skews(x);
	return true;
}

static const char *cpu_hex_applies(const struct scop *scop,
	const struct deps *deps)
{
	struct cpu_hex x;
	const char *why = hex_applies(scop, deps);

	if (why)
		return why;
	if (scop->is_guarded)
		return "a statement runs at some points of a tile only";
	if (!find_common(&x, scop, deps) || rational_ceil(x.cone.delta1[
	    scop->n_dims - 1], scop->k) > 2 * x.line)
		return "its innermost dimension is read too far away";
	return NULL;
}

static const char *cpu_hex_foreign(const struct tile_request *request)
{
	return request->hex_dim > 0 ? "hex_dim" : names_threads(request);
}

/* Sizes ------------------------------------------------------------------ */

struct cpu_hex_sizes {
	int h, w[IR_MAX_DIMS];
	struct cpu_terms terms;
};

static int widest_of(const struct hexagon *x)
{
	return x->w0 + 1 + x->f0 + x->f1;
}

static double words_of(const struct scop *scop)
{
	double bytes = 0;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->n_dims == scop->n_dims)
			bytes += type_size(f->type) *
				(f->kind == FIELD_STATE ? 2 : 1);
	}
	return bytes;
}

/* The cells of a row of tiles' box, "grow" steps of the skew wider than a tile
 * in each dimension d >= 1, and two more that they read; never more than the
 * whole grid.
 */
static double box_cells(const struct cpu_hex *x, const int *w, int grow,
	const struct outlook *o)
{
	double cells = 1;

	for (int d = 1; d < x->scop->n_dims; d++) {
		double extent = w[d] + 2 +
			(double) rational_floor(x->skew[d], grow);
		double whole = (double) o->hull[d];

		cells *= extent < whole ? extent : whole;
	}
	return cells;
}

/* All that a tile touches. */
static double tile_bytes(const struct cpu_hex *x, const struct hexagon *hex,
	const int *w, const struct outlook *o)
{
	return words_of(x->scop) * hex->pitch *
		box_cells(x, w, hex->height - 1, o);
}

/* What is no longer in a core's cache when it is used again after "bytes"
 * others: half of it after as many as the cache has, a guess.
 */
static double missing_part(double bytes, const struct machine *m)
{
	return bytes / (bytes + (double) m->shared_bytes_per_sm);
}

/* The bytes of a point and step that come from beyond the core's own cache.
 * None if all that a tile and the one before it touch stays in it.  Else what
 * the step before wrote, used again after a step of the tile, is read, fetched
 * to be written, and written back, and what the skew takes over from the tile
 * before is used again after a whole tile.
 */
static double far_bytes(const struct cpu_hex *x, const struct hexagon *hex,
	const int *w, const struct outlook *o)
{
	const struct machine *m = o->machine;
	double words = words_of(x->scop);
	double step = words * hex->pitch / 2 * box_cells(x, w, 0, o);
	double tile = tile_bytes(x, hex, w, o);
	double taken_over = 0;

	if (tile < 0.5 * (double) m->shared_bytes_per_sm)
		return 0;
	for (int d = 1; d < x->scop->n_dims; d++)
		if (w[d] < o->hull[d])
			taken_over += (double) x->skew[d].num / x->skew[d].den / w[d];
	return words * (1.5 * missing_part(step, m) +
		taken_over * missing_part(tile, m));
}

/* Threads that wait for others at the end of a phase, as a factor. */
static double imbalance(const struct hexagon *hex, const struct outlook *o)
{
	double cores = (double) o->machine->sm_count;
	int64_t tiles = o->hull[0] / hex->pitch + 1;
	double rounds = (double) -floor_div(-tiles, o->machine->sm_count);

	return rounds * cores / (double) tiles;
}

/* A row costs so many points more than it has: a guess, near enough to tell
 * short rows from long ones.
 */
enum { ROW_POINTS = 36 };

static double row_cost(const struct cpu_hex *x, const struct hexagon *hex,
	const int *w, const struct outlook *o)
{
	int last = x->scop->n_dims - 1;
	int most = last > 0 ? w[last] : hex->pitch / 2;
	double length = (double) o->hull[last];

	return 1 + ROW_POINTS / (most < length ? most : length);
}

static struct hexagon hexagon_of(const struct cpu_hex *x,
	const struct cpu_hex_sizes *sizes)
{
	return hexagon_make(x->cone.delta0[0], x->cone.delta1[0], sizes->h,
		sizes->w[0]);
}

/* The part of full speed, 0.75, is a rough fit to a few stencils on one machine
 * (doc/performance.md, "C on a CPU").
 */
static struct cpu_terms time_of(const struct cpu_hex *x,
	const struct cpu_hex_sizes *sizes, const struct outlook *o)
{
	struct hexagon hex = hexagon_of(x, sizes);
	struct cpu_problem problem = { .machine = o->machine,
		.steps = (double) o->steps,
		.barriers = 2.0 * x->scop->k / hex.height,
		.citer_s = citer_measured_s(o->machine, x->scop->prog->name),
		.efficiency = 0.75 };
	double reuse = (double) (hex.h + 1) * hex.pitch /
		(x->scop->k * (widest_of(&hex) + 2.0));

	for (int i = 0; i < x->scop->prog->n_stmts; i++) {
		const struct stmt *s = x->scop->prog->stmt[i];
		int word = type_size(s->write->field->type);
		double points = 1;

		for (int d = 0; d < s->n_dims; d++)
			points *= (double) o->size[i][d];
		problem.bytes += 4 * word * points / reuse;
		problem.operations += stmt_flops(s) * points;
		problem.points += points;
		problem.cache_bytes += (1 + s->n_reads) * word * points;
		problem.word_bytes = word;
	}
	problem.far_bytes = problem.points / x->scop->prog->n_stmts *
		far_bytes(x, &hex, sizes->w, o);
	return cpu_tile_time(&problem, imbalance(&hex, o) *
		row_cost(x, &hex, sizes->w, o), 0);
}

struct cpu_hex_search {
	const struct cpu_hex *x;
	const struct tile_request *request;
	const struct outlook *outlook;
	struct cpu_hex_sizes at;
	struct fastest fastest;
	const struct cpu_hex_sizes *found;	/* the fastest first */
};

static double seconds_of(const void *sizes)
{
	return ((const struct cpu_hex_sizes *) sizes)->terms.predicted_s;
}

static void try_sizes(struct cpu_hex_search *s)
{
	s->at.terms = time_of(s->x, &s->at, s->outlook);
	fastest_try(&s->fastest, &s->at);
}

/* Rows are cut where two dimensions follow each other only. */
static void try_widths(struct cpu_hex_search *s, int d)
{
	static const int inner[] = { 1 << 16, 1024, 512, 256, 128 };
	static const int middle[] = { 4, 8, 16 };
	bool last = d == s->x->scop->n_dims - 1;
	const int *width = last ? inner : middle;

	if (d == s->x->scop->n_dims) {
		try_sizes(s);
		return;
	}
	if (s->request->w[d] > 0) {
		s->at.w[d] = s->request->w[d];
		try_widths(s, d + 1);
		return;
	}
	for (int i = 0; i < (last ? 5 : 3); i++) {
		s->at.w[d] = width[i];
		try_widths(s, d + 1);
	}
}

/* Odd w0 make rows of even length where both slopes are whole. */
static void try_bases(struct cpu_hex_search *s)
{
	static const int more[] = { 0, 1, 3, 7, 11, 15, 23, 31, 47 };
	int least = hexagon_least_width(s->x->cone.delta0[0],
		s->x->cone.delta1[0], s->at.h);

	for (int i = 0; i < 9; i++) {
		s->at.w[0] = s->request->w[0] >= 0 ? s->request->w[0] :
			least + more[i];
		if (s->at.w[0] >= least)
			try_widths(s, 1);
		if (s->request->w[0] >= 0)
			return;
	}
}

/* Deeper hexagons were no faster where they were tried (doc/performance.md). */
static void search_sizes(struct cpu_hex_search *s)
{
	static const int steps[] = { 2, 3, 4, 6, 8, 12, 16, 24 };
	int most = s->x->scop->n_dims > 2 ? 11 : 23, k = s->x->scop->k;

	for (int i = 0; i < 8 && (i == 0 || steps[i] * k - 1 <= most); i++) {
		s->at.h = s->request->h >= 0 ? s->request->h :
			steps[i] * k - 1;
		try_bases(s);
		if (s->request->h >= 0)
			return;
	}
}

/* The fastest sizes for "request"; false if there are none. */
static bool search(struct region *mem, struct cpu_hex_search *s,
	const struct cpu_hex *x, const struct tile_request *request)
{
	s->x = x;
	s->request = request;
	s->outlook = request->outlook ? request->outlook :
		outlook_default(x->scop);
	fastest_start(&s->fastest, mem, s->outlook, 1000, sizeof(s->at),
		seconds_of);
	s->found = s->fastest.all;
	search_sizes(s);
	return s->fastest.n > 0;
}

/* Predictions and plans -------------------------------------------------- */

static struct sized sized_of(const struct cpu_hex_search *s, int i)
{
	const struct cpu_hex_sizes *found = &s->found[i];
	struct hexagon hex = hexagon_of(s->x, found);
	struct sized sized = { .request = *s->request, .k = 1,
		.predicted_s = found->terms.predicted_s,
		.tile_bytes = tile_bytes(s->x, &hex, found->w, s->outlook) };

	sized.request.h = found->h;
	for (int d = 0; d < s->x->scop->n_dims; d++)
		sized.request.w[d] = found->w[d];
	return sized;
}

static void cpu_hex_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	struct prediction *p)
{
	struct cpu_hex_search s = { .x = NULL };
	struct cpu_hex x;

	p->why = "h and w0 must fit each other";
	if (!find_common(&x, scop, deps) || !search(mem, &s, &x, request))
		return;
	p->n_candidates = fastest_within(&s.fastest, s.outlook->within);
	p->candidate = region_array(mem, struct sized, p->n_candidates);
	for (int i = 0; i < p->n_candidates; i++)
		p->candidate[i] = sized_of(&s, i);
	tiles_describe(mem, p, scop->n_dims, &s.found[0].terms);
}

/* Coordinates of tiles must not overflow. */
static bool widths_are_possible(struct diags *d,
	const struct tile_request *r)
{
	enum { MOST_WIDTH = 1 << 16 };

	for (int i = 0; i < IR_MAX_DIMS; i++)
		if (r->w[i] > MOST_WIDTH) {
			diag_plain(d, E_TILE, "w%d = %d: at most %d", i,
				r->w[i], MOST_WIDTH);
			return false;
		}
	return true;
}

static struct plan *cpu_hex_plan(struct region *mem, struct diags *d,
	const struct scop *scop, const struct deps *deps,
	const struct tile_request *request, int *n_plans)
{
	struct plan *plan = region_new_of(mem, struct plan);
	struct cpu_hex_search s = { .x = NULL };
	struct hexagon hexagon;
	struct cpu_hex x;

	if (!find_common(&x, scop, deps) ||
	    !hex_is_legal(d, scop, &x.cone, request, 0) ||
	    !widths_are_possible(d, request))
		return NULL;
	if (!search(mem, &s, &x, request)) {
		diag_plain(d, E_TILE, "no h goes with w0 = %d",
			request->w[0]);
		return NULL;
	}
	plan->strategy = &strategy_cpu_hex;
	plan->scop = scop;
	plan->deps = deps;
	hexagon = hexagon_make(x.cone.delta0[0], x.cone.delta1[0],
		s.found[0].h, s.found[0].w[0]);
	hex_place(mem, plan, &hexagon, 0, s.found[0].w, x.skew);
	for (int i = 0; i < 3; i++)
		plan->threads[i] = 1;
	plan_find_boxes(plan);
	plan_find_full(plan);
	plan_find_cover(plan);
	*n_plans = 1;
	return plan;
}

const struct strategy strategy_cpu_hex = {
	.name = "hex", .applies = cpu_hex_applies,
	.foreign = cpu_hex_foreign, .predict = cpu_hex_predict,
	.plan = cpu_hex_plan,
};

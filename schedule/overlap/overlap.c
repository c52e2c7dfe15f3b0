/* The strategy overlap, of the C target: tiles that overlap in space, so that
 * all of them run at the same time, through as many steps as a core's cache
 * holds.  In a tile, rows (of the outermost dimension) flow through a pipeline
 * of stages (m, i), statement i of the m-th step:
 *
 *	stage (m, i) computes row p - lag(m, i) when the front is at row p,
 *	lag(m, i) = m*period + lag_i
 *
 * and keeps it in a ring of rows until the last stage that reads it is past.
 * Of count steps, stage (m, i) computes the tile and
 * around_i + (count - m)*slope points on each side of it.
 */
#include <string.h>

#include "schedule/forms.h"

enum { LOW, HIGH, MOST_STATEMENTS = 16 };

/* The statement that writes "field", or -1. */
static bool is_own_point(const struct access *acc, int n_dims)
{
	return acc->field->n_dims == n_dims && access_is_in_order(acc);
}

static const char *why_not_stmt(const struct scop *scop, const struct stmt *s)
{
	const struct field *first = scop->prog->stmt[0]->write->field;

	if (s->n_dims != scop->n_dims)
		return "a statement has fewer dimensions than another";
	if (s->n_conditions > 0)
		return "a statement has a condition";
	if (stmt_is_mapped(s))
		return "a boundary stands in for cells outside the grid";
	for (int d = 0; d < s->n_dims; d++)
		if (!expr_same_size(s->write->field->size[d], first->size[d]))
			return "the fields have different sizes";
	for (int i = 0; i < s->n_reads; i++) {
		const struct field *f = s->read[i]->field;

		if (f->kind != FIELD_STATE)
			continue;
		if (!is_own_point(s->read[i], s->n_dims))
			return "a state is read at a point that is not near";
		if (program_writer(scop->prog, f) < 0)
			return "no statement writes a state that is read";
	}
	return NULL;
}

/* Is "e" undefined for some values of what it is computed from?  A real number
 * may be none that an int holds, and a divisor 0.
 */
static void find_partial(void *user, const struct expr *e)
{
	bool *found = user;
	int64_t divisor;

	if (e->type != TYPE_INT)
		return;
	if (e->kind == EXPR_CAST)
		*found = *found || e->arg[0]->type != TYPE_INT;
	else if (e->kind == EXPR_BINARY && (e->op == OP_DIV || e->op == OP_MOD))
		*found = *found || !expr_constant(e->arg[1], &divisor);
}

/* May a point be computed from cells that hold nothing, as its value is written
 * over?  Not from those of integers, or of fields that are no states, nor where
 * the statement makes an integer of a value.
 */
static bool needs_clipping(const struct program *prog)
{
	bool found = false;

	for (int i = 0; i < prog->n_fields; i++)
		if (prog->field[i]->type == TYPE_INT ||
		    prog->field[i]->kind != FIELD_STATE)
			return true;
	for (int i = 0; i < prog->n_stmts; i++)
		stmt_each_expr(prog->stmt[i], find_partial, &found);
	return found;
}

static const char *overlap_applies(const struct scop *scop,
	const struct deps *deps)
{
	const struct program *prog = scop->prog;

	if (!prog->timed)
		return "the program has no time loop";
	if (scop->n_dims == 1 && needs_clipping(prog))
		return "in one dimension all fields are states of real numbers, "
			"of which no integers are made";
	if (prog->n_stmts > MOST_STATEMENTS)
		return "the program has more than 16 statements";
	if (!deps_advance(deps))
		return "its dependences do not advance in time";
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		if (f->kind != FIELD_STATE)
			continue;
		if (f->depth > 1)
			return "a statement reads more than one past step";
		if (f->is_hidden && scop->n_dims == 1)
			return "in one dimension it has no temps";
		for (int j = 0, n = 0; j < prog->n_stmts; j++) {
			n += prog->stmt[j]->write->field == f;
			if (n > 1)
				return "two statements write a field";
		}
	}
	for (int i = 0; i < prog->n_stmts; i++) {
		const char *why = why_not_stmt(scop, prog->stmt[i]);

		if (why)
			return why;
	}
	return NULL;
}

/* The pipeline ---------------------------------------------------------- */

/* Call "each" for what statement "i" reads: version m - back of what statement
 * "writer" writes, at "offset".  Cells that it does not write carry over.
 */
static bool each_read(const struct program *prog, int i,
	bool (*each)(void *user, int i, int writer, int back,
		const int64_t *offset), void *user)
{
	const struct stmt *s = prog->stmt[i];
	static const int64_t here[IR_MAX_DIMS];
	bool changed = each(user, i, i, 1, here);

	for (int j = 0; j < s->n_reads; j++)
		if (s->read[j]->field->kind == FIELD_STATE)
			changed |= each(user, i,
				program_writer(prog, s->read[j]->field),
				1 - s->read[j]->version, s->read[j]->offset);
	return changed;
}

/* lag_i + back*period - lag_writer >= offset, and each lag at least 0 */
static bool raise_lag(void *user, int i, int writer, int back,
	const int64_t *offset)
{
	struct pipeline *p = user;
	int64_t least = offset[0] + p->lag[writer] - back * p->period;

	if (p->lag[i] >= least)
		return false;
	p->lag[i] = (int) least;
	return true;
}

/* The least period for which the lags settle. */
static bool find_lags(struct pipeline *p, const struct program *prog)
{
	enum { MOST = 64 };

	for (p->period = 0; p->period < MOST; p->period++) {
		bool changed = true;

		memset(p->lag, 0, sizeof(p->lag));
		for (int round = 0; changed && round <= prog->n_stmts; round++)
		{
			changed = false;
			for (int i = 0; i < prog->n_stmts; i++)
				changed |= each_read(prog, i, raise_lag, p);
		}
		if (!changed)
			return true;
	}
	return false;
}

static bool widen_ring(void *user, int i, int writer, int back,
	const int64_t *offset)
{
	struct pipeline *p = user;
	int rows = back * p->period + p->lag[i] - p->lag[writer] -
		(int) offset[0];

	if (rows > p->ring)
		p->ring = rows;
	return false;
}

/* How far around the tile stage (m, i) computes, for the last m and earlier. */
struct extents {
	int (*of)[MOST_STATEMENTS][IR_MAX_DIMS][2];	/* [count - m][i] */
	int u, n_dims;
};

static bool widen_extents(void *user, int i, int writer, int back,
	const int64_t *offset)
{
	struct extents *x = user;

	for (int d = 0; d < x->n_dims; d++) {
		int *to = x->of[x->u + back][writer][d];
		const int *from = x->of[x->u][i][d];
		int low = from[LOW] - (int) offset[d];
		int high = from[HIGH] + (int) offset[d];

		if (low > to[LOW])
			to[LOW] = low;
		if (high > to[HIGH])
			to[HIGH] = high;
	}
	return false;
}

static void find_slopes(struct region *mem, struct pipeline *p,
	const struct scop *scop)
{
	enum { STEPS = 16 };
	const struct program *prog = scop->prog;
	struct extents x = { .n_dims = scop->n_dims, .of = region_alloc(mem,
		sizeof(*x.of) * (STEPS + 1)) };

	for (x.u = 0; x.u < STEPS; x.u++)
		for (int i = prog->n_stmts - 1; i >= 0; i--)
			each_read(prog, i, widen_extents, &x);
	for (int i = 0; i < prog->n_stmts; i++)
		for (int d = 0; d < x.n_dims; d++)
			for (int side = LOW; side <= HIGH; side++) {
				int c = x.of[0][i][d][side];

				p->around[i][d][side] = c;
				for (int u = 1; u <= STEPS; u++) {
					int s = (x.of[u][i][d][side] - c +
						u - 1) / u;

					if (s > p->slope[d][side])
						p->slope[d][side] = s;
				}
			}
}

/* The most points beyond the tile of "steps" steps before the last. */
static int pipeline_around(const struct pipeline *p, int n_stmts, int d,
	int side, int steps)
{
	int most = 0;

	for (int i = 0; i < n_stmts; i++)
		if (p->around[i][d][side] > most)
			most = p->around[i][d][side];
	return most + steps * p->slope[d][side];
}

static int round_up(int n, int multiple)
{
	return (n + multiple - 1) / multiple * multiple;
}

/* The extent of a tile's memory in dimension "d" >= 1: rows are whole vectors
 * with one more at each end, and the versions of a cell not a multiple of 4096
 * bytes apart, which would make a store look like one to what is loaded next.
 */
static int memory_extent(const struct pipeline *p, int n_stmts, int d,
	int n_dims)
{
	int low = pipeline_around(p, n_stmts, d, LOW, p->steps);
	int high = pipeline_around(p, n_stmts, d, HIGH, p->steps);
	int n;

	if (d < n_dims - 1)
		return p->width[d] + low + high;
	n = p->width[d] + round_up(low, p->line) + round_up(high, p->line) +
		2 * p->margin;
	n = round_up(n, p->line);
	return n / p->line % 2 == 0 ? n + p->line : n;
}

static bool widen_ghosts(void *user, int i, int writer, int back,
	const int64_t *offset)
{
	struct pipeline *p = user;

	(void) i, (void) writer, (void) back;
	if (-offset[0] > p->ghosts[LOW])
		p->ghosts[LOW] = (int) -offset[0];
	if (offset[0] > p->ghosts[HIGH])
		p->ghosts[HIGH] = (int) offset[0];
	return false;
}

/* A tile of one dimension: its points and those around it in equal parts, none
 * shorter than what its neighbours read of it.
 */
static void set_parts(struct pipeline *p, int n_stmts)
{
	int after = pipeline_around(p, n_stmts, 0, HIGH, p->steps), least;

	p->lanes = p->line;
	p->before = pipeline_around(p, n_stmts, 0, LOW, p->steps);
	p->part = round_up(p->width[0] + p->before + after,
		LANE_ROWS * p->lanes) / p->lanes;
	least = p->ghosts[LOW] > p->ghosts[HIGH] ? p->ghosts[LOW] :
		p->ghosts[HIGH];
	if (p->part < least)
		p->part = round_up(least, LANE_ROWS);
	p->width[0] = p->part * p->lanes - p->before - after;
	p->extent[0] = p->ghosts[LOW] + p->part + p->ghosts[HIGH];
}

static void set_memory(struct pipeline *p, int n_stmts, int n_dims)
{
	if (n_dims == 1)
		set_parts(p, n_stmts);
	for (int d = 1; d < n_dims; d++) {
		p->extent[d] = memory_extent(p, n_stmts, d, n_dims);
		p->base[d] = pipeline_around(p, n_stmts, d, LOW, p->steps);
		if (d == n_dims - 1)
			p->base[d] = round_up(p->base[d], p->line) +
				p->margin;
	}
}

/* From the first row of any stage to past the last one. */
static void find_front(struct pipeline *p, int n_stmts)
{
	int lag = 0;

	for (int i = 0; i < n_stmts; i++)
		if (p->lag[i] > lag)
			lag = p->lag[i];
	p->front[LOW].count = pipeline_around(p, n_stmts, 0, LOW, 0);
	p->front[LOW].slope = p->slope[0][LOW];
	p->front[HIGH].count = lag + pipeline_around(p, n_stmts, 0, HIGH, 0);
	p->front[HIGH].slope = p->slope[0][HIGH] > p->period ?
		p->slope[0][HIGH] : p->period;
}

/* What does not depend on the sizes of the tile. */
static bool find_pipeline(struct region *mem, struct pipeline *p,
	const struct scop *scop)
{
	const struct program *prog = scop->prog;
	int last = scop->n_dims - 1, most = 1;

	if (!find_lags(p, prog))
		return false;
	for (int i = 0; i < prog->n_stmts; i++)
		each_read(prog, i, widen_ring, p);
	for (int i = 0; scop->n_dims == 1 && i < prog->n_stmts; i++)
		each_read(prog, i, widen_ghosts, p);
	find_slopes(mem, p, scop);
	find_front(p, prog->n_stmts);
	for (int i = 0; i < prog->n_stmts; i++)
		for (int d = 0; d < scop->n_dims; d++)
			p->edges[i][d] = edges_of(mem, prog, i, d);
	p->is_clipped = needs_clipping(prog);
	p->line = 64 / type_size(prog->stmt[0]->write->field->type);
	for (int i = 0; i < prog->n_stmts; i++)
		for (int side = LOW; side <= HIGH; side++)
			if (p->around[i][last][side] + p->slope[last][side] >
			    most)
				most = p->around[i][last][side] +
					p->slope[last][side];
	p->margin = round_up(most, p->line);
	return true;
}

/* Sizes ------------------------------------------------------------------ */

static int at_least_power(int n)
{
	int power = 1;

	while (power < n)
		power *= 2;
	return power;
}

/* Rows of the ring: those that stages wait for, and as many as they compute at
 * a time.
 */
static void set_ring(struct pipeline *p, int waiting, int n_dims)
{
	int rows = n_dims == 2 ? 4 : 2;

	p->ring = at_least_power(waiting + rows);
	p->rows = p->ring - waiting;
}

/* A pipeline that has no sizes yet; NULL: there is none. */
static struct pipeline *pipeline_begin(struct region *mem,
	const struct scop *scop)
{
	struct pipeline *p = region_new_of(mem, struct pipeline);

	if (!find_pipeline(mem, p, scop))
		return NULL;
	set_ring(p, p->ring, scop->n_dims);
	return p;
}

static double tile_bytes(const struct pipeline *p, const struct scop *scop)
{
	double bytes = 0;

	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct field *f = scop->prog->stmt[i]->write->field;
		double cells = p->ring;

		if (scop->n_dims == 1) {
			bytes += 2.0 * p->extent[0] * 64;
			continue;
		}
		for (int d = 1; d < scop->n_dims; d++)
			cells *= p->extent[d];
		bytes += cells * type_size(f->type) * (p->steps + 1);
	}
	return bytes;
}

static int or_given(int given, int value)
{
	return given > 0 ? given : value;
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The points computed for each point of the result. */
static double redundancy(const struct pipeline *p, const struct scop *scop)
{
	double factor = 1;

	if (scop->n_dims == 1)
		return (double) p->part * p->lanes / p->width[0];
	for (int d = 0; d < scop->n_dims; d++) {
		int last = d > 0 && d == scop->n_dims - 1;
		double around = pipeline_around(p, scop->prog->n_stmts, d, LOW,
			p->steps) + pipeline_around(p, scop->prog->n_stmts, d,
			HIGH, p->steps);

		factor *= 1 + (0.5 * around + (last ? p->line : 0)) /
			p->width[d];
	}
	return factor;
}

/* The part of full speed that tiles reach in one dimension and more, rough fits
 * to a few stencils on one machine (doc/performance.md, "C on a CPU"): short
 * rows, cut in two dimensions, keep lanes and stores waiting, and so do the
 * stages of several statements.
 */
static double efficiency_of(const struct scop *scop)
{
	if (scop->n_dims == 1)
		return 1;
	if (scop->prog->n_stmts > 1)
		return 0.2;
	return scop->n_dims == 2 ? 0.5 : 0.45;
}

static struct cpu_terms time_of(const struct pipeline *p,
	const struct scop *scop, const struct outlook *o)
{
	struct cpu_problem problem = { .machine = o->machine,
		.steps = (double) o->steps, .barriers = 1.0 / p->steps,
		.citer_s = citer_measured_s(o->machine, scop->prog->name),
		.efficiency = efficiency_of(scop) };

	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct stmt *s = scop->prog->stmt[i];
		int word = type_size(s->write->field->type);
		double points = 1;

		for (int d = 0; d < s->n_dims; d++)
			points *= (double) o->size[i][d];
		problem.bytes += 3 * word * points / p->steps;
		problem.operations += stmt_flops(s) * points;
		problem.points += points;
		problem.cache_bytes += (1 + s->n_reads) * word * points;
		problem.word_bytes = word;
	}
	/* Each cell goes to its part and back alone. */
	if (scop->n_dims == 1)
		problem.cache_bytes *= 1 + 6.0 / p->steps;
	return cpu_tile_time(&problem, redundancy(p, scop),
		tile_bytes(p, scop));
}

struct overlap_search {
	const struct scop *scop;
	const struct tile_request *request;
	const struct outlook *outlook;
	struct pipeline *p;
	struct fastest fastest;
	struct found {
		struct pipeline p;
		struct cpu_terms terms;
	} *found;		/* the fastest first */
};

static double seconds_of(const void *found)
{
	return ((const struct found *) found)->terms.predicted_s;
}

static void try_sizes(struct overlap_search *s)
{
	struct found new;

	set_memory(s->p, s->scop->prog->n_stmts, s->scop->n_dims);
	new.p = *s->p;
	new.terms = time_of(s->p, s->scop, s->outlook);
	fastest_try(&s->fastest, &new);
}

static void try_widths(struct overlap_search *s, int d)
{
	static const int inner[] = { 64, 128, 192, 256, 384, 512, 768, 1024 };
	static const int middle[] = { 8, 16, 24, 32, 48, 64, 96 };
	bool last = d == s->scop->n_dims - 1;
	const int *width = last ? inner : middle;
	int n = last ? 8 : 7;

	if (d == s->scop->n_dims) {
		try_sizes(s);
		return;
	}
	if (s->request->w[d] > 0) {
		s->p->width[d] = s->request->w[d];
		try_widths(s, d + 1);
		return;
	}
	for (int i = 0; i < n; i++) {
		s->p->width[d] = width[i];
		if (i == 0 || width[i] <= s->outlook->hull[d])
			try_widths(s, d + 1);
	}
}

/* Rows of a tile: four for each core, if they are many more than overlap. */
static int rows_of_tile(const struct overlap_search *s)
{
	int64_t rows = s->outlook->hull[0] /
		(2 * s->outlook->machine->sm_count) + 1;

	return (int) least(rows, 1 << 16);
}

/* Two versions of the fields in four fifths of the first-level cache. */
static int points_of_tile(const struct overlap_search *s)
{
	const struct pipeline *p = s->p;
	int n = s->scop->prog->n_stmts;
	int rows = (int) (0.8 * (double) s->outlook->machine->l1_bytes_per_sm /
		(2 * 64 * n));
	int around = pipeline_around(p, n, 0, LOW, p->steps) +
		pipeline_around(p, n, 0, HIGH, p->steps);

	return rows * p->line > 2 * around ? rows * p->line - around : around;
}

static void search_sizes(struct overlap_search *s)
{
	static const int steps[] = { 2, 3, 4, 6, 8, 12, 16, 24, 32, 48 };
	int n = s->scop->n_dims == 1 ? 10 : 9;

	for (int i = 0; i < n; i++) {
		s->p->steps = or_given(s->request->h, steps[i]);
		s->p->width[0] = or_given(s->request->w[0], s->scop->n_dims ==
			1 ? points_of_tile(s) : rows_of_tile(s));
		try_widths(s, 1);
		if (s->request->h > 0)
			return;
	}
}

/* Predictions and plans -------------------------------------------------- */

static bool has_senseless_size(const struct tile_request *r, int n_dims)
{
	for (int d = 0; d < n_dims; d++)
		if (r->w[d] == 0 || r->w[d] > 1 << 16)
			return true;
	return r->h == 0 || r->h > 256;
}

/* The fastest sizes for "request"; false if they make no sense. */
static bool search(struct region *mem, struct overlap_search *s,
	const struct scop *scop, const struct tile_request *request,
	const struct outlook *outlook)
{
	s->scop = scop;
	s->request = request;
	s->outlook = outlook;
	fastest_start(&s->fastest, mem, outlook, 1000,
		sizeof(struct found), seconds_of);
	s->found = s->fastest.all;
	s->p = has_senseless_size(request, scop->n_dims) ? NULL :
		pipeline_begin(mem, scop);
	if (s->p)
		search_sizes(s);
	return s->p;
}

static struct sized sized_of(const struct overlap_search *s,
	const struct found *found)
{
	struct sized sized = { .request = *s->request, .k = 1,
		.predicted_s = found->terms.predicted_s,
		.tile_bytes = tile_bytes(&found->p, s->scop) };

	sized.request.h = found->p.steps;
	for (int d = 0; d < s->scop->n_dims; d++)
		sized.request.w[d] = found->p.width[d];
	return sized;
}

static void overlap_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	const struct outlook *outlook, struct prediction *p)
{
	struct overlap_search s;

	(void) deps;
	p->why = "h is at least 1 and at most 256, a width at least 1";
	if (!search(mem, &s, scop, request, outlook))
		return;
	p->n_candidates = fastest_within(&s.fastest, outlook->within);
	p->candidate = region_array(mem, struct sized, p->n_candidates);
	for (int i = 0; i < p->n_candidates; i++)
		p->candidate[i] = sized_of(&s, &s.found[i]);
	tiles_describe(mem, p, scop->n_dims, &s.found[0].terms);
}

static bool overlap_complete(struct diags *d, const struct scop *scop,
	const struct deps *deps, const struct outlook *outlook,
	struct tile_request *request)
{
	struct overlap_search s;

	(void) deps;
	if (!search(scop->mem, &s, scop, request, outlook)) {
		diag_plain(d, E_TILE, "h is at least 1 and at most 256, a "
			"width at least 1 and at most 65536");
		return false;
	}
	*request = sized_of(&s, &s.found[0]).request;
	return true;
}

/* Of these sizes. */
static struct pipeline *pipeline_of(struct region *mem,
	const struct scop *scop, const struct tile_request *request)
{
	struct pipeline *p = pipeline_begin(mem, scop);

	p->steps = request->h;
	for (int i = 0; i < scop->n_dims; i++)
		p->width[i] = request->w[i];
	set_memory(p, scop->prog->n_stmts, scop->n_dims);
	return p;
}

static struct plan *overlap_plan(struct region *mem, struct diags *d,
	const struct scop *scop, const struct deps *deps,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans)
{
	struct pipeline *pipeline = pipeline_of(mem, scop, request);
	struct tile_request points = *request;
	struct plan *plan;

	(void) machine;
	points.bx = points.by = points.bz = 1;
	for (int i = 0; i < 3; i++)
		points.threads[i] = 1;
	plan = blocks_plan(mem, d, &strategy_cpu_overlap, scop, deps, &points,
		false, n_plans);
	for (int i = 0; plan && i < *n_plans; i++) {
		plan[i].form = FORM_PIPELINE;
		plan[i].pipeline = pipeline;
	}
	return plan;
}

static void print_reach(struct text *t, const struct pipeline *p, int i,
	int d, int side)
{
	text_printf(t, "%d", p->around[i][d][side]);
	if (p->slope[d][side] > 0)
		text_printf(t, " + %d*(n - m)", p->slope[d][side]);
}

static void print(struct text *t, const struct plan *plan)
{
	const struct pipeline *p = plan->pipeline;
	int n = plan->scop->n_dims;

	text_printf(t, "%s: tiles of", plan->strategy->name);
	for (int d = 0; d < n; d++)
		text_printf(t, "%s %d", d ? " x" : "", p->width[d]);
	text_printf(t, " points through n = %d steps,\n%d rows at a time, "
		"rings of %d rows\n", p->steps, p->rows, p->ring);
	for (int i = 0; i < plan->scop->prog->n_stmts; i++) {
		text_printf(t, "stage (m, %d): row p - (%d*m + %d); around the "
			"tile", i, p->period, p->lag[i]);
		for (int d = 0; d < n; d++) {
			text_puts(t, d ? ", " : " ");
			print_reach(t, p, i, d, LOW);
			text_puts(t, " and ");
			print_reach(t, p, i, d, HIGH);
		}
		text_puts(t, "\n");
	}
}

const struct form_plans pipeline_plans = {
	.print = print, .draw = print, .as_one = true,
};

const struct strategy strategy_cpu_overlap = {
	.name = "overlap", .applies = overlap_applies,
	.sizes = SIZES_HEXAGONS, .predict = overlap_predict,
	.complete = overlap_complete, .plan = overlap_plan,
};

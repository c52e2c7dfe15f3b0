/* The strategy overlap, of the C target: tiles overlap in space, so that all of
 * them run at the same time, through as many steps as a core's cache holds.  In
 * a tile, rows (of the outermost dimension) flow through a pipeline of stages
 * (m, i), statement i of the m-th step:
 *
 *	stage (m, i) computes row p - lag(m, i) when the front is at row p,
 *	lag(m, i) = m*period + lag_i
 *
 * and keeps it in a ring of rows until the last stage that reads it is past.
 * Of count steps, stage (m, i) computes the tile and around_i + (count -
 * m)*slope points on each side of it.
 */
#include <math.h>

#include "schedule/forms.h"
#include "schedule/overlap/overlap.h"

/* Does "acc" read a cell beside its point, or at it? */
static bool is_own_point(const struct access *acc, int n_dims)
{
	return acc->field->n_dims == n_dims && access_is_in_order(acc);
}

static const char *why_not_stmt(const struct scop *scop, const struct stmt *s)
{
	const struct field *first = scop->prog->stmt[0]->write->field;

	if (s->n_dims != scop->n_dims)
		return "a statement has fewer dimensions than another";
	for (int d = 0; d < s->n_dims; d++)
		if (!expr_same_size(s->write->field->size[d], first->size[d]))
			return "the fields have different sizes";
	for (int i = 0; i < s->n_reads; i++) {
		const struct field *f = s->read[i]->field;

		if (f->kind != FIELD_STATE)
			continue;
		if (!is_own_point(s->read[i], s->n_dims))
			return "a state is read at a point that is not near";
		for (int d = 0; d < s->n_dims; d++)
			if (access_goes_around(s, s->read[i], d))
				return "a boundary joins both ends of the "
					"grid";
		if (program_writer(scop->prog, f) < 0)
			return "no statement writes a state that is read";
		if (s->read[i]->version > 0 &&
		    program_writer(scop->prog, f) >= s->index)
			return "a statement reads a value of its step that "
				"none before it writes";
	}
	return NULL;
}

static const char *overlap_applies(const struct scop *scop)
{
	const struct program *prog = scop->prog;

	if (!prog->timed)
		return "the program has no time loop";
	if (prog->waves)
		return "it has sweeps, of which each wave computes few points "
			"of a row";
	if (scop->n_dims == 1 && pipeline_needs_clipping(prog))
		return "in one dimension all fields are states of real numbers, "
			"of which no integers are made";
	if (prog->n_stmts > MOST_STATEMENTS)
		return "the program has more than 16 statements";
	if (!deps_advance(scop->deps))
		return "its dependences do not advance in time";
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		if (f->kind != FIELD_STATE)
			continue;
		if (f->is_hidden && scop->n_dims == 1)
			return "in one dimension it has no temps";
	}
	for (int i = 0; i < prog->n_stmts; i++) {
		const char *why = why_not_stmt(scop, prog->stmt[i]);

		if (why)
			return why;
	}
	return NULL;
}

/* Sizes ------------------------------------------------------------------ */

static double tile_bytes(const struct pipeline *p, const struct scop *scop)
{
	double bytes = 0;

	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct field *f = scop->prog->stmt[i]->write->field;
		double cells = p->ring;

		if (program_writer(scop->prog, f) != i)
			continue;
		if (scop->n_dims == 1) {
			bytes += (double) p->kept[i] * p->extent[0] * 64;
			continue;
		}
		for (int d = 1; d < scop->n_dims; d++)
			cells *= p->extent[d];
		bytes += cells * type_size(f->type) * (p->h + p->loaded[i]);
	}
	return bytes;
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
			p->h) + pipeline_around(p, scop->prog->n_stmts, d,
			HIGH, p->h);

		factor *= 1 + (0.5 * around + (last ? p->line : 0)) /
			p->width[d];
	}
	return factor;
}

static int count_fields_written(const struct program *prog)
{
	int n = 0;

	for (int i = 0; i < prog->n_stmts; i++)
		n += program_writer(prog, prog->stmt[i]->write->field) == i;
	return n;
}

/* The part of full speed that tiles reach in one dimension and more, rough fits to a few
 * stencils on one machine (doc/attempts.md).  Short rows, cut in two dimensions, keep lanes and
 * stores waiting, and so do the stages of several fields.  Each further statement of a field
 * tests in each row whether it has points there.
 */
static double efficiency_of(const struct scop *scop)
{
	int fields = count_fields_written(scop->prog);
	int more = scop->prog->n_stmts - fields;

	if (scop->n_dims == 1)
		return 1;
	return (fields > 1 ? 0.2 : scop->n_dims == 2 ? 0.5 : 0.45) /
		(1 + 0.02 * more);
}

/* The cells that statement "i", the first one of its field, keeps because conditions exclude
 * them.
 */
static double points_kept(const struct pipeline *p, const struct scop *scop,
	const struct outlook *o, int i)
{
	const struct program *prog = scop->prog;
	const struct field *f = prog->stmt[i]->write->field;
	double left = 1;

	if (!p->points[i].kept)
		return 0;
	for (int d = 0; d < scop->n_dims; d++)
		left *= (double) o->grid[d];
	for (int j = i; j < prog->n_stmts; j++)
		if (prog->stmt[j]->write->field == f)
			left -= outlook_points(o, prog->stmt[j]);
	return left > 0 ? left : 0;
}

/* In one dimension lanes hold all points of statement "i", including those that it does not
 * compute, unless it has a single point.  Does it test each point?
 */
static bool asks_lanes(const struct pipeline *p, const struct scop *scop,
	const struct outlook *o, int i)
{
	return scop->n_dims == 1 && p->points[i].computed &&
		outlook_points(o, scop->prog->stmt[i]) > 1;
}

static void add_conditions(struct cpu_problem *problem,
	const struct pipeline *p, const struct scop *scop,
	const struct outlook *o)
{
	enum { ASKING = 8 };	/* operations, as fitted */

	for (int i = 0; i < scop->prog->n_stmts; i++) {
		const struct stmt *s = scop->prog->stmt[i];
		double bytes = points_kept(p, scop, o, i) *
			type_size(s->write->field->type);

		problem->bytes += bytes;
		problem->cache_bytes += 2 * bytes;
		if (asks_lanes(p, scop, o, i))
			problem->operations += ((double) o->grid[0] -
				outlook_points(o, s)) * stmt_flops(s) +
				(double) o->grid[0] * ASKING;
	}
}

/* Does read "i" of point "row", among the points computed together, load a cell that none
 * before it loads?
 */
static bool is_loaded_first(const struct stmt *s, int i, int row)
{
	const struct access *a = s->read[i];

	for (int r = 0; r <= row; r++)
		for (int j = 0; j < (r < row ? s->n_reads : i); j++) {
			const struct access *b = s->read[j];

			if (a->field == b->field && a->version == b->version &&
			    a->offset[0] + row == b->offset[0] + r)
				return false;
		}
	return true;
}

/* In one dimension vectors hold distant cells, all loads are aligned, and four consecutive
 * points share what they load.
 */
static double bytes_of_lanes(const struct pipeline *p,
	const struct scop *scop, const struct outlook *o)
{
	const struct program *prog = scop->prog;
	enum { POINTS = 4 };
	double bytes = 0;

	for (int n = 0; n < prog->n_stmts; n++) {
		const struct stmt *s = prog->stmt[n];
		int loads = 0;

		for (int row = 0; row < POINTS; row++)
			for (int i = 0; i < s->n_reads; i++)
				loads += is_loaded_first(s, i, row);
		bytes += (1 + (double) loads / POINTS) *
			type_size(s->write->field->type) *
			(asks_lanes(p, scop, o, n) ? (double) o->grid[0] :
				outlook_points(o, s));
	}
	return bytes;
}

/* Bytes that tiles load and store of versions before the last. */
static double bytes_of_past(const struct pipeline *p, const struct scop *scop,
	const struct outlook *o)
{
	double bytes = 0;

	for (int i = 0; i < scop->prog->n_stmts; i++) {
		double cells = p->loaded[i] - 1;

		for (int d = 0; d < scop->n_dims; d++)
			cells *= (double) o->grid[d];
		if (cells > 0)
			bytes += cells * type_size(
				scop->prog->stmt[i]->write->field->type);
	}
	return bytes;
}

/* How often a block of steps moves each byte that is written, from and to memory: a store reads
 * the line that it writes.  The result of a single block is in the memory of the call, and copied
 * to the caller's.
 */
static double moves_of_block(const struct outlook *o)
{
	return o->steps == 1 ? 6 : 3;
}

/* The blocks of a step on the average: all together an even number, so that the last one writes the
 * caller's grid, except that a single step is one.
 */
static double blocks_of_step(const struct pipeline *p, const struct outlook *o)
{
	const double steps = (double) o->steps;

	return steps == 1 ? 1 : 2 * ceil(steps / (2 * p->h)) / steps;
}

static struct cpu_terms time_of(const struct pipeline *p,
	const struct scop *scop, const struct outlook *o)
{
	struct cpu_problem problem = outlook_cpu_problem(o, scop->prog);

	problem.barriers = 1.0 / p->h;
	problem.efficiency = efficiency_of(scop);
	add_conditions(&problem, p, scop, o);
	problem.bytes = moves_of_block(o) * (problem.bytes +
		bytes_of_past(p, scop, o)) * blocks_of_step(p, o);
	if (scop->n_dims == 1) {
		/* Each cell moves to its part and back separately. */
		problem.cache_bytes = bytes_of_lanes(p, scop, o) *
			(1 + 6.0 / p->h);
		return cpu_overlapped_time(&problem, redundancy(p, scop), 1);
	}
	return cpu_tile_time(&problem, redundancy(p, scop),
		tile_bytes(p, scop));
}

struct overlap_search {
	struct pipeline *p;
	struct tile_search tiles;
};

static void try_sizes(struct overlap_search *s)
{
	const struct scop *scop = s->tiles.scop;
	struct tile_request *r = &s->tiles.at.sized.request;
	struct cpu_terms terms;

	pipeline_set_memory(s->p, scop->prog->n_stmts, scop->n_dims);
	terms = time_of(s->p, scop, s->tiles.outlook);
	r->h = s->p->h;
	for (int d = 0; d < scop->n_dims; d++)
		r->w[d] = s->p->width[d];
	tile_search_try(&s->tiles, &terms, tile_bytes(s->p, scop));
}

static void try_widths(struct overlap_search *s, int d)
{
	static const int inner[] = { 64, 128, 192, 256, 384, 512, 768, 1024 };
	static const int middle[] = { 8, 16, 24, 32, 48, 64, 96 };
	bool last = d == s->tiles.scop->n_dims - 1;
	const int *width = last ? inner : middle;
	int n = last ? 8 : 7;

	if (d == s->tiles.scop->n_dims) {
		try_sizes(s);
		return;
	}
	if (s->tiles.request->w[d] > 0) {
		s->p->width[d] = s->tiles.request->w[d];
		try_widths(s, d + 1);
		return;
	}
	for (int i = 0; i < n; i++) {
		s->p->width[d] = width[i];
		if (i == 0 || width[i] <= s->tiles.outlook->hull[d])
			try_widths(s, d + 1);
	}
}

/* Rows of a tile: a quarter of each core's share, if these are many more than
 * the overlap.
 */
static int rows_of_tile(const struct overlap_search *s)
{
	int64_t rows = s->tiles.outlook->hull[0] /
		(2 * s->tiles.outlook->machine->sm_count) + 1;

	return (int) smaller(rows, 1 << 16);
}

/* The versions of the fields that four fifths of the first-level cache can hold. */
static int points_of_tile(const struct overlap_search *s)
{
	const struct pipeline *p = s->p;
	const struct machine *m = s->tiles.outlook->machine;
	int n = s->tiles.scop->prog->n_stmts;
	int versions = 0, steps = p->h + pipeline_back(p, n), around, rows;

	for (int i = 0; i < n; i++)
		versions += p->kept[i] > 0 ? p->kept[i] : 2;
	rows = (int) (0.8 * (double) m->l1_bytes_per_sm / (64 * versions));
	around = pipeline_around(p, n, 0, LOW, steps) +
		pipeline_around(p, n, 0, HIGH, steps);

	return rows * p->line > 2 * around ? rows * p->line - around : around;
}

static void search_sizes(struct overlap_search *s)
{
	static const int steps[] = { 2, 3, 4, 6, 8, 12, 16, 24, 32, 48 };
	const struct tile_request *r = s->tiles.request;
	bool one_dim = s->tiles.scop->n_dims == 1;

	for (int i = 0; i < (r->h > 0 ? 1 : one_dim ? 10 : 9); i++) {
		s->p->h = size_or(r->h, steps[i]);
		s->p->width[0] = size_or(r->w[0], one_dim ? points_of_tile(s) :
			rows_of_tile(s));
		try_widths(s, 1);
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
	tile_search_start(&s->tiles, mem, scop, request, outlook);
	s->p = has_senseless_size(request, scop->n_dims) ? NULL :
		pipeline_begin(mem, scop);
	if (s->p)
		search_sizes(s);
	return s->p;
}

static void overlap_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	struct overlap_search s;

	p->why = "h is at least 1 and at most 256, a width at least 1";
	if (search(mem, &s, scop, request, outlook))
		tile_search_predict(mem, &s.tiles, p);
}

static bool overlap_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request)
{
	struct overlap_search s;

	if (!search(scop->mem, &s, scop, request, outlook)) {
		diag_plain(d, E_TILE, "h is at least 1 and at most 256, a "
			"width at least 1 and at most 65536");
		return false;
	}
	*request = *tile_search_choice(&s.tiles);
	return true;
}

/* The plans for these sizes. */
static struct pipeline *pipeline_of(const struct scop *scop,
	const struct tile_request *request)
{
	struct pipeline *p = pipeline_begin(scop->mem, scop);

	p->h = request->h;
	for (int i = 0; i < scop->n_dims; i++)
		p->width[i] = request->w[i];
	pipeline_set_memory(p, scop->prog->n_stmts, scop->n_dims);
	return p;
}

static struct plan *overlap_plan(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans)
{
	struct pipeline *pipeline = pipeline_of(scop, request);
	struct plan *plan = blocks_plan_points(d, strategy, scop, machine,
		request, n_plans);

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
		"rings of %d rows\n", p->h, p->rows, p->ring);
	for (int i = 0; i < plan->scop->prog->n_stmts; i++) {
		text_printf(t, "stage (m, %d): row p - (%d*m + %d); around the "
			"tile", i, p->period, p->lag[i]);
		for (int d = 0; d < n; d++) {
			text_puts(t, d ? ", " : " ");
			print_reach(t, p, i, d, LOW);
			text_puts(t, " and ");
			print_reach(t, p, i, d, HIGH);
		}
		if (p->points[i].computed)
			text_puts(t, "; at some points");
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

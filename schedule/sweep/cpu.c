/* The strategies of the C target that sweep the grid, once for each statement of a step.  They
 * are point, by plain nests, and block, which takes some rows of all planes at a time, so that
 * the planes read by a point are still in a cache when the next one reads them.
 */
#include <math.h>

#include "schedule/planes.h"
#include "schedule/strategies.h"

static const char *point_applies(const struct scop *scop)
{
	(void) scop;
	if (!deps_advance(scop->deps))
		return "its dependences do not advance in time";
	return NULL;
}

/* Traffic ----------------------------------------------------------------- */

static double in_use(const struct stmt *s, int rows, const struct outlook *o)
{
	return planes_in_use(s, rows, (double) o->hull[2]);
}

/* Other guests and arrays have a part of the last cache: on a Zen 3 its 32 MB work as 12. */
static double last_cache(const struct machine *m)
{
	return 12.0 / 32 * (double) m->l2_bytes;
}

/* The part of planes that the core's share of the last cache loses before a sweep of "s" in
 * blocks of "rows" uses them again.
 */
static double lost_part(const struct stmt *s, int rows, const struct outlook *o)
{
	return cpu_missing_part(in_use(s, rows, o), last_cache(o->machine) /
		(double) o->machine->sm_count);
}

/* Does "s" write the cells of its "read"? */
static bool is_in_place(const struct scop *scop, const struct stmt *s,
	const struct access *read)
{
	const struct field *f = s->write->field;

	return read->field == f && f->kind == FIELD_STATE &&
		(s->write->version - read->version) %
		scop->field[f->index].buffers == 0;
}

/* What a sweep of "s" moves for a point: what it reads, again for each plane of which a part is
 * lost and for the next block, and twice what it writes.  Lines are read before they are
 * written, once if they are the same.
 */
static double sweep_bytes(const struct scop *scop, const struct stmt *s,
	int rows, const struct outlook *o)
{
	double written = 2 * type_size(s->write->field->type), bytes = 0;
	double lost = lost_part(s, rows, o);

	for (int i = 0; i < s->n_reads; i++) {
		double times = 1 + lost * planes_span(s, i, 0);

		if (!read_is_first(s, i) ||
		    s->read[i]->field->n_dims != s->n_dims)
			continue;
		if (rows < o->hull[1])
			times *= 1 + (double) planes_span(s, i, 1) / rows;
		bytes += times * type_size(s->read[i]->field->type);
		if (is_in_place(scop, s, s->read[i]))
			written = type_size(s->write->field->type);
	}
	return bytes + written;
}

/* Bytes a step for copies of the caller's arrays to the code's own memory, and back after all
 * steps.  The arrays of a segment have all versions.
 */
static double copied_bytes(const struct scop *scop, const struct outlook *o)
{
	enum { MOVES = 2 * 3 };	/* read, and write what is read before */
	double bytes = 0;

	for (int i = 0; i < scop->k && scop->prog->timed; i++) {
		const struct stmt *s = scop->prog->stmt[i];
		const struct field *f = s->write->field;

		bytes += MOVES * type_size(f->type) * outlook_points(o, s) *
			(scop->prog->segments ?
				scop->field[f->index].buffers : 1);
	}
	return bytes / (double) o->steps;
}

/* What the statements of a sweep move, in a step. */
static double moved_bytes(const struct scop *scop, const struct outlook *o,
	int rows)
{
	double bytes = 0;

	for (int i = 0; i < scop->k; i++)
		bytes += outlook_cells(o, scop->prog->stmt[i]) *
			sweep_bytes(scop, scop->prog->stmt[i], rows, o);
	return bytes;
}

/* The next wave of "bytes" finds what caches have kept of them; so share "problem" out. */
static void keep_waves(struct cpu_problem *problem, const struct outlook *o,
	double bytes)
{
	const struct machine *m = o->machine;
	const double lost = cpu_missing_part(bytes, last_cache(m));

	problem->far_bytes = bytes * (1 - lost) * cpu_missing_part(bytes,
		(double) (m->sm_count * m->shared_bytes_per_sm));
	problem->bytes += bytes * lost;
}

/* Sweeps by "rows" rows at a time. */
static struct cpu_terms time_of(const struct scop *scop,
	const struct outlook *o, int rows)
{
	struct cpu_problem problem = outlook_cpu_problem(o, scop->prog);

	problem.barriers = scop->k;
	problem.streams = scop->n_dims == 3;
	problem.bytes = copied_bytes(scop, o);
	if (scop->prog->waves)
		keep_waves(&problem, o, moved_bytes(scop, o, rows));
	else
		problem.bytes += moved_bytes(scop, o, rows);
	return cpu_point_time(&problem, scop->n_dims < 3 ? 1 : cpu_row_work(
		(double) o->hull[scop->n_dims - 1] * problem.word_bytes));
}

/* Plain nests ------------------------------------------------------------- */

static void report(const struct prediction *p, struct text *t,
	struct json *j)
{
	const struct cpu_terms *terms = p->detail;

	if (!j) {
		cpu_report_text(t, p->strategy->name, terms);
		return;
	}
	cpu_report_json(j, p->strategy->name, terms);
	json_open(j, "tile", '{');
	json_close(j, '}');
}

static int all_rows(const struct outlook *o)
{
	return (int) smaller(o->hull[1], INT32_MAX);
}

static void point_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *o,
	struct prediction *p)
{
	struct cpu_terms *terms = region_new_of(mem, struct cpu_terms);

	*terms = time_of(scop, o, all_rows(o));
	p->n_candidates = 1;
	p->candidate = region_array(mem, struct sized, 1);
	p->candidate[0] = (struct sized) { .request = *request,
		.predicted_s = terms->predicted_s, .k = 1 };
	p->sizes = "no tiles";
	p->binding = terms->binding;
	p->report = report;
	p->detail = terms;
}

const struct strategy strategy_cpu_point = {
	.name = "point", .applies = point_applies,
	.predict = point_predict, .plan = blocks_plan_points,
};

/* Blocks ------------------------------------------------------------------ */

enum { MOST_ROWS = 1 << 20 };

/* Where hexagons are predicted to be as fast as blocks, they are faster (doc/performance.md,
 * "High orders").
 */
#define BLOCK_DOUBT 0.15

static const char *block_applies(const struct scop *scop)
{
	if (!deps_advance(scop->deps))
		return "its dependences do not advance in time";
	for (int n = 0; n < scop->prog->n_stmts; n++) {
		const struct stmt *s = scop->prog->stmt[n];

		for (int i = 0; i < s->n_reads; i++)
			if (planes_span(s, i, 0) > 0)
				return NULL;
	}
	return "no statement reads several planes of three dimensions";
}

static void try_rows(struct tile_search *s, int rows)
{
	const struct outlook *o = s->outlook;
	struct cpu_terms terms = time_of(s->scop, o, rows);
	double bytes = 0;

	for (int n = 0; n < s->scop->prog->n_stmts; n++)
		bytes = fmax(bytes, in_use(s->scop->prog->stmt[n], rows, o));
	s->at.sized.request.rows = rows;
	tile_search_try(s, &terms, bytes);
}

static void search(struct region *mem, struct tile_search *s,
	const struct scop *scop, const struct tile_request *request,
	const struct outlook *outlook)
{
	static const int rows[] = { 8, 16, 24, 32, 48, 64, 96, 128, 192, 256 };

	tile_search_start(s, mem, scop, request, outlook);
	if (request->rows > 0) {
		try_rows(s, request->rows);
		return;
	}
	for (int i = 0; i < 10; i++)
		if (i == 0 || rows[i] < outlook->hull[1])
			try_rows(s, rows[i]);
}

static void block_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	struct tile_search s;

	if (request->rows == 0 || request->rows > MOST_ROWS) {
		p->why = "a block has a row at least and 2^20 at most";
		return;
	}
	search(mem, &s, scop, request, outlook);
	tile_search_predict(mem, &s, p);
}

static bool block_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request)
{
	struct tile_search s;

	if (!size_is_possible(d, "rows", request->rows, 1, MOST_ROWS))
		return false;
	search(scop->mem, &s, scop, request, outlook);
	*request = *tile_search_choice(&s);
	return true;
}

static struct plan *block_plan(struct diags *d,
	const struct strategy *strategy, const struct scop *scop,
	const struct machine *machine, const struct tile_request *request,
	int *n_plans)
{
	struct plan *plan = blocks_plan_points(d, strategy, scop, machine,
		request, n_plans);

	for (int i = 0; plan && i < *n_plans; i++)
		plan[i].block_rows = request->rows;
	return plan;
}

const struct strategy strategy_cpu_block = {
	.name = "block", .doubt = DOUBT(BLOCK_DOUBT), .applies = block_applies,
	.sizes = SIZES_ROWS,
	.predict = block_predict, .complete = block_complete,
	.plan = block_plan,
};

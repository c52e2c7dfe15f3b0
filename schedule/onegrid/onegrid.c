/* The strategy onegrid, of the C target: tiles that lean back in two dimensions, on one grid.
 *
 * Each step writes a value over one of the step before that nobody needs any more, a plane and a
 * row on: the compressed grid of Wittmann, Hager and Wellein (doi:10.1142/S0129626410000296).  So
 * a core's cache holds tiles twice as large as with two grids, and a band of many steps reads and
 * writes memory once.  Threads share out the tiles along the first dimension, and follow each
 * other along the second one.
 */
#include "schedule/columns.h"
#include "schedule/forms.h"
#include "schedule/onegrid/onegrid.h"

static const char *why_not_fields(const struct scop *scop)
{
	const struct program *prog = scop->prog;
	const struct field *own = prog->stmt[0]->write->field;

	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];

		if (f->n_lanes > 0 || f->made_of)
			return "it has complex numbers";
		if (f != own && f->kind != FIELD_INPUT)
			return "it has more than one state";
	}
	if (own->kind != FIELD_STATE || own->is_hidden || own->depth != 1 ||
	    scop->field[own->index].buffers != 2)
		return "a step does not read the step before it alone";
	return NULL;
}

static const char *why_not_reads(const struct stmt *s)
{
	for (int i = 0; i < s->n_reads; i++) {
		const struct access *read = s->read[i];

		if (read->field->kind == FIELD_STATE && (read->version != 0 ||
		    read->field->n_dims != s->n_dims || !access_is_plain(s, read)))
			return "a state is read at a point that is not near";
	}
	return NULL;
}

static const char *onegrid_applies(const struct scop *scop)
{
	const struct program *prog = scop->prog;
	const char *why;

	if (!prog->timed)
		return "the program has no time loop";
	if (scop->n_dims != ONE_GRID_DIMS)
		return "it is for three dimensions";
	if (prog->n_stmts != 1 || prog->waves || prog->segments ||
	    prog->n_reductions > 0 || prog->n_lists > 0)
		return "a step is more than one statement";
	if (scop->stmt[0].is_mapped || scop->stmt[0].is_guarded ||
	    prog->stmt[0]->n_conditions > 0)
		return "its points are no box, or a boundary stands in for cells";
	why = why_not_fields(scop);
	if (!why)
		why = why_not_reads(prog->stmt[0]);
	if (!why && columns_pay(scop, 0, prog->stmt[0]))
		why = "several of its rows are computed together";
	return why;
}

/* What all sizes have in common ------------------------------------------- */

/* How far reads of the state lead back along "d", or ahead. */
static int reach_of(const struct stmt *s, int d, bool ahead)
{
	int reach = 0;

	for (int i = 0; i < s->n_reads; i++) {
		const int offset = (int) s->read[i]->offset[d];

		if (s->read[i]->field == s->write->field)
			reach = larger(reach, ahead ? offset : -offset);
	}
	return reach;
}

/* Does the row of a point read the row over which it is written?  A cell that is kept reads itself. */
static bool reads_what_it_replaces(const struct stmt *s, const int *shift)
{
	if (shift[0] == 0 && shift[1] == 0)
		return true;
	for (int i = 0; i < s->n_reads; i++)
		if (s->read[i]->field == s->write->field &&
		    s->read[i]->offset[0] == -shift[0] &&
		    s->read[i]->offset[1] == -shift[1])
			return true;
	return false;
}

static struct one_grid one_grid_of(const struct scop *scop)
{
	const struct stmt *s = scop->prog->stmt[0];
	const int line = 64 / type_size(s->write->field->type);
	struct one_grid g = { 0 };
	int64_t first = 0;

	for (int d = 0; d < ONE_GRID_TILED; d++) {
		g.skew[d] = reach_of(s, d, true);
		g.shift[d] = reach_of(s, d, false);
	}
	if (reads_what_it_replaces(s, g.shift))
		g.shift[1]++;
	set_edge(scop->stmt[0].domain, ONE_GRID_DIMS, false, &first);
	g.lead = (line - (int) (first % line)) % line;
	return g;
}

/* Sizes -------------------------------------------------------------------- */

enum { MOST_STEPS = 256, MOST_WIDTH = 1 << 16 };

/* Rows are whole: the last width is open, or so large. */
static const char *why_not_sizes(const struct tile_request *r)
{
	if (!size_is_between(r->h, 1, MOST_STEPS) ||
	    !size_is_between(r->w[0], 1, MOST_WIDTH) ||
	    !size_is_between(r->w[1], 1, MOST_WIDTH))
		return "h is at least 1 and at most 256, w0 and w1 at least 1 "
			"and at most 65536";
	return size_is_between(r->w[2], MOST_WIDTH, MOST_WIDTH) ? NULL :
		"w2 has to be left out: rows are whole";
}

static bool sizes_are_possible(struct diags *d, const struct tile_request *r)
{
	const char *why = why_not_sizes(r);

	if (why)
		diag_plain(d, E_TILE, "%s", why);
	return !why;
}

static void take_sizes(struct one_grid *g, const struct tile_request *r)
{
	g->h = r->h;
	for (int d = 0; d < ONE_GRID_TILED; d++)
		g->width[d] = r->w[d];
}

static void try_sizes(struct tile_search *s, struct one_grid *g, int h, int w0,
	int w1)
{
	struct tile_request *r = &s->at.sized.request;
	struct cpu_terms terms;

	r->h = h;
	r->w[0] = w0;
	r->w[1] = w1;
	r->w[2] = MOST_WIDTH;
	take_sizes(g, r);
	terms = one_grid_time(s->scop, g, s->outlook);
	tile_search_try(s, &terms, one_grid_kept_bytes(s->scop, g, s->outlook));
}

enum { MOST_BANDS = 64, LEAST_STEPS = 4, DEEPEST = 48 };

/* So many equal bands of all steps have the steps returned; 0 if these are too many or too few, unless
 * no other bands are left.
 */
static int steps_to_try(const struct outlook *o, int bands)
{
	const int h = (int) smaller((o->steps + bands - 1) / bands, MOST_STEPS);

	if (bands == MOST_BANDS)
		return (int) smaller(h, DEEPEST);
	return h > DEEPEST || (h < LEAST_STEPS && bands > 1) ? 0 : h;
}

static void try_widths(struct tile_search *s, struct one_grid *g, int h,
	const struct tile_request *request)
{
	static const int outer[] = { 16, 18, 20, 22, 25, 27, 29, 33, 35, 41, 54 };
	static const int inner[] = { 4, 6, 8, 12 };
	enum {
		N_OUTER = sizeof(outer) / sizeof(*outer),
		N_INNER = sizeof(inner) / sizeof(*inner),
	};

	for (int i = 0; i < (request->w[0] > 0 ? 1 : N_OUTER); i++)
		for (int j = 0; j < (request->w[1] > 0 ? 1 : N_INNER); j++)
			try_sizes(s, g, h, size_or(request->w[0], outer[i]),
				size_or(request->w[1], inner[j]));
}

static void search(struct region *mem, struct tile_search *s,
	const struct scop *scop, const struct tile_request *request,
	const struct outlook *o)
{
	struct one_grid g = one_grid_of(scop);

	tile_search_start(s, mem, scop, request, o);
	if (request->h > 0) {
		try_widths(s, &g, request->h, request);
		return;
	}
	for (int bands = 1; bands <= MOST_BANDS; bands++) {
		const int h = steps_to_try(o, bands);

		if (h > 0)
			try_widths(s, &g, h, request);
	}
}

/* Predictions and plans ----------------------------------------------------- */

static void onegrid_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	struct tile_search s;

	p->why = why_not_sizes(request);
	if (p->why)
		return;
	search(mem, &s, scop, request, outlook);
	tile_search_predict(mem, &s, p);
}

static bool onegrid_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request)
{
	struct tile_search s;

	if (!sizes_are_possible(d, request))
		return false;
	search(scop->mem, &s, scop, request, outlook);
	*request = *tile_search_choice(&s);
	return true;
}

static struct plan *onegrid_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans)
{
	struct one_grid *g = region_new_of(scop->mem, struct one_grid);
	struct plan *plan;

	if (!sizes_are_possible(d, request))
		return NULL;
	*g = one_grid_of(scop);
	take_sizes(g, request);
	plan = blocks_plan_points(d, strategy, scop, machine, request, n_plans);
	if (plan) {
		plan->form = FORM_ONE_GRID;
		plan->one_grid = g;
	}
	return plan;
}

/* "i + 2*a" */
static void print_skewed(struct text *t, const char *x, int skew)
{
	text_puts(t, x);
	if (skew == 1)
		text_puts(t, " + a");
	else if (skew > 1)
		text_printf(t, " + %d*a", skew);
}

static void print(struct text *t, const struct plan *plan)
{
	const struct one_grid *g = plan->one_grid;

	text_printf(t, "strategy %s\nbands of at most %d steps, of which step m "
		"is row a = m + 1 of tiles:\n", plan->strategy->name, g->h);
	for (int d = 0; d < ONE_GRID_TILED; d++) {
		text_printf(t, "  S%d = floor((", d);
		print_skewed(t, scop_dim_name(plan->scop, d), g->skew[d]);
		text_printf(t, ")/%d), %s\n", g->width[d], d == 0 ?
			"shared out to threads" : "one after the other, each "
			"after that of S0 - 1");
	}
	text_printf(t, "row 0 takes the caller's cells, the last row is given "
		"back\nversion a of a cell lies in the place of version a - 1 of "
		"the cell before it\nby %d along the first dimension, by %d along "
		"the second one\n", g->shift[0],
		g->shift[1]);
}

const struct form_plans one_grid_plans = {
	.print = print, .draw = print, .as_one = true,
};

const struct strategy strategy_cpu_onegrid = {
	/* star3d2r, which is predicted as fast by hexagons, has 0.91 of their rate. */
	.doubt = { 0, 0, 0, 0.05 },
	.name = "onegrid", .applies = onegrid_applies,
	.sizes = SIZES_HEXAGONS, .predict = onegrid_predict,
	.complete = onegrid_complete, .plan = onegrid_plan,
};

/* Open sizes of requests for hexagonal tiles, and for skewed ones. */
#include <string.h>

#include "schedule/hex/hex.h"

/* Queries --------------------------------------------------------------- */

/* A selection in progress. */
struct selection {
	struct region *mem;
	const struct scop *scop;
	const struct tile_request *request;
	const struct outlook *outlook;
	int hex;		/* the hexagonal dimension */
};

/* How tiles get their values: whole boxes, or only what the previous tile did
 * not leave in shared memory; without shared memory, what a cache would load.
 */
static void set_transfers(struct hex_query *q, const struct optimizations *opt,
	bool inner_is_hexagonal)
{
	q->shared = opt->shared;
	if (!opt->shared) {
		q->loads = HEX_LOADS_EXACT;
		q->stores = HEX_STORES_ALL;
	} else if (opt->reuse == REUSE_NONE || inner_is_hexagonal) {
		q->loads = HEX_LOADS_BOX;
	}
}

/* The model's thread dimension "i" in a kernel; both count from the innermost
 * dimension.
 */
static int thread_dim(const struct scop *scop, int hex, int i)
{
	for (int d = 0; d < scop->n_dims; d++)
		if (hex_index_of(d, hex) == scop->n_dims - 1 - i)
			return scop->n_dims - 1 - d;
	return i;
}

/* Words in a sector of 32 bytes, of the smallest type of a state. */
static int sector_words(const struct scop *scop)
{
	int words = 1;

	for (int i = 0; i < scop->prog->n_fields; i++) {
		const struct field *f = scop->prog->field[i];

		if (f->kind == FIELD_STATE && 32 / type_size(f->type) > words)
			words = 32 / type_size(f->type);
	}
	return words;
}

static bool is_open(const struct scop *scop, const struct tile_request *r)
{
	bool open = r->h < 0;

	for (int d = 0; d < scop->n_dims; d++)
		open = open || r->w[d] < 0;
	return open;
}

/* With open sizes a thread gets no more points: the model does not see how few
 * threads are left otherwise.
 */
static double column_points(const struct scop *scop,
	const struct tile_request *request, int hex)
{
	enum { MOST_ROLLED = 64 };
	double rolled = select_rolled_points(scop, hex, &request->opt);
	double straight = select_column_points(scop, hex, &request->opt);

	if (is_open(scop, request) && rolled > MOST_ROLLED)
		rolled = MOST_ROLLED;
	return straight > rolled ? straight : rolled;
}

/* [CGO] 3.7 as in the paper: its boxes, which are not widened for aligned
 * loads, and all tiles, whether full ones are straight code or not.
 */
static bool is_paper_selection(const struct outlook *o)
{
	return o->by_loads && o->switches.code == CODE_PAPER;
}

/* What boxes of "n" arrays can have together, whatever lies between two of them.  The limit of
 * machines is a multiple of what boxes begin at.
 */
static double box_limit_bytes(const struct tile_request *request,
	const struct machine *m, int n)
{
	int64_t bytes = request_shared_bytes(request, m);
	int boxes = request->opt.async ? 2 * n : n;

	return (double) (bytes > MOST_STATIC_BYTES ?
		bytes - (boxes - 1) * BOX_ALIGNMENT : bytes);
}

static struct hex_query query_of(const struct selection *s,
	struct hex_shape *shape)
{
	const struct tile_request *request = s->request;
	const struct scop *scop = s->scop;
	const struct outlook *o = s->outlook;
	const int hex = s->hex;
	struct hex_query q = hex_query_of(o->machine, &o->switches, shape);

	q.steps = o->steps;
	q.forced.h = request->h;
	for (int d = 0; d < scop->n_dims; d++) {
		q.size[hex_index_of(d, hex)] = o->hull[d];
		q.forced.w[d] = request->w[d];
	}
	for (int i = 0; i < 3; i++) {
		int j = thread_dim(scop, hex, i);

		if (j < 3 && request->threads[j] > 0)
			q.forced.threads[i] = request->threads[j];
	}
	q.shared_limit_bytes = box_limit_bytes(request, o->machine,
		shape->n_arrays);
	q.registers_per_thread = o->registers_per_thread;
	q.max_candidates = o->max_candidates;
	q.within = o->within;
	if (request->opt.align_loads && request->opt.shared &&
	    hex != scop->n_dims - 1 && !is_paper_selection(o))
		shape->inner_multiple = sector_words(scop);
	if (!is_paper_selection(o))
		q.column_points = column_points(scop, request, hex);
	q.async = request->opt.async;
	q.starts = request->opt.starts && machine_copies_ahead(o->machine);
	q.work.counts_copies = o->switches.code == CODE_EMITTED;
	q.no_transfers = request->opt.compute_only;
	q.waves = request->opt.waves && q.work.counts_copies;
	set_transfers(&q, &request->opt, scop->n_dims > 1 &&
		hex == scop->n_dims - 1 && !is_paper_selection(o));
	hex_set_citers(&q, scop, hex);
	q.takes_loops = !q.async && !o->by_loads;
	return q.column_points > 0 ? q : hex_query_of_loops(&q);
}

/* What the model cannot count, or NULL. */
static const char *beyond_model(const struct scop *scop,
	const struct hex_shape *shape)
{
	if (scop->k > MODEL_MAX_STATEMENTS)
		return "the model counts at most 64 statements";
	if (shape->n_arrays == MODEL_MAX_ARRAYS ||
	    shape->n_reads == MODEL_MAX_READS)
		return "the model counts fewer arrays and reads";
	return NULL;
}

/* Did "q" find no tile with rows of straight code? */
static bool has_only_loops(const struct hex_query *q,
	const struct hex_result *result)
{
	double loops = 0;

	for (int i = 0; q->takes_loops && i < HEX_COLUMNLESS; i++)
		loops += result->columnless[i];
	return result->found && loops >= result->feasible;
}

/* The best sizes.  Rows of full tiles are straight code if possible;
 * "only_loops": never.
 */
static struct hex_result search(const struct selection *s,
	const struct hex_query *q, bool *only_loops)
{
	const char *why = beyond_model(s->scop, q->shape);
	bool by_loads = s->outlook->by_loads;
	struct hex_result result;
	struct hex_query loops;

	if (why)
		return (struct hex_result) { .why = why };
	result = by_loads ? hex_select(s->mem, q) : hex_search(s->mem, q);
	*only_loops = has_only_loops(q, &result);
	if (result.found || q->column_points == 0 || q->takes_loops)
		return result;
	loops = hex_query_of_loops(q);
	*only_loops = true;
	return by_loads ? hex_select(s->mem, &loops) :
		hex_search(s->mem, &loops);
}

static struct hexagon hexagon_of(const struct hex_shape *s,
	const struct tile_request *r)
{
	return s->is_skewed ? skewed_make(s->delta1[0], r->h, s->statements,
		r->w[0]) : hexagon_make(s->delta0, s->delta1[0], r->h,
		r->w[0]);
}

/* Complete the threads of "r", whose tile is known, as the code will have them.  Are rows
 * straight code then?
 */
static bool take_threads(const struct scop *scop,
	const struct hex_shape *shape, struct tile_request *r)
{
	struct plan plan = { .scop = scop, .opt = r->opt,
		.n_dims = scop->n_dims, .tiles.hex_dim = r->hex_dim,
		.tiles.hexagon = hexagon_of(shape, r) };

	for (int d = 0; d < scop->n_dims; d++)
		plan.tiles.width[d] = r->w[hex_index_of(d, r->hex_dim)];
	hex_threads(&plan, r);
	memcpy(r->threads, plan.threads, sizeof(r->threads));
	return plan.tiles.straight;
}

static void take_tile(struct tile_request *r, const struct hex_tile *t,
	int n_dims)
{
	r->h = (int) t->h;
	for (int d = 0; d < n_dims; d++)
		r->w[d] = (int) t->w[d];
}

bool select_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request,
	bool skewed)
{
	struct hex_shape shape = hex_shape_of_scop(scop, request->hex_dim,
		skewed);
	struct selection s = { scop->mem, scop, request, outlook,
		request->hex_dim };
	struct hex_result result;
	struct hex_query query;
	bool only_loops;

	if (is_open(scop, request)) {
		query = query_of(&s, &shape);
		query.takes_loops = false;
		result = search(&s, &query, &only_loops);
		if (!result.found) {
			diag_plain(d, E_TILE, "no tile: %s", result.why);
			return false;
		}
		take_tile(request, &result.candidate[0].tile, scop->n_dims);
	}
	if (!take_threads(scop, &shape, request))
		request->opt.unroll = false;
	request->async_open = false;
	return true;
}

/* Predictions ----------------------------------------------------------- */

struct hex_detail {
	struct hex_shape shape;
	struct hex_query query;
	struct hex_result result;
};

static void report(const struct prediction *p, struct text *t,
	struct json *j)
{
	const struct hex_detail *detail = p->detail;
	struct hex_result result = detail->result;

	result.n_dims = p->n_dims;
	result.dim = p->dim;
	if (j)
		hex_report_json(j, &detail->query, &result);
	else
		hex_report_text(t, &detail->query, &result);
}

/* The request, with the tile of "c". */
static struct tile_request request_of(const struct selection *s,
	const struct hex_candidate *c)
{
	struct tile_request r = *s->request;

	take_tile(&r, &c->tile, s->scop->n_dims);
	r.hex_dim = s->hex;
	r.opt.unroll &= !c->loops;
	return r;
}

static struct sized sized_of(const struct selection *s,
	const struct hex_shape *shape, const struct hex_candidate *c)
{
	struct sized sized = { .request = request_of(s, c),
		.predicted_s = c->predicted_s, .k = c->k };

	if (s->outlook->by_loads)
		sized.loads_per_point = c->loads_per_point;
	sized.request.async_open = false;
	for (int i = 0; i < 3; i++) {
		int j = thread_dim(s->scop, s->hex, i);

		if (j < 3)
			sized.request.threads[j] = (int) c->threads[i];
	}
	take_threads(s->scop, shape, &sized.request);
	return sized;
}

static void insert(struct hex_candidate *c, int n,
	const struct hex_candidate *last)
{
	while (n > 0 && last->predicted_s < c[n - 1].predicted_s) {
		c[n] = c[n - 1];
		n--;
	}
	c[n] = *last;
}

/* The result of "q" for the tile of "c" with the threads that the code will have. */
static struct hex_result search_tile(struct region *mem,
	const struct selection *s, const struct hex_query *q,
	const struct hex_candidate *c)
{
	struct hex_query one = c->loops ? hex_query_of_loops(q) : *q;
	struct tile_request code = request_of(s, c);
	struct hex_result result;

	one.takes_loops = false;
	one.forced.h = c->tile.h;
	for (int d = 0; d < s->scop->n_dims; d++)
		one.forced.w[d] = c->tile.w[d];
	take_threads(s->scop, q->shape, &code);
	for (int i = 0; i < 3; i++) {
		int j = thread_dim(s->scop, s->hex, i);

		one.forced.threads[i] = j < 3 ? code.threads[j] : 1;
	}
	result = hex_search(mem, &one);
	if (result.found)
		result.candidate[0].loops = c->loops;
	return result;
}

/* Predict the candidates again, with the threads that the code will have. */
static void correct_threads(const struct selection *s,
	struct hex_detail *detail)
{
	bool keeps_order = s->outlook->by_loads;
	struct hex_result *all = &detail->result, best;
	struct hex_query q = detail->query;
	struct region *profiles = region_new();
	int n = 0;

	q.profiles = hex_profiles_new(profiles);
	for (int i = 0; i < all->n_candidates; i++) {
		struct region *tmp = region_new();
		struct hex_result one = search_tile(tmp, s, &q,
			&all->candidate[i]);

		if (one.found && keeps_order)
			all->candidate[n++] = one.candidate[0];
		else if (one.found)
			insert(all->candidate, n++, &one.candidate[0]);
		region_free(tmp);
	}
	if (n > 0) {
		all->n_candidates = n;
		best = search_tile(s->mem, s, &q, &all->candidate[0]);
		all->terms = best.terms;
	}
	region_free(profiles);
}

/* Why copies cannot be asynchronous, or NULL. */
static const char *why_not_async(const struct selection *s,
	const struct hex_detail *detail, bool only_loops)
{
	const struct optimizations *opt = &s->request->opt;

	if (!opt->shared || opt->reuse != REUSE_DYNAMIC ||
	    s->scop->is_guarded || s->hex == s->scop->n_dims - 1)
		return "nothing is left for the next tile";
	if (only_loops || detail->query.column_points == 0 ||
	    !opt->separate || opt->copy_out != COPY_OUT_INTERLEAVED)
		return "full tiles are not straight code";
	if (program_has_short_cells(s->scop->prog))
		return "cells have fewer bytes than such a copy";
	return NULL;
}

static void predict_copies(const struct selection *s,
	struct hex_detail *detail, bool *only_loops)
{
	detail->query = query_of(s, &detail->shape);
	detail->result = search(s, &detail->query, only_loops);
	if (detail->result.found)
		correct_threads(s, detail);
}

/* Use asynchronous copies if that is predicted to be faster.  "request", of
 * "s", gets the decision.
 */
static void decide_async(const struct selection *s,
	struct tile_request *request, struct hex_detail *detail,
	bool only_loops, struct prediction *p)
{
	struct hex_detail other = { .shape = detail->shape };
	struct tile_request wanted = *request;
	struct selection with = *s;
	const char *why = why_not_async(s, detail, only_loops);
	double here, there;

	with.request = &wanted;
	wanted.opt.async = true;
	if (!why)
		predict_copies(&with, &other, &only_loops);
	if (!why && (!other.result.found || only_loops))
		why = "no tile has room for two boxes";
	if (why) {
		p->remark = region_printf(s->mem, "async=no: %s", why);
		return;
	}
	here = detail->result.candidate[0].predicted_s;
	there = other.result.candidate[0].predicted_s;
	detail->result.other_s = there;
	other.result.other_s = here;
	p->remark = region_printf(s->mem, there < MODEL_WORTH * here ?
		"async=yes: predicted %.4g s, not %.4g s" :
		"async=no: with it predicted %.4g s, not %.4g s", there, here);
	if (there < MODEL_WORTH * here) {
		request->opt.async = true;
		detail->query = other.query;
		detail->query.shape = &detail->shape;
		detail->result = other.result;
	}
}

static void predict(const struct selection *asked, bool skewed,
	struct prediction *p)
{
	struct region *mem = asked->mem;
	struct hex_detail *detail = region_new_of(mem, struct hex_detail);
	const struct hex_result *result = &detail->result;
	struct tile_request request = *asked->request;
	struct selection s = *asked;
	bool only_loops = false;

	s.request = &request;
	detail->shape = hex_shape_of_scop(s.scop, s.hex, skewed);
	predict_copies(&s, detail, &only_loops);
	p->detail = detail;
	p->report = report;
	p->why = result->why;
	if (!result->found)
		return;
	if (request.async_open && !s.outlook->by_loads)
		decide_async(&s, &request, detail, only_loops, p);
	p->n_candidates = result->n_candidates;
	p->candidate = region_array(mem, struct sized, p->n_candidates);
	for (int i = 0; i < p->n_candidates; i++)
		p->candidate[i] = sized_of(&s, &detail->shape,
			&result->candidate[i]);
	p->sizes = tiles_sizes(mem, &p->candidate[0].request, s.scop->n_dims);
	p->binding = result->terms.binding;
}

void select_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	predict(&(struct selection) { mem, scop, request, outlook,
		hex_named_dim(request) }, false, p);
}

void select_predict_skewed(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	predict(&(struct selection) { mem, scop, request, outlook,
		hex_named_dim(request) }, true, p);
}

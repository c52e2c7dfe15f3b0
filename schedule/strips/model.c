/* The search for the sizes of strips. */
#include <math.h>

#include "schedule/strips/strips.h"

enum { MOST_CANDIDATES = 63, MOST_ROWS = 8 };

/* Sizes but for lengths, and the least that any of these takes. */
struct tile {
	struct stream s;
	double least_s;
	struct tile *next;
};

struct search {
	const struct scop *scop;	/* with the search's own memory */
	const struct tile_request *request;
	const struct outlook *outlook;
	struct tile *tile, **end;	/* all that are possible */
	struct fastest fastest;
	const struct sized *best;	/* the fastest first */
	double promised_s;	/* some sizes take no longer */
	double without_s;		/* the seconds of the best one without
					 * longer first strips; INFINITY if
					 * there is none */
	struct stream known[2];	/* common to all sizes; joined warps have
				 * another one */
	struct strip_facts *facts[2];	/* the same */
	struct refusal refusal;	/* of the sizes that passed most tests; among
				 * several, of those that need least */
};

static bool is_nearer(const struct search *q, enum refused by, double need)
{
	return by > q->refusal.by || (by == q->refusal.by &&
		need < q->refusal.need);
}

/* Most sizes are refused, and few of them say why. */
static void refuse(struct search *q, const struct stream *s, struct refusal r)
{
	if (!is_nearer(q, r.by, r.need))
		return;
	q->refusal = r;
	q->refusal.why = strip_why(q->scop, s, q->outlook->machine, r.by);
}

static void refuse_registers(struct search *q, const struct stream *s,
	const struct strip_terms *t)
{
	if (is_nearer(q, strip_refused_registers(t), t->registers))
		q->refusal = strip_refuse_registers(q->scop, s,
			q->outlook->machine, t);
}

static bool same_sizes(const struct tile_request *a,
	const struct tile_request *b)
{
	return a->b == b->b && a->v == b->v && a->y == b->y && a->l == b->l &&
		a->f == b->f && a->p == b->p &&
		a->threads[0] == b->threads[0] &&
		a->threads[1] == b->threads[1];
}

/* Blocks of an SM: those that fit it, or all there are. */
static int blocks_of(const struct machine *m, const struct strip_terms *t)
{
	return (int) fmax(1, fmin(t->k, ceil(t->blocks / (double)
		m->sm_count)));
}

static void keep(struct search *q, const struct stream *s,
	const struct strip_terms *t)
{
	struct sized c = { .request = *q->request,
		.predicted_s = t->predicted_s, .k = (int64_t) t->k };

	strip_to_request(&c.request, s);
	if (q->request->k <= 0)
		c.request.k = blocks_of(q->outlook->machine, t);
	if (q->request->launches == LAUNCHES_AUTO)
		c.request.launches = t->launches;
	for (int i = 0; i < q->fastest.n; i++)
		if (same_sizes(&q->best[i].request, &c.request))
			return;
	fastest_try(&q->fastest, &c);
}

static struct strip_terms terms_of_length(const struct search *q,
	struct stream *s, struct strip_shape *shape, int length, int first)
{
	s->length = length;
	s->first = first;
	strip_find_iterations(q->scop, s);
	strip_set_length(shape, s);
	return strip_predict(q->outlook->machine, shape);
}

static struct strip_terms try_length(struct search *q, struct stream *s,
	struct strip_shape *shape, int length, int first)
{
	struct strip_terms t = terms_of_length(q, s, shape, length, first);

	keep(q, s, &t);
	return t;
}

static struct strip_shape shape_of(const struct search *q,
	const struct stream *s)
{
	struct strip_shape shape = strip_shape_of(q->scop, s,
		q->facts[stream_is_joined(s)], q->outlook);

	shape.launches = q->request->launches;
	return shape;
}

static int64_t positions(const struct search *q, const struct stream *s)
{
	return s->dim.stream < 0 ? 1 : q->outlook->grid[s->dim.stream];
}

/* The one that is requested, or else that is possible. */
static int longest(const struct search *q, const struct stream *s)
{
	if (s->dim.stream >= 0 && q->request->l > 0)
		return q->request->l;
	return (int) fmin((double) positions(q, s), STRIP_LONGEST);
}

/* Lengths for which the blocks of a launch fill the SMs once, twice, ..; on
 * small grids, lengths of a few rows.
 */
static void try_lengths(struct search *q, struct stream *s)
{
	const struct machine *m = q->outlook->machine;
	struct strip_shape shape = shape_of(q, s);
	int64_t n = positions(q, s);
	int tried = longest(q, s);
	struct strip_terms t = try_length(q, s, &shape, tried,
		larger(tried, q->request->f));
	double others = t.blocks / (double) ((n + tried - 1) / tried);

	if (s->dim.stream < 0 || q->request->l > 0)
		return;
	for (int waves = 1; waves <= 8; waves++) {
		int64_t chunks = (int64_t) (waves * t.k *
			(double) m->sm_count / others);
		int64_t length = chunks < 1 ? n : (n + chunks - 1) / chunks;

		length = length < STRIP_SHORTEST ? STRIP_SHORTEST : length;
		if (length < tried) {
			try_length(q, s, &shape, (int) length, (int) length);
			tried = (int) length;
		}
	}
}

/* Can sizes that take so long be among those that are reported? */
static bool is_hopeless(const struct search *q, double seconds)
{
	const struct fastest *f = &q->fastest;
	double best = f->n ? fmin(q->best[0].predicted_s, q->promised_s) :
		q->promised_s;

	return seconds > q->outlook->within * best ||
		(f->n == f->most && seconds > q->best[f->n - 1].predicted_s);
}

/* Of the tile that could take least the search learns which others are hopeless; as equal times go to the
 * one that is tried first, it then forgets this one.
 */
static void try_tiles(struct search *q)
{
	struct tile *promising = q->tile;

	for (struct tile *t = q->tile; t; t = t->next)
		if (t->least_s < promising->least_s)
			promising = t;
	if (!promising)
		return;
	try_lengths(q, &promising->s);
	q->promised_s = q->best[0].predicted_s;
	q->fastest.n = 0;
	for (struct tile *t = q->tile; t; t = t->next)
		if (!is_hopeless(q, t->least_s))
			try_lengths(q, &t->s);
}

/* The longest strips of these sizes are possible but for registers. */
static void add_tile(struct search *q, const struct stream *s)
{
	struct strip_shape shape = shape_of(q, s);
	struct strip_terms t = strip_least(q->outlook->machine, &shape);
	struct tile *tile;

	if (t.predicted_s <= 0 || t.k < q->request->k) {
		refuse_registers(q, s, &t);
		return;
	}
	tile = region_new_of(q->scop->mem, struct tile);
	*tile = (struct tile) { *s, t.predicted_s, NULL };
	*q->end = tile;
	q->end = &tile->next;
}

/* Does the request leave sizes open?  Requested ones may be slow. */
static bool is_open(const struct search *q)
{
	const struct tile_request *r = q->request;

	return r->b <= 0 || r->v <= 0 || (q->scop->n_dims > 2 && r->y <= 0);
}

/* "s" has a schedule. */
static void try_sizes(struct search *q, struct stream s, int v, int y)
{
	struct refusal refusal;

	s.cells = v;
	s.rows = y;
	s.length = s.first = longest(q, &s);
	strip_find_place(q->scop, &s);
	refusal = strip_refuse(q->scop, &s, q->outlook->machine);
	if (!refusal.by && is_open(q))
		refusal = strip_refuse_arrays(q->scop, &s);
	if (!refusal.by)
		add_tile(q, &s);
	else
		refuse(q, &s, refusal);
}

static bool fits(int wanted, int value)
{
	return wanted <= 0 || wanted == value;
}

/* Try all numbers of rows ahead that can take turns with the kept rows of a
 * version, unless one is requested.
 */
static void try_rows_ahead(struct search *q, struct stream s, int v, int y)
{
	int asked = q->request->p, most = s.period;

	if (s.ahead.used) {
		try_sizes(q, s, v, y);
		return;
	}
	if (asked >= 0 || s.ahead.rows == 0)
		most = 0;
	s.ahead.rows = asked >= 0 ? asked : 0;
	try_sizes(q, s, v, y);
	for (int p = 1; p <= most; p++)
		if (s.period % p == 0) {
			s.ahead.rows = p;
			try_sizes(q, s, v, y);
		}
}

/* 1, 2, 3, 4, 6, 8, .. */
static bool is_tried(int rows)
{
	int odd = rows % 3 == 0 ? rows / 3 : rows;

	return (odd & (odd - 1)) == 0;
}

/* Try all v and y that the request leaves open, for "s" with a schedule. */
static void try_cells(struct search *q, const struct stream *s)
{
	const struct tile_request *r = q->request;
	int most_rows = s->dim.row < 0 ? 1 : MOST_ROWS;

	for (int v = 1; v <= 8; v *= 2)
		for (int y = 1; y <= most_rows; y++)
			if (fits(r->v, v) && fits(r->y, y) &&
			    (r->y > 0 || is_tried(y)))
				try_rows_ahead(q, *s, v, y);
}

/* Blocks of "lanes" by "warps" threads, unless others are requested. */
static void try_threads(struct search *q, int b, const int (*threads)[2],
	int n)
{
	const struct tile_request *r = q->request;
	bool joined = threads[0][0] > q->request->warp, known = false;
	struct stream s = q->known[joined];

	s.b = b;
	for (int i = 0; i < n; i++) {
		if (!fits(r->threads[0], threads[i][0]) ||
		    !fits(r->threads[1], threads[i][1]))
			continue;
		s.lanes = threads[i][0];
		s.warps = threads[i][1];
		if (!known)
			strip_find_schedule(q->scop, &s);
		if (!q->facts[joined])
			q->facts[joined] = strip_find_facts(q->scop, &s);
		known = true;
		q->known[joined] = s;
		try_cells(q, &s);
	}
}

static void try_steps(struct search *q, int b)
{
	const struct tile_request *r = q->request;
	const int warp = r->warp;
	const int strips[][2] = { { warp, 4 } };
	const int planes[][2] = { { warp, 4 }, { warp, 6 }, { warp, 8 },
		{ warp, 12 }, { warp, 16 } };
	const int joined[][2] = { { 2 * warp, 1 }, { 4 * warp, 1 },
		{ 8 * warp, 1 }, { 16 * warp, 1 } };
	const int asked[][2] = { {
		r->threads[0] > 0 ? r->threads[0] : warp,
		r->threads[1] > 0 ? r->threads[1] :
		r->threads[0] > warp ? 1 : 4 } };

	if (r->threads[1] > 0 || r->threads[0] > warp) {
		try_threads(q, b, asked, 1);
		return;
	}
	if (q->scop->n_dims > 2)
		try_threads(q, b, planes, 5);
	else
		try_threads(q, b, strips, 1);
	if (q->scop->n_dims == 2)
		try_threads(q, b, joined, 4);
}

/* Sizes that strips do not have; if requested, they are errors. */
static bool is_impossible(const struct search *q)
{
	const struct tile_request *r = q->request;

	return r->b == 0 || r->v == 0 || r->y == 0 || r->l == 0 ||
		(q->scop->n_dims == 1 && r->l > 1) ||
		(r->f > 0 && (r->l < 0 || r->f < r->l)) ||
		(r->threads[0] > 0 && r->threads[0] % r->warp) ||
		(r->threads[0] > r->warp && (q->scop->n_dims != 2 ||
			r->threads[1] > 1)) || r->threads[2] > 1 ||
		strip_why_no_clusters(q->scop, r);
}

static void try_all(struct search *q)
{
	int most_steps = q->scop->n_dims > 2 ? 8 : 16;
	int least = strip_deepest(q->scop);

	if (is_impossible(q))
		return;
	q->known[0] = q->known[1] = strip_of_request(q->scop, q->request);
	if (q->request->b > 0)
		try_steps(q, q->request->b);
	else
		for (int b = least; b <= most_steps; b++)
			try_steps(q, b);
	try_tiles(q);
}

/* Longer first strips --------------------------------------------------- */

/* A launch with a longer first strip takes at most so much of the best one without.  By less the
 * simulated launches of five programs became 3 % faster to 3 % slower.
 */
#define LONGER_WORTH 0.98

/* Lengths of the first strips and of those behind, and what is predicted for them. */
struct lengths {
	int first, other;
	double predicted_s;
};

static bool try_first(struct search *q, struct stream *s,
	struct strip_shape *shape, int length, int first, struct lengths *best)
{
	struct strip_terms t;

	if (length < STRIP_SHORTEST || first <= length ||
	    first >= shape->n[0])
		return false;
	t = terms_of_length(q, s, shape, length, first);
	if (t.predicted_s <= 0 || t.k < q->request->k)
		return false;
	if (t.predicted_s < LONGER_WORTH * q->without_s)
		keep(q, s, &t);
	if (t.predicted_s >= best->predicted_s)
		return false;
	*best = (struct lengths) { first, length, t.predicted_s };
	return true;
}

/* A first strip of most of the rows and short ones behind each, for SMs that have a place when all of
 * those have started; "halves" of these, as the last one ends with the grid.
 */
static void try_longer(struct search *q, struct stream *s,
	struct strip_shape *shape, int64_t rows, int halves,
	struct lengths *best)
{
	enum { LEAST_PARTS = 3, MOST_PARTS = 16 };

	for (int i = LEAST_PARTS; i <= MOST_PARTS; i++) {
		int length = (int) (rows / i);
		int first = length + (int) round_up(rows - length -
			halves * length / 2, s->period);

		try_first(q, s, shape, length, first, best);
	}
}

/* Does the best become better with either length "by" more or less? */
static bool improve_by(struct search *q, struct stream *s,
	struct strip_shape *shape, int by, struct lengths *best)
{
	const struct lengths at = *best;

	return try_first(q, s, shape, at.other, at.first + by, best) ||
		try_first(q, s, shape, at.other, at.first - by, best) ||
		try_first(q, s, shape, at.other + by, at.first, best) ||
		try_first(q, s, shape, at.other - by, at.first, best);
}

/* All pairs of lengths nearby: where one is better, both are often others. */
static void try_pairs(struct search *q, struct stream *s,
	struct strip_shape *shape, struct lengths *best)
{
	enum { NEAR = 5 };	/* periods */
	const struct lengths at = *best;

	for (int i = -NEAR; i <= NEAR; i++)
		for (int j = -NEAR; j <= NEAR; j++)
			try_first(q, s, shape, at.other + i * s->period,
				at.first + j * s->period, best);
}

/* From the best of these to better ones nearby, in steps that become shorter. */
static void refine_longer(struct search *q, struct stream *s,
	struct strip_shape *shape, struct lengths *best)
{
	enum { WIDEST = 8 };	/* periods */

	for (int by = WIDEST; by > 0; by /= 2)
		while (improve_by(q, s, shape, by * s->period, best))
			;
	try_pairs(q, s, shape, best);
}

/* With the best sizes, where lengths were open: what is faster becomes the best. */
static void try_longer_first(struct search *q)
{
	enum { MOST_HALVES = 8 };
	const struct tile_request *asked = q->request;
	struct lengths best = { .predicted_s = INFINITY };
	struct stream s;
	struct strip_shape shape;
	int64_t rows;

	if (!q->fastest.n || asked->l > 0 || asked->opt.at_run_time)
		return;
	s = strip_of_request(q->scop, &q->best[0].request);
	strip_find_schedule(q->scop, &s);
	strip_find_place(q->scop, &s);
	rows = s.dim.stream < 0 ? 0 : q->outlook->grid[s.dim.stream];
	if (rows == 0 || rows > STRIP_MOST)
		return;
	shape = strip_shape_of(q->scop, &s, strip_find_facts(q->scop, &s),
		q->outlook);
	shape.launches = asked->launches;
	for (int n = 1; n <= MOST_HALVES; n++)
		try_longer(q, &s, &shape, rows, n, &best);
	if (best.first > 0)
		refine_longer(q, &s, &shape, &best);
}

/* Predictions ----------------------------------------------------------- */

struct strip_detail {
	struct strip_terms terms;
	struct strip_copies copies;
	struct strip_candidate *candidate;
};

static void report_nothing(const struct prediction *p, struct text *t,
	struct json *j)
{
	if (j) {
		json_string(j, "strategy", "stream");
		json_int(j, "feasible", 0);
		json_string(j, "why", p->why);
	} else {
		text_printf(t, "strategy stream: %s\n", p->why);
	}
}

static void report(const struct prediction *p, struct text *t,
	struct json *j)
{
	const struct strip_detail *d = p->detail;
	const struct outlook *o = p->outlook;

	if (!p->n_candidates)
		report_nothing(p, t, j);
	else if (j)
		strip_report_json(j, o->machine, &o->switches, &d->terms,
			&d->copies, d->candidate, p->n_candidates);
	else
		strip_report_text(t, o->machine, &o->switches, &d->terms,
			&d->copies, d->candidate, p->n_candidates);
}

static const char *sizes_of(struct region *mem, const struct scop *scop,
	const struct tile_request *r)
{
	const char *sizes = region_printf(mem, "b=%d v=%d", r->b, r->v);

	if (scop->n_dims > 2)
		sizes = region_printf(mem, "%s y=%d", sizes, r->y);
	if (scop->n_dims > 1 && !r->opt.at_run_time)
		sizes = region_printf(mem, "%s l=%d", sizes, r->l);
	if (r->f > 0)
		sizes = region_printf(mem, "%s f=%d", sizes, r->f);
	if (scop->n_dims > 1)
		sizes = region_printf(mem, "%s p=%d", sizes, r->p);
	sizes = region_printf(mem, "%s k=%d", sizes, r->k);
	if (r->c > 1)
		sizes = region_printf(mem, "%s c=%d", sizes, r->c);
	return region_printf(mem, "%s threads=%d,%d", sizes, r->threads[0],
		r->threads[1]);
}

static struct strip_terms terms_of(const struct scop *scop,
	const struct outlook *o, const struct tile_request *request)
{
	struct stream s = strip_of_request(scop, request);
	struct strip_shape shape;

	strip_find_schedule(scop, &s);
	strip_find_place(scop, &s);
	shape = strip_shape_of(scop, &s, strip_find_facts(scop, &s), o);
	shape.launches = request->launches;
	return strip_predict(o->machine, &shape);
}

/* Which launches, and why; NULL if there is no choice. */
static const char *remark_on_launches(struct region *mem,
	const struct strip_terms *t)
{
	if (t->resident_s == 0)
		return NULL;
	return t->launches == LAUNCHES_RESIDENT ?
		region_printf(mem, "launch=resident: predicted %.4g s, not "
			"%.4g s", t->resident_s, t->direct_s) :
		region_printf(mem, "launch=direct: resident is predicted %.4g "
			"s, not %.4g s", t->resident_s, t->direct_s);
}

static const char *remark_on(struct region *mem,
	const struct strip_detail *detail)
{
	const struct strip_terms *t = &detail->terms;
	const char *launches = remark_on_launches(mem, t);
	const char *copies = detail->copies.other_s > 0 ?
		region_printf(mem, "async=%s: %spredicted %.4g s, not %.4g s; ",
			detail->copies.ahead ? "yes" : "no",
			detail->copies.ahead ? "" : "with it ",
			detail->copies.ahead ? t->predicted_s :
			detail->copies.other_s, detail->copies.ahead ?
			detail->copies.other_s : t->predicted_s) : "";

	return region_printf(mem, "%sof the iterations %.2g %% are at ends of the "
		"grid, %.2g %% at sides%s%s", copies, 100 * t->edges.share,
		100 * t->edges.side_share, launches ? "; " : "", launches ?
		launches : "");
}

/* Planes of one step keep nothing that a column of points does not: star3d3r took 1.5 times the
 * predicted time, 1.8 times as long as zblock.  Where they compute for twice as long as memory
 * takes, they win, as values come from registers in place of L1: box3d2r, box3d3r.
 */
#define ONE_STEP_DOUBT 0.3

static bool is_of_arithmetic(const struct strip_terms *t)
{
	return t->compute_s > 2 * t->bound_s[BOUND_GM];
}

/* Try all sizes that "request" leaves open; "scop" has the search's own memory. */
static struct search *search_sizes(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook)
{
	struct search *q = region_new_of(mem, struct search);

	q->outlook = outlook;
	q->scop = scop;
	q->request = request;
	q->refusal.why = region_printf(mem, "strips are warps of %d threads, "
		"in two dimensions several may be one strip, and b, v, y and "
		"l are at least 1", request->warp);
	fastest_start(&q->fastest, mem, smaller(outlook->max_candidates,
		MOST_CANDIDATES), sizeof(struct sized), sized_seconds);
	q->best = q->fastest.all;
	q->promised_s = INFINITY;
	q->end = &q->tile;
	try_all(q);
	q->without_s = q->fastest.n ? q->best[0].predicted_s : INFINITY;
	return q;
}

/* May rows be copied ahead, if the model says so?  Rows ahead in registers stay there if
 * requested.
 */
static bool copies_are_open(const struct scop *scop,
	const struct tile_request *request, const struct machine *m)
{
	return request->async_open && !request->opt.async && request->p <= 0 &&
		scop->n_dims > 1 && machine_copies_ahead(m);
}

/* The sizes for the way of loading rows with the faster prediction: to
 * registers, or copied ahead to shared memory.
 */
static struct search *search_both_ways(struct region *mem,
	const struct scop *scop, const struct tile_request *request,
	const struct outlook *outlook, struct strip_copies *copies)
{
	struct search *loads = search_sizes(mem, scop, request, outlook), *ahead;
	struct tile_request *wanted;

	copies->ahead = request->opt.async;
	if (!copies_are_open(scop, request, outlook->machine))
		return loads;
	wanted = region_new_of(mem, struct tile_request);
	*wanted = *request;
	wanted->opt.async = true;
	ahead = search_sizes(mem, scop, wanted, outlook);
	copies->ahead = ahead->without_s < MODEL_WORTH * loads->without_s;
	if (loads->fastest.n && ahead->fastest.n)
		copies->other_s = (copies->ahead ? loads : ahead)->without_s;
	return copies->ahead ? ahead : loads;
}

void strip_predict_sizes(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	struct strip_detail *detail = region_new_of(mem, struct strip_detail);
	struct scop own = *scop;
	struct search *q;

	own.mem = region_new();
	q = search_both_ways(mem, &own, request, outlook, &detail->copies);
	try_longer_first(q);
	p->detail = detail;
	p->report = report;
	p->why = region_strdup(mem, q->refusal.why);
	p->n_candidates = fastest_within(&q->fastest, q->outlook->within);
	if (p->n_candidates) {
		p->candidate = region_array(mem, struct sized,
			p->n_candidates);
		detail->candidate = region_array(mem, struct strip_candidate,
			p->n_candidates);
		for (int i = 0; i < p->n_candidates; i++) {
			p->candidate[i] = q->best[i];
			detail->candidate[i] = (struct strip_candidate) {
				sizes_of(mem, scop, &q->best[i].request),
				q->best[i].predicted_s };
		}
		detail->terms = terms_of(&own, q->outlook,
			&q->best[0].request);
		if (scop->n_dims > 2 && q->best[0].request.b == 1 &&
		    !is_of_arithmetic(&detail->terms))
			p->doubt += ONE_STEP_DOUBT;
		p->sizes = detail->candidate[0].sizes;
		p->binding = detail->terms.binding;
		p->remark = remark_on(mem, detail);
	}
	region_free(own.mem);
}

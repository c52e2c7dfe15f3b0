/* The model of the strategy fuse: the best variants and their blocks. */
#include <math.h>
#include <string.h>

#include "schedule/fuse/fuse.h"

/* In graphs with more stages, fewer block shapes are tried. */
enum { MANY = 16 };

/* Variants of one search that become candidates. */
enum { MOST_FOUND = 10 };

/* Of these, so many are tried with slabs. */
enum { MOST_NESTED = 3 };

enum { MOST_SHAPES = 8 };

const char fuse_too_deep[] = "it nests deeper than code can: slabs, their "
	"kernels, their stages";

struct fuse_detail {
	struct graph *graph;
	struct graph_machine machine;
	struct found found;
	const struct fusion *fitted;	/* to be searched with the tiles that
					 * its request has, or NULL */
};

static struct fusion fusion_of(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook)
{
	const char *why;

	return (struct fusion) { mem, scop, graph_of_program(mem, scop->prog,
		&why), request, outlook };
}

static struct found only(const struct fusion *f, const struct variant *v,
	const struct graph_machine *machine)
{
	struct found found = { .n = 1, .n_orders = 1, .n_scored = 1,
		.exhaustive = true, .longest = f->graph->n_stencils,
		.orders_there = graph_count_orders(f->graph) };

	found.best = region_array(f->mem, struct scored, 1);
	*found.best = fuse_score(f, machine, v);
	return found;
}

/* The share of one search, out of "left" for "n" searches. */
static int64_t share_of_effort(int64_t left, int n)
{
	const int64_t least = GRAPH_EFFORT / 8, most = GRAPH_EFFORT;

	return left / n < least ? least : left / n < most ? left / n : most;
}

static bool is_better(const struct scored *a, const struct scored *b)
{
	return a->fits != b->fits ? a->fits : a->seconds < b->seconds;
}

static bool accepts_variant(struct diags *d, const struct scop *scop,
	const struct tile_request *request, const struct machine *m)
{
	const char *why;

	if (fuse_variant(scop, m, fuse_levels(m, request->for_cpu),
		request->variant, &why))
		return true;
	diag_plain(d, E_VARIANT, "--variant=%s: %s", request->variant, why);
	return false;
}

static bool is_written(const struct scop *scop, const struct machine *m,
	const struct tile_request *request)
{
	const char *why;

	return fuse_variant(scop, m, FUSE_LEVELS, request->variant, &why);
}

static struct graph_query query_of(const struct outlook *o,
	int64_t effort)
{
	static const enum search how[] = {
		[VARIANTS_AUTO] = SEARCH_AUTO,
		[VARIANTS_EXHAUSTIVE] = SEARCH_ALL,
		[VARIANTS_DP] = SEARCH_DYNAMIC,
	};

	return (struct graph_query) { how[o->search],
		o->orders < GRAPH_MOST_ORDERS ? o->orders : GRAPH_MOST_ORDERS,
		MOST_FOUND, effort };
}

/* Can the search try as many orders as requested? */
static bool accepts_orders(struct diags *d, const struct fusion *f)
{
	double there = graph_count_orders(f->graph);

	if (f->outlook->orders <= GRAPH_MOST_ORDERS ||
	    (there > 0 && there <= GRAPH_MOST_ORDERS))
		return true;
	if (there > 0)
		diag_plain(d, E_COMMAND_LINE, "--orders: there are %.15g, and "
			"at most %d are tried; --orders=N takes some of them",
			there, GRAPH_MOST_ORDERS);
	else
		diag_plain(d, E_COMMAND_LINE, "--orders: there are too many "
			"to count, and at most %d are tried; --orders=N "
			"takes some of them", GRAPH_MOST_ORDERS);
	return false;
}

/* Can the search try all variants, if requested? */
static bool accepts_search(struct diags *d, const struct fusion *f)
{
	static const int64_t any[2] = { 1, 1 };
	struct graph_query q = query_of(f->outlook, 0);
	struct tiles t = fuse_tiles(f, any);
	struct graph_machine m = fuse_machine(f, &t);
	double there = graph_count_variants(f->graph, &m, &q);

	if (f->outlook->search != VARIANTS_EXHAUSTIVE ||
	    there <= GRAPH_MOST_VARIANTS)
		return true;
	diag_plain(d, E_COMMAND_LINE, "--search=exhaustive: there are %.4g "
		"variants of the orders that are tried, and at most %d are; "
		"--search=dp finds the best of each order", there,
		GRAPH_MOST_VARIANTS);
	return false;
}

bool fuse_accepts(struct diags *d, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook)
{
	const struct fusion f = fusion_of(scop->mem, scop, request, outlook);

	return request->variant ?
		accepts_variant(d, scop, request, outlook->machine) :
		accepts_orders(d, &f) && accepts_search(d, &f);
}

/* The best variants for these tiles, or the one asked for.  A search for slabs
 * omits sweeps.
 */
static struct fuse_detail search_tiles(const struct fusion *f,
	const struct tiles *t, int64_t effort)
{
	struct fuse_detail d = { .graph = f->graph };
	struct graph_query q = query_of(f->outlook, effort);

	d.machine = fuse_machine(f, t);
	if (t->slab > 0 && !f->request->variant)
		d.machine.swept = NULL;
	if (f->request->variant)
		d.found = only(f, fuse_asked(f, d.machine.n_levels),
			&d.machine);
	else
		d.found = graph_search(f->mem, d.graph, &d.machine, &q);
	for (int i = 0; i < d.found.n && fuse_sweeps_all(f); i++)
		d.found.best[i].variant = fuse_swept(f->mem,
			d.found.best[i].variant);
	d.found.steps = f->outlook->steps;
	return d;
}

/* The variant as the code has it: stencils together on all levels form a kernel; those together
 * on the second level share slabs.
 */
static const char *variant_text(struct region *mem,
	const struct fuse_detail *d, const struct variant *v)
{
	struct text t = { 0 };
	struct variant written = *v;
	const char *text;

	written.together = region_array(mem, int, v->n);
	for (int i = 0; i + 1 < v->n; i++)
		written.together[i] = v->together[i] == d->machine.n_levels ?
			FUSE_LEVELS : v->together[i] < FUSE_SLABS ? 1 :
			FUSE_SLABS;
	variant_print(&t, d->graph, FUSE_LEVELS, &written);
	text = region_strdup(mem, t.bytes);
	text_free(&t);
	return text;
}

void fuse_set_block(struct tile_request *r, const struct scop *scop,
	const struct variant *v, const struct tiles *t)
{
	int *const size[3] = { &r->bx, &r->by, &r->bz };

	for (int i = 0; i < 3; i++)
		*size[i] = (int) t->block[i];
	if (!fuse_has_groups(v, true))
		return;
	if (fuse_has_groups(v, false))
		r->sweep = (int) t->sweep;
	else
		*size[scop->n_dims - 1] = (int) t->sweep;
}

/* "s" on the machine and graph of "d", with tiles "t". */
static struct sized sized_of(const struct fusion *f,
	const struct fuse_detail *d, const struct scored *s,
	const struct tiles *t, double all_steps)
{
	struct sized sized = { .request = *f->request,
		.predicted_s = s->seconds * all_steps, .k = 2 };

	if (f->request->for_cpu)
		sized.predicted_s += outlook_copies_s(f->outlook,
			f->scop->prog);
	fuse_set_block(&sized.request, f->scop, s->variant, t);
	threads_of_blocks(f->scop->n_dims, &sized.request);
	if (fuse_has_slabs(s->variant, d->machine.n_levels) &&
	    f->request->slab != 0)
		sized.request.slab = (int) t->slab;
	sized.request.variant = variant_text(f->mem, d, s->variant);
	return sized;
}

/* The factor on a step's time.  Steps as C copy cells that no stage computes, and keep versions, of
 * which the model knows nothing.  hyperdiffusion takes 1.1 times as long as it has without the factor,
 * shallow 1.3 times, fdtd3d 2.3 times (2 threads of a Zen 3).  The first is faster than sweeps so,
 * the others are not.
 */
static double steps_by_time(const struct fusion *f)
{
	return (double) f->outlook->steps *
		(f->request->for_cpu && f->scop->prog->timed ? 1.5 : 1);
}

/* Trying ----------------------------------------------------------------- */

static bool has_kernels(const struct variant *v, int n_levels)
{
	bool several = false;

	for (int i = 0; i + 1 < v->n; i++)
		several |= v->together[i] < n_levels;
	return several;
}

/* Try slabs for those variants of "d" that may become the best; "nested" is the
 * fastest so far.
 */
static void try_slabs(const struct fusion *f, const struct tiles *tiles,
	const struct fuse_detail *d, struct sized *nested)
{
	enum { FARTHEST = 2 };	/* times the time of the best */
	const struct scored *best = d->found.best;
	const int levels = d->machine.n_levels;
	int left = MOST_NESTED;

	for (int k = 0; k < d->found.n && left > 0; k++) {
		struct fuse_detail own = *d;
		struct tiles t = *tiles;
		struct scored shared;

		if (!best[k].fits || best[k].seconds > FARTHEST *
				best->seconds || !has_kernels(best[k].variant,
				levels))
			continue;
		left--;
		shared = fuse_share_slabs(f, &best[k], levels, &t,
			&own.machine);
		if (shared.fits && shared.seconds * steps_by_time(f) <
				nested->predicted_s)
			*nested = sized_of(f, &own, &shared, &t,
				steps_by_time(f));
	}
}

/* Does the code support the i-th variant of "d"?  Slabs too long for the cache count if
 * requested.
 */
static bool is_candidate(const struct fusion *f, const struct fuse_detail *d,
	int i)
{
	const struct scored *s = &d->found.best[i];
	struct graph_machine m = d->machine;

	if (s->fits || !f->request->variant ||
	    !fuse_has_slabs(s->variant, m.n_levels))
		return s->fits;
	m.level[1].capacity = INFINITY;
	m.swept = NULL;
	return fuse_score(f, &m, s->variant).fits;
}

/* Score the variants for tiles of "shape"; those that fit become candidates.  "best" is the
 * search with the best one, "nested" the fastest one with slabs that nobody requested.  Returns
 * the cuboids that it cut, about "effort" at most.
 */
static int64_t try_shape(const struct fusion *f, const int64_t *shape,
	int64_t effort, struct prediction *p, struct fastest *fastest,
	struct fuse_detail *best, struct sized *nested)
{
	struct tiles t = fuse_tiles(f, shape);
	struct fuse_detail d;
	int64_t unit;

	if (!fuse_set_slab(f, &t, &unit)) {
		p->why = region_printf(f->mem, "slab = %d: slabs are whole "
			"tiles, multiples of %lld points", f->request->slab,
			(long long) unit);
		p->remark = "--tile=bx=..,by=..,bz=.. says how long tiles are";
		return 0;
	}
	d = search_tiles(f, &t, effort);
	if (d.found.n > 0 && (!best->graph || is_better(&d.found.best[0],
		&best->found.best[0])))
		*best = d;
	for (int k = 0; k < d.found.n; k++) {
		struct sized sized = sized_of(f, &d, &d.found.best[k], &t,
			steps_by_time(f));

		if (is_candidate(f, &d, k))
			fastest_try(fastest, &sized);
	}
	if (!f->request->variant && t.slab == 0 &&
	    f->outlook->machine->n_levels == 0)
		try_slabs(f, &t, &d, nested);
	return d.found.n_cuboids;
}

/* The contents of a report for "r", complete. */
static struct fuse_detail detail_of(const struct fusion *f,
	const struct tile_request *r, int64_t effort)
{
	static const int64_t any[2] = { 1, 1 };
	struct fusion chosen = *f;
	struct tiles t;

	chosen.request = r;
	t = fuse_tiles(&chosen, any);
	t.slab = r->slab;
	return search_tiles(&chosen, &t, effort);
}

static void report(const struct prediction *p, struct text *t,
	struct json *j)
{
	const struct fuse_detail *given = p->detail;
	const struct fuse_detail d = given->fitted ? detail_of(given->fitted,
		given->fitted->request, GRAPH_EFFORT) : *given;

	if (j)
		graph_report_json(j, d.graph, &d.machine, &d.found);
	else
		graph_report_text(t, d.graph, &d.machine, &d.found);
}

/* "f" with the tiles of "r". */
static const struct fusion *with_tiles(const struct fusion *f,
	const struct tile_request *r)
{
	struct fusion *fitted = region_new_of(f->mem, struct fusion);
	struct tile_request *request = region_new_of(f->mem,
		struct tile_request);

	*request = *r;
	request->variant = f->request->variant;
	*fitted = *f;
	fitted->request = request;
	return fitted;
}

static const char *binding_of(const struct fusion *f,
	const struct tile_request *r)
{
	struct fuse_detail d = detail_of(f, r, 0);
	struct term *term;
	int n = variant_terms(f->mem, counter_new(f->mem, d.graph, &d.machine),
		d.found.best->variant, &term);

	return terms_binding(term, n);
}

static const char *sizes_of(struct region *mem, const struct tile_request *r)
{
	const char *sizes = region_printf(mem, "variant %s bx=%d by=%d bz=%d",
		r->variant, r->bx, r->by, r->bz);

	if (r->sweep > 0)
		sizes = region_printf(mem, "%s sweep=%d", sizes, r->sweep);
	return r->slab > 0 ? region_printf(mem, "%s slab=%d", sizes, r->slab) :
		sizes;
}

/* Slabs that nobody requested must gain more than the model's error: three examples as C that
 * should gain up to 3 % are from 3 % faster to 35 % slower (2 threads, 2026).
 */
static const double WORTH = 0.9;

/* The model does not know how few points a condition leaves: a sweep of its own skips the others,
 * which is nearly all of cpml2d, and threads of a fused kernel wait.
 */
static const double CONDITIONS_DOUBT = 1;

static bool has_conditions(const struct scop *scop)
{
	bool has = false;

	for (int i = 0; i < scop->n_stmts; i++)
		has |= scop->stmt[i].is_guarded;
	return has;
}

/* The block shapes to try: rows so long that halos do not matter even in sectors of 32 bytes, and
 * in three dimensions of C whole rows, which lie side by side in memory.  Returns their number.
 */
static int shapes_of(const struct fusion *f, int64_t shape[MOST_SHAPES][2])
{
	enum { ROW_BYTES = 512, N = 4 };
	const bool for_cpu = f->request->for_cpu;
	const int64_t w = (for_cpu ? 2 : 1) * ROW_BYTES / fuse_word_bytes(
		f->scop);
	const int64_t all[N][2] = {
		{ w, 4 }, { w, 8 }, { w, 16 }, { 2 * w, 16 },
	};
	int64_t domain[GRAPH_MAX_DIMS], rows = 4;
	int n = N;

	memcpy(shape, all, sizeof(all));
	fuse_domain(f, domain);
	for (; for_cpu && f->scop->n_dims == 3 && n < MOST_SHAPES; rows *= 2) {
		shape[n][0] = (domain[0] + w - 1) / w * w;
		shape[n++][1] = rows;
	}
	return n;
}

/* Try the block shapes, for large graphs half of them, with the variants that
 * fit each.  What one search leaves of its effort goes to the others.
 */
void fuse_predict(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *outlook,
	struct prediction *p)
{
	const struct fusion f = fusion_of(mem, scop, request, outlook);
	struct fuse_detail *best = region_new_of(mem, struct fuse_detail);
	struct sized nested = { .predicted_s = INFINITY };
	int64_t shape[MOST_SHAPES][2];
	const int all_shapes = shapes_of(&f, shape);
	const int stride = scop->k > MANY ? 2 : 1;
	const int n_shapes = outlook->machine->n_levels > 0 ? stride :
		all_shapes;
	int64_t effort = 2 * GRAPH_EFFORT;
	struct fastest fastest;
	bool fits;

	fastest_start(&fastest, mem, MOST_FOUND * MOST_SHAPES + 1, sizeof(struct sized),
		sized_seconds);
	if (!request->for_cpu && has_conditions(scop))
		p->doubt += CONDITIONS_DOUBT;
	p->report = report;
	p->detail = best;
	p->why = "no variant fits the shared memory of a block";
	p->remark = "smaller blocks (--tile=bx=..,by=..) need less";
	for (int i = stride - 1; i < n_shapes; i += stride)
		effort -= try_shape(&f, shape[i],
			share_of_effort(effort, (n_shapes - i + stride - 1) /
				stride), p, &fastest, best, &nested);
	fits = fuse_may_fit(&f) && fuse_fit(&f, &fastest);
	p->candidate = fastest.all;
	if (fastest.n > 0 && nested.predicted_s < WORTH *
			p->candidate->predicted_s)
		fastest_try(&fastest, &nested);
	if (request->variant && !is_written(scop, outlook->machine, request)) {
		p->why = fuse_too_deep;
		return;
	}
	p->n_candidates = smaller(fastest.n, outlook->max_candidates);
	if (p->n_candidates == 0)
		return;
	p->remark = NULL;
	if (fits)
		best->fitted = with_tiles(&f, &p->candidate->request);
	else if (!request->variant && request->slab <= 0 &&
	    p->candidate->request.slab > 0)
		*best = detail_of(&f, &p->candidate->request, 0);
	p->sizes = sizes_of(mem, &p->candidate->request);
	p->binding = binding_of(&f, &p->candidate->request);
}

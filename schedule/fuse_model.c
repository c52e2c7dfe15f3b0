/* The model of the strategy fuse: the best variants and their blocks. */
#include <math.h>
#include <string.h>

#include "graph/graph.h"
#include "schedule/schedule.h"

/* Stages of a graph beyond which fewer shapes of blocks are tried. */
enum { MANY = 16 };

/* Variants of a search that are candidates. */
enum { MOST_FOUND = 10 };

struct fuse_detail {
	struct graph *graph;
	struct graph_machine machine;
	struct found found;
};

static void report(struct text *t, const struct prediction *p, bool json)
{
	const struct fuse_detail *d = p->detail;

	(json ? graph_report_json : graph_report_text)(t, d->graph,
		&d->machine, &d->found);
}

static int word_bytes(const struct scop *scop)
{
	int bytes = 0;

	for (int i = 0; i < scop->k; i++) {
		enum type type = scop->prog->stmt[i]->write->field->type;

		if (type_size(type) > bytes)
			bytes = type_size(type);
	}
	return bytes;
}

/* The tiles of the kernels, innermost dimension first. */
struct tiles {
	int64_t block[GRAPH_MAX_DIMS];
	int64_t sweep;		/* of kernels that are swept, in the outermost
				 * dimension: its planes */
};

/* What is not asked for is one of the shapes that are tried, and SWEEP planes.
 * Without a length of sweeps they are as long as blocks are asked to be.
 */
static struct tiles tiles_asked(const struct tile_request *r, int n_dims,
	const int64_t *shape)
{
	enum { SWEEP = 64 };
	const int given[GRAPH_MAX_DIMS] = { r->bx, r->by, r->bz, -1 };
	int outermost = given[n_dims - 1];
	struct tiles t = { .sweep = r->sweep > 0 ? r->sweep :
		outermost > 0 ? outermost : SWEEP };

	for (int i = 0; i < GRAPH_MAX_DIMS; i++)
		t.block[i] = i >= n_dims ? 1 : given[i] > 0 ? given[i] :
			i < 2 ? shape[i] : 1;
	return t;
}

/* A machine with levels of its own says in the second what the blocks are. */
static void take_levels(const struct machine *m, int n_dims, struct tiles *t)
{
	for (int d = 0; d < 3 && m->n_levels > 0; d++) {
		if (m->level[1].tile[d] <= 0)
			continue;
		t->block[d] = m->level[1].tile[d];
		if (d == n_dims - 1)
			t->sweep = t->block[d];
	}
}

/* Points of the statements whose values the caller gets, innermost dimension
 * first.
 */
static void domain_of(const struct scop *scop, const struct outlook *o,
	int64_t *domain)
{
	for (int i = 0; i < GRAPH_MAX_DIMS; i++)
		domain[i] = 1;
	for (int s = 0; s < scop->k; s++) {
		const struct stmt *stmt = scop->prog->stmt[s];

		for (int d = 0; d < scop->n_dims; d++) {
			int64_t *points = &domain[scop->n_dims - 1 - d];

			if (!field_is_temp(stmt->write->field) &&
			    o->size[s][d] > *points)
				*points = o->size[s][d];
		}
	}
}

static struct found only(struct region *mem, const struct variant *v,
	const struct graph *graph, const struct graph_machine *machine)
{
	struct found f = { .n = 1, .n_orders = 1, .n_scored = 1,
		.exhaustive = true, .longest = graph->n_stencils,
		.orders_there = graph_count_orders(graph) };
	struct counter *c = counter_new(mem, graph, machine);

	f.best = region_array(mem, struct scored, 1);
	f.best->variant = v;
	f.best->seconds = variant_time(c, v, &f.best->fits);
	return f;
}

static struct variant *all_swept(struct region *mem, const struct variant *v)
{
	struct variant *swept = region_new_of(mem, struct variant);

	*swept = *v;
	swept->swept = region_array(mem, bool, v->n);
	memset(swept->swept, true, sizeof(bool) * (size_t) v->n);
	return swept;
}

/* Of "left" for "n" searches, what one of them may have. */
static int64_t share_of_effort(int64_t left, int n)
{
	const int64_t least = GRAPH_EFFORT / 8, most = GRAPH_EFFORT;

	return left / n < least ? least : left / n < most ? left / n : most;
}

/* NULL, or why tiles cannot be swept. */
static const char *why_not_swept(const struct scop *scop)
{
	return scop->n_dims < 2 || scop->n_dims > 3 ? "planes are swept in "
		"two or three dimensions" : NULL;
}

/* Does a machine with levels of its own have one that is swept? */
static bool has_sweeps(const struct machine *m)
{
	for (int l = 0; l < m->n_levels; l++)
		if (!strcmp(m->level[l].halo, "hs"))
			return true;
	return false;
}

/* Are all groups swept, as the levels of the machine say? */
static bool sweeps_all(const struct scop *scop, const struct machine *m)
{
	return has_sweeps(m) && !why_not_swept(scop);
}

/* Does a stage read planes above or below its own? */
static bool reads_planes(const struct graph *g)
{
	for (int s = 0; s < g->n_stencils; s++)
		for (int i = 0; i < g->stencil[s].n_in; i++)
			if (g->stencil[s].in[i].offset[0])
				return true;
	return false;
}

/* May each group be swept or not?  The search leaves out what gains nothing. */
static bool may_choose(const struct scop *scop, const struct graph *g,
	const struct machine *m, const struct tile_request *request)
{
	return m->n_levels == 0 && !why_not_swept(scop) &&
		(request->variant || reads_planes(g));
}

static bool is_better(const struct scored *a, const struct scored *b)
{
	return a->fits != b->fits ? a->fits : a->seconds < b->seconds;
}

/* Of "v" the groups that are swept, or those that are not: are there any? */
static bool has_groups(const struct variant *v, bool swept)
{
	for (int i = 0; i < v->n; i++)
		if (variant_is_swept(v, i) == swept)
			return true;
	return false;
}

/* NULL, or why what "v" says to sweep cannot be. */
static const char *why_no_sweep(const struct scop *scop,
	const struct machine *m, const struct variant *v)
{
	if (!has_groups(v, true))
		return NULL;
	if (m->n_levels > 0 && !has_sweeps(m))
		return region_printf(scop->mem, "no level of '%s' is swept",
			m->name);
	return why_not_swept(scop);
}

struct variant *fuse_variant(const struct scop *scop,
	const struct machine *m, int n_levels, const char *text,
	const char **why)
{
	struct graph *graph = graph_of_program(scop->mem, scop->prog, why);
	struct variant *v = variant_parse(scop->mem, graph, n_levels, text,
		why);

	if (v)
		*why = why_no_sweep(scop, m, v);
	if (*why)
		return NULL;
	return sweeps_all(scop, m) ? all_swept(scop->mem, v) : v;
}

/* How deep variants nest in the model. */
static int levels_of(const struct machine *m, bool for_cpu)
{
	static const int64_t any[GRAPH_MAX_DIMS] = { 1, 1, 1, 1 };

	return graph_machine_of(m, 1, for_cpu, any, any).n_levels;
}

static bool accepts_variant(struct diags *d, const struct scop *scop,
	const struct tile_request *request)
{
	const struct machine *m = request->outlook->machine;
	const char *why;

	if (fuse_variant(scop, m, levels_of(m, request->for_cpu),
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

/* The machine as groups with these tiles find it, and as those do that are swept,
 * if they may be.
 */
static struct graph_machine machine_of(struct region *mem,
	const struct scop *scop, const struct graph *g,
	const struct tile_request *request, const struct outlook *o,
	const struct tiles *t)
{
	int64_t domain[GRAPH_MAX_DIMS], swept[GRAPH_MAX_DIMS];
	int bytes = word_bytes(scop);
	struct graph_machine m, of_sweeps, *kept;

	domain_of(scop, o, domain);
	m = graph_machine_of(o->machine, bytes, request->for_cpu, domain,
		t->block);
	if (!may_choose(scop, g, o->machine, request))
		return m;
	memcpy(swept, t->block, sizeof(swept));
	swept[scop->n_dims - 1] = t->sweep;
	of_sweeps = graph_machine_of(o->machine, bytes, request->for_cpu,
		domain, swept);
	kept = region_new_of(mem, struct graph_machine);
	*kept = graph_machine_swept(&of_sweeps, scop->n_dims);
	m.swept = kept;
	return m;
}

static struct graph_query query_of(const struct tile_request *request,
	int64_t effort)
{
	static const enum search how[] = {
		[VARIANTS_AUTO] = SEARCH_AUTO,
		[VARIANTS_EXHAUSTIVE] = SEARCH_ALL,
		[VARIANTS_DP] = SEARCH_DYNAMIC,
	};

	return (struct graph_query) { how[request->search],
		request->orders < GRAPH_MOST_ORDERS ? request->orders :
		GRAPH_MOST_ORDERS, MOST_FOUND, effort };
}

/* Can the search try as many orders as it is asked for? */
static bool accepts_orders(struct diags *d, const struct graph *g,
	const struct tile_request *request)
{
	double there = graph_count_orders(g);

	if (request->orders <= GRAPH_MOST_ORDERS ||
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

/* Can the search try all variants, if it is asked to? */
static bool accepts_search(struct diags *d, const struct scop *scop,
	const struct graph *g, const struct tile_request *request)
{
	static const int64_t any[2] = { 1, 1 };
	struct graph_query q = query_of(request, 0);
	struct tiles t = tiles_asked(request, scop->n_dims, any);
	struct graph_machine m = machine_of(scop->mem, scop, g, request,
		request->outlook, &t);
	double there = graph_count_variants(g, &m, &q);

	if (request->search != VARIANTS_EXHAUSTIVE ||
	    there <= GRAPH_MOST_VARIANTS)
		return true;
	diag_plain(d, E_COMMAND_LINE, "--search=exhaustive: there are %.4g "
		"variants of the orders that are tried, and at most %d are; "
		"--search=dp finds the best of each order", there,
		GRAPH_MOST_VARIANTS);
	return false;
}

bool fuse_accepts(struct diags *d, const struct scop *scop,
	const struct tile_request *request)
{
	const char *why;
	const struct graph *g = graph_of_program(scop->mem, scop->prog, &why);

	return request->variant ? accepts_variant(d, scop, request) :
		accepts_orders(d, g, request) &&
		accepts_search(d, scop, g, request);
}

/* The best variants for these tiles, or the one asked for. */
static struct fuse_detail search_tiles(struct region *mem,
	const struct scop *scop, const struct tile_request *request,
	const struct outlook *o, const struct tiles *t, int64_t effort)
{
	struct fuse_detail d = { 0 };
	struct graph_query q = query_of(request, effort);
	const char *why;

	d.graph = graph_of_program(mem, scop->prog, &why);
	d.machine = machine_of(mem, scop, d.graph, request, o, t);
	if (request->variant)
		d.found = only(mem, fuse_variant(scop, o->machine,
			d.machine.n_levels, request->variant, &why), d.graph,
			&d.machine);
	else
		d.found = graph_search(mem, d.graph, &d.machine, &q);
	for (int i = 0; i < d.found.n && sweeps_all(scop, o->machine); i++)
		d.found.best[i].variant = all_swept(mem,
			d.found.best[i].variant);
	d.found.steps = o->steps;
	return d;
}

/* The variant as the code has it: what is together on all levels is a kernel. */
static const char *variant_text(struct region *mem,
	const struct fuse_detail *d, const struct variant *v)
{
	struct text t = { 0 };
	struct variant two = *v;
	const char *text;

	two.together = region_array(mem, int, v->n);
	for (int i = 0; i + 1 < v->n; i++)
		two.together[i] = v->together[i] == d->machine.n_levels ?
			FUSE_LEVELS : 1;
	variant_print(&t, d->graph, FUSE_LEVELS, &two);
	text = region_strdup(mem, t.bytes);
	text_free(&t);
	return text;
}

/* The sizes of the blocks of "v": where all of them are swept, their length is that
 * of a sweep.
 */
static void set_block(struct tile_request *r, const struct scop *scop,
	const struct variant *v, const struct tiles *t)
{
	int *const size[3] = { &r->bx, &r->by, &r->bz };

	for (int i = 0; i < 3; i++)
		*size[i] = (int) t->block[i];
	if (!has_groups(v, true))
		return;
	if (has_groups(v, false))
		r->sweep = (int) t->sweep;
	else
		*size[scop->n_dims - 1] = (int) t->sweep;
}

static struct sized sized_of(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct fuse_detail *d,
	const struct scored *s, const struct tiles *t, double all_steps)
{
	struct sized sized = { .request = *request,
		.predicted_s = s->seconds * all_steps, .k = 2 };

	set_block(&sized.request, scop, s->variant, t);
	sized.request.variant = variant_text(mem, d, s->variant);
	return sized;
}

static void insert(struct sized *list, int n, const struct sized *last)
{
	while (n > 0 && last->predicted_s < list[n - 1].predicted_s) {
		list[n] = list[n - 1];
		n--;
	}
	list[n] = *last;
}

/* What the time of a step is multiplied with.  Of steps as C the model, which
 * knows traffic alone, is about three times too fast beside the models of the
 * other strategies, an estimate from two programs: hyperdiffusion is 1.7 times
 * as fast as sweeps and half as fast as overlapping tiles, fdtd3d 0.7 times as
 * fast as sweeps (2 threads, 2026).
 */
static double steps_by_time(const struct scop *scop, const struct outlook *o,
	bool for_cpu)
{
	return (double) o->steps * (for_cpu && scop->prog->timed ? 3 : 1);
}

/* Score the variants for tiles of "shape"; those that fit are candidates, "best" is
 * the search that found the best one.  The cuboids that it cut, about "effort" at
 * most.
 */
static int64_t try_shape(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const int64_t *shape,
	int64_t effort, struct prediction *p, struct fuse_detail *best)
{
	const struct outlook *o = request->outlook ? request->outlook :
		outlook_default(scop);
	const double all_steps = steps_by_time(scop, o, request->for_cpu);
	struct tiles t = tiles_asked(request, scop->n_dims, shape);
	struct fuse_detail d;

	take_levels(o->machine, scop->n_dims, &t);
	d = search_tiles(mem, scop, request, o, &t, effort);
	if (d.found.n > 0 && (!best->graph || is_better(&d.found.best[0],
		&best->found.best[0])))
		*best = d;
	for (int k = 0; k < d.found.n; k++) {
		struct sized sized = sized_of(mem, scop, request, &d,
			&d.found.best[k], &t, all_steps);

		if (d.found.best[k].fits)
			insert(p->candidate, p->n_candidates++, &sized);
	}
	return d.found.n_cuboids;
}

static const char *sizes_of(struct region *mem, const struct tile_request *r)
{
	const char *sizes = region_printf(mem, "variant %s bx=%d by=%d bz=%d",
		r->variant, r->bx, r->by, r->bz);

	return r->sweep > 0 ? region_printf(mem, "%s sweep=%d", sizes,
		r->sweep) : sizes;
}

/* Try the shapes of blocks, of large graphs half of them; of each the variants
 * that fit.  Rows are long enough that their halos do not matter in sectors of
 * 32 bytes either.  What one search leaves of its effort is the others'.
 */
void fuse_predict(struct region *mem, const struct scop *scop,
	const struct deps *deps, const struct tile_request *request,
	struct prediction *p)
{
	enum { N = 4, ROW_BYTES = 512 };
	const int64_t w = (request->for_cpu ? 2 : 1) * ROW_BYTES /
		word_bytes(scop);
	const int64_t shapes[N][2] = {
		{ w, 4 }, { w, 8 }, { w, 16 }, { 2 * w, 16 },
	};
	const struct outlook *o = request->outlook ? request->outlook :
		outlook_default(scop);
	struct fuse_detail *best = region_new_of(mem, struct fuse_detail);
	const int stride = scop->k > MANY ? 2 : 1;
	const int n_shapes = o->machine->n_levels > 0 ? stride : N;
	int64_t effort = 2 * GRAPH_EFFORT;

	(void) deps;
	p->candidate = region_array(mem, struct sized, MOST_FOUND * N);
	p->report = report;
	p->detail = best;
	p->why = "no variant fits the shared memory of a block";
	for (int i = stride - 1; i < n_shapes; i += stride)
		effort -= try_shape(mem, scop, request, shapes[i],
			share_of_effort(effort, (n_shapes - i + stride - 1) /
				stride), p, best);
	if (request->variant && !is_written(scop, o->machine, request)) {
		p->why = "variants that nest deeper are not written";
		p->n_candidates = 0;
	}
	if (p->n_candidates == 0)
		return;
	if (p->n_candidates > o->max_candidates)
		p->n_candidates = o->max_candidates;
	p->sizes = sizes_of(mem, &p->candidate->request);
	p->binding = "its traffic";
}

/* The model of the strategy fuse: the best variants and their blocks. */
#include <math.h>
#include <string.h>

#include "graph/graph.h"
#include "schedule/schedule.h"

/* Stages of a graph beyond which fewer shapes of blocks are tried. */
enum { MANY = 16 };

/* Variants of a search that are candidates. */
enum { MOST_FOUND = 10 };

/* Of these so many are tried with slabs. */
enum { MOST_NESTED = 3 };

const char fuse_too_deep[] = "it nests deeper than code can: slabs, their "
	"kernels, their stages";

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

static const struct outlook *outlook_of(const struct scop *scop,
	const struct tile_request *request)
{
	return request->outlook ? request->outlook : outlook_default(scop);
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
	int64_t slab;		/* of kernels that share slabs; 0: none do */
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

/* How deep variants nest in the model: a level for slabs is there if they do. */
static int levels_of(const struct machine *m, bool for_cpu)
{
	static const int64_t any[GRAPH_MAX_DIMS] = { 1, 1, 1, 1 };

	return graph_machine_of(m, 1, for_cpu, any, any).n_levels +
		(m->n_levels == 0);
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

/* The machine with blocks of this size, and a level for slabs if "slab" is not 0. */
static struct graph_machine machine_with(const struct scop *scop,
	const struct tile_request *request, const struct outlook *o,
	const int64_t *domain, const int64_t *block, int64_t slab)
{
	int bytes = word_bytes(scop);
	struct graph_machine m = graph_machine_of(o->machine, bytes,
		request->for_cpu, domain, block);

	return slab > 0 && o->machine->n_levels == 0 ? graph_machine_slabs(&m,
		o->machine, bytes, request->for_cpu, scop->n_dims, slab) : m;
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
	struct graph_machine m, of_sweeps, *kept;

	domain_of(scop, o, domain);
	m = machine_with(scop, request, o, domain, t->block, t->slab);
	if (!may_choose(scop, g, o->machine, request))
		return m;
	memcpy(swept, t->block, sizeof(swept));
	swept[scop->n_dims - 1] = t->sweep;
	of_sweeps = machine_with(scop, request, o, domain, swept, t->slab);
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

/* The variant asked for, on a machine of "n_levels": one without a level for slabs
 * if no kernels share them, however deep it nests.
 */
static const struct variant *variant_asked(const struct scop *scop,
	const struct tile_request *request, const struct outlook *o,
	int n_levels)
{
	const char *why;
	struct variant *v = fuse_variant(scop, o->machine, levels_of(o->machine,
		request->for_cpu), request->variant, &why);

	for (int i = 0; i + 1 < v->n; i++)
		if (v->together[i] > n_levels)
			v->together[i] = n_levels;
	return v;
}

/* The best variants for these tiles, or the one asked for.  A search for slabs
 * leaves sweeps out.
 */
static struct fuse_detail search_tiles(struct region *mem,
	const struct scop *scop, const struct tile_request *request,
	const struct outlook *o, const struct tiles *t, int64_t effort)
{
	struct fuse_detail d = { 0 };
	struct graph_query q = query_of(request, effort);
	const char *why;

	d.graph = graph_of_program(mem, scop->prog, &why);
	d.machine = machine_of(mem, scop, d.graph, request, o, t);
	if (t->slab > 0 && !request->variant)
		d.machine.swept = NULL;
	if (request->variant)
		d.found = only(mem, variant_asked(scop, request, o,
			d.machine.n_levels), d.graph, &d.machine);
	else
		d.found = graph_search(mem, d.graph, &d.machine, &q);
	for (int i = 0; i < d.found.n && sweeps_all(scop, o->machine); i++)
		d.found.best[i].variant = all_swept(mem,
			d.found.best[i].variant);
	d.found.steps = o->steps;
	return d;
}

/* The variant as the code has it: what is together on all levels is a kernel, what
 * is on the second one shares slabs.
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

/* Do kernels of "v", a variant for "n_levels", share slabs? */
static bool has_slabs(const struct variant *v, int n_levels)
{
	bool has = false;

	for (int i = 0; i + 1 < v->n; i++)
		has |= v->together[i] >= FUSE_SLABS &&
			v->together[i] < n_levels;
	return has;
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
	if (has_slabs(s->variant, d->machine.n_levels) && request->slab != 0)
		sized.request.slab = (int) t->slab;
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

/* Slabs ------------------------------------------------------------------ */

/* Of how many points along the outermost dimension slabs have a multiple. */
static int64_t unit_of_slabs(const struct scop *scop, const struct variant *v,
	const struct tiles *t)
{
	int64_t unit = 1;

	if (has_groups(v, true))
		unit = least_common_multiple(unit, t->sweep);
	if (has_groups(v, false))
		unit = least_common_multiple(unit, t->block[scop->n_dims - 1]);
	return unit;
}

/* The time of a step of "v" on "m", and whether it fits. */
static struct scored score(struct region *mem, const struct graph *graph,
	const struct graph_machine *m, const struct variant *v)
{
	struct scored s = { .variant = v };

	s.seconds = variant_time(counter_new(mem, graph, m), v, &s.fits);
	return s;
}

/* Has a slab of "points" four tiles at least for each multiprocessor, or core? */
static bool keeps_busy(const struct scop *scop, const struct machine *m,
	const int64_t *domain, const struct tiles *t, int64_t points)
{
	int last = scop->n_dims - 1;
	int64_t tiles = points / t->block[last];

	for (int i = 0; i < last; i++)
		tiles *= (domain[i] + t->block[i] - 1) / t->block[i];
	return tiles >= 4 * m->sm_count;
}

/* The slabs of "v", a variant for the levels of a machine with slabs, that are the
 * fastest of those that fit and keep the machine busy: of one tile, or twice as
 * many each time.  If there is none, the least, which is of one tile.
 */
static int64_t best_slab(struct region *mem, const struct scop *scop,
	const struct graph *graph, const struct tile_request *request,
	const struct outlook *o, const struct tiles *tiles,
	const struct variant *v)
{
	int64_t domain[GRAPH_MAX_DIMS], best = 0;
	int64_t unit = unit_of_slabs(scop, v, tiles);
	struct tiles t = *tiles;
	double least = INFINITY;

	domain_of(scop, o, domain);
	for (t.slab = unit; t.slab < domain[scop->n_dims - 1]; t.slab *= 2) {
		struct graph_machine m;
		struct scored s;

		if (!keeps_busy(scop, o->machine, domain, &t, t.slab))
			continue;
		m = machine_of(mem, scop, graph, request, o, &t);
		s = score(mem, graph, &m, v);
		if (!s.fits)
			break;
		if (s.seconds < least) {
			least = s.seconds;
			best = t.slab;
		}
	}
	return best ? best : unit;
}

/* The variant that is asked for, if it needs a level for slabs. */
static const struct variant *nested_variant(const struct scop *scop,
	const struct tile_request *request, const struct outlook *o)
{
	int n_levels = levels_of(o->machine, request->for_cpu);
	const struct variant *v = NULL;
	const char *why;

	if (request->variant)
		v = fuse_variant(scop, o->machine, n_levels, request->variant,
			&why);
	return v && has_slabs(v, n_levels) ? v : NULL;
}

/* The length of slabs: that asked for, or the best of the variant asked for; 0:
 * there are none.
 */
static int64_t slab_of(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct outlook *o,
	const struct tiles *t)
{
	const struct variant *v = nested_variant(scop, request, o);
	const char *why;

	if (request->slab > 0 || !v)
		return request->slab > 0 ? request->slab : 0;
	return o->machine->n_levels > 0 ? unit_of_slabs(scop, v, t) :
		best_slab(mem, scop, graph_of_program(mem, scop->prog, &why),
			request, o, t, v);
}

/* Are slabs as long as is asked for whole tiles?  The search has no sweeps then. */
static bool slabs_are_whole(const struct scop *scop,
	const struct tile_request *request, const struct outlook *o,
	const struct tiles *t)
{
	const struct variant *v = nested_variant(scop, request, o);

	if (request->slab <= 0 || (request->variant && !v))
		return true;
	return request->slab % (v ? unit_of_slabs(scop, v, t) :
		t->block[scop->n_dims - 1]) == 0;
}

/* "v", of "levels", for a machine with one more, the second: what is not together
 * on all levels is up to "apart".
 */
static struct variant *with_level(struct region *mem, const struct variant *v,
	int levels, int apart)
{
	struct variant *nested = region_new_of(mem, struct variant);

	*nested = *v;
	nested->together = region_array(mem, int, v->n);
	for (int i = 0; i + 1 < v->n; i++)
		nested->together[i] = v->together[i] == levels ? levels + 1 :
			apart;
	return nested;
}

static bool has_kernels(const struct variant *v, int n_levels)
{
	bool several = false;

	for (int i = 0; i + 1 < v->n; i++)
		several |= v->together[i] < n_levels;
	return several;
}

/* The kernels of "flat", one of the variants of "d", sharing slabs: as much faster
 * as they are by the prices of one machine, that with a level for slabs.  False if
 * they do not fit.
 */
static bool share_slabs(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct tiles *tiles,
	const struct fuse_detail *d, const struct scored *flat,
	double all_steps, struct sized *sized)
{
	const struct outlook *o = outlook_of(scop, request);
	const int levels = d->machine.n_levels;
	const struct variant *nested = with_level(mem, flat->variant, levels,
		FUSE_SLABS);
	struct fuse_detail own = *d;
	struct tiles t = *tiles;
	struct scored shared, apart;

	t.slab = best_slab(mem, scop, d->graph, request, o, &t, nested);
	own.machine = machine_of(mem, scop, d->graph, request, o, &t);
	shared = score(mem, d->graph, &own.machine, nested);
	apart = score(mem, d->graph, &own.machine, with_level(mem,
		flat->variant, levels, 1));
	if (!shared.fits)
		return false;
	shared.seconds *= flat->seconds / apart.seconds;
	*sized = sized_of(mem, scop, request, &own, &shared, &t, all_steps);
	return true;
}

/* Try slabs for some of the variants of "d", those that may become the best;
 * "nested" is the fastest so far.
 */
static void try_slabs(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct tiles *t,
	const struct fuse_detail *d, double all_steps, struct sized *nested)
{
	enum { FARTHEST = 2 };	/* times the time of the best */
	const struct scored *best = d->found.best;
	int left = MOST_NESTED;

	for (int k = 0; k < d->found.n && left > 0; k++) {
		struct sized sized;

		if (!best[k].fits || best[k].seconds > FARTHEST *
				best->seconds || !has_kernels(best[k].variant,
				d->machine.n_levels))
			continue;
		left--;
		if (share_slabs(mem, scop, request, t, d, &best[k], all_steps,
				&sized) &&
		    sized.predicted_s < nested->predicted_s)
			*nested = sized;
	}
}

/* Trying ----------------------------------------------------------------- */

/* Is the i-th of "d" one that is written?  Slabs that are too long for the cache
 * are, if they are asked for.
 */
static bool is_candidate(struct region *mem, const struct fuse_detail *d,
	int i, const struct tile_request *request)
{
	struct graph_machine m = d->machine;

	if (d->found.best[i].fits || !request->variant ||
	    !has_slabs(d->found.best[i].variant, m.n_levels))
		return d->found.best[i].fits;
	m.level[1].capacity = INFINITY;
	m.swept = NULL;
	return score(mem, d->graph, &m, d->found.best[i].variant).fits;
}

/* Score the variants for tiles of "shape"; those that fit are candidates, "best" is
 * the search that found the best one, "nested" the fastest that is to share slabs
 * though nobody asks for it.  The cuboids that it cut, about "effort" at most.
 */
static int64_t try_shape(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const int64_t *shape,
	int64_t effort, struct prediction *p, struct fuse_detail *best,
	struct sized *nested)
{
	const struct outlook *o = outlook_of(scop, request);
	const double all_steps = steps_by_time(scop, o, request->for_cpu);
	struct tiles t = tiles_asked(request, scop->n_dims, shape);
	struct fuse_detail d;

	take_levels(o->machine, scop->n_dims, &t);
	if (!slabs_are_whole(scop, request, o, &t)) {
		p->why = region_printf(mem, "slab = %d is no multiple of the "
			"length of a tile", request->slab);
		p->remark = "--tile=bx=..,by=..,bz=.. says how long that is";
		return 0;
	}
	t.slab = slab_of(mem, scop, request, o, &t);
	d = search_tiles(mem, scop, request, o, &t, effort);
	if (d.found.n > 0 && (!best->graph || is_better(&d.found.best[0],
		&best->found.best[0])))
		*best = d;
	for (int k = 0; k < d.found.n; k++) {
		struct sized sized = sized_of(mem, scop, request, &d,
			&d.found.best[k], &t, all_steps);

		if (is_candidate(mem, &d, k, request))
			insert(p->candidate, p->n_candidates++, &sized);
	}
	if (!request->variant && t.slab == 0 && o->machine->n_levels == 0)
		try_slabs(mem, scop, request, &t, &d, all_steps, nested);
	return d.found.n_cuboids;
}

/* What a report shows of "r", complete. */
static struct fuse_detail detail_of(struct region *mem,
	const struct scop *scop, const struct tile_request *r,
	const struct outlook *o)
{
	static const int64_t any[2] = { 1, 1 };
	struct tiles t = tiles_asked(r, scop->n_dims, any);

	t.slab = r->slab;
	return search_tiles(mem, scop, r, o, &t, 0);
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

/* Slabs that nobody asks for are to gain more than the model may be wrong by: of the
 * examples as C those that gain 4 % by it are 3 % faster and 35 % slower (2 threads,
 * 2026).
 */
static const double WORTH = 0.9;

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
	const struct outlook *o = outlook_of(scop, request);
	struct fuse_detail *best = region_new_of(mem, struct fuse_detail);
	struct sized nested = { .predicted_s = INFINITY };
	const int stride = scop->k > MANY ? 2 : 1;
	const int n_shapes = o->machine->n_levels > 0 ? stride : N;
	int64_t effort = 2 * GRAPH_EFFORT;

	(void) deps;
	p->candidate = region_array(mem, struct sized, MOST_FOUND * N +
		1);
	p->report = report;
	p->detail = best;
	p->why = "no variant fits the shared memory of a block";
	p->remark = "smaller blocks (--tile=bx=..,by=..) need less";
	for (int i = stride - 1; i < n_shapes; i += stride)
		effort -= try_shape(mem, scop, request, shapes[i],
			share_of_effort(effort, (n_shapes - i + stride - 1) /
				stride), p, best, &nested);
	if (p->n_candidates > 0 && nested.predicted_s < WORTH *
			p->candidate->predicted_s)
		insert(p->candidate, p->n_candidates++, &nested);
	if (request->variant && !is_written(scop, o->machine, request)) {
		p->why = fuse_too_deep;
		p->n_candidates = 0;
	}
	if (p->n_candidates == 0)
		return;
	p->remark = NULL;
	if (p->n_candidates > o->max_candidates)
		p->n_candidates = o->max_candidates;
	if (!request->variant && request->slab <= 0 &&
	    p->candidate->request.slab > 0)
		*best = detail_of(mem, scop, &p->candidate->request, o);
	p->sizes = sizes_of(mem, &p->candidate->request);
	p->binding = "its traffic";
}

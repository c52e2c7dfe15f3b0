/* The strategy fuse: the variant of the stencil graph that the model of [MO]
 * (see graph/) finds best.  A group of stencils is a kernel; its blocks
 * compute again what they need of their neighbours, halos on the fly, and
 * exchange what their threads compute through shared memory.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "graph/graph.h"
#include "schedule/schedule.h"

/* Those that the code has: the program, and a kernel for each group. */
enum { VARIANT_LEVELS = 2 };

/* Stages of a graph beyond which fewer shapes of blocks are tried. */
enum { MANY = 16 };

static bool is_periodic(const struct field *field)
{
	for (int d = 0; d < field->n_dims; d++)
		if (field->boundary[d].kind == BOUNDARY_PERIODIC)
			return true;
	return false;
}

/* Is "acc" of what a statement of the same step computes? */
static bool reads_new(const struct access *acc)
{
	return acc->field->kind == FIELD_STATE ? acc->version == 1 :
		acc->field->kind != FIELD_INPUT;
}

/* The dimension in which a boundary of what the program computes may stand for
 * "acc" with a cell far from the points of "s", or -1.
 */
static int far_dimension(const struct scop *scop, const struct stmt *s,
	const struct access *acc)
{
	const struct field *f = acc->field;
	int low, high;

	for (int d = 0; d < f->n_dims && f->kind == FIELD_STATE; d++)
		if (access_is_mapped(s, acc, d) &&
		    f->boundary[d].kind != BOUNDARY_PERIODIC &&
		    !access_reach(scop, s, acc, d, &low, &high))
			return d;
	return -1;
}

/* What is computed in the step that reads it must lie near its readers. */
static const char *reads_far(const struct scop *scop)
{
	for (int i = 0; i < scop->k; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		for (int j = 0; j < s->n_reads; j++) {
			const struct field *f = s->read[j]->field;
			int d = far_dimension(scop, s, s->read[j]);

			if (d >= 0)
				return region_printf(scop->mem, "the boundary "
					"of '%s' may be far from the points "
					"that read it in dimension %d",
					f->name, d);
			if (reads_new(s->read[j]) && is_periodic(f))
				return region_printf(scop->mem,
					field_is_temp(f) ? "the temp '%s' is "
					"periodic" : "'%s' is periodic, and "
					"read in the step that computes it",
					f->name);
		}
	}
	return NULL;
}

static const char *fuse_applies(const struct scop *scop,
	const struct deps *deps)
{
	const char *why;

	(void) deps;
	if (scop->k < 2)
		return "there is only one statement, which has no "
			"variants";
	if (!scop->computes)
		return "no statement has a point in the grid";
	why = reads_far(scop);
	if (!why)
		graph_of_program(scop->mem, scop->prog, &why);
	return why;
}

static const char *fuse_foreign(const struct tile_request *request)
{
	return request->chunk_z > 1 ? "chunk_z" : names_hexagon(request);
}

/* Predictions ----------------------------------------------------------- */

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

/* A block's tile, innermost dimension first: what is not asked for is one of
 * the shapes that are tried; a sweep is SWEEP planes long.
 */
static void block_of(const struct tile_request *r, int n_dims,
	const int64_t *shape, bool swept, int64_t *block)
{
	enum { SWEEP = 64 };
	const int given[3] = { r->bx, r->by, r->bz };

	for (int i = 0; i < GRAPH_MAX_DIMS; i++)
		block[i] = i >= n_dims ? 1 : i < 3 && given[i] > 0 ?
			given[i] : swept && i == n_dims - 1 ? SWEEP :
			i < 2 ? shape[i] : 1;
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
		.exhaustive = true, .longest = graph->n_stencils };
	struct counter *c = counter_new(mem, graph, machine);

	f.best = region_array(mem, struct scored, 1);
	f.best->variant = v;
	f.best->seconds = variant_time(c, v, &f.best->fits);
	return f;
}

static const struct variant *all_swept(struct region *mem,
	const struct variant *v)
{
	struct variant *swept = region_new_of(mem, struct variant);

	*swept = *v;
	swept->swept = region_array(mem, bool, v->n);
	memset(swept->swept, true, sizeof(bool) * (size_t) v->n);
	return swept;
}

/* Tiles that are tried. */
struct trial {
	const int64_t *shape;
	bool swept;
	int64_t effort;		/* of the search, in cuboids */
};

/* Of "left" for "n" searches, what one of them may have. */
static int64_t share_of_effort(int64_t left, int n)
{
	const int64_t least = GRAPH_EFFORT / 8, most = GRAPH_EFFORT;

	return left / n < least ? least : left / n < most ? left / n : most;
}

static struct found search_graph(struct region *mem,
	const struct fuse_detail *d, const struct trial *trial)
{
	return graph_search(mem, d->graph, &d->machine, SEARCH_AUTO, 10,
		trial->effort);
}

/* The best variants whose groups are swept. */
static struct fuse_detail search_swept(struct region *mem,
	const struct scop *scop, const struct trial *trial,
	struct fuse_detail d)
{
	d.machine = graph_machine_swept(&d.machine, scop->n_dims);
	d.found = search_graph(mem, &d, trial);
	for (int i = 0; i < d.found.n; i++)
		d.found.best[i].variant = all_swept(mem,
			d.found.best[i].variant);
	return d;
}

/* Does a machine with levels of its own have one that is swept? */
static bool has_sweeps(const struct machine *m)
{
	for (int l = 0; l < m->n_levels; l++)
		if (!strcmp(m->level[l].halo, "hs"))
			return true;
	return false;
}

static bool is_better(const struct scored *a, const struct scored *b)
{
	return a->fits != b->fits ? a->fits : a->seconds < b->seconds;
}

/* The best variants for tiles of "block", or the one asked for. */
static struct fuse_detail search_block(struct region *mem,
	const struct scop *scop, const struct tile_request *request,
	const struct outlook *o, const int64_t *block,
	const struct trial *trial)
{
	bool swept = trial->swept;
	struct fuse_detail d = { 0 };
	int64_t domain[GRAPH_MAX_DIMS];
	const char *why;

	d.graph = graph_of_program(mem, scop->prog, &why);
	domain_of(scop, o, domain);
	d.machine = graph_machine_of(o->machine, word_bytes(scop),
		request->for_cpu, domain, block);
	if (swept && request->variant && o->machine->n_levels == 0)
		d.machine = graph_machine_swept(&d.machine, scop->n_dims);
	if (swept && !request->variant && o->machine->n_levels == 0)
		d = search_swept(mem, scop, trial, d);
	else if (request->variant)
		d.found = only(mem, variant_parse(mem, d.graph,
			d.machine.n_levels, request->variant, &why), d.graph,
			&d.machine);
	else
		d.found = search_graph(mem, &d, trial);
	for (int i = 0; i < d.found.n && has_sweeps(o->machine); i++)
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
			VARIANT_LEVELS : 1;
	variant_print(&t, d->graph, VARIANT_LEVELS, &two);
	text = region_strdup(mem, t.bytes);
	text_free(&t);
	return text;
}

static struct sized sized_of(struct region *mem,
	const struct tile_request *request, const struct fuse_detail *d,
	const struct scored *s, const int64_t *block, double all_steps)
{
	struct sized sized = { .request = *request,
		.predicted_s = s->seconds * all_steps, .k = 2 };

	sized.request.bx = (int) block[0];
	sized.request.by = (int) block[1];
	sized.request.bz = (int) block[2];
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

/* NULL, or why tiles cannot be swept. */
static const char *why_not_swept(const struct scop *scop)
{
	return scop->n_dims < 2 || scop->n_dims > 3 ? "planes are swept in "
		"two or three dimensions" : NULL;
}

static struct variant *variant_asked(const struct scop *scop,
	const struct machine *m, const char *text)
{
	const char *why;
	struct graph *graph = graph_of_program(scop->mem, scop->prog, &why);

	return variant_parse(scop->mem, graph, m->n_levels > VARIANT_LEVELS ?
		m->n_levels : VARIANT_LEVELS, text, &why);
}

/* May tiles be swept, or not?  A variant says which; a group that is makes the
 * model take all for it.
 */
static bool may_be_swept(const struct scop *scop, const struct machine *m,
	const struct tile_request *request, bool swept)
{
	const struct variant *v;
	bool any = false;

	if (m->n_levels > 0)
		return swept == has_sweeps(m);
	if (!request->variant)
		return !swept || !why_not_swept(scop);
	v = variant_asked(scop, m, request->variant);
	for (int i = 0; i < v->n; i++)
		any |= v->swept[i];
	return any == swept;
}

/* What a machine with levels of its own says of the blocks: the second level. */
static void tile_of_levels(const struct machine *m, int64_t *block)
{
	for (int d = 0; d < 3; d++)
		if (m->level[1].tile[d] > 0)
			block[d] = m->level[1].tile[d];
}

/* What the time of a step is multiplied with.  Of steps as C the model, which
 * knows traffic alone, is about three times too fast beside the models of the
 * other strategies, an estimate from two programs: hyperdiffusion is 1.7 times as fast as sweeps and half as fast as
 * overlapping tiles, fdtd3d 0.7 times as fast as sweeps (2 threads, 2026).
 */
static double steps_by_time(const struct scop *scop, const struct outlook *o,
	bool for_cpu)
{
	return (double) o->steps * (for_cpu && scop->prog->timed ? 3 : 1);
}

/* Score the variants for tiles; those that fit are candidates, "best" is the search
 * that found the best one.  The cuboids that it cut.
 */
static int64_t try_tiles(struct region *mem, const struct scop *scop,
	const struct tile_request *request, const struct trial *trial,
	struct prediction *p, struct fuse_detail *best)
{
	const struct outlook *o = request->outlook ? request->outlook :
		outlook_default(scop);
	const double all_steps = steps_by_time(scop, o, request->for_cpu);
	int64_t block[GRAPH_MAX_DIMS];
	struct fuse_detail d;

	block_of(request, scop->n_dims, trial->shape, trial->swept, block);
	if (o->machine->n_levels > 0)
		tile_of_levels(o->machine, block);
	d = search_block(mem, scop, request, o, block, trial);
	if (d.found.n > 0 && (!best->graph || is_better(&d.found.best[0],
		&best->found.best[0])))
		*best = d;
	for (int k = 0; k < d.found.n; k++) {
		struct sized sized = sized_of(mem, request, &d,
			&d.found.best[k], block, all_steps);

		if (d.found.best[k].fits)
			insert(p->candidate, p->n_candidates++, &sized);
	}
	return d.found.n_cuboids;
}

/* Try the shapes of blocks, of large graphs half of them; of each the variants
 * that fit.  Rows are long enough that their halos do not matter in sectors of
 * 32 bytes either.  What one search leaves of its effort is the others'.
 */
static void fuse_predict(struct region *mem, const struct scop *scop,
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
	struct trial trial[2 * N];
	int64_t effort = 2 * GRAPH_EFFORT;
	int n = 0;

	(void) deps;
	p->why = "no such variant";
	if (request->variant && !variant_asked(scop, o->machine, request->variant))
		return;
	p->candidate = region_array(mem, struct sized, 20 * N);
	p->report = report;
	p->detail = best;
	p->why = "no variant fits the shared memory of a block";
	for (int i = stride - 1; i < n_shapes; i += stride)
		for (int swept = 0; swept < 2; swept++)
			if (may_be_swept(scop, o->machine, request, swept))
				trial[n++] = (struct trial) { shapes[i],
					swept, 0 };
	for (int i = 0; i < n; i++) {
		trial[i].effort = share_of_effort(effort, n - i);
		effort -= try_tiles(mem, scop, request, &trial[i], p, best);
	}
	if (p->n_candidates == 0)
		return;
	if (p->n_candidates > o->max_candidates)
		p->n_candidates = o->max_candidates;
	p->sizes = region_printf(mem, "variant %s bx=%d by=%d bz=%d",
		p->candidate->request.variant, p->candidate->request.bx,
		p->candidate->request.by, p->candidate->request.bz);
	p->binding = "its traffic";
}

/* Plans ----------------------------------------------------------------- */

/* The statements of a kernel, and of each the part of its field that a tile
 * computes, relative to the tile's origin.
 */
struct group {
	const struct scop *scop;
	bool for_cpu;		/* caches do what copies would do */
	bool swept;		/* plane by plane */
	const bool *has;	/* by statement */
	int pitch[IR_MAX_DIMS];
	struct box *part;	/* by statement; extent 0: nothing */
};

/* Does "s" read what a statement of the same step computes of "field"? */
static bool reads_field(const struct stmt *s, const struct field *field)
{
	for (int i = 0; i < s->n_reads; i++)
		if (s->read[i]->field == field && reads_new(s->read[i]))
			return true;
	return false;
}

/* Does a statement of the group, or of others, read what is computed of "field"?
 */
static bool is_read(const struct group *g, const struct field *field,
	bool inside)
{
	for (int i = 0; i < g->scop->k; i++)
		if (g->has[i] == inside &&
		    reads_field(g->scop->prog->stmt[i], field))
			return true;
	return false;
}

static bool is_computed(const struct group *g, const struct field *field)
{
	for (int i = 0; i < g->scop->k; i++)
		if (g->has[i] &&
		    g->scop->prog->stmt[i]->write->field == field)
			return true;
	return false;
}

/* Do other kernels or the caller get what the group computes of "field"? */
static bool leaves(const struct group *g, const struct field *field)
{
	return !field_is_temp(field) || is_read(g, field, false);
}

static void widen(struct box *box, int d, int low, int high)
{
	if (box->extent[d] > 0) {
		int end = box->low[d] + box->extent[d] - 1;

		low = box->low[d] < low ? box->low[d] : low;
		high = end > high ? end : high;
	}
	box->low[d] = low;
	box->extent[d] = high - low + 1;
}

/* What instances "of" statement "r" read by "acc". */
static void widen_by_read(const struct group *g, struct box *box,
	const struct stmt *r, const struct access *acc, const struct box *of)
{
	for (int d = 0; d < acc->field->n_dims; d++) {
		int low = (int) acc->offset[d], high = low, dim = acc->dim[d];

		if (access_is_mapped(r, acc, d) && access_reach(g->scop, r,
				acc, d, &low, &high)) {
			low = acc->offset[d] < low ? (int) acc->offset[d] :
				low;
			high = acc->offset[d] > high ? (int) acc->offset[d] :
				high;
		}
		widen(box, d, of->low[dim] + low,
			of->low[dim] + of->extent[dim] - 1 + high);
	}
}

/* Statements come after those whose temps they read. */
static void find_parts(struct group *g)
{
	const struct program *prog = g->scop->prog;

	g->part = region_array(g->scop->mem, struct box, prog->n_stmts);
	for (int i = prog->n_stmts - 1; i >= 0; i--) {
		const struct field *field = prog->stmt[i]->write->field;
		struct box *part = &g->part[i];

		if (!g->has[i])
			continue;
		part->n_dims = prog->stmt[i]->n_dims;
		for (int d = 0; d < part->n_dims && leaves(g, field); d++)
			widen(part, d, 0, g->pitch[d] - 1);
		for (int r = i + 1; r < prog->n_stmts; r++)
			for (int j = 0; g->has[r] &&
			     j < prog->stmt[r]->n_reads; j++) {
				const struct stmt *s = prog->stmt[r];

				if (s->read[j]->field == field &&
				    reads_new(s->read[j]))
					widen_by_read(g, part, s, s->read[j],
						&g->part[r]);
			}
	}
}

/* { [tau, x] : tau = slot of a statement of the group, x in its part } */
static __isl_give isl_set *shape_of(const struct group *g)
{
	isl_space *space = isl_space_set_alloc(g->scop->ctx, 0,
		(unsigned) (1 + g->scop->n_dims));
	isl_set *shape = isl_set_empty(isl_space_copy(space));

	for (int i = 0; i < g->scop->k; i++) {
		isl_set *part = isl_set_fix_si(isl_set_universe(
			isl_space_copy(space)), isl_dim_set, 0, i);

		for (int d = 0; d < g->part[i].n_dims; d++) {
			int low = g->part[i].low[d];

			part = isl_set_lower_bound_si(part, isl_dim_set,
				(unsigned) (1 + d), low);
			part = isl_set_upper_bound_si(part, isl_dim_set,
				(unsigned) (1 + d),
				low + g->part[i].extent[d] - 1);
		}
		if (g->has[i])
			shape = isl_set_union(shape, part);
		else
			isl_set_free(part);
	}
	isl_space_free(space);
	return set_coalesce(shape);
}

/* Does each read of this version of "field" find its cells where it says? */
static bool is_read_plainly(const struct group *g, const struct field *field,
	int version)
{
	for (int i = 0; i < g->scop->k; i++) {
		const struct stmt *s = g->scop->prog->stmt[i];

		for (int j = 0; g->has[i] && j < s->n_reads; j++)
			for (int d = 0; s->read[j]->field == field &&
			     s->read[j]->version == version &&
			     d < field->n_dims; d++)
				if (access_is_mapped(s, s->read[j], d) ||
				    s->read[j]->dim[d] != d)
					return false;
	}
	return true;
}

/* At how many places the group reads this version of "field". */
static int count_places(const struct group *g, const struct field *field,
	int version)
{
	int places = 0;

	for (int i = 0; i < g->scop->k; i++) {
		const struct stmt *s = g->scop->prog->stmt[i];

		for (int j = 0; g->has[i] && j < s->n_reads; j++)
			places += s->read[j]->field == field &&
				s->read[j]->version == version;
	}
	return places;
}

/* Is what the group reads of "field", and does not compute, worth a copy in
 * shared memory: several threads read a value?  Of the versions of a state the
 * one that is read the most is copied.
 */
static bool is_worth_staging(const struct group *g, const struct field *field,
	bool computed, int *version)
{
	int first = field->kind == FIELD_STATE ? 1 - field->depth : 0;
	int last = field->kind == FIELD_STATE && !computed, most = 1;

	if (g->for_cpu || field->n_dims != g->scop->n_dims)
		return false;
	for (int v = last; v >= first; v--) {
		int places = count_places(g, field, v);

		if (places > most && is_read_plainly(g, field, v)) {
			most = places;
			*version = v;
		}
	}
	return most > 1;
}

static void place_fields(struct plan *plan, const struct group *g)
{
	const struct program *prog = g->scop->prog;

	plan->in_shared = region_array(g->scop->mem, bool, prog->n_fields);
	plan->version = region_array(g->scop->mem, int, prog->n_fields);
	plan->in_global = region_array(g->scop->mem, bool, prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];
		bool computed = is_computed(g, f);
		bool is_state = f->kind == FIELD_STATE;

		plan->version[i] = is_state;
		if (computed && is_read(g, f, true))
			plan->in_shared[i] = true;
		else if (!computed || is_state)
			plan->in_shared[i] = is_worth_staging(g, f, computed,
				&plan->version[i]);
		plan->in_global[i] = computed && leaves(g, f);
		plan->steps.shared |= plan->in_shared[i];
	}
}

static void fill_plan(struct plan *plan, struct group *g,
	const struct tile_request *request)
{
	const int block[3] = { request->bx, request->by, request->bz };
	int extent[IR_MAX_DIMS] = { 0 }, n = g->scop->n_dims;

	plan->overlaps = true;
	plan->n_phases = 1;
	plan->rows = g->scop->k;
	plan->time_pitch = 1;
	plan->chunk_dim = plan->hex_dim = -1;
	plan->n_dims = n;
	plan->steps.copy_out = COPY_OUT_INTERLEAVED;
	plan->steps.separate = request->steps.separate;
	plan->steps.align_loads = request->steps.align_loads;
	for (int d = 0; d < n; d++) {
		int i = n - 1 - d;

		extent[i] = i < 3 ? block[i] : 1;
		plan->role[d] = i < 3 ? ROLE_BLOCKS : ROLE_SEQUENTIAL;
		plan->pitch[d] = plan->width[d] = g->pitch[d] = extent[i];
		plan->skew[d] = (struct rational) { 0, 1 };
	}
	if (g->swept)
		extent[n - 1] = 1;
	plan_choose_threads(plan, request, extent);
	if (g->swept)
		plan->threads[n - 1] = 1;
	find_parts(g);
	place_fields(plan, g);
	plan->shape = keep_set(g->scop->mem, shape_of(g));
	plan_find_boxes(plan);
	plan_find_full(plan);
	plan_find_cover(plan);
	if (g->swept)
		plan_find_planes(plan, g->has, g->part,
			!g->for_cpu && request->steps.unroll);
}

static bool size_is_possible(struct diags *d, const char *name, int size)
{
	enum { MOST = 1 << 12 };

	if (size >= 1 && size <= MOST)
		return true;
	diag_plain(d, E_TILE, "%s = %d: it is at least 1 and at most %d", name,
		size, MOST);
	return false;
}

/* The variant and the sizes that "request" leaves open, by the model. */
static bool complete(const struct scop *scop, const struct deps *deps,
	struct tile_request *request)
{
	struct prediction p = { 0 };

	if (request->variant && request->bx > 0 && request->by > 0 &&
	    request->bz > 0)
		return true;
	fuse_predict(scop->mem, scop, deps, request, &p);
	if (p.n_candidates > 0)
		*request = p.candidate[0].request;
	return p.n_candidates > 0;
}

/* The variant as the code has it: groups of the second level are kernels. */
static struct variant *parse(struct diags *d, const struct scop *scop,
	const char *text)
{
	const char *why;
	struct graph *graph = graph_of_program(scop->mem, scop->prog, &why);
	struct variant *v = variant_parse(scop->mem, graph, VARIANT_LEVELS,
		text, &why);

	for (int i = 0; v && i < v->n; i++)
		if (v->swept[i] && why_not_swept(scop)) {
			why = why_not_swept(scop);
			v = NULL;
		}
	if (!v)
		diag_plain(d, E_VARIANT, "--variant=%s: %s", text, why);
	return v;
}

/* A group none of whose statements has a point gets no kernel. */
static bool group_runs(const struct group *g)
{
	for (int slot = 0; slot < g->scop->k; slot++)
		if (g->has[slot] && scop_slot_runs(g->scop, slot))
			return true;
	return false;
}

static struct plan *fuse_plan(struct region *mem, struct diags *d,
	const struct scop *scop, const struct deps *deps,
	const struct tile_request *asked, int *n_plans)
{
	const struct scop *own = scop->prog->timed ? scop_for_overlap(scop) :
		scop;
	struct tile_request request = *asked;
	struct plan *plans = region_array(mem, struct plan, scop->k);
	struct variant *v;
	int last;

	if (request.variant && !parse(d, scop, request.variant))
		return NULL;
	if (!complete(scop, deps, &request)) {
		diag_plain(d, E_TILE, "no variant fits the shared memory of a "
			"block; smaller blocks (--tile=bx=..,by=..) need less");
		return NULL;
	}
	if (!size_is_possible(d, "bx", request.bx) ||
	    !size_is_possible(d, "by", request.by) ||
	    !size_is_possible(d, "bz", request.bz))
		return NULL;
	v = parse(d, scop, request.variant);
	*n_plans = 0;
	for (int first = 0; v && first < v->n; first = last + 1) {
		bool *has = region_array(mem, bool, scop->k);
		struct group g = { .scop = own, .has = has,
			.for_cpu = request.for_cpu };
		struct plan *plan = &plans[*n_plans];

		for (last = first; ; last++) {
			has[v->order[last]] = true;
			g.swept |= v->swept[last];
			if (last + 1 == v->n || v->together[last] < 2)
				break;
		}
		if (!group_runs(&g))
			continue;
		(*n_plans)++;
		plan->strategy = request.for_cpu ? &strategy_cpu_fuse :
			&strategy_fuse;
		plan->scop = own;
		plan->deps = deps;
		fill_plan(plan, &g, &request);
		if (!request.for_cpu && !plan_fits_shared_memory(d, plan,
				&request, "take a smaller block or a variant "
				"that fuses less"))
			return NULL;
	}
	return v ? plans : NULL;
}

const struct strategy strategy_fuse = {
	.name = "fuse", .options = WITH(SEPARATE) | WITH(ALIGN_LOADS) |
		WITH(UNROLL),
	.always = WITH(SHARED) | WITH(COPY_OUT),
	.applies = fuse_applies, .foreign = fuse_foreign,
	.predict = fuse_predict, .plan = fuse_plan,
};

/* For C: the tiles lie in the caches of a core. */
const struct strategy strategy_cpu_fuse = {
	.name = "fuse", .applies = fuse_applies, .foreign = fuse_foreign,
	.predict = fuse_predict, .plan = fuse_plan,
};

/* The strategy fuse: it executes the variant of the stencil graph that the
 * model of [MO] (see graph/) finds best.  A group of stencils is a kernel; its
 * blocks recompute what they need from neighbours, with halos on the fly, and
 * their threads exchange values through shared memory.
 */
#include <string.h>

#include "ir/rewrite.h"
#include "schedule/fuse/fuse.h"

static bool is_periodic(const struct field *field)
{
	for (int d = 0; d < field->n_dims; d++)
		if (field_goes_around(field, d))
			return true;
	return false;
}

/* Does "acc" read a value that a statement of the same step computes? */
static bool reads_new(const struct access *acc)
{
	return acc->field->kind == FIELD_STATE ? acc->version == 1 :
		acc->field->kind != FIELD_INPUT;
}

/* The dimension in which a boundary of a computed field may put a cell far from
 * the points of "s" in place of "acc", or -1.
 */
static int far_dimension(const struct scop *scop, const struct stmt *s,
	const struct access *acc)
{
	const struct field *f = acc->field;
	int low, high;

	for (int d = 0; d < f->n_dims && f->kind == FIELD_STATE; d++)
		if (access_is_mapped(s, acc, d) &&
		    !access_goes_around(s, acc, d) &&
		    !access_reach(scop, s, acc, d, &low, &high))
			return d;
	return -1;
}

/* A value that the same step computes and reads must lie near its readers. */
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
			if (reads_new(s->read[j]) &&
			    access_strides(s->read[j]))
				return region_printf(scop->mem, "'%s' is read "
					"with a stride in the step that "
					"computes it", f->name);
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

static const char *fuse_applies(const struct scop *scop)
{
	const char *why;

	if (scop->k < 2)
		return "there is only one statement, which has no "
			"variants";
	if (!scop->computes)
		return "no statement has a point in the grid";
	if (scop->prog->n_lists > 0)
		return "it has lists of points";
	if (scop->prog->waves)
		return "it has sweeps, of which no wave is computed again";
	for (int i = 0; i < scop->prog->n_stmts; i++)
		if (stmt_records_all(scop->prog->stmt[i]))
			return "it has outputs by step";
	why = reads_far(scop);
	if (!why)
		graph_of_program(scop->mem, scop->prog, &why);
	return why;
}

/* Plans ----------------------------------------------------------------- */

/* The statements of a kernel, and for each the part of its field that a tile
 * computes, relative to the tile's origin.
 */
struct group {
	const struct scop *scop;
	bool for_cpu;		/* caches replace copies */
	bool swept;		/* plane by plane */
	bool *has;		/* by statement */
	int pitch[IR_MAX_DIMS];
	struct box *part;	/* by statement; extent 0: nothing */
};

/* Does "s" read values of "field" that a statement of the same step computes? */
static bool reads_field(const struct stmt *s, const struct field *field)
{
	for (int i = 0; i < s->n_reads; i++)
		if (s->read[i]->field == field && reads_new(s->read[i]))
			return true;
	return false;
}

/* Does a statement inside the group, or outside, read computed values of "field"? */
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

/* Do other kernels or the caller use values of "field" that the group computes? */
static bool leaves(const struct group *g, const struct field *field)
{
	return !field_is_temp(field) || is_read(g, field, false);
}

static void widen(struct box *box, int d, int low, int high)
{
	if (box->extent[d] > 0) {
		int end = box->low[d] + box->extent[d] - 1;

		low = smaller(low, box->low[d]);
		high = larger(high, end);
	}
	box->low[d] = low;
	box->extent[d] = high - low + 1;
}

/* What instances "of" statement "r" read by "acc". */
static void widen_by_read(const struct group *g, struct box *box,
	const struct stmt *r, const struct access *acc, const struct box *of)
{
	for (int d = 0; d < acc->field->n_dims; d++) {
		int low, high, dim = acc->dim[d];

		access_offsets(g->scop, r, acc, d, &low, &high);
		widen(box, d, of->low[dim] + low,
			of->low[dim] + of->extent[dim] - 1 + high);
	}
}

/* Order statements behind those whose temps they read. */
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

/* { [tau, x] : tau = number of a statement of the group, x in its part } */
static __isl_give isl_set *shape_of(const struct group *g)
{
	isl_space *space = isl_space_set_alloc(g->scop->ctx, 0,
		(unsigned) (1 + g->scop->n_dims));
	isl_set *shape = isl_set_empty(isl_space_copy(space));

	for (int i = 0; i < g->scop->k; i++) {
		isl_set *part = isl_set_fix_si(isl_set_universe(
			isl_space_copy(space)), isl_dim_set, 0, i);

		for (int d = 0; d < g->part[i].n_dims; d++)
			part = set_between(part, 1 + d, g->part[i].low[d],
				g->part[i].low[d] + g->part[i].extent[d] - 1);
		if (g->has[i])
			shape = isl_set_union(shape, part);
		else
			isl_set_free(part);
	}
	isl_space_free(space);
	return set_coalesce(shape);
}

/* Does each read of this version of "field" find its cells where its subscripts
 * say?
 */
static bool is_read_plainly(const struct group *g, const struct field *field,
	int version)
{
	for (int i = 0; i < g->scop->k; i++) {
		const struct stmt *s = g->scop->prog->stmt[i];

		for (int j = 0; g->has[i] && j < s->n_reads; j++) {
			const struct access *acc = s->read[j];

			if (acc->field == field && acc->version == version &&
			    !access_is_plain(s, acc))
				return false;
		}
	}
	return true;
}

/* The number of different offsets at which the group reads this version of
 * "field".
 */
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

/* Is a copy in shared memory worth it for "field", which the group reads and
 * does not compute: do several threads read a value?  Of a state's versions,
 * the one read most is copied.
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

	plan->group->in_shared = region_array(g->scop->mem, bool,
		prog->n_fields);
	plan->group->version = region_array(g->scop->mem, int, prog->n_fields);
	plan->group->in_global = region_array(g->scop->mem, bool,
		prog->n_fields);
	for (int i = 0; i < prog->n_fields; i++) {
		const struct field *f = prog->field[i];
		bool computed = is_computed(g, f);
		bool is_state = f->kind == FIELD_STATE;

		plan->group->version[i] = is_state;
		if (computed && is_read(g, f, true))
			plan->group->in_shared[i] = true;
		else if (!computed || is_state)
			plan->group->in_shared[i] =
				is_worth_staging(g, f, computed,
				&plan->group->version[i]);
		plan->group->in_global[i] = computed && leaves(g, f);
		plan->opt.shared |= plan->group->in_shared[i];
	}
}

/* Points of a plane that a thread computes in turn. */
static int points_of_thread(const struct plan *plan)
{
	const struct planes *p = plan->group->planes;
	int points = 1;

	for (int d = 1; p && d < plan->n_dims; d++)
		points *= larger(1, p->points[d]);
	return points;
}

static int words_of(const struct field *field)
{
	return type_size(field->type) > 4 ? 2 : 1;
}

/* Words of planes that a thread keeps in registers. */
static int words_kept(const struct plan *plan)
{
	const struct planes *p = plan->group->planes;
	int words = 0;

	for (int i = 0; p && i < plan->scop->prog->n_fields; i++)
		words += p->registers[i] * words_of(plan->scop->prog->field[i]);
	return words * points_of_thread(plan);
}

/* The number of the group's statements before number "i" that read the cell of
 * "acc".
 */
static int count_readers(const struct group *g, int i,
	const struct access *acc)
{
	int readers = 0;

	for (int r = 0; r < i; r++) {
		const struct stmt *s = g->scop->prog->stmt[r];
		bool reads = false;

		for (int j = 0; g->has[r] && j < s->n_reads; j++)
			reads |= access_same_cell(s->read[j], acc);
		readers += reads;
	}
	return readers;
}

/* Words of what several statements read at a point from global memory, once
 * each, and of the addresses of these fields.  nvcc keeps both from the first
 * statement to the last.
 */
static int words_read(const struct plan *plan, const struct group *g)
{
	enum { ADDRESS = 2 };
	const struct program *prog = plan->scop->prog;
	bool *seen = region_array(plan->scop->mem, bool, prog->n_fields);
	int values = 0, addresses = 0;

	for (int i = 1; i < plan->scop->k; i++) {
		const struct stmt *s = prog->stmt[i];

		for (int j = 0; g->has[i] && j < s->n_reads; j++) {
			const struct field *f = s->read[j]->field;

			if (plan_holds(plan, s->read[j]) ||
			    count_readers(g, i, s->read[j]) != 1)
				continue;
			values += words_of(f);
			addresses += seen[f->index] ? 0 : ADDRESS;
			seen[f->index] = true;
		}
	}
	return values * points_of_thread(plan) + addresses;
}

/* Registers beside those for indices and addresses, where so many "threads" share a multiprocessor:
 * 22 of the 40 that 1536 have.
 */
static int room_for_words(const struct machine *m, int threads)
{
	enum { UNIT = 8, OTHERS = 18 };

	return m->registers_per_sm / threads / UNIT * UNIT - OTHERS;
}

/* Threads wait for what they load, and for each other.  1024 of them on a multiprocessor are 1.3 to
 * 1.6 times as fast as those for which 80 registers a thread leave room.  1536 are up to 1.3 times as
 * fast as 1024, unless planes do not fit 40 registers (ten graphs on an H200), or what statements
 * read together: lbm takes 1.06 times as long with 1536.  Of reads that 64 do not hold a thread
 * would spill more than it loads.
 */
static int wanted_threads(const struct plan *plan, const struct group *g,
	const struct machine *m)
{
	enum { MANY = 1536, FEW = 1024, LEAST = 512 };
	int threads = smaller(MANY, m->max_threads_per_sm);
	int read = words_read(plan, g);

	if (words_kept(plan) > room_for_words(m, MANY))
		threads = smaller(threads, FEW);
	for (int fewer = FEW; fewer >= LEAST; fewer /= 2)
		if (read > room_for_words(m, threads))
			threads = smaller(threads, fewer);
	return threads;
}

static int min_blocks(const struct plan *plan, const struct group *g,
	const struct machine *m)
{
	int threads = plan->threads[0] * plan->threads[1] * plan->threads[2];
	int wanted = wanted_threads(plan, g, m);
	int64_t block = plan_shared_bytes(plan) + m->shared_reserved_bytes;
	int64_t fit = block > 0 ? m->shared_bytes_per_sm / block : wanted;

	fit = smaller(fit, m->max_blocks_per_sm);
	return (int) larger(1, smaller(wanted / threads, fit));
}

static void fill_plan(struct plan *plan, struct group *g,
	const struct tile_request *request, const struct machine *machine)
{
	int block[3] = { request->bx, request->by, request->bz };
	int n = g->scop->n_dims;

	plan->form = FORM_GROUPS;
	plan->group = region_new_of(g->scop->mem, struct fused_group);
	plan->tiles = tiles_upright();
	plan->n_phases = 1;
	plan->rows = g->scop->k;
	plan->time_pitch = 1;
	plan->n_dims = n;
	plan->opt.copy_out = COPY_OUT_INTERLEAVED;
	plan->opt.separate = request->opt.separate;
	plan->opt.align_loads = request->opt.align_loads;
	plan->opt.starts = request->opt.starts && !g->for_cpu &&
		machine_copies_ahead(machine);
	if (g->swept && request->sweep > 0)
		block[n - 1] = request->sweep;
	plan_take_blocks(plan, block);
	memcpy(g->pitch, plan->pitch, sizeof(g->pitch));
	plan_take_threads(plan, request);
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
			!g->for_cpu && request->opt.unroll);
	if (!g->for_cpu)
		plan->group->min_blocks = min_blocks(plan, g, machine);
}

/* A group gets no kernel if none of its statements has a point. */
static bool group_runs(const struct group *g)
{
	for (int number = 0; number < g->scop->k; number++)
		if (g->has[number] && scop_statement_runs(g->scop, number))
			return true;
	return false;
}

/* The variant of "request" as the code has it: groups of the third level are
 * kernels.
 */
static const struct variant *code_variant(struct diags *d,
	const struct scop *scop, const struct tile_request *request,
	const struct machine *m)
{
	const char *why, *deeper;
	const struct variant *v = fuse_variant(scop, m, FUSE_LEVELS,
		request->variant, &why);

	if (!v)
		diag_plain(d, E_VARIANT, "--variant=%s: %s", request->variant,
			fuse_variant(scop, m, GRAPH_MAX_LEVELS,
				request->variant, &deeper) ? fuse_too_deep :
				why);
	return v;
}

/* The group of "v" that begins with the stage at "first"; returns where the next one begins. */
static int take_group(struct group *g, const struct variant *v, int first)
{
	int at = first;

	g->has = region_array(g->scop->mem, bool, g->scop->k);
	g->swept = variant_is_swept(v, first);
	do
		g->has[v->order[at++]] = true;
	while (at < v->n && v->together[at - 1] >= FUSE_LEVELS);
	return at;
}

/* Does "r" have all sizes of "v", except threads? */
static bool has_sizes(const struct tile_request *r, const struct variant *v)
{
	return r->bx > 0 && r->by > 0 && r->bz > 0 &&
		(r->slab > 0 || !fuse_has_slabs(v, FUSE_LEVELS));
}

static bool fuse_complete(struct diags *d, const struct scop *scop,
	const struct outlook *outlook, struct tile_request *request)
{
	struct prediction p = { 0 };
	const struct variant *v = NULL;

	if (request->variant &&
	    !(v = code_variant(d, scop, request, outlook->machine)))
		return false;
	if (v && has_sizes(request, v)) {
		threads_of_blocks(scop->n_dims, request);
		return true;
	}
	fuse_predict(scop->mem, scop, request, outlook, &p);
	if (p.n_candidates > 0)
		*request = p.candidate[0].request;
	else
		diag_plain(d, E_TILE, "%s; %s", p.why, p.remark);
	return p.n_candidates > 0;
}

/* The variant of "request", whose sizes are possible; NULL after a diagnostic. */
static const struct variant *begin(struct diags *d, const struct scop *scop,
	const struct machine *machine, const struct tile_request *r)
{
	enum { MOST = 1 << 12, MOST_OF_SLAB = 1 << 24 };

	if (!size_is_possible(d, "bx", r->bx, 1, MOST) ||
	    !size_is_possible(d, "by", r->by, 1, MOST) ||
	    !size_is_possible(d, "bz", r->bz, 1, MOST) ||
	    !size_is_possible(d, "sweep", r->sweep, 1, MOST) ||
	    !size_is_possible(d, "slab", r->slab, 1, MOST_OF_SLAB))
		return NULL;
	return code_variant(d, scop, r, machine);
}

/* What all groups of the variant in "request" compute beyond their points, as far as that is more
 * than "beyond", and the words that a thread keeps in registers, the most of a group.
 */
static int words_of_groups(const struct scop *scop,
	const struct machine *machine, const struct tile_request *request,
	const struct variant *v, int64_t *beyond)
{
	int words = 0;

	for (int first = 0; first < v->n; ) {
		struct group g = { .scop = scop };
		struct plan *plan = region_new_of(scop->mem, struct plan);

		first = take_group(&g, v, first);
		plan->scop = scop;
		fill_plan(plan, &g, request, machine);
		words = larger(words, words_kept(plan));
		for (int d = 0; d < plan->n_dims; d++) {
			int64_t *most = &beyond[plan->n_dims - 1 - d];
			int low, end;

			plan_group_extent(plan, g.has, g.part, d, &low, &end);
			*most = larger(*most, end - low - plan->pitch[d]);
		}
	}
	return words;
}

bool fuse_beyond(const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, struct fuse_tile *tile)
{
	const struct scop *own = scop->prog->timed ? scop_for_overlap(scop) :
		scop;
	const char *why;
	const struct variant *v = fuse_variant(scop, machine, FUSE_LEVELS,
		request->variant, &why);
	struct tile_request fitting = *request;
	int64_t same[GRAPH_MAX_DIMS] = { 0 };
	int n = scop->n_dims;

	*tile = (struct fuse_tile) { .words = 0 };
	if (!v)
		return false;
	words_of_groups(own, machine, request, v, tile->beyond);
	fitting.bx = (int) larger(1, 64 - tile->beyond[0]);
	if (n > 2)
		fitting.by = (int) larger(1, 16 - tile->beyond[1]);
	fitting.threads[0] = fitting.bx + (int) tile->beyond[0];
	fitting.threads[1] = n > 2 ? fitting.by + (int) tile->beyond[1] : 1;
	tile->words = words_of_groups(own, machine, &fitting, v, same);
	return true;
}

/* Kernels of a group of several kernels share slabs. */
static bool place_slabs(struct diags *d, struct plan *plans, int n, int points,
	const struct plan *const *writer)
{
	for (int first = 0, end; first < n; first = end) {
		end = first + 1;
		while (end < n && plans[end].slab.group ==
				plans[first].slab.group)
			end++;
		if (end - first > 1 && !slab_place(d, &plans[first],
				end - first, points, writer))
			return false;
	}
	return true;
}

static struct plan *fuse_plan(struct diags *d, const struct strategy *strategy,
	const struct scop *scop, const struct machine *machine,
	const struct tile_request *request, int *n_plans)
{
	const struct scop *own = scop->prog->timed ? scop_for_overlap(scop) :
		scop;
	struct plan *plans = region_array(scop->mem, struct plan, scop->k);
	const struct plan **writer = region_array(scop->mem,
		const struct plan *, scop->k);
	const struct variant *v = begin(d, scop, machine, request);

	*n_plans = 0;
	for (int first = 0, group = 1; v && first < v->n; ) {
		struct group g = { .scop = own, .for_cpu = request->for_cpu };
		struct plan *plan = &plans[*n_plans];

		plan->slab.group = group;
		first = take_group(&g, v, first);
		group += first < v->n && v->together[first - 1] < FUSE_SLABS;
		if (!group_runs(&g))
			continue;
		(*n_plans)++;
		for (int i = 0; i < scop->k; i++)
			writer[i] = g.has[i] ? plan : writer[i];
		plan->strategy = strategy;
		plan->scop = own;
		fill_plan(plan, &g, request, machine);
		if (!request->for_cpu && !plan_fits_shared_memory(d, plan,
				request, machine, "take a smaller block or a "
				"variant that fuses less"))
			return NULL;
	}
	return v && place_slabs(d, plans, *n_plans, request->slab, writer) ?
		plans : NULL;
}

const struct strategy strategy_fuse = {
	/* On an H200 five time loops took 0.8 to 2.2 times the prediction. */
	.doubt = { 0, 0.6, 0.6, 0.6 },
	.name = "fuse", .options = WITH(SEPARATE) | WITH(ALIGN_LOADS) |
		WITH(UNROLL) | WITH(ASYNC),
	.always = WITH(SHARED) | WITH(COPY_OUT),
	.sizes = SIZES_BLOCKS | SIZES_GROUPS | SIZES_THREADS,
	.applies = fuse_applies, .accepts = fuse_accepts,
	.predict = fuse_predict, .complete = fuse_complete,
	.plan = fuse_plan,
};

/* For C: the tiles lie in a core's caches. */
const struct strategy strategy_cpu_fuse = {
	.name = "fuse", .sizes = SIZES_BLOCKS | SIZES_GROUPS | SIZES_THREADS,
	.applies = fuse_applies,
	.accepts = fuse_accepts,
	.predict = fuse_predict, .complete = fuse_complete,
	.plan = fuse_plan,
};

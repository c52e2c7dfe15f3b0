/* The machines with which fuse's model prices variants, and their tiles. */
#include <string.h>

#include "model/cpu.h"
#include "schedule/fuse/fuse.h"

int fuse_word_bytes(const struct scop *scop)
{
	int bytes = 0;

	for (int i = 0; i < scop->k; i++) {
		enum type type = scop->prog->stmt[i]->write->field->type;

		bytes = larger(bytes, type_size(type));
	}
	return bytes;
}

/* If a machine has levels of its own, the second one describes the blocks. */
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

struct tiles fuse_tiles(const struct fusion *f, const int64_t *shape)
{
	enum { SWEEP = 64 };
	const struct tile_request *r = f->request;
	const int given[GRAPH_MAX_DIMS] = { r->bx, r->by, r->bz, -1 };
	int n_dims = f->scop->n_dims, outermost = given[n_dims - 1];
	struct tiles t = { .sweep = r->sweep > 0 ? r->sweep :
		outermost > 0 ? outermost : SWEEP };

	for (int i = 0; i < GRAPH_MAX_DIMS; i++)
		t.block[i] = i >= n_dims ? 1 : given[i] > 0 ? given[i] :
			i < 2 ? shape[i] : 1;
	take_levels(f->outlook->machine, n_dims, &t);
	return t;
}

void fuse_domain(const struct fusion *f, int64_t *domain)
{
	const struct scop *scop = f->scop;

	for (int i = 0; i < GRAPH_MAX_DIMS; i++)
		domain[i] = 1;
	for (int s = 0; s < scop->k; s++) {
		const struct stmt *stmt = scop->prog->stmt[s];

		for (int d = 0; d < scop->n_dims; d++) {
			int64_t *points = &domain[scop->n_dims - 1 - d];

			if (!field_is_temp(stmt->write->field) &&
			    f->outlook->size[s][d] > *points)
				*points = f->outlook->size[s][d];
		}
	}
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

bool fuse_sweeps_all(const struct fusion *f)
{
	return has_sweeps(f->outlook->machine) && !why_not_swept(f->scop);
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

/* May each group be swept or not?  Without gain, the search omits sweeps. */
static bool may_choose(const struct fusion *f)
{
	return f->outlook->machine->n_levels == 0 && !why_not_swept(f->scop) &&
		(f->request->variant || reads_planes(f->graph));
}

bool fuse_has_groups(const struct variant *v, bool swept)
{
	for (int i = 0; i < v->n; i++)
		if (variant_is_swept(v, i) == swept)
			return true;
	return false;
}

/* NULL, or why "v" cannot be swept as it says. */
static const char *why_no_sweep(const struct scop *scop,
	const struct machine *m, const struct variant *v)
{
	if (!fuse_has_groups(v, true))
		return NULL;
	if (m->n_levels > 0 && !has_sweeps(m))
		return region_printf(scop->mem, "no level of '%s' is swept",
			m->name);
	return why_not_swept(scop);
}

struct variant *fuse_swept(struct region *mem, const struct variant *v)
{
	struct variant *swept = region_new_of(mem, struct variant);

	*swept = *v;
	swept->swept = region_array(mem, bool, v->n);
	memset(swept->swept, true, sizeof(bool) * (size_t) v->n);
	return swept;
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
	return has_sweeps(m) && !why_not_swept(scop) ?
		fuse_swept(scop->mem, v) : v;
}

int fuse_levels(const struct machine *m, bool for_cpu)
{
	static const int64_t any[GRAPH_MAX_DIMS] = { 1, 1, 1, 1 };

	return graph_machine_of(m, 1, for_cpu, any, any).n_levels +
		(m->n_levels == 0);
}

/* The machine with blocks of this size, and a level for slabs if "slab" is not 0. */
static struct graph_machine machine_with(const struct fusion *f,
	const int64_t *domain, const int64_t *block, int64_t slab)
{
	const struct machine *machine = f->outlook->machine;
	int bytes = fuse_word_bytes(f->scop);
	bool for_cpu = f->request->for_cpu;
	struct graph_machine m = graph_machine_of(machine, bytes, for_cpu,
		domain, block);

	return slab > 0 && machine->n_levels == 0 ? graph_machine_slabs(&m,
		machine, bytes, for_cpu, f->scop->n_dims, slab) : m;
}

/* How much longer than in order tiles of C read and write memory, of which they have a run of
 * cells at a time: some of a row, or whole rows.  The processor fetches ahead for the next tile
 * along the row, but not for that of a sweep, which takes other planes first.  2000 is fitted to
 * four graphs on a Zen 3, 33 timings.
 */
static double work_of_runs(const struct fusion *f, const int64_t *domain,
	const int64_t *block, bool is_swept)
{
	enum { STARTS = 2000 };		/* bytes that take as long */
	double cells = (double) block[0], bytes;

	if (f->scop->n_dims > 2 && block[0] >= domain[0])
		cells = (double) (domain[0] * block[1]);
	bytes = cells * fuse_word_bytes(f->scop);
	return is_swept ? 1 + STARTS / bytes : cpu_row_work(bytes);
}

/* "m" with the time that memory takes for tiles of "block". */
static void slow_memory(const struct fusion *f, const int64_t *domain,
	const int64_t *block, bool is_swept, struct graph_machine *m)
{
	if (f->request->for_cpu && f->outlook->machine->n_levels == 0)
		m->level[0].vertical /= work_of_runs(f, domain, block,
			is_swept);
}

struct graph_machine fuse_machine(const struct fusion *f,
	const struct tiles *t)
{
	int64_t domain[GRAPH_MAX_DIMS], swept[GRAPH_MAX_DIMS];
	int n_dims = f->scop->n_dims;
	struct graph_machine m, of_sweeps, *kept;

	fuse_domain(f, domain);
	m = machine_with(f, domain, t->block, t->slab);
	slow_memory(f, domain, t->block, false, &m);
	if (!may_choose(f))
		return m;
	memcpy(swept, t->block, sizeof(swept));
	swept[n_dims - 1] = t->sweep;
	of_sweeps = machine_with(f, domain, swept, t->slab);
	slow_memory(f, domain, swept, true, &of_sweeps);
	kept = region_new_of(f->mem, struct graph_machine);
	*kept = graph_machine_swept(&of_sweeps, n_dims);
	m.swept = kept;
	return m;
}

const struct variant *fuse_asked(const struct fusion *f, int n_levels)
{
	const struct machine *m = f->outlook->machine;
	const char *why;
	struct variant *v = fuse_variant(f->scop, m, fuse_levels(m,
		f->request->for_cpu), f->request->variant, &why);

	for (int i = 0; v && i + 1 < v->n; i++)
		v->together[i] = smaller(v->together[i], n_levels);
	return v;
}

bool fuse_has_slabs(const struct variant *v, int n_levels)
{
	bool has = false;

	for (int i = 0; i + 1 < v->n; i++)
		has |= v->together[i] >= FUSE_SLABS &&
			v->together[i] < n_levels;
	return has;
}

struct scored fuse_score(const struct fusion *f, const struct graph_machine *m,
	const struct variant *v)
{
	struct scored s = { .variant = v };

	s.seconds = variant_time(counter_new(f->mem, f->graph, m), v, &s.fits);
	return s;
}

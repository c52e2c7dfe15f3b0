/* The model for kernels of fuse that share slabs: how long slabs should be. */
#include <math.h>

#include "schedule/fuse/fuse.h"

/* Slabs have a multiple of so many points along the outermost dimension. */
static int64_t unit_of_slabs(const struct fusion *f, const struct variant *v,
	const struct tiles *t)
{
	int64_t unit = 1;

	if (fuse_has_groups(v, true))
		unit = least_common_multiple(unit, t->sweep);
	if (fuse_has_groups(v, false))
		unit = least_common_multiple(unit,
			t->block[f->scop->n_dims - 1]);
	return unit;
}

/* Does a slab have at least four tiles for each multiprocessor, or core? */
static bool keeps_busy(const struct fusion *f, const int64_t *domain,
	const struct tiles *t)
{
	int last = f->scop->n_dims - 1;
	int64_t tiles = t->slab / t->block[last];

	for (int i = 0; i < last; i++)
		tiles *= (domain[i] + t->block[i] - 1) / t->block[i];
	return tiles >= 4 * f->outlook->machine->sm_count;
}

/* The fastest slabs for "v", a variant for a machine's levels with slabs, among those that fit
 * and keep the machine busy: one tile, or twice as many each time.  If none does, slabs of one
 * tile.
 */
static int64_t best_slab(const struct fusion *f, const struct tiles *tiles,
	const struct variant *v)
{
	int64_t domain[GRAPH_MAX_DIMS], best = 0;
	int64_t unit = unit_of_slabs(f, v, tiles);
	struct tiles t = *tiles;
	double least = INFINITY;

	fuse_domain(f, domain);
	for (t.slab = unit; t.slab < domain[f->scop->n_dims - 1];
	     t.slab *= 2) {
		struct graph_machine m;
		struct scored s;

		if (!keeps_busy(f, domain, &t))
			continue;
		m = fuse_machine(f, &t);
		s = fuse_score(f, &m, v);
		if (!s.fits)
			break;
		if (s.seconds < least) {
			least = s.seconds;
			best = t.slab;
		}
	}
	return best ? best : unit;
}

/* The variant asked for, if it needs a level for slabs. */
static const struct variant *nested_variant(const struct fusion *f)
{
	int n_levels = fuse_levels(f->outlook->machine, f->request->for_cpu);
	const struct variant *v = f->request->variant ?
		fuse_asked(f, n_levels) : NULL;

	return v && fuse_has_slabs(v, n_levels) ? v : NULL;
}

bool fuse_set_slab(const struct fusion *f, struct tiles *t, int64_t *unit)
{
	const int asked = f->request->slab;
	const struct variant *v = nested_variant(f);

	*unit = v ? unit_of_slabs(f, v, t) : t->block[f->scop->n_dims - 1];
	if (asked > 0)
		t->slab = asked;
	else if (v)
		t->slab = f->outlook->machine->n_levels > 0 ? *unit :
			best_slab(f, t, v);
	return asked <= 0 || (f->request->variant && !v) || asked % *unit == 0;
}

/* "v", of "levels", for a machine with one more, the second: stencils not together on all
 * levels are together up to "apart".
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

struct scored fuse_share_slabs(const struct fusion *f,
	const struct scored *flat, int levels, struct tiles *t,
	struct graph_machine *with_slabs)
{
	const struct variant *nested = with_level(f->mem, flat->variant,
		levels, FUSE_SLABS);
	struct scored shared, apart;

	t->slab = best_slab(f, t, nested);
	*with_slabs = fuse_machine(f, t);
	shared = fuse_score(f, with_slabs, nested);
	apart = fuse_score(f, with_slabs, with_level(f->mem, flat->variant,
		levels, 1));
	shared.seconds *= flat->seconds / apart.seconds;
	return shared;
}

/* Tiles of fuse that are swept plane by plane along dimension 0: the sequential
 * halo exchange of [MO], 2.3.  Iteration n of a tile computes the plane
 *
 *	n + lead[i],	lead[i] = max (lead[r] + v) over the reads of what i
 *			computes, by r at offset v, and 0 if it leaves
 *
 * of statement i (MO-A2), so that all that it reads has been computed, in this
 * iteration or in those before.  Of each field a tile keeps the planes that are
 * still to be read.
 */
#include "schedule/schedule.h"

/* Least and greatest offset in dimension 0 at which "acc" finds its cell. */
static void reach_of(const struct scop *scop, const struct stmt *s,
	const struct access *acc, int *low, int *high)
{
	int offset = (int) acc->offset[0];

	*low = *high = offset;
	if (!access_is_mapped(s, acc, 0) ||
	    !access_reach(scop, s, acc, 0, low, high))
		return;
	*low = *low < offset ? *low : offset;
	*high = *high > offset ? *high : offset;
}

/* The newest plane of "field" that iteration 0 reads, and how many from there
 * back.
 */
static void find_kept(const struct plan *plan, const bool *has,
	const struct field *field, int *newest, int *kept)
{
	const struct scop *scop = plan->scop;
	const struct planes *p = plan->planes;
	int oldest = 0;
	bool any = false;

	for (int i = 0; i < scop->k; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		for (int j = 0; has[i] && j < s->n_reads; j++) {
			int low, high;

			if (s->read[j]->field != field)
				continue;
			reach_of(scop, s, s->read[j], &low, &high);
			if (!any || p->lead[i] + high > *newest)
				*newest = p->lead[i] + high;
			if (!any || p->lead[i] + low < oldest)
				oldest = p->lead[i] + low;
			any = true;
		}
	}
	for (int i = 0; i < scop->k; i++)
		if (has[i] && scop->prog->stmt[i]->write->field == field)
			*newest = p->lead[i];
	*kept = *newest - oldest + 1;
}

void plan_find_planes(struct plan *plan, const bool *has,
	const struct box *part)
{
	const struct scop *scop = plan->scop;
	struct planes *p = region_new_of(scop->mem, struct planes);
	int n_fields = scop->prog->n_fields;

	plan->planes = p;
	p->lead = region_array(scop->mem, int, scop->k);
	p->newest = region_array(scop->mem, int, n_fields);
	p->oldest = region_array(scop->mem, int, n_fields);
	p->last = plan->pitch[0] - 1;
	for (int i = 0; i < scop->k; i++) {
		if (!has[i])
			continue;
		p->lead[i] = part[i].low[0] + part[i].extent[0] -
			plan->pitch[0];
		if (part[i].low[0] - p->lead[i] < p->first)
			p->first = part[i].low[0] - p->lead[i];
	}
	for (int f = 0; f < n_fields; f++) {
		struct box *box = &plan->box[f];

		if (!plan->in_shared[f])
			continue;
		find_kept(plan, has, scop->prog->field[f], &p->newest[f],
			&box->extent[0]);
		p->oldest[f] = box->low[0];
		if (p->oldest[f] - p->newest[f] < p->first)
			p->first = p->oldest[f] - p->newest[f];
		box->low[0] = 0;
	}
}

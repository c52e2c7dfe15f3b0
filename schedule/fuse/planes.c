/* Tiles of fuse swept plane by plane along dimension 0: the sequential halo
 * exchange of [MO], 2.3.  Iteration n of a tile computes the plane
 *
 *	n + lead[i],	lead[i] = max (lead[r] + v) over the reads of what i
 *			computes, by r at offset v, and 0 if it leaves
 *
 * of statement i (MO-A2), so that all that it reads has been computed, in this
 * iteration or earlier.  A tile keeps of each field the planes still to be
 * read: in shared memory those read at other points than the reader's, the
 * others in the threads' registers, if there is room.
 */
#include <string.h>

#include "schedule/fuse/fuse.h"

/* The newest plane of "field" that iteration 0 reads, and how many from there
 * back.
 */
static void find_kept(const struct plan *plan, const bool *has,
	const struct field *field, int *newest, int *kept)
{
	const struct scop *scop = plan->scop;
	const struct planes *p = plan->group->planes;
	int oldest = 0;
	bool any = false;

	for (int i = 0; i < scop->k; i++) {
		const struct stmt *s = scop->prog->stmt[i];

		for (int j = 0; has[i] && j < s->n_reads; j++) {
			int low, high;

			if (s->read[j]->field != field ||
			    !plan_holds(plan, s->read[j]))
				continue;
			access_offsets(scop, s, s->read[j], 0, &low, &high);
			if (!any || p->lead[i] + high > *newest)
				*newest = p->lead[i] + high;
			if (!any || p->lead[i] + low < oldest)
				oldest = p->lead[i] + low;
			any = true;
		}
	}
	for (int i = 0; i < scop->k; i++)
		if (has[i] && scop->prog->stmt[i]->write->field == field &&
		    plan_holds(plan, scop->prog->stmt[i]->write))
			*newest = p->lead[i];
	*kept = *newest - oldest + 1;
}

/* Registers --------------------------------------------------------------- */

/* The ages of the planes of a field that a tile reads. */
struct ages {
	bool across;		/* some reads are at other points than the
				 * reader's: */
	int first, last;	/* the ages of their planes */
	int own;		/* greatest age of the others; -1: none */
};

static bool is_across(const struct access *acc)
{
	for (int d = 1; d < acc->field->n_dims; d++)
		if (acc->offset[d] != 0)
			return true;
	return false;
}

static void add_age(struct ages *ages, int age, bool across)
{
	if (!across) {
		ages->own = age > ages->own ? age : ages->own;
		return;
	}
	ages->first = !ages->across || age < ages->first ? age : ages->first;
	ages->last = !ages->across || age > ages->last ? age : ages->last;
	ages->across = true;
}

/* False if age alone does not identify a plane. */
static bool find_ages(const struct plan *plan, const bool *has,
	const struct field *field, struct ages *ages)
{
	const struct planes *p = plan->group->planes;

	*ages = (struct ages) { .own = -1 };
	for (int i = 0; i < plan->scop->k; i++) {
		const struct stmt *s = plan->scop->prog->stmt[i];

		for (int j = 0; has[i] && j < s->n_reads; j++) {
			const struct access *acc = s->read[j];

			if (acc->field != field || !plan_holds(plan, acc))
				continue;
			if (!access_is_plain(s, acc))
				return false;
			add_age(ages, p->newest[field->index] - p->lead[i] -
				(int) acc->offset[0], is_across(acc));
		}
	}
	return true;
}

/* The planes that threads keep: until other threads read them, and further ones
 * after those.
 */
static int registers_of(const struct ages *ages)
{
	int before = ages->across && ages->first > 0 ? ages->first + 1 : 0;
	int beyond = !ages->across || ages->own > ages->last ?
		ages->own + 1 : 0;

	return before > beyond ? before : beyond;
}

void plan_group_extent(const struct plan *plan, const bool *has,
	const struct box *part, int d, int *low, int *end)
{
	*low = 0;
	*end = plan->pitch[d];
	for (int i = 0; i < plan->scop->prog->n_fields; i++) {
		const struct box *box = &plan->box[i];

		if (!plan->group->in_shared[i] || box->n_dims <= d)
			continue;
		*low = smaller(*low, box->low[d]);
		*end = larger(*end, box->low[d] + box->extent[d]);
	}
	for (int i = 0; i < plan->scop->k; i++) {
		if (!has[i])
			continue;
		*low = smaller(*low, part[i].low[d]);
		*end = larger(*end, part[i].low[d] + part[i].extent[d]);
	}
}

/* What a thread has of a plane: the threads lie side by side, from the least
 * point of any part or box on.
 */
static void deal_points(const struct plan *plan, const bool *has,
	const struct box *part, struct planes *p)
{
	for (int d = 1; d < plan->n_dims; d++) {
		int threads = plan->threads[plan->n_dims - 1 - d];
		int low, end;

		plan_group_extent(plan, has, part, d, &low, &end);
		p->base[d] = low;
		p->points[d] = (end - low + threads - 1) / threads;
	}
}

/* Keep in registers what only its own thread reads, if there is room: of each
 * field or of none.
 */
static void place_registers(struct plan *plan, const bool *has,
	const struct box *part, struct planes *p)
{
	enum { MOST_BYTES = 256 };
	const struct program *prog = plan->scop->prog;
	struct ages *ages = region_array(plan->scop->mem, struct ages,
		prog->n_fields);
	int bytes = 0, points = 1;

	deal_points(plan, has, part, p);
	for (int d = 1; d < plan->n_dims; d++)
		points *= p->points[d];
	for (int f = 0; f < prog->n_fields; f++) {
		if (!plan->group->in_shared[f] ||
		    !find_ages(plan, has, prog->field[f], &ages[f]))
			continue;
		p->registers[f] = registers_of(&ages[f]);
		bytes += p->registers[f] * points *
			type_size(prog->field[f]->type);
	}
	if (bytes == 0 || bytes > MOST_BYTES) {
		memset(p->registers, 0, sizeof(int) *
			(size_t) prog->n_fields);
		memset(p->points, 0, sizeof(p->points));
		return;
	}
	for (int f = 0; f < prog->n_fields; f++)
		if (p->registers[f] > 0) {
			p->after[f] = ages[f].first;
			plan->box[f].extent[0] = ages[f].across ?
				ages[f].last - ages[f].first + 1 : 0;
		}
}

void plan_find_planes(struct plan *plan, const bool *has,
	const struct box *part, bool may)
{
	const struct scop *scop = plan->scop;
	struct planes *p = region_new_of(scop->mem, struct planes);
	int n_fields = scop->prog->n_fields;

	plan->group->planes = p;
	p->lead = region_array(scop->mem, int, scop->k);
	p->newest = region_array(scop->mem, int, n_fields);
	p->oldest = region_array(scop->mem, int, n_fields);
	p->registers = region_array(scop->mem, int, n_fields);
	p->after = region_array(scop->mem, int, n_fields);
	p->last = plan->pitch[0] - 1;
	for (int i = 0; i < scop->k; i++) {
		if (!has[i])
			continue;
		p->lead[i] = part[i].low[0] + part[i].extent[0] -
			plan->pitch[0];
		p->first = smaller(p->first, part[i].low[0] - p->lead[i]);
	}
	for (int f = 0; f < n_fields; f++) {
		struct box *box = &plan->box[f];

		if (!plan->group->in_shared[f])
			continue;
		find_kept(plan, has, scop->prog->field[f], &p->newest[f],
			&box->extent[0]);
		p->oldest[f] = box->low[0];
		p->first = smaller(p->first, p->oldest[f] - p->newest[f]);
		box->low[0] = 0;
	}
	if (may)
		place_registers(plan, has, part, p);
}

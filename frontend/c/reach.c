/* How far reads at one place reach. */
#include "frontend/c/reach.h"

/* Accesses to the field of "first", in its loops and under its conditions: the least and the greatest distance from
 * its subscripts.
 */
struct c_reach {
	const struct c_access *first;
	int64_t low[C_MAX_DIMS], high[C_MAX_DIMS];
	struct c_reach *next;
};

static bool is_at_place(const struct c_access *a, const struct c_access *b)
{
	return a->field == b->field && a->place.loop == b->place.loop &&
		a->place.condition == b->place.condition && a->place.phase == b->place.phase;
}

/* The distances of "a" from "b" along each dimension; false if they vary. */
static bool find_distances(const struct c_access *a, const struct c_access *b, int64_t *distance)
{
	for (int d = 0; d < a->n_subs; d++) {
		struct poly apart = a->sub[d];

		if (a->around[d] || b->around[d] || !poly_add(&apart, &b->sub[d], -1) ||
		    !poly_is_constant(&apart, &distance[d]))
			return false;
	}
	return true;
}

/* Note that "r" reaches "distance"; did it? */
static bool widen(struct c_reach *r, const int64_t *distance)
{
	bool within = true;

	for (int d = 0; d < r->first->n_subs; d++) {
		within &= r->low[d] <= distance[d] && distance[d] <= r->high[d];
		if (distance[d] < r->low[d])
			r->low[d] = distance[d];
		if (distance[d] > r->high[d])
			r->high[d] = distance[d];
	}
	return within;
}

bool is_within_reach(struct stencil *s, struct c_reach **all, const struct c_access *a)
{
	int64_t distance[C_MAX_DIMS];
	struct c_reach *r = *all;

	while (r && !(is_at_place(r->first, a) && find_distances(a, r->first, distance)))
		r = r->next;
	if (r)
		return widen(r, distance);
	r = region_new_of(s->mem, struct c_reach);
	r->first = a;
	r->next = *all;
	*all = r;
	return false;
}

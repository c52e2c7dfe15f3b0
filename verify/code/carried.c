/* Pointers that live longer than the code that moves them: branches move them alike, and each
 * iteration of a strip moves them to where the next one needs them.
 */
#include <string.h>

#include "verify/code/carried.h"

struct spots {
	int n;
	struct kept_spot {
		struct named *of;
		struct spot is;
	} *spot;
};

struct spots *spots_now(const struct lanes *l)
{
	struct spots *all = region_new_of(l->w->c->mem, struct spots);
	const struct named *v;

	for (v = l->known; v; v = v->next)
		all->n += v->kind == SPOT;
	all->spot = region_array(l->w->c->mem, struct kept_spot, all->n + 1);
	all->n = 0;
	for (v = l->known; v; v = v->next)
		if (v->kind == SPOT)
			all->spot[all->n++] = (struct kept_spot) {
				(struct named *) v, v->spot };
	return all;
}

void spots_again(const struct lanes *l, const struct spots *spots)
{
	(void) l;
	for (int i = 0; i < spots->n; i++)
		spots->spot[i].of->spot = spots->spot[i].is;
}

/* Is "a" so many positions of the streamed dimension further than "b"? */
static bool is_further(const struct spot *a, const struct spot *b, int by)
{
	for (int axis = 0; axis < N_AXES; axis++) {
		int64_t apart;

		if (!lines_are_apart(&a->at[axis], &b->at[axis], &apart) ||
		    apart != (axis == ALONG ? by : 0))
			return false;
	}
	return true;
}

static bool is_lost(const struct lanes *l, const struct named *v)
{
	return refute(l->w->c, "it is not shown where '%s' leads", v->name);
}

bool spots_agree(const struct lanes *l, const struct spots *other)
{
	for (int i = 0; i < other->n; i++)
		if (!is_further(&other->spot[i].of->spot, &other->spot[i].is, 0))
			return is_lost(l, other->spot[i].of);
	return true;
}

static bool assigns(const struct ks *s, const char *name)
{
	bool does = s->kind == KS_ASSIGN && s->x[0]->kind == KX_NAME &&
		!strcmp(s->x[0]->name, name);

	for (int i = 0; !does && i < s->n_children; i++)
		does = assigns(s->child[i], name);
	return does;
}

void carry_spots(struct lanes *l, const struct ks *loop)
{
	struct spots *all = spots_now(l);

	for (int i = 0; i < all->n; i++) {
		struct named *v = all->spot[i].of;
		struct line *at = &v->spot.at[ALONG];

		v->is_carried = assigns(loop, v->name);
		if (v->is_carried) {
			at->number -= l->s.first;
			at->by[ITERATION]++;
		}
	}
}

bool spots_go_on(const struct lanes *l, const struct spots *head)
{
	for (int i = 0; i < head->n; i++) {
		struct named *v = head->spot[i].of;

		if (!is_further(&v->spot, &head->spot[i].is, v->is_carried ?
		    l->s.period : 0))
			return is_lost(l, v);
	}
	spots_again(l, head);
	return true;
}

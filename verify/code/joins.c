/* Where ways meet: see joins.h. */
#include <string.h>

#include "verify/code/joins.h"

/* Branches ---------------------------------------------------------------- */

static struct point nowhere(void)
{
	return (struct point) { .what = LOADED, .step = -1, .width = 1 };
}

/* A cell of "a" where the last condition fails lies beyond the grid. */
static bool fails_beyond_grid(struct lanes *l, const struct held *a)
{
	struct point p = nowhere();

	p.cell = *a;
	return a->kind == CELL && is_never_in_grid(l, &p);
}

/* "a" if the last condition holds, "b" if it fails: l->way says that it holds. */
static struct held either(struct lanes *l, const struct held *a,
	const struct held *b)
{
	struct held h = *a;

	if (same_held(a, b) || (b->kind == FETCHED && a->kind == CELL &&
	    a->field == b->field && a->version == b->version &&
	    !memcmp(a->at, b->at, sizeof(a->at)) &&
	    has_neighbour_otherwise(l, b->lanes)))
		h = *a;
	else if (a->kind == PART && b->kind == ZERO && is_after_last_step(l,
	    a->version))
		h = *a;
	else if (!fails_beyond_grid(l, a))
		h.kind = UNKNOWN;
	h.left = a->left || b->left;
	h.taken = a->taken || b->taken;
	return h;
}

struct change *changed_since(struct lanes *l, int n)
{
	struct change *c = region_array(l->w->c->mem, struct change,
		l->log.n - n + 1);

	for (int i = n; i < l->log.n; i++)
		c[i - n] = (struct change) { l->log.change[i].of,
			*l->log.change[i].of };
	return c;
}

void join_branches(struct lanes *l, int n, const struct change *held,
	int n_held)
{
	int last = l->log.n;
	unsigned stamp = ++l->stamp;

	for (int i = 0; i < n_held; i++) {
		struct held *of = held[i].of;

		if (of->stamp == stamp)
			continue;
		hold(l, of, either(l, &held[i].was, of));
		of->stamp = stamp;
	}
	for (int i = n; i < last; i++) {
		struct held *of = l->log.change[i].of;

		if (of->stamp == stamp)
			continue;
		hold(l, of, either(l, &l->log.change[i].was, of));
		of->stamp = stamp;
	}
}

/* Iterations -------------------------------------------------------------- */

bool fits_first(struct lanes *l, const struct held *first,
	const struct held *h)
{
	struct held then = at_iteration(l, *h, l->s.first);

	return same_held(first, h) || same_held(first, &then) ||
		(first->kind == ZERO && is_early(l, h));
}

bool same_all(const struct held *a, const struct held *b, int n)
{
	for (int i = 0; i < n; i++)
		if (!same_held(&a[i], &b[i]) || a[i].left != b[i].left ||
		    a[i].taken != b[i].taken)
			return false;
	return true;
}

struct held *copy_held(struct lanes *l, int *n)
{
	struct held *all = region_array(l->w->c->mem, struct held,
		count_held(l) + 1);

	*n = 0;
	for (const struct registers *a = l->arrays; a; a = a->next) {
		if (a->size)
			memcpy(all + *n, a->held,
				sizeof(*all) * (size_t) a->size);
		*n += a->size;
	}
	return all;
}

void hold_all(struct lanes *l, const struct held *all)
{
	int n = 0;

	for (const struct registers *a = l->arrays; a; a = a->next)
		for (int i = 0; i < a->size; i++)
			hold(l, &a->held[i], all[n++]);
}

bool is_settled(const struct held *all, int n)
{
	for (int i = 0; i < n; i++)
		if (all[i].taken)
			return false;
	return true;
}

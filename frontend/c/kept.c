/* Cells that are kept for accesses while none changes: passes ask for those of each pair of accesses. */
#include "frontend/c/passes.h"

#include <isl/map.h>

/* What is kept holds in any call; what of it holds in calls that are as assumed is found anew with each assumption. */
enum { KEPT_LISTS = 256 };

struct c_kept {
	isl_set *assumed;		/* NULL: nothing */
	struct kept_place {
		const struct c_loop *loop;
		const struct c_condition *condition;
		isl_set *set;		/* of any call */
		struct kept_place *next;
	} *places;
	struct kept {
		const struct c_access *of;
		isl_map *cells, *executed;	/* by iterations; NULL: not yet */
		isl_set *all, *touched;		/* the same, in any round */
		struct kept *next;
	} *list[KEPT_LISTS];
};

/* Forget what depends on what is assumed, or "all". */
static void drop_kept(struct c_kept *kept, bool all)
{
	for (int i = 0; i < KEPT_LISTS; i++)
		for (struct kept *k = kept->list[i]; k; k = k->next) {
			k->executed = isl_map_free(k->executed);
			k->touched = isl_set_free(k->touched);
			if (!all)
				continue;
			isl_map_free(k->cells);
			isl_set_free(k->all);
		}
	for (struct kept_place *k = kept->places; k && all; k = k->next)
		isl_set_free(k->set);
	kept->assumed = isl_set_free(kept->assumed);
}

void keep_cells(struct stencil *s)
{
	s->leaves.kept = region_new_of(s->mem, struct c_kept);
}

void forget_cells(struct stencil *s)
{
	drop_kept(s->leaves.kept, true);
	s->leaves.kept = NULL;
}

/* What is kept of "a"; NULL: nothing is kept. */
static struct kept *kept_of(const struct stencil *s, const struct c_access *a)
{
	struct c_kept *all = s->leaves.kept;
	struct kept **list, *k;

	if (!all)
		return NULL;
	if (all->assumed != s->leaves.assumed) {
		drop_kept(all, false);
		all->assumed = isl_set_copy(s->leaves.assumed);
	}
	list = &all->list[(uintptr_t) a / sizeof(*a) % KEPT_LISTS];
	for (k = *list; k && k->of != a; k = k->next)
		;
	if (!k) {
		k = region_new_of(s->mem, struct kept);
		k->of = a;
		k->next = *list;
		*list = k;
	}
	return k;
}

static bool same_conditions(const struct c_condition *a, const struct c_condition *b)
{
	while (a && b && a != b && a->expr == b->expr && a->negated == b->negated) {
		a = a->outer;
		b = b->outer;
	}
	return a == b;
}

/* place_of_any_call() */
static __isl_give isl_set *kept_place(struct stencil *s, const struct c_place *place)
{
	struct kept_place *k = s->leaves.kept->places;

	while (k && (k->loop != place->loop || !same_conditions(k->condition, place->condition)))
		k = k->next;
	if (!k) {
		k = region_new_of(s->mem, struct kept_place);
		*k = (struct kept_place) { place->loop, place->condition, place_of_any_call(s, place),
			s->leaves.kept->places };
		s->leaves.kept->places = k;
	}
	return isl_set_copy(k->set);
}

__isl_give isl_map *access_cells(struct stencil *s, const struct c_access *a)
{
	struct kept *kept = kept_of(s, a);

	if (!kept)
		return isl_map_intersect_domain(access_cells_anywhere(s, a), place_domain(s, &a->place));
	if (!kept->cells)
		kept->cells = isl_map_intersect_domain(access_cells_anywhere(s, a), isl_set_intersect(
			place_rounds(s, &a->place), kept_place(s, &a->place)));
	if (!kept->executed)
		kept->executed = s->leaves.assumed ? isl_map_intersect_params(isl_map_copy(kept->cells),
			isl_set_copy(s->leaves.assumed)) : isl_map_copy(kept->cells);
	return isl_map_copy(kept->executed);
}

__isl_give isl_set *cells_touched(struct stencil *s, const struct c_access *a)
{
	struct kept *kept = kept_of(s, a);

	if (!kept)
		return isl_set_apply(place_any_round(s, &a->place), access_cells_anywhere(s, a));
	if (!kept->all)
		kept->all = isl_set_apply(kept_place(s, &a->place), access_cells_anywhere(s, a));
	if (!kept->touched)
		kept->touched = s->leaves.assumed ? isl_set_intersect_params(isl_set_copy(kept->all),
			isl_set_copy(s->leaves.assumed)) : isl_set_copy(kept->all);
	return isl_set_copy(kept->touched);
}

/* The order of what fused stages do, and the barriers between threads.
 *
 * A loop over points, with all loops in it, is a nest; nests follow each other in a tile, or in an
 * iteration of its sweep.  An array has a cell when it is read if the nest that stores it comes
 * before, in the same iteration or in an earlier one, and the next one to use the element later.
 * Where several threads share the array, a barrier lies between.  Before it, each thread waits for
 * the copies that it has started.
 */
#include "verify/code/kept.h"

#include <string.h>

/* A place, and a cell of the array there. */
struct used {
	const struct variable *known;
	isl_set *at;
	const struct cell *cell;
	const struct used *next;
};

/* What a nest does to an array: swept tiles do it to the plane that lies so far ahead of the
 * iteration's.
 */
struct use {
	int nest;
	int barrier;		/* number of barriers before it */
	int before, after;	/* in each iteration; in the tile, if none */
	int64_t ahead;
	const struct used *used;
	struct use *next;
};

/* The code of a tile, or of an iteration of its sweep: all threads come to what is at "at". */
struct level {
	isl_set *at;
	struct level *around;
};

/* State of this file. */
struct turns {
	struct level *level;
	int depth;		/* of loops over points */
	int nest, barriers;	/* so far in the tile */
	int first, end;		/* barriers before, behind the iterations */
	bool is_swept;		/* and that has ended */
	bool starts, waits;	/* copies are under way; in a group that has
				 * ended */
};

static void begin_level(struct code *w)
{
	struct turns *t = w->tiles->turns;
	struct level *level = region_new_of(w->c->mem, struct level);

	*level = (struct level) { keep_in_checker(w->c, isl_set_copy(w->at)),
		t->level };
	t->level = level;
}

static void end_level(struct code *w)
{
	w->tiles->turns->level = w->tiles->turns->level->around;
}

void begin_turns(struct code *w)
{
	w->tiles->turns = region_new_of(w->c->mem, struct turns);
	begin_level(w);
}

/* Do all threads of the block come here, in each tile or each iteration? */
static bool all_come_here(const struct code *w)
{
	const struct turns *t = w->tiles->turns;

	return t->depth == 0 && isl_set_plain_is_equal(w->at, t->level->at) ==
		isl_bool_true;
}

void note_copies(struct code *w, const struct kx *x)
{
	struct turns *t = w->tiles->turns;

	switch (x->builtin) {
	case B_COPY_AHEAD:
		t->starts = true;
		t->waits = false;
		break;
	case B_END_COPIES:
		t->waits = all_come_here(w);
		break;
	case B_WAIT_FOR_COPIES:
		t->starts = t->starts && !(t->waits && all_come_here(w) &&
			kx_is_int(x->arg[0], 0));
		break;
	default:
		break;
	}
}

static bool is_sweep(const struct code *w, const struct ks *s)
{
	return w->tiles->numbers.is_swept && !strcmp(s->name,
		w->tiles->names->strips.iteration);
}

static bool is_over_tiles(const struct code *w, const struct ks *s)
{
	for (int d = 0; d < w->plan->n_dims; d++)
		if (!strcmp(s->name, w->tiles->names->tile[d]))
			return true;
	return false;
}

void enter_loop(struct code *w, const struct ks *s)
{
	struct turns *t = w->tiles->turns;

	if (is_over_tiles(w, s) || is_sweep(w, s)) {
		if (is_sweep(w, s))
			t->first = t->barriers;
		begin_level(w);
		return;
	}
	t->nest += t->depth == 0;
	t->depth++;
}

void leave_loop(struct code *w, const struct ks *s)
{
	struct turns *t = w->tiles->turns;

	if (!is_over_tiles(w, s) && !is_sweep(w, s)) {
		t->depth--;
		return;
	}
	if (is_sweep(w, s))
		t->end = t->barriers;
	t->is_swept = t->is_swept || is_sweep(w, s);
	end_level(w);
}

bool note_barrier(struct code *w)
{
	struct turns *t = w->tiles->turns;

	if (!all_come_here(w))
		return refute(w->c, "it is not shown that all threads come to "
			"a barrier");
	if (t->starts)
		return refute(w->c, "threads come to a barrier before what "
			"they copy has arrived");
	t->barriers++;
	return true;
}

/* The numbers by which "cell" is ahead of the iteration: several near an end, where another cell
 * stands for one beyond it; from 1 to 0, none, where no point comes to the place.
 */
static bool find_ahead(struct code *w, const struct cell *cell, int64_t *first,
	int64_t *last)
{
	enum { MOST = 64 };
	const struct variable *n = variable_called(w,
		w->tiles->names->strips.iteration);
	isl_pw_aff *ahead;
	isl_set *points;
	bool found, none;

	*first = *last = 0;
	if (!w->tiles->numbers.is_swept)
		return true;
	if (!n || !n->number)
		return false;
	if (is_apart(cell->x[0], n->number, first)) {
		*last = *first;
		return true;
	}
	ahead = isl_pw_aff_intersect_domain(isl_pw_aff_sub(isl_pw_aff_copy(
		cell->x[0]), isl_pw_aff_copy(n->number)), isl_set_intersect(
		isl_set_copy(w->at), isl_set_copy(w->ranges)));
	points = isl_pw_aff_domain(isl_pw_aff_copy(ahead));
	none = isl_set_is_empty(points) == isl_bool_true;
	isl_set_free(points);
	if (none) {
		isl_pw_aff_free(ahead);
		*first = 1;
		return true;
	}
	found = take_int(isl_pw_aff_min_val(isl_pw_aff_copy(ahead)), first) &&
		take_int(isl_pw_aff_max_val(ahead), last);
	return found && *last - *first < MOST;
}

static void note_used(struct code *w, struct use *u, const struct cell *cell)
{
	struct used *used;

	for (const struct used *old = u->used; old; old = old->next)
		if (old->cell == cell)
			return;
	used = region_new_of(w->c->mem, struct used);
	*used = (struct used) { w->known, keep_in_checker(w->c,
		isl_set_copy(w->at)), cell, u->used };
	u->used = used;
}

static void note_use_ahead(struct code *w, const struct touch *t, int64_t ahead)
{
	struct kept *kept = t->cell->kept;
	struct use **list = t->stores ? &kept->stores : &kept->reads, *u = *list;
	const struct turns *turns = w->tiles->turns;

	while (u && (u->nest != turns->nest || u->ahead != ahead))
		u = u->next;
	if (!u) {
		u = region_new_of(w->c->mem, struct use);
		*u = (struct use) {
			.nest = turns->nest, .barrier = turns->barriers,
			.ahead = ahead, .next = *list,
		};
		*list = u;
	}
	note_used(w, u, t->cell);
}

bool note_use(struct code *w, const struct touch *t)
{
	int64_t first, last;

	if (!find_ahead(w, t->cell, &first, &last))
		return refute(w->c, "it is not shown in which iteration the "
			"code uses '%s'", t->cell->kept->array->name);
	w->tiles->turns->nest += w->tiles->turns->depth == 0;
	for (; first <= last; first++)
		note_use_ahead(w, t, first);
	return true;
}

/* At the end ---------------------------------------------------------------- */

/* Is "a", done to a plane, followed by "b", done to the plane "later" ones behind it; and is there
 * a barrier between?
 */
static bool follows(const struct turns *t, const struct use *a,
	const struct use *b, int64_t later, bool *waits)
{
	int64_t iterations = later + a->ahead - b->ahead;
	int in_each = t->end - t->first;

	*waits = iterations == 0 ? b->barrier > a->barrier :
		a->after + b->before > 0 ||
		(iterations > 1 && in_each > 0);
	return iterations > 0 || (iterations == 0 && b->nest > a->nest);
}

/* { [T, S, x] } of "u" */
static __isl_give isl_set *cells_used(const struct code *w,
	const struct use *u)
{
	struct code there = *w;
	isl_set *all = NULL;

	for (const struct used *used = u->used; used; used = used->next) {
		isl_set *cells;

		there.known = used->known;
		there.at = used->at;
		cells = cells_of_place(&there, used->cell);
		all = all ? isl_set_union(all, cells) : cells;
	}
	return all;
}

/* Are the cells that "a" and "b" use different ones? */
static bool use_others(const struct code *w, const struct use *a,
	const struct use *b)
{
	isl_set *both = isl_set_intersect_params(isl_set_intersect(
		cells_used(w, a), cells_used(w, b)), isl_set_copy(
		w->c->context));
	bool none = isl_set_is_empty(both) == isl_bool_true;

	isl_set_free(both);
	w->c->n_sets += none;
	return none;
}

static bool do_not_wait(struct code *w, const struct kept *kept)
{
	return refute(w->c, "threads do not wait for each other between "
		"storing to '%s' and reading it", kept->array->name);
}

/* The element that "s" stores is read by "r", before another plane takes its place. */
static bool is_in_turn(struct code *w, const struct kept *kept,
	const struct use *s, const struct use *r)
{
	const struct turns *t = w->tiles->turns;
	bool is_shared = !kept->is_of_thread && !w->nests;
	bool waits, stays;

	if (!follows(t, s, r, 0, &waits))
		return use_others(w, s, r) || refute(w->c, "the code reads '%s' before it is stored",
			kept->array->name);
	if (!is_shared && !w->tiles->numbers.is_swept)
		return true;
	if (w->tiles->numbers.is_swept && !kept->is_of_thread &&
	    !follows(t, r, s, kept->numbers->planes, &stays))
		return refute(w->c, "the code stores to '%s' while it still "
			"reads what was there", kept->array->name);
	return !is_shared || (waits && r->after + s->before > 0) ||
		do_not_wait(w, kept);
}

/* The next tile stores where this one reads: code for full tiles comes before the other one, or
 * behind it.
 */
static bool are_tiles_apart(struct code *w, const struct kept *kept,
	const struct use *stores, const struct use *reads)
{
	for (; stores; stores = stores->next)
		for (const struct use *r = reads; r; r = r->next)
			if (r->after + stores->before == 0)
				return do_not_wait(w, kept);
	return true;
}

/* Barriers as seen from "u" and those behind it. */
static void count_barriers(const struct turns *t, struct use *u)
{
	for (; u; u = u->next) {
		u->before = u->barrier - t->first;
		u->after = t->end - u->barrier;
	}
}

bool uses_are_in_turn(struct code *w, const struct kept *kept)
{
	struct turns *t = w->tiles->turns;

	if (!t->is_swept)
		t->end = t->barriers;
	count_barriers(t, kept->stores);
	count_barriers(t, kept->reads);
	for (const struct use *s = kept->stores; s; s = s->next)
		for (const struct use *r = kept->reads; r; r = r->next)
			if (!is_in_turn(w, kept, s, r))
				return false;
	return kept->is_of_thread || w->nests || (are_tiles_apart(w, kept,
		kept->stores_if_full, kept->reads) && are_tiles_apart(w, kept,
		kept->stores, kept->reads_if_full));
}

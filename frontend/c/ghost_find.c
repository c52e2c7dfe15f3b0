/* Which arrays are grids with cells around them: see ghost.c. */
#include "frontend/c/ghost_find.h"
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>

enum { MOST_ROUNDS = 3 };

/* Copies -------------------------------------------------------------------*/

static bool varies(const struct stencil *s, const struct poly *p,
	const struct c_loop *loop)
{
	return poly_uses(p, s->round) || poly_uses(p, s->time) ||
		loop_of(loop, p);
}

/* How far away along "d" is what "u" copies? */
static struct poly distance_along(const struct c_update *u, int d)
{
	struct poly distance = u->value->access->sub[d];

	poly_add(&distance, &u->write->sub[d], -1);
	return distance;
}

bool is_copy_around(const struct stencil *s, const struct c_field *f, const struct c_update *u)
{
	bool is_apart = false;

	if (u->write->field != f || u->asked || u->place.condition ||
	    u->value->kind != CX_ELEMENT || u->value->access->field != f)
		return false;
	for (int d = 0; d < f->n_dims; d++) {
		const struct poly distance = distance_along(u, d);

		if (u->write->around[d] || u->value->access->around[d] ||
		    poly_uses(&u->write->sub[d], s->round) ||
		    varies(s, &distance, u->place.loop))
			return false;
		is_apart |= distance.n > 0;
	}
	return is_apart;
}

/* Is "p" positive, if its variables are large? */
static bool is_upwards(const struct poly *p)
{
	int64_t sum = 0, constant = 0;

	for (int i = 0; i < p->n; i++)
		*(p->term[i].degree ? &sum : &constant) +=
			p->term[i].coefficient;
	return sum ? sum > 0 : constant > 0;
}

/* The greatest subscript of "a" along "d", or the least; false: it is not one sum. */
static bool end_of(const struct stencil *s, const struct c_access *a, int d,
	bool greatest, struct poly *end)
{
	const struct c_loop *loop = loop_of(a->place.loop, &a->sub[d]);
	const struct poly one = poly_constant(1);
	int64_t c;

	if (!loop) {
		*end = a->sub[d];
		return true;
	}
	if (!poly_split(&a->sub[d], loop->decl, &c, end) || loop->step != 1 ||
	    loop->start || (c != 1 && c != -1))
		return false;
	if ((c > 0) != greatest)
		return poly_add(end, &loop->begin, c) && !varies(s, end,
			a->place.loop);
	return poly_add(end, &loop->end, c) && poly_add(end, &one, -c) &&
		!varies(s, end, a->place.loop);
}

/* Of "a" and "b" the greater, or the lesser, in "a"; false: that depends on variables. */
static bool take_end(struct poly *a, const struct poly *b, bool greater,
	bool is_first)
{
	struct poly distance = *b;
	int64_t value;

	if (is_first) {
		*a = *b;
		return true;
	}
	if (!poly_add(&distance, a, -1) || !poly_is_constant(&distance, &value))
		return false;
	if (greater ? value > 0 : value < 0)
		*a = *b;
	return true;
}

/* "u" writes cells from "first" on behind the grid. */
static bool note_high(struct ghost_search *g, const struct c_update *u, int d,
	const struct poly *first)
{
	const struct poly one = poly_constant(1);
	bool is_first = !g->has_high[d];
	struct poly top;

	g->has_high[d] = true;
	return take_end(&g->high[d], first, false, is_first) &&
		end_of(g->s, u->write, d, true, &top) &&
		poly_add(&top, &one, 1) &&
		take_end(&g->top[d], &top, true, is_first);
}

/* What "u", a copy, says of the ends of the grid along "d". */
static bool note_copy(struct ghost_search *g, const struct c_update *u, int d)
{
	const struct poly one = poly_constant(1), zero = { 0 };
	struct poly period = distance_along(u, d), end;
	bool is_low = is_upwards(&period);

	if (!period.n)
		return true;
	if (!is_low) {
		const struct poly back = period;

		period = zero;
		poly_add(&period, &back, -1);
	}
	if (g->ghosts->wraps[d] && !poly_equal(&period,
	    &g->ghosts->period[d]))
		return false;
	g->ghosts->wraps[d] = true;
	g->ghosts->period[d] = period;
	if (!end_of(g->s, u->write, d, is_low, &end))
		return false;
	if (!is_low)
		return note_high(g, u, d, &end);
	poly_add(&end, &one, 1);
	if (!take_end(&g->low[d], &end, true, !g->has_low[d]))
		return false;
	g->has_low[d] = true;
	return true;
}

/* The ends of the grid, from all copies; false: there are none, or they do not agree. */
static bool find_grid(struct ghost_search *g)
{
	bool any = false;

	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (is_copy_around(g->s, g->field, u)) {
			any = true;
			for (int d = 0; d < g->field->n_dims; d++)
				if (!note_copy(g, u, d))
					return false;
		}
	for (int d = 0; d < g->field->n_dims; d++) {
		struct poly end = g->high[d];

		if (!g->ghosts->wraps[d])
			continue;
		if (!poly_add(&end, &g->ghosts->period[d], -1))
			return false;
		if (!g->has_low[d])
			g->low[d] = end;
		else if (g->has_high[d] && !poly_equal(&end, &g->low[d]))
			return false;
		g->ghosts->low[d] = g->low[d];
		if (!g->has_high[d]) {
			g->top[d] = g->low[d];
			poly_add(&g->top[d], &g->ghosts->period[d], 1);
		}
		g->ghosts->all[d] = g->field->is_sized[d] ?
			g->field->size[d] : g->top[d];
	}
	return any;
}

/* Sets ---------------------------------------------------------------------*/

/* { [p] }; NULL if "p" is not affine. */
static __isl_give isl_set *only(struct stencil *s, const struct poly *p)
{
	const struct c_place nowhere = { .phase = 0 };
	isl_aff *aff = place_aff(s, &nowhere, p);

	return aff ? isl_map_range(isl_map_from_aff(aff)) : NULL;
}

static bool is_affine(struct stencil *s, const struct poly *p)
{
	isl_set *set = only(s, p);
	bool affine = set;

	isl_set_free(set);
	return affine;
}

/* { [x] : low <= x < low + size } */
static __isl_give isl_set *range_of(struct stencil *s, const struct poly *low,
	const struct poly *size)
{
	struct poly end = *low;
	isl_set *from = only(s, low), *to = poly_add(&end, size, 1) ?
		only(s, &end) : NULL;
	isl_space *space = from ? isl_set_get_space(from) : NULL;

	if (!from || !to) {
		isl_set_free(from);
		isl_set_free(to);
		isl_space_free(space);
		return NULL;
	}
	from = isl_set_apply(from, isl_map_lex_le(isl_space_copy(space)));
	to = isl_set_apply(to, isl_map_lex_gt(space));
	return isl_set_intersect(from, to);
}

/* { [0]; [p]; [-p] } or, if it does not wrap, { [0] } */
static __isl_give isl_set *shifts_of(struct stencil *s, const struct poly *p,
	bool wraps)
{
	const struct poly zero = { 0 };
	isl_set *set = only(s, &zero), *up = wraps ? only(s, p) : NULL;

	if (!up)
		return set;
	set = isl_set_union(set, isl_set_neg(isl_set_copy(up)));
	return isl_set_union(set, up);
}

static __isl_give isl_set *times(__isl_take isl_set *a, __isl_take isl_set *b)
{
	return a ? isl_set_flat_product(a, b) : b;
}

/* { params : least <= p } */
static __isl_give isl_set *at_least(struct stencil *s, const struct poly *p,
	int64_t least)
{
	isl_set *set = only(s, p);

	return set ? isl_set_params(isl_set_lower_bound_si(set, isl_dim_set, 0,
		(int) least)) : NULL;
}

static void narrow(struct ghost_search *g, __isl_take isl_set *params)
{
	g->holds = g->holds ? isl_set_intersect(g->holds, params) : params;
}

bool need_steps(struct ghost_search *g, int least)
{
	struct poly steps;

	if (!loop_extent(&g->s->time_range, &steps) || !is_affine(g->s, &steps))
		return false;
	narrow(g, at_least(g->s, &steps, least));
	return isl_set_is_empty(g->holds) == isl_bool_false;
}

/* "a" must stay in the array. */
static void hold_inside(struct ghost_search *g, const struct c_access *a)
{
	for (int d = 0; d < a->n_subs; d++)
		if (g->field->is_sized[d])
			narrow(g, isl_set_complement(isl_set_params(
				isl_set_subtract(place_any_round(g->s,
				&a->place), cells_inside_along(g->s, a, d)))));
}

/* The grid must have some cells, more than there are below it, and lie in the array. */
static bool hold_grid(struct ghost_search *g, int d)
{
	enum { LEAST = 4 };
	const struct c_ghosts *ghosts = g->ghosts;
	struct poly above = ghosts->all[d];
	int64_t low;

	if (!poly_add(&above, &ghosts->low[d], -1) ||
	    !poly_add(&above, &ghosts->period[d], -1) ||
	    !is_affine(g->s, &above) || !is_affine(g->s, &ghosts->low[d]) ||
	    !is_affine(g->s, &ghosts->period[d]))
		return false;
	low = poly_is_constant(&ghosts->low[d], &low) && low > LEAST ? low :
		LEAST;
	narrow(g, at_least(g->s, &ghosts->period[d], low));
	narrow(g, at_least(g->s, &ghosts->low[d], 0));
	narrow(g, at_least(g->s, &above, 0));
	return true;
}

static bool make_sets(struct ghost_search *g)
{
	for (int d = 0; d < g->field->n_dims; d++) {
		const bool wraps = g->ghosts->wraps[d];
		isl_set *range;

		if (wraps && !hold_grid(g, d))
			return false;
		range = wraps ? range_of(g->s, &g->ghosts->low[d],
			&g->ghosts->period[d]) : isl_set_universe(
			isl_space_set_alloc(g->s->isl, 0, 1));
		g->grid = times(g->grid, range);
		g->shifts = times(g->shifts, shifts_of(g->s,
			&g->ghosts->period[d], wraps));
	}
	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (is_copy_around(g->s, g->field, u)) {
			hold_inside(g, u->write);
			hold_inside(g, u->value->access);
		}
	return isl_set_is_empty(g->holds) == isl_bool_false;
}

static __isl_give isl_set *cells_of(const struct ghost_search *g,
	const struct c_access *a)
{
	return isl_set_intersect_params(isl_map_range(access_cells(g->s, a)),
		isl_set_copy(g->holds));
}

static bool is_within(__isl_take isl_set *set, __isl_keep isl_set *all)
{
	bool within = isl_set_is_subset(set, all) == isl_bool_true;

	isl_set_free(set);
	return within;
}

static bool meet(__isl_take isl_set *a, __isl_take isl_set *b)
{
	isl_set *both = isl_set_intersect(a, b);
	bool some = isl_set_is_empty(both) != isl_bool_true;

	isl_set_free(both);
	return some;
}

/* What has been copied -----------------------------------------------------*/

bool share_loops(const struct c_loop *a, const struct c_loop *b)
{
	for (; a; a = a->outer)
		for (const struct c_loop *l = b; l; l = l->outer)
			if (a == l)
				return true;
	return false;
}

/* Do "u" and "v", which take turns in a loop, have nothing to do with each other? */
static bool are_apart(const struct ghost_search *g, const struct c_update *u,
	const struct c_update *v)
{
	return !share_loops(u->place.loop, v->place.loop) ||
		(!meet(cells_of(g, u->write), cells_of(g, v->write)) &&
		 !meet(cells_of(g, u->write), cells_of(g, v->value->access)) &&
		 !meet(cells_of(g, v->write), cells_of(g, u->value->access)));
}

/* .. with all copies of the phase before it? */
static bool is_apart(const struct ghost_search *g, const struct c_update *u)
{
	for (const struct c_update *v = g->s->updates; v != u; v = v->next)
		if (v->place.phase == g->phase && is_copy_around(g->s, g->field, v) &&
		    !are_apart(g, u, v))
			return false;
	return true;
}

/* The cells that "u" writes have what those that it reads have. */
static bool add_copy(struct ghost_search *g, const struct c_update *u)
{
	isl_set *cells = cells_of(g, u->write);
	isl_map *copied = isl_map_apply_range(isl_map_reverse(access_cells(
		g->s, u->write)), access_cells(g->s, u->value->access));

	copied = isl_map_intersect_params(copied, isl_set_copy(g->holds));
	if (meet(isl_set_copy(cells), cells_of(g, u->value->access)) ||
	    !is_apart(g, u)) {
		isl_set_free(cells);
		isl_map_free(copied);
		return false;
	}
	copied = isl_map_apply_range(copied, isl_map_copy(g->source));
	g->source = isl_map_union(isl_map_subtract_domain(g->source,
		isl_set_copy(cells)), copied);
	g->written = isl_set_union(g->written, cells);
	g->last = u->place.order;
	return true;
}

bool stand_for_grid(const struct ghost_search *g, __isl_take isl_set *cells)
{
	isl_map *source = isl_map_intersect_domain(isl_map_copy(g->source),
		isl_set_copy(cells));
	bool stand = is_within(cells, g->written) &&
		is_within(isl_map_range(isl_map_copy(source)), g->grid);

	return is_within(isl_map_deltas(source), g->shifts) && stand;
}

/* Readers and writers ------------------------------------------------------*/

/* Is the array written before "a" reads it, in the phase, by what is no copy, or in turn? */
static bool is_written_before(const struct ghost_search *g, const struct c_access *a)
{
	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (u->write->field == g->field && u->place.phase == g->phase &&
		    !is_copy_around(g->s, g->field, u) &&
		    (u->place.order <= a->place.order ||
		     share_loops(u->place.loop, a->place.loop)))
			return true;
	return false;
}

static bool reads_rightly(void *user, struct c_access *a)
{
	struct ghost_search *g = user;
	isl_set *around;

	if (a->field != g->field || (g->looks_at == BEFORE && a->place.order > g->copied) ||
	    (g->looks_at == BEHIND && a->place.order < g->copied))
		return true;
	if (!is_straight(a))
		return false;
	around = isl_set_subtract(cells_of(g, a), isl_set_copy(g->grid));
	if (isl_set_is_empty(around) == isl_bool_true) {
		isl_set_free(around);
		return true;
	}
	g->reads_old |= g->looks_at == BEFORE;
	if (a->place.order <= g->last || g->is_stale || (g->looks_at != BEHIND && is_written_before(g, a))) {
		isl_set_free(around);
		return false;
	}
	return stand_for_grid(g, around);
}

bool others_agree(struct ghost_search *g)
{
	for (const struct c_update *u = g->s->updates; u; u = u->next) {
		if (u->place.phase != g->phase || is_copy_around(g->s, g->field, u))
			continue;
		if (!(g->looks_at != ALL && may_fill(g, u)) && !update_reads(u, reads_rightly, g))
			return false;
		if (u->write->field == g->field && (u->place.order <= g->last ||
		    !is_within(cells_of(g, u->write), g->grid)))
			return false;
	}
	return true;
}

/* In how many rounds have the cells that copies write what C leaves in them, if the others have?  What
 * they copy may be what the round before has left in one of them.
 */
static int count_rounds(const struct ghost_search *g)
{
	isl_set *left = isl_set_copy(g->written);
	int n = 0;

	while (isl_set_is_empty(left) != isl_bool_true && n <= MOST_ROUNDS) {
		left = isl_set_apply(left, isl_map_copy(g->source));
		left = isl_set_intersect(left, isl_set_copy(g->written));
		n++;
	}
	isl_set_free(left);
	return n;
}

bool follow_copies(struct ghost_search *g)
{
	bool fine = true;

	g->source = isl_set_identity(isl_set_universe(isl_set_get_space(
		g->grid)));
	g->written = isl_set_empty(isl_set_get_space(g->grid));
	for (const struct c_update *u = g->s->updates; u && fine; u = u->next)
		if (u->place.phase == g->phase && is_copy_around(g->s, g->field, u))
			fine = add_copy(g, u);
	return fine;
}

void forget_copies(struct ghost_search *g)
{
	isl_map_free(g->source);
	isl_set_free(g->written);
}

/* Does each step copy the cells before it reads them? */
static bool check_phase(struct ghost_search *g)
{
	bool fine;

	g->last = -1;
	fine = follow_copies(g) && others_agree(g);
	g->ghosts->rounds = larger(g->ghosts->rounds, count_rounds(g));
	forget_copies(g);
	return fine && g->ghosts->rounds <= MOST_ROUNDS;
}

static bool copies_come_first(struct ghost_search *g)
{
	bool right = true;

	for (g->phase = 0; right && g->phase < g->s->n_phases; g->phase++)
		right = check_phase(g);
	return right;
}

/* Is what copies write nowhere of the grid? */
static bool keeps_grid(const struct ghost_search *g)
{
	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (is_copy_around(g->s, g->field, u) && meet(cells_of(g, u->write),
		    isl_set_copy(g->grid)))
			return false;
	return true;
}

/* Give the conditions under which "right" is so to the emitted file; NULL if it is not, or they never hold. */
static struct c_ghosts *grid_if(struct ghost_search *g, bool right)
{
	isl_set_free(g->grid);
	isl_set_free(g->shifts);
	if (!right)
		isl_set_free(g->holds);
	return right && ask_for_rows(g->s, g->holds) ? g->ghosts : NULL;
}

struct c_ghosts *grid_around(struct stencil *s, struct c_field *f)
{
	struct ghost_search g = { .s = s, .field = f, .ghosts = region_new_of(s->mem, struct c_ghosts) };
	bool right;

	if (!find_grid(&g))
		return NULL;
	right = make_sets(&g) && keeps_grid(&g);
	if (right && !copies_come_first(&g))
		right = g.ghosts->comes_last = copies_come_last(&g);
	return grid_if(&g, right);
}

/* Arrays beside such grids ----------------------------------------------------*/

struct bounded_reads {
	struct ghost_search *g;
	isl_set *cells;
};

static bool reads_within(void *user, struct c_access *a)
{
	const struct bounded_reads *b = user;

	return a->field != b->g->field || (is_straight(a) && is_within(cells_of(b->g, a), b->cells));
}

/* Is nothing read of the array but "cells"? */
static bool reads_only(struct ghost_search *g, __isl_keep isl_set *cells)
{
	struct bounded_reads b = { g, cells };

	for (struct c_update *u = g->s->updates; u; u = u->next)
		if (!update_reads(u, reads_within, &b))
			return false;
	return true;
}

/* Is the array used on the grid alone? */
static bool all_stay_on_grid(struct ghost_search *g)
{
	for (struct c_update *u = g->s->updates; u; u = u->next)
		if (u->write->field == g->field && !is_within(cells_of(g, u->write), g->grid))
			return false;
	return reads_only(g, g->grid);
}

/* A search for the grid in "f" that lies as "like" does. */
static bool search_like(struct ghost_search *g, struct stencil *s, struct c_field *f, const struct c_ghosts *like)
{
	*g = (struct ghost_search) { .s = s, .field = f, .ghosts = region_new_of(s->mem, struct c_ghosts) };
	for (int d = 0; d < f->n_dims; d++) {
		g->ghosts->wraps[d] = like->wraps[d];
		g->ghosts->low[d] = g->low[d] = like->low[d];
		g->ghosts->period[d] = g->top[d] = like->period[d];
		if (!poly_add(&g->top[d], &like->low[d], 1))
			return false;
		g->ghosts->all[d] = f->is_sized[d] ? f->size[d] : g->top[d];
	}
	return make_sets(g);
}

/* .. where there is more than the first round. */
static bool search_behind_first(struct ghost_search *g, struct stencil *s, struct c_field *f,
	const struct c_ghosts *like)
{
	return search_like(g, s, f, like) && need_steps(g, s->n_phases + 1);
}

struct c_ghosts *grid_like(struct stencil *s, struct c_field *f, const struct c_ghosts *like)
{
	struct ghost_search g;

	return grid_if(&g, search_like(&g, s, f, like) && all_stay_on_grid(&g));
}

/* The cells of "a", if what decides about its place is the step. */
static __isl_give isl_set *cells_in_any_step(const struct ghost_search *g, const struct c_access *a)
{
	struct c_place always = a->place;

	always.condition = NULL;
	return isl_set_intersect_params(isl_set_apply(place_domain(g->s, &always), access_cells_anywhere(g->s, a)),
		isl_set_copy(g->holds));
}

/* The cells of the grid whose values copies to "around" have. */
static __isl_give isl_set *copied_to(const struct ghost_search *g, __isl_keep isl_set *around)
{
	return isl_set_intersect(isl_set_sum(isl_set_copy(around), isl_set_copy(g->shifts)), isl_set_copy(g->grid));
}

/* Does "u" fill the cells "around" the grid in its array, and those of which they might be copies, and are no others read
 * that are not on the grid?  Further cells that it fills must keep what the first round gives them, as they do if it
 * copies; where no round is left to the loops there are none.
 */
static bool fills_all(struct ghost_search *g, const struct c_update *u, __isl_take isl_set *around)
{
	isl_set *all, *filled = cells_in_any_step(g, u->write);
	bool fills;

	around = isl_set_intersect_params(around, isl_set_copy(g->holds));
	fills = is_within(isl_set_union(isl_set_copy(around), copied_to(g, around)), filled);
	all = isl_set_union(around, isl_set_copy(g->grid));
	fills = fills && reads_only(g, all) && ((u->value->kind == CX_ELEMENT && !g->ghosts->is_asked) ||
		is_within(isl_set_copy(filled), all));
	isl_set_free(all);
	isl_set_free(filled);
	return fills;
}

bool fills_like(const struct ghost_search *like, const struct c_update *u)
{
	struct ghost_search g;
	bool fills = search_behind_first(&g, like->s, u->write->field, like->ghosts) &&
		fills_all(&g, u, isl_set_copy(like->written));

	isl_set_free(g.grid);
	isl_set_free(g.shifts);
	isl_set_free(g.holds);
	return fills;
}

/* The cells that "copies" write. */
static __isl_give isl_set *cells_around(const struct ghost_search *g, const struct c_update *copies)
{
	isl_set *around = isl_set_empty(isl_set_get_space(g->grid));

	for (; copies; copies = copies->next)
		around = isl_set_union(around, cells_of(g, copies->write));
	return around;
}

struct c_ghosts *grid_with(struct stencil *s, const struct c_update *u, const struct c_ghosts *like,
	struct c_update *copies, bool asks)
{
	struct c_field *f = u->write->field;
	struct ghost_search g;
	bool right = asks ? search_like(&g, s, f, like) && need_steps(&g, 1) : search_behind_first(&g, s, f, like);

	g.ghosts->comes_last = true;
	g.ghosts->copies = copies;
	g.ghosts->leaves_first = !asks;
	g.ghosts->is_asked = asks;
	for (; u && right; u = u->next)
		right = u->write->field != f || fills_all(&g, u, cells_around(&g, copies));
	return grid_if(&g, right);
}

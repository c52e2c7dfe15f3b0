/* Cells around a grid, into which each step copies those of the other end before it reads them:
 *
 *	A[0] = A[n];  A[n+1] = A[1];
 *	for (i = 1; i <= n; i++)
 *		B[i] = f(A[i-1], A[i], A[i+1]);
 *
 * The grid alone is a field, and periodic.  It is copied from the array and back in the function
 * that is called; the last rounds are left to the loops as they are, which leave the cells around it
 * as C does.  Where that holds for some parameters the emitted file asks.
 */
#include "frontend/c/ghost.h"
#include "frontend/c/layer.h"
#include "frontend/c/passes.h"
#include "frontend/c/turn.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdlib.h>

enum { MOST_ROUNDS = 3 };

struct search {
	struct stencil *s;
	struct c_field *field;
	struct c_ghosts *ghosts;
	bool has_low[C_MAX_DIMS], has_high[C_MAX_DIMS];
	struct poly low[C_MAX_DIMS], high[C_MAX_DIMS];	/* the first cell of the grid, and
							 * the first behind it */
	struct poly top[C_MAX_DIMS];	/* behind the last cell that copies write */
	isl_set *holds;			/* { params : all is in the array, .. } */
	isl_set *grid;			/* { [cell] }, and */
	isl_set *shifts;		/* { [distance] } from a cell to the one copied */
	int phase;
	isl_map *source;		/* { [cell] -> [cell] }: what has its value */
	isl_set *written;		/* { [cell] } that copies write */
	int last;			/* of the copies in the order of statements */
};

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

/* Does "u" always copy cells of "f" that are the same distance away? */
static bool is_copy(const struct stencil *s, const struct c_field *f,
	const struct c_update *u)
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
static bool note_high(struct search *g, const struct c_update *u, int d,
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
static bool note_copy(struct search *g, const struct c_update *u, int d)
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
static bool find_grid(struct search *g)
{
	bool any = false;

	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (is_copy(g->s, g->field, u)) {
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

static void narrow(struct search *g, __isl_take isl_set *params)
{
	g->holds = g->holds ? isl_set_intersect(g->holds, params) : params;
}

/* "a" must stay in the array. */
static void hold_inside(struct search *g, const struct c_access *a)
{
	for (int d = 0; d < a->n_subs; d++)
		if (g->field->is_sized[d])
			narrow(g, isl_set_complement(isl_set_params(
				isl_set_subtract(place_any_round(g->s,
				&a->place), cells_inside_along(g->s, a, d)))));
}

/* The grid must have some cells, more than there are below it, and lie in the array. */
static bool hold_grid(struct search *g, int d)
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

static bool make_sets(struct search *g)
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
		if (is_copy(g->s, g->field, u)) {
			hold_inside(g, u->write);
			hold_inside(g, u->value->access);
		}
	return isl_set_is_empty(g->holds) == isl_bool_false;
}

static __isl_give isl_set *cells_of(const struct search *g,
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

static bool share_loops(const struct c_loop *a, const struct c_loop *b)
{
	for (; a; a = a->outer)
		for (const struct c_loop *l = b; l; l = l->outer)
			if (a == l)
				return true;
	return false;
}

/* Do "u" and "v", which take turns in a loop, have nothing to do with each other? */
static bool are_apart(const struct search *g, const struct c_update *u,
	const struct c_update *v)
{
	return !share_loops(u->place.loop, v->place.loop) ||
		(!meet(cells_of(g, u->write), cells_of(g, v->write)) &&
		 !meet(cells_of(g, u->write), cells_of(g, v->value->access)) &&
		 !meet(cells_of(g, v->write), cells_of(g, u->value->access)));
}

/* .. with all copies of the phase before it? */
static bool is_apart(const struct search *g, const struct c_update *u)
{
	for (const struct c_update *v = g->s->updates; v != u; v = v->next)
		if (v->place.phase == g->phase && is_copy(g->s, g->field, v) &&
		    !are_apart(g, u, v))
			return false;
	return true;
}

/* The cells that "u" writes have what those that it reads have. */
static bool add_copy(struct search *g, const struct c_update *u)
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

/* Is the value of each of "cells" that of a cell of the grid, a whole number of periods away? */
static bool stand_for_grid(const struct search *g, __isl_take isl_set *cells)
{
	isl_map *source = isl_map_intersect_domain(isl_map_copy(g->source),
		isl_set_copy(cells));
	bool stand = is_within(cells, g->written) &&
		is_within(isl_map_range(isl_map_copy(source)), g->grid);

	return is_within(isl_map_deltas(source), g->shifts) && stand;
}

/* Readers and writers ------------------------------------------------------*/

/* Is the array written before "a" reads it, in the phase, by what is no copy, or in turn? */
static bool is_written_before(const struct search *g, const struct c_access *a)
{
	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (u->write->field == g->field && u->place.phase == g->phase &&
		    !is_copy(g->s, g->field, u) &&
		    (u->place.order <= a->place.order ||
		     share_loops(u->place.loop, a->place.loop)))
			return true;
	return false;
}

static bool reads_rightly(void *user, struct c_access *a)
{
	struct search *g = user;
	isl_set *around;

	if (a->field != g->field)
		return true;
	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d])
			return false;
	around = isl_set_subtract(cells_of(g, a), isl_set_copy(g->grid));
	if (isl_set_is_empty(around) == isl_bool_true) {
		isl_set_free(around);
		return true;
	}
	if (a->place.order <= g->last || is_written_before(g, a)) {
		isl_set_free(around);
		return false;
	}
	return stand_for_grid(g, around);
}

/* Do others than copies read and write the array as a grid that comes around? */
static bool others_agree(struct search *g)
{
	for (const struct c_update *u = g->s->updates; u; u = u->next) {
		if (u->place.phase != g->phase || is_copy(g->s, g->field, u))
			continue;
		if (!update_reads(u, reads_rightly, g))
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
static int count_rounds(const struct search *g)
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

static bool check_phase(struct search *g)
{
	bool fine = true;

	g->last = -1;
	g->source = isl_set_identity(isl_set_universe(isl_set_get_space(
		g->grid)));
	g->written = isl_set_empty(isl_set_get_space(g->grid));
	for (const struct c_update *u = g->s->updates; u && fine; u = u->next)
		if (u->place.phase == g->phase && is_copy(g->s, g->field, u))
			fine = add_copy(g, u);
	fine = fine && others_agree(g);
	g->ghosts->rounds = larger(g->ghosts->rounds, count_rounds(g));
	isl_map_free(g->source);
	isl_set_free(g->written);
	return fine && g->ghosts->rounds <= MOST_ROUNDS;
}

/* Is what copies write nowhere of the grid? */
static bool keeps_grid(const struct search *g)
{
	for (const struct c_update *u = g->s->updates; u; u = u->next)
		if (is_copy(g->s, g->field, u) && meet(cells_of(g, u->write),
		    isl_set_copy(g->grid)))
			return false;
	return true;
}

static bool is_right(struct search *g)
{
	bool right = make_sets(g) && keeps_grid(g);

	for (g->phase = 0; right && g->phase < g->s->n_phases; g->phase++)
		right = check_phase(g);
	isl_set_free(g->grid);
	isl_set_free(g->shifts);
	return right;
}

/* The field ----------------------------------------------------------------*/

static void drop_copies(struct stencil *s, const struct c_field *f)
{
	struct c_update **link = &s->updates;

	while (*link)
		if (is_copy(s, f, *link))
			*link = (*link)->next;
		else
			link = &(*link)->next;
}

/* The arrays that are large enough for "a", which "u" reads, to come around once. */
static void note_distance(const struct c_update *u, const struct c_access *a)
{
	for (int d = 0; d < a->n_subs && d < u->write->n_subs; d++) {
		struct poly distance = a->sub[d];
		int64_t value;

		if (a->field->ghosts->wraps[d] && poly_add(&distance,
		    &u->write->sub[d], -1) && poly_is_constant(&distance,
		    &value))
			a->field->least[d] = larger(a->field->least[d],
				(int) llabs(value) + 1);
	}
}

static bool note_distances(void *user, struct c_access *a)
{
	if (a->field->ghosts)
		note_distance(user, a);
	return true;
}

static void become_grid(struct stencil *s, struct c_field *f,
	struct c_ghosts *ghosts)
{
	drop_copies(s, f);
	for (int d = 0; d < f->n_dims; d++) {
		if (!ghosts->wraps[d])
			continue;
		f->size[d] = ghosts->period[d];
		f->is_sized[d] = true;
		f->is_positive[d] = false;
		f->ends[d] = BOUNDARY_PERIODIC;
	}
	for (struct c_access *a = s->accesses; a; a = a->next)
		for (int d = 0; a->field == f && d < f->n_dims; d++)
			if (ghosts->wraps[d])
				poly_add(&a->sub[d], &ghosts->low[d], -1);
	f->ghosts = ghosts;
}

bool may_leave_rounds(const struct stencil *s)
{
	return s->time_range.step == 1 && !s->is_one_step && !s->of_step &&
		!s->recorded.first && !s->until.results && !s->lists &&
		!s->region->whole && !s->region->is_looped &&
		!turns_begin_anew(s);
}

/* Is "f" an array around a grid?  Then it becomes the grid. */
static bool find_ghosts_of(struct stencil *s, struct c_field *f)
{
	struct search g = { .s = s, .field = f, .ghosts =
		region_new_of(s->mem, struct c_ghosts) };
	bool found;

	if (f->part.of || f->local || f->ghosts || f->n_dims == 0 || !find_grid(&g))
		return false;
	found = is_right(&g);
	if (!found)
		isl_set_free(g.holds);
	if (!found || !ask_for_rows(s, g.holds))
		return false;
	become_grid(s, f, g.ghosts);
	return true;
}

void find_ghosts(struct stencil *s)
{
	bool any = false;

	if (!may_leave_rounds(s))
		return;
	for (struct c_field *f = s->fields; f; f = f->next)
		any |= find_ghosts_of(s, f);
	if (!any)
		return;
	for (struct c_update *u = s->updates; u; u = u->next)
		update_reads(u, note_distances, u);
}

void end_rounds_early(struct stencil *s)
{
	struct poly rest;

	rest = poly_constant(last_rounds(s) * s->n_phases);
	poly_add(&s->time_range.end, &rest, -1);
}

int last_rounds(const struct stencil *s)
{
	int rounds = s->leaves.rounds;

	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->ghosts)
			rounds = larger(rounds, f->ghosts->rounds);
	return rounds;
}

const struct poly *size_of_array(const struct c_field *f, int d)
{
	if (f->ghosts && f->ghosts->layers && f->ghosts->layers->along == d)
		return &f->ghosts->layers->all;
	return f->ghosts && f->ghosts->wraps[d] ? &f->ghosts->all[d] :
		&f->size[d];
}

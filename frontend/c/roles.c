/* Arrays that change places at the end of each step: see roles.h. */
#include "frontend/c/roles.h"
#include "frontend/c/border.h"
#include "frontend/c/cells.h"
#include "frontend/c/forward.h"
#include "frontend/c/ghost.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/map.h>
#include <isl/set.h>

#include <string.h>

enum { MOST_PAIRS = 16 };

struct roles {
	struct stencil *s;
	int n;
	struct pair {			/* fields that have each other's role in the next step */
		struct c_field *old;	/* the first step of a round reads this one, .. */
		struct c_field *new;	/* .. and writes this one */
	} pair[MOST_PAIRS];
};

/* Pairs ---------------------------------------------------------------------- */

/* The next statement from "u" on in "phase"; NULL: there is none. */
static struct c_update *next_in(struct c_update *u, int phase)
{
	while (u && u->place.phase != phase)
		u = u->next;
	return u;
}

static struct c_field *partner(const struct roles *r, const struct c_field *f)
{
	for (int i = 0; i < r->n; i++)
		if (r->pair[i].old == f || r->pair[i].new == f)
			return r->pair[i].old == f ? r->pair[i].new : r->pair[i].old;
	return NULL;
}

static bool is_new(const struct roles *r, const struct c_field *f)
{
	for (int i = 0; i < r->n; i++)
		if (r->pair[i].new == f)
			return true;
	return false;
}

static bool may_change_places(const struct c_field *f, const struct c_field *g)
{
	return f != g && f->is_written && g->is_written && f->n_dims == g->n_dims && f->decl->type == g->decl->type &&
		!f->part.of && !g->part.of && !f->local && !g->local && !f->ghosts && !g->ghosts && !f->lookup &&
		!g->lookup && f->slot == NO_SLOT && g->slot == NO_SLOT;
}

/* The first step of a round writes "new", the second one "old". */
static bool pair_up(struct roles *r, struct c_field *old, struct c_field *new)
{
	if (partner(r, old) || partner(r, new))
		return partner(r, old) == new && is_new(r, new);
	if (r->n == MOST_PAIRS || !may_change_places(old, new))
		return false;
	r->pair[r->n++] = (struct pair) { old, new };
	return true;
}

/* Does each step write the same statements, in turn to one and the other array? */
static bool find_pairs(struct roles *r)
{
	struct c_update *u = next_in(r->s->updates, 0), *v = next_in(r->s->updates, 1);

	for (; u && v; u = next_in(u->next, 0), v = next_in(v->next, 1))
		if (!is_steady_update(r->s, u) || !is_steady_update(r->s, v) || !have_one_place(u, v) ||
		    u->leaves_out || v->leaves_out || !pair_up(r, v->write->field, u->write->field))
			return false;
	return !u && !v && r->n > 0;
}

/* Values --------------------------------------------------------------------- */

static bool same_cells(const struct roles *r, const struct c_access *a, const struct c_access *b)
{
	const struct c_field *with = partner(r, a->field);

	if (a->n_subs != b->n_subs || b->field != (with ? with : a->field) || (!with && a->field->is_written) ||
	    a->is_listed || b->is_listed || a->is_looked_up || b->is_looked_up)
		return false;
	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d] || b->around[d] || poly_uses(&a->sub[d], r->s->round) ||
		    !poly_equal(&a->sub[d], &b->sub[d]))
			return false;
	return true;
}

/* Do both steps compute the same of their arrays, whatever the step? */
static bool same_value(const struct roles *r, const struct c_expr *a, const struct c_expr *b)
{
	bool same = a->kind == b->kind && a->op == b->op && a->value == b->value && a->type == b->type &&
		memcmp(&a->real, &b->real, sizeof(a->real)) == 0 && a->n_args == b->n_args &&
		a->function == b->function && !a->name == !b->name && (!a->name || !strcmp(a->name, b->name));

	if (!same || a->kind == CX_BAD || a->kind == CX_LIST)
		return false;
	if (a->kind == CX_VAR)
		return a->decl == b->decl && a->decl != r->s->round && a->decl != r->s->time;
	if (a->kind == CX_TEMP)
		return same_value(r, a->temp->value, b->temp->value);
	if (a->kind == CX_ELEMENT)
		return same_cells(r, a->access, b->access);
	for (int i = 0; i < a->n_args && same; i++)
		same = same_value(r, a->arg[i], b->arg[i]);
	return same;
}

static bool same_steps(const struct roles *r)
{
	struct c_update *u = next_in(r->s->updates, 0), *v = next_in(r->s->updates, 1);

	while (u && !u->asked && !v->asked && same_cells(r, u->write, v->write) && same_value(r, u->value, v->value)) {
		u = next_in(u->next, 0);
		v = next_in(v->next, 1);
	}
	return !u;
}

/* Reads ------------------------------------------------------------------------ */

/* { [y] } of the cells that the first step writes to "new" */
static __isl_give isl_set *cells_written(const struct roles *r, const struct c_field *new,
	__isl_keep isl_set *like)
{
	isl_set *all = isl_set_empty(isl_set_get_space(like));

	for (struct c_update *w = next_in(r->s->updates, 0); w; w = next_in(w->next, 0))
		if (w->write->field == new)
			all = isl_set_union(all, isl_set_reset_tuple_id(cells_touched(r->s, w->write)));
	return isl_set_coalesce(all);
}

/* Is all that "a" reads written by then? */
static bool is_behind(const struct roles *r, const struct c_access *a)
{
	bool is = true;

	for (struct c_update *w = next_in(r->s->updates, 0); w && is; w = next_in(w->next, 0)) {
		isl_map *pairs, *before;

		if (w->write->field != a->field)
			continue;
		pairs = touch_same(r->s, a, w->write);
		before = executed_before(pairs, &a->place, &w->place);
		is = isl_map_is_subset(pairs, before) == isl_bool_true;
		isl_map_free(pairs);
		isl_map_free(before);
	}
	return is;
}

/* Does "a" read nothing but what the step, or the one before, has computed?  Other cells differ in both arrays. */
static bool reads_computed(void *user, struct c_access *a)
{
	struct roles *r = user;
	const bool new = is_new(r, a->field);
	isl_set *cells, *written;
	bool is;

	if (!partner(r, a->field))
		return true;
	cells = isl_set_reset_tuple_id(cells_touched(r->s, a));
	written = cells_written(r, new ? a->field : partner(r, a->field), cells);
	is = isl_set_is_subset(cells, written) == isl_bool_true;
	isl_set_free(cells);
	isl_set_free(written);
	return is && (!new || is_behind(r, a));
}

static bool all_read_computed(struct roles *r)
{
	struct c_update *u = next_in(r->s->updates, 0);

	while (u && update_reads(u, reads_computed, r))
		u = next_in(u->next, 0);
	return !u;
}

/* One array -------------------------------------------------------------------- */

/* Let "a" be of the array that stays; what was old is read before all that the step does. */
static void join_access(const struct roles *r, struct c_access *a)
{
	if (is_new(r, a->field)) {
		a->field = partner(r, a->field);
		return;
	}
	a->place.order = -1;
	a->place.loop = loops_of_their_own(r->s, a->place.loop);
}

static void drop_second_step(struct stencil *s)
{
	for (struct c_update **link = &s->updates; *link;)
		if ((*link)->place.phase == 1)
			*link = (*link)->next;
		else
			link = &(*link)->next;
	for (struct c_access **link = &s->accesses; *link;)
		if ((*link)->place.phase == 1)
			*link = (*link)->next;
		else
			link = &(*link)->next;
}

static void drop_new(const struct roles *r)
{
	for (struct c_field **link = &r->s->fields; *link;)
		if (is_new(r, *link))
			*link = (*link)->next;
		else
			link = &(*link)->next;
}

static void join(const struct roles *r)
{
	struct stencil *s = r->s;

	drop_second_step(s);
	for (struct c_access *a = s->accesses; a; a = a->next)
		if (partner(r, a->field))
			join_access(r, a);
	drop_new(r);
	s->n_phases = 1;
	s->round = (struct c_decl *) s->time;
	leave_odd_steps(s);
}

/* end = begin + 2 * ((end - begin) / 2) */
static void make_even(struct stencil *s)
{
	const struct poly two = poly_constant(2);
	const struct span at = s->time_loop->at;
	struct poly steps, pairs;
	int64_t n;

	loop_extent(&s->time_range, &steps);
	if (poly_is_constant(&steps, &n)) {
		pairs = poly_constant(n > 0 ? n / 2 : 0);
	} else {
		struct c_decl *quotient = (struct c_decl *) quotient_param(s, c_binary(s->mem, OP_DIV, C_INT,
			expr_of_poly(s, &steps, at), expr_of_poly(s, &two, at), at));

		quotient->name = "pairs";
		note_floor(s, quotient);
		pairs = poly_symbol(quotient);
	}
	s->time_range.end = s->time_range.begin;
	poly_add(&s->time_range.end, &pairs, 2);
}

void leave_odd_step(struct stencil *s)
{
	if (leaves_odd_steps(s))
		make_even(s);
}

void join_roles(struct stencil *s)
{
	struct roles r = { .s = s };

	if (s->n_phases == 2 && s->round != s->time && may_leave_rounds(s) && !s->at.turns && !s->leaves.no_copies &&
	    find_pairs(&r) && same_steps(&r) && all_read_computed(&r))
		join(&r);
}

/* Arrays that a step fills from a grid with the cells around it, behind their copies:
 *
 *	for (i = 1; i <= n; i++)
 *		v[i] = f(u[i-1], u[i], u[i+1]);
 *	v[0] = v[n];  v[n+1] = v[1];
 *	for (i = 0; i <= n + 1; i++)
 *		u[i] = v[i];
 *
 * The cells around u have what those around v have, so they might be copies as well: the statement fills the grid alone.
 */
#include "frontend/c/ghost_find.h"
#include "frontend/c/passes.h"

/* Is "u" the only statement that writes its array, in another nest than those that read it? */
static bool fills_alone(const struct stencil *s, const struct c_update *u)
{
	for (const struct c_update *v = s->updates; v; v = v->next)
		if (v != u && v->write->field == u->write->field)
			return false;
	for (const struct c_access *a = s->accesses; a; a = a->next)
		if (a->field == u->write->field && a != u->write && share_loops(a->place.loop, u->place.loop))
			return false;
	return true;
}

/* u[i][j] = v[i][j], of each step? */
static bool copies_cells(const struct c_update *u)
{
	const struct c_access *from = u->value->kind == CX_ELEMENT ? u->value->access : NULL, *to = u->write;

	if (!from || from->n_subs != to->n_subs || u->asked || u->place.condition || !is_straight(from) ||
	    !is_straight(to))
		return false;
	for (int d = 0; d < to->n_subs; d++) {
		const struct poly at = sub_in_array(from, d);

		if (!poly_equal(&at, &to->sub[d]))
			return false;
	}
	return true;
}

/* A statement that computes all of a grid, and the cells around it alike: what it has of "from" it has at fixed distances. */
struct alike {
	const struct c_update *u;
	const struct c_field *from;
};

static bool reads_alike(void *user, struct c_access *a)
{
	const struct alike *l = user;
	int64_t distance;

	if (a->field != l->from || a->n_subs != l->u->write->n_subs || !is_straight(a))
		return false;
	for (int d = 0; d < a->n_subs; d++) {
		struct poly at = sub_in_array(a, d);

		if (!poly_add(&at, &l->u->write->sub[d], -1) || !poly_is_constant(&at, &distance))
			return false;
	}
	return true;
}

/* Is a value of "e" that of an index? */
static bool has_index(const struct c_expr *e, const struct c_loop *loop)
{
	bool has = false;

	for (const struct c_loop *l = loop; l && e->kind == CX_VAR; l = l->outer)
		has |= l->decl == e->decl;
	for (int i = 0; e->kind != CX_ELEMENT && i < e->n_args && !has; i++)
		has = has_index(e->arg[i], loop);
	return has;
}

static bool computes_alike(struct c_update *u, const struct c_field *from)
{
	struct alike l = { u, from };

	return !u->asked && !u->place.condition && !has_index(u->value, u->place.loop) &&
		(u->value->kind == CX_ELEMENT ? copies_cells(u) : update_reads(u, reads_alike, &l));
}

static bool note_field(void *user, struct c_access *a)
{
	const struct c_field **from = user;

	*from = a->field;
	return true;
}

static bool set_loops(void *user, struct c_access *a)
{
	const struct c_loop *loop = user;

	a->place.loop = loop;
	return true;
}

/* The access "a" of a grid as one to the array "f". */
static struct c_access *access_to(struct stencil *s, struct c_field *f, const struct c_access *a)
{
	struct c_access *own = region_new_of(s->mem, struct c_access);

	*own = *a;
	own->field = f;
	own->next = NULL;
	for (int d = 0; d < a->n_subs; d++)
		own->sub[d] = sub_in_array(a, d);
	return own;
}

/* What copies around "like" would be around the array "f". */
static struct c_update *copies_like(struct stencil *s, struct c_field *f, const struct c_ghosts *like)
{
	struct c_update *first = NULL, **link = &first;

	for (const struct c_update *c = like->copies; c; c = c->next) {
		struct c_update *own = region_new_of(s->mem, struct c_update);

		*own = *c;
		own->write = access_to(s, f, c->write);
		own->value = region_new_of(s->mem, struct c_expr);
		*own->value = *c->value;
		own->value->access = access_to(s, f, c->value->access);
		own->next = NULL;
		*link = own;
		link = &own->next;
	}
	return first;
}

/* The loops from "loop" outwards, that along "d" of the grid of "ghosts" over its cells alone. */
static const struct c_loop *loops_over_grid(struct stencil *s, const struct c_loop *loop, const struct c_access *write,
	const struct c_ghosts *ghosts)
{
	struct c_loop *own;

	if (!loop)
		return NULL;
	own = region_new_of(s->mem, struct c_loop);
	*own = *loop;
	own->outer = loops_over_grid(s, loop->outer, write, ghosts);
	for (int d = 0; d < write->n_subs; d++) {
		struct poly distance;
		int64_t c;

		if (!ghosts->wraps[d] || !poly_split(&write->sub[d], loop->decl, &c, &distance) || c != 1)
			continue;
		own->begin = own->end = ghosts->low[d];
		poly_add(&own->begin, &distance, -1);
		poly_add(&own->end, &distance, -1);
		poly_add(&own->end, &ghosts->period[d], 1);
	}
	return own;
}

static bool counts_cells(const struct c_update *u, const struct c_ghosts *ghosts)
{
	for (int d = 0; d < u->write->n_subs; d++) {
		const struct c_loop *loop = loop_of(u->place.loop, &u->write->sub[d]);
		struct poly distance;
		int64_t c;

		if (ghosts->wraps[d] && (!loop || !poly_split(&u->write->sub[d], loop->decl, &c, &distance) || c != 1 ||
		    loop->step != 1 || loop->start))
			return false;
	}
	return true;
}

/* Do all copies around "grid" stand before "u"?  Statements that fill a grid fill the cells around it, too. */
static bool is_behind_copies(const struct c_field *grid, const struct c_update *u)
{
	const struct c_update *copy = grid->ghosts->copies;

	if (!copy || grid->ghosts->is_asked)
		return copy;
	while (copy && copy->place.order < u->place.order)
		copy = copy->next;
	return !copy;
}

/* "u", which fills the grid and the cells around it, fills the grid alone. */
static void fill_grid_alone(struct stencil *s, struct c_update *u, const struct c_ghosts *ghosts)
{
	u->place.loop = loops_over_grid(s, u->place.loop, u->write, ghosts);
	u->write->place.loop = u->place.loop;
	update_reads(u, set_loops, (void *) u->place.loop);
}

/* Does "u" alone fill an array, by loops that count the cells of "ghosts", the grid in "from"? */
static bool fills_from(const struct stencil *s, const struct c_update *u, const struct c_field *from,
	const struct c_ghosts *ghosts)
{
	const struct c_field *to = u->write->field;

	return ghosts && s->n_phases == 1 && to != from && !to->part.of && !to->local && !to->ghosts &&
		fills_alone(s, u) && counts_cells(u, ghosts);
}

bool may_fill(const struct ghost_search *g, const struct c_update *u)
{
	const bool fills = copies_cells(u) && u->value->access->field == g->field &&
		fills_from(g->s, u, g->field, g->ghosts) && u->place.order > g->copied && fills_like(g, u);

	g->ghosts->fills |= fills;
	return fills;
}

struct c_ghosts *fill_grid(struct stencil *s, struct c_update *u)
{
	const struct c_field *grid = NULL;
	struct c_ghosts *ghosts;

	update_reads(u, note_field, &grid);
	if (!grid || !fills_from(s, u, grid, grid->ghosts) || !is_behind_copies(grid, u) || !computes_alike(u, grid) ||
	    !may_leave_first_round(s))
		return NULL;
	ghosts = grid_with(s, u, grid->ghosts, copies_like(s, u->write->field, grid->ghosts), false);
	if (ghosts)
		fill_grid_alone(s, u, ghosts);
	return ghosts;
}

/* Arrays that go around if they do so before the first step ------------------------*/

struct keeper {
	const struct stencil *s;
	const struct c_field *field;
	const struct c_update *writer;	/* of the field */
	const struct c_field *like;	/* a grid that it reads; NULL: none yet */
};

/* Have the grids in "a" and "b" the same periods? */
static bool have_periods(const struct c_ghosts *a, const struct c_ghosts *b, int n_dims)
{
	for (int d = 0; d < n_dims; d++)
		if (a->wraps[d] != b->wraps[d] || (a->wraps[d] && !poly_equal(&a->period[d], &b->period[d])))
			return false;
	return true;
}

static bool is_of_other(void *user, struct c_access *a)
{
	return a->field != user;
}

/* Does any statement read "f"?  What is written alone, under a condition on steps, may have nothing in it before. */
static bool is_read(const struct stencil *s, struct c_field *f)
{
	const struct c_update *u = s->updates;

	while (u && update_reads(u, is_of_other, f))
		u = u->next;
	return u;
}

/* Are "a" and "b", of one array, always the same cell? */
static bool is_at(const struct c_access *a, const struct c_access *b)
{
	bool is_same = is_straight(a);

	for (int d = 0; d < a->n_subs && is_same; d++)
		is_same = poly_equal(&a->sub[d], &b->sub[d]);
	return is_same;
}

/* Does "a" have the cells around it, where that is read, as "like" has?  At the cell itself, if the field has its own. */
static bool reads_around(void *user, struct c_access *a)
{
	struct keeper *k = user;
	const struct alike l = { k->writer, a->field };
	const struct c_ghosts *ghosts = a->field->ghosts;

	if (access_is_fixed(k->s, a) || access_is_of_step(k->s, a))
		return true;
	if (!reads_alike((void *) &l, a))
		return false;
	if (a->field == k->field)
		return is_at(a, k->writer->write);
	if (!ghosts || !is_behind_copies(a->field, k->writer) ||
	    (k->like && !have_periods(ghosts, k->like->ghosts, a->n_subs)))
		return false;
	k->like = a->field;
	return true;
}

/* Do steps alone decide about "c"? */
static bool is_of_steps(const struct c_condition *c, const struct c_loop *loop)
{
	while (c && !has_index(c->expr, loop) && !is_of_data(c->expr))
		c = c->outer;
	return !c;
}

/* Do all statements of the field compute the cells around the grid as those of it? */
static bool all_keep(struct keeper *k)
{
	for (const struct c_update *u = k->s->updates; u; u = u->next) {
		if (u->write->field != k->field)
			continue;
		k->writer = u;
		if (u->asked || u->is_joined || u->sweeps || u->leaves_out || !is_straight(u->write) ||
		    !is_of_steps(u->place.condition, u->place.loop) || has_index(u->value, u->place.loop) ||
		    !update_reads(u, reads_around, k))
			return false;
	}
	return k->like;
}

/* .. by loops over its cells, in which others have no more of it than the same cell? */
static bool all_stand_apart(const struct keeper *k)
{
	for (const struct c_update *u = k->s->updates; u; u = u->next) {
		if (u->write->field != k->field)
			continue;
		if (!counts_cells(u, k->like->ghosts))
			return false;
		for (const struct c_access *a = k->s->accesses; a; a = a->next)
			if (a->field == k->field && share_loops(a->place.loop, u->place.loop) && !is_at(a, u->write))
				return false;
	}
	return true;
}

struct c_ghosts *keep_grid(struct stencil *s, struct c_field *f)
{
	struct keeper k = { s, f, NULL, NULL };
	struct c_update *u = s->updates;
	struct c_ghosts *ghosts;

	if (s->n_phases != 1 || f->part.of || f->local || !f->is_written || !all_keep(&k) || !is_read(s, f) ||
	    !all_stand_apart(&k))
		return NULL;
	while (u->write->field != f)
		u = u->next;
	ghosts = grid_with(s, u, k.like->ghosts, copies_like(s, f, k.like->ghosts), true);
	for (; u && ghosts; u = u->next)
		if (u->write->field == f)
			fill_grid_alone(s, u, ghosts);
	return ghosts;
}

/* Arrays without copies beside others whose copies take turns:
 *
 *	lap[i] = u[cur][i-1] + u[cur][i+1];  u[1-cur][i] = u[cur][i] + lap[i];  cur = 1 - cur;
 *
 * A round has several of C's steps, each of which writes the array.  What the steps before the last one write is a
 * field of its own, which begins as a copy of the array.  Where the last round ends with such a step, the array
 * takes over what that has written.
 */
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/roles.h"

enum { MAX_WRITERS = 32 };

struct phased {
	struct stencil *s;
	struct c_field *field;
	struct c_field *after[MAX_PHASES];	/* what has its values behind each phase */
};

/* Writers -------------------------------------------------------------------*/

/* The next statement from "u" on that writes the field in "phase"; NULL: there is none. */
static struct c_update *writer_in(const struct phased *p, struct c_update *u,
	int phase)
{
	while (u && (u->write->field != p->field || u->place.phase != phase))
		u = u->next;
	return u;
}

/* May "e" depend on the round, or on what scalars have been given in it? */
static bool uses_round(const struct stencil *s, const struct c_expr *e)
{
	if (e->kind == CX_VAR)
		return e->decl == s->round || e->decl == s->time;
	if (e->kind == CX_TEMP)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (uses_round(s, e->arg[i]))
			return true;
	return false;
}

/* Does each step execute the statement at the same points, which are those of the array? */
bool is_steady_update(const struct stencil *s, const struct c_update *u)
{
	const struct c_loop *l = u->place.loop;
	const struct c_condition *c = u->place.condition;

	for (int d = 0; d < u->write->n_subs; d++)
		if (poly_uses(&u->write->sub[d], s->round))
			return false;
	while (l && !l->start && !poly_uses(&l->begin, s->round) &&
	       !poly_uses(&l->end, s->round))
		l = l->outer;
	while (c && !uses_round(s, c->expr))
		c = c->outer;
	return !l && !c && !u->asked;
}

/* Are they one statement of C in two phases, at the same points? */
bool have_one_place(const struct c_update *u, const struct c_update *v)
{
	const struct c_condition *c = u->place.condition;
	const struct c_condition *d = v->place.condition;
	const struct c_loop *l = u->place.loop, *m = v->place.loop;

	for (; c && d; c = c->outer, d = d->outer)
		if (c->negated != d->negated || !c_same_value(c->expr, d->expr))
			return false;
	for (; l && m; l = l->outer, m = m->outer)
		if (l->stmt != m->stmt || !poly_equal(&l->begin, &m->begin) ||
		    !poly_equal(&l->end, &m->end))
			return false;
	return u->write->at.start == v->write->at.start && c == d && l == m;
}

/* Do all phases have the same statements, which write different cells? */
static bool are_alike(const struct phased *p)
{
	struct stencil *s = p->s;

	for (int phase = 0; phase < s->n_phases; phase++) {
		struct c_update *u = writer_in(p, s->updates, 0);
		struct c_update *v = writer_in(p, s->updates, phase);

		for (; u && v; u = writer_in(p, u->next, 0),
		     v = writer_in(p, v->next, phase)) {
			if (!is_steady_update(s, v) || !have_one_place(u, v))
				return false;
			for (struct c_update *w = writer_in(p, s->updates,
			     phase); w != v; w = writer_in(p, w->next, phase)) {
				isl_map *pairs = touch_same(s, v->write,
					w->write);
				bool apart = isl_map_is_empty(pairs) ==
					isl_bool_true;

				isl_map_free(pairs);
				if (!apart)
					return false;
			}
		}
		if (u || v)
			return false;
	}
	return true;
}

/* Reads ----------------------------------------------------------------------*/

enum seen { SEES_OLD, SEES_NEW, SEES_BOTH };

/* Does "a" read what its step writes to the field, or what was there before? */
static enum seen what_sees(const struct phased *p, const struct c_access *a)
{
	struct stencil *s = p->s;
	bool old = false, new = false;

	for (struct c_update *u = writer_in(p, s->updates, a->place.phase); u;
	     u = writer_in(p, u->next, a->place.phase)) {
		isl_map *pairs = touch_same(s, a, u->write);
		isl_map *before = executed_before(pairs, &a->place, &u->place);

		new |= isl_map_is_empty(before) != isl_bool_true;
		pairs = isl_map_subtract(pairs, before);
		old |= isl_map_is_empty(pairs) != isl_bool_true;
		isl_map_free(pairs);
	}
	return old && new ? SEES_BOTH : new ? SEES_NEW : SEES_OLD;
}

static bool is_write(const struct stencil *s, const struct c_access *a)
{
	const struct c_update *u = s->updates;

	while (u && u->write != a)
		u = u->next;
	return u;
}

static bool reads_are_told(const struct phased *p)
{
	for (const struct c_access *a = p->s->accesses; a; a = a->next)
		if (a->field == p->field && !is_write(p->s, a) &&
		    (a->place.phase < 0 || what_sees(p, a) == SEES_BOTH))
			return false;
	return true;
}

static void settle_reads(const struct phased *p)
{
	for (struct c_access *a = p->s->accesses; a; a = a->next) {
		int phase = a->place.phase;

		if (a->field != p->field || is_write(p->s, a))
			continue;
		if (what_sees(p, a) == SEES_NEW)
			a->field = p->after[phase];
		else if (phase > 0)
			a->field = p->after[phase - 1];
	}
}

/* Fields ---------------------------------------------------------------------*/

/* A field like the array, which begins as a copy of it. */
static struct c_field *copy_of_field(const struct phased *p)
{
	struct stencil *s = p->s;
	struct c_field *own = region_new_of(s->mem, struct c_field);
	struct c_local *local = region_new_of(s->mem, struct c_local);

	*own = *p->field;
	local->decl = p->field->decl;
	local->phase = -1;
	own->local = local;
	own->copy_of = p->field;
	own->next = p->field->next;
	p->field->next = own;
	return own;
}

/* Where "u" is executed and the next phase is not: the last step has been. */
static const struct c_condition *is_last(struct stencil *s,
	const struct c_update *u)
{
	struct c_condition *c = region_new_of(s->mem, struct c_condition);
	struct poly next;

	time_value(s, u->place.phase + 1, &next);
	c->expr = c_binary(s->mem, OP_LT, C_INT, expr_of_poly(s, &next, u->at),
		expr_of_poly(s, &s->time_range.end, u->at), u->at);
	c->negated = true;
	c->outer = u->place.condition;
	c->depth = c->outer ? c->outer->depth + 1 : 1;
	return c;
}

static struct c_access *like_write(struct stencil *s, const struct c_update *u,
	struct c_field *f, const struct c_place *place)
{
	struct c_access *a = region_new_of(s->mem, struct c_access);

	*a = *u->write;
	a->field = f;
	a->place = *place;
	a->next = s->accesses;
	s->accesses = a;
	return a;
}

/* If the step is the last one, the array takes over what "u" has written to "own"; the statement that does so goes
 * to "behind".
 */
static void add_copy(const struct phased *p, const struct c_update *u,
	struct c_field *own, struct c_update **behind)
{
	struct stencil *s = p->s;
	struct c_update *copy = region_new_of(s->mem, struct c_update);

	copy->place = u->place;
	copy->place.condition = is_last(s, u);
	copy->write = like_write(s, u, p->field, &copy->place);
	copy->value = c_leaf(s->mem, CX_ELEMENT, p->field->decl->type, u->at);
	copy->value->access = like_write(s, u, own, &copy->place);
	copy->value->access->is_seen = true;
	copy->value->access->version = 1;
	copy->at = copy->write->at = u->at;
	copy->at.end = copy->write->at.end += s->n_phases;
	copy->next = *behind;
	*behind = copy;
}

/* The statements of "phase" write "own" instead. */
static void write_copy(const struct phased *p, int phase, struct c_field *own)
{
	struct c_update *writer[MAX_WRITERS], *last = NULL;
	int n = 0;

	for (struct c_update *u = writer_in(p, p->s->updates, phase); u;
	     u = writer_in(p, u->next, phase))
		last = writer[n++] = u;
	while (n-- > 0) {
		add_copy(p, writer[n], own, &last->next);
		writer[n]->write->field = own;
	}
}

static bool may_be_phased(const struct phased *p)
{
	const struct c_field *f = p->field;
	int n = 0, writers = 0;
	struct poly last;

	for (int phase = 0; phase < p->s->n_phases; phase++)
		n += writer_in(p, p->s->updates, phase) != NULL;
	for (const struct c_update *u = p->s->updates; u; u = u->next)
		writers += u->write->field == f;
	return n > 1 && writers <= MAX_WRITERS && !f->part.of && !f->local && !f->ghosts &&
		!f->is_record && !f->decl->has_rows &&
		time_value(p->s, p->s->n_phases - 1, &last) && are_alike(p) &&
		reads_are_told(p);
}

static void split_phases(struct stencil *s, struct c_field *f)
{
	struct phased p = { .s = s, .field = f };
	int last = s->n_phases - 1;

	if (!may_be_phased(&p))
		return;
	p.after[last] = f;
	for (int phase = 0; phase < last; phase++)
		p.after[phase] = copy_of_field(&p);
	settle_reads(&p);
	for (int phase = 0; phase < last; phase++)
		write_copy(&p, phase, p.after[phase]);
}

void tell_phases_apart(struct stencil *s)
{
	if (s->n_phases < 2 || s->recorded.first || s->lists || s->of_step)
		return;
	for (struct c_field *f = s->fields; f; f = f->next)
		split_phases(s, f);
}

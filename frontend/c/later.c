/* The order of statements in the program.  What changes what an earlier statement has computed becomes part of
 * that, so all that it reads must be computed before:
 *
 *	h = h - a;  psi = b * psi + a;  h += psi;
 *
 * Where nobody between reads the value so far, the earlier statement goes behind that of psi.
 */
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

struct reading_of {
	const struct c_field *field;
	bool any;
};

static bool note_read(void *user, struct c_access *a)
{
	struct reading_of *r = user;

	r->any |= a->field == r->field && a->version == 1;
	return true;
}

/* Does "u" read what its step has computed of "f"? */
static bool reads_new(const struct c_update *u, const struct c_field *f)
{
	struct reading_of r = { f, false };

	update_reads(u, note_read, &r);
	return r.any;
}

/* Does "u" write the field of "w" in the same step? */
static bool is_with(const struct c_update *u, const struct c_update *w)
{
	return u->write->field == w->write->field && u->place.phase ==
		w->place.phase;
}

/* Does "w", or what changes what it computes or data let write in its place, read what "v" computes? */
static bool needs(const struct c_update *w, const struct c_update *v)
{
	bool needed = false;

	for (const struct c_update *u = w->next; u && !needed; u = u->next)
		needed = (u->changes || u->is_joined) && is_with(u, w) && v->place.phase ==
			u->place.phase && reads_new(u, v->write->field);
	return needed;
}

/* The last statement behind "w" that must come before it, if none before that reads what "w" computes; else NULL. */
static struct c_update *last_needed(struct c_update *w)
{
	struct c_update *last = NULL;

	for (struct c_update *v = w->next; v; v = v->next)
		if (!is_with(v, w) && needs(w, v))
			last = v;
	for (const struct c_update *v = w->next; last && v != last; v = v->next)
		if (!is_with(v, w) && reads_new(v, w->write->field))
			return NULL;
	return last && reads_new(last, w->write->field) ? NULL : last;
}

/* Put "w", and what writes its field up to "last", right behind that, in their order. */
static void put_behind(struct stencil *s, struct c_update *w,
	struct c_update *last)
{
	struct c_update *moved = NULL, **end = &moved, **link = &s->updates;

	while (*link != w)
		link = &(*link)->next;
	while (*link != last) {
		if (is_with(*link, w)) {
			*end = *link;
			*link = (*link)->next;
			end = &(*end)->next;
		} else {
			link = &(*link)->next;
		}
	}
	*end = last->next;
	last->next = moved;
}

void put_changed_later(struct stencil *s)
{
	struct c_update *next;

	for (struct c_update *w = s->updates; w; w = next) {
		struct c_update *last = w->changes ? NULL : last_needed(w);

		next = w->next;
		if (last)
			put_behind(s, w, last);
	}
}

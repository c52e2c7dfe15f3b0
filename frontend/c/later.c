/* The order of statements in the program.  What changes what an earlier statement has computed becomes part of
 * that, so all that it reads must be computed before:
 *
 *	h = h - a;  psi = b * psi + a;  h += psi;
 *
 * Where nobody between reads the value so far, the earlier statement goes behind.
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

/* The statement that "u" changes; NULL: it is the first to write its field in the step. */
static struct c_update *changed_by(const struct stencil *s,
	const struct c_update *u)
{
	struct c_update *w = s->updates;

	while (w != u && (w->write->field != u->write->field ||
	       w->place.phase != u->place.phase))
		w = w->next;
	return u->changes && w != u ? w : NULL;
}

/* Must "w" go behind a statement before "u", which changes it, and may it? */
static bool goes_behind(const struct c_update *w, const struct c_update *u)
{
	bool must = false;

	for (const struct c_update *v = w->next; v != u; v = v->next) {
		if (v->write->field == w->write->field)
			continue;
		if (reads_new(v, w->write->field))
			return false;
		must |= reads_new(u, v->write->field);
	}
	return must;
}

/* Put all that write the field of "w" before "u" right in front of that, in their order. */
static void put_behind(struct stencil *s, const struct c_field *f,
	const struct c_update *u)
{
	struct c_update *moved = NULL, **end = &moved, **link = &s->updates;

	while (*link != u) {
		if ((*link)->write->field == f && (*link)->place.phase ==
		    u->place.phase) {
			*end = *link;
			*link = (*link)->next;
			end = &(*end)->next;
		} else {
			link = &(*link)->next;
		}
	}
	*end = (struct c_update *) u;
	*link = moved;
}

void put_changed_later(struct stencil *s)
{
	for (const struct c_update *u = s->updates; u; u = u->next) {
		const struct c_update *w = changed_by(s, u);

		if (w && goes_behind(w, u))
			put_behind(s, w->write->field, u);
	}
}

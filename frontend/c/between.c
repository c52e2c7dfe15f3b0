/* Reads between two statements that write an element:
 *
 *	u = u + a;  v = v + u - old;  if (u < 0) u = 0;
 *
 * In a step of a program each cell has one value, so a statement reads what the step computes once it is complete.
 * That of v reads the value that u has at first, as if it were a scalar.
 */
#include "frontend/c/copy.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

struct between {
	struct c_copy copy;
	struct c_update *update;
	const struct c_access *read;	/* the first one that is not complete */
	struct c_expr *value;		/* what it reads */
};

/* Has "u" to wait for "w", which stands behind "a"?  "u" reads the same there if it stands behind "w" itself, as what a
 * scalar carries to it does, and "w" writes other cells; or if it changes what another one computes and goes behind
 * (later.c).
 */
static bool waits_for(struct stencil *s, const struct c_update *u, const struct c_access *a, const struct c_update *w)
{
	const bool is_behind = u->place.phase == w->place.phase && u->place.order > w->place.order;

	return !(is_behind || u->changes) || holds_some(touch_same(s, a, w->write));
}

/* The statement that writes what "a", a read of "u", finds computed, or more of it, later on; or NULL.  One that writes
 * other cells of the same array need not wait.
 */
static const struct c_update *completes(struct stencil *s, const struct c_update *u, const struct c_access *a)
{
	const struct c_update *w = a->computed_by && u->write->field != a->field ? s->updates : NULL;

	while (w && (w->write->field != a->field || w == a->computed_by || w->place.order <= a->place.order ||
	       !waits_for(s, u, a, w)))
		w = w->next;
	return w;
}

static bool is_complete(void *user, struct c_access *a)
{
	struct between *b = user;

	if (completes(b->copy.s, b->update, a))
		b->read = a;
	return !b->read;
}

/* Does the statement at "inner" stand under all conditions of the one at "outer"? */
static bool is_under(const struct c_place *inner, const struct c_place *outer)
{
	const struct c_condition *c = inner->condition;

	while (c && c != outer->condition)
		c = c->outer;
	return c == outer->condition;
}

/* Has an iteration that executes "a" computed what this reads by "new", and by nothing else in its step? */
static bool is_of_iteration(struct stencil *s, const struct c_access *a, const struct c_update *new)
{
	if (new->asked || a->place.loop != new->place.loop || a->place.phase != new->place.phase ||
	    !is_under(&a->place, &new->place) || !same_element(a, new->write))
		return false;
	for (const struct c_update *w = s->updates; w; w = w->next)
		if (w != new && w->write->field == a->field && w->place.order < a->place.order &&
		    holds_some(touch_same(s, a, w->write)))
			return false;
	return true;
}

/* The value of "new" as that of a scalar, which has its name and type. */
static struct c_expr *value_as_scalar(struct stencil *s, struct c_update *new)
{
	const struct c_decl *array = new->write->field->decl;
	struct c_decl *scalar;

	if (new->value->kind == CX_TEMP && new->value->type == array->type)
		return new->value;
	scalar = region_new_of(s->mem, struct c_decl);
	scalar->name = array->name;
	scalar->type = array->type;
	scalar->at = array->at;
	scalar->is_inside = true;
	new->value = temp_value(s, scalar, c_converted(s->mem, new->value, array->type));
	return new->value;
}

static struct c_expr *value_read(struct c_copy *copy, struct c_expr *e)
{
	const struct between *b = copy->user;

	return e->kind == CX_ELEMENT && e->access == b->read ? b->value : NULL;
}

static bool refuse_incomplete(struct stencil *s, const struct c_access *a, const struct c_update *w)
{
	refuse(s, E_NOT_YET, a->at, "'%s' is what this step has computed, and more of '%s' is written later: that "
		"is not implemented", c_quote(s, a->at), a->field->decl->name);
	diag_note(s->diags, a->computed_by->at, "it is computed here");
	diag_note(s->diags, w->at, "and more of it here");
	diag_advice(s->diags, "compute the rest from what the step before has left, or keep it in another array");
	return false;
}

/* Let the first read of "u" that is not complete be the value itself; "none" if all are. */
static bool take_value(struct stencil *s, struct c_update *u, bool *none)
{
	struct between b = { { .s = s, .user = &b, .instead = value_read }, u, NULL, NULL };
	struct c_update *new = s->updates;

	*none = update_reads(u, is_complete, &b);
	if (*none)
		return true;
	while (new != b.read->computed_by)
		new = new->next;
	if (!is_of_iteration(s, b.read, new))
		return refuse_incomplete(s, b.read, completes(s, u, b.read));
	b.value = value_as_scalar(s, new);
	u->value = copy_expr(&b.copy, u->value);
	u->asked = u->asked ? copy_expr(&b.copy, u->asked) : NULL;
	return true;
}

bool check_complete(struct stencil *s)
{
	for (struct c_update *u = s->updates; u; u = u->next)
		for (bool none = false; !none; )
			if (!take_value(s, u, &none))
				return false;
	return true;
}

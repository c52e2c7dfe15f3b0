/* Copies of resolved expressions with reads moved, or under other conditions.
 * Unchanged parts are shared: otherwise sums of scalars that are chosen
 * repeatedly would double with each choice.
 */
#include "frontend/c/passes.h"

struct c_copied {
	const struct c_temp *from;
	struct c_temp *to;
	struct c_copied *next;
};

struct c_access *copy_access(struct c_copy *c, struct c_access *a)
{
	struct c_place place = a->place;
	struct c_access *copy;

	if (c->place)
		c->place(c, &place);
	if (place.condition == a->place.condition)
		return a;
	copy = region_new_of(c->s->mem, struct c_access);
	*copy = *a;
	copy->place = place;
	copy->next = c->s->accesses;
	c->s->accesses = copy;
	return copy;
}

/* A scalar's value used twice stays one value. */
static struct c_temp *copy_temp(struct c_copy *c, struct c_temp *temp)
{
	struct c_copied *t = c->copied;
	struct c_expr *value;

	while (t && t->from != temp)
		t = t->next;
	if (t)
		return t->to;
	value = copy_expr(c, temp->value);
	t = region_new_of(c->s->mem, struct c_copied);
	t->from = t->to = temp;
	if (value != temp->value) {
		t->to = region_new_of(c->s->mem, struct c_temp);
		*t->to = *temp;
		t->to->value = value;
		t->to->copy_of = temp->copy_of ? temp->copy_of : temp;
	}
	t->next = c->copied;
	c->copied = t;
	return t->to;
}

static struct c_expr **copy_args(struct c_copy *c, const struct c_expr *e,
	bool *changes)
{
	struct c_expr **arg = region_array(c->s->mem, struct c_expr *,
		e->n_args + 1);

	for (int i = 0; i < e->n_args; i++) {
		arg[i] = copy_expr(c, e->arg[i]);
		*changes |= arg[i] != e->arg[i];
	}
	return arg;
}

struct c_expr *copy_expr(struct c_copy *c, struct c_expr *e)
{
	struct c_expr *copy = c->instead ? c->instead(c, e) : NULL;
	struct c_access *access;
	struct c_temp *temp;
	struct c_expr **arg;
	bool changes;

	if (copy)
		return copy;
	access = e->kind == CX_ELEMENT ? copy_access(c, e->access) : e->access;
	temp = e->kind == CX_TEMP ? copy_temp(c, e->temp) : e->temp;
	changes = access != e->access || temp != e->temp;
	arg = copy_args(c, e, &changes);
	if (!changes)
		return e;
	copy = region_new_of(c->s->mem, struct c_expr);
	*copy = *e;
	copy->access = access;
	copy->temp = temp;
	copy->arg = arg;
	return copy;
}

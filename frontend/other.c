/* The part of a complex number that a statement does not compute, as far as the step has come: a
 * change of both parts, u[t+1][i] = u[t+1][i] * 1i, needs it.  Its lets become lets of the
 * statement.
 */
#include <string.h>

#include "frontend/complex.h"
#include "frontend/conditions.h"
#include "frontend/reads.h"
#include "ir/memo.h"

/* A let of the statement of the other part, and the same one here. */
struct taken {
	const struct local *from, *to;
	struct taken *next;
};

static struct statement *other_statement(const struct lower *l,
	const struct statement *s)
{
	return l->statement[s->update->is_second ? s->ir->index - 1 :
		s->ir->index + 1];
}

static void note_taken(struct region *r, struct statement *s,
	const struct local *from, const struct local *to)
{
	struct taken *t = region_new_of(r, struct taken);

	*t = (struct taken) { from, to, s->taken };
	s->taken = t;
}

static const struct expr *take(struct lower *l, struct statement *s,
	const struct expr *e);

static const struct local *take_local(struct lower *l, struct statement *s,
	const struct local *from)
{
	const struct taken *t = s->taken;
	const struct local *to;

	while (t && t->from != from)
		t = t->next;
	if (t)
		return t->to;
	to = add_local(l, s, from->name, take(l, s, from->value));
	note_taken(l->mem, s, from, to);
	note_taken(l->mem, other_statement(l, s), to, from);
	return to;
}

static const struct expr *take_leaf(struct lower *l, struct statement *s,
	const struct expr *e)
{
	struct expr *copy = region_new_of(l->mem, struct expr);

	*copy = *e;
	if (e->kind == EXPR_LOCAL)
		copy->local = take_local(l, s, e->local);
	else
		copy->access = shared_access(l, s, e->access);
	return copy;
}

static const struct expr *take_operation(struct lower *l, struct statement *s,
	const struct expr *e)
{
	const struct expr *arg[EXPR_MAX_ARGS];

	for (int i = 0; i < e->n_args; i++)
		arg[i] = take(l, s, e->arg[i]);
	if (e->kind != EXPR_ELEMENT)
		return e->n_args ? expr_with_args(l->mem, e, arg) : e;
	return expr_element(l->mem, e->field, arg, e->access ?
		shared_element(l, s->ir, e->access) : NULL, e->at);
}

/* "e" of the statement of the other part, in "s". */
static const struct expr *take(struct lower *l, struct statement *s,
	const struct expr *e)
{
	struct memo *m;

	if (!s->memo)
		s->memo = memo_new(l->mem);
	m = memo_of(l->mem, s->memo, e);
	if (!m->to)
		m->to = e->kind == EXPR_LOCAL || e->kind == EXPR_READ ?
			take_leaf(l, s, e) : take_operation(l, s, e);
	return m->to;
}

/* What "s" had before "u", the change at hand, of which the real part is changed first. */
static const struct expr *before_change(struct lower *l, struct statement *s,
	const struct update *u)
{
	return u->is_second ? s->so_far : value_so_far(l, s);
}

const struct expr *other_so_far(struct lower *l, struct statement *s,
	const struct update *u)
{
	struct statement *other = other_statement(l, s);
	const struct expr *value = other->ir->value ? before_change(l, other,
		u) : NULL;

	return value ? take(l, s, value) : NULL;
}

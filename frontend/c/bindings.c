/* The value of each variable, statement by statement.
 *
 * At a use, a scalar has the value of the one assignment that reaches it on
 * every path, loops included.  What a loop's body assigns may reach the next
 * iteration, and may not have run at all when the loop ends.
 */
#include "frontend/c/exchange.h"
#include "frontend/c/passes.h"

/* The latest binding of a variable is the first one in the list, so that an
 * older list describes an earlier state.
 */
static struct c_binding *add(struct stencil *s, const struct c_decl *d)
{
	struct c_binding *b = region_new_of(s->mem, struct c_binding);

	b->decl = d;
	b->next = s->at.bindings;
	s->at.bindings = b;
	return b;
}

static const struct c_binding *find(const struct c_binding *b,
	const struct c_decl *d)
{
	while (b && b->decl != d)
		b = b->next;
	return b;
}

/* Scalars ------------------------------------------------------------------*/

/* "room" less the parts of "e", counting a scalar's value at each of its uses,
 * as walks over values meet them; 0: there are more.
 */
static int room_beside(const struct c_expr *e, int room)
{
	if (e->kind == CX_TEMP && room > 0)
		return room_beside(e->temp->value, room - 1);
	for (int i = 0; i < e->n_args && room > 0; i++)
		room = room_beside(e->arg[i], room);
	return room > 0 ? room - 1 : 0;
}

bool is_too_long(const struct c_expr *e)
{
	enum { MAX_PARTS = 200000 };

	return room_beside(e, MAX_PARTS) == 0;
}

bool refuse_too_long(struct stencil *s, const struct c_decl *d,
	struct span at)
{
	return refuse(s, E_TOO_LARGE, at, "the value of '%s' is too large, "
		"with those of the scalars that it uses", d->name);
}

void bind_value(struct stencil *s, const struct c_decl *d,
	struct c_expr *value)
{
	add(s, d)->value = value;
}

void forget_value(struct stencil *s, const struct c_decl *d, enum c_loss why,
	struct span at)
{
	struct c_binding *b = add(s, d);

	b->lost = why;
	b->lost_at = at;
}

/* The array of scalars of which "stmt" assigns one; NULL: there is none. */
static const struct c_local *assigned_local(const struct stencil *s,
	const struct c_stmt *stmt)
{
	return stmt->kind == CS_ASSIGN && is_scalar_element(s, stmt->target) ?
		find_local(s, stmt->target->decl) : NULL;
}

static void forget_scalars(struct stencil *s, const struct c_local *local,
	enum c_loss why, struct span at)
{
	for (int i = 0; i < local->n; i++)
		forget_value(s, &local->scalar[i], why, at);
}

void forget_assigned(struct stencil *s, const struct c_stmt *body,
	enum c_loss why)
{
	for (; body; body = body->next) {
		if (body->kind == CS_ASSIGN && body->target->kind == CX_VAR &&
		    !body->target->decl->n_dims)
			forget_value(s, body->target->decl, why, body->at);
		else if (body->kind == CS_FOR)
			forget_value(s, body->decl, why, body->at);
		else if (assigned_local(s, body))
			forget_scalars(s, assigned_local(s, body), why,
				body->at);
		forget_assigned(s, body->body, why);
		forget_assigned(s, body->otherwise, why);
	}
}

/* Joins --------------------------------------------------------------------*/

static bool condition_encloses(const struct c_condition *outer,
	const struct c_condition *inner)
{
	while (inner && inner != outer)
		inner = inner->outer;
	return inner == outer;
}

/* Merge what was read on both ways. */
static void leave_way(struct c_copy *copy, struct c_place *place)
{
	const struct stencil *s = copy->s;

	if (!condition_encloses(place->condition, s->at.place.condition))
		place->condition = s->at.place.condition;
}

void join_begin(struct stencil *s, struct c_join *join,
	struct c_expr *condition)
{
	*join = (struct c_join) { .condition = condition,
		.copy = { .s = s, .place = leave_way } };
}

/* The value of "d" at the "end" of a way; NULL: it is lost. */
static struct c_expr *value_at_end(struct stencil *s, struct c_join *join,
	const struct c_binding *end, const struct c_decl *d, struct span at)
{
	const struct c_binding *b = find(end, d);

	if (b)
		return b->value ? copy_expr(&join->copy, b->value) : NULL;
	if (d->is_inside || d->is_volatile)
		return NULL;
	note_param(s, d);
	return c_variable(s->mem, d, d->type, at);
}

static struct c_expr *choice_of(struct stencil *s, const struct c_decl *d,
	struct c_expr *condition, struct c_expr *then,
	struct c_expr *otherwise)
{
	struct c_expr *const arg[3] = { condition, then, otherwise };

	return c_node(s->mem, CX_SELECT, d->type, 3, arg, condition->at);
}

static void join_value(struct stencil *s, const struct c_decl *d,
	struct span at, struct c_join *join)
{
	struct c_expr *then = value_at_end(s, join, join->then, d, at);
	struct c_expr *otherwise = value_at_end(s, join, join->otherwise, d,
		at);
	struct c_expr *value;

	if (!then || !otherwise) {
		forget_value(s, d, C_LOST_CONDITION, at);
		return;
	}
	value = choice_of(s, d, join->condition, then, otherwise);
	if (is_too_long(value)) {
		forget_value(s, d, C_TOO_LONG, at);
		return;
	}
	bind_value(s, d, is_integer(d->type) ? value :
		temp_value(s, d, value));
}

/* The scalars that one of the ways has assigned. */
static void join_scalars(struct stencil *s, const struct c_local *local,
	struct span at, struct c_join *join)
{
	for (int i = 0; i < local->n; i++) {
		const struct c_decl *d = &local->scalar[i];

		if (find(join->then, d) != find(join->otherwise, d))
			join_value(s, d, at, join);
	}
}

void join_assigned(struct stencil *s, const struct c_stmt *body,
	struct c_join *join)
{
	for (; body; body = body->next) {
		if (body->kind == CS_ASSIGN && body->target->kind == CX_VAR &&
		    !body->target->decl->n_dims)
			join_value(s, body->target->decl, body->at, join);
		else if (body->kind == CS_FOR)
			forget_value(s, body->decl, C_LOST_CONDITION,
				body->at);
		else if (assigned_local(s, body))
			join_scalars(s, assigned_local(s, body), body->at,
				join);
		join_assigned(s, body->body, join);
		join_assigned(s, body->otherwise, join);
	}
}

/* Uses ---------------------------------------------------------------------*/

/* A scalar's name; for a scalar of an array, the text of its use. */
static const char *name_of(const struct stencil *s, const struct c_expr *e)
{
	return e->decl->size[0] ? c_quote(s, e->at) : e->decl->name;
}

static bool refuse_lost(struct stencil *s, const struct c_expr *e,
	const struct c_binding *b)
{
	const char *name = name_of(s, e);

	switch (b->lost) {
	case C_LOST_CARRIED:
		refuse(s, E_C_CARRIED, e->at, "'%s' is read before this "
			"iteration gives it a value", name);
		diag_note(s->diags, b->lost_at, "it may hold what an "
			"iteration before has assigned here");
		diag_advice(s->diags, "a scalar must get its value where it "
			"is used; one that collects values over a loop makes "
			"the loop sequential");
		break;
	case C_LOST_LOOP:
		refuse(s, E_C_CARRIED, e->at, "'%s' is read after a loop that "
			"gives it a value in each iteration", name);
		diag_note(s->diags, b->lost_at, "it is assigned here");
		diag_advice(s->diags, "assign '%s' again, after the "
			"loop", name);
		break;
	case C_LOST_CONDITION:
		refuse(s, E_C_CONSTRUCT, e->at, "'%s' gets its value under "
			"a condition", name);
		diag_note(s->diags, b->lost_at, "it is assigned here");
		diag_advice(s->diags, "give '%s' a value in either case",
			name);
		break;
	case C_NO_VALUE:
		refuse(s, E_C_CONSTRUCT, e->at, "'%s' is read before it has "
			"a value", name);
		break;
	case C_TOO_LONG:
		return refuse_too_long(s, e->decl, b->lost_at);
	}
	return false;
}

bool find_value(struct stencil *s, const struct c_expr *e,
	struct c_expr **value)
{
	const struct c_binding *b = find(s->at.bindings, e->decl);

	*value = b ? b->value : NULL;
	return !b || b->value || refuse_lost(s, e, b);
}

/* Pointers -----------------------------------------------------------------*/

void bind_object(struct stencil *s, const struct c_decl *d,
	const struct c_decl *object)
{
	add(s, d)->object = object;
}

static const struct c_decl *object_in(const struct c_binding *bindings,
	const struct c_decl *d)
{
	const struct c_binding *b = find(bindings, d);

	return b ? b->object : d;
}

/* Has the time loop moved "d" already? */
static bool is_moved(const struct stencil *s, const struct c_decl *d)
{
	const struct c_binding *b = s->at.bindings;

	while (b != s->at.before_loop && b->decl != d)
		b = b->next;
	return b != s->at.before_loop;
}

static void note_initial(struct stencil *s, const struct c_decl *d,
	struct span at)
{
	struct c_initial *i = s->at.initial;

	while (i && i->decl != d)
		i = i->next;
	if (i)
		return;
	i = region_new_of(s->mem, struct c_initial);
	i->decl = d;
	i->at = at;
	i->next = s->at.initial;
	s->at.initial = i;
}

/* Of "d", a member of each struct of an array, the same member where the array's pointer points to now. */
static const struct c_decl *member_of_object(struct stencil *s,
	const struct c_decl *d, struct span at)
{
	const struct c_decl *of = d->member->of;
	const struct c_decl *object = object_of(s, of, at);

	return object == of ? d : c_member_of(s->mem,
		(struct c_decl *) object, d->member, d->member->is_behind,
		true);
}

const struct c_decl *object_of(struct stencil *s, const struct c_decl *d,
	struct span at)
{
	if (d->member && d->member->is_each)
		return member_of_object(s, d, at);
	if (s->at.place.phase >= 0 && !is_moved(s, d))
		note_initial(s, d, at);
	return object_in(s->at.bindings, d);
}

bool comes_back(const struct stencil *s, const struct c_decl *d)
{
	return object_in(s->at.bindings, d) == object_in(s->at.before_loop, d);
}

bool note_exchanges(struct stencil *s)
{
	for (const struct c_initial *i = s->at.initial; i; i = i->next)
		if (!comes_back(s, i->decl))
			note_exchange(s, object_in(s->at.before_loop, i->decl),
				object_in(s->at.bindings, i->decl));
	note_turned(s);
	return check_exchanges(s);
}

bool check_pointers(struct stencil *s)
{
	for (const struct c_initial *i = s->at.initial; i; i = i->next)
		if (!comes_back(s, i->decl))
			return refuse(s, E_C_CONSTRUCT, i->at, "the pointer "
				"'%s' does not come back to where it pointed",
				i->decl->name);
	return true;
}

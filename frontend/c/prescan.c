/* What the text of a time loop shows before it is walked. */
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/walk.h"
#include "frontend/c/turn.h"

const struct c_expr *any_expr(const struct c_expr *e,
	bool (*is)(const void *user, const struct c_expr *e),
	const void *user)
{
	const struct c_expr *found = is(user, e) ? e : NULL;

	for (int i = 0; i < e->n_args && !found; i++)
		found = any_expr(e->arg[i], is, user);
	return found;
}

/* The first one in "body", from its first statement to the last. */
static const struct c_expr *any_in(const struct c_stmt *body,
	bool (*is)(const void *user, const struct c_expr *e),
	const void *user)
{
	const struct c_expr *found = NULL;

	for (; body && !found; body = body->next) {
		const struct c_expr *all[] = {
			body->target, body->value, body->bound,
			body->condition
		};

		for (int i = 0; i < 4 && !found; i++)
			found = all[i] ? any_expr(all[i], is, user) : NULL;
		if (!found)
			found = any_in(body->body, is, user);
		if (!found)
			found = any_in(body->otherwise, is, user);
	}
	return found;
}

bool is_assigned(const struct c_stmt *body, const struct c_decl *decl)
{
	for (; body; body = body->next)
		if ((body->kind == CS_ASSIGN && body->target->kind == CX_VAR &&
		     body->target->decl == decl) ||
		    ((body->kind == CS_FOR || body->kind == CS_DECLARE) &&
		     body->decl == decl) ||
		    is_assigned(body->body, decl) ||
		    is_assigned(body->otherwise, decl))
			return true;
	return false;
}

static bool is_assigned_variable(const void *body, const struct c_expr *e)
{
	return e->kind == CX_VAR && is_assigned(body, e->decl);
}

bool assigns_any(const struct c_stmt *body, const struct c_expr *e)
{
	return any_expr(e, is_assigned_variable, body);
}

bool has_writes(const struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next)
		if ((body->kind == CS_ASSIGN && body->target->kind != CX_VAR &&
		     !is_scalar_element(s, body->target)) ||
		    (body->kind == CS_ASSIGN && find_result(s,
			body->target->decl)) || is_no_stencil(body) || has_writes(s, body->body) ||
		    has_writes(s, body->otherwise))
			return true;
	return false;
}

/* Is "decl" the counter of a loop in "body"? */
static bool is_counter(const struct c_stmt *body, const struct c_decl *decl)
{
	for (; body; body = body->next)
		if ((body->kind == CS_FOR && body->decl == decl) ||
		    is_counter(body->body, decl) ||
		    is_counter(body->otherwise, decl))
			return true;
	return false;
}

/* What "body" assigns, with a limit on nested scalars. */
struct assigned {
	const struct c_stmt *body;
	int depth;
};

static bool gets_data(const struct assigned *a, const struct c_stmt *body,
	const struct c_decl *d);

static bool is_data(const void *user, const struct c_expr *e)
{
	enum { DEEPEST = 8 };
	const struct assigned *a = user;
	const struct assigned inner = { a->body, a->depth + 1 };

	return e->kind == CX_ELEMENT || (e->kind == CX_VAR &&
		a->depth < DEEPEST && !e->decl->n_dims &&
		gets_data(&inner, a->body, e->decl));
}

/* Does data enter a value that "body" assigns to "d"? */
static bool gets_data(const struct assigned *a, const struct c_stmt *body,
	const struct c_decl *d)
{
	for (; body; body = body->next) {
		bool to = (body->kind == CS_DECLARE && body->decl == d) ||
			(body->kind == CS_ASSIGN &&
			 body->target->kind == CX_VAR &&
			 body->target->decl == d);

		if ((to && body->value && any_expr(body->value, is_data, a)) ||
		    gets_data(a, body->body, d) ||
		    gets_data(a, body->otherwise, d))
			return true;
	}
	return false;
}

/* Is "e" the time, or a scalar that may depend on it? */
static bool is_timely(const void *user, const struct c_expr *e)
{
	const struct stencil *s = user;
	const struct assigned a = { s->time_loop->body, 0 };

	return e->kind == CX_VAR && (e->decl == s->time ||
		(!e->decl->n_dims && e->decl->type != C_FLOAT &&
		 e->decl->type != C_DOUBLE && is_assigned(a.body, e->decl) &&
		 !is_counter(a.body, e->decl) &&
		 !gets_data(&a, a.body, e->decl)));
}

/* Does "e" contain the time other than modulo something? */
static bool has_plain_time(const struct stencil *s, const struct c_expr *e)
{
	if (e->kind == CX_BINARY && (e->op == OP_MOD || e->op == OP_BIT_AND))
		return false;
	if (e->kind == CX_VAR && e->decl == s->time)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (has_plain_time(s, e->arg[i]))
			return true;
	return false;
}

/* Does "e" read a copy of the array that the step selects?  A read at the time
 * itself is an input with an element for each step, unless steps are calls.
 */
static bool is_element(const void *user, const struct c_expr *e)
{
	const struct stencil *s = ((const void *const *) user)[0];
	const struct c_decl *decl = ((const void *const *) user)[1];

	return e->kind == CX_ELEMENT && e->decl == decl &&
		any_expr(e->arg[0], is_timely, s) &&
		(s->of_step || !has_plain_time(s, e->arg[0]));
}

/* Does "body" write "decl", each time at a step? */
static bool writes_steps(const struct stencil *s, const struct c_stmt *body,
	const struct c_decl *decl, bool *any)
{
	for (; body; body = body->next) {
		const struct c_expr *to = body->target;

		if (body->kind == CS_ASSIGN && to->kind == CX_ELEMENT &&
		    to->decl == decl) {
			*any = true;
			if (!any_expr(to->arg[0], is_timely, s))
				return false;
		}
		if (!writes_steps(s, body->body, decl, any) ||
		    !writes_steps(s, body->otherwise, decl, any))
			return false;
	}
	return true;
}

bool has_time_dimension(const struct stencil *s, const struct c_decl *decl)
{
	const void *user[] = { s, decl };
	bool written = false;

	if (decl->n_dims < 2 || is_recorded(s, decl))
		return false;
	return writes_steps(s, s->time_loop->body, decl, &written) &&
		(written || any_in(s->time_loop->body, is_element, user));
}

struct step {
	const struct stencil *s;
	const struct c_expr *written;
	const struct c_decl *time;
};

/* Is "e" an element of the array written, of a step at a fixed distance? */
static bool is_other_step(const void *user, const struct c_expr *e)
{
	const struct step *step = user;
	struct poly here, there;
	int64_t distance;

	return e->kind == CX_ELEMENT && e->decl == step->written->decl &&
		poly_of(step->s, e->arg[0], &there) &&
		poly_of(step->s, step->written->arg[0], &here) &&
		poly_uses(&there, step->time) &&
		poly_add(&there, &here, -1) &&
		poly_is_constant(&there, &distance) && distance != 0;
}

bool counts_steps(const struct stencil *s, const struct c_expr *e,
	const struct c_decl *d)
{
	const struct step step = { s, e, d };
	struct poly plain;

	return e->n_args > 1 && (!poly_of(s, e->arg[0], &plain) ||
		any_in(s->region->body, is_other_step, &step));
}

/* An element that "body" writes at the time itself, and that is no record. */
static const struct c_expr *written_of_step(const struct stencil *s,
	const struct c_stmt *body)
{
	const struct c_expr *found = NULL;

	for (; body && !found; body = body->next) {
		const struct c_expr *to = body->target;

		if (body->kind == CS_ASSIGN && to->kind == CX_ELEMENT &&
		    to->n_args > 1 && has_plain_time(s, to->arg[0]) &&
		    !is_recorded(s, to->decl))
			return to;
		found = written_of_step(s, body->body);
		if (!found)
			found = written_of_step(s, body->otherwise);
	}
	return found;
}

const struct c_expr *element_of_step(const struct stencil *s)
{
	return written_of_step(s, s->time_loop->body);
}

/* Phases -------------------------------------------------------------------*/

static bool is_untimely(const void *user, const struct c_expr *e)
{
	return e->kind == CX_ELEMENT || e->kind == CX_BAD ||
		(e->kind == CX_VAR && !e->decl->is_known &&
		 !is_timely(user, e));
}

/* The n of "x % n" or "x & (n - 1)" where x depends on the time; else 1. */
static int64_t modulus_of(const struct stencil *s, const struct c_expr *e)
{
	int64_t n;

	if (e->kind != CX_BINARY || (e->op != OP_MOD && e->op != OP_BIT_AND))
		return 1;
	if (e->arg[1]->kind == CX_INT)
		n = e->arg[1]->value;
	else if (e->arg[1]->kind == CX_VAR && e->arg[1]->decl->is_known)
		n = e->arg[1]->decl->value;
	else
		return 1;
	if (e->op == OP_BIT_AND)
		n = n >= 0 && !(n & (n + 1)) ? n + 1 : 1;
	return n > 1 && any_expr(e->arg[0], is_timely, s) &&
		!any_expr(e->arg[0], is_untimely, s) ? n : 1;
}

/* Steps of the time loop after which "e" repeats its value. */
static int64_t turns_of(const struct stencil *s, const struct c_expr *e)
{
	int64_t n = modulus_of(s, e);

	return n / greatest_common_divisor(n, s->time_loop->step);
}

static void count_in(const struct stencil *s, const struct c_expr *e,
	int64_t *phases)
{
	int64_t n = turns_of(s, e);

	if (*phases <= MAX_PHASES && n <= MAX_PHASES)
		*phases = least_common_multiple(*phases, n);
	else
		*phases = MAX_PHASES + 1;
	for (int i = 0; i < e->n_args; i++)
		count_in(s, e->arg[i], phases);
}

/* Has "body" a statement that has no place in a stencil?  The walk says so, whenever it is executed. */
static bool is_refused(const struct c_stmt *body)
{
	for (; body; body = body->next)
		if (is_no_stencil(body) || is_refused(body->body) ||
		    is_refused(body->otherwise))
			return true;
	return false;
}

/* Where and whether a step records something does not count as a role. */
static void count_moduli(const struct stencil *s, const struct c_stmt *body,
	int64_t *phases)
{
	for (; body; body = body->next) {
		bool records = body->kind == CS_ASSIGN && body->target->kind ==
			CX_ELEMENT && is_recorded(s, body->target->decl);
		bool asks = body->kind == CS_IF && ((records_alone(s,
			body->body) && records_alone(s, body->otherwise)) ||
			is_refused(body->body) || is_refused(body->otherwise));
		const struct c_expr *all[] = {
			records ? NULL : body->target, body->value,
			body->bound, asks ? NULL : body->condition
		};

		for (int i = 0; i < 4; i++)
			if (all[i])
				count_in(s, all[i], phases);
		count_moduli(s, body->body, phases);
		count_moduli(s, body->otherwise, phases);
	}
}

/* Pointers that the loop moves: what they point to, relative to the beginning. */
struct moved {
	const struct c_decl *decl, *to;
	bool is_set, is_read;	/* moved; its first value is passed on */
	struct moved *next;
};

static struct moved *find_moved(struct stencil *s, struct moved **list,
	const struct c_decl *decl)
{
	struct moved *m = *list;

	while (m && m->decl != decl)
		m = m->next;
	if (!m) {
		m = region_new_of(s->mem, struct moved);
		m->decl = m->to = decl;
		m->next = *list;
		*list = m;
	}
	return m;
}

static const struct c_expr *without_cast(const struct c_expr *e)
{
	while (e && e->kind == CX_CAST && e->n_args == 1)
		e = e->arg[0];
	return e;
}

static void move(struct moved *to, struct moved *from)
{
	from->is_read |= !from->is_set;
	to->to = from->to;
	to->is_set = true;
}

static void move_pointers(struct stencil *s, const struct c_stmt *body,
	struct moved **list)
{
	for (; body; body = body->next) {
		const struct c_expr *from = without_cast(body->value);
		const struct c_decl *to = body->kind == CS_DECLARE ?
			body->decl : body->kind == CS_ASSIGN &&
			body->target->kind == CX_VAR ? body->target->decl :
			NULL;

		if (to && to->n_dims && from && from->kind == CX_VAR)
			move(find_moved(s, list, to),
				find_moved(s, list, from->decl));
		if (body->kind == CS_BLOCK)
			move_pointers(s, body->body, list);
	}
}

/* Steps after which "m" is back at its beginning; 0: never. */
static int period_of(struct moved **list, const struct moved *m)
{
	const struct c_decl *at = m->to;

	for (int n = 1; n <= MAX_PHASES; n++) {
		const struct moved *next = *list;

		if (at == m->decl)
			return n;
		while (next && next->decl != at)
			next = next->next;
		if (!next)
			return 0;
		at = next->to;
	}
	return 0;
}

int count_phases(struct stencil *s, int turns)
{
	struct moved *list = NULL;
	int64_t phases = turns;

	count_moduli(s, s->time_loop->body, &phases);
	move_pointers(s, s->time_loop->body, &list);
	for (const struct moved *m = list; m; m = m->next) {
		int n = m->is_read ? period_of(&list, m) : 1;

		if (!n) {
			refuse(s, E_C_CONSTRUCT, s->time_loop->at, "the "
				"pointer '%s' does not come back to where it "
				"pointed", m->decl->name);
			return 0;
		}
		if (phases <= MAX_PHASES)
			phases = least_common_multiple(phases, n);
	}
	if (phases <= MAX_PHASES)
		return (int) phases;
	refuse(s, E_TOO_LARGE, s->time_loop->at, "the roles of the arrays "
		"repeat after more than %d steps", MAX_PHASES);
	return 0;
}

bool may_exchange(struct stencil *s, int turns)
{
	int64_t phases = 1;

	count_moduli(s, s->time_loop->body, &phases);
	return s->time_loop->condition && phases == 1 && s->n_phases == 2 &&
		(turns == 1 || turns_exchange(s));
}

/* What tells time from points ----------------------------------------------*/

static bool takes_turns(const void *user, const struct c_expr *e)
{
	return turns_of(user, e) > 1;
}

const struct c_stmt *pointer_move(const struct c_stmt *body)
{
	const struct c_stmt *found = NULL;

	for (; body && !found; body = body->next) {
		if (body->kind == CS_ASSIGN && body->target->kind == CX_VAR &&
		    body->target->decl->n_dims)
			return body;
		found = pointer_move(body->body);
		if (!found)
			found = pointer_move(body->otherwise);
	}
	return found;
}

/* The first statement that turns an integer. */
static const struct c_stmt *assigned_turn(const struct stencil *s,
	const struct c_stmt *body)
{
	const struct c_stmt *found = NULL;

	for (; body && !found; body = body->next) {
		if (body->kind == CS_ASSIGN && body->target->kind == CX_VAR &&
		    is_turn(s, body->target->decl))
			return body;
		found = assigned_turn(s, body->body);
		if (!found)
			found = assigned_turn(s, body->otherwise);
	}
	return found;
}

struct span place_of_turns(const struct stencil *s)
{
	const struct c_stmt *body = s->time_loop->body;
	const struct c_expr *e = any_in(body, takes_turns, s);
	const struct c_stmt *move = pointer_move(body);

	move = move ? move : assigned_turn(s, body);
	return e ? e->at : move ? move->at : s->time_loop->at;
}

/* Does "body" write a copy that the time selects by a modulus? */
static bool writes_turns(const struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		const struct c_expr *to = body->target;

		if ((body->kind == CS_ASSIGN && to->kind == CX_ELEMENT &&
		     to->n_args > 1 && any_expr(to->arg[0], is_timely, s) &&
		     !has_plain_time(s, to->arg[0])) ||
		    writes_turns(s, body->body) ||
		    writes_turns(s, body->otherwise))
			return true;
	}
	return false;
}

static bool is_same_element(const struct stencil *s, const struct c_expr *a,
	const struct c_expr *b)
{
	if (a->n_args != b->n_args)
		return false;
	for (int i = 0; i < a->n_args; i++) {
		struct poly p, q;

		if (!poly_of(s, a->arg[i], &p) || !poly_of(s, b->arg[i], &q) ||
		    !poly_equal(&p, &q))
			return false;
	}
	return true;
}

struct carried {
	const struct stencil *s;
	const struct c_expr *written;	/* the array, written by a statement: */
	const struct c_stmt *by;
	const struct c_stmt *stmt;	/* the element in question */
};

/* Is "e" another element of the array written? */
static bool is_other_element(const void *user, const struct c_expr *e)
{
	const struct carried *c = user;

	return e->kind == CX_ELEMENT && e->decl == c->written->decl &&
		!(c->stmt == c->by && is_same_element(c->s, e, c->written));
}

/* Does "body" read such an element before "by" is executed, or in it? */
static bool reads_before(struct carried *c, const struct c_stmt *body,
	bool *done)
{
	for (; body && !*done; body = body->next) {
		const struct c_expr *value = body->value;

		c->stmt = body;
		*done = body == c->by;
		if ((value && any_expr(value, is_other_element, c)) ||
		    (body->condition &&
		     any_expr(body->condition, is_other_element, c)))
			return true;
		if (reads_before(c, body->body, done) ||
		    reads_before(c, body->otherwise, done))
			return true;
	}
	return false;
}

/* Does a statement in "body" write, at no point of the time loop, what it or an
 * earlier one reads?
 */
static bool writes_back(const struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		struct carried c = { s, body->target, body, NULL };
		bool done = false;

		if ((body->kind == CS_ASSIGN &&
		     c.written->kind == CX_ELEMENT &&
		     !any_expr(c.written, is_timely, s) &&
		     reads_before(&c, s->time_loop->body, &done)) ||
		    writes_back(s, body->body) ||
		    writes_back(s, body->otherwise))
			return true;
	}
	return false;
}

static bool is_of_array(const void *user, const struct c_expr *e)
{
	return e->kind == CX_ELEMENT && e->decl == user;
}

/* Does a statement in "body" add to elements, the same in each iteration of the time loop? */
static bool adds_up(const struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		const struct c_expr *to = body->target;

		if ((body->kind == CS_ASSIGN && to->kind == CX_ELEMENT &&
		     !declares_variable(s->time_loop->body, to->decl) &&
		     !any_expr(to, is_timely, s) && (body->op != C_OP_NONE ||
		     any_expr(body->value, is_of_array, to->decl))) ||
		    adds_up(s, body->body) || adds_up(s, body->otherwise))
			return true;
	}
	return false;
}

/* Are the elements that the time loop tells apart by its counter records? */
static bool counts_records(const struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		const struct c_expr *to = body->target;

		if ((body->kind == CS_ASSIGN && to->kind == CX_ELEMENT &&
		     any_expr(to, is_timely, s) && !is_recorded(s, to->decl)) ||
		    !counts_records(s, body->body) ||
		    !counts_records(s, body->otherwise))
			return false;
	}
	return true;
}

bool hands_on(struct stencil *s)
{
	const struct c_stmt *body = s->time_loop->body;

	return pointer_move(body) || writes_back(s, body) ||
		(adds_up(s, body) && counts_records(s, body)) ||
		(any_in(body, takes_turns, s) && writes_turns(s, body)) ||
		hands_on_copies(s);
}

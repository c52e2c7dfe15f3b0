/* The statements of a time loop, executed on its integer scalars alone. */
#include "frontend/c/passes.h"
#include "frontend/c/turn_run.h"

#include <string.h>

/* Families -----------------------------------------------------------------*/

int turn_family(struct turning *w, int i)
{
	while (w->scalar[i].family != i)
		i = w->scalar[i].family;
	return i;
}

/* The families of "a" and "b" are one; negative: none. */
static int unite(struct turning *w, int a, int b)
{
	int from, to;

	if (a < 0 || b < 0)
		return a < 0 ? b : a;
	from = turn_family(w, a);
	to = turn_family(w, b);
	w->scalar[from].family = to;
	w->scalar[to].is_exact |= w->scalar[from].is_exact;
	w->scalar[to].most = w->scalar[from].most < 0 || w->scalar[to].most < 0 ?
		-1 : w->scalar[from].most > w->scalar[to].most ?
		w->scalar[from].most : w->scalar[to].most;
	return to;
}

void turn_is_exact(struct turning *w, int family)
{
	if (family >= 0)
		w->scalar[turn_family(w, family)].is_exact = true;
}

/* The family has "value" now, at the same place as in another run, if there was one. */
static void note_value(struct turning *w, int family, int64_t value)
{
	struct turn_scalar *own;

	if (family < 0 || !w->end)
		return;
	family = turn_family(w, family);
	own = &w->scalar[family];
	if (!w->by) {
		struct turn_seen *seen = region_new_of(w->s->mem, struct turn_seen);

		seen->value = value;
		seen->family = family;
		*w->end = seen;
		w->end = &seen->next;
		own->most = value < 0 || own->most < 0 ? -1 :
			value > own->most ? value : own->most;
		return;
	}
	if (!*w->end || turn_family(w, (*w->end)->family) != family ||
	    own->most < 0 || value != ((*w->end)->value + w->by) %
	    (own->most + 1))
		own->is_exact = true;
	if (*w->end)
		w->end = &(*w->end)->next;
}

/* Values -------------------------------------------------------------------*/

int turn_scalar(const struct turning *w, const struct c_decl *d)
{
	int i = 0;

	while (i < w->n && w->scalar[i].decl != d)
		i++;
	return i < w->n ? i : -1;
}

static bool value_of(struct turning *w, const struct c_expr *e, int64_t *value);

static bool value_of_variable(struct turning *w, const struct c_decl *d,
	int64_t *value)
{
	int i = turn_scalar(w, d);

	if (i < 0) {
		*value = d->value;
		return d->is_known && is_integer(d->type);
	}
	w->scalar[i].is_carried |= !w->now[i].is_set;
	*value = w->now[i].value;
	return w->now[i].is_known;
}

static bool value_of_unary(struct turning *w, const struct c_expr *e,
	int64_t *value)
{
	if (!value_of(w, e->arg[0], value))
		return false;
	*value = e->op == OP_NEG ? -*value : e->op == OP_NOT ? !*value :
		~*value;
	return e->op == OP_NEG || e->op == OP_NOT || e->op == OP_BIT_NOT;
}

/* Does an int hold "value", as it does if "type" is unsigned? */
static bool is_small(enum c_type type, int64_t value)
{
	return value <= INT32_MAX && value >= (is_unsigned(type) ? 0 :
		INT32_MIN);
}

/* The value of the integer "e" at the statement at hand; false: it has other variables, or may wrap. */
static bool value_of(struct turning *w, const struct c_expr *e, int64_t *value)
{
	int64_t a, b;
	bool known = false;

	if (!is_integer(e->type))
		return false;
	switch (e->kind) {
	case CX_INT:
		*value = e->value;
		known = true;
		break;
	case CX_VAR:
		known = !e->decl->n_dims && value_of_variable(w, e->decl,
			value);
		break;
	case CX_UNARY:
		known = value_of_unary(w, e, value);
		break;
	case CX_CAST:
		known = value_of(w, e->arg[0], value) &&
			(!is_narrow(e->type) || (*value >= 0 && *value <= 1));
		break;
	case CX_BINARY:
		known = value_of(w, e->arg[0], &a) &&
			value_of(w, e->arg[1], &b) &&
			op_on_integers((enum op) e->op, a, b, value);
		break;
	case CX_SELECT:
		known = value_of(w, e->arg[0], &a) &&
			value_of(w, e->arg[a ? 1 : 2], value);
		break;
	default:
		break;
	}
	return known && is_small(e->type, *value);
}

/* The family of all scalars in "e", which becomes one; negative: there are none. */
static int family_in(struct turning *w, const struct c_expr *e)
{
	int family = e->kind == CX_VAR ? turn_scalar(w, e->decl) : -1;

	for (int i = 0; i < e->n_args; i++)
		family = unite(w, family, family_in(w, e->arg[i]));
	return family;
}

/* Uses ---------------------------------------------------------------------*/

static struct turn_array *array_of(struct turning *w, const struct c_decl *d)
{
	struct turn_array *a = w->arrays;

	while (a && a->decl != d)
		a = a->next;
	if (a)
		return a;
	a = region_new_of(w->s->mem, struct turn_array);
	a->decl = d;
	a->family = -1;
	a->next = w->arrays;
	w->arrays = a;
	return a;
}

static void visit(struct turning *w, const struct c_expr *e);

/* "e" selects a copy of "a", or else is visited. */
static bool selects(struct turning *w, struct turn_array *a, const struct c_expr *e)
{
	int64_t value;
	int family = value_of(w, e, &value) ? family_in(w, e) : -1;

	if (family < 0)
		return false;
	a->family = unite(w, a->family, family);
	note_value(w, family, value);
	return true;
}

/* A linear subscript, cur*n*m + i*m + j: the number of its parts that select a copy. */
static int select_linear(struct turning *w, struct turn_array *a,
	const struct c_expr *e)
{
	int n = 0;

	if (selects(w, a, e))
		return 1;
	if (e->kind == CX_CAST && is_integer(e->type))
		return select_linear(w, a, e->arg[0]);
	if (e->kind != CX_BINARY || (e->op != OP_ADD && e->op != OP_MUL &&
	    e->op != OP_SUB)) {
		visit(w, e);
		return 0;
	}
	n = select_linear(w, a, e->arg[0]);
	if (e->op != OP_SUB)
		return n + select_linear(w, a, e->arg[1]);
	visit(w, e->arg[1]);
	return n;
}

static void visit_element(struct turning *w, const struct c_expr *e)
{
	struct turn_array *a = array_of(w, e->decl);

	if (e->decl->n_dims == 1 && e->n_args == 1) {
		a->is_mixed |= select_linear(w, a, e->arg[0]) != 1;
		return;
	}
	for (int i = 0; i < e->n_args; i++)
		if (i > 0 || !selects(w, a, e->arg[0])) {
			a->is_mixed |= i == 0;
			visit(w, e->arg[i]);
		}
}

/* Whatever "e" computes depends on the values of its scalars. */
static void visit(struct turning *w, const struct c_expr *e)
{
	int64_t value;

	if (value_of(w, e, &value)) {
		turn_is_exact(w, family_in(w, e));
		return;
	}
	if (e->kind == CX_ELEMENT) {
		visit_element(w, e);
		return;
	}
	if (e->kind == CX_VAR && e->decl->n_dims)
		array_of(w, e->decl)->is_mixed = true;
	for (int i = 0; i < e->n_args; i++)
		visit(w, e->arg[i]);
}

/* Statements ---------------------------------------------------------------*/

static void run(struct turning *w, const struct c_stmt *body);

/* The scalar that "stmt" assigns; negative: none. */
static int assigned_by(const struct turning *w, const struct c_stmt *stmt)
{
	return stmt->kind == CS_DECLARE || stmt->kind == CS_FOR ?
		turn_scalar(w, stmt->decl) : stmt->kind == CS_ASSIGN &&
		stmt->target->kind == CX_VAR ? turn_scalar(w,
			stmt->target->decl) : -1;
}

/* What "body" assigns is unknown from here on. */
static void forget(struct turning *w, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		int i = assigned_by(w, body);

		if (i >= 0)
			w->now[i] = (struct turn_now) { .is_set = true };
		forget(w, body->body);
		forget(w, body->otherwise);
	}
}

/* Before an iteration what the loop assigns may be from an earlier one, or from before the loop. */
static void lose(struct turning *w, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		int i = assigned_by(w, body);

		if (i >= 0)
			w->now[i].is_known = false;
		lose(w, body->body);
		lose(w, body->otherwise);
	}
}

static void run_loop(struct turning *w, const struct c_stmt *loop)
{
	struct c_stmt alone = *loop;

	alone.next = NULL;
	visit(w, loop->value);
	lose(w, &alone);
	visit(w, loop->bound);
	if (loop->condition)
		visit(w, loop->condition);
	run(w, loop->body);
	forget(w, &alone);
}

static bool assigns_scalars(const struct turning *w, const struct c_stmt *body)
{
	for (; body; body = body->next)
		if (body->kind == CS_BLOCK || body->kind == CS_IF ?
		    !assigns_scalars(w, body->body) ||
		    !assigns_scalars(w, body->otherwise) :
		    body->kind != CS_EMPTY && assigned_by(w, body) < 0)
			return false;
	return true;
}

/* What "body" assigns is of the family. */
static void unite_assigned(struct turning *w, const struct c_stmt *body,
	int family)
{
	for (; body; body = body->next) {
		family = unite(w, family, assigned_by(w, body));
		unite_assigned(w, body->body, family);
		unite_assigned(w, body->otherwise, family);
	}
}

static void run_if(struct turning *w, const struct c_stmt *stmt)
{
	struct turn_now before[MAX_SCALARS];
	int64_t value;

	if (value_of(w, stmt->condition, &value)) {
		int family = family_in(w, stmt->condition);

		if (!assigns_scalars(w, stmt->body) ||
		    !assigns_scalars(w, stmt->otherwise))
			turn_is_exact(w, family);
		if (family >= 0) {
			unite_assigned(w, stmt->body, family);
			unite_assigned(w, stmt->otherwise, family);
		}
		run(w, value ? stmt->body : stmt->otherwise);
		return;
	}
	visit(w, stmt->condition);
	memcpy(before, w->now, sizeof(before));
	run(w, stmt->body);
	memcpy(w->now, before, sizeof(before));
	run(w, stmt->otherwise);
	memcpy(w->now, before, sizeof(before));
	lose(w, stmt->body);
	lose(w, stmt->otherwise);
}

/* The scalar "i" = e; NULL: any value. */
static void assign(struct turning *w, int i, const struct c_expr *e)
{
	struct turn_now now = { .is_set = true };

	now.is_known = e && value_of(w, e, &now.value);
	if (now.is_known) {
		unite(w, i, family_in(w, e));
		note_value(w, i, now.value);
	} else if (e) {
		visit(w, e);
	}
	w->now[i] = now;
}

static void run_one(struct turning *w, const struct c_stmt *stmt)
{
	const struct c_expr *e = stmt->value;
	int i = assigned_by(w, stmt);

	switch (stmt->kind) {
	case CS_FOR:
		run_loop(w, stmt);
		return;
	case CS_IF:
		run_if(w, stmt);
		return;
	case CS_BLOCK:
		run(w, stmt->body);
		return;
	case CS_PAST:
		forget(w, stmt->past);
		return;
	default:
		break;
	}
	if (i >= 0 && stmt->kind == CS_ASSIGN && stmt->op != C_OP_NONE)
		e = c_binary(w->s->mem, stmt->op, c_common_type(
			stmt->target->type, e->type), stmt->target,
			(struct c_expr *) e, e->at);
	if (i >= 0) {
		assign(w, i, e);
		return;
	}
	if (e)
		visit(w, e);
	if (stmt->target)
		visit(w, stmt->target);
}

static void run(struct turning *w, const struct c_stmt *body)
{
	for (; body; body = body->next)
		run_one(w, body);
}

/* Steps --------------------------------------------------------------------*/

void turn_step(struct turning *w)
{
	for (int i = 0; i < w->n; i++)
		w->now[i].is_set = false;
	run(w, w->s->time_loop->body);
}

void turn_note_steps(struct turning *w, int64_t steps)
{
	w->end = &w->seen;
	for (int64_t k = 0; k < steps; k++) {
		for (int i = 0; i < w->n; i++)
			if (w->now[i].is_known && w->scalar[i].is_carried)
				note_value(w, i, w->now[i].value);
		turn_step(w);
	}
}

/* Scalars that steps carry:
 *
 *	for (n = 0; n < steps; n++) { .. sin(w * t) ..; t += dt; }
 *
 * What changes such a scalar must depend on nothing that steps compute but itself.  So the emitted file executes it for
 * all steps before the call, and the program reads an input by step: element n before the statement, n + 1 behind it.
 * It may also count them: while (t < end) { ..; t += dt; }.
 */
#include "frontend/c/carried.h"
#include "frontend/c/inline.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/walk.h"

#include <string.h>

/* Which scalars -------------------------------------------------------------*/

/* Is "e" made of "d", the counter of "loop", and what the region does not change? */
static bool is_independent(const struct stencil *s, const struct c_stmt *loop, const struct c_expr *e,
	const struct c_decl *d)
{
	if (e->kind == CX_VAR && e->decl != d && e->decl != loop->decl &&
	    (e->decl->n_dims || is_assigned(s->region->body, e->decl)))
		return false;
	if (e->kind == CX_ELEMENT && writes_array(s->region->body, e->decl))
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_independent(s, loop, e->arg[i], d))
			return false;
	return true;
}

static int count_assignments(const struct c_stmt *body, const struct c_decl *d)
{
	int n = 0;

	for (; body; body = body->next)
		n += (body->kind == CS_ASSIGN && body->target->kind == CX_VAR && body->target->decl == d) +
			count_assignments(body->body, d) + count_assignments(body->otherwise, d);
	return n;
}

/* The statement before "loop" that gives "d" its first value, or declares it; NULL: none does. */
static const struct c_stmt *first_value(const struct stencil *s, const struct c_stmt *loop, const struct c_decl *d)
{
	const struct c_stmt *stmt = region_statements(s);

	while (stmt && stmt != loop && !(stmt->kind == CS_DECLARE ? stmt->decl == d : stmt->kind == CS_ASSIGN &&
	       stmt->target->kind == CX_VAR && stmt->target->decl == d))
		stmt = stmt->next;
	return stmt == loop ? NULL : stmt;
}

static bool is_in_text(const struct stencil *s, struct span at)
{
	return s->region->inside.start <= at.start && at.end <= s->region->inside.end;
}

/* Can "first" be executed before the region? */
static bool may_come_first(const struct stencil *s, const struct c_stmt *loop, const struct c_stmt *first)
{
	return !first || (first->value && first->op == C_OP_NONE && is_in_text(s, first->at) &&
		is_independent(s, loop, first->value, NULL));
}

/* Does "stmt", one of those of a step, give a scalar a value that is made of the one before? */
static bool is_carried(const struct stencil *s, const struct c_stmt *loop, const struct c_stmt *stmt)
{
	const struct c_decl *d = stmt->kind == CS_ASSIGN && stmt->target->kind == CX_VAR ? stmt->target->decl : NULL;
	const struct c_stmt *first = d ? first_value(s, loop, d) : NULL;
	const bool is_assigned_first = first && first->kind == CS_ASSIGN;

	return d && !d->n_dims && (d->type == C_FLOAT || d->type == C_DOUBLE) && !d->is_volatile && !d->member &&
		(stmt->op != C_OP_NONE || uses_variable(stmt->value, d)) && is_independent(s, loop, stmt->value, d) &&
		count_assignments(s->region->body, d) == 1 + is_assigned_first && !declares_variable(loop->body, d) &&
		(first || !declares_variable(s->region->body, d)) && may_come_first(s, loop, first) &&
		is_in_text(s, stmt->at);
}

/* Elements in their place ----------------------------------------------------*/

/* t_at_step, or a longer name that does not stand in the file. */
static const char *new_name(struct stencil *s, const struct c_decl *d)
{
	const char *name = region_printf(s->mem, "%s_at_step", d->name);

	while (strstr(s->source->text, name))
		name = region_printf(s->mem, "%s_", name);
	return name;
}

static struct c_decl *new_array(struct stencil *s, const struct c_decl *d)
{
	struct c_decl *array = region_new_of(s->mem, struct c_decl);

	array->name = new_name(s, d);
	array->at = d->at;
	array->type = d->type;
	array->type_name = d->type_name;
	array->n_dims = 1;
	array->is_pointer = array->is_restrict = array->is_allocated = true;
	return array;
}

/* array[t + by] */
static struct c_expr *element_of(struct stencil *s, const struct c_stmt *loop, const struct c_carried *c, int64_t by)
{
	struct c_expr *at = c_variable(s->mem, loop->decl, loop->decl->type, c->stmt->at), *e;
	struct c_expr *distance = c_leaf(s->mem, CX_INT, C_INT, c->stmt->at);

	distance->value = by;
	if (by)
		at = c_binary(s->mem, OP_ADD, at->type, at, distance, at->at);
	e = c_node(s->mem, CX_ELEMENT, c->array->type, 1, &at, c->stmt->at);
	e->decl = c->array;
	return e;
}

/* "e" with "value" in place of the scalar; itself if it has none */
static struct c_expr *with_value(struct stencil *s, struct c_expr *e, const struct c_decl *d, struct c_expr *value)
{
	struct c_expr *copy;

	if (!e || !uses_variable(e, d))
		return e;
	if (e->kind == CX_VAR)
		return value;
	copy = c_node(s->mem, e->kind, e->type, e->n_args, e->arg, e->at);
	*copy = *e;
	copy->arg = region_array(s->mem, struct c_expr *, e->n_args);
	for (int i = 0; i < e->n_args; i++)
		copy->arg[i] = with_value(s, e->arg[i], d, value);
	return copy;
}

static struct c_stmt *with_values(struct stencil *s, const struct c_stmt *body, const struct c_decl *d,
	struct c_expr *value);

static struct c_stmt *stmt_with_value(struct stencil *s, const struct c_stmt *stmt, const struct c_decl *d,
	struct c_expr *value)
{
	struct c_stmt *copy = c_alone(s->mem, stmt);

	copy->target = with_value(s, stmt->target, d, value);
	copy->value = with_value(s, stmt->value, d, value);
	copy->bound = with_value(s, stmt->bound, d, value);
	copy->condition = with_value(s, stmt->condition, d, value);
	copy->entry = with_value(s, stmt->entry, d, value);
	copy->body = with_values(s, stmt->body, d, value);
	copy->otherwise = with_values(s, stmt->otherwise, d, value);
	return copy;
}

static struct c_stmt *with_values(struct stencil *s, const struct c_stmt *body, const struct c_decl *d,
	struct c_expr *value)
{
	struct c_stmts all = { 0 };

	for (; body; body = body->next)
		list_add(&all, stmt_with_value(s, body, d, value));
	return all.first;
}

/* The statements of a step without that of "c". */
static struct c_stmt *step_without(struct stencil *s, const struct c_stmt *loop, const struct c_stmt *body,
	const struct c_carried *c)
{
	struct c_expr *value = element_of(s, loop, c, 0);
	struct c_stmts all = { 0 };

	for (; body; body = body->next)
		if (body->kind == CS_ASSIGN && body->target->kind == CX_VAR && body->target->decl == c->decl)
			value = element_of(s, loop, c, loop->step);
		else
			list_add(&all, stmt_with_value(s, body, c->decl, value));
	return all.first;
}

static const struct c_stmt *statements_of(const struct c_stmt *loop)
{
	return loop->body && loop->body->kind == CS_BLOCK && !loop->body->next ? loop->body->body : loop->body;
}

static bool is_first(const struct c_carried *all, const struct c_stmt *stmt)
{
	while (all && all->first != stmt)
		all = all->next;
	return all;
}

struct c_stmt *with_loop(struct stencil *s, const struct c_stmt *body, const struct c_stmt *loop,
	struct c_stmt *by, const struct c_carried *carried)
{
	struct c_stmts all = { 0 };

	for (; body; body = body->next) {
		struct c_stmt *copy = body == loop ? by : c_alone(s->mem, body);

		if (is_first(carried, body))
			continue;
		if (body != loop && body->kind == CS_BLOCK)
			copy->body = with_loop(s, body->body, loop, by, carried);
		list_add(&all, copy);
	}
	return all.first;
}

/* Does "holds" depend on one of the scalars, and else on what the region does not change? */
static bool is_counted(const struct stencil *s, const struct c_stmt *loop, const struct c_carried *all)
{
	while (all && !uses_variable(loop->holds, all->decl))
		all = all->next;
	return all && is_independent(s, loop, loop->holds, all->decl) && is_in_text(s, loop->holds->at);
}

static bool may_carry(const struct stencil *s, const struct c_stmt *loop)
{
	return loop && !s->region->whole && loop->step > 0 && !loop->condition && !loop->entry && !loop->is_while;
}

const struct c_region *without_carried(struct stencil *s)
{
	const struct c_stmt *loop = time_loop_of(s);
	struct c_region *own = region_new_of(s->mem, struct c_region);
	struct c_stmt *by;

	if (!may_carry(s, loop))
		return NULL;
	*own = *s->region;
	by = c_alone(s->mem, loop);
	by->body = (struct c_stmt *) statements_of(loop);
	for (const struct c_stmt *stmt = statements_of(loop); stmt; stmt = stmt->next) {
		struct c_carried *c;

		if (!is_carried(s, loop, stmt))
			continue;
		c = region_new_of(s->mem, struct c_carried);
		*c = (struct c_carried) { stmt->target->decl, first_value(s, loop, stmt->target->decl), stmt,
			new_array(s, stmt->target->decl), own->carried };
		own->carried = c;
		by->body = step_without(s, loop, by->body, c);
	}
	if (!own->carried || (loop->holds && !is_counted(s, loop, own->carried)))
		return NULL;
	own->body = with_loop(s, own->body, loop, by, own->carried);
	return own;
}

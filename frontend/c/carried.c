/* Scalars that steps carry:
 *
 *	for (n = 0; n < steps; n++) { .. sin(w * t) ..; t += dt; }
 *
 * What changes such a scalar must depend on nothing that steps compute but itself.  So the emitted file executes it for
 * all steps before the call, and the program reads an input by step: element n before the statement, n + 1 behind it.
 * It may also count them: while (t < end && n < most) { ..; t += dt; n++; }.
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
		n += (c_assigned(body) == d) + count_assignments(body->body, d) +
			count_assignments(body->otherwise, d);
	return n;
}

/* The statement before "loop" that gives "d" its first value, or declares it; NULL: none does. */
static const struct c_stmt *first_value(const struct stencil *s, const struct c_stmt *loop, const struct c_decl *d)
{
	const struct c_stmt *stmt = region_statements(s);

	while (stmt && stmt != loop && (stmt->kind == CS_DECLARE ? stmt->decl : c_assigned(stmt)) != d)
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

/* May "stmt", which alone changes "d" in a step, be executed before the call? */
static bool may_go_ahead(const struct stencil *s, const struct c_stmt *loop, const struct c_stmt *stmt,
	const struct c_decl *d)
{
	const struct c_stmt *first = first_value(s, loop, d);
	const bool is_assigned_first = first && first->kind == CS_ASSIGN;

	return !d->n_dims && (d->type == C_FLOAT || d->type == C_DOUBLE) && !d->is_volatile && !d->member &&
		is_independent(s, loop, stmt->value, d) &&
		count_assignments(s->region->body, d) == 1 + is_assigned_first && !declares_variable(loop->body, d) &&
		(first || !declares_variable(s->region->body, d)) && may_come_first(s, loop, first) &&
		is_in_text(s, stmt->at);
}

/* The scalar to which "stmt" gives a value that is made of the one before; NULL: it does not. */
static const struct c_decl *carried_by(const struct c_stmt *stmt)
{
	const struct c_decl *d = c_assigned(stmt);

	return d && (stmt->op != C_OP_NONE || uses_variable(stmt->value, d)) ? d : NULL;
}

static bool reads_variable(const struct c_stmt *stmt, const struct c_decl *d);

static bool any_reads(const struct c_stmt *body, const struct c_decl *d)
{
	while (body && !reads_variable(body, d))
		body = body->next;
	return body;
}

static bool reads_variable(const struct c_stmt *stmt, const struct c_decl *d)
{
	return (stmt->value && uses_variable(stmt->value, d)) || (stmt->bound && uses_variable(stmt->bound, d)) ||
		(stmt->condition && uses_variable(stmt->condition, d)) ||
		(stmt->entry && uses_variable(stmt->entry, d)) || any_reads(stmt->body, d) ||
		any_reads(stmt->otherwise, d);
}

/* The scalar that "stmt" of "branch", a part of "choice", changes for the steps that follow, as others of the statements
 * "body" read it; NULL: none.
 */
static const struct c_decl *kept_by(const struct c_stmt *body, const struct c_stmt *choice,
	const struct c_stmt *branch, const struct c_stmt *stmt)
{
	const struct c_decl *d = c_assigned(stmt);
	const struct c_stmt *other = branch == choice->body ? choice->otherwise : choice->body;

	while (d && body && !(body == choice ? any_reads(other, d) : reads_variable(body, d)))
		body = body->next;
	return body ? d : NULL;
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

/* An array's element in place of the scalar "of", in the order of statements. */
struct replacement {
	struct stencil *s;
	const struct c_stmt *loop;
	const struct c_carried *of;
	struct c_expr *value;
	bool is_behind;		/* the statement that changes it */
};

static struct c_stmt *replace_in(struct replacement *r, const struct c_stmt *body);

static struct c_stmt *replace_in_one(struct replacement *r, const struct c_stmt *stmt)
{
	struct c_stmt *copy = c_alone(r->s->mem, stmt);
	const struct c_decl *d = r->of->decl;
	struct replacement otherwise;

	copy->target = with_value(r->s, stmt->target, d, r->value);
	copy->value = with_value(r->s, stmt->value, d, r->value);
	copy->bound = with_value(r->s, stmt->bound, d, r->value);
	copy->condition = with_value(r->s, stmt->condition, d, r->value);
	copy->entry = with_value(r->s, stmt->entry, d, r->value);
	otherwise = *r;
	copy->body = replace_in(r, stmt->body);
	copy->otherwise = replace_in(&otherwise, stmt->otherwise);
	if (otherwise.is_behind)
		*r = otherwise;
	return copy;
}

/* The statements without the one that changes the scalar, nor a choice of nothing else. */
static struct c_stmt *replace_in(struct replacement *r, const struct c_stmt *body)
{
	struct c_stmts all = { 0 };

	for (; body; body = body->next) {
		struct c_stmt *copy;

		if (c_assigned(body) == r->of->decl) {
			r->value = element_of(r->s, r->loop, r->of, r->loop->step);
			r->is_behind = true;
			continue;
		}
		copy = replace_in_one(r, body);
		if (copy->kind != CS_IF || copy->body || copy->otherwise)
			list_add(&all, copy);
	}
	return all.first;
}

/* The statements of a step without that of "c". */
static struct c_stmt *step_without(struct stencil *s, const struct c_stmt *loop, const struct c_stmt *body,
	const struct c_carried *c)
{
	struct replacement r = { s, loop, c, element_of(s, loop, c, 0), false };

	return replace_in(&r, body);
}

static const struct c_stmt *statements_in(const struct c_stmt *body)
{
	return body && body->kind == CS_BLOCK && !body->next ? body->body : body;
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

bool declares_carried(const struct stencil *s)
{
	const struct c_carried *c = s->region->carried;

	while (c && !(c->first && c->first->kind == CS_DECLARE && c->first->at.start < s->time_loop->at.start))
		c = c->next;
	return c;
}

static bool may_carry(const struct stencil *s, const struct c_stmt *loop)
{
	const bool ends_early = loop && (loop->condition || loop->entry);

	return loop && !s->region->whole && loop->step > 0 &&
		(!ends_early || (loop->holds && loop->is_counted && loop->step == 1));
}

/* The loop "by" as one whose iterations the emitted file counts before, if "holds" says when it ends. */
static void count_before(struct stencil *s, struct c_stmt *by)
{
	struct c_decl *end;

	if (!by->condition)
		return;
	end = region_new_of(s->mem, struct c_decl);
	end->name = "stencilc_end";
	end->type = C_INT;
	end->type_name = "int";
	end->at = (struct span) { by->at.start, by->at.start };
	by->condition = by->entry = NULL;
	by->is_counted = false;
	by->op = OP_LT;
	by->bound = c_variable(s->mem, end, C_INT, by->at);
}

/* Replace "d", a scalar or NULL, in the step that "by" executes. */
static void carry(struct stencil *s, struct c_region *own, const struct c_stmt *loop, struct c_stmt *by,
	struct c_carried carried)
{
	struct c_carried *c;

	if (!carried.decl || !may_go_ahead(s, loop, carried.stmt, carried.decl))
		return;
	c = region_new_of(s->mem, struct c_carried);
	*c = carried;
	c->first = first_value(s, loop, c->decl);
	c->array = new_array(s, c->decl);
	c->next = own->carried;
	own->carried = c;
	by->body = step_without(s, loop, by->body, c);
}

/* .. those that statements of "body", a part of "choice", change. */
static void carry_in_choice(struct stencil *s, struct c_region *own, const struct c_stmt *loop, struct c_stmt *by,
	const struct c_stmt *choice, const struct c_stmt *body)
{
	for (const struct c_stmt *stmt = statements_in(body); stmt; stmt = stmt->next) {
		const struct c_decl *d = carried_by(stmt);

		carry(s, own, loop, by, (struct c_carried) {
			.decl = d ? d : kept_by(statements_in(loop->body), choice, body, stmt),
			.stmt = stmt, .choice = choice, .is_otherwise = body == choice->otherwise });
	}
}

/* Do steps that are not counted decide by their number, and what the region does not change? */
static bool is_choice(const struct stencil *s, const struct c_stmt *loop, const struct c_stmt *stmt)
{
	return stmt->kind == CS_IF && !loop->holds && is_in_text(s, stmt->condition->at) &&
		is_independent(s, loop, stmt->condition, NULL);
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
	count_before(s, by);
	by->body = (struct c_stmt *) statements_in(loop->body);
	for (const struct c_stmt *stmt = statements_in(loop->body); stmt; stmt = stmt->next) {
		carry(s, own, loop, by, (struct c_carried) { .decl = carried_by(stmt), .stmt = stmt });
		if (!is_choice(s, loop, stmt))
			continue;
		carry_in_choice(s, own, loop, by, stmt, stmt->body);
		carry_in_choice(s, own, loop, by, stmt, stmt->otherwise);
	}
	if (!own->carried || (loop->holds && !is_counted(s, loop, own->carried)))
		return NULL;
	own->body = with_loop(s, own->body, loop, by, own->carried);
	return own;
}

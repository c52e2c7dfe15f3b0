/* Scalars that steps carry:
 *
 *	for (n = 0; n < steps; n++) { .. sin(w * t) ..; t += dt; }
 *
 * What changes such a scalar must depend on nothing that steps compute but itself.  So the emitted file executes it for
 * all steps before the call, and the program reads an input by step: element n before the statement, n + 1 behind it.
 */
#include "frontend/c/carried.h"
#include "frontend/c/inline.h"
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/walk.h"

#include <string.h>

/* Which scalars -------------------------------------------------------------*/

static bool is_declared_in(const struct c_stmt *body, const struct c_decl *d)
{
	for (; body; body = body->next)
		if ((body->kind == CS_DECLARE && body->decl == d) || is_declared_in(body->body, d) ||
		    is_declared_in(body->otherwise, d))
			return true;
	return false;
}

/* Is "e" made of "d", the counter of "loop", and what its steps do not change? */
static bool is_independent(const struct c_stmt *loop, const struct c_expr *e, const struct c_decl *d)
{
	if (e->kind == CX_VAR && e->decl != d && e->decl != loop->decl &&
	    (e->decl->n_dims || is_assigned(loop->body, e->decl)))
		return false;
	if (e->kind == CX_ELEMENT && writes_array(loop->body, e->decl))
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_independent(loop, e->arg[i], d))
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

/* Does "stmt", one of those of a step, give a scalar a value that is made of the one before? */
static bool is_carried(const struct stencil *s, const struct c_stmt *loop, const struct c_stmt *stmt)
{
	const struct c_decl *d = stmt->kind == CS_ASSIGN && stmt->target->kind == CX_VAR ? stmt->target->decl : NULL;
	const struct span *inside = &s->region->inside;

	return d && !d->n_dims && (d->type == C_FLOAT || d->type == C_DOUBLE) && !d->is_volatile && !d->member &&
		!is_declared_in(s->region->body, d) &&
		(stmt->op != C_OP_NONE || uses_variable(stmt->value, d)) && is_independent(loop, stmt->value, d) &&
		count_assignments(s->region->body, d) == 1 && inside->start <= stmt->at.start &&
		stmt->at.end <= inside->end;
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

/* "body" with "by" in place of "loop" */
static struct c_stmt *with_loop(struct stencil *s, const struct c_stmt *body, const struct c_stmt *loop,
	struct c_stmt *by)
{
	struct c_stmts all = { 0 };

	for (; body; body = body->next) {
		struct c_stmt *copy = body == loop ? by : c_alone(s->mem, body);

		if (body != loop && body->kind == CS_BLOCK)
			copy->body = with_loop(s, body->body, loop, by);
		list_add(&all, copy);
	}
	return all.first;
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
		*c = (struct c_carried) { stmt->target->decl, stmt, new_array(s, stmt->target->decl), own->carried };
		own->carried = c;
		by->body = step_without(s, loop, by->body, c);
	}
	if (!own->carried)
		return NULL;
	own->body = with_loop(s, own->body, loop, by);
	return own;
}

/* The text ------------------------------------------------------------------*/

static bool is_read(const struct stencil *s, const struct c_carried *c)
{
	const struct c_field *f = s->fields;

	while (f && f->decl != c->array)
		f = f->next;
	return f;
}

bool has_carried(const struct stencil *s)
{
	for (const struct c_carried *c = s->region->carried; c; c = c->next)
		if (is_read(s, c))
			return true;
	return false;
}

/* for (int k = 0; k < steps; k++); or as far as the call goes, and only where the "array" has memory. */
static void print_steps(struct text *t, const struct stencil *s, const char *array)
{
	const struct c_stmt *loop = s->time_loop;
	const char *counter = c_name(loop->decl);

	text_printf(t, "for (%s %s = ", loop->decl->type_name ? loop->decl->type_name : "int", counter);
	poly_print(t, &s->time_range.begin);
	text_printf(t, "; %s%s%s < ", array ? array : "", array ? " && " : "", counter);
	if (leaves_rest(s))
		print_end_of_rounds(t, s);
	else
		poly_print(t, &s->time_range.end);
	if (loop->step == 1)
		text_printf(t, "; %s++)", counter);
	else
		text_printf(t, "; %s += %lld)", counter, (long long) loop->step);
}

static void print_statement(struct text *t, const struct stencil *s, const struct c_carried *c)
{
	const struct span at = c->stmt->at;

	text_append(t, s->source->text + at.start, at.end - at.start);
	text_puts(t, ";\n");
}

/* Memory for an element for each step and one behind the last, unless steps begin before 0. */
static void print_memory(struct text *t, const struct stencil *s, const struct c_carried *c)
{
	const char *type = c_type_word(c->array->type);
	const struct poly step = poly_constant(s->time_loop->step);
	struct poly n = s->time_range.end;
	int64_t begin;

	poly_add(&n, &step, 1);
	text_printf(t, "%s *%s = ", type, c->array->name);
	if (!poly_is_constant(&s->time_range.begin, &begin) || begin < 0) {
		text_puts(t, "(");
		poly_print(t, &s->time_range.begin);
		text_puts(t, ") < 0 ? NULL : ");
	}
	text_printf(t, "(%s *) calloc(", type);
	poly_print(t, &n);
	text_printf(t, ", sizeof(%s));\n", type);
}

void print_carried(struct text *t, const struct stencil *s)
{
	const char *counter = c_name(s->time_loop->decl);

	for (const struct c_carried *c = s->region->carried; c; c = c->next) {
		const char *type = c_type_word(c->array->type), *name = c_name(c->decl), *array = c->array->name;

		if (!is_read(s, c))
			continue;
		print_memory(t, s, c);
		text_printf(t, "const %s %s_first = %s;\n", type, array, name);
		print_steps(t, s, array);
		text_printf(t, " {\n\t%s[%s] = %s;\n\t", array, counter, name);
		print_statement(t, s, c);
		text_printf(t, "\t%s[%s + %lld] = %s;\n}\n", array, counter, (long long) s->time_loop->step, name);
		text_printf(t, "const %s %s_last = %s;\n%s = %s_first;\n", type, array, name, name, array);
	}
}

void ask_for_carried(const struct stencil *s, struct c_question *q)
{
	for (const struct c_carried *c = s->region->carried; c; c = c->next) {
		struct text t = { 0 };

		if (!is_read(s, c))
			continue;
		text_puts(&t, c->array->name);
		ask_question(s, q, &t);
	}
}

void print_carried_set(struct text *t, const struct stencil *s)
{
	for (const struct c_carried *c = s->region->carried; c; c = c->next) {
		if (is_read(s, c)) {
			text_printf(t, "%s = %s_last;\n", c_name(c->decl), c->array->name);
			continue;
		}
		print_steps(t, s, NULL);
		text_puts(t, "\n\t");
		print_statement(t, s, c);
	}
}

void print_carried_freed(struct text *t, const struct stencil *s)
{
	for (const struct c_carried *c = s->region->carried; c; c = c->next)
		if (is_read(s, c))
			text_printf(t, "free(%s);\n", c->array->name);
}

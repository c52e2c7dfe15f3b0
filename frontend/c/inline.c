/* Calls of functions with visible bodies: the bodies replace them. */
#include "frontend/c/inline.h"

enum { MAX_DEPTH = 32 };

static struct c_stmts expand_list(struct frame *f, struct c_stmt *s);

/* Calls --------------------------------------------------------------------*/

/* The value of a function that is only "return value"; else NULL. */
static const struct c_expr *only_value(const struct c_function *f)
{
	const struct c_stmt *s = f->body;

	while (s && s->kind == CS_EMPTY)
		s = s->next;
	return s && s->kind == CS_RETURN ? s->value : NULL;
}

static const char *why_not(const struct frame *outer,
	const struct c_function *function)
{
	int depth = 0;

	for (const struct frame *f = outer; f; f = f->outer) {
		if (f->function == function)
			return "it calls itself";
		if (++depth > MAX_DEPTH)
			return "too many functions call each other";
	}
	return NULL;
}

static struct c_decl *new_result(struct frame *f)
{
	struct c_decl *d = region_new_of(f->mem, struct c_decl);

	d->name = f->function->name;
	d->type = f->function->type;
	d->type_name = f->function->type_name;
	d->is_inside = true;
	return d;
}

/* The value as a single expression; NULL: statements in "before" must come
 * first.
 */
static struct c_expr *value_alone(struct frame *f)
{
	const struct c_expr *value = only_value(f->function);

	if (!value || is_narrow(f->function->type) ||
	    (f->function->type != value->type &&
	     is_unsigned(f->function->type)))
		return NULL;
	return c_converted(f->mem, frame_expr(f, value), f->function->type);
}

/* What the body computes, in "before"; returns the variable with the result. */
static struct c_expr *value_behind(struct frame *f, struct c_stmts *before)
{
	struct c_stmt *s = frame_stmt(f, CS_DECLARE, f->call->at);
	struct c_stmts body;

	f->result = s->decl = new_result(f);
	list_add(before, s);
	body = frame_body(f);
	if (f->why)
		return NULL;
	list_append(before, expand_list(f, body.first));
	return c_variable(f->mem, f->result, f->result->type, f->call->at);
}

static struct c_expr *expand(struct frame *f, struct c_expr *e,
	struct c_stmts *before);

/* "e" inlined, with statements for its value in "before"; if that is NULL, none
 * are allowed.  "alone": the statement evaluates nothing else.
 */
static struct c_expr *inline_call(struct frame *outer, struct c_expr *e,
	struct c_stmts *before, bool alone)
{
	struct frame f = {
		.mem = outer->mem, .function = e->function, .call = e,
		.body = e->function->body, .outer = outer,
		.why = why_not(outer, e->function),
	};
	struct c_stmts first = { 0 };
	struct c_expr *value = NULL;

	if (!f.why)
		frame_bind(&f, &first);
	if (!f.why)
		value = value_alone(&f);
	if (!f.why)
		value = value ? expand(&f, value, &first) :
			value_behind(&f, &first);
	if (!f.why && f.has_effects && !alone)
		f.why = "it changes more than its own variables, and other "
			"parts of the statement may come before or after";
	if (!f.why && first.first && !before)
		f.why = "it is more than an expression, and the bound of a "
			"loop is no place for that";
	if (f.why) {
		e->why = f.why;
		outer->has_effects = true;
		return e;
	}
	if (f.has_effects)
		outer->has_effects = true;
	if (before)
		list_append(before, first);
	return value;
}

/* Expressions --------------------------------------------------------------*/

static struct c_expr *not(struct frame *f, struct c_expr *e)
{
	struct c_expr *n = c_node(f->mem, CX_UNARY, C_INT, 1, &e, e->at);

	n->op = OP_NOT;
	return n;
}

/* "d" = value */
static struct c_stmt *assignment(struct frame *f, struct c_decl *d,
	struct c_expr *value)
{
	struct c_stmt *s = frame_stmt(f, CS_ASSIGN, value->at);

	s->target = c_variable(f->mem, d, d->type, value->at);
	s->value = value;
	return s;
}

/* Execute "arm" if "condition" holds, else give its variables, which the
 * unchosen value uses, some value.
 */
static void add_under(struct frame *f, struct c_expr *condition,
	struct c_stmts arm, struct c_stmts *before)
{
	struct c_stmt *s = frame_stmt(f, CS_IF, condition->at), *next;
	struct c_stmts body = { 0 }, otherwise = { 0 };

	s->condition = condition;
	for (struct c_stmt *a = arm.first; a; a = next) {
		next = a->next;
		if (a->kind != CS_DECLARE || a->decl->n_dims) {
			list_add(&body, a);
			continue;
		}
		if (a->value)
			list_add(&body, assignment(f, a->decl, a->value));
		list_add(&otherwise, assignment(f, a->decl, c_converted(f->mem,
			c_leaf(f->mem, CX_INT, C_INT, a->at), a->decl->type)));
		a->value = NULL;
		list_add(before, a);
	}
	s->body = body.first;
	s->otherwise = otherwise.first;
	list_add(before, s);
}

/* Expand part "i" of "e", evaluated if "condition" holds. */
static void expand_arm(struct frame *f, struct c_expr *e, int i,
	struct c_expr *condition, struct c_stmts *before)
{
	struct c_stmts arm = { 0 };

	e->arg[i] = expand(f, e->arg[i], before ? &arm : NULL);
	if (arm.first)
		add_under(f, condition, arm, before);
}

static struct c_expr *expand(struct frame *f, struct c_expr *e,
	struct c_stmts *before)
{
	if (e->kind == CX_SELECT) {
		e->arg[0] = expand(f, e->arg[0], before);
		expand_arm(f, e, 1, e->arg[0], before);
		expand_arm(f, e, 2, not(f, e->arg[0]), before);
		return e;
	}
	if (e->kind == CX_BINARY && (e->op == OP_AND || e->op == OP_OR)) {
		e->arg[0] = expand(f, e->arg[0], before);
		expand_arm(f, e, 1, e->op == OP_AND ? e->arg[0] :
			not(f, e->arg[0]), before);
		return e;
	}
	for (int i = 0; i < e->n_args; i++)
		e->arg[i] = expand(f, e->arg[i], before);
	return e->kind == CX_CALL && e->function ?
		inline_call(f, e, before, false) : e;
}

/* First the arguments of the call "e", then the call, which is "alone". */
static struct c_expr *expand_call(struct frame *f, struct c_expr *e,
	struct c_stmts *before)
{
	for (int i = 0; i < e->n_args; i++)
		e->arg[i] = expand(f, e->arg[i], before);
	return e->function ? inline_call(f, e, before, true) : e;
}

/* Statements ---------------------------------------------------------------*/

static void expand_value(struct frame *f, struct c_stmt *s,
	struct c_stmts *before)
{
	if (s->target)
		s->target = expand(f, s->target, before);
	if (s->value)
		s->value = s->value->kind == CX_CALL && s->op == C_OP_NONE ?
			expand_call(f, s->value, before) :
			expand(f, s->value, before);
}

/* A pointer of the region that is an address, as in float *row = A + i * m:
 * uses become its declared value.
 */
static bool is_followed(struct frame *f, const struct c_stmt *s)
{
	return !f->function && s->decl->n_dims && s->value &&
		s->value->kind != CX_VAR && s->value->kind != CX_CAST &&
		frame_follows(f, s->decl, s->value);
}

static void follow_pointers(struct frame *f, struct c_stmt *s)
{
	struct c_expr **const all[] = {
		&s->target, &s->value, &s->bound, &s->condition
	};

	for (int i = 0; i < 4; i++)
		if (*all[i])
			*all[i] = frame_expr(f, *all[i]);
}

static void expand_one(struct frame *f, struct c_stmt *s, struct c_stmts *out)
{
	if (!f->function && f->actuals)
		follow_pointers(f, s);
	switch (s->kind) {
	case CS_FOR:
		s->value = expand(f, s->value, NULL);
		s->bound = expand(f, s->bound, NULL);
		break;
	case CS_IF:
		s->condition = expand(f, s->condition, out);
		break;
	case CS_DECLARE:
		if (is_followed(f, s))
			return;
		expand_value(f, s, out);
		break;
	case CS_CALL:
		s->value = expand_call(f, s->value, out);
		if (s->value->kind != CX_CALL)
			return;
		break;
	default:
		expand_value(f, s, out);
		break;
	}
	s->body = expand_list(f, s->body).first;
	s->otherwise = expand_list(f, s->otherwise).first;
	list_add(out, s);
}

static struct c_stmts expand_list(struct frame *f, struct c_stmt *s)
{
	struct c_stmts out = { 0 };
	struct c_stmt *next;

	for (; s; s = next) {
		next = s->next;
		expand_one(f, s, &out);
	}
	return out;
}

/* The statements as they are before they are taken apart. */
static struct c_stmt *kept(struct region *mem, const struct c_stmt *body)
{
	struct c_stmt *first = NULL, **link = &first;

	for (; body; body = body->next) {
		*link = region_new_of(mem, struct c_stmt);
		**link = *body;
		(*link)->body = kept(mem, body->body);
		(*link)->otherwise = kept(mem, body->otherwise);
		(*link)->next = NULL;
		link = &(*link)->next;
	}
	return first;
}

struct c_stmt *inline_calls(struct region *mem, struct c_stmt *body)
{
	struct frame f = { .mem = mem, .body = kept(mem, body) };

	return expand_list(&f, body).first;
}

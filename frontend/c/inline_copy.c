/* The body of a function, with its variables replaced for a call. */
#include "frontend/c/inline.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/walk.h"

#include <string.h>

enum { MAX_COPIED = 4000 };

void list_add(struct c_stmts *list, struct c_stmt *s)
{
	if (list->last)
		list->last->next = s;
	else
		list->first = s;
	list->last = s;
	s->next = NULL;
}

void list_append(struct c_stmts *list, struct c_stmts more)
{
	if (!more.first)
		return;
	if (list->last)
		list->last->next = more.first;
	else
		list->first = more.first;
	list->last = more.last;
}

struct c_stmt *frame_stmt(struct frame *f, enum c_stmt_kind kind,
	struct span at)
{
	struct c_stmt *s = region_new_of(f->mem, struct c_stmt);

	s->kind = kind;
	s->op = C_OP_NONE;
	s->at = at;
	return s;
}

static bool is_block(const struct frame *f)
{
	return f->function && f->function->is_block;
}

static struct actual *find(const struct frame *f, const struct c_decl *d)
{
	struct actual *a = f->actuals;

	while (a && a->decl != d)
		a = a->next;
	return a || !is_block(f) ? a : find(f->outer, d);
}

/* A member's struct, or the pointer to that. */
static const struct c_decl *owner(const struct c_decl *d)
{
	while (d->member)
		d = d->member->of;
	return d;
}

/* Can the function name "d" without a replacement? */
static bool is_shared(const struct frame *f, const struct c_decl *d)
{
	while (is_block(f))
		f = f->outer;
	d = owner(d);
	return !f->function || d->is_global || d->is_known;
}

static void add_actual(struct frame *f, const struct c_decl *d,
	struct c_expr *value)
{
	struct actual *a = region_new_of(f->mem, struct actual);

	a->decl = d;
	a->value = value;
	a->next = f->actuals;
	f->actuals = a;
}

static void fail(struct frame *f, const char *why)
{
	if (!f->why)
		f->why = why;
}

/* Places in a header are not in the file: the place of the call replaces them. */
static struct span place(const struct frame *f, struct span at)
{
	return f->function && f->function->is_elsewhere ? f->call->at : at;
}

static bool is_behind(const struct c_decl *d)
{
	while (d->member && !d->member->is_behind)
		d = d->member->of;
	return d->member;
}

/* Expressions --------------------------------------------------------------*/

static bool is_address(const struct c_expr *e)
{
	return e->kind == CX_UNARY && e->op == C_OP_ADDRESS;
}

static struct c_expr *plus(struct frame *f, struct c_expr *a,
	struct c_expr *b)
{
	if (a->kind == CX_INT && !a->value)
		return b;
	if (b->kind == CX_INT && !b->value)
		return a;
	return c_binary(f->mem, OP_ADD, a->type == C_INT ? b->type : a->type,
		a, b, a->at);
}

static struct c_expr *element(struct frame *f, const struct c_expr *e,
	struct c_decl *decl, int n_args, struct c_expr **arg)
{
	struct c_expr *new = c_leaf(f->mem, CX_ELEMENT, e->type,
		place(f, e->at));

	new->decl = decl;
	new->n_args = n_args;
	new->arg = arg;
	return new;
}

/* The element "e", with subscripts "arg", of what "base" points to. */
static struct c_expr *element_behind(struct frame *f, const struct c_expr *e,
	const struct c_expr *base, struct c_expr **arg)
{
	const struct c_expr *to = is_address(base) ? base->arg[0] : base;
	int shared = is_address(base) ? 1 : 0, n = to->n_args - shared;
	struct c_expr **all;

	if (base->kind == CX_BINARY && base->op == OP_ADD) {
		bool swapped = is_integer(base->arg[0]->type);

		arg[0] = plus(f, base->arg[swapped ? 0 : 1], arg[0]);
		return element_behind(f, e, base->arg[swapped ? 1 : 0], arg);
	}
	if (base->kind == CX_VAR)
		return element(f, e, base->decl, e->n_args, arg);
	if (to->kind == CX_VAR) {
		bool is_own = arg[0]->kind == CX_INT && !arg[0]->value;

		if (is_own && e->n_args == 1)
			return c_variable(f->mem, to->decl, to->type,
				place(f, e->at));
		if (is_own && to->decl->n_dims)
			return element(f, e, to->decl, e->n_args - 1, arg + 1);
		fail(f, "it uses a variable as an array");
		return (struct c_expr *) to;
	}
	all = region_array(f->mem, struct c_expr *, n + e->n_args);
	for (int i = 0; i < n; i++)
		all[i] = to->arg[i];
	for (int i = 0; i < e->n_args; i++)
		all[n + i] = arg[i];
	if (shared)
		all[n] = plus(f, to->arg[n], all[n]);
	return element(f, e, to->decl, n + e->n_args, all);
}

static bool is_first(const struct c_expr *e)
{
	return e->n_args == 1 && e->arg[0]->kind == CX_INT && !e->arg[0]->value;
}

/* "e" with subscripts behind its own, those of an array in a struct */
static void append_args(struct frame *f, struct c_expr *e, int n, struct c_expr **arg)
{
	struct c_expr **all = region_array(f->mem, struct c_expr *, e->n_args + n);

	for (int i = 0; i < e->n_args + n; i++)
		all[i] = i < e->n_args ? e->arg[i] : arg[i - e->n_args];
	e->arg = all;
	e->n_args += n;
}

/* The member "d" of what the caller's "base" is or points to; for an element,
 * with subscripts "arg".  NULL: unknown.
 */
static struct c_expr *member_of(struct frame *f, const struct c_expr *e,
	const struct c_expr *base, struct c_expr **arg)
{
	const struct c_member *m = e->decl->member;
	struct c_expr *new, *to = (struct c_expr *) base;
	struct c_expr *first = c_leaf(f->mem, CX_INT, C_INT, place(f, e->at));
	int n = m->is_each ? smaller(e->n_args, m->of->n_dims) : 1;

	if (m->is_each || is_address(base) || base->kind == CX_ELEMENT) {
		new = element(f, e, e->decl, n, m->is_each ? arg : &first);
		if (!m->is_each) {
			new->arg = region_array(f->mem, struct c_expr *, 1);
			new->arg[0] = first;
		}
		to = element_behind(f, new, base, new->arg);
	}
	if (to->kind == CX_VAR)
		return c_variable(f->mem, c_member_of(f->mem, to->decl, m,
			to->decl->n_dims > 0, false), e->type,
			place(f, e->at));
	if ((m->like->n_dims && !m->is_each) || to->decl->member || m->size <= 0)
		return NULL;
	new = element(f, e, to->n_args == 1 && is_first(to) &&
		to->decl->is_pointer ? c_member_of(f->mem, to->decl, m, true,
		false) : c_member_of(f->mem, to->decl, m, false, true),
		to->n_args, to->arg);
	if (m->is_each && e->n_args > n)
		append_args(f, new, e->n_args - n, arg + n);
	return new->decl->member->is_each ? new : c_variable(f->mem, new->decl,
		e->type, new->at);
}

/* The replacement for "e", which is or contains a member of a variable of the
 * function; its subscripts are "arg".
 */
static struct c_expr *member(struct frame *f, const struct c_expr *e,
	struct c_expr **arg)
{
	const struct actual *a = find(f, e->decl->member->of);
	struct c_expr *of;

	if (e->decl->member->of->member) {
		fail(f, "it uses a member of a member");
		return NULL;
	}
	if (!a)
		return NULL;
	if (e->kind == CX_ELEMENT && !e->decl->member->is_each) {
		struct c_expr *self = c_variable(f->mem, e->decl, e->type,
			e->at);

		of = member_of(f, self, a->value, NULL);
		return of ? element_behind(f, e, of, arg) : NULL;
	}
	return member_of(f, e, a->value, arg);
}

struct c_expr *frame_expr(struct frame *f, const struct c_expr *e)
{
	const struct actual *a = e->decl ? find(f, e->decl) : NULL;
	struct c_expr *copy = region_new_of(f->mem, struct c_expr);

	*copy = *e;
	copy->at = place(f, e->at);
	copy->arg = region_array(f->mem, struct c_expr *, e->n_args + 1);
	for (int i = 0; i < e->n_args; i++)
		copy->arg[i] = frame_expr(f, e->arg[i]);
	if (!a && e->decl && e->decl->member && f->function &&
	    !is_shared(f, e->decl)) {
		struct c_expr *to = member(f, e, copy->arg);

		if (!to)
			fail(f, "what a member of a struct is cannot be told");
		return to ? to : copy;
	}
	if (!a && e->decl && !is_shared(f, e->decl))
		fail(f, region_printf(f->mem, "what '%s' is cannot be told",
			e->decl->name));
	if (!a)
		return copy;
	if (e->kind == CX_ELEMENT)
		return element_behind(f, e, a->value, copy->arg);
	*copy = *a->value;
	return copy;
}

static struct c_expr *copy_if_any(struct frame *f, const struct c_expr *e)
{
	return e ? frame_expr(f, e) : NULL;
}

/* Variables ----------------------------------------------------------------*/

/* A variable of its own for "d". */
static struct c_decl *frame_declare(struct frame *f, const struct c_decl *d)
{
	struct actual *a = find(f, d);
	struct c_decl *new;

	if (a && a->value->kind == CX_VAR)
		return a->value->decl;
	new = region_new_of(f->mem, struct c_decl);
	*new = *d;
	new->is_inside = true;
	new->is_global = false;
	if (!d->n_dims)
		new->values = NULL;	/* those of its declaration count */
	new->members = new->next = NULL;
	new->at = place(f, d->at);
	for (int i = 0; i < d->n_dims; i++)
		new->size[i] = copy_if_any(f, d->size[i]);
	if (!a)
		add_actual(f, d, c_variable(f->mem, new, d->type, new->at));
	return new;
}

static bool assigns_any_of(const struct c_stmt *body, const struct c_expr *e)
{
	if (e->kind == CX_VAR && c_assigns(body, e->decl))
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (assigns_any_of(body, e->arg[i]))
			return true;
	return false;
}

/* Is "e" the address of a pointer, &u? */
static bool is_of_pointer(const struct c_expr *e)
{
	return is_address(e) && e->arg[0]->kind == CX_VAR &&
		e->arg[0]->decl->n_dims && e->arg[0]->decl->is_pointer;
}

/* The number of dimensions behind the pointer "e"; 0: it cannot be followed. */
static int dims_behind(const struct c_expr *e)
{
	if (e->kind == CX_VAR || e->kind == CX_ELEMENT)
		return e->decl->n_dims - e->n_args;
	if (is_address(e) && e->arg[0]->kind == CX_ELEMENT)
		return e->arg[0]->decl->n_dims - e->arg[0]->n_args + 1;
	if (is_of_pointer(e))
		return e->arg[0]->decl->n_dims + 1;
	if (is_address(e) && e->arg[0]->kind == CX_VAR)
		return e->arg[0]->decl->n_dims ? 0 : 1;
	if (e->kind == CX_BINARY && e->op == OP_ADD)
		return dims_behind(e->arg[is_integer(e->arg[0]->type)]);
	return 0;
}

static const struct c_decl *decl_behind(const struct c_expr *e)
{
	while (!e->decl)
		e = e->arg[e->kind == CX_BINARY && is_integer(e->arg[0]->type)];
	return e->decl;
}

static const char *bare_type(const struct c_decl *d)
{
	return strncmp(d->type_name, "const ", 6) ? d->type_name :
		d->type_name + 6;
}

static bool same_struct(const struct c_decl *a, const struct c_decl *b)
{
	return strcmp(bare_type(a), bare_type(b)) == 0;
}

/* Does what "value" points to have the type and the rows of "d"? */
static bool fits(struct frame *f, const struct c_decl *d,
	const struct c_expr *value)
{
	int n = dims_behind(value);
	const struct c_decl *to;

	if (n != d->n_dims)
		return false;
	to = decl_behind(value);
	if (to->type != d->type || (d->type == C_OTHER &&
	    !same_struct(to, d)) || to->is_volatile != d->is_volatile)
		return false;
	for (int i = is_of_pointer(value) ? 2 : 1; i < n; i++) {
		const struct c_expr *own = d->size[i];
		const struct c_expr *size = to->size[to->n_dims - n + i];

		if (!own || !size || !c_same(frame_expr(f, own), size))
			return false;
	}
	return true;
}

/* Does a loop of "body" count with a variable of "value" that "d", declared before it, has? */
static bool counts_behind(const struct c_stmt *body, const struct c_decl *d,
	const struct c_expr *value)
{
	for (; body; body = body->next)
		if ((body->kind == CS_FOR && uses_variable(value, body->decl) &&
		     !declares_variable(body->body, d)) ||
		    counts_behind(body->body, d, value) ||
		    counts_behind(body->otherwise, d, value))
			return true;
	return false;
}

bool frame_follows(struct frame *f, const struct c_decl *d,
	const struct c_expr *value)
{
	struct c_expr *to;

	if (c_assigns(f->body, d) || assigns_any_of(f->body, value) ||
	    counts_behind(f->body, d, value))
		return false;
	to = frame_expr(f, value);
	if (!fits(f, d, to))
		return false;
	add_actual(f, d, to);
	return true;
}

/* Parameters ---------------------------------------------------------------*/

/* Is "e" a number that nothing in the function can change? */
static bool is_steady(const struct c_expr *e)
{
	if (e->kind == CX_ELEMENT || e->kind == CX_CALL || e->kind == CX_BAD)
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_steady(e->arg[i]))
			return false;
	return true;
}

static bool passes_variable(const struct c_expr *call)
{
	for (int i = 0; i < call->n_args; i++)
		if (is_address(call->arg[i]) &&
		    call->arg[i]->arg[0]->kind == CX_VAR)
			return true;
	return false;
}

/* May "value" replace every use of the integer "d"? */
static bool may_stand_for(const struct frame *f, const struct c_decl *d,
	const struct c_expr *value)
{
	return is_integer(d->type) && !is_narrow(d->type) &&
		(d->type == value->type || (value->type == C_INT &&
		 d->type == C_LONG)) && is_steady(value) &&
		!c_assigns(f->body, d) && !passes_variable(f->call);
}

/* Does "body" assign a member of "d"? */
static bool assigns_member(const struct c_stmt *body, const struct c_decl *d)
{
	for (; body; body = body->next)
		if ((body->kind == CS_ASSIGN && owner(body->target->decl) == d) ||
		    assigns_member(body->body, d) || assigns_member(body->otherwise, d))
			return true;
	return false;
}

/* Is "value" a struct like the parameter "d", which the function only reads? */
static bool is_struct_read(const struct frame *f, const struct c_decl *d, const struct c_expr *value)
{
	return value->kind == CX_VAR && !value->decl->n_dims && value->decl->type == C_OTHER &&
		same_struct(value->decl, d) && !assigns_member(f->body, d) && !passes_variable(f->call);
}

static void bind_scalar(struct frame *f, struct c_decl *d,
	struct c_expr *value, struct c_stmts *before)
{
	struct c_stmt *s;

	if (d->type == C_OTHER && is_struct_read(f, d, value)) {
		add_actual(f, d, value);
		return;
	}
	if (d->type == C_OTHER) {
		fail(f, "a parameter is neither a number nor an array");
		return;
	}
	if (may_stand_for(f, d, value)) {
		add_actual(f, d, c_converted(f->mem, value, d->type));
		return;
	}
	s = frame_stmt(f, CS_DECLARE, value->at);
	s->decl = frame_declare(f, d);
	s->value = value;
	list_add(before, s);
}

void frame_bind(struct frame *f, struct c_stmts *before)
{
	const struct c_expr *call = f->call;

	if (call->n_args != f->function->n_params) {
		fail(f, "it has another number of parameters");
		return;
	}
	for (int i = 0; i < call->n_args; i++)
		if (!f->function->param[i]->n_dims)
			bind_scalar(f, f->function->param[i], call->arg[i],
				before);
	for (int i = 0; i < call->n_args; i++) {
		struct c_decl *d = f->function->param[i];

		if (!d->n_dims)
			continue;
		if (c_assigns(f->body, d))
			fail(f, "it moves a pointer");
		else if (!fits(f, d, call->arg[i]))
			fail(f, "an array has another type or other rows than "
				"the parameter");
		else
			add_actual(f, d, call->arg[i]);
	}
}

/* Statements ---------------------------------------------------------------*/

/* Statements behind the copied ones, for the ways that continue. */
struct rest {
	const struct c_stmt *first;
	const struct rest *outer;
};

static struct c_stmts copy_list(struct frame *f, const struct c_stmt *s,
	const struct rest *rest);

static bool returns(const struct c_stmt *s)
{
	for (; s; s = s->next)
		if (s->kind == CS_RETURN || returns(s->body) ||
		    returns(s->otherwise))
			return true;
	return false;
}

static bool returns_itself(const struct c_stmt *s)
{
	return returns(s->body) || returns(s->otherwise);
}

/* Is "e" the pointer *p of the caller, whose address the function has? */
static bool is_pointer_passed(const struct frame *f, const struct c_expr *e)
{
	const struct actual *a = e->kind == CX_ELEMENT && is_first(e) ?
		find(f, e->decl) : NULL;

	return a && is_of_pointer(a->value);
}

static void copy_declaration(struct frame *f, const struct c_stmt *s,
	struct c_stmts *out)
{
	struct c_stmt *copy = frame_stmt(f, CS_DECLARE, place(f, s->at));

	if (s->value && is_pointer_passed(f, s->value)) {
		copy->value = frame_expr(f, s->value);
		copy->decl = frame_declare(f, s->decl);
		copy->decl->name = region_printf(f->mem, "stencilc_%s",
			s->decl->name);
		list_add(out, copy);
		return;
	}
	if (s->decl->n_dims && !c_is_own_array(s->decl)) {
		if (!s->value || !frame_follows(f, s->decl, s->value))
			fail(f, "what a pointer in it points to cannot be told");
		return;
	}
	copy->value = copy_if_any(f, s->value);
	copy->decl = frame_declare(f, s->decl);
	list_add(out, copy);
}

/* Is "e" an element of an array that the function declares? */
static bool is_own_element(const struct frame *f, const struct c_expr *e)
{
	return e->kind == CX_ELEMENT && c_is_own_array(e->decl) &&
		find(f, e->decl);
}

static void copy_assignment(struct frame *f, const struct c_stmt *s,
	struct c_stmts *out)
{
	struct c_stmt *copy = frame_stmt(f, CS_ASSIGN, place(f, s->at));

	copy->op = s->op;
	copy->value = frame_expr(f, s->value);
	copy->target = frame_expr(f, s->target);
	if (s->target->kind == CX_VAR && s->target->decl->n_dims)
		fail(f, "it moves a pointer");
	if (!is_own_element(f, s->target) && (s->target->kind != CX_VAR ||
	    is_behind(s->target->decl) || !find(f, owner(s->target->decl))))
		f->has_effects = true;
	list_add(out, copy);
}

static void copy_loop(struct frame *f, const struct c_stmt *s,
	struct c_stmts *out)
{
	struct c_stmt *copy = frame_stmt(f, CS_FOR, place(f, s->at));

	if (!s->whole.end && !find(f, s->decl))
		fail(f, "a loop in it counts with a variable of others");
	if (returns_itself(s))
		fail(f, "it returns from within a loop");
	if (s->is_while || s->entry)
		fail(f, "a loop in it ends by more than its counter");
	copy->value = frame_expr(f, s->value);
	copy->decl = frame_declare(f, s->decl);
	copy->op = s->op;
	copy->step = s->step;
	copy->is_crossed = s->is_crossed;
	copy->bound = frame_expr(f, s->bound);
	copy->body = copy_list(f, s->body, NULL).first;
	list_add(out, copy);
}

static void copy_return(struct frame *f, const struct c_stmt *s,
	struct c_stmts *out)
{
	struct c_stmt *copy = frame_stmt(f, CS_ASSIGN, place(f, s->at));

	if (!s->value)
		return;
	copy->target = c_variable(f->mem, f->result, f->result->type,
		copy->at);
	copy->value = frame_expr(f, s->value);
	list_add(out, copy);
}

static void copy_other(struct frame *f, const struct c_stmt *s,
	const struct rest *rest, struct c_stmts *out)
{
	struct c_stmt *copy = frame_stmt(f, s->kind, place(f, s->at));

	copy->what = s->what;
	copy->value = copy_if_any(f, s->value);
	copy->condition = copy_if_any(f, s->condition);
	copy->body = copy_list(f, s->body, rest).first;
	if (s->kind == CS_IF)
		copy->otherwise = copy_list(f, s->otherwise, rest).first;
	if (s->kind == CS_BAD || s->kind == CS_BREAK)
		fail(f, region_printf(f->mem, "%s has no place in a stencil",
			s->what));
	list_add(out, copy);
}

/* Copy "s"; false: what follows it has been copied already, or is not executed. */
static bool copy_one(struct frame *f, const struct c_stmt *s,
	const struct rest *outer, struct c_stmts *out)
{
	const struct rest rest = { s->next, outer };

	if (++f->n_copied > MAX_COPIED) {
		fail(f, "it has too many statements and returns");
		return false;
	}
	switch (s->kind) {
	case CS_DECLARE:
		copy_declaration(f, s, out);
		return true;
	case CS_ASSIGN:
		copy_assignment(f, s, out);
		return true;
	case CS_FOR:
		copy_loop(f, s, out);
		return true;
	case CS_RETURN:
		copy_return(f, s, out);
		return false;
	default:
		break;
	}
	if (!returns_itself(s)) {
		copy_other(f, s, NULL, out);
		return true;
	}
	if (s->kind == CS_IF)
		copy_other(f, s, &rest, out);
	else
		list_append(out, copy_list(f, s->body, &rest));
	return false;
}

static struct c_stmts copy_list(struct frame *f, const struct c_stmt *s,
	const struct rest *rest)
{
	struct c_stmts out = { 0 };

	for (; s; s = s->next)
		if (!copy_one(f, s, rest, &out))
			return out;
	if (rest)
		list_append(&out, copy_list(f, rest->first, rest->outer));
	return out;
}

struct c_stmts frame_body(struct frame *f)
{
	return copy_list(f, f->body, NULL);
}

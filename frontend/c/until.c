/* Time loops that end by values of their points.
 *
 * A scalar by which the loop ends, such as the greatest change of a step, is a result of the
 * program.  Each step starts it with a value, and each point contributes; NaNs count as in C,
 * that is, not at all.
 */
#include "frontend/c/passes.h"

#include <inttypes.h>
#include <string.h>

/* The text -----------------------------------------------------------------*/

static bool is_break(const struct c_stmt *stmt)
{
	while (stmt && stmt->kind == CS_BLOCK && !stmt->next)
		stmt = stmt->body;
	return stmt && stmt->kind == CS_BREAK && !stmt->next;
}

/* Is "e" made of integers and numbers? */
static bool is_of_integers(const struct c_expr *e)
{
	for (int i = 0; i < e->n_args; i++)
		if (!is_of_integers(e->arg[i]))
			return false;
	return is_integer(e->type) && e->kind != CX_ELEMENT &&
		e->kind != CX_CALL && e->kind != CX_BAD;
}

/* Do the statements only move pointers, or assign integers? */
static bool only_moves(const struct c_stmt *body)
{
	for (; body; body = body->next) {
		const struct c_decl *to = body->kind == CS_DECLARE ?
			body->decl : body->kind == CS_ASSIGN &&
			body->target->kind == CX_VAR ? body->target->decl :
			NULL;

		if (body->kind == CS_BLOCK ? !only_moves(body->body) :
		    body->kind != CS_EMPTY && !(to && body->value &&
		    (to->n_dims ? body->value->kind == CX_VAR :
		     is_of_integers(body->value))))
			return false;
	}
	return true;
}

/* The link to the last statement of "body" that does more than move pointers and assign integers. */
static struct c_stmt **last_of(struct c_stmt **body)
{
	struct c_stmt **last = body;

	if (*body && (*body)->kind == CS_BLOCK && !(*body)->next)
		return last_of(&(*body)->body);
	for (; *body; body = &(*body)->next) {
		struct c_stmt alone = **body;

		alone.next = NULL;
		if (!only_moves(&alone))
			last = body;
	}
	return last;
}

static bool has_moves(const struct c_stmt *body)
{
	while (body && (body->kind == CS_BLOCK ? !has_moves(body->body) :
	       body->kind == CS_EMPTY))
		body = body->next;
	return body;
}

void take_breaks(struct c_stmt *body)
{
	for (; body; body = body->next) {
		struct c_stmt **last;

		if (body->kind == CS_BLOCK)
			take_breaks(body->body);
		if (body->kind != CS_FOR || !body->body || body->condition)
			continue;
		last = last_of(&body->body);
		if (!*last || (*last)->kind != CS_IF || (*last)->otherwise ||
		    !is_break((*last)->body) || ((*last)->next &&
		    assigns_any((*last)->next, (*last)->condition)))
			continue;
		body->condition = (*last)->condition;
		body->ends_before_moves = (*last)->next &&
			has_moves((*last)->next);
		*last = (*last)->next;
	}
}

static void find_in(struct stencil *s, const struct c_expr *e)
{
	if (e->kind == CX_VAR && !e->decl->n_dims && !find_result(s, e->decl) &&
	    is_assigned(s->time_loop->body, e->decl)) {
		struct c_result *r = region_new_of(s->mem, struct c_result);

		r->decl = e->decl;
		r->op = C_OP_NONE;
		r->next = s->until.results;
		s->until.results = r;
	}
	for (int i = 0; i < e->n_args; i++)
		find_in(s, e->arg[i]);
}

void find_results(struct stencil *s)
{
	if (s->time_loop->condition)
		find_in(s, s->time_loop->condition);
}

/* Values -------------------------------------------------------------------*/

bool begin_result(struct stencil *s, struct c_result *r,
	const struct c_expr *value)
{
	struct c_expr *e = resolve(s, value);

	if (!e)
		return false;
	if (r->first || is_of_data(e)) {
		refuse(s, E_C_CONSTRUCT, value->at, "the time loop ends by '%s', "
			"which begins with one number in each step and gets "
			"the others from points", r->decl->name);
		diag_advice(s->diags, "what is computed of it belongs into "
			"the condition of the 'break'");
		return false;
	}
	r->first = c_converted(s->mem, e, r->decl->type);
	return true;
}

static bool is_result(const struct c_result *r, const struct c_expr *e)
{
	return e->kind == CX_VAR && e->decl == r->decl;
}

/* fmaxf(r, x), r + x, x > r ? x : r: "x", and the operation. */
static const struct c_expr *match_value(const struct c_result *r,
	const struct c_expr *e, int *op)
{
	int own;

	if (e->kind == CX_SELECT) {
		const struct c_expr *c = e->arg[0];
		bool greater, first;

		if (c->kind != CX_BINARY || c->op < OP_LT || c->op > OP_GE ||
		    c->n_args != 2)
			return NULL;
		own = is_result(r, c->arg[0]) ? 0 : 1;
		greater = (c->op == OP_GT || c->op == OP_GE) == own;
		first = c_same(e->arg[1], c->arg[!own]) &&
			is_result(r, e->arg[2]);
		if (!is_result(r, c->arg[own]) || (!first &&
		    !(c_same(e->arg[2], c->arg[!own]) &&
		      is_result(r, e->arg[1]))))
			return NULL;
		*op = greater == first ? OP_FMAX : OP_FMIN;
		return c->arg[!own];
	}
	if (e->n_args != 2)
		return NULL;
	own = is_result(r, e->arg[0]) ? 0 : 1;
	if (!is_result(r, e->arg[own]))
		return NULL;
	if (e->kind == CX_CALL && !strncmp(e->name, "fmax", 4))
		*op = OP_FMAX;
	else if (e->kind == CX_CALL && !strncmp(e->name, "fmin", 4))
		*op = OP_FMIN;
	else if (e->kind == CX_BINARY && e->op == OP_ADD)
		*op = OP_ADD;
	else
		return NULL;
	return e->arg[!own];
}

/* The greater, or the lesser, of "a" and "b", and "b" if "a" is a NaN. */
static struct c_expr *extreme(struct stencil *s, int op, struct c_expr *a,
	struct c_expr *b)
{
	struct c_expr *const arg[3] = {
		c_binary(s->mem, op == OP_FMAX ? OP_GT : OP_LT, C_INT, a, b,
			a->at), a, b
	};

	return c_node(s->mem, CX_SELECT, a->type, 3, arg, a->at);
}

/* An element of a grid, counted by the loops around it. */
static struct c_access *point(struct stencil *s, struct span at)
{
	struct c_access *a = region_new_of(s->mem, struct c_access);

	a->place = s->at.place;
	a->at = at;
	for (const struct c_loop *l = a->place.loop; l; l = l->outer) {
		a->n_subs++;
		a->sub[l->depth - 1] = poly_symbol(l->decl);
		a->sub_at[l->depth - 1] = at;
	}
	return a;
}

static bool add_value(struct stencil *s, struct c_result *r, int op,
	const struct c_expr *value)
{
	struct c_expr *e = resolve(s, value);
	enum c_type type = r->decl->type;

	if (!e)
		return false;
	if (op == OP_ADD && !is_integer(type)) {
		refuse(s, E_C_CARRIED, value->at, "'%s' is a sum of all points, "
			"whose last bits depend on their order",
			r->decl->name);
		diag_advice(s->diags, "let the loop end by the greatest "
			"value, or by a sum of ints");
		return false;
	}
	if (r->of || !r->first || (type != C_INT && type != C_FLOAT &&
	    type != C_DOUBLE))
		return refuse(s, E_C_CONSTRUCT, value->at, "the time loop ends "
			"by '%s', which %s", r->decl->name, r->of ?
			"two statements change" : !r->first ? "gets no value "
			"before its points in the step" : "is not an int, float "
			"or double");
	e = c_converted(s->mem, e, type);
	r->op = op;
	r->of = region_new_of(s->mem, struct c_update);
	r->of->value = op == OP_ADD ? e : extreme(s, op, e, r->first);
	r->of->write = point(s, value->at);
	r->of->place = s->at.place;
	r->of->at = value->at;
	return true;
}

bool add_to_result(struct stencil *s, struct c_result *r,
	const struct c_expr *value)
{
	int op;
	const struct c_expr *x = match_value(r, value, &op);

	return x ? add_value(s, r, op, x) : refuse(s, E_C_CARRIED, value->at,
		"the time loop ends by '%s', which is neither a greatest "
		"or least value nor a sum of values of points", r->decl->name);
}

/* The assignment if "body" is nothing else; NULL: there is more. */
static const struct c_stmt *only_assignment(const struct c_stmt *body)
{
	while (body && body->kind == CS_BLOCK && !body->next)
		body = body->body;
	return body && body->kind == CS_ASSIGN && body->op == C_OP_NONE &&
		!body->next ? body : NULL;
}

/* if (x > r) r = x, as the choice r = x > r ? x : r */
static struct c_expr *as_choice(const struct stencil *s,
	const struct c_stmt *stmt, struct c_result **r)
{
	const struct c_stmt *own = only_assignment(stmt->body);
	struct c_expr *arg[3];

	if (!own || stmt->otherwise || own->target->kind != CX_VAR)
		return NULL;
	*r = find_result(s, own->target->decl);
	arg[0] = stmt->condition;
	arg[1] = own->value;
	arg[2] = own->target;
	return *r ? c_node(s->mem, CX_SELECT, own->value->type, 3, arg,
		own->value->at) : NULL;
}

bool is_result_choice(const struct stencil *s, const struct c_stmt *stmt)
{
	struct c_result *r;

	return as_choice(s, stmt, &r);
}

bool choose_result(struct stencil *s, const struct c_stmt *stmt)
{
	struct c_result *r;
	struct c_expr *value = as_choice(s, stmt, &r);

	return add_to_result(s, r, value);
}

/* The end ------------------------------------------------------------------*/

static bool uses_step(const struct stencil *s, const struct c_expr *e)
{
	if (e->kind == CX_VAR && (e->decl == s->round || e->decl == s->time))
		return true;
	if (e->kind == CX_TEMP && uses_step(s, e->temp->value))
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (uses_step(s, e->arg[i]))
			return true;
	return false;
}

static bool refuse_end(struct stencil *s, const char *why, const char *advice)
{
	refuse(s, E_C_CONSTRUCT, s->time_loop->condition->at, "this ends the "
		"time loop, %s", why);
	diag_advice(s->diags, "%s", advice);
	return false;
}

/* A 'break' in "body" outside inner loops. */
static const struct c_stmt *find_break(const struct c_stmt *body)
{
	const struct c_stmt *found = NULL;

	for (; body && !found; body = body->next) {
		if (body->kind == CS_BREAK)
			return body;
		if (body->kind == CS_FOR)
			continue;
		found = find_break(body->body);
		if (!found)
			found = find_break(body->otherwise);
	}
	return found;
}

bool may_end_early(struct stencil *s)
{
	const struct c_stmt *other = find_break(s->time_loop->body);

	if (other) {
		bool ends = s->time_loop->condition;

		refuse(s, E_C_CONSTRUCT, other->at, "this 'break' ends the time "
			"loop %s", ends ? "beside its condition" :
			"within a step");
		diag_advice(s->diags, ends ? "put what ends the loop into one "
			"condition" : "put 'if (..) break;' at the end of the "
			"step, where all arrays have what the step gives "
			"them");
		return false;
	}
	if (!s->time_loop->condition)
		return true;
	if (s->n_phases > 1)
		return refuse_end(s, "and copies take turns in its steps",
			"let two pointers change places at the end of the "
			"step, or copy back what it computes");
	return !s->of_step || refuse_end(s, "and each of its steps is a "
		"call", "let no array have elements of each step");
}

/* The value of "r" at the end of a step; without points the program has none. */
static struct c_expr *at_end(struct stencil *s, const struct c_result *r)
{
	struct c_expr *own = c_variable(s->mem, r->decl, r->decl->type,
		s->time_loop->condition->at);

	return r->op == OP_ADD ? c_binary(s->mem, OP_ADD, r->decl->type, own,
		r->first, own->at) : extreme(s, r->op, own, r->first);
}

bool resolve_until(struct stencil *s)
{
	if (!s->time_loop->condition)
		return true;
	for (const struct c_result *r = s->until.results; r; r = r->next) {
		if (!r->of)
			return refuse_end(s, "but depends on more than the "
				"greatest or least value or a sum of points",
				"use a scalar that 'r = fmax(r, x)' or 'if (x "
				"> r) r = x' makes of the points of a step");
		bind_value(s, r->decl, at_end(s, r));
	}
	s->until.condition = resolve(s, s->time_loop->condition);
	if (!s->until.condition)
		return false;
	return (s->until.results && !uses_step(s, s->until.condition)) ||
		refuse_end(s, "but not by values of its points alone",
			"let the bound of the loop say what the time decides");
}

/* "e" with the variables' names that "name" gives. */
static void print_expr(struct text *t, const struct stencil *s,
	const struct c_expr *e, const char *(*name)(const struct stencil *s,
		const struct c_decl *d))
{
	switch (e->kind) {
	case CX_INT:
	case CX_REAL:
		print_literal(t, e);
		return;
	case CX_VAR:
		text_puts(t, name(s, e->decl));
		return;
	case CX_TEMP:
		print_expr(t, s, e->temp->value, name);
		return;
	default:
		break;
	}
	text_puts(t, e->kind == CX_CALL ? e->name : "");
	text_puts(t, "(");
	if (e->kind == CX_CAST)
		text_printf(t, "(%s) ", c_type_word(e->type));
	if (e->kind == CX_UNARY)
		text_puts(t, op_info((enum op) e->op)->spelling);
	for (int i = 0; i < e->n_args; i++) {
		if (i)
			text_printf(t, e->kind == CX_CALL ? ", " :
				e->kind == CX_SELECT ? i == 1 ? " ? " : " : " :
				" %s ", e->kind == CX_BINARY ?
				op_info((enum op) e->op)->spelling : "");
		print_expr(t, s, e->arg[i], name);
	}
	text_puts(t, ")");
}

/* The start ----------------------------------------------------------------*/

const struct c_expr *start_of(struct stencil *s, const struct c_stmt *loop)
{
	struct c_decl *before;
	struct c_expr *value;

	if (!loop->is_while || loop->value->kind != CX_VAR || loop->value->decl != loop->decl)
		return loop->value;
	if (!find_value(s, loop->value, &value))
		return NULL;
	before = region_new_of(s->mem, struct c_decl);
	*before = *loop->decl;
	if (value)
		bind_value(s, before, value);
	return c_variable(s->mem, before, before->type, loop->value->at);
}

static const char *name_in_c(const struct stencil *s, const struct c_decl *d)
{
	(void) s;
	return c_name(d);
}

static bool refuse_entry(struct stencil *s, const struct c_expr *e)
{
	refuse(s, E_C_CONSTRUCT, e->at, "this decides whether the time loop "
		"begins, by more than scalars");
	diag_advice(s->diags, "assign it to a scalar before '#pragma scop'");
	return false;
}

static bool has_element(const struct c_expr *e)
{
	if (e->kind == CX_TEMP)
		return has_element(e->temp->value);
	for (int i = 0; i < e->n_args; i++)
		if (has_element(e->arg[i]))
			return true;
	return e->kind == CX_ELEMENT;
}

/* "e" with the values of its variables where the time loop begins; NULL after a diagnostic. */
static struct c_expr *at_start(struct stencil *s, const struct c_expr *e)
{
	struct c_expr *copy = c_leaf(s->mem, e->kind, e->type, e->at), *value;

	*copy = *e;
	if (e->kind == CX_ELEMENT || e->kind == CX_BAD || e->kind == CX_LIST) {
		refuse_entry(s, e);
		return NULL;
	}
	if (e->kind == CX_VAR && !e->decl->is_known) {
		if (!find_value(s, e, &value))
			return NULL;
		return value ? value : copy;
	}
	copy->arg = region_array(s->mem, struct c_expr *, (size_t) e->n_args);
	for (int i = 0; i < e->n_args; i++) {
		copy->arg[i] = at_start(s, e->arg[i]);
		if (!copy->arg[i])
			return NULL;
	}
	return copy;
}

bool ask_for_entry(struct stencil *s)
{
	const struct c_expr *entry = s->time_loop->entry;
	struct c_expr *e;
	struct text t = { 0 };

	if (!entry)
		return true;
	e = at_start(s, entry);
	if (!e)
		return false;
	if (has_element(e))
		return refuse_entry(s, entry);
	print_expr(&t, s, e, name_in_c);
	ask_for(s, region_strndup(s->mem, t.bytes, t.length));
	text_free(&t);
	return true;
}

/* The function that is called ----------------------------------------------*/

const char *name_in_function(const struct stencil *s, const struct c_decl *d)
{
	for (const struct c_result *r = s->until.results; r; r = r->next)
		if (r->decl == d)
			return r->name;
	for (const struct c_param *p = s->params; p; p = p->next)
		if (p->decl == d)
			return p->name;
	return d->name;
}

void print_result_params(struct text *t, const struct stencil *s)
{
	for (const struct c_result *r = s->until.results; r; r = r->next)
		text_printf(t, ", %s *stencilc_%s", c_type_word(r->decl->type),
			r->name);
	if (s->until.results)
		text_puts(t, ", int *stencilc_steps, int *stencilc_ended");
}

void print_result_variables(struct text *t, const struct stencil *s)
{
	for (const struct c_result *r = s->until.results; r; r = r->next)
		text_printf(t, "\t%s %s = 0;\n", c_type_word(r->decl->type),
			r->name);
}

void print_result_arguments(struct text *t, const struct stencil *s)
{
	for (const struct c_result *r = s->until.results; r; r = r->next)
		text_printf(t, ", &%s", r->name);
	if (s->until.results)
		text_puts(t, ", stencilc_steps");
}

void print_results(struct text *t, const struct stencil *s)
{
	struct stencil *own = (struct stencil *) s;

	if (!s->until.results)
		return;
	text_puts(t, "\tif (*stencilc_steps > 0)\n\t\t*stencilc_ended = ");
	print_expr(t, s, s->until.condition, name_in_function);
	text_puts(t, ";\n");
	for (const struct c_result *r = s->until.results; r; r = r->next) {
		text_printf(t, "\t*stencilc_%s = ", r->name);
		print_expr(t, s, at_end(own, r), name_in_function);
		text_puts(t, ";\n");
	}
}

/* The call -----------------------------------------------------------------*/

void print_until_begin(struct text *t, const struct stencil *s)
{
	if (!s->until.results)
		return;
	text_puts(t, "{\n");
	t->indent++;
	for (const struct c_result *r = s->until.results; r; r = r->next)
		text_printf(t, "%s stencilc_%s = 0;\n",
			c_type_word(r->decl->type), r->name);
	text_puts(t, "int stencilc_steps = 0, stencilc_ended = 0;\n\n");
}

void print_until_addresses(struct text *t, const struct stencil *s)
{
	for (const struct c_result *r = s->until.results; r; r = r->next)
		text_printf(t, ", &stencilc_%s", r->name);
	if (s->until.results)
		text_puts(t, ", &stencilc_steps, &stencilc_ended");
}

/* t = begin + 2 * (steps - ended); or, from the value that it has on, t += steps; */
static void print_time_at_end(struct text *t, const struct stencil *s)
{
	const struct c_loop *range = &s->time_range;
	struct text begin = { 0 };
	bool adds, sums = !s->time_loop->is_counted;

	poly_print(&begin, &range->begin);
	adds = !strcmp(begin.bytes, c_name(s->time));
	text_printf(t, "%s %s ", c_name(s->time), adds ? "+=" : "=");
	if (range->begin.n && !adds)
		text_printf(t, "%s + ", begin.bytes);
	sums = sums && (range->begin.n || range->step > 1);
	if (range->step > 1)
		text_printf(t, "%" PRId64 " * ", range->step);
	text_printf(t, "%sstencilc_steps%s%s;\n", sums ? "(" : "",
		s->time_loop->is_counted ? "" : " - stencilc_ended",
		sums ? ")" : "");
	text_free(&begin);
}

void print_until_end(struct text *t, const struct stencil *s,
	bool (*is_live)(const struct stencil *s, const struct c_decl *d))
{
	if (!s->until.results)
		return;
	for (const struct c_result *r = s->until.results; r; r = r->next)
		if (is_live(s, r->decl))
			text_printf(t, "if (stencilc_steps > 0)\n\t%s = "
				"stencilc_%s;\n", c_name(r->decl), r->name);
	if (is_live(s, s->time))
		print_time_at_end(t, s);
	t->indent--;
	text_puts(t, "}\n");
}

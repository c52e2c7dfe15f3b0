/* How loops end: by a comparison of their counter, by conditions beside it, as 'while' loops that count:
 *
 *	while (change > eps && it < most) { ..; it++; }
 *
 * One comparison bounds the counter; the others say, at the end of an iteration, whether another
 * one follows.
 */
#include "frontend/c/clang.h"

#ifdef LIBCLANG_FILE

/* The counter --------------------------------------------------------------*/

static int mirrored(int op)
{
	return op == OP_LT ? OP_GT : op == OP_GT ? OP_LT :
		op == OP_LE ? OP_GE : op == OP_GE ? OP_LE : op;
}

static bool is_variable(const struct c_expr *e, const struct c_decl *d)
{
	return e->kind == CX_VAR && e->decl == d;
}

/* Does the comparison "e" bound the counter of "s"?  Then it is its end. */
static bool takes_end(const struct c_expr *e, struct c_stmt *s)
{
	if (e->kind != CX_BINARY || (e->op != OP_LT && e->op != OP_LE &&
	    e->op != OP_GT && e->op != OP_GE && e->op != OP_NE))
		return false;
	if (is_variable(e->arg[0], s->decl)) {
		s->op = e->op;
		s->bound = e->arg[1];
	} else if (is_variable(e->arg[1], s->decl)) {
		s->op = mirrored(e->op);
		s->bound = e->arg[0];
	} else {
		return false;
	}
	return true;
}

bool reader_loop_step(const struct c_stmt *step, struct c_stmt *s)
{
	const struct c_expr *by = step->value;
	int op = step->op;

	if (step->kind != CS_ASSIGN || !is_variable(step->target, s->decl))
		return false;
	if (op == C_OP_NONE && by->kind == CX_BINARY) {
		op = by->op;
		if (is_variable(by->arg[0], s->decl))
			by = by->arg[1];
		else if (op == OP_ADD && is_variable(by->arg[1], s->decl))
			by = by->arg[0];
		else
			return false;
	}
	if (by->kind != CX_INT || (op != OP_ADD && op != OP_SUB))
		return false;
	s->step = op == OP_ADD ? by->value : -by->value;
	if (s->op == OP_NE && (s->step == 1 || s->step == -1))
		s->op = s->step == 1 ? OP_LT : OP_GT;
	return s->step > 0 ? s->op == OP_LT || s->op == OP_LE :
		s->step < 0 && (s->op == OP_GT || s->op == OP_GE);
}

/* Conditions beside that of the counter ------------------------------------*/

static bool is_and(const struct c_expr *e)
{
	return e->kind == CX_BINARY && e->op == OP_AND;
}

/* "a && b"; NULL stands for what is always true. */
static struct c_expr *both(struct reader *r, struct c_expr *a, struct c_expr *b)
{
	return !a ? b : !b ? a : c_binary(r->mem, OP_AND, C_INT, a, b,
		(struct span) { a->at.start, b->at.end });
}

/* What "e", a conjunction, says beside "part". */
static struct c_expr *beside(struct reader *r, struct c_expr *e,
	const struct c_expr *part)
{
	if (e == part)
		return NULL;
	return !is_and(e) ? e : both(r, beside(r, e->arg[0], part),
		beside(r, e->arg[1], part));
}

/* Let "loop" end after an iteration at whose end "more" no longer holds; NULL: it does not. */
static void end_by(struct reader *r, struct c_stmt *loop, struct c_expr *more)
{
	if (!more)
		return;
	loop->condition = c_node(r->mem, CX_UNARY, C_INT, 1, &more, more->at);
	loop->condition->op = OP_NOT;
	loop->is_counted = true;
}

/* The comparison in the conjunction "end" that bounds the counter of "loop"; NULL: none does. */
static struct c_expr *find_bound(struct c_expr *end, struct c_stmt *loop)
{
	struct c_expr *found = NULL;

	if (!is_and(end))
		return takes_end(end, loop) ? end : NULL;
	for (int i = 0; i < 2 && !found; i++)
		found = find_bound(end->arg[i], loop);
	return found;
}

bool reader_loop_ends(struct reader *r, struct c_expr *end,
	struct c_stmt *loop)
{
	struct c_expr *bound = find_bound(end, loop);

	if (!bound)
		return false;
	loop->entry = beside(r, end, bound);
	end_by(r, loop, loop->entry);
	loop->holds = loop->entry ? end : NULL;
	return true;
}

/* By a real variable --------------------------------------------------------*/

static const struct c_decl *real_variable(const struct c_expr *e)
{
	return e->kind == CX_VAR && !e->decl->n_dims && (e->type == C_FLOAT || e->type == C_DOUBLE) ? e->decl : NULL;
}

bool reader_compares_real(const struct c_expr *end)
{
	return end->kind == CX_BINARY && (end->op == OP_LT || end->op == OP_LE || end->op == OP_GT ||
		end->op == OP_GE) && (real_variable(end->arg[0]) || real_variable(end->arg[1]));
}

static struct c_decl *new_integer(struct reader *r, const struct c_stmt *loop, const char *name)
{
	struct c_decl *d = region_new_of(r->mem, struct c_decl);

	d->name = name;
	d->at = (struct span) { loop->at.start, loop->at.start };
	d->type = C_INT;
	d->type_name = "int";
	return d;
}

void reader_count(struct reader *r, struct c_stmt *loop, struct c_expr *end, struct c_stmt *body)
{
	loop->decl = new_integer(r, loop, "stencilc_step");
	loop->decl->is_inside = true;
	loop->value = c_leaf(r->mem, CX_INT, C_INT, loop->at);
	loop->bound = c_variable(r->mem, new_integer(r, loop, "stencilc_steps"), C_INT, loop->at);
	loop->op = OP_LT;
	loop->step = 1;
	loop->body = body;
	loop->holds = end;
}

/* while and do -------------------------------------------------------------*/

/* Is "e" a variable that can count iterations? */
static bool can_count(const struct c_expr *e)
{
	return e->kind == CX_VAR && !e->decl->n_dims &&
		is_integer(e->decl->type) && !is_narrow(e->decl->type);
}

/* Does "stmt" give other scalars values without "d"? */
static bool is_apart(const struct c_stmt *stmt, const struct c_decl *d)
{
	const struct c_decl *to = c_assigned(stmt);

	return stmt->kind == CS_EMPTY || (to && to != d && !uses_variable(stmt->value, d));
}

/* Could "stmt" as well stand at the end of the iteration? */
static bool may_come_last(const struct c_stmt *stmt)
{
	const struct c_decl *d = c_assigned(stmt);
	const struct c_stmt *behind = stmt->next;

	while (d && behind && is_apart(behind, d))
		behind = behind->next;
	return d && can_count(stmt->target) && !behind;
}

/* The comparison in the conjunction "end" that bounds a counter of "loop" which "step" advances; NULL: none does. */
static struct c_expr *find_counter(struct c_expr *end, struct c_stmt *loop,
	const struct c_stmt *step)
{
	struct c_expr *found = NULL;

	for (int i = 0; i < 2 && is_and(end) && !found; i++)
		found = find_counter(end->arg[i], loop, step);
	for (int i = 0; i < 2 && end->kind == CX_BINARY && !found; i++) {
		if (!can_count(end->arg[i]))
			continue;
		loop->decl = end->arg[i]->decl;
		loop->value = end->arg[i];
		if (takes_end(end, loop) && reader_loop_step(step, loop))
			found = end;
	}
	return found;
}

/* The same for a loop that a real scalar ends: "end", if "step" counts its iterations. */
static struct c_expr *count_along(struct c_expr *end, struct c_stmt *loop, const struct c_stmt *step)
{
	loop->decl = step->target->decl;
	loop->value = step->target;
	loop->op = OP_LT;
	return loop->decl->type == C_INT && reader_compares_real(end) && reader_loop_step(step, loop) &&
		loop->step == 1 ? end : NULL;
}

/* Take the statement of "body" that advances the counter out of it: what "find" finds with it; NULL: there is none. */
static struct c_expr *take_step(struct c_stmt *body, struct c_expr *end, struct c_stmt *loop,
	struct c_expr *(*find)(struct c_expr *end, struct c_stmt *loop, const struct c_stmt *step))
{
	for (struct c_stmt **link = &body->body; body->kind == CS_BLOCK && *link; link = &(*link)->next) {
		struct c_expr *found = may_come_last(*link) ? find(end, loop, *link) : NULL;

		if (!found)
			continue;
		*link = (*link)->next;
		loop->body = body;
		loop->is_while = true;
		return found;
	}
	return NULL;
}

struct c_stmt *reader_while(struct reader *r, struct c_stmt *loop,
	struct c_expr *end, struct c_stmt *body, bool is_do)
{
	struct c_expr *bound = take_step(body, end, loop, find_counter);

	loop->is_do = is_do;
	if (bound) {
		loop->entry = beside(r, end, bound);
		end_by(r, loop, loop->entry);
		loop->holds = loop->entry ? end : NULL;
		if (is_do)
			loop->entry = bound;
	} else if (take_step(body, end, loop, count_along)) {
		loop->bound = c_variable(r->mem, new_integer(r, loop, "stencilc_end"), C_INT, loop->at);
		loop->holds = end;
	} else if (reader_compares_real(end)) {
		reader_count(r, loop, end, body);
	} else {
		loop->kind = CS_BAD;
		loop->what = "a 'while' loop that is not 'while (i < b && ..) "
			"{ ..; i += c; }' with a constant step";
	}
	return loop;
}

#endif

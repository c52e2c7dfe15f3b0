/* Variables that a region advances, as p++ and k += m, in closed form.
 *
 * Such a variable keeps its first value, and each use adds what it has advanced until there: in
 * the loop "for (j = a; ..; j++) *p++ = 0;" it is p[j - a].  Behind a loop it has advanced as
 * often as the loop runs if its bound is not below its start, which the emitted file asks.
 * A variable whose uses cannot all be told stays as it is.
 */
#include "frontend/c/closed.h"
#include "frontend/c/walk.h"

#include <limits.h>

enum { MAX_CROSSED = 8 };

/* What has happened to the variable up to a statement. */
struct advance {
	bool is_known;		/* it is its value, "by" further */
	bool is_set;		/* and that is a new one */
	struct c_expr *by;	/* NULL: 0 */
	const struct c_expr *from;	/* the value itself; NULL: unseen */
	int n_crossed;		/* loops that "by" counts as a whole */
	struct c_stmt *crossed[MAX_CROSSED];
};

struct closing {
	struct region *mem;
	const struct c_decl *v;
	struct c_decl *now;	/* stands for it: of a pointer, its latest value */
	const struct c_stmt *body;	/* of the region */
	int depth;		/* loops around the statement at hand */
	bool tries;		/* nothing is noted for good */
	bool marks;		/* loops are crossed, whatever is used */
	bool fails;
	struct advance at;
};

/* Expressions ---------------------------------------------------------------*/

static struct c_expr *number(struct closing *c, int64_t value, struct span at)
{
	struct c_expr *e = c_leaf(c->mem, CX_INT, C_INT, at);

	e->value = value;
	return e;
}

static struct c_expr *binary(struct closing *c, enum op op, struct c_expr *a,
	struct c_expr *b)
{
	enum c_type type = is_integer(a->type) && is_integer(b->type) ?
		c_common_type(a->type, b->type) : C_OTHER;

	return c_binary(c->mem, op, type, a, b, a->at);
}

/* a + b, where each may be NULL, 0 */
static struct c_expr *sum(struct closing *c, struct c_expr *a,
	struct c_expr *b)
{
	if (a && b && a->kind == CX_INT && b->kind == CX_INT &&
	    a->value < INT_MAX && b->value < INT_MAX &&
	    a->value > INT_MIN && b->value > INT_MIN)
		return number(c, a->value + b->value, a->at);
	return !a ? b : !b ? a : binary(c, OP_ADD, a, b);
}

static bool mentions(const struct c_expr *e, const struct c_decl *d)
{
	const struct c_decl *of = e->decl;

	while (of && of != d && of->member)
		of = of->member->of;
	if (of && of == d)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (mentions(e->arg[i], d))
			return true;
	return false;
}

/* Do only operators on variables and numbers make up "e"? */
static bool is_plain(const struct c_expr *e)
{
	if (e->kind != CX_VAR && e->kind != CX_INT && e->kind != CX_BINARY &&
	    e->kind != CX_UNARY && e->kind != CX_CAST)
		return false;
	if (e->kind == CX_UNARY && e->op != OP_NEG)
		return false;
	if (!is_integer(e->type))
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_plain(e->arg[i]))
			return false;
	return true;
}

static bool assigns(const struct c_stmt *body, const struct c_decl *d)
{
	for (; body; body = body->next)
		if (((body->kind == CS_FOR || body->kind == CS_DECLARE) &&
		     body->decl == d) || (body->kind == CS_ASSIGN &&
		     body->target->kind == CX_VAR && body->target->decl == d) ||
		    assigns(body->body, d) || assigns(body->otherwise, d))
			return true;
	return false;
}

/* Is "e" a sum that has the same value wherever its loops run? */
static bool is_steady(const struct closing *c, const struct c_expr *e)
{
	if (e->kind == CX_VAR && (e->decl == c->v || e->decl->is_volatile ||
	    c_assigns(c->body, e->decl)))
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_steady(c, e->arg[i]))
			return false;
	return is_plain(e);
}

/* Does "body" change a variable of "e"? */
static bool changes(const struct c_stmt *body, const struct c_expr *e)
{
	if (e->kind == CX_VAR && assigns(body, e->decl))
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (changes(body, e->arg[i]))
			return true;
	return false;
}

static bool breaks(const struct c_stmt *body)
{
	for (; body; body = body->next)
		if (body->kind == CS_BREAK || body->kind == CS_BAD ||
		    (body->kind != CS_FOR && (breaks(body->body) ||
		     breaks(body->otherwise))))
			return true;
	return false;
}

static bool block_mentions(const struct c_stmt *body, const struct c_decl *d)
{
	for (; body; body = body->next) {
		const struct c_expr *const all[] = {
			body->target, body->value, body->bound,
			body->condition
		};

		for (int i = 0; i < 4; i++)
			if (all[i] && mentions(all[i], d))
				return true;
		if (block_mentions(body->body, d) ||
		    block_mentions(body->otherwise, d))
			return true;
	}
	return false;
}

static void use(struct closing *c)
{
	if (!c->at.is_known)
		c->fails = true;
	for (int i = 0; i < c->at.n_crossed && !c->tries; i++)
		c->at.crossed[i]->is_crossed = true;
}

/* Uses that no sum stands for: of its address or members, and in ({ .. }). */
static bool is_beyond(const struct closing *c, const struct c_expr *e)
{
	if (e->decl && e->decl->member && mentions(e, c->v) &&
	    e->decl != c->v)
		return true;
	if (e->kind == CX_UNARY && e->op == C_OP_ADDRESS &&
	    e->arg[0]->kind == CX_VAR && e->arg[0]->decl == c->v)
		return true;
	return e->kind == CX_CALL && e->function && e->function->is_block &&
		block_mentions(e->function->body, c->v);
}

/* "e" with sums for the variable; NULL stays. */
static struct c_expr *close_expr(struct closing *c, struct c_expr *e)
{
	struct c_expr *copy;

	if (!e)
		return e;
	if (is_beyond(c, e))
		c->fails = true;
	copy = region_new_of(c->mem, struct c_expr);
	*copy = *e;
	copy->arg = region_array(c->mem, struct c_expr *, e->n_args + 1);
	for (int i = 0; i < e->n_args; i++)
		copy->arg[i] = close_expr(c, e->arg[i]);
	if (e->decl != c->v)
		return copy;
	use(c);
	copy->decl = c->now;
	if (e->kind == CX_ELEMENT)
		copy->arg[0] = sum(c, c->at.by, copy->arg[0]);
	else if (c->at.by)
		return binary(c, OP_ADD, copy, c->at.by);
	return copy;
}

/* Statements ----------------------------------------------------------------*/

static struct c_stmt *close_list(struct closing *c, const struct c_stmt *s);

static void forget(struct closing *c)
{
	c->at.is_known = false;
	c->at.by = NULL;
	c->at.from = NULL;
	c->at.n_crossed = 0;
}

static void set_anew(struct closing *c)
{
	c->at = (struct advance) { .is_known = true, .is_set = true };
}

/* Is "s" v += .. or v = v + ..?  "op" and "by" tell which. */
static bool is_advance(const struct c_stmt *s, const struct c_decl *v,
	int *op, struct c_expr **by)
{
	const struct c_expr *value = s->value;
	bool swapped;

	if (s->kind != CS_ASSIGN || s->target->kind != CX_VAR ||
	    s->target->decl != v)
		return false;
	*op = s->op;
	*by = s->value;
	if (s->op == C_OP_NONE) {
		if (value->kind != CX_BINARY)
			return false;
		*op = value->op;
		swapped = *op == OP_ADD && value->arg[1]->decl == v;
		*by = value->arg[!swapped];
		value = value->arg[swapped];
		if (value->kind != CX_VAR || value->decl != v)
			return false;
	}
	return *op == OP_ADD || *op == OP_SUB;
}

/* By how much "s" advances the variable; NULL: it does something else. */
static struct c_expr *advance_of(struct closing *c, const struct c_stmt *s)
{
	struct c_expr *by;
	int op;

	if (!is_advance(s, c->v, &op, &by) || !is_steady(c, by))
		return NULL;
	if (op == OP_ADD)
		return by;
	if (by->kind == CX_INT)
		return number(c, -by->value, by->at);
	by = c_node(c->mem, CX_UNARY, by->type, 1, &by, by->at);
	by->op = OP_NEG;
	return by;
}

/* A new value: of a pointer, as another one that does not move. */
static struct c_stmt *close_value(struct closing *c, const struct c_stmt *s)
{
	struct c_stmt *copy = c_alone(c->mem, s);
	struct c_decl *d;

	copy->value = close_expr(c, s->value);
	if (!c->v->n_dims) {
		if (copy->value)
			set_anew(c);
		else
			forget(c);
		c->at.is_set = true;
		return copy;
	}
	if (!copy->value) {
		forget(c);
		c->at.is_set = true;
		return NULL;
	}
	d = region_new_of(c->mem, struct c_decl);
	*d = *c->v;
	d->is_inside = true;
	d->is_global = false;
	d->members = NULL;
	copy->kind = CS_DECLARE;
	copy->decl = c->now = d;
	copy->target = NULL;
	copy->op = C_OP_NONE;
	if (copy->value->kind == CX_VAR)
		copy->value = binary(c, OP_ADD, copy->value,
			number(c, 0, copy->value->at));
	set_anew(c);
	c->at.from = copy->value;
	return copy;
}

/* How many times, multiplied by "by", the loop "s" has been around before its variable has the
 * value "v"; NULL: unknown.
 */
static struct c_expr *times_until(struct closing *c, const struct c_stmt *s,
	struct c_expr *v, struct c_expr *by)
{
	struct c_expr *n = s->step > 0 ? binary(c, OP_SUB, v, s->value) :
		binary(c, OP_SUB, s->value, v);
	int64_t step = s->step > 0 ? s->step : -s->step;

	if (step > 1 && (by->kind != CX_INT || by->value % step))
		return NULL;
	if (step > 1)
		by = number(c, by->value / step, by->at);
	return by->kind == CX_INT && by->value == 1 ? n :
		binary(c, OP_MUL, by, n);
}

/* The value of the variable of the loop "s" behind it, if that ran at all; steps by 1. */
static struct c_expr *last_of(struct closing *c, const struct c_stmt *s)
{
	if (s->op == OP_LE)
		return binary(c, OP_ADD, s->bound, number(c, 1, s->bound->at));
	if (s->op == OP_GE)
		return binary(c, OP_SUB, s->bound, number(c, 1, s->bound->at));
	return s->bound;
}

/* The loop "s", whose iterations advance the variable by "one". */
static void advance_loop(struct closing *c, struct c_stmt *s,
	const struct c_stmt *body, const struct advance *one)
{
	struct c_expr *v = c_variable(c->mem, s->decl, s->decl->type, s->at);
	struct c_expr *by = one->by;
	bool is_told = is_steady(c, by) && is_steady(c, s->value) &&
		!changes(body, by) && !changes(body, s->value) &&
		!mentions(by, s->decl) && !mentions(s->value, s->decl) &&
		c->at.is_known;
	struct c_expr *before = is_told ? times_until(c, s, v, by) : NULL;
	struct advance behind = c->at;
	bool marks = c->marks;

	if (!before) {
		forget(c);
		s->body = close_list(c, body);
		forget(c);
		return;
	}
	c->at.by = sum(c, c->at.by, before);
	c->marks |= one->n_crossed > 0;
	s->body = close_list(c, body);
	c->marks = marks;
	c->at = behind;
	if ((s->step != 1 && s->step != -1) || breaks(body) || c->depth < 2 ||
	    !is_steady(c, s->bound) || changes(body, s->bound) ||
	    mentions(s->bound, s->decl) || behind.n_crossed == MAX_CROSSED) {
		forget(c);
		return;
	}
	s->is_crossed |= marks && !c->tries;
	c->at.by = sum(c, behind.by, times_until(c, s, last_of(c, s), by));
	c->at.crossed[c->at.n_crossed++] = s;
}

/* What the statements do to the variable. */
static struct advance advance_in(struct closing *c, const struct c_stmt *body)
{
	struct closing trial = *c;

	trial.tries = true;
	trial.at = (struct advance) { .is_known = true };
	close_list(&trial, body);
	return trial.at;
}

static struct c_stmt *close_loop(struct closing *c, const struct c_stmt *s)
{
	struct c_stmt *copy = c_alone(c->mem, s);
	struct advance body = advance_in(c, s->body);
	bool moves = body.by || body.is_set || !body.is_known;

	copy->is_closed |= (c->at.by || c->now != c->v) &&
		((!s->is_while && mentions(s->value, c->v)) || mentions(s->bound, c->v));
	copy->value = close_expr(c, s->value);
	if (moves && (mentions(s->bound, c->v) || s->decl == c->v))
		c->fails = true;
	if (s->decl == c->v)
		set_anew(c);
	if ((c->at.by && mentions(c->at.by, s->decl)) ||
	    (c->at.from && mentions(c->at.from, s->decl)))
		forget(c);
	copy->bound = close_expr(c, s->bound);
	copy->condition = close_expr(c, s->condition);
	c->depth++;
	if (!moves) {
		copy->body = close_list(c, s->body);
	} else if (!body.is_set && body.is_known) {
		advance_loop(c, copy, s->body, &body);
	} else {
		forget(c);
		copy->body = close_list(c, s->body);
		forget(c);
		c->at.is_set = true;
	}
	c->depth--;
	return copy;
}

static bool same_advance(const struct advance *a, const struct advance *b)
{
	return a->is_known && b->is_known && !a->is_set && !b->is_set &&
		(a->by && b->by ? c_same(a->by, b->by) : a->by == b->by);
}

static struct c_stmt *close_if(struct closing *c, const struct c_stmt *s)
{
	struct c_stmt *copy = c_alone(c->mem, s);
	struct advance before, then;
	struct c_decl *now = c->now;

	copy->condition = close_expr(c, s->condition);
	before = c->at;
	c->at.is_set = false;
	copy->body = close_list(c, s->body);
	then = c->at;
	c->at = before;
	c->at.is_set = false;
	c->now = now;
	copy->otherwise = close_list(c, s->otherwise);
	if (!same_advance(&then, &c->at)) {
		forget(c);
		c->at.is_set = true;
	} else {
		c->at.is_set = before.is_set;
	}
	c->now = now;
	return copy;
}

/* "s" in closed form; NULL: nothing is left of it. */
static struct c_stmt *close_stmt(struct closing *c, const struct c_stmt *s)
{
	struct c_expr *by = advance_of(c, s);
	struct c_stmt *copy;

	if (by) {
		c->at.by = sum(c, c->at.by, by);
		return NULL;
	}
	switch (s->kind) {
	case CS_FOR:
		return close_loop(c, s);
	case CS_IF:
		return close_if(c, s);
	case CS_DECLARE:
		if (s->decl == c->v)
			return close_value(c, s);
		break;
	case CS_ASSIGN:
		if (s->target->kind != CX_VAR || s->target->decl != c->v)
			break;
		if (s->op != C_OP_NONE)
			c->fails = true;
		return close_value(c, s);
	default:
		break;
	}
	copy = c_alone(c->mem, s);
	copy->target = close_expr(c, s->target);
	copy->value = close_expr(c, s->value);
	copy->condition = close_expr(c, s->condition);
	copy->body = close_list(c, s->body);
	return copy;
}

static struct c_stmt *close_list(struct closing *c, const struct c_stmt *s)
{
	struct c_stmt *first = NULL, **link = &first;

	for (; s && !c->fails; s = s->next) {
		*link = close_stmt(c, s);
		if (*link)
			link = &(*link)->next;
	}
	return first;
}

/* The variables --------------------------------------------------------------*/

static bool is_seen(const struct c_region *region, const struct c_decl *d)
{
	return !d->is_inside && (d->member || d->is_volatile || is_read_behind(region, d));
}

/* Can "d" be advanced in closed form, seen from outside of the region? */
static bool may_advance(const struct c_region *region, const struct c_decl *d)
{
	return !is_seen(region, d) && d->type != C_OTHER && !d->has_rows &&
		(d->n_dims ? d->n_dims == 1 && d->is_pointer :
		 is_integer(d->type) && !is_narrow(d->type));
}

struct tried {
	const struct c_decl *decl;
	struct tried *next;
};

static bool is_tried(const struct tried *t, const struct c_decl *d)
{
	while (t && t->decl != d)
		t = t->next;
	return t;
}

/* A variable that is advanced and has not been tried; NULL: there is none. */
static const struct c_decl *next_advanced(const struct c_region *region,
	const struct c_stmt *body, const struct tried *tried)
{
	const struct c_decl *found = NULL;

	for (; body && !found; body = body->next) {
		const struct c_decl *v = c_assigned(body);
		struct c_expr *by;
		int op;

		if (v && may_advance(region, v) && !is_tried(tried, v) &&
		    is_advance(body, v, &op, &by))
			found = v;
		if (!found)
			found = next_advanced(region, body->body, tried);
		if (!found)
			found = next_advanced(region, body->otherwise, tried);
	}
	return found;
}

/* "body" with "v" in closed form; NULL: not all uses can be told. */
static struct c_stmt *close_one(struct region *mem, const struct c_decl *v,
	const struct c_stmt *body)
{
	struct closing c = {
		.mem = mem, .v = v, .now = (struct c_decl *) v, .body = body,
		.at = { .is_known = true },
	};
	struct c_stmt *closed = close_list(&c, body);

	return c.fails ? NULL : closed;
}

void close_advances(struct region *mem, struct c_region *region)
{
	struct tried *tried = NULL, *one;
	struct c_stmt *closed;
	const struct c_decl *v;

	while ((v = next_advanced(region, region->body, tried))) {
		one = region_new_of(mem, struct tried);
		one->decl = v;
		one->next = tried;
		tried = one;
		closed = close_one(mem, v, region->body);
		if (closed)
			region->body = closed;
	}
}

struct c_stmt *close_function(struct region *mem, struct c_stmt *body)
{
	struct c_region whole = { .body = body };

	whole.at.end = UINT_MAX;
	close_advances(mem, &whole);
	return whole.body;
}

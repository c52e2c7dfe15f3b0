/* Walk statements once, and note who writes what where. */
#include "frontend/c/carried.h"
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/split.h"
#include "frontend/c/walk.h"

#include <string.h>

enum {
	MOST_NESTS = 8,		/* colours of all corners of a cube */
	MOST_PLACES = 2		/* more parameters take minutes to compile */
};

/* Loops --------------------------------------------------------------------*/

/* The value of "e"; says whether it is compared as unsigned. */
static bool bound_of(struct stencil *s, const struct c_expr *e,
	bool wraps, struct poly *value)
{
	struct c_expr *bound = resolve(s, e);

	if (!bound || (wraps && !check_wraps(s, e, bound)))
		return false;
	if (poly_of(s, bound, value))
		return true;
	return refuse(s, E_NOT_AFFINE, e->at, "the bound '%s' is not a sum of "
		"variables with constant factors", c_quote(s, e->at));
}

/* Starts with remainders -------------------------------------------------- */

/* The remainder in the sum "e" by a positive number; or NULL. */
static const struct c_expr *remainder_in(const struct c_expr *e)
{
	const struct c_expr *found = NULL;

	if (e->kind == CX_BINARY && e->op == OP_MOD &&
	    e->arg[1]->kind == CX_INT && e->arg[1]->value > 0)
		return e;
	if (e->kind != CX_BINARY || (e->op != OP_ADD && e->op != OP_SUB))
		return NULL;
	for (int i = 0; i < e->n_args && !found; i++)
		found = remainder_in(e->arg[i]);
	return found;
}

static struct c_expr *number(struct stencil *s, int64_t value, struct span at)
{
	struct c_expr *e = c_leaf(s->mem, CX_INT, C_INT, at);

	e->value = value;
	return e;
}

/* "e" with remainders of sums without numbers that count nothing: (i + 0) % 2 is i % 2. */
static struct c_expr *simpler(struct stencil *s, struct c_expr *e)
{
	struct poly p;

	if (e->kind == CX_BINARY && e->op == OP_MOD && poly_of(s, e->arg[0],
	    &p))
		return c_binary(s->mem, OP_MOD, e->type, expr_of_poly(s, &p,
			e->at), e->arg[1], e->at);
	if (e->kind != CX_BINARY || (e->op != OP_ADD && e->op != OP_SUB))
		return e;
	return c_binary(s->mem, e->op, e->type, simpler(s, e->arg[0]),
		simpler(s, e->arg[1]), e->at);
}

/* "e" with 0 in place of "part". */
static struct c_expr *without(struct stencil *s, struct c_expr *e,
	const struct c_expr *part)
{
	if (e == part)
		return number(s, 0, e->at);
	if (e->kind != CX_BINARY)
		return e;
	return c_binary(s->mem, e->op, e->type, without(s, e->arg[0], part),
		without(s, e->arg[1], part), e->at);
}

/* A loop that starts at "start", as 1 + i % 2: it counts from the least possible start, and
 * conditions leave out what C's loop leaves out.
 */
static bool start_at_remainder(struct stencil *s, const struct c_stmt *stmt,
	struct c_loop *loop, struct c_expr *start)
{
	const struct c_expr *part = remainder_in(start);
	struct poly less;

	if (!part || stmt->step < 0 || !has_writes(s, stmt->body) ||
	    !poly_of(s, without(s, start, part), &loop->begin))
		return false;
	less = poly_constant(part->arg[1]->value - 1);
	loop->start = start;
	loop->every = stmt->step;
	return poly_add(&loop->begin, &less, -1);
}

/* start <= v, and v - start is a multiple of "every" */
static struct c_expr *is_on_loop(struct stencil *s, const struct c_loop *loop)
{
	struct c_expr *v = c_variable(s->mem, loop->decl, C_INT, loop->at);
	struct c_expr *from = c_binary(s->mem, OP_SUB, C_INT, v, loop->start,
		loop->at);
	struct c_expr *on = c_binary(s->mem, OP_EQ, C_INT, c_binary(s->mem,
		OP_MOD, C_INT, from, number(s, loop->every, loop->at),
		loop->at), number(s, 0, loop->at), loop->at);

	return c_binary(s->mem, OP_AND, C_INT, c_binary(s->mem, OP_GE, C_INT,
		v, loop->start, loop->at), on, loop->at);
}

static bool check_counter(struct stencil *s, const struct c_stmt *loop)
{
	if (!is_assigned(loop->body, loop->decl))
		return true;
	refuse(s, E_C_CONSTRUCT, loop->at, "the body of this loop assigns its "
		"counter '%s'", loop->decl->name);
	diag_advice(s->diags, "a loop counts from its first value to its "
		"bound in equal steps");
	return false;
}

/* The range of "stmt", resolved in the place around it.  From here on a scalar
 * may have a value that an iteration has given it: the condition at the start
 * of each iteration sees that, too.  The lower end of an unsigned range must
 * not have wrapped; if the upper one had, C would leave the array.
 */
static bool refuse_count(struct stencil *s, const struct c_stmt *loop)
{
	refuse(s, E_C_CONSTRUCT, loop->at, "'%s' does not say how often this loop runs before it does",
		c_quote(s, loop->holds->at));
	diag_advice(s->diags, "count the steps too, '%s && n < most' and 'n++'; or let a statement of its own change the "
		"scalar, once in each step and by what no step computes, as 't += dt'", c_quote(s, loop->holds->at));
	return false;
}

bool walk_range(struct stencil *s, const struct c_stmt *stmt,
	struct c_loop *loop)
{
	struct poly start, bound;
	const struct poly one = poly_constant(1);
	bool wraps = is_unsigned(stmt->decl->type) ||
		is_unsigned(stmt->bound->type), down = stmt->step < 0;

	const struct c_expr *from;
	struct c_expr *first;

	if (stmt->holds && !stmt->condition && !counts_carried(s, stmt))
		return refuse_count(s, stmt);
	if (!check_counter(s, stmt))
		return false;
	from = start_of(s, stmt);
	if (!from)
		return false;
	first = wraps || down || !remainder_in(from) ? NULL : resolve(s, from);
	first = first ? simpler(s, first) : NULL;
	if (first && start_at_remainder(s, stmt, loop, first))
		start = loop->begin;
	else if (!bound_of(s, from, wraps && !down, &start))
		return false;
	forget_assigned(s, stmt->body, C_LOST_CARRIED);
	if (!bound_of(s, stmt->bound, wraps && down, &bound))
		return false;
	loop->decl = stmt->decl;
	loop->at = stmt->at;
	loop->stmt = stmt;
	loop->down = down;
	loop->step = loop->start ? 1 : loop->down ? -stmt->step : stmt->step;
	loop->begin = loop->down ? bound : start;
	loop->end = loop->down ? start : bound;
	if (loop->down ? stmt->op == OP_GT && !poly_add(&loop->begin, &one, 1) :
	    stmt->op == OP_LE && !poly_add(&loop->end, &one, 1))
		return false;
	if (loop->down && !poly_add(&loop->end, &one, 1))
		return false;
	return !stmt->is_crossed || ask_for_iterations(s, loop);
}

static void bind_number(struct stencil *s, const struct c_loop *loop,
	int64_t v)
{
	struct c_expr *value = c_leaf(s->mem, CX_INT, loop->decl->type,
		loop->at);

	value->value = v;
	bind_value(s, loop->decl, value);
}

/* A loop over the terms of a sum, or over nests: unroll it. */
static bool unroll(struct stencil *s, const struct c_loop *loop, int64_t begin,
	int64_t end)
{
	int64_t v = loop->down ? end - 1 : begin;
	int64_t step = loop->down ? -loop->step : loop->step;

	for (; v >= begin && v < end; v += step) {
		bind_number(s, loop, v);
		if (!walk(s, loop->stmt->body))
			return false;
		s->at.copy++;
	}
	bind_number(s, loop, v);
	return true;
}

/* Does an element that "body" writes have "counter" in a subscript? */
static bool writes_at(const struct c_stmt *body, const struct c_decl *counter)
{
	for (; body; body = body->next) {
		const struct c_expr *to = body->kind == CS_ASSIGN ?
			body->target : NULL;

		for (int i = 0; to && to->kind == CX_ELEMENT && i < to->n_args;
		     i++)
			if (uses_variable(to->arg[i], counter))
				return true;
		if (writes_at(body->body, counter) ||
		    writes_at(body->otherwise, counter))
			return true;
	}
	return false;
}

/* Is "loop" one of a few around nests, each of which has points of its own, as colours, or a few places
 * that data give?
 */
static bool counts_nests(const struct stencil *s, const struct c_loop *loop,
	int64_t n)
{
	if (s->at.place.loop || n > MOST_NESTS)
		return false;
	return lists_places(loop->stmt->body, loop->decl) ? n <= MOST_PLACES :
		!writes_at(loop->stmt->body, loop->decl);
}

static bool walk_under(struct stencil *s, const struct c_stmt *body,
	struct c_expr *condition, bool negated);

static bool walk_loop(struct stencil *s, const struct c_stmt *stmt)
{
	struct c_loop *loop = region_new_of(s->mem, struct c_loop);
	struct c_place outside = s->at.place;
	struct c_binding *before = s->at.bindings;
	int64_t begin, end;
	bool done;

	if (stmt->condition)
		return refuse(s, E_C_CONSTRUCT, stmt->condition->at, "a "
			"'break' has no place in a loop over points");
	if (stmt->entry)
		return refuse(s, E_C_CONSTRUCT, stmt->at, "a 'do' loop has no "
			"place over points: its first iteration comes in any "
			"case");
	if (!walk_range(s, stmt, loop))
		return false;
	if (!loop->start && poly_is_constant(&loop->begin, &begin) &&
	    poly_is_constant(&loop->end, &end) && end - begin <= MAX_UNROLL &&
	    (!has_writes(s, stmt->body) || reads_table(stmt->body, stmt->decl) ||
	     counts_parts(stmt->body, stmt->decl, end) || counts_members(stmt->body, stmt->decl) ||
	     counts_nests(s, loop, end - begin))) {
		s->at.bindings = before;
		return unroll(s, loop, begin, end);
	}
	if (is_list(s, stmt, loop))
		return walk_list(s, stmt, loop);
	loop->outer = s->at.place.loop;
	loop->depth = loop->outer ? loop->outer->depth + 1 : 1;
	if (loop->depth > IR_MAX_DIMS)
		return refuse(s, E_TOO_LARGE, stmt->at, "loops are nested "
			"more than %d deep", IR_MAX_DIMS);
	s->at.place.loop = loop;
	done = loop->start ? walk_under(s, stmt->body, is_on_loop(s, loop),
		false) : walk(s, stmt->body);
	s->at.place.loop = outside.loop;
	forget_assigned(s, stmt->body, C_LOST_LOOP);
	forget_value(s, stmt->decl, C_LOST_LOOP, stmt->at);
	return done;
}

/* Conditions ---------------------------------------------------------------*/

static bool walk_under(struct stencil *s, const struct c_stmt *body,
	struct c_expr *condition, bool negated)
{
	struct c_condition *c = region_new_of(s->mem, struct c_condition);
	const struct c_condition *outer = s->at.place.condition;
	bool done;

	c->expr = condition;
	c->negated = negated;
	c->outer = outer;
	c->depth = outer ? outer->depth + 1 : 1;
	s->at.place.condition = c;
	done = walk(s, body);
	s->at.place.condition = outer;
	return done;
}

/* Both ways, each from what held before. */
static bool walk_ways(struct stencil *s, const struct c_stmt *stmt,
	struct c_expr *condition)
{
	struct c_binding *before = s->at.bindings;
	struct c_join join;

	join_begin(s, &join, condition);
	if (!walk_under(s, stmt->body, condition, false))
		return false;
	join.then = s->at.bindings;
	s->at.bindings = before;
	if (stmt->otherwise &&
	    !walk_under(s, stmt->otherwise, condition, true))
		return false;
	join.otherwise = s->at.bindings;
	s->at.bindings = before;
	join_assigned(s, stmt->body, &join);
	join_assigned(s, stmt->otherwise, &join);
	return true;
}

static bool walk_if(struct stencil *s, const struct c_stmt *stmt)
{
	struct c_expr *condition = is_result_choice(s, stmt) ? NULL :
		resolve(s, stmt->condition);
	bool was_in_condition = s->at.in_condition;
	bool value, done;

	if (is_result_choice(s, stmt))
		return choose_result(s, stmt);
	if (!condition)
		return false;
	s->at.in_condition = true;
	done = is_decided(s, condition, &value) ?
		walk(s, value ? stmt->body : stmt->otherwise) :
		walk_ways(s, stmt, condition);
	s->at.in_condition = was_in_condition;
	return done;
}

/* Assignments --------------------------------------------------------------*/

/* "target OP value", for "target OP= value" */
static struct c_expr *updated(struct stencil *s, const struct c_stmt *stmt)
{
	bool shifts = stmt->op == OP_SHIFT_LEFT || stmt->op == OP_SHIFT_RIGHT;
	enum c_type to;

	if (stmt->op == C_OP_NONE)
		return stmt->value;
	to = c_common_type(stmt->target->type, shifts ? C_INT :
		stmt->value->type);
	return c_binary(s->mem, stmt->op, to, stmt->target, stmt->value,
		stmt->at);
}

/* Is "e" of a logical operator, so 0 or 1? */
static bool is_truth(const struct c_expr *e)
{
	return e->type == C_INT && ((e->kind == CX_BINARY &&
		(c_op_compares(e->op) || e->op == OP_AND || e->op == OP_OR)) ||
		(e->kind == CX_UNARY && e->op == OP_NOT));
}

/* Is "e" computed from data, so that it is worth a name of its own?  Then sets are not made of it. */
static bool is_computed(const struct c_expr *e)
{
	return e->kind == CX_BINARY && !c_op_compares(e->op) &&
		e->op != OP_AND && e->op != OP_OR && is_of_data(e);
}

/* "e", the value of "value", as an integer of the type of "d". */
static bool assign_integer(struct stencil *s, const struct c_decl *d,
	const struct c_expr *value, struct c_expr *e)
{
	bool is_real = !is_integer(value->type);

	if (d->type == C_BOOL && !is_truth(value)) {
		refuse(s, E_C_TYPE, value->at, "'%s' has the type '%s', which "
			"may not have the value '%s'", d->name, d->type_name,
			c_quote(s, value->at));
		diag_advice(s->diags, "use int");
		return false;
	}
	if (d->type == C_INT || (is_narrow(d->type) && is_truth(value))) {
		if (is_unsigned(value->type) && !check_wraps(s, value, e))
			return false;
		e = is_real || (is_beyond_int(value->type) && is_of_data(e)) ?
			c_converted(s->mem, e, C_INT) : e;
		bind_value(s, d, is_computed(e) ? temp_value(s, d, e) : e);
		return true;
	}
	if (is_real || is_of_data(e) || is_narrow(d->type)) {
		bind_value(s, d, temp_value(s, d, c_converted(s->mem, e,
			d->type)));
		return true;
	}
	if (d->type != value->type && (is_unsigned(d->type) ||
	    is_unsigned(value->type)) && !check_wraps(s, value, e))
		return false;
	bind_value(s, d, e);
	return true;
}

static bool assign_scalar(struct stencil *s, const struct c_decl *d,
	struct c_expr *value)
{
	struct c_result *result = find_result(s, d);
	struct c_expr *e;

	if (result && s->at.place.phase >= 0)
		return s->at.place.loop ? add_to_result(s, result, value) :
			begin_result(s, result, value);
	e = resolve(s, value);
	if (!e)
		return false;
	if (d->type == C_OTHER)
		return refuse(s, E_C_TYPE, value->at, "'%s' has the type "
			"'%s'", d->name, d->type_name);
	if (is_too_long(e))
		return refuse_too_long(s, d, value->at);
	if (is_integer(d->type))
		return assign_integer(s, d, value, e);
	bind_value(s, d, temp_value(s, d, c_converted(s->mem, e, d->type)));
	return true;
}

static bool same_size(const struct c_expr *a, const struct c_expr *b)
{
	return a && b && c_same(a, b);
}

/* Is the pointer "d" used as one struct, not as an array of them? */
static bool is_of_struct(const struct c_decl *d)
{
	const struct c_decl *m = d->members;

	while (m && m->member->is_each)
		m = m->next;
	return m || (d->member && d->member->is_behind);
}

/* Do the elements of "a" and "b" have one type, and their rows one length? */
static bool same_layout(const struct c_decl *a, const struct c_decl *b)
{
	if (a->type != b->type || (a->type == C_OTHER && strcmp(a->type_name,
	    b->type_name) != 0) || a->n_dims != b->n_dims ||
	    a->has_rows != b->has_rows)
		return false;
	for (int d = 1; d < a->n_dims && !a->has_rows; d++)
		if (!same_size(a->size[d], b->size[d]))
			return false;
	return true;
}

static bool assign_pointer(struct stencil *s, const struct c_decl *d,
	const struct c_expr *value)
{
	const struct c_decl *object;

	while (value->kind == CX_CAST && value->n_args == 1)
		value = value->arg[0];
	if (is_of_struct(d))
		return refuse(s, E_C_CONSTRUCT, value->at, "the pointer '%s' "
			"moves, and it is of structs", c_name(d));
	if (value->kind != CX_VAR || !value->decl->n_dims || s->at.place.loop ||
	    s->at.in_condition) {
		refuse(s, E_C_CONSTRUCT, value->at, "what the pointer '%s' "
			"points to from here on cannot be told", d->name);
		diag_advice(s->diags, "let it advance by the same in each "
			"iteration, from a place that keeps its value, or "
			"write subscripts");
		return false;
	}
	if (s->at.place.phase < 0 && !d->is_inside) {
		refuse(s, E_C_CONSTRUCT, value->at, "the pointer '%s' gets "
			"its value before the time loop", d->name);
		diag_advice(s->diags, "assign it before '#pragma scop'");
		return false;
	}
	object = object_of(s, value->decl, value->at);
	if (!same_layout(d, object)) {
		refuse(s, E_C_TYPE, value->at, "'%s' has another type or "
			"shape than '%s', which it should point to", d->name,
			object->name);
		diag_note(s->diags, object->at, "'%s' is declared here",
			object->name);
		return false;
	}
	bind_object(s, d, object);
	return true;
}

static bool assign_record(struct stencil *s, const struct c_stmt *stmt)
{
	const struct c_expr *to = stmt->target;
	const struct c_decl *object = object_of(s, to->decl, to->at);
	struct c_record *r = region_new_of(s->mem, struct c_record), **link;

	r->field = check_array(s, to, object, true) ?
		field_of(s, object, NO_SLOT, (struct c_part) { 0 }) :
		NULL;
	r->value = r->field ? resolve(s, stmt->value) : NULL;
	if (!r->value)
		return false;
	for (int i = 0; i < to->n_args; i++) {
		r->sub[i] = resolve(s, to->arg[i]);
		if (!r->sub[i])
			return false;
	}
	if (is_integer(object->type))
		r->value = c_converted(s->mem, r->value, object->type);
	r->field->is_record = r->field->is_written = true;
	r->place = s->at.place;
	r->at = to->at;
	for (link = &s->recorded.first; *link; link = &(*link)->next)
		;
	*link = r;
	return true;
}

/* Fields of other integers than int convert stored values themselves. */
static struct c_expr *as_stored(struct stencil *s, enum c_type type,
	struct c_expr *value)
{
	return type == C_INT ? c_converted(s->mem, value, C_INT) : value;
}

/* Statements are told apart by their places: copies of one end at different characters. */
static struct span place_of_copy(const struct stencil *s, struct span at)
{
	unsigned most = (unsigned) s->source->length - at.end;
	unsigned by = s->at.place.loop ? (unsigned) s->at.copy : 0;

	at.end += by < most ? by : most;
	return at;
}

static bool assign_element(struct stencil *s, const struct c_stmt *stmt)
{
	struct c_update *u = region_new_of(s->mem, struct c_update), **link;
	struct c_expr *value;

	if (s->at.list)
		return assign_listed(s, stmt, updated(s, stmt));
	if (is_recorded(s, stmt->target->decl))
		return assign_record(s, stmt);
	value = resolve(s, updated(s, stmt));
	u->write = value ? resolve_access(s, stmt->target, true) : NULL;
	if (!u->write)
		return false;
	u->value = as_stored(s, u->write->field->decl->type, value);
	u->place = s->at.place;
	u->at = u->write->at = place_of_copy(s, stmt->target->at);
	for (link = &s->updates; *link; link = &(*link)->next)
		;
	*link = u;
	return true;
}

static bool walk_assignment(struct stencil *s, const struct c_stmt *stmt)
{
	const struct c_expr *target = stmt->target;

	if (is_scalar_element(s, target)) {
		target = resolve_target(s, target);
		return target && assign_scalar(s, target->decl,
			updated(s, stmt));
	}
	if (target->kind == CX_ELEMENT)
		return assign_element(s, stmt);
	if (target->kind == CX_BAD)
		return resolve(s, target);
	if (target->kind != CX_VAR)
		return refuse(s, E_C_CONSTRUCT, target->at, "'%s' is written: "
			"a stencil writes elements of arrays",
			c_quote(s, target->at));
	if (target->decl->n_dims)
		return assign_pointer(s, target->decl, stmt->value);
	return assign_scalar(s, target->decl, updated(s, stmt));
}

static bool declare_scalar(struct stencil *s, const struct c_decl *d,
	struct c_expr *value)
{
	if (value)
		return assign_scalar(s, d, value);
	forget_value(s, d, C_NO_VALUE, d->at);
	return true;
}

static bool declare_scalars(struct stencil *s, const struct c_stmt *stmt,
	const struct c_local *local)
{
	if (stmt->value && stmt->value->kind != CX_LIST)
		return resolve(s, stmt->value);
	return each_scalar(s, local, stmt->value, declare_scalar);
}

static bool walk_declaration(struct stencil *s, const struct c_stmt *stmt)
{
	const struct c_local *local = find_local(s, stmt->decl);

	if (local && local->scalar)
		return declare_scalars(s, stmt, local);
	if (c_is_own_array(stmt->decl))
		return declare_grid(s, stmt);
	if (!stmt->value) {
		if (!stmt->decl->n_dims)
			forget_value(s, stmt->decl, C_NO_VALUE, stmt->at);
		return true;
	}
	return stmt->decl->n_dims ?
		assign_pointer(s, stmt->decl, stmt->value) :
		assign_scalar(s, stmt->decl, stmt->value);
}

bool refuse_statement(struct stencil *s, const struct c_stmt *stmt)
{
	if (stmt->kind == CS_CALL) {
		refuse_call(s, stmt->value);
		if (!stmt->value->why)
			diag_advice(s->diags, "what is printed or sent along "
				"the way can follow the region, called for "
				"some steps at a time");
		return false;
	}
	return refuse(s, E_C_CONSTRUCT, stmt->at, "%s has no place in a "
		"stencil", stmt->kind == CS_RETURN ? "a 'return'" :
		stmt->what);
}

bool walk_one(struct stencil *s, const struct c_stmt *stmt)
{
	s->at.place.order++;
	switch (stmt->kind) {
	case CS_FOR:
		return walk_loop(s, stmt);
	case CS_IF:
		return walk_if(s, stmt);
	case CS_BLOCK:
		return walk(s, stmt->body);
	case CS_ASSIGN:
		return walk_assignment(s, stmt);
	case CS_DECLARE:
		return walk_declaration(s, stmt);
	case CS_PAST:
		forget_assigned(s, stmt->past, C_LOST_LOOP);
		return true;
	case CS_EMPTY:
		return true;
	case CS_BAD:
	case CS_CALL:
	case CS_RETURN:
	case CS_BREAK:
		break;
	}
	return refuse_statement(s, stmt);
}

bool walk(struct stencil *s, const struct c_stmt *body)
{
	for (; body; body = body->next) {
		if (!walk_one(s, body))
			return false;
	}
	return true;
}

bool c_assigns(const struct c_stmt *body, const struct c_decl *d)
{
	for (; body; body = body->next)
		if ((body->kind == CS_ASSIGN && body->target->kind == CX_VAR &&
		     body->target->decl == d) || c_assigns(body->body, d) ||
		    c_assigns(body->otherwise, d))
			return true;
	return false;
}

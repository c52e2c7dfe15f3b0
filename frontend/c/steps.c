/* The time loop of a region, walked phase by phase. */
#include "frontend/c/ghost.h"
#include "frontend/c/turn.h"
#include "frontend/c/walk.h"

bool may_stand_before(const struct stencil *s,
	const struct c_stmt *stmt)
{
	if (stmt->kind == CS_IF || stmt->kind == CS_BLOCK) {
		const struct c_stmt *then = stmt->body;
		const struct c_stmt *otherwise = stmt->otherwise;

		while (then && may_stand_before(s, then))
			then = then->next;
		while (otherwise && may_stand_before(s, otherwise))
			otherwise = otherwise->next;
		return !then && !otherwise;
	}
	return stmt->kind == CS_DECLARE || stmt->kind == CS_EMPTY ||
		stmt->kind == CS_PAST ||
		(stmt->kind == CS_FOR && !has_writes(s, stmt->body)) ||
		(stmt->kind == CS_ASSIGN && (stmt->target->kind == CX_VAR ||
		 is_scalar_element(s, stmt->target)));
}

/* The only loop of the region, with only scalars before it; else NULL. */
static const struct c_stmt *only_loop(const struct stencil *s)
{
	const struct c_stmt *body = region_statements(s), *loop = NULL;

	for (; body; body = body->next) {
		bool before = may_stand_before(s, body);

		if (loop ? body->kind != CS_EMPTY : body->kind != CS_FOR &&
		    !before)
			return NULL;
		if (body->kind == CS_FOR && !before)
			loop = body;
	}
	return loop;
}

/* Are there no other operators in "e" than those of sums and products? */
static bool is_sum(const struct c_expr *e)
{
	bool is = e->kind != CX_BINARY || e->op == OP_ADD || e->op == OP_SUB || e->op == OP_MUL;

	for (int i = 0; i < e->n_args && is; i++)
		is = is_sum(e->arg[i]);
	return is;
}

/* Scalars of scalars, as in k = row + j, are looked into so often: k = k + 1 has no end. */
enum { MOST_SCALARS = 8 };

/* A loop over "counter", and what it executes. */
struct counted {
	const struct c_stmt *body;
	const struct c_decl *counter;
};

static bool follows(const struct counted *loop, const struct c_expr *e, int depth);

/* Does "body" give "scalar" a value that follows the counter? */
static bool gets_count(const struct counted *loop, const struct c_stmt *body, const struct c_decl *scalar, int depth)
{
	for (; body; body = body->next) {
		bool assigns = body->kind == CS_ASSIGN ? body->target->kind == CX_VAR && body->target->decl == scalar :
			body->kind == CS_DECLARE && body->decl == scalar && body->value;

		if ((assigns && is_sum(body->value) && follows(loop, body->value, depth + 1)) ||
		    gets_count(loop, body->body, scalar, depth) ||
		    gets_count(loop, body->otherwise, scalar, depth))
			return true;
	}
	return false;
}

/* Has "e" the counter, or a scalar that follows it, as the row in "row = i * m"? */
static bool follows(const struct counted *loop, const struct c_expr *e, int depth)
{
	if (e->kind == CX_VAR)
		return e->decl == loop->counter || (!e->decl->n_dims && is_integer(e->decl->type) &&
			depth < MOST_SCALARS && gets_count(loop, loop->body, e->decl, depth));
	for (int i = 0; i < e->n_args; i++)
		if (follows(loop, e->arg[i], depth))
			return true;
	return false;
}

/* Is the point that "e", which "loop" writes, another one in each iteration? */
static bool is_of_count(const struct stencil *s, const struct counted *loop, const struct c_expr *e)
{
	for (int i = 0; i < e->n_args; i++)
		if (i == 0 && e->n_args > 1 ? uses_variable(e->arg[i], loop->counter) && !counts_steps(s, e, loop->counter) :
		    follows(loop, e->arg[i], 0))
			return true;
	return false;
}

/* Does "loop" count points of an array that "body", a part of it, writes? */
static bool counts_points(const struct stencil *s, const struct counted *loop, const struct c_stmt *body)
{
	for (; body; body = body->next)
		if ((body->kind == CS_ASSIGN && body->target->kind == CX_ELEMENT &&
		     is_of_count(s, loop, body->target)) ||
		    counts_points(s, loop, body->body) || counts_points(s, loop, body->otherwise))
			return true;
	return false;
}

/* A region without a time loop is one step: for (step = 0; step < 1; step++) */
static void add_time_loop(struct stencil *s)
{
	struct c_stmt *loop = region_new_of(s->mem, struct c_stmt);
	struct c_expr *bounds = region_array(s->mem, struct c_expr, 2);
	struct c_decl *d = region_new_of(s->mem, struct c_decl);

	d->name = "step";
	d->type = C_INT;
	d->is_inside = true;
	bounds[0].kind = bounds[1].kind = CX_INT;
	bounds[0].at = bounds[1].at = s->region->pragma;
	bounds[1].value = 1;
	loop->kind = CS_FOR;
	loop->at = s->region->pragma;
	loop->decl = d;
	loop->value = &bounds[0];
	loop->bound = &bounds[1];
	loop->op = OP_LT;
	loop->step = 1;
	loop->body = s->region->body;
	s->time_loop = loop;
	s->is_one_step = true;
}

bool is_time_loop(struct stencil *s, const struct c_stmt *loop)
{
	s->time_loop = loop;
	s->time = loop ? loop->decl : NULL;
	return loop && (!counts_points(s, &(struct counted) { loop->body, loop->decl }, loop->body) ||
		hands_on(s));
}

const struct c_stmt *time_loop_of(struct stencil *s)
{
	s->at.place.phase = -1;
	find_scalar_arrays(s);
	return is_time_loop(s, only_loop(s)) ? s->time_loop : NULL;
}

static bool find_time_loop(struct stencil *s)
{
	const struct c_stmt *body;

	if (time_loop_of(s))
		return true;
	for (body = region_statements(s); body; body = body->next)
		if (is_no_stencil(body))
			return refuse_statement(s, body);
	if (!region_statements(s))
		return refuse(s, E_C_REGION, s->region->pragma, "the region "
			"holds no statement");
	add_time_loop(s);
	return true;
}

static struct c_decl *new_round(struct stencil *s)
{
	struct c_decl *d = region_new_of(s->mem, struct c_decl);

	*d = *s->time;
	d->type = C_INT;
	return d;
}

/* Bindings before the loop. */
static bool walk_before(struct stencil *s)
{
	const struct c_stmt *body = s->is_one_step ? NULL : region_statements(s);

	for (; body && body != s->time_loop; body = body->next)
		if (!walk_one(s, body))
			return false;
	return true;
}

/* An array with an element for each step, and copies that take turns. */
static bool refuse_turns(struct stencil *s)
{
	refuse(s, E_C_CONSTRUCT, s->of_step->at, "'%s' is another element in "
		"each step, so each step is a call of its own: other arrays "
		"cannot take turns from step to step", c_quote(s,
		s->of_step->at));
	diag_note(s->diags, place_of_turns(s), "they do so here");
	diag_advice(s->diags, "compute into one array, and copy it back at "
		"the end of the step");
	explain_no_record(s);
	return false;
}

/* Let integers that turn have the values with which the phase begins. */
static void bind_turns(struct stencil *s, int phase)
{
	for (const struct c_turn *turn = first_turn(s); turn; turn = turn->next) {
		struct c_expr *value;

		if (!turn->is_carried)
			continue;
		value = c_leaf(s->mem, CX_INT, turn->decl->type,
			s->time_loop->at);
		value->value = turn->value[phase];
		bind_value(s, turn->decl, value);
	}
}

bool walk_region(struct stencil *s)
{
	bool exchanges;
	int turns;

	if (!find_time_loop(s))
		return false;
	s->time = s->time_loop->decl;
	find_results(s);
	if (!walk_before(s) || !ask_for_entry(s))
		return false;
	turns = find_turns(s);
	if (!walk_range(s, s->time_loop, &s->time_range))
		return false;
	end_a_step_early(s);
	if (s->time_range.down)
		return refuse(s, E_C_CONSTRUCT, s->time_loop->at, "the time "
			"loop runs backwards");
	s->n_phases = count_phases(s, turns);
	if (!s->n_phases)
		return false;
	exchanges = may_exchange(s, turns);
	if (exchanges)
		s->n_phases = 1;
	s->of_step = element_of_step(s);
	if (!may_end_early(s))
		return false;
	if (s->of_step && s->n_phases > 1)
		return refuse_turns(s);
	if (s->of_step)
		note_param(s, s->time);
	s->round = s->n_phases == 1 && s->time_range.step == 1 &&
		!s->of_step ?
		(struct c_decl *) s->time : new_round(s);
	s->at.before_loop = s->at.bindings;
	for (int phase = 0; phase < s->n_phases; phase++) {
		s->at.place.phase = phase;
		forget_assigned(s, s->time_loop->body, C_LOST_CARRIED);
		bind_turns(s, phase);
		if (!walk(s, s->time_loop->body))
			return false;
		s->at.copy++;
	}
	if (!(exchanges ? note_exchanges(s) : check_pointers(s)) ||
	    !resolve_until(s))
		return false;
	return s->updates || refuse(s, E_C_REGION, s->time_loop->at,
		"the region writes no array");
}

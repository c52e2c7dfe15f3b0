/* Borders that each step sets: see border.h. */
#include "frontend/c/border.h"
#include "frontend/c/copy.h"
#include "frontend/c/edge.h"
#include "frontend/c/ghost.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/map.h>
#include <isl/set.h>

#include <string.h>

enum { MOST_SETTLED = 32 };

struct borders {
	struct stencil *s;
	isl_set *inside;		/* { params } for which there is more of grids than their edges; .. */
	bool is_asked;			/* .. the emitted file asks for it */
	struct c_again *for_next;	/* nests and statements that set borders for the next step */
	const struct c_update *update;	/* of which a question is asked now */
};

/* Of one array. */
struct border {
	struct borders *of;
	const struct c_field *field;
	bool fails;
};

/* Which statements ----------------------------------------------------------- */

/* Do both touch a cell, in a grid with more than edges? */
static bool touch(const struct borders *of, const struct c_access *a, const struct c_access *b)
{
	return a->field == b->field &&
		holds_some(isl_map_intersect_params(touch_same(of->s, a, b), isl_set_copy(of->inside)));
}

static bool is_set(const struct border *b, const struct c_update *u)
{
	return u->write->field == b->field && is_edge(u);
}

/* Are the cells of "a" the same in all rounds? */
static bool is_steady(const struct stencil *s, const struct c_access *a)
{
	bool is = is_straight(a);

	for (int d = 0; d < a->n_subs && is; d++)
		is = !is_of_a_step(s, &a->sub[d]);
	for (const struct c_loop *l = a->place.loop; l && is; l = l->outer)
		is = !is_of_a_step(s, &l->begin) && !is_of_a_step(s, &l->end) && !l->start;
	return is;
}

/* Does "u" set the same cells in each step, whatever they have, and no other statement one of them? */
static bool sets_border(const struct border *b, const struct c_update *u)
{
	if (u->asked || u->place.condition || !is_steady(b->of->s, u->write) || !writes_element(b->of->s, u, u->write))
		return false;
	for (const struct c_update *w = b->of->s->updates; w; w = w->next)
		if (!is_set(b, w) && touch(b->of, u->write, w->write))
			return false;
	return true;
}

static bool may_have_borders(const struct c_field *f)
{
	return f->is_written && !f->part.of && !f->local && !f->ghosts && !f->lookup && !f->is_record && f->n_dims > 0;
}

/* Do steps set edges of the array, and more of it? */
static bool has_edges(const struct stencil *s, const struct c_field *f)
{
	int n_edges = 0, n_others = 0;

	for (const struct c_update *u = s->updates; u; u = u->next) {
		n_edges += u->write->field == f && is_edge(u);
		n_others += u->write->field == f && !is_edge(u);
	}
	return n_edges && n_others;
}

/* .. all of them so? */
static bool has_borders(const struct border *b)
{
	if (!may_have_borders(b->field) || !has_edges(b->of->s, b->field))
		return false;
	for (const struct c_update *u = b->of->s->updates; u; u = u->next)
		if (is_set(b, u) && !sets_border(b, u))
			return false;
	return true;
}

/* Statements that are executed again ------------------------------------------- */

/* The statement in "body", outside all loops and conditions, that "u" is or stands in; NULL: none. */
static const struct c_stmt *statement_of(const struct c_stmt *body, const struct c_update *u)
{
	const struct c_loop *loop = outermost(u->place.loop);
	const struct c_stmt *found = NULL;

	for (; body && !found; body = body->next)
		if (body->kind == CS_BLOCK)
			found = statement_of(body->body, u);
		else if (loop ? body == loop->stmt : body->kind == CS_ASSIGN && span_contains(body->at, u->at))
			found = body;
	return found;
}

/* .. in a step, if the text of the region has it so; else NULL. */
static const struct c_stmt *nest_of(const struct stencil *s, const struct c_update *u)
{
	const struct c_stmt *stmt = statement_of(s->time_loop->body, u);
	const char *begin = stmt && stmt->kind == CS_FOR ? "for" : stmt ? c_name(stmt->target->decl) : "";

	if (!stmt || (stmt->kind == CS_FOR && !stmt->end) || !span_contains(s->region->inside, stmt->at) ||
	    strncmp(s->source->text + stmt->at.start, begin, strlen(begin)) != 0)
		return NULL;
	return stmt;
}

/* Does "nest" count a loop with "d", assign it or declare it? */
static bool is_own(const struct c_stmt *nest, const struct c_decl *d)
{
	return nest->kind == CS_FOR && (nest->decl == d || is_assigned(nest->body, d) ||
		declares_variable(nest->body, d));
}

/* Has "d", of a statement in "nest", the same value wherever the region executes that?  Arrays are looked at as
 * fields.
 */
static bool is_constant(const struct stencil *s, const struct c_stmt *nest, const struct c_decl *d)
{
	const struct c_stmt *step = s->time_loop->body;

	return is_own(nest, d) || (d != s->time && !declares_variable(step, d) && (d->n_dims || !is_assigned(step, d)));
}

static bool has_constants(const struct stencil *s, const struct c_stmt *nest, const struct c_expr *e)
{
	bool has = !e || ((e->kind != CX_VAR && e->kind != CX_ELEMENT) || is_constant(s, nest, e->decl));

	for (int i = 0; e && i < e->n_args && has; i++)
		has = has_constants(s, nest, e->arg[i]);
	return has && (!e || e->kind != CX_BAD);
}

/* Does "stmt", of "nest", do the same wherever the region executes it, and leave no scalar that others use? */
static bool may_stand_alone(const struct stencil *s, const struct c_stmt *nest, const struct c_stmt *stmt)
{
	const struct c_stmt *const bodies[] = { stmt->body, stmt->otherwise };
	bool may = has_constants(s, nest, stmt->target) && has_constants(s, nest, stmt->value) &&
		has_constants(s, nest, stmt->bound) && has_constants(s, nest, stmt->condition) &&
		stmt->kind != CS_CALL && !(c_assigned(stmt) && !c_assigned(stmt)->is_inside);

	for (int i = 0; i < 2; i++)
		for (const struct c_stmt *inner = bodies[i]; inner && may; inner = inner->next)
			may = may_stand_alone(s, nest, inner);
	return may;
}

/* Where "u" sets an edge that the step does not set once more, as corners of one that ends in another. */
static __isl_give isl_set *where_last(const struct borders *of, const struct c_update *u)
{
	isl_set *last = place_domain(of->s, &u->place);

	for (const struct c_update *w = of->s->updates; w; w = w->next)
		if (w->place.order > u->place.order && !w->asked && !w->place.condition && is_steady(of->s, w->write) &&
		    outermost(w->place.loop) != outermost(u->place.loop) && w->write->field == u->write->field)
			last = isl_set_subtract(last, isl_map_domain(touch_same(of->s, u->write, w->write)));
	return last;
}

/* Does "a", of an edge, read what "x" writes for a cell that has that edge's value when the step ends? */
static bool touch_last(const struct borders *of, const struct c_access *a, const struct c_update *x)
{
	return a->field == x->write->field && touch(of, a, x->write) && holds_some(isl_map_intersect_params(
		isl_map_intersect_domain(touch_same(of->s, a, x->write), where_last(of, of->update)), isl_set_copy(
			of->inside)));
}

/* Is what "a" reads as it is until the round ends, and does nobody but the statements before change it? */
static bool stays(void *user, struct c_access *a)
{
	const struct borders *of = user;
	const struct c_update *x = of->s->updates;

	if (!a->field->is_written)
		return !access_is_of_step(of->s, a);
	if (a->field != of->update->write->field || a->place.order != of->update->place.order || !is_steady(of->s, a))
		return false;
	while (x && (x->place.order < of->update->place.order || !touch_last(of, a, x)))
		x = x->next;
	return !x;
}

/* May all of "nest" be executed once more behind the steps? */
static bool may_repeat(struct borders *of, const struct c_stmt *nest)
{
	const struct stencil *s = of->s;

	if (!nest || !may_stand_alone(s, nest, nest))
		return false;
	for (const struct c_update *u = s->updates; u; u = u->next) {
		of->update = u;
		if (nest_of(s, u) == nest && (!is_edge(u) || u->asked || u->place.condition ||
		    !update_reads(u, stays, of)))
			return false;
	}
	return true;
}

/* What reads them ---------------------------------------------------------------- */

/* Does "w" set all that "a" reads of it before that in the step; or, if not, all of it later? */
static bool sets_before(struct border *b, const struct c_access *a, const struct c_update *w)
{
	isl_map *pairs = touch_same(b->of->s, a, w->write);
	isl_map *before = executed_before(pairs, &a->place, &w->place);
	bool is = isl_map_is_subset(pairs, before) == isl_bool_true;

	b->fails |= !is && isl_map_is_empty(before) != isl_bool_true;
	isl_map_free(pairs);
	isl_map_free(before);
	return is;
}

static struct setter last_setter(struct edges *edges, const struct c_access *a, const struct setter *behind)
{
	struct border *b = edges->user;
	struct setter last = { NULL, false };

	for (const struct c_update *w = b->of->s->updates; w; w = w->next) {
		bool is_earlier;

		if (!is_set(b, w) || !touch(b->of, a, w->write))
			continue;
		is_earlier = !sets_before(b, a, w);
		if (behind->update && (is_earlier < behind->is_earlier || (is_earlier == behind->is_earlier &&
		    w->place.order >= behind->update->place.order)))
			continue;
		if (!last.update || is_earlier < last.is_earlier || (is_earlier == last.is_earlier &&
		    w->place.order > last.update->place.order))
			last = (struct setter) { w, is_earlier };
	}
	return last;
}

struct reader {
	struct c_copy copy;
	struct border *border;
	bool meets;			/* does it read the border? */
};

static struct c_expr *choose(struct c_copy *copy, struct c_expr *e)
{
	struct reader *r = copy->user;
	struct edges edges = { .s = copy->s, .user = r->border, .last = last_setter };
	const struct setter all = { NULL, false };
	struct c_expr *value;

	if (e->kind != CX_ELEMENT || !e->access || e->access->field != r->border->field || r->border->fails)
		return NULL;
	r->border->fails |= !is_steady(r->border->of->s, e->access);
	value = r->border->fails ? NULL : chosen_edge(&edges, e, &all);
	r->border->fails |= edges.fails;
	r->meets |= value != NULL;
	return value;
}

/* "e" without reads of the border. */
static struct c_expr *without_border(struct border *b, struct c_expr *e)
{
	enum { MOST = 2 * C_MAX_DIMS };
	struct reader r = { .border = b, .meets = true };

	for (int i = 0; e && r.meets && !b->fails; i++) {
		r.copy = (struct c_copy) { .s = b->of->s, .user = &r, .instead = choose };
		r.meets = false;
		b->fails |= i > MOST;
		e = copy_expr(&r.copy, e);
	}
	return e;
}

/* Does "u" copy elements, perhaps those of the border? */
static bool copies_border(const struct border *b, const struct c_update *u)
{
	const struct c_access *from = u->value->kind == CX_ELEMENT ? u->value->access : NULL;

	for (const struct c_update *w = b->of->s->updates; w && from; w = w->next)
		if (is_set(b, w) && touch(b->of, from, w->write))
			return true;
	return false;
}

/* The statements that change, with their values. */
struct change {
	struct c_update *update;
	struct c_expr *value, *asked;
	struct change *next;
};

static struct change *find_changes(struct border *b)
{
	struct change *all = NULL;

	for (struct c_update *u = b->of->s->updates; u && !b->fails; u = u->next) {
		struct change *own = region_new_of(b->of->s->mem, struct change);

		if (is_set(b, u))
			continue;
		b->fails |= copies_border(b, u);
		*own = (struct change) { u, without_border(b, u->value), without_border(b, u->asked), all };
		all = own;
	}
	return all;
}

/* All borders of an array --------------------------------------------------------- */

static struct c_left *left_of(struct stencil *s)
{
	if (!s->leaves.left)
		s->leaves.left = region_new_of(s->mem, struct c_left);
	return s->leaves.left;
}

/* "stmt" behind the others in "all" */
static void add_again(struct stencil *s, struct c_again **all, const struct c_stmt *stmt)
{
	while (*all)
		all = &(*all)->next;
	*all = region_new_of(s->mem, struct c_again);
	(*all)->stmt = stmt;
}

/* Does the step read "a" behind the statement, if that sets it? */
static bool is_no_earlier(void *user, struct c_access *a)
{
	const struct borders *of = user;

	return a->place.order > of->update->place.order || !touch(of, a, of->update->write);
}

/* Does one of "updates" read it before "of->update" sets it? */
static bool any_reads_before(struct borders *of, const struct c_update *updates)
{
	while (updates && update_reads(updates, is_no_earlier, of))
		updates = updates->next;
	return updates;
}

/* .. in a step, or where the loops execute the last one? */
static bool is_set_for_next(struct borders *of, const struct c_update *u)
{
	const struct c_left *left = of->s->leaves.left;

	of->update = u;
	return any_reads_before(of, of->s->updates) || (left && any_reads_before(of, left->updates));
}

static void find_for_next(struct borders *of)
{
	for (const struct c_update *u = of->s->updates; u; u = u->next)
		if (is_edge(u) && may_have_borders(u->write->field) && is_set_for_next(of, u))
			add_again(of->s, &of->for_next, nest_of(of->s, u));
}

bool is_among(const struct c_again *all, const struct c_stmt *stmt)
{
	while (all && all->stmt != stmt)
		all = all->next;
	return all;
}

/* May the loops execute what the statements set? */
static bool may_leave(const struct border *b)
{
	for (const struct c_update *u = b->of->s->updates; u; u = u->next) {
		const struct c_stmt *nest = is_set(b, u) ? nest_of(b->of->s, u) : NULL;

		if (is_set(b, u) && is_among(b->of->for_next, nest) && !(may_leave_first_round(b->of->s) &&
		    may_repeat(b->of, nest)))
			return false;
	}
	return true;
}

/* The loops execute "u" as it is. */
static void keep(struct stencil *s, struct c_update *u)
{
	u->next = left_of(s)->updates;
	left_of(s)->updates = u;
}

void leave_to_loops(struct stencil *s, struct c_update *u)
{
	left_of(s)->rounds = 1;
	keep(s, u);
}

void leave_odd_steps(struct stencil *s)
{
	left_of(s)->rounds = 2;
	left_of(s)->odd = true;
}

bool leaves_odd_steps(const struct stencil *s)
{
	return s->leaves.left && s->leaves.left->odd;
}

/* Let the loops execute what "u" sets. */
static void leave(const struct borders *of, const struct c_update *u)
{
	struct stencil *s = of->s;
	const struct c_stmt *nest = nest_of(s, u);

	if (!is_among(of->for_next, nest)) {
		left_of(s)->rounds = 1;
		return;
	}
	left_of(s)->first = true;
	if (!is_among(left_of(s)->again, nest))
		add_again(s, &left_of(s)->again, nest);
}

static void drop(struct borders *of, const struct c_field *f)
{
	const struct border b = { of, f, false };
	struct c_update **link = &of->s->updates;

	while (*link)
		if (is_set(&b, *link)) {
			struct c_update *own = *link;

			leave(of, own);
			*link = own->next;
			keep(of->s, own);
		} else {
			link = &(*link)->next;
		}
}

/* Let the emitted file leave other grids to the loops; can it? */
static bool ask_for_inside(struct borders *of)
{
	if (isl_set_plain_is_universe(of->inside) != isl_bool_true && !of->is_asked)
		of->is_asked = assume_beyond(of->s, isl_set_complement(isl_set_copy(of->inside)));
	else
		of->is_asked = true;
	return of->is_asked;
}

/* Let nobody read the border, if that can be. */
static bool settle(struct border *b)
{
	struct change *changes;

	if (!has_borders(b) || !may_leave(b) || !ask_for_inside(b->of))
		return false;
	changes = find_changes(b);
	for (struct change *c = changes; c && !b->fails; c = c->next) {
		struct c_update *before = region_new_of(b->of->s->mem, struct c_update);

		if (c->value == c->update->value && c->asked == c->update->asked)
			continue;
		*before = *c->update;
		keep(b->of->s, before);
		c->update->value = c->value;
		c->update->asked = c->asked;
	}
	return !b->fails;
}

/* What an edge reads of its array may be the edge at the other end in a small grid. */
struct small {
	struct stencil *s;
	const struct c_update *edge;
	isl_set *sizes;
};

static bool add_meeting(void *user, struct c_access *a)
{
	struct small *small = user;
	const struct c_update *u = small->edge;

	for (const struct c_update *w = small->s->updates; w && a->field == u->write->field; w = w->next)
		if (w->write->field == a->field && w->place.phase == u->place.phase && is_edge(w))
			small->sizes = isl_set_union(small->sizes, small_sizes(isl_set_params(isl_map_domain(touch_same(
				small->s, a, w->write)))));
	return true;
}

/* Add the sizes for which the statement "u" sets cells, and "w", in the same phase, none, as a grid has no more. */
static void add_without(struct small *small, const struct c_update *w)
{
	const struct c_update *u = small->edge;

	if (!is_edge(w) && w->place.phase == u->place.phase)
		small->sizes = isl_set_union(small->sizes, isl_set_subtract(isl_set_params(place_domain(small->s,
			&u->place)), isl_set_params(place_domain(small->s, &w->place))));
}

/* { params } for which grids are so small that they have edges alone, or that one edge is another one's neighbour */
static __isl_give isl_set *without_inside(struct stencil *s)
{
	const struct c_place in_step = { .phase = 0 };
	struct small small = { s, NULL, isl_set_params(isl_set_empty(place_space(s, &in_step))) };

	for (const struct c_update *u = s->updates; u; u = u->next) {
		if (!is_edge(u))
			continue;
		small.edge = u;
		update_reads(u, add_meeting, &small);
		for (const struct c_update *w = s->updates; w; w = w->next)
			add_without(&small, w);
	}
	return isl_set_coalesce(small.sizes);
}

/* Is there an array with edges, as far as the form of statements tells? */
static bool any_edge(const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (may_have_borders(f) && has_edges(s, f))
			return true;
	return false;
}

static void drop_all(struct borders *of)
{
	const struct c_field *settled[MOST_SETTLED];
	int n = 0;

	find_for_next(of);
	for (const struct c_field *f = of->s->fields; f && n < MOST_SETTLED; f = f->next) {
		struct border b = { of, f, false };

		if (settle(&b))
			settled[n++] = f;
	}
	while (n > 0)
		drop(of, settled[--n]);
}

void drop_borders(struct stencil *s)
{
	struct borders all = { .s = s };

	if (!may_leave_rounds(s) || !any_edge(s))
		return;
	all.inside = isl_set_complement(without_inside(s));
	drop_all(&all);
	isl_set_free(all.inside);
}

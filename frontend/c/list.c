/* Loops over places that data give, as sources and receivers: the program's lists of points.  They are done in
 * C's order, also where several have one place.  The function that is called finds out whether the statement
 * before computes all of these cells, before it writes anything; else the loops run as they are.
 */
#include "frontend/c/list.h"
#include "frontend/c/ghost.h"
#include "frontend/c/walk.h"

/* What the text shows ------------------------------------------------------ */

/* Does "e" have an element whose subscript is data at "counter", as u[si[p]]? */
static bool is_at_data(const struct c_expr *e, const struct c_decl *counter,
	bool in_element)
{
	bool is_element = e->kind == CX_ELEMENT;

	if (is_element && in_element && uses_variable(e, counter))
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (is_at_data(e->arg[i], counter, is_element || in_element))
			return true;
	return false;
}

bool lists_places(const struct c_stmt *body, const struct c_decl *counter)
{
	for (; body; body = body->next) {
		if ((body->target && is_at_data(body->target, counter, false)) ||
		    (body->value && is_at_data(body->value, counter, false)) ||
		    lists_places(body->body, counter) ||
		    lists_places(body->otherwise, counter))
			return true;
	}
	return false;
}

/* Does "e" have "d" other than in subscripts of elements? */
static bool uses_directly(const struct c_expr *e, const struct c_decl *d)
{
	if (e->decl == d)
		return true;
	for (int i = 0; i < e->n_args && e->kind != CX_ELEMENT; i++)
		if (uses_directly(e->arg[i], d))
			return true;
	return false;
}

/* Does "e" have an element of "counter", as in si[p] * m + sj[p]? */
static bool has_element_at(const struct c_expr *e, const struct c_decl *counter)
{
	if (e->kind == CX_ELEMENT)
		return uses_variable(e, counter);
	for (int i = 0; i < e->n_args; i++)
		if (has_element_at(e->arg[i], counter))
			return true;
	return false;
}

/* Does "body" name a place, as in int i = si[p]? */
static bool names_place(const struct c_stmt *body, const struct c_decl *counter)
{
	for (; body; body = body->next) {
		const struct c_expr *e = body->value;
		bool assigns = body->kind == CS_DECLARE ||
			(body->kind == CS_ASSIGN && body->target->kind ==
			 CX_VAR);

		if (assigns && e && is_integer(e->type) &&
		    has_element_at(e, counter))
			return true;
		if (body->kind == CS_BLOCK && names_place(body->body, counter))
			return true;
	}
	return false;
}

/* Are all statements of "body" those of a list? */
static bool has_listed_alone(const struct stencil *s, const struct c_stmt *body,
	const struct c_decl *counter)
{
	for (; body; body = body->next) {
		const struct c_expr *to = body->target;
		bool is_element = body->kind == CS_ASSIGN && to->kind ==
			CX_ELEMENT && !is_recorded(s, to->decl);

		if (body->kind == CS_FOR || body->kind == CS_IF ||
		    is_no_stencil(body))
			return false;
		for (int i = 0; is_element && i < to->n_args; i++)
			if (uses_directly(to->arg[i], counter))
				return false;
		if (!has_listed_alone(s, body->body, counter))
			return false;
	}
	return true;
}

bool is_list(const struct stencil *s, const struct c_stmt *stmt,
	const struct c_loop *loop)
{
	return !s->at.place.loop && !s->at.place.condition && !s->at.list &&
		!s->of_step && !s->region->whole && !loop->down &&
		loop->step == 1 && !loop->start &&
		has_writes(s, stmt->body) &&
		(lists_places(stmt->body, stmt->decl) ||
		 names_place(stmt->body, stmt->decl)) &&
		has_listed_alone(s, stmt->body, stmt->decl);
}

/* Statements --------------------------------------------------------------- */

bool walk_list(struct stencil *s, const struct c_stmt *stmt,
	struct c_loop *loop)
{
	struct c_list *list = region_new_of(s->mem, struct c_list), **link;
	bool done;

	loop->depth = 1;
	s->at.place.loop = loop;
	s->at.list = list;
	list->loop = loop;
	list->place = s->at.place;
	done = walk(s, stmt->body);
	s->at.list = NULL;
	s->at.place.loop = NULL;
	for (link = &s->lists; *link; link = &(*link)->next)
		;
	*link = list;
	forget_assigned(s, stmt->body, C_LOST_LOOP);
	forget_value(s, stmt->decl, C_LOST_LOOP, stmt->at);
	return done;
}

static bool refuse_listed(struct stencil *s, struct span at, const char *why)
{
	refuse(s, E_SUBSCRIPT, at, "'%s' %s", c_quote(s, at), why);
	diag_advice(s->diags, "a loop over places changes one array that the "
		"step has computed, 'u[si[p]][sj[p]] += w[t][p];', or records "
		"it, 'rec[t][p] = u[si[p]][sj[p]];': else let the nests within "
		"the time loop be the region");
	return false;
}

/* The array that the region writes at the places of a list. */
static bool note_state(void *user, struct c_access *a)
{
	struct c_list *list = user;

	if (a->is_listed && a->field->is_written && !list->state)
		list->state = a->field;
	return true;
}

static bool assign_to_record(struct stencil *s, struct c_listed *l,
	const struct c_expr *to)
{
	const struct c_decl *object = object_of(s, to->decl, to->at);

	if (!check_array(s, to, object, true))
		return false;
	l->record = field_of(s, object, NO_SLOT, (struct c_part) { 0 });
	l->record->is_record = l->record->is_written = true;
	for (int i = 0; i < to->n_args; i++) {
		l->sub[i] = resolve(s, to->arg[i]);
		if (!l->sub[i])
			return false;
	}
	return true;
}

/* Several statements ------------------------------------------------------- */

static bool same_place(const struct c_access *a, const struct c_access *b)
{
	if (a->field != b->field || a->n_subs != b->n_subs)
		return false;
	for (int d = 0; d < a->n_subs; d++)
		if (!a->around[d] != !b->around[d] || (a->around[d] ?
		    !c_same_value(a->around[d], b->around[d]) :
		    !poly_equal(&a->sub[d], &b->sub[d])))
			return false;
	return true;
}

/* What the statement before has left, in place of its element. */
static struct c_expr *read_before(struct c_copy *copy, struct c_expr *e)
{
	const struct c_listed *before = copy->user;

	return e->kind == CX_ELEMENT && e->access->is_listed &&
		same_place(e->access, before->write) ? c_converted(
		copy->s->mem, before->value, before->write->field->decl->type) :
		NULL;
}

/* A list does each of its statements for all places: those of one place become one statement, with what "l"
 * computes from what the one before does.  False: C's order differs.
 */
static bool add_listed(struct stencil *s, struct c_listed *l)
{
	struct c_listed **link = &s->at.list->first;
	struct c_copy copy = { .s = s, .instead = read_before };

	if (*link && (*link)->write && l->write && same_place((*link)->write,
	    l->write)) {
		copy.user = *link;
		(*link)->value = copy_expr(&copy, l->value);
		return true;
	}
	while (*link && !(*link)->write && !l->write)
		link = &(*link)->next;
	if (*link)
		return false;
	*link = l;
	return true;
}

bool assign_listed(struct stencil *s, const struct c_stmt *stmt,
	struct c_expr *value)
{
	const struct c_expr *to = stmt->target;
	struct c_listed *l = region_new_of(s->mem, struct c_listed);

	l->at = to->at;
	l->value = resolve(s, value);
	if (!l->value)
		return false;
	if (is_recorded(s, to->decl)) {
		if (!assign_to_record(s, l, to))
			return false;
	} else {
		l->write = resolve_access(s, to, true);
		if (!l->write)
			return false;
		if (!l->write->is_listed)
			return refuse_listed(s, to->at, "is no place of the "
				"list");
		note_state(s->at.list, l->write);
	}
	if (is_integer(to->type))
		l->value = c_converted(s->mem, l->value, to->type);
	return add_listed(s, l) || refuse_listed(s, to->at, "is not done for "
		"one place after the other: a loop over places has statements "
		"of one cell, or records alone");
}

/* What computes the cells --------------------------------------------------- */

struct check {
	struct stencil *s;
	struct c_list *list;
	const struct c_update *reader;
	bool fine;
};

static bool check_listed_read(void *user, struct c_access *a)
{
	struct check *c = user;

	if (a->field->is_written && (a->field != c->list->state ||
	    !a->is_listed))
		c->fine = false;
	return c->fine;
}

static bool check_read_between(void *user, struct c_access *a)
{
	struct check *c = user;

	if (a->field == c->list->state && a->place.phase ==
	    c->list->place.phase && a->place.order > c->list->writer->place.order
	    && a->place.order < c->list->place.order)
		c->fine = false;
	return c->fine;
}

static bool find_list_writer(struct stencil *s, struct c_list *list)
{
	struct c_field *f = list->state;

	for (const struct c_update *u = s->updates; u; u = u->next) {
		if (u->write->field != f)
			continue;
		if (list->writer || u->asked || u->sweeps)
			return false;
		list->writer = u;
	}
	return list->writer && !f->local && list->writer->place.phase ==
		list->place.phase && list->writer->place.order <
		list->place.order;
}

static bool is_at_own_point(void *user, struct c_access *a)
{
	const struct c_access *own = user;

	for (int d = 0; d < a->n_subs; d++)
		if (loop_of(a->place.loop, &a->sub[d]) && (a->around[d] ||
		    a->n_subs != own->n_subs || !poly_equal(&a->sub[d],
			&own->sub[d])))
			return false;
	return true;
}

static bool check_list(struct stencil *s, struct c_list *list)
{
	struct check c = { s, list, NULL, true };

	for (struct c_listed *l = list->first; l; l = l->next)
		each_read(l->value, note_state, list);
	if (!list->first || !list->state)
		return refuse_listed(s, list->loop->at, "changes and records "
			"nothing that the step computes");
	if (!find_list_writer(s, list))
		return refuse_listed(s, list->first->at, "is not computed by "
			"one statement before it in the step");
	if (!covers_interior(s, list->writer) && !update_reads(list->writer,
	    is_at_own_point, (void *) list->writer->write))
		return refuse_listed(s, list->first->at, "is computed at some "
			"points alone, from cells beside them: a list follows "
			"a nest over all points whose neighbours exist, or one "
			"that copies them");
	for (struct c_listed *l = list->first; l; l = l->next) {
		if (l->write && l->write->field != list->state)
			return refuse_listed(s, l->at, "is of another array "
				"than the rest of the loop");
		each_read(l->value, check_listed_read, &c);
		if (!c.fine)
			return refuse_listed(s, l->value->at, "reads another "
				"cell that the region writes");
	}
	for (const struct c_update *u = s->updates; u; u = u->next)
		update_reads(u, check_read_between, &c);
	for (const struct c_record *r = s->recorded.first; r; r = r->next)
		each_read(r->value, check_read_between, &c);
	return c.fine || refuse_listed(s, list->first->at, "is read between "
		"the statement that computes it and this loop");
}

bool find_list_writers(struct stencil *s)
{
	for (struct c_list *list = s->lists; list; list = list->next)
		if (!check_list(s, list))
			return false;
	return !s->lists || !s->until.results || refuse_listed(s,
		s->lists->loop->at, "stands in a loop that may end early");
}

void note_listed_writes(const struct stencil *s)
{
	for (const struct c_list *list = s->lists; list; list = list->next)
		for (struct c_listed *l = list->first; l; l = l->next)
			(l->write ? l->write->field : l->record)->is_written =
				true;
}

bool is_list_writer(const struct stencil *s, const struct c_update *u)
{
	const struct c_list *list = s->lists;

	while (list && list->writer != u)
		list = list->next;
	return list;
}

bool leaves_rest(const struct stencil *s)
{
	return s->lists && s->n_phases * s->time_range.step > 1;
}

/* Sizes --------------------------------------------------------------------- */

bool add_listed_cells(const struct stencil *s, const struct c_field *f,
	bool (*each)(void *user, struct c_access *a), void *user)
{
	for (struct c_access *a = s->accesses; a; a = a->next)
		for (const struct c_list *list = s->lists; list;
		     list = list->next)
			if (a->field == f && a->place.loop == list->loop)
				each(user, a);
	return true;
}

struct of_field {
	const struct c_field *field;
	bool any;
};

static bool is_at_place(void *user, struct c_access *a)
{
	struct of_field *of = user;

	of->any |= a->is_listed && a->field == of->field;
	return true;
}

bool is_read_at_places(const struct stencil *s, const struct c_field *f)
{
	struct of_field of = { f, false };

	for (const struct c_list *list = s->lists; list; list = list->next)
		for (const struct c_listed *l = list->first; l; l = l->next)
			each_read(l->value, is_at_place, &of);
	return of.any;
}

/* What "sub" is less than, in all steps and for all places. */
static bool bound_of(struct stencil *s, const struct c_list *list,
	const struct c_expr *sub, struct poly *bound)
{
	const struct poly one = poly_constant(1);
	struct poly last = list->loop->end, now;

	if (!poly_of(s, sub, bound) || !time_value(s, list->place.phase, &now))
		return false;
	if (poly_uses(bound, s->round)) {
		poly_add(bound, &now, -1);
		poly_add(bound, &s->time_range.end, 1);
		poly_add(bound, &one, -1);
	}
	poly_add(&last, &one, -1);
	return !poly_uses(bound, s->round) && poly_substitute(bound,
		list->loop->decl, &last) && poly_add(bound, &one, 1);
}

void find_record_sizes(struct stencil *s)
{
	for (const struct c_list *list = s->lists; list; list = list->next)
		for (const struct c_listed *l = list->first; l; l = l->next)
			for (int d = 0; l->record && d < l->record->n_dims;
			     d++)
				if (!l->record->is_sized[d])
					l->record->is_sized[d] = bound_of(s,
						list, l->sub[d],
						&l->record->size[d]);
}

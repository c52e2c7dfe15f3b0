/* Edges that a step sets before the nest that reads them, as in "for (j) u[0][j] = u[1][j];".  A statement of
 * a program reads the values of one step.  So a read that meets cells of the edge, which are new, and others,
 * which are not, becomes a choice of values from before: i == 0 ? u[1][j] : u[i][j].
 */
#include "frontend/c/edge.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/map.h>
#include <isl/set.h>

/* A read, in a copy of the value of the statement "of" that sets an edge, or in the reader itself. */
struct carried {
	struct c_copy copy;
	const struct c_update *of;
	const struct c_access *read;	/* what the copy stands for, .. */
	struct c_place place;		/* .. here */
	bool is_earlier;		/* the step before has set it */
	bool fails;
};

static const struct c_condition *add_condition(struct stencil *s,
	const struct c_condition *outer, struct c_expr *e, bool negated)
{
	struct c_condition *c = region_new_of(s->mem, struct c_condition);

	c->expr = e;
	c->negated = negated;
	c->outer = outer;
	c->depth = outer ? outer->depth + 1 : 1;
	return c;
}

/* Conditions that hold less often ------------------------------------------ */

/* Does "e" hold at all points of the place, or, if "always" is false, at none? */
static bool is_known(struct stencil *s, const struct c_place *place,
	const struct c_expr *e, bool always)
{
	isl_set *domain = place_domain(s, place);
	isl_set *holds = place_condition(s, place, e);
	isl_bool known = !holds ? isl_bool_false : always ?
		isl_set_is_subset(domain, holds) :
		isl_set_is_disjoint(domain, holds);

	isl_set_free(domain);
	isl_set_free(holds);
	return known == isl_bool_true;
}

/* i == 1 for i - 1 == 0 */
static struct c_expr *without_minus(struct stencil *s, struct c_expr *e)
{
	struct poly p, q, left = { 0 }, right = { 0 };

	if (e->kind != CX_BINARY || !c_op_compares(e->op) ||
	    !poly_of(s, e->arg[0], &p) || !poly_of(s, e->arg[1], &q) ||
	    !poly_add(&p, &q, -1))
		return e;
	for (int i = 0; i < p.n; i++) {
		const struct poly term = { .n = 1, .term = { p.term[i] } };
		bool negative = p.term[i].coefficient < 0;

		poly_add(negative ? &right : &left, &term, negative ? -1 : 1);
	}
	return c_binary(s->mem, e->op, C_INT, expr_of_poly(s, &left, e->at),
		expr_of_poly(s, &right, e->at), e->at);
}

/* "e" without terms that always hold at "place"; NULL: there are no others. */
static struct c_expr *needed(struct stencil *s, const struct c_place *place,
	struct c_expr *e)
{
	struct c_expr *a, *b;

	if (e->kind != CX_BINARY || e->op != OP_AND)
		return is_known(s, place, e, true) ? NULL : without_minus(s, e);
	a = needed(s, place, e->arg[0]);
	b = needed(s, place, e->arg[1]);
	return !a || !b ? a ? a : b : c_binary(s->mem, OP_AND, C_INT, a, b,
		e->at);
}

/* The value of an edge ------------------------------------------------------ */

/* The variable of "loop", which is one subscript of what c->of writes, at the cell that is read. */
static bool at_read(const struct carried *c, const struct c_loop *loop,
	struct poly *value)
{
	const struct c_access *w = c->of->write;

	for (int d = 0; d < w->n_subs; d++) {
		int64_t factor;
		struct poly rest;

		if (!poly_uses(&w->sub[d], loop->decl))
			continue;
		*value = c->read->sub[d];
		return poly_split(&w->sub[d], loop->decl, &factor, &rest) &&
			factor == 1 && poly_add(value, &rest, -1);
	}
	return false;
}

/* "p" with the cell that is read in place of the loops around the edge. */
static bool move_poly(const struct carried *c, struct poly *p)
{
	for (const struct c_loop *l = c->of->place.loop; l; l = l->outer) {
		struct poly value;

		if (poly_uses(p, l->decl) && (!at_read(c, l, &value) ||
		    !poly_substitute(p, l->decl, &value)))
			return false;
	}
	return true;
}

/* Where the edge lies at a fixed subscript "d", say 0, the one of the read, i - 1, is 0, too: 1 becomes
 * i - 1 + 1, at a fixed distance from the point.
 */
static bool place_beside(const struct carried *c, int d, struct poly *p)
{
	const struct c_access *w = c->of->write;
	struct poly beside = c->read->sub[d], distance = *p;
	int64_t n;

	if (d >= w->n_subs || loop_of(c->of->place.loop, &w->sub[d]) ||
	    !poly_add(&distance, &w->sub[d], -1) ||
	    !poly_is_constant(&distance, &n) || !poly_add(&beside, &distance, 1))
		return false;
	*p = beside;
	return true;
}

/* The conditions of choices around a read of the edge's value. */
static const struct c_condition *move_conditions(struct carried *c,
	const struct c_condition *of)
{
	if (!of)
		return c->place.condition;
	return add_condition(c->copy.s, move_conditions(c, of->outer),
		copy_expr(&c->copy, of->expr), of->negated);
}

static struct c_access *move_access(struct carried *c,
	const struct c_access *a)
{
	struct c_access *moved = region_new_of(c->copy.s->mem, struct c_access);

	*moved = *a;
	for (int d = 0; d < a->n_subs; d++)
		c->fails |= a->around[d] || !(place_beside(c, d,
			&moved->sub[d]) || move_poly(c, &moved->sub[d]));
	moved->place = c->place;
	moved->place.condition = move_conditions(c, a->place.condition);
	moved->next = c->copy.s->accesses;
	c->copy.s->accesses = moved;
	return moved;
}

static bool share_loop(const struct c_place *a, const struct c_place *b)
{
	for (const struct c_loop *l = a->loop; l; l = l->outer)
		for (const struct c_loop *m = b->loop; m; m = m->outer)
			if (l == m)
				return true;
	return false;
}

/* Does "x", which writes some of what "a" reads, do so behind the place "from" of the edge in its step, or
 * before "a" in this one?
 */
static bool is_between(const struct carried *c, const struct c_update *x, const struct c_place *from,
	const struct c_access *a)
{
	const bool is_behind = x->place.order >= from->order || share_loop(&x->place, from);
	isl_map *pairs;
	bool is_before;

	if (!c->is_earlier && !is_behind)
		return false;
	pairs = touch_same(c->copy.s, a, x->write);
	if (c->is_earlier && is_behind)
		return holds_some(pairs);
	is_before = holds_some(executed_before(pairs, &a->place, &x->place));
	isl_map_free(pairs);
	return is_before;
}

/* Does a statement change what "a" reads behind the place "from", where the edge has read it? */
static bool changes_between(const struct carried *c, const struct c_place *from, const struct c_access *a)
{
	const struct c_update *x = c->copy.s->updates;

	while (x && (x->write->field != a->field || !is_between(c, x, from, a)))
		x = x->next;
	return x;
}

bool is_of_a_step(const struct stencil *s, const struct poly *p)
{
	return poly_uses(p, s->time) || poly_uses(p, s->round);
}

static struct c_expr *move_element(struct carried *c, const struct c_expr *e)
{
	struct c_expr *moved = region_new_of(c->copy.s->mem, struct c_expr);

	*moved = *e;
	moved->access = move_access(c, e->access);
	for (int d = 0; d < e->access->n_subs && c->is_earlier; d++)
		c->fails |= is_of_a_step(c->copy.s, &e->access->sub[d]);
	c->fails |= moved->access->n_subs && (!is_affine_access(c->copy.s,
		moved->access) || changes_between(c, &e->access->place,
		moved->access));
	return moved;
}

/* The choice "e" at the cell that is read, if it is still one there. */
static struct c_expr *move_choice(struct carried *c, struct c_expr *e)
{
	struct stencil *s = c->copy.s;
	struct c_expr *condition = copy_expr(&c->copy, e->arg[0]);

	if (!is_affine_condition(s, &c->place, condition))
		return NULL;
	if (is_known(s, &c->place, condition, false))
		return c_converted(s->mem, copy_expr(&c->copy, e->arg[2]),
			e->type);
	return is_known(s, &c->place, condition, true) ? c_converted(s->mem,
		copy_expr(&c->copy, e->arg[1]), e->type) : NULL;
}

static struct c_expr *moved(struct c_copy *copy, struct c_expr *e)
{
	struct carried *c = copy->user;
	struct poly p;

	if (e->kind == CX_ELEMENT && e->access)
		return move_element(c, e);
	if (e->kind == CX_SELECT)
		return move_choice(c, e);
	if (e->kind != CX_VAR)
		return NULL;
	p = poly_symbol(e->decl);
	c->fails |= c->is_earlier && is_of_a_step(copy->s, &p);
	if (!loop_of(c->of->place.loop, &p))
		return NULL;
	c->fails |= !move_poly(c, &p);
	return expr_of_poly(copy->s, &p, e->at);
}

static void stay(struct c_copy *copy, struct c_place *place)
{
	(void) copy;
	(void) place;
}

/* What "w" gives the cell that "a" reads, where "condition" holds; NULL: this cannot be said. */
static struct c_expr *value_of_edge(struct stencil *s, const struct setter *w, const struct c_access *a,
	struct c_expr *condition)
{
	struct carried c = { { .s = s, .user = &c, .place = stay, .instead = moved }, w->update, a, a->place,
		w->is_earlier, false };
	struct c_expr *value;

	if (condition)
		c.place.condition = add_condition(s, a->place.condition,
			condition, false);
	value = c_converted(s->mem, copy_expr(&c.copy, w->update->value),
		a->field->decl->type);
	return c.fails ? NULL : value;
}

/* Reads that meet it -------------------------------------------------------- */

bool is_edge(const struct c_update *w)
{
	for (int d = 0; d < w->write->n_subs; d++)
		if (!loop_of(w->place.loop, &w->write->sub[d]))
			return true;
	return false;
}

/* Does "a" read what "w" has written by then, and nothing that it writes later? */
static bool meets(struct stencil *s, const struct c_access *a,
	const struct c_update *w)
{
	isl_map *pairs, *before;
	bool any;

	if (w->write->field != a->field || w->place.order >= a->place.order ||
	    !is_edge(w))
		return false;
	pairs = touch_same(s, a, w->write);
	before = executed_before(pairs, &a->place, &w->place);
	any = isl_map_is_empty(before) == isl_bool_false &&
		isl_map_is_subset(pairs, before) == isl_bool_true;
	isl_map_free(pairs);
	isl_map_free(before);
	return any;
}

/* The last statement before "behind", or of all, that sets an edge that "a" reads. */
static struct setter last_edge(struct edges *edges, const struct c_access *a, const struct setter *behind)
{
	struct setter last = { NULL, false };

	for (const struct c_update *w = edges->s->updates; w != behind->update; w = w->next)
		if (meets(edges->s, a, w))
			last.update = w;
	return last;
}

static struct c_expr *read_again(struct stencil *s, const struct c_expr *e,
	struct c_expr *condition)
{
	struct c_expr *again = region_new_of(s->mem, struct c_expr);
	struct c_access *a = region_new_of(s->mem, struct c_access);

	*again = *e;
	*a = *e->access;
	a->place.condition = add_condition(s, a->place.condition, condition,
		true);
	a->next = s->accesses;
	s->accesses = a;
	again->access = a;
	return again;
}

/* Does "e" depend on the iteration at "place"? */
static bool has_loop(const struct c_place *place, const struct c_expr *e)
{
	const struct c_loop *l = place->loop;

	while (l && !(e->kind == CX_VAR && l->decl == e->decl))
		l = l->outer;
	if (l)
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (has_loop(place, e->arg[i]))
			return true;
	return false;
}

/* For some sizes all of "a" is an edge, as u[n - 2] is u[0] in a grid of two rows: ask for others. */
static bool ask_for_others(struct stencil *s, const struct c_access *a,
	const struct c_expr *condition)
{
	return condition && !has_loop(&a->place, condition) &&
		assume_beyond(s, isl_set_params(isl_set_intersect(place_domain(
			s, &a->place), place_condition(s, &a->place,
			condition))));
}

struct c_expr *chosen_edge(struct edges *edges, struct c_expr *e, const struct setter *behind)
{
	const struct setter w = edges->last(edges, e->access, behind);
	struct stencil *s = edges->s;
	struct c_expr *condition, *arg[3];

	condition = w.update ? writes_element(s, w.update, e->access) : NULL;
	if (!condition)
		return NULL;
	condition = needed(s, &e->access->place, condition);
	if (ask_for_others(s, e->access, condition))
		return chosen_edge(edges, e, &w);
	arg[1] = value_of_edge(s, &w, e->access, condition);
	edges->fails |= !arg[1];
	if (!arg[1] || !condition)
		return arg[1];
	arg[0] = condition;
	e = read_again(s, e, condition);
	arg[2] = chosen_edge(edges, e, &w);
	if (!arg[2])
		arg[2] = e;
	return c_node(s->mem, CX_SELECT, e->type, 3, arg, e->at);
}

/* Does the step write cells of "a" behind this read, too, so that these are old here?  So the reader does, if it
 * reads them where another statement did, before all of its own nest.
 */
static bool has_old(struct stencil *s, const struct c_update *reader,
	const struct c_access *a)
{
	const bool is_before = outermost(a->place.loop) != outermost(reader->place.loop);

	for (const struct c_update *x = s->updates; x; x = x->next)
		if (x->write->field == a->field && (x != reader || is_before) &&
		    x->place.order > a->place.order)
			return true;
	return false;
}

struct reader {
	struct c_copy copy;
	const struct c_update *update;
};

static struct c_expr *choose(struct c_copy *copy, struct c_expr *e)
{
	struct edges edges = { .s = copy->s, .last = last_edge };
	const struct setter all = { NULL, false };
	const struct reader *r = copy->user;
	struct c_access *a = e->kind == CX_ELEMENT ? e->access : NULL;

	if (!a || !a->field->is_written || !has_old(copy->s, r->update, a))
		return NULL;
	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d])
			return NULL;
	return chosen_edge(&edges, e, &all);
}

void choose_edges(struct stencil *s)
{
	for (struct c_update *u = s->updates; u; u = u->next) {
		struct reader r = { { .s = s, .user = &r, .place = stay,
			.instead = choose }, u };

		u->value = copy_expr(&r.copy, u->value);
		if (u->asked)
			u->asked = copy_expr(&r.copy, u->asked);
	}
}

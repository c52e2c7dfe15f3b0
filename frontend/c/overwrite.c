/* Elements that several statements of a step write, as corners in loops over rows and over columns, or a
 * source that is added to a cell.  A step of a program computes each element once: statements whose values
 * others overwrite leave these elements out, and what changes an element is split in two, as the statement
 * before computes it or leaves what it was.
 */
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/map.h>
#include <isl/set.h>

/* Where a statement writes ------------------------------------------------- */

static struct c_expr *compare(struct stencil *s, int op, const struct poly *p,
	const struct poly *q, struct span at)
{
	return c_binary(s->mem, op, C_INT, expr_of_poly(s, p, at),
		expr_of_poly(s, q, at), at);
}

static struct c_expr *both(struct stencil *s, struct c_expr *a,
	struct c_expr *b)
{
	return a ? c_binary(s->mem, OP_AND, C_INT, a, b, b->at) : b;
}

/* Is a bound of "loop" another loop's variable, or are some of its iterations left out? */
static bool is_plain_range(const struct c_loop *loop)
{
	return loop->step == 1 && !loop->start && !loop_of(loop->outer,
		&loop->begin) && !loop_of(loop->outer, &loop->end);
}

/* Does "w" write the element whose subscript "d" is "sub", as far as that tells?  NULL: this cannot be
 * said.
 */
static struct c_expr *writes_along(struct stencil *s, const struct c_update *w,
	int d, const struct poly *sub)
{
	const struct poly *own = &w->write->sub[d];
	const struct c_loop *loop = loop_of(w->place.loop, own);
	struct poly low, high, rest;
	int64_t factor;

	if (!loop)
		return compare(s, OP_EQ, sub, own, w->at);
	if (!is_plain_range(loop) || !poly_split(own, loop->decl, &factor,
	    &rest) || factor != 1 || loop_of(w->place.loop, &rest))
		return NULL;
	low = loop->begin;
	high = loop->end;
	if (!poly_add(&low, &rest, 1) || !poly_add(&high, &rest, 1))
		return NULL;
	return both(s, compare(s, OP_GE, sub, &low, w->at),
		compare(s, OP_LT, sub, &high, w->at));
}

static int count_loops(const struct c_place *place)
{
	return place->loop ? place->loop->depth : 0;
}

/* The same by the loops alone. */
static struct c_expr *loops_write(struct stencil *s, const struct c_update *w,
	const struct c_access *a)
{
	struct c_expr *all = NULL;
	int loops = 0;

	for (int d = 0; d < w->write->n_subs; d++) {
		struct c_expr *along = writes_along(s, w, d, &a->sub[d]);

		if (!along)
			return NULL;
		all = both(s, all, along);
		loops += loop_of(w->place.loop, &w->write->sub[d]) != NULL;
	}
	return loops == count_loops(&w->place) ? all : NULL;
}

struct c_expr *writes_element(struct stencil *s, const struct c_update *w,
	const struct c_access *a)
{
	return w->place.condition || w->asked ? NULL : loops_write(s, w, a);
}

/* Conditions on statements ------------------------------------------------- */

struct limit {
	struct c_copy copy;
	struct c_expr *condition;
	bool negated;
};

static void limit_place(struct c_copy *copy, struct c_place *place)
{
	const struct limit *limit = copy->user;
	struct c_condition *c = region_new_of(copy->s->mem, struct c_condition);

	c->expr = limit->condition;
	c->negated = limit->negated;
	c->outer = place->condition;
	c->depth = c->outer ? c->outer->depth + 1 : 1;
	place->condition = c;
}

/* Execute "u" only where "condition" holds, or fails. */
static void limit_update(struct stencil *s, struct c_update *u,
	struct c_expr *condition, bool negated)
{
	struct limit limit = { { .s = s, .user = &limit, .place = limit_place },
		condition, negated };

	u->value = copy_expr(&limit.copy, u->value);
	u->asked = u->asked ? copy_expr(&limit.copy, u->asked) : NULL;
	u->write = copy_access(&limit.copy, u->write);
	u->place.condition = u->write->place.condition;
}

/* What statements between read --------------------------------------------- */

struct between {
	struct stencil *s;
	const struct c_update *w, *u;	/* in this order */
	const struct c_update *reader;	/* NULL: none of them */
	isl_set *seen;			/* { params } for which one sees such an
					 * element */
};

const struct c_loop *outermost(const struct c_loop *loop)
{
	while (loop && loop->outer)
		loop = loop->outer;
	return loop;
}

/* Does all of "a" come before all of "b", as they share no loop and stand in this order? */
static bool is_before(const struct c_place *a, const struct c_place *b)
{
	return a->order < b->order && (!a->loop || outermost(a->loop) != outermost(b->loop));
}

/* Note for which parameters "a" reads an element of "w" that "u" writes later. */
static void note_overwritten(struct between *b, const struct c_access *a)
{
	isl_map *by_u, *by_w, *before;
	isl_set *later, *earlier;

	if (is_before(&a->place, &b->w->place) || is_before(&b->u->place, &a->place))
		return;
	by_u = touch_same(b->s, a, b->u->write);
	by_w = touch_same(b->s, a, b->w->write);
	before = executed_before(by_u, &a->place, &b->u->place);
	later = isl_map_domain(isl_map_subtract(by_u, before));
	earlier = isl_map_domain(executed_before(by_w, &a->place,
		&b->w->place));
	isl_map_free(by_w);
	b->seen = isl_set_union(b->seen, isl_set_params(isl_set_intersect(later,
		earlier)));
}

bool same_element(const struct c_access *a, const struct c_access *b)
{
	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d] || !poly_equal(&a->sub[d], &b->sub[d]))
			return false;
	return a->field == b->field;
}

bool changes_element(const struct c_update *u, const struct c_access *a)
{
	return u->changes && same_element(a, u->write);
}

static bool look_at(void *user, struct c_access *a)
{
	struct between *b = user;

	bool own = b->reader && (changes_element(b->reader, a) ||
		(b->reader == b->u && same_element(a, b->u->write)));

	if (a->field == b->w->write->field && !own)
		note_overwritten(b, a);
	return true;
}

/* Does no statement but "u", at its own element, and those that change what "w" wrote, read that where "u"
 * writes again?  Where some do for few parameters, as in a grid of two rows, the emitted file asks for others.
 */
static bool none_sees(struct stencil *s, const struct c_update *w,
	const struct c_update *u)
{
	struct between b = { .s = s, .w = w, .u = u };
	bool none;

	b.seen = isl_set_params(isl_set_empty(place_space(s, &u->place)));
	for (const struct c_record *r = s->recorded.first; r; r = r->next)
		each_read(r->value, look_at, &b);
	for (const struct c_update *r = s->updates; r; r = r->next) {
		b.reader = r;
		update_reads(r, look_at, &b);
	}
	none = isl_set_is_empty(b.seen) == isl_bool_true;
	if (!none)
		return assume_beyond(s, b.seen);
	isl_set_free(b.seen);
	return true;
}

static bool is_other(void *user, struct c_access *a)
{
	return !same_element(a, user);
}

static bool reads_own(const struct c_update *u)
{
	return !update_reads(u, is_other, u->write);
}

/* Statements in pairs ------------------------------------------------------ */

/* Do "w" and "u" write one element, w always first? */
static bool overwrites(struct stencil *s, const struct c_update *w,
	const struct c_update *u)
{
	isl_map *pairs = touch_same(s, u->write, w->write), *before;
	bool last;

	before = executed_before(pairs, &u->place, &w->place);
	last = isl_map_is_empty(pairs) == isl_bool_false &&
		isl_map_is_subset(pairs, before) == isl_bool_true;
	isl_map_free(pairs);
	isl_map_free(before);
	return last;
}

/* The condition "e" of "u" where it writes the element "a", in terms of that element's subscripts. */
static struct c_expr *condition_at(struct stencil *s, const struct c_update *u,
	const struct c_access *a, const struct c_expr *e)
{
	struct c_expr *copy = region_new_of(s->mem, struct c_expr);

	for (int d = 0; d < a->n_subs && e->kind == CX_VAR; d++) {
		const struct c_loop *loop = loop_of(u->place.loop,
			&u->write->sub[d]);
		struct poly value = a->sub[d], rest;
		int64_t factor;

		if (loop && loop->decl == e->decl && poly_split(
		    &u->write->sub[d], e->decl, &factor, &rest) &&
		    poly_add(&value, &rest, -1))
			return expr_of_poly(s, &value, e->at);
	}
	*copy = *e;
	copy->arg = region_array(s->mem, struct c_expr *, e->n_args + 1);
	for (int i = 0; i < e->n_args; i++)
		copy->arg[i] = condition_at(s, u, a, e->arg[i]);
	return copy;
}

/* Does "u" write the element "a", if all that it leaves out are elements that others write again? */
static struct c_expr *writes_rest(struct stencil *s, const struct c_update *u,
	const struct c_access *a)
{
	struct c_expr *all = u->asked ? NULL : loops_write(s, u, a);

	for (const struct c_condition *c = u->place.condition; c && all;
	     c = c->outer) {
		struct c_expr *own = condition_at(s, u, a, c->expr);

		if (c->negated) {
			own = c_node(s->mem, CX_UNARY, C_INT, 1, &own, own->at);
			own->op = OP_NOT;
		}
		all = both(s, all, own);
	}
	return all;
}

/* "w" leaves out what "u" writes again. */
static bool leave_out(struct stencil *s, struct c_update *w,
	const struct c_update *u)
{
	struct c_expr *again = u->leaves_out ? writes_rest(s, u, w->write) :
		writes_element(s, u, w->write);

	w->leaves_out |= again && !w->place.condition;
	if (again)
		limit_update(s, w, again, true);
	return again;
}

/* Does "u" add to one element in each step, whatever loops do? */
static bool changes_one(const struct c_update *u)
{
	return !u->place.loop && !u->place.condition && !u->asked &&
		reads_own(u);
}

/* May "u" change what "w" computes, or write it again? */
static bool may_settle(struct stencil *s, const struct c_update *w,
	const struct c_update *u)
{
	return w->write->field == u->write->field && w->place.phase ==
		u->place.phase && w->place.order != u->place.order &&
		!w->asked && !u->asked && overwrites(s, w, u) &&
		none_sees(s, w, u);
}

/* { params : "u" writes elements that "w" does not compute } */
static __isl_give isl_set *where_more(struct stencil *s,
	const struct c_update *w, const struct c_update *u)
{
	return isl_set_params(isl_set_subtract(place_domain(s, &u->place),
		isl_map_domain(touch_same(s, u->write, w->write))));
}

/* .. nor another statement before "u", as conditions part a nest */
static __isl_give isl_set *where_more_than_all(struct stencil *s,
	const struct c_update *w, const struct c_update *u)
{
	isl_set *more = where_more(s, w, u);

	for (const struct c_update *v = s->updates; v != u; v = v->next)
		if (v != w && may_settle(s, v, u))
			more = isl_set_intersect(more, where_more(s, v, u));
	return more;
}

/* Does "w" compute all elements that "u" writes?  Of a source, which is one element, the emitted file asks
 * whether it lies there, or where other statements compute, and leaves others to the loops.
 */
static bool computes_all(struct stencil *s, const struct c_update *w,
	const struct c_update *u)
{
	isl_set *more = changes_one(u) ? where_more_than_all(s, w, u) :
		where_more(s, w, u);
	isl_set *used;
	bool all = isl_set_is_empty(more) == isl_bool_true;

	if (all || !changes_one(u)) {
		isl_set_free(more);
		return all;
	}
	used = isl_set_params(place_domain(s, &u->place));
	more = isl_set_subtract(isl_set_copy(used), more);
	if (isl_set_is_empty(more) == isl_bool_false)
		return ask_and_assume(s, more, used);
	isl_set_free(used);
	isl_set_free(more);
	return false;
}

/* "u" changes what "w" computes; another statement, where w computes nothing, what was there. */
static bool split_change(struct stencil *s, const struct c_update *w,
	struct c_update *u)
{
	bool all = computes_all(s, w, u);
	struct c_expr *computed = all ? NULL : writes_element(s, w, u->write);
	struct c_update *rest;

	u->changes = all || computed;
	if (!computed)
		return all;
	rest = region_new_of(s->mem, struct c_update);
	*rest = *u;
	u->next = rest;
	limit_update(s, rest, computed, true);
	limit_update(s, u, computed, false);
	rest->changes = false;
	rest->leaves_out = u->leaves_out = false;
	return true;
}

/* Does this settle something? */
static bool settle_pair(struct stencil *s, struct c_update *w,
	struct c_update *u)
{
	if (!may_settle(s, w, u))
		return false;
	if (!reads_own(u))
		return leave_out(s, w, u);
	return !u->changes && split_change(s, w, u);
}

/* The same where "u" comes behind "w" in the text, but other iterations of their loop execute it before "w", as at
 * the corner u[0][n-1] of edges u[0][i] and u[i][n-1].
 */
static bool settle_earlier(struct stencil *s, struct c_update *u,
	struct c_update *w)
{
	return !reads_own(w) && !u->sweeps && settle_pair(s, u, w);
}

/* What one statement leaves out another one may have read. */
static bool settle_some(struct stencil *s, struct c_update *u)
{
	bool some = false;

	for (struct c_update *w = s->updates; w != u; w = w->next)
		some |= settle_pair(s, w, u) || settle_earlier(s, u, w);
	return some;
}

/* Two elements --------------------------------------------------------------- */

/* Do "w" and "u" write one element? */
static struct c_expr *is_one(struct stencil *s, const struct c_update *w,
	const struct c_update *u)
{
	struct c_expr *all = NULL;

	for (int d = 0; d < u->write->n_subs; d++)
		all = both(s, all, compare(s, OP_EQ, &w->write->sub[d],
			&u->write->sub[d], u->at));
	return all;
}

struct joined {
	struct c_copy copy;
	const struct c_update *of;	/* what this reads of its own element is .. */
	struct c_expr *own;		/* .. this; NULL: what is copied */
	const struct c_update *before;	/* .. what this computes from it */
};

static struct c_expr *read_joined(struct c_copy *copy, struct c_expr *e)
{
	const struct joined *j = copy->user;
	struct joined inner = { { .s = copy->s, .user = &inner,
		.instead = read_joined }, j->before, e, NULL };

	if (e->kind != CX_ELEMENT || !e->access ||
	    !same_element(e->access, j->of->write))
		return NULL;
	return j->own ? j->own : c_converted(copy->s->mem,
		copy_expr(&inner.copy, j->before->value),
		j->before->write->field->decl->type);
}

/* "w" and then "u" change an element each, perhaps the same: if so, one statement does what both do, one
 * after the other.
 */
static void join_changes(struct stencil *s, struct c_update *w,
	struct c_update *u)
{
	struct c_expr *same = is_one(s, w, u);
	struct c_update *one = region_new_of(s->mem, struct c_update);
	struct joined joined = { { .s = s, .user = &joined,
		.instead = read_joined }, u, NULL, w };

	*one = *u;
	one->value = copy_expr(&joined.copy, u->value);
	u->next = one;
	limit_update(s, w, same, true);
	limit_update(s, u, same, true);
	limit_update(s, one, same, false);
}

static void join_two_changes(struct stencil *s)
{
	for (struct c_update *u = s->updates; u; u = u->next)
		for (struct c_update *w = s->updates; w != u; w = w->next)
			if (changes_one(w) && changes_one(u) && w->write->field
			    == u->write->field && w->place.phase ==
			    u->place.phase && w->place.order < u->place.order &&
			    overwrites(s, w, u) && none_sees(s, w, u))
				join_changes(s, w, u);
}

void settle_writes(struct stencil *s)
{
	join_two_changes(s);
	for (struct c_update *u = s->updates; u; u = u->next)
		while (settle_some(s, u))
			;
}

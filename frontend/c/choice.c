/* Choices by conditions on indices, as in i > 0 ? A[i-1] : 0.  C reads only the
 * chosen value; a statement of the program is computed only where all its reads
 * lie in their arrays.  So where a value that is not chosen may lie outside,
 * the statement becomes two, each under its condition.
 */
#include "frontend/c/exchange.h"
#include "frontend/c/list.h"
#include "frontend/c/passes.h"

enum { MAX_UPDATES = 256 };

/* One of the two statements. */
struct half {
	const struct c_expr *select;	/* the choice made in it: */
	bool holds;
	struct c_copy copy;
};

static const struct c_condition *narrowed(const struct half *h,
	const struct c_condition *outer)
{
	struct c_condition *c = region_new_of(h->copy.s->mem,
		struct c_condition);

	c->expr = h->select->arg[0];
	c->negated = !h->holds;
	c->outer = outer;
	c->depth = outer ? outer->depth + 1 : 1;
	return c;
}

/* A read that gave a scalar its value further out, before the condition was
 * known, happens whether it holds or not.
 */
static void narrow_place(struct c_copy *copy, struct c_place *place)
{
	const struct half *h = copy->user;

	if (is_affine_condition(copy->s, place, h->select->arg[0]))
		place->condition = narrowed(h, place->condition);
}

static struct c_expr *chosen(struct c_copy *copy, struct c_expr *e)
{
	const struct half *h = copy->user;

	return e == h->select ? c_converted(copy->s->mem, copy_expr(copy,
		e->arg[h->holds ? 1 : 2]), e->type) : NULL;
}

/* Which choices ------------------------------------------------------------*/

struct search {
	struct stencil *s;
	const struct c_update *update;
	const struct c_expr *condition;	/* a choice, and the way it goes */
	bool holds;
	struct searched {		/* the parameters for which all stays
					 * inside so far */
		const struct c_expr *condition;	/* NULL: whatever is chosen */
		bool holds;
		const struct c_access *access;
		const struct searched *next;
	} *stays;
	struct plain {			/* values of scalars of the update
					 * without such a choice */
		const struct c_temp *temp;
		const struct plain *next;
	} *plain;
};

/* { params : "a" leaves its array at an iteration in "domain" } */
static __isl_give isl_set *leaving(struct stencil *s, const struct c_access *a,
	__isl_take isl_set *domain)
{
	return isl_set_params(isl_set_subtract(domain, cells_inside(s, a)));
}

/* Does "a" leave its array for fewer parameters if the choice goes one way? */
static bool is_kept_inside(struct stencil *s, const struct c_access *a,
	const struct c_expr *condition, bool holds)
{
	isl_set *domain = place_domain(s, &a->place);
	isl_set *chosen = place_condition(s, &a->place, condition);
	isl_set *some = leaving(s, a, isl_set_copy(domain)), *fewer;
	bool kept = false;

	if (chosen && isl_set_is_empty(some) == isl_bool_false) {
		chosen = holds ? isl_set_intersect(isl_set_copy(domain),
			chosen) : isl_set_subtract(isl_set_copy(domain),
			chosen);
		fewer = leaving(s, a, chosen);
		kept = isl_set_is_subset(some, fewer) == isl_bool_false;
		isl_set_free(fewer);
	} else {
		isl_set_free(chosen);
	}
	isl_set_free(domain);
	isl_set_free(some);
	return kept;
}

static bool is_known_to_stay(const struct search *search,
	const struct c_access *a)
{
	const struct searched *f = search->stays;

	while (f && (f->access != a || (f->condition &&
	       (f->condition != search->condition || f->holds != search->holds))))
		f = f->next;
	return f;
}

static bool note_stay(struct search *search, const struct c_access *a,
	const struct c_expr *condition)
{
	struct searched *f = region_new_of(search->s->mem, struct searched);

	*f = (struct searched) { condition, search->holds, a, search->stays };
	search->stays = f;
	return true;
}

static bool never_leaves(struct stencil *s, const struct c_access *a)
{
	isl_set *some = leaving(s, a, place_domain(s, &a->place));
	bool never = isl_set_is_empty(some) == isl_bool_true;

	isl_set_free(some);
	return never;
}

/* Is the way of the choice irrelevant to "a"? */
static bool stays_inside(void *user, struct c_access *a)
{
	struct search *search = user;

	if (access_is_fixed(search->s, a))
		return true;
	for (int d = 0; d < a->n_subs; d++)
		if (!a->field->is_sized[d])
			return false;
	if (is_known_to_stay(search, a))
		return true;
	if (never_leaves(search->s, a))
		return note_stay(search, a, NULL);
	return !is_kept_inside(search->s, a, search->condition,
		search->holds) && note_stay(search, a, search->condition);
}

static bool arm_stays_inside(struct search *search, const struct c_expr *e,
	bool holds)
{
	search->condition = e->arg[0];
	search->holds = holds;
	return each_read(e->arg[holds ? 1 : 2], stays_inside, search);
}

static bool is_plain(const struct search *search, const struct c_temp *temp)
{
	const struct plain *p = search->plain;

	while (p && p->temp != temp)
		p = p->next;
	return p;
}

static void note_plain(struct search *search, const struct c_temp *temp)
{
	struct plain *p = region_new_of(search->s->mem, struct plain);

	*p = (struct plain) { temp, search->plain };
	search->plain = p;
}

static const struct c_expr *find_choice(struct search *search,
	const struct c_expr *e);

/* Many values use a scalar: it is searched once. */
static const struct c_expr *find_in_scalar(struct search *search,
	const struct c_temp *temp)
{
	const struct c_expr *found;

	if (is_plain(search, temp))
		return NULL;
	found = find_choice(search, temp->value);
	if (!found)
		note_plain(search, temp);
	return found;
}

/* The choice in "e" that conditions on statements should make; or NULL. */
static const struct c_expr *find_choice(struct search *search,
	const struct c_expr *e)
{
	const struct c_expr *found;

	if (e->kind == CX_TEMP)
		return find_in_scalar(search, e->temp);
	if (e->kind == CX_SELECT && is_affine_condition(search->s,
	    &search->update->place, e->arg[0]) &&
	    !(arm_stays_inside(search, e, true) &&
	      arm_stays_inside(search, e, false)))
		return e;
	for (int i = 0; i < e->n_args; i++) {
		found = find_choice(search, e->arg[i]);
		if (found)
			return found;
	}
	return NULL;
}

static const struct c_expr *next_choice(struct search *search)
{
	const struct c_update *u = search->update;
	const struct c_expr *found;

	search->plain = NULL;
	found = find_choice(search, u->value);

	return found || !u->asked ? found : find_choice(search, u->asked);
}

/* "u" with the choice made one way. */
static void take_half(struct stencil *s, struct c_update *u,
	const struct c_expr *select, bool holds)
{
	struct half h = { select, holds,
		{ s, &h, narrow_place, chosen, NULL } };

	u->value = copy_expr(&h.copy, u->value);
	u->asked = u->asked ? copy_expr(&h.copy, u->asked) : NULL;
	u->write = copy_access(&h.copy, u->write);
	u->place.condition = u->write->place.condition;
}

static void split(struct stencil *s, struct c_update *u,
	const struct c_expr *select)
{
	struct c_update *v = region_new_of(s->mem, struct c_update);

	*v = *u;
	u->next = v;
	take_half(s, u, select, true);
	take_half(s, v, select, false);
}

static bool is_executed(struct stencil *s, const struct c_update *u)
{
	isl_set *domain = place_domain(s, &u->place);
	bool never = isl_set_is_empty(domain) == isl_bool_true;

	isl_set_free(domain);
	return !never;
}

bool drop_idle(struct stencil *s)
{
	struct c_update **link = &s->updates;

	for (struct c_field *f = s->fields; f; f = f->next)
		f->is_written = false;
	while (*link)
		if (is_executed(s, *link)) {
			(*link)->write->field->is_written = true;
			link = &(*link)->next;
		} else {
			*link = (*link)->next;
		}
	for (struct c_record *r = s->recorded.first; r; r = r->next)
		r->field->is_written = true;
	note_listed_writes(s);
	share_written(s);
	return s->updates || refuse(s, E_C_REGION, s->time_loop->at,
		"no statement of the region is ever executed");
}

bool split_choices(struct stencil *s)
{
	int n = 0;

	struct search search = { .s = s };

	for (struct c_update *u = s->updates; u; u = u->next) {
		const struct c_expr *select;

		search.update = u;
		while ((select = next_choice(&search))) {
			if (++n > MAX_UPDATES)
				return refuse(s, E_TOO_LARGE, u->at, "the "
					"choices make more than %d statements",
					MAX_UPDATES);
			split(s, u, select);
		}
	}
	return true;
}

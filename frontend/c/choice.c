/* Choices by conditions on indices, as in i > 0 ? A[i-1] : 0.  C reads only the
 * value chosen; a statement of the program is computed only where all its
 * reads lie in their arrays.  So where a value not chosen may lie outside, the
 * statement becomes two, each under its condition.
 */
#include "frontend/c/passes.h"

enum { MAX_UPDATES = 256 };

/* One of the two statements. */
struct half {
	const struct c_expr *select;	/* the choice that is made: */
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

/* A read that gave a scalar its value further out, where the condition is not
 * known yet, is made whether it holds or not.
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
};

/* Does "a" stay in its array wherever the statement is executed? */
static bool stays_inside(void *user, struct c_access *a)
{
	struct search *search = user;
	struct stencil *s = search->s;
	isl_set *domain, *inside;
	bool stays;

	if (access_is_fixed(s, a))
		return true;
	for (int d = 0; d < a->n_subs; d++)
		if (!a->field->is_sized[d])
			return false;
	domain = place_domain(s, &a->place);
	inside = cells_inside(s, a);
	stays = isl_set_is_subset(domain, inside) == isl_bool_true;
	isl_set_free(domain);
	isl_set_free(inside);
	return stays;
}

/* The choice in "e" to be made by conditions on statements; or NULL. */
static const struct c_expr *find_choice(struct search *search,
	const struct c_expr *e)
{
	const struct c_expr *found;

	if (e->kind == CX_TEMP)
		return find_choice(search, e->temp->value);
	if (e->kind == CX_SELECT && is_affine_condition(search->s,
	    &search->update->place, e->arg[0]) &&
	    !(each_read(e->arg[1], stays_inside, search) &&
	      each_read(e->arg[2], stays_inside, search)))
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
	const struct c_expr *found = find_choice(search, u->value);

	return found || !u->asked ? found : find_choice(search, u->asked);
}

/* "u" where the choice is made one way. */
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
	return s->updates || refuse(s, E_C_REGION, s->time_loop->at,
		"no statement of the region is ever executed");
}

bool split_choices(struct stencil *s)
{
	int n = 0;

	for (struct c_update *u = s->updates; u; u = u->next) {
		struct search search = { s, u };
		const struct c_expr *select;

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

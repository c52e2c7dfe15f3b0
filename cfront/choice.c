/* Choices by conditions on indices, as in i > 0 ? A[i-1] : 0.  C reads only the
 * value chosen; a statement of the program is computed only where all its
 * reads lie in their arrays.  So where a value not chosen may lie outside, the
 * statement becomes two, each under its condition.
 */
#include "cfront/stencil.h"

enum { MAX_UPDATES = 256 };

/* Copies -------------------------------------------------------------------*/

/* One of the two statements. */
struct half {
	struct stencil *s;
	const struct c_expr *select;	/* the choice that is made: */
	bool holds;
	struct copied {
		const struct c_temp *from;
		struct c_temp *to;
		struct copied *next;
	} *copied;
};

static struct c_expr *copy_expr(struct half *h, const struct c_expr *e);

static const struct c_condition *narrowed(struct half *h,
	const struct c_condition *outer)
{
	struct c_condition *c = region_new_of(h->s->mem, struct c_condition);

	c->expr = h->select->arg[0];
	c->negated = !h->holds;
	c->outer = outer;
	c->depth = outer ? outer->depth + 1 : 1;
	return c;
}

static struct c_access *copy_access(struct half *h, const struct c_access *a)
{
	struct c_access *copy = region_new_of(h->s->mem, struct c_access);

	*copy = *a;
	copy->place.condition = narrowed(h, a->place.condition);
	return copy;
}

static struct c_temp *copy_temp(struct half *h, const struct c_temp *temp)
{
	struct copied *c = h->copied;

	while (c && c->from != temp)
		c = c->next;
	if (!c) {
		c = region_new_of(h->s->mem, struct copied);
		c->from = temp;
		c->to = region_new_of(h->s->mem, struct c_temp);
		*c->to = *temp;
		c->to->value = copy_expr(h, temp->value);
		c->next = h->copied;
		h->copied = c;
	}
	return c->to;
}

static struct c_expr *copy_expr(struct half *h, const struct c_expr *e)
{
	struct c_expr *copy;

	if (e == h->select) {
		copy = copy_expr(h, e->arg[h->holds ? 1 : 2]);
		return converted(h->s, copy, e->type);
	}
	copy = region_new_of(h->s->mem, struct c_expr);
	*copy = *e;
	if (e->kind == CX_ELEMENT)
		copy->access = copy_access(h, e->access);
	else if (e->kind == CX_TEMP)
		copy->temp = copy_temp(h, e->temp);
	copy->arg = region_array(h->s->mem, struct c_expr *, e->n_args + 1);
	for (int i = 0; i < e->n_args; i++)
		copy->arg[i] = copy_expr(h, e->arg[i]);
	return copy;
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

static void split(struct stencil *s, struct c_update *u,
	const struct c_expr *select)
{
	struct half then = { .s = s, .select = select, .holds = true };
	struct half otherwise = { .s = s, .select = select };
	struct c_update *v = region_new_of(s->mem, struct c_update);

	*v = *u;
	u->next = v;
	v->value = copy_expr(&otherwise, u->value);
	v->write = copy_access(&otherwise, u->write);
	v->place.condition = v->write->place.condition;
	u->value = copy_expr(&then, u->value);
	u->write = copy_access(&then, u->write);
	u->place.condition = u->write->place.condition;
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
	return s->updates || refuse(s, E_C_REGION, s->time_loop->at,
		"no statement of the region is ever executed");
}

bool split_choices(struct stencil *s)
{
	int n = 0;

	for (struct c_update *u = s->updates; u; u = u->next) {
		struct search search = { s, u };
		const struct c_expr *select = find_choice(&search, u->value);

		for (; select; select = find_choice(&search, u->value)) {
			if (++n > MAX_UPDATES)
				return refuse(s, E_TOO_LARGE, u->at, "the "
					"choices make more than %d statements",
					MAX_UPDATES);
			split(s, u, select);
		}
	}
	return true;
}

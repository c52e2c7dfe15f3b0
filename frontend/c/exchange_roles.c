/* Arrays that change places at the end of a step, in time loops that end early:
 *
 *	while (change > eps && it < most) { v = f(u); change = max |v - u|; swap(u, v); it++; }
 *
 * As the loop may end after any step, a round is one step, and a field is a role.  The new values are "u" of the
 * next step, and so are the cells of "v" that no statement writes.  "u" as a whole becomes "v".  When the loop has
 * ended after an odd number of steps, the contents of both arrays change places.
 */
#include "frontend/c/exchange.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

/* Points --------------------------------------------------------------------*/

/* The point of an array, as a loop over each dimension counts it. */
static struct c_place whole_of(struct stencil *s, const struct c_field *f,
	const struct c_loop *like)
{
	struct c_place place = { .order = 0 };
	const struct c_loop *names[C_MAX_DIMS] = { NULL };

	for (; like; like = like->outer)
		names[like->depth - 1] = like;
	for (int d = 0; d < f->n_dims; d++) {
		struct c_loop *loop = region_new_of(s->mem, struct c_loop);
		struct c_decl *own = region_new_of(s->mem, struct c_decl);

		own->name = names[d] ? names[d]->decl->name : "x";
		own->type = C_INT;
		own->is_inside = true;
		loop->decl = own;
		loop->end = f->size[d];
		loop->step = 1;
		loop->at = s->time_loop->at;
		loop->outer = place.loop;
		loop->depth = d + 1;
		place.loop = loop;
	}
	return place;
}

static struct c_access *cell_of(struct stencil *s, struct c_field *f,
	const struct c_place *place)
{
	struct c_access *a = region_new_of(s->mem, struct c_access);

	a->field = f;
	a->n_subs = f->n_dims;
	a->place = *place;
	a->at = s->time_loop->at;
	a->is_seen = true;
	for (const struct c_loop *l = place->loop; l; l = l->outer) {
		a->sub[l->depth - 1] = poly_symbol(l->decl);
		a->sub_at[l->depth - 1] = a->at;
	}
	return a;
}

/* The value that the loop variable "d" has where "w" writes the cell "a". */
static bool value_at(const struct c_access *w, const struct c_access *a,
	const struct c_decl *d, struct poly *value)
{
	for (int i = 0; i < w->n_subs; i++) {
		struct poly rest;
		int64_t c;

		if (!poly_uses(&w->sub[i], d))
			continue;
		if (!poly_split(&w->sub[i], d, &c, &rest) ||
		    (c != 1 && c != -1) || loop_of(w->place.loop, &rest))
			return false;
		*value = poly_constant(0);
		return poly_add(value, &a->sub[i], c) &&
			poly_add(value, &rest, -c);
	}
	return false;
}

static struct c_expr *compare(struct stencil *s, int op, const struct poly *p,
	const struct poly *q)
{
	struct span at = s->time_loop->at;

	return c_binary(s->mem, op, C_INT, expr_of_poly(s, p, at),
		expr_of_poly(s, q, at), at);
}

static struct c_expr *both(struct stencil *s, struct c_expr *a,
	struct c_expr *b)
{
	return a ? c_binary(s->mem, OP_AND, C_INT, a, b, b->at) : b;
}

/* "p" with the values that variables of loops have where "u" writes "a"; false if they are not told. */
static bool at_cell(const struct c_update *u, const struct c_access *a,
	struct poly *p)
{
	for (const struct c_loop *l = u->place.loop; l; l = l->outer) {
		struct poly value;

		if (poly_uses(p, l->decl) && (!value_at(u->write, a, l->decl,
		    &value) || !poly_substitute(p, l->decl, &value)))
			return false;
	}
	return true;
}

/* Does "u" write the cell "a"?  NULL: that is not told. */
static struct c_expr *writes_cell(struct stencil *s, const struct c_update *u,
	const struct c_access *a)
{
	struct c_expr *all = NULL;

	if (u->asked || u->place.condition || u->sweeps)
		return NULL;
	for (const struct c_loop *l = u->place.loop; l; l = l->outer) {
		struct poly v = poly_symbol(l->decl), begin = l->begin;
		struct poly end = l->end;

		if (l->step != 1 || l->start || !at_cell(u, a, &v) ||
		    !at_cell(u, a, &begin) || !at_cell(u, a, &end))
			return NULL;
		all = both(s, all, compare(s, OP_GE, &v, &begin));
		all = both(s, all, compare(s, OP_LT, &v, &end));
	}
	for (int d = 0; d < a->n_subs; d++)
		if (!loop_of(u->place.loop, &u->write->sub[d]))
			all = both(s, all, compare(s, OP_EQ, &a->sub[d],
				&u->write->sub[d]));
	return all;
}

/* Roles -----------------------------------------------------------------------*/

/* to = from at "place", at the end of a step */
static void add_copy(struct stencil *s, struct c_field *to,
	struct c_field *from, const struct c_place *place)
{
	struct c_update *u = region_new_of(s->mem, struct c_update);
	struct c_update **link = &s->until.copies;

	u->write = cell_of(s, to, place);
	u->value = c_leaf(s->mem, CX_ELEMENT, from->decl->type,
		s->time_loop->at);
	u->value->access = cell_of(s, from, place);
	u->place = *place;
	u->at = s->time_loop->at;
	u->at.end += *link != NULL;
	u->write->at = u->at;
	while (*link)
		link = &(*link)->next;
	*link = u;
}

/* At "place", cells that no statement writes to "f". */
static bool leave_out_written(struct stencil *s, struct c_field *f,
	struct c_place *place)
{
	for (const struct c_update *u = s->updates; u; u = u->next) {
		struct c_condition *c;
		struct c_expr *writes;

		if (u->write->field != f)
			continue;
		writes = writes_cell(s, u, cell_of(s, f, place));
		if (!writes)
			return refuse_exchange(s, f->decl, "a condition decides "
				"what the step writes to it");
		c = region_new_of(s->mem, struct c_condition);
		c->expr = writes;
		c->negated = true;
		c->outer = place->condition;
		c->depth = c->outer ? c->outer->depth + 1 : 1;
		place->condition = c;
	}
	return true;
}

/* What a step has written to "f" belongs to "role" from the next one on. */
static void rename_written(struct stencil *s, const struct c_field *f,
	struct c_field *role)
{
	for (struct c_update *u = s->updates; u; u = u->next)
		if (u->write->field == f)
			u->write->field = role;
	for (struct c_access *a = s->accesses; a; a = a->next)
		if (a->field == f && a->version == 1)
			a->field = role;
}

static bool has_one_size(const struct c_field *f, const struct c_field *g)
{
	bool same = f->n_dims == g->n_dims;

	for (int d = 0; d < f->n_dims && same; d++)
		same = poly_equal(&f->size[d], &g->size[d]) &&
			f->ends[d] == BOUNDARY_FIXED &&
			g->ends[d] == BOUNDARY_FIXED;
	return same;
}

/* The step writes "f", which then has the role of "other". */
static bool exchange(struct stencil *s, struct c_field *f, struct c_field *other)
{
	const struct c_update *u = s->updates;
	struct c_place whole, rest;

	while (u->write->field != f)
		u = u->next;
	whole = rest = whole_of(s, f, u->place.loop);
	if (!has_one_size(f, other))
		return refuse_exchange(s, f->decl, "both arrays do not have one "
			"size, known by their declarations or loops");
	if (!leave_out_written(s, f, &rest))
		return false;
	rename_written(s, f, other);
	add_copy(s, other, f, &rest);
	add_copy(s, f, other, &whole);
	return true;
}

static bool writes_field(const struct stencil *s, const struct c_field *f)
{
	const struct c_update *u = s->updates;

	while (u && u->write->field != f)
		u = u->next;
	return u;
}

bool exchange_roles(struct stencil *s)
{
	struct c_field *written[MAX_ROWS];
	int n = 0;

	for (struct c_field *f = s->fields; f && n < MAX_ROWS; f = f->next)
		if (exchanged_for(s, f) && writes_field(s, f))
			written[n++] = f;
	for (int i = 0; i < n; i++)
		if (!exchange(s, written[i], exchanged_for(s, written[i])))
			return false;
	share_written(s);
	return true;
}

/* Behind the loop --------------------------------------------------------------*/

static const char *name_of_symbol(const void *user, const struct c_decl *d)
{
	return name_in_function(user, d);
}

static void print_cells(struct text *t, const struct stencil *s,
	const struct c_field *f)
{
	text_puts(t, "1LL");
	for (int d = 0; d < f->n_dims; d++) {
		const struct poly *size = &f->size[d];

		text_puts(t, " * (");
		for (int i = 0; i < size->n; i++)
			poly_print_term(t, &size->term[i], i == 0, " * ",
				name_of_symbol, s);
		text_puts(t, ")");
	}
}

void print_exchanges(struct text *t, const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next) {
		const struct c_field *other = exchanged_for(s, f);

		if (!other || other->name > f->name)
			continue;
		text_puts(t, "#ifdef _OPENMP\n#pragma omp parallel for\n#endif\n"
			"\tfor (long long stencilc_i = 0; stencilc_i < "
			"(*stencilc_steps % 2) * ");
		print_cells(t, s, f);
		text_printf(t, "; stencilc_i++) {\n\t\t%s stencilc_cell = "
			"%s[stencilc_i];\n\n\t\t%s[stencilc_i] = %s[stencilc_i]"
			";\n\t\t%s[stencilc_i] = stencilc_cell;\n\t}\n",
			c_type_of_field(f->decl), f->name, f->name, other->name,
			other->name);
	}
}

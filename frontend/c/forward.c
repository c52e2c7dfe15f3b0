/* Arrays that each step fills and then reads: see forward.h. */
#include "frontend/c/forward.h"
#include "frontend/c/border.h"
#include "frontend/c/copy.h"
#include "frontend/c/ghost.h"
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/map.h>
#include <isl/set.h>

struct forward {
	struct c_copy copy;
	struct stencil *s;
	const struct c_field *field;
	struct c_update *fill;	/* the only statement that writes it */
	const struct c_access *read;	/* one that reads it */
	const struct c_field *changed;	/* by the nest that fills it */
};

/* Which arrays ---------------------------------------------------------------*/

static struct c_update *only_writer(const struct stencil *s, const struct c_field *f)
{
	struct c_update *only = NULL;

	for (struct c_update *u = s->updates; u; u = u->next) {
		if (u->write->field != f)
			continue;
		if (only)
			return NULL;
		only = u;
	}
	return only;
}

/* Is each subscript of "a" the variable of a loop of its own, and a number? */
static bool counts_elements(const struct c_access *a)
{
	int n = 0;

	for (const struct c_loop *l = a->place.loop; l; l = l->outer)
		n++;
	for (int d = 0; d < a->n_subs; d++) {
		const struct c_loop *loop = loop_of(a->place.loop, &a->sub[d]);
		struct poly rest;
		int64_t factor, number;

		if (a->around[d] || !loop || !poly_split(&a->sub[d], loop->decl, &factor, &rest) || factor != 1 ||
		    !poly_is_constant(&rest, &number))
			return false;
		for (int e = 0; e < d; e++)
			if (poly_uses(&a->sub[e], loop->decl))
				return false;
	}
	return n == a->n_subs;
}

static bool is_plain_read(void *user, struct c_access *a)
{
	const struct forward *f = user;

	return is_straight(a) && a->field != f->field && !a->is_listed && !a->is_looked_up;
}

static bool has_no_more(void *user, struct c_access *a)
{
	const struct forward *f = user;

	return a->n_subs <= f->field->n_dims || access_is_of_step(f->s, a);
}

/* Is the array filled from one of more dimensions, as no statement of a program does? */
static bool is_line(struct forward *f)
{
	return !update_reads(f->fill, has_no_more, f);
}

/* Does each step copy what others have, element by element, before it changes them?  A GPU rather copies than lets the
 * host execute the last step, but where edges would stay statements.
 */
static bool is_copy(const struct forward *f)
{
	const struct c_expr *value = f->fill->value;

	return !f->s->leaves.no_copies && value->kind == CX_ELEMENT && counts_elements(value->access) &&
		value->type == f->field->decl->type && value->access->field->is_written &&
		(!f->s->file->on_device || has_edges(f->s, value->access->field));
}

static bool is_no_read(void *user, struct c_access *a)
{
	const struct forward *f = user;

	return a->field != f->field;
}

/* Does each step compute it to copy it back, and nothing else read it? */
static bool is_copied_back(struct forward *f)
{
	const struct c_update *back = NULL;

	if (f->s->leaves.no_copies || f->s->file->on_device)
		return false;
	for (const struct c_update *u = f->s->updates; u; u = u->next) {
		if (update_reads(u, is_no_read, f))
			continue;
		if (back || u->asked || u->place.condition)
			return false;
		back = u;
	}
	return back && back->value->kind == CX_ELEMENT && counts_elements(back->value->access) &&
		back->value->type == back->write->field->decl->type;
}

/* Does "a", if it reads the array, find each element as the same step has filled it? */
static bool finds_filled(void *user, struct c_access *a)
{
	const struct forward *f = user;
	isl_map *pairs, *before;
	isl_set *reads;
	bool finds;

	if (a->field != f->field)
		return true;
	if (!is_straight(a))
		return false;
	pairs = touch_same(f->s, a, f->fill->write);
	before = executed_before(pairs, &a->place, &f->fill->place);
	reads = isl_map_domain(access_cells(f->s, a));
	finds = isl_map_is_subset(pairs, before) == isl_bool_true;
	finds = isl_set_is_subset(reads, isl_set_coalesce(isl_map_domain(before))) == isl_bool_true && finds;
	isl_map_free(pairs);
	isl_set_free(reads);
	return finds;
}

static bool is_elsewhere(void *user, struct c_access *a)
{
	const struct forward *f = user;

	return a->field != f->changed;
}

/* Does the nest that fills the array change nothing of what it fills it from? */
static bool fills_alone(struct forward *f)
{
	for (const struct c_update *u = f->s->updates; u; u = u->next) {
		f->changed = u->write->field;
		if (outermost(u->place.loop) == outermost(f->fill->place.loop) && !update_reads(f->fill, is_elsewhere, f))
			return false;
	}
	return true;
}

/* Has the array no other name in the region? */
static bool has_one_name(const struct stencil *s, const struct c_field *f)
{
	return c_is_own_array(f->decl) || f->decl->is_restrict || s->file->no_alias;
}

static bool may_forward(struct forward *f)
{
	const struct c_update *u = f->fill;
	const struct c_field *field = f->field;

	if (!u || u->asked || u->place.condition || !stands_alone(f->s, field) || field->decl->has_rows ||
	    !has_one_name(f->s, field) || !counts_elements(u->write) ||
	    !(is_line(f) || is_copy(f) || is_copied_back(f)) || !update_reads(u, is_plain_read, f) || !fills_alone(f))
		return false;
	for (const struct c_update *r = f->s->updates; r; r = r->next)
		if (!update_reads(r, finds_filled, f))
			return false;
	return true;
}

/* What fills them instead ------------------------------------------------------ */

/* The value of the variable of "loop" where the statement fills what is read. */
static struct poly value_of(const struct forward *f, const struct c_loop *loop)
{
	const struct c_access *w = f->fill->write;
	struct poly value = { 0 }, rest;
	int64_t factor;

	for (int d = 0; d < w->n_subs; d++)
		if (poly_uses(&w->sub[d], loop->decl) && poly_split(&w->sub[d], loop->decl, &factor, &rest)) {
			value = f->read->sub[d];
			poly_add(&value, &rest, -1);
		}
	return value;
}

/* The loops "l", as others: what reads in them comes wholly before, or behind, the loops of the reader. */
static const struct c_loop *loops_of_their_own(const struct stencil *s, const struct c_loop *l)
{
	struct c_loop *own;

	if (!l)
		return NULL;
	own = region_new_of(s->mem, struct c_loop);
	*own = *l;
	own->outer = loops_of_their_own(s, l->outer);
	return own;
}

/* "a", which the filling statement reads, at the same place in the order, for the iterations of the reader */
static struct c_access *access_there(const struct forward *f, const struct c_access *a)
{
	struct c_access *own = region_new_of(f->s->mem, struct c_access);

	*own = *a;
	own->place.loop = loops_of_their_own(f->s, f->read->place.loop);
	own->place.condition = f->read->place.condition;
	for (int d = 0; d < own->n_subs; d++)
		for (const struct c_loop *l = f->fill->place.loop; l; l = l->outer) {
			const struct poly value = value_of(f, l);

			poly_substitute(&own->sub[d], l->decl, &value);
		}
	own->next = f->s->accesses;
	f->s->accesses = own;
	return own;
}

static struct c_expr *element_there(struct c_copy *copy, struct c_expr *e)
{
	const struct forward *f = copy->user;
	struct c_expr *own;

	for (const struct c_loop *l = f->fill->place.loop; l && e->kind == CX_VAR; l = l->outer)
		if (e->decl == l->decl) {
			const struct poly value = value_of(f, l);

			return expr_of_poly(f->s, &value, e->at);
		}
	if (e->kind != CX_ELEMENT)
		return NULL;
	own = region_new_of(f->s->mem, struct c_expr);
	*own = *e;
	own->access = access_there(f, e->access);
	return own;
}

static struct c_expr *value_filled(struct c_copy *copy, struct c_expr *e)
{
	struct forward *f = copy->user, there = *f;

	if (e->kind != CX_ELEMENT || e->access->field != f->field)
		return NULL;
	there.read = e->access;
	there.copy = (struct c_copy) { .s = f->s, .user = &there, .instead = element_there };
	return c_converted(f->s->mem, copy_expr(&there.copy, f->fill->value), f->field->decl->type);
}

static void forward_field(struct forward *f)
{
	struct stencil *s = f->s;
	struct c_update **link = &s->updates;
	struct c_field **own = &s->fields;

	for (struct c_update *r = s->updates; r; r = r->next) {
		f->copy = (struct c_copy) { .s = s, .user = f, .instead = value_filled };
		r->value = copy_expr(&f->copy, r->value);
		r->asked = r->asked ? copy_expr(&f->copy, r->asked) : NULL;
	}
	while (*link != f->fill)
		link = &(*link)->next;
	*link = (*link)->next;
	leave_to_loops(s, f->fill);
	while (*own != f->field)
		own = &(*own)->next;
	*own = (*own)->next;
}

void forward_arrays(struct stencil *s)
{
	struct c_field *next;

	if (!may_leave_rounds(s) || s->n_phases > 1)
		return;
	for (struct c_field *f = s->fields; f; f = next) {
		struct forward own = { .s = s, .field = f, .fill = only_writer(s, f) };

		next = f->next;
		if (may_forward(&own))
			forward_field(&own);
	}
}

/* Reads that data place, as the coefficients of a cell's material, ca[mat[i][j]], or that run against the
 * points, as those of a layer, be[n - 1 - i]: a stencil reads at fixed distances.  What is read so is the
 * same in all steps.  So the call reads it once, into an array with an element for each point,
 *
 *	ca_mat[i][j] = ca[mat[i][j]];
 *
 * and the steps read that.
 */
#include "frontend/c/lookup.h"
#include "frontend/c/list.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <ctype.h>
#include <string.h>

/* Which reads --------------------------------------------------------------*/

/* Is "a" an element of an array as C has it, which no step writes? */
static bool is_plain(const struct stencil *s, const struct c_access *a)
{
	const struct c_field *f = a->field;

	if (f->local || f->slot != NO_SLOT || f->decl->has_rows || a->is_listed ||
	    f->lookup || writes_array(s->time_loop->body, f->decl) ||
	    is_assigned(s->time_loop->body, f->decl))
		return false;
	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d] || poly_uses(&a->sub[d], s->round))
			return false;
	return true;
}

/* Does "e" divide by data, which may be 0 where no point reads? */
static bool divides_by_data(const struct c_expr *e)
{
	return e->kind == CX_BINARY && (e->op == OP_DIV || e->op == OP_MOD) && is_of_data(e->arg[1]);
}

/* Has "e", which is resolved, the same value in all steps, and can C's text have it? */
static bool is_steady(const struct stencil *s, const struct c_expr *e)
{
	if (e->kind == CX_TEMP)
		return is_steady(s, e->temp->value);
	if (e->kind == CX_ELEMENT)
		return is_integer(e->type) && is_plain(s, e->access);
	if (e->kind == CX_VAR)
		return is_integer(e->type) && e->decl != s->round && e->decl != s->time;
	if ((e->kind != CX_INT && e->kind != CX_UNARY && e->kind != CX_BINARY &&
	     e->kind != CX_CAST) || divides_by_data(e))
		return false;
	for (int i = 0; i < e->n_args; i++)
		if (!is_steady(s, e->arg[i]))
			return false;
	return is_integer(e->type);
}

static bool is_unchanged(const struct stencil *s, const struct c_decl *d)
{
	return !s->of_step && !s->at.list && !d->has_rows && !d->is_inside &&
		!writes_array(s->time_loop->body, d) && !is_assigned(s->time_loop->body, d);
}

bool is_looked_up(const struct stencil *s, const struct c_expr *e, const struct c_expr *sub)
{
	return is_unchanged(s, e->decl) && is_steady(s, sub);
}

bool is_reversed(const struct stencil *s, const struct c_expr *e, const struct c_access *a)
{
	if (!is_unchanged(s, e->decl) || s->at.in_subscript)
		return false;
	for (int d = 0; d < a->n_subs; d++) {
		const struct c_loop *l = loop_of(a->place.loop, &a->sub[d]);
		struct poly rest;
		int64_t c;

		if (l && !poly_uses(&a->sub[d], s->round) && !a->around[d] &&
		    poly_split(&a->sub[d], l->decl, &c, &rest) && c < 0)
			return true;
	}
	return false;
}

/* What is read -------------------------------------------------------------*/

static struct c_access *snapshot(struct stencil *s, const struct c_access *a)
{
	struct c_access *copy = region_new_of(s->mem, struct c_access);

	*copy = *a;
	copy->next = NULL;
	return copy;
}

/* "e" with the values of scalars in place of these, and elements as C has them now: later passes tell the
 * rows of linear arrays apart.  Notes the elements; NULL: there are too many.
 */
static struct c_expr *as_read(struct stencil *s, struct c_lookup *l, const struct c_expr *e)
{
	struct c_expr *copy;

	if (e->kind == CX_TEMP)
		return as_read(s, l, e->temp->value);
	copy = region_new_of(s->mem, struct c_expr);
	*copy = *e;
	if (e->kind == CX_ELEMENT) {
		if (l->n_reads == MAX_LOOKUP_READS)
			return NULL;
		l->read[l->n_reads++] = e->access;
		copy->access = snapshot(s, e->access);
		return copy;
	}
	copy->arg = region_array(s->mem, struct c_expr *, e->n_args + 1);
	for (int i = 0; i < e->n_args; i++)
		if (!(copy->arg[i] = as_read(s, l, e->arg[i])))
			return NULL;
	return copy;
}

static bool has_subscript(const struct c_access *a, const struct c_decl *d)
{
	for (int k = 0; k < a->n_subs; k++)
		if (poly_uses(&a->sub[k], d))
			return true;
	return false;
}

static bool has_variable(const struct c_expr *e, const struct c_decl *d)
{
	if (e->kind == CX_VAR && e->decl == d)
		return true;
	if (e->kind == CX_ELEMENT && has_subscript(e->access, d))
		return true;
	for (int i = 0; i < e->n_args; i++)
		if (has_variable(e->arg[i], d))
			return true;
	return false;
}

/* The loops around "place" whose variables the places have, from the outermost on; their number. */
static int find_indices(struct c_lookup *l, const struct c_loop *loop)
{
	int n = loop->outer ? find_indices(l, loop->outer) : 0;
	bool uses = false;

	for (int d = 0; d < l->what->n_subs; d++)
		uses = uses || (l->what->around[d] ? has_variable(l->what->around[d], loop->decl) :
			poly_uses(&l->what->sub[d], loop->decl));
	if (uses && n < C_MAX_DIMS)
		l->index[n++] = loop->decl;
	return n;
}

/* Names --------------------------------------------------------------------*/

/* .. of the first array that tells where; or how the places lie. */
static const char *name_of_places(const struct c_lookup *l)
{
	for (int d = 0; d < l->what->n_subs && !l->n_reads; d++)
		if (l->what->around[d])
			return "at";
	return l->n_reads ? l->read[0]->field->decl->name : "back";
}

static bool is_taken(const struct stencil *s, const char *name)
{
	const struct c_field *f = s->fields;

	while (f && !(f->lookup && !strcmp(f->decl->name, name)))
		f = f->next;
	return f;
}

/* ca_mat, ca_mat_2, .., as identifiers */
static const char *new_name(struct stencil *s, const struct c_lookup *l)
{
	struct text t = { 0 };
	const char *first, *name;

	text_printf(&t, "%s_%s", l->what->field->decl->name, name_of_places(l));
	for (size_t i = 0; i < t.length; i++)
		if (!isalnum((unsigned char) t.bytes[i]))
			t.bytes[i] = '_';
	name = first = region_strndup(s->mem, t.bytes, t.length);
	text_free(&t);
	for (int n = 2; is_taken(s, name); n++)
		name = region_printf(s->mem, "%s_%d", first, n);
	return name;
}

/* Elements that are looked up ----------------------------------------------*/

static struct c_decl *new_array(struct stencil *s, const struct c_lookup *l, int n_dims)
{
	const struct c_decl *from = l->what->field->decl;
	struct c_decl *d = region_new_of(s->mem, struct c_decl);

	d->name = new_name(s, l);
	d->at = from->at;
	d->type = from->type;
	d->type_name = from->type_name;
	d->n_dims = n_dims;
	d->is_pointer = d->is_const = d->is_allocated = true;
	return d;
}

/* Do "l" and "m" read the same elements at all points? */
static bool reads_the_same(const struct c_lookup *l, const struct c_lookup *m)
{
	const struct c_access *a = l->what, *b = m->what;
	bool same = a->field->decl == b->field->decl && a->field->part.at == b->field->part.at;

	for (int i = 0; i < C_MAX_DIMS; i++)
		same = same && l->index[i] == m->index[i];
	for (int d = 0; d < a->n_subs && same; d++)
		same = !a->around[d] == !b->around[d] && (a->around[d] ?
			c_same_value(a->around[d], b->around[d]) :
			poly_equal(&a->sub[d], &b->sub[d]));
	return same;
}

static bool refuse_lookup(struct stencil *s, const struct c_expr *e, const char *why)
{
	refuse(s, E_SUBSCRIPT, e->at, "'%s' is not at a fixed distance from the point: %s",
		c_quote(s, e->at), why);
	diag_advice(s->diags, "fill an array with what the points read, before "
		"'#pragma scop', and read that");
	return false;
}

/* The part of "object" as a field, as C has it. */
static struct c_field *array_read(struct stencil *s, const struct c_decl *object, struct c_part part)
{
	struct c_field *f = region_new_of(s->mem, struct c_field);

	f->decl = (struct c_decl *) object;
	f->slot = NO_SLOT;
	f->part = part;
	f->n_dims = object->n_dims - f->part.is_subscript;
	f->name = object->name;
	return f;
}

static struct c_lookup *new_lookup(struct stencil *s, const struct c_expr *e,
	struct c_field *field, const struct c_access *a)
{
	struct c_lookup *l = region_new_of(s->mem, struct c_lookup);
	struct c_access *what = snapshot(s, a);

	what->field = field;
	what->n_subs = what->field->n_dims;
	l->what = what;
	for (int d = 0; d < what->n_subs; d++) {
		if (!what->around[d])
			continue;
		what->around[d] = as_read(s, l, what->around[d]);
		if (!what->around[d]) {
			refuse_lookup(s, e, "too many elements tell where it lies");
			return NULL;
		}
	}
	return l;
}

struct c_lookup *look_up(struct stencil *s, const struct c_expr *e, const struct c_decl *object,
	struct c_part part, const struct c_access *a)
{
	struct c_lookup *l = new_lookup(s, e, array_read(s, object, part), a);
	int n;

	if (!l)
		return NULL;
	n = a->place.loop ? find_indices(l, a->place.loop) : 0;
	if (n == 0 || n > IR_MAX_DIMS) {
		refuse_lookup(s, e, n ? "it depends on more loops than a grid has dimensions" :
			"it lies elsewhere, the same for all points");
		return NULL;
	}
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->lookup && reads_the_same(l, f->lookup))
			return f->lookup;
	l->decl = new_array(s, l, n);
	return l;
}

/* Sizes --------------------------------------------------------------------*/

static bool is_other_field(void *user, struct c_access *a)
{
	return a->field != user;
}

/* The size of what "w" writes along the dimension whose subscript is "index", or beyond it; NULL: there is
 * none.
 */
static const struct poly *size_along(const struct c_access *w, const struct c_decl *index)
{
	for (int d = 0; d < w->n_subs; d++) {
		struct poly rest;
		int64_t c, distance;

		if (w->field->is_sized[d] && poly_split(&w->sub[d], index, &c, &rest) && c == 1 &&
		    poly_is_constant(&rest, &distance) && distance >= 0)
			return &w->field->size[d];
	}
	return NULL;
}

void take_size_of_writes(const struct stencil *s, struct c_field *f)
{
	const struct c_lookup *l = f->lookup;

	for (const struct c_update *u = s->updates; u; u = u->next) {
		if (update_reads(u, is_other_field, f))
			continue;
		for (int d = 0; d < f->n_dims; d++) {
			const struct poly *size = size_along(u->write, l->index[d]);

			if (!size || f->is_sized[d])
				continue;
			f->size[d] = *size;
			f->is_sized[d] = true;
		}
	}
}

/* Does a value that is read only sometimes contain an element of "l"? */
static bool is_in_arm(const struct c_expr *e, const struct c_lookup *l, bool in_arm)
{
	bool chooses = e->kind == CX_SELECT || (e->kind == CX_BINARY &&
		(e->op == OP_AND || e->op == OP_OR));

	if (e->kind == CX_ELEMENT)
		return in_arm && e->access->field->decl == l->decl;
	if (e->kind == CX_TEMP)
		return is_in_arm(e->temp->value, l, in_arm);
	for (int i = 0; i < e->n_args; i++)
		if (is_in_arm(e->arg[i], l, in_arm || (chooses && i > 0)))
			return true;
	return false;
}

static bool is_sure(const struct stencil *s, const struct c_lookup *l)
{
	for (const struct c_update *u = s->updates; u; u = u->next)
		if (is_in_arm(u->value, l, u->asked) || (u->asked && is_in_arm(u->asked, l, true)))
			return false;
	return !s->until.results && !s->recorded.first;
}

void find_sure_lookups(const struct stencil *s)
{
	for (const struct c_field *f = s->fields; f; f = f->next)
		if (f->lookup)
			f->lookup->is_sure = is_sure(s, f->lookup);
}

/* Linear arrays: A[i*M + j] is A[i][j] of rows of M, and so are places that data give, A[si[p]*M + sj[p]] and
 * A[at[p]], and elements of records, rec[(t/10)*M + j].
 */
#include "frontend/c/assumed.h"
#include "frontend/c/list.h"
#include "frontend/c/nearby.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"
#include "frontend/c/split.h"

#include <string.h>

/* Parts that are no sums of variables --------------------------------------*/

/* The variable for "e", an integer that is no sum of others, as si[p]: one for each value, inside the region. */
static const struct c_decl *variable_of_part(struct stencil *s,
	const struct c_expr *e)
{
	struct c_decl *d = s->at.parts;

	while (d && !c_same_value(d->quotient, e))
		d = d->next;
	if (d)
		return d;
	d = region_new_of(s->mem, struct c_decl);
	d->name = c_quote(s, e->at);
	d->type = e->type;
	d->at = e->at;
	d->is_inside = true;
	d->quotient = e;
	d->next = s->at.parts;
	s->at.parts = d;
	return d;
}

/* "e", a sum of products, with such variables for what else it has */
static struct c_expr *parts_as_variables(struct stencil *s, struct c_expr *e)
{
	struct c_expr *arg[2], *along;
	struct poly p;

	e = bare_subscript(e);
	if (poly_of(s, e, &p))
		return e;
	along = choice_along(s, e);
	if (along)
		return parts_as_variables(s, along);
	if (e->kind != CX_BINARY || (e->op != OP_ADD && e->op != OP_SUB &&
	    e->op != OP_MUL))
		return c_variable(s->mem, variable_of_part(s, e), e->type,
			e->at);
	for (int i = 0; i < 2; i++)
		arg[i] = parts_as_variables(s, e->arg[i]);
	return c_binary(s->mem, e->op, e->type, arg[0], arg[1], e->at);
}

/* "e" as a sum in which variables stand for parts that are none; false if it is no sum of products. */
static bool linear_of(struct stencil *s, struct c_expr *e, struct poly *sum)
{
	return poly_of(s, parts_as_variables(s, e), sum);
}

static bool is_part(const struct c_decl *d)
{
	return d->quotient && d->is_inside;
}

/* A part that "p" has; or NULL. */
static const struct c_decl *part_of(const struct poly *p)
{
	for (int i = 0; i < p->n; i++)
		for (int k = 0; k < p->term[i].degree; k++)
			if (is_part(p->term[i].symbol[k]))
				return p->term[i].symbol[k];
	return NULL;
}

bool listed_place(struct stencil *s, struct c_expr *e, struct poly *sum)
{
	if (!linear_of(s, e, sum))
		return false;
	for (int i = 0; i < sum->n; i++)
		for (int k = 0; k < sum->term[i].degree; k++) {
			const struct c_expr *part = sum->term[i].symbol[k]->
				quotient;

			if (is_part(sum->term[i].symbol[k]) &&
			    (part->kind != CX_ELEMENT || part->type != C_INT ||
			     part->access->is_listed))
				return false;
		}
	return true;
}

/* "e" with what the variables for parts stand for */
static struct c_expr *with_parts(struct stencil *s, struct c_expr *e)
{
	struct c_expr *copy;

	if (e->kind == CX_VAR && is_part(e->decl))
		return (struct c_expr *) e->decl->quotient;
	if (!e->n_args)
		return e;
	copy = region_new_of(s->mem, struct c_expr);
	*copy = *e;
	copy->arg = region_array(s->mem, struct c_expr *, e->n_args);
	for (int i = 0; i < e->n_args; i++)
		copy->arg[i] = with_parts(s, e->arg[i]);
	return copy;
}

/* Linear subscripts --------------------------------------------------------*/

/* The accesses to "of" among all from "first" on. */
struct linear {
	const struct stencil *s;
	struct c_field *of;
	struct c_access *first;
};

struct strides {
	int n;
	struct poly stride[C_MAX_DIMS];		/* the greatest first */
};

bool turns_back(struct stencil *s, struct c_expr *e, struct poly *sum)
{
	const struct c_decl *part;
	struct poly rest, factor, near;

	if (!linear_of(s, offsets_as_choices(s, e), sum))
		return false;
	for (rest = *sum; (part = part_of(&rest)); ) {
		struct c_decl *own = (struct c_decl *) part;

		if (!neighbour_of(s, part->quotient, &near))
			return false;
		own->values = expr_of_poly(s, &near, part->at);
		poly_factor(&rest, part, &factor, &rest);
	}
	return true;
}

static bool is_greater(const struct poly *a, const struct poly *b)
{
	const struct poly_term *x = poly_leading(a), *y = poly_leading(b);

	return x->degree != y->degree ? x->degree > y->degree :
		x->coefficient > y->coefficient;
}

static bool add_stride(struct strides *all, const struct poly *stride)
{
	int at = 0;

	for (int i = 0; i < all->n; i++)
		if (poly_equal(&all->stride[i], stride))
			return true;
	if (all->n == IR_MAX_DIMS)
		return false;
	while (at < all->n && is_greater(&all->stride[at], stride))
		at++;
	memmove(all->stride + at + 1, all->stride + at,
		sizeof(all->stride[0]) * (size_t) (all->n - at));
	all->stride[at] = *stride;
	all->n++;
	return true;
}

/* Factors, found one by one in the subscript "rest". */
struct factors {
	struct poly rest;
	struct strides own;
	int n;
};

/* The factor of "symbol"; false if it cannot be a row's. */
static bool add_factor(struct factors *f, const struct c_decl *symbol,
	const struct c_loop *loops, bool bare, struct strides *all)
{
	struct poly factor, left;

	poly_factor(&f->rest, symbol, &factor, &left);
	f->rest = left;
	if (!factor.n)
		return true;
	if (bare)
		factor = poly_without_number(&factor);
	f->n++;
	return !loop_of(loops, &factor) && !part_of(&factor) &&
		add_stride(all, &factor) && add_stride(&f->own, &factor);
}

/* The factors in "sub", a subscript at "loops". */
static bool add_factors(const struct linear *l, struct factors *own,
	const struct c_loop *loops, bool bare, struct strides *all)
{
	const struct c_decl *part;
	bool steps = !l->of->is_written || l->of->is_record;

	for (const struct c_loop *loop = loops; loop; loop = loop->outer)
		if (!add_factor(own, loop->decl, loops, bare, all))
			return false;
	if (steps && !add_factor(own, l->s->round, loops, bare, all))
		return false;
	while ((part = part_of(&own->rest)))
		if (!add_factor(own, part, loops, bare, all))
			return false;
	return true;
}

/* The factors of loop variables, of parts that are data, and of the step that an input or a record has an
 * element for, if a subscript has several of these.  If "bare", without numbers; false if two in a subscript
 * differ only in the number: these are dimensions of their own.
 */
static bool find_strides(const struct linear *l, bool bare,
	struct strides *all)
{
	bool any = false;

	for (const struct c_access *a = l->first; a; a = a->next) {
		struct factors own = { .rest = a->sub[0] };

		if (a->field != l->of)
			continue;
		if (!add_factors(l, &own, a->place.loop, bare, all) ||
		    (bare && own.own.n < own.n))
			return false;
		any |= own.n > 1;
	}
	return any;
}

/* Of a place "at" in all of the array: at / m % n */
static struct c_expr *place_along(struct stencil *s, struct c_expr *at,
	const struct strides *all, int d)
{
	const struct poly one = poly_constant(1);
	struct poly size, rest;

	if (!poly_equal(&all->stride[d], &one))
		at = c_binary(s->mem, OP_DIV, C_INT, at, expr_of_poly(s,
			&all->stride[d], at->at), at->at);
	if (d && poly_divide(&all->stride[d - 1], &all->stride[d], &size,
			&rest))
		at = c_binary(s->mem, OP_MOD, C_INT, at, expr_of_poly(s, &size,
			at->at), at->at);
	return at;
}

/* Does the last subscript of "a" alone say which cell of all rows it means? */
static bool counts_cells(const struct c_access *a)
{
	for (int d = 0; d + 1 < a->n_subs; d++)
		if (a->sub[d].n)
			return false;
	return a->n_subs > 1;
}

/* Let the emitted file divide by "size" only where that is positive. */
static void ask_for_some(struct stencil *s, const struct poly *size)
{
	struct text t = { 0 };
	int64_t number;

	if (poly_is_constant(size, &number))
		return;
	poly_print(&t, size);
	text_puts(&t, " > 0");
	ask_for(s, region_strndup(s->mem, t.bytes, t.length));
	text_free(&t);
}

/* Of "a", a cell that parameters count, u[source], its row and column, u[source / m][source % m], which the call passes;
 * false if they are no parameters.
 */
static bool set_row_and_column(struct stencil *s, struct c_access *a, const struct strides *all)
{
	int last = a->n_subs - 1;
	struct c_expr *cell = expr_of_poly(s, &a->sub[last], a->sub_at[last]);

	for (int d = 0; d < a->n_subs; d++) {
		ask_for_some(s, &all->stride[d]);
		if (!poly_of(s, quotients_as_params(s, place_along(s, cell, all, d)), &a->sub[d]))
			return false;
		note_quotients(s, &a->sub[d]);
	}
	return true;
}

static bool is_counted_by_params(const struct c_access *a)
{
	const struct poly *last = &a->sub[a->n_subs - 1];
	int64_t number;

	return !a->is_listed && counts_cells(a) && !poly_is_constant(last, &number) && !part_of(last) &&
		!loop_of(a->place.loop, last);
}

/* Of "a", which is a list's, the subscripts that data give. */
static void set_places(struct stencil *s, struct c_access *a,
	const struct strides *all)
{
	int last = a->n_subs - 1;
	struct c_expr *cell = all && counts_cells(a) ? with_parts(s,
		expr_of_poly(s, &a->sub[last], a->sub_at[last])) : NULL;

	for (int d = 0; d < a->n_subs; d++) {
		if (!cell && !part_of(&a->sub[d]))
			continue;
		a->around[d] = cell ? place_along(s, cell, all, d) :
			with_parts(s, expr_of_poly(s, &a->sub[d],
				a->sub_at[d]));
		a->sub[d] = (struct poly) { 0 };
	}
}

/* Let the subscripts of "a" that are parts turn back; false if one is a sum with a part. */
static bool set_turns(const struct stencil *s, struct c_access *a)
{
	for (int d = 0; d < a->n_subs; d++) {
		const struct c_decl *part = part_of(&a->sub[d]);
		struct poly own;

		if (!part)
			continue;
		own = poly_symbol(part);
		if (!poly_equal(&a->sub[d], &own) ||
		    !poly_of(s, part->values, &a->sub[d]))
			return false;
		a->around[d] = (struct c_expr *) part->quotient;
	}
	return true;
}

/* Along "d", is "a" before its row, as far as a number says, or a loop over a few cells?  Then the least distance. */
static bool is_before_row(const struct c_access *a, int d, int64_t *least)
{
	const struct c_loop *loop = loop_of(a->place.loop, &a->sub[d]);
	struct poly last = a->sub[d], rest;
	const struct poly one = poly_constant(1);
	int64_t c, at;

	if (loop && (!poly_split(&a->sub[d], loop->decl, &c, &rest) || c != 1))
		return false;
	if (loop) {
		last = rest;
		poly_add(&last, &loop->end, 1);
		poly_add(&last, &one, -1);
	}
	if (!poly_is_constant(&last, &at) || at >= 0)
		return false;
	*least = -at;
	return true;
}

/* The place of a cell before its row in a row before it, in the last one if variables say how long rows are. */
static void set_place_in_row(struct c_access *a)
{
	for (int d = a->n_subs - 1; d > 0; d--) {
		struct poly rows = poly_constant(1), cells = a->field->size[d];
		int64_t before, size;

		if (!is_before_row(a, d, &before))
			continue;
		if (poly_is_constant(&cells, &size)) {
			rows = poly_constant((size - 1 + before) / size);
			cells = poly_constant((size - 1 + before) / size * size);
		}
		poly_add(&a->sub[d], &cells, 1);
		poly_add(&a->sub[d - 1], &rows, -1);
	}
}

/* Rewrite "a" with a subscript for each stride. */
static bool split_access(struct c_access *a, const struct strides *all)
{
	struct poly rest = a->sub[0];

	for (int d = 0; d < all->n; d++) {
		struct poly left;

		if (!poly_divide(&rest, &all->stride[d], &a->sub[d], &left))
			return false;
		rest = left;
		a->sub_at[d] = a->sub_at[0];
	}
	a->n_subs = all->n;
	set_place_in_row(a);
	return !rest.n;
}

/* Is "t" a number times the symbols of "row", and at most one loop variable? */
static bool counts_rows(const struct poly_term *t, const struct poly_term *row,
	const struct c_loop *loop)
{
	struct poly_term q;

	if (!poly_divide_symbols(t, row, &q) || q.degree > 1)
		return false;
	while (q.degree && loop && loop->decl != q.symbol[0])
		loop = loop->outer;
	return !q.degree || loop;
}

/* Among bare strides, those of the longest rows that all accesses fit: for
 * A[2*i*M + 2*j] and A[(2*i - 1)*M + 2*j] that of M, for A[4*i*M + 2*j] and
 * A[(4*i - 2)*M + 2*j] that of 2*M. False if a row is not a product.
 */
static bool find_rows(const struct linear *l, struct strides *all)
{
	for (int d = 0; d < all->n; d++) {
		struct poly_term *row = &all->stride[d].term[0];
		int64_t longest = 0;

		if (all->stride[d].n > 1)
			return false;
		for (const struct c_access *a = l->first; a; a = a->next)
			for (int i = 0; a->field == l->of && i < a->sub[0].n;
			     i++)
				if (counts_rows(&a->sub[0].term[i], row,
						a->place.loop))
					longest = greatest_common_divisor(longest,
						a->sub[0].term[i].coefficient);
		if (row->degree && longest)
			row->coefficient = longest;
	}
	return true;
}

/* The sizes of "f" if each row consists of so many rows of the next dimension. */
static bool find_row_sizes(struct c_field *f, const struct strides *all)
{
	const struct poly one = poly_constant(1);
	struct poly size[C_MAX_DIMS], rest;

	if (all->n < 2 || !poly_equal(&all->stride[all->n - 1], &one))
		return false;
	for (int d = 1; d < all->n; d++)
		if (!poly_divide(&all->stride[d - 1], &all->stride[d],
				&size[d], &rest) || rest.n)
			return false;
	for (int d = 1; d < all->n; d++) {
		f->size[d] = size[d];
		f->is_sized[d] = true;
	}
	return true;
}

/* The strides of "l", if they make it an array of rows. */
static bool find_shape(const struct linear *l, struct strides *all)
{
	*all = (struct strides) { 0 };
	if (find_strides(l, true, all) && find_rows(l, all) &&
	    find_row_sizes(l->of, all))
		return true;
	*all = (struct strides) { 0 };
	return find_strides(l, false, all) && find_row_sizes(l->of, all);
}

static bool writes_field(const struct stencil *s, const struct c_field *f)
{
	const struct c_update *u = s->updates;

	while (u && u->write->field != f)
		u = u->next;
	return u;
}

/* An array that is only read has as many rows as its declaration has cells for, however few of them are used. */
static void set_declared_rows(struct stencil *s, struct c_field *f, const struct strides *all)
{
	const struct c_decl *d = f->decl;
	const struct c_expr *size = d->n_dims == 1 && !d->is_pointer && !d->is_decayed && !f->local ? d->size[0] : NULL;
	struct c_expr *value = size && !assigns_any(s->region->body, size) && !writes_field(s, f) ? resolve(s, size) :
		NULL;
	struct poly cells, rows, rest;
	int64_t number;

	if (!value || !poly_of(s, value, &cells) || !poly_divide(&cells, &all->stride[0], &rows, &rest) || rest.n ||
	    !poly_is_constant(&rows, &number) || number < 1)
		return;
	f->size[0] = rows;
	f->is_sized[0] = true;
}

static void set_rows(struct stencil *s, struct c_field *f, const struct strides *all)
{
	f->n_dims = all->n;
	f->is_split = true;
	set_declared_rows(s, f, all);
}

/* Link the access "a", if it is at a place of a list, before the others of "l". */
static bool add_listed(void *user, struct c_access *a)
{
	struct linear *l = user;
	const struct c_access *other = l->first;

	while (other && other != a)
		other = other->next;
	if (!a->is_listed || other)
		return true;
	a->next = l->first;
	l->first = a;
	return true;
}

/* All accesses, those of lists first. */
static struct c_access *all_accesses(struct stencil *s, struct c_field *f)
{
	struct linear l = { s, f, s->accesses };

	for (const struct c_list *list = s->lists; list; list = list->next)
		for (struct c_listed *of = list->first; of; of = of->next) {
			each_read(of->value, add_listed, &l);
			if (of->write)
				add_listed(&l, of->write);
		}
	return l.first;
}

/* A[i*M + j] is A[i][j] of rows of M, and so is A[2*i*M + 2*j] A[2*i][2*j]. */
static bool split_accesses(struct stencil *s, struct c_field *f)
{
	const struct linear l = { s, f, all_accesses(s, f) };
	struct strides all;
	bool has_rows = f->n_dims == 1 && find_shape(&l, &all);

	for (struct c_access *a = l.first; a; a = a->next) {
		if (a->field != f)
			continue;
		if ((has_rows && !split_access(a, &all)) || (has_rows && is_counted_by_params(a) &&
		    !poly_uses(&a->sub[a->n_subs - 1], s->round) && !set_row_and_column(s, a, &all)) ||
		    (!a->is_listed && !set_turns(s, a)))
			return refuse(s, E_SUBSCRIPT, a->at, "'%s' does not "
				"say which row and column it means",
				c_quote(s, a->at));
		if (a->is_listed)
			set_places(s, a, has_rows ? &all : NULL);
	}
	if (has_rows)
		set_rows(s, f, &all);
	return true;
}

/* Records ------------------------------------------------------------------*/

/* Of "sum" = 24 * round + 12 + j, where a step is 2 * round + 1: 12 * step + j, with a variable for the step. */
static bool steps_as_part(struct stencil *s, int phase, struct poly *sum)
{
	struct poly now, by_round, rest, step;
	int64_t n = 1;

	if (!poly_uses(sum, s->round) || !time_value(s, phase, &now))
		return true;
	poly_factor(sum, s->round, &by_round, &rest);
	for (int i = 0; i < now.n; i++)
		if (now.term[i].degree)
			n = now.term[i].coefficient;
	for (int i = 0; i < by_round.n; i++) {
		if (by_round.term[i].coefficient % n)
			return true;
		by_round.term[i].coefficient /= n;
	}
	step = poly_symbol(variable_of_part(s, expr_of_poly(s, &now,
		s->time_loop->at)));
	for (int i = 0; i < now.n; i++)
		if (!now.term[i].degree) {
			const struct poly first = poly_constant(
				now.term[i].coefficient);

			if (!poly_add(&step, &first, -1))
				return false;
		}
	if (!poly_multiply(&step, &by_round) || !poly_add(&rest, &step, 1))
		return false;
	*sum = rest;
	return true;
}

struct elements {
	struct stencil *s;
	struct linear of;		/* as accesses, in the order of the region */
	struct c_access **end, *next;
};

typedef bool each_element(struct elements *e, const struct c_place *place,
	struct c_expr **sub);

static bool add_element(struct elements *e, const struct c_place *place,
	struct c_expr **sub)
{
	struct c_access *a = region_new_of(e->s->mem, struct c_access);
	bool is_sum;

	a->field = e->of.of;
	a->n_subs = 1;
	a->place = *place;
	a->at = sub[0]->at;
	*e->end = a;
	e->end = &a->next;
	e->s->at.place = *place;
	is_sum = linear_of(e->s, sub[0], &a->sub[0]);
	e->s->at.place.loop = NULL;
	return is_sum && steps_as_part(e->s, place->phase, &a->sub[0]);
}

static bool set_element(struct elements *e, const struct c_place *place,
	struct c_expr **sub)
{
	const struct c_access *a = e->next;

	(void) place;
	e->next = a->next;
	for (int d = 0; d < a->n_subs; d++)
		sub[d] = with_parts(e->s, expr_of_poly(e->s, &a->sub[d],
			a->at));
	return true;
}

/* Do it for each element of the record "e" that the region writes. */
static bool for_elements(struct elements *e, each_element *each)
{
	const struct c_field *f = e->of.of;

	for (struct c_record *r = e->s->recorded.first; r; r = r->next)
		if (r->field == f && !each(e, &r->place, r->sub))
			return false;
	for (struct c_list *list = e->s->lists; list; list = list->next)
		for (struct c_listed *l = list->first; l; l = l->next)
			if (l->record == f && !each(e, &list->place, l->sub))
				return false;
	return true;
}

/* Are all sizes but the first sums?  Else forget them: rec[t*n*m + j] does not say how long its rows are. */
static bool has_linear_rows(struct c_field *f, const struct strides *all)
{
	bool linear = true;

	for (int d = 1; d < all->n; d++)
		linear &= poly_is_linear(&f->size[d]);
	for (int d = 1; d < all->n && !linear; d++)
		f->is_sized[d] = false;
	return linear;
}

static bool split_record(struct stencil *s, struct c_field *f)
{
	struct elements e = { .s = s, .of = { s, f, NULL } };
	struct strides all;

	e.end = &e.of.first;
	if (!for_elements(&e, add_element) || !find_shape(&e.of, &all) ||
	    !has_linear_rows(f, &all))
		return true;
	for (struct c_access *a = e.of.first; a; a = a->next)
		if (!split_access(a, &all))
			return true;
	e.next = e.of.first;
	for_elements(&e, set_element);
	set_rows(s, f, &all);
	return true;
}

bool split_field(struct stencil *s, struct c_field *f)
{
	if (f->is_record)
		return f->n_dims != 1 || split_record(s, f);
	return split_accesses(s, f);
}

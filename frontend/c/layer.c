/* Arrays of layers at the ends of a grid: see layer.h.  In each statement the distances between its arrays must be
 * numbers, so an array that lies elsewhere is moved by the distance from the array that most statements have.
 */
#include "frontend/c/layer.h"
#include "frontend/c/ghost.h"
#include "frontend/c/list.h"
#include "frontend/c/nearby.h"
#include "frontend/c/overwrite.h"
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/space.h>

/* Where accesses lie ------------------------------------------------------- */

/* A subscript v + place + number, "v" being the variable of "loop"; or another one, without a loop. */
struct located {
	struct c_access *access;
	int dim;
	const struct c_update *of;
	const struct c_loop *loop;
	struct poly place, shift;	/* it moves so far, but for a number */
	int64_t number;
	bool is_moved;
	struct located *next;
};

struct search {
	struct stencil *s;
	const struct c_update *update;
	struct located *all;
};

static void set_place(struct located *l, const struct poly *p)
{
	for (int i = 0; i < p->n; i++)
		if (p->term[i].degree)
			l->place.term[l->place.n++] = p->term[i];
		else
			l->number = p->term[i].coefficient;
}

static bool locate(void *user, struct c_access *a)
{
	struct search *search = user;

	for (int d = 0; d < a->n_subs; d++) {
		const struct c_loop *loop = loop_of(a->place.loop, &a->sub[d]);
		struct located *own = region_new_of(search->s->mem, struct located);
		struct poly rest;
		int64_t c;

		*own = (struct located) { .access = a, .dim = d, .of = search->update, .next = search->all };
		search->all = own;
		if (!loop || a->around[d] || !poly_split(&a->sub[d], loop->decl, &c, &rest) || c != 1)
			continue;
		own->loop = loop;
		set_place(own, &rest);
	}
	return true;
}

/* Is "l" a subscript of "f" along the dimension, which moves by "shift" or, if that is NULL, in any way? */
static bool is_along(const struct located *l, const struct c_field *f, int along, const struct poly *shift)
{
	return l->access->field == f && l->dim == along && (!shift || poly_equal(&l->shift, shift));
}

/* How many subscripts of the program are along the dimension of "of"? */
static int count_uses(const struct search *search, const struct located *of)
{
	int n = 0;

	for (const struct located *l = search->all; l; l = l->next)
		n += is_along(l, of->access->field, of->dim, NULL);
	return n;
}

static bool is_beside(const struct located *a, const struct located *b)
{
	return a->loop && a->of == b->of && a->loop == b->loop;
}

/* Of the subscripts beside "l" that of the array which is used most; if several are, the one without a place. */
static const struct located *main_one(const struct search *search, const struct located *l)
{
	const struct located *best = l;
	int most = count_uses(search, l);

	for (const struct located *other = search->all; other; other = other->next) {
		int n;

		if (!is_beside(l, other) || poly_equal(&other->place, &best->place))
			continue;
		n = count_uses(search, other);
		if (n > most || (n == most && !other->place.n)) {
			best = other;
			most = n;
		}
	}
	return best;
}

/* Does any subscript move? */
static bool find_shifts(struct search *search)
{
	bool any = false;

	for (struct located *l = search->all; l; l = l->next) {
		const struct located *to = main_one(search, l);

		l->shift = to->place;
		poly_add(&l->shift, &l->place, -1);
		any |= l->shift.n > 0;
	}
	return any;
}

/* Layers --------------------------------------------------------------------*/

/* Does "l" move as its access does in all statements that share this? */
static bool moves_alike(const struct search *search, const struct located *l)
{
	for (const struct located *other = search->all; other; other = other->next)
		if (other->access == l->access && other->dim == l->dim && !poly_equal(&other->shift, &l->shift))
			return false;
	return l->loop;
}

/* The only dimension of "f" along which some of its accesses move, all of which have a place; -1: none, or several. */
static int moved_dimension(const struct search *search, const struct c_field *f)
{
	int along = -1;

	for (const struct located *l = search->all; l; l = l->next) {
		if (l->access->field != f || !l->shift.n)
			continue;
		if (along >= 0 && along != l->dim)
			return -1;
		along = l->dim;
	}
	for (const struct located *l = search->all; l && along >= 0; l = l->next)
		if (is_along(l, f, along, NULL) && !moves_alike(search, l))
			return -1;
	return along;
}

/* The layer that "l" belongs to: a new one moves so that its cells have the subscripts of the points that write it. */
static struct c_layer *layer_of(struct c_layers *layers, const struct located *l)
{
	const bool is_write = l->access == l->of->write;
	struct poly number = poly_constant(l->shift.n ? l->number : 0);
	struct c_layer *own = layers->of;

	while (own < layers->of + layers->n && !poly_equal(&own->place, &l->shift))
		own++;
	if (own == layers->of + MAX_LAYERS)
		return NULL;
	if (own == layers->of + layers->n || is_write) {
		own->place = own->shift = l->shift;
		poly_add(&own->shift, &number, -1);
	}
	if (own == layers->of + layers->n)
		layers->n++;
	return own;
}

/* The cells of "f" that move by "shift", or all of them if that is NULL. */
static __isl_give isl_set *cells_that_move(const struct search *search, const struct c_field *f, int along,
	const struct poly *shift)
{
	isl_set *cells = NULL;

	for (const struct located *l = search->all; l; l = l->next) {
		isl_set *own;

		if (!is_along(l, f, along, shift))
			continue;
		own = cells_touched(search->s, l->access);
		cells = cells ? isl_set_union(cells, own) : own;
	}
	return cells;
}

enum { MOST_LOOPS = 16 };

/* The cell of the first iteration of the loop, or of the last, if conditions let it execute "l". */
static struct poly end_of_loop(const struct located *l, bool last)
{
	const struct poly one = poly_constant(1);
	struct poly end = last ? l->loop->end : l->loop->begin, cell = l->access->sub[l->dim];

	if (last)
		poly_add(&end, &one, -1);
	poly_substitute(&cell, l->loop->decl, &end);
	return cell;
}

/* .. of all these loops; their number. */
static int ends_of_loops(const struct search *search, const struct c_field *f, int along, const struct poly *shift,
	bool last, struct poly *ends)
{
	int n = 0;

	for (const struct located *l = search->all; l && n < MOST_LOOPS; l = l->next) {
		struct poly end;
		int i = 0;

		if (!is_along(l, f, along, shift))
			continue;
		end = end_of_loop(l, last);
		while (i < n && !poly_equal(&ends[i], &end))
			i++;
		if (i == n)
			ends[n++] = end;
	}
	return n;
}

/* The first one of "cells", which move so, or that behind the last one; removes from "right", { params }, those for
 * which it is another one.
 */
static bool find_end(const struct search *search, const struct c_field *f, int along, const struct poly *shift,
	__isl_keep isl_set *cells, bool last, struct poly *end, isl_set **right)
{
	const struct poly one = poly_constant(1);
	struct poly of_loops[MOST_LOOPS];
	struct cells_end own = { .dim = along, .last = last, .of_loops = of_loops };

	own.n_loops = ends_of_loops(search, f, along, shift, last, of_loops);
	if (!end_of_cells(search->s, cells, &own))
		return false;
	*right = isl_set_subtract(*right, own.other);
	*end = own.cell;
	return poly_is_linear(end) && (!last || poly_add(end, &one, 1));
}

/* From the first of the cells that move by "shift", all if that is NULL, to behind the last. */
static bool find_range(const struct search *search, const struct c_field *f, int along, const struct poly *shift,
	struct poly *first, struct poly *end, isl_set **right)
{
	isl_set *cells = cells_that_move(search, f, along, shift);
	bool found = (!first || find_end(search, f, along, shift, cells, false, first, right)) &&
		find_end(search, f, along, shift, cells, true, end, right);

	isl_set_free(cells);
	return found;
}

/* { params : a <= b } */
static __isl_give isl_set *where_at_most(struct stencil *s, const struct poly *a, const struct poly *b)
{
	const struct c_place in_step = { .phase = 0 };

	return isl_set_params(isl_pw_aff_le_set(place_poly(s, &in_step, a), place_poly(s, &in_step, b)));
}

/* { params : the two layers have no cell in common }, as cells of the array or of the field */
static __isl_give isl_set *where_apart(struct stencil *s, const struct c_layers *layers, bool in_array)
{
	struct poly first[MAX_LAYERS], end[MAX_LAYERS];

	for (int i = 0; i < MAX_LAYERS; i++) {
		first[i] = layers->of[i].first;
		end[i] = layers->of[i].end;
		if (!in_array) {
			poly_add(&first[i], &layers->of[i].shift, 1);
			poly_add(&end[i], &layers->of[i].shift, 1);
		}
	}
	return isl_set_union(where_at_most(s, &end[0], &first[1]), where_at_most(s, &end[1], &first[0]));
}

/* Which layers "f" has, and what must hold for it to be these: { params }; NULL: it cannot. */
static __isl_give isl_set *find_layers_of(const struct search *search, const struct c_field *f,
	struct c_layers *layers)
{
	const struct c_place in_step = { .phase = 0 };
	isl_set *right = isl_set_universe(isl_space_params(place_space(search->s, &in_step)));
	bool found = true;

	for (const struct located *l = search->all; l && found; l = l->next)
		found = !is_along(l, f, layers->along, NULL) || layer_of(layers, l);
	for (int i = 0; i < layers->n && found; i++)
		found = find_range(search, f, layers->along, &layers->of[i].place, &layers->of[i].first,
			&layers->of[i].end, &right);
	return found ? right : isl_set_free(right);
}

/* The size of the array along the layers; false if it is not known. */
static bool find_array(const struct search *search, const struct c_field *f, struct c_layers *layers, isl_set **right)
{
	layers->all = f->size[layers->along];
	return f->is_sized[layers->along] || ((layers->along == 0 || f->decl->has_rows) && find_range(search, f,
		layers->along, NULL, NULL, &layers->all, right));
}

/* { params : both layers have cells } */
static __isl_give isl_set *where_some(struct stencil *s, const struct c_layers *layers)
{
	return isl_set_subtract(isl_set_complement(where_at_most(s, &layers->of[0].end, &layers->of[0].first)),
		where_at_most(s, &layers->of[1].end, &layers->of[1].first));
}

/* { params : the first layer begins first in the array }; the layers change places if it does not where both have cells
 * in "right".
 */
static __isl_give isl_set *where_in_order(struct stencil *s, struct c_layers *layers, __isl_keep isl_set *right)
{
	struct c_layer *of = layers->of, swapped = of[0];
	isl_set *order = where_at_most(s, &of[0].first, &of[1].first);
	isl_set *some = isl_set_intersect(where_some(s, layers), isl_set_copy(right));
	const bool is_in_order = isl_set_is_disjoint(order, some) != isl_bool_true;

	isl_set_free(some);
	if (is_in_order)
		return order;
	isl_set_free(order);
	of[0] = of[1];
	of[1] = swapped;
	return where_at_most(s, &of[0].first, &of[1].first);
}

/* "right", where the layers lie in the array, in their order, and have no cell in common. */
static __isl_give isl_set *where_right(struct stencil *s, const struct c_field *f, struct c_layers *layers,
	__isl_take isl_set *right)
{
	const struct poly zero = poly_constant(0);

	for (int i = 0; i < layers->n; i++) {
		right = isl_set_intersect(right, where_at_most(s, &zero, &layers->of[i].first));
		right = isl_set_intersect(right, where_at_most(s, &layers->of[i].end, &layers->all));
	}
	if (layers->n < MAX_LAYERS)
		return right;
	right = isl_set_intersect(right, where_in_order(s, layers, right));
	right = isl_set_intersect(right, where_apart(s, layers, false));
	return f->is_written ? isl_set_intersect(right, where_apart(s, layers, true)) : right;
}

bool stands_alone(const struct stencil *s, const struct c_field *f)
{
	return !f->part.of && !f->local && !f->ghosts && !f->lookup && !f->is_record && f->slot == NO_SLOT &&
		f->decl->type != C_BOOL && !is_read_at_places(s, f);
}

/* The field is as large as an array that layers of it lie beside; if no declaration says, as what is used. */
static void take_size(const struct search *search, struct c_field *f, int along)
{
	f->is_sized[along] = false;
	for (const struct located *l = search->all; l && !f->is_sized[along]; l = l->next) {
		const struct located *of = is_along(l, f, along, NULL) && l->shift.n ? main_one(search, l) : NULL;

		if (!of || !of->access->field->is_sized[of->dim])
			continue;
		f->size[along] = of->access->field->size[of->dim];
		f->is_sized[along] = true;
	}
}

static void become_layers(const struct search *search, struct c_field *f, const struct c_layers *layers)
{
	struct c_ghosts *ghosts = region_new_of(search->s->mem, struct c_ghosts);

	for (struct located *l = search->all; l; l = l->next) {
		if (!is_along(l, f, layers->along, NULL) || l->is_moved)
			continue;
		for (int i = 0; i < layers->n; i++)
			if (poly_equal(&layers->of[i].place, &l->shift))
				poly_add(&l->access->sub[l->dim], &layers->of[i].shift, 1);
		for (struct located *other = search->all; other; other = other->next)
			other->is_moved |= other->access == l->access && other->dim == l->dim;
	}
	take_size(search, f, layers->along);
	ghosts->layers = layers;
	ghosts->first[layers->along] = layers->of[0].first;
	f->ghosts = ghosts;
}

/* A call that computes one step would copy more than it computes. */
static bool may_have_layers(const struct stencil *s)
{
	return !s->is_one_step && !s->of_step && !s->until.results && !s->recorded.first;
}

void find_layers(struct stencil *s)
{
	struct search search = { .s = s };

	if (!may_have_layers(s))
		return;
	for (struct c_update *u = s->updates; u; u = u->next) {
		search.update = u;
		update_reads(u, locate, &search);
		locate(&search, u->write);
	}
	if (!find_shifts(&search))
		return;
	for (struct c_field *f = s->fields; f; f = f->next) {
		struct c_layers *layers = region_new_of(s->mem, struct c_layers);
		isl_set *right;

		layers->along = moved_dimension(&search, f);
		right = layers->along >= 0 && stands_alone(s, f) ? find_layers_of(&search, f, layers) : NULL;
		if (right && find_array(&search, f, layers, &right) && ask_and_assume(s, where_right(s, f, layers,
		    isl_set_copy(right)), isl_set_universe(isl_set_get_space(right))))
			become_layers(&search, f, layers);
		isl_set_free(right);
	}
}

/* The cells that accesses mean, as sets of isl: see sets.c.  A subscript may come around, as in
 * A[i == 0 ? n - 1 : i - 1] and A[(i + 1) % n]: then its distance is that of the point beside, and its
 * value that of C.
 */
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>

#include <stdlib.h>

static __isl_give isl_pw_aff *place_poly(struct stencil *s,
	const struct c_place *place, const struct poly *p)
{
	isl_aff *aff = place_aff(s, place, p);

	return aff ? isl_pw_aff_from_aff(aff) : NULL;
}

/* Values -------------------------------------------------------------------*/

static __isl_give isl_pw_aff *value_around(struct stencil *s,
	const struct c_place *place, const struct c_expr *e);

static __isl_give isl_pw_aff *value_chosen(struct stencil *s,
	const struct c_place *place, const struct c_expr *e)
{
	isl_set *holds = place_condition(s, place, e->arg[0]);
	isl_pw_aff *a = value_around(s, place, e->arg[1]);
	isl_pw_aff *b = value_around(s, place, e->arg[2]);

	if (holds && a && b)
		return isl_pw_aff_cond(isl_set_indicator_function(holds), a,
			b);
	isl_set_free(holds);
	isl_pw_aff_free(a);
	isl_pw_aff_free(b);
	return NULL;
}

/* x % n where -n < x < 2*n: x, or x - n. */
static __isl_give isl_pw_aff *rest_of_round(__isl_take isl_pw_aff *x,
	__isl_take isl_pw_aff *n)
{
	isl_pw_aff *less = isl_pw_aff_sub(isl_pw_aff_copy(x),
		isl_pw_aff_copy(n));
	isl_set *first = isl_set_intersect(isl_pw_aff_lt_set(
			isl_pw_aff_copy(x), isl_pw_aff_copy(n)),
		isl_pw_aff_gt_set(isl_pw_aff_copy(x), isl_pw_aff_neg(
			isl_pw_aff_copy(n))));
	isl_set *second = isl_set_intersect(isl_pw_aff_nonneg_set(
			isl_pw_aff_copy(less)), isl_pw_aff_lt_set(
			isl_pw_aff_copy(less), isl_pw_aff_copy(n)));

	return isl_pw_aff_union_add(isl_pw_aff_intersect_domain(x, first),
		isl_pw_aff_intersect_domain(less, second));
}

/* What "e" is, of which there is a distance; NULL if it is not quasi-affine. */
static __isl_give isl_pw_aff *value_around(struct stencil *s,
	const struct c_place *place, const struct c_expr *e)
{
	isl_pw_aff *value = e->kind == CX_TEMP ? NULL :
		place_value(s, place, e), *by;

	if (value)
		return value;
	if (e->kind == CX_TEMP)
		return value_around(s, place, e->temp->value);
	if (e->kind == CX_CAST)
		return value_around(s, place, e->arg[0]);
	if (e->kind == CX_SELECT)
		return value_chosen(s, place, e);
	if (e->kind != CX_BINARY || e->op != OP_MOD)
		return NULL;
	value = value_around(s, place, e->arg[0]);
	by = place_value(s, place, e->arg[1]);
	if (value && by)
		return rest_of_round(value, by);
	isl_pw_aff_free(value);
	isl_pw_aff_free(by);
	return NULL;
}

/* The subscript "d" of "a" */
static __isl_give isl_pw_aff *subscript_value(struct stencil *s,
	const struct c_access *a, int d)
{
	return a->around[d] ? value_around(s, &a->place, a->around[d]) :
		place_poly(s, &a->place, &a->sub[d]);
}

static bool subscript_is_known(struct stencil *s, const struct c_access *a,
	int d)
{
	isl_pw_aff *value = subscript_value(s, a, d);
	bool known = value;

	isl_pw_aff_free(value);
	return known;
}

/* Cells --------------------------------------------------------------------*/

__isl_give isl_map *access_cells_anywhere(struct stencil *s,
	const struct c_access *a)
{
	isl_space *space = place_space(s, &a->place);
	isl_pw_aff_list *list = isl_pw_aff_list_alloc(s->isl, a->n_subs);

	for (int d = 0; d < a->n_subs; d++)
		list = isl_pw_aff_list_add(list, subscript_value(s, a, d));
	space = isl_space_from_domain(space);
	space = isl_space_add_dims(space, isl_dim_out, (unsigned) a->n_subs);
	return isl_map_from_multi_pw_aff(isl_multi_pw_aff_from_pw_aff_list(
		space, list));
}

__isl_give isl_map *access_cells(struct stencil *s, const struct c_access *a)
{
	return isl_map_intersect_domain(access_cells_anywhere(s, a),
		place_domain(s, &a->place));
}

static __isl_give isl_set *inside_along(struct stencil *s,
	const struct c_access *a, int d)
{
	isl_pw_aff *sub = subscript_value(s, a, d);
	isl_set *inside = isl_pw_aff_nonneg_set(isl_pw_aff_copy(sub));

	return isl_set_intersect(inside, isl_pw_aff_lt_set(sub, place_poly(s,
		&a->place, &a->field->size[d])));
}

__isl_give isl_set *cells_inside(struct stencil *s, const struct c_access *a)
{
	isl_set *inside = isl_set_universe(place_space(s, &a->place));

	for (int d = 0; d < a->n_subs; d++)
		inside = isl_set_intersect(inside, inside_along(s, a, d));
	return inside;
}

__isl_give isl_set *cells_meant(struct stencil *s, const struct c_access *a)
{
	isl_set *meant = isl_set_universe(place_space(s, &a->place));

	for (int d = 0; d < a->n_subs; d++)
		if (!a->field->is_periodic[d])
			meant = isl_set_intersect(meant, inside_along(s, a,
				d));
	return meant;
}

__isl_give isl_set *within_loops(__isl_take isl_set *set,
	const struct c_place *place)
{
	int depth = place->loop ? place->loop->depth : 0;
	int more = depth + 1 - (int) isl_set_dim(set, isl_dim_set);

	return isl_set_add_dims(set, isl_dim_set, (unsigned) more);
}

__isl_give isl_set *sizes_assumed(struct stencil *s, const struct c_access *a)
{
	isl_set *set = isl_set_universe(place_space(s, &a->place));

	for (int d = 0; d < a->n_subs; d++)
		if (a->field->is_positive[d])
			set = isl_set_intersect(set, isl_aff_gt_set(
				place_aff(s, &a->place, &a->field->size[d]),
				isl_aff_zero_on_domain_space(place_space(s,
					&a->place))));
	return set;
}

/* Periods ------------------------------------------------------------------*/

/* Where the value is the point at the distance, or a whole size beside it in the array. */
static __isl_give isl_set *where_periodic(struct stencil *s,
	const struct c_access *a, int d)
{
	isl_pw_aff *size = place_poly(s, &a->place, &a->field->size[d]);
	isl_pw_aff *value = subscript_value(s, a, d);
	isl_pw_aff *beside = place_poly(s, &a->place, &a->sub[d]);
	isl_pw_aff *off = isl_pw_aff_sub(value, beside);
	isl_set *right = isl_pw_aff_zero_set(isl_pw_aff_copy(off));

	right = isl_set_union(right, isl_pw_aff_eq_set(isl_pw_aff_copy(off),
		isl_pw_aff_copy(size)));
	right = isl_set_union(right, isl_pw_aff_eq_set(isl_pw_aff_neg(off),
		size));
	return isl_set_intersect(right, inside_along(s, a, d));
}

/* Where the loop that the subscript counts goes from 0 to the size, so that each cell has a turn;
 * "loop" is then that one.
 */
static __isl_give isl_set *where_whole(struct stencil *s,
	const struct c_access *a, int d, const struct c_loop **loop)
{
	int64_t begin;

	*loop = a->place.loop;
	while (*loop && !poly_uses(&a->sub[d], (*loop)->decl))
		*loop = (*loop)->outer;
	if (!*loop || !poly_is_constant(&(*loop)->begin, &begin) || begin) {
		*loop = NULL;
		return isl_set_empty(place_space(s, &a->place));
	}
	return isl_aff_eq_set(place_aff(s, &a->place, &(*loop)->end),
		place_aff(s, &a->place, &a->field->size[d]));
}

__isl_give isl_set *rings_assumed(struct stencil *s,
	const struct c_place *place)
{
	isl_set *set = isl_set_universe(place_space(s, place));

	for (const struct c_field *f = s->fields; f; f = f->next)
		for (int d = 0; d < f->n_dims; d++)
			if (f->ring[d])
				set = isl_set_intersect(set, isl_aff_eq_set(
					place_aff(s, place, &f->ring[d]->end),
					place_aff(s, place, &f->size[d])));
	return set;
}

bool is_ring_before(const struct stencil *s, const struct c_field *f, int d)
{
	for (const struct c_field *g = s->fields; g; g = g->next)
		for (int i = 0; i < g->n_dims; i++) {
			if (g == f && i == d)
				return false;
			if (g->ring[i] && poly_equal(&g->ring[i]->end,
				&f->ring[d]->end) && poly_equal(&g->size[i],
				&f->size[d]))
				return true;
		}
	return false;
}

/* Where the array is as large as what comes around is far from the point. */
static __isl_give isl_set *where_large(struct stencil *s,
	const struct c_access *a, int d)
{
	const struct poly reach = poly_constant(a->field->reach[d]);

	return isl_aff_ge_set(place_aff(s, &a->place, &a->field->size[d]),
		place_aff(s, &a->place, &reach));
}

/* "a" comes around at the ends of its array, of a size and for loops that the call then asks for;
 * false after a diagnostic.
 */
static bool check_period(struct stencil *s, struct c_access *a, int d)
{
	isl_set *domain, *right = where_periodic(s, a, d);
	const struct c_loop *loop, **ring = &a->field->ring[d];
	int64_t distance;
	bool is_periodic;

	if (is_near_point(&a->place, &a->sub[d], &distance))
		a->field->reach[d] = larger(a->field->reach[d],
			(int) llabs(distance));
	domain = isl_set_intersect(isl_set_intersect(place_domain(s,
		&a->place), sizes_assumed(s, a)), where_large(s, a, d));
	is_periodic = isl_set_is_subset(domain, right) == isl_bool_true;
	if (!is_periodic) {
		domain = isl_set_intersect(domain, where_whole(s, a, d,
			&loop));
		is_periodic = isl_set_is_empty(domain) == isl_bool_false &&
			isl_set_is_subset(domain, right) == isl_bool_true &&
			(!*ring || poly_equal(&(*ring)->end, &loop->end));
		*ring = loop;
	}
	isl_set_free(domain);
	isl_set_free(right);
	a->field->is_periodic[d] |= is_periodic;
	if (is_periodic)
		return true;
	refuse(s, E_SUBSCRIPT, a->sub_at[d], "'%s' does not come around at "
		"the ends of '%s'", c_quote(s, a->sub_at[d]),
		a->field->decl->name);
	diag_note(s->diags, a->field->decl->at, "it is declared here");
	diag_advice(s->diags, "a periodic grid is the whole array: its loops go "
		"from 0 to the size of the array");
	return false;
}

static bool check_periods(void *user, struct c_access *a)
{
	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d] && !check_period(user, a, d))
			return false;
	return true;
}

/* What is recorded is copied by loops of C, at distances. */
static bool comes_straight(void *user, struct c_access *a)
{
	struct stencil *s = user;

	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d])
			return refuse(s, E_SUBSCRIPT, a->sub_at[d], "what is "
				"recorded is not read around the ends of '%s'",
				a->field->decl->name);
	return true;
}

static bool check_known(void *user, struct c_access *a)
{
	struct stencil *s = user;

	for (int d = 0; d < a->n_subs; d++)
		if (a->around[d] && !subscript_is_known(s, a, d))
			return refuse(s, E_SUBSCRIPT, a->sub_at[d], "the "
				"subscript '%s' is not affine: it comes around "
				"where is not told by sums of variables",
				c_quote(s, a->sub_at[d]));
	return true;
}

bool rings_are_known(struct stencil *s)
{
	for (const struct c_update *u = s->updates; u; u = u->next)
		if (!update_reads(u, check_known, s))
			return false;
	for (const struct c_record *r = s->recorded.first; r; r = r->next)
		if (!each_read(r->value, comes_straight, s))
			return false;
	return true;
}

bool find_periods(struct stencil *s)
{
	for (const struct c_update *u = s->updates; u; u = u->next)
		if (!update_reads(u, check_periods, s))
			return false;
	return true;
}

/* The cells of accesses, as isl sets: see sets.c.  A subscript may turn back at the ends of its
 * array, as in A[i == 0 ? n - 1 : i - 1], A[(i + 1) % n] and A[i > 0 ? i - 1 : 0].  Its
 * distance is then that of the neighbouring point, and its value C's.
 */
#include "frontend/c/ghost.h"
#include "frontend/c/passes.h"

#include <isl/aff.h>
#include <isl/map.h>
#include <isl/space.h>
#include <isl/val.h>

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

/* The expression that determines the distance of "e"; NULL if "e" is not
 * quasi-affine.
 */
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
	if (e->kind != CX_BINARY || (e->op != OP_MOD && e->op != OP_ADD && e->op != OP_SUB))
		return NULL;
	value = value_around(s, place, e->arg[0]);
	by = e->op == OP_MOD ? place_value(s, place, e->arg[1]) :
		value_around(s, place, e->arg[1]);
	if (value && by)
		return e->op == OP_MOD ? rest_of_round(value, by) :
			e->op == OP_ADD ? isl_pw_aff_add(value, by) :
			isl_pw_aff_sub(value, by);
	isl_pw_aff_free(value);
	isl_pw_aff_free(by);
	return NULL;
}

/* The subscript of a grid that comes around: x + size or x - size beyond its ends. */
static __isl_give isl_pw_aff *within_grid(struct stencil *s,
	const struct c_access *a, int d)
{
	isl_pw_aff *x = place_poly(s, &a->place, &a->sub[d]);
	isl_pw_aff *size = place_poly(s, &a->place, &a->field->size[d]);
	isl_set *inside = isl_pw_aff_nonneg_set(isl_pw_aff_copy(x));
	isl_pw_aff *up = isl_pw_aff_add(isl_pw_aff_copy(x),
		isl_pw_aff_copy(size));

	return rest_of_round(isl_pw_aff_cond(isl_set_indicator_function(
		inside), x, up), size);
}

__isl_give isl_pw_aff *subscript_value(struct stencil *s,
	const struct c_access *a, int d)
{
	if (a->field && a->field->ghosts && a->field->ghosts->wraps[d])
		return within_grid(s, a, d);
	return a->around[d] ? value_around(s, &a->place, a->around[d]) :
		place_poly(s, &a->place, &a->sub[d]);
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

struct search {
	struct stencil *s;
	struct cells_end *end;
	isl_pw_aff *all;
	bool found;
};

static bool is_of_loops(const struct cells_end *end, const struct poly *p)
{
	int i = 0;

	while (i < end->n_loops && !poly_equal(p, &end->of_loops[i]))
		i++;
	return i < end->n_loops;
}

/* Is "p" rather the end than "q": is that where a loop ends, or is "p" a number? */
static bool is_better(const struct cells_end *end, const struct poly *p, const struct poly *q)
{
	int64_t number;

	if (is_of_loops(end, p) != is_of_loops(end, q))
		return is_of_loops(end, q);
	return poly_is_constant(p, &number) && !poly_is_constant(q, &number);
}

/* Does no cell lie beyond "aff"?  Then it is the end, unless another one is better. */
static isl_stat try_end(__isl_take isl_set *set, __isl_take isl_aff *aff, void *user)
{
	struct search *search = user;
	isl_pw_aff *own = isl_pw_aff_from_aff(isl_aff_copy(aff)), *all = isl_pw_aff_copy(search->all);
	isl_set *beyond = search->end->last ? isl_pw_aff_gt_set(all, own) : isl_pw_aff_lt_set(all, own);
	struct poly cell;

	if (isl_set_is_empty(beyond) == isl_bool_true && poly_of_aff(search->s, aff, &cell) &&
	    (!search->found || is_better(search->end, &cell, &search->end->cell))) {
		search->end->cell = cell;
		search->found = true;
	}
	isl_set_free(beyond);
	isl_set_free(set);
	isl_aff_free(aff);
	return isl_stat_ok;
}

bool end_of_cells(struct stencil *s, __isl_keep isl_set *cells, struct cells_end *end)
{
	const struct c_place in_step = { .phase = 0 };
	const unsigned dim = (unsigned) end->dim;
	struct search search = { .s = s, .end = end };

	if ((end->last ? isl_set_dim_has_upper_bound(cells, isl_dim_set, dim) :
	     isl_set_dim_has_lower_bound(cells, isl_dim_set, dim)) != isl_bool_true)
		return false;
	cells = isl_set_coalesce(isl_set_copy(cells));
	search.all = end->last ? isl_set_dim_max(cells, end->dim) : isl_set_dim_min(cells, end->dim);
	isl_pw_aff_foreach_piece(search.all, try_end, &search);
	if (search.found)
		end->other = isl_pw_aff_ne_set(search.all, isl_pw_aff_project_domain_on_params(place_poly(s,
			&in_step, &end->cell)));
	else
		isl_pw_aff_free(search.all);
	return search.found;
}

__isl_give isl_set *cells_inside_along(struct stencil *s,
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
		inside = isl_set_intersect(inside, cells_inside_along(s, a, d));
	return inside;
}

__isl_give isl_set *cells_meant(struct stencil *s, const struct c_access *a)
{
	isl_set *meant = isl_set_universe(place_space(s, &a->place));

	for (int d = 0; d < a->n_subs; d++)
		if (a->field->ends[d] == BOUNDARY_FIXED)
			meant = isl_set_intersect(meant, cells_inside_along(s, a,
				d));
	return meant;
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

/* The cells that a tile stores: its own alone. */
#include "verify/code/kept.h"

static __isl_give isl_pw_aff *number_of_tile(const struct code *w, int d)
{
	const struct variable *v = variable_called(w,
		w->tiles->names->tile[d]);

	return isl_pw_aff_copy(v ? v->number : NULL);
}

__isl_give isl_map *with_tile(struct code *w, __isl_take isl_map *map)
{
	for (int d = 0; d < w->plan->n_dims; d++)
		map = isl_map_flat_range_product(map, isl_map_from_pw_aff(
			number_of_tile(w, d)));
	return map;
}

static __isl_give isl_pw_aff *behind_origin(struct code *w, int d,
	__isl_keep isl_pw_aff *x)
{
	return isl_pw_aff_sub(isl_pw_aff_copy(x), isl_pw_aff_scale_val(
		number_of_tile(w, d), isl_val_int_from_si(w->c->ctx,
			w->plan->pitch[d])));
}

bool is_own_cell(struct code *w, const struct touch *t)
{
	const struct field *f = t->cell->field;
	bool own = f->n_dims == w->plan->n_dims && t->width == 1;

	for (int d = 0; own && d < f->n_dims; d++) {
		isl_pw_aff *x = behind_origin(w, d, t->cell->x[d]);

		own = comes_to_none(w, isl_set_union(isl_pw_aff_lt_set(
			isl_pw_aff_copy(x), constant(w, 0)), isl_pw_aff_ge_set(
			isl_pw_aff_copy(x), constant(w, w->plan->pitch[d]))));
		isl_pw_aff_free(x);
	}
	return own || refute(w->c, "a tile may store cells of '%s' that are "
		"not its own", f->name);
}

/* { [T, copy, x, S] : (T, S) in "tiles" } */
static __isl_give isl_set *with_cells(__isl_take isl_set *tiles, int n_dims)
{
	return isl_set_insert_dims(tiles, isl_dim_set, 1, 1 +
		(unsigned) n_dims);
}

__isl_give isl_set *cells_of_tiles(struct code *w, const struct field *f,
	__isl_take isl_set *tiles)
{
	isl_set *set = with_cells(tiles, f->n_dims);
	isl_space *space = isl_set_get_space(set);

	for (int d = 0; d < f->n_dims; d++) {
		int pitch = w->plan->pitch[d];
		isl_pw_aff *x = isl_pw_aff_sub(coordinate(space, 2 + d),
			isl_pw_aff_scale_val(coordinate(space, 2 + f->n_dims +
			d), isl_val_int_from_si(w->c->ctx, pitch)));

		set = isl_set_intersect(set, isl_pw_aff_nonneg_set(
			isl_pw_aff_copy(x)));
		set = isl_set_intersect(set, isl_pw_aff_nonneg_set(
			isl_pw_aff_neg(plus(x, 1 - pitch))));
	}
	isl_space_free(space);
	return set;
}

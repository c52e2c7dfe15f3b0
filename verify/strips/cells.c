/* The cells that strips store. */
#include "verify/strips/strips.h"

__isl_give isl_set *cells_of_strips(struct checker *c, const struct plan *plan,
	const struct field *f)
{
	isl_space *space = space_of_dims(c, 2 + f->n_dims);
	int steps = plan->strips->b, n = plan->scop->field[f->index].buffers;
	isl_pw_aff *t = isl_pw_aff_scale_val(coordinate(space, 0),
		isl_val_int_from_si(c->ctx, steps));
	isl_set *cells = isl_set_universe(isl_space_copy(space));
	isl_set *kept = isl_set_empty(isl_space_copy(space));

	cells = isl_set_intersect(cells, isl_pw_aff_ge_set(isl_pw_aff_copy(t),
		isl_pw_aff_sub(isl_pw_aff_copy(t), isl_pw_aff_copy(t))));
	cells = isl_set_intersect(cells, isl_pw_aff_lt_set(t, isl_pw_aff_sub(
		value_of(c, space, c->prog->end),
		value_of(c, space, c->prog->begin))));
	for (int v = 0; v < f->depth; v++) {
		isl_pw_aff *version = plus(isl_pw_aff_scale_val(coordinate(
			space, 0), isl_val_int_from_si(c->ctx, f->depth)),
			f->depth - v);

		kept = isl_set_union(kept, isl_pw_aff_eq_set(coordinate(
			space, 1), isl_pw_aff_mod_val(version,
			isl_val_int_from_si(c->ctx, n > 1 ? n : 1))));
	}
	cells = isl_set_intersect(cells, kept);
	for (int d = 0; d < f->n_dims; d++) {
		isl_pw_aff *x = coordinate(space, 2 + d);

		cells = isl_set_intersect(cells, isl_pw_aff_ge_set(
			isl_pw_aff_copy(x), isl_pw_aff_sub(isl_pw_aff_copy(x),
			isl_pw_aff_copy(x))));
		cells = isl_set_intersect(cells, isl_pw_aff_lt_set(x,
			value_of(c, space, f->size[d])));
	}
	isl_space_free(space);
	return cells;
}

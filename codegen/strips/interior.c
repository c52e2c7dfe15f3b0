/* Strips of register streaming: the interior of a strip, iterations far from all edges of the
 * grid and from the last steps.  In columns, rows and time a strip is interior as a whole or
 * not at all; in the streamed dimension it is interior for a while.
 */
#include "codegen/strips/strips.h"

/* { [t0, o, n] -> [t0, o'] }, o' = o + n + further in the streamed dimension */
static __isl_give isl_multi_aff *to_period(const struct strip *p, int further)
{
	const struct plan *plan = p->place->plan;
	int n = 1 + plan->n_dims, along = 1 + p->s->dim.stream;
	isl_space *space = isl_space_add_dims(isl_space_set_from_params(
		isl_set_get_space(plan->scop->context)), isl_dim_set,
		(unsigned) n + 1);
	isl_multi_aff *ma = isl_multi_aff_project_out_map(space, isl_dim_set,
		(unsigned) n, 1);
	isl_aff *at = isl_multi_aff_get_aff(ma, along);

	at = isl_aff_set_coefficient_si(at, isl_dim_in, n, 1);
	at = isl_aff_set_constant_si(at, further);
	return isl_multi_aff_set_aff(ma, along, at);
}

/* { [t0, o] : interior in all but the streamed dimension } */
static __isl_give isl_set *interior_all_along(const struct strip *p)
{
	isl_set *full = isl_set_copy(p->place->plan->full);

	return p->s->dim.stream < 0 ? full :
		isl_set_drop_constraints_involving_dims(full, isl_dim_set,
			1 + (unsigned) p->s->dim.stream, 1);
}

static void name_origins(const struct strip *p,
	const char *dims[2 + IR_MAX_DIMS])
{
	dims[0] = p->names->t0;
	for (int d = 0; d < p->place->plan->n_dims; d++)
		dims[1 + d] = p->names->origin[d];
	dims[1 + p->place->plan->n_dims] = p->names->strips.iteration;
}

const struct kx *const *strip_place_of_period(const struct strip *p)
{
	const struct kx **at = region_array(p->mem, const struct kx *,
		1 + p->place->plan->n_dims);

	at[0] = named(p, p->names->t0);
	for (int d = 0; d < p->place->plan->n_dims; d++) {
		at[1 + d] = named(p, p->names->origin[d]);
		if (d == p->s->dim.stream)
			at[1 + d] = op(p, OP_ADD, at[1 + d], p->n);
	}
	return at;
}

const struct kx *strip_is_interior(const struct strip *p)
{
	const char *dims[2 + IR_MAX_DIMS];

	name_origins(p, dims);
	return kx_of_set(p->mem, name_dims(interior_all_along(p), dims),
		isl_set_copy(p->scop->context));
}

/* { [t0, o] : interior in the streamed dimension } */
static __isl_give isl_set *interior_along(const struct strip *p)
{
	isl_set *inside = isl_set_copy(p->place->plan->full);

	for (int d = 0; d < p->place->plan->n_dims; d++)
		if (d != p->s->dim.stream)
			inside = isl_set_drop_constraints_involving_dims(inside,
				isl_dim_set, 1 + (unsigned) d, 1);
	return inside;
}

const struct kx *strip_period_is_steady(const struct strip *p)
{
	const char *dims[2 + IR_MAX_DIMS];

	name_origins(p, dims);
	return kx_of_set(p->mem, name_dims(isl_set_preimage_multi_aff(
		interior_along(p), to_period(p, 0)), dims),
		isl_set_copy(p->scop->context));
}

const struct kx *strip_period_is_interior(const struct strip *p, int further)
{
	isl_set *full = isl_set_preimage_multi_aff(isl_set_copy(
		p->place->plan->full), to_period(p, further));
	isl_set *inside = isl_set_preimage_multi_aff(interior_all_along(p),
		to_period(p, further));
	const char *dims[2 + IR_MAX_DIMS];

	name_origins(p, dims);
	return kx_of_set(p->mem, name_dims(full, dims), isl_set_intersect(
		name_dims(inside, dims), isl_set_copy(p->scop->context)));
}

const struct kx *strip_begins_inside(const struct strip *p)
{
	const unsigned n = 1 + (unsigned) p->place->plan->n_dims;
	const struct stream *s = p->s;
	isl_set *periods = isl_set_preimage_multi_aff(interior_along(p),
		to_period(p, 0)), *all = NULL;
	const char *dims[2 + IR_MAX_DIMS];

	for (int i = s->walk.first; i < s->walk.begin; i += s->period) {
		isl_set *one = isl_set_fix_si(isl_set_copy(periods), isl_dim_set, n, i);

		one = isl_set_project_out(one, isl_dim_set, n, 1);
		all = all ? isl_set_intersect(all, one) : one;
	}
	isl_set_free(periods);
	name_origins(p, dims);
	return kx_of_set(p->mem, name_dims(isl_set_coalesce(all), dims), isl_set_copy(
		p->scop->context));
}

const struct kx *strip_step_begins(const struct strip *p)
{
	return op(p, OP_GE, op(p, OP_ADD, p->n, p->u), kx_add(p->mem, op(p,
		OP_MUL, integer(p, p->s->walk.step), p->m), p->s->walk.of));
}

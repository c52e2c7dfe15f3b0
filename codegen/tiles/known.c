/* What holds for the points of a tile before any test: some point of the grid
 * lies in the tile.
 */
#include "codegen/forms.h"
#include "codegen/tile.h"
#include "schedule/scop/lists.h"

/* Are the tiles blocks of the grid at one step, and does a launch have only
 * tiles with an instance?
 */
static bool has_blocks_of_grid(const struct plan *plan)
{
	bool plain = plan->tiles.hex_dim < 0 &&
		plan->n_phases == 1 && plan->time_pitch == 1 &&
		plan->time_shift[0] == 0 && plan->tiles.waves.dim < 0;

	for (int d = 0; d < plan->n_dims; d++)
		plain = plain && plan->shift[d][0] == 0 &&
			plan->drift[d] == 0 && plan->tiles.skew[d].num == 0;
	return plain;
}

/* floor(x / pitch) * pitch */
static __isl_give isl_pw_aff *origin_of(__isl_take isl_pw_aff *x, int pitch)
{
	isl_val *v = isl_val_int_from_si(isl_pw_aff_get_ctx(x), pitch);

	return isl_pw_aff_scale_val(isl_pw_aff_floor(
		isl_pw_aff_scale_down_val(x, isl_val_copy(v))), v);
}

static isl_stat keep_piece(__isl_take isl_set *set, __isl_take isl_aff *aff,
	void *user)
{
	isl_pw_aff **edge = user;

	isl_set_free(set);
	isl_pw_aff_free(*edge);
	*edge = isl_pw_aff_from_aff(aff);
	return isl_stat_ok;
}

/* The first or last coordinate of the points in "dim", as a formula that the
 * launch computes for all sizes, even for those without points; NULL if there
 * is no formula.
 */
static __isl_give isl_pw_aff *edge_of(const struct plan *plan, int dim,
	bool last)
{
	const struct cover *cover = &plan->cover[dim];
	isl_pw_aff *hull = isl_pw_aff_coalesce(isl_pw_aff_copy(last ?
		cover->last[0] : cover->first[0]));
	isl_pw_aff *edge = NULL;

	if (isl_pw_aff_n_piece(hull) == 1)
		isl_pw_aff_foreach_piece(hull, keep_piece, &edge);
	isl_pw_aff_free(hull);
	return edge;
}

/* Do the tiles of dimension "dim" end where the points do, for all sizes? */
static bool ends_with_grid(const struct place *p, int dim, bool last)
{
	const struct plan *plan = p->plan;
	isl_pw_aff *edge = edge_of(plan, dim, last), *end;
	isl_set *differ;
	bool ends;

	if (!edge)
		return false;
	end = origin_of(isl_pw_aff_copy(edge), plan->pitch[dim]);
	if (last)
		end = isl_pw_aff_add_constant_val(end, isl_val_int_from_si(
			p->scop->ctx, plan->pitch[dim] - 1));
	differ = isl_set_intersect(isl_pw_aff_ne_set(edge, end),
		isl_set_copy(p->scop->context));
	ends = isl_set_is_empty(differ) == isl_bool_true;
	isl_set_free(differ);
	return ends;
}

/* { [t, x] in the space of "set" : x[dim] <= last, or >= first } */
static __isl_give isl_set *cut(__isl_take isl_set *set, const struct plan *plan,
	int dim, bool last)
{
	isl_space *space = isl_set_get_space(set);
	isl_pw_aff *edge = isl_pw_aff_insert_domain(edge_of(plan, dim, last),
		isl_space_copy(space));
	isl_pw_aff *x = isl_pw_aff_from_aff(isl_aff_var_on_domain(
		isl_local_space_from_space(space), isl_dim_set, 1 + dim));

	return isl_set_intersect(set, last ? isl_pw_aff_le_set(x, edge) :
		isl_pw_aff_ge_set(x, edge));
}

/* Overlapping tiles reach beyond the grid, but each belongs to one step. */
__isl_give isl_set *known_of_tile(const struct cursor *c)
{
	const struct place *p = c->place;
	isl_space *space = isl_set_get_space(c->stmt->domain);
	isl_set *known;

	if (!p->unit->form->overlaps && (!has_blocks_of_grid(p->plan) ||
	    p->plan->cover[0].n > 1)) {
		isl_space_free(space);
		return NULL;
	}
	space = isl_space_reset_tuple_id(space, isl_dim_set);
	known = set_within(space, 0, isl_pw_aff_insert_domain(
		scop_steps(p->scop), isl_space_copy(space)));
	isl_space_free(space);
	for (int d = 0; d < p->plan->n_dims && !p->unit->form->overlaps; d++)
		for (int last = 0; last < 2; last++)
			if (ends_with_grid(p, d, last))
				known = cut(known, p->plan, d, last);
	return known;
}

const struct kx *instance_condition(const struct place *p,
	__isl_keep isl_set *set, __isl_keep isl_set *known)
{
	const char *dims[1 + IR_MAX_DIMS] = { p->names->time };
	int n_dims = isl_set_dim(set, isl_dim_set) - 1;
	isl_set *context = isl_set_copy(p->scop->context);

	for (int d = 0; d < n_dims; d++)
		dims[1 + d] = p->names->point[d];
	if (known)
		context = isl_set_intersect_params(name_coordinates(p,
			isl_set_copy(known), dims), context);
	return kx_of_set(p->mem, name_coordinates(p, isl_set_copy(set), dims),
		context);
}

const struct kx *list_condition(const struct place *p,
	const struct scop_stmt *s, const struct list *list)
{
	isl_set *all = scop_points_of_list(p->scop, list);
	isl_set *own = isl_set_reset_tuple_id(isl_set_copy(s->domain));
	const struct kx *x = instance_condition(p, own, all);

	isl_set_free(own);
	isl_set_free(all);
	return x;
}

struct ks *guarded(struct region *r, const struct kx *guard,
	struct ks *body)
{
	return guard ? ks_if(r, guard, body, NULL) : body;
}

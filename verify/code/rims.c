/* Strips at the sides of the grid: see rims.h. */
#include <string.h>

#include "verify/code/rims.h"

static const struct kernel_names *names_of(const struct code *w)
{
	return kernel_names_new(w->c->mem, w->c->prog);
}

/* Any strip ----------------------------------------------------------------- */

/* A new parameter, 0 <= i <= most, times "by". */
static __isl_give isl_pw_aff *multiple(struct code *w, const char *name,
	int most, int by)
{
	isl_pw_aff *i = new_number(w, name);

	w->at = isl_set_intersect(w->at, isl_pw_aff_nonneg_set(
		isl_pw_aff_copy(i)));
	if (most >= 0)
		w->at = isl_set_intersect(w->at, isl_pw_aff_le_set(
			isl_pw_aff_copy(i), constant(w, most)));
	return isl_pw_aff_scale_val(i, isl_val_int_from_si(w->c->ctx, by));
}

/* Its origin, behind the first one's rim, and where it begins and ends. */
static struct stored_along any_along(struct code *w, const struct plan *plan,
	int d)
{
	const struct rim *rim = &plan->tiles.rim[d];
	const struct names_of_lanes *lanes = &names_of(w)->lanes;
	const bool is_lane = d == plan->n_dims - 1;
	const int by = rim->cells;
	isl_pw_aff *o = plus(multiple(w, "origin", -1, 1), rim->low);
	isl_pw_aff *begin = isl_pw_aff_sub(isl_pw_aff_copy(o), multiple(w,
		"before", rim->low / by, by));
	isl_pw_aff *end = plus(isl_pw_aff_add(isl_pw_aff_copy(o), multiple(w,
		"after", rim->high / by, by)), plan->pitch[d]);

	return (struct stored_along) {
		keep_value(w, o), keep_value(w, begin), keep_value(w, end),
		names_of(w)->origin[d],
		is_lane ? lanes->stored_column : lanes->stored_row,
		is_lane ? lanes->column_end : lanes->row_end,
	};
}

const struct any_strip *declare_any_strip(struct code *w,
	const struct plan *plan)
{
	struct any_strip *any = region_new_of(w->c->mem, struct any_strip);
	const int before = w->n_numbers;

	for (int d = 0; d < plan->n_dims; d++)
		if (plan_has_rim(plan, d))
			any->along[d] = any_along(w, plan, d);
	any->n_params = w->n_numbers - before;
	any->all = keep_in_checker(w->c, isl_set_copy(w->at));
	return any->n_params > 0 ? any : NULL;
}

/* { [] : the strip is the last one along "d" } */
static __isl_give isl_set *is_last(struct code *w, int d)
{
	isl_pw_aff *end = plus(isl_pw_aff_copy(w->any.strip->along[d].origin),
		w->plan->pitch[d] + w->plan->tiles.rim[d].high);
	isl_set *last = isl_set_universe(isl_set_get_space(w->at));

	for (int i = 0; i < w->c->prog->n_fields; i++)
		if (w->c->prog->field[i]->kind == FIELD_STATE)
			last = isl_set_intersect(last, isl_pw_aff_ge_set(
				isl_pw_aff_copy(end), size_of(w,
					w->c->prog->field[i], d)));
	isl_pw_aff_free(end);
	return last;
}

/* { [] : "x" is not "low", or where "there" holds "more" further } */
static __isl_give isl_set *differs(__isl_take isl_pw_aff *x,
	__isl_take isl_pw_aff *low, int more, __isl_take isl_set *there)
{
	isl_set *other = isl_set_subtract(isl_pw_aff_ne_set(isl_pw_aff_copy(x),
		isl_pw_aff_copy(low)), isl_set_copy(there));

	return isl_set_union(other, isl_set_intersect(there, isl_pw_aff_ne_set(
		x, plus(low, more))));
}

/* Does "x" begin the strip, or end it? */
static bool begins_strip(struct code *w, int d, const struct kx *x)
{
	const int low = w->plan->tiles.rim[d].low;
	isl_pw_aff *o = w->any.strip->along[d].origin;
	isl_pw_aff *number = number_of(w, x);

	return number && comes_to_none(w, differs(number, isl_pw_aff_copy(o),
		-low, isl_pw_aff_eq_set(isl_pw_aff_copy(o), constant(w, low))));
}

static bool ends_strip(struct code *w, int d, const struct kx *x)
{
	isl_pw_aff *end = plus(isl_pw_aff_copy(w->any.strip->along[d].origin),
		w->plan->pitch[d]);
	isl_pw_aff *number = number_of(w, x);

	if (!number) {
		isl_pw_aff_free(end);
		return false;
	}
	return comes_to_none(w, differs(number, end,
		w->plan->tiles.rim[d].high, is_last(w, d)));
}

__isl_give isl_pw_aff *number_of_strip(struct code *w, const char *name,
	const struct kx *x, bool *right)
{
	isl_pw_aff *number = NULL;

	*right = true;
	for (int d = 0; w->any.strip && w->plan && !number && *right &&
	     d < w->plan->n_dims; d++) {
		const struct stored_along *s = &w->any.strip->along[d];

		if (!s->origin)
			continue;
		if (!strcmp(name, s->name_of_origin)) {
			number = isl_pw_aff_copy(s->origin);
		} else if (!strcmp(name, s->name_of_begin)) {
			*right = begins_strip(w, d, x);
			number = isl_pw_aff_copy(s->begin);
		} else if (!strcmp(name, s->name_of_end)) {
			*right = ends_strip(w, d, x);
			number = isl_pw_aff_copy(s->end);
		}
	}
	if (!*right)
		refute(w->c, "'%s' is not where a strip at a side of the grid "
			"begins or ends", name);
	return *right ? number : isl_pw_aff_free(number);
}

bool takes_any_strip(const struct code *w, const struct ks *s)
{
	bool takes = false;

	for (int d = 0; w->any.strip && w->plan && d < w->plan->n_dims; d++)
		takes |= plan_has_rim(w->plan, d) && !strcmp(s->name,
			names_of(w)->tile[d]);
	return takes;
}

/* "x", a function of parameters, on the points of "space" */
static __isl_give isl_pw_aff *on_points(__isl_keep isl_space *space,
	__isl_keep isl_pw_aff *x)
{
	return isl_pw_aff_add_dims(isl_pw_aff_copy(x), isl_dim_in,
		(unsigned) isl_space_dim(space, isl_dim_set));
}

__isl_give isl_set *cells_of_any_strip(const struct code *w,
	__isl_take isl_set *cells)
{
	isl_space *space;

	cells = isl_set_intersect_params(cells, isl_set_params(isl_set_copy(
		w->any.strip->all)));
	space = isl_set_get_space(cells);
	for (int d = 0; d < w->plan->n_dims; d++) {
		const struct stored_along *s = &w->any.strip->along[d];

		if (!s->origin)
			continue;
		cells = isl_set_intersect(cells, isl_pw_aff_le_set(on_points(
			space, s->begin), coordinate(space, 2 + d)));
		cells = isl_set_intersect(cells, isl_pw_aff_lt_set(coordinate(
			space, 2 + d), on_points(space, s->end)));
	}
	isl_space_free(space);
	return cells;
}

/* Which strips there are ---------------------------------------------------- */

/* The tile that the turns of the last two dimensions take: those at sides first. */
static const struct kx *tile_of_turns(const struct code *w, int d)
{
	struct region *mem = w->c->mem;
	const struct kernel_names *n = names_of(w);
	int lane = w->plan->n_dims - 1, row = lane - 1;

	return kx_builtin(mem, d == row ? B_ROW_OF_TURN : B_COLUMN_OF_TURN, 4,
		kx_name(mem, n->tile[row]), kx_name(mem, n->tile[lane]),
		kx_name(mem, n->last[row]), kx_name(mem, n->last[lane]));
}

/* The tile that a turn takes: the last one first. */
static const struct kx *tile_of_turn(const struct code *w, int d)
{
	struct region *mem = w->c->mem;
	const struct kx *turn = kx_name(mem, names_of(w)->tile[d]);
	int lane = w->plan->n_dims - 1;

	if (lane > 1 && plan_has_rim(w->plan, lane - 1) &&
	    plan_has_rim(w->plan, lane))
		return tile_of_turns(w, d);
	return kx_select(mem, kx_binary(mem, OP_GT, turn, kx_name(mem,
		names_of(w)->first[d])), kx_add(mem, turn, -1), kx_name(mem,
		names_of(w)->last[d]));
}

bool begins_behind_rim(const struct code *w, int d, const struct kx *x)
{
	struct region *mem = w->c->mem;

	return !plan_has_rim(w->plan, d) || kx_same(x, kx_add(mem, kx_binary(
		mem, OP_MUL, tile_of_turn(w, d), kx_int(mem,
			w->plan->pitch[d])), w->plan->tiles.rim[d].low)) ||
		refute(w->c, "strips along dimension %d do not begin behind "
			"the rim of the first one", d);
}

/* The number of a block, or of all, along an axis; of those that take a strip together. */
static const struct kx *number_of_blocks(const struct code *w,
	enum builtin builtin, int axis, int together)
{
	struct region *mem = w->c->mem;

	return kx_binary(mem, OP_DIV, kx_cast(mem, ctype(CT_INT), kx_axis(mem,
		builtin, axis)), kx_int(mem, together));
}

/* for (S = first + block; S <= last; S += blocks) */
static bool is_loop_over_blocks(const struct code *w, const struct ks *s, int d)
{
	struct region *mem = w->c->mem;
	const struct kx *tile = kx_name(mem, names_of(w)->tile[d]);
	const struct kx *first = kx_name(mem, names_of(w)->first[d]);
	const struct kx *last = kx_name(mem, names_of(w)->last[d]);
	const int together = plan_cluster(w->plan, d);
	bool is = false;

	for (int axis = 0; !is && axis < 3; axis++)
		is = kx_same(s->x[0], kx_binary(mem, OP_ADD, first,
			number_of_blocks(w, B_BLOCK, axis, together))) &&
			kx_same(s->x[2], number_of_blocks(w, B_BLOCKS, axis,
				together));
	return is && kx_same(s->x[1], kx_binary(mem, OP_LE, tile, last));
}

bool takes_all_strips(const struct code *w, const struct ks *s)
{
	for (int d = 0; d < w->plan->n_dims; d++)
		if (plan_has_rim(w->plan, d) &&
		    !strcmp(s->name, names_of(w)->tile[d]) &&
		    !is_loop_over_blocks(w, s, d))
			return refute(w->c, "blocks do not take all strips "
				"along dimension %d", d);
	return true;
}

/* { [] : some state has cells from low + S*pitch + high + by on }, for strip S */
static __isl_give isl_set *grid_goes_on(struct code *w, int d,
	__isl_keep isl_pw_aff *strip, int by)
{
	const struct rim *rim = &w->plan->tiles.rim[d];
	isl_pw_aff *end = plus(isl_pw_aff_scale_val(isl_pw_aff_copy(strip),
		isl_val_int_from_si(w->c->ctx, w->plan->pitch[d])),
		rim->low + rim->high + by);
	isl_set *on = isl_set_empty(isl_set_get_space(w->at));

	for (int i = 0; i < w->c->prog->n_fields; i++)
		if (w->c->prog->field[i]->kind == FIELD_STATE)
			on = isl_set_union(on, isl_pw_aff_lt_set(
				isl_pw_aff_copy(end), size_of(w,
					w->c->prog->field[i], d)));
	isl_pw_aff_free(end);
	return on;
}

/* The strips are 0 .. last: behind the last one the grid does not go on, but behind the one before
 * it, if there is one.
 */
static bool are_strips_of_grid(struct code *w, int d)
{
	const struct variable *first = variable_called(w, names_of(w)->first[d]);
	const struct variable *last = variable_called(w, names_of(w)->last[d]);
	isl_set *few, *many;

	if (!first || !first->number || !last || !last->number)
		return false;
	few = grid_goes_on(w, d, last->number, w->plan->pitch[d]);
	many = isl_set_subtract(isl_pw_aff_gt_set(isl_pw_aff_copy(last->number),
		constant(w, 0)), grid_goes_on(w, d, last->number, 0));
	return comes_to_none(w, isl_set_union(isl_pw_aff_ne_set(isl_pw_aff_copy(
		first->number), constant(w, 0)), isl_set_union(few, many)));
}

bool launches_strips_of_grid(struct code *w)
{
	for (int d = 0; d < w->plan->n_dims; d++)
		if (plan_has_rim(w->plan, d) && !are_strips_of_grid(w, d))
			return refute(w->c, "other strips along dimension %d "
				"are launched than the grid has", d);
	return true;
}

/* Cells along a cut dimension: a rank's own, its block's and its halos'. */
#include "verify/ranks/ranks.h"

int cut_of(const struct ranks *r, const struct field *f, int d)
{
	const struct shared_field *shared = r->exchange.of[f->index];

	if (f->made_of)
		return -1;
	return shared ? shared->cut[d] : d < r->exchange.n_dims ? d : -1;
}

/* Numbers ------------------------------------------------------------------ */

static __isl_give isl_pw_aff *constant(__isl_keep isl_space *space, int64_t n)
{
	return isl_pw_aff_val_on_domain(isl_set_universe(isl_space_copy(space)),
		isl_val_int_from_si(isl_space_get_ctx(space), n));
}

static __isl_give isl_pw_aff *size_of_grid(const struct ranks *r,
	__isl_keep isl_space *space)
{
	return value_of_code(r, space, r->exchange.dim[r->k].size);
}

/* slope * steps + more */
static __isl_give isl_pw_aff *depth(const struct ranks *r,
	__isl_take isl_pw_aff *steps, enum side side, int more)
{
	return plus(isl_pw_aff_scale_val(steps, isl_val_int_from_si(r->c->ctx,
		r->exchange.dim[r->k].slope[side])), more);
}

/* The depth of halos is never negative. */
static __isl_give isl_pw_aff *depth_of_halo(const struct ranks *r,
	__isl_keep isl_space *space, enum side side, int more)
{
	return isl_pw_aff_max(depth(r, number_for(r, space, STEPS), side, more),
		constant(space, 0));
}

/* Ranks -------------------------------------------------------------------- */

/* { params : no rank has other cells along the dimension } */
static __isl_give isl_set *is_alone(const struct ranks *r,
	__isl_keep isl_space *space)
{
	isl_set *alone = isl_pw_aff_eq_set(number_for(r, space, FIRST),
		constant(space, 0));

	alone = isl_set_intersect(alone, isl_pw_aff_eq_set(number_for(r, space,
		END), size_of_grid(r, space)));
	return r->exchange.dim[r->k].is_around ? isl_set_intersect(alone,
		isl_set_empty(isl_space_copy(space))) : alone;
}

/* Steps are so few that halos have no more cells than neighbours. */
static __isl_give isl_set *halos_fit(const struct ranks *r,
	__isl_keep isl_space *space)
{
	isl_set *fit = isl_set_universe(isl_space_copy(space));

	for (int side = 0; side < SIDES; side++)
		fit = isl_set_intersect(fit, isl_pw_aff_le_set(depth(r,
			number_for(r, space, STEPS), side,
			r->exchange.dim[r->k].more[side]),
			number_for(r, space, LEAST)));
	return isl_set_union(fit, is_alone(r, space));
}

/* 0 <= first < first + least <= end <= size, 1 <= left <= steps */
static __isl_give isl_set *ranks_with_cells(const struct ranks *r,
	__isl_keep isl_space *space)
{
	isl_set *set = isl_pw_aff_nonneg_set(number_for(r, space, FIRST));

	set = isl_set_intersect(set, isl_pw_aff_pos_set(number_for(r, space,
		LEAST)));
	set = isl_set_intersect(set, isl_pw_aff_le_set(isl_pw_aff_add(
		number_for(r, space, FIRST), number_for(r, space, LEAST)),
		number_for(r, space, END)));
	set = isl_set_intersect(set, isl_pw_aff_le_set(number_for(r, space, END),
		size_of_grid(r, space)));
	set = isl_set_intersect(set, isl_pw_aff_pos_set(number_for(r, space,
		LEFT)));
	return isl_set_intersect(set, isl_pw_aff_le_set(number_for(r, space,
		LEFT), number_for(r, space, STEPS)));
}

/* The block's first cell, or its end, if "side" is SIDE_HIGH. */
static __isl_give isl_pw_aff *edge_of_block(const struct ranks *r,
	__isl_keep isl_space *space, enum side side)
{
	const struct shared_dim *dim = &r->exchange.dim[r->k];
	isl_pw_aff *halo = depth_of_halo(r, space, side, dim->more[side]);
	isl_pw_aff *edge = side == SIDE_LOW ? isl_pw_aff_sub(number_for(r, space,
		FIRST), halo) : isl_pw_aff_add(number_for(r, space, END), halo);

	if (dim->is_around)
		return edge;
	return side == SIDE_LOW ? isl_pw_aff_max(edge, constant(space, 0)) :
		isl_pw_aff_min(edge, size_of_grid(r, space));
}

__isl_give isl_set *ranks_along(struct ranks *r)
{
	isl_space *space = space_of_dims(r->c, 0);
	isl_set *set = isl_set_intersect(ranks_with_cells(r, space),
		halos_fit(r, space));

	set = isl_set_intersect(set, isl_pw_aff_eq_set(number_for(r, space,
		ORIGIN), edge_of_block(r, space, SIDE_LOW)));
	set = isl_set_intersect(set, isl_pw_aff_eq_set(isl_pw_aff_add(number_for(
		r, space, ORIGIN), number_for(r, space, EXTENT)),
		edge_of_block(r, space, SIDE_HIGH)));
	isl_space_free(space);
	return isl_set_intersect(isl_set_params(set), isl_set_copy(
		r->c->context));
}

/* Cells -------------------------------------------------------------------- */

/* { [y] : low <= y < end } */
static __isl_give isl_set *range(__isl_keep isl_space *line,
	__isl_take isl_pw_aff *low, __isl_take isl_pw_aff *end)
{
	isl_set *set = isl_pw_aff_ge_set(coordinate(line, 0), low);

	return isl_set_intersect(set, isl_pw_aff_lt_set(coordinate(line, 0),
		end));
}

static bool goes_around(const struct ranks *r)
{
	return r->exchange.dim[r->k].is_around;
}

static __isl_give isl_set *grid_on(struct ranks *r, __isl_keep isl_space *line,
	const struct field *f, int d)
{
	return goes_around(r) ? isl_set_universe(isl_space_copy(line)) :
		range(line, constant(line, 0), value_of(r->c, line,
			f->size[d]));
}

__isl_give isl_set *cells_of_grid(struct ranks *r, const struct field *f, int d)
{
	isl_space *line = space_of_dims(r->c, 1);
	isl_set *grid = grid_on(r, line, f, d);

	isl_space_free(line);
	return grid;
}

/* { [y] of the grid : first - low <= y < end + high }; the rank at an end of the grid continues
 * to the end of "f".
 */
static __isl_give isl_set *cells_around(struct ranks *r, const struct field *f,
	int d, __isl_take isl_pw_aff *low, __isl_take isl_pw_aff *high)
{
	isl_space *line = space_of_dims(r->c, 1);
	isl_set *is_first = isl_pw_aff_eq_set(number_for(r, line, FIRST),
		constant(line, 0));
	isl_set *is_last = isl_pw_aff_eq_set(number_for(r, line, END),
		size_of_grid(r, line));
	isl_set *from = isl_pw_aff_ge_set(coordinate(line, 0), isl_pw_aff_sub(
		number_for(r, line, FIRST), low));
	isl_set *to = isl_pw_aff_lt_set(coordinate(line, 0), isl_pw_aff_add(
		number_for(r, line, END), high));

	if (goes_around(r)) {
		isl_set_free(is_first);
		isl_set_free(is_last);
	} else {
		from = isl_set_union(from, is_first);
		to = isl_set_union(to, is_last);
	}
	from = isl_set_intersect(isl_set_intersect(from, to), grid_on(r, line, f,
		d));
	isl_space_free(line);
	return from;
}

__isl_give isl_set *own_cells(struct ranks *r, const struct field *f, int d)
{
	isl_space *line = space_of_dims(r->c, 1);
	isl_set *own = cells_around(r, f, d, constant(line, 0), constant(line,
		0));

	isl_space_free(line);
	return own;
}

__isl_give isl_set *reduced_cells(struct ranks *r, const struct field *f, int d,
	int offset)
{
	isl_space *line = space_of_dims(r->c, 1);
	isl_pw_aff *point = isl_pw_aff_sub(coordinate(line, 0), constant(line,
		offset));
	isl_set *from = isl_set_union(isl_pw_aff_ge_set(isl_pw_aff_copy(point),
		number_for(r, line, FIRST)), isl_pw_aff_eq_set(number_for(r,
		line, FIRST), constant(line, 0)));
	isl_set *to = isl_set_union(isl_pw_aff_lt_set(point, number_for(r, line,
		END)), isl_pw_aff_eq_set(number_for(r, line, END),
		size_of_grid(r, line)));

	/* what goes around is not reduced again */
	from = isl_set_intersect(isl_set_intersect(from, to), range(line,
		constant(line, 0), value_of(r->c, line, f->size[d])));
	isl_space_free(line);
	return from;
}

static bool is_needed(const struct shared_field *f,
	int copy)
{
	bool needed = true;

	for (int d = 0; d < f->field->n_dims; d++)
		for (int side = 0; side < SIDES && f->cut[d] >= 0; side++)
			needed = needed && f->need[copy][f->cut[d]][side] !=
				NOT_NEEDED;
	return needed;
}

__isl_give isl_set *needed_cells(struct ranks *r, const struct field *f,
	int copy, int d, __isl_take isl_pw_aff *steps)
{
	const struct shared_field *shared = r->exchange.of[f->index];
	const int *need = shared->need[copy][r->k];
	isl_pw_aff *low;

	if (!is_needed(shared, copy)) {
		isl_pw_aff_free(steps);
		return isl_set_empty(space_of_dims(r->c, 1));
	}
	low = depth(r, isl_pw_aff_copy(steps), SIDE_LOW, need[SIDE_LOW]);
	return cells_around(r, f, d, low, depth(r, steps, SIDE_HIGH,
		need[SIDE_HIGH]));
}

/* The cells in the block's memory. */
static __isl_give isl_set *cells_of_block(struct ranks *r, const struct field *f,
	int d)
{
	isl_space *line = space_of_dims(r->c, 1);
	isl_pw_aff *end = isl_pw_aff_add(number_for(r, line, ORIGIN), number_for(
		r, line, EXTENT));
	isl_set *cells;

	end = isl_pw_aff_add(end, isl_pw_aff_sub(value_of(r->c, line,
		f->size[d]), size_of_grid(r, line)));
	cells = range(line, number_for(r, line, ORIGIN), end);
	isl_space_free(line);
	return cells;
}

/* Halos -------------------------------------------------------------------- */

/* What the neighbour on "side" sends in an exchange. */
static __isl_give isl_set *cells_that_come(struct ranks *r,
	const struct shared_field *f, int copy, int d, enum side side)
{
	isl_space *line = space_of_dims(r->c, 1);
	isl_pw_aff *at = number_for(r, line, side == SIDE_LOW ? FIRST : END);
	isl_pw_aff *halo = depth_of_halo(r, line, side,
		f->need[copy][r->k][side]);
	isl_set *cells = side == SIDE_LOW ?
		range(line, isl_pw_aff_sub(isl_pw_aff_copy(at), halo), at) :
		range(line, at, isl_pw_aff_add(isl_pw_aff_copy(at), halo));

	cells = isl_set_intersect(cells, grid_on(r, line, f->field, d));
	isl_space_free(line);
	return cells;
}

/* .. lies among the first cells, or the last, that the neighbour certainly has. */
static __isl_give isl_set *cells_of_neighbours(struct ranks *r)
{
	isl_space *line = space_of_dims(r->c, 1);
	isl_set *cells = range(line, isl_pw_aff_sub(number_for(r, line, FIRST),
		number_for(r, line, LEAST)), isl_pw_aff_add(number_for(r, line,
		END), number_for(r, line, LEAST)));

	isl_space_free(line);
	return cells;
}

bool lie_in(struct ranks *r, __isl_take isl_set *cells,
	__isl_keep isl_set *others)
{
	cells = isl_set_intersect_params(isl_set_subtract(cells, isl_set_copy(
		others)), isl_set_copy(r->context));
	return is_shown_empty(r->c, cells);
}

static bool check_copy(struct ranks *r, const struct shared_field *f, int copy,
	int d)
{
	isl_space *line = space_of_dims(r->c, 1);
	isl_set *needed = needed_cells(r, f->field, copy, d, number_for(r, line,
		LEFT));
	isl_set *block = cells_of_block(r, f->field, d);
	isl_set *near = cells_of_neighbours(r);
	isl_set *has = own_cells(r, f->field, d);
	bool good = lie_in(r, isl_set_copy(has), block);

	for (int side = 0; side < SIDES && f->role != ALL_HAVE_IT; side++) {
		isl_set *come = cells_that_come(r, f, copy, d, side);

		good = good && lie_in(r, isl_set_copy(come), block) &&
			lie_in(r, isl_set_copy(come), near);
		has = isl_set_union(has, come);
	}
	good = good && lie_in(r, needed, f->role == ALL_HAVE_IT ? block : has);
	isl_set_free(block);
	isl_set_free(near);
	isl_set_free(has);
	isl_space_free(line);
	return good || refute(r->c, "the halos of '%s' along dimension %d do not "
		"have what is needed of copy %d, or a neighbour or the block "
		"not what they have", f->field->name, r->k, copy);
}

bool check_halos(struct ranks *r)
{
	for (int i = 0; i < r->exchange.n_fields; i++) {
		const struct shared_field *f = &r->exchange.field[i];

		for (int d = 0; d < f->field->n_dims; d++)
			for (int copy = 0; copy < field_copies(f->field) &&
			     f->cut[d] == r->k; copy++)
				if (!check_copy(r, f, copy, d))
					return false;
	}
	return true;
}

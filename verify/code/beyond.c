/* What boundaries give for cells beyond the grid: see beyond.h. */
#include "verify/code/beyond.h"

__isl_give isl_pw_aff *subscript(const struct instance *i,
	const struct access *acc, int d)
{
	return subscript_of(acc->dim[d] < 0 ? constant(i->w, 0) :
		isl_pw_aff_copy(i->x[acc->dim[d]]), acc, d);
}

/* { [] : "acc" reads a cell beyond "side" of dimension "d" } */
static __isl_give isl_set *beyond(const struct instance *i,
	const struct access *acc, int d, enum side side)
{
	isl_pw_aff *at = subscript(i, acc, d);

	return side == SIDE_LOW ? isl_pw_aff_lt_set(at, constant(i->w, 0)) :
		isl_pw_aff_ge_set(at, size_of(i->w, acc->field, d));
}

/* { [] : "acc" reads beyond "side", and the cell "is" does not stand for what it reads } */
static __isl_give isl_set *differs_beyond(const struct instance *i,
	const struct access *acc, int d, enum side side,
	__isl_keep isl_pw_aff *is)
{
	isl_pw_aff *at = subscript(i, acc, d);
	isl_pw_aff *size = size_of(i->w, acc->field, d);
	isl_pw_aff *y = stand_in(acc->field->boundary[d][side].kind, at, size,
		side);
	isl_set *set = beyond(i, acc, d, side);

	isl_pw_aff_free(at);
	isl_pw_aff_free(size);
	return y ? isl_set_intersect(set, isl_pw_aff_ne_set(y,
		isl_pw_aff_copy(is))) : set;
}

__isl_give isl_set *differs(const struct instance *i, const struct access *acc,
	int d, __isl_keep isl_pw_aff *is)
{
	isl_set *set = isl_pw_aff_ne_set(isl_pw_aff_copy(is),
		subscript(i, acc, d));

	for (int side = 0; side < SIDES; side++)
		if (is_mapped_at(i->stmt, acc, d, side))
			set = isl_set_subtract(set, beyond(i, acc, d, side));
	for (int side = 0; side < SIDES; side++)
		if (is_mapped_at(i->stmt, acc, d, side))
			set = isl_set_union(set, differs_beyond(i, acc, d,
				side, is));
	return set;
}

static bool is_odd_at(const struct instance *i, const struct access *acc, int d,
	enum side side)
{
	return boundary_is_odd(&acc->field->boundary[d][side]) &&
		is_mapped_at(i->stmt, acc, d, side);
}

/* Each odd side that lies before the cell turns the sign once. */
__isl_give isl_set *wrong_sign(const struct instance *i,
	const struct access *acc, bool minus)
{
	isl_set *turned = isl_set_empty(isl_set_get_space(i->w->at));

	for (int d = 0; d < acc->field->n_dims; d++)
		for (int side = 0; side < SIDES; side++) {
			isl_set *here, *both;

			if (!is_odd_at(i, acc, d, side))
				continue;
			here = beyond(i, acc, d, side);
			both = isl_set_intersect(isl_set_copy(here),
				isl_set_copy(turned));
			turned = isl_set_subtract(isl_set_union(turned, here),
				both);
		}
	return minus ? isl_set_complement(turned) : turned;
}

/* .. for a cell with a value the nearest one in the grid if "is_near", else itself. */
static __isl_give isl_set *differs_beside(const struct instance *i,
	const struct access *acc, int d, bool is_near,
	__isl_keep isl_pw_aff *is)
{
	struct access near = *acc;
	struct field field = *acc->field;
	isl_set *set, *itself;

	for (int side = 0; side < SIDES; side++)
		if (is_near && field.boundary[d][side].kind == BOUNDARY_VALUE)
			field.boundary[d][side].kind = BOUNDARY_CLAMP;
	near.field = &field;
	set = differs(i, &near, d, is);
	for (int side = 0; side < SIDES; side++) {
		if (field.boundary[d][side].kind != BOUNDARY_VALUE ||
		    !is_mapped_at(i->stmt, acc, d, side))
			continue;
		itself = isl_set_intersect(beyond(i, acc, d, side),
			isl_pw_aff_eq_set(isl_pw_aff_copy(is),
				subscript(i, acc, d)));
		set = isl_set_subtract(set, itself);
	}
	return set;
}

__isl_give isl_set *differs_in_value(const struct instance *i,
	const struct access *acc, int own, int d, bool is_near,
	__isl_keep isl_pw_aff *is)
{
	return d == own ? isl_pw_aff_ne_set(isl_pw_aff_copy(is),
		subscript(i, acc, d)) : differs_beside(i, acc, d, is_near, is);
}

/* The first side with a value counts. */
__isl_give isl_set *without_values(const struct instance *i,
	__isl_take isl_set *set, const struct access *acc, unsigned which)
{
	isl_set *others = isl_set_empty(isl_set_get_space(set));

	for (int n = 0; n < SIDES * acc->field->n_dims; n++) {
		int d = n / SIDES, side = n % SIDES;
		isl_set *there;

		if (acc->field->boundary[d][side].kind != BOUNDARY_VALUE ||
		    !is_mapped_at(i->stmt, acc, d, side))
			continue;
		there = beyond(i, acc, d, side);
		if (!(which >> n & 1))
			others = isl_set_union(others, isl_set_intersect(
				isl_set_copy(set), isl_set_copy(there)));
		set = isl_set_subtract(set, there);
	}
	return isl_set_union(set, others);
}

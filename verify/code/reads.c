/* What the code of strips reads, and what the program reads there: see asked.h. */
#include "verify/code/asked.h"
#include "verify/code/reads.h"

/* stride*x + offset of the point, along dimension "d" of what is read. */
static __isl_give isl_pw_aff *subscript(const struct lanes *l,
	const struct access *acc, int d)
{
	isl_pw_aff *x = acc->dim[d] < 0 ? constant(l->w, 0) : times(
		isl_pw_aff_copy(l->x[axis_of_dim(l, acc->dim[d])]),
		acc->stride[d]);

	return plus(x, acc->offset[d]);
}

/* { [] : "acc" reads a cell beyond "side" of dimension "d" } */
static __isl_give isl_set *beyond(struct lanes *l, const struct access *acc,
	int d, enum side side)
{
	isl_pw_aff *at = subscript(l, acc, d);

	return side == SIDE_LOW ? isl_pw_aff_lt_set(at, constant(l->w, 0)) :
		isl_pw_aff_ge_set(at, size_of(l->w, acc->field, d));
}

/* { [] : "acc" reads beyond "side", and the cell "is" does not stand for that } */
static __isl_give isl_set *differs_beyond(struct lanes *l,
	const struct access *acc, int d, enum side side,
	__isl_keep isl_pw_aff *is)
{
	isl_pw_aff *at = subscript(l, acc, d);
	isl_pw_aff *size = size_of(l->w, acc->field, d);
	isl_pw_aff *y = stand_in(acc->field->boundary[d][side].kind, at, size,
		side);
	isl_set *set = beyond(l, acc, d, side);

	isl_pw_aff_free(at);
	isl_pw_aff_free(size);
	return y ? isl_set_intersect(set, isl_pw_aff_ne_set(y,
		isl_pw_aff_copy(is))) : set;
}

/* { [] : the cell "is" is not the one that stands for what is read along "d" } */
static __isl_give isl_set *differs(struct lanes *l, const struct stmt *s,
	const struct access *acc, int d, __isl_keep isl_pw_aff *is)
{
	isl_set *set = isl_pw_aff_ne_set(isl_pw_aff_copy(is),
		subscript(l, acc, d));

	for (int side = 0; side < SIDES; side++)
		if (is_mapped_at(s, acc, d, side))
			set = isl_set_subtract(set, beyond(l, acc, d, side));
	for (int side = 0; side < SIDES; side++)
		if (is_mapped_at(s, acc, d, side))
			set = isl_set_union(set, differs_beyond(l, acc, d,
				side, is));
	return set;
}

static bool is_odd_at(const struct stmt *s, const struct access *acc, int d,
	enum side side)
{
	return boundary_is_odd(&acc->field->boundary[d][side]) &&
		is_mapped_at(s, acc, d, side);
}

/* { [] : the value read has the cell's sign turned, and "minus" does not say so; or
 * the other way round }: it is turned once for each odd side that lies before it.
 */
static __isl_give isl_set *wrong_sign(struct lanes *l, const struct stmt *s,
	const struct access *acc, bool minus)
{
	isl_set *turned = isl_set_empty(isl_set_get_space(l->range));

	for (int d = 0; d < acc->field->n_dims; d++)
		for (int side = 0; side < SIDES; side++) {
			isl_set *here, *both;

			if (!is_odd_at(s, acc, d, side))
				continue;
			here = beyond(l, acc, d, side);
			both = isl_set_intersect(isl_set_copy(here),
				isl_set_copy(turned));
			turned = isl_set_subtract(isl_set_union(turned, here),
				both);
		}
	return minus ? isl_set_complement(turned) : turned;
}

static bool must_ask(const struct point *p, const struct access *acc, int d,
	int by)
{
	return by != acc->offset[d] || (is_mapped_along(p->stmt, acc, d) &&
		!field_goes_around(acc->field, d));
}

/* Registers have cells so much further than the point in each dimension. */
static bool must_ask_any(const struct point *p, const struct access *acc,
	const int *by)
{
	for (int d = 0; d < acc->field->n_dims; d++)
		if (must_ask(p, acc, d, by[d]))
			return true;
	return false;
}

bool reads_cell_at(struct lanes *l, const struct point *p,
	const struct access *acc, const int *by, bool minus)
{
	isl_set *set = isl_set_empty(isl_set_get_space(l->range));
	struct words w;
	int value;

	if (!access_is_in_order(acc) || !must_ask_any(p, acc, by)) {
		isl_set_free(set);
		return access_is_in_order(acc) && !minus;
	}
	ask(l, &w, "reads a register", p);
	put_word(&w, (intptr_t) acc);
	put_word(&w, minus);
	for (int d = 0; d < acc->field->n_dims; d++)
		put_word(&w, by[d]);
	if (was_answered(l, &w, &value)) {
		isl_set_free(set);
		return value;
	}
	for (int d = 0; d < acc->field->n_dims; d++) {
		isl_pw_aff *is = plus(isl_pw_aff_copy(l->x[axis_of_dim(l,
			d)]), by[d]);

		if (must_ask(p, acc, d, by[d]))
			set = isl_set_union(set, differs(l, p->stmt, acc, d,
				is));
		isl_pw_aff_free(is);
	}
	set = isl_set_union(set, wrong_sign(l, p->stmt, acc, minus));
	return note_answer(l, &w, is_nowhere(l, isl_set_intersect(set,
		place_at(l, p))));
}

/* The code is at "p", and that is an instance: there "x" is another cell. */
static __isl_give isl_set *reads_other(struct lanes *l, const struct point *p,
	const struct access *acc, const struct kx *x, bool minus)
{
	struct around around = { { false } };
	isl_set *set = isl_set_empty(isl_set_get_space(l->range));
	isl_set *at = isl_set_intersect(place_at(l, p), instances_at(l,
		p->stmt));
	isl_set *was = l->w->at;

	name_variables(l, x, p, &around);
	l->w->at = at;
	for (int d = 0; d < acc->field->n_dims; d++) {
		isl_pw_aff *is = number_of(l->w, x->arg[d]);

		set = isl_set_union(set, is ? differs(l, p->stmt, acc, d,
			is) : isl_set_copy(l->range));
		isl_pw_aff_free(is);
	}
	set = isl_set_union(set, wrong_sign(l, p->stmt, acc, minus));
	set = isl_set_intersect(set, isl_set_copy(l->w->at));
	isl_set_free(l->w->at);
	l->w->at = was;
	return set;
}

bool reads_cell(struct lanes *l, const struct point *p,
	const struct access *acc, const struct kx *x, bool minus)
{
	struct words w;
	int value;

	if (x->n_args != acc->field->n_dims)
		return false;
	ask(l, &w, "reads memory", p);
	put_word(&w, (intptr_t) acc);
	put_word(&w, minus);
	put_tree(l, &w, x, p);
	if (was_answered(l, &w, &value))
		return value;
	return note_answer(l, &w, is_nowhere(l, reads_other(l, p, acc, x,
		minus)));
}

/* { [] : "is" is not coordinate "d" of the cell that "acc" reads, or of what stands
 * for it: for a cell with a value the nearest in the grid if "is_near", else itself }
 */
static __isl_give isl_set *differs_in_value(struct lanes *l,
	const struct stmt *s, const struct access *acc, int d, bool is_near,
	__isl_keep isl_pw_aff *is)
{
	struct access near = *acc;
	struct field field = *acc->field;
	isl_set *set, *itself;

	for (int side = 0; side < SIDES; side++)
		if (is_near && field.boundary[d][side].kind == BOUNDARY_VALUE)
			field.boundary[d][side].kind = BOUNDARY_CLAMP;
	near.field = &field;
	set = differs(l, s, &near, d, is);
	for (int side = 0; side < SIDES; side++) {
		if (field.boundary[d][side].kind != BOUNDARY_VALUE ||
		    !is_mapped_at(s, acc, d, side))
			continue;
		itself = isl_set_intersect(beyond(l, acc, d, side),
			isl_pw_aff_eq_set(isl_pw_aff_copy(is),
				subscript(l, acc, d)));
		set = isl_set_subtract(set, itself);
	}
	return set;
}

/* The code is at "p", an instance: there "x" is not coordinate "d" that the value of the
 * boundary of dimension "own" has.
 */
static __isl_give isl_set *index_differs(struct lanes *l,
	const struct point *p, const struct access *acc, int own, int d,
	bool is_near, const struct kx *x)
{
	struct around around = { { false } };
	isl_set *was = l->w->at, *set;
	isl_pw_aff *is;

	l->w->at = isl_set_intersect(place_at(l, p), instances_at(l, p->stmt));
	name_variables(l, x, p, &around);
	is = number_of(l->w, x);
	set = !is ? isl_set_copy(l->range) : d == own ?
		isl_pw_aff_ne_set(isl_pw_aff_copy(is), subscript(l, acc, d)) :
		differs_in_value(l, p->stmt, acc, d, is_near, is);
	isl_pw_aff_free(is);
	set = isl_set_intersect(set, isl_set_copy(l->w->at));
	isl_set_free(l->w->at);
	l->w->at = was;
	return set;
}

bool reads_index(struct lanes *l, const struct point *p,
	const struct access *acc, int own, int d, bool is_near,
	const struct kx *x)
{
	struct words w;
	int value;

	ask(l, &w, "reads an index", p);
	put_word(&w, (intptr_t) acc);
	put_word(&w, own);
	put_word(&w, d);
	put_word(&w, is_near);
	put_tree(l, &w, x, p);
	if (was_answered(l, &w, &value))
		return value;
	return note_answer(l, &w, is_nowhere(l, index_differs(l, p, acc, own,
		d, is_near, x)));
}

/* "set" without what lies beyond the grid, first of all sides with a value, at one
 * of "which".
 */
static __isl_give isl_set *without_values(struct lanes *l,
	__isl_take isl_set *set, const struct point *p,
	const struct access *acc, unsigned which)
{
	for (int i = 0; i < SIDES * acc->field->n_dims; i++) {
		int d = i / SIDES, side = i % SIDES;
		isl_set *there;

		if (acc->field->boundary[d][side].kind != BOUNDARY_VALUE ||
		    !is_mapped_at(p->stmt, acc, d, side))
			continue;
		there = beyond(l, acc, d, side);
		if (!(which >> i & 1) && !is_nowhere(l, isl_set_intersect(
		    isl_set_copy(set), isl_set_copy(there)))) {
			isl_set_free(there);
			return set;
		}
		set = isl_set_subtract(set, there);
	}
	return set;
}

bool reads_value(struct lanes *l, const struct point *p,
	const struct access *acc, unsigned which)
{
	struct words w;
	int value;

	ask(l, &w, "reads a value", p);
	put_word(&w, (intptr_t) acc);
	put_word(&w, which);
	if (was_answered(l, &w, &value))
		return value;
	return note_answer(l, &w, is_nowhere(l, without_values(l, place_at(l,
		p), p, acc, which)));
}

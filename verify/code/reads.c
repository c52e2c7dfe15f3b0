/* What the code of strips reads, and what the program reads there: see asked.h. */
#include "verify/code/asked.h"

/* stride*x + offset of the point, along dimension "d" of what is read. */
static __isl_give isl_pw_aff *subscript(const struct lanes *l,
	const struct access *acc, int d)
{
	isl_pw_aff *x = acc->dim[d] < 0 ? constant(l->w, 0) : times(
		isl_pw_aff_copy(l->x[axis_of_dim(l, acc->dim[d])]),
		acc->stride[d]);

	return plus(x, acc->offset[d]);
}

static __isl_give isl_set *outside(struct lanes *l, const struct access *acc,
	int d)
{
	isl_pw_aff *at = subscript(l, acc, d);
	isl_set *set = isl_pw_aff_lt_set(isl_pw_aff_copy(at), constant(l->w,
		0));

	return isl_set_union(set, isl_pw_aff_ge_set(at, size_of(l->w,
		acc->field, d)));
}

/* { [] : the cell "is" is not the one that stands for what is read along "d" } */
static __isl_give isl_set *differs(struct lanes *l, const struct stmt *s,
	const struct access *acc, int d, __isl_keep isl_pw_aff *is)
{
	isl_pw_aff *at = subscript(l, acc, d);
	isl_pw_aff *size = size_of(l->w, acc->field, d);
	isl_set *beyond = outside(l, acc, d), *set;

	set = isl_pw_aff_ne_set(isl_pw_aff_copy(is), isl_pw_aff_copy(at));
	if (!is_mapped_along(s, acc, d)) {
		isl_set_free(beyond);
		beyond = isl_set_empty(isl_set_get_space(l->w->at));
	}
	set = isl_set_subtract(set, isl_set_copy(beyond));
	for (int above = 0; above < 2; above++) {
		isl_pw_aff *y = stand_in(acc->field->boundary[d].kind, at,
			size, above);
		isl_set *side = above ? isl_pw_aff_ge_set(isl_pw_aff_copy(at),
			isl_pw_aff_copy(size)) : isl_pw_aff_lt_set(
			isl_pw_aff_copy(at), constant(l->w, 0));

		side = isl_set_intersect(side, isl_set_copy(beyond));
		set = isl_set_union(set, y ? isl_set_intersect(side,
			isl_pw_aff_ne_set(y, isl_pw_aff_copy(is))) : side);
	}
	isl_set_free(beyond);
	isl_pw_aff_free(at);
	isl_pw_aff_free(size);
	return set;
}

static bool must_ask(const struct point *p, const struct access *acc, int d,
	int by)
{
	return by != acc->offset[d] || (is_mapped_along(p->stmt, acc, d) &&
		!goes_around(acc->field, d));
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
	const struct access *acc, const int *by)
{
	isl_set *set = isl_set_empty(isl_set_get_space(l->range));
	struct words w;
	int value;

	if (!access_is_in_order(acc) || !must_ask_any(p, acc, by)) {
		isl_set_free(set);
		return access_is_in_order(acc);
	}
	ask(l, &w, "reads a register", p);
	put_word(&w, (intptr_t) acc);
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
	return note_answer(l, &w, is_nowhere(l, isl_set_intersect(set,
		place_at(l, p))));
}

/* The code is at "p", and that is an instance: there "x" is another cell. */
static __isl_give isl_set *reads_other(struct lanes *l, const struct point *p,
	const struct access *acc, const struct kx *x)
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
	set = isl_set_intersect(set, isl_set_copy(l->w->at));
	isl_set_free(l->w->at);
	l->w->at = was;
	return set;
}

bool reads_cell(struct lanes *l, const struct point *p,
	const struct access *acc, const struct kx *x)
{
	struct words w;
	int value;

	if (x->n_args != acc->field->n_dims)
		return false;
	ask(l, &w, "reads memory", p);
	put_word(&w, (intptr_t) acc);
	put_tree(l, &w, x, p);
	if (was_answered(l, &w, &value))
		return value;
	return note_answer(l, &w, is_nowhere(l, reads_other(l, p, acc, x)));
}

/* "set" without what lies beyond the grid, first of all dimensions with a value,
 * along one of "which".
 */
static __isl_give isl_set *without_values(struct lanes *l,
	__isl_take isl_set *set, const struct point *p,
	const struct access *acc, unsigned which)
{
	for (int d = 0; d < acc->field->n_dims; d++) {
		isl_set *beyond;

		if (acc->field->boundary[d].kind != BOUNDARY_VALUE ||
		    !is_mapped_along(p->stmt, acc, d))
			continue;
		beyond = outside(l, acc, d);
		if (!(which >> d & 1) && !is_nowhere(l, isl_set_intersect(
		    isl_set_copy(set), isl_set_copy(beyond)))) {
			isl_set_free(beyond);
			return set;
		}
		set = isl_set_subtract(set, beyond);
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

/* What the code of strips reads, and what the program reads there: see asked.h. */
#include "verify/code/asked.h"
#include "verify/code/beyond.h"
#include "verify/code/reads.h"

static struct instance instance_at(const struct lanes *l, const struct point *p)
{
	struct instance i = { .w = l->w, .stmt = p->stmt };

	for (int d = 0; d < l->s.dims; d++)
		i.x[d] = l->x[axis_of_dim(l, d)];
	return i;
}

static bool must_ask(const struct point *p, const struct access *acc, int d,
	int by)
{
	return by != acc->offset[d] || (is_mapped_along(p->stmt, acc, d) &&
		!field_goes_around(acc->field, d));
}

/* Registers have the cells this much further than the point, in each dimension. */
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
	const struct instance i = instance_at(l, p);
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
			set = isl_set_union(set, differs(&i, acc, d, is));
		isl_pw_aff_free(is);
	}
	set = isl_set_union(set, wrong_sign(&i, acc, minus));
	return note_answer(l, &w, is_nowhere(l, isl_set_intersect(set,
		place_at(l, p))));
}

/* The code is at "p", an instance, and there "x" is another cell. */
static __isl_give isl_set *reads_other(struct lanes *l, const struct point *p,
	const struct access *acc, const struct kx *x, bool minus)
{
	const struct instance i = instance_at(l, p);
	struct around around = { { false } };
	isl_set *set = isl_set_empty(isl_set_get_space(l->range));
	isl_set *at = isl_set_intersect(place_at(l, p), instances_at(l,
		p->stmt));
	isl_set *was = l->w->at;

	name_variables(l, x, p, &around);
	l->w->at = at;
	for (int d = 0; d < acc->field->n_dims; d++) {
		isl_pw_aff *is = number_of(l->w, x->arg[d]);

		set = isl_set_union(set, is ? differs(&i, acc, d, is) :
			isl_set_copy(l->range));
		isl_pw_aff_free(is);
	}
	set = isl_set_union(set, wrong_sign(&i, acc, minus));
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

/* The code is at "p", an instance, and there "x" is not coordinate "d" as used in the value of
 * the boundary of dimension "own".
 */
static __isl_give isl_set *index_differs(struct lanes *l,
	const struct point *p, const struct access *acc, int own, int d,
	bool is_near, const struct kx *x)
{
	const struct instance i = instance_at(l, p);
	struct around around = { { false } };
	isl_set *was = l->w->at, *set;
	isl_pw_aff *is;

	l->w->at = isl_set_intersect(place_at(l, p), instances_at(l, p->stmt));
	name_variables(l, x, p, &around);
	is = number_of(l->w, x);
	set = is ? differs_in_value(&i, acc, own, d, is_near, is) :
		isl_set_copy(l->range);
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

bool reads_value(struct lanes *l, const struct point *p,
	const struct access *acc, unsigned which)
{
	const struct instance i = instance_at(l, p);
	struct words w;
	int value;

	ask(l, &w, "reads a value", p);
	put_word(&w, (intptr_t) acc);
	put_word(&w, which);
	if (was_answered(l, &w, &value))
		return value;
	return note_answer(l, &w, is_nowhere(l, without_values(&i, place_at(l,
		p), acc, which)));
}

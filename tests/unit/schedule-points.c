/* Sets of points as arrays, to count and to compare. */
#include "tests/unit/schedule.h"

#include <stdlib.h>
#include <string.h>

#include <isl/point.h>

struct points *points_new(struct region *mem)
{
	struct points *ps = region_new_of(mem, struct points);

	ps->mem = mem;
	return ps;
}

void points_add(struct points *ps, const int p[MOST_DIMS])
{
	if (ps->n == ps->capacity) {
		void *old = ps->at;

		ps->capacity = 2 * ps->capacity + 64;
		ps->at = region_alloc(ps->mem,
			sizeof(*ps->at) * (size_t) ps->capacity);
		if (ps->n > 0)
			memcpy(ps->at, old, sizeof(*ps->at) * (size_t) ps->n);
	}
	memcpy(ps->at[ps->n++], p, sizeof(*ps->at));
}

static int compare_points(const void *a, const void *b)
{
	const int *p = a, *q = b;

	for (int i = 0; i < MOST_DIMS; i++)
		if (p[i] != q[i])
			return p[i] < q[i] ? -1 : 1;
	return 0;
}

void points_sort(struct points *ps)
{
	int n = 0;

	if (ps->n == 0)
		return;
	qsort(ps->at, (size_t) ps->n, sizeof(*ps->at), compare_points);
	for (int i = 0; i < ps->n; i++)
		if (n == 0 || compare_points(ps->at[n - 1], ps->at[i]))
			memmove(ps->at[n++], ps->at[i], sizeof(*ps->at));
	ps->n = n;
}

bool points_equal(const struct points *a, const struct points *b)
{
	return a->n == b->n && (a->n == 0 || !memcmp(a->at, b->at,
		sizeof(*a->at) * (size_t) a->n));
}

static bool points_has(const struct points *ps, const int p[MOST_DIMS])
{
	return ps->n > 0 && bsearch(p, ps->at, (size_t) ps->n,
		sizeof(*ps->at), compare_points);
}

struct points *points_join(const struct points *a, const struct points *b)
{
	struct points *ps = points_new(a->mem);

	for (int i = 0; i < a->n; i++)
		points_add(ps, a->at[i]);
	for (int i = 0; i < b->n; i++)
		points_add(ps, b->at[i]);
	points_sort(ps);
	return ps;
}

struct points *points_without(const struct points *a, const struct points *b)
{
	struct points *ps = points_new(a->mem);

	for (int i = 0; i < a->n; i++)
		if (!points_has(b, a->at[i]))
			points_add(ps, a->at[i]);
	return ps;
}

static isl_stat add_isl_point(__isl_take isl_point *point, void *user)
{
	isl_space *space = isl_point_get_space(point);
	int n = isl_space_dim(space, isl_dim_set), p[MOST_DIMS] = { 0 };

	assert_true(n <= MOST_DIMS);
	for (int i = 0; i < n; i++) {
		isl_val *v = isl_point_get_coordinate_val(point, isl_dim_set,
			i);

		p[i] = (int) isl_val_get_num_si(v);
		isl_val_free(v);
	}
	points_add(user, p);
	isl_space_free(space);
	isl_point_free(point);
	return isl_stat_ok;
}

struct points *points_of_set(struct region *mem,
	__isl_take isl_set *set)
{
	struct points *ps = points_new(mem);

	assert_int_equal(isl_set_is_bounded(set), isl_bool_true);
	isl_set_foreach_point(set, add_isl_point, ps);
	isl_set_free(set);
	points_sort(ps);
	return ps;
}

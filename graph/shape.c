/* Unions of cuboids of integer points: what tiles compute and read. */
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

struct shape *shape_new(struct region *mem, int n_dims)
{
	struct shape *s = region_new_of(mem, struct shape);

	s->n_dims = n_dims;
	s->points = -1;
	return s;
}

static bool is_empty(const struct cuboid *c, int n_dims)
{
	for (int d = 0; d < n_dims; d++)
		if (c->low[d] >= c->end[d])
			return true;
	return false;
}

static bool contains(const struct cuboid *outer, const struct cuboid *inner,
	int n_dims)
{
	for (int d = 0; d < n_dims; d++)
		if (inner->low[d] < outer->low[d] ||
		    inner->end[d] > outer->end[d])
			return false;
	return true;
}

void shape_add(struct region *mem, struct shape *s, const struct cuboid *c)
{
	if (is_empty(c, s->n_dims))
		return;
	for (int i = 0; i < s->n; i++) {
		if (contains(&s->cuboid[i], c, s->n_dims))
			return;
		if (!contains(c, &s->cuboid[i], s->n_dims))
			continue;
		s->cuboid[i--] = s->cuboid[--s->n];
	}
	if (s->n == s->room) {
		struct cuboid *old = s->cuboid;

		s->room = s->room ? 2 * s->room : 4;
		s->cuboid = region_array(mem, struct cuboid, s->room);
		if (old)
			memcpy(s->cuboid, old, sizeof(*old) * (size_t) s->n);
	}
	s->cuboid[s->n++] = *c;
	s->points = -1;
}

void shape_add_all(struct region *mem, struct shape *s,
	const struct shape *from)
{
	for (int i = 0; i < from->n; i++)
		shape_add(mem, s, &from->cuboid[i]);
}

void shape_add_sum(struct region *mem, struct shape *s,
	const struct shape *from, const struct shape *offsets)
{
	for (int k = 0; k < offsets->n; k++)
		for (int i = 0; i < from->n; i++) {
			struct cuboid c = from->cuboid[i];

			for (int d = 0; d < s->n_dims; d++) {
				c.low[d] += offsets->cuboid[k].low[d];
				c.end[d] += offsets->cuboid[k].end[d] - 1;
			}
			shape_add(mem, s, &c);
		}
}

static int points_within(const struct pattern *p, int n_dims,
	const struct cuboid *c)
{
	int n = 0;

	for (int i = 0; i < p->n; i++) {
		int d = 0;

		while (d < n_dims && c->low[d] <= p->at[i][d] &&
		       p->at[i][d] < c->end[d])
			d++;
		n += d == n_dims;
	}
	return n;
}

static int64_t volume(const struct cuboid *c, int n_dims)
{
	int64_t points = 1;

	for (int d = 0; d < n_dims; d++)
		points *= c->end[d] - c->low[d];
	return points;
}

/* Widen "c" in dimension "d" as long as all its points are of the pattern. */
static void grow(const struct pattern *p, int n_dims, struct cuboid *c, int d)
{
	for (int side = 0; side < 2; side++) {
		struct cuboid wider = *c;

		do {
			*c = wider;
			wider.low[d] -= side == 0;
			wider.end[d] += side == 1;
		} while (points_within(p, n_dims, &wider) ==
			volume(&wider, n_dims));
	}
}

struct shape *shape_of_pattern(struct region *mem, int n_dims,
	const struct pattern *p)
{
	struct shape *s = shape_new(mem, n_dims);

	for (int i = 0; i < p->n; i++) {
		struct cuboid c = { { 0 }, { 0 } };

		for (int d = 0; d < n_dims; d++)
			c.end[d] = 1 + (c.low[d] = p->at[i][d]);
		for (int d = 0; d < n_dims; d++)
			grow(p, n_dims, &c, d);
		shape_add(mem, s, &c);
	}
	return s;
}

struct shape *shape_clip(struct region *mem, const struct shape *s,
	const struct cuboid *c)
{
	struct shape *clipped = shape_new(mem, s->n_dims);

	for (int i = 0; i < s->n; i++) {
		struct cuboid part = s->cuboid[i];
		bool any = true;

		for (int d = 0; d < s->n_dims && any; d++) {
			if (part.low[d] < c->low[d])
				part.low[d] = c->low[d];
			if (part.end[d] > c->end[d])
				part.end[d] = c->end[d];
			any = part.low[d] < part.end[d];
		}
		if (any)
			shape_add(mem, clipped, &part);
	}
	return clipped;
}

/* Do "a" and "b" agree but in dimension "dim", where they touch? */
static bool join(const struct cuboid *a, const struct cuboid *b, int n_dims,
	int dim)
{
	for (int d = 0; d < n_dims; d++)
		if (d != dim && (a->low[d] != b->low[d] ||
				a->end[d] != b->end[d]))
			return false;
	return a->low[dim] <= b->end[dim] && b->low[dim] <= a->end[dim];
}

void shape_simplify(struct shape *s)
{
	bool changed = s->n > 1;

	while (changed) {
		changed = false;
		for (int i = 0; i < s->n; i++)
			for (int j = i + 1; j < s->n; j++)
				for (int d = 0; d < s->n_dims; d++) {
					struct cuboid *a = &s->cuboid[i];
					struct cuboid *b = &s->cuboid[j];

					if (!join(a, b, s->n_dims, d))
						continue;
					if (b->low[d] < a->low[d])
						a->low[d] = b->low[d];
					if (b->end[d] > a->end[d])
						a->end[d] = b->end[d];
					*b = s->cuboid[--s->n];
					changed = true;
					j--;
					break;
				}
	}
}

static int compare_cuboids(const void *a, const void *b)
{
	const struct cuboid *x = a, *y = b;

	for (int d = 0; d < GRAPH_MAX_DIMS; d++) {
		if (x->low[d] != y->low[d])
			return x->low[d] < y->low[d] ? -1 : 1;
		if (x->end[d] != y->end[d])
			return x->end[d] < y->end[d] ? -1 : 1;
	}
	return 0;
}

void shape_sort(struct shape *s)
{
	if (s->n > 1)
		qsort(s->cuboid, (size_t) s->n, sizeof(*s->cuboid),
			compare_cuboids);
}

/* Few and nearly sorted: insertion is the fastest way. */
static void sort_numbers(int64_t *x, int n)
{
	for (int i = 1; i < n; i++) {
		int64_t moved = x[i];
		int at = i;

		for (; at > 0 && x[at - 1] > moved; at--)
			x[at] = x[at - 1];
		x[at] = moved;
	}
}

static void sort_by_place(const struct cuboid **c, int n)
{
	for (int i = 1; i < n; i++) {
		const struct cuboid *moved = c[i];
		int at = i;

		for (; at > 0 && c[at - 1]->low[0] > moved->low[0]; at--)
			c[at] = c[at - 1];
		c[at] = moved;
	}
}

/* The points of a union of "n" intervals of dimension 0. */
static int64_t count_line(const struct cuboid **c, int n)
{
	int64_t points = 0, end = INT64_MIN;

	sort_by_place(c, n);
	for (int i = 0; i < n; i++) {
		int64_t low = c[i]->low[0] > end ? c[i]->low[0] : end;

		if (c[i]->end[0] > low) {
			points += c[i]->end[0] - low;
			end = c[i]->end[0];
		}
	}
	return points;
}

/* The points of a union in the dimensions 0 .. dim: between two neighbouring
 * bounds of dimension "dim" all cross sections are equal.
 */
static int64_t count_dims(const struct cuboid **c, int n, int dim)
{
	int64_t bound[2 * n], points = 0;
	const struct cuboid *part[n];
	int n_bounds = 0;

	if (n == 1) {
		points = 1;
		for (int d = 0; d <= dim; d++)
			points *= c[0]->end[d] - c[0]->low[d];
		return points;
	}
	if (dim == 0)
		return count_line(c, n);
	for (int i = 0; i < n; i++) {
		bound[n_bounds++] = c[i]->low[dim];
		bound[n_bounds++] = c[i]->end[dim];
	}
	sort_numbers(bound, n_bounds);
	for (int b = 0; b + 1 < n_bounds; b++) {
		int n_part = 0;

		if (bound[b] == bound[b + 1])
			continue;
		for (int i = 0; i < n; i++)
			if (c[i]->low[dim] <= bound[b] &&
			    c[i]->end[dim] >= bound[b + 1])
				part[n_part++] = c[i];
		if (n_part > 0)
			points += (bound[b + 1] - bound[b]) *
				count_dims(part, n_part, dim - 1);
	}
	return points;
}

int64_t shape_count(struct shape *s)
{
	const struct cuboid *c[s->n + 1];

	if (s->points >= 0)
		return s->points;
	for (int i = 0; i < s->n; i++)
		c[i] = &s->cuboid[i];
	s->points = s->n > 0 ? count_dims(c, s->n, s->n_dims - 1) : 0;
	return s->points;
}

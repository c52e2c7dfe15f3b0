/* Unions of cuboids of integer points: what tiles compute and read.
 *
 * A shape is cut into slabs along dimension 0 wherever its cross section
 * changes, each slab along dimension 1, and so on, with pieces as long as
 * possible.  So equal sets have equal cuboids, in the same order.
 */
#include <string.h>

#include "model/graph/graph.h"

/* Piles of cuboids ------------------------------------------------------- */

struct pile {
	struct region *mem;
	int n_dims;
	int n, room;
	struct cuboid *piece;	/* the union is of these */
	const struct cuboid **line;	/* by dimension: the current pieces */
	int n_cut, cut_room;
	struct cuboid *cut;	/* of the union: disjoint */
	int64_t work;		/* pieces, of all unions */
};

struct pile *pile_new(struct region *mem, int n_dims)
{
	struct pile *p = region_new_of(mem, struct pile);

	p->mem = mem;
	p->n_dims = n_dims;
	return p;
}

static bool is_empty(const struct cuboid *c, int n_dims)
{
	for (int d = 0; d < n_dims; d++)
		if (c->low[d] >= c->end[d])
			return true;
	return false;
}

/* "old", with "n" used entries, with doubled room. */
static struct cuboid *more_room(struct region *mem, const struct cuboid *old,
	int n, int *room)
{
	struct cuboid *c;

	*room = *room ? 2 * *room : 64;
	c = region_array(mem, struct cuboid, *room);
	if (n > 0)
		memcpy(c, old, sizeof(*c) * (size_t) n);
	return c;
}

void pile_add(struct pile *p, const struct cuboid *c)
{
	if (is_empty(c, p->n_dims))
		return;
	if (p->n == p->room) {
		p->piece = more_room(p->mem, p->piece, p->n, &p->room);
		p->line = region_array(p->mem, const struct cuboid *,
			p->n_dims * p->room);
	}
	p->piece[p->n++] = *c;
}

void pile_add_shape(struct pile *p, const struct shape *s)
{
	for (int i = 0; i < s->n; i++)
		pile_add(p, &s->cuboid[i]);
}

void pile_add_sum(struct pile *p, const struct shape *s,
	const struct cuboids *offsets)
{
	for (int k = 0; k < offsets->n; k++)
		for (int i = 0; i < s->n; i++) {
			struct cuboid c = s->cuboid[i];

			for (int d = 0; d < p->n_dims; d++) {
				c.low[d] += offsets->cuboid[k].low[d];
				c.end[d] += offsets->cuboid[k].end[d] - 1;
			}
			pile_add(p, &c);
		}
}

void pile_flatten(struct pile *p, unsigned dims)
{
	for (int d = 0; d < p->n_dims; d++)
		for (int i = 0; i < p->n && !(dims & 1u << d); i++) {
			p->piece[i].low[d] = 0;
			p->piece[i].end[d] = 1;
		}
}

static struct cuboid clipped(const struct cuboid *c, const struct cuboid *to,
	int n_dims)
{
	struct cuboid part = *c;

	for (int d = 0; d < n_dims; d++) {
		part.low[d] = larger(part.low[d], to->low[d]);
		part.end[d] = smaller(part.end[d], to->end[d]);
	}
	return part;
}

/* Cutting ---------------------------------------------------------------- */

/* Most lists are short or nearly sorted. */
static void sort_by_low(const struct cuboid **c, int n, int dim)
{
	static const int gaps[] = { 3548, 1577, 701, 301, 132, 57, 23, 10, 4,
		1 };

	for (size_t g = 0; g < sizeof(gaps) / sizeof(gaps[0]); g++)
		for (int i = gaps[g]; i < n; i++) {
			const struct cuboid *moved = c[i];
			int at = i;

			for (; at >= gaps[g] && c[at - gaps[g]]->low[dim] >
			     moved->low[dim]; at -= gaps[g])
				c[at] = c[at - gaps[g]];
			c[at] = moved;
		}
}

static void keep_cut(struct pile *p, const struct cuboid *c)
{
	if (p->n_cut == p->cut_room)
		p->cut = more_room(p->mem, p->cut, p->n_cut, &p->cut_room);
	p->cut[p->n_cut++] = *c;
}

/* The union of intervals of the innermost dimension. */
static void cut_line(struct pile *p, const struct cuboid **c, int n,
	struct cuboid *now)
{
	int dim = p->n_dims - 1;

	for (int i = 0; i < n; i++) {
		if (i > 0 && c[i]->low[dim] <= now->end[dim]) {
			now->end[dim] = larger(now->end[dim],
				c[i]->end[dim]);
			continue;
		}
		if (i > 0)
			keep_cut(p, now);
		now->low[dim] = c[i]->low[dim];
		now->end[dim] = c[i]->end[dim];
	}
	keep_cut(p, now);
}

static bool same_beyond(const struct cuboid *a, const struct cuboid *b,
	int dim, int n_dims)
{
	for (int d = dim + 1; d < n_dims; d++)
		if (a->low[d] != b->low[d] || a->end[d] != b->end[d])
			return false;
	return true;
}

/* Join the last slab, from cut "at" on, with the one before it, from "before"
 * on, if they touch and have the same cross section.
 */
static bool join_slabs(struct pile *p, int before, int at, int dim)
{
	int n = at - before;

	if (n != p->n_cut - at ||
	    p->cut[before].end[dim] != p->cut[at].low[dim])
		return false;
	for (int i = 0; i < n; i++)
		if (!same_beyond(&p->cut[before + i], &p->cut[at + i], dim,
				p->n_dims))
			return false;
	for (int i = before; i < at; i++)
		p->cut[i].end[dim] = p->cut[at].end[dim];
	p->n_cut = at;
	return true;
}

/* Drop from "c" the pieces that end at "x" or before; returns where the next of
 * the others ends, at most "end".
 */
static int64_t drop_ended(const struct cuboid **c, int *n, int dim, int64_t x,
	int64_t end)
{
	int kept = 0;

	for (int i = 0; i < *n; i++) {
		if (c[i]->end[dim] <= x)
			continue;
		end = smaller(end, c[i]->end[dim]);
		c[kept++] = c[i];
	}
	*n = kept;
	return end;
}

/* Cut the union of the "n" pieces in p->line of dimension "dim" along it and
 * the dimensions within; "now" has the slabs of the surrounding dimensions.
 */
static void cut_dims(struct pile *p, int n, int dim, struct cuboid *now)
{
	const struct cuboid **c = p->line + dim * p->room;
	const struct cuboid **across = c + p->room;
	int before = p->n_cut, next = 0, n_across = 0;
	int64_t x;

	if (n == 1) {
		for (int d = dim; d < p->n_dims; d++) {
			now->low[d] = c[0]->low[d];
			now->end[d] = c[0]->end[d];
		}
		keep_cut(p, now);
		return;
	}
	sort_by_low(c, n, dim);
	if (dim == p->n_dims - 1) {
		cut_line(p, c, n, now);
		return;
	}
	for (x = c[0]->low[dim]; next < n || n_across > 0; ) {
		int at = p->n_cut;
		int64_t end;

		while (next < n && c[next]->low[dim] == x)
			across[n_across++] = c[next++];
		end = drop_ended(across, &n_across, dim, x,
			next < n ? c[next]->low[dim] : INT64_MAX);
		now->low[dim] = x;
		now->end[dim] = x = end;
		if (n_across == 0)
			continue;
		cut_dims(p, n_across, dim + 1, now);
		if (!join_slabs(p, before, at, dim))
			before = at;
	}
}

/* Cut the union of all pieces; empties the pile. */
static void cut_pile(struct pile *p)
{
	struct cuboid now = { { 0 }, { 0 } };

	for (int i = 0; i < p->n; i++)
		p->line[i] = &p->piece[i];
	p->n_cut = 0;
	p->work += p->n;
	if (p->n > 0)
		cut_dims(p, p->n, 0, &now);
	p->n = 0;
}

static int64_t volume(const struct cuboid *c, int n_dims)
{
	int64_t points = 1;

	for (int d = 0; d < n_dims; d++)
		points *= c->end[d] - c->low[d];
	return points;
}

int64_t pile_count(struct pile *p)
{
	int64_t points = 0;

	cut_pile(p);
	for (int i = 0; i < p->n_cut; i++)
		points += volume(&p->cut[i], p->n_dims);
	return points;
}

int64_t pile_work(const struct pile *p)
{
	return p->work;
}

/* Shapes ----------------------------------------------------------------- */

uint64_t hash_number(uint64_t hash, int64_t x)
{
	hash = (hash ^ (uint64_t) x) * 0x9e3779b97f4a7c15u;
	return hash ^ hash >> 32;
}

static void find_hull(struct shape *s, int n_dims)
{
	for (int i = 0; i < s->n; i++)
		for (int d = 0; d < n_dims; d++) {
			const struct cuboid *c = &s->cuboid[i];

			if (i == 0 || c->low[d] < s->hull.low[d])
				s->hull.low[d] = c->low[d];
			if (i == 0 || c->end[d] > s->hull.end[d])
				s->hull.end[d] = c->end[d];
		}
}

static void find_hash(struct shape *s, int n_dims)
{
	s->hash = hash_number((uint64_t) s->n, s->points);
	for (int i = 0; i < s->n; i++)
		for (int d = 0; d < n_dims; d++) {
			const struct cuboid *c = &s->cuboid[i];

			s->hash = hash_number(s->hash, c->low[d] -
				s->hull.low[d]);
			s->hash = hash_number(s->hash, c->end[d] -
				s->hull.low[d]);
		}
}

const struct shape *pile_take(struct pile *p, struct region *mem)
{
	struct shape *s = region_new_of(mem, struct shape);

	cut_pile(p);
	s->n_dims = p->n_dims;
	s->n = p->n_cut;
	s->cuboid = region_array(mem, struct cuboid, s->n);
	if (s->n > 0)
		memcpy(s->cuboid, p->cut, sizeof(*s->cuboid) * (size_t) s->n);
	for (int i = 0; i < s->n; i++)
		s->points += volume(&s->cuboid[i], s->n_dims);
	find_hull(s, s->n_dims);
	find_hash(s, s->n_dims);
	return s;
}

/* Does it lie within "c"? */
static bool shape_is_within(const struct shape *s, const struct cuboid *c)
{
	for (int d = 0; d < s->n_dims && s->n > 0; d++)
		if (s->hull.low[d] < c->low[d] || s->hull.end[d] > c->end[d])
			return false;
	return true;
}

/* The first cuboid of "s" that ends behind "low" in dimension 0. */
static int first_behind(const struct shape *s, int64_t low)
{
	int from = 0, to = s->n;

	while (from < to) {
		int middle = from + (to - from) / 2;

		if (s->cuboid[middle].end[0] <= low)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

const struct shape *shape_clip(struct pile *p, struct region *mem,
	const struct shape *s, const struct cuboid *c)
{
	if (shape_is_within(s, c))
		return s;
	for (int i = first_behind(s, c->low[0]); i < s->n &&
	     s->cuboid[i].low[0] < c->end[0]; i++) {
		struct cuboid part = clipped(&s->cuboid[i], c, s->n_dims);

		pile_add(p, &part);
	}
	return pile_take(p, mem);
}

bool shape_has_all(const struct shape *s, const struct cuboid *c)
{
	int64_t points = 0;

	for (int i = first_behind(s, c->low[0]); i < s->n &&
	     s->cuboid[i].low[0] < c->end[0]; i++) {
		struct cuboid part = clipped(&s->cuboid[i], c, s->n_dims);

		if (!is_empty(&part, s->n_dims))
			points += volume(&part, s->n_dims);
	}
	return is_empty(c, s->n_dims) || points == volume(c, s->n_dims);
}

const struct shape *shape_copy(struct region *mem, const struct shape *s)
{
	struct shape *copy = region_new_of(mem, struct shape);

	*copy = *s;
	copy->cuboid = region_array(mem, struct cuboid, s->n);
	if (s->n > 0)
		memcpy(copy->cuboid, s->cuboid, sizeof(*s->cuboid) *
			(size_t) s->n);
	return copy;
}

bool shapes_are_alike(const struct shape *a, const struct shape *b)
{
	if (a->hash != b->hash || a->n != b->n)
		return false;
	for (int i = 0; i < a->n && a != b; i++)
		for (int d = 0; d < a->n_dims; d++) {
			const struct cuboid *x = &a->cuboid[i];
			const struct cuboid *y = &b->cuboid[i];
			int64_t move = b->hull.low[d] - a->hull.low[d];

			if (x->low[d] + move != y->low[d] ||
			    x->end[d] + move != y->end[d])
				return false;
		}
	return true;
}

/* Lines ------------------------------------------------------------------- */

/* "s", with everything in front of it on lines along "d", or behind it, within its hull. */
static int64_t count_on_side(struct pile *p, const struct shape *s, int d,
	bool behind)
{
	for (int i = 0; i < s->n; i++) {
		struct cuboid c = s->cuboid[i];

		if (behind)
			c.end[d] = s->hull.end[d];
		else
			c.low[d] = s->hull.low[d];
		pile_add(p, &c);
	}
	return pile_count(p);
}

/* The points between the first and last ones are both behind the first and in front of the
 * last: each point of the hull on these lines is one or the other, or both.
 */
int64_t pile_count_lines(struct pile *p, const struct shape *s, int d)
{
	int64_t lines;

	if (s->n == 0)
		return 0;
	pile_add_shape(p, s);
	pile_flatten(p, ~(1u << d));
	lines = pile_count(p);
	return count_on_side(p, s, d, true) + count_on_side(p, s, d, false) -
		lines * (s->hull.end[d] - s->hull.low[d]);
}

/* Covers of patterns ----------------------------------------------------- */

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

/* Widen "c" in dimension "d" as long as all its points belong to the pattern. */
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

static bool contains(const struct cuboid *outer, const struct cuboid *inner,
	int n_dims)
{
	for (int d = 0; d < n_dims; d++)
		if (inner->low[d] < outer->low[d] ||
		    inner->end[d] > outer->end[d])
			return false;
	return true;
}

static void add_largest(struct cuboids *cover, const struct cuboid *c,
	int n_dims)
{
	for (int i = 0; i < cover->n; i++) {
		if (contains(&cover->cuboid[i], c, n_dims))
			return;
		if (contains(c, &cover->cuboid[i], n_dims))
			cover->cuboid[i--] = cover->cuboid[--cover->n];
	}
	cover->cuboid[cover->n++] = *c;
}

struct cuboids cuboids_of_pattern(struct region *mem, int n_dims,
	const struct pattern *p)
{
	struct cuboids cover = { 0, region_array(mem, struct cuboid, p->n) };

	for (int i = 0; i < p->n; i++) {
		struct cuboid c = { { 0 }, { 0 } };

		for (int d = 0; d < n_dims; d++)
			c.end[d] = 1 + (c.low[d] = p->at[i][d]);
		for (int d = 0; d < n_dims; d++)
			grow(p, n_dims, &c, d);
		add_largest(&cover, &c, n_dims);
	}
	return cover;
}

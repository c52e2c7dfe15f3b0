/* The topological orders of a graph's stencils: all, some, and their number. */
#include <stdlib.h>
#include <string.h>

#include "model/graph/graph.h"

/* Orders ----------------------------------------------------------------- */

struct ordering {
	struct region *mem;
	const struct graph *graph;
	int most, n;
	int **orders;
	int n_buckets;
	int *bucket, *next;	/* next order with the same hash; -1: none */
	int *order;
	bool *placed;
};

static bool is_ready(const struct ordering *o, int s)
{
	for (int p = 0; p < o->graph->n_stencils; p++)
		if (!o->placed[p] && p != s && graph_depends(o->graph, s, p))
			return false;
	return true;
}

static int *bucket_of_order(struct ordering *o)
{
	uint64_t hash = 0;

	for (int i = 0; i < o->graph->n_stencils; i++)
		hash = hash_number(hash, o->order[i]);
	return &o->bucket[hash % (uint64_t) o->n_buckets];
}

/* Keep the current order, if there is room and it is new. */
static void keep_order(struct ordering *o)
{
	size_t size = sizeof(int) * (size_t) o->graph->n_stencils;
	int *bucket = bucket_of_order(o);

	if (o->n == o->most)
		return;
	for (int i = *bucket; i >= 0; i = o->next[i])
		if (!memcmp(o->orders[i], o->order, size))
			return;
	o->orders[o->n] = region_alloc(o->mem, size);
	memcpy(o->orders[o->n], o->order, size);
	o->next[o->n] = *bucket;
	*bucket = o->n++;
}

/* Keep all orders that agree with the current one up to place "at". */
static void place_from(struct ordering *o, int at)
{
	int n = o->graph->n_stencils;

	if (at == n)
		keep_order(o);
	for (int s = 0; s < n && o->n < o->most; s++) {
		if (o->placed[s] || !is_ready(o, s))
			continue;
		o->placed[s] = true;
		o->order[at] = s;
		place_from(o, at + 1);
		o->placed[s] = false;
	}
}

/* Place "s" after its producers that are not yet placed, depth first. */
static void place_after_needs(struct ordering *o, int s, int *at)
{
	if (o->placed[s])
		return;
	o->placed[s] = true;
	for (int p = 0; p < o->graph->n_stencils; p++)
		if (p != s && graph_depends(o->graph, s, p))
			place_after_needs(o, p, at);
	o->order[(*at)++] = s;
}

static void place_none(struct ordering *o)
{
	memset(o->placed, 0, sizeof(bool) * (size_t) o->graph->n_stencils);
}

/* A producer stands right before its first reader. */
static void place_depth_first(struct ordering *o)
{
	int at = 0;

	place_none(o);
	for (int s = 0; s < o->graph->n_stencils; s++)
		if (o->graph->field[o->graph->stencil[s].out].is_output)
			place_after_needs(o, s, &at);
	for (int s = 0; s < o->graph->n_stencils; s++)
		place_after_needs(o, s, &at);
	keep_order(o);
}

/* Place ready stencils one after the other at random, with the same numbers in
 * each run.
 */
static void place_by_lot(struct ordering *o, uint32_t *seed)
{
	int n = o->graph->n_stencils;

	place_none(o);
	for (int at = 0; at < n; at++) {
		int ready[GRAPH_MAX_STENCILS], n_ready = 0;

		for (int s = 0; s < n; s++)
			if (!o->placed[s] && is_ready(o, s))
				ready[n_ready++] = s;
		*seed = *seed * 1664525u + 1013904223u;
		o->order[at] = ready[(*seed >> 16) % (uint32_t) n_ready];
		o->placed[o->order[at]] = true;
	}
	keep_order(o);
}

static struct ordering ordering_new(struct region *mem,
	const struct graph *graph, int most)
{
	struct ordering o = {
		.mem = mem, .graph = graph, .most = most,
		.orders = region_array(mem, int *, most),
		.n_buckets = most, .bucket = region_array(mem, int, most),
		.next = region_array(mem, int, most),
		.order = region_array(mem, int, graph->n_stencils),
		.placed = region_array(mem, bool, graph->n_stencils),
	};

	for (int i = 0; i < most; i++)
		o.bucket[i] = -1;
	return o;
}

int graph_orders(struct region *mem, const struct graph *graph, int most,
	int ***orders, bool *all)
{
	struct ordering o = ordering_new(mem, graph, most + 1);
	uint32_t seed = 1;

	place_from(&o, 0);
	*all = o.n <= most;
	if (!*all) {
		o = ordering_new(mem, graph, most);
		for (int s = 0; s < graph->n_stencils; s++)
			o.order[s] = s;
		keep_order(&o);
		place_depth_first(&o);
		for (int tries = 0; tries < 4 * most; tries++)
			place_by_lot(&o, &seed);
		place_none(&o);
		place_from(&o, 0);
	}
	*orders = o.orders;
	return o.n;
}

/* Their number ------------------------------------------------------------- */

/* A set of stencils, closed under what they need, and its number of orders. */
struct begun {
	uint64_t set;
	double orders;
};

enum { MOST_BEGUN = 1 << 12 };	/* sets of one size */

/* By stencil: those that it reads, bit by bit. */
static void find_needs(const struct graph *graph, uint64_t *needs)
{
	for (int s = 0; s < graph->n_stencils; s++) {
		needs[s] = 0;
		for (int p = 0; p < graph->n_stencils; p++)
			if (p != s && graph_depends(graph, s, p))
				needs[s] |= (uint64_t) 1 << p;
	}
}

/* All stencils on which "set" depends, or that depend on it, transitively. */
static uint64_t connected(const uint64_t *needs, int n, uint64_t set)
{
	uint64_t before;

	do {
		before = set;
		for (int s = 0; s < n; s++)
			if (set >> s & 1)
				set |= needs[s];
			else if (set & needs[s])
				set |= (uint64_t) 1 << s;
	} while (set != before);
	return set;
}

static int compare_sets(const void *a, const void *b)
{
	const struct begun *x = a, *y = b;

	return x->set < y->set ? -1 : x->set > y->set;
}

/* Merge entries of the same set; returns how many are left. */
static int join_sets(struct begun *b, int n)
{
	int kept = 0;

	qsort(b, (size_t) n, sizeof(*b), compare_sets);
	for (int i = 0; i < n; i++)
		if (kept > 0 && b[kept - 1].set == b[i].set)
			b[kept - 1].orders += b[i].orders;
		else
			b[kept++] = b[i];
	return kept;
}

/* The sets with one more stencil, out of "of"; returns how many. */
static int begin_one_more(const uint64_t *needs, uint64_t of,
	const struct begun *from, int n, struct begun *to)
{
	int n_to = 0;

	for (int i = 0; i < n; i++)
		for (int s = 0; s < GRAPH_MAX_STENCILS; s++) {
			uint64_t one = (uint64_t) 1 << s;

			if ((of & one & ~from[i].set) &&
			    !(needs[s] & ~from[i].set))
				to[n_to++] = (struct begun) {
					from[i].set | one, from[i].orders };
		}
	return join_sets(to, n_to);
}

/* The number of orders of the stencils "of", "size" of them; -1: that takes too
 * long.
 */
static double count_orders_of(struct region *tmp, const uint64_t *needs,
	uint64_t of, int size)
{
	struct begun *from = region_array(tmp, struct begun, size * MOST_BEGUN);
	struct begun *to = region_array(tmp, struct begun, size * MOST_BEGUN);
	int n = 1;

	from[0] = (struct begun) { 0, 1 };
	for (int i = 0; i < size; i++) {
		struct begun *swap = from;

		n = begin_one_more(needs, of, from, n, to);
		if (n > MOST_BEGUN)
			return -1;
		from = to;
		to = swap;
	}
	return from[0].orders;
}

static int size_of(uint64_t set)
{
	int n = 0;

	for (; set; set &= set - 1)
		n++;
	return n;
}

/* Unrelated stencils stand anywhere between these. */
double graph_count_orders(const struct graph *graph)
{
	uint64_t needs[GRAPH_MAX_STENCILS] = { 0 }, seen = 0;
	int placed = 0;
	double all = 1;

	find_needs(graph, needs);
	for (int s = 0; s < graph->n_stencils && all > 0; s++) {
		struct region *tmp;
		uint64_t part;

		if (seen >> s & 1)
			continue;
		part = connected(needs, graph->n_stencils, (uint64_t) 1 << s);
		seen |= part;
		tmp = region_new();
		all *= count_orders_of(tmp, needs, part, size_of(part));
		region_free(tmp);
		for (int i = 1; i <= size_of(part); i++)
			all = all * ++placed / i;
	}
	return all > 0 ? all : -1;
}

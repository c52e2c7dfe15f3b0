/* The search for the best variant (3.2 of [MO]): through all variants of a
 * small graph, or through orders, with a dynamic programme for each.
 */
#include <string.h>

#include "model/graph/search.h"

/* The best found so far -------------------------------------------------- */

struct search_state {
	struct region *mem, *tmp;	/* of the result; of this order */
	const struct graph *graph;
	const int *order;
	struct counter *counter, *whole;
	struct effort *effort;
	int n_levels, most;
	struct found *found;
};

static bool is_better(const struct scored *a, const struct scored *b)
{
	return a->fits != b->fits ? a->fits : a->seconds < b->seconds;
}

/* By level and stencil: the group that it lies in. */
static void find_groups(const struct variant *v, int n_levels,
	uint64_t group[][GRAPH_MAX_STENCILS])
{
	for (int l = 0; l < n_levels; l++)
		for (int first = 0, last; first < v->n; first = last + 1) {
			last = first;
			while (last + 1 < v->n && v->together[last] > l)
				last++;
			for (int i = first; i <= last; i++)
				group[l][v->order[i]] = set_of(v->order, first,
					last);
		}
}

/* By stencil. */
static void find_swept(const struct variant *v, bool *swept)
{
	for (int i = 0; i < v->n; i++)
		swept[v->order[i]] = variant_is_swept(v, i);
}

static bool same_swept(const struct variant *a, const struct variant *b)
{
	bool of_a[GRAPH_MAX_STENCILS] = { false };
	bool of_b[GRAPH_MAX_STENCILS] = { false };

	find_swept(a, of_a);
	find_swept(b, of_b);
	return !memcmp(of_a, of_b, sizeof(of_a));
}

/* Do they have the same groups, perhaps in another order?  Then they cost the same. */
static bool same_groups(const struct variant *a, const struct variant *b,
	int n_levels)
{
	uint64_t of_a[GRAPH_MAX_LEVELS][GRAPH_MAX_STENCILS] = { { 0 } };
	uint64_t of_b[GRAPH_MAX_LEVELS][GRAPH_MAX_STENCILS] = { { 0 } };

	find_groups(a, n_levels, of_a);
	find_groups(b, n_levels, of_b);
	return !memcmp(of_a, of_b, sizeof(of_a)) && same_swept(a, b);
}

static bool is_found(const struct search_state *s, const struct variant *v)
{
	for (int i = 0; i < s->found->n; i++)
		if (same_groups(v, s->found->best[i].variant, s->n_levels))
			return true;
	return false;
}

static struct variant *copy_of(struct region *mem, const struct variant *v)
{
	struct variant *copy = region_new_of(mem, struct variant);
	size_t n = (size_t) v->n;

	copy->n = v->n;
	copy->order = region_array(mem, int, n);
	copy->together = region_array(mem, int, n);
	memcpy(copy->order, v->order, n * sizeof(int));
	memcpy(copy->together, v->together, (n - 1) * sizeof(int));
	if (v->swept) {
		copy->swept = region_array(mem, bool, n);
		memcpy(copy->swept, v->swept, n * sizeof(bool));
	}
	return copy;
}

/* Of variants with the same groups, the first found stays. */
static void offer(struct search_state *s, const struct variant *v)
{
	struct found *f = s->found;
	struct scored new = { 0 };
	int at = f->n;

	new.seconds = variant_time(s->counter, v, &new.fits);
	f->n_scored++;
	while (at > 0 && is_better(&new, &f->best[at - 1]))
		at--;
	if (at == s->most || is_found(s, v))
		return;
	new.variant = copy_of(s->mem, v);
	if (f->n < s->most)
		f->n++;
	memmove(&f->best[at + 1], &f->best[at], sizeof(*f->best) *
		(size_t) (f->n - 1 - at));
	f->best[at] = new;
}

/* All variants of an order ----------------------------------------------- */

/* Can neighbours be together up to "level" and no further? */
static bool can_part(const struct graph_machine *m, int level)
{
	return level == m->n_levels || m->level[level - 1].splits;
}

static void try_all(struct search_state *s, struct variant *v, int at);

/* Try all ways to execute the stencils from the i-th on, which begins a group of the second
 * level.
 */
static void try_all_from(struct search_state *s, struct variant *v, int i)
{
	for (int swept = 0; swept <= (v->swept != NULL); swept++) {
		if (v->swept)
			v->swept[i] = swept;
		try_all(s, v, i);
	}
}

/* Separate the i-th stencil from the next in all ways, and those behind it. */
static void try_all(struct search_state *s, struct variant *v, int i)
{
	if (i == v->n - 1) {
		offer(s, v);
		return;
	}
	for (int l = s->n_levels; l >= 1; l--) {
		if (!can_part(counter_machine(s->counter), l))
			continue;
		v->together[i] = l;
		if (l == 1) {
			try_all_from(s, v, i + 1);
			continue;
		}
		if (v->swept)
			v->swept[i + 1] = v->swept[i];
		try_all(s, v, i + 1);
	}
}

/* A variant of this order, to be filled in. */
static struct variant variant_of(const struct search_state *s)
{
	int n = s->graph->n_stencils;
	bool choice = counter_machine(s->counter)->swept;

	return (struct variant) { n, (int *) s->order,
		region_array(s->tmp, int, n),
		choice ? region_array(s->tmp, bool, n) : NULL };
}

/* The best of an order ---------------------------------------------------- */

/* Each stencil in a group of its own, as far as the machine splits groups; all swept, or none. */
static void try_apart(struct search_state *s)
{
	struct variant v = variant_of(s);
	int level = 1;

	while (!can_part(counter_machine(s->counter), level))
		level++;
	for (int i = 0; i + 1 < v.n; i++)
		v.together[i] = level;
	offer(s, &v);
	if (v.swept) {
		memset(v.swept, true, sizeof(bool) * (size_t) v.n);
		offer(s, &v);
	}
}

/* The best variants of an order that fit; if none does, the one with the
 * smallest groups.
 */
static void try_best(struct search_state *s)
{
	struct variant *best = region_array(s->tmp, struct variant, s->most);
	int n = best_of_order(s->tmp, s->counter, s->whole, s->effort,
		s->order, s->most, best);

	for (int i = 0; i < n; i++)
		offer(s, &best[i]);
	if (n == 0)
		try_apart(s);
}

/* Orders ----------------------------------------------------------------- */

/* The number of ways to divide the stencils of an order. */
static double count_ways(const struct graph_machine *m, int n)
{
	int kinds = m->swept ? 2 : 1;
	double ways = 0, all = kinds;

	for (int l = 1; l <= m->n_levels; l++)
		if (can_part(m, l))
			ways += l == 1 ? kinds : 1;
	for (int i = 1; i < n; i++)
		all *= ways;
	return all;
}

/* How many orders to try by default: all of small graphs.  The dynamic programme takes O(n^4)
 * for one, so large graphs get fewer, in about the same time.
 */
static int sample_of(int n)
{
	enum { SMALL = 6, ALL_OF_SMALL = 720, WORK = 1 << 18 };
	int orders = WORK / (n * n * n * n);

	return n <= SMALL ? ALL_OF_SMALL : orders > 1 ? orders : 1;
}

static int most_orders(const struct graph_query *q, int n)
{
	return q->orders > 0 ? q->orders : sample_of(n);
}

double graph_count_variants(const struct graph *graph,
	const struct graph_machine *machine, const struct graph_query *q)
{
	double orders = graph_count_orders(graph);
	int most = most_orders(q, graph->n_stencils);

	return (orders > 0 && orders < most ? orders : most) *
		count_ways(machine, graph->n_stencils);
}

/* Each order beyond the sample may cut its share of cuboids. */
static int64_t effort_of(const struct graph_query *q, int n, int n_orders)
{
	return n_orders > sample_of(n) ? q->effort / sample_of(n) * n_orders :
		q->effort;
}

struct found graph_search(struct region *mem, const struct graph *graph,
	const struct graph_machine *machine, const struct graph_query *q)
{
	enum { FEW = 20000 };
	struct found found = { .best = region_array(mem, struct scored,
		q->most + 1), .orders_there = graph_count_orders(graph) };
	int n = graph->n_stencils, **orders;
	struct region *tmp = region_new();
	struct counter *counter = counter_new(tmp, graph, machine), *whole;
	struct effort effort;
	int64_t cuboids;

	whole = counter_of_whole_tiles(tmp, counter);
	found.n_orders = graph_orders(mem, graph, most_orders(q, n), &orders,
		&found.all_orders);
	cuboids = effort_of(q, n, found.n_orders);
	effort = (struct effort) { counter, whole, n, cuboids, cuboids };
	found.exhaustive = q->how == SEARCH_ALL || (q->how == SEARCH_AUTO &&
		count_ways(machine, n) * found.n_orders <= FEW);
	for (int i = 0; i < found.n_orders; i++) {
		struct region *of_order = region_new();
		struct search_state s = {
			.mem = mem, .tmp = of_order, .graph = graph,
			.order = orders[i], .counter = counter,
			.whole = whole, .effort = &effort,
			.n_levels = machine->n_levels, .most = q->most,
			.found = &found,
		};

		if (found.exhaustive) {
			struct variant v = variant_of(&s);

			try_all_from(&s, &v, 0);
		} else {
			try_best(&s);
		}
		region_free(of_order);
		if (q->orders == 0 && effort.longest < n &&
		    i + 1 < found.n_orders) {
			found.n_orders = i + 1;
			found.all_orders = false;
		}
	}
	found.longest = effort.longest;
	found.n_cuboids = counter_work(counter) + counter_work(whole);
	region_free(tmp);
	return found;
}

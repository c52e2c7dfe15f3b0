/* The dynamic programme that finds the best variant of an order (3.2 of [MO]):
 * the best way to part a group into children, by the best of each of these.
 */
#include <math.h>
#include <string.h>

#include "graph/search.h"

static int longest_group(struct effort *e)
{
	int64_t work = counter_work(e->counter) + counter_work(e->whole);

	while (work > e->most && e->longest > 1) {
		e->longest = 2 * e->longest / 3;
		e->most += e->cuboids / (2 * e->longest);
	}
	return e->longest;
}

/* The best way to execute a group, given the groups that it lies in. */
struct plan_of_group {
	struct chain chain;	/* as far as the group needs them */
	double seconds;		/* INFINITY: it does not fit */
	int *together;		/* by place in the order - first */
	struct plan_of_group *next;
};

struct dynamic {
	struct counter *counter;
	struct counter *storage;	/* that says what fits */
	struct effort *effort;
	struct region *mem;
	const int *order;
	struct dynamic *bound;	/* least times, or NULL */
	struct plan_of_group *plan[BUCKETS];
};

static const struct plan_of_group *best_of_group(struct dynamic *d,
	const struct chain *chain, int first, int last);

/* Does the group fit, and do those within it that have all its stencils as their
 * only child?
 */
static bool fits_inwards(struct counter *c, const struct chain *chain)
{
	const struct graph_machine *m = counter_machine(c);
	struct chain inner = *chain;

	while (group_fits(c, &inner)) {
		if (inner.n == m->n_levels || m->level[inner.n - 1].splits)
			return true;
		inner = child_chain(&inner, inner.set[inner.n - 1]);
	}
	return false;
}

static double time_of_child(struct dynamic *d, const struct chain *chain,
	const struct chain *child, int first, int last)
{
	double own = best_of_group(d, child, first, last)->seconds;
	struct term t;

	if (isinf(own))
		return own;
	t = term_of(d->counter, chain, child->set[child->n - 1], own, 0);
	return time_of_term(&t);
}

/* What is known of the time of a child: it is as long as "seconds", or at least
 * that.
 */
enum known { KNOWN_OPERATIONS, KNOWN_FITS, KNOWN_EVALUATIONS, KNOWN_BOUND,
	KNOWN_TIME };

struct edge {
	double seconds;
	enum known known;
};

/* A path to a place: its last edge, and the path that it continues. */
struct path {
	double seconds;
	int from;		/* the place where the last edge starts */
	int rank;		/* of the path that leads there */
};

/* The ways to part a group's stencils: paths from place 0 to n whose edges are
 * its children, those from place "a" to "e" of stencils a .. e - 1.
 */
struct paths {
	struct dynamic *d;
	const struct chain *chain;
	bool parts;		/* there may be several children */
	int first, n;
	struct edge *edge;	/* n + 1 by e, a */
	int most;		/* that are looked for */
	int *n_best;		/* by place */
	struct path *best;	/* by place: the shortest, best first */
	int64_t *least;		/* by e, stencil: it is evaluated in a child
				 * that ends at e, at least */
	int *counted;		/* by e: that was counted from there on */
	int *start;		/* the longest that fits, or -1: not known */
};

static struct edge *edge_of(const struct paths *p, int a, int e)
{
	return &p->edge[e * (p->n + 1) + a];
}

static int64_t *least_of(const struct paths *p, int e, int i)
{
	return &p->least[e * (p->n + 1) + i];
}

/* In a tile a stencil is evaluated at least as often as one that reads it. */
static void find_least(struct paths *p, int e, int i)
{
	const struct counter *c = p->d->counter;
	const int *order = p->d->order + p->first;
	int64_t *least = least_of(p, e, i);

	for (int r = i + 1; r < e; r++)
		if (has_stencil(c->readers[c->graph->stencil[order[i]].out],
				order[r]) && *least_of(p, e, r) > *least)
			*least = *least_of(p, e, r);
}

/* The operations of the children that end at "e" take at least as long as
 * "least" says.
 */
static void find_operations(struct paths *p, int e)
{
	const struct counter *c = p->d->counter;
	double sum = launch_of(c->machine, p->chain);

	for (int a = e - 1; a >= 0; a--) {
		struct edge *edge = edge_of(p, a, e);

		find_least(p, e, a);
		sum += (double) *least_of(p, e, a) *
			c->graph->stencil[p->d->order[p->first + a]].ops /
			c->machine->flops;
		edge->seconds = greater(edge->seconds, sum);
	}
}

/* Each child computes at least what the tiles of the group have of its stencils. */
static struct paths paths_new(struct region *mem, struct dynamic *d,
	const struct chain *chain, int first, int n, int most)
{
	bool splits = counter_machine(d->counter)->level[chain->n - 1].splits;
	struct paths p = { .d = d, .chain = chain, .parts = splits,
		.first = first, .n = n,
		.edge = region_array(mem, struct edge, (n + 1) * (n + 1)),
		.most = most, .n_best = region_array(mem, int, n + 1),
		.best = region_array(mem, struct path, most * (n + 1)),
		.least = region_array(mem, int64_t, (n + 1) * (n + 1)),
		.counted = region_array(mem, int, n + 1),
		.start = region_array(mem, int, n + 1) };

	for (int e = 1; e <= n; e++) {
		p.start[e] = -1;
		p.counted[e] = splits ? e : 0;
		for (int a = 0; a < e && splits; a++)
			*least_of(&p, e, a) = e > a + 1 ?
				*least_of(&p, e - 1, a) : count_evaluations(
					d->counter, chain, d->order[first + a]);
		for (int a = 0; a < e && !splits; a++)
			edge_of(&p, a, e)->seconds = e - a == n ? 0 : INFINITY;
		if (splits)
			find_operations(&p, e);
	}
	return p;
}

static void offer_path(struct paths *p, int e, const struct path *path)
{
	struct path *best = p->best + e * p->most;
	int at = p->n_best[e];

	while (at > 0 && path->seconds <= best[at - 1].seconds)
		at--;
	if (at == p->most)
		return;
	if (p->n_best[e] < p->most)
		p->n_best[e]++;
	memmove(&best[at + 1], &best[at], sizeof(*best) *
		(size_t) (p->n_best[e] - 1 - at));
	best[at] = *path;
}

static void find_shortest(struct paths *p)
{
	p->n_best[0] = 1;
	p->best[0] = (struct path) { 0 };
	for (int e = 1; e <= p->n; e++) {
		p->n_best[e] = 0;
		for (int a = e - 1; a >= 0; a--) {
			double last = edge_of(p, a, e)->seconds;

			for (int r = 0; r < p->n_best[a] && !isinf(last); r++)
				offer_path(p, e, &(struct path) { last +
					p->best[a * p->most + r].seconds, a,
					r });
		}
	}
}

static struct chain child_of_paths(const struct paths *p, int a, int e)
{
	return child_chain(p->chain, set_of(p->d->order, p->first + a,
		p->first + e - 1));
}

/* Does it take too long to count?  The child of a group that has no other does not.
 */
static bool is_left_out(const struct paths *p, int a, int e)
{
	return p->parts && e - a > longest_group(p->d->effort);
}

/* One that is left out does not. */
static bool child_fits(const struct paths *p, int a, int e)
{
	struct chain child = child_of_paths(p, a, e);

	return !is_left_out(p, a, e) && fits_inwards(p->d->storage, &child);
}

/* Where the longest child starts that ends at "e" and fits: one that does not
 * does not with more stencils in front either, as the others still read the
 * same.  Small groups are quickly counted.
 */
static int find_start(const struct paths *p, int e)
{
	int some = e, none = e - 1;

	while (none >= 0 && child_fits(p, none, e)) {
		some = none;
		none = 2 * none - e;
	}
	none = none < -1 ? -1 : none;
	while (some - none > 1) {
		int a = none + (some - none) / 2;

		if (child_fits(p, a, e))
			some = a;
		else
			none = a;
	}
	return some;
}

static void drop_too_big(struct paths *p, int e)
{
	if (p->start[e] < 0)
		p->start[e] = find_start(p, e);
	for (int a = 0; a < p->start[e]; a++)
		edge_of(p, a, e)->seconds = INFINITY;
}

/* Count one more stencil of the children that end at "e", from the last on: small
 * groups are counted before large ones, and what is counted of the last stencils
 * is of all.
 */
static void count_one_more(struct paths *p, int e)
{
	int a = --p->counted[e];
	struct chain child = child_of_paths(p, a, e);
	struct dynamic *by = p->d->bound ? p->d->bound : p->d;
	int64_t n = count_evaluations(by->counter, &child,
		p->d->order[p->first + a]);

	if (n > *least_of(p, e, a))
		*least_of(p, e, a) = n;
	find_operations(p, e);
}

/* Get to know more of the time of a child. */
static void know_more(struct paths *p, int a, int e)
{
	struct edge *edge = edge_of(p, a, e);
	int from = p->first + a, last = p->first + e - 1;
	struct chain child = child_of_paths(p, a, e);
	double s;

	if (is_left_out(p, a, e)) {
		*edge = (struct edge) { INFINITY, KNOWN_TIME };
		return;
	}
	switch (++edge->known) {
	case KNOWN_EVALUATIONS:
		if (p->counted[e] <= a)
			break;
		count_one_more(p, e);
		edge->known = KNOWN_FITS;
		break;
	case KNOWN_FITS:
		drop_too_big(p, e);
		break;
	case KNOWN_BOUND:
		if (!p->d->bound)
			break;
		s = time_of_child(p->d->bound, p->chain, &child, from, last);
		edge->seconds = greater(s, edge->seconds);
		break;
	default:
		edge->seconds = time_of_child(p->d, p->chain, &child, from,
			last);
	}
}

/* The edges of the shortest path of a rank, the last first: the next edge before
 * place "e" starts at what is returned.
 */
static int step_back(const struct paths *p, int e, int *rank)
{
	const struct path *path = &p->best[e * p->most + *rank];

	*rank = path->rank;
	return path->from;
}

static enum known least_known(const struct paths *p)
{
	enum known least = KNOWN_TIME;

	for (int r = 0; r < p->n_best[p->n]; r++)
		for (int e = p->n, rank = r, a; e > 0; e = a) {
			a = step_back(p, e, &rank);
			if (edge_of(p, a, e)->known < least)
				least = edge_of(p, a, e)->known;
		}
	return least;
}

/* Get to know more of those children of the shortest paths of which the least is
 * known; are the times of all known?
 */
static bool know_paths(struct paths *p)
{
	enum known least = least_known(p);

	for (int r = 0; r < p->n_best[p->n] && least < KNOWN_TIME; r++)
		for (int e = p->n, rank = r, a; e > 0; e = a) {
			a = step_back(p, e, &rank);
			if (edge_of(p, a, e)->known == least)
				know_more(p, a, e);
		}
	return least == KNOWN_TIME;
}

/* A way to execute a group. */
struct way {
	double seconds;
	int *together;		/* by place in the order - first */
};

static struct way way_of_path(const struct paths *p, int rank)
{
	struct dynamic *d = p->d;
	struct way way = { p->best[p->n * p->most + rank].seconds,
		region_array(d->mem, int, p->n) };

	for (int e = p->n, a; e > 0; e = a) {
		struct chain child;
		const struct plan_of_group *part;

		a = step_back(p, e, &rank);
		child = child_of_paths(p, a, e);
		part = best_of_group(d, &child, p->first + a,
			p->first + e - 1);
		memcpy(way.together + a, part->together, sizeof(int) *
			(size_t) (e - a - 1));
		if (a > 0)
			way.together[a - 1] = p->chain->n;
	}
	return way;
}

/* The best ways to part the group into children, "most" of them at most: what is
 * known of the times are bounds, so that the shortest paths are the best once all
 * of theirs are known.
 */
static int find_ways(struct dynamic *d, const struct chain *chain, int first,
	int n, int most, struct way *ways)
{
	struct region *tmp = region_new();
	struct paths p = paths_new(tmp, d, chain, first, n, most);
	int n_ways;

	do
		find_shortest(&p);
	while (!know_paths(&p));
	n_ways = p.n_best[n];
	for (int r = 0; r < n_ways; r++)
		ways[r] = way_of_path(&p, r);
	region_free(tmp);
	return n_ways;
}

static void plan_children(struct dynamic *d, struct plan_of_group *p,
	int first, int n)
{
	struct way way = { INFINITY, p->together };

	find_ways(d, &p->chain, first, n, 1, &way);
	p->seconds = way.seconds;
	p->together = way.together;
}

/* A group of the highest level has stencils as children. */
static double time_of_leaves(struct dynamic *d, const struct chain *chain,
	int first, int last)
{
	double seconds = 0;

	for (int i = first; i <= last; i++) {
		struct term t = term_of_stencil(d->counter, chain,
			d->order[i], 0);

		seconds += time_of_term(&t);
	}
	return seconds;
}

static const struct plan_of_group *best_of_group(struct dynamic *d,
	const struct chain *asked, int first, int last)
{
	struct chain chain = chain_needed(d->counter, asked,
		asked->set[asked->n - 1]);
	int n_levels = counter_machine(d->counter)->n_levels;
	int n = last - first + 1;
	uint64_t hash = hash_of_chain(&chain) % BUCKETS;
	struct plan_of_group *p;

	for (p = d->plan[hash]; p; p = p->next)
		if (same_chain(&p->chain, &chain))
			return p;
	p = region_new_of(d->mem, struct plan_of_group);
	p->chain = chain;
	p->together = region_array(d->mem, int, n);
	for (int i = 0; i < n; i++)
		p->together[i] = n_levels;
	if (!group_fits(d->storage, &chain))
		p->seconds = INFINITY;
	else if (chain.n == n_levels)
		p->seconds = time_of_leaves(d, &chain, first, last);
	else
		plan_children(d, p, first, n);
	p->next = d->plan[hash];
	d->plan[hash] = p;
	return p;
}

static struct dynamic *dynamic_new(struct region *mem, struct counter *counter,
	struct counter *storage, struct effort *effort, const int *order)
{
	struct dynamic *d = region_new_of(mem, struct dynamic);

	d->counter = counter;
	d->storage = storage;
	d->effort = effort;
	d->mem = mem;
	d->order = order;
	return d;
}

/* The group of all stencils on the first level that splits groups, or on the
 * highest.
 */
static struct chain first_to_split(const struct graph_machine *m,
	const struct chain *root)
{
	struct chain chain = *root;

	while (chain.n < m->n_levels && !m->level[chain.n - 1].splits)
		chain = child_chain(&chain, chain.set[0]);
	return chain;
}

int best_of_order(struct region *mem, struct counter *counter,
	struct counter *whole, struct effort *effort, const int *order,
	int most, int **together)
{
	const struct graph_machine *m = counter_machine(counter);
	int n = counter_graph(counter)->n_stencils, n_ways;
	struct chain root = root_chain(order, n);
	struct chain chain = first_to_split(m, &root);
	struct dynamic *d = dynamic_new(mem, counter, counter, effort, order);
	struct way *ways;

	d->bound = dynamic_new(mem, whole, counter, effort, order);
	if (!fits_inwards(counter, &root))
		return 0;
	if (chain.n == m->n_levels) {
		together[0] = best_of_group(d, &chain, 0, n - 1)->together;
		return 1;
	}
	ways = region_array(mem, struct way, most);
	n_ways = find_ways(d, &chain, 0, n, most, ways);
	for (int i = 0; i < n_ways; i++)
		together[i] = ways[i].together;
	return n_ways;
}

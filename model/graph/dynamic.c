/* The dynamic programme that finds the best variant of an order (3.2 of [MO]):
 * the best way to divide a group into children, using the best way for each
 * child.
 */
#include <math.h>
#include <string.h>

#include "model/graph/search.h"

static int longest_group(struct effort *e)
{
	int64_t work = counter_work(e->counter) + counter_work(e->whole);

	while (work > e->most && e->longest > 1) {
		e->longest = 2 * e->longest / 3;
		e->most += e->cuboids / (2 * e->longest);
	}
	return e->longest;
}

/* The best way to execute a group within given surrounding groups. */
struct plan_of_group {
	struct chain chain;	/* as far as the group needs them */
	double seconds;		/* INFINITY: it does not fit */
	int *together;		/* by place in the order - first */
	struct plan_of_group *next;
};

struct dynamic {
	struct counter *counter;
	struct counter *storage;	/* its counter decides what fits */
	struct effort *effort;
	struct region *mem;
	const int *order;
	struct dynamic *bound;	/* least times, or NULL */
	struct dynamic *swept;	/* for swept groups, or NULL */
	struct plan_of_group *plan[BUCKETS];
};

static const struct plan_of_group *best_of_group(struct dynamic *d,
	const struct chain *chain, int first, int last);

/* Does the group fit, and do the groups within it that have all its stencils as their only
 * child?
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

/* The time of a child: it is "seconds", or at least that. */
enum known { KNOWN_OPERATIONS, KNOWN_FITS, KNOWN_EVALUATIONS, KNOWN_BOUND,
	KNOWN_TIME };

struct edge {
	double seconds;
	enum known known;
};

/* A path to a place: its last edge, and the path before it. */
struct path {
	double seconds;
	int from;		/* the place where the last edge starts */
	int rank;		/* rank of the path that leads there */
	int swept;		/* 1: the last edge's child is swept, 0: it is
				 * not */
};

/* Some stencils of a group, to be divided into children, in order. */
struct parted {
	const struct chain *chain;	/* the group */
	bool parts;		/* several children are possible */
	int first, n;
};

/* The children of a group, all swept or none: those from place "a" to "e" have
 * stencils a .. e - 1.
 */
struct edges {
	struct dynamic *d;
	struct parted of;
	struct edge *edge;	/* n + 1 by e, a */
	int64_t *least;		/* by e, stencil: lower bound of its evaluations
				 * in a child that ends at e */
	int *counted;		/* by e: the stencils counted, from there on */
	int *start;		/* start of the longest child that fits, or -1:
				 * unknown */
};

/* Divisions of a group's stencils: paths from place 0 to n whose edges are its
 * children.
 */
struct paths {
	struct parted of;
	struct edges edges[2];	/* not swept, and swept */
	int n_edges;		/* of these */
	int most;		/* number of paths wanted */
	int *n_best;		/* by place */
	struct path *best;	/* by place: the shortest paths, best first */
};

static struct edge *edge_of(const struct edges *g, int a, int e)
{
	return &g->edge[e * (g->of.n + 1) + a];
}

static int64_t *least_of(const struct edges *g, int e, int i)
{
	return &g->least[e * (g->of.n + 1) + i];
}

/* A tile evaluates a stencil at least as often as one that reads it. */
static void find_least(struct edges *g, int e, int i)
{
	const struct counter *c = g->d->counter;
	const int *order = g->d->order + g->of.first;
	int64_t *least = least_of(g, e, i);

	for (int r = i + 1; r < e; r++)
		if (has_stencil(c->readers[c->graph->stencil[order[i]].out],
				order[r]) && *least_of(g, e, r) > *least)
			*least = *least_of(g, e, r);
}

/* Operations alone give the children that end at "e" at least the times in
 * "least".
 */
static void find_operations(struct edges *g, int e)
{
	const struct counter *c = g->d->counter;
	const struct chain *chain = g->of.chain;
	double sum = 0;

	for (int a = e - 1; a >= 0; a--) {
		struct edge *edge = edge_of(g, a, e);
		bool all = a == 0 && e == g->of.n;

		find_least(g, e, a);
		sum += (double) *least_of(g, e, a) *
			c->graph->stencil[g->d->order[g->of.first + a]].ops /
			c->machine->flops;
		edge->seconds = fmax(edge->seconds, sum + launch_of(
			c->machine, chain, all ? chain->set[chain->n - 1] :
				0));
	}
}

/* Each child computes at least what the group's tiles hold of its stencils. */
static struct edges edges_new(struct region *mem, struct dynamic *d,
	const struct parted *of)
{
	int n = of->n;
	struct edges g = { .d = d, .of = *of,
		.edge = region_array(mem, struct edge, (n + 1) * (n + 1)),
		.least = region_array(mem, int64_t, (n + 1) * (n + 1)),
		.counted = region_array(mem, int, n + 1),
		.start = region_array(mem, int, n + 1) };

	for (int e = 1; e <= n; e++) {
		g.start[e] = -1;
		g.counted[e] = of->parts ? e : 0;
		for (int a = 0; a < e && of->parts; a++)
			*least_of(&g, e, a) = e > a + 1 ?
				*least_of(&g, e - 1, a) : count_evaluations(
					d->counter, of->chain,
					d->order[of->first + a]);
		for (int a = 0; a < e && !of->parts; a++)
			edge_of(&g, a, e)->seconds = e - a == n ? 0 : INFINITY;
		if (of->parts)
			find_operations(&g, e);
	}
	return g;
}

/* Children of the first level may be swept, if any group may. */
static struct paths paths_new(struct region *mem, struct dynamic *d,
	const struct parted *of, int most)
{
	struct paths p = { .of = *of, .most = most,
		.n_best = region_array(mem, int, of->n + 1),
		.best = region_array(mem, struct path, most * (of->n + 1)) };

	p.edges[p.n_edges++] = edges_new(mem, d, of);
	if (d->swept && of->chain->n == 1)
		p.edges[p.n_edges++] = edges_new(mem, d->swept, of);
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

/* Offer the paths to "e" whose last edge starts at "a". */
static void offer_paths(struct paths *p, int a, int e, int swept)
{
	double last = edge_of(&p->edges[swept], a, e)->seconds;

	for (int r = 0; r < p->n_best[a] && !isinf(last); r++)
		offer_path(p, e, &(struct path) { last +
			p->best[a * p->most + r].seconds, a, r, swept });
}

/* Among equally long paths, those with large children that are not swept come
 * first.
 */
static void find_shortest(struct paths *p)
{
	p->n_best[0] = 1;
	p->best[0] = (struct path) { 0 };
	for (int e = 1; e <= p->of.n; e++) {
		p->n_best[e] = 0;
		for (int a = e - 1; a >= 0; a--)
			for (int swept = p->n_edges - 1; swept >= 0; swept--)
				offer_paths(p, a, e, swept);
	}
}

static struct chain child_of_edge(const struct edges *g, int a, int e)
{
	return child_chain(g->of.chain, set_of(g->d->order, g->of.first + a,
		g->of.first + e - 1));
}

/* Would counting take too long?  Never for a group's only child. */
static bool is_left_out(const struct edges *g, int a, int e)
{
	return g->of.parts && e - a > longest_group(g->d->effort);
}

/* A child left out has no time. */
static bool child_fits(const struct edges *g, int a, int e)
{
	struct chain child = child_of_edge(g, a, e);

	return !is_left_out(g, a, e) && fits_inwards(g->d->storage, &child);
}

/* The start of the longest child that ends at "e" and fits: if a child does not
 * fit, neither does one with more stencils in front, as the others still read
 * the same.  Small groups are counted quickly.
 */
static int find_start(const struct edges *g, int e)
{
	int some = e, none = e - 1;

	while (none >= 0 && child_fits(g, none, e)) {
		some = none;
		none = 2 * none - e;
	}
	none = larger(none, -1);
	while (some - none > 1) {
		int a = none + (some - none) / 2;

		if (child_fits(g, a, e))
			some = a;
		else
			none = a;
	}
	return some;
}

static void drop_too_big(struct edges *g, int e)
{
	if (g->start[e] < 0)
		g->start[e] = find_start(g, e);
	for (int a = 0; a < g->start[e]; a++)
		edge_of(g, a, e)->seconds = INFINITY;
}

/* Count one more stencil of the children that end at "e", from the last one on: small groups
 * come before large ones, and counts of the last stencils serve all.
 */
static void count_one_more(struct edges *g, int e)
{
	int a = --g->counted[e];
	struct chain child = child_of_edge(g, a, e);
	struct dynamic *by = g->d->bound ? g->d->bound : g->d;
	int64_t n = count_evaluations(by->counter, &child,
		g->d->order[g->of.first + a]);

	*least_of(g, e, a) = larger(n, *least_of(g, e, a));
	find_operations(g, e);
}

/* Refine the known time of a child. */
static void know_more(struct edges *g, int a, int e)
{
	struct edge *edge = edge_of(g, a, e);
	int from = g->of.first + a, last = g->of.first + e - 1;
	struct chain child = child_of_edge(g, a, e);
	double s;

	if (is_left_out(g, a, e)) {
		*edge = (struct edge) { INFINITY, KNOWN_TIME };
		return;
	}
	switch (++edge->known) {
	case KNOWN_EVALUATIONS:
		if (g->counted[e] <= a)
			break;
		count_one_more(g, e);
		edge->known = KNOWN_FITS;
		break;
	case KNOWN_FITS:
		drop_too_big(g, e);
		break;
	case KNOWN_BOUND:
		if (!g->d->bound)
			break;
		s = time_of_child(g->d->bound, g->of.chain, &child, from,
			last);
		edge->seconds = fmax(s, edge->seconds);
		break;
	default:
		edge->seconds = time_of_child(g->d, g->of.chain, &child, from,
			last);
	}
}

/* A step back along a shortest path: the edge from "a" to "e". */
struct step {
	int a, e, rank, swept;
};

/* The last edge of the path of "rank" to place "e"; at 0 there is none. */
static struct step last_step(const struct paths *p, int e, int rank)
{
	const struct path *path = &p->best[e * p->most + rank];

	return (struct step) { path->from, e, path->rank, path->swept };
}

static struct step step_before(const struct paths *p, const struct step *s)
{
	return last_step(p, s->a, s->rank);
}

static struct edge *edge_of_step(const struct paths *p, const struct step *s)
{
	return edge_of(&p->edges[s->swept], s->a, s->e);
}

static enum known least_known(const struct paths *p)
{
	enum known least = KNOWN_TIME;

	for (int r = 0; r < p->n_best[p->of.n]; r++)
		for (struct step s = last_step(p, p->of.n, r); s.e > 0;
		     s = step_before(p, &s))
			least = smaller(least, edge_of_step(p, &s)->known);
	return least;
}

/* Refine the least known children of the shortest paths; are the times of all known? */
static bool know_paths(struct paths *p)
{
	enum known least = least_known(p);

	for (int r = 0; r < p->n_best[p->of.n] && least < KNOWN_TIME; r++)
		for (struct step s = last_step(p, p->of.n, r); s.e > 0;
		     s = step_before(p, &s))
			if (edge_of_step(p, &s)->known == least)
				know_more(&p->edges[s.swept], s.a, s.e);
	return least == KNOWN_TIME;
}

/* A way to execute a group; by place in the order - first .. */
struct way {
	double seconds;
	int *together;		/* the levels up to which neighbours are
				 * together */
	bool *swept;		/* which groups are swept; NULL: there is no
				 * choice */
};

/* Copy the child of "s" to "way".  On the levels of swept groups, which do not split, all of it
 * stays together.
 */
static void take_child(const struct paths *p, const struct step *s,
	struct way *way)
{
	const struct edges *g = &p->edges[s->swept];
	struct chain child = child_of_edge(g, s->a, s->e);
	const struct plan_of_group *part = best_of_group(g->d, &child,
		g->of.first + s->a, g->of.first + s->e - 1);
	int n_levels = counter_machine(p->edges[0].d->counter)->n_levels;

	for (int i = s->a; i + 1 < s->e; i++)
		way->together[i] = s->swept ? n_levels :
			part->together[i - s->a];
	for (int i = s->a; i < s->e && way->swept; i++)
		way->swept[i] = s->swept;
	if (s->a > 0)
		way->together[s->a - 1] = p->of.chain->n;
}

static struct way way_of_path(const struct paths *p, int rank)
{
	struct region *mem = p->edges[0].d->mem;
	int n = p->of.n;
	struct way way = { p->best[n * p->most + rank].seconds,
		region_array(mem, int, n),
		p->n_edges > 1 ? region_array(mem, bool, n) : NULL };

	for (struct step s = last_step(p, n, rank); s.e > 0;
	     s = step_before(p, &s))
		take_child(p, &s, &way);
	return way;
}

/* The best divisions of the group into children, at most "most": known times are bounds, so the
 * shortest paths are the best ones once all their times are known.
 */
static int find_ways(struct dynamic *d, const struct chain *chain, int first,
	int n, int most, struct way *ways)
{
	struct region *tmp = region_new();
	const struct graph_machine *m = counter_machine(d->counter);
	const struct parted of = { chain, m->level[chain->n - 1].splits,
		first, n };
	struct paths p = paths_new(tmp, d, &of, most);
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
	struct way way = { INFINITY, p->together, NULL };

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

/* With bounds from the counter "whole". */
static struct dynamic *dynamic_with_bounds(struct region *mem,
	struct counter *counter, struct counter *whole, struct effort *effort,
	const int *order)
{
	struct dynamic *d = dynamic_new(mem, counter, counter, effort, order);

	d->bound = dynamic_new(mem, whole, counter, effort, order);
	if (counter->swept)
		d->swept = dynamic_with_bounds(mem, counter->swept,
			whole->swept, effort, order);
	return d;
}

/* The group of all stencils on the first level that splits groups, or on the
 * highest level.
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
	int most, struct variant *best)
{
	const struct graph_machine *m = counter_machine(counter);
	int n = counter_graph(counter)->n_stencils, n_ways = 1;
	struct chain root = root_chain(order, n);
	struct chain chain = first_to_split(m, &root);
	struct dynamic *d = dynamic_with_bounds(mem, counter, whole, effort,
		order);
	struct way *ways = region_array(mem, struct way, most);

	if (!fits_inwards(counter, &root))
		return 0;
	if (chain.n == m->n_levels)
		ways[0].together = best_of_group(d, &chain, 0, n - 1)->together;
	else
		n_ways = find_ways(d, &chain, 0, n, most, ways);
	for (int i = 0; i < n_ways; i++)
		best[i] = (struct variant) { n, (int *) order,
			ways[i].together, ways[i].swept };
	return n_ways;
}

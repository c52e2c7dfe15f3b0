/* The time of a variant, and the search for the best (2.5 and 3.2 of [MO]).
 *
 *	t_s = c_s / C
 *	t_g = sum over the children of g of
 *		max(t_c, v_c / V^l, l_c1 / L^1, .., l_cl / L^l)
 *
 * A group fits if what a tile of it keeps is at most M^l.
 */
#include <math.h>
#include <string.h>

#include "graph/tiles.h"

/* Times ----------------------------------------------------------------- */

static double greater(double a, double b)
{
	return a > b ? a : b;
}

/* The traffic of a child of the group that can take time. */
static unsigned traffic_with_time(const struct graph_machine *m,
	const struct chain *chain)
{
	unsigned wanted = isinf(m->level[chain->n - 1].vertical) ? 0 :
		TRAFFIC_MOVED;

	for (int l = 0; l < chain->n; l++)
		if (!isinf(m->level[l].lateral))
			wanted |= TRAFFIC_LATERAL << l;
	return wanted;
}

/* The terms of a child, the time of the child itself given; of the traffic at
 * least what is "wanted".
 */
static struct term term_of(struct counter *c, const struct chain *chain,
	uint64_t child, double compute_s, unsigned wanted)
{
	const struct graph_machine *m = counter_machine(c);
	struct term t = { .chain = *chain, .child = child,
		.compute_s = compute_s };

	t.traffic = count_traffic(c, chain, child,
		wanted | traffic_with_time(m, chain));
	t.vertical_s = (double) (t.traffic.loads + t.traffic.stores) /
		m->level[chain->n - 1].vertical;
	for (int l = 0; l < chain->n; l++)
		t.lateral_s = greater(t.lateral_s,
			(double) t.traffic.lateral[l] / m->level[l].lateral);
	return t;
}

static double time_of_term(const struct term *t)
{
	return greater(greater(t->compute_s, t->vertical_s), t->lateral_s);
}

static double time_to_compute(struct counter *c, const struct chain *chain,
	int s)
{
	return (double) count_evaluations(c, chain, s) *
		counter_graph(c)->stencil[s].ops / counter_machine(c)->flops;
}

static struct term term_of_stencil(struct counter *c,
	const struct chain *chain, int s, unsigned wanted)
{
	return term_of(c, chain, (uint64_t) 1 << s,
		time_to_compute(c, chain, s), wanted);
}

static bool group_fits(struct counter *c, const struct chain *chain)
{
	double capacity = counter_machine(c)->level[chain->n - 1].capacity;

	return isinf(capacity) ||
		(double) count_storage(c, chain) <= capacity;
}

static struct chain child_chain(const struct chain *chain, uint64_t child)
{
	struct chain c = *chain;

	c.set[c.n++] = child;
	return c;
}

/* The stencils first .. last of an order. */
static uint64_t set_of(const int *order, int first, int last)
{
	uint64_t set = 0;

	for (int i = first; i <= last; i++)
		set |= (uint64_t) 1 << order[i];
	return set;
}

static struct chain root_chain(const int *order, int n)
{
	struct chain none = { 0 };

	return child_chain(&none, set_of(order, 0, n - 1));
}

struct terms {
	struct region *mem;
	int n, room;
	struct term *term;
};

static void add_term(struct terms *all, const struct term *t)
{
	struct term *old = all->term;

	if (all->n == all->room) {
		all->room = all->room ? 2 * all->room : 16;
		all->term = region_array(all->mem, struct term, all->room);
		if (old)
			memcpy(all->term, old, sizeof(*old) *
				(size_t) all->n);
	}
	all->term[all->n++] = *t;
}

/* The time of the group of "chain", the stencils first .. last of the order of
 * "v"; its terms, if asked for, in "terms".
 */
static double time_of_group(struct counter *c, const struct chain *chain,
	const struct variant *v, int first, int last, bool *fits,
	struct terms *terms)
{
	int level = chain->n, end;
	bool is_leaf = level == counter_machine(c)->n_levels;
	unsigned wanted = terms ? TRAFFIC_ALL : 0;
	double seconds = 0;

	*fits &= group_fits(c, chain);
	for (int at = first; at <= last; at = end + 1) {
		struct term t;

		for (end = at; !is_leaf && end < last &&
		     v->together[end] > level; )
			end++;
		if (is_leaf) {
			t = term_of_stencil(c, chain, v->order[at], wanted);
		} else {
			uint64_t set = set_of(v->order, at, end);
			struct chain child = child_chain(chain, set);

			t = term_of(c, chain, set, time_of_group(c, &child, v,
				at, end, fits, terms), wanted);
		}
		if (terms)
			add_term(terms, &t);
		seconds += time_of_term(&t);
	}
	return seconds;
}

double variant_time(struct counter *c, const struct variant *v, bool *fits)
{
	struct chain root = root_chain(v->order, v->n);

	*fits = true;
	return time_of_group(c, &root, v, 0, v->n - 1, fits, NULL);
}

int variant_terms(struct region *mem, struct counter *c,
	const struct variant *v, struct term **terms)
{
	struct terms all = { .mem = mem };
	struct chain root = root_chain(v->order, v->n);
	bool fits = true;

	time_of_group(c, &root, v, 0, v->n - 1, &fits, &all);
	*terms = all.term;
	return all.n;
}

/* The best found so far -------------------------------------------------- */

struct search_state {
	struct region *mem, *tmp;	/* of the result; of this order */
	const struct graph *graph;
	const int *order;
	struct counter *counter, *whole;
	int n_levels, most;
	struct found *found;
};

static bool is_better(const struct scored *a, const struct scored *b)
{
	return a->fits != b->fits ? a->fits : a->seconds < b->seconds;
}

/* Equal groups in another order are one variant to the reader as long as they
 * cost the same; the first found stays first.
 */
static void offer(struct search_state *s, const int *together, double seconds,
	bool fits)
{
	struct found *f = s->found;
	struct scored new = { .seconds = seconds, .fits = fits };
	size_t n = (size_t) s->graph->n_stencils;
	struct variant *v;
	int at = f->n;

	f->n_scored++;
	while (at > 0 && is_better(&new, &f->best[at - 1]))
		at--;
	if (at == s->most)
		return;
	v = region_new_of(s->mem, struct variant);
	v->n = s->graph->n_stencils;
	v->order = region_array(s->mem, int, n);
	v->together = region_array(s->mem, int, n);
	memcpy(v->order, s->order, n * sizeof(int));
	memcpy(v->together, together, (n - 1) * sizeof(int));
	new.variant = v;
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

static void try_all(struct search_state *s, int *together, int at)
{
	bool fits;

	if (at == s->graph->n_stencils - 1) {
		struct variant v = { s->graph->n_stencils, (int *) s->order,
			together, NULL };
		double seconds = variant_time(s->counter, &v, &fits);

		offer(s, together, seconds, fits);
		return;
	}
	for (int l = s->n_levels; l >= 1; l--)
		if (can_part(counter_machine(s->counter), l)) {
			together[at] = l;
			try_all(s, together, at + 1);
		}
}

/* The dynamic programme -------------------------------------------------- */

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
enum known { KNOWN_OPERATIONS, KNOWN_FITS, KNOWN_BOUND, KNOWN_TIME };

struct edge {
	double seconds;
	enum known known;
};

/* The ways to part a group's stencils: paths from place 0 to n whose edges are
 * its children, those from place "a" to "e" of stencils a .. e - 1.
 */
struct paths {
	struct dynamic *d;
	const struct chain *chain;
	int first, n;
	struct edge *edge;	/* n + 1 by e, a */
	double *best;		/* by place: the shortest path to it */
	int *cut;		/* its last edge starts there */
	int *start;		/* the longest that fits, or -1: not known */
};

static struct edge *edge_of(const struct paths *p, int a, int e)
{
	return &p->edge[e * (p->n + 1) + a];
}

/* Each child computes at least what the tiles of the group have of its stencils. */
static struct paths paths_new(struct region *mem, struct dynamic *d,
	const struct chain *chain, int first, int n)
{
	struct paths p = { d, chain, first, n,
		region_array(mem, struct edge, (n + 1) * (n + 1)),
		region_array(mem, double, n + 1),
		region_array(mem, int, n + 1),
		region_array(mem, int, n + 1) };
	bool splits = counter_machine(d->counter)->level[chain->n - 1].splits;
	double seconds[GRAPH_MAX_STENCILS];

	for (int i = 0; i < n && splits; i++)
		seconds[i] = time_to_compute(d->counter, chain,
			d->order[first + i]);
	for (int e = 1; e <= n; e++) {
		double sum = 0;

		p.start[e] = -1;
		for (int a = e - 1; a >= 0; a--) {
			if (splits)
				sum += seconds[a];
			edge_of(&p, a, e)->seconds = splits ||
				(a == 0 && e == n) ? sum : INFINITY;
		}
	}
	return p;
}

static void find_shortest(struct paths *p)
{
	p->best[0] = 0;
	for (int e = 1; e <= p->n; e++) {
		p->best[e] = INFINITY;
		p->cut[e] = 0;
		for (int a = e - 1; a >= 0; a--) {
			double s = p->best[a] + edge_of(p, a, e)->seconds;

			if (s <= p->best[e] && !isinf(s)) {
				p->best[e] = s;
				p->cut[e] = a;
			}
		}
	}
}

static struct chain child_of_paths(const struct paths *p, int a, int e)
{
	return child_chain(p->chain, set_of(p->d->order, p->first + a,
		p->first + e - 1));
}

static bool child_fits(const struct paths *p, int a, int e)
{
	struct chain child = child_of_paths(p, a, e);

	return fits_inwards(p->d->storage, &child);
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

/* Get to know more of the time of a child. */
static void know_more(struct paths *p, int a, int e)
{
	struct edge *edge = edge_of(p, a, e);
	int from = p->first + a, last = p->first + e - 1;
	struct chain child = child_of_paths(p, a, e);
	double s;

	switch (++edge->known) {
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

/* Get to know more of the children of the shortest path of which the least is
 * known; are the times of all known?
 */
static bool know_path(struct paths *p)
{
	enum known least = KNOWN_TIME;

	for (int e = p->n; e > 0; e = p->cut[e])
		if (edge_of(p, p->cut[e], e)->known < least)
			least = edge_of(p, p->cut[e], e)->known;
	for (int e = p->n; e > 0; e = p->cut[e])
		if (least < KNOWN_TIME &&
		    edge_of(p, p->cut[e], e)->known == least)
			know_more(p, p->cut[e], e);
	return least == KNOWN_TIME;
}

static void join_cuts(struct dynamic *d, struct plan_of_group *p, int first,
	int n, const int *cut)
{
	int level = p->chain.n;

	for (int e = n; e > 0; e = cut[e]) {
		int from = first + cut[e], last = first + e - 1;
		struct chain child = child_chain(&p->chain, set_of(d->order,
			from, last));
		const struct plan_of_group *part = best_of_group(d, &child,
			from, last);

		memcpy(p->together + cut[e], part->together, sizeof(int) *
			(size_t) (e - cut[e] - 1));
		if (cut[e] > 0)
			p->together[cut[e] - 1] = level;
	}
}

/* The shortest path, as what is known of the times are bounds, is the best if
 * all of its are known.
 */
static void plan_children(struct dynamic *d, struct plan_of_group *p,
	int first, int n)
{
	struct region *tmp = region_new();
	struct paths paths = paths_new(tmp, d, &p->chain, first, n);

	do
		find_shortest(&paths);
	while (!isinf(paths.best[n]) && !know_path(&paths));
	p->seconds = paths.best[n];
	if (!isinf(p->seconds))
		join_cuts(d, p, first, n, paths.cut);
	region_free(tmp);
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

static struct dynamic *dynamic_new(const struct search_state *s,
	struct counter *counter)
{
	struct dynamic *d = region_new_of(s->tmp, struct dynamic);

	d->counter = counter;
	d->storage = s->counter;
	d->mem = s->tmp;
	d->order = s->order;
	return d;
}

/* Each stencil in a group of its own, as far as the machine splits groups. */
static void try_apart(struct search_state *s)
{
	int n = s->graph->n_stencils, level = 1;
	struct variant v = { n, (int *) s->order, region_array(s->tmp, int,
		n), NULL };
	bool fits;
	double seconds;

	while (!can_part(counter_machine(s->counter), level))
		level++;
	for (int i = 0; i + 1 < n; i++)
		v.together[i] = level;
	seconds = variant_time(s->counter, &v, &fits);
	offer(s, v.together, seconds, fits);
}

/* The best variant of an order that fits; if none does, that of the smallest
 * groups.
 */
static void try_dynamic(struct search_state *s)
{
	int n = s->graph->n_stencils;
	struct chain root = root_chain(s->order, n);
	struct dynamic *d = dynamic_new(s, s->counter);
	const struct plan_of_group *p;

	d->bound = dynamic_new(s, s->whole);
	p = best_of_group(d, &root, 0, n - 1);
	if (isinf(p->seconds))
		try_apart(s);
	else
		offer(s, p->together, p->seconds, true);
}

/* Orders ----------------------------------------------------------------- */

/* How many ways there are to part the stencils of an order, at most "most". */
static int64_t count_variants(const struct graph_machine *m, int n,
	int64_t most)
{
	int64_t ways = 0, all = 1;

	for (int l = 1; l <= m->n_levels; l++)
		ways += can_part(m, l);
	for (int i = 1; i < n && all < most; i++)
		all *= ways;
	return all < most ? all : most;
}

/* How many orders are tried: all of small graphs.  The dynamic programme takes
 * O(n^4) for one, so that those of large graphs take much the same time.
 */
static int most_orders(int n)
{
	enum { SMALL = 6, ALL_OF_SMALL = 720, WORK = 1 << 18 };
	int orders = WORK / (n * n * n * n);

	return n <= SMALL ? ALL_OF_SMALL : orders > 1 ? orders : 1;
}

struct found graph_search(struct region *mem, const struct graph *graph,
	const struct graph_machine *machine, enum search how, int most)
{
	enum { FEW = 20000 };
	struct found found = { .best = region_array(mem, struct scored,
		most + 1) };
	int n = graph->n_stencils, **orders;
	int *together = region_array(mem, int, n);
	int64_t variants = count_variants(machine, n, FEW + 1);
	struct region *tmp = region_new();
	struct counter *counter = counter_new(tmp, graph, machine), *whole;

	whole = counter_of_whole_tiles(tmp, counter);
	found.n_orders = graph_orders(mem, graph, most_orders(n), &orders,
		&found.all_orders);
	found.exhaustive = how == SEARCH_ALL || (how == SEARCH_AUTO &&
		variants * found.n_orders <= FEW);
	for (int i = 0; i < found.n_orders; i++) {
		struct region *of_order = region_new();
		struct search_state s = {
			.mem = mem, .tmp = of_order, .graph = graph,
			.order = orders[i], .counter = counter,
			.whole = whole, .n_levels = machine->n_levels,
			.most = most, .found = &found,
		};

		if (found.exhaustive)
			try_all(&s, together, 0);
		else
			try_dynamic(&s);
		region_free(of_order);
	}
	found.n_cuboids = counter_work(counter) + counter_work(whole);
	region_free(tmp);
	return found;
}

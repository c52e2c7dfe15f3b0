/* The time of a variant, and the search for the best (2.5 and 3.2 of [MO]).
 *
 *	t_s = c_s / C
 *	t_g = sum over the children of g of
 *		max(t_c, v_c / V^l, l_c1 / L^1, .., l_cl / L^l)
 *
 * and on the first level, beyond the paper, a launch for each child.
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

/* Of a child of "chain". */
static double launch_of(const struct graph_machine *m,
	const struct chain *chain)
{
	return chain->n == 1 ? m->launch_s : 0;
}

/* The terms of a child, the time of the child itself given; of the traffic at
 * least what is "wanted".
 */
static struct term term_of(struct counter *c, const struct chain *chain,
	uint64_t child, double compute_s, unsigned wanted)
{
	const struct graph_machine *m = counter_machine(c);
	struct term t = { .chain = *chain, .child = child,
		.compute_s = compute_s, .launch_s = launch_of(m, chain) };

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
	return greater(greater(t->compute_s, t->vertical_s), t->lateral_s) +
		t->launch_s;
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

/* Effort ----------------------------------------------------------------- */

/* Large groups take long to count where tiles are small and their stencils read
 * far.  Once a search has cut as many cuboids as it may, groups of more than
 * "longest" stencils are left out as far as their times are not known; "longest"
 * gets less by a third each time that another share of the work is done, one in
 * twice "longest".
 */
struct effort {
	const struct counter *counter, *whole;
	int longest;
	int64_t cuboids;
	int64_t most;		/* before "longest" gets less */
};

static int longest_group(struct effort *e)
{
	int64_t work = counter_work(e->counter) + counter_work(e->whole);

	while (work > e->most && e->longest > 1) {
		e->longest = 2 * e->longest / 3;
		e->most += e->cuboids / (2 * e->longest);
	}
	return e->longest;
}

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

/* Do they have the same groups, if in another order?  Then they cost the same. */
static bool same_groups(const struct variant *a, const struct variant *b,
	int n_levels)
{
	uint64_t of_a[GRAPH_MAX_LEVELS][GRAPH_MAX_STENCILS] = { { 0 } };
	uint64_t of_b[GRAPH_MAX_LEVELS][GRAPH_MAX_STENCILS] = { { 0 } };

	find_groups(a, n_levels, of_a);
	find_groups(b, n_levels, of_b);
	return !memcmp(of_a, of_b, sizeof(of_a));
}

static bool is_found(const struct search_state *s, const struct variant *v)
{
	for (int i = 0; i < s->found->n; i++)
		if (same_groups(v, s->found->best[i].variant, s->n_levels))
			return true;
	return false;
}

/* Of variants with the same groups the first found stays. */
static void offer(struct search_state *s, const int *together, double seconds,
	bool fits)
{
	struct found *f = s->found;
	struct scored new = { .seconds = seconds, .fits = fits };
	size_t n = (size_t) s->graph->n_stencils;
	struct variant given = { (int) n, (int *) s->order, (int *) together,
		NULL }, *v;
	int at = f->n;

	f->n_scored++;
	while (at > 0 && is_better(&new, &f->best[at - 1]))
		at--;
	if (at == s->most || is_found(s, &given))
		return;
	v = region_new_of(s->mem, struct variant);
	v->n = given.n;
	v->order = region_array(s->mem, int, n);
	v->together = region_array(s->mem, int, n);
	memcpy(v->order, given.order, n * sizeof(int));
	memcpy(v->together, given.together, (n - 1) * sizeof(int));
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

static struct dynamic *dynamic_new(const struct search_state *s,
	struct counter *counter)
{
	struct dynamic *d = region_new_of(s->tmp, struct dynamic);

	d->counter = counter;
	d->storage = s->counter;
	d->effort = s->effort;
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

/* The group of all stencils on the first level that splits groups, or on the
 * highest.
 */
static struct chain first_to_split(const struct search_state *s)
{
	const struct graph_machine *m = counter_machine(s->counter);
	struct chain chain = root_chain(s->order, s->graph->n_stencils);

	while (chain.n < m->n_levels && !m->level[chain.n - 1].splits)
		chain = child_chain(&chain, chain.set[0]);
	return chain;
}

/* The best variants of an order that fit, of those with the same groups on the
 * first level that splits groups the best; if none does, that of the smallest
 * groups.
 */
static void try_dynamic(struct search_state *s)
{
	int n = s->graph->n_stencils, n_ways = 0;
	struct chain root = root_chain(s->order, n);
	struct chain chain = first_to_split(s);
	struct dynamic *d = dynamic_new(s, s->counter);
	struct way *ways = region_array(s->tmp, struct way, s->most);

	d->bound = dynamic_new(s, s->whole);
	if (!fits_inwards(s->counter, &root))
		n_ways = 0;
	else if (chain.n == s->n_levels)
		ways[n_ways++].together = best_of_group(d, &chain, 0,
			n - 1)->together;
	else
		n_ways = find_ways(d, &chain, 0, n, s->most, ways);
	for (int i = 0; i < n_ways; i++) {
		struct variant v = { n, (int *) s->order, ways[i].together,
			NULL };
		bool fits;
		double seconds = variant_time(s->counter, &v, &fits);

		offer(s, v.together, seconds, fits);
	}
	if (n_ways == 0)
		try_apart(s);
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
	const struct graph_machine *machine, enum search how, int most,
	int64_t cuboids)
{
	enum { FEW = 20000 };
	struct found found = { .best = region_array(mem, struct scored,
		most + 1) };
	int n = graph->n_stencils, **orders;
	int *together = region_array(mem, int, n);
	int64_t variants = count_variants(machine, n, FEW + 1);
	struct region *tmp = region_new();
	struct counter *counter = counter_new(tmp, graph, machine), *whole;
	struct effort effort;

	whole = counter_of_whole_tiles(tmp, counter);
	effort = (struct effort) { counter, whole, n, cuboids, cuboids };
	found.n_orders = graph_orders(mem, graph, most_orders(n), &orders,
		&found.all_orders);
	found.exhaustive = how == SEARCH_ALL || (how == SEARCH_AUTO &&
		variants * found.n_orders <= FEW);
	for (int i = 0; i < found.n_orders; i++) {
		struct region *of_order = region_new();
		struct search_state s = {
			.mem = mem, .tmp = of_order, .graph = graph,
			.order = orders[i], .counter = counter,
			.whole = whole, .effort = &effort,
			.n_levels = machine->n_levels, .most = most,
			.found = &found,
		};

		if (found.exhaustive)
			try_all(&s, together, 0);
		else
			try_dynamic(&s);
		region_free(of_order);
		if (effort.longest < n && i + 1 < found.n_orders) {
			found.n_orders = i + 1;
			found.all_orders = false;
		}
	}
	found.longest = effort.longest;
	found.n_cuboids = counter_work(counter) + counter_work(whole);
	region_free(tmp);
	return found;
}

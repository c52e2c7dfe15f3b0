/* The time of a variant (2.5 of [MO]).
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

#include "graph/search.h"

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

double launch_of(const struct graph_machine *m,
	const struct chain *chain)
{
	return chain->n == 1 ? m->launch_s : 0;
}

struct term term_of(struct counter *c, const struct chain *chain,
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

double time_of_term(const struct term *t)
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

struct term term_of_stencil(struct counter *c,
	const struct chain *chain, int s, unsigned wanted)
{
	return term_of(c, chain, (uint64_t) 1 << s,
		time_to_compute(c, chain, s), wanted);
}

bool group_fits(struct counter *c, const struct chain *chain)
{
	double capacity = counter_machine(c)->level[chain->n - 1].capacity;

	return isinf(capacity) ||
		(double) count_storage(c, chain) <= capacity;
}

struct chain child_chain(const struct chain *chain, uint64_t child)
{
	struct chain c = *chain;

	c.set[c.n++] = child;
	return c;
}

uint64_t set_of(const int *order, int first, int last)
{
	uint64_t set = 0;

	for (int i = first; i <= last; i++)
		set |= (uint64_t) 1 << order[i];
	return set;
}

struct chain root_chain(const int *order, int n)
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

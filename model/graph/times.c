/* The time of a variant (2.5 of [MO]).
 *
 *	t_s = c_s / C
 *	t_g = sum over the children of g of
 *		max(t_c, v_c / V^l, l_c1 / L^1, .., l_cl / L^l)
 *
 * and, beyond the paper, the launches of children, once or slab by slab.
 *
 * A group fits if what a tile of it keeps is at most M^l.
 */
#include <math.h>
#include <string.h>

#include "model/graph/search.h"

/* The child's traffic that can take time. */
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

double launch_of(const struct graph_machine *m, const struct chain *chain,
	uint64_t child)
{
	double launches = m->level[chain->n - 1].launches;

	if (child == chain->set[chain->n - 1] && launches > 1)
		return 0;
	return launches * m->launch_s;
}

struct term term_of(struct counter *c, const struct chain *chain,
	uint64_t child, double compute_s, unsigned wanted)
{
	const struct graph_machine *m = counter_machine(c);
	const struct graph_level *parent = &m->level[chain->n - 1];
	struct term t = { .chain = *chain, .child = child,
		.compute_s = compute_s, .waits = parent->waits,
		.launch_s = launch_of(m, chain, child) };

	t.traffic = count_traffic(c, chain, child,
		wanted | traffic_with_time(m, chain));
	t.vertical_s = (double) (t.traffic.loads + (parent->fetches ? 2 : 1) *
		t.traffic.stores) / parent->vertical;
	for (int l = 0; l < chain->n; l++)
		t.lateral_s = fmax(t.lateral_s,
			(double) t.traffic.lateral[l] / m->level[l].lateral);
	return t;
}

double time_of_term(const struct term *t)
{
	return t->launch_s + (t->waits ? t->compute_s + t->vertical_s :
		fmax(fmax(t->compute_s, t->vertical_s), t->lateral_s));
}

/* Beside operations, a GPU's thread issues some instructions for each value that it reads, more
 * where it finds it in shared memory than in a register of a swept tile, and some for coordinates,
 * the condition, and a store.  From 16 kernels of eight graphs, whose times on an H200 less those
 * of their traffic are 20 to 50 instructions an evaluation.
 */
static double issued(const struct graph_machine *m,
	const struct graph_stencil *s)
{
	enum { EACH = 8, OF_READ = 5, OF_SWEPT = 3 };
	bool is_swept = m->level[m->n_levels - 1].halo == HALO_HS;

	return EACH + (is_swept ? OF_SWEPT : OF_READ) * s->n_in +
		s->ops * m->issue_of_op;
}

static double time_to_compute(struct counter *c, const struct chain *chain,
	int s)
{
	const struct graph_machine *m = counter_machine(c);
	const struct graph_stencil *stencil = &counter_graph(c)->stencil[s];

	return (double) count_evaluations(c, chain, s) * (m->issue > 0 ?
		issued(m, stencil) / m->issue : stencil->ops / m->flops);
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

bool variant_is_swept(const struct variant *v, int i)
{
	return v->swept && v->swept[i];
}

/* The variant to be timed. */
struct timed {
	const struct variant *v;
	int n_levels;		/* the levels that v->together refers to */
	bool fits;		/* so far */
	struct terms *terms;	/* NULL: not wanted */
};

/* The last stencil of the child of a group of "level" that begins with the i-th.  Stencils
 * together on all levels are so on the levels of swept groups, too, even if these have more.
 */
static int end_of_child(const struct timed *t, int level, int i, int last)
{
	while (i < last && (t->v->together[i] == t->n_levels ||
			t->v->together[i] > level))
		i++;
	return i;
}

static double time_of_group(struct counter *c, const struct chain *chain,
	struct timed *t, int first, int last);

/* The last level that splits groups; its children are the kernels. */
static int last_to_split(const struct graph_machine *m)
{
	int last = 1;

	for (int l = 1; l <= m->n_levels; l++)
		if (m->level[l - 1].splits)
			last = l;
	return last;
}

/* The term of the child first .. last; for a kernel, also by which levels it is
 * executed.
 */
static struct term term_of_group(struct counter *c, const struct chain *chain,
	struct timed *t, int first, int last, unsigned wanted)
{
	uint64_t set = set_of(t->v->order, first, last);
	struct chain child = child_chain(chain, set);
	bool is_kernel = chain->n == last_to_split(counter_machine(c));
	struct counter *inner = counter_for(c, is_kernel &&
		variant_is_swept(t->v, first));

	return term_of(inner, chain, set, time_of_group(inner, &child, t,
		first, last), wanted);
}

/* The time of the group of "chain", with the stencils first .. last of the
 * order.
 */
static double time_of_group(struct counter *c, const struct chain *chain,
	struct timed *t, int first, int last)
{
	bool is_leaf = chain->n == counter_machine(c)->n_levels;
	unsigned wanted = t->terms ? TRAFFIC_ALL : 0;
	double seconds = 0;

	t->fits &= group_fits(c, chain);
	for (int at = first, end; at <= last; at = end + 1) {
		struct term term;

		end = is_leaf ? at : end_of_child(t, chain->n, at, last);
		term = is_leaf ? term_of_stencil(c, chain, t->v->order[at],
			wanted) : term_of_group(c, chain, t, at, end, wanted);
		if (t->terms)
			add_term(t->terms, &term);
		seconds += time_of_term(&term);
	}
	return seconds;
}

static double time_of_all(struct counter *c, struct timed *t)
{
	struct chain root = root_chain(t->v->order, t->v->n);

	t->n_levels = counter_machine(c)->n_levels;
	t->fits = true;
	return time_of_group(c, &root, t, 0, t->v->n - 1);
}

double variant_time(struct counter *c, const struct variant *v, bool *fits)
{
	struct timed t = { .v = v };
	double seconds = time_of_all(c, &t);

	*fits = t.fits;
	return seconds;
}

int variant_terms(struct region *mem, struct counter *c,
	const struct variant *v, struct term **terms)
{
	struct terms all = { .mem = mem };
	struct timed t = { .v = v, .terms = &all };

	time_of_all(c, &t);
	*terms = all.term;
	return all.n;
}

const char *terms_binding(const struct term *term, int n)
{
	double computing = 0, moving = 0, launching = 0;

	for (int i = 0; i < n; i++) {
		double moves = fmax(term[i].vertical_s, term[i].lateral_s);
		bool both = term[i].waits;

		launching += term[i].launch_s;
		if (both || term[i].compute_s > moves)
			computing += term[i].compute_s;
		if (both || term[i].compute_s <= moves)
			moving += both ? term[i].vertical_s : moves;
	}
	if (launching > fmax(computing, moving))
		return "launches";
	return computing > moving ? "issue" : "its traffic";
}

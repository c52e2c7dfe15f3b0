/* Launches of strips: how many blocks they have, and how long these keep the SMs busy. */
#include "model/model.h"

#include <math.h>

enum { MOST_GROUPS = 64 };

double strips_along(const struct strip_shape *s, int d)
{
	double n = (double) s->n[d] - s->rim[d][0] - s->rim[d][1];

	if (s->stored[d] <= 0)
		return 1;
	if (d == 0)
		n -= s->walk.longer;
	return ceil(fmax(n, 1) / s->stored[d]);
}

double strip_start(const struct strip_shape *s, int i)
{
	return i * s->stored[0] + (i > 0 ? s->walk.longer : 0);
}

double strip_average(const struct strip_shape *s)
{
	return s->walk.longer > 0 ? (double) s->n[0] / strips_along(s, 0) :
		s->stored[0];
}

/* Strips of a block lie along the lanes. */
double strip_blocks(const struct strip_shape *s)
{
	return strips_along(s, 0) * strips_along(s, 1) * fmax(1, s->work.cluster) *
		ceil(strips_along(s, 2) / s->strips);
}

/* A cluster lies in one group of SMs, GPC, of which sm_90 has 16 or 18. */
double strip_places(const struct machine *m, const struct strip_shape *s,
	double k)
{
	enum { GROUP = 16 };
	double groups = floor((double) m->sm_count / GROUP);

	if (s->work.cluster <= 2 || groups < 1)
		return k * (double) m->sm_count;
	return groups * s->work.cluster * floor(k * GROUP / s->work.cluster);
}

/* Iterations of strip "i" of those along dimension 0, where the first is longer: the last one
 * ends with the grid.  All but the first one leave out steps when they begin.
 */
static double iterations_of(const struct strip_shape *s, int i)
{
	double end = i + 1 < strips_along(s, 0) ? strip_start(s, i + 1) :
		(double) s->n[0];

	return s->halo[0] + end - strip_start(s, i) - (i > 0 ? s->walk.idle : 0);
}

double strip_iterations(const struct strip_shape *s)
{
	double n = strips_along(s, 0), all = 0;

	if (s->walk.longer <= 0)
		return s->walk.iterations - s->walk.idle * (n - 1) / n;
	for (int i = 0; i < n; i++)
		all += iterations_of(s, i);
	return all / n;
}

/* Places on SMs, those that become free at the same time together. */
struct places {
	int n;
	struct group {
		double time, count;
	} group[MOST_GROUPS];
};

static int soonest(const struct places *p)
{
	int first = 0;

	for (int i = 1; i < p->n; i++)
		if (p->group[i].time < p->group[first].time)
			first = i;
	return first;
}

/* So many places become free then, as others do or to a precision that matters to nobody. */
static void add_group(struct places *p, double time, double count)
{
	int i = 0;

	while (i < p->n && fabs(p->group[i].time - time) > 1e-6 * time)
		i++;
	if (i == MOST_GROUPS)
		i = soonest(p);
	if (i == p->n)
		p->group[p->n++] = (struct group) { time, 0 };
	p->group[i].count += count;
}

/* "blocks" that take "time" each start where places become free. */
static void start_blocks(struct places *p, double blocks, double time)
{
	while (blocks >= 0.5) {
		struct group *g = &p->group[soonest(p)];
		double n = fmin(blocks, g->count), from = g->time;

		g->count -= n;
		blocks -= n;
		if (g->count < 0.5)
			*g = p->group[--p->n];
		add_group(p, from + time, n);
	}
}

static double last_end(const struct places *p)
{
	double end = 0;

	for (int i = 0; i < p->n; i++)
		end = fmax(end, p->group[i].time);
	return end;
}

/* What blocks take together, over "places", and until the last one ends. */
struct turns {
	double busy, until;
};

/* Layer after layer, of each those at sides first; iterations at the end of the last one take "at_end"
 * more than others.
 */
static struct turns turns_of_layers(const struct strip_shape *s, double places,
	double share, double longer, double at_end)
{
	struct places p = { 1, { { 0, places } } };
	double blocks = strip_blocks(s) / strips_along(s, 0);
	double at_sides = round(share * blocks);
	double n = strips_along(s, 0);
	struct turns all = { 0, 0 };

	for (int i = 0; i < n; i++) {
		double ends = i + 1 < n ? 0 : s->halo[0] * at_end;
		double turns = (iterations_of(s, i) + ends) / s->walk.iterations;

		start_blocks(&p, at_sides, turns * longer);
		start_blocks(&p, blocks - at_sides, turns);
		all.busy += turns * (at_sides * longer + blocks - at_sides) / places;
	}
	all.until = last_end(&p);
	return all;
}

/* How long places have nothing to do is an average over what sides may cost, so that few blocks that
 * end late do not decide: in heat3d they cost 1.4 times what is predicted (simulated).  A first strip
 * at a side took up to 1.2 times as long as others; none may end last.
 */
static double turns_with_longer(const struct strip_shape *s, double places,
	double share, double longer, double at_end)
{
	static const double guards[] = { 0.75, 1.25, 1.75 };
	enum { N = sizeof(guards) / sizeof(guards[0]) };
	double busy = turns_of_layers(s, places, share, longer, at_end).busy;
	double idle = 0;

	for (int i = 0; i < N; i++) {
		struct turns t = turns_of_layers(s, places, share, 1 +
			guards[i] * (longer - 1), at_end);

		idle += (t.until - t.busy) / N;
	}
	return fmax(busy + idle, 1.2 * iterations_of(s, 0) /
		s->walk.iterations);
}

double strip_turns(const struct machine *m, const struct strip_shape *s,
	const struct strip_terms *t)
{
	bool apart = s->edges.has_sides;
	double share = apart ? t->edges.side_share : t->edges.share;
	double guards = apart ? t->edges.side_guards : t->edges.guards;
	double longer = 1 + guards / t->instructions;
	double places = strip_places(m, s, t->k);
	double at_sides = share * t->blocks, slow = floor(at_sides / places);
	double later = at_sides - slow * places, rest = t->blocks - at_sides;
	double sooner_end = ceil((rest + later * ceil(longer)) / places);
	double later_end = ceil(fmax(0, rest - (places - later)) / places);

	if (s->walk.longer > 0)
		return turns_with_longer(s, places, share, longer,
			t->edges.guards / t->instructions);
	if (later <= 0)
		return slow * longer + sooner_end;
	return fmin(slow * longer + fmax(sooner_end, longer),
		(slow + 1) * longer + later_end);
}

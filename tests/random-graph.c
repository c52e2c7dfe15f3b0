/* Random graphs of stencils, see random-graph.h. */
#include "tests/random-graph.h"

enum { MOST_READS = 64 };

struct graph *graph_new(struct region *mem, int n_dims, int n)
{
	struct graph *g = region_new_of(mem, struct graph);

	g->n_dims = n_dims;
	g->field = region_array(mem, struct graph_field, n + 2);
	g->stencil = region_array(mem, struct graph_stencil, n);
	return g;
}

int graph_add_field(struct graph *g, const char *name)
{
	g->field[g->n_fields] = (struct graph_field) { .name = name,
		.producer = -1, .dims = 15 };
	return g->n_fields++;
}

int graph_add_stencil(struct region *mem, struct graph *g, const char *name,
	int ops, bool is_output)
{
	struct graph_stencil *s = &g->stencil[g->n_stencils];

	*s = (struct graph_stencil) { .name = name, .ops = ops,
		.out = graph_add_field(g, name),
		.in = region_array(mem, struct graph_read, MOST_READS) };
	g->field[s->out].producer = g->n_stencils;
	g->field[s->out].is_output = is_output;
	return g->n_stencils++;
}

void graph_add_read(struct graph *g, int s, int field, const int64_t *offset)
{
	struct graph_stencil *st = &g->stencil[s];
	struct graph_read *in = &st->in[st->n_in++];

	in->field = field;
	for (int d = 0; d < g->n_dims; d++)
		in->offset[d] = offset[d];
}

unsigned next_random(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % below;
}

static void add_random_reads(struct graph *g, unsigned *seed, int s,
	const struct graph_kind *kind)
{
	unsigned fields = (unsigned) g->n_fields - 1;
	unsigned near = fields < 5 ? fields : 5;
	int field = (int) (fields - 1 - next_random(seed, near));
	unsigned points = 1 + next_random(seed, kind->points);

	for (unsigned k = 0; k < points; k++) {
		int64_t offset[GRAPH_MAX_DIMS] = { 0 };

		for (int d = 0; d < kind->n_dims; d++)
			offset[d] = (int) next_random(seed,
				2 * kind->reach + 1) - (int) kind->reach;
		graph_add_read(g, s, field, offset);
	}
}

static bool is_read(const struct graph *g, int s)
{
	for (int r = 0; r < g->n_stencils; r++)
		if (graph_depends(g, r, s))
			return true;
	return false;
}

struct graph *random_graph(struct region *mem, unsigned *seed,
	struct graph_kind kind)
{
	struct graph *g = graph_new(mem, kind.n_dims, kind.n);

	graph_add_field(g, "a");
	graph_add_field(g, "b");
	for (int s = 0; s < kind.n; s++) {
		unsigned reads = 1 + next_random(seed, kind.fields);

		graph_add_stencil(mem, g, region_printf(mem, "s%d", s),
			1 + (int) next_random(seed, 40), s == kind.n - 1);
		for (unsigned i = 0; i < reads; i++)
			add_random_reads(g, seed, s, &kind);
	}
	for (int s = 0; s < kind.n; s++)
		if (!is_read(g, s))
			g->field[g->stencil[s].out].is_output = true;
	return g;
}

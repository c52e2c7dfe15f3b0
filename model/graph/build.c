/* The graph of a program, and the patterns that accumulate. */
#include <stdlib.h>
#include <string.h>

#include "model/graph/tiles.h"

/* The graph ------------------------------------------------------------- */

/* The node of "field" called "name"; a state has one for each version, and a
 * read with a stride counts as a read with stride one of the cells that lie on
 * it.
 */
static int node_of(const struct graph *g, const struct field *field,
	const char *name)
{
	for (int i = 0; i < g->n_fields; i++)
		if (g->field[i].field == field &&
		    !strcmp(g->field[i].name, name))
			return i;
	return -1;
}

static const char *name_of(struct region *mem, const struct program *prog,
	const struct access *acc)
{
	const struct field *f = acc->field;
	const char *name = f->name;

	if (f->kind == FIELD_STATE && !f->is_hidden)
		name = acc->version == 0 ? region_printf(mem, "%s[%s]", name,
			prog->time_name) : region_printf(mem, "%s[%s%+d]",
			name, prog->time_name, acc->version);
	for (int d = 0; d < f->n_dims && access_strides(acc); d++)
		name = region_printf(mem, "%s[%lld*+%lld/%lld]", name,
			(long long) acc->stride[d],
			(long long) floor_mod(acc->offset[d], acc->stride[d]),
			(long long) acc->divisor[d]);
	return name;
}

static int find_node(struct region *mem, struct graph *g,
	const struct program *prog, const struct access *acc)
{
	const char *name = name_of(mem, prog, acc);
	int i = node_of(g, acc->field, name);

	if (i >= 0)
		return i;
	i = g->n_fields++;
	g->field[i] = (struct graph_field) { .name = name,
		.field = acc->field, .producer = -1 };
	for (int d = 0; d < acc->field->n_dims; d++)
		g->field[i].dims |= 1u << acc->dim[d];
	return i;
}

static void add_stencil(struct region *mem, struct graph *g,
	const struct program *prog, const struct stmt *s)
{
	int index = g->n_stencils++;
	struct graph_stencil *st = &g->stencil[index];

	st->stmt = s;
	st->ops = stmt_flops(s);
	st->in = region_array(mem, struct graph_read, s->n_reads);
	for (int i = 0; i < s->n_reads; i++) {
		const struct access *acc = s->read[i];
		struct graph_read *in = &st->in[st->n_in++];

		in->field = find_node(mem, g, prog, acc);
		for (int d = 0; d < acc->field->n_dims; d++)
			in->offset[acc->dim[d]] = floor_div(acc->offset[d],
				acc->stride[d]);
	}
	st->out = find_node(mem, g, prog, s->write);
	st->name = g->field[st->out].name;
	g->field[st->out].producer = index;
	g->field[st->out].is_output = !field_is_temp(s->write->field);
}

bool graph_depends(const struct graph *graph, int s, int p)
{
	for (int i = 0; i < graph->stencil[s].n_in; i++)
		if (graph->stencil[s].in[i].field == graph->stencil[p].out)
			return true;
	return false;
}

/* Patterns -------------------------------------------------------------- */

static int compare_offsets(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	for (int d = 0; d < GRAPH_MAX_DIMS; d++)
		if (x[d] != y[d])
			return x[d] < y[d] ? -1 : 1;
	return 0;
}

static void sort_pattern(struct pattern *p)
{
	int n = 0;

	qsort(p->at, (size_t) p->n, sizeof(*p->at), compare_offsets);
	for (int i = 0; i < p->n; i++)
		if (n == 0 || compare_offsets(p->at[n - 1], p->at[i]) != 0)
			memmove(p->at[n++], p->at[i], sizeof(*p->at));
	p->n = n;
}

static struct pattern pattern_room(struct region *mem, int n)
{
	return (struct pattern) { 0, region_alloc(mem,
		sizeof(int64_t[GRAPH_MAX_DIMS]) * (size_t) n) };
}

struct pattern pattern_of_reads(struct region *mem, const struct graph *graph,
	int s, int field)
{
	const struct graph_stencil *st = &graph->stencil[s];
	struct pattern p = pattern_room(mem, st->n_in);

	for (int i = 0; i < st->n_in; i++)
		if (st->in[i].field == field)
			memcpy(p.at[p.n++], st->in[i].offset, sizeof(*p.at));
	sort_pattern(&p);
	return p;
}

static struct stencil_reads reads_of(struct region *mem,
	const struct graph *graph, int s)
{
	struct stencil_reads reads = { .of = region_array(mem, struct reads,
		graph->stencil[s].n_in + 1) };

	for (int i = 0; i < graph->stencil[s].n_in; i++) {
		int field = graph->stencil[s].in[i].field, k = 0;
		struct pattern at;

		while (k < reads.n && reads.of[k].field != field)
			k++;
		if (k < reads.n)
			continue;
		at = pattern_of_reads(mem, graph, s, field);
		reads.of[reads.n++] = (struct reads) { field,
			cuboids_of_pattern(mem, graph->n_dims, &at) };
	}
	return reads;
}

struct stencil_reads *graph_find_reads(struct region *mem, const struct graph *graph)
{
	struct stencil_reads *all = region_array(mem, struct stencil_reads, graph->n_stencils);

	for (int i = 0; i < graph->n_stencils; i++)
		all[i] = reads_of(mem, graph, i);
	return all;
}

/* All of it ---------------------------------------------------------------- */

struct graph *graph_of_program(struct region *mem, const struct program *prog,
	const char **why)
{
	struct graph *g = region_new_of(mem, struct graph);
	int n_accesses = prog->n_stmts;

	*why = NULL;
	g->n_dims = prog->stmt[0]->n_dims;
	for (int i = 0; i < prog->n_stmts; i++) {
		const struct stmt *s = prog->stmt[i];

		n_accesses += s->n_reads;
		if (s->n_dims != g->n_dims)
			*why = "its statements differ in their dimensions";
		for (int j = 0; j < i; j++)
			if (prog->stmt[j]->write->field == s->write->field)
				*why = "two statements compute one field";
	}
	if (g->n_dims < 1 || g->n_dims > GRAPH_MAX_DIMS)
		*why = "graphs have one to four dimensions";
	if (prog->n_stmts > GRAPH_MAX_STENCILS)
		*why = "it has more than 64 statements";
	if (*why)
		return NULL;
	g->field = region_array(mem, struct graph_field, n_accesses);
	g->stencil = region_array(mem, struct graph_stencil, prog->n_stmts);
	for (int i = 0; i < prog->n_stmts; i++)
		add_stencil(mem, g, prog, prog->stmt[i]);
	g->reads = graph_find_reads(mem, g);
	return g;
}

/* What is needed ----------------------------------------------------------- */

/* The points of "c", in dimension "d" and those behind it. */
static void add_points(struct pattern *p, int n_dims, const struct cuboid *c,
	int64_t *at, int d)
{
	if (d == n_dims) {
		memcpy(p->at[p->n++], at, sizeof(*p->at));
		return;
	}
	for (at[d] = c->low[d]; at[d] < c->end[d]; at[d]++)
		add_points(p, n_dims, c, at, d + 1);
}

struct pattern pattern_of_shape(struct region *mem, const struct shape *s)
{
	struct pattern p = pattern_room(mem, (int) s->points);
	int64_t at[GRAPH_MAX_DIMS] = { 0 };

	for (int i = 0; i < s->n; i++)
		add_points(&p, s->n_dims, &s->cuboid[i], at, 0);
	sort_pattern(&p);
	return p;
}

/* Add to all[f] what "s" reads of "f" for the points needed of its value. */
static void add_needs(struct region *mem, const struct graph *graph,
	struct pile *pile, const struct shape **all, int s, int f)
{
	struct pattern reads = pattern_of_reads(mem, graph, s, f);
	struct cuboids offsets;

	if (reads.n == 0)
		return;
	offsets = cuboids_of_pattern(mem, graph->n_dims, &reads);
	pile_add_shape(pile, all[f]);
	pile_add_sum(pile, all[graph->stencil[s].out], &offsets);
	all[f] = pile_take(pile, mem);
}

const struct shape **graph_patterns(struct region *mem,
	const struct graph *graph)
{
	static const struct cuboid origin = { { 0 }, { 1, 1, 1, 1 } };
	const struct shape **all = region_array(mem, const struct shape *,
		graph->n_fields);
	struct pile *pile = pile_new(mem, graph->n_dims);

	for (int f = 0; f < graph->n_fields; f++) {
		if (graph->field[f].is_output)
			pile_add(pile, &origin);
		all[f] = pile_take(pile, mem);
	}
	for (int s = graph->n_stencils - 1; s >= 0; s--)
		for (int f = 0; f < graph->n_fields; f++)
			add_needs(mem, graph, pile, all, s, f);
	return all;
}

/* Random graphs of stencils, for unit tests and measurements. */
#ifndef STENCILC_RANDOM_GRAPH_H
#define STENCILC_RANDOM_GRAPH_H

#include "model/graph/graph.h"

/* A graph without stencils, and room for "n" of them. */
struct graph *graph_new(struct region *mem, int n_dims, int n);
int graph_add_field(struct graph *g, const char *name);
int graph_add_stencil(struct region *mem, struct graph *g, const char *name,
	int ops, bool is_output);
void graph_add_read(struct graph *g, int s, int field, const int64_t *offset);

/* Stencils that read one to "fields" of the five fields before them, each at one
 * to "points" places up to "reach" cells away.
 */
struct graph_kind {
	int n, n_dims;
	unsigned reach, fields, points;
};

unsigned next_random(unsigned *seed, unsigned below);
/* The last stencil and those that nothing reads are outputs. */
struct graph *random_graph(struct region *mem, unsigned *seed,
	struct graph_kind kind);

#endif

/* What print.c and draw.c share: graphs as text. */
#ifndef STENCILC_GRAPH_DRAW_H
#define STENCILC_GRAPH_DRAW_H

#include "model/graph/graph.h"

/* (-1,0) (0,0), or, for many offsets, the box around them. */
void graph_print_shape(struct text *t, struct region *mem,
	const struct shape *s);
bool graph_reads(const struct graph *g, int s, int field);
/* Where stencil "s" reads field "f". */
const struct shape *graph_shape_of_reads(struct region *mem,
	const struct graph *g, int s, int f);
/* The graph as svg. */
void graph_draw(struct text *t, struct region *mem, const struct graph *g);

#endif

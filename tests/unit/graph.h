/* What the unit tests of graphs share. */
#ifndef STENCILC_TESTS_UNIT_GRAPH_H
#define STENCILC_TESTS_UNIT_GRAPH_H

#include <math.h>

#include "model/graph/graph.h"
#include "tests/random-graph.h"
#include "tests/unit/subjects.h"

extern const struct subject count_tests, map_tests, order_tests, search_tests,
	variant_tests;

/* graph-helpers.c -------------------------------------------------------- */

void add_read(struct graph *g, int s, int field, int64_t x, int64_t y);
/* 2.2 of [MO], rows first */
struct graph *diffusion(struct region *mem);
struct graph_machine two_levels(enum halo inner, int64_t outer_tile,
	int64_t tile);
/* Planes that are swept, in them points that exchange, as those of the paper's
 * GPU.
 */
struct graph_machine of_cells(int64_t outer_tile, int64_t tile);
/* Slabs of four rows, in them blocks of 6x2 points that compute their halos. */
struct graph_machine of_slabs(int64_t outer_tile);
/* The stencils first .. last. */
uint64_t stencil_set(int first, int last);
/* "n" levels whose groups have the stencils up to "last". */
struct chain chain_of(int n, int last);

#endif

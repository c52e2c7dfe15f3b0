/* Tilings and accesses as maps of isl, composed as 2.6 of [MO] has it: slow,
 * and independent of the counts.
 */
#ifndef STENCILC_TESTS_UNIT_GRAPH_MAPS_H
#define STENCILC_TESTS_UNIT_GRAPH_MAPS_H

#include <isl/aff.h>
#include <isl/ctx.h>
#include <isl/map.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>

#include "model/graph/graph.h"

/* T_s: { s[x] -> [tiles of all levels] } of all stencils s, by which values of
 * stencils are named; "together" as in a variant with the order of "graph".
 */
struct tilings {
	isl_ctx *ctx;
	const struct graph *graph;
	isl_map *tiles[GRAPH_MAX_STENCILS];	/* they live as long as "mem" */
};

struct tilings *tilings_new(struct region *mem, isl_ctx *ctx,
	const struct graph *graph, const struct graph_machine *machine,
	const int *together);
/* I_c of child first .. last, of the values of "field". */
__isl_give isl_map *map_of_inputs(const struct tilings *t, int first,
	int last, int field);
/* |P("map" within S)|: the pairs whose first tile is the origin, tiles of the
 * first "levels" levels kept; "origin" of the levels at the origin.
 */
int64_t map_count(__isl_take isl_map *map, int n_dims, int levels,
	int origin);

#endif

/* What the files of overlapping tiles share. */
#ifndef STENCILC_SCHEDULE_OVERLAP_OVERLAP_H
#define STENCILC_SCHEDULE_OVERLAP_OVERLAP_H

#include "schedule/pipeline.h"
#include "schedule/strategies.h"

enum { LOW, HIGH, MOST_STATEMENTS = 16 };

/* edges.c: the edges of statement "i" along "d". */
struct edges edges_of(struct region *mem, const struct program *prog, int i,
	int d);

/* guards.c: which points statement "i" computes if that takes tests. */
struct stage_points points_of_stage(const struct scop *scop, int i);

/* pipeline.c -------------------------------------------------------------*/

/* Must points be left out that would be computed from cells that hold nothing?
 * Elsewhere their values are written over; but not those of integers, or of
 * fields that are no states, nor where a statement makes an integer of a value.
 */
bool pipeline_needs_clipping(const struct program *prog);
/* A pipeline that has no sizes yet; NULL: there is none. */
struct pipeline *pipeline_begin(struct region *mem, const struct scop *scop);
/* Fill in what follows from steps and widths; in one dimension the width becomes
 * that of equal parts.
 */
void pipeline_set_memory(struct pipeline *p, int n_stmts, int n_dims);
/* How many versions before that of the tile's start are loaded, at most. */
int pipeline_back(const struct pipeline *p, int n_stmts);
/* The most points beyond the tile in dimension "d", on the side LOW or HIGH, that
 * "steps" steps before the last compute.
 */
int pipeline_around(const struct pipeline *p, int n_stmts, int d, int side,
	int steps);

#endif

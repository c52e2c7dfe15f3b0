/* What the files of overlapping tiles share. */
#ifndef STENCILC_SCHEDULE_OVERLAP_OVERLAP_H
#define STENCILC_SCHEDULE_OVERLAP_OVERLAP_H

#include "schedule/pipeline.h"
#include "schedule/strategies.h"

enum { LOW, HIGH, MOST_STATEMENTS = 16 };

/* edges.c: the edges of statement "i" along "d". */
struct edges edges_of(struct region *mem, const struct program *prog, int i,
	int d);

/* guards.c: the points that statement "i" computes, if tests decide about them. */
struct stage_points points_of_stage(const struct scop *scop, int i);

/* pipeline.c -------------------------------------------------------------*/

/* Must the code leave out points that it would compute from cells without a
 * value?  Usually their values are overwritten; but not those of integers, or
 * of fields that are no states, nor where a statement converts a value to an
 * integer.
 */
bool pipeline_needs_clipping(const struct program *prog);
/* A pipeline without sizes; NULL: impossible. */
struct pipeline *pipeline_begin(struct region *mem, const struct scop *scop);
/* Fill in what follows from steps and widths; in one dimension round the width to equal parts. */
void pipeline_set_memory(struct pipeline *p, int n_stmts, int n_dims);
/* How many versions before the tile's first one are loaded, at most. */
int pipeline_back(const struct pipeline *p, int n_stmts);
/* The most points beyond the tile in dimension "d", on the side LOW or HIGH, that are computed
 * "steps" steps before the last.
 */
int pipeline_around(const struct pipeline *p, int n_stmts, int d, int side,
	int steps);

#endif

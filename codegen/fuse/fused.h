/* What fused.c (C, tile by tile) and planes.c (swept tiles, for C and CUDA)
 * share.
 */
#ifndef STENCILC_CODEGEN_FUSED_H
#define STENCILC_CODEGEN_FUSED_H

#include "codegen/host/cpu.h"
#include "schedule/groups.h"

struct fused {
	const struct host *h;
	struct cursor *c;	/* it finds cells in global memory */
	const struct plan *plan;
	bool threads;		/* the threads of a block share the points */
	bool full;		/* all instances of the tile run */
	const struct field *copied;	/* planes: being loaded or staged */
};

/* fused.c: the cell "x" of the grid in the tile's memory, or "x" itself if no tile keeps it. */
const struct kx *fused_to_tile(const struct fused *f, const struct kx *x);
/* The value of the instance at hand; its declarations go to "body". */
const struct kx *fused_value(struct fused *f, struct ks *body);
/* { [x] : x - origin in "part" }, the origin parameters */
__isl_give isl_set *fused_around_origin(const struct fused *f,
	__isl_take isl_set *part);
/* { [x] : the tile executes the statement at hand at x }; with "own" only the
 * points whose values it stores.
 */
__isl_give isl_set *fused_part(const struct fused *f, bool own);
/* The loops of "nest" over "set", where "known" holds.  Conditions of the set on other
 * parameters, and on origins that "known" mentions, are tested before the loops; conditions on
 * other origins become bounds of the loops, or tests inside where a dimension has one value.
 */
struct ks *fused_loops(const struct fused *f, const struct loop_nest *nest,
	__isl_take isl_set *set, __isl_take isl_set *known);

/* planes.c: the thread's copy of the plane that "acc" reads, or NULL. */
const struct kx *swept_register(const struct fused *f,
	const struct access *acc);
/* The tile of f->plan at the origin, swept. */
struct ks *swept_tile(struct fused *f);

/* A block's tile, swept plane by plane; "full": without guards. */
struct ks *swept_tile_of_block(struct cursor *c, const struct kx *full);

#endif

/* What the files that check overlapping tiles of C share. */
#ifndef STENCILC_VERIFY_OVERLAP_H
#define STENCILC_VERIFY_OVERLAP_H

#include "schedule/pipeline.h"
#include "verify/checker.h"

/* What a statement reads: the version "back" versions before, of what "writer"
 * writes; "acc" is NULL where a cell keeps its value, or for what earlier
 * statements of its field have left in the row.  "offset" is the least or
 * greatest one at which the cell, or what stands for it, may lie: what holds
 * for both holds for all between.
 */
struct use {
	int i, writer, back;
	const struct access *acc;
	int64_t offset[IR_MAX_DIMS];
};

struct pipe {
	struct checker *c;
	const struct program *prog;
	const struct pipeline *p;
	int n_dims;
	isl_set **points;	/* by statement: { [t, x] : an instance } */
	struct shown {
		const char *formula;
		struct shown *next;
	} **shown;		/* empty sets, not to be tested again */
};

static inline const struct stmt *stmt_of(const struct pipe *x, int i)
{
	return x->prog->stmt[i];
}

static inline const char *name_of(const struct pipe *x, int i)
{
	return region_printf(x->c->mem, "S%d", i);
}

/* points.c: call "check" for each use by statement "i" of what tiles keep. */
bool each_use_of_stage(const struct pipe *x, int i,
	bool (*check)(const struct pipe *x, const struct use *use));
/* Statement "i" is computed exactly at the program's instances, and where no statement of its
 * field computes a value, that is kept.
 */
bool points_are_right(const struct pipe *x, int i);

#endif

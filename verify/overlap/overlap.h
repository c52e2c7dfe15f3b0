/* What the files share that look at overlapping tiles of C. */
#ifndef STENCILC_VERIFY_OVERLAP_H
#define STENCILC_VERIFY_OVERLAP_H

#include "schedule/pipeline.h"
#include "verify/checker.h"

/* What a statement reads: the version before by "back" of what "writer"
 * writes; "acc" is NULL where a cell keeps its value, or what the statements of
 * its field before this one have left in the row.  "offset" is the least or the
 * greatest one at which the cell, or what stands for it, may be: what is asked
 * holds of all between if it does of these.
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
	} **shown;		/* what has no point, and need not be asked again */
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
/* Statement "i" is computed at the instances of the program, and no others, and where none
 * of its field is the value is kept.
 */
bool points_are_right(const struct pipe *x, int i);

#endif

/* What the code of pipelines for processors shares. */
#ifndef STENCILC_CODEGEN_OVERLAP_H
#define STENCILC_CODEGEN_OVERLAP_H

#include "codegen/host/cpu.h"
#include "schedule/pipeline.h"

struct overlap {
	const struct host *h;
	const struct pipeline *p;
	const struct kernel_names *names;
	int n_dims, last;
	const char *front;	/* the row that the pipeline is at */
	const char *count;	/* steps of this tile */
	const char *t0;		/* before its first step */
	const char *block, *blocks;	/* of steps */
	const char *begin[IR_MAX_DIMS], *end[IR_MAX_DIMS];	/* the tile */
	const char *base[IR_MAX_DIMS];	/* where a row kept begins */
	const char *low, *high;	/* what a stage computes of a row */
	const struct stmt *stmt;
};

/* The grids that a block of steps reads and writes. */
const char *overlap_old_name(const struct host *h, const struct field *f);
const char *overlap_new_name(const struct host *h, const struct field *f);
/* first <= x[d] < end: the points of the statement; is the end before that of
 * the grid?
 */
int64_t overlap_first_point(const struct overlap *o, const struct stmt *s,
	int d);
const struct kx *overlap_end_point(const struct overlap *o,
	const struct stmt *s, int d);
bool overlap_ends_early(const struct overlap *o, const struct stmt *s, int d);

/* lanes.c: the body of the function for a tile of one dimension. */
struct ks *lanes_tile(const struct overlap *o);
const char *lanes_comment(const struct overlap *o);

#endif

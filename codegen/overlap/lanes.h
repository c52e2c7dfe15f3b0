/* What the files share that make tiles of one dimension. */
#ifndef STENCILC_CODEGEN_OVERLAP_LANES_H
#define STENCILC_CODEGEN_OVERLAP_LANES_H

#include "codegen/overlap/overlap.h"

struct lanes {
	const struct overlap *o;
	const struct host *h;
	const struct pipeline *p;
	const char *row, *lane, *first, *point, *begin;
	const struct stmt *stmt;
	int ahead;		/* of the row: the row that is computed */
	const struct cursor *beyond;	/* where reads may lie outside the grid;
					 * or NULL */
};

/* The rows of a part itself: first <= row < end. */
static inline int lanes_first_row(const struct lanes *x)
{
	return x->p->ghosts[0];
}

static inline int lanes_end_row(const struct lanes *x)
{
	return x->p->ghosts[0] + x->p->part;
}

/* The cell of "f" in the row and lane at hand, "offset" rows on, of a version. */
const struct kx *lanes_cell(const struct lanes *x, const struct field *f,
	const struct kx *version, int64_t offset);
/* For each lane its points in "set", { [x] }: "body", at x->point, the row being declared. */
struct ks *lanes_each_point(const struct lanes *x, __isl_take isl_set *set,
	struct ks *(*body)(void *user), void *user);
/* How expressions find the step and the point at hand. */
struct binding lanes_binding(const struct lanes *x);

/* lanes_listed.c: what is listed of the statement, which has computed all rows of this step. */
void lanes_add_listed(const struct lanes *x, struct ks *block);

#endif

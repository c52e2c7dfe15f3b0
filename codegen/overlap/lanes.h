/* What the files for tiles of one dimension share. */
#ifndef STENCILC_CODEGEN_OVERLAP_LANES_H
#define STENCILC_CODEGEN_OVERLAP_LANES_H

#include "codegen/overlap/overlap.h"

struct lanes {
	const struct overlap *o;
	const struct host *h;
	const struct pipeline *p;
	const char *row, *lane, *first, *point, *begin;
	const struct stmt *stmt;
	int ahead;		/* of the current row: the row that it computes */
	bool all;		/* does the statement compute all points of the tile? */
	const struct cursor *beyond;	/* may reads lie outside the grid? or
					 * NULL */
};

/* The rows that belong to a part itself: first <= row < end. */
static inline int lanes_first_row(const struct lanes *x)
{
	return x->p->ghosts[0];
}

static inline int lanes_end_row(const struct lanes *x)
{
	return x->p->ghosts[0] + x->p->part;
}

static inline const struct kx *lanes_size(const struct lanes *x)
{
	return host_param(x->h, x->stmt->write->field->size[0], ctype(CT_NONE));
}

/* The cell of a version of "f" in the current lane, "offset" rows from the current one. */
const struct kx *lanes_cell(const struct lanes *x, const struct field *f,
	const struct kx *version, int64_t offset);
/* In each lane, for its points in "set", { [x] }: "body", at x->point, with the row declared. */
struct ks *lanes_each_point(const struct lanes *x, __isl_take isl_set *set,
	struct ks *(*body)(void *user), void *user);
/* How expressions find the current step and point. */
struct binding lanes_binding(const struct lanes *x);

/* lanes_listed.c: do what the lists of the statement say, which has computed all rows of this
 * step.
 */
void lanes_add_listed(const struct lanes *x, struct ks *block);

/* lanes_fetch.c: a step's share of what the statement's field has in the thread's next tile, where
 * that lies in the grid, and of where this tile will store it.
 */
void lanes_add_fetches(const struct lanes *x, struct ks *steps);

#endif

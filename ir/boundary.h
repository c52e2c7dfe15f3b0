/* The meaning of reads beyond the grid of a field. */
#ifndef STENCILC_IR_BOUNDARY_H
#define STENCILC_IR_BOUNDARY_H

#include "ir/expr.h"

/* Kinds of boundaries, see boundaries.def. */
enum boundary_kind {
#define BOUNDARY(id, word, stands, first, step, cells) id,
#include "ir/boundaries.def"
#undef BOUNDARY
	BOUNDARY_KINDS
};

/* What stands for a cell outside the grid: nothing, so that a point which reads
 * it is not computed; a value; a cell near the edge; or a cell as far from the
 * other end.
 */
enum stand_in {
	STANDS_NOTHING, STANDS_VALUE, STANDS_NEAR, STANDS_OTHER_END,
};

struct boundary_info {
	const char *word;
	enum stand_in stands;
	int first, step;
	enum boundary_kind cells;
};

const struct boundary_info *boundary_info(enum boundary_kind kind);
/* For a kind with STANDS_NEAR, the cell that stands for the one at x < 0. */
int boundary_cell(enum boundary_kind kind, int x);

/* The ends of a dimension: cells x < 0 lie beyond the low side. */
enum side { SIDE_LOW, SIDE_HIGH, SIDES };

/* BOUNDARY_VALUE gives the value for the cell beyond the grid whose coordinates are EXPR_INDEX
 * of the field: in other dimensions, those of the cell that stands for it, and where
 * boundary_reads_at_index() holds, the nearest one in the grid.
 */
struct boundary {
	enum boundary_kind kind;
	const struct expr *value;
	struct span at;
};

/* Does its value read an input at an index? */
bool boundary_reads_at_index(const struct boundary *b);

/* Does a cell beyond this boundary have another cell's value with its sign
 * turned?
 */
bool boundary_is_odd(const struct boundary *b);

#endif

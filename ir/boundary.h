/* What a read beyond the grid of a field means. */
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

/* What stands for a cell outside of the grid: nothing, so that a point which
 * reads it is not computed; a value; a cell near the edge, or as far from the
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
/* Of a kind with STANDS_NEAR, the cell that stands for the one at x < 0. */
int boundary_cell(enum boundary_kind kind, int x);

/* The ends of a dimension: cells x < 0 lie beyond the low side. */
enum side { SIDE_LOW, SIDE_HIGH, SIDES };

/* The value of BOUNDARY_VALUE is that of the cell beyond the grid at the coordinates
 * EXPR_INDEX of the field: in other dimensions those of what stands for it, and where
 * boundary_reads_at_index() the nearest in the grid.
 */
struct boundary {
	enum boundary_kind kind;
	const struct expr *value;
	struct span at;
};

/* Does it have a value that reads an input at an index? */
bool boundary_reads_at_index(const struct boundary *b);

/* Has a cell beyond this boundary the value of another with its sign turned? */
bool boundary_is_odd(const struct boundary *b);

#endif

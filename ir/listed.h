/* What is done at the points of lists, and what is recorded of all points. */
#ifndef STENCILC_IR_LISTED_H
#define STENCILC_IR_LISTED_H

#include "ir/boundary.h"

enum { IR_MAX_DIMS = 8 };

/* at index = begin .. end: points whose places are data.  Number q is at the cell
 * place[0], place[1], .. of a grid, ints of q (EXPR_NUMBER) and of what inputs have
 * there.  Between cells the place is real, and the point one of each of the cells x
 * around it, 2^n in n dimensions, that have a weight: the product of 1 - |place[d] - x[d]|
 * is not 0.  Before it begins the function makes of it
 *
 *	cells[k] = the cell of the k-th point and its number, in the order of
 *		these: by cell, those of one cell by number
 *	first[x] = how many points have cells before plane x of dimension 0,
 *		0 <= x <= the size of the grid
 */
struct list {
	const char *index;		/* the user's name of q */
	int number;			/* in program.list */
	const struct expr *begin, *end;	/* affine in the int params */
	const struct field *grid;	/* in which the places are */
	const struct expr *place[IR_MAX_DIMS];
	bool is_between;
	const struct field *cells, *first;
	/* In a block (ir/blocks.h) "grid" begins at origin[d] of the whole grid, NULL: 0; places where
	 * nothing is computed are none, nor, with own[d], cells but own[d][0] <= x[d] < own[d][1]. */
	bool is_of_block;
	const struct expr *origin[IR_MAX_DIMS], *own[IR_MAX_DIMS][SIDES];
	struct span at;
};

/* What is done at each point of a list once its statement has computed it, in the
 * order of numbers: EXPR_OWN is the point's value so far.  Without a list it is
 * recorded in a series at all points that the statement computes.
 */
struct listed {
	const struct list *list;	/* or NULL, and .. */
	int n_conditions;		/* .. only where these hold */
	const struct expr **condition;
	const struct field *series;	/* series[subscript[0]].. = value; NULL:
					 * the point's value = value */
	const struct expr *subscript[IR_MAX_DIMS];	/* of number and time */
	const struct expr *value;	/* of the type of what gets it */
	const struct expr *addend;	/* value is EXPR_OWN + weight * addend;
					 * or NULL */
	/* Between cells: the weight of the cell at hand, and which of those around it is. */
	const struct expr *weight, *corner;
	/* A series between cells is computed when all steps have run, EXPR_OWN being the sum
	 * of weight * corners[subscript[0]]..[corner] over these.
	 */
	const struct field *corners;
	struct span at;
};

#endif

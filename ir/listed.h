/* What happens at the points of lists, and records of all points. */
#ifndef STENCILC_IR_LISTED_H
#define STENCILC_IR_LISTED_H

#include "ir/boundary.h"

enum { IR_MAX_DIMS = 8 };

/* at index = begin .. end: points whose places are data.  Number q is at the cell place[0],
 * place[1], .. of a grid, ints computed from q (EXPR_NUMBER) and elements of inputs.  Between
 * cells the place is real, and the point stands for each of the surrounding cells x, 2^n in n
 * dimensions, with a weight, the product of 1 - |place[d] - x[d]|, other than 0.  Before the
 * first step the function makes of it
 *
 *	cells[k] = the cell of the k-th point and its number, sorted by
 *		cell, and by number for one cell
 *	first[x] = how many points have cells before plane x of dimension 0,
 *		0 <= x <= the size of the grid
 */
struct list {
	const char *index;		/* the user's name of q */
	int number;			/* in program.list */
	int n_writers;			/* of the grid, in front of the list */
	const struct expr *begin, *end;	/* affine in the int params */
	const struct field *grid;	/* of the grid with the places */
	const struct expr *place[IR_MAX_DIMS];
	bool is_between;
	const struct field *cells, *first;
	/* In a block (ir/blocks.h) "grid" begins at origin[d] of the whole grid, NULL: 0; a
	 * place is ignored if nothing is computed there or, given own[d], unless own[d][0] <=
	 * x[d] < own[d][1].
	 */
	bool is_of_block;
	const struct expr *origin[IR_MAX_DIMS], *own[IR_MAX_DIMS][SIDES];
	struct span at;
};

/* What happens at each point of a list once a statement has computed it, in the order of
 * numbers: EXPR_OWN is the point's value so far.  Without a list, it is recorded in a series at
 * all points that the statement computes.  Statements that share the points of a field list the
 * same, each for the points that it computes.
 */
struct listed {
	const struct list *list;	/* or NULL: at all points, and .. */
	int n_conditions;		/* .. only where these conditions hold */
	const struct expr **condition;
	const struct field *series;	/* series[subscript[0]].. = value; NULL:
					 * the point's value = value */
	const struct expr *subscript[IR_MAX_DIMS];	/* of number and time */
	const struct expr *value;	/* in the type of what gets it */
	const struct expr *addend;	/* value is EXPR_OWN + weight * addend;
					 * or NULL */
	/* Between cells: the weight of the current cell, and its number among the surrounding
	 * ones.
	 */
	const struct expr *weight, *corner;
	/* A series between cells is computed once all steps have run; EXPR_OWN is then the sum
	 * of weight * corners[subscript[0]]..[corner] over these cells.
	 */
	const struct field *corners;
	struct span at;
};

struct program;
struct stmt;

/* The list "l" uses so many cells around a point; 1 on the grid. */
int list_corners(const struct list *l);
/* Does "s" record all that it computes, in some steps? */
bool stmt_records_all(const struct stmt *s);
/* .. or at the points of a list? */
bool stmt_records(const struct stmt *s);
/* Is "l" among what "s" lists?  .. or what a statement behind number "stmt" does? */
bool stmt_lists(const struct stmt *s, const struct listed *l);
bool program_lists_later(const struct program *p, int stmt,
	const struct listed *l);

#endif

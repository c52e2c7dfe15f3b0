/* Columns of vectors: a statement computed along the first dimension, a few vectors of the
 * innermost dimension wide; what an iteration loads and adds up serves later iterations:
 *
 *	for (int i = i_first; i <= i_last; ++i)
 *		A_new[i][j .. j + lanes - 1] = ..
 */
#ifndef STENCILC_CODEGEN_COLUMNS_H
#define STENCILC_CODEGEN_COLUMNS_H

#include "codegen/hex/vectors.h"
#include "schedule/columns.h"

enum {
	COLUMN_VECTORS = 2,	/* side by side, in two dimensions */
};

/* A node of the value of a row: an operation on vectors, or a load of one.  Iteration i adds
 * the last cells to the sum of row i; what it can already compute for later rows it computes
 * "early" iterations before their turn.
 */
struct column_node {
	const struct kx *x;
	int operand[2];		/* nodes; -1: none, or the same for all points */
	int parent;		/* -1: it is the value of a row */
	int row;		/* number among the rows computed together */
	int age;		/* i + age is the last plane that it reads */
	int when;		/* row i's value is computed once i + when is
				 * loaded */
	int group;		/* of the rows it reads: the rows of a group are
				 * loaded, then used */
	int load, offset;	/* for a load: which one, at i + offset; -1:
				 * none */
};

/* Loads at one place in the planes i + low to i + high. */
struct column_load {
	const struct kx *at;	/* the cell of an instance that reads it .. */
	int offset;		/* .. at plane i + offset */
	int low, high;
	int reads;		/* of an iteration, .. */
	int planes;		/* .. from how many planes */
	int group;
	int vector;		/* in two dimensions: number among the vectors
				 * side by side */
	bool kept;		/* loaded once, from i + high, and kept until it
				 * is i + low; else loaded wherever it is read */
};

struct column_plan {
	struct region *mem;
	const struct cpu_hex *x;
	int rows;		/* along the last but one dimension; in two
				 * dimensions, vectors along the last one */
	int last;		/* row i reads no plane beyond i + last */
	bool early;		/* are completed rows computed at once? */
	int groups;
	int n_nodes, n_loads;
	struct column_node *node;
	struct column_load *load;
	const int *value;	/* by row: the node with its value */
	int registers, loads;	/* values kept from one iteration to the next;
				 * loads of an iteration */
};

/* column_plan.c ----------------------------------------------------- */

/* Decide how many rows to compute at a time, and what to keep of them: the fewest loads for a
 * vector that the registers allow.  "value" holds the values of up to COLUMN_ROWS rows.  NULL:
 * the values are no sums, differences, products and quotients of vectors and of numbers common
 * to all points.
 */
const struct column_plan *column_plan_new(const struct cpu_hex *x,
	const struct kx *const *value, int rows);
/* Does the node live from one iteration to the next?  For how many: */
static inline int column_node_life(const struct column_plan *p, int n)
{
	const struct column_node *node = &p->node[n];

	return node->load >= 0 || node->parent < 0 ? 0 :
		p->node[node->parent].when - node->when;
}

/* column_code.c ----------------------------------------------------- */

/* "x" of an instance, for row "row" of the rows computed together. */
const struct kx *column_row(const struct cpu_hex *x, const struct kx *value,
	int row);
/* The variable that says how many cells a vector has. */
const char *column_lanes(const struct cpu_hex *x);

/* for (int i = i_first; i <= i_last; ++i) all rows, and what precedes the loop. to[r] are the
 * cells of row r; the code leaves the first "done" cells alone, unless that is NULL.
 */
struct ks *column_code(const struct column_plan *p, const char *first,
	const char *last, const struct kx *const *to, const char *done);

#endif

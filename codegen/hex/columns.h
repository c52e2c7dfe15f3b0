/* Columns of vectors: a statement computed along the first dimension, some vectors
 * of the innermost one wide, where what an iteration loads and sums up serves
 * later ones:
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

/* A node of the value of a row: an operation on vectors, or a load of one.  An
 * iteration i makes the last cells of the sum that row i stands for; what can be
 * computed of the rows after it is done "early" iterations before it is used.
 */
struct column_node {
	const struct kx *x;
	int operand[2];		/* nodes; -1: none, or the same for all points */
	int parent;		/* -1: it is the value of a row */
	int row;		/* of those computed together */
	int age;		/* i + age is the last plane that it reads */
	int when;		/* row i's is computed when i + when is loaded */
	int group;		/* of the rows it reads: those of a group are
				 * loaded, then used */
	int load, offset;	/* of a load: which, of i + offset; -1: none */
};

/* What is loaded at one place of the planes i + low to i + high. */
struct column_load {
	const struct kx *at;	/* the cell of an instance that reads it .. */
	int offset;		/* .. at plane i + offset */
	int low, high;
	int reads;		/* of an iteration, .. */
	int planes;		/* .. from so many planes */
	int group;
	int vector;		/* in two dimensions: of those side by side */
	bool kept;		/* loaded once, from i + high, and kept until it
				 * is i + low; else loaded where it is read */
};

struct column_plan {
	struct region *mem;
	const struct cpu_hex *x;
	int rows;		/* along the last but one dimension; in two
				 * dimensions vectors along the last one */
	int last;		/* i + last is the last plane that i reads */
	bool early;		/* is what is complete computed at once? */
	int groups;
	int n_nodes, n_loads;
	struct column_node *node;
	struct column_load *load;
	const int *value;	/* by row: the node that is its value */
	int registers, loads;	/* kept from one iteration to the next; loads of
				 * an iteration */
};

/* column_plan.c ----------------------------------------------------- */

/* How many rows to compute at a time, and what of them to keep: the fewest loads
 * for a vector that the registers allow.  "value" has the values of up to
 * COLUMN_ROWS rows.  NULL: they are no sums, differences, products and quotients
 * of vectors and of numbers that are the same for all.
 */
const struct column_plan *column_plan_new(const struct cpu_hex *x,
	const struct kx *const *value, int rows);
/* Is the node kept from one iteration to the next?  For so many: */
static inline int column_node_life(const struct column_plan *p, int n)
{
	const struct column_node *node = &p->node[n];

	return node->load >= 0 || node->parent < 0 ? 0 :
		p->node[node->parent].when - node->when;
}

/* column_code.c ----------------------------------------------------- */

/* "x" of an instance, as row "row" of those computed together has it. */
const struct kx *column_row(const struct cpu_hex *x, const struct kx *value,
	int row);
/* The variable for how many cells a vector has. */
const char *column_lanes(const struct cpu_hex *x);

/* for (int i = i_first; i <= i_last; ++i) all rows, and what is before it.  The
 * cells of row r are to[r]; the first "done" ones are left as they are, unless it is
 * NULL.
 */
struct ks *column_code(const struct column_plan *p, const char *first,
	const char *last, const struct kx *const *to, const char *done);

#endif

/* Rows of vectors: a loop over a row of cells, or over several rows,
 *
 *	for k: A_new[i][j][k] = ..
 *
 * becomes a function that computes vectors side by side.  Cells k + n of one row lie in two
 * adjacent vectors, "here" and the one before or after it.  The code shifts them out of these
 * where that takes less time than a load across lines of the cache.
 */
#ifndef STENCILC_CODEGEN_ROWS_H
#define STENCILC_CODEGEN_ROWS_H

#include "codegen/hex/vectors.h"

/* A row of cells that the code reads. */
struct line {
	const struct kx *at;	/* one of the cells */
	int low, high;		/* cells k + low to k + high are read */
	int reads;		/* how many reads are at k */
	bool shifted;		/* do its neighbours come from adjacent vectors? */
	bool loads_right;	/* do those to the right come by loads? */
	const char *name;	/* name of the vector at k, or NULL: not kept */
};

struct rows {
	const struct cpu_hex *x;
	int n;			/* rows computed together */
	int row;		/* which of them is at hand */
	int n_lines;
	struct line *line;
	int n_beside;
	const struct kx **beside;	/* cells read beside the point's */
	bool fits;
	bool alone;		/* for a vector without a neighbour */
	const struct kx *radicand;	/* what its root is of, if that is declared */
	struct vector_units *units;	/* which share the sums; or NULL */
};

/* row_plan.c -------------------------------------------------------- */

/* What "n" rows of "assign" read; false: vectors do not compute it, or it takes more registers
 * than there are.
 */
bool rows_find(const struct cpu_hex *x, const struct ks *assign, int n,
	struct rows *r);
/* Plan x->vectors for the current statement, as many rows at a time as share lines and have
 * registers; false: vectors do not compute "assign".
 */
bool rows_plan(struct cpu_hex *x, const struct ks *assign);
struct line *rows_line_of(const struct rows *r, const struct kx *cell);
/* How far a cell lies from the point along its row. */
int rows_place(const struct cpu_hex *x, const struct kx *cell);
/* The innermost dimension, and "form" of it. */
const char *rows_innermost(const struct cpu_hex *x);
const char *rows_name(const struct cpu_hex *x, const char *form);
/* "value" for the row "row" rows further on. */
const struct kx *rows_value(const struct cpu_hex *x, const struct kx *value,
	int row);

/* row_code.c -------------------------------------------------------- */

/* The function that computes "n" rows of the planned statement, 1 or x->vectors.n_rows; made on
 * first use.
 */
struct kfunc *rows_function(struct cpu_hex *x, int n);

#endif

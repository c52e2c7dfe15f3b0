/* What the files of the reassociating pass share: reassociate.c, factor.c. */
#ifndef STENCILC_IR_FACTOR_H
#define STENCILC_IR_FACTOR_H

#include "ir/ir.h"

/* A number, times an expression of parameters if that is not NULL. */
struct weight {
	double value;
	const struct expr *symbol;
};

/* weight * A[x + at] */
struct cell {
	int at[IR_MAX_DIMS];
	struct weight weight;
};

/* A value for each position x: the cell A[x], or a sum of weighted forms, each
 * at position x + offset in dimension "dim".
 */
struct form {
	int n_parts;		/* 0: the cell */
	struct part {
		struct weight weight;
		int dim, offset;	/* dim < 0: at x itself */
		const struct form *form;
	} *part;
};

/* Do both have the same factor of parameters? */
bool weight_same_symbol(struct weight a, struct weight b);
/* The sum of the cells, rewritten with sums that neighbours of x need, too, so
 * that each form is computed once at each position.  Weights that differ by at
 * most "epsilon" count as equal.  NULL if this takes no fewer operations,
 * counting a multiplication and an addition as one.
 */
const struct form *factor(struct region *r, int n_dims, double epsilon, int n,
	struct cell *cell);

#endif

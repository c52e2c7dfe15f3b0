/* What the files of the reassociating pass share: reassociate.c, factor.c. */
#ifndef STENCILC_IR_FACTOR_H
#define STENCILC_IR_FACTOR_H

#include "ir/ir.h"

/* A number, times an expression of parameters unless that is NULL. */
struct weight {
	double value;
	const struct expr *symbol;
};

/* weight * A[x + at] */
struct cell {
	int at[IR_MAX_DIMS];
	struct weight weight;
};

/* What a position x has: the cell A[x], or a sum of weighted forms, each of
 * position x + offset in dimension "dim".
 */
struct form {
	int n_parts;		/* 0: the cell */
	struct part {
		struct weight weight;
		int dim, offset;	/* dim < 0: of x itself */
		const struct form *form;
	} *part;
};

/* Do both have the same factor of parameters? */
bool weight_same_symbol(struct weight a, struct weight b);
/* The sum of the cells as sums that neighbours of x have, too: each form is
 * computed once at each position.  Weights count as equal that differ by some
 * "epsilon".  NULL if that takes no fewer operations, a multiplication and an
 * addition counting as one.
 */
const struct form *factor(struct region *r, int n_dims, double epsilon, int n,
	struct cell *cell);

#endif

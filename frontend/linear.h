/* Subscripts: sums of indices, and quotients of such sums by constants. */
#ifndef STENCILC_LINEAR_H
#define STENCILC_LINEAR_H

#include "frontend/lower.h"

/* The points of a statement: x with x % step == first for each index with "step" not 0. */
struct lattice {
	struct line {
		int64_t step, first;
		int64_t least;		/* x is also at least this */
		bool is_named;		/* the left side has a factor, as
					 * A[step*i + first]: .. */
		struct span at;		/* .. there i means (x - first) / step */
	} line[IR_MAX_DIMS];
};

/* linear.c -----------------------------------------------------------------*/

/* (sum of coefficient * index + time * t + constant) / divisor, rounded down */
struct linear {
	int64_t coefficient[IR_MAX_DIMS], time, constant, divisor;
};

/* NULL, or the part of "e" that does not have this form with divisor 1. */
const struct expr *find_linear(const struct expr *e, struct linear *linear);
/* .. that does not have this form at the points of "lattice", or NULL for all points. */
const struct expr *find_quotient(const struct expr *e,
	const struct lattice *lattice, struct linear *linear);
/* Is there no remainder at the points of "lattice"? */
bool quotient_is_exact(const struct linear *a, const struct lattice *lattice);
/* Is the division "e" one of a possibly negative sum, which C rounds up? */
bool quotient_rounds_up(const struct expr *e, const struct lattice *lattice,
	struct linear *sum);

/* subscript.c --------------------------------------------------------------*/

/* Set dimension "i" of "a" from its subscript "e", which has the form "value"; false after a
 * diagnostic.
 */
bool find_index(struct context *c, struct ast_expr *e,
	const struct expr *value, struct access *a, int i);

/* lattice.c ----------------------------------------------------------------*/

/* What the statement of "c" says about index "dim". */
struct line *lattice_line(struct context *c, int dim);
/* Does a subscript on the left of "u" have a factor? */
bool is_strided(const struct lower *l, const struct update *u);
/* False after a diagnostic if "u" has one, and is to become part of another statement, or if
 * "of" has one.
 */
bool check_strided(struct lower *l, const struct update *u,
	const struct statement *of);
/* What the index "x" of dimension "dim" means in "c". */
const struct expr *index_counted(struct context *c, int dim,
	const struct expr *x);
/* Add the conditions of the left-hand side to those of the statement of "c", which has room for
 * them, and note what all its conditions say about its points.
 */
void note_lattice(struct context *c);

#endif

/* Subscripts: sums of indices, and quotients of such sums by constants. */
#ifndef STENCILC_LINEAR_H
#define STENCILC_LINEAR_H

#include "frontend/lower.h"

/* The points of a statement: those of each index x with x % step == first, where "step"
 * is not 0.
 */
struct lattice {
	struct line {
		int64_t step, first;
		int64_t least;		/* x is at least that, too */
		bool is_named;		/* by i on the left, as A[step*i + first]: .. */
		struct span at;		/* .. what i means is (x - first) / step */
	} line[IR_MAX_DIMS];
};

/* linear.c -----------------------------------------------------------------*/

/* (sum of coefficient * index + time * t + constant) / divisor, rounded down */
struct linear {
	int64_t coefficient[IR_MAX_DIMS], time, constant, divisor;
};

/* NULL, or the part of "e" that is not of this form with a divisor of 1. */
const struct expr *find_linear(const struct expr *e, struct linear *linear);
/* .. that is not of this form at the points of "lattice", or NULL for all points. */
const struct expr *find_quotient(const struct expr *e,
	const struct lattice *lattice, struct linear *linear);
/* Is there no remainder at the points of "lattice"? */
bool quotient_is_exact(const struct linear *a, const struct lattice *lattice);
/* Is the division "e" one of a sum that may be negative, so that C rounds it up? */
bool quotient_rounds_up(const struct expr *e, const struct lattice *lattice,
	struct linear *sum);

/* subscript.c --------------------------------------------------------------*/

/* Dimension "i" of "a" by its subscript "e", of which "value" is the form; false after a
 * diagnostic.
 */
bool find_index(struct context *c, struct ast_expr *e,
	const struct expr *value, struct access *a, int i);

/* lattice.c ----------------------------------------------------------------*/

/* What is known of index "dim" of the statement of "c". */
struct line *lattice_line(struct context *c, int dim);
/* Has a subscript on the left of "u" a factor? */
bool is_strided(const struct update *u);
/* False after a diagnostic if "u" has, and is to become part of another statement, or
 * "of" is one that has.
 */
bool check_strided(struct lower *l, const struct update *u,
	const struct statement *of);
/* What the index "x" of dimension "dim" means in "c". */
const struct expr *index_counted(struct context *c, int dim,
	const struct expr *x);
/* The conditions of the left-hand side become those of the statement of "c", which has
 * room for them; what all of them say of its points becomes known.
 */
void note_lattice(struct context *c);

#endif

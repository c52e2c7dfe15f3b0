/* Values computed once, for all evaluations that have them in common. */
#ifndef STENCILC_ONCE_H
#define STENCILC_ONCE_H

#include "codegen/tree/names.h"
#include "codegen/tree/tree.h"

/* At most so many values for a loop or a block: each takes a register.  Tiles with more columns
 * recompute the others.
 */
enum { MOST_ONCE = 24, MOST_IN_C = 8 };

/* Names that were made for such values. */
struct once_made {
	struct kx *name;	/* of the expression that replaces each use */
	struct once_made *next;
};

/* Statements, and the values computed before them. */
struct once {
	struct kunit *unit;
	struct once_made **made;
	const struct kernel_names *kernel;	/* in a GPU's kernel; C: NULL */
	struct ks *const *in;
	int n_in;
	struct ks *declarations;
	int n;
	const struct kx *value[MOST_ONCE];
	const struct kx *name[MOST_ONCE];
};

/* once.c ----------------------------------------------------------------- */

/* Compute before a loop of "f", in C, what none of its iterations changes: functions of
 * <math.h> and elements of inputs.
 */
void once_before_loops(struct kunit *unit, struct kfunc *f);
/* Likewise functions and divisions in the body of a kernel, and, before straight code, what
 * that needs repeatedly.
 */
void once_in_kernel(struct kunit *unit, const struct kernel_names *names,
	struct ks *body);

/* Does "x" contain a call, or another slow operation? */
bool once_is_worth_it(const struct once *o, const struct kx *x);
/* "x", a real number, as computed before the statements, with their constants replaced by
 * values; NULL if it is not the same there, or contains a load that might not be allowed.
 */
const struct kx *once_before(const struct once *o, const struct kx *x);
/* A new name for "x", declared in "declarations". */
const struct kx *once_name(struct once *o, struct ks *declarations,
	const struct kx *x);
/* "x" with the result of "name_of" in place of each operand for which it is not NULL; outer
 * operands first.
 */
const struct kx *once_rewrite(struct once *o, const struct kx *x,
	const struct kx *(*name_of)(struct once *o, const struct kx *x));

/* once_straight.c -------------------------------------------------------- */

/* Compute what the blocks in "s", outer ones first, need repeatedly before its first use. */
void once_in_blocks(const struct once *all, struct ks *s);

#endif

/* Values that are computed once, for all evaluations that have them in common. */
#ifndef STENCILC_ONCE_H
#define STENCILC_ONCE_H

#include "codegen/tree/names.h"
#include "codegen/tree/tree.h"

/* Values of a loop or of a block at most: each takes a register.  Tiles with more columns
 * than that compute those of the others again.
 */
enum { MOST_ONCE = 24, MOST_IN_C = 8 };

/* Names that were made for such values. */
struct once_made {
	struct kx *name;	/* in the place of each use */
	struct once_made *next;
};

/* Statements, and what is computed before them. */
struct once {
	struct kunit *unit;
	struct once_made **made;
	const struct kernel_names *kernel;	/* of a GPU's kernel; C: NULL */
	struct ks *const *in;
	int n_in;
	struct ks *declarations;
	int n;
	const struct kx *value[MOST_ONCE];
	const struct kx *name[MOST_ONCE];
};

/* once.c ----------------------------------------------------------------- */

/* Compute what no iteration of a loop of "f", in C, changes before it: functions of
 * <math.h> and elements of inputs.
 */
void once_before_loops(struct kunit *unit, struct kfunc *f);
/* Likewise functions and divisions in the body of a kernel, and before straight code what
 * that needs again and again.
 */
void once_in_kernel(struct kunit *unit, const struct kernel_names *names,
	struct ks *body);

/* Has "x" a call, or what else takes long, in it? */
bool once_is_worth_it(const struct once *o, const struct kx *x);
/* "x", a real number, as it is computed before the statements, with what those declare as
 * constants in its place; NULL if it is not the same there, or a load that nobody may
 * ask for.
 */
const struct kx *once_before(const struct once *o, const struct kx *x);
/* A new name for "x"; "declarations" declares it. */
const struct kx *once_name(struct once *o, struct ks *declarations,
	const struct kx *x);
/* "x" with what "name_of" gives in the place of each operand for which that is not NULL;
 * outer ones first.
 */
const struct kx *once_rewrite(struct once *o, const struct kx *x,
	const struct kx *(*name_of)(struct once *o, const struct kx *x));

/* once_straight.c -------------------------------------------------------- */

/* What the blocks in "s", outer ones first, need again and again is computed before its
 * first use.
 */
void once_in_blocks(const struct once *all, struct ks *s);

#endif

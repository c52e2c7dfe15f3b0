/* Which cell a read of the program means, and which value if there is none: what its boundaries
 * say about cells beyond the grid.
 */
#ifndef STENCILC_VERIFY_BEYOND_H
#define STENCILC_VERIFY_BEYOND_H

#include "verify/code/code.h"

/* An instance of "stmt" at a point of the code: { [] -> [x] }, by dimension. */
struct instance {
	struct code *w;
	const struct stmt *stmt;
	isl_pw_aff *x[IR_MAX_DIMS];	/* owned by the checker */
};

/* The cell along dimension "d" that "acc" reads at the point. */
__isl_give isl_pw_aff *subscript(const struct instance *i,
	const struct access *acc, int d);
/* { [] : the cell "is" does not stand for what "acc" reads along "d" } */
__isl_give isl_set *differs(const struct instance *i, const struct access *acc,
	int d, __isl_keep isl_pw_aff *is);
/* { [] : the value read has the cell's sign turned, and "minus" does not say so; or the other
 * way round }
 */
__isl_give isl_set *wrong_sign(const struct instance *i,
	const struct access *acc, bool minus);
/* { [] : "is" is not coordinate "d" of the cell that "acc" reads, as used in the value of its
 * boundary in dimension "own", see struct boundary; in the grid if "is_near" }
 */
__isl_give isl_set *differs_in_value(const struct instance *i,
	const struct access *acc, int own, int d, bool is_near,
	__isl_keep isl_pw_aff *is);
/* { [] in "set" : "acc" does not read the boundary's value at one of the sides "which", bit
 * SIDES*d + side }
 */
__isl_give isl_set *without_values(const struct instance *i,
	__isl_take isl_set *set, const struct access *acc, unsigned which);

#endif

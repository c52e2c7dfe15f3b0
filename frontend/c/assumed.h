/* Conditions on parameters that the emitted file asks for, else the loops run as they are, and that the program
 * may assume.
 */
#ifndef STENCILC_ASSUMED_H
#define STENCILC_ASSUMED_H

#include "frontend/c/stencil.h"

/* A sum of parameters that is not negative, or 0 if "is_equal". */
struct c_assumed {
	struct poly sum;
	bool is_equal;
	struct c_assumed *next;
};

/* An access that leaves its array for some parameters. */
struct c_leave {
	const struct c_access *access;
	const char *condition;		/* in C */
	struct c_leave *next;
};

/* leaves.c: let the emitted file first test "text", a condition. */
struct c_asked *ask_for(struct stencil *s, const char *text);
/* Likewise, whether it is called for "params"; false if it cannot. */
bool ask_for_rows(struct stencil *s, __isl_take isl_set *params);
/* "set", owned by the region, so that nobody need free it. */
isl_set *set_kept(struct stencil *s, __isl_take isl_set *set);

/* assumed.c: likewise, and from here on assume "params", where "used", { params } as well, holds. */
bool ask_and_assume(struct stencil *s, __isl_take isl_set *params,
	__isl_take isl_set *used);
/* Likewise, that some parameters are greater than in "params". */
bool assume_beyond(struct stencil *s, __isl_take isl_set *params);
/* The parts of { params } in which a parameter is small, so that this can exclude them. */
__isl_give isl_set *small_sizes(__isl_take isl_set *params);

/* "aff", of parameters; false if it is no sum of integers, or too large. */
bool poly_of_aff(struct stencil *s, __isl_keep isl_aff *aff, struct poly *p);

#endif

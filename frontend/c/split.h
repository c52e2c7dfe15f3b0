/* Linear arrays, A[i*M + j], as rows. */
#ifndef STENCILC_SPLIT_H
#define STENCILC_SPLIT_H

#include "frontend/c/stencil.h"

/* split.c: find the rows of "f", if it is a linear array, and rewrite its accesses, one subscript for each
 * dimension; false after a diagnostic.
 */
bool split_field(struct stencil *s, struct c_field *f);
/* Is "e", a subscript in a list, a place, made of ints that arrays have, as si[p] and si[p] * m + sj[p]?  Until
 * the field is split variables stand for these in "sum".
 */
bool listed_place(struct stencil *s, struct c_expr *e, struct poly *sum);
/* Is "e", a linear subscript that is read, a sum with parts that turn back, (i + 1) % n * m + j?  "is_near" says
 * which neighbour's subscript a part is.
 */
bool turns_back(struct stencil *s, struct c_expr *e, struct poly *sum,
	bool (*is_near)(const struct stencil *s, const struct c_expr *e,
		struct poly *near));

#endif

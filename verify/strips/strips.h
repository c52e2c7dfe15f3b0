/* What the proof shows of strips. */
#ifndef STENCILC_VERIFY_STRIPS_H
#define STENCILC_VERIFY_STRIPS_H

#include "schedule/stream.h"
#include "verify/checker.h"

/* { [T, copy, x] : 0 <= T*steps < steps of the program, copy = depth*(T + 1) -
 * v, x in the grid }
 */
__isl_give isl_set *cells_of_strips(struct checker *c, const struct plan *plan,
	const struct field *f);

#endif

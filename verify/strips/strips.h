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

/* parts.c: Call "read" for each read of a state in the value of "stmt", with the number of
 * iterations between it and the statement, where parts of the value are computed by earlier
 * iterations.  False after a refutation, or where "read" returns false.
 */
bool each_early_read(struct checker *c, const struct stream *s,
	const struct stmt *stmt, bool (*read)(void *user,
		const struct access *acc, int early), void *user);

#endif

/* By how much statements move a pointer. */
#ifndef STENCILC_VERIFY_ADVANCE_H
#define STENCILC_VERIFY_ADVANCE_H

#include "verify/code/code.h"

/* A pointer moves so many times by "by", or in an unknown way. */
struct advance {
	bool known;
	int64_t count;
	const struct kx *by;
};

/* name = name + by */
struct advance advance_by_assignment(const struct ks *s, const char *name);
/* All of "s". */
struct advance advance_of(const struct ks *s, const char *name);
/* The number of trips of for (name = first; name < end; name += step); -1:
 * unknown.
 */
int64_t trips_of(const struct ks *s);

#endif

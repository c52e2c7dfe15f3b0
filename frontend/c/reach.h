/* How far reads at one place reach: of many, as those of a high order, a few are the farthest. */
#ifndef STENCILC_REACH_H
#define STENCILC_REACH_H

#include "frontend/c/stencil.h"

struct c_reach;
/* Does each subscript of "a" lie between those of accesses to its field at its place that "all", a list which begins
 * with NULL, has noted?  Else it notes "a".  What leaves the array by "a" then leaves it by these.
 */
bool is_within_reach(struct stencil *s, struct c_reach **all, const struct c_access *a);

#endif

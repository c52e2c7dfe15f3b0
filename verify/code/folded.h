/* Code for points whose coordinates are numbers has what integers come to: a number, what a
 * choice chooses, a sum whose numbers are one.
 */
#ifndef STENCILC_VERIFY_FOLDED_H
#define STENCILC_VERIFY_FOLDED_H

#include "verify/code/trees.h"

/* Is "x" what "e" comes to at the place of "t"? */
bool is_folded(struct trees *t, const struct kx *x, const struct expr *e);

#endif

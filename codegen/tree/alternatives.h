/* Values computed before one of them is chosen. */
#ifndef STENCILC_ALTERNATIVES_H
#define STENCILC_ALTERNATIVES_H

#include "codegen/tree/tree.h"

/* Name in "f", a function of C, what choices in loops of vectors are among, if all of it may be
 * computed.
 */
void compute_alternatives(struct kunit *unit, struct kfunc *f);

/* Is "s" a directive that asks for vectors in the loop that follows? */
bool ks_asks_for_vectors(const struct ks *s);

#endif

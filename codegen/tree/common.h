/* Values that several statements have in common. */
#ifndef STENCILC_COMMON_H
#define STENCILC_COMMON_H

#include "codegen/tree/tree.h"

/* The statements "all", each an assignment behind declarations of constants, of which none reads
 * what another one stores, with a name for each real value that several of their operations use: it
 * is computed once, before all of them.  What is evaluated under a condition alone stays there,
 * if that asks for the place, or if, with "is_mapped", cells may be read that do not exist.  Adds to "operations" how many real ones
 * are left.
 */
struct ks *ks_with_common(struct region *r, const struct program *prog,
	const struct ks *all, bool is_mapped, double *operations);

#endif

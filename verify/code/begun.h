/* Iterations of a strip before the first one that stores: those that come before others, in a loop
 * of their own.  It runs where all positions that it loads lie in the grid:
 *
 *	if (begins_inside)
 *		for (int n = first; n < end; n += period)
 *			..
 *	for (int n = begins_inside ? end : first; ..; n += period)
 *
 * Each of these iterations is executed as a number, so that conditions that leave out steps are
 * known.  What a step leaves out, or computes from what another one left out, must be cells on which
 * nothing stored depends.
 */
#ifndef STENCILC_VERIFY_BEGUN_H
#define STENCILC_VERIFY_BEGUN_H

#include "verify/code/registers.h"

/* The loop over these, if "s" is the condition around it; or NULL. */
const struct ks *loop_before_others(const struct lanes *l, const struct ks *s);
/* Execute them by "run_period": l->loop.begun tells what registers then hold.  Others begin with what was
 * there before, or with that.
 */
bool run_before_others(struct lanes *l, const struct ks *s,
	bool (*run_period)(struct lanes *l, const struct ks *s));
/* Do other iterations begin with "x", behind these? */
bool begins_behind(const struct lanes *l, const struct kx *x);
/* Does register number "i" hold "h" behind these, or something that nobody needs? */
bool fits_begun(struct lanes *l, int i, const struct held *h);

#endif

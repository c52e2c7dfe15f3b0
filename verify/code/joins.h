/* What registers hold where ways through the code of a strip meet. */
#ifndef STENCILC_VERIFY_JOINS_H
#define STENCILC_VERIFY_JOINS_H

#include "verify/code/registers.h"

/* All registers that changed since there were "n" changes, and what they hold. */
struct change *changed_since(struct lanes *l, int n);
/* One branch left "n_held" registers with "held"; the other one has changed what was changed
 * since there were "n" changes, and l->way says that it was taken.
 */
void join_branches(struct lanes *l, int n, const struct change *held,
	int n_held);
/* Does a register that holds "first" before the first iteration hold "h" there, or something
 * that nobody needs?
 */
bool fits_first(struct lanes *l, const struct held *first,
	const struct held *h);
bool same_all(const struct held *a, const struct held *b, int n);
/* What all "n" registers hold. */
struct held *copy_held(struct lanes *l, int *n);
void hold_all(struct lanes *l, const struct held *all);
/* Nobody takes anything between the last barrier and the next strip, which writes there. */
bool is_settled(const struct held *all, int n);

#endif

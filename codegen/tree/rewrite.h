/* Expressions with others in the place of their operands. */
#ifndef STENCILC_REWRITE_H
#define STENCILC_REWRITE_H

#include "codegen/tree/tree.h"

/* "x" with of(user, operand) in the place of each operand; "x" itself if that changes
 * none.
 */
const struct kx *kx_with_operands(struct region *r, const struct kx *x,
	const struct kx *(*of)(const void *user, const struct kx *operand),
	const void *user);

#endif

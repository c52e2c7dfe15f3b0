/* Expressions with operands replaced. */
#ifndef STENCILC_REWRITE_H
#define STENCILC_REWRITE_H

#include "codegen/tree/tree.h"

/* "x" with each operand replaced by of(user, operand); "x" itself if none changes. */
const struct kx *kx_with_operands(struct region *r, const struct kx *x,
	const struct kx *(*of)(const void *user, const struct kx *operand),
	const void *user);

#endif

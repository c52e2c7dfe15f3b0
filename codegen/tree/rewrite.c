/* Expressions with operands replaced. */
#include <string.h>

#include "codegen/tree/rewrite.h"

const struct kx *kx_with_operands(struct region *r, const struct kx *x,
	const struct kx *(*of)(const void *user, const struct kx *operand),
	const void *user)
{
	const struct kx **args = NULL;
	struct kx *copy = NULL;

	for (int i = 0; i < x->n_args; i++) {
		const struct kx *arg = of(user, x->arg[i]);

		if (arg == x->arg[i])
			continue;
		if (!copy) {
			copy = region_new_of(r, struct kx);
			*copy = *x;
			args = region_array(r, const struct kx *, x->n_args);
			memcpy(args, x->arg, (size_t) x->n_args * sizeof(*args));
			copy->arg = args;
		}
		args[i] = arg;
	}
	return copy ? copy : x;
}

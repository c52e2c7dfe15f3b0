/* Roots and divisions as calls of a GPU's approximations: root_helpers.c. */
#include "codegen/tree/lower.h"

static struct kx *call_of(const struct binding *b, enum builtin builtin,
	const struct expr *e, const struct expr *arg)
{
	struct kx *x = kx_builtin(b->mem, builtin, 1, kx_of_expr(b, arg));

	x->c_type = ctype_of(e->type);
	x->type = e->type;
	x->of = e;
	return x;
}

/* "times" e->arg[0], with the place of "e" */
static const struct kx *multiple(const struct binding *b,
	const struct expr *e, const struct kx *times)
{
	const struct kx *arg[2] = { kx_of_expr(b, e->arg[0]), times };
	struct kx *x;

	if (expr_is_one(e->arg[0]))
		return times;
	x = kx_of_kind(b->mem, KX_BINARY, NULL, 2, arg);
	x->op = OP_MUL;
	x->type = e->type;
	x->of = e;
	return x;
}

static const struct kx *inverse_number(const struct binding *b,
	const struct expr *e)
{
	struct kx *x = kx_of_kind(b->mem, KX_REAL, NULL, 0, NULL);

	x->type = e->type;
	x->rvalue = expr_by_number(e);
	return x;
}

const struct kx *kx_approximated(const struct binding *b,
	const struct expr *e)
{
	bool fast = b->prog->fast_roots;
	enum root root = fast || b->prog->reassociated ? expr_root(e) :
		ROOT_NONE;

	if (root == ROOT_OVER)
		return multiple(b, e, call_of(b, B_OVER_ROOT, e,
			e->arg[1]->arg[0]));
	if (!fast || root == ROOT_NONE)
		return NULL;
	if (root == ROOT_SQUARE)
		return call_of(b, B_ROOT, e, e->arg[0]);
	return multiple(b, e, root == ROOT_BY_NUMBER ? inverse_number(b, e) :
		call_of(b, B_INVERSE, e, e->arg[1]));
}

/* Variables to which code adds, as the parts of a long sum: what they hold, as one expression. */
#include <string.h>

#include "codegen/tree/rewrite.h"
#include "verify/code/code.h"

struct replaced {
	struct region *mem;
	const char *name;
	const struct kx *is;
};

/* "x" with what the variable is in place of its name. */
static const struct kx *replace(const void *user, const struct kx *x)
{
	const struct replaced *r = user;

	return x->kind == KX_NAME && !strcmp(x->name, r->name) ? r->is :
		kx_with_operands(r->mem, x, replace, r);
}

/* What is known by the name of "v" is not so any longer. */
static void forget_users(const struct code *w, const struct variable *v)
{
	for (const struct variable *u = w->known; u; u = u->next)
		if (u != v && u->is && kx_uses(u->is, v->name))
			((struct variable *) u)->is = NULL;
}

const struct kx *value_assigned(struct code *w, const struct variable *v,
	const struct kx *x)
{
	const struct replaced r = { w->c->mem, v->name, v->is };

	if (!v->is_assigned)
		return x;
	forget_users(w, v);
	return v->is && kx_uses(x, v->name) ? replace(&r, x) : NULL;
}

/* Functions: their parameters, and calls of them. */
#include <string.h>

#include "codegen/tree/tree.h"

void kfunc_add_param(struct region *r, struct kfunc *f, struct kparam param)
{
	if (f->n_params == f->capacity) {
		int capacity = f->capacity ? 2 * f->capacity : 8;
		struct kparam *grown = region_array(r, struct kparam,
			capacity);

		if (f->n_params)
			memcpy(grown, f->param,
				sizeof(*grown) * (size_t) f->n_params);
		f->param = grown;
		f->capacity = capacity;
	}
	f->param[f->n_params++] = param;
}

void kfunc_add_int(struct region *r, struct kfunc *f, const char *name)
{
	kfunc_add_param(r, f, (struct kparam) { .c_type = ctype(CT_INT),
		.name = name });
}

static bool is_used(const struct kfunc *f, int param)
{
	const char *name = f->param[param].name;

	if (ks_uses(f->body, name))
		return true;
	for (int i = param + 1; i < f->n_params; i++)
		for (int j = 0; j < f->param[i].n_extents; j++)
			if (kx_uses(f->param[i].extent[j], name))
				return true;
	return false;
}

/* The last parameter first: sizes of arrays stand before them. */
void kfunc_drop_unused(struct kfunc *f)
{
	for (int i = f->n_params - 1; i >= 0; i--) {
		if (is_used(f, i))
			continue;
		f->n_params--;
		memmove(&f->param[i], &f->param[i + 1],
			sizeof(*f->param) * (size_t) (f->n_params - i));
	}
}

void kfunc_mention_unused(struct region *r, struct kfunc *f)
{
	struct ks *block = ks_block(r);

	for (int i = 0; i < f->n_params; i++) {
		const char *name = f->param[i].name;

		if (!ks_uses(f->body, name))
			ks_add(r, block, ks_expression(r, KS_EXPRESSION,
				kx_cast(r, ctype(CT_VOID), kx_name(r, name))));
	}
	ks_add(r, block, f->body);
	f->body = block;
}

const struct kx *kfunc_call(struct region *r, const struct kfunc *f,
	const struct kx *(*value)(const void *user, const char *param),
	const void *user)
{
	const struct kx **arg = region_array(r, const struct kx *,
		f->n_params + 1);

	for (int i = 0; i < f->n_params; i++) {
		const char *param = f->param[i].name;

		arg[i] = value ? value(user, param) : NULL;
		if (!arg[i])
			arg[i] = kx_name(r, param);
	}
	return kx_of_kind(r, KX_CALL, f->name, f->n_params, arg);
}

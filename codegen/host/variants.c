/* Kernels in several sizes:
 *
 *	NAME_choose(multiprocessors, params, &variant)	the one that suits the device and
 *							the grid, by the model
 *	NAME_run0(), NAME_run1(), ..		all steps by one variant
 *	NAME_run()				by the chosen one
 */
#include <string.h>

#include "codegen/host/variants.h"

static const char *fresh(const struct host *h, const char *s)
{
	return fresh_name(h->mem, h->prog, "%s", s);
}

const struct tile_variants *host_variants(const struct host *h)
{
	return h->plan ? h->plan->tiles.variants : NULL;
}

/* if (multiprocessors <= 0) ask the current device */
static struct ks *ask_device(const struct host *h, const char *multiprocessors)
{
	const char *device = fresh(h, "device");
	struct ks *b = ks_scope(h->mem);
	const struct kx *error = name(h, h->error);

	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), device,
		integer(h, 0)));
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_ERROR), h->error,
		kx_builtin(h->mem, RT_DEVICE, 1, kx_address(h->mem, name(h,
			device)))));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_EQ, error, kx_builtin(h->mem,
		W_SUCCESS, 0)), ks_assign(h->mem, error, kx_builtin(h->mem,
		RT_ASK_DEVICE, 3, kx_address(h->mem, name(h, multiprocessors)),
		kx_builtin(h->mem, W_MULTIPROCESSORS, 0), name(h, device))),
		NULL));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_NE, error, kx_builtin(h->mem,
		W_SUCCESS, 0)), ks_expression(h->mem, KS_RETURN, kx_cast(
		h->mem, ctype(CT_INT), error)), NULL));
	return ks_if(h->mem, op(h, OP_LE, name(h, multiprocessors), integer(h,
		0)), b, NULL);
}

static void declare_table(const struct host *h, struct ks *b,
	const char *table, const char *sizes)
{
	const struct tile_variants *v = host_variants(h);
	int n = v->n_rows * (v->n_params + 2);
	const struct kx **x = region_array(h->mem, const struct kx *, n +
		v->n_params);
	struct ks *list;

	for (int i = 0; i < n; i++)
		x[i] = integer(h, v->row[i]);
	list = ks_list(h->mem, ctype_const(CT_INT), table, n, x);
	list->is_static = true;
	ks_add(h->mem, b, ks_comment(h->mem, "Of each row: multiprocessors, "
		"sizes, and the variant that is the fastest there."));
	ks_add(h->mem, b, list);
	for (int i = 0; i < v->n_params; i++)
		x[i] = name(h, v->param[i]->name);
	ks_add(h->mem, b, ks_list(h->mem, ctype_const(CT_INT), sizes,
		v->n_params, x));
}

struct kfunc *host_choose_variant(const struct host *h,
	const struct kfunc *check)
{
	const struct tile_variants *v = host_variants(h);
	struct kfunc *f = host_function(h, "%s_choose", ctype(CT_INT));
	const char *variant = fresh(h, "variant"), *table = fresh(h, "chosen");
	const char *multiprocessors = fresh(h, "multiprocessors");
	const char *sizes = fresh(h, "sizes");
	const struct kx *arg[] = {
		name(h, table), integer(h, v->n_rows), name(h, sizes),
		integer(h, v->n_params), name(h, multiprocessors),
	};

	f->comment = region_printf(h->mem, "The variant, 0 to %d, for so many "
		"multiprocessors, 0: those of the device at hand, and\nthese "
		"sizes.", v->n - 1);
	f->is_exported = true;
	kfunc_add_int(h->mem, f, multiprocessors);
	host_add_params_of_all(h, f);
	kfunc_add_param(h->mem, f, (struct kparam) { .name = variant,
		.c_type = ctype_pointer(CT_INT, false) });
	host_check_first(h, f->body, check);
	ks_add(h->mem, f->body, ask_device(h, multiprocessors));
	declare_table(h, f->body, table, sizes);
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, f->body, ks_assign(h->mem, kx_builtin(h->mem,
		B_DEREFERENCE, 1, name(h, variant)), kx_of_kind(h->mem,
		KX_CALL, "stencilc_variant", 5, arg)));
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		integer(h, 0)));
	kfunc_mention_unused(h->mem, f);
	return f;
}

static const struct kx *argument_of_choose(const void *user, const char *param)
{
	const struct host *h = user;

	if (!strcmp(param, fresh(h, "multiprocessors")))
		return integer(h, 0);
	if (!strcmp(param, fresh(h, "variant")))
		return kx_address(h->mem, name(h, fresh(h, "variant")));
	return NULL;
}

struct kfunc *host_run_variant(const struct host *h,
	const struct kfunc *choose, struct kfunc *const *run)
{
	struct kfunc *f = host_function(h, host_run_name(h), ctype(CT_INT));
	const struct kx *variant = name(h, fresh(h, "variant"));
	int n = host_variants(h)->n;

	f->is_static = true;
	f->comment = "All steps, by the kernels of the variant chosen.";
	host_add_run_params(h, f);
	ks_add(h->mem, f->body, ks_declare(h->mem, ctype(CT_INT), variant->name,
		integer(h, 0)));
	host_declare_int(h, f->body, h->status, kfunc_call(h->mem, choose,
		argument_of_choose, h));
	ks_add(h->mem, f->body, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, f->body, ks_if(h->mem, name(h, h->status),
		ks_expression(h->mem, KS_RETURN, name(h, h->status)), NULL));
	if (h->unit->harness)
		ks_add(h->mem, f->body, ks_if(h->mem, op(h, OP_GE, name(h,
			"harness_variant"), integer(h, 0)), ks_assign(h->mem,
			variant, name(h, "harness_variant")), NULL));
	for (int v = 1; v < n; v++)
		ks_add(h->mem, f->body, ks_if(h->mem, op(h, OP_EQ, variant,
			integer(h, v)), ks_expression(h->mem, KS_RETURN,
				kfunc_call(h->mem, run[v], NULL, NULL)),
				NULL));
	ks_add(h->mem, f->body, ks_expression(h->mem, KS_RETURN,
		kfunc_call(h->mem, run[0], NULL, NULL)));
	kfunc_drop_unused(f);
	return f;
}

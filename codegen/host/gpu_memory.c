/* Device memory for a run on a GPU: how much the run needs, and a run that allocates it. */
#include <string.h>

#include "codegen/host/host.h"
#include "codegen/host/reductions.h"

struct kfunc *gpu_memory(const struct host *h, const struct kfunc *check,
	struct kfunc *const *kernels)
{
	struct kfunc *f = host_function(h, "%s_memory", ctype(CT_SIZE));
	const struct kx *bytes = host_buffers_bytes(h, kernels);
	struct ks *leave;

	if (h->prog->segments)
		bytes = op(h, OP_ADD, bytes, gpu_segments_bytes(h));
	leave = ks_expression(h->mem, KS_RETURN, bytes);
	f->comment = region_printf(h->mem, "The bytes that "
		"%s_device_with_memory() needs.", h->prog->name);
	f->is_exported = true;
	host_add_params_of_all(h, f);
	host_return_if(h, f->body, host_check_call(h, check), 0);
	host_declare_sizes(h, f->body, leave, kernels);
	ks_add(h->mem, f->body, leave);
	kfunc_mention_unused(h->mem, f);
	return f;
}

static const struct kx *argument_in_own(const void *user, const char *param)
{
	const struct host *h = user;

	if (!strcmp(param, h->in_place))
		return name(h, "false");
	return strcmp(param, h->memory) ? NULL : kx_cast(h->mem,
		ctype_pointer(CT_CHAR, false), name(h, h->memory));
}

/* if (bytes > 0) allocate; status = NAME_steps(.., memory); out: give it back */
static void add_run(const struct host *h, struct ks *b,
	const struct kfunc *memory, const struct kfunc *run)
{
	const struct kx *bytes = name(h, fresh_name(h->mem, h->prog, "bytes"));
	const struct kx *own = name(h, h->memory), *fails;

	ks_add(h->mem, b, ks_declare(h->mem, ctype_const(CT_SIZE), bytes->name,
		kfunc_call(h->mem, memory, NULL, NULL)));
	ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(CT_VOID, false),
		own->name, kx_builtin(h->mem, W_NULL, 0)));
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), h->status,
		integer(h, 0)));
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_ERROR), h->error,
		kx_builtin(h->mem, W_SUCCESS, 0)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_GT, bytes, integer(h, 0)),
		host_checked(h, kx_builtin(h->mem, RT_NEW, 3, kx_address(
			h->mem, own), bytes, name(h, h->stream))), NULL));
	ks_add(h->mem, b, ks_assign(h->mem, name(h, h->status), kfunc_call(
		h->mem, run, argument_in_own, h)));
	ks_add(h->mem, b, ks_simple(h->mem, KS_LABEL))->name = h->out;
	fails = op(h, OP_NE, kx_builtin(h->mem, RT_DELETE, 2, own, name(h,
		h->stream)), kx_builtin(h->mem, W_SUCCESS, 0));
	ks_add(h->mem, b, ks_if(h->mem, op(h, OP_AND, own, fails),
		ks_expression(h->mem, KS_EXPRESSION, kx_builtin(h->mem,
			RT_LAST_ERROR, 0)), NULL));
	ks_add(h->mem, b, ks_expression(h->mem, KS_RETURN, kx_select(h->mem,
		op(h, OP_NE, name(h, h->error), kx_builtin(h->mem, W_SUCCESS,
			0)), kx_cast(h->mem, ctype(CT_INT), name(h, h->error)),
		name(h, h->status))));
}

struct kfunc *gpu_own_memory(const struct host *h, const struct kfunc *memory,
	const struct kfunc *run)
{
	struct kfunc *f = host_function(h, "%s_own_memory", ctype(CT_INT));

	f->is_static = true;
	f->comment = "All steps, in device memory of its own.";
	host_add_run_params(h, f);
	add_run(h, f->body, memory, run);
	kfunc_drop_unused(f);
	return f;
}

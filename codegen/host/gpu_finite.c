/* --check-finite: after its kernel, a run fetches the value of a check, waits for it, and
 * leaves if it is not 0.
 */
#include "codegen/host/gpu_finite.h"
#include "codegen/host/gpu_reduce.h"

static bool is_check(const struct host *h, int i)
{
	return h->prog->reduction[i]->is_check;
}

static const char *newest_name(const struct host *h, int i)
{
	return fresh_name(h->mem, h->prog, "broken%d_newest", i);
}

static const struct kx *bytes_of_one(const struct host *h)
{
	return kx_sizeof(h->mem, ctype(CT_INT));
}

static void declare_zero(const struct host *h, struct ks *b, const char *var)
{
	ks_add(h->mem, b, ks_declare(h->mem, ctype(CT_INT), var, kx_int(h->mem,
		0)));
}

void gpu_declare_checks(const struct host *h, struct ks *b)
{
	for (int i = 0; i < h->prog->n_reductions; i++) {
		if (!is_check(h, i))
			continue;
		ks_add(h->mem, b, ks_declare(h->mem, ctype_pointer(CT_INT,
			false), gpu_broken_name(h, i), kx_builtin(h->mem,
				W_NULL, 0)));
		declare_zero(h, b, newest_name(h, i));
	}
	if (program_has_checks(h->prog) && h->prog->n_lists == 0)
		declare_zero(h, b, h->status);
}

void gpu_new_check(const struct host *h, struct ks *b, int i)
{
	if (is_check(h, i))
		host_new_buffer(h, b, gpu_broken_name(h, i), CT_INT,
			bytes_of_one(h));
}

const struct kx *gpu_check_bytes(const struct host *h, int i)
{
	return is_check(h, i) ? host_part(h, bytes_of_one(h)) : NULL;
}

void gpu_free_check(const struct host *h, struct ks *b, int i)
{
	if (is_check(h, i))
		host_free_buffer(h, b, gpu_broken_name(h, i));
}

void gpu_leave_if_broken(const struct host *h, struct ks *b, int i)
{
	const struct kx *newest = kx_name(h->mem, newest_name(h, i));
	struct ks *leave = ks_block(h->mem);

	if (!is_check(h, i))
		return;
	ks_add(h->mem, b, gpu_fetch(h, newest->name, gpu_broken_name(h, i),
		CT_INT));
	ks_add(h->mem, b, host_checked(h, kx_builtin(h->mem,
		RT_WAIT_FOR_STREAM, 1, kx_name(h->mem, h->stream))));
	ks_add(h->mem, leave, ks_assign(h->mem, kx_name(h->mem, h->status), integer(h,
		STATUS_NOT_FINITE)));
	ks_add(h->mem, leave, ks_simple(h->mem, KS_GOTO))->name = h->out;
	ks_add(h->mem, b, ks_if(h->mem, kx_binary(h->mem, OP_GT, newest, kx_int(h->mem, 0)),
		leave, NULL));
}

struct ks *gpu_fetch(const struct host *h, const char *to, const char *from,
	enum scalar scalar)
{
	return host_checked(h, kx_builtin(h->mem, RT_COPY, 5, kx_address(h->mem,
		kx_name(h->mem, to)), kx_name(h->mem, from), kx_sizeof(h->mem, ctype(scalar)),
		kx_builtin(h->mem, W_ANY_WAY, 0), kx_name(h->mem, h->stream)));
}

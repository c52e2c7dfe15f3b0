/* Devices of one language differ in the threads of a warp: kernels whose lanes cooperate are
 * made for one number.
 */
#include "codegen/host/host.h"

struct ks *host_ask_lanes(const struct host *h)
{
	const char *device = fresh_name(h->mem, h->prog, "device");
	const char *lanes = fresh_name(h->mem, h->prog, "lanes");
	struct ks *block = ks_scope(h->mem);

	ks_add(h->mem, block, ks_declare(h->mem, ctype(CT_INT), device,
		integer(h, 0)));
	ks_add(h->mem, block, ks_declare(h->mem, ctype(CT_INT), lanes,
		integer(h, 0)));
	ks_add(h->mem, block, ks_simple(h->mem, KS_BLANK));
	ks_add(h->mem, block, host_checked(h, kx_builtin(h->mem, RT_DEVICE, 1,
		kx_address(h->mem, name(h, device)))));
	ks_add(h->mem, block, host_checked(h, kx_builtin(h->mem,
		RT_ASK_DEVICE, 3, kx_address(h->mem, name(h, lanes)),
		kx_builtin(h->mem, W_LANES, 0), name(h, device))));
	host_return_if(h, block, op(h, OP_NE, name(h, lanes),
		integer(h, h->unit->lanes)), STATUS_LANES);
	return block;
}

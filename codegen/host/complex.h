/* The caller's complex numbers on GPUs: complex.c. */
#ifndef STENCILC_HOST_COMPLEX_H
#define STENCILC_HOST_COMPLEX_H

#include "codegen/host/host.h"

/* Copy the part "f" of complex numbers in the host's memory to the array "own", or "back". */
struct ks *host_move_lanes(const struct host *h, const struct field *f,
	const char *own, bool back);
/* Kernels that do so on the device, and the launch of one. */
void host_append_spreads(const struct host *h);
struct ks *host_launch_spread(const struct host *h, const struct field *f,
	const struct kx *to, const struct kx *from);

#endif

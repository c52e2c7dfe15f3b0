/* Checks of values on GPUs: gpu_finite.c. */
#ifndef STENCILC_GPU_FINITE_H
#define STENCILC_GPU_FINITE_H

#include "codegen/host/reductions.h"

/* On the device: what the check "i" gives. */
const char *gpu_broken_name(const struct host *h, int i);
/* In a run: what checks declare; of reduction "i", if it is one, its memory, NULL if it needs
 * none, and the end of the run where a value is not finite.
 */
void gpu_declare_checks(const struct host *h, struct ks *b);
void gpu_new_check(const struct host *h, struct ks *b, int i);
const struct kx *gpu_check_bytes(const struct host *h, int i);
void gpu_free_check(const struct host *h, struct ks *b, int i);
void gpu_leave_if_broken(const struct host *h, struct ks *b, int i);
/* The number "to" of the host's becomes what is at "from" on the device; it is there once the
 * stream is waited for.
 */
struct ks *gpu_fetch(const struct host *h, const char *to, const char *from,
	enum scalar scalar);

#endif

/* Checks of values on GPUs: gpu_finite.c. */
#ifndef STENCILC_GPU_FINITE_H
#define STENCILC_GPU_FINITE_H

#include "codegen/host/reductions.h"

/* Parts of a run: declarations for checks; for reduction "i", if it is a check, its memory,
 * NULL if it needs none, and the end of the run where a value is not finite.
 */
void gpu_declare_checks(const struct host *h, struct ks *b);
void gpu_new_check(const struct host *h, struct ks *b, int i);
const struct kx *gpu_check_bytes(const struct host *h, int i);
void gpu_free_check(const struct host *h, struct ks *b, int i);
void gpu_leave_if_broken(const struct host *h, struct ks *b, int i);
/* Copy the device's number "from" to the host's number "to"; it arrives once the stream has
 * been waited for.
 */
struct ks *gpu_fetch(const struct host *h, const char *to, const char *from,
	enum scalar scalar);

#endif

/* Kernels in several sizes; a file for a GPU chooses among them as it runs. */
#ifndef STENCILC_CODEGEN_VARIANTS_H
#define STENCILC_CODEGEN_VARIANTS_H

#include "codegen/host/host.h"
#include "schedule/choice.h"

/* The variants of the plans of "h"; NULL: there is one size only. */
const struct tile_variants *host_variants(const struct host *h);

/* widths.c --------------------------------------------------------------- */

/* The kernel of "plan", of variants for any of its widths. */
struct kfunc *host_kernel(const struct host *h, const struct plan *plan, int index);
/* All steps of h->plan, likewise; *store is a function that it calls, or NULL. */
struct kfunc *host_run_of_kernels(const struct host *h,
	struct kfunc *const *kernels, struct kfunc **store);

/* variants.c ------------------------------------------------------------- */

struct kfunc *host_choose_variant(const struct host *h,
	const struct kfunc *check);
/* The run, which calls run[variant]. */
struct kfunc *host_run_variant(const struct host *h,
	const struct kfunc *choose, struct kfunc *const *run);

#endif

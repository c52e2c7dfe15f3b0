/* Kernels in several sizes; a file for a GPU chooses among them as it runs. */
#ifndef STENCILC_CODEGEN_VARIANTS_H
#define STENCILC_CODEGEN_VARIANTS_H

#include "codegen/host/host.h"
#include "schedule/choice.h"

/* The variants of the plans of "h"; NULL: there is one size only. */
const struct tile_variants *host_variants(const struct host *h);
struct kfunc *host_choose_variant(const struct host *h,
	const struct kfunc *check);
/* The run, which calls run[variant]. */
struct kfunc *host_run_variant(const struct host *h,
	const struct kfunc *choose, struct kfunc *const *run);

#endif

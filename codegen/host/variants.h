/* Kernels in several sizes, of which a file for a GPU takes one as it runs. */
#ifndef STENCILC_CODEGEN_VARIANTS_H
#define STENCILC_CODEGEN_VARIANTS_H

#include "codegen/host/host.h"
#include "schedule/choice.h"

/* Those of the plans of "h"; NULL: their sizes are all that there is. */
const struct tile_variants *host_variants(const struct host *h);
struct kfunc *host_choose_variant(const struct host *h,
	const struct kfunc *check);
/* The run, by run[variant]. */
struct kfunc *host_run_variant(const struct host *h,
	const struct kfunc *choose, struct kfunc *const *run);

#endif

/* What the files of the C target share. */
#ifndef STENCILC_CODEGEN_CPU_H
#define STENCILC_CODEGEN_CPU_H

#include "codegen/host.h"
#include "codegen/tile.h"

struct cpu {
	struct host h;
	struct builder b;	/* finds cells: versions by the time */
	struct plan sweeps;	/* its plan: a step of time is a tile */
};

/* cpu.c ----------------------------------------------------------------- */

/* An array of "copies" copies of "f" as a parameter: in the memory that the
 * code owns, whose rows are padded, or of the caller.
 */
struct kparam cpu_array(const struct host *h, const struct field *f,
	const char *var, int copies, bool owned);
struct ks *cpu_directive(const struct host *h, const char *text);
/* Keep the parameters that the body, or an array's extent, uses. */
void cpu_drop_unused(struct kfunc *f);

/* overlap.c ------------------------------------------------------------- */

/* All steps by overlapping tiles, in a parallel region, between "in" and
 * "out"; "tile" becomes the function for a tile, "failed" the variable that
 * says that a thread got no memory.
 */
void overlap_add_run(struct cpu *cpu, struct ks *region, struct kfunc **tile,
	const char *failed, struct ks *in, struct ks *out);
/* The copy that holds the result. */
const struct kx *overlap_last_copy(const struct host *h);

#endif

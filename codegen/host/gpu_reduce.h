/* Kernels that reduce, and how they are launched. */
#ifndef STENCILC_CODEGEN_GPU_REDUCE_H
#define STENCILC_CODEGEN_GPU_REDUCE_H

#include "codegen/host/reductions.h"

/* Launch "kernel"; where "argument" yields NULL the argument is called as the parameter.  Errors
 * are the caller's to look for.
 */
void gpu_launch(const struct host *h, struct ks *b, const struct kfunc *kernel,
	const struct kx *blocks, int threads,
	const struct kx *(*argument)(const void *user, const char *param),
	const void *user);
/* Blocks for a reduction with "n" values, a size_t. */
const struct kx *gpu_blocks_of_values(const struct host *h, const struct kx *n);

/* The pieces of all rows, a size_t. */
const struct kx *gpu_count_values(const struct reduced *r);
/* Parameters of gpu_reduction(): values of pieces; how many blocks are done. */
const char *gpu_values_name(const struct host *h, int i);
const char *gpu_arrived_name(const struct host *h);
/* .. the device variable for the value of check "i". */
const char *gpu_broken_name(const struct host *h, int i);

/* NAME_piecesN(params, first points and ends, as "own" names these, values): the kernel that leaves
 * the values of all pieces, and joins none.  The host is the user of "read", whose further
 * parameters the caller adds.
 */
struct kfunc *gpu_pieces_of_rank(const struct reduced *own, cpu_read *read);
void gpu_add_pointer(const struct host *h, struct kfunc *f, enum scalar scalar,
	const char *param);

#endif

/* What the files share that generate reductions of files with --mpi. */
#ifndef STENCILC_CODEGEN_MPI_REDUCE_H
#define STENCILC_CODEGEN_MPI_REDUCE_H

#include "codegen/host/mpi.h"
#include "codegen/host/reductions.h"

/* The ranks whose host is "h". */
static inline const struct mpi *mpi_of(const struct host *h)
{
	return (const struct mpi *) h;	/* its first member */
}

/* mpi_calls.c: the subscripts of "acc" at the point of "b", in the rank's block. */
void mpi_cell_in_block(const struct mpi *m, const struct binding *b,
	const struct access *acc, const struct kx **cell);

/* mpi_gpu_reduce.c: the kernel for a rank's points; in "f", which launches it, parameters for fields as
 * the block has them, and for the stream; last the values of all pieces, on the host.
 */
struct kfunc *mpi_gpu_pieces(const struct mpi *m, const struct reduced *own);
void mpi_gpu_add_fields(const struct mpi *m, struct kfunc *f);
void mpi_gpu_add_stream(const struct mpi *m, struct kfunc *f);
void mpi_gpu_add_values(const struct mpi *m, struct kfunc *f,
	const struct reduced *own, const struct kfunc *kernel);
/* Where the host has them. */
const struct kx *mpi_gpu_values(const struct mpi *m, enum scalar scalar);
void mpi_gpu_return_without_steps(const struct mpi *m, struct ks *b);

#endif

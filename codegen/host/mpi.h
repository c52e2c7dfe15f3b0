/* What the files share that generate the functions of files with --mpi. */
#ifndef STENCILC_CODEGEN_MPI_H
#define STENCILC_CODEGEN_MPI_H

#include "codegen/host/host.h"

struct mpi {
	struct host h;			/* of the whole program */
	const struct blocks *blocks;
	struct exchange_steps steps;
	const struct kfunc *check, *share, *run;
	const struct kfunc **places;	/* by list, see list_check() */
	const struct kfunc *block, *block_check, *block_memory;	/* or NULL */
	const struct kfunc *of_host, *of_device;	/* GPU: functions for one
							 * process */
	const char *ranks, *comm, *memory;	/* variables */
};

/* Does a dimension that is cut go around? */
bool mpi_goes_around(const struct mpi *m);

/* Set the status, 0 so far, to what is wrong with places of points. */
void mpi_check_places(const struct mpi *m, struct ks *b);

/* The last parameter of a function: the communicator. */
void mpi_add_comm(const struct mpi *m, struct kfunc *f);

/* mpi_plain.c: the functions for one process, up to NULL; m->run must exist. */
struct kfunc **mpi_plain(struct mpi *m);
/* return CHECK(..), or the result of "block" on the whole grid. */
void mpi_return_block(const struct mpi *m, struct kfunc *f,
	const struct kfunc *block);

/* mpi_gpu.c: does the file compute on a GPU? */
bool mpi_is_on_gpu(const struct mpi *m);
/* Parameters of m->run beside those for all targets. */
void mpi_add_device_params(const struct mpi *m, struct kfunc *f);
/* The functions of ranks for callers, and those for one process, up to NULL. */
struct kfunc **mpi_of_gpu(const struct mpi *m);

/* What MPI calls the type. */
const char *mpi_word(enum type type);

#endif

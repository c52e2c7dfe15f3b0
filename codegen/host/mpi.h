/* What the files share that write the functions of files with --mpi. */
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
	const char *ranks, *comm, *memory;	/* variables */
};

/* Set the status, which is 0 so far, to what is wrong with places of points. */
void mpi_check_places(const struct mpi *m, struct ks *b);

/* mpi_plain.c: the functions of one process, up to NULL, once m->run is there. */
struct kfunc **mpi_plain(struct mpi *m);

/* How MPI calls the type. */
const char *mpi_word(enum type type);

#endif

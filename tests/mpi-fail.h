/* Functions of MPI that are counted and can fail: mpi-fail.c, linked before MPI's. */
#ifndef TESTS_MPI_FAIL_H
#define TESTS_MPI_FAIL_H

#include <mpi.h>

#define LOCAL(name, is_local) NAME_##name,
enum mpi_function {
#include "tests/mpi-fail.def"
	N_FUNCTIONS
};
#undef LOCAL

/* How a call fails: it is not made; it is made, and returns an error; the process ends. */
enum mpi_failure { NOT_MADE, MADE, KILLED };

struct mpi_fail {
	enum mpi_function function;
	int call;			/* of this rank, from 1 on; 0: none */
	enum mpi_failure how;
	int calls[N_FUNCTIONS];		/* so far */
	int types, comms, requests;	/* that are not freed yet */
	int messages;			/* sent to another rank in an exchange, .. */
	long bytes;			/* .. and their bytes */
};

extern struct mpi_fail mpi_fail;
extern const char *const mpi_function_name[N_FUNCTIONS];
/* Does no other rank wait if a call of it is not made?  Either this waits for none, or the
 * program tries again.
 */
extern const int mpi_function_is_local[N_FUNCTIONS];

#endif

/* Run the harness of a file with --mpi on communicators of several sizes, for several sets
 * of arguments: PROGRAM has it, its main() as harness_main(), its MPI_COMM_WORLD as ranks.
 *
 *	mpirun -n 8 ./test 0,1,2,8 -- --T=3 --N=5 -- --T=9 --N=20
 *
 * 0 is the function of one process, called instead of the other one if "alone".
 */
/* The functions of MPI for C are enough, in C++ too. */
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

static MPI_Comm ranks;
static int alone;

#include PROGRAM

/* Did any rank fail?  Those that have nothing to do leave the processors to the others. */
static int any_of(int failed)
{
	const struct timespec nap = { 0, 1000000 };
	int any, done = 0;
	MPI_Request request;

	MPI_Iallreduce(&failed, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
	for (;;) {
		MPI_Test(&request, &done, MPI_STATUS_IGNORE);
		if (done)
			return any;
		thrd_sleep(&nap, NULL);
	}
}

/* Plain communicators, then Cartesian ones of two dimensions. */
static int run_on(int size, int is_cartesian, int argc, char **argv)
{
	int rank, failed = 0, any;

	alone = size == 0;
	size += alone;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_split(MPI_COMM_WORLD, rank < size ? 0 : MPI_UNDEFINED, rank, &ranks);
	if (ranks != MPI_COMM_NULL && is_cartesian) {
		const int periods[] = { 0, 0 };
		int shape[] = { 0, 0 };
		MPI_Comm cartesian;

		MPI_Dims_create(size, 2, shape);
		MPI_Cart_create(ranks, 2, shape, periods, 1, &cartesian);
		MPI_Comm_free(&ranks);
		ranks = cartesian;
	}
	if (ranks != MPI_COMM_NULL) {
		failed = harness_main(argc, argv);
		MPI_Comm_free(&ranks);
	}
	any = any_of(failed);
	if (any && rank == 0) {
		printf("%d ranks%s:", size - alone, is_cartesian ? ", Cartesian" : "");
		for (int i = 1; i < argc; ++i)
			printf(" %s", argv[i]);
		printf("\n");
	}
	return any;
}

int main(int argc, char **argv)
{
	int failed = 0;

	MPI_Init(&argc, &argv);
	for (int first = 3; first <= argc; ++first) {
		int n = first;

		while (n < argc && strcmp(argv[n], "--") != 0)
			++n;
		argv[first - 1] = argv[0];
		for (char *size = argv[1]; size; size = strchr(size, ',')) {
			size += *size == ',';
			failed |= run_on(atoi(size), 0, n - first + 1,
				argv + first - 1);
			if (CARTESIAN)
				failed |= run_on(atoi(size), 1, n - first + 1,
					argv + first - 1);
		}
		first = n;
	}
	MPI_Finalize();
	return failed;
}

/* A plan of ranks of examples/heat2d.stn.  Runs of different numbers of steps give what
 * heat2d_mpi() gives, bit for bit.  Once one of them has run, others allocate nothing and make
 * no communicator and no request.  Errors are the same on all ranks, and leave the plan as it was.
 *
 *	mpirun -n N ./test
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi-fail.h"
#include PROGRAM

enum { N = 41, M = 57, RANKS_DIFFER = -9 };

static int allocations, wrong;

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	allocations++;
	return __real_aligned_alloc(alignment, bytes);
}

static void expect(int holds, const char *what)
{
	if (!holds)
		printf("%s: it does not hold\n", what);
	wrong |= !holds;
}

static int kept(void)
{
	return allocations + mpi_fail.calls[NAME_Comm_dup] + mpi_fail.calls[NAME_Send_init] +
		mpi_fail.calls[NAME_Recv_init] + mpi_fail.calls[NAME_Isend] +
		mpi_fail.calls[NAME_Irecv];
}

int main(int argc, char **argv)
{
	static const int steps[] = { 7, 100, 1, 0, 48, 7 };
	static float ours[N * M], theirs[N * M];
	heat2d_mpi_plan *plan;
	MPI_Comm ranks;
	int rank, n, code, any;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	PMPI_Comm_dup(MPI_COMM_WORLD, &ranks);
	for (int i = 0; i < N * M; i++)
		ours[i] = theirs[i] = (float)(i * (rank + 3) % 97) * 0.3f;
	expect(heat2d_mpi_create(&plan, -1, M, ranks) == -1 && !plan, "a size below 0");
	code = heat2d_mpi_create(&plan, N, M + (rank > 0), ranks);
	expect(code == (n > 1 ? RANKS_DIFFER : 0), "sizes that differ");
	heat2d_mpi_destroy(plan);
	expect(heat2d_mpi_create(&plan, N, M, ranks) == 0 && plan, "a plan");
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		int before;

		expect(heat2d_mpi(steps[i], N, M, theirs, MPI_COMM_WORLD) == 0, "a call");
		before = kept();
		expect(heat2d_mpi_run(plan, steps[i], ours) == 0, "a run");
		expect(i < 2 || kept() == before, "what a plan has it keeps");
		expect(!memcmp(ours, theirs, sizeof(ours)), "the same bits");
		if (i == 0)
			PMPI_Comm_free(&ranks);
	}
	code = heat2d_mpi_run(plan, 3 + (rank > 0), ours);
	expect(code == (n > 1 ? RANKS_DIFFER : 0), "steps that differ");
	expect(n == 1 || !memcmp(ours, theirs, sizeof(ours)), "nothing has changed");
	heat2d_mpi_destroy(plan);
	heat2d_mpi_destroy(NULL);
	expect(mpi_fail.requests == 0 && mpi_fail.comms == 0, "all is freed");
	MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	MPI_Finalize();
	return any;
}

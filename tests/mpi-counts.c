/* Messages of examples/heat2d.stn on two by two ranks, compiled with --mpi-steps=STEPS: so many
 * times fewer than one exchange a step has, of as many bytes as halos have cells.  With an
 * argument a rank is killed in between.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "tests/mpi-fail.h"
#include PROGRAM

enum { T = 8, N = 32, OWN = N / 2, DIMS = 2 };

int main(int argc, char **argv)
{
	const int rounds = (T + STEPS - 1) / STEPS;
	const long cells = STEPS * OWN + STEPS * (OWN + STEPS);
	float A[OWN * OWN] = { 0 };
	int rank, status, wrong;

	MPI_Init(&argc, &argv);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc > 1 && rank == 1)
		mpi_fail = (struct mpi_fail) { .function = NAME_Isend, .call = 3,
			.how = KILLED };
	status = heat2d_mpi(T, N, N, A, MPI_COMM_WORLD);
	wrong = status || mpi_fail.messages != DIMS * rounds ||
		mpi_fail.bytes != rounds * cells * (long)sizeof(float);
	printf("rank %d: %d messages, %ld bytes in %d steps\n", rank,
		mpi_fail.messages, mpi_fail.bytes, T);
	MPI_Finalize();
	return wrong;
}

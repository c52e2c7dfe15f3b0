/* What a program sends its neighbours: linked before MPI's library, it prints at the end
 * how many messages of all ranks, of how many bytes, have been sent to others and not waited
 * for.
 */
#include <mpi.h>
#include <stdio.h>

static double sent[2];			/* messages, bytes */

static void count(int n, MPI_Datatype type, int to, MPI_Comm comm)
{
	int size, rank;

	MPI_Comm_rank(comm, &rank);
	if (to == rank)
		return;
	MPI_Type_size(type, &size);
	sent[0] += 1;
	sent[1] += (double)n * size;
}

int MPI_Isend(const void *out, int n, MPI_Datatype type, int to, int tag,
	MPI_Comm comm, MPI_Request *request)
{
	count(n, type, to, comm);
	return PMPI_Isend(out, n, type, to, tag, comm, request);
}

int MPI_Finalize(void)
{
	double all[2];
	int rank;

	PMPI_Reduce(sent, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (!rank)
		printf("sent: %.0f messages, %.0f bytes\n", all[0], all[1]);
	return PMPI_Finalize();
}

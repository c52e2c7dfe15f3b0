/* Counts what a program sends by MPI, loaded before it (LD_PRELOAD): the number of messages and
 * their bytes, of rank 0 when MPI ends, to the file that MESSAGES names.  What goes to no rank
 * does not count.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static long messages, bytes;

static void note(int count, MPI_Datatype type, int to)
{
	int size = 0;

	if (to == MPI_PROC_NULL)
		return;
	PMPI_Type_size(type, &size);
	messages++;
	bytes += (long) count * size;
}

int MPI_Send(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
	note(count, type, to);
	return PMPI_Send(from, count, type, to, tag, comm);
}

int MPI_Isend(const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
	MPI_Request *request)
{
	note(count, type, to);
	return PMPI_Isend(from, count, type, to, tag, comm, request);
}

int MPI_Sendrecv(const void *from, int count, MPI_Datatype type, int to, int tag, void *into,
	int into_count, MPI_Datatype into_type, int source, int into_tag, MPI_Comm comm,
	MPI_Status *status)
{
	note(count, type, to);
	return PMPI_Sendrecv(from, count, type, to, tag, into, into_count, into_type, source,
		into_tag, comm, status);
}

int MPI_Finalize(void)
{
	const char *name = getenv("MESSAGES");
	int rank = -1;

	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (name && rank == 0) {
		FILE *file = fopen(name, "w");

		if (file)
			fprintf(file, "%ld %ld\n", messages, bytes);
		if (!file || fclose(file))
			perror(name);
	}
	return PMPI_Finalize();
}

/* Micro-benchmarks of messages between two ranks; rank 0 prints the lines of a machine
 * file that tell of its network.  "--quick" measures little.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 8 << 20, GRID = 64 << 20, SMALL = 64 };

static char *buffer, *other;
static int rank;

/* Half of the seconds of a message of "bytes" there and back, the least of some turns. */
static double message_s(int bytes, int turns)
{
	double least = 1e30;

	for (int turn = 0; turn < turns; ++turn) {
		double start;

		MPI_Barrier(MPI_COMM_WORLD);
		start = MPI_Wtime();
		for (int side = 0; side < 2; ++side)
			if (rank == side)
				MPI_Send(buffer, bytes, MPI_BYTE, !rank, 0,
					MPI_COMM_WORLD);
			else
				MPI_Recv(buffer, bytes, MPI_BYTE, !rank, 0,
					MPI_COMM_WORLD, MPI_STATUS_IGNORE);
		if (least > (MPI_Wtime() - start) / 2)
			least = (MPI_Wtime() - start) / 2;
	}
	return least;
}

/* Seconds in which a rank hands over one of many small messages, the least of some turns. */
static double overhead_s(int turns)
{
	enum { MANY = 64 };
	MPI_Request request[MANY];
	double least = 1e30;

	for (int turn = 0; turn < turns; ++turn) {
		double start;

		for (int i = 0; i < MANY && rank; ++i)
			MPI_Irecv(other + SMALL * i, SMALL, MPI_BYTE, 0, 0,
				MPI_COMM_WORLD, &request[i]);
		MPI_Barrier(MPI_COMM_WORLD);
		start = MPI_Wtime();
		for (int i = 0; i < MANY && !rank; ++i)
			MPI_Isend(buffer + SMALL * i, SMALL, MPI_BYTE, 1, 0,
				MPI_COMM_WORLD, &request[i]);
		if (least > (MPI_Wtime() - start) / MANY)
			least = (MPI_Wtime() - start) / MANY;
		MPI_Waitall(MANY, request, MPI_STATUSES_IGNORE);
	}
	return least;
}

/* Seconds in which a rank gathers rows of "bytes", "apart" from each other. */
static double gather_s(int rows, int bytes, int apart, int turns)
{
	MPI_Datatype type;
	double least = 1e30;

	MPI_Type_vector(rows, bytes, apart, MPI_BYTE, &type);
	MPI_Type_commit(&type);
	for (int turn = 0; turn < turns; ++turn) {
		double start = MPI_Wtime();
		int at = 0;

		MPI_Pack(buffer, 1, type, other, GRID, &at, MPI_COMM_WORLD);
		if (least > MPI_Wtime() - start)
			least = MPI_Wtime() - start;
	}
	MPI_Type_free(&type);
	return least;
}

static void print(const char *name, double value, const char *how)
{
	printf("network_%s = %.6g\t# measured: %s\n", name, value, how);
}

int main(int argc, char **argv)
{
	const int turns = argc > 1 && !strcmp(argv[1], "--quick") ? 20 : 1000;
	double none, large, o, long_rows, short_rows;
	int ranks;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &ranks);
	buffer = malloc(GRID);
	other = malloc(GRID);
	if (ranks != 2 || !buffer || !other) {
		fprintf(stderr, "%d ranks, not 2, or no memory\n", ranks);
		MPI_Abort(MPI_COMM_WORLD, 1);
		return 1;
	}
	memset(buffer, 1, GRID);
	memset(other, 1, GRID);
	none = message_s(0, turns);
	large = message_s(LARGE, turns / 10);
	o = overhead_s(turns);
	long_rows = gather_s(GRID / 8192, 4096, 8192, turns / 10);
	short_rows = gather_s(GRID / 1024, 16, 1024, turns / 10);
	if (!rank) {
		const double byte_s = long_rows / (GRID / 2.0);
		const double row_s = short_rows / (GRID / 1024.0) - 16 * byte_s;

		print("latency_s", none > 2.1 * o ? none - 2 * o : 0.1 * o,
			"half of there and back, less what both ends do");
		print("overhead_s", o, "one of 64 messages sent on end");
		print("bandwidth_bytes_per_s", LARGE / (large - none),
			"messages of 8 MB");
		print("copy_bytes_per_s", 1 / byte_s, "rows of 4 KB gathered");
		if (row_s > 0)
			print("row_s", row_s, "rows of 16 bytes gathered");
	}
	free(buffer);
	free(other);
	MPI_Finalize();
	return 0;
}

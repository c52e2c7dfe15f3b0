/* shots_mpi_device() and shots_mpi() compute the same, and shots_device() on one rank, with lists of
 * points in device memory; a place outside the grid is found on all ranks, and changes nothing.
 */
/* The functions of MPI for C are enough, in C++ too. */
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#include "shots-device.cu"

enum { T = 5, N = 26, M = 7, SOURCES = 3, RECEIVERS = 4, CELLS = N * M, SEEN = T * RECEIVERS };

/* What a caller passes; the cells are those of the rank, all of them at most. */
struct shots {
	float si[SOURCES], sj[SOURCES], amount[T][SOURCES];
	int ri[RECEIVERS][2];
	float p[CELLS], seen[SEEN];
};

static void fill(struct shots *s, int rank)
{
	memset(s, 0, sizeof(*s));
	for (int i = 0; i < SOURCES; ++i) {
		s->si[i] = 7.75f * (float)i + 2.5f;
		s->sj[i] = 1.25f * (float)i + 1.5f;
		for (int t = 0; t < T; ++t)
			s->amount[t][i] = (float)(t + 3 * i);
	}
	for (int r = 0; r < RECEIVERS; ++r) {
		s->ri[r][0] = 7 * r + 1;
		s->ri[r][1] = r + 1;
	}
	for (int i = 0; i < CELLS; ++i)
		s->p[i] = (float)((i * i + 7 * rank) % 11);
}

/* Both results are of "s", which is in device memory. */
static int run(struct shots *s, MPI_Comm comm)
{
	return shots_mpi_device(T, N, M, SOURCES, RECEIVERS, s->si, s->sj, &s->amount[0][0],
		&s->ri[0][0], s->p, s->seen, comm, 0);
}

/* .. in the host's: by a copy of it on the device; without "comm" of one process. */
static int by_device(struct shots *s, const MPI_Comm *comm)
{
	void *copy = NULL;
	struct shots *d;
	int status;

	if (cudaMalloc(&copy, sizeof(*s)) != cudaSuccess ||
	    cudaMemcpy(copy, s, sizeof(*s), cudaMemcpyHostToDevice) != cudaSuccess)
		return -100;
	d = (struct shots *)copy;
	status = comm ? run(d, *comm) : shots_device(T, N, M, SOURCES, RECEIVERS, d->si, d->sj,
		&d->amount[0][0], &d->ri[0][0], d->p, d->seen, 0);
	if (cudaMemcpy(s, copy, sizeof(*s), cudaMemcpyDeviceToHost) != cudaSuccess ||
	    cudaFree(copy) != cudaSuccess)
		return -100;
	return status;
}

static int by_host(struct shots *s, MPI_Comm comm)
{
	return shots_mpi(T, N, M, SOURCES, RECEIVERS, s->si, s->sj, &s->amount[0][0],
		&s->ri[0][0], s->p, s->seen, comm);
}

static int differ(const struct shots *a, const struct shots *b)
{
	return memcmp(a, b, sizeof(*a)) != 0;
}

int main(int argc, char **argv)
{
	static struct shots host, device, before;
	const MPI_Comm all = MPI_COMM_WORLD, own = MPI_COMM_SELF;
	int rank, wrong, any;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(all, &rank);
	fill(&before, rank);
	host = device = before;
	wrong = by_host(&host, all) || by_device(&device, &all) || differ(&host, &device) ||
		!differ(&host, &before);
	host = device = before;
	wrong |= 2 * (by_host(&host, own) || by_device(&device, NULL) || differ(&host,
		&device));
	/* a place outside the grid */
	before.si[1] = (float)N;
	host = device = before;
	wrong |= 4 * (by_host(&host, all) != -7 || by_device(&device, &all) != -7 ||
		by_device(&device, NULL) != -7 || differ(&host, &before) ||
		differ(&device, &before));
	if (wrong)
		printf("rank %d: %d\n", rank, wrong);
	MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, all);
	MPI_Finalize();
	return any;
}

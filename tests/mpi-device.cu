/* plate_mpi_device() and plate_mpi() compute the same, and plate_device() on one rank; with an
 * argument they may fail: on all ranks, with one code, and change nothing.  "all ranks: CODE" is the
 * first error, -100 if it is one of a call of this program.
 */
/* The functions of MPI for C are enough, in C++ too. */
#define OMPI_SKIP_MPICXX 1
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plate-device.cu"

/* Behind the cells: total[T], most, steps; with -DCELLS_ALONE nothing. */
enum { T = 3, N = 14, M = 11, CELLS = N * M };
#ifdef CELLS_ALONE
enum { MOST = CELLS };
#define RESULTS(A) (A)
#else
enum { MOST = CELLS + T + 2 };
#define RESULTS(A) (A), (A) + CELLS, (A) + CELLS + T, (int *)((A) + CELLS + T + 1)
#endif

static int rank;

static int differ(int status)
{
	int mine[2] = { status, -status }, most[2];

	MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return most[0] != -most[1];
}

static void fill(float *A)
{
	for (int i = 0; i < MOST; ++i)
		A[i] = (float)((i * i + 7 * rank) % 11);
}

/* Device memory with the cells, NULL after an error. */
static float *on_device(const float *A)
{
	void *copy = NULL;

	if (cudaMalloc(&copy, MOST * sizeof(float)) != cudaSuccess)
		return NULL;
	if (cudaMemcpy(copy, A, MOST * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess)
		return (float *)copy;
	if (cudaFree(copy) != cudaSuccess)
		puts("device memory is lost");
	return NULL;
}

static int any_rank(int mine)
{
	int any;

	MPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	return any;
}

/* Both ways; false if this program's own calls fail. */
static int call(float *host, float *device, int *status)
{
	float *copy = on_device(device);
	int lacks = any_rank(!copy);

	if (!lacks) {
		status[0] = plate_mpi(T, N, M, RESULTS(host), MPI_COMM_WORLD);
		status[1] = plate_mpi_device(T, N, M, RESULTS(copy), MPI_COMM_WORLD, 0);
		lacks = cudaMemcpy(device, copy, MOST * sizeof(float),
			cudaMemcpyDeviceToHost) != cudaSuccess;
	}
	if (copy && cudaFree(copy) != cudaSuccess)
		lacks = 1;
	return !any_rank(lacks);
}

/* One rank without others has what the first of several has, if these have all cells. */
static int alone(const float *A)
{
	float host[MOST], device[MOST];
	float *copy;
	int wrong;

	memcpy(host, A, sizeof(host));
	memcpy(device, A, sizeof(device));
	copy = on_device(device);
	wrong = !copy || plate(T, N, M, RESULTS(host)) || plate_device(T, N, M, RESULTS(copy), 0) ||
		cudaMemcpy(device, copy, sizeof(device), cudaMemcpyDeviceToHost) !=
			cudaSuccess;
	return wrong || cudaFree(copy) != cudaSuccess || memcmp(host, device, sizeof(host)) ||
		!memcmp(host, A, sizeof(host));
}

static int same(const float *A, const float *B)
{
	return !memcmp(A, B, MOST * sizeof(float));
}

/* Has each value of "A" stayed, or become the result? */
static int has_some(const float *A, const float *before, const float *result)
{
	int some = 1;

	for (int i = 0; i < MOST; ++i)
		some &= !memcmp(A + i, before + i, sizeof(*A)) ||
			!memcmp(A + i, result + i, sizeof(*A));
	return some;
}

/* Is the code the same on all ranks, and have the cells changed if it is 0?  After an error
 * they have not.  If the last copies to device memory fail, what is there may be the result, as that
 * of the host is.
 */
static int is_right(int status, const float *A, const float *before, const float *result)
{
	return !differ(status) && (!status ? !same(A, before) :
		same(A, before) || (result && has_some(A, before, result)));
}

int main(int argc, char **argv)
{
	float A[MOST], host[MOST], device[MOST];
	int status[2] = { 0, 0 }, wrong, any;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	fill(A);
	fill(host);
	fill(device);
	if (call(host, device, status)) {
		wrong = !is_right(status[0], host, A, NULL) + 2 * !is_right(status[1],
			device, A, status[0] ? NULL : host);
		if (!status[0] && !status[1])
			wrong |= 4 * !same(host, device);
	} else {
		wrong = argc == 1;
		status[0] = -100;
	}
	if (argc == 1)
		wrong |= status[0] || status[1] || alone(A);
	if (wrong)
		printf("rank %d: %d, with %d and %d\n", rank, wrong, status[0], status[1]);
	any = any_rank(wrong);
	if (rank == 0)
		printf("all ranks: %d\n", status[0] ? status[0] : status[1]);
	MPI_Finalize();
	return any;
}

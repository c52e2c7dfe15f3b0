/* A program of stencilc for several ranks on a simulated cluster: EMITTED is its file as it
 * was written, included below.  Nothing of it is changed but what a few names mean:
 *
 * - BLOCK, the function that computes a block, is defined as it is, but where it is called
 *   the simulated processor is busy for as long as the model says: cells, with halos, times
 *   steps times the seconds of one.
 * - aligned_alloc gives addresses without memory, so that a thousand ranks fit; memcpy
 *   to or from these does nothing.
 * - MPI_Sendrecv sends as many bytes to the same ranks, from memory that all share, and the
 *   processor is busy with gathering and scattering these cells before and after, which
 *   the simulator takes to be free.
 * - MPI_Topo_test, which the simulator lacks, says that a communicator has no topology.
 *
 *	smpirun .. ./program CELL_S COPY_BYTES_PER_S ROW_S SIZES..
 */
#include <mpi.h>
#include <simgrid/actor.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static double cell_s, copy_bytes_per_s, row_s;	/* of the command line */
static double sent_bytes, sent_messages, busy_s, copy_s;	/* of this rank */

/* Addresses ------------------------------------------------------------------*/

enum { ADDRESSES_LOG = 36 };		/* of all that a rank asks for */
static char *addresses;			/* without memory behind them */
static size_t given;

static int is_address(const void *p)
{
	return (const char *)p >= addresses && (const char *)p < addresses + given;
}

static void *scale_alloc(size_t alignment, size_t bytes)
{
	void *p;

	if (!addresses) {
		addresses = mmap(NULL, (size_t)1 << ADDRESSES_LOG, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (addresses == MAP_FAILED)
			return addresses = NULL;
	}
	p = addresses + given;
	given += (bytes + alignment) / alignment * alignment;
	return p;
}

static void scale_free(void *p)
{
	if (!is_address(p))
		free(p);
}

static void *scale_copy(void *to, const void *from, size_t bytes)
{
	return is_address(to) || is_address(from) ? to : memmove(to, from, bytes);
}

static void *scale_set(void *to, int byte, size_t bytes)
{
	return is_address(to) ? to : memset(to, byte, bytes);
}

/* Messages ---------------------------------------------------------------------*/

static double rows_of[2];		/* of the last two types committed: sent, received */
static double rows;

static int scale_subarray(int n, const int *sizes, const int *cells, const int *starts,
	int order, MPI_Datatype of, MPI_Datatype *type)
{
	double all = 1;

	for (int d = 0; d + 1 < n; ++d)
		all *= cells[d];
	rows += all;
	return MPI_Type_create_subarray(n, sizes, cells, starts, order, of, type);
}

static int scale_commit(MPI_Datatype *type)
{
	rows_of[0] = rows_of[1];
	rows_of[1] = rows;
	rows = 0;
	return MPI_Type_commit(type);
}

/* The time of a core that moves the cells of "type" from or to a message. */
static void busy_with(MPI_Datatype type, int other, double n_rows)
{
	int bytes;
	double seconds;

	if (other == MPI_PROC_NULL)
		return;
	MPI_Type_size(type, &bytes);
	seconds = bytes / copy_bytes_per_s + n_rows * row_s;
	copy_s += seconds;
	sg_actor_sleep_for(seconds);
}

static int scale_sendrecv(const void *out, int n_out, MPI_Datatype out_type, int to,
	int out_tag, void *in, int n_in, MPI_Datatype in_type, int from, int in_tag,
	MPI_Comm comm, MPI_Status *status)
{
	static char *shared[2];
	int bytes[2], result;

	(void)out, (void)in;
	MPI_Type_size(out_type, &bytes[0]);
	MPI_Type_size(in_type, &bytes[1]);
	for (int i = 0; i < 2 && !shared[i]; ++i)
		shared[i] = SMPI_SHARED_MALLOC((size_t)1 << 28);
	busy_with(out_type, to, rows_of[0]);
	if (to != MPI_PROC_NULL) {
		sent_messages += 1;
		sent_bytes += (double)n_out * bytes[0];
	}
	result = MPI_Sendrecv(shared[0], n_out * bytes[0], MPI_BYTE, to, out_tag,
		shared[1], n_in * bytes[1], MPI_BYTE, from, in_tag, comm, status);
	busy_with(in_type, from, rows_of[1]);
	return result;
}

static int scale_topology(MPI_Comm comm, int *topology)
{
	(void)comm;
	*topology = MPI_UNDEFINED;
	return MPI_SUCCESS;
}

/* The program ------------------------------------------------------------------*/

struct stencilc_ranks;
static int scale_compute(const struct stencilc_ranks *r, int steps);

static inline int scale_no_ranks(void)
{
	return 1;
}

/* The first BLOCK( is where the function is defined, the second where ranks call it, the
 * third where the function without ranks does, which nobody calls here.
 */
#define JOIN(a, b) a##b
#define BLOCK_AT(n) JOIN(scale_block_, n)
#define SCALE_BLOCK(...) BLOCK_AT(__COUNTER__)(__VA_ARGS__)
#define scale_block_1(...) scale_compute(&ranks, t_end - t_first)
#define scale_block_2(...) scale_no_ranks()
#define aligned_alloc scale_alloc
#define memcpy scale_copy
#define memset scale_set
#define free scale_free
#define MPI_Sendrecv scale_sendrecv
#define MPI_Type_create_subarray scale_subarray
#define MPI_Type_commit scale_commit
#define MPI_Topo_test scale_topology
#include EMITTED
#undef aligned_alloc
#undef memcpy
#undef memset
#undef free
#undef MPI_Sendrecv
#undef MPI_Type_create_subarray
#undef MPI_Type_commit
#undef MPI_Topo_test

static int scale_compute(const struct stencilc_ranks *r, int steps)
{
	double seconds = cell_s * steps;

	for (int k = 0; k < r->n_dims; ++k)
		seconds *= stencilc_extent(r, k);
	busy_s += seconds;
	sg_actor_sleep_for(seconds);
	return 0;
}

int main(int argc, char **argv)
{
	int size[4] = { 0 }, rank, n_ranks, status;
	double start, seconds, sums[2], all[2], most[2], times[2];

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n_ranks);
	if (argc < 6)
		MPI_Abort(MPI_COMM_WORLD, 2);
	cell_s = atof(argv[1]);
	copy_bytes_per_s = atof(argv[2]);
	row_s = atof(argv[3]);
	for (int i = 4; i < argc && i < 8; ++i)
		size[i - 4] = atoi(argv[i]);
	MPI_Barrier(MPI_COMM_WORLD);
	start = MPI_Wtime();
	status = RUN(size, scale_alloc(64, (size_t)1 << 34));
	MPI_Barrier(MPI_COMM_WORLD);
	seconds = MPI_Wtime() - start;
	sums[0] = sent_messages;
	sums[1] = sent_bytes;
	times[0] = busy_s;
	times[1] = copy_s;
	MPI_Reduce(sums, all, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
	MPI_Reduce(times, most, 2, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
	if (!rank)
		printf("simulated: %d ranks, status %d, %.9g s, compute %.9g s, copies "
			"%.9g s, %.0f messages, %.0f bytes\n", n_ranks, status, seconds,
			most[0], most[1], all[0], all[1]);
	MPI_Finalize();
	return status;
}

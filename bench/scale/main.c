/* A program of stencilc for several ranks on a simulated cluster: EMITTED is its file as it
 * was written, included below.  Nothing of it is changed but what a few names mean:
 *
 * - BLOCK, the function that computes a block, is defined as it is.  Where it is called, the
 *   simulated processor is busy for as long as the model says: the seconds of a cell, or of one
 *   in a zone beside another rank, times the cells on which the steps work.  These narrow towards
 *   the next exchange, unless NARROWS is 0.
 * - aligned_alloc gives addresses without memory, so that a thousand ranks fit, but where little
 *   is asked for.  memcpy to or from these does nothing; what goes to zones and back takes the
 *   time that memory has for it.
 * - MPI_Isend and MPI_Irecv send as many bytes to the same ranks, from memory that all share.
 *   The processor is busy with the cells that the program has gathered or scattered since the
 *   call of MPI before; these are not copied.
 * - MPI_Topo_test, which the simulator lacks, says that a communicator has no topology.
 *
 *	smpirun .. ./program CELL_S ZONE_CELL_S COPY_BYTES_PER_S ROW_S CORES BYTES_PER_S NARROWS \
 *		SIZES..
 */
#include <mpi.h>
#include <simgrid/actor.h>
#include <smpi/smpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static double cell_s, zone_cell_s, copy_bytes_per_s, row_s, cores, bytes_per_s;	/* of the command line */
static int narrows;			/* likewise */
static double sent_bytes, sent_messages, busy_s, copy_s;	/* of this rank */

/* Addresses ------------------------------------------------------------------*/

enum { ADDRESSES_LOG = 36, SMALL = 1 << 16 };	/* bytes of all that a rank asks for; of what has memory */
static char *addresses;			/* without memory behind them */
static size_t given;

static int is_address(const void *p)
{
	return (const char *)p >= addresses && (const char *)p < addresses + given;
}

static void *scale_alloc(size_t alignment, size_t bytes)
{
	void *p;

	if (bytes < SMALL)
		return aligned_alloc(alignment, bytes);
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

static double copied, rows;		/* bytes of messages since the last call of MPI */
static double moved;			/* .. and of zones, read and written */
static int has_begun;			/* what a call copies at its begin and end is no zone */

static void *scale_copy(void *to, const void *from, size_t bytes)
{
	if (has_begun && is_address(to) && is_address(from))
		moved += 2 * (double)bytes;
	return is_address(to) || is_address(from) ? to : memmove(to, from, bytes);
}

static void *scale_set(void *to, int byte, size_t bytes)
{
	return is_address(to) ? to : memset(to, byte, bytes);
}

/* Messages ---------------------------------------------------------------------*/

/* The time in which all cores copy what was copied since then. */
static void be_busy(void)
{
	double seconds = (copied / copy_bytes_per_s + rows * row_s) / cores;

	if (seconds < copied / bytes_per_s)
		seconds = copied / bytes_per_s;
	seconds += moved / bytes_per_s;
	copied = rows = moved = 0;
	copy_s += seconds;
	if (seconds > 0)
		sg_actor_sleep_for(seconds);
}

/* Memory of all messages. */
static char *shared(void)
{
	static char *memory;

	if (!memory)
		memory = SMPI_SHARED_MALLOC((size_t)1 << 28);
	return memory;
}

static int scale_isend(const void *cells, int n, MPI_Datatype type, int to, int tag,
	MPI_Comm comm, MPI_Request *request)
{
	int bytes;

	(void)cells;
	be_busy();
	MPI_Type_size(type, &bytes);
	sent_messages += 1;
	sent_bytes += (double)n * bytes;
	return MPI_Isend(shared(), n, type, to, tag, comm, request);
}

static int scale_irecv(void *cells, int n, MPI_Datatype type, int from, int tag,
	MPI_Comm comm, MPI_Request *request)
{
	(void)cells;
	has_begun = 1;
	be_busy();
	return MPI_Irecv(shared(), n, type, from, tag, comm, request);
}

static int scale_waitany(int n, MPI_Request *request, int *which, MPI_Status *status)
{
	be_busy();
	return MPI_Waitany(n, request, which, status);
}

static int scale_waitall(int n, MPI_Request *request, MPI_Status *status)
{
	be_busy();
	return MPI_Waitall(n, request, status);
}

static int scale_testall(int n, MPI_Request *request, int *all, MPI_Status *status)
{
	be_busy();
	return MPI_Testall(n, request, all, status);
}

/* All ranks agree when they begin and end. */
static int scale_allreduce(const void *mine, void *all, int n, MPI_Datatype type, MPI_Op op,
	MPI_Comm comm)
{
	be_busy();
	has_begun = 0;
	return MPI_Allreduce(mine, all, n, type, op, comm);
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

struct stencilc_field;
struct stencilc_box;
static void scale_carry(const struct stencilc_field *f, const struct stencilc_box *cells);

/* By their order: where stencilc_carry() is defined and called; where BLOCK() is defined, where
 * ranks call it and where the function without ranks does, which nobody calls here.
 */
#define JOIN(a, b) a##b
#define NAME_AT(n) JOIN(scale_name_, n)
#define stencilc_carry(...) NAME_AT(__COUNTER__)(__VA_ARGS__)
#define SCALE_BLOCK(...) NAME_AT(__COUNTER__)(__VA_ARGS__)
#define scale_name_1(r, f, copy, cells, message, sends) scale_carry(f, cells)
#define scale_name_3(...) scale_compute(&ranks, t_end - t_first)
#define scale_name_4(...) scale_no_ranks()
#define aligned_alloc scale_alloc
#define memcpy scale_copy
#define memset scale_set
#define free scale_free
#define MPI_Isend scale_isend
#define MPI_Irecv scale_irecv
#define MPI_Waitany scale_waitany
#define MPI_Waitall scale_waitall
#define MPI_Testall scale_testall
#define MPI_Allreduce scale_allreduce
#define MPI_Topo_test scale_topology
#include EMITTED
#undef aligned_alloc
#undef memcpy
#undef memset
#undef free
#undef MPI_Isend
#undef MPI_Irecv
#undef MPI_Waitany
#undef MPI_Waitall
#undef MPI_Testall
#undef MPI_Allreduce
#undef MPI_Topo_test

static void scale_carry(const struct stencilc_field *f, const struct stencilc_box *cells)
{
	const double all = (double)stencilc_count(f, cells);

	copied += all * (double)f->bytes;
	rows += all / (cells->end[f->n_dims - 1] - cells->first[f->n_dims - 1]);
}

/* The cells of the block or zone at hand along dimension k, for so many steps up to the next exchange. */
static double cells_along(const struct stencilc_ranks *r, int k, int steps)
{
	struct stencilc_ranks then = *r;
	int first, end;

	then.steps = steps;
	stencilc_find_zone(r, k, &first, &end);
	first -= stencilc_depth(&then, k, STENCILC_LOW, r->more[k]);
	end += stencilc_depth(&then, k, STENCILC_HIGH, r->more[k]);
	if (!r->around[k] && first < 0)
		first = 0;
	if (!r->around[k] && end > r->size[k])
		end = r->size[k];
	return end - first;
}

static double cells_for(const struct stencilc_ranks *r, int steps)
{
	double cells = 1;

	for (int k = 0; k < r->n_dims; ++k)
		cells *= cells_along(r, k, steps);
	return cells;
}

static int scale_compute(const struct stencilc_ranks *r, int steps)
{
	double cells = 0, seconds;

	be_busy();
	for (int left = 0; left < steps; ++left)
		cells += narrows ? (cells_for(r, left) + cells_for(r, left + 1)) / 2 :
			cells_for(r, r->steps);
	seconds = cells * (r->zone > 0 ? zone_cell_s : cell_s);
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
	if (argc < 10)
		MPI_Abort(MPI_COMM_WORLD, 2);
	cell_s = atof(argv[1]);
	zone_cell_s = atof(argv[2]);
	copy_bytes_per_s = atof(argv[3]);
	row_s = atof(argv[4]);
	cores = atof(argv[5]);
	bytes_per_s = atof(argv[6]);
	narrows = atoi(argv[7]);
	for (int i = 8; i < argc && i < 12; ++i)
		size[i - 8] = atoi(argv[i]);
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

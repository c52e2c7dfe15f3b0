/* Errors of MPI, and of malloc, on one rank or on all, at each call: what PROGRAM has for
 *
 *	stencil torn { param int T, N, M; input float k[N][M]; state float A[N][M];
 *		output float r[T][N]; result int low; .. until .. }
 *
 * returns the same code on all ranks, changes nothing and frees all.
 *
 *	mpirun -n 4 ./test
 *
 * With -DPLAN it is what a plan returns that is made for one run.  With -DZONES it has no result
 * and no "until", so that cells are computed while halos travel.  With -DSUMS it also has "result
 * float total[T/2]", so that the last dimension is not cut, and the collective operations alone are
 * tried.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/mpi-fail.h"
#include PROGRAM

#ifdef ZONES
#define RESULTS
enum { N = 20, REDUCTIONS = 0 };	/* ranks have room for zones */
#else
#define RESULTS , TOTAL &low, &steps
enum { N = 12, REDUCTIONS = 3 };
#endif
enum { T = 5, M = 14, FAILED = -12, NO_MEMORY = -3 };
#ifdef SUMS
#define TOTAL total,
enum { CUTS = 1, LEAST_TRIED = 20 };
#else
#define TOTAL
enum { CUTS = 2, LEAST_TRIED = 200 };
#endif
enum { ONE_RANK = 1 };			/* that fails, if not all do */

static MPI_Comm ranks;
static int rank, wrong, n_tried, n_of_zones;

/* Memory ------------------------------------------------------------------- */

static int alloc_to_fail, allocs, blocks;

void *__real_aligned_alloc(size_t alignment, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
void __real_free(void *memory);
void __wrap_free(void *memory);

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
	if (++allocs == alloc_to_fail)
		return NULL;
	blocks++;
	return __real_aligned_alloc(alignment, bytes);
}

#ifdef PLAN
void *__real_calloc(size_t n, size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);

void *__wrap_calloc(size_t n, size_t bytes)
{
	if (++allocs == alloc_to_fail)
		return NULL;
	blocks++;
	return __real_calloc(n, bytes);
}
#endif

void __wrap_free(void *memory)
{
	blocks -= memory != NULL;
	__real_free(memory);
}

/* Calls -------------------------------------------------------------------- */

static float k[N * M], A[2 * N * M], r[T * N], whole[2 * N * M], total[T / 2];
static int low, steps;

static void fill(void)
{
	for (int i = 0; i < N * M; i++)
		k[i] = (float)(i % 5 + rank);
	for (int i = 0; i < 2 * N * M; i++)
		A[i] = whole[i] = (float)(i % 7 + rank);
	for (int i = 0; i < T * N; i++)
		r[i] = (float)-i;
	total[0] = total[1] = 17;
	low = steps = 19;
}

#ifdef PLAN
enum { RUN_AGREEMENTS = 7 + REDUCTIONS };

static int run(void)
{
	torn_mpi_plan *plan;
	int code = torn_mpi_create(&plan, T, N, M, ranks);

	if (!code)
		code = torn_mpi_run(plan, k, A, r RESULTS);
	torn_mpi_destroy(plan);
	return code;
}
#else
enum { RUN_AGREEMENTS = 5 + REDUCTIONS };

static int run(void)
{
	return torn_mpi(T, N, M, k, A, r RESULTS, ranks);
}
#endif

static int scatter(void)
{
	return torn_mpi_scatter(ranks, T, N, M, "A", whole, A);
}

static int gather(void)
{
	return torn_mpi_gather(ranks, T, N, M, "A", A, whole);
}

static int box(void)
{
	int first[2], extent[2];

	return torn_mpi_box(ranks, T, N, M, "A", first, extent);
}

static const struct call {
	const char *name;
	int (*of)(void);
	int agreements;			/* of all ranks */
} calls[] = {
	{ "run", run, RUN_AGREEMENTS }, { "scatter", scatter, 3 }, { "gather", gather, 3 },
	{ "box", box, 2 },
};

/* "code", and the least and the greatest of all ranks. */
static void gather_codes(int code, int *least, int *greatest)
{
	PMPI_Allreduce(&code, least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	PMPI_Allreduce(&code, greatest, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
}

static void expect(int holds, const struct call *c, const char *function, int call,
	int all, const char *what)
{
	if (holds)
		return;
	printf("rank %d: %s, %s number %d fails on %s: %s\n", rank, c->name, function,
		call, all ? "all ranks" : "one", what);
	wrong = 1;
}

/* Fields hold what they held, but what outputs by step do if the last messages fail. */
static int is_unchanged(void)
{
	int same = total[0] == 17 && total[1] == 17 && low == 19 && steps == 19;

	for (int i = 0; i < 2 * N * M; i++)
		same = same && A[i] == (float)(i % 7 + rank);
	for (int i = 0; i < N * M; i++)
		same = same && k[i] == (float)(i % 5 + rank);
	return same;
}

/* Let call number "call" of "f" fail; false: there are fewer. */
static int try(const struct call *c, enum mpi_function f, int call, int all)
{
	const char *const name = mpi_function_name[f];
	const int fails_here = all || rank == ONE_RANK;
	int code, least, greatest, happened, is_last;

	fill();
	mpi_fail = (struct mpi_fail) { .function = f, .call = fails_here ? call : 0,
		.how = all || mpi_function_is_local[f] ? NOT_MADE : MADE };
	code = c->of();
	mpi_fail.call = 0;
	happened = fails_here && mpi_fail.calls[f] >= call;
	PMPI_Allreduce(MPI_IN_PLACE, &happened, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	gather_codes(code, &least, &greatest);
	n_tried += happened;
	n_of_zones += happened && f == NAME_Testall;
	/* what is only freed is done, and nobody waits for who knows of the last agreement */
	is_last = f == NAME_Allreduce && !all && call == c->agreements;
	if (!happened || f == NAME_Type_free || f == NAME_Comm_free ||
	    f == NAME_Request_free)
		expect(least == 0 && greatest == 0, c, name, call, all, "not 0");
	else if (is_last)
		expect(code == (fails_here ? FAILED : 0), c, name, call, all,
			"the last agreement");
	else
		expect(least == FAILED && greatest == FAILED, c, name, call, all,
			"not the same code");
	if (code && c->of == run)
		expect(is_unchanged(), c, name, call, all, "a field has changed");
	expect(mpi_fail.types == 0 && mpi_fail.comms == 0 &&
		mpi_fail.requests == 0 && blocks == 0, c, name, call,
		all, "something is not freed");
	return happened;
}

static void try_memory(const struct call *c)
{
	for (int call = 1;; call++) {
		int code, least, greatest, happened;

		fill();
		mpi_fail = (struct mpi_fail) { .call = 0 };
		allocs = 0;
		alloc_to_fail = rank == ONE_RANK ? call : 0;
		code = c->of();
		happened = alloc_to_fail && allocs >= alloc_to_fail;
		alloc_to_fail = 0;
		PMPI_Allreduce(MPI_IN_PLACE, &happened, 1, MPI_INT, MPI_MAX,
			MPI_COMM_WORLD);
		if (!happened)
			return;
		n_tried++;
		gather_codes(code, &least, &greatest);
		expect(least == NO_MEMORY && greatest == NO_MEMORY, c, "malloc", call,
			0, "not the same code");
		expect(is_unchanged(), c, "malloc", call, 0, "a field has changed");
		expect(mpi_fail.types == 0 && mpi_fail.comms == 0 &&
		mpi_fail.requests == 0 && blocks == 0, c,
			"malloc", call, 0, "something is not freed");
	}
}

static int is_tried(enum mpi_function f)
{
	return CUTS > 1 || f == NAME_Allgather || f == NAME_Allreduce || f == NAME_Bcast ||
		f == NAME_Gatherv;
}

static void try_all(MPI_Comm comm)
{
	ranks = comm;
	MPI_Comm_set_errhandler(ranks, MPI_ERRORS_RETURN);
	for (size_t i = 0; i < (CUTS > 1 ? sizeof(calls) / sizeof(calls[0]) : 1); i++) {
		for (int f = 0; f < N_FUNCTIONS; f++)
			for (int all = 0; all < 2; all++)
				for (int call = 1; is_tried((enum mpi_function)f) &&
				     try(&calls[i],
				     (enum mpi_function)f, call, all);
				     call += 1 + call / 4)
					;
		try_memory(&calls[i]);
	}
}

int main(int argc, char **argv)
{
	const int shape[] = { 4 / CUTS, 2 }, periods[] = { 0, 0 };
	MPI_Comm comm;
	int any;

	MPI_Init(&argc, &argv);
	PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
	PMPI_Comm_dup(MPI_COMM_WORLD, &comm);
	try_all(comm);
	PMPI_Comm_free(&comm);
	MPI_Cart_create(MPI_COMM_WORLD, CUTS, shape, periods, 0, &comm);
	PMPI_Comm_rank(comm, &rank);
	try_all(comm);
	PMPI_Comm_free(&comm);
	PMPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d errors\n", n_tried);
	MPI_Finalize();
	return any || n_tried < LEAST_TRIED || !n_of_zones != !!REDUCTIONS;
}

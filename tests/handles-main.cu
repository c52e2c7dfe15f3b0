/* A plan of jacobi2d on a GPU, in MODE:
 *
 *	many	RUNS runs allocate nothing, and give what jacobi2d() gives
 *	graph	a graph of the caller's captures runs, in memory of its own and of a plan
 *	once	a plan is made, run and destroyed; an error leaves none
 *	sizes	wrong sizes make no plan
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include EMITTED

#ifndef RUNS
#define RUNS 1000
#endif

enum { N = 9, M = 32, CELLS = N * M };

static float ours[CELLS], theirs[CELLS];
static float *field;

#define TRY(call) \
	do { \
		const int error = (int) (call); \
		if (error) { \
			printf("line %d: %d: %s\n", __LINE__, error, \
				jacobi2d_strerror(error)); \
			return error; \
		} \
	} while (0)

static int start(void)
{
	for (int i = 0; i < CELLS; i++)
		ours[i] = theirs[i] = (float) (i % 97) * 0.3f;
	TRY(cudaMalloc((void **) &field, sizeof(ours)));
	TRY(cudaMemcpy(field, ours, sizeof(ours), cudaMemcpyDefault));
	return 0;
}

/* Is the field what jacobi2d() has computed? */
static int end(void)
{
	TRY(cudaMemcpy(ours, field, sizeof(ours), cudaMemcpyDefault));
	TRY(cudaFree(field));
	if (memcmp(ours, theirs, sizeof(ours)) == 0)
		return 0;
	puts("not what jacobi2d() computes");
	return 1;
}

static int many(void)
{
	unsigned long allocations;
	jacobi2d_plan *plan;

	TRY(start());
	TRY(jacobi2d_create(&plan, N, M));
	allocations = stencilc_emu_allocations();
	for (int i = 0; i < RUNS; i++)
		TRY(jacobi2d_run(plan, i == RUNS / 2 ? 3 : 10, field, 0));
	if (stencilc_emu_allocations() != allocations)
		return puts("a run allocates");
	jacobi2d_destroy(plan);
	for (int i = 0; i < RUNS; i++)
		TRY(jacobi2d(i == RUNS / 2 ? 3 : 10, N, M, theirs));
	return end();
}

static int graph(void)
{
	const size_t bytes = jacobi2d_memory(5, N, M);
	cudaGraphExec_t executable;
	jacobi2d_plan *plan;
	cudaStream_t stream;
	cudaGraph_t both;
	void *memory;

	TRY(start());
	TRY(cudaMalloc(&memory, bytes));
	TRY(cudaStreamCreate(&stream));
	TRY(jacobi2d_create(&plan, N, M));
	TRY(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	TRY(jacobi2d_device_with_memory(5, N, M, field, memory, stream));
	TRY(jacobi2d_run(plan, 4, field, stream));
	TRY(cudaStreamEndCapture(stream, &both));
	TRY(cudaGraphInstantiateWithFlags(&executable, both, 0));
	for (int i = 0; i < 3; i++) {
		TRY(cudaGraphLaunch(executable, stream));
		TRY(jacobi2d(5, N, M, theirs));
		TRY(jacobi2d(4, N, M, theirs));
	}
	TRY(cudaStreamSynchronize(stream));
	TRY(cudaGraphExecDestroy(executable));
	TRY(cudaGraphDestroy(both));
	TRY(cudaStreamDestroy(stream));
	jacobi2d_destroy(plan);
	TRY(cudaFree(memory));
	return end();
}

static int once(void)
{
	jacobi2d_plan *plan = (jacobi2d_plan *) &plan;
	int error = jacobi2d_create(&plan, N, M);

	if (error && plan)
		return puts("a plan in spite of an error");
	if (error && strcmp(jacobi2d_strerror(error), "no error") == 0)
		return puts("an error without a text");
	if (!error && start())
		return 1;
	for (int i = 0; i < 4 && !error; i++)
		error = jacobi2d_run(plan, 6, field, 0);
	jacobi2d_destroy(plan);
	if (field && cudaFree(field) != cudaSuccess)
		cudaGetLastError();
	printf("status %d\n", error);
	return 0;
}

static int sizes(void)
{
	jacobi2d_plan *plan;

	TRY(jacobi2d_create(&plan, 0, M) || !plan);
	TRY(jacobi2d_run(plan, 5, NULL, 0));
	jacobi2d_destroy(plan);
	jacobi2d_destroy(NULL);
	TRY(jacobi2d_memory(5, -1, M));
	TRY(jacobi2d_create(&plan, -1, M) != -1 || plan);
	TRY(jacobi2d_create(&plan, 2147483647, M) != -2 || plan);
	return 0;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";

	return !strcmp(mode, "many") ? many() : !strcmp(mode, "graph") ?
		graph() : !strcmp(mode, "once") ? once() : sizes();
}

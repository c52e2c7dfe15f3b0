/* A plan of jacobi2d as C: runs allocate nothing once it is made, one that cannot be made is
 * none, and its bounds may change.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "handles.h"

#ifndef RUNS
#define RUNS 1000
#endif

enum { N = 37, M = 256, CELLS = N * M };

static float ours[CELLS], theirs[CELLS];
static int allocations, failing_at;

static int fails(void)
{
	return ++allocations == failing_at;
}

void *counted_alloc(size_t alignment, size_t bytes)
{
	return fails() ? NULL : aligned_alloc(alignment, bytes);
}

void *counted_calloc(size_t n, size_t bytes)
{
	return fails() ? NULL : calloc(n, bytes);
}

int main(void)
{
	jacobi2d_plan *plan;
	int made;

	for (int i = 0; i < CELLS; i++)
		ours[i] = theirs[i] = (float) (i % 97) * 0.3f;
	assert(jacobi2d_create(&plan, -1, M) == -1 && !plan);
	for (failing_at = 1; failing_at <= 2; failing_at++) {
		allocations = 0;
		assert(jacobi2d_create(&plan, N, M) == -3 && !plan);
	}
	failing_at = 0;
	assert(jacobi2d_create(&plan, N, M) == 0);
	made = allocations;
	for (int i = 0; i < RUNS; i++)
		assert(jacobi2d_run(plan, i % 25, ours) == 0);
	assert(allocations == made);
	for (int i = 0; i < RUNS; i++)
		assert(jacobi2d(i % 25, N, M, theirs) == 0);
	assert(memcmp(ours, theirs, sizeof(ours)) == 0);
	jacobi2d_destroy(plan);
	jacobi2d_destroy(NULL);
	assert(jacobi2d_create(&plan, 0, M) == 0);
	assert(jacobi2d_run(plan, 5, NULL) == 0);
	jacobi2d_destroy(plan);
	return 0;
}

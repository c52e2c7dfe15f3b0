/* Included before an emitted file with its harness: prints each time that the
 * harness takes, where it would print the least one.
 */
#include <cuda_runtime.h>

#include <stdio.h>

static cudaError_t times_elapsed(float *ms, cudaEvent_t start, cudaEvent_t stop)
{
	cudaError_t error = cudaEventElapsedTime(ms, start, stop);

	if (error == cudaSuccess)
		printf("times: %.6f ms\n", *ms);
	return error;
}

#define cudaEventElapsedTime times_elapsed

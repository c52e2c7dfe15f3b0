/* Included before an emitted file with its harness: prints each time that the
 * harness takes, where it would print the least one.
 */
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#else
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#endif

#include <stdio.h>

static GPU(Error_t) times_elapsed(float *ms, GPU(Event_t) start,
	GPU(Event_t) stop)
{
	GPU(Error_t) error = GPU(EventElapsedTime)(ms, start, stop);

	if (error == GPU(Success))
		printf("times: %.6f ms\n", *ms);
	return error;
}

#undef GPU
#undef hipEventElapsedTime
#define cudaEventElapsedTime times_elapsed
#define hipEventElapsedTime times_elapsed

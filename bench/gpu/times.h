/* Included before an emitted file with its harness: prints each time that the
 * harness takes, where it would print the least one.  Where GPU_LOCK names a file,
 * a process has the GPU for its own from its first allocation to its end: several make
 * their fields at a time and are timed one after the other.
 */
#ifdef __HIPCC__
#include <hip/hip_runtime.h>
#define GPU(name) hip##name
#else
#include <cuda_runtime.h>
#define GPU(name) cuda##name
#endif

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>

/* Files are closed in the order of their numbers: that of the lock is the last, when
 * what the process had of the GPU is gone.
 */
static void times_lock(void)
{
	static bool locked = false;
	const char *name = getenv("GPU_LOCK");
	int file;

	if (locked || name == NULL)
		return;
	locked = true;
	file = fcntl(open(name, O_RDWR | O_CREAT, 0600), F_DUPFD, 512);
	if (file < 0 || flock(file, LOCK_EX) != 0)
		perror(name);
}

template <class value>
static GPU(Error_t) times_malloc(value **memory, size_t bytes)
{
	times_lock();
	return GPU(Malloc)(memory, bytes);
}

static GPU(Error_t) times_elapsed(float *ms, GPU(Event_t) start,
	GPU(Event_t) stop)
{
	GPU(Error_t) error = GPU(EventElapsedTime)(ms, start, stop);

	if (error == GPU(Success))
		printf("times: %.6f ms\n", *ms);
	return error;
}

#undef GPU
#undef hipMalloc
#define cudaMalloc times_malloc
#define hipMalloc times_malloc
#undef hipEventElapsedTime
#define cudaEventElapsedTime times_elapsed
#define hipEventElapsedTime times_elapsed

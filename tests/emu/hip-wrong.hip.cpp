// What is wrong is told in HIP's words: lanes of a vote that do not come, what
// lanes of another warp wrote, a launch of 2^32 threads, more shared memory than
// a block has.
// expect: 8 /hip-wrong.hip.cpp:17: error: thread .* waits for ever in __all with mask 0xffffffffffffffff/
// expect: 8 /hip-wrong.hip.cpp:30: error: race .* thread .* reads 4 bytes of shared/
// expect: 8 /the launch of large fails: 2.32 threads or more/
// expect: 8 /note: large: hipErrorInvalidConfiguration/
// expect: 8 /the launch of fat failed and nobody asked: .*hipFuncAttributeMaxDynamicShared/
#include <hip/hip_runtime.h>
#include <cstdio>

__global__ void divergent(int *a)
{
	int v = 0;

	if (threadIdx.x < 40)
		v = __all(1);
	__syncthreads();
	a[threadIdx.x] = v;
}

/* Lanes 0 to 31 and 32 to 63 are of one warp. */
__global__ void others(int *a)
{
	__shared__ int s[128];

	s[threadIdx.x] = threadIdx.x;
	__all(1);
	a[threadIdx.x] = s[threadIdx.x ^ 32];
	a[threadIdx.x] = s[threadIdx.x ^ 64];
}

__global__ void large(int *a) { (void) a; }

__global__ void fat(int *a)
{
	__shared__ int s[16384];

	s[threadIdx.x] = 0;
	a[threadIdx.x] = s[threadIdx.x];
}

int main()
{
	int *a;
	if (hipMalloc(&a, 512))
		return 1;
	divergent<<<1, 64>>>(a);
	others<<<1, 128>>>(a);
	void *args[] = { &a };
	hipError_t e = hipLaunchKernel((const void *) large, 1 << 26, 64, args);
	fprintf(stderr, "note: large: %s\n", hipGetErrorName(e));
	if (hipGetLastError() != hipErrorInvalidConfiguration || hipFree(a))
		return 1;
	fat<<<1, 64, 65536>>>(nullptr);
	return 0;
}

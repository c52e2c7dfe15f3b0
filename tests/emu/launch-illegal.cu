// What a GPU refuses, and with which error.
// expect: 0 /ok/
#include <cstdio>

__global__ void k() {}
__global__ void __launch_bounds__(64) bound() {}
__global__ void fixed(float *a)
{
	__shared__ float s[10240];
	s[threadIdx.x] = a[threadIdx.x];
	__syncthreads();
	a[threadIdx.x] = s[threadIdx.x ^ 1];
}

static int wrong;

static void want(int line, cudaError_t e)
{
	cudaError_t got = cudaGetLastError();
	if (got != e)
		wrong += printf("%d: %s\n", line, cudaGetErrorName(got));
}

#define WANT(e) want(__LINE__, e)

int main()
{
	k<<<0, 1>>>(); WANT(cudaErrorInvalidConfiguration);
	k<<<1, 0>>>(); WANT(cudaErrorInvalidConfiguration);
	k<<<1, 1025>>>(); WANT(cudaErrorInvalidConfiguration);
	k<<<1, dim3(64, 17)>>>(); WANT(cudaErrorInvalidConfiguration);
	k<<<1, dim3(1, 1, 65)>>>(); WANT(cudaErrorInvalidConfiguration);
	k<<<1, dim3(1, 1, 64)>>>(); WANT(cudaSuccess);
	k<<<dim3(1, 65536), 1>>>(); WANT(cudaErrorInvalidConfiguration);
	k<<<dim3(1, 1, 65536), 1>>>(); WANT(cudaErrorInvalidConfiguration);
	k<<<0x80000000u, 1>>>(); WANT(cudaErrorInvalidConfiguration);
	k<<<70000, 1>>>(); WANT(cudaSuccess);
	bound<<<1, 65>>>(); WANT(cudaErrorLaunchOutOfResources);
	bound<<<1, 64>>>(); WANT(cudaSuccess);
	k<<<1, 1, 49152>>>(); WANT(cudaSuccess);
	k<<<1, 1, 49153>>>(); WANT(cudaErrorInvalidValue);
	cudaFuncAttributes a;
	if (cudaFuncGetAttributes(&a, fixed))
		return 1;
	wrong += a.sharedSizeBytes != 40960;
	fixed<<<1, 1, 8193>>>(nullptr); WANT(cudaErrorInvalidValue);
	if (cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize,
	    232448))
		return 1;
	k<<<1, 1, 232448>>>(); WANT(cudaSuccess);
	k<<<1, 1, 232449>>>(); WANT(cudaErrorInvalidValue);
	if (cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize,
	    232449) != cudaErrorInvalidValue)
		return 1;
	WANT(cudaErrorInvalidValue);
	void *none[1];
	if (cudaLaunchKernel(k, dim3(0), dim3(1), none) !=
	    cudaErrorInvalidConfiguration)
		return 1;
	WANT(cudaErrorInvalidConfiguration);
	k<<<1, 1, 0, (cudaStream_t) &wrong>>>();
	WANT(cudaErrorInvalidResourceHandle);
	int blocks = 0;
	if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 256, 0))
		return 1;
	wrong += blocks != 8;
	if (cudaLaunchCooperativeKernel(k, dim3(132 * 8 + 1), dim3(256), none)
	    != cudaErrorCooperativeLaunchTooLarge)
		return 1;
	WANT(cudaErrorCooperativeLaunchTooLarge);
	puts(wrong ? "wrong" : "ok");
	return wrong;
}

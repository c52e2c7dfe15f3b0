/* The host part of emitted CUDA, run for what it launches: memory is numbers, a launch is a
 * line of its kernel, grid, block, bytes of shared memory and arguments.
 */
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define __host__
#define __device__
#define __global__
#define __forceinline__ inline

typedef int cudaError_t;
typedef void *cudaStream_t;
enum { cudaSuccess, cudaMemcpyDefault, cudaMemcpyDeviceToDevice };
enum { cudaFuncAttributeMaxDynamicSharedMemorySize };
enum { cudaDevAttrMultiProcessorCount, cudaDevAttrCooperativeLaunch };

struct dim3 {
	unsigned x, y, z;
	dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

static char launched[200];
static uintptr_t allocated = (uintptr_t)1 << 40;

static void configure(dim3 grid, dim3 block, size_t shared, cudaStream_t = 0)
{
	snprintf(launched, sizeof launched, "%u,%u,%u %u,%u,%u %zu", grid.x, grid.y, grid.z,
		block.x, block.y, block.z, shared);
}

template <typename T> static void put(T value)
{
	unsigned long long bits = 0;
	memcpy(&bits, &value, sizeof value);
	printf(" %zu:%llu", sizeof value, bits);
}

template <typename T> static cudaError_t cudaMallocAsync(T **to, size_t bytes, cudaStream_t)
{
	*to = (T *)allocated;
	allocated += (bytes + 511) / 512 * 512;
	return cudaSuccess;
}

template <typename T> static cudaError_t cudaFuncSetAttribute(T, int, int)
{
	return cudaSuccess;
}

/* A machine without cooperative launches: all steps in one are launched one by one. */
static inline cudaError_t cudaGetDevice(int *) { return cudaSuccess; }
static inline cudaError_t cudaDeviceGetAttribute(int *value, int, int)
{
	*value = 0;
	return cudaSuccess;
}
template <typename T>
static cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *, T, int, size_t)
{
	return cudaSuccess;
}
template <typename T>
static cudaError_t cudaLaunchCooperativeKernel(T, dim3, dim3, void **, size_t, cudaStream_t)
{
	return cudaSuccess;
}

static inline cudaError_t cudaFreeAsync(void *, cudaStream_t) { return cudaSuccess; }
static inline cudaError_t cudaGetLastError() { return cudaSuccess; }
static inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
static inline const char *cudaGetErrorString(cudaError_t) { return ""; }
static inline cudaError_t cudaMemcpyAsync(void *, const void *, size_t, int, cudaStream_t)
{
	return cudaSuccess;
}
static inline cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t,
	int, cudaStream_t)
{
	return cudaSuccess;
}
static inline cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t) { return cudaSuccess; }

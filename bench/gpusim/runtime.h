/* Included before an emitted file with its harness: calls of the CUDA runtime that simulators of
 * GPUs lack become those that they have.  Memory is allocated and copied at once, as one stream has
 * all work; the direction of a copy is known by what was allocated here.  No kernel may wait for
 * all blocks of its grid.
 */
#include <cuda_runtime.h>

#include <string.h>

enum { simulated_most = 256 };

static struct {
	const char *memory;
	size_t bytes;
} simulated_allocated[simulated_most];

static bool simulated_is_device(const void *p)
{
	for (int n = 0; n < simulated_most; ++n) {
		const char *first = simulated_allocated[n].memory;

		if (first && (const char *)p >= first &&
		    (const char *)p < first + simulated_allocated[n].bytes)
			return true;
	}
	return false;
}

static cudaError_t simulated_allocate(void **memory, size_t bytes)
{
	cudaError_t error = cudaMalloc(memory, bytes);

	for (int n = 0; n < simulated_most && error == cudaSuccess; ++n)
		if (!simulated_allocated[n].memory) {
			simulated_allocated[n].memory = (const char *)*memory;
			simulated_allocated[n].bytes = bytes;
			return error;
		}
	return error == cudaSuccess ? cudaErrorMemoryAllocation : error;
}

template <class value>
static cudaError_t simulated_malloc(value **memory, size_t bytes, cudaStream_t stream = 0)
{
	(void)stream;
	return simulated_allocate((void **)memory, bytes);
}

static cudaError_t simulated_free(void *memory, cudaStream_t stream = 0)
{
	(void)stream;
	for (int n = 0; n < simulated_most; ++n)
		if (simulated_allocated[n].memory == memory)
			simulated_allocated[n].memory = NULL;
	return cudaFree(memory);
}

static cudaError_t simulated_memcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
	cudaStream_t stream = 0)
{
	const bool reads = simulated_is_device(from), writes = simulated_is_device(to);

	(void)kind;
	(void)stream;
	if (!reads && !writes) {
		memcpy(to, from, bytes);
		return cudaSuccess;
	}
	return cudaMemcpy(to, from, bytes, !reads ? cudaMemcpyHostToDevice :
		writes ? cudaMemcpyDeviceToDevice : cudaMemcpyDeviceToHost);
}

static cudaError_t simulated_rows(void *to, size_t to_pitch, const void *from, size_t from_pitch,
	size_t bytes, size_t rows, cudaMemcpyKind kind, cudaStream_t stream = 0)
{
	cudaError_t error = cudaSuccess;

	for (size_t row = 0; row < rows && error == cudaSuccess; ++row)
		error = simulated_memcpy((char *)to + row * to_pitch,
			(const char *)from + row * from_pitch, bytes, kind, stream);
	return error;
}

static cudaError_t simulated_attribute(int *value, cudaDeviceAttr attribute, int device)
{
	if (attribute == cudaDevAttrCooperativeLaunch) {
		*value = 0;
		return cudaSuccess;
	}
	return cudaDeviceGetAttribute(value, attribute, device);
}

/* What nvcc 13 launches kernels by; only nvcc has a build. */
#if defined(__CUDACC_VER_BUILD__) && __CUDACC_VER_MAJOR__ >= 13
extern "C" cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function)
{
	*kernel = (cudaKernel_t)function;
	return cudaSuccess;
}

extern "C" cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 blocks, dim3 threads,
	void **arguments, size_t shared, cudaStream_t stream)
{
	return cudaLaunchKernel((const void *)kernel, blocks, threads, arguments, shared, stream);
}
#endif

#define cudaMalloc simulated_malloc
#define cudaMallocAsync simulated_malloc
#define cudaFree simulated_free
#define cudaFreeAsync simulated_free
#define cudaMemcpy simulated_memcpy
#define cudaMemcpyAsync simulated_memcpy
#define cudaMemcpy2DAsync simulated_rows
#define cudaDeviceGetAttribute simulated_attribute
#define cudaFuncSetAttribute(...) cudaSuccess
#define cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, ...) \
	(*(blocks) = 1, cudaSuccess)
#define cudaLaunchCooperativeKernel(...) cudaErrorNotSupported

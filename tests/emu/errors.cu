// What runtime calls refuse.
// expect: 0 /ok/
#include <cstdio>
#include <cstdlib>

static int wrong;
static char host[64];

#define WANT(error, call) do { cudaError_t e = (call); if (e != error) \
	wrong += printf("%d: %s\n", __LINE__, cudaGetErrorName(e)); \
	} while (0)

static void memory()
{
	size_t huge = (size_t) 1 << 50, free_bytes, total;
	void *a;

	WANT(cudaErrorMemoryAllocation, cudaMalloc(&a, huge));
	WANT(cudaErrorInvalidValue, cudaMalloc((void **) 0, 1));
	WANT(cudaSuccess, cudaMemGetInfo(&free_bytes, &total));
	WANT(cudaErrorMemoryAllocation, cudaMalloc(&a, total + 1));
	WANT(cudaSuccess, cudaMalloc(&a, 0));
	wrong += a != 0;
	WANT(cudaSuccess, cudaFree(0));
	WANT(cudaErrorInvalidValue, cudaFree(host));
	WANT(cudaSuccess, cudaMalloc(&a, 64));
	WANT(cudaErrorInvalidValue, cudaFree((char *) a + 4));
	WANT(cudaErrorInvalidValue, cudaFreeHost(a));
	WANT(cudaSuccess, cudaFree(a));
	WANT(cudaErrorInvalidValue, cudaFree(a));
	WANT(cudaErrorInvalidResourceHandle,
		cudaMallocAsync(&a, 4, (cudaStream_t) host));
}

static void copies()
{
	char *a, *pinned;
	WANT(cudaSuccess, cudaMalloc(&a, 64));
	WANT(cudaSuccess, cudaMallocHost(&pinned, 64));
	WANT(cudaSuccess, cudaMemset(a, 0, 64));
	WANT(cudaErrorInvalidValue, cudaMemset(host, 0, 64));
	WANT(cudaErrorInvalidValue, cudaMemset(a, 0, 65));
	WANT(cudaErrorInvalidValue,
		cudaMemcpy(host, host, 4, cudaMemcpyHostToDevice));
	WANT(cudaErrorInvalidValue,
		cudaMemcpy(a, host, 4, cudaMemcpyDeviceToHost));
	WANT(cudaErrorInvalidValue,
		cudaMemcpy(a, host, 4, cudaMemcpyDeviceToDevice));
	WANT(cudaErrorInvalidValue,
		cudaMemcpy(a + 1, host, 64, cudaMemcpyHostToDevice));
	WANT(cudaErrorInvalidMemcpyDirection,
		cudaMemcpy(a, host, 4, (cudaMemcpyKind) 7));
	WANT(cudaSuccess, cudaMemcpy(a, host, 4, cudaMemcpyDefault));
	WANT(cudaSuccess, cudaMemcpy(a + 8, a, 4, cudaMemcpyDeviceToDevice));
	WANT(cudaSuccess, cudaMemcpy(pinned, a, 4, cudaMemcpyDeviceToHost));
	WANT(cudaErrorInvalidPitchValue, cudaMemcpy2D(a, 4, host, 4, 8, 2,
		cudaMemcpyHostToDevice));
	WANT(cudaErrorInvalidValue, cudaMemcpy2D(a, 16, host, 4, 4, 5,
		cudaMemcpyHostToDevice));
	WANT(cudaSuccess, cudaMemcpy2D(a, 16, host, 4, 4, 4,
		cudaMemcpyHostToDevice));
	cudaPointerAttributes p;
	WANT(cudaSuccess, cudaPointerGetAttributes(&p, a));
	wrong += p.type != cudaMemoryTypeDevice;
	WANT(cudaSuccess, cudaPointerGetAttributes(&p, pinned));
	wrong += p.type != cudaMemoryTypeHost;
	WANT(cudaSuccess, cudaPointerGetAttributes(&p, host));
	wrong += p.type != cudaMemoryTypeUnregistered;
	WANT(cudaSuccess, cudaFree(a));
	WANT(cudaSuccess, cudaFreeHost(pinned));
}

static void device()
{
	cudaDeviceProp p;
	int v;
	WANT(cudaErrorInvalidDevice, cudaSetDevice(1));
	WANT(cudaErrorInvalidDevice, cudaGetDeviceProperties(&p, 3));
	WANT(cudaSuccess, cudaGetDeviceProperties(&p, 0));
	wrong += p.sharedMemPerBlockOptin != 232448 || p.warpSize != 32;
	WANT(cudaSuccess, cudaDeviceGetAttribute(&v,
		cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
	wrong += v != 232448;
	WANT(cudaErrorInvalidValue, cudaDeviceGetAttribute(&v,
		(cudaDeviceAttr) 999, 0));
	WANT(cudaErrorInvalidDeviceFunction, cudaFuncSetAttribute(
		(const void *) host,
		cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
}

int main()
{
	memory();
	copies();
	device();
	WANT(cudaErrorInvalidDeviceFunction, cudaPeekAtLastError());
	WANT(cudaErrorInvalidDeviceFunction, cudaGetLastError());
	WANT(cudaSuccess, cudaGetLastError());
	puts(wrong ? "wrong" : "ok");
	return wrong;
}

// Streams, events, stream-ordered memory, pools.
// expect: 0 /ok/
#include <cstdio>

#define TRY(call) do { cudaError_t x = (call); if (x) \
	return printf("%d: %s\n", __LINE__, cudaGetErrorName(x)); } while (0)
#define WANT(error, call) do { cudaError_t x = (call); if (x != error) \
	return printf("%d: %s\n", __LINE__, cudaGetErrorName(x)); } while (0)

__global__ void k(float *a) { a[threadIdx.x] *= 2; }

int main()
{
	cudaStream_t s, t;
	cudaEvent_t e, f;
	cudaMemPool_t pool;
	unsigned long long keep = ~0ull;
	float *a, *h, ms = -1;

	TRY(cudaStreamCreate(&s));
	TRY(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
	TRY(cudaEventCreate(&e));
	TRY(cudaEventCreateWithFlags(&f, cudaEventDefault));
	TRY(cudaDeviceGetDefaultMemPool(&pool, 0));
	TRY(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold,
		&keep));
	TRY(cudaMallocHost(&h, 256));
	for (int i = 0; i < 64; i++)
		h[i] = i;
	TRY(cudaMallocAsync(&a, 256, s));
	TRY(cudaEventRecord(e, s));
	TRY(cudaMemcpyAsync(a, h, 256, cudaMemcpyHostToDevice, s));
	k<<<1, 64, 0, s>>>(a);
	TRY(cudaGetLastError());
	TRY(cudaEventRecord(f, s));
	TRY(cudaStreamWaitEvent(t, f, 0));
	k<<<1, 64, 0, t>>>(a);
	TRY(cudaMemcpyAsync(h, a, 256, cudaMemcpyDeviceToHost, t));
	TRY(cudaFreeAsync(a, t));
	TRY(cudaStreamSynchronize(t));
	TRY(cudaEventSynchronize(f));
	TRY(cudaEventElapsedTime(&ms, e, f));
	if (ms < 0 || h[63] != 4 * 63)
		return printf("%g %g\n", ms, h[63]);
	TRY(cudaFreeHost(h));
	TRY(cudaStreamDestroy(s));
	TRY(cudaStreamDestroy(t));
	TRY(cudaEventDestroy(e));
	TRY(cudaEventDestroy(f));
	WANT(cudaErrorInvalidResourceHandle, cudaStreamDestroy(s));
	WANT(cudaErrorInvalidResourceHandle, cudaEventRecord(f, 0));
	TRY(cudaDeviceSynchronize());
	puts("ok");
	return 0;
}

// An asynchronous copy read before the wait, by its thread and by another
// that waited at the barrier only; one of a bad size.
// expect: 8 /async-early.cu:14: error: .* before the asynchronous copy to it was waited for/
// expect: 8 /async-early.cu:18: error: race between threads/
// expect: 8 /async-early.cu:20: error: an asynchronous copy of 12 bytes/
#include <cuda_pipeline.h>

__global__ void k(const float *a, float *b)
{
	__shared__ __align__(16) float s[128];
	int i = threadIdx.x;
	__pipeline_memcpy_async(&s[4 * i], a + 4 * i, 16);
	__pipeline_commit();
	b[i] = s[4 * i];
	__syncthreads();
	__pipeline_wait_prior(0);
	/* a barrier is missing */
	b[i] += s[4 * (31 - i)];
	__syncthreads();
	__pipeline_memcpy_async(&s[4 * i], a + 4 * i, 12);
}

int main()
{
	float *a, *b;
	if (cudaMalloc(&a, 512) || cudaMalloc(&b, 512) || cudaMemset(a, 0, 512))
		return 1;
	k<<<1, 32>>>(a, b);
	return cudaGetLastError() || cudaFree(a) || cudaFree(b);
}

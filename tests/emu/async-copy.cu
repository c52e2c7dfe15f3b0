// cp.async: two groups in flight, the older one waited for; zeros at the end.
// expect: 0 /ok/
#include <cuda_pipeline.h>
#include <cstdio>

__global__ void k(const float *a, float *b, int steps)
{
	__shared__ __align__(16) float s[2][4 * 32];
	int i = threadIdx.x;

	__pipeline_memcpy_async(&s[0][4 * i], a + 4 * i, 16);
	__pipeline_commit();
	for (int t = 0; t < steps; t++) {
		if (t + 1 < steps)
			__pipeline_memcpy_async(&s[(t + 1) % 2][4 * i],
				a + 128 * (t + 1) + 4 * i, 16);
		__pipeline_commit();
		__pipeline_wait_prior(1);
		__syncthreads();
		for (int j = 0; j < 4; j++)
			b[128 * t + 32 * j + i] = s[t % 2][127 - 32 * j - i];
		__syncthreads();
	}
	__pipeline_memcpy_async(&s[0][4 * i], a + 4 * i, 16, 8);
	__pipeline_commit();
	__pipeline_wait_prior(0);
	b[128 * steps + i] = s[0][4 * i + 1] + s[0][4 * i + 2];
}

int main()
{
	float *a, *b, h[128 * 6];
	for (int i = 0; i < 128 * 5; i++)
		h[i] = i;
	if (cudaMalloc(&a, sizeof h) || cudaMalloc(&b, sizeof h) ||
	    cudaMemcpy(a, h, 128 * 5 * 4, cudaMemcpyHostToDevice))
		return 1;
	k<<<1, 32>>>(a, b, 5);
	if (cudaMemcpy(h, b, (128 * 5 + 32) * 4, cudaMemcpyDeviceToHost) ||
	    cudaFree(a) || cudaFree(b))
		return 1;
	for (int i = 0; i < 128 * 5; i++)
		if (h[i] != i / 128 * 128 + 127 - i % 128)
			return printf("%d: %g\n", i, h[i]);
	for (int i = 0; i < 32; i++)
		if (h[128 * 5 + i] != 4 * i + 1)
			return printf("zeros %d\n", i);
	puts("ok");
	return 0;
}

// Without the checker an early read sees that the copy has not arrived.
// emu:
// expect: 0 /nan/
#include <cuda_pipeline.h>
#include <cmath>
#include <cstdio>

__global__ void k(const float *a, float *b)
{
	__shared__ float s[1];
	__pipeline_memcpy_async(s, a, 4);
	__pipeline_commit();
	b[0] = s[0];
	__pipeline_wait_prior(0);
	b[1] = s[0];
}

int main()
{
	float *a, h[2];
	if (cudaMalloc(&a, 64) || cudaMemset(a, 0, 64))
		return 1;
	k<<<1, 1>>>(a, a + 1);
	if (cudaMemcpy(h, a + 1, 8, cudaMemcpyDeviceToHost) || cudaFree(a))
		return 1;
	printf("%s %g\n", std::isnan(h[0]) ? "nan" : "early", h[1]);
	return h[1] != 0;
}

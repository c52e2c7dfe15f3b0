// A struct as an argument, so large that a compiler copies it by memcpy().
// emu: --check -O0
// expect: 0 /sum 4950/
#include <cuda_runtime.h>
#include <stdio.h>

struct many {
	float x[100];
};

__global__ void add(struct many m, float *sum)
{
	float s = 0;

	for (int i = 0; i < 100; i++)
		s += m.x[i];
	*sum = s;
}

int main()
{
	struct many m;
	float sum = 0, *d = nullptr;

	for (int i = 0; i < 100; i++)
		m.x[i] = (float) i;
	if (cudaMalloc(&d, sizeof *d) != cudaSuccess)
		return 1;
	add<<<1, 1>>>(m, d);
	if (cudaGetLastError() != cudaSuccess ||
	    cudaMemcpy(&sum, d, sizeof sum, cudaMemcpyDeviceToHost) !=
	    cudaSuccess || cudaFree(d) != cudaSuccess)
		return 1;
	printf("sum %g\n", sum);
	return 0;
}

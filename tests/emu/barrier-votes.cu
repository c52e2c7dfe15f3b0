// __syncthreads_count, _and, _or.
// expect: 0 /ok/
#include <cstdio>

__global__ void k(int *wrong)
{
	int n = 0, i = threadIdx.x;
	n += __syncthreads_count(i < 10) != 10;
	n += !__syncthreads_or(i == 10);
	n += __syncthreads_and(i == 10);
	n += !__syncthreads_and(i >= 0);
	n += __syncthreads_count(i < 3) != 3;
	wrong[i] = n;
}

int main()
{
	int *a, h[64], n = 0;
	if (cudaMalloc(&a, 256))
		return 1;
	k<<<1, 64>>>(a);
	if (cudaMemcpy(h, a, 256, cudaMemcpyDeviceToHost) || cudaFree(a))
		return 1;
	for (int i = 0; i < 64; i++)
		n += h[i];
	puts(n ? "wrong" : "ok");
	return n;
}

// __device__ and __constant__ variables, static, in namespaces, initialised.
// expect: 0 /ok/
#include <cstdio>

__constant__ float weights[3];
static __constant__ int one = 1, two[2] = { 2, 2 };
namespace n { __device__ double total; }
__device__ int table[2][2] = { { 1, 2 }, { 3, 4 } };
__device__ __constant__ int both = 5;
static constexpr int primes[] = { 2, 3, 5, 7 };

__device__ static int twice(int i) { return primes[i] * two[0]; }

__global__ void k(float *a)
{
	int i = threadIdx.x;
	a[i] = weights[0] + weights[1] + weights[2] + one + table[1][0] +
		both + twice(i);
	if (i == 0)
		n::total = a[i];
}

int main()
{
	float *a, w[3] = { 1, 2, 3 }, h[4];
	double total;
	if (cudaMemcpyToSymbol(weights, w, sizeof w) || cudaMalloc(&a, 16))
		return 1;
	k<<<1, 4>>>(a);
	if (cudaMemcpyFromSymbol(&total, n::total, sizeof total) ||
	    cudaMemcpy(h, a, 16, cudaMemcpyDeviceToHost) || cudaFree(a))
		return 1;
	if (cudaMemcpyToSymbol(weights, w, sizeof w + 1) !=
	    cudaErrorInvalidValue)
		return 2;
	if (total != 19 || h[3] != 29)
		return printf("%g %g\n", total, h[3]);
	puts("ok");
	return 0;
}

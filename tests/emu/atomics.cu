// Atomics do not race with each other; with a plain access they do.
// expect: 8 /atomics.cu:36: error: race between threads/
// expect: 8 /ok/
#include <cstdio>

__device__ int counter;

__global__ void k(int *a, float *f, double *d, unsigned long long *l)
{
	__shared__ int s;
	int i = threadIdx.x;
	if (i == 0)
		s = 0;
	__syncthreads();
	atomicAdd(&s, 1);
	atomicAdd(&counter, 1);
	atomicMax(a, i);
	atomicMin(a + 1, -i);
	atomicAdd(f, 0.5f);
	atomicAdd(d, 0.25);
	atomicCAS(a + 2, 0, 7);
	atomicAdd(l, 1ull);
	atomicInc((unsigned *) (a + 3), 5);
	__syncthreads();
	if (i == 0)
		atomicExch(a + 4, s);
}

__global__ void mixed(int *a)
{
	__shared__ int s[1];
	if (threadIdx.x == 0)
		s[0] = 0;
	__syncthreads();
	if (threadIdx.x > 5)
		s[0] = 3; else atomicAdd(s, 1);
}

int main()
{
	char *m;
	int h[8], c;
	if (cudaMalloc(&m, 64) || cudaMemset(m, 0, 64))
		return 1;
	int *a = (int *) m;
	float *f = (float *) (m + 32);
	double *d = (double *) (m + 40);
	unsigned long long *l = (unsigned long long *) (m + 48);
	k<<<4, 64>>>(a, f, d, l);
	if (cudaMemcpy(h, m, 32, cudaMemcpyDeviceToHost) ||
	    cudaMemcpyFromSymbol(&c, counter, 4))
		return 1;
	if (c != 256 || h[0] != 63 || h[1] != -63 || h[2] != 7 ||
	    h[3] != 256 % 6 || h[4] != 64)
		return printf("%d %d %d %d %d\n", c, h[0], h[1], h[2], h[3]);
	puts("ok");
	mixed<<<1, 7>>>(a);
	return cudaGetLastError() || cudaFree(m);
}

// Dynamic shared memory: two views of it, 100 KB of it, in a template.
// expect: 0 /ok/
#include <cstdio>

extern __shared__ double at_file_scope[];

__global__ void two(double *a, int n)
{
	extern __shared__ __align__(16) unsigned char bytes[];
	float *f = (float *) (bytes + n * sizeof(double));
	double *d = (double *) bytes;

	d[threadIdx.x] = threadIdx.x;
	f[threadIdx.x] = 2;
	__syncthreads();
	a[threadIdx.x] = at_file_scope[n - 1 - threadIdx.x] *
		f[n - 1 - threadIdx.x];
}

template <int ROW> __global__ void rows(double *a)
{
	extern __shared__ float grid[][ROW];
	grid[threadIdx.x][ROW - 1] = 1;
	__syncthreads();
	a[threadIdx.x] += grid[threadIdx.x ^ 1][ROW - 1];
}

int main()
{
	double *a, h[64];
	size_t bytes = 64 * 400 * sizeof(float);

	if (cudaMalloc(&a, sizeof h))
		return 1;
	two<<<1, 64, 64 * 12>>>(a, 64);
	if (cudaFuncSetAttribute(rows<400>,
	    cudaFuncAttributeMaxDynamicSharedMemorySize, bytes))
		return 1;
	rows<400><<<1, 64, bytes>>>(a);
	if (cudaGetLastError() ||
	    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost) || cudaFree(a))
		return 1;
	for (int i = 0; i < 64; i++)
		if (h[i] != 2 * (63 - i) + 1)
			return printf("%d: %g\n", i, h[i]);
	puts("ok");
	return 0;
}

// Cooperative launches: blocks keep their shared memory while others run.
// expect: 0 /ok/
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void k(int *a, int *b, int steps)
{
	__shared__ int mine[32];
	__shared__ short narrow[32];
	extern __shared__ int sums[];
	cg::grid_group grid = cg::this_grid();
	int i = grid.thread_rank(), n = grid.size();

	mine[threadIdx.x] = i;
	narrow[threadIdx.x] = 0;
	sums[threadIdx.x] = 0;
	a[i] = i;
	for (int t = 0; t < steps; t++) {
		grid.sync();
		sums[threadIdx.x] += a[(i + 40) % n];
		grid.sync();
		a[i] = mine[threadIdx.x] * (t + 2);
		narrow[threadIdx.x]++;
		__syncthreads();
	}
	b[i] = sums[threadIdx.x] + narrow[threadIdx.x] - steps;
}

int main()
{
	int *a, *b, n = 7 * 32, steps = 3, h[7 * 32];
	void *args[] = { &a, &b, &steps };
	if (cudaMalloc(&a, n * 4) || cudaMalloc(&b, n * 4))
		return 1;
	if (cudaLaunchCooperativeKernel((void *) k, dim3(7), dim3(32), args,
	    32 * sizeof(int), 0))
		return 1;
	if (cudaMemcpy(h, b, n * 4, cudaMemcpyDeviceToHost) || cudaFree(a) ||
	    cudaFree(b))
		return 1;
	for (int i = 0; i < n; i++)
		if (h[i] != (i + 40) % n * 6)
			return printf("%d: %d\n", i, h[i]);
	puts("ok");
	return 0;
}

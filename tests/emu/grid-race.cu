// grid.sync() missing, and in a launch that is not cooperative.
// expect: 8 /grid-race.cu:12: error: race between blocks/
// expect: 8 /grid-race.cu:17: error: grid.sync\(\) in a launch that is not cooperative/
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

__global__ void k(int *a)
{
	cg::grid_group grid = cg::this_grid();
	a[grid.thread_rank()] = 1;
	grid.sync();
	a[grid.thread_rank()] += a[(grid.thread_rank() + 40) % grid.size()];
}

__global__ void plain()
{
	cg::this_grid().sync();
}

int main()
{
	int *a;
	void *args[] = { &a };
	if (cudaMalloc(&a, 1024) || cudaLaunchCooperativeKernel(k, dim3(7),
	    dim3(32), args))
		return 1;
	plain<<<1, 1>>>();
	return cudaGetLastError() || cudaFree(a);
}

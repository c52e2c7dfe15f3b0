// Launches of clusters that a GPU refuses: of a grid that is no multiple, of too many blocks.  What is counted
// of the others: a barrier once a block, and loads from other blocks as those from shared memory.
// emu: --metrics
// expect: 0
// expect: 0 STENCILC_METRICS=- /"blocks": 4,/
// expect: 0 STENCILC_METRICS=- /"barriers": 8,/
// expect: 0 STENCILC_METRICS=- /"shared_load_requests": 4,/
#include <cooperative_groups.h>

__global__ __cluster_dims__(2, 2, 1) void fours(int *to)
{
	__shared__ int s[32];
	const cooperative_groups::cluster_group c = cooperative_groups::this_cluster();

	s[threadIdx.x] = c.block_rank();
	c.sync();
	to[c.block_rank() * 32 + threadIdx.x] = c.map_shared_rank(s, 3 - c.block_rank())[threadIdx.x];
	c.sync();
}
__global__ __cluster_dims__(16) void sixteens() {}

int main()
{
	int *a;

	if (cudaMalloc(&a, 512))
		return 1;
	fours<<<dim3(2, 3), 32>>>(a);
	if (cudaGetLastError() != cudaErrorInvalidClusterSize)
		return 2;
	sixteens<<<16, 32>>>();
	if (cudaGetLastError() != cudaErrorInvalidClusterSize)
		return 3;
	fours<<<dim3(2, 2), 32>>>(a);
	return cudaGetLastError() || cudaFree(a);
}

// What can be wrong with clusters of blocks, each in a kernel of its own: no barrier before the shared memory
// of another block is used, none between a store there and its load, in either half of one, none before a
// block ends; half a barrier; ranks that do not exist, and what is not shared.
// expect: 8 /cluster-wrong.cu:22: error: .* in shared memory of block .*, which may not have begun.*-cluster/
// expect: 8 /cluster-wrong.cu:3[12]: error: race between blocks of a cluster, no barrier of it between.*-race-cluster/
// expect: 8 /cluster-wrong.cu:45: error: race between blocks of a cluster, no barrier of it between.*-race-cluster/
// expect: 8 /cluster-wrong.cu:55: error: .*(which has ended|which may have ended, as no barrier).*-cluster/
// expect: 8 /cluster-wrong.cu:62: error: a thread waits for the barrier of the cluster without having arrived/
// expect: 8 /cluster-wrong.cu:64: error: a thread arrives at the barrier of the cluster, and has not waited/
// expect: 8 /cluster-wrong.cu:72: error: map_shared_rank: there is no block of rank 2 in a cluster of 2/
// expect: 8 /cluster-wrong.cu:73: error: map_shared_rank of an address that is not in shared memory/
// expect: 8 /cluster-wrong.cu:8[14]: error: race between blocks: .*-race-grid/
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ __cluster_dims__(2) void no_begin(int *to)
{
	__shared__ int s[32];
	const cg::cluster_group c = cg::this_cluster();

	c.map_shared_rank(s, 1 - c.block_rank())[threadIdx.x] = 1;
	c.sync();
	to[threadIdx.x] = s[threadIdx.x];
}
static __device__ void use(int *s, int *other)
{
	const cg::cluster_group c = cg::this_cluster();

	c.sync();
	other[threadIdx.x] = 2;
	s[threadIdx.x] += 1;
	c.sync();
}
__global__ __cluster_dims__(2) void late(int *to)
{
	__shared__ int s[32];
	const cg::cluster_group c = cg::this_cluster();
	int *const other = c.map_shared_rank(s, 1 - c.block_rank());

	use(s, other);
	c.barrier_arrive();
	other[threadIdx.x] = 2;
	c.barrier_wait();
	to[c.block_rank() * 32 + threadIdx.x] = s[threadIdx.x];
	c.sync();
}
__global__ __cluster_dims__(2) void early_end(int *to)
{
	__shared__ int s[32];
	const cg::cluster_group c = cg::this_cluster();

	s[threadIdx.x] = 3;
	c.sync();
	to[c.block_rank() * 32 + threadIdx.x] = c.map_shared_rank(s, 1 - c.block_rank())[threadIdx.x];
}
__global__ __cluster_dims__(2) void halves()
{
	const cg::cluster_group c = cg::this_cluster();

	if (threadIdx.x < 32)
		c.barrier_wait();
	c.barrier_arrive();
	c.barrier_arrive();
	c.barrier_wait();
}
__global__ __cluster_dims__(2) void nowhere(int *to)
{
	__shared__ int s[32];

	s[threadIdx.x] = 0;
	*cg::this_cluster().map_shared_rank(s, 2) = 1;
	*cg::this_cluster().map_shared_rank(to, 1) = 2;
}
__global__ __cluster_dims__(2) void beside(int *to)
{
	const cg::cluster_group c = cg::this_cluster();

	/* The barrier orders blocks of a cluster, and no others. */
	if (c.block_rank() == 0)
		to[threadIdx.x] = blockIdx.x;
	c.sync();
	if (c.block_rank() == 1)
		to[threadIdx.x] = blockIdx.x;
}

int main()
{
	int *a;

	if (cudaMalloc(&a, 256))
		return 1;
	no_begin<<<2, 32>>>(a);
	late<<<2, 32>>>(a);
	early_end<<<2, 32>>>(a);
	halves<<<2, 32>>>();
	nowhere<<<2, 32>>>(a);
	beside<<<4, 32>>>(a);
	return cudaGetLastError() || cudaFree(a);
}

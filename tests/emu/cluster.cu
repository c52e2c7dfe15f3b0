// Clusters of blocks: ranks and numbers of blocks and threads, shared memory of other blocks, static and
// dynamic, a barrier in halves, and blocks that leave early.
// expect: 0
// expect: 0 STENCILC_EMU_STAMPS=300
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

extern __shared__ int counted[];

/* Each block leaves its numbers for the next one of its cluster, and takes those of the one before. */
__global__ __launch_bounds__(32) __cluster_dims__(1, 4, 1) void turn(int *to, int n)
{
	__shared__ int left[2][32];
	const cg::cluster_group cluster = cg::this_cluster();
	const int rank = cluster.block_rank(), i = threadIdx.x;
	int (*const next)[32] = cluster.map_shared_rank(left, (rank + 1) % 4);
	int *const first = cluster.map_shared_rank(counted, 0);
	int sum = 0;

	cluster.sync();
	for (int k = 0; k < n; k++) {
		next[k % 2][i] = 100 * k + 10 * rank + (int)cluster.block_index().y;
		cg::cluster_group::arrival_token token = cluster.barrier_arrive();
		sum += k;
		cluster.barrier_wait(static_cast<cg::cluster_group::arrival_token &&>(token));
		sum += left[k % 2][i];
	}
	if (i == 0)
		first[rank] = cluster.num_blocks() + cluster.dim_blocks().y;
	cluster.sync();
	if (rank > 0)
		return;
	if (i < 4)
		sum += counted[i];
	to[(blockIdx.x * gridDim.y + blockIdx.y) * 32 + i] = sum + (int)cluster.thread_rank();
}

/* A kernel whose clusters have one block. */
__global__ void alone(int *to)
{
	__shared__ int own;

	if (threadIdx.x == 0)
		*cg::this_cluster().map_shared_rank(&own, 0) = 1 + cg::this_cluster().block_rank();
	cg::this_cluster().sync();
	to[threadIdx.x] = own;
}

int main()
{
	int *a, h[3 * 8 * 32] = { 0 };
	const int n = 5;

	if (cudaMalloc(&a, sizeof h) || cudaMemset(a, 0, sizeof h))
		return 1;
	turn<<<dim3(3, 8), 32, 16>>>(a, n);
	if (cudaGetLastError() || cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost))
		return 2;
	for (int x = 0; x < 3 * 8 * 32; x++) {
		int sum = x % 32 + (x % 32 < 4 ? 8 : 0);

		for (int k = 0; k < n; k++)
			sum += k + 100 * k + 10 * 3 + 3;
		if (h[x] != (x / 32 % 4 ? 0 : sum))
			return 3;
	}
	alone<<<1, 64>>>(a);
	if (cudaGetLastError() || cudaMemcpy(h, a, 256, cudaMemcpyDeviceToHost) || h[63] != 1)
		return 4;
	return cudaFree(a) != cudaSuccess;
}

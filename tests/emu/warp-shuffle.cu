// Shuffles and votes, also of 8 bytes, in parts of a warp, with lanes that
// have ended, in a block that is no multiple of 32.
// expect: 0 /ok/
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void k(int *wrong, double *sum)
{
	int lane = threadIdx.x % 32, n = 0;
	unsigned all = threadIdx.x < 32 ? 0xffffffff : 0xff;

	if (threadIdx.x < 32) {
		n += __shfl_sync(all, lane, 5) != 5;
		n += __shfl_sync(all, lane, 3, 8) != (lane & ~7) + 3;
		n += __shfl_up_sync(all, lane, 1) != (lane ? lane - 1 : 0);
		n += __shfl_down_sync(all, lane, 2) !=
			(lane < 30 ? lane + 2 : lane);
		n += __shfl_xor_sync(all, lane, 16) != (lane ^ 16);
		n += __ballot_sync(all, lane < 3) != 7;
		n += !__any_sync(all, lane == 3);
		n += __all_sync(all, lane == 3);
		n += __match_any_sync(all, lane / 16) !=
			(lane < 16 ? 0xffffu : 0xffff0000u);
	}
	double v = threadIdx.x;
	for (int d = 4; d; d /= 2)
		v += __shfl_down_sync(all, v, d, 8);
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<8>(block);
	n += tile.shfl(lane, 1) != (lane & ~7) + 1;
	tile.sync();
	if (lane % 8 == 0)
		sum[threadIdx.x / 8] = v;
	if (threadIdx.x == 3)
		return;
	if (threadIdx.x < 32)
		n += __popc(__ballot_sync(all, 1)) != 31;
	wrong[threadIdx.x] = n;
}

int main()
{
	int *wrong, h[40];
	double *sum, s[5];
	if (cudaMalloc(&wrong, sizeof h) || cudaMalloc(&sum, sizeof s) ||
	    cudaMemset(wrong, 0, sizeof h))
		return 1;
	k<<<1, 40>>>(wrong, sum);
	if (cudaMemcpy(h, wrong, sizeof h, cudaMemcpyDeviceToHost) ||
	    cudaMemcpy(s, sum, sizeof s, cudaMemcpyDeviceToHost) ||
	    cudaFree(wrong) || cudaFree(sum))
		return 1;
	for (int i = 0; i < 40; i++)
		if (h[i])
			return printf("%d: %d\n", i, h[i]);
	for (int i = 0; i < 5; i++)
		if (s[i] != 8 * 8 * i + 28)
			return printf("sum %d: %g\n", i, s[i]);
	puts("ok");
	return 0;
}

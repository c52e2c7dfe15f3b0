// HIP's names, and warps of 64 lanes: shuffles and votes, also of 8 bytes, in
// parts of a warp, with lanes that have ended, in a block that is no multiple
// of 64.
// expect: 0 /ok/
#include <hip/hip_runtime.h>
#include <hip/hip_cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void k(int *wrong, double *sum)
{
	int lane = threadIdx.x % 64, n = warpSize != 64;

	if (threadIdx.x < 64) {
		n += __shfl(lane, 37) != 37;
		n += __shfl(lane, 3, 8) != (lane & ~7) + 3;
		n += __shfl_up(lane, 1) != (lane ? lane - 1 : 0);
		n += __shfl_down(lane, 2) != (lane < 62 ? lane + 2 : lane);
		n += __shfl_xor(lane, 32) != (lane ^ 32);
		n += __ballot(lane < 40) != (1ull << 40) - 1;
		n += !__any(lane == 63);
		n += __all(lane < 63);
	}
	double v = threadIdx.x;
	for (int d = 4; d; d /= 2)
		v += __shfl_down(v, d, 8);
	cg::thread_block block = cg::this_thread_block();
	auto tile = cg::tiled_partition<8>(block);
	n += tile.shfl(lane, 1) != (lane & ~7) + 1;
	n += tile.ballot(lane % 8 == 2) != 4;
	tile.sync();
	if (lane % 8 == 0)
		sum[threadIdx.x / 8] = v;
	if (threadIdx.x == 3)
		return;
	if (threadIdx.x < 64)
		n += __ballot(1) != ~8ull;
	wrong[threadIdx.x] = n;
}

int main()
{
	int *wrong, h[72], warp, device;
	double *sum, s[9];
	if (hipMalloc(&wrong, sizeof h) || hipMalloc(&sum, sizeof s) ||
	    hipMemset(wrong, 0, sizeof h) || hipGetDevice(&device) ||
	    hipDeviceGetAttribute(&warp, hipDeviceAttributeWarpSize, device) ||
	    warp != 64)
		return 1;
	hipLaunchKernelGGL(k, dim3(1), dim3(72), 0, 0, wrong, sum);
	if (hipMemcpy(h, wrong, sizeof h, hipMemcpyDeviceToHost) ||
	    hipMemcpy(s, sum, sizeof s, hipMemcpyDeviceToHost) ||
	    hipFree(wrong) || hipFree(sum))
		return 1;
	for (int i = 0; i < 72; i++)
		if (h[i])
			return printf("%d: %d\n", i, h[i]);
	for (int i = 0; i < 9; i++)
		if (s[i] != 8 * 8 * i + 28)
			return printf("sum %d: %g\n", i, s[i]);
	puts("ok");
}

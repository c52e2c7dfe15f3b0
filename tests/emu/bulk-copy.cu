// cp.async.bulk: rows by turns in two places, each with a barrier; one thread
// copies for several warps, and waits for them before it copies there again.
// expect: 0 /ok/
#include <cuda/ptx>
#include <cstdio>

namespace ptx = cuda::ptx;

static __device__ void begin(uint64_t *barrier, int threads)
{
	ptx::mbarrier_init(barrier, threads);
	ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
}

static __device__ void wait_for(uint64_t *barrier, int parity)
{
	while (!ptx::mbarrier_try_wait_parity(barrier, parity))
		;
}

__global__ void k(const float *a, float *b, int rows)
{
	__shared__ __align__(16) float s[2][64];
	__shared__ uint64_t full[2], empty[2];
	int i = threadIdx.x;

	if (i == 0)
		for (int p = 0; p < 2; p++) {
			begin(&full[p], 1);
			begin(&empty[p], 64);
		}
	__syncthreads();
	for (int r = 0; r < rows; r++) {
		if (i == 0) {
			if (r >= 2)
				wait_for(&empty[r % 2], (r / 2 - 1) % 2);
			ptx::mbarrier_arrive_expect_tx(ptx::sem_release,
				ptx::scope_cta, ptx::space_shared, &full[r % 2],
				256);
			for (int half = 0; half < 2; half++)
				ptx::cp_async_bulk(ptx::space_cluster,
					ptx::space_global, &s[r % 2][32 * half],
					a + 64 * r + 32 * half, 128,
					&full[r % 2]);
		}
		wait_for(&full[r % 2], r / 2 % 2);
		b[64 * r + i] = s[r % 2][63 - i];
		if (r + 2 >= rows)
			continue;
		__syncthreads();
		ptx::mbarrier_arrive(&empty[r % 2]);
	}
}

int main()
{
	float *a, *b, h[64 * 7];
	for (int i = 0; i < 64 * 7; i++)
		h[i] = i;
	if (cudaMalloc(&a, sizeof h) || cudaMalloc(&b, sizeof h) ||
	    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice))
		return 1;
	k<<<2, 64>>>(a, b, 0);
	k<<<1, 64>>>(a, b, 7);
	if (cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost) ||
	    cudaFree(a) || cudaFree(b))
		return 1;
	for (int i = 0; i < 64 * 7; i++)
		if (h[i] != i / 64 * 64 + 63 - i % 64)
			return printf("%d: %g\n", i, h[i]);
	puts("ok");
	return 0;
}

// What can be wrong with copies in bulk: a lane that did not wait, though another
// did; a copy that nobody waits for; more arrivals than a barrier is for; bytes
// of local memory.
// expect: 8 /bulk-wrong.cu:27: error: (race between threads|.*before the asynchronous copy to it was waited for)/
// expect: 8 /bulk-wrong.cu:14: error: more threads arrive at a barrier than the 1/
// expect: 8 /bulk-wrong.cu:18: error: a copy in bulk that nobody waited for when block/
// expect: 8 /bulk-wrong.cu:18: error: a copy in bulk that is not from global to shared/
#include <cuda/ptx>

namespace ptx = cuda::ptx;

static __device__ void expect(uint64_t *barrier, int bytes)
{
	ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier, bytes);
}
static __device__ void copy(float *to, const float *from, uint64_t *barrier)
{
	ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, 128, barrier);
}

static __device__ void use(const float *s, float *b, uint64_t *barrier)
{
	int i = threadIdx.x;
	if (i != 5)
		while (!ptx::mbarrier_try_wait_parity(barrier, 0))
			;
	b[i] = s[31 - i];
}

__global__ void k(const float *a, float *b)
{
	__shared__ __align__(16) float s[32], t[32];
	__shared__ uint64_t barrier[2];
	__align__(16) float local[32];
	if (threadIdx.x == 0) {
		ptx::mbarrier_init(&barrier[0], 1);
		ptx::mbarrier_init(&barrier[1], 1);
		expect(&barrier[0], 128);
		copy(s, a, &barrier[0]);
	}
	__syncwarp();
	use(s, b, &barrier[0]);
	if (threadIdx.x == 0) {
		expect(&barrier[1], 128);
		expect(&barrier[1], 128);
		copy(t, a, &barrier[1]);
		copy(t, local, &barrier[1]);
	}
}

int main()
{
	float *a, *b;
	if (cudaMalloc(&a, 128) || cudaMalloc(&b, 128) || cudaMemset(a, 0, 128))
		return 1;
	k<<<1, 32>>>(a, b);
	return cudaGetLastError() || cudaFree(a) || cudaFree(b);
}

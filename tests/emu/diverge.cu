// Threads at two barriers, and threads that end before one.
// emu:
// expect: 8 /barrier divergence: thread .* waits at this barrier, of line 1[02]/
// expect: 8 /diverge.cu:21: error: barrier divergence: 1 of 64 threads of block \(0,0,0\) ended/
#include <cstdio>

__global__ void two(int *a)
{
	if (threadIdx.x < 32) {
		__syncthreads();
	} else {
		__syncthreads();
	}
	a[threadIdx.x] = 0;
}

__global__ void early(int *a)
{
	if (threadIdx.x == 63)
		return;
	__syncthreads();
	a[threadIdx.x] = 0;
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 256))
		return 1;
	two<<<1, 64>>>(a);
	early<<<1, 64>>>(a);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

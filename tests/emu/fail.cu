// STENCILC_FAIL=n fails the n-th call; STENCILC_MEMORY bounds the memory.
// expect: 0 /done/
// expect: 12 STENCILC_FAIL=1 /call 1, cudaMalloc, fails/
// expect: 13 STENCILC_FAIL=2 /call 2, cudaMemset, fails/
// expect: 14 STENCILC_FAIL=3 /call 3, the launch of k, fails/
// expect: 15 STENCILC_FAIL=4 /call 4, cudaDeviceSynchronize, fails/
// expect: 16 STENCILC_FAIL=5 /call 5, cudaFree, fails/
// expect: 0 STENCILC_FAIL=6 /done/
// expect: 12 STENCILC_MEMORY=1023
// expect: 0 STENCILC_MEMORY=1024 /done/
#include <cstdio>

__global__ void k(int *a) { a[threadIdx.x]++; }

int main()
{
	int *a;
	if (cudaMalloc(&a, 1024))
		return 12;
	int status = 0;
	if (cudaMemset(a, 0, 1024))
		status = 13;
	if (!status)
		k<<<1, 256>>>(a);
	if (!status && cudaGetLastError())
		status = 14;
	if (!status && cudaDeviceSynchronize())
		status = 15;
	if (cudaFree(a))
		status = 16;
	if (!status)
		puts("done");
	return status;
}

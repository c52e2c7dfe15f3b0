// Managed and pinned memory are for both sides.
// expect: 0 /ok/
#include <cstdio>

__global__ void k(int *a, int *b) { a[threadIdx.x] += b[threadIdx.x]; }

int main()
{
	int *a, *b;
	if (cudaMallocManaged(&a, 128) || cudaHostAlloc(&b, 128,
	    cudaHostAllocMapped))
		return 1;
	for (int i = 0; i < 32; i++)
		a[i] = b[i] = i;
	k<<<1, 32>>>(a, b);
	if (cudaDeviceSynchronize())
		return 1;
	if (a[31] != 62)
		return printf("%d\n", a[31]);
	puts("ok");
	return cudaFree(a) || cudaFreeHost(b);
}

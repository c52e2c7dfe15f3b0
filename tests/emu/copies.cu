// memcpy and struct copies in kernels are watched like loads and stores.
// expect: 8 /copies.cu:12: error: .* reads 4 bytes of shared 's', 0 bytes into it, never written/
// expect: 8 /copies.cu:13: error: race between blocks/
#include <cstring>

struct big { int v[20]; };

__global__ void k(big *a, int n)
{
	__shared__ big s;
	if (threadIdx.x == 0)
		memcpy(a + blockIdx.x, &s, n);
	a[2] = a[blockIdx.x];
}

int main()
{
	big *a;
	if (cudaMalloc(&a, sizeof(big) * 3) ||
	    cudaMemset(a, 0, sizeof(big) * 3))
		return 1;
	k<<<2, 1>>>(a, sizeof(big));
	return cudaGetLastError() || cudaFree(a);
}

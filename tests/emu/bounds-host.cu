// Kernels that use the host's memory and hosts that use the device's.
// expect: 8 /bounds-host.cu:11: error: .* reads 4 bytes out of bounds, in the host's 'global'/
// expect: 8 /bounds-host.cu:16: error: .* writes 4 bytes out of bounds, in memory of the host/
// expect: 8 /bounds-host.cu:30: error: the host reads 4 bytes of device memory/
#include <cstdlib>

int global = 3;

__global__ void variable(int *a)
{
	a[0] = global;
}

__global__ void heap(int *a)
{
	a[0] = 1;
}

int main()
{
	int *a, *h = (int *) malloc(256);
	if (cudaMalloc(&a, 256))
		return 1;
	variable<<<1, 1>>>(a);
	heap<<<1, 1>>>(h);
	if (cudaGetLastError())
		return 1;
	if (h[0] != 1)
		return 1;
	if (a[0] == 4)
		return 1;
	free(h);
	return cudaFree(a);
}

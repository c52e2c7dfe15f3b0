// Blocks of as many threads in another shape have other indices.
// expect: 0
#include <stdio.h>

__global__ void k(int *cell)
{
	cell[threadIdx.z * 100 + threadIdx.y * 10 + threadIdx.x] = 1;
}

static int count(dim3 shape)
{
	int host[400] = { 0 }, n = 0, *cell;

	cudaMalloc((void **) &cell, sizeof(host));
	cudaMemcpy(cell, host, sizeof(host), cudaMemcpyHostToDevice);
	k<<<1, shape>>>(cell);
	cudaMemcpy(host, cell, sizeof(host), cudaMemcpyDeviceToHost);
	cudaFree(cell);
	for (unsigned z = 0; z < shape.z; z++)
		for (unsigned y = 0; y < shape.y; y++)
			for (unsigned x = 0; x < shape.x; x++)
				n += host[z * 100 + y * 10 + x];
	return n;
}

int main()
{
	if (count(dim3(8, 1, 1)) != 8 || count(dim3(4, 2, 1)) != 8 ||
	    count(dim3(2, 4, 1)) != 8 || count(dim3(2, 2, 2)) != 8 ||
	    count(dim3(1, 2, 4)) != 8)
		return 1;
	return cudaGetLastError();
}

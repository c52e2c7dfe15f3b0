// Variables of the host are not the device's, though they lie side by side.
// expect: 0 /sum 12/
#include <cstdio>

__device__ int first[4];
static int between[4];
int shared_by_files[4];
__device__ int last[4];

__global__ void k(const int *a)
{
	__shared__ int s[4];
	s[threadIdx.x] = a[threadIdx.x];
	first[threadIdx.x] = last[threadIdx.x] = s[threadIdx.x];
}

int main()
{
	int *a, got[4], sum = 0;

	for (int i = 0; i < 4; i++)
		between[i] = shared_by_files[i] = i;
	if (cudaMalloc(&a, sizeof between))
		return 1;
	if (cudaMemcpy(a, between, sizeof between, cudaMemcpyHostToDevice))
		return 1;
	k<<<1, 4>>>(a);
	if (cudaMemcpyFromSymbol(got, last, sizeof got))
		return 1;
	for (int i = 0; i < 4; i++)
		sum += got[i];
	if (cudaMemcpy(a, shared_by_files, sizeof got, cudaMemcpyDefault) ||
	    cudaMemcpy(between, a, sizeof got, cudaMemcpyDefault))
		return 1;
	for (int i = 0; i < 4; i++)
		sum += between[i];
	printf("sum %d\n", sum);
	return cudaFree(a) ? 1 : 0;
}

// Masks that do not name the caller, that differ, that name a lane elsewhere.
// expect: 8 /warp-mask.cu:9: error: the mask 0x00000001 of __shfl_sync does not name lane/
// expect: 8 /warp-mask.cu:14: error: thread .* waits for ever in __any_sync with mask 0x/
// expect: 8 /warp-mask.cu:20: error: thread .* waits for ever in __syncwarp with mask 0xffffffff/
// expect: 8 /warp-mask.cu:22: note: lane .* is at a barrier/
__global__ void foreign(int *a)
{
	if (threadIdx.x < 2)
		a[threadIdx.x] = __shfl_sync(1, (int) threadIdx.x, 0);
}

__global__ void differ(int *a)
{
	a[threadIdx.x] = __any_sync(threadIdx.x < 5 ? 0xffffffff : 0xfffffff0, 1);
}

__global__ void elsewhere(int *a)
{
	if (threadIdx.x < 16)
		__syncwarp();
	a[threadIdx.x] = 0;
	__syncthreads();
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 256))
		return 1;
	foreign<<<1, 32>>>(a);
	differ<<<1, 32>>>(a);
	elsewhere<<<1, 32>>>(a);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

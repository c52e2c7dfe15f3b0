// Blocks of one launch write and read the same cell; those of two do not.
// expect: 8 /race-grid.cu:6: error: race between blocks/
__global__ void k(int *a, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[(i + 1) % n] = a[i] + 1;
}

__global__ void equal(int *a)
{
	a[threadIdx.x] = 7;
}

__global__ void other(int *a)
{
	a[blockIdx.x] = 7;
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 256) || cudaMemset(a, 0, 256))
		return 1;
	other<<<64, 1>>>(a);
	other<<<64, 1>>>(a);
	equal<<<1, 64>>>(a);
	k<<<64, 1>>>(a, 64);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

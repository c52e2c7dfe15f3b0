// Several threads and blocks read a cell before one of them writes it: the
// writer's own read must not hide the others.
// expect: 8 /race-read-first.cu:(8|10): error: race between threads/
// expect: 8 /race-read-first.cu:(15|19): error: race between blocks/
__global__ void in_block(int *a)
{
	int v = a[0];
	a[threadIdx.x + 1] = v;
	if (threadIdx.x == 33)
		a[0] = v + 1;
}

__global__ void in_grid(int *a, int *b)
{
	int v = a[0];
	b[blockIdx.x] = v;
	__syncthreads();
	if (blockIdx.x == gridDim.x / 2)
		a[0] = v + 1;
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 512) || cudaMemset(a, 0, 512))
		return 1;
	in_block<<<1, 64>>>(a);
	in_grid<<<5, 1>>>(a, a + 80);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

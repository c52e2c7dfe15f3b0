// Two blocks write the same value.
// expect: 8 /race-grid-equal.cu:5: error: race between blocks, no|race-grid-equal.cu:5: error: race between blocks: thread/
__global__ void k(int *a)
{
	a[threadIdx.x] = 7;
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 256))
		return 1;
	k<<<2, 64>>>(a);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

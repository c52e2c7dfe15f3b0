// A barrier is missing between a store to shared memory and a load.
// expect: 8 /race-block.cu:[89]: error: race between threads of a block.*shared 's'/
// expect: 8 /race-block.cu:[89]: note: thread \(.*\) of block \(0,0,0\) (wrote|read) it here/
__global__ void k(int *a)
{
	__shared__ int s[64];
	s[threadIdx.x] = threadIdx.x;
	a[threadIdx.x] = s[threadIdx.x ^ 1];
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 256))
		return 1;
	k<<<1, 64>>>(a);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

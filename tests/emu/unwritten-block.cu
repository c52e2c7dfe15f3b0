// Shared memory starts unwritten in each block, whatever the last one left.
// expect: 8 /unwritten-block.cu:8: error: thread \(0,0,0\) of block \([01],0,0\) reads 4 bytes of shared 's', 0 bytes into it, never written/
__global__ void k(int *a)
{
	__shared__ int s[4];
	if (blockIdx.x == 1)
		s[0] = 1;
	a[blockIdx.x] = s[0];
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 256))
		return 1;
	k<<<2, 1>>>(a);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

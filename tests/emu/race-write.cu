// Two threads write the same value to the same cell: still a race.
// expect: 8 /race-write.cu:7: error: race between threads of a block/
// expect: 8 /race-write.cu:7: note: thread \(.*\) of block \(0,0,0\) wrote it here/
__global__ void k(int *a)
{
	__shared__ int s[32];
	s[threadIdx.x / 2] = 5;
	__syncthreads();
	a[threadIdx.x] = s[threadIdx.x / 2];
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

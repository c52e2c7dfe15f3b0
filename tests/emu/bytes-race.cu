// Bytes: two threads write one; one reads a word of which another writes one.
// expect: 8 /bytes-race.cu:7: error: race between threads/
// expect: 8 /bytes-race.cu:(10|11): error: race between threads/
__global__ void k(unsigned char *a, int *b)
{
	int i = threadIdx.x;
	a[i / 2] = 1;
	__syncthreads();
	if (i == 1)
		b[0] = ((int *) a)[0];
	a[i + 2] = 3;
}

int main()
{
	unsigned char *a;
	if (cudaMalloc(&a, 256) || cudaMemset(a, 0, 256))
		return 1;
	k<<<1, 32>>>(a, (int *) (a + 64));
	return cudaGetLastError() || cudaFree(a);
}

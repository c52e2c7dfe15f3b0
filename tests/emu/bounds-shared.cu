// A row that overflows into the next, a dynamic array that is too short.
// expect: 8 /bounds-shared.cu:9: error: index 8 is out of bounds for 'int ?\[8\]'/
// expect: 8 /bounds-shared.cu:16: error: .* writes 4 bytes out of bounds, 64 bytes into dynamic shared memory/
// expect: 8 /bounds-shared.cu:22: error: index 4 is out of bounds for 'float ?\[4\]'/
__global__ void row(int *a)
{
	__shared__ int s[4][8];
	for (int i = 0; i < 4; i++) s[i][threadIdx.x] = i;
	s[1][threadIdx.x + 1] = 5;
	a[threadIdx.x] = s[0][threadIdx.x];
}

__global__ void dynamic()
{
	extern __shared__ int d[];
	d[threadIdx.x] = 0;
}

/* Global memory with its shape in the type. */
__global__ void plane(float (*a)[3][4], int n)
{
	a[0][1][n] = 0;
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 256) || cudaMemset(a, 0, 256))
		return 1;
	row<<<1, 8>>>(a);
	dynamic<<<1, 17, 64>>>();
	plane<<<1, 1>>>((float (*)[3][4]) a, 4);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

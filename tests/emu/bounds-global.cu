// Accesses behind, before and between allocations, and after their end.
// expect: 8 /bounds-global.cu:7: error: thread \(50,0,0\) .* reads 4 bytes out of bounds, 0 bytes behind an allocation of 200/
// expect: 8 /bounds-global.cu:13: error: .* writes 4 bytes out of bounds, in an allocation of 256 bytes that was freed/
// expect: 8 /bounds-global.cu:[0-9]*: error: illegal memory access|error: illegal memory access in freed/
__global__ void behind(const int *a, int *b)
{
	b[threadIdx.x] = a[threadIdx.x];
}

__global__ void freed(int *a)
{
	if (threadIdx.x < 32)
		a[threadIdx.x] = 0;
}

int main()
{
	int *a, *b;
	if (cudaMalloc(&a, 200) || cudaMemset(a, 0, 200) ||
	    cudaMalloc(&b, 256))
		return 1;
	behind<<<1, 51>>>(a, b);
	if (cudaFree(b))
		return 1;
	freed<<<1, 1>>>(b);
	return 0;
}

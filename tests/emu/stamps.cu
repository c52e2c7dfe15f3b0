// The checker's clock may wrap: nothing is lost, nothing is invented.
// expect: 8 STENCILC_EMU_STAMPS=40 /stamps.cu:10: error: race between threads of a block/
// expect: 8 STENCILC_EMU_STAMPS=41 /stamps.cu:18: error: race between blocks/
__global__ void k(int *a, int n, int bad)
{
	__shared__ int s[32];
	for (int t = 0; t < n; t++) {
		s[threadIdx.x] = t;
		__syncthreads();
		int v = s[threadIdx.x ^ (t == bad)]; if (t == bad) s[threadIdx.x] = 0;
		__syncthreads();
		a[blockIdx.x * 32 + threadIdx.x] = v;
	}
}

__global__ void grid(int *a, int n)
{
	if (threadIdx.x == 0) a[blockIdx.x == 2] = blockIdx.x;
	for (int t = 0; t < n; t++)
		__syncthreads();
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 4096))
		return 1;
	k<<<8, 32>>>(a, 50, -1);
	k<<<8, 32>>>(a, 50, 40);
	grid<<<2, 32>>>(a, 100);
	return cudaGetLastError() || cudaFree(a);
}

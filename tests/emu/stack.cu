// A thread that needs more stack than there is.
// emu: -O0
// expect: 9 /the thread's stack is full \(STENCILC_STACK/
// expect: 0 STENCILC_STACK=8000000
__device__ int deep(int n) { volatile char c[1000]; c[n % 1000] = n; return n ? deep(n - 1) + c[0] : 0; }
__global__ void k(int *a) { a[0] = deep(2000); }

int main()
{
	int *a;
	if (cudaMalloc(&a, 4))
		return 1;
	k<<<1, 1>>>(a);
	return cudaGetLastError() || cudaFree(a);
}

// Reads of what was never written: shared, dynamic, global, partly, by a copy.
// expect: 8 /unwritten.cu:10: error: .* reads 4 bytes of shared 's', 4 bytes into it, never written/
// expect: 8 /unwritten.cu:16: error: .* reads 4 bytes of dynamic shared memory, 0 bytes into it, never written/
// expect: 8 /unwritten.cu:21: error: .* reads 1 byte of global memory, 3 bytes into an allocation of 8, never written/
// expect: 8 /unwritten.cu:35: error: cudaMemcpy copies 8 bytes to the host; byte 3 was never written/
__global__ void shared(int *a)
{
	__shared__ int s[4];
	s[0] = 0;
	a[0] = s[0] + s[1];
}

__global__ void dynamic(int *a)
{
	extern __shared__ int d[];
	a[0] = d[0];
}

__global__ void global(const char *b, int *a)
{
	a[0] = b[2] + b[3];
}

int main()
{
	int *a;
	char *b, h[8];
	if (cudaMalloc(&a, 256) || cudaMalloc(&b, 8) || cudaMemset(b, 0, 3))
		return 1;
	shared<<<1, 1>>>(a);
	dynamic<<<1, 1, 64>>>(a);
	global<<<1, 1>>>(b, a);
	if (cudaGetLastError())
		return 1;
	if (cudaMemcpy(h, b, 8, cudaMemcpyDeviceToHost))
		return 1;
	return cudaFree(a) || cudaFree(b);
}

// Neighbouring bytes written by different threads are no race, the same are.
// expect: 0 /ok/
#include <cstdio>

__global__ void k(unsigned char *a, short *b)
{
	__shared__ unsigned char s[64];
	int i = threadIdx.x;
	s[i] = i;
	__syncthreads();
	a[i] = s[63 - i];
	b[i] = s[i ^ 1];
	__syncthreads();
	if (i < 16)
		((int *) a)[i] ^= 0;
	__syncthreads();
	a[i] += 1;
}

int main()
{
	unsigned char *a, h[64];
	if (cudaMalloc(&a, 192))
		return 1;
	k<<<1, 64>>>(a, (short *) (a + 64));
	if (cudaMemcpy(h, a, 64, cudaMemcpyDeviceToHost) || cudaFree(a))
		return 1;
	for (int i = 0; i < 64; i++)
		if (h[i] != 64 - i)
			return printf("%d: %d\n", i, h[i]);
	puts("ok");
	return 0;
}

// Within a warp __syncwarp() orders as a barrier does; between warps not.
// expect: 0 /ok/

#include <cstdio>
__global__ void reverse(int *a)
{
	__shared__ int s[64];
	s[threadIdx.x] = threadIdx.x;
	__syncwarp();
	int v = s[threadIdx.x ^ 31];
	__syncwarp();
	s[threadIdx.x] = v;
	__syncwarp();
	a[threadIdx.x] = s[threadIdx.x ^ 1];
}

/* Groups of 8 lanes meet without the others. */
__global__ void groups(int *a)
{
	__shared__ int s[64];
	unsigned lane = threadIdx.x % 32, mask = 0xffu << (lane & ~7);
	s[threadIdx.x] = threadIdx.x;
	__syncwarp(mask);
	int v = s[threadIdx.x ^ 7];
	__syncwarp(mask);
	s[threadIdx.x] = v;
	__syncwarp(mask);
	a[threadIdx.x] += s[threadIdx.x ^ 7];
}

/* All lanes read one cell, then one of them changes it. */
__global__ void broadcast(int *a)
{
	__shared__ int s[2];
	if (threadIdx.x % 32 == 0)
		s[threadIdx.x / 32] = 1;
	__syncwarp();
	int v = s[threadIdx.x / 32];
	__syncwarp();
	if (threadIdx.x % 32 == 5)
		s[threadIdx.x / 32] = v + 1;
	__syncwarp();
	a[threadIdx.x] += s[threadIdx.x / 32];
}

int main()
{
	int *a, h[64];
	if (cudaMalloc(&a, 256))
		return 1;
	reverse<<<1, 64>>>(a);
	groups<<<1, 64>>>(a);
	broadcast<<<1, 64>>>(a);
	if (cudaMemcpy(h, a, 256, cudaMemcpyDeviceToHost) || cudaFree(a))
		return 1;
	for (int i = 0; i < 64; i++)
		if (h[i] != (i ^ 1 ^ 31) + i + 2)
			return printf("%d: %d\n", i, h[i]);
	puts("ok");
	return 0;
}

// A warp without __syncwarp(), a group that reaches beyond its mask, another
// warp, and a reader after the meeting.
// expect: 8 /warp-race.cu:13: error: race between threads/
// expect: 8 /warp-race.cu:22: error: race between threads/
// expect: 8 /warp-race.cu:30: error: race between threads/
// expect: 8 /warp-race.cu:(42|44): error: race between threads/
__global__ void none(int *a)
{
	__shared__ int s[32];
	s[threadIdx.x] = threadIdx.x;
	if (threadIdx.x < 40)
		__threadfence_block();
	a[threadIdx.x] = s[threadIdx.x ^ 1]; s[threadIdx.x] = 0;
}

__global__ void beyond(int *a)
{
	__shared__ int s[32];
	unsigned mask = 0xffu << (threadIdx.x & ~7);
	s[threadIdx.x] = threadIdx.x;
	__syncwarp(mask);
	a[threadIdx.x] = s[threadIdx.x ^ 8]; s[threadIdx.x] = 0;
}

__global__ void warps(int *a)
{
	__shared__ int s[64];
	s[threadIdx.x] = threadIdx.x;
	__syncwarp();
	a[threadIdx.x] = s[threadIdx.x ^ 32]; s[threadIdx.x] = 0;
}

__global__ void later(int *a)
{
	__shared__ int s[32], all;
	if (threadIdx.x == 0)
		all = 1;
	__syncwarp();
	int v = all;
	__syncwarp();
	if (threadIdx.x == 0)
		v += all;
	if (threadIdx.x == 1)
		all = 5;
	s[threadIdx.x] = v;
	a[threadIdx.x] = s[threadIdx.x];
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 256))
		return 1;
	none<<<1, 32>>>(a);
	beyond<<<1, 32>>>(a);
	warps<<<1, 64>>>(a);
	later<<<1, 32>>>(a);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

// Shuffles and votes that not all lanes of the mask come to, or that meet
// another function; the same function in two branches is allowed.
// expect: 8 /warp-divergent.cu:13: error: thread .* waits for ever in __shfl_down_sync with mask 0xffffffff/
// expect: 8 /warp-divergent.cu:21: error: thread .* waits for ever in __shfl_up_sync with mask 0xffffffff/
// expect: 8 /note: lane (16|31) is in __shfl_down_sync with mask 0xffffffff/
// expect: 8 /warp-divergent.cu:33: error: thread .* waits for ever in __all_sync with mask 0xffffffff/
// expect: 8 /.cu:31: note: lane 1 is in __any_sync with mask 0xffffffff/
__global__ void absent(int *a)
{
	int v = threadIdx.x;

	if (v < 24)
		v = __shfl_down_sync(0xffffffff, v, 1);
	__syncthreads();
	a[threadIdx.x] = v;
}

__global__ void two(int *a)
{
	int v = threadIdx.x;
	v = v < 16 ? __shfl_up_sync(0xffffffff, v, 1) :
		__shfl_down_sync(0xffffffff, v, 1);
	a[threadIdx.x] = v;
}

__global__ void votes(int *a)
{
	int v = threadIdx.x;

	if (v % 2)
		v = __any_sync(0xffffffff, v);
	else
		v = __all_sync(0xffffffff, v);
	a[threadIdx.x] = v;
}

__global__ void same(int *a)
{
	int v = threadIdx.x;

	if (v % 2)
		v = __shfl_sync(0xffffffff, v, 3);
	else
		v = __shfl_sync(0xffffffff, v, 4);
	a[threadIdx.x] = v;
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 128))
		return 1;
	absent<<<1, 32>>>(a);
	two<<<1, 32>>>(a);
	votes<<<1, 32>>>(a);
	same<<<1, 32>>>(a);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

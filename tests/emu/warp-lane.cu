// Values of lanes that take no part in a shuffle: outside the mask, ended,
// beyond the block.  A lane at the end of its part keeps its own value.
// expect: 8 /warp-lane.cu:12: error: thread \(15,0,0\) of block \(0,0,0\) takes the value of lane 16 in __shfl_down_sync with mask 0x0000ffff: this lane is not in the mask/
// expect: 8 /warp-lane.cu:22: error: .* lane 5 in __shfl_sync with mask 0xffffffff: this lane has ended/
// expect: 8 /warp-lane.cu:28: error: .* lane 12 in __shfl_xor_sync with mask 0x0000ffff: this lane does not exist/

__global__ void outside(int *a)
{
	int v = threadIdx.x;

	if (v < 16)
		v = __shfl_down_sync(0xffff, v, 1) +
			__shfl_down_sync(0xffff, v, 1, 16);
	a[threadIdx.x] = v;
}

__global__ void ended(int *a)
{
	if (threadIdx.x == 5)
		return;
	a[threadIdx.x] =
		__shfl_sync(0xffffffff, (int) threadIdx.x, 5);
}

__global__ void beyond(int *a)
{
	a[threadIdx.x] =
		__shfl_xor_sync(0xffff, (int) threadIdx.x, 4);
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 128))
		return 1;
	outside<<<1, 32>>>(a);
	ended<<<1, 32>>>(a);
	beyond<<<1, 12>>>(a);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

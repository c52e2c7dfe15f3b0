// Addresses of which the program says what they are multiples of, in a kernel and
// beside it.
// expect: 0
#include <stdlib.h>

__global__ void k(float *a)
{
	float *from = (float *) __builtin_assume_aligned(a, 16);

	from[threadIdx.x] = 1;
}

int main()
{
	float *kept = (float *) aligned_alloc(64, 256), *a;

	if (!kept || cudaMalloc(&a, 256))
		return 1;
	k<<<1, 32>>>(a + 4);
	if (cudaMemcpy(kept, a + 4, 128, cudaMemcpyDeviceToHost))
		return 1;
	const int is_wrong = kept[31] != 1;
	free(kept);
	return cudaFree(a) || is_wrong;
}

// What the program says of an address is not so; g++ does not ask.
// needs: clang++
// expect: 8 /assumed-wrong.cu:8: error: address 0x.*4 is not a multiple of 16/
__global__ void k(float *a)
{
	float *from;

	from = (float *) __builtin_assume_aligned(a, 16);
	from[0] = 1;
}

int main()
{
	float *a;

	if (cudaMalloc(&a, 256))
		return 1;
	k<<<1, 1>>>(a + 1);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

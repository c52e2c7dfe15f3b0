// float4 at a multiple of 4, double2 at a multiple of 8; pairs of doubles in
// needs: g++
// a struct need no more than 8.
// expect: 8 /misaligned.cu:10: error: address 0x.*4 is not a multiple of 16/
struct pair { double x, y; };

__global__ void pairs(pair *p) { p[1] = p[0]; }
__global__ void k(float *a)
{
	*(float4 *) (a + 1) = make_float4(1, 2, 3, 4);
}

int main()
{
	float *a;
	if (cudaMalloc(&a, 256) || cudaMemset(a, 0, 256))
		return 1;
	pairs<<<1, 1>>>((pair *) (a + 18));
	k<<<1, 1>>>(a);
	if (cudaGetLastError())
		return 1;
	return cudaFree(a);
}

// double2 at a multiple of 8 in shared memory.
// needs: g++
// expect: 8 /misaligned-read.cu:9: error: address 0x.*8 is not a multiple of 16/
__global__ void k(double *a)
{
	__shared__ __align__(16) double s[8];
	for (int i = 0; i < 8; i++)
		s[i] = i;
	double2 v = *(double2 *) (s + 3 + 2 * threadIdx.x);
	a[0] = v.x + v.y;
}

int main()
{
	double *a;
	if (cudaMalloc(&a, 256))
		return 1;
	k<<<1, 1>>>(a);
	return cudaGetLastError() || cudaFree(a);
}

// Integer overflow in an index, a shift by too much.
// expect: 8 /overflow.cu:6: error: an integer overflows in \*/
// expect: 8 /overflow.cu:7: error: a shift by more bits/
__global__ void k(int *a, int n, int s)
{
	a[0] = n * n;
	a[1] = 1u << s;
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 64))
		return 1;
	k<<<1, 1>>>(a, 100000, 33);
	return cudaGetLastError() || cudaFree(a);
}

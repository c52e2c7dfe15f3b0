// Without the checker an access to what is not allocated ends the program.
// emu:
// expect: 9 /illegal memory access in k, thread \(0,0,0\) of block \(0,0,0\), outside any allocation/
__global__ void k(int *a)
{
	a[1 << 24] = 0;
}

int main()
{
	int *a;
	if (cudaMalloc(&a, 200))
		return 1;
	k<<<1, 1>>>(a);
	return 0;
}

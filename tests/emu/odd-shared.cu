// Arrays of odd sizes in shared memory: each block begins with bytes that nobody wrote, the last
// ones of an array that starts within a word, too.
// expect: 0 /ok/
#include <cstdio>

#define REVERSES(NAME, N) \
	__global__ void NAME(signed char *to) \
	{ \
		__shared__ signed char own[N]; \
		int i = threadIdx.x; \
		own[i] = i; \
		__syncthreads(); \
		to[N * blockIdx.x + i] = own[N - 1 - i]; \
	}
REVERSES(five, 5)
REVERSES(six, 6)
REVERSES(seven, 7)
REVERSES(nine, 9)
REVERSES(ten, 10)
REVERSES(eleven, 11)

template <class kernel> static int run(kernel k, int n)
{
	signed char *to, h[44];

	if (cudaMalloc(&to, 4 * n))
		return 1;
	k<<<4, n>>>(to);
	if (cudaMemcpy(h, to, 4 * n, cudaMemcpyDeviceToHost) || cudaFree(to))
		return 1;
	for (int i = 0; i < 4 * n; i++)
		if (h[i] != n - 1 - i % n)
			return 1;
	return 0;
}

int main()
{
	if (run(five, 5) || run(six, 6) || run(seven, 7) || run(nine, 9) ||
	    run(ten, 10) || run(eleven, 11))
		return 1;
	puts("ok");
	return 0;
}

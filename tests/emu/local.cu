// Arrays of a thread, by value, by reference, and from another thread.
// expect: 0 /ok/
#include <cstdio>

struct box { float v[8]; };

__device__ static void add(box &b, const float *w, int n)
{
	for (int i = 0; i < n; i++)
		b.v[i] += w[i];
}

__global__ void k(float *a, box b, int n)
{
	float w[8];
	for (int i = 0; i < n; i++)
		w[i] = i;
	add(b, w, n);
	for (int i = 1; i < n; i++)
		b.v[0] += b.v[i];
	a[threadIdx.x] = b.v[0];
	if (threadIdx.x == 0)
		printf("device\n");
}

int main()
{
	float *a, h[32];
	box b = { { 1, 1, 1, 1, 1, 1, 1, 1 } };
	if (cudaMalloc(&a, 128))
		return 1;
	k<<<1, 32>>>(a, b, 8);
	if (cudaMemcpy(h, a, 128, cudaMemcpyDeviceToHost) || cudaFree(a))
		return 1;
	puts(h[31] == 36 ? "ok" : "wrong");
	return h[31] != 36;
}

// Vector types: sizes, alignments, loads through the caches' hints.
// expect: 0 /ok/
#include <cstdio>

static_assert(sizeof(float3) == 12 && alignof(float3) == 4, "");
static_assert(sizeof(float4) == 16 && alignof(float4) == 16, "");
static_assert(sizeof(double2) == 16 && alignof(double2) == 16, "");
static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4, "");
static_assert(sizeof(int2) == 8 && alignof(int2) == 8, "");

__global__ void k(const float4 *__restrict__ a, double2 *d, float2 *b)
{
	__shared__ float4 s[32];
	int i = threadIdx.x;
	s[i] = __ldg(a + i);
	__syncthreads();
	float4 v = s[31 - i];
	b[i] = make_float2(v.x + v.y, v.z + v.w);
	__stcs(d + i, make_double2(v.x, i));
	const double2 e = __ldcg(d + i);
	b[i].x += e.x;
	#pragma unroll 4
	for (int j = 0; j < 4; j++)
		b[i].y += fmaf(v.x, 0, min(j, 2)) + fmaxf(0, max(0, j - 4));
}

int main()
{
	float4 *a;
	float2 h[32];
	double2 *d;
	float2 *b;
	float4 in[32];
	for (int i = 0; i < 32; i++)
		in[i] = make_float4(i, 1, 2, 3);
	if (cudaMalloc(&a, sizeof in) || cudaMalloc(&b, sizeof h) ||
	    cudaMalloc(&d, 512) ||
	    cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice))
		return 1;
	k<<<1, 32>>>(a, d, b);
	if (cudaMemcpy(h, b, sizeof h, cudaMemcpyDeviceToHost) ||
	    cudaFree(a) || cudaFree(b) || cudaFree(d))
		return 1;
	for (int i = 0; i < 32; i++)
		if (h[i].x != 2 * (31 - i) + 1 || h[i].y != 10)
			return printf("%d: %g %g\n", i, h[i].x, h[i].y);
	puts("ok");
	return 0;
}

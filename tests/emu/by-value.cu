// Kernels may read what they are passed by value, however large: compilers copy it by memcpy().
// emu: --check -O0
// expect: 0 /276 1128 2556 276 276$/
#include <stdio.h>

template <int N> struct numbers { int n[N]; };

template <int N> __device__ int sum(const numbers<N> &a)
{
	int s = 0;

	for (int i = 0; i < N; i++)
		s += a.n[i];
	return s;
}

__global__ void plain(int *out, numbers<24> a) { out[threadIdx.x] = sum(a); }
template <int N> __global__ void deduced(int *out, numbers<N> a) { out[threadIdx.x] = sum(a); }
__global__ void packed(int *out, const numbers<72> a, numbers<1>) { out[threadIdx.x] = sum(a); }

template <int N> static numbers<N> up_to()
{
	numbers<N> a;

	for (int i = 0; i < N; i++)
		a.n[i] = i;
	return a;
}

static int last_of(int *d)
{
	int all[32];

	if (cudaMemcpy(all, d, sizeof all, cudaMemcpyDeviceToHost))
		return -1;
	return all[31];
}

/* The launch of a graph after what it was captured from is gone. */
static int captured(int *d)
{
	cudaStream_t s;
	cudaGraph_t g;
	cudaGraphExec_t e;

	if (cudaStreamCreate(&s) || cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal))
		return -1;
	plain<<<1, 32, 0, s>>>(d, up_to<24>());
	if (cudaStreamEndCapture(s, &g) || cudaGraphInstantiate(&e, g, 0) ||
	    cudaGraphLaunch(e, s) || cudaStreamSynchronize(s))
		return -1;
	int last = last_of(d);
	if (cudaGraphExecDestroy(e) || cudaGraphDestroy(g) || cudaStreamDestroy(s))
		return -1;
	return last;
}

int main()
{
	int *d, result[5];
	numbers<24> some = up_to<24>();
	numbers<72> most = up_to<72>();
	numbers<1> one = { { 1 } };
	void *of_some[] = { &d, &some }, *of_most[] = { &d, &most, &one };

	if (cudaMalloc(&d, 32 * sizeof(int)))
		return 1;
	plain<<<1, 32>>>(d, up_to<24>());
	result[0] = last_of(d);
	deduced<<<1, 32>>>(d, up_to<48>());
	result[1] = last_of(d);
	if (cudaLaunchKernel(packed, dim3(1), dim3(32), of_most, 0, 0))
		return 1;
	result[2] = last_of(d);
	result[3] = captured(d);
	if (cudaLaunchKernel((const void *) plain, dim3(1), dim3(32), of_some, 0, 0))
		return 1;
	result[4] = last_of(d);
	printf("%d %d %d %d %d\n", result[0], result[1], result[2], result[3], result[4]);
	return cudaFree(d);
}

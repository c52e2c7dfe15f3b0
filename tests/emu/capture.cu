// A stream that is captured does nothing until its graph is launched.
// expect: 0 /ok/
#include <cstdio>

#define TRY(call) do { cudaError_t x = (call); if (x) \
	return printf("%d: %s\n", __LINE__, cudaGetErrorName(x)); } while (0)

__global__ void add(float *a, float b) { a[threadIdx.x] += b; }
template <class T> __global__ void scale(T *a, T b) { a[threadIdx.x] *= b; }

static int launch(float *a, float b, cudaStream_t s)
{
	void *arguments[] = { &a, &b };

	add<<<1, 64, 0, s>>>(a, b);
	TRY(cudaGetLastError());
	scale<<<1, 64, 0, s>>>(a, 2.0f);
	TRY(cudaGetLastError());
	TRY(cudaLaunchCooperativeKernel(add, dim3(1), dim3(64), arguments, 0,
		s));
	return 0;
}

int main()
{
	cudaStreamCaptureStatus status;
	cudaGraphExec_t run;
	cudaGraph_t graph;
	cudaStream_t s;
	float *a, *b, h[64];

	TRY(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	TRY(cudaMalloc(&a, sizeof(h)));
	TRY(cudaMalloc(&b, sizeof(h)));
	TRY(cudaMemset(b, 0, sizeof(h)));
	TRY(cudaMemset(a, 0, sizeof(h)));
	const unsigned long allocations = stencilc_emu_allocations();
	TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	TRY(cudaStreamIsCapturing(s, &status));
	if (status != cudaStreamCaptureStatusActive)
		return printf("status %d\n", status);
	if (launch(a, 3, s))
		return 1;
	TRY(cudaMemcpyAsync(b, a, sizeof(h), cudaMemcpyDeviceToDevice, s));
	TRY(cudaMemsetAsync(a, 0, sizeof(float), s));
	TRY(cudaStreamEndCapture(s, &graph));
	TRY(cudaGraphInstantiate(&run, graph));
	TRY(cudaGraphDestroy(graph));
	TRY(cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost));
	if (h[5] != 0)
		return printf("done too early: %g\n", h[5]);
	TRY(cudaGraphLaunch(run, s));
	TRY(cudaGraphLaunch(run, s));
	TRY(cudaStreamSynchronize(s));
	TRY(cudaMemcpy(h, a, sizeof(h), cudaMemcpyDeviceToHost));
	if (h[0] != 0 || h[5] != 27)
		return printf("%g %g\n", h[0], h[5]);
	TRY(cudaMemcpy(h, b, sizeof(h), cudaMemcpyDeviceToHost));
	if (h[0] != 9 || h[5] != 27)
		return printf("%g %g\n", h[0], h[5]);
	if (stencilc_emu_allocations() != allocations)
		return printf("%lu allocations\n", stencilc_emu_allocations());
	TRY(cudaGraphExecDestroy(run));
	TRY(cudaStreamDestroy(s));
	TRY(cudaFree(a));
	TRY(cudaFree(b));
	puts("ok");
	return 0;
}

// Calls that a capture forbids fail, end it, and are reported.
// expect: 8 /capture-wrong.cu:24: error: cudaStreamSynchronize of a stream that is captured/
// expect: 8 /capture-wrong.cu:28: error: cudaMalloc while a stream is captured/
// expect: 8 /capture-wrong.cu:36: error: cudaMemsetAsync on the stream that waits/
// expect: 8 /: ok/
#include <cstdio>

#define TRY(call) do { cudaError_t x = (call); if (x) \
	return printf("%d: %s\n", __LINE__, cudaGetErrorName(x)); } while (0)
#define WANT(error, call) do { cudaError_t x = (call); if (x != error) \
	return printf("%d: %s\n", __LINE__, cudaGetErrorName(x)); } while (0)

int main()
{
	cudaGraph_t graph;
	cudaStream_t s;
	void *a, *b;

	TRY(cudaStreamCreate(&s));
	TRY(cudaMalloc(&a, 256));
	WANT(cudaErrorStreamCaptureUnsupported, cudaStreamBeginCapture(0, cudaStreamCaptureModeRelaxed));
	TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	TRY(cudaMalloc(&b, 256));
	WANT(cudaErrorStreamCaptureUnsupported, cudaStreamSynchronize(s));
	WANT(cudaErrorStreamCaptureInvalidated, cudaMemsetAsync(a, 0, 256, s));
	WANT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
	TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
	WANT(cudaErrorStreamCaptureUnsupported, cudaMalloc(&b, 256));
	WANT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
	WANT(cudaErrorIllegalState, cudaStreamEndCapture(s, &graph));
	TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));
	WANT(cudaErrorStreamCaptureUnsupported, cudaMallocAsync(&b, 256, s));
	WANT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
	TRY(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed));

	WANT(cudaErrorStreamCaptureImplicit, cudaMemsetAsync(a, 0, 256, 0));
	WANT(cudaErrorStreamCaptureInvalidated, cudaStreamEndCapture(s, &graph));
	puts(": ok");
	return 0;
}

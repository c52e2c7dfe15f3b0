// Allocations, pinned memory, streams and events that are never freed.
// expect: 8 /leak.cu:12: error: 256 bytes of device memory were never freed/
// expect: 8 /leak.cu:12: error: 64 bytes of pinned or managed memory were never freed/
// expect: 8 /leak.cu:14: error: this stream was never destroyed/
// expect: 8 /leak.cu:14: error: this event was never destroyed/
int main()
{
	void *a, *b;
	cudaStream_t s;
	cudaEvent_t e;

	if (cudaMalloc(&a, 256) || cudaMallocHost(&b, 64))
		return 1;
	if (cudaStreamCreate(&s) || cudaEventCreate(&e))
		return 1;
	return 0;
}

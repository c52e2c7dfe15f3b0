// Ways to write a launch, and text that only looks like one.
// expect: 0 /ok a<<<b>>>\(c\)/
#include <cstdio>

namespace n {
template <int W, class T> __global__ void both(T *a, T v) { a[0] += v * W; }
template <class T> __global__ void deduced(T *a, T v) { a[0] += v; }
__global__ void plain(int *a, int v) { a[0] += v; }
}
extern "C" __global__ void c_name(int *a, int v = 1) { a[0] += v; }
static __global__ void pointer(int *a, const int *none) { a[0] += !none; }
template <> __global__ void n::deduced<int>(int *a, int v) { a[0] += v; }
template <class A, class B> struct two { static const int value = 1; };

#define LAUNCH(K, g, b, ...) K<<<g, b>>>(__VA_ARGS__)
#define TWICE(K, ...) K<<<1, 1>>>(__VA_ARGS__); K<<<1, 1>>>(__VA_ARGS__)

int main()
{
	int *a, h = 0, calls = 0;
	const char *text = "a<<<b>>>(c)"; // and a<<<b>>>(c)
	const char *raw = R"x(k<<<1, 1>>>(a);
)x";
	char quote = '"';

	if (cudaMalloc(&a, 4) || cudaMemset(a, 0, 4))
		return 1;
	n::both<2, int><<<1, 1>>>(a, 3);		// 6
	n::both<2><<<1, 1>>>(a, 3);			// 12
	n::deduced<<<1, 1>>>(a, 1);			// 13
	n::deduced<int><<<dim3(1, 1), dim3(1), 0, 0>>>(a, 1);	// 14
	::n::plain<<<(3 > 2) ? 1 : 2, two<int, two<int, int>>::value>>>
		(a, (int) (sizeof(int) >> 1));		// 16
	c_name<<<1,
		1
		>>>(a, 1);				// 17
	pointer<<<1, 1>>>(a, 0);			// 18
	pointer<<<1, 1>>>(a, NULL);			// 19
	LAUNCH((n::both<1, int>), 1, dim3{1}, a, 1);	// 20
	LAUNCH(n::plain, 1, 1, a, 1);			// 21
	TWICE(n::plain, a, 1);				// 23
	if (h) n::plain<<<1, 1>>>(a, 1000); else n::plain<<<1, 1>>>(a, 1); // 24
	void (*f)(int *, int) = n::plain;
	f<<<1, 1>>>(a, 1);				// 25
	void (*fs[])(int *, int) = { n::plain, c_name };
	fs[1]<<<1, 1>>>(a, 1);				// 26
	n::plain<<<1, 2 << 0 >> 1>>>(a, ++calls);	// 27
	int one = 1;
	void *args[] = { &a, &one };
	if (cudaLaunchKernel(n::plain, dim3(1), dim3(1), args) ||	// 28
	    cudaLaunchKernel((const void *) c_name, dim3(1), dim3(1), args,
	    0, 0))					// 29
		return 1;
	if (cudaMemcpy(&h, a, 4, cudaMemcpyDeviceToHost) || cudaFree(a))
		return 1;
	if (h != 29 || calls != 1 || quote != 34 || raw[1] != '<')
		return printf("%d %d\n", h, calls);
	printf("ok %s\n", text);
	return 0;
}

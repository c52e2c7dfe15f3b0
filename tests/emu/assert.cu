// assert() in a kernel names the thread.
// expect: 9 /error: assertion failed or trap in k, thread \(5,0,0\) of block \(0,0,0\)/
#include <cassert>

__global__ void k() { assert(threadIdx.x != 5); }

int main()
{
	k<<<1, 32>>>();
	return cudaGetLastError();
}

// An illegal launch that nobody asks about.
// emu:
// expect: 9 /launch-unasked.cu:8: error: the launch of k failed and nobody asked: invalid configuration argument: a grid of 0 blocks, \(0, 1, 1\)/
__global__ void k() {}

int main()
{
	k<<<0, 32>>>();
	return 0;
}

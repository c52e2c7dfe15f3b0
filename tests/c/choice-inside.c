/* A choice by an index, whose values lie in their arrays at other points than
 * the loops go over.
 */
#include "data.h"

#define N 21

static float a[N], b[N], u[N];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			b[i] = 0.5f * a[i - 1] + (i % 2 == 0 ? 0.1f : u[i + 1]);
		for (int i = 1; i < N - 1; i++)
			a[i] = 0.5f * b[i] + (i > 4 && u[i + 1] > 0 ? 0.1f : a[i]);
	}
#pragma endscop
}

int main(void)
{
	fill_float(a, N);
	fill_float(b, N);
	fill_float(u, N);
	run(4);
	print_float("a", a, N);
	print_float("b", b, N);
	return 0;
}

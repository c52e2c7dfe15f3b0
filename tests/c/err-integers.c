/* Integers that are not compiled. */
#include <stdbool.h>

#define N 100

static bool mask[N], other[N];
static int A[N], B[N];

void truths(void)
{
#pragma scop
	for (int i = 1; i < N - 1; i++)
		other[i] = mask[i - 1] | mask[i + 1];
#pragma endscop
}

void wraps(unsigned n)
{
#pragma scop
	for (int i = 1; i < N - 1; i++)
		if (n - 5 > 2)
			B[i] = A[i];
#pragma endscop
}

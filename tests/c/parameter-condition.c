/* Conditions on parameters alone: around statements, and as choices whose other
 * value lies outside.
 */
#include "data.h"

#define N 30

static float a[N], b[N];

static void run(int steps, int q, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			if (q > 2)
				b[i] = a[i - 1] + a[i + 1];
		for (int i = 1; i < n - 1; i++)
			a[i] = 0.25f * b[i] + (q < 5 ? 0.5f : b[i - 1]);
	}
#pragma endscop
}

int main(void)
{
	for (int q = 0; q < 8; q++) {
		fill_float(a, N);
		fill_float(b, N);
		run(5, q, N);
		sum_float("a", a, N);
		sum_float("b", b, N);
	}
	return 0;
}

/* Steps that are calls, of pointers that may point into one array. */
#include <stddef.h>
#include "data.h"

#define N 12
#define ALL (9 * N)

static float pool[ALL + N];

static void f(int first, int steps, int n, float (*all)[N], float *b)
{
#pragma scop
	for (int t = first; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			all[t + 1][i] = 0.5f * (all[t][i-1] + all[t][i+1]) + b[i];
		for (int i = 1; i < n - 1; i++)
			b[i] = all[t + 1][i];
	}
#pragma endscop
}

int main(void)
{
	for (int first = 0; first < 3; first++)
		for (int at = 0; at <= ALL; at += N / 2) {
			fill_float(pool, ALL + N);
			f(first, 5, N, (float (*)[N]) pool, pool + at);
			sum_float("pool", pool, ALL + N);
		}
	return 0;
}

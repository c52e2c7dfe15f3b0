/* Absolute values of integers. */
#include <stddef.h>
#include <stdlib.h>
#include "data.h"

#define N 30

static int k[2][N];
static float a[2][N];

static void run(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n - 1; i++) {
			k[(t + 1) % 2][i] = abs(k[t % 2][i - 1] - k[t % 2][i + 1]) % 11 - 4;
			a[(t + 1) % 2][i] = a[t % 2][i] + 0.5f * abs(i - n / 2) * labs(k[t % 2][i]);
		}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 6; steps++) {
		fill_float((float *) a, 2 * N);
		for (int i = 0; i < 2 * N; i++)
			k[i / N][i % N] = i * 7 % 23 - 9;
		run(steps, N);
		sum_float("a", (float *) a, 2 * N);
		for (int i = 0; i < 2 * N; i++)
			printf("%d ", k[i / N][i % N]);
		printf("\n");
	}
	return 0;
}

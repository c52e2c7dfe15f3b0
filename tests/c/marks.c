/* A value of each step in an array that is no grid, beside copies that take
 * turns.
 */
#include "data.h"

#define N 14
#define STEPS 6

static float A[2][N], mark[STEPS];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			A[(t + 1) % 2][i] = 0.25f * (A[t % 2][i-1] + A[t % 2][i+1]);
		mark[t] = 2.0f * t;
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps <= STEPS; steps++) {
		fill_float(&A[0][0], 2 * N);
		run(steps);
		print_float("A", &A[0][0], 2 * N);
		print_float("mark", mark, STEPS);
	}
	return 0;
}

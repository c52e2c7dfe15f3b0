/* An array that holds all steps. */
#include "data.h"

#define N 22
#define M 19
#define STEPS 6

static double A[STEPS + 1][N][M], f[N][M], sum[N][M];

static void run(int steps)
{
	int t, i, j;
#pragma scop
	for (t = 1; t < steps; t++) {
		for (i = 1; i < N - 1; i++)
			for (j = 1; j < M - 1; j++)
				A[t + 1][i][j] = 2 * A[t][i][j] - A[t - 1][i][j]
					+ 0.125 * (A[t][i-1][j] + A[t][i+1][j] + A[t][i][j-1] + A[t][i][j+1])
					+ t * f[i][j];
		for (i = 0; i < N; i++)
			for (j = 0; j < M; j++)
				sum[i][j] += A[t + 1][i][j];
	}
#pragma endscop
	printf("%d\n", t);
}

int main(void)
{
	for (int steps = 0; steps <= STEPS; steps++) {
		fill_double(&A[0][0][0], (STEPS + 1) * N * M);
		fill_double(&f[0][0], N * M);
		fill_double(&sum[0][0], N * M);
		run(steps);
		print_double("A", &A[0][0][0], (STEPS + 1) * N * M);
		print_double("sum", &sum[0][0], N * M);
	}
	return 0;
}

/* Inputs with an element for each point and step, along a row, behind a pointer; and copies
 * that take turns.
 */
// args: --no-alias
#include "data.h"

#define N 22
#define M 19
#define STEPS 7

static double A[2][N][M], force[STEPS][N][M], plane[N][STEPS + 1], flat[STEPS * N * M];

static void run(int steps, int n, int m, const double *f)
{
	int t, i, j;
#pragma scop
	for (t = 0; t < steps; t++) {
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < m - 1; j++)
				A[(t + 1) % 2][i][j] = 0.2 * (A[t % 2][i][j] + A[t % 2][i-1][j] + A[t % 2][i+1][j]
					+ A[t % 2][i][j-1] + A[t % 2][i][j+1]) + force[t][i][j] - 0.5 * plane[i-1][t+1]
					+ 0.25 * f[(t * n + i) * m + j + 1];
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps <= STEPS; steps += 3) {
		fill_double(&A[0][0][0], 2 * N * M);
		fill_double(&force[0][0][0], STEPS * N * M);
		fill_double(&plane[0][0], N * (STEPS + 1));
		fill_double(flat, STEPS * N * M);
		run(steps, N, M, flat);
		print_double("A", &A[0][0][0], 2 * N * M);
	}
	return 0;
}

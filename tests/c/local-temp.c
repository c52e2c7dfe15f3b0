/* An array between two nests of a step, which is a value between statements. */
#include "data.h"

#define N 30
#define M 26

static double A[N][M];

static void run(int steps, int n, int m)
{
#pragma scop
	const double c[2] = { 0.75, 0.0625 };

	for (int t = 0; t < steps; t++) {
		double flux[n][M];

		for (int i = 0; i < n; i++)
			for (int j = 1; j < m; j++)
				flux[i][j] = A[i][j] - A[i][j - 1];
		for (int i = 0; i < n; i++)
			for (int j = 1; j < m - 1; j++)
				A[i][j] = c[0] * A[i][j] + c[1] * (flux[i][j + 1] - flux[i][j]);
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 5; steps++) {
		fill_double(&A[0][0], N * M);
		run(steps, N, M);
		print_double("A", &A[0][0], N * M);
	}
	return 0;
}

/* Sizes of arrays in memory that are no sums: what has every third step, and every other element. */
#include "data.h"

enum { N = 12 };

static float A[2][N][N];

static void thirds(int steps, float (*restrict all)[N][N])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				A[(t+1)%2][i][j] = 0.5f * (A[t%2][i][j-1] + A[t%2][i][j+1]);
		if (t % 3 == 0)
			for (int i = 1; i < N - 1; i++)
				for (int j = 1; j < N - 1; j++)
					all[t/3][i][j] = A[(t+1)%2][i][j];
	}
#pragma endscop
}

static void halves(int steps, int n, double *restrict a, double *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n; i += 2)
			b[i] = a[i];
#pragma endscop
}

int main(void)
{
	static float all[3][N][N];
	static double a[21], b[21];

	fill_float(A[0][0], 2 * N * N);
	for (int steps = 0; steps < 9; steps++) {
		thirds(steps, all);
		print_float("all", all[0][0], 3 * N * N);
		print_float("A", A[0][0], 2 * N * N);
	}
	fill_double(a, 21);
	for (int n = -1; n < 22; n += 2 + n / 5) {
		fill_double(b, 21);
		halves(2, n, a, b);
		print_double("b", b, 21);
	}
	return 0;
}

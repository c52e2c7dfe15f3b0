/* Gauss-Seidel downwards, along one dimension or both: sweeps of arrays that are stored the other way round. */
#include "data.h"

#define N 33
#define M 26

static double A[N][M], F[N][M], w[M], B[N][M], row[N];

static void both(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = n - 2; i >= 1; i--)
			for (int j = m - 2; j >= 1; j--)
				A[i][j] = 0.2 * (A[i + 1][j] + A[i - 1][j] + A[i][j + 1] + A[i][j - 1] + A[i][j])
					+ w[j] * F[i][j];
#pragma endscop
}

/* One dimension upwards, the other one downwards; another nest reads what the sweep computed. */
static void one(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = m - 2; j >= 1; j--)
				A[i][j] = 0.25 * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]) - w[j];
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m - 1; j++)
				B[i][j] = 0.5 * B[i][j] + A[i][j + 1] - A[i][j];
	}
#pragma endscop
}

static void back_substitution(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = n - 2; i >= 0; i--)
			row[i] = 0.5 * row[i] - 0.25 * row[i + 1];
#pragma endscop
}

static void linear(int steps, int n, int m, double *restrict a, const double *restrict f)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = n - 1; i > 0; i--)
			for (int j = m - 2; j >= 0; j -= 1)
				a[i * m + j] = 0.5 * (a[(i - 1) * m + j] + a[i * m + j + 1]) + f[i * m + j];
#pragma endscop
}

int main(void)
{
	for (int k = 0; k < 4; k++) {
		fill_double(&A[0][0], N * M);
		fill_double(&F[0][0], N * M);
		fill_double(&B[0][0], N * M);
		fill_double(w, M);
		fill_double(row, N);
		both(k * 3, N, M);
		sum_double("A", &A[0][0], N * M);
		one(k * 2 + 1, N - k, M - 2 * k);
		back_substitution(k + 4, N - k);
		sum_double("A", &A[0][0], N * M);
		sum_double("B", &B[0][0], N * M);
		sum_double("row", row, N);
		linear(5 + k, N - 9 * k, M - k, &B[0][0], &F[0][0]);
		sum_double("B", &B[0][0], N * M);
	}
	return 0;
}

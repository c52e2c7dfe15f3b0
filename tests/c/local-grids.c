/* Arrays of many elements that a region declares: nobody sees them from outside. */
#include "data.h"

#define N 20
#define M 18

static float A[N][M], B[2][N][M];
static double C[40];

/* Between two nests. */
static void between(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		float lap[N][M];

		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				lap[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1] - 4 * A[i][j];
		for (int i = 2; i < N - 2; i++)
			for (int j = 2; j < M - 2; j++)
				A[i][j] = A[i][j] - 0.03f * (lap[i - 1][j] + lap[i + 1][j] + lap[i][j - 1] + lap[i][j + 1]);
	}
#pragma endscop
}

/* Of variable size, written by two statements; copies take turns beside it. */
static void variable(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		float sum[n][m];

		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				if (i == 0 || j == 0)
					sum[i][j] = B[t % 2][i][j];
				else
					sum[i][j] = 0.5f * (B[t % 2][i - 1][j] + B[t % 2][i][j - 1]);
		for (int i = 0; i < n - 1; i++)
			for (int j = 0; j < m - 1; j++)
				B[(t + 1) % 2][i][j] = 0.25f * (sum[i + 1][j] + sum[i][j + 1] + 2 * sum[i + 1][j + 1]);
	}
#pragma endscop
}

/* A row of each iteration. */
static void rows(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++) {
			float row[M], half[M];

			for (int j = 0; j < M; j++)
				row[j] = B[t % 2][i - 1][j] + B[t % 2][i + 1][j];
			for (int j = 1; j < M - 1; j++)
				half[j] = 0.5f * (row[j - 1] + row[j + 1]);
			for (int j = 2; j < M - 2; j++)
				B[(t + 1) % 2][i][j] = 0.125f * (half[j - 1] + half[j + 1] + 2 * row[j]);
		}
#pragma endscop
}

/* Few elements, but told apart by a loop over points. */
static void line(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double to[40];

		for (int i = 1; i < 39; i++)
			to[i] = 0.25 * C[i - 1] + 0.5 * C[i] + 0.25 * C[i + 1];
		for (int i = 1; i < 39; i++)
			C[i] = to[i];
	}
#pragma endscop
}

/* Without a time loop; declared beside its nests. */
static void once(void)
{
#pragma scop
	float to[N][M];

	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < M - 1; j++)
			to[i][j] = 0.5f * (A[i - 1][j] + A[i + 1][j]);
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < M - 1; j++)
			A[i][j] = to[i][j];
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 5; steps++) {
		fill_float(&A[0][0], N * M);
		fill_float(&B[0][0][0], 2 * N * M);
		fill_double(C, 40);
		between(steps);
		print_float("A", &A[0][0], N * M);
		once();
		print_float("A", &A[0][0], N * M);
		variable(steps, N, M);
		print_float("B", &B[0][0][0], 2 * N * M);
		rows(steps);
		print_float("B", &B[0][0][0], 2 * N * M);
		line(steps);
		print_double("C", C, 40);
	}
	return 0;
}

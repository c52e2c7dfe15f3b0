/* Regions with several loops over time, and nests before, between and behind them. */
#include "data.h"

#define N 21
#define M 17

static float A[2][N][M], B[N][M], C[N][M];
static double line[N * M];

/* One loop behind the other, by the same and by another counter; a scalar in between. */
static void phases(int steps, float q)
{
	int t;

#pragma scop
	float w = 0.25f * q;

	for (t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				C[i][j] = w * (B[i - 1][j] + B[i + 1][j] + B[i][j - 1] + B[i][j + 1]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				B[i][j] = C[i][j];
	}
	w = w * 0.5f;
	for (t = 1; t <= steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				C[i][j] = B[i][j] + w * (B[i - 1][j] - B[i + 1][j]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				B[i][j] = C[i][j] * q;
	}
#pragma endscop
	printf("%d\n", t);
}

/* Nests around the loops; what steps have written is read by them. */
static void around(int steps)
{
#pragma scop
	for (int i = 0; i < N; i++)
		for (int j = 1; j < M; j++)
			A[0][i][j] = 0.5f * B[i][j];
	for (int i = 0; i < N; i++)
		A[0][i][0] = 1;
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				A[(t + 1) % 2][i][j] = 0.25f * (A[t % 2][i - 1][j] + A[t % 2][i + 1][j]
					+ A[t % 2][i][j - 1] + A[t % 2][i][j + 1]);
	for (int i = 1; i < N - 1; i++)
		for (int j = 0; j < M; j++)
			B[i][j] = A[0][i - 1][j] + A[1][i + 1][j];
	for (int t = 0; t < 3; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				A[(t + 1) % 2][i][j] = A[t % 2][i][j - 1] - 0.125f * B[i][j];
#pragma endscop
}

/* Pointers that are swapped in one loop are where they are in the next. */
static void swapped(int steps, double *restrict old, double *restrict to)
{
	double *tmp;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			to[i] = 0.5 * (old[i - 1] + old[i + 1]);
		tmp = old;
		old = to;
		to = tmp;
	}
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			to[i] = 0.25 * (old[i - 1] + 3 * old[i + 1]);
		for (int i = 1; i < N - 1; i++)
			old[i] = to[i];
	}
#pragma endscop
}

/* Where they overlap, none of the loops is called. */
static void apart(int steps, int n, double *x, double *y)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			y[i] = 0.5 * (x[i - 1] + x[i + 1]);
		for (int i = 1; i < n - 1; i++)
			x[i] = y[i];
	}
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			y[i] = 0.75 * (x[i - 1] - x[i + 1]);
		for (int i = 1; i < n - 1; i++)
			x[i] = y[i];
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 5; steps++) {
		fill_float(&A[0][0][0], 2 * N * M);
		fill_float(&B[0][0], N * M);
		fill_float(&C[0][0], N * M);
		fill_double(line, N * M);
		phases(steps, 0.75f);
		print_float("B", &B[0][0], N * M);
		around(steps);
		print_float("A", &A[0][0][0], 2 * N * M);
		print_float("B", &B[0][0], N * M);
		swapped(steps, line, line + N);
		apart(steps, N, line + 2 * N, line + 3 * N);
		apart(steps, N, line + 5 * N, line + 5 * N + 3);
		print_double("line", line, N * M);
	}
	return 0;
}

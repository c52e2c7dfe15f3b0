/* Time loops that end by what their points give. */
#include <math.h>
#include "data.h"

#define N 21
#define M 17

static float A[N][M], B[N][M];
static double C[N * M], D[N * M];
static int E[N], F[N];

/* The greatest change, beside what computes it; the step and the change live on. */
static void settle(int steps, float eps, float *changed)
{
	int t;
	float change = -1;

#pragma scop
	for (t = 0; t < steps; t++) {
		change = 0;
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				B[i][j] = 0.25f * (A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1]);
				change = fmaxf(change, fabsf(B[i][j] - A[i][j]));
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				A[i][j] = B[i][j];
		if (change < eps)
			break;
	}
#pragma endscop
	*changed = change;
	printf("%d\n", t);
}

/* In a nest of its own, by an "if" and a "?:"; linear subscripts, and a step of two. */
static void bounded(int steps, int n, int m, double low, double high, double *restrict x, double *restrict y)
{
	int t;

#pragma scop
	for (t = 1; t <= steps; t += 2) {
		double least = 1000, most = high - 1;

		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				y[i * m + j] = 0.5 * x[i * m + j] + 0.75 * x[i * m + j - 1];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				x[i * m + j] = y[i * m + j];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				const double d = x[i * m + j] * x[i * m + j];

				if (d > most)
					most = d;
				least = least < x[i * m + j - 1] ? least : x[i * m + j - 1];
			}
		if (most > high || least < low) {
			break;
		}
	}
#pragma endscop
	printf("%d\n", t);
}

/* A sum of ints, in one dimension. */
static void counted(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		int count = 1;

		for (int i = 1; i < n - 1; i++)
			F[i] = E[i - 1] ^ E[i + 1];
		for (int i = 1; i < n - 1; i++) {
			E[i] = F[i];
			count += F[i] & 1;
		}
		if (count % 2 == 0)
			break;
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 40; steps += 3) {
		float change;

		fill_float(&A[0][0], N * M);
		fill_double(C, N * M);
		fill_double(D, N * M);
		if (steps == 6)
			A[7][7] = NAN;
		settle(steps, 1.5f, &change);
		print_float("change", &change, 1);
		sum_float("A", &A[0][0], N * M);
		sum_float("B", &B[0][0], N * M);
		bounded(steps, N, M, -20, 300, C, D);
		sum_double("C", C, N * M);
		sum_double("D", D, N * M);
		for (int i = 0; i < N; i++)
			E[i] = i * i % 7;
		counted(steps, N);
		sum_bytes("E", E, sizeof(E));
	}
	return 0;
}

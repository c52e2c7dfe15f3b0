/* Small arrays that a region declares: each element is a scalar. */
#include "data.h"

#define N 20
#define M 18

static float A[2][N][M];
static double B[N][M], C[N][M];
static int D[N], E[N];

/* Weights before the time loop, some computed there, and what is gathered around a point. */
static void gathered(int steps, float q)
{
#pragma scop
	static const float cross[2][3] = { { 0.25f, 0.5f, 0.25f }, { 0.125f, 0.75f } };
	float w[3];

	for (int k = 0; k < 3; k++)
		w[k] = cross[0][k] * q;
	w[1] += cross[1][2] + 0.0625f;
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				float v[3][3], s = 0, column[3] = { 0 };

				for (int a = 0; a < 3; a++)
					for (int b = 0; b < 3; b++)
						v[a][b] = A[t % 2][i + a - 1][j + b - 1];
				for (int b = 0; b < 3; b++)
					for (int a = 0; a < 3; a++)
						column[b] += w[a] * v[a][b];
				for (int b = 2; b >= 0; b--)
					s += w[b] * column[b];
				A[(t + 1) % 2][i][j] = s;
			}
#pragma endscop
}

/* Values chosen by index and by data; braces left out. */
static void chosen(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double part[2][2] = { 0.5, 0.25, 0.125 };

		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				double d[4] = { B[i][j - 1] - B[i][j], B[i][j + 1] - B[i][j], B[i - 1][j] - B[i][j],
					B[i + 1][j] - B[i][j] };

				if (i > N / 2)
					d[0] = -d[1];
				else
					d[2] *= 0.5;
				if (B[i][j] > 1)
					d[3] = 0.25;
				C[i][j] = part[0][0] * d[0] + part[0][1] * d[1] + part[1][0] * d[2] + part[1][1] * d[3]
					+ 0.125 * d[3];
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				B[i][j] = B[i][j] + 0.1 * C[i][j];
	}
#pragma endscop
}

/* The greatest of three by a function with an array of its own. */
static int middle(int a, int b, int c)
{
	int v[3] = { a, b, c };

	for (int k = 0; k < 2; k++) {
		int low = v[k] < v[k + 1] ? v[k] : v[k + 1], high = v[k] < v[k + 1] ? v[k + 1] : v[k];

		v[k] = low;
		v[k + 1] = high;
	}
	return v[0] < v[1] ? v[1] : v[0];
}

static void sorted(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			E[i] = middle(D[i - 1], D[i], D[i + 1]);
		for (int i = 1; i < n - 1; i++)
			D[i] = E[i];
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 5; steps++) {
		fill_float(&A[0][0][0], 2 * N * M);
		gathered(steps, 0.75f);
		print_float("A", &A[0][0][0], 2 * N * M);
		fill_double(&B[0][0], N * M);
		fill_double(&C[0][0], N * M);
		chosen(steps);
		print_double("B", &B[0][0], N * M);
		print_double("C", &C[0][0], N * M);
		for (int i = 0; i < N; i++)
			D[i] = i * 7 % 11 - 3;
		sorted(steps, N);
		for (int i = 0; i < N; i++)
			printf("%d %d\n", D[i], E[i]);
	}
	return 0;
}

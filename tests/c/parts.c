/* Arrays of records to C: a last subscript that is always a number. */
// apart
#include "data.h"

#define N 33
#define M 40

static double f[2][N][M][3];
static float q[N][M][2], r[N][M][2];
static float c[3][N], w[N][M];
static float coefficient[N][M][4];

static void lattice(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				double rho = f[t % 2][i][j][0] + f[t % 2][i - 1][j][1]
					+ f[t % 2][i][j + 1][2];

				f[(t + 1) % 2][i][j][0] = 0.5 * rho;
				f[(t + 1) % 2][i][j][1] = 0.25 * rho + f[t % 2][i][j][2];
				if (i > 3)
					f[(t + 1) % 2][i][j][2] = rho - f[t % 2][i][j - 1][0];
			}
#pragma endscop
}

/* Sizes that are variables, pointers that may overlap, inputs with parts. */
static void pairs(int steps, int n, int m, float (*a)[M][2], float (*b)[M][2])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				b[i][j][0] = 0.5f * (a[i][j - 1][0] + a[i][j + 1][1]);
				b[i][j][1] = 0.25f * (a[i - 1][j][1] + a[i + 1][j][0])
					+ coefficient[i][j][1] * coefficient[i][j][3];
			}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				a[i][j][0] = b[i][j][0];
				a[i][j][1] = b[i][j][1];
			}
	}
#pragma endscop
}

/* A first subscript that is a number: arrays of their own. */
static void rows(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 0; j < M; j++)
				w[i][j] = c[0][i] * w[i][j] + c[2][i - 1] * c[1][5];
#pragma endscop
}

int main(void)
{
	fill_double(&f[0][0][0][0], 2 * N * M * 3);
	fill_float(&q[0][0][0], N * M * 2);
	fill_float(&r[0][0][0], N * M * 2);
	fill_float(&c[0][0], 3 * N);
	fill_float(&w[0][0], N * M);
	fill_float(&coefficient[0][0][0], N * M * 4);
	lattice(7);
	pairs(5, N, M, q, r);
	rows(3);
	pairs(2, N, M, q, q);
	print_double("f", &f[0][0][0][0], 2 * N * M * 3);
	print_float("q", &q[0][0][0], N * M * 2);
	print_float("r", &r[0][0][0], N * M * 2);
	print_float("w", &w[0][0], N * M);
	return 0;
}

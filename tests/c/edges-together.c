/* All edges of a grid by one loop, in whose iterations corners are written in either order; and what directions
 * of a lattice a table names.
 */
#include "data.h"

#define N 19

static double u[N][N], w[N][N];
static float f[2][5][N][N];
static int solid[N][N];
static const int ex[5] = { 0, 1, 0, -1, 0 }, ey[5] = { 0, 0, 1, 0, -1 }, opposite[5] = { 0, 3, 4, 1, 2 };

static void cavity(int steps, double left, double right)
{
	int n, i, j;

#pragma scop
	for (n = 0; n < steps; n++) {
		for (i = 0; i < N; i++)
			for (j = 0; j < N; j++)
				w[i][j] = u[i][j];
		for (i = 1; i < N-1; i++)
			for (j = 1; j < N-1; j++)
				u[i][j] = w[i][j] - 0.1 * w[i][j] * (w[i][j] - w[i-1][j]) - 0.2 * (w[i][j] - w[i][j-1]);
		for (i = 0; i < N; i++) {
			u[0][i] = 1;
			u[N-1][i] = right;
			u[i][0] = left;
			u[i][N-1] = 2 + i;
		}
	}
#pragma endscop
}

/* The same for any number of rows, one among them, whose corners are one cell. */
static void square(int n, double (*restrict a)[N], double (*restrict b)[N], int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				b[i][j] = a[i][j];
		for (int i = 1; i < n-1; i++)
			for (int j = 1; j < n-1; j++)
				a[i][j] = b[i-1][j] + 0.5 * b[i+1][j] - b[i][j-1];
		for (int i = 0; i < n; i++) {
			a[0][i] = 1 + i;
			a[n-1][i] = 0.5;
			a[i][0] = 3;
			a[i][n-1] = 2 + i;
		}
	}
#pragma endscop
}

/* A grid of one row has an edge, but no cell of the array that is between. */
static void inner(int n, double (*restrict a)[N], double (*restrict b)[N], int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n-1; i++)
			for (int j = 1; j < N-1; j++)
				b[i][j] = a[i-1][j] + 0.5 * a[i+1][j] - a[i][j-1];
		for (int i = 1; i < n-1; i++)
			for (int j = 1; j < N-1; j++)
				a[i][j] = b[i][j];
		for (int i = 0; i < n; i++)
			a[i][0] = 1 + i + t;
	}
#pragma endscop
}

/* Where something is solid what comes in goes back. */
static int lattice(int steps, float omega)
{
	int now = 0;

#pragma scop
	for (int t = 0; t < steps; t++) {
		int next = 1 - now;

		for (int x = 1; x < N - 1; x++)
			for (int y = 1; y < N - 1; y++) {
				float in[5], rho = 0, ux = 0, uy = 0;

				for (int q = 0; q < 5; q++) {
					in[q] = f[now][q][x - ex[q]][y - ey[q]];
					rho += in[q];
					ux += ex[q] * in[q];
					uy += ey[q] * in[q];
				}
				if (solid[x][y]) {
					for (int q = 0; q < 5; q++)
						f[next][q][x][y] = in[opposite[q]];
				} else {
					for (int q = 0; q < 5; q++)
						f[next][q][x][y] = in[q] + omega * (0.2f * (rho + 3 * (ex[q] * ux + ey[q] * uy)) - in[q]);
				}
			}
		now = next;
	}
#pragma endscop
	return now;
}

int main(void)
{
	for (int steps = 0; steps < 5; steps++) {
		fill_double(&u[0][0], N * N);
		fill_double(&w[0][0], N * N);
		fill_float(&f[0][0][0][0], 2 * 5 * N * N);
		for (int i = 0; i < N * N; i++)
			solid[i / N][i % N] = i % 7 == 3;
		cavity(steps, 0.5, 0.25);
		sum_double("u", &u[0][0], N * N);
		sum_double("w", &w[0][0], N * N);
		for (int n = 1; n < 7; n++) {
			square(n + n * n / 8, u, w, steps);
			sum_double("u", &u[0][0], N * N);
			inner(n, u, w, steps);
			sum_double("u", &u[0][0], N * N);
		}
		sum_double("w", &w[0][0], N * N);
		printf("%d\n", lattice(steps, 0.75f));
		sum_float("f", &f[0][0][0][0], 2 * 5 * N * N);
	}
	return 0;
}

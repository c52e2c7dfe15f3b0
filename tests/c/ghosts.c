/* Cells around grids, into which each step copies those of the other end. */
#include <stddef.h>
#include "data.h"

#define N 23
#define M 18
#define L 7

static double a[N + 2], b[N + 2];
static float c[2][N + 2][M + 2];
static double d[N + 4][M + 4], e[N + 4][M + 4];
static float f[2][L + 2][N + 2][M + 2];
static float g[N + 1], h[N + 1];

/* One array, which is copied back. */
static void line(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		a[0] = a[n];
		a[n + 1] = a[1];
		for (int i = 1; i <= n; i++)
			b[i] = 0.25 * (a[i - 1] + 2 * a[i] + a[i + 1]);
		for (int i = 1; i <= n; i++)
			a[i] = b[i];
	}
#pragma endscop
}

/* Copies in turn; corners come from cells that have been copied. */
static void plane(int steps)
{
	int t;

#pragma scop
	for (t = 1; t <= steps; t++) {
		for (int j = 1; j <= M; j++) {
			c[t % 2][0][j] = c[t % 2][N][j];
			c[t % 2][N + 1][j] = c[t % 2][1][j];
		}
		for (int i = 0; i <= N + 1; i++) {
			c[t % 2][i][0] = c[t % 2][i][M];
			c[t % 2][i][M + 1] = c[t % 2][i][1];
		}
		for (int i = 1; i <= N; i++)
			for (int j = 1; j <= M; j++)
				c[(t + 1) % 2][i][j] = 0.25f * (c[t % 2][i - 1][j - 1] + c[t % 2][i + 1][j]
					+ c[t % 2][i][j - 1] + c[t % 2][i + 1][j + 1]);
	}
#pragma endscop
	c[0][0][0] += t;
}

/* Swapped pointers, two cells at each side. */
static void swapped(int steps, int n, int m, double (*from)[M + 4], double (*to)[M + 4])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int k = 0; k < 2; k++)
			for (int j = 2; j < m + 2; j++) {
				from[k][j] = from[k + n][j];
				from[n + 2 + k][j] = from[2 + k][j];
			}
		for (int i = 2; i < n + 2; i++)
			for (int k = 0; k < 2; k++) {
				from[i][k] = from[i][m + k];
				from[i][m + 2 + k] = from[i][k + 2];
			}
		for (int i = 2; i < n + 2; i++)
			for (int j = 2; j < m + 2; j++)
				to[i][j] = from[i][j] - 0.125 * (from[i - 2][j] + from[i + 2][j] + from[i][j - 2]
					+ from[i][j + 2] - from[i - 1][j] - from[i][j + 1]);
		double (*tmp)[M + 4] = from;
		from = to;
		to = tmp;
	}
#pragma endscop
}

/* Around in two of three dimensions. */
static void box(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int k = 1; k <= L; k++)
			for (int j = 0; j < M + 2; j++) {
				f[t & 1][k][0][j] = f[t & 1][k][N][j];
				f[t & 1][k][N + 1][j] = f[t & 1][k][1][j];
			}
		for (int k = 1; k <= L; k++)
			for (int i = 1; i <= N; i++)
				f[t & 1][k][i][M + 1] = f[t & 1][k][i][1];
		for (int k = 1; k <= L; k++)
			for (int i = 1; i <= N; i++)
				for (int j = 1; j <= M; j++)
					f[(t + 1) & 1][k][i][j] = 0.2f * (f[t & 1][k - 1][i][j] + f[t & 1][k + 1][i][j]
						+ f[t & 1][k][i - 1][j] + f[t & 1][k][i + 1][j] + f[t & 1][k][i][j + 1]);
	}
#pragma endscop
}

/* A cell at one side alone. */
static void upwind(int steps, float speed)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		g[0] = g[N];
		for (int i = 1; i < N + 1; i++)
			h[i] = g[i] - speed * (g[i] - g[i - 1]);
		for (int i = 1; i < N + 1; i++)
			g[i] = h[i];
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 8; steps++) {
		fill_double(a, N + 2);
		fill_double(b, N + 2);
		fill_float((float *) c, 2 * (N + 2) * (M + 2));
		fill_double((double *) d, (N + 4) * (M + 4));
		fill_double((double *) e, (N + 4) * (M + 4));
		fill_float((float *) f, 2 * (L + 2) * (N + 2) * (M + 2));
		fill_float(g, N + 1);
		fill_float(h, N + 1);
		line(steps, N);
		line(steps, N - 3);
		plane(steps);
		swapped(steps, N, M, d, e);
		swapped(steps, N - 5, M - 4, d, e);
		box(steps);
		upwind(steps, 0.25f);
		sum_double("a", a, N + 2);
		sum_double("b", b, N + 2);
		sum_float("c", (float *) c, 2 * (N + 2) * (M + 2));
		sum_double("d", (double *) d, (N + 4) * (M + 4));
		sum_double("e", (double *) e, (N + 4) * (M + 4));
		sum_float("f", (float *) f, 2 * (L + 2) * (N + 2) * (M + 2));
		sum_float("g", g, N + 1);
		sum_float("h", h, N + 1);
	}
	return 0;
}

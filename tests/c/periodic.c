/* Subscripts that come around, in the ways that C programs have; and a grid of which the loops take a
 * part, where they come around elsewhere than at its ends.
 */
#include <stdio.h>

#define N 14
#define M 16

static void chosen(int steps, int n, float a[restrict 2][N])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 0; i < n; i++)
			a[(t + 1) % 2][i] = 0.25f * a[t % 2][i == 0 ? n - 1 : i - 1] +
				0.5f * a[t % 2][i] + 0.25f * a[t % 2][i + 1 < n ? i + 1 : 0];
#pragma endscop
}

static void rest(int steps, int n, int m, double *restrict a, double *restrict b)
{
	double (*u)[m] = (double (*)[m]) a, (*v)[m] = (double (*)[m]) b;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				v[i][j] = 0.2 * (u[i][j] + u[(i - 1 + n) % n][j] + u[(i + 1) % n][j] +
					u[i][(j + m - 2) % m] + u[(n + i - 1) % n][(j + 1) % m]);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}

static void powers(int steps, double u[restrict 2][M][M], double k[restrict M][M])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 0; i < M; i++) {
			int north = (i - 1) & (M - 1), south = (i + 1) % M;

			for (int j = 0; j < M; j++) {
				int west, east = j < M - 1 ? j + 1 : 0;

				if (j > 0)
					west = j - 1;
				else
					west = M - 1;
				u[(t + 1) % 2][i][j] = u[t % 2][i][j] + k[i][east] *
					(u[t % 2][north][j] + u[t % 2][south][j] +
					u[t % 2][i][west] + u[t % 2][i][east] - 4 * u[t % 2][i][j]);
			}
		}
#pragma endscop
}

/* Along one dimension alone; behind it a nest of the inner points. */
static void tube(int steps, int n, float (*restrict u)[M], float (*restrict v)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 1; j < M - 1; j++)
				v[i][j] = u[i][j-1] + u[i == n - 1 ? 0 : i + 1][j+1];
		for (int i = 1; i < n - 1; i++)
			for (int j = 0; j < M; j++)
				u[i][j] = 0.5f * v[i-1][j];
	}
#pragma endscop
}

static float a[2][N], c[N][M], d[N][M];
static double u[N * M], v[N * M], p[2][M][M], k[M][M];

int main(void)
{
	for (int i = 0; i < N; i++)
		a[0][i] = a[1][i] = (float) (i * i % 7);
	for (int i = 0; i < N * M; i++)
		u[i] = i * i % 13;
	for (int i = 0; i < M; i++)
		for (int j = 0; j < M; j++) {
			p[0][i][j] = (i * j) % 5;
			k[i][j] = 0.01 * (i + j % 3);
		}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			c[i][j] = d[i][j] = (float) ((i + 3 * j) % 11);
	chosen(7, N, a);
	for (int i = 0; i < N; i++)
		printf("%g %g\n", a[0][i], a[1][i]);
	chosen(6, N - 3, a);
	for (int i = 0; i < N; i++)
		printf("part: %g %g\n", a[0][i], a[1][i]);
	rest(5, N, M, u, v);
	for (int i = 0; i < N * M; i++)
		printf("%.17g\n", u[i] + v[i]);
	powers(5, p, k);
	for (int i = 0; i < M; i++)
		for (int j = 0; j < M; j++)
			printf("%.17g %.17g\n", p[0][i][j], p[1][i][j]);
	tube(4, N, c, d);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			printf("%g %g\n", c[i][j], d[i][j]);
	return 0;
}

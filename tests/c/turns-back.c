/* Subscripts that turn back at the ends: at the last cell, or as far inside as they would be beyond. */
#include <stdio.h>

#define N 13
#define M 17
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

static void last_cells(int steps, int n, int m, float (*restrict u)[M], float (*restrict v)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				v[i][j] = 0.25f * (u[MAX(i - 1, 0)][j] + u[MIN(i + 1, n - 1)][j] +
					u[i][j >= 2 ? j - 2 : 0] + u[i][j < M - 1 ? j + 1 : M - 1]);
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}

static void inside(int steps, int n, double *restrict a, double *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++) {
			int low = i == 0 ? 1 : i - 1, high = i + 2;

			if (i + 2 > n - 1)
				high = 2 * (n - 1) - (i + 2);
			b[i] = 0.5 * a[i] + 0.25 * (a[low] + a[high]);
		}
		for (int i = 0; i < n; i++)
			a[i] = b[i];
	}
#pragma endscop
}

/* One end alone. */
static void wall(int steps, float a[restrict 2][N])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 0; i < N - 1; i++)
			a[(t + 1) % 2][i] = 0.5f * a[t % 2][i + 1] - 0.25f * a[t % 2][i ? i - 1 : 0];
#pragma endscop
}

static float u[N][M], v[N][M], w[2][N];
static double a[N], b[N];

static void show(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			printf("%g %g\n", u[i][j], v[i][j]);
	for (int i = 0; i < N; i++)
		printf("%.17g %.17g %g %g\n", a[i], b[i], w[0][i], w[1][i]);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			u[i][j] = (float) ((i * j + 3 * i) % 11);
	for (int i = 0; i < N; i++) {
		a[i] = i * i % 7;
		w[0][i] = w[1][i] = (float) (i % 4);
	}
	last_cells(6, N, M, u, v);
	inside(5, N, a, b);
	wall(7, w);
	show();
	last_cells(3, N - 2, M - 3, u, v);
	inside(2, 3, a, b);
	show();
	return 0;
}

/* Elements that several statements of a step write: corners, the ends of a row of one, a source that is
 * added to a cell, in a grid or at its edge.
 */
#include <stdio.h>

#define N 24

static float u[3][N][N], v[2][N][N], w[N][N], f[2][N], src[40];

/* si, sj may lie at the edge, which the nest leaves alone. */
static void ring(int n, int steps, int si, int sj)
{
#pragma scop
	for (int t = 1; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				u[(t + 1) % 3][i][j] = 2 * u[t % 3][i][j] - u[(t - 1) % 3][i][j]
					+ 0.2f * (u[t % 3][i - 1][j] + u[t % 3][i + 1][j]
					+ u[t % 3][i][j - 1] + u[t % 3][i][j + 1] - 4 * u[t % 3][i][j]);
		u[(t + 1) % 3][si][sj] += 0.1f * src[t];
	}
#pragma endscop
}

static void frame(int n, int m, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				v[(t + 1) % 2][i][j] = 0.25f * (v[t % 2][i - 1][j] + v[t % 2][i + 1][j]
					+ v[t % 2][i][j - 1] + v[t % 2][i][j + 1]);
		for (int i = 0; i < n; i++) {
			v[(t + 1) % 2][i][0] = 1;
			v[(t + 1) % 2][i][m - 1] = 2 + i;
		}
		for (int j = 0; j < m; j++) {
			v[(t + 1) % 2][0][j] = 3 + j;
			v[(t + 1) % 2][n - 1][j] = 4;
		}
	}
#pragma endscop
}

/* A change, and an end that is overwritten. */
static void once(void)
{
#pragma scop
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			w[i][j] = 0.5f * (v[0][i][j] + v[1][i][j]);
	for (int j = 0; j < N; j++)
		w[0][j] *= 0.5f;
	for (int i = 0; i < N; i++)
		w[i][N - 1] = v[0][i][0];
	w[N / 2][N / 3] -= v[1][2][3];
#pragma endscop
}

static void row(int n, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		f[(t + 1) % 2][0] = t * 0.5f;
		f[(t + 1) % 2][n - 1] = f[t % 2][n - 2];
		for (int i = 1; i < n - 1; i++)
			f[(t + 1) % 2][i] = 0.25f * (f[t % 2][i - 1] + 2 * f[t % 2][i] + f[t % 2][i + 1]);
	}
#pragma endscop
}

int main(void)
{
	for (int t = 0; t < 40; t++)
		src[t] = (float) (t % 7 - 2);
	ring(N, 20, 12, 15);
	ring(N - 3, 9, 0, 5);
	ring(N - 3, 9, N - 4, N - 5);
	ring(2, 3, 0, 0);
	frame(N, N - 1, 9);
	frame(2, 1, 3);
	frame(1, 1, 2);
	once();
	row(N, 11);
	row(2, 3);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			printf("%a %a %a\n", u[0][i][j] + 2 * u[1][i][j] + 4 * u[2][i][j],
				v[0][i][j] + 2 * v[1][i][j], w[i][j]);
	for (int i = 0; i < N; i++)
		printf("%a\n", f[0][i] + 2 * f[1][i]);
	return 0;
}

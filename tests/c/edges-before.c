// Edges that a step sets before its nest, from what the step before has left.
#include "data.h"

#define N 24
#define M 19
#define L 9

static float u[N][M], v[N][M], w[2][N][M], a[N][M], b[N][M];
static double d[N][M][L], e[N][M][L];

/* One edge, copied; the rows turn back in another array. */
static void copied(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < m; j++)
			u[0][j] = u[1][j];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				v[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}

/* All edges, columns behind rows, so that corners come from both; nine points see them. */
static void turns(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 1; j < M - 1; j++) {
			w[t % 2][0][j] = w[t % 2][1][j];
			w[t % 2][N - 1][j] = 2 - w[t % 2][N - 2][j];
		}
		for (int i = 0; i < N; i++) {
			w[t % 2][i][0] = -w[t % 2][i][1];
			w[t % 2][i][M - 1] = w[t % 2][i][M - 2] + 0.5f * w[t % 2][i][M - 3];
		}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				w[(t + 1) % 2][i][j] = 0.125f * (w[t % 2][i - 1][j - 1] + w[t % 2][i - 1][j]
					+ w[t % 2][i - 1][j + 1] + w[t % 2][i][j - 1] + w[t % 2][i][j + 1]
					+ w[t % 2][i + 1][j - 1] + w[t % 2][i + 1][j] + w[t % 2][i + 1][j + 1]);
	}
#pragma endscop
}

/* Pointers are swapped; an edge of numbers, one of a sum with its neighbours. */
static void swapped(int steps, float (*restrict p)[M], float (*restrict q)[M], float wall)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < M; j++) {
			p[0][j] = wall;
			p[N - 1][j] = p[N - 2][j] * 0.5f + p[N - 3][j] * 0.5f;
		}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				q[i][j] = p[i][j] + 0.2f * (p[i - 1][j] - 2 * p[i][j] + p[i + 1][j]);
		float (*r)[M] = p;
		p = q;
		q = r;
	}
#pragma endscop
}

/* The faces of a cube. */
static void faces(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < M; j++)
			for (int k = 0; k < L; k++) {
				d[0][j][k] = d[1][j][k];
				d[n - 1][j][k] = d[n - 2][j][k];
			}
		for (int i = 1; i < n - 1; i++)
			for (int k = 0; k < L; k++)
				d[i][0][k] = d[i][2][k];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < M - 1; j++)
				for (int k = 1; k < L - 1; k++)
					e[i][j][k] = 0.125 * (d[i - 1][j][k] + d[i + 1][j][k] + d[i][j - 1][k] + d[i][j + 1][k]
						+ d[i][j][k - 1] + d[i][j][k + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < M - 1; j++)
				for (int k = 1; k < L - 1; k++)
					d[i][j][k] = e[i][j][k] + d[i][j][k] * 0.25;
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 7; steps++) {
		fill_float(&u[0][0], N * M);
		fill_float(&w[0][0][0], 2 * N * M);
		fill_float(&a[0][0], N * M);
		fill_float(&b[0][0], N * M);
		fill_double(&d[0][0][0], N * M * L);
		copied(steps, N, M);
		turns(steps);
		swapped(steps, a, b, 0.75f);
		faces(steps, N);
		sum_float("u", &u[0][0], N * M);
		sum_float("w", &w[0][0][0], 2 * N * M);
		sum_float("a", &a[0][0], N * M);
		sum_float("b", &b[0][0], N * M);
		sum_double("d", &d[0][0][0], N * M * L);
	}
	copied(3, 3, 5);
	copied(3, 4, 3);
	faces(2, 3);
	sum_float("u", &u[0][0], N * M);
	sum_double("d", &d[0][0][0], N * M * L);
	return 0;
}

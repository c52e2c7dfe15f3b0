// Sources and receivers at any number of places that data give, of which some may share a cell.
#include "data.h"

#define N 30
#define M 27
#define P 5
#define R 7

static float a[N][M], b[N][M], u[2][N][M], w[40][P], c[N][M], heard[40][R], seen[R][41];
static int si[P], sj[P], ri[R], rj[R];

/* Sources behind the nest that copies back; receivers of what is left. */
static void back(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				a[i][j] = b[i][j];
		for (int p = 0; p < P; p++)
			a[si[p]][sj[p]] += w[t][p];
		for (int r = 0; r < R; r++)
			heard[t][r] = a[ri[r]][rj[r]];
	}
#pragma endscop
}

/* Copies that take turns; names for places; numbers that the caller gives. */
static void in_turns(int steps, int n, const int *at, int m, const int *where, const float *pulse)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[(t + 1) % 2][i][j] = u[t % 2][i][j] + 0.125f * (u[t % 2][i - 1][j]
					+ u[t % 2][i + 1][j] + u[t % 2][i][j - 1] + u[t % 2][i][j + 1]
					- 4 * u[t % 2][i][j]);
		for (int p = 0; p < n; p++) {
			int x = at[2 * p], y = at[2 * p + 1];

			u[(t + 1) % 2][x][y] += c[x][y] * pulse[t * n + p];
			u[(t + 1) % 2][x][y] *= 0.75f;
		}
		for (int r = 0; r < m; r++)
			seen[r][t + 1] = u[(t + 1) % 2][where[r]][where[r]];
	}
#pragma endscop
}

static void at_edges(int steps, int n)
{
	int t, i, j, p;

#pragma scop
	for (t = 0; t < steps; t++) {
		for (i = 1; i < N - 1; i++)
			for (j = 1; j < M - 1; j++)
				u[1 - t % 2][i][j] = 0.5f * u[t % 2][i][j] + 0.125f * (u[t % 2][i - 1][j - 1] + u[t % 2][i + 1][j + 1]);
		for (p = 0; p < n; p++)
			u[1 - t % 2][si[p]][sj[p]] = w[t][p];
	}
#pragma endscop
	printf("%d %d %d\n", t, i, j);
}

int main(void)
{
	int at[2 * P], where[R];

	for (int k = 0; k < 5; k++) {
		fill_float(&a[0][0], N * M);
		fill_float(&c[0][0], N * M);
		fill_float(&u[0][0][0], 2 * N * M);
		fill_float(&w[0][0], 40 * P);
		for (int p = 0; p < P; p++) {
			at[2 * p] = si[p] = k == 4 && p == 3 ? 0 : 3 + 5 * p * (k % 2) + k;
			at[2 * p + 1] = sj[p] = 4 + 3 * p * (k % 2);
		}
		for (int r = 0; r < R; r++) {
			where[r] = ri[r] = 2 + r * 3;
			rj[r] = k == 2 ? 0 : 9 - r;
		}
		back(9 + k);
		in_turns(10 + k, P - k % 3, at, R - k, where, &w[0][0]);
		at_edges(7 + k, P);
		sum_float("a", &a[0][0], N * M);
		sum_float("u", &u[0][0][0], 2 * N * M);
		sum_float("heard", &heard[0][0], 40 * R);
		sum_float("seen", &seen[0][0], 41 * R);
	}
	return 0;
}

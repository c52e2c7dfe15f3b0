// Sources at places that data give, a number of them that is known.
#include "data.h"

#define N 30
#define M 27
#define P 3

static float a[N][M], b[N][M], u[2][N][M], w[40][P], c[N][M];
static int si[P], sj[P];

/* Sources behind the nest that computes an array that is copied back. */
static void one_field(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				a[i][j] = b[i][j];
		for (int p = 0; p < 2; p++)
			a[si[p]][sj[p]] += w[t][p];
	}
#pragma endscop
}

/* Copies that take turns. */
static void in_turns(int steps, const int *at)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[(t + 1) % 2][i][j] = u[t % 2][i][j] + c[i][j] * (u[t % 2][i - 1][j]
					+ u[t % 2][i + 1][j] + u[t % 2][i][j - 1] + u[t % 2][i][j + 1]
					- 4 * u[t % 2][i][j]);
		for (int p = 0; p < 1; p++)
			u[(t + 1) % 2][at[2 * p]][at[2 * p + 1] + 1] += 0.25f * w[t][p];
	}
#pragma endscop
}

int main(void)
{
	static const int at[] = { 7, 9 };

	for (int k = 0; k < 3; k++) {
		fill_float(&a[0][0], N * M);
		fill_float(&u[0][0][0], 2 * N * M);
		fill_float(&w[0][0], 40 * P);
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				c[i][j] = 0.01f * (float) (i + j % 3) / 4;
		for (int p = 0; p < P; p++) {
			si[p] = 3 + 5 * p * (k % 2) + k;
			sj[p] = 4 + 7 * p * (k % 2);
		}
		one_field(9 + k);
		in_turns(10 + k, at);
		sum_float("a", &a[0][0], N * M);
		sum_float("u", &u[0][0][0], 2 * N * M);
	}
	return 0;
}

/* Statements under conditions on data: a point at which they do not hold keeps what it has. */
#include "data.h"

enum { N = 33, M = 41 };

static float u[N][M], v[N][M], w[N][M], next[N][M];
static int rock[N][M];
static double gain[64];

static void run(int steps, float least)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++)
			for (int j = 2; j < M; j++) {
				int wet = rock[i][j] % 3 == 1 && j < M - 4;

				if (wet && i > 3) {
					if (gain[t] > 0.5 || v[i][j] > least)
						v[i][j] += 0.125f * u[i][j];
				}
			}
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++) {
				if (!(rock[i][j] > 60 || i < 2))
					next[i][j] = 0.5f * (w[i][j] + w[i - 2][j]);
				else
					next[i][j] = 0.75f * w[i][j];
				if (rock[i][j] == 7)
					next[i][j] = v[i][j];
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				if (w[i][j] > 2 * least)
					u[i][j] = 0.25f * (next[i - 1][j] + next[i + 1][j] + w[i][j - 1] + w[i][j + 1]);
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				w[i][j] = next[i][j];
	}
#pragma endscop
}

int main(void)
{
	fill_float(&u[0][0], N * M);
	fill_float(&v[0][0], N * M);
	fill_float(&w[0][0], N * M);
	fill_float(&next[0][0], N * M);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			rock[i][j] = (i * 31 + j * 17 + i * j) % 97;
	for (int t = 0; t < 64; t++)
		gain[t] = t % 5 * 0.2;
	run(11, 0.4f);
	sum_float("u", &u[0][0], N * M);
	sum_float("v", &v[0][0], N * M);
	sum_float("w", &w[0][0], N * M);
	sum_float("next", &next[0][0], N * M);
	return 0;
}

/* Conditions on data and copies that take turns: a copy keeps what it has, from two steps before. */
#include "data.h"

#define N 33
#define M 41

static float u[2][N][M], a[N], b[N];
static int rock[N][M];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				float mean = 0.25f * (u[t % 2][i - 1][j] + u[t % 2][i + 1][j]
					+ u[t % 2][i][j - 1] + u[t % 2][i][j + 1]);

				if (rock[i][j] > 40)
					u[(t + 1) % 2][i][j] = mean;
				else if (mean > 0.5f)
					u[(t + 1) % 2][i][j] = u[t % 2][i][j] * 0.5f;
			}
#pragma endscop
}

static void swapped(int steps, float limit)
{
	float *restrict from = a, *restrict to = b;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			if (limit > 0 && from[i] < limit)
				to[i] = 0.5f * (from[i - 1] + from[i + 1]);
		float *turn = from;

		from = to;
		to = turn;
	}
#pragma endscop
}

int main(void)
{
	fill_float(&u[0][0][0], 2 * N * M);
	fill_float(a, N);
	fill_float(b, N);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			rock[i][j] = (i * 31 + j * 17 + i * j) % 97;
	run(11);
	swapped(7, 2.5f);
	sum_float("u", &u[0][0][0], 2 * N * M);
	print_float("a", a, N);
	print_float("b", b, N);
	return 0;
}

// Colours by a loop around their nests: by a start with a remainder, and by a condition.
#include "data.h"

#define N 26
#define M 21

static float u[N][M], v[N][M], w[N][M][11];

static void by_start(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int c = 0; c < 2; c++)
			for (int i = 1; i < n - 1; i++)
				for (int j = 1 + (i + c) % 2; j < m - 1; j += 2)
					u[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
#pragma endscop
}

static void by_condition(int steps, float omega)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int colour = 1; colour >= 0; colour--)
			for (int i = 1; i < N - 1; i++)
				for (int j = 1; j < M - 1; j++)
					if ((i + j) % 2 == colour)
						v[i][j] = (1 - omega) * v[i][j] + omega * 0.25f * (v[i - 1][j] + v[i + 1][j]
							+ v[i][j - 1] + v[i][j + 1]);
#pragma endscop
}

/* Four colours of nine points, by two loops. */
static void four(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int c = 0; c < 2; c++)
			for (int e = 0; e < 2; e++)
				for (int i = 1 + c; i < N - 1; i += 2)
					for (int j = 1 + e; j < M - 1; j += 2)
						u[i][j] = 0.125f * (u[i - 1][j - 1] + u[i - 1][j] + u[i - 1][j + 1]
							+ u[i][j - 1] + u[i][j + 1] + u[i + 1][j - 1] + u[i + 1][j] + u[i + 1][j + 1]);
#pragma endscop
}

static void in_space(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int c = 0; c < 2; c++)
			for (int i = 1; i < N - 1; i++)
				for (int j = 1; j < M - 1; j++)
					for (int k = 1 + (i + j + c) % 2; k < 10; k += 2)
						w[i][j][k] = 0.125f * (w[i - 1][j][k] + w[i + 1][j][k] + w[i][j - 1][k]
							+ w[i][j + 1][k] + w[i][j][k - 1] + w[i][j][k + 1]);
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 6; steps++) {
		fill_float(&u[0][0], N * M);
		fill_float(&v[0][0], N * M);
		fill_float(&w[0][0][0], N * M * 11);
		by_start(steps, N, M);
		by_condition(steps, 1.25f);
		four(steps);
		in_space(steps);
		sum_float("u", &u[0][0], N * M);
		sum_float("v", &v[0][0], N * M);
		sum_float("w", &w[0][0][0], N * M * 11);
	}
	return 0;
}

/* Grids of different sizes: restriction, states and inputs read with a stride,
 * and loops that go over every second point.
 */
#include "data.h"

enum { N = 20, M = 33, H = 10 };

static float fine[2 * N][2 * M], coarse[N][M], old[N][M], weight[2 * N];
static double u[3 * N], v[N], w[2][N];

/* Without a time loop. */
static void restriction(int n, int m)
{
#pragma scop
	for (int i = 1; i < n; i++)
		for (int j = 1; j < m; j++)
			coarse[i][j] = 0.5f * fine[2 * i][2 * j] + 0.125f *
				(fine[2 * i - 1][2 * j] +
				 fine[2 * i + 1][2 * j] +
				 fine[2 * i][2 * j - 1] +
				 fine[2 * i][2 * j + 1]) * weight[2 * i + 1];
#pragma endscop
}

/* An input in a time loop, with two arrays and a copy back. */
static void forced(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				old[i][j] = 0.25f * (coarse[i - 1][j] +
					coarse[i + 1][j] + coarse[i][j - 1] +
					coarse[i][j + 1]) + 0.125f *
					fine[2 * i + 1][j + j] -
					weight[i];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				coarse[i][j] = old[i][j];
	}
#pragma endscop
}

/* What the loop computes, of this step and of the one before. */
static void follow(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N; i++)
			v[i] = 0.5 * v[i] + 0.25 * u[3 * i - 1] +
				0.125 * u[3 * i + 1];
		for (int i = 3; i < 3 * N; i += 2)
			u[i] = 0.25 * u[i - 3] + 0.5 * u[i];
	}
#pragma endscop
}

/* Of two copies, the other one. */
static void halves(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 0; i < H; i++)
			w[(t + 1) % 2][i] = w[t % 2][2 * i + 1] -
				0.5 * w[t % 2][i] + u[3 * i + 2];
#pragma endscop
}

int main(void)
{
	fill_float(&fine[0][0], 4 * N * M);
	fill_float(&coarse[0][0], N * M);
	fill_float(weight, 2 * N);
	fill_double(u, 3 * N);
	fill_double(v, N);
	fill_double(&w[0][0], 2 * N);
	restriction(N, M);
	restriction(H, M - 1);
	print_float("restricted", &coarse[0][0], N * M);
	forced(5, N, M);
	print_float("coarse", &coarse[0][0], N * M);
	print_float("old", &old[0][0], N * M);
	follow(4);
	halves(3);
	print_double("u", u, 3 * N);
	print_double("v", v, N);
	print_double("w", &w[0][0], 2 * N);
	return 0;
}

// Receivers at places that data give.
#include "data.h"

#define N 30
#define M 27
#define R 2

static float u[2][N][M], heard[40][R];
static int ri[R], rj[R];

static void receivers(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[(t + 1) % 2][i][j] = u[t % 2][i][j] + 0.125f * (u[t % 2][i - 1][j]
					+ u[t % 2][i + 1][j] + u[t % 2][i][j - 1] + u[t % 2][i][j + 1]
					- 4 * u[t % 2][i][j]);
		for (int r = 0; r < R; r++)
			heard[t][r] = u[(t + 1) % 2][ri[r]][rj[r]];
	}
#pragma endscop
}

int main(void)
{
	for (int k = 0; k < 3; k++) {
		fill_float(&u[0][0][0], 2 * N * M);
		for (int r = 0; r < R; r++) {
			ri[r] = 2 + r * 6;
			rj[r] = k == 2 ? 0 : 9 - r;
		}
		receivers(11 + k);
		sum_float("u", &u[0][0][0], 2 * N * M);
		sum_float("heard", &heard[0][0], 40 * R);
	}
	return 0;
}

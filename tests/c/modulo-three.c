/* The wave equation: three copies; the roles are scalars. */
#include "data.h"

#define N 29

static float p[3][N][N];
static float v[N][N];

static void wave(int begin, int end, float dt)
{
#pragma scop
	for (int t = 0; t < end; t++) {
		int before = t % 3, now = (t + 1) % 3;
		const int next = (t + 2) % 3;

		for (int i = 2; i < N - 2; i++)
			for (int j = 2; j < N - 2; j++) {
				float lap = p[now][i-2][j] + p[now][i+2][j] + p[now][i][j-2] + p[now][i][j+2];

				lap -= 4 * p[now][i][j];
				p[next][i][j] = 2.0f * p[now][i][j] - p[before][i][j] + dt * v[i][j] * lap;
			}
	}
#pragma endscop
	(void) begin;
}

int main(void)
{
	for (int steps = 0; steps < 9; steps++) {
		fill_float(&p[0][0][0], 3 * N * N);
		fill_float(&v[0][0], N * N);
		wave(0, steps, 0.015625f);
		print_float("p", &p[0][0][0], 3 * N * N);
	}
	return 0;
}

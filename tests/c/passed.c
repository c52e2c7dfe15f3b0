// Elements that a call passes as numbers: one may be a cell that the loops write.
#include "data.h"

#define M 20

static float a[M][M], b[M][M], w[4] = { 1, 2, 0.25f, 3 };
static int c[M][M], d[M][M], at[3] = { 5, 6, 7 };

static void weighted(int steps, float u[M][M], float v[M][M], const float *by)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < M - 1; i++)
			for (int j = 1; j < M - 1; j++)
				v[i][j] = (u[i - 1][j] + u[i + 1][j]) * by[2];
		for (int i = 1; i < M - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}

static void placed(int steps, int u[M][M], int v[M][M], const int *si)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < M - 1; i++)
			for (int j = 1; j < M - 1; j++)
				v[i][j] = (u[i - 1][j] + u[i + 1][j]) / 2;
		for (int i = 1; i < M - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[i][j] = v[i][j];
		for (int p = 0; p < 1; p++)
			u[si[p]][3] += 4;
	}
#pragma endscop
}

int main(void)
{
	for (int k = 0; k < 2; k++) {
		fill_float(&a[0][0], M * M);
		for (int i = 0; i < M; i++)
			for (int j = 0; j < M; j++)
				c[i][j] = 1 + (i * j + j) % (M - 2);
		weighted(7, a, b, k ? &a[4][5] : w);
		placed(5, c, d, k ? &c[3][7] : at);
		sum_float("a", &a[0][0], M * M);
		sum_bytes("c", c, sizeof(c));
	}
	return 0;
}

/* Arrays without copies beside others whose copies take turns: helpers, sums, maxima and edges. */
#include "data.h"

#define N 23
#define M 18

static float u[2][N][M], lap[N][M], sum[N][M], peak[N][M];
static double p[3][N][M], flux[N][M];
static float A[N * M], B[N * M], gain[N * M];

/* By an index that turns: cells of the helper that no step writes are read, too. */
static int diffuse(int steps)
{
	int cur = 0;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				lap[i][j] = u[cur][i-1][j] + u[cur][i+1][j] + u[cur][i][j-1] + u[cur][i][j+1] - 4 * u[cur][i][j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[1-cur][i][j] = u[cur][i][j] + 0.1f * (lap[i][j] - 0.25f * (lap[i-1][j] + lap[i][j+1]));
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				sum[i][j] += u[1-cur][i][j];
				peak[i][j] = u[1-cur][i][j] > peak[i][j] ? u[1-cur][i][j] : peak[i][j];
			}
		cur = 1 - cur;
	}
#pragma endscop
	return cur;
}

/* Three copies by the time; the helper has an edge of its own, and a known number of steps. */
static void waves(double dt)
{
#pragma scop
	for (int t = 0; t < 7; t++) {
		for (int j = 0; j < M; j++)
			flux[0][j] = p[(t + 1) % 3][1][j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				flux[i][j] = p[(t + 1) % 3][i+1][j] - p[(t + 1) % 3][i-1][j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				p[(t + 2) % 3][i][j] = 2 * p[(t + 1) % 3][i][j] - p[t % 3][i][j] +
					dt * (flux[i][j] - flux[i-1][j]);
	}
#pragma endscop
}

/* The helper turns back at the ends. */
static int around(int steps)
{
	int old = 0, next = 1;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				lap[i][j] = u[old][(i + 1) % N][j] + u[old][(i - 1 + N) % N][j] - 2 * u[old][i][j];
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				u[next][i][j] = u[old][i][j] - 0.1f * (lap[(i + 1) % N][j] + lap[i][(j - 1 + M) % M]);
		old = 1 - old;
		next = 1 - next;
	}
#pragma endscop
	return old;
}

/* Pointers that change places. */
static void pointers(float *restrict a, float *restrict b, int n, int m, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				gain[i*m + j] = 0.5f * a[i*m + j] + 0.125f * gain[i*m + j];
				b[i*m + j] = 0.25f * (a[(i-1)*m + j] + a[i*m + j+1]) + gain[i*m + j];
			}
		float *c = a;
		a = b;
		b = c;
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 6; steps++) {
		fill_float(&u[0][0][0], 2 * N * M);
		fill_float(&lap[0][0], N * M);
		fill_float(&sum[0][0], N * M);
		fill_double(&p[0][0][0], 3 * N * M);
		fill_double(&flux[0][0], N * M);
		fill_float(A, N * M);
		fill_float(B, N * M);
		printf("%d\n", diffuse(steps));
		sum_float("u", &u[0][0][0], 2 * N * M);
		sum_float("lap", &lap[0][0], N * M);
		sum_float("sum", &sum[0][0], N * M);
		sum_float("peak", &peak[0][0], N * M);
		printf("%d\n", around(steps));
		sum_float("u", &u[0][0][0], 2 * N * M);
		sum_float("lap", &lap[0][0], N * M);
		waves(0.0625);
		sum_double("p", &p[0][0][0], 3 * N * M);
		sum_double("flux", &flux[0][0], N * M);
		pointers(A, B, N, M, steps);
		sum_float("A", A, N * M);
		sum_float("B", B, N * M);
		sum_float("gain", gain, N * M);
	}
	return 0;
}

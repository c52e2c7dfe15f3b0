/* Lines that a step keeps before it overwrites them, for boundaries that absorb waves. */
#include "data.h"

enum { N = 34, M = 21 };

static float ez[N][M], hx[N][M], hy[N][M], left[M], right[M];

static void mur(int steps, float c, float k, int si, int sj, const float *restrict pulse)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M - 1; j++)
				hx[i][j] -= c * (ez[i][j + 1] - ez[i][j]);
		for (int i = 0; i < N - 1; i++)
			for (int j = 0; j < M; j++)
				hy[i][j] += c * (ez[i + 1][j] - ez[i][j]);
		for (int j = 0; j < M; j++) {
			left[j] = ez[1][j];
			right[j] = ez[N - 2][j];
		}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				ez[i][j] += c * (hy[i][j] - hy[i - 1][j] - hx[i][j] + hx[i][j - 1]);
		ez[si][sj] += pulse[t];
		for (int j = 0; j < M; j++) {
			ez[0][j] = left[j] + k * (ez[1][j] - ez[0][j]);
			ez[N - 1][j] = right[j] + k * (ez[N - 2][j] - ez[N - 1][j]);
		}
	}
#pragma endscop
}

/* Parts of a line at a distance, of another type and scaled. */
static void parts(int n, int m, int steps, double (*restrict u)[M], double (*restrict v)[M], float *restrict kept)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 2; j < m; j++)
			kept[j - 2] = 0.75 * u[2][j] - 0.25 * u[1][j - 1];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				u[i][j] = v[i][j];
		for (int j = 3; j < m - 1; j++)
			u[0][j] = 0.5 * u[1][j] + kept[j - 3];
	}
#pragma endscop
}

int main(void)
{
	static double u[N][M], v[N][M];
	static float pulse[16], kept[M];

	fill_float(pulse, 16);
	for (int steps = 0; steps < 9; steps += 1 + steps / 3) {
		fill_float(ez[0], N * M);
		fill_float(hx[0], N * M);
		fill_float(hy[0], N * M);
		fill_float(left, M);
		fill_float(right, M);
		mur(steps, 0.5f, -0.25f, 7, 9, pulse);
		print_float("ez", ez[0], N * M);
		print_float("hx", hx[0], N * M);
		print_float("hy", hy[0], N * M);
		print_float("left", left, M);
		print_float("right", right, M);
		for (int n = 4; n <= N; n += 10) {
			fill_double(u[0], N * M);
			fill_double(v[0], N * M);
			fill_float(kept, M);
			parts(n, M - n % 4, steps, u, v, kept);
			print_double("u", u[0], N * M);
			print_double("v", v[0], N * M);
			print_float("kept", kept, M);
		}
	}
	return 0;
}

/* Linear arrays throughout: a source, a row of receivers, snapshots every third step, coefficients of either
 * sign, and pointers that change places.
 */
#include "data.h"

#define AT(i, j) ((i) * m + (j))

static void propagate(int steps, int n, int m, int si, int sj, int row, float dt,
	const float *restrict v, const float *restrict w, float *restrict p0, float *restrict p1,
	float *restrict heard, float *restrict seen, float *restrict first, float *restrict some)
{
	const float c0 = -5.0f / 2, c1 = 4.0f / 3, c2 = -1.0f / 12;
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 2; i < n - 2; i++)
			for (int j = 2; j < m - 2; j++) {
				float lap = 2 * c0 * p1[AT(i, j)] +
					c1 * (p1[AT(i + 1, j)] + p1[AT(i - 1, j)] + p1[AT(i, j + 1)] + p1[AT(i, j - 1)]) +
					c2 * (p1[AT(i + 2, j)] + p1[AT(i - 2, j)] + p1[AT(i, j + 2)] + p1[AT(i, j - 2)]);
				p0[AT(i, j)] = 2 * p1[AT(i, j)] - p0[AT(i, j)] + dt * v[AT(i, j)] * lap;
			}
		p0[AT(si, sj)] += dt * w[t];
		for (int j = 0; j < m; j++)
			heard[t * m + j] = c0 * p0[AT(row, j)];
		for (int j = 2; j < m - 2; j++)
			first[j * steps + t] = -p0[AT(2, j)];
		for (int j = 3; j < m - 3; j++)
			some[t * 12 + j - 3] = p0[AT(row, j)];
		if (t % 3 == 0)
			for (int i = 2; i < n - 2; i++)
				for (int j = 2; j < m - 2; j++)
					seen[((t / 3) * n + i) * m + j] = p0[AT(i, j)];
		float *q = p0;
		p0 = p1;
		p1 = q;
	}
#pragma endscop
}

enum { N = 24, M = 17, STEPS = 8 };

int main(void)
{
	static float v[N * M], w[STEPS], p0[N * M], p1[N * M], heard[STEPS * M], seen[3 * N * M],
		first[STEPS * M], some[STEPS * 12 + 9];
	static const int places[][3] = { { 9, 5, 7 }, { 0, 5, 7 }, { 9, 5, 1 }, { 20, 16, 20 } };

	fill_float(v, N * M);
	fill_float(w, STEPS);
	for (int k = 0; k < 4; k++) {
		fill_float(p0, N * M);
		fill_float(p1, N * M);
		propagate(STEPS - k, N, M, places[k][0], places[k][1], places[k][2], 0.01f, v, w, p0, p1,
			heard, seen, first, some);
		print_float("p0", p0, N * M);
		print_float("some", some, STEPS * 12);
		print_float("heard", heard, STEPS * M);
		print_float("seen", seen, 3 * N * M);
		print_float("first", first, STEPS * M);
	}
	propagate(3, 20, 20, 3, 3, 3, 0.01f, v, w, p0, p1, heard, seen, first, some);
	print_float("a row that reaches the next one", some, STEPS * 12);
	propagate(3, 4, M, 1, 1, 1, 0.01f, v, w, p0, p1, heard, seen, first, some);
	print_float("few rows", heard, STEPS * M);
	return 0;
}

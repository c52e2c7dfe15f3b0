/* Sources and receivers in linear arrays, at rows and columns, or at cells that one number counts.  Where a
 * place is not computed, or lies in another row than it says, the loops run.
 */
#include "data.h"

#define AT(i, j) ((i) * m + (j))

static void shot(int steps, int n, int m, int n_heard, int n_shots, const int *restrict hi, const int *restrict hj,
	const int *restrict cell, const float *restrict gain, const float *restrict w, float *restrict p0,
	float *restrict p1, float *restrict heard)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				p0[AT(i, j)] = 2 * p1[AT(i, j)] - p0[AT(i, j)] + gain[AT(i, j)] * (p1[AT(i + 1, j)] +
					p1[AT(i - 1, j)] + p1[AT(i, j + 1)] + p1[AT(i, j - 1)] - 4 * p1[AT(i, j)]);
		for (int k = 0; k < n_shots; k++)
			p0[cell[k]] += gain[cell[k]] * w[t * n_shots + k];
		for (int k = 0; k < n_heard; k++) {
			const int at = hi[k] * m + hj[k];
			heard[t * n_heard + k] = p0[at];
		}
		float *q = p0;
		p0 = p1;
		p1 = q;
	}
#pragma endscop
}

enum { N = 19, M = 23, STEPS = 9, HEARD = 5, SHOTS = 3 };

int main(void)
{
	static float gain[N * M], w[STEPS * SHOTS], p0[N * M], p1[N * M], heard[STEPS * HEARD];

	fill_float(gain, N * M);
	fill_float(w, STEPS * SHOTS);
	for (int k = 0; k < 5; k++) {
		int hi[] = { 1, 17, 5, 5, 9 }, hj[] = { 1, 21, 6, 7, 3 }, cell[] = { 30, 30, 200 };

		if (k == 1)
			hi[2] = 0;		/* not computed */
		if (k == 2)
			hj[2] = M + 3;		/* in the next row */
		if (k == 3)
			cell[1] = 5;		/* not computed */
		fill_float(p0, N * M);
		fill_float(p1, N * M);
		shot(STEPS - k, N, M, HEARD, k == 4 ? 0 : SHOTS, hi, hj, cell, gain, w, p0, p1, heard);
		print_float("p0", p0, N * M);
		print_float("p1", p1, N * M);
		print_float("heard", heard, STEPS * HEARD);
	}
	return 0;
}

/* A source in a field of pressures: kernels compute it where the nest computes its cell, as the file asks
 * before; elsewhere the loops run.  A row is recorded at a place of its own.
 */
#include "data.h"

static void acoustic(int n, int steps, int si, int sj, int row, float (*p)[33], float (*v)[33],
	float (*k)[33], float (*heard)[33])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < 32; j++)
				v[i][j] += k[i][j] * (p[i - 1][j] + p[i + 1][j] + p[i][j - 1] + p[i][j + 1] - 4 * p[i][j]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < 32; j++)
				p[i][j] += v[i][j];
		p[si][sj] += 0.01f * t;
		for (int j = 0; j < 33; j++)
			heard[t][j] = p[row][j];
	}
#pragma endscop
}

int main(void)
{
	static float p[40][33], v[40][33], k[40][33], heard[9][33];

	fill_float(p[0], 40 * 33);
	fill_float(k[0], 40 * 33);
	for (int i = 0; i < 40; i++)
		for (int j = 0; j < 33; j++)
			k[i][j] *= 0.01f;
	acoustic(40, 9, 20, 5, 17, p, v, k, heard);
	print_float("inside", heard[8], 33);
	acoustic(40, 9, 39, 5, 39, p, v, k, heard);	/* below what is computed */
	print_float("below", heard[8], 33);
	acoustic(40, 9, 7, 0, 0, p, v, k, heard);
	print_float("beside", p[7], 33);
	acoustic(2, 9, 1, 3, 1, p, v, k, heard);	/* nothing but the source */
	print_float("alone", heard[8], 33);
	return 0;
}

/* Weights and directions in constant arrays, of which some leave values out, some have rows. */
#include "data.h"

static const int toward[5][2] = { { 0, 0 }, { 1, 0 }, { 0, 1 }, { -1 }, { 0, -1 } };

static void diffuse(int steps, int n, int m, double (*restrict a)[21], double (*restrict b)[21])
{
	static const double w[6] = { 4.0 / 9, 1.0 / 9, -1.0 / 9, 0.125, 1 };
	const float scale[] = { 0.5f, 3 };
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				double sum = 0;

				for (int q = 0; q < 5; q++)
					sum += w[q] * a[i - toward[q][0]][j + toward[q][1]];
				b[i][j] = sum * scale[0] + w[5];
			}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				a[i][j] = b[i][j] * scale[1];
	}
#pragma endscop
}

int main(void)
{
	static double a[17 * 21], b[17 * 21];

	fill_double(a, 17 * 21);
	fill_double(b, 17 * 21);
	diffuse(5, 17, 21, (double (*)[21]) a, (double (*)[21]) b);
	print_double("a", a, 17 * 21);
	return 0;
}

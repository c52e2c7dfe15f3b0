/* Arrays of variable size: parameters, which C++ does not have, a local one,
 * and a pointer to rows of variable size.
 */
#include "data.h"

static void run(int steps, int n, int m, float a[restrict n][m],
	float (*restrict b)[m])
{
	float w[n];

	fill_float(w, n);
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				b[i][j] = (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) * w[i];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				a[i][j] = b[i][j];
	}
#pragma endscop
}

int main(void)
{
	float a[23][31], b[23][31];

	fill_float(&a[0][0], 23 * 31);
	fill_float(&b[0][0], 23 * 31);
	run(5, 23, 31, a, b);
	print_float("a", &a[0][0], 23 * 31);
	print_float("b", &b[0][0], 23 * 31);
	return 0;
}

/* An inlet's rows take the place of the nest's first ones, behind pointers of which nothing tells the size:
 * where there are no other rows the arrays could be smaller, so the file asks for some.
 */
#include "data.h"

static void flow(int steps, int n, int m, double *restrict old, double *restrict to)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 2; i <= n - 3; i++)
			for (int j = 2; j < m - 2; j++)
				if (i >= 4)
					to[i * m + j] = 0.5 * old[(i + 1) * m + j] + 0.25 * old[i * m + j - 1];
				else
					to[i * m + j] = 0.5;
		double *tmp = old;
		old = to;
		to = tmp;
	}
#pragma endscop
}

int main(void)
{
	static double old[20 * 33], to[20 * 33];

	for (int n = 4; n <= 20; n += n < 8 ? 1 : 6) {
		fill_double(old, 20 * 33);
		fill_double(to, 20 * 33);
		flow(7, n, 33, old, to);
		print_double("old", old, n * 33);
		print_double("to", to, n * 33);
	}
	return 0;
}

/* Arrays in all kinds of memory: variable size, malloc, rows of an array
 * type, a sum as size; sizes in unsigned and long variables. */
#include <stddef.h>
#include "data.h"

enum { COLUMNS = 18 };
typedef float row[COLUMNS];

static void run(int steps, unsigned n, const long m)
{
	float a[n][2 * m + 1];
	float (*b)[2 * m + 1] = (float (*)[2 * m + 1]) malloc(n * sizeof(*b));
	row *c = (row *) calloc(n, sizeof(row));
	float *d = (float *) malloc(n * sizeof(float));

	fill_float(&a[0][0], n * (2 * m + 1));
	fill_float(&b[0][0], n * (2 * m + 1));
	fill_float(&c[0][0], n * COLUMNS);
	fill_float(d, n);
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (unsigned i = 1; i < n - 1; i++)
			for (long j = 1; j < 2 * m; j++)
				b[i][j] = (a[i-1][j] + a[i+1][j] + a[i][j-1] + a[i][j+1]) * 0.25f;
		for (size_t i = 0; i < n; i++)
			for (int j = 0; j < COLUMNS; j++)
				c[i][j] += d[i] * 0.5f;
		for (int i = 1; i < (int) n - 1; i++)
			for (int j = 1; j < 2 * m; j++)
				a[i][j] = b[i][j];
	}
#pragma endscop
	print_float("a", &a[0][0], n * (2 * m + 1));
	print_float("b", &b[0][0], n * (2 * m + 1));
	print_float("c", &c[0][0], n * COLUMNS);
	free(b);
	free(c);
	free(d);
}

int main(void)
{
	run(4, 23, 9);
	return 0;
}

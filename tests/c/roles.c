// args: --no-alias
/* Two nests swap the roles of two arrays; pointers to rows, sizes from
 * variables. */
#include "data.h"

#define M 31

static void run(long steps, int n, double (*A)[M], double (*B)[M])
{
	int i, j, t;

#pragma scop
	for (t = 0; t < steps; t++) {
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < M - 1; j++)
				B[i][j] = 0.2 * (A[i][j] + A[i][j-1] + A[i][1+j] + A[1+i][j] + A[i-1][j]);
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < M - 1; j++)
				A[i][j] = 0.2 * (B[i][j] + B[i][j-1] + B[i][1+j] + B[1+i][j] + B[i-1][j]);
	}
#pragma endscop
}

int main(void)
{
	static double a[27][M], b[27][M];

	for (int steps = 0; steps < 5; steps++) {
		fill_double(&a[0][0], 27 * M);
		fill_double(&b[0][0], 27 * M);
		run(steps, 27, a, b);
		print_double("a", &a[0][0], 27 * M);
		print_double("b", &b[0][0], 27 * M);
	}
	return 0;
}

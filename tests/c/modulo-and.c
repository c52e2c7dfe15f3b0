/* t & 1; the number of steps is a constant, and odd. */
#include "data.h"

enum { N = 37, STEPS = 7 };

static const int M = 41;
static double A[2][N][41];

static void run(void)
{
	int t, i, j;
#pragma scop
	for (t = 2; t <= STEPS; ++t) {
#pragma omp parallel for private(j)
		for (i = 1; i <= N - 2; i++) {
#pragma ivdep
			for (j = M - 2; j >= 1; j--)
				A[t & 1][i][j] = (A[(t - 1) & 1][i-1][j] + A[(t - 1) & 1][i+1][j]) / 2
					+ (double) 1 / 8 * (A[(t + 1) & 1][i][j-1]);
		}
	}
#pragma endscop
	printf("%d %d %d\n", t, i, j);
}

int main(void)
{
	fill_double(&A[0][0][0], 2 * N * M);
	run();
	print_double("A", &A[0][0][0], 2 * N * M);
	return 0;
}

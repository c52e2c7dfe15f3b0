/* Gauss-Seidel: an iteration reads what those before it have written. */
#include "data.h"

#define N 40

static double A[N][N], B[N][N];
static float line[N];

static void kernel_seidel_2d(int tsteps, int n)
{
	int t, i, j;

#pragma scop
	for (t = 0; t <= tsteps - 1; t++)
		for (i = 1; i <= n - 2; i++)
			for (j = 1; j <= n - 2; j++)
				A[i][j] = (A[i-1][j-1] + A[i-1][j] + A[i-1][j+1] + A[i][j-1] + A[i][j]
					+ A[i][j+1] + A[i+1][j-1] + A[i+1][j] + A[i+1][j+1]) / 9.0;
#pragma endscop
}

/* Relaxation, on every other row; and along a line, where the mask lets it. */
static void relax(int steps, int n, double w)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i += 2)
			for (int j = 1; j < n - 1; j++)
				B[i][j] += w * (0.25 * (B[i-1][j] + B[i+1][j] + B[i][j-1] + B[i][j+1]) - B[i][j]);
		for (int i = 2; i < n; i++)
			if (line[i] > 0)
				line[i] = 0.5f * (line[i-1] - line[i-2]) + 0.125f * line[i];
	}
#pragma endscop
}

int main(void)
{
	fill_double(&A[0][0], N * N);
	fill_double(&B[0][0], N * N);
	fill_float(line, N);
	kernel_seidel_2d(5, N);
	relax(4, N - 3, 1.5);
	print_double("A", &A[0][0], N * N);
	print_double("B", &B[0][0], N * N);
	print_float("line", line, N);
	return 0;
}

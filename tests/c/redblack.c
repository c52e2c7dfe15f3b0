/* Red points, then black ones: by loops of step 2, and by a condition. */
#include "data.h"

#define N 40

static double A[N][N], B[N][N];
static float C[N][N][N];

static void by_loops(int tsteps, int n)
{
#pragma scop
	for (int t = 0; t < tsteps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1 + i % 2; j < n - 1; j += 2)
				A[i][j] = 0.25 * (A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 2 - i % 2; j < n - 1; j += 2)
				A[i][j] = 0.25 * (A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1]);
	}
#pragma endscop
}

static void by_condition(int tsteps, int n, double w)
{
#pragma scop
	for (int t = 0; t < tsteps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				if ((i + j) % 2 == 0)
					B[i][j] = (1 - w) * B[i][j]
						+ 0.25 * w * (B[i-1][j] + B[i+1][j] + B[i][j-1] + B[i][j+1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				if ((i + j) % 2 != 0)
					B[i][j] = (1 - w) * B[i][j]
						+ 0.25 * w * (B[i-1][j] + B[i+1][j] + B[i][j-1] + B[i][j+1]);
	}
#pragma endscop
}

static void in_space(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				for (int k = 1 + (i + j) % 2; k < n - 1; k += 2)
					C[i][j][k] = 0.125f * (C[i-1][j][k] + C[i+1][j][k] + C[i][j-1][k]
						+ C[i][j+1][k] + C[i][j][k-1] + C[i][j][k+1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				for (int k = 1 + (i + j + 1) % 2; k < n - 1; k += 2)
					C[i][j][k] = 0.125f * (C[i-1][j][k] + C[i+1][j][k] + C[i][j-1][k]
						+ C[i][j+1][k] + C[i][j][k-1] + C[i][j][k+1]);
	}
#pragma endscop
}

int main(void)
{
	fill_double(&A[0][0], N * N);
	fill_double(&B[0][0], N * N);
	fill_float(&C[0][0][0], N * N * N);
	by_loops(5, N);
	by_condition(6, N - 1, 1.25);
	in_space(3, N - 20);
	print_double("A", &A[0][0], N * N);
	print_double("B", &B[0][0], N * N);
	print_float("C", &C[0][0][0], N * N * N);
	return 0;
}

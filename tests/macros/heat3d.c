/* Heat in three dimensions, from step 1 to the last. */
#include "arrays.h"

#define N 11
#define STEPS 4

static void fill(int n, REAL BODY(A, N, N, N, n, n, n),
	REAL BODY(B, N, N, N, n, n, n))
{
	int i, j, k;

	for (i = 0; i < n; i++)
		for (j = 0; j < n; j++)
			for (k = 0; k < n; k++)
				A[i][j][k] = B[i][j][k] =
					(REAL) ((i * 7 + j * 3 + k) % 13) / n;
}

static void show(int n, REAL BODY(A, N, N, N, n, n, n))
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int k = 0; k < n; k++)
				printf("%a\n", A[i][j][k]);
}

static void flow(int steps, int n, REAL BODY(A, N, N, N, n, n, n),
	REAL BODY(B, N, N, N, n, n, n))
{
	int t, i, j, k;

#pragma scop
	for (t = 1; t <= steps; t++) {
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < n - 1; j++)
				for (k = 1; k < n - 1; k++)
					B[i][j][k] = VALUE(0.125) * (A[i+1][j][k] - VALUE(2.0) * A[i][j][k] + A[i-1][j][k])
						+ VALUE(0.125) * (A[i][j+1][k] - VALUE(2.0) * A[i][j][k] + A[i][j-1][k])
						+ VALUE(0.125) * (A[i][j][k+1] - VALUE(2.0) * A[i][j][k] + A[i][j][k-1])
						+ A[i][j][k];
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < n - 1; j++)
				for (k = 1; k < n - 1; k++)
					A[i][j][k] = VALUE(0.125) * (B[i+1][j][k] - VALUE(2.0) * B[i][j][k] + B[i-1][j][k])
						+ VALUE(0.125) * (B[i][j+1][k] - VALUE(2.0) * B[i][j][k] + B[i][j-1][k])
						+ VALUE(0.125) * (B[i][j][k+1] - VALUE(2.0) * B[i][j][k] + B[i][j][k-1])
						+ B[i][j][k];
	}
#pragma endscop
}

int main(void)
{
	int n = N, steps = STEPS;
	NEW_BODY(REAL, A, N, N, N, n, n, n);
	NEW_BODY(REAL, B, N, N, N, n, n, n);

	fill(n, *A, *B);
	flow(steps, n, *A, *B);
	show(n, *A);
	show(n, *B);
	free(A);
	free(B);
	return 0;
}

/* Five points of a plane, in two arrays that take turns. */
#include "arrays.h"

#define N 24
#define M 30
#define STEPS 6

static void fill(int n, int m, REAL PLANE(A, N, M, n, m))
{
	int i, j;

	for (i = 0; i < n; i++)
		for (j = 0; j < m; j++)
			A[i][j] = (REAL) ((i * 7 + j * 3) % 13) / n;
}

static void show(int n, int m, REAL PLANE(A, N, M, n, m))
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			printf("%a\n", A[i][j]);
}

static void smooth(int steps, int n, int m, REAL PLANE(A, N, M, n, m),
	REAL PLANE(B, N, M, n, m))
{
	int t, i, j;

#pragma scop
	for (t = 0; t < steps; t++) {
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < m - 1; j++)
				B[i][j] = VALUE(0.2) * (A[i][j] + A[i][j-1] + A[i][1+j] + A[1+i][j] + A[i-1][j]);
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < m - 1; j++)
				A[i][j] = VALUE(0.2) * (B[i][j] + B[i][j-1] + B[i][1+j] + B[1+i][j] + B[i-1][j]);
	}
#pragma endscop
}

int main(void)
{
	int n = N, m = M, steps = STEPS;
	NEW_PLANE(REAL, A, N, M, n, m);
	NEW_PLANE(REAL, B, N, M, n, m);

	fill(n, m, *A);
	fill(n, m, *B);
	smooth(steps, n, m, *A, *B);
	show(n, m, *A);
	show(n, m, *B);
	free(A);
	free(B);
	return 0;
}

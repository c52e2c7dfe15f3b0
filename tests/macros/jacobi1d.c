/* Three points of a line, in two arrays that take turns. */
#include "arrays.h"

#define N 60
#define STEPS 9
#define LAST (n - 1)

static void fill(int n, REAL LINE(A, N, n), REAL LINE(B, N, n))
{
	int i;

	for (i = 0; i < n; i++) {
		A[i] = (REAL) (i * 7 % 13) / n;
		B[i] = (REAL) (i * 5 % 11) / n;
	}
}

static void show(int n, REAL LINE(A, N, n))
{
	for (int i = 0; i < n; i++)
		printf("%a\n", A[i]);
}

static void smooth(int steps, int n, REAL LINE(A, N, n), REAL LINE(B, N, n))
{
	int t, i;

#pragma scop
	for (t = 0; t < steps; t++) {
		for (i = 1; i < LAST; i++)
			B[i] = VALUE(0.3) * (A[i-1] + A[i] + A[i+1]);
		for (i = 1; i < LAST; i++)
			A[i] = VALUE(0.3) * (B[i-1] + B[i] + B[i+1]);
	}
#pragma endscop
}

int main(void)
{
	int n = N, steps = STEPS;
	NEW_LINE(REAL, A, N, n);
	NEW_LINE(REAL, B, N, n);

	fill(n, *A, *B);
	smooth(steps, n, *A, *B);
	show(n, *A);
	show(n, *B);
	free(A);
	free(B);
	return 0;
}

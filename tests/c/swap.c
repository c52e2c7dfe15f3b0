/* The pointers are swapped after each step. */
#include "data.h"

static void run(int steps, int n, int m, float *restrict a, float *restrict b)
{
	float *first = a;

#pragma scop
	for (int t = 1; t <= steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				b[i * m + j] = 0.2f * (a[i * m + j] + a[(i - 1) * m + j] + a[(i + 1) * m + j]
					+ a[i * m + j - 1] + a[i * m + (j + 1)]);
		float *tmp = a;
		a = b;
		b = tmp;
	}
#pragma endscop
	printf("%s\n", a == first ? "a is a" : "a is b");
}

int main(void)
{
	enum { N = 25, M = 31 };
	float *a = (float *) malloc(N * M * sizeof(float));
	float *b = (float *) malloc(N * M * sizeof(float));

	for (int steps = 0; steps < 6; steps++) {
		fill_float(a, N * M);
		fill_float(b, N * M);
		run(steps, N, M, a, b);
		print_float("a", a, N * M);
		print_float("b", b, N * M);
	}
	free(a);
	free(b);
	return 0;
}

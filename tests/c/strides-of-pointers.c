/* Strides of what pointers point to: sizes that are declared, sizes from the
 * loops, and linear subscripts.
 */
#include "data.h"

enum { N = 12, M = 17 };

static void line(int n, const float *__restrict fine, float *__restrict coarse)
{
#pragma scop
	for (int i = 0; i < n; i++)
		coarse[i] = 0.5f * fine[2 * i] + 0.25f * fine[2 * i + 1];
#pragma endscop
}

static void plane(int n, const float (*__restrict fine)[2 * M],
	float (*__restrict coarse)[M])
{
#pragma scop
	for (int i = 1; i < n; i++)
		for (int j = M - 1; j >= 1; j--)
			coarse[i][j] = 0.5f * fine[2 * i - 1][2 * j] +
				0.25f * fine[2 * i][2 * j - 1];
#pragma endscop
}

static void linear(int steps, int n, int m, const float *__restrict fine,
	float *__restrict a, float *__restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 0; j < m; j++)
				b[i * m + j] = 0.5f * a[(i - 1) * m + j] +
					0.25f * a[i * m + m + j] +
					0.125f * fine[2 * i * m + j];
		for (int i = 1; i < n - 1; i++)
			for (int j = 0; j < m; j++)
				a[i * m + j] = b[i * m + j];
	}
#pragma endscop
}

/* Strides within rows that are found from all accesses. */
static void rows(int n, int m, const float *__restrict fine,
	float *__restrict coarse)
{
#pragma scop
	for (int i = 1; i < n; i++)
		for (int j = 1; j < m; j++)
			coarse[i * m + j] = 0.5f *
				fine[2 * i * (2 * m) + 2 * j] + 0.25f *
				(fine[(2 * i - 1) * (2 * m) + 2 * j] +
				 fine[2 * i * (2 * m) + 2 * j - 1]);
#pragma endscop
}

static void pairs(int n, int m, const float *__restrict fine,
	float *__restrict coarse)
{
#pragma scop
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			coarse[i * m + j] = 0.5f * fine[2 * i * m + j] +
				0.25f * fine[(2 * i + 1) * m + j] -
				0.125f * fine[i * m + j];
#pragma endscop
}

static void cubes(int n, int m, int k, const float *__restrict fine,
	float *__restrict coarse)
{
#pragma scop
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			for (int l = 0; l < k; l++)
				coarse[(i * m + j) * k + l] = 0.5f *
					fine[(i * m + j) * (2 * k) + 2 * l] -
					fine[(i * m + j) * (2 * k) + 2 * l + 1];
#pragma endscop
}

int main(void)
{
	static float fine[4 * N * M], coarse[N * M], other[N * M];

	fill_float(fine, 4 * N * M);
	fill_float(coarse, N * M);
	line(N, fine, coarse);
	print_float("line", coarse, N);
	plane(N, (const float (*)[2 * M]) fine, (float (*)[M]) coarse);
	print_float("plane", coarse, N * M);
	linear(3, N, M, fine, coarse, other);
	print_float("linear", coarse, N * M);
	rows(N, M, fine, coarse);
	print_float("rows", coarse, N * M);
	pairs(N, M, fine, coarse);
	print_float("pairs", coarse, N * M);
	cubes(3, 4, M, fine, coarse);
	print_float("cubes", coarse, N * M);
	return 0;
}

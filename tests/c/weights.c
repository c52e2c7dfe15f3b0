/* Weights in arrays, each element a parameter; a sum over them. */
#include "data.h"

#define N 40

static float a[N][N], b[N][N];
static double scale[2][2];

static void run(int steps, const float *restrict w, int first)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++) {
				float s = scale[1][0] * a[i][j];

				for (int k = 0; k < 3; k++)
					s += w[k] * a[i][j + k - 1];
				b[i][j] = s + w[first + 1] * a[i-1][j];
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				a[i][j] = scale[0][1] * b[i][j];
	}
#pragma endscop
}

int main(void)
{
	float w[5];

	fill_float(&a[0][0], N * N);
	fill_float(w, 5);
	fill_double(&scale[0][0], 4);
	run(3, w, 2);
	print_float("a", &a[0][0], N * N);
	print_float("b", &b[0][0], N * N);
	return 0;
}

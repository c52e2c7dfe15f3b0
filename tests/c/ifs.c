/* Conditions, strides, the grid point by point. */
#include "data.h"

#define N 33

static float A[N][N], B[N][N], C[N][N];

static void run(int steps, float alpha)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				if (i == 0 || i == N - 1)
					B[i][j] = alpha;
				else if (j > 0 && j < N - 1)
					B[i][j] = (i + j + t) % 2 == 0 ? A[i][j-1] : A[i-1][j] + A[i+1][j];
		for (int i = 1; i < N - 1; i += 3)
			for (int j = N - 2; j > 2; j -= 2)
				C[i][j] += 0.5f * B[i][j+1];
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				A[i][j] = B[i][j] * 0.5f + t;
	}
#pragma endscop
}

int main(void)
{
	fill_float(&A[0][0], N * N);
	fill_float(&B[0][0], N * N);
	fill_float(&C[0][0], N * N);
	run(6, 1.5f);
	print_float("A", &A[0][0], N * N);
	print_float("B", &B[0][0], N * N);
	print_float("C", &C[0][0], N * N);
	return 0;
}

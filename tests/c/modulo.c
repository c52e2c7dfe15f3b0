/* Two copies told apart by t % 2, for even and odd and no steps. */
#include "data.h"

#define N 37
#define M 41

static float A[2][N][M];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				A[(t+1)%2][i][j] = 0.25f * (A[t%2][i-1][j] + A[t%2][i+1][j]
					+ A[t%2][i][j-1] + A[t%2][i][j+1]);
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 8; steps++) {
		fill_float(&A[0][0][0], 2 * N * M);
		run(steps);
		print_float("A", &A[0][0][0], 2 * N * M);
	}
	return 0;
}

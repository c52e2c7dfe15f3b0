/* A record of each step, beside arrays that are copied back. */
// apart
#include "data.h"

#define N 14
#define M 12
#define STEPS 6

static float A[N][M], B[N][M], record[STEPS][N][M], mark[STEPS];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				B[i][j] = 0.25f * (A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				A[i][j] = B[i][j];
		for (int i = 0; i < N; i++)
			for (int j = 1; j < M; j++)
				record[t][i][j] = A[i][j] + 0.5f * t;
		mark[t] = 2.0f * t;
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps <= STEPS; steps++) {
		fill_float(&A[0][0], N * M);
		fill_float(&B[0][0], N * M);
		run(steps);
		print_float("A", &A[0][0], N * M);
		print_float("B", &B[0][0], N * M);
		print_float("record", &record[0][0][0], STEPS * N * M);
		print_float("mark", mark, STEPS);
	}
	return 0;
}

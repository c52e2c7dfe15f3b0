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

static float line[N], beside[N], third[STEPS / 3][N];

/* Other statements compute cells that the record leaves out. */
static void leave_out(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			line[i] = 0.5f * beside[i - 1] + beside[i + 1];
		if (t % 3 == 0)
			for (int i = 1; i < N - 1; i++)
				third[t / 3][i] = line[i] * 0.5f + t;
		line[0] = line[N - 2];
		line[N - 1] = line[1];
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
		fill_float(line, N);
		fill_float(beside, N);
		fill_float(&third[0][0], STEPS / 3 * N);
		leave_out(steps);
		sum_float("line", line, N);
		sum_float("third", &third[0][0], STEPS / 3 * N);
	}
	return 0;
}

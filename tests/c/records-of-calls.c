/* Records that are no outputs of one call, each for a reason of its own: each step is a call. */
#include <string.h>
#include "data.h"

#define N 12
#define M 10
#define STEPS 6

static float A[N][M], B[N][M], rec[STEPS + 1][N][M];
static int mask[N][M];

#define COMPUTE \
	for (int i = 1; i < N - 1; i++) \
		for (int j = 1; j < M - 1; j++) \
			B[i][j] = 0.25f * (A[i-1][j] + A[i+1][j] + A[i][j-1] + A[i][j+1]);
#define COPY \
	for (int i = 1; i < N - 1; i++) \
		for (int j = 1; j < M - 1; j++) \
			A[i][j] = B[i][j];

static void two_arrays(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		COMPUTE
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				rec[t][i][j] = B[i][j] - A[i][j];
		COPY
	}
#pragma endscop
}

static void by_data(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		COMPUTE
		COPY
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				if (mask[i][j] > 0)
					rec[t][i][j] = A[i][j];
	}
#pragma endscop
}

static void neighbours(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		COMPUTE
		COPY
		for (int i = 0; i < N - 1; i++)
			for (int j = 0; j < M; j++)
				rec[t][i][j] = A[i+1][j] - A[i][j];
	}
#pragma endscop
}

static void two_statements(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		COMPUTE
		COPY
		for (int j = 0; j < M; j++)
			A[0][j] = 0.5f * B[1][j];
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				rec[t][i][j] = A[i][j];
	}
#pragma endscop
}

int main(void)
{
	void (*const all[])(int) = { two_arrays, by_data, neighbours, two_statements };

	for (int steps = 0; steps <= STEPS; steps += 3)
		for (int k = 0; k < 4; k++) {
			fill_float(&A[0][0], N * M);
			fill_float(&B[0][0], N * M);
			fill_float(&rec[0][0][0], (STEPS + 1) * N * M);
			for (int i = 0; i < N * M; i++)
				mask[i / M][i % M] = i % 3 - 1;
			all[k](steps);
			print_float("A", &A[0][0], N * M);
			print_float("rec", &rec[0][0][0], (STEPS + 1) * N * M);
		}
	return 0;
}

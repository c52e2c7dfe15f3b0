/* A cell recorded in each step, a slice of a space from another step on, and grids in memory of
 * which the size in steps is not declared.
 */
#include "data.h"

#define N 12
#define M 10
#define K 9
#define STEPS 5

static float A[N][M], B[N][M], rec[STEPS];
static double u[N][M][K], v[N][M][K], plane[M][STEPS + 3][N];

static void cell(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				B[i][j] = A[i][j-1] + 0.5f * A[i][j+1];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				A[i][j] = B[i][j];
		rec[t] = A[N/2][M/2];
	}
#pragma endscop
}

static void slice(int begin, int end, int k)
{
#pragma scop
	for (int t = begin; t < end; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				for (int l = 1; l < K - 1; l++)
					v[i][j][l] = 0.5 * u[i][j][l] + 0.1 * (u[i-1][j][l] + u[i][j+1][l]
						- u[i][j][l-1] + u[i][j][l+1]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				for (int l = 1; l < K - 1; l++)
					u[i][j][l] = v[i][j][l];
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				plane[j][t - begin + 2][i] = u[i][j][k];
	}
#pragma endscop
}

static float record[STEPS][N][M];

static void grids(int steps, float (*restrict all)[N][M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				B[i][j] = A[i][j-1] + 0.5f * A[i][j+1];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				A[i][j] = B[i][j];
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				all[t][i][j] = A[i][j];
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps <= STEPS; steps++) {
		fill_float(&A[0][0], N * M);
		fill_float(&B[0][0], N * M);
		fill_float(rec, STEPS);
		fill_double(&u[0][0][0], N * M * K);
		fill_double(&plane[0][0][0], M * (STEPS + 3) * N);
		cell(steps);
		slice(3, 3 + steps, steps);
		grids(steps, record);
		print_float("record", &record[0][0][0], STEPS * N * M);
		print_float("A", &A[0][0], N * M);
		print_float("rec", rec, STEPS);
		print_double("u", &u[0][0][0], N * M * K);
		print_double("plane", &plane[0][0][0], M * (STEPS + 3) * N);
	}
	return 0;
}

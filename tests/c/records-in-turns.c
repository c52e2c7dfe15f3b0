/* Records of arrays that take turns: of all steps, of every third one, of a row, a column the
 * other way round and a point, from other steps on.  A modulus tells copies apart, and pointers
 * are swapped.
 */
#include <string.h>
#include "data.h"

#define N 17
#define M 14
#define STEPS 8

static float A[2][N][M], snap[STEPS / 3 + 1][N][M], row[STEPS][M], column[N][STEPS + 1];
static float heard[STEPS], weight[M], all[STEPS + 1][N][M];
static double first[N][M], second[N][M], inner[STEPS][N - 2][M - 2], twice[STEPS / 2 + 2][N][M];

static void copies(int steps, int n, float scale)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < M - 1; j++)
				A[(t + 1) % 2][i][j] = 0.2f * (A[t % 2][i][j] + A[t % 2][i-1][j] + A[t % 2][i+1][j]
					+ A[t % 2][i][j-1] + A[t % 2][i][j+1]);
		if (t % 3 == 0)
			for (int i = 0; i < n; i++)
				for (int j = 0; j < M; j++)
					snap[t / 3][i][j] = A[(t + 1) % 2][i][j];
		for (int j = 0; j < M; j++)
			row[t][j] = scale * A[(t + 1) % 2][n / 2][j] + weight[j];
		for (int i = n - 1; i >= 0; i--)
			column[i][t + 1] = A[(t + 1) % 2][i][3] - t;
		heard[t] = A[(t + 1) % 2][4][5];
		for (int j = 0; j < M; j++)
			for (int i = 0; i < n; i++)
				if (t % 2 == 1 && i < n / 2)
					all[t][i][j] = A[(t + 1) % 2][i][j];
	}
#pragma endscop
}

static void pointers(int last, double (*restrict a)[M], double (*restrict b)[M])
{
#pragma scop
	for (int t = 1; t <= last; t++) {
		int frame = (t + 1) / 2;
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				b[i][j] = a[i][j] + 0.1 * (a[i-1][j] - 2 * a[i][j] + a[i][j+1]);
				inner[t - 1][i - 1][j - 1] = b[i][j];
			}
		double (*swapped)[M] = a;
		a = b;
		b = swapped;
		if ((t + 1) % 2 == 0)
			for (int i = 1; i < N - 1; i++)
				for (int j = 0; j < M; j++)
					twice[frame][i][j] = a[i][j];
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps <= STEPS; steps += steps < 3 ? 1 : 5) {
		fill_float(&A[0][0][0], 2 * N * M);
		fill_float(weight, M);
		fill_double(&first[0][0], N * M);
		fill_double(&second[0][0], N * M);
		memset(snap, 0, sizeof(snap));
		memset(row, 0, sizeof(row));
		memset(column, 0, sizeof(column));
		memset(heard, 0, sizeof(heard));
		memset(all, 0, sizeof(all));
		memset(inner, 0, sizeof(inner));
		memset(twice, 0, sizeof(twice));
		copies(steps, N, 0.5f);
		pointers(steps, first, second);
		print_float("A", &A[0][0][0], 2 * N * M);
		print_float("snap", &snap[0][0][0], (STEPS / 3 + 1) * N * M);
		print_float("row", &row[0][0], STEPS * M);
		print_float("column", &column[0][0], N * (STEPS + 1));
		print_float("heard", heard, STEPS);
		print_float("all", &all[0][0][0], (STEPS + 1) * N * M);
		print_double("first", &first[0][0], N * M);
		print_double("inner", &inner[0][0][0], STEPS * (N - 2) * (M - 2));
		print_double("twice", &twice[0][0][0], (STEPS / 2 + 2) * N * M);
	}
	return 0;
}

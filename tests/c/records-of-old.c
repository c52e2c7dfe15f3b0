/* Records of what a step begins with: before the array is copied back, of copies that take turns,
 * and of pointers before they are swapped.
 */
#include <string.h>
#include "data.h"

#define N 15
#define M 13
#define STEPS 7

static float A[2][N][M], snap[STEPS / 2 + 2][N][M], row[STEPS + 1][M];
static double u[N][M], v[N][M], film[STEPS][M][N], point[STEPS];
static float left[N][M], right[N][M], all[STEPS][N][M];

static void copies(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		if (t % 2 == 0)
			for (int i = 0; i < n; i++)
				for (int j = 0; j < M; j++)
					snap[t / 2][i][j] = A[t % 2][i][j];
		for (int j = 0; j < M; j++)
			row[t][j] = 0.5f * A[t % 2][n / 2][j] + t;
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < M - 1; j++)
				A[(t + 1) % 2][i][j] = 0.2f * (A[t % 2][i][j] + A[t % 2][i-1][j] + A[t % 2][i+1][j]
					+ A[t % 2][i][j-1] + A[t % 2][i][j+1]);
	}
#pragma endscop
}

static void back(int begin, int end)
{
#pragma scop
	for (int t = begin; t < end; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				v[i][j] = 0.2 * (u[i][j] + u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1]);
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				film[t - begin][j][i] = u[i][j];
		point[t - begin] = u[5][M / 2];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}

static void pointers(int steps, float (*restrict a)[M], float (*restrict b)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				if (t > 1)
					all[t][i][j] = a[i][j];
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				b[i][j] = 0.3f * a[i][j] + 0.4f * a[i-1][j+1];
		float (*swapped)[M] = a;
		a = b;
		b = swapped;
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps <= STEPS; steps += steps < 3 ? 1 : 4) {
		fill_float(&A[0][0][0], 2 * N * M);
		fill_double(&u[0][0], N * M);
		fill_double(&v[0][0], N * M);
		fill_float(&left[0][0], N * M);
		fill_float(&right[0][0], N * M);
		memset(snap, 0, sizeof(snap));
		memset(row, 0, sizeof(row));
		memset(film, 0, sizeof(film));
		memset(point, 0, sizeof(point));
		memset(all, 0, sizeof(all));
		copies(steps, N);
		back(2, 2 + steps);
		pointers(steps, left, right);
		print_float("A", &A[0][0][0], 2 * N * M);
		print_float("snap", &snap[0][0][0], (STEPS / 2 + 2) * N * M);
		print_float("row", &row[0][0], (STEPS + 1) * M);
		print_double("u", &u[0][0], N * M);
		print_double("film", &film[0][0][0], STEPS * N * M);
		print_double("point", point, STEPS);
		print_float("left", &left[0][0], N * M);
		print_float("right", &right[0][0], N * M);
		print_float("all", &all[0][0][0], STEPS * N * M);
	}
	return 0;
}

/* Edges that are set in each step, behind one another at the corners, in grids of any size: those of two
 * rows or columns are left to the loops.
 */
#include <stdio.h>

#define N 50
#define M 46

static double a[N][M], b[N][M], c[2][N][M];

static void one(int n, int m, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				a[i][j] = b[i][j];
		for (int i = 0; i < n; i++) {
			a[i][0] = a[i][1];
			a[i][m - 1] = a[i][m - 2];
		}
		for (int j = 0; j < m; j++) {
			a[0][j] = a[1][j];
			a[n - 1][j] = a[n - 2][j];
		}
	}
#pragma endscop
}

static void turns(int n, int m, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				c[(t + 1) % 2][i][j] = 0.25 * (c[t % 2][i - 1][j] + c[t % 2][i + 1][j]
					+ c[t % 2][i][j - 1] + c[t % 2][i][j + 1]);
		for (int i = 0; i < n; i++) {
			c[(t + 1) % 2][i][0] = c[(t + 1) % 2][i][1];
			c[(t + 1) % 2][i][m - 1] = c[(t + 1) % 2][i][m - 2];
		}
		for (int j = 0; j < m; j++) {
			c[(t + 1) % 2][0][j] = c[(t + 1) % 2][1][j];
			c[(t + 1) % 2][n - 1][j] = c[(t + 1) % 2][n - 2][j];
		}
	}
#pragma endscop
}

int main(void)
{
	static const int size[][2] = { { N, M }, { 30, 9 }, { 3, 3 }, { 2, 7 }, { 8, 2 }, { 2, 2 } };
	double sum = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			a[i][j] = c[0][i][j] = (i * 3 + j) % 19;
	for (int k = 0; k < 6; k++) {
		one(size[k][0], size[k][1], 5);
		turns(size[k][0], size[k][1], 5);
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				sum = sum * 0.999 + a[i][j] + 2 * c[0][i][j] + 3 * c[1][i][j];
		printf("%.17g\n", sum);
	}
	return 0;
}

/* Rows behind pointers that count from one, as those of numerical recipes: there is no row 0. */
#include <stdio.h>
#include <stdlib.h>

static float **matrix(long first_row, long last_row, long first, long last)
{
	const long rows = last_row - first_row + 1, columns = last - first + 1;
	float **m = (float **) calloc((size_t) rows + 1, sizeof(float *));

	m += 1 - first_row;
	m[first_row] = (float *) calloc((size_t) (rows * columns + 1), sizeof(float)) + 1 - first;
	for (long i = first_row + 1; i <= last_row; i++)
		m[i] = m[i - 1] + columns;
	return m;
}

static void heat(float **u, float **v, int n, int m, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 2; i < n; i++)
			for (int j = 2; j < m; j++)
				v[i][j] = 0.25f * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
		for (int i = 2; i < n; i++)
			for (int j = 2; j < m; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}

/* Rows from a variable on. */
static void range(float **u, float **v, int ny1, int ny2, int nx1, int nx2, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = ny1; i <= ny2; i++)
			for (int j = nx1; j <= nx2; j++)
				v[i][j] += 0.25f * (u[i][j] - u[i - 1][j]);
		for (int i = ny1; i <= ny2; i++)
			for (int j = nx1; j <= nx2; j++)
				u[i][j] += 0.2f * (v[i][j + 1] - v[i][j]);
	}
#pragma endscop
}

int main(void)
{
	enum { N = 20, M = 30 };
	float **u = matrix(1, N, 1, M), **v = matrix(1, N, 1, M);
	for (int i = 1; i <= N; i++)
		for (int j = 1; j <= M; j++) {
			u[i][j] = (float) (i * 7 % 5 + j % 3);
			v[i][j] = 0;
		}
	heat(u, v, N, M, 20);
	range(u, v, 2, N - 1, 2, M - 1, 20);
	for (int i = 1; i <= N; i++)
		for (int j = 1; j <= M; j++)
			printf("%a %a\n", u[i][j], v[i][j]);
	return 0;
}

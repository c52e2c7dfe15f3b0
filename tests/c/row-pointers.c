/* Rows behind pointers: one behind the other, in other orders, two that are one, and far apart. */
#include "data.h"

#define N 30
#define M 23

struct grid {
	int n, m;
	double **u;
};

static double space[4][N * (M + 9)];

static void smooth(int steps, int n, int m, double **a, double **b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				a[i][j] = b[i][j];
	}
#pragma endscop
}

/* Swapped, beside an array of C and what a call passes. */
static void swapped(int steps, double **a, double **b, const double *const *f)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				b[i][j] = 0.5 * a[i][j - 1] + f[0][2] * a[i + 1][j] + f[i][j];
		double **c = a;

		a = b;
		b = c;
	}
#pragma endscop
}

/* In place, downwards, of a struct. */
static void sweep(int steps, struct grid *g)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = g->n - 2; i > 0; i--)
			for (int j = 1; j < g->m - 1; j++)
				g->u[i][j] = 0.25 * (g->u[i - 1][j] + g->u[i + 1][j] + g->u[i][j - 1] + g->u[i][j + 1]);
#pragma endscop
}

static void place(double **rows, double *at, int pitch, int how)
{
	for (int i = 0; i < N; i++)
		rows[i] = at + pitch * (how == 1 ? N - 1 - i : how == 2 && i == 7 ? 5 : i);
}

int main(void)
{
	double *a[N], *b[N], *c[N];
	struct grid grid = { N, M, c };

	for (int how = 0; how < 4; how++) {
		for (int k = 0; k < 4; k++)
			fill_double(space[k], N * (M + 9));
		place(a, space[0], M + 2 * how, how);
		place(b, how == 3 ? space[0] + 4 * (M + 6) + 3 : space[1], M + 2 * how, 0);
		place(c, space[2], M, 0);
		smooth(7, N - how, M - how, a, b);
		swapped(6, a, b, (const double *const *) c);
		sweep(5, &grid);
		for (int k = 0; k < 4; k++)
			sum_double("space", space[k], N * (M + 9));
	}
	return 0;
}

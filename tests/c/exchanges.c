/* Time loops that end early, in which two arrays change places at the end of each step. */
#include <math.h>
#include "data.h"

#define N 21
#define M 17

static double A[N * M], B[N * M];
static float C[N][M], D[N][M], F[N][M];
static double E[2][N][M];
static int which;

static void swap(double **a, double **b)
{
	double *t = *a;

	*a = *b;
	*b = t;
}

/* A function moves the pointers; both borders are kept, which differ. */
static int settle(double *u, double *v, int n, int m, int most, double eps, double *last)
{
	int it = 0;
	double change = eps + 1;

#pragma scop
	while (change > eps && it < most) {
		change = 0;
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				v[i*m + j] = 0.25 * (u[(i-1)*m + j] + u[(i+1)*m + j] + u[i*m + j-1] + u[i*m + j+1]);
				change = fmax(change, fabs(v[i*m + j] - u[i*m + j]));
			}
		swap(&u, &v);
		it++;
	}
#pragma endscop
	*last = change;
	sum_double("u", u, n * m);
	sum_double("v", v, n * m);
	return it;
}

/* The loop ends before pointers move; what was there two steps before is read, and an edge is set. */
static int leaves(float (*u)[M], float (*v)[M], int most, float eps)
{
	int it;

#pragma scop
	for (it = 0; it < most; it++) {
		float change = 0;

		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				v[i][j] = 0.2f * (u[i-1][j] + u[i+1][j] + u[i][j-1] + u[i][j+1]) + 0.1f * v[i][j] - F[i][j];
				if (fabsf(v[i][j] - u[i][j]) > change)
					change = fabsf(v[i][j] - u[i][j]);
			}
		for (int j = 1; j < M - 1; j++)
			v[0][j] = 0.5f * u[1][j];
		if (change < eps)
			break;
		float (*t)[M] = u;
		u = v;
		v = t;
	}
#pragma endscop
	sum_float("u", &u[0][0], N * M);
	sum_float("v", &v[0][0], N * M);
	return it;
}

/* An index selects the copy. */
static int turns(int most, double eps)
{
	int it = 0;
	double change;

#pragma scop
	do {
		int next = 1 - which;

		change = 0;
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				E[next][i][j] = 0.25 * (E[which][i-1][j] + E[which][i+1][j] + E[which][i][j-1] + E[which][i][j+1]);
				change = fmax(change, fabs(E[next][i][j] - E[which][i][j]));
			}
		which = next;
		it++;
	} while (change > eps && it < most);
#pragma endscop
	printf("%d\n", which);
	return it;
}

/* One of the pointers in an array. */
static int pointers(double *of[2], int n, int m, int most, double eps)
{
	int it, from = 0;

#pragma scop
	for (it = 0; it < most; it++) {
		double change = 0;

		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				double w = 0.25 * (of[from][(i-1)*m + j] + of[from][(i+1)*m + j] + of[from][i*m + j-1]);

				of[1-from][i*m + j] = w;
				change = fmax(change, fabs(w - of[from][i*m + j]));
			}
		if (change < eps)
			break;
		from = 1 - from;
	}
#pragma endscop
	printf("%d\n", from);
	return it;
}

int main(void)
{
	for (int k = 0; k < 12; k++) {
		double *of[2] = { A, B };
		double last, eps = k < 6 ? 0.01 : 12 - k;
		int most = k < 6 ? k : 100;

		fill_double(A, N * M);
		fill_double(B, N * M);
		printf("%d\n", settle(A, B, N, M, most, eps, &last));
		print_double("change", &last, 1);
		fill_float(&C[0][0], N * M);
		fill_float(&D[0][0], N * M);
		fill_float(&F[0][0], N * M);
		printf("%d\n", leaves(C, D, most, (float) eps));
		fill_double(&E[0][0][0], 2 * N * M);
		printf("%d\n", turns(most, eps));
		sum_double("E", &E[0][0][0], 2 * N * M);
		printf("%d\n", pointers(of, N, M, most, eps));
		sum_double("A", A, N * M);
		sum_double("B", B, N * M);
	}
	return 0;
}

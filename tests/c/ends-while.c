/* Loops that end by the greatest change of a step, as 'while', 'do' and 'for' write it.  The count of steps lives
 * on, begins anywhere, and the first iteration may be one too many.
 */
#include "data.h"

#include <math.h>

enum { N = 20, M = 31 };

static double field[N][M], next[N][M];

static void step_once(double (*restrict a)[M], double (*restrict b)[M], int rest)
{
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < M - 1; j++)
			b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
	for (int i = 1; i < N - 1; i++)
		for (int j = 1; j < M - 1; j++)
			a[i][j] = rest * b[i][j];
}

/* As it stands in many a tutorial. */
static int by_while(double (*restrict a)[M], double (*restrict b)[M], double tol, int most, int iter, double *last)
{
	double error = 1.0;

#pragma scop
	while (error > tol && iter < most) {
		error = 0.0;
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
				error = fmax(error, fabs(b[i][j] - a[i][j]));
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				a[i][j] = b[i][j];
		iter++;
	}
#pragma endscop
	*last = error;
	return iter;
}

static int by_do(double (*restrict a)[M], double (*restrict b)[M], double tol, int most)
{
	int iter;
	double error;

#pragma scop
	iter = 0;
	do {
		error = 0.0;
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				double change;

				b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
				change = fabs(b[i][j] - a[i][j]);
				if (change > error)
					error = change;
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				a[i][j] = b[i][j];
		iter += 2;
	} while (iter < most && !(error <= tol));
#pragma endscop
	return iter;
}

static int by_for(double (*restrict a)[M], double (*restrict b)[M], double tol, int most)
{
	int t;

#pragma scop
	double error = 2 * tol;
	for (t = 3; t < most && error > tol; t++) {
		error = 0.0;
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
				error = fmax(error, fabs(b[i][j] - a[i][j]));
			}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				a[i][j] = b[i][j];
	}
#pragma endscop
	return t;
}

/* Nothing but a count. */
static int by_count(double (*restrict a)[M], double (*restrict b)[M], int t, int steps)
{
#pragma scop
	while (t < steps) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				a[i][j] = b[i][j];
		t++;
	}
#pragma endscop
	return t;
}

static void begin(void)
{
	fill_double(field[0], N * M);
	fill_double(next[0], N * M);
	step_once(field, next, 1);
}

int main(void)
{
	static const double tol[] = { 0, 1e-3, 0.05, 2, NAN };
	double error;

	for (int i = 0; i < 5; i++) {
		begin();
		printf("while %d", by_while(field, next, tol[i], 30, 4, &error));
		printf(" to %.17g, %d\n", error, by_while(field, next, tol[i], 30, 30, &error));
		print_double("field", field[0], N * M);
		begin();
		printf("do %d\n", by_do(field, next, tol[i], 30));
		printf("once %d\n", by_do(field, next, tol[i], -1));
		print_double("field", field[0], N * M);
		begin();
		printf("for %d\n", by_for(field, next, tol[i], 30));
		printf("never %d\n", by_for(field, next, tol[i], 2));
		print_double("next", next[0], N * M);
	}
	printf("count %d", by_count(field, next, 2, 9));
	printf(", %d\n", by_count(field, next, 9, 2));
	print_double("field", field[0], N * M);
	return 0;
}

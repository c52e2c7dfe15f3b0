/* Cells around a grid that each step copies at its end, for the next one; arrays beside it that have such cells, too. */
#include "data.h"

#define N 23
#define M 18

static double a[N + 2][M + 2], b[N + 2][M + 2], c[N + 2][M + 2], d[N + 2][M + 2];
static double line[N + 2], next[N + 2], third[N + 2];

/* Back to the same array; nobody has copied anything before the first step. */
static void copied_back(int steps)
{
	int t, i, j;

#pragma scop
	for (t = 0; t < steps; t++) {
		for (i = 1; i <= N; i++)
			for (j = 1; j <= M; j++)
				b[i][j] = 0.2 * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
		for (i = 1; i <= N; i++)
			for (j = 1; j <= M; j++)
				a[i][j] = b[i][j];
		for (i = 1; i <= N; i++) {
			a[i][0] = a[i][M];
			a[i][M + 1] = a[i][1];
		}
		for (j = 1; j <= M; j++) {
			a[0][j] = a[N][j];
			a[N + 1][j] = a[1][j];
		}
	}
#pragma endscop
}

/* Two arrays that change places, with corners; steps from 2 on. */
static void swapped(int n, int m, int steps, double (*restrict u)[M + 2], double (*restrict v)[M + 2],
	double (**last)[M + 2])
{
#pragma scop
	for (int t = 2; t <= steps; t++) {
		for (int i = 1; i <= n; i++)
			for (int j = 1; j <= m; j++)
				v[i][j] = 0.25 * (u[i - 1][j - 1] + u[i - 1][j + 1] + u[i + 1][j - 1] + u[i + 1][j + 1])
					+ 0.001 * t;
		for (int j = 1; j <= m; j++) {
			v[0][j] = v[n][j];
			v[n + 1][j] = v[1][j];
		}
		for (int i = 0; i <= n + 1; i++) {
			v[i][0] = v[i][m];
			v[i][m + 1] = v[i][1];
		}
		double (*w)[M + 2] = u;
		u = v;
		v = w;
	}
#pragma endscop
	*last = u;
}

/* At one side alone, as upwind schemes have it. */
static void upwind(int n, int steps, double speed)
{
	int i, t;

#pragma scop
	for (t = 0; t < steps; t++) {
		double c = speed * 0.5;
		for (i = 1; i <= n; i++)
			next[i] = line[i] - c * (line[i] - line[i - 1]);
		for (i = 1; i <= n; i++)
			line[i] = next[i];
		line[0] = line[n];
	}
#pragma endscop
}

/* Read behind the copies, too, in the same step. */
static void read_twice(int n, int steps, double *restrict u, double *restrict v, double *restrict slope)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 2; i < n + 2; i++)
			v[i] = 0.5 * u[i] + 0.25 * (u[i - 2] + u[i + 2]);
		for (int i = 2; i < n + 2; i++)
			u[i] = v[i] - 0.01 * slope[i];
		for (int k = 0; k < 2; k++) {
			u[k] = u[n + k];
			u[n + 2 + k] = u[2 + k];
		}
		for (int i = 2; i < n + 2; i++)
			slope[i] = u[i + 1] - u[i - 1];
	}
#pragma endscop
}

/* All cells of one array go to the other: with corners, and without, which nobody reads. */
static void filled(int steps)
{
	int i, j, t;

#pragma scop
	for (t = 0; t < steps; t++) {
		for (i = 1; i <= N; i++)
			for (j = 1; j <= M; j++) {
				b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]) + 0.01 * c[i][j];
				d[i][j] = c[i][j] + 0.125 * (c[i + 1][j + 1] - c[i][j]) - 0.01 * a[i][j - 1];
			}
		for (i = 1; i <= N; i++) {
			b[i][0] = b[i][M];
			b[i][M + 1] = b[i][1];
			d[i][0] = d[i][M];
			d[i][M + 1] = d[i][1];
		}
		for (j = 1; j <= M; j++) {
			b[0][j] = b[N][j];
			b[N + 1][j] = b[1][j];
		}
		for (j = 0; j <= M + 1; j++) {
			d[0][j] = d[N][j];
			d[N + 1][j] = d[1][j];
		}
		for (i = 0; i < N + 2; i++)
			for (j = 0; j < M + 2; j++) {
				a[i][j] = b[i][j];
				c[i][j] = d[i][j];
			}
	}
#pragma endscop
}

/* Linear arrays that change places: m - 2 and m - 1 are columns of the same row. */
static void linear(int n, int m, int steps, double *restrict from, double *restrict to)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				to[i * m + j] = from[i * m + j] + 0.125 * (from[(i - 1) * m + j + 1]
					+ from[(i + 1) * m + j - 1] - 2 * from[i * m + j]);
		for (int j = 1; j < m - 1; j++) {
			to[j] = to[(n - 2) * m + j];
			to[(n - 1) * m + j] = to[m + j];
		}
		for (int i = 0; i < n; i++) {
			to[i * m] = to[i * m + m - 2];
			to[i * m + m - 1] = to[i * m + 1];
		}
		double *other = from;
		from = to;
		to = other;
	}
#pragma endscop
}

int main(void)
{
	double (*last)[M + 2] = NULL;

	for (int steps = 0; steps < 9; steps++) {
		fill_double((double *) a, (N + 2) * (M + 2));
		fill_double((double *) b, (N + 2) * (M + 2));
		fill_double((double *) c, (N + 2) * (M + 2));
		fill_double((double *) d, (N + 2) * (M + 2));
		fill_double(line, N + 2);
		fill_double(next, N + 2);
		fill_double(third, N + 2);
		copied_back(steps);
		sum_double("a", (double *) a, (N + 2) * (M + 2));
		sum_double("b", (double *) b, (N + 2) * (M + 2));
		swapped(N, M, steps, a, b, &last);
		printf("%d\n", last == b);
		swapped(N - 3, M, steps + 1, a, b, &last);
		printf("%d\n", last == b);
		sum_double("a", (double *) a, (N + 2) * (M + 2));
		sum_double("b", (double *) b, (N + 2) * (M + 2));
		filled(steps);
		sum_double("a", (double *) a, (N + 2) * (M + 2));
		sum_double("b", (double *) b, (N + 2) * (M + 2));
		sum_double("c", (double *) c, (N + 2) * (M + 2));
		sum_double("d", (double *) d, (N + 2) * (M + 2));
		linear(N + 2, M + 2, steps, (double *) c, (double *) d);
		linear(N, M - 3, steps + 1, (double *) c, (double *) d);
		sum_double("c", (double *) c, (N + 2) * (M + 2));
		sum_double("d", (double *) d, (N + 2) * (M + 2));
		upwind(N, steps, 0.75);
		upwind(N - 5, steps + 30, 0.75);
		read_twice(N - 2, steps, line, next, third);
		sum_double("third", third, N + 2);
		sum_double("line", line, N + 2);
		sum_double("next", next, N + 2);
	}
	return 0;
}

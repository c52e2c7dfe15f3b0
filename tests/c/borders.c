// Edges that each step sets: their readers compute what they have, and no step sets them.
#include "data.h"

#define N 21
#define M 17

static double a[N][M], b[N][M], c[N][M], d[N][M], e[N][M], f[N][M], g[N][M], h[N][M], in[M], line[N], next[N];

/* Behind the nest, and both arrays change places. */
static void fixed(int steps, int n, int m, double (*restrict u)[M], double (*restrict v)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
		for (int i = 1; i < n - 1; i++) { // columns
			v[i][0] = 1;
			v[i][m - 1] = 0;
		}
		for (int j = 0; j < m; j++) {
			v[0][j] = in[j];
			v[n - 1][j] = 0.5;
		}
		double (*w)[M] = u;
		u = v;
		v = w;
	}
#pragma endscop
}

/* Behind the change of places; rows come from columns, so that nine points see corners. */
static void mirrored(int steps, int n, int m, double (*restrict u)[M], double (*restrict v)[M])
{
	int i, j;
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (i = 1; i < n - 1; i++)
			for (j = 1; j < m - 1; j++)
				v[i][j] = 0.125 * (u[i - 1][j - 1] + u[i + 1][j - 1] + u[i - 1][j + 1] + u[i + 1][j + 1])
					+ 0.5 * u[i][j];
		double (*w)[M] = u;
		u = v;
		v = w;
		for (i = 1; i < n - 1; i++) {
			u[i][0] = u[i][1];
			u[i][m - 1] = -u[i][m - 2];
		}
		for (j = 0; j < m; j++) {
			u[0][j] = u[1][j];
			u[n - 1][j] = u[n - 2][j];
		}
	}
#pragma endscop
}

/* Before the nest and behind it. */
static void twice(int steps, int n, int m, double (*restrict u)[M], double (*restrict v)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++) {
			u[i][0] = u[i][1];
			u[i][m - 1] = u[i][m - 2];
		}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				v[i][j] = 0.3 * u[i][j - 1] + 0.4 * u[i][j] + 0.3 * u[i][j + 1];
		for (int i = 1; i < n - 1; i++) {
			v[i][0] = v[i][1];
			v[i][m - 1] = v[i][m - 2];
		}
		double (*w)[M] = u;
		u = v;
		v = w;
	}
#pragma endscop
}

/* Values of the step's own, before the nest; the array is copied. */
static void driven(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++) {
			g[i][0] = 0.1 * t;
			g[i][m - 1] = in[t] + i;
		}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				h[i][j] = 0.5 * (g[i][j - 1] + g[i][j + 1]) - 0.25 * (g[i - 1][j] + g[i + 1][j]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				g[i][j] = h[i][j];
	}
#pragma endscop
}

/* No loops; the edge is set for the next step. */
static void ends(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			next[i] = 0.5 * line[i] + 0.25 * (line[i - 1] + line[i + 1]);
		for (int i = 1; i < n - 1; i++)
			line[i] = next[i];
		line[0] = line[1];
		line[n - 1] = 2 * line[n - 2] - 1;
	}
#pragma endscop
}

/* What must stay: an edge that has what it had, and one that others change. */
static void keeps(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				f[i][j] = 0.25 * (e[i - 1][j] + e[i + 1][j] + e[i][j - 1] + e[i][j + 1]);
		for (int i = 1; i < n - 1; i++)
			f[i][0] = 0.5 * (e[i][0] + f[i][1]);
		for (int j = 1; j < m - 1; j++)
			f[0][j] = f[1][j];
		for (int i = 0; i < n - 1; i++)
			for (int j = 0; j < m - 1; j++)
				e[i][j] = f[i][j];
	}
#pragma endscop
}

/* A line that the last step keeps from the edge that the one before has set. */
static void lines(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			next[i] = g[i][1] + 0.25 * g[i][0];
		for (int i = 1; i < n - 1; i++) {
			g[i][0] = in[t];
			g[i][m - 1] = 0.5;
		}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				h[i][j] = 0.5 * g[i][j] + 0.25 * (g[i][j - 1] + g[i][j + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				g[i][j] = h[i][j];
	}
#pragma endscop
}

static void all(int steps, int n, int m)
{
	fixed(steps, n, m, a, b);
	mirrored(steps, n, m, c, d);
	twice(steps, n, m, e, f);
	driven(steps, n, m);
	ends(steps, n);
	keeps(steps, n, m);
	lines(steps, n, m);
}

static void print_all(void)
{
	sum_double("a", &a[0][0], N * M);
	sum_double("b", &b[0][0], N * M);
	sum_double("c", &c[0][0], N * M);
	sum_double("d", &d[0][0], N * M);
	sum_double("e", &e[0][0], N * M);
	sum_double("f", &f[0][0], N * M);
	sum_double("g", &g[0][0], N * M);
	sum_double("h", &h[0][0], N * M);
	sum_double("line", line, N);
	sum_double("next", next, N);
}

int main(void)
{
	fill_double(in, M);
	for (int steps = 0; steps < 8; steps++) {
		double (*const of[])[M] = { a, b, c, d, e, f, g, h };

		for (int i = 0; i < 8; i++)
			fill_double(&of[i][0][0], N * M);
		fill_double(line, N);
		fill_double(next, N);
		all(steps, N, M);
		print_all();
	}
	for (int n = 3; n < 6; n++)
		for (int m = 3; m < 6; m++)
			all(5, n, m);
	print_all();
	return 0;
}

// Arrays that change places, with edges that each step sets: a step is one statement for each pair, and the last
// steps fill both.
#include "data.h"

#define N 19
#define M 22
#define K 9

static double a[N][M], b[N][M], c[N][M], d[N][M], e[N][M], f[N][M], p[N], q[N], x[N][M][K], y[N][M][K], in[M];
static double (*now)[M] = e, (*next)[M] = f;

/* Both change places; what one computes of the other is as it was. */
static void burgers(int steps, int n, int m, double (*restrict u)[M], double (*restrict v)[M],
	double (*restrict un)[M], double (*restrict vn)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				double r = 0.01 * (u[i + 1][j] + u[i - 1][j]);

				un[i][j] = u[i][j] - 0.01 * v[i][j] * (u[i][j] - u[i][j - 1]) + r;
				vn[i][j] = v[i][j] - 0.01 * u[i][j] * (v[i][j] - v[i - 1][j]) - r * un[i][j];
			}
		for (int k = 0; k < m; k++) {
			un[0][k] = 1;
			un[n - 1][k] = 0.5;
			vn[0][k] = in[k];
			vn[n - 1][k] = vn[n - 2][k];
		}
		for (int k = 0; k < n; k++) {
			un[k][0] = un[k][1];
			un[k][m - 1] = 1;
			vn[k][0] = -vn[k][1];
			vn[k][m - 1] = 0;
		}
		double (*w)[M] = u;
		u = un;
		un = w;
		w = v;
		v = vn;
		vn = w;
	}
#pragma endscop
}

/* Pointers that stay changed, and an edge that nobody reads. */
static void kept(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++) {
			now[i][0] = now[i][1];
			now[i][m - 1] = 0.25;
		}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				next[i][j] = 0.5 * now[i][j - 1] + 0.25 * (now[i][j] + now[i][j + 1]);
		for (int i = 1; i < n - 1; i++)
			next[i][0] = 2 * next[i][1];
		double (*w)[M] = now;
		now = next;
		next = w;
	}
#pragma endscop
}

static void line(int steps, int n, double *restrict u, double *restrict v)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			v[i] = 0.3 * u[i - 1] + 0.4 * u[i] + 0.3 * u[i + 1];
		v[0] = 1;
		v[n - 1] = v[n - 2];
		double *w = u;
		u = v;
		v = w;
	}
#pragma endscop
}

static void planes(int steps, int n, int m, int k, double (*restrict u)[M][K], double (*restrict v)[M][K])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++) {
				u[i][j][0] = u[i][j][1];
				u[i][j][k - 1] = u[i][j][k - 2];
			}
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				for (int l = 1; l < k - 1; l++)
					v[i][j][l] = 0.25 * u[i][j][l - 1] + 0.5 * u[i][j][l] + 0.25 * u[i][j][l + 1];
		double (*w)[M][K] = u;
		u = v;
		v = w;
	}
#pragma endscop
}

/* Edges that both arrays have from before: each has its own. */
static void fixed(int steps, int n, int m, double (*restrict u)[M], double (*restrict v)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
		double (*w)[M] = u;
		u = v;
		v = w;
	}
#pragma endscop
}

static void all(int steps, int n, int m, int k)
{
	burgers(steps, n, m, a, b, c, d);
	kept(steps, n, m);
	line(steps, n, p, q);
	planes(steps, n, m, k, x, y);
	fixed(steps, n, m, c, d);
}

static void print_all(void)
{
	sum_double("a", &a[0][0], N * M);
	sum_double("b", &b[0][0], N * M);
	sum_double("c", &c[0][0], N * M);
	sum_double("d", &d[0][0], N * M);
	sum_double("now", &now[0][0], N * M);
	sum_double("next", &next[0][0], N * M);
	sum_double("p", p, N);
	sum_double("q", q, N);
	sum_double("x", &x[0][0][0], N * M * K);
	sum_double("y", &y[0][0][0], N * M * K);
}

int main(void)
{
	fill_double(in, M);
	for (int steps = 0; steps < 10; steps++) {
		double (*const of[])[M] = { a, b, c, d, e, f };

		for (int i = 0; i < 6; i++)
			fill_double(&of[i][0][0], N * M);
		fill_double(p, N);
		fill_double(q, N);
		fill_double(&x[0][0][0], N * M * K);
		fill_double(&y[0][0][0], N * M * K);
		all(steps, N, M, K);
		print_all();
	}
	for (int n = 3; n < 6; n++)
		for (int m = 3; m < 6; m++) {
			all(6, n, m, m);
			print_all();
		}
	return 0;
}

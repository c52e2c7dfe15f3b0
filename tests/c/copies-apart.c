// Arrays that each step copies before it changes them, as textbooks have it, or computes somewhere else and copies
// back: what reads the copy reads the step before, and nothing is copied.
#include "data.h"

#define N 20
#define M 23

static double a[N][M], an[N][M], b[N][M], bn[N][M], c[N][M], cn[N][M], d[N][M], dn[N][M], e[N][M], en[N][M], f[N][M],
	fn[N][M], g[N][M], gn[N][M], h[N][M], hn[N][M], line[M], rhs[N][M],
	now[N][M], next[N][M], p0[N][M], p1[N][M], q0[N][M], q1[N][M];
static float gs[N][M];

/* Edges with corners, set behind the nest. */
static void heat(int steps, int n, int m, double (*restrict u)[M], double (*restrict un)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				un[i][j] = u[i][j];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				u[i][j] = 0.25 * (un[i - 1][j] + un[i + 1][j] + un[i][j - 1] + un[i][j + 1]);
		for (int k = 0; k < m; k++) {
			u[0][k] = 1.0;
			u[n - 1][k] = 1.0;
		}
		for (int k = 0; k < n; k++) {
			u[k][0] = 1.0;
			u[k][m - 1] = u[k][m - 2];
		}
	}
#pragma endscop
}

/* Two arrays in one nest. */
static void burgers(int steps, int n, int m, double nu, double (*restrict u)[M], double (*restrict v)[M],
	double (*restrict un)[M], double (*restrict vn)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++) {
				un[i][j] = u[i][j];
				vn[i][j] = v[i][j];
			}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				u[i][j] = un[i][j] - 0.01 * un[i][j] * (un[i][j] - un[i - 1][j])
					- 0.01 * vn[i][j] * (un[i][j] - un[i][j - 1])
					+ nu * (un[i + 1][j] - 2 * un[i][j] + un[i - 1][j]);
				v[i][j] = vn[i][j] - 0.01 * un[i][j] * (vn[i][j] - vn[i - 1][j])
					- 0.01 * vn[i][j] * (vn[i][j] - vn[i][j - 1])
					+ nu * (vn[i][j + 1] - 2 * vn[i][j] + vn[i][j - 1]);
			}
		for (int k = 0; k < m; k++) {
			u[0][k] = 1;
			u[n - 1][k] = 0.5;
			v[0][k] = 1;
			v[n - 1][k] = 0.25;
		}
		for (int k = 0; k < n; k++) {
			u[k][0] = 2;
			u[k][m - 1] = 1;
			v[k][0] = 3;
			v[k][m - 1] = 1;
		}
	}
#pragma endscop
}

/* Edges that meet in corners, each as the one before has left it. */
static void pressure(int steps, int n, int m, double (*restrict p)[M], double (*restrict pn)[M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				pn[i][j] = p[i][j];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				p[i][j] = 0.25 * (pn[i][j + 1] + pn[i][j - 1] + pn[i + 1][j] + pn[i - 1][j]) - rhs[i][j];
		for (int k = 0; k < n; k++)
			p[k][m - 1] = p[k][m - 2];
		for (int k = 0; k < m; k++)
			p[0][k] = p[1][k];
		for (int k = 0; k < n; k++)
			p[k][0] = p[k][1];
		for (int k = 0; k < m; k++)
			p[n - 1][k] = 0;
	}
#pragma endscop
}

/* Read behind the change, too; part of the array, somewhere else, is the copy. */
static void change(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n - 1; i++)
			for (int j = 0; j < m; j++)
				dn[i][j] = d[i + 1][j];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				d[i][j] = 0.5 * dn[i - 1][j] + 0.25 * (dn[i - 1][j - 1] + dn[i - 1][j + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				e[i][j] += d[i][j] - dn[i - 1][j];
	}
#pragma endscop
}

/* The nest that copies changes what it copies from. */
static void shared(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n - 1; i++) {
			for (int j = 0; j < m; j++)
				fn[i][j] = f[i + 1][j];
			for (int j = 0; j < m; j++)
				f[i][j] = 0.5 * rhs[i][j] + 0.125 * fn[i][j];
		}
	}
#pragma endscop
}

/* A line that is read beside where it was kept, in the nest that overwrites it. */
static void beside(int steps, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < m; j++)
			line[j] = h[1][j];
		for (int j = 1; j < m; j++) {
			h[1][j] = 0.5 * h[2][j] + 0.125 * h[0][j];
			h[0][j] = line[j - 1];
		}
	}
#pragma endscop
}

/* Computed somewhere else and copied back, with edges. */
static void back(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				next[i][j] = 0.25 * (now[i - 1][j] + now[i + 1][j] + now[i][j - 1] + now[i][j + 1]) + 0.01 * t;
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				now[i][j] = next[i][j];
		for (int k = 1; k < n - 1; k++) {
			now[k][0] = now[k][1];
			now[k][m - 1] = 0.5;
		}
	}
#pragma endscop
}

/* Two arrays, one of which is copied back one cell further; what changes is read beside it. */
static void both(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				p1[i][j] = p0[i][j] - 0.125 * (q0[i][j + 1] - q0[i][j - 1]);
				q1[i][j] = q0[i][j] - 0.125 * (p0[i + 1][j] - p0[i - 1][j]);
			}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				p0[i][j] = p1[i][j];
				q0[i][j - 1] = q1[i][j];
			}
	}
#pragma endscop
}

/* A copy that rounds. */
static void rounded(int steps, int n, int m)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				gs[i][j] = g[i][j];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				g[i][j] = 0.3 * (gs[i - 1][j] + gs[i][j - 1] + gs[i][j + 1]);
	}
#pragma endscop
}

static void all(int steps, int n, int m)
{
	heat(steps, n, m, a, an);
	burgers(steps, n, m, 0.05, b, c, bn, cn);
	pressure(steps, n, m, en, hn);
	change(steps, n, m);
	shared(steps, n, m);
	beside(steps, m);
	back(steps, n, m);
	both(steps, n, m);
	rounded(steps, n, m);
}

static void print_all(void)
{
	const struct { const char *name; const double *of; } array[] = { { "a", &a[0][0] }, { "an", &an[0][0] },
		{ "b", &b[0][0] }, { "bn", &bn[0][0] }, { "c", &c[0][0] }, { "cn", &cn[0][0] }, { "d", &d[0][0] },
		{ "dn", &dn[0][0] }, { "e", &e[0][0] }, { "en", &en[0][0] }, { "f", &f[0][0] }, { "fn", &fn[0][0] },
		{ "g", &g[0][0] }, { "gn", &gn[0][0] }, { "h", &h[0][0] }, { "hn", &hn[0][0] },
		{ "now", &now[0][0] }, { "next", &next[0][0] }, { "p0", &p0[0][0] }, { "p1", &p1[0][0] },
		{ "q0", &q0[0][0] }, { "q1", &q1[0][0] } };

	for (int i = 0; i < 22; i++)
		sum_double(array[i].name, array[i].of, N * M);
	sum_double("line", line, M);
	sum_float("gs", &gs[0][0], N * M);
}

int main(void)
{
	double (*const of[])[M] = { a, an, b, bn, c, cn, d, dn, e, en, f, fn, g, gn, h, hn, now, next, p0, p1, q0, q1 };

	fill_double(&rhs[0][0], N * M);
	for (int steps = 0; steps < 8; steps++) {
		for (int i = 0; i < 22; i++)
			fill_double(&of[i][0][0], N * M);
		fill_double(line, M);
		all(steps, N, M);
		print_all();
	}
	for (int n = 3; n < 6; n++)
		for (int m = 3; m < 6; m++) {
			all(5, n, m);
			print_all();
		}
	return 0;
}

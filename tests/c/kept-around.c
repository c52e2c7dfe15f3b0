/* Arrays whose steps keep the cells around their grid as copies, if they are so before the first step: under conditions
 * on the step, from several statements, and from what the arrays have themselves.
 */
#include "data.h"

#define M 19
#define N 22
#define CELLS ((M + 1) * (N + 1))

static double u[M + 1][N + 1], v[M + 1][N + 1], p[M + 1][N + 1];
static double unew[M + 1][N + 1], vnew[M + 1][N + 1], pnew[M + 1][N + 1];
static double uold[M + 1][N + 1], vold[M + 1][N + 1], pold[M + 1][N + 1];
static double cu[M + 1][N + 1], cv[M + 1][N + 1], z[M + 1][N + 1], h[M + 1][N + 1];

/* The shallow water model of Sadourny, 1975: a first step of Euler's, then leapfrog with a filter. */
static void shallow_water(int last)
{
	double dt = 0.01, tdt = dt, time = 0, alpha = 0.001, fsdx = 4, fsdy = 4.5;
	int i, j, cycle;

#pragma scop
	for (cycle = 1; cycle <= last; cycle++) {
		for (i = 0; i < M; i++)
			for (j = 0; j < N; j++) {
				cu[i + 1][j] = .5 * (p[i + 1][j] + p[i][j]) * u[i + 1][j];
				cv[i][j + 1] = .5 * (p[i][j + 1] + p[i][j]) * v[i][j + 1];
				z[i + 1][j + 1] = (fsdx * (v[i + 1][j + 1] - v[i][j + 1]) - fsdy * (u[i + 1][j + 1]
					- u[i + 1][j])) / (40 + p[i][j] + p[i + 1][j] + p[i + 1][j + 1] + p[i][j + 1]);
				h[i][j] = p[i][j] + .25 * (u[i + 1][j] * u[i + 1][j] + u[i][j] * u[i][j]
					+ v[i][j + 1] * v[i][j + 1] + v[i][j] * v[i][j]);
			}
		for (j = 0; j < N; j++) {
			cu[0][j] = cu[M][j];
			cv[M][j + 1] = cv[0][j + 1];
			z[0][j + 1] = z[M][j + 1];
			h[M][j] = h[0][j];
		}
		for (i = 0; i < M; i++) {
			cu[i + 1][N] = cu[i + 1][0];
			cv[i][0] = cv[i][N];
			z[i + 1][0] = z[i + 1][N];
			h[i][N] = h[i][0];
		}
		cu[0][N] = cu[M][0];
		cv[M][0] = cv[0][N];
		z[0][0] = z[M][N];
		h[M][N] = h[0][0];
		for (i = 0; i < M; i++)
			for (j = 0; j < N; j++) {
				unew[i + 1][j] = uold[i + 1][j] + tdt * (z[i + 1][j + 1] + z[i + 1][j])
					* (cv[i + 1][j + 1] + cv[i][j + 1] + cv[i][j] + cv[i + 1][j])
					- tdt * (h[i + 1][j] - h[i][j]);
				vnew[i][j + 1] = vold[i][j + 1] - tdt * (z[i + 1][j + 1] + z[i][j + 1])
					* (cu[i + 1][j + 1] + cu[i][j + 1] + cu[i][j] + cu[i + 1][j])
					- tdt * (h[i][j + 1] - h[i][j]);
				pnew[i][j] = pold[i][j] - tdt * (cu[i + 1][j] - cu[i][j])
					- tdt * (cv[i][j + 1] - cv[i][j]);
			}
		for (j = 0; j < N; j++) {
			unew[0][j] = unew[M][j];
			vnew[M][j + 1] = vnew[0][j + 1];
			pnew[M][j] = pnew[0][j];
		}
		for (i = 0; i < M; i++) {
			unew[i + 1][N] = unew[i + 1][0];
			vnew[i][0] = vnew[i][N];
			pnew[i][N] = pnew[i][0];
		}
		unew[0][N] = unew[M][0];
		vnew[M][0] = vnew[0][N];
		pnew[M][N] = pnew[0][0];
		time = time + dt;
		if (cycle > 1) {
			for (i = 0; i <= M; i++)
				for (j = 0; j <= N; j++) {
					uold[i][j] = u[i][j] + alpha * (unew[i][j] - 2. * u[i][j] + uold[i][j]);
					vold[i][j] = v[i][j] + alpha * (vnew[i][j] - 2. * v[i][j] + vold[i][j]);
					pold[i][j] = p[i][j] + alpha * (pnew[i][j] - 2. * p[i][j] + pold[i][j]);
				}
			for (i = 0; i <= M; i++)
				for (j = 0; j <= N; j++) {
					u[i][j] = unew[i][j];
					v[i][j] = vnew[i][j];
					p[i][j] = pnew[i][j];
				}
		} else {
			tdt = tdt + tdt;
			for (i = 0; i <= M; i++)
				for (j = 0; j <= N; j++) {
					uold[i][j] = u[i][j];
					vold[i][j] = v[i][j];
					pold[i][j] = p[i][j];
					u[i][j] = unew[i][j];
					v[i][j] = vnew[i][j];
					p[i][j] = pnew[i][j];
				}
		}
	}
#pragma endscop
	printf("%g %g\n", time, tdt);
}

static void fill_grids(void)
{
	double *const grid[] = { *u, *v, *p, *unew, *vnew, *pnew, *uold, *vold, *pold, *cu, *cv, *z, *h };

	for (int k = 0; k < 13; k++) {
		fill_double(grid[k], CELLS);
		for (int i = 0; i < CELLS; i++)
			grid[k][i] /= 64;
	}
}

static void sum_grids(void)
{
	sum_double("u", *u, CELLS);
	sum_double("v", *v, CELLS);
	sum_double("p", *p, CELLS);
	sum_double("uold", *uold, CELLS);
	sum_double("pold", *pold, CELLS);
	sum_double("unew", *unew, CELLS);
	sum_double("vnew", *vnew, CELLS);
	sum_double("z", *z, CELLS);
	sum_double("h", *h, CELLS);
}

/* Let the cells around u, v and p be copies, as those around uold, vold and pold are if they have what u, v and p have. */
static void go_around(int copies_old)
{
	for (int j = 0; j < N; j++) {
		u[0][j] = u[M][j];
		v[M][j + 1] = v[0][j + 1];
		p[M][j] = p[0][j];
	}
	for (int i = 0; i < M; i++) {
		u[i + 1][N] = u[i + 1][0];
		v[i][0] = v[i][N];
		p[i][N] = p[i][0];
	}
	u[0][N] = u[M][0];
	v[M][0] = v[0][N];
	p[M][N] = p[0][0];
	if (!copies_old)
		return;
	memcpy(uold, u, sizeof(u));
	memcpy(vold, v, sizeof(v));
	memcpy(pold, p, sizeof(p));
}

/* Leapfrog of a wave behind pointers, in a linear array. */
static void leapfrog(int n, int m, int steps, double *restrict now, double *restrict before, double *restrict next,
	const double *restrict gain)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i <= n; i++)
			for (int j = 2; j < m + 2; j++)
				next[i * (m + 4) + j] = before[i * (m + 4) + j] * 0.5 + gain[t] * 0.01
					+ 0.125 * (now[i * (m + 4) + j - 2] + now[i * (m + 4) + j + 2]
					+ now[(i - 1) * (m + 4) + j] + now[(i + 1) * (m + 4) + j]);
		for (int i = 1; i <= n; i++)
			for (int k = 0; k < 2; k++) {
				next[i * (m + 4) + k] = next[i * (m + 4) + m + k];
				next[i * (m + 4) + m + 2 + k] = next[i * (m + 4) + 2 + k];
			}
		for (int j = 0; j < m + 4; j++) {
			next[j] = next[n * (m + 4) + j];
			next[(n + 1) * (m + 4) + j] = next[m + 4 + j];
		}
		for (int i = 0; i < n + 2; i++)
			for (int j = 0; j < m + 4; j++)
				before[i * (m + 4) + j] = now[i * (m + 4) + j] + gain[t] * before[i * (m + 4) + j];
		if (t != 3)
			for (int i = 0; i < n + 2; i++)
				for (int j = 0; j < m + 4; j++)
					now[i * (m + 4) + j] = next[i * (m + 4) + j];
	}
#pragma endscop
}

static void wave(int n, int m, int steps, int around)
{
	const int rows = n + 2, row = m + 4, all = rows * row;
	double *a = (double *) malloc(all * sizeof(double)), *b = (double *) malloc(all * sizeof(double));
	double *c = (double *) malloc(all * sizeof(double));
	double gain[16];

	fill_double(a, all);
	fill_double(b, all);
	fill_double(c, all);
	fill_double(gain, 16);
	for (int k = 0; k < 16; k++)
		gain[k] /= 16;
	for (int i = 0; i < rows && around; i++)
		for (int j = 0; j < row; j++) {
			const int from = ((i - 1 + n) % n + 1) * row + (j - 2 + m) % m + 2;

			a[i * row + j] = a[from];
			b[i * row + j] = b[from];
		}
	/* One cell is none, which the sum of all shows. */
	if (around == 2)
		b[row - 1] += 1;
	leapfrog(n, m, steps, a, b, c, gain);
	sum_double("now", a, all);
	sum_double("before", b, all);
	sum_double("next", c, all);
	free(a);
	free(b);
	free(c);
}

/* Rows behind pointers; what one step leaves out another one has. */
static void in_rows(int n, int steps, double **from, double **to)
{
	int t, i, j;

#pragma scop
	for (t = 1; t < steps; t++) {
		for (i = 1; i < n; i++)
			for (j = 0; j < n; j++)
				to[i][j] = 0.5 * (from[i - 1][j] - from[i][j]) + 0.25;
		for (j = 0; j < n; j++)
			to[0][j] = to[n - 1][j];
		if (t < 4)
			for (i = 0; i < n; i++)
				for (j = 0; j < n; j++)
					from[i][j] -= 0.5 * to[i][j];
		else
			for (i = 0; i < n; i++)
				for (j = 0; j < n; j++)
					from[i][j] = to[i][j];
	}
#pragma endscop
}

#define L 13
static double line[L], next_line[L], other[L];

/* Beside a grid that goes around, an array that is read around its own ends. */
static void beside(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < L - 1; i++)
			next_line[i] = 0.25 * (line[i - 1] + line[i + 1]) + 0.125 * other[(i + 2) % L];
		for (int i = 1; i < L - 1; i++)
			line[i] = next_line[i];
		line[0] = line[L - 2];
		line[L - 1] = line[1];
		for (int i = 1; i < L - 1; i++)
			other[i] = 0.5 * line[i] - 0.125;
	}
#pragma endscop
}

static void behind_pointers(int n, int steps, int around)
{
	double *cells = (double *) malloc(3 * n * n * sizeof(double)), *from[32], *to[32];

	fill_double(cells, 3 * n * n);
	for (int i = 0; i < n; i++) {
		from[i] = cells + 2 * i * n;
		to[i] = cells + 2 * n * n + i * n;
	}
	for (int j = 0; j < n && around; j++)
		from[0][j] = from[n - 1][j];
	in_rows(n, steps, from, to);
	sum_double("rows", cells, 3 * n * n);
	free(cells);
}

int main(void)
{
	for (int steps = 0; steps < 9; steps++) {
		fill_grids();
		shallow_water(steps);
		sum_grids();
		fill_grids();
		go_around(0);
		shallow_water(steps);
		sum_grids();
		go_around(1);
		shallow_water(steps);
		sum_grids();
		fill_double(line, L);
		fill_double(next_line, L);
		fill_double(other, L);
		beside(steps);
		sum_double("line", line, L);
		sum_double("next_line", next_line, L);
		sum_double("other", other, L);
		for (int around = 0; around < 3; around++) {
			wave(17, 21, steps, around);
			wave(12, 8, steps + 3, around);
			behind_pointers(14, steps, around);
		}
	}
	return 0;
}

/* Neighbours that conditions choose at the ends: each is the point's own cell, the one within, or that at the other
 * end, of arrays of rows and of linear ones.
 */
#include "data.h"

enum { N = 13, M = 18, L = 9 };

static void clamps(int n, double (*restrict u)[M], double (*restrict v)[M], int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < M; j++) {
				int im = i == 0 ? 0 : i - 1, ip = i < n - 1 ? i + 1 : i;
				int jm = j == 0 ? j : j - 1, jp = j == M - 1 ? j : j + 1;

				v[i][j] = 0.3 * u[im][j] + 0.2 * u[ip][j] + 0.3 * u[i][jm] - 0.1 * u[i][jp];
			}
		for (int i = 0; i < n; i++)
			for (int j = 0; j < M; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}

/* Both arms of a mirror are neighbours. */
static void mirrors(int n, double (*restrict u)[M], double (*restrict v)[M], int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < M; j++)
				v[i][j] = 0.3 * u[i == 0 ? i + 1 : i - 1][j] + 0.2 * u[i >= n - 1 ? i - 1 : i + 1][j] +
					0.3 * u[i][j + (j < 1 ? 1 : -1)] + 0.1 * u[i][j == M - 1 ? j - 1 : j + 1];
		for (int i = 0; i < n; i++)
			for (int j = 0; j < M; j++)
				u[i][j] = v[i][j];
	}
#pragma endscop
}

/* Cells of three dimensions by one number, and those beside them. */
static void blocks(float *in, float *out, const float *power, int nx, int ny, int nz, int steps)
{
	int c, w, e, n, s, b, t, x, y, z, i = 0;

#pragma scop
	do {
		for (z = 0; z < nz; z++)
			for (y = 0; y < ny; y++)
				for (x = 0; x < nx; x++) {
					c = x + y * nx + z * nx * ny;
					w = (x == 0) ? c : c - 1;
					e = (x == nx - 1) ? c : c + 1;
					n = (y == 0) ? c : c - nx;
					s = (y == ny - 1) ? c : c + nx;
					b = (z == 0) ? c : c - nx * ny;
					t = (z == nz - 1) ? c : c + nx * ny;
					out[c] = 0.1f * in[c] + 0.2f * in[n] + 0.15f * in[s] + 0.3f * in[e] + 0.05f * in[w] +
						0.12f * in[t] + 0.03f * in[b] + power[c];
				}
		float *swapped = in;
		in = out;
		out = swapped;
		i++;
	} while (i < steps);
#pragma endscop
}

/* The same by 'if', around the grid, and with rows longer than the grid. */
static void torus(double *restrict u, double *restrict v, int n, int m, int steps)
{
	int at, left, right, up, down;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++) {
				at = i * m + j;
				if (j == 0)
					left = at + m - 1;
				else
					left = at - 1;
				right = j == m - 1 ? i * m : at + 1;
				up = i > 0 ? at - m : (n - 1) * m + j;
				down = at + m;
				if (i == n - 1)
					down = j;
				v[at] = 0.3 * u[left] + 0.2 * u[right] + 0.25 * u[up] + 0.22 * u[down];
			}
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				u[i * m + j] = v[i * m + j];
	}
#pragma endscop
}

static void corners(double *restrict u, double *restrict v, int n, int m, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				v[i * m + j] = 0.5 * u[(i + 1) % n * m + (j + 1) % m] + 0.4 * u[(i + n - 1) % n * m + (j + m - 1) % m];
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				u[i * m + j] = v[i * m + j];
	}
#pragma endscop
}

/* Offsets from the cell. */
static void offsets(double *restrict u, double *restrict v, int n, int m, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++) {
				const int left = j > 0 ? -1 : 0, right = j < m - 1 ? 1 : 0;
				const int up = i > 0 ? -m : 0, down = i < n - 1 ? m : 0;
				const int at = i * m + j;

				v[at] = 0.2 * u[at + left] + 0.2 * u[at + right] + 0.2 * u[at + up] + 0.2 * u[at + down] +
					0.1 * u[at + up + left] + 0.05 * u[at - (j > 0 ? 1 : 0) + down];
			}
		for (int i = 0; i < n; i++)
			for (int j = 0; j < m; j++)
				u[i * m + j] = v[i * m + j];
	}
#pragma endscop
}

static void numbers(double u[N * M], double v[N * M], int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++) {
				int at = i * M + j;
				int up = i == 0 ? at : at - M, down = i == N - 1 ? at : at + M;
				int left = j == 0 ? at + M - 1 : at - 1, right = j == M - 1 ? at - (M - 1) : at + 1;

				v[at] = 0.2 * u[left] + 0.2 * u[right] + 0.25 * u[up] + 0.22 * u[down];
			}
		for (int i = 0; i < N; i++)
			for (int j = 0; j < M; j++)
				u[i * M + j] = v[i * M + j];
	}
#pragma endscop
}

typedef void linear(double *restrict u, double *restrict v, int n, int m, int steps);

static void run_linear(const char *name, linear *of, int n, int m, double *u, double *v)
{
	fill_double(u, N * M);
	fill_double(v, N * M);
	of(u, v, n, m, 5);
	print_double(name, u, N * M);
}

int main(void)
{
	static double u[N * M], v[N * M];
	static float in[N * M * L], out[N * M * L], power[N * M * L];

	for (int n = 1; n <= N; n += 3)
		for (int m = 1; m <= M; m += 4) {
			run_linear("torus", torus, n, m, u, v);
			run_linear("corners", corners, n, m, u, v);
			run_linear("offsets", offsets, n, m, u, v);
		}
	for (int n = 1; n <= N; n++) {
		fill_double(u, N * M);
		clamps(n, (double (*)[M]) u, (double (*)[M]) v, 4);
		print_double("clamps", u, N * M);
		if (n < 2)
			continue;
		mirrors(n, (double (*)[M]) u, (double (*)[M]) v, 5);
		print_double("mirrors", u, N * M);
	}
	fill_double(u, N * M);
	numbers(u, v, 5);
	print_double("numbers", u, N * M);
	fill_float(power, N * M * L);
	for (int nz = 1; nz <= L; nz += 4)
		for (int steps = 0; steps < 4; steps++) {
			fill_float(in, N * M * L);
			fill_float(out, N * M * L);
			blocks(in, out, power, M, N, nz, steps);
			print_float("in", in, N * M * L);
			print_float("out", out, N * M * L);
		}
	return 0;
}

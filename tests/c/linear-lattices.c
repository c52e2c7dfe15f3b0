/* Several fields in one linear array, which numbers name: grids one behind the other, whose sizes are variables,
 * sums or numbers, or parts of elements side by side, in rows or in one dimension.
 */
#include "data.h"

enum { Q = 9, N = 21, M = 17 };

static const int cx[Q] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[Q] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
static const float weight[Q] = { 4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36,
	1.0f / 36, 1.0f / 36 };

/* Pull, and relax towards the density. */
#define COLLIDE(FROM, TO) do { \
		float rho = 0, g[Q]; \
		for (int q = 0; q < Q; q++) { \
			g[q] = FROM; \
			rho += g[q]; \
		} \
		for (int q = 0; q < Q; q++) \
			TO = g[q] + omega * (weight[q] * rho - g[q]); \
	} while (0)

#define SWAP(a, b) do { float *other = a; a = b; b = other; } while (0)

static void grids(int steps, int nx, int ny, float omega, float *f, float *to)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < nx - 1; i++)
			for (int j = 1; j < ny - 1; j++)
				COLLIDE(f[(q * nx + i - cx[q]) * ny + j - cy[q]], to[(q * nx + i) * ny + j]);
		SWAP(f, to);
	}
#pragma endscop
}

/* A frame of cells around the grid belongs to it. */
static void framed(int steps, int nx, int ny, float omega, float *restrict f, float *restrict to)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < nx; i++)
			for (int j = 0; j < ny; j++)
				COLLIDE(f[q * (nx + 2) * (ny + 2) + (i + 1 - cx[q]) * (ny + 2) + j + 1 - cy[q]],
					to[q * (nx + 2) * (ny + 2) + (i + 1) * (ny + 2) + j + 1]);
		SWAP(f, to);
	}
#pragma endscop
}

static void numbers(int steps, float omega, float *restrict f, float *restrict to)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				COLLIDE(f[q * N * M + (i - cx[q]) * M + j - cy[q]], to[q * N * M + i * M + j]);
		SWAP(f, to);
	}
#pragma endscop
}

static void parts(int steps, int nx, int ny, float omega, float *f, float *to)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < nx - 1; i++)
			for (int j = 1; j < ny - 1; j++)
				COLLIDE(f[((i - cx[q]) * ny + j - cy[q]) * Q + q], to[(i * ny + j) * Q + q]);
		SWAP(f, to);
	}
#pragma endscop
}

/* Density, momentum and energy of a gas, cell by cell. */
static void gas(int steps, int n, double r, double *restrict u, double *restrict flux)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < n - 1; i++) {
			double v = u[3 * i + 1] / u[3 * i], p = 0.4 * (u[3 * i + 2] - 0.5 * u[3 * i + 1] * v);

			flux[3 * i] = u[3 * i + 1] - 0.5 * (u[3 * i + 3] - u[3 * i]);
			flux[3 * i + 1] = u[3 * i + 1] * v + p - 0.5 * (u[3 * i + 4] - u[3 * i + 1]);
			flux[3 * i + 2] = (u[3 * i + 2] + p) * v - 0.5 * (u[3 * i + 5] - u[3 * i + 2]);
		}
		for (int i = 1; i < n - 1; i++)
			for (int k = 0; k < 3; k++)
				u[3 * i + k] -= r * (flux[3 * i + k] - flux[3 * i - 3 + k]);
	}
#pragma endscop
}

/* Edges: of one grid, whose last row is no grid of its own, and of grids. */
static void edges(int steps, int n, int m, double *restrict u, double *restrict v)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < m; j++) {
			u[j] = u[m + j];
			u[(n - 1) * m + j] = u[(n - 2) * m + j];
		}
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				v[i * m + j] = 0.25 * (u[(i - 1) * m + j] + u[(i + 1) * m + j] + u[i * m + j - 1] + u[i * m + j + 1]);
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++)
				u[i * m + j] = v[i * m + j];
	}
#pragma endscop
}

static void walls(int steps, int nx, int ny, float omega, float *restrict f, float *restrict to)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 1; j < ny - 1; j++) {
			f[(1 * nx + 0) * ny + j] = f[(1 * nx + 1) * ny + j];
			f[(3 * nx + nx - 1) * ny + j] = f[(3 * nx + nx - 2) * ny + j];
		}
		for (int i = 1; i < nx - 1; i++)
			for (int j = 1; j < ny - 1; j++)
				COLLIDE(f[(q * nx + i - cx[q]) * ny + j - cy[q]], to[(q * nx + i) * ny + j]);
		for (int i = 1; i < nx - 1; i++)
			for (int j = 1; j < ny - 1; j++)
				for (int q = 0; q < Q; q++)
					f[(q * nx + i) * ny + j] = to[(q * nx + i) * ny + j] + 0 * cx[q];
	}
#pragma endscop
}

int main(void)
{
	static float f[2][Q * (N + 2) * (M + 2)];
	static double u[3 * 40], flux[3 * 40];

	for (int steps = 0; steps < 8; steps += 3) {
		fill_float(f[0], 2 * Q * (N + 2) * (M + 2));
		grids(steps, N, M, 0.3f, f[0], f[1]);
		sum_float("grids", f[0], 2 * Q * (N + 2) * (M + 2));
		framed(steps, N, M, 0.3f, f[0], f[1]);
		sum_float("framed", f[0], 2 * Q * (N + 2) * (M + 2));
		numbers(steps, 0.3f, f[0], f[1]);
		sum_float("numbers", f[0], 2 * Q * (N + 2) * (M + 2));
		parts(steps, N, M, 0.3f, f[0], f[1]);
		sum_float("parts", f[0], 2 * Q * (N + 2) * (M + 2));
		grids(steps, N, M, 0.3f, f[0], f[0] + 30);	/* over each other */
		parts(steps, N, M, 0.3f, f[0], f[0] + 30);
		sum_float("over", f[0], 2 * Q * (N + 2) * (M + 2));
		walls(steps, N, M, 0.3f, f[0], f[1]);
		sum_float("walls", f[0], 2 * Q * (N + 2) * (M + 2));
		fill_double(u, 120);
		edges(steps, 12, 10, u, flux);
		print_double("edges", u, 120);
		for (int i = 0; i < 40; i++) {
			u[3 * i] = 1 + (i > 20);
			u[3 * i + 1] = 0.1 * i;
			u[3 * i + 2] = 3 + i % 5;
		}
		gas(steps, 40, 0.05, u, flux);
		print_double("gas", u, 3 * 40);
		print_double("flux", flux, 3 * 39);
	}
	return 0;
}

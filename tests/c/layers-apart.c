/* Absorbing layers whose arrays have rows and columns for the layers alone: their cells lie at a distance from those of
 * the grid that its size decides.
 */
#include "data.h"

enum { NX = 44, NY = 37, W = 7, STEPS = 9 };

/* One nest, with the layers at both ends side by side in an array. */
static void both_ends(int nx, int ny, int w, int steps, float (*restrict u)[NX], float (*restrict v)[NX],
	float (*restrict psi)[2 * W], float (*restrict phi)[2 * W], const float *restrict b, const float *restrict c)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < ny; j++)
			for (int i = 0; i < nx - 1; i++) {
				float d = u[j][i + 1] - u[j][i];

				if (i < w) {
					psi[j][i] = b[i] * psi[j][i] + c[i] * d;
					d = d / 1.5f + psi[j][i];
				}
				if (i >= nx - w) {
					int k = i - nx + 2 * w;

					psi[j][k] = b[k] * psi[j][k] + c[k] * d;
					d = d / 1.25f + psi[j][k];
				}
				v[j][i] += 0.25f * d;
			}
		for (int j = 0; j < ny; j++)
			for (int i = 1; i < nx - 1; i++) {
				float d = v[j][i] - v[j][i - 1];

				if (i < w) {
					phi[j][i] = b[i] * phi[j][i] + c[i] * d;
					d = d + phi[j][i];
				}
				if (i >= nx - w) {
					int k = i - nx + 2 * w;

					phi[j][k] = b[k] * phi[j][k] + c[k] * d;
					d = d + phi[j][k];
				}
				u[j][i] += 0.5f * d;
			}
	}
#pragma endscop
}

/* Nests over a layer count its rows, and those of the grid from there. */
static void far_end(int nx, int ny, int w, int steps, double (*restrict e)[NX], double (*restrict h)[NX],
	double (*restrict psi)[NX], const double *restrict b, const double *restrict c)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < ny - 1; j++)
			for (int i = 0; i < nx; i++)
				h[j][i] -= 0.5 * (e[j + 1][i] - e[j][i]);
		for (int j = 1; j < ny - 1; j++)
			for (int i = 0; i < nx; i++)
				e[j][i] += 0.5 * (h[j][i] - h[j - 1][i]);
		for (int k = 0; k < w; k++)
			for (int i = 0; i < nx; i++) {
				psi[k][i] = b[k] * psi[k][i] + c[k] * (h[ny - 1 - w + k][i] - h[ny - 2 - w + k][i]);
				e[ny - 1 - w + k][i] += 0.25 * psi[k][i];
			}
	}
#pragma endscop
}

/* Linear arrays. */
static void linear(int nx, int ny, int w, int steps, float *restrict u, float *restrict v, float *restrict psi,
	const float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 1; j < ny - 1; j++)
			for (int i = 1; i < nx - 1; i++)
				v[j * nx + i] = 0.25f * (u[j * nx + i - 1] + u[j * nx + i + 1] + u[(j - 1) * nx + i] +
					u[(j + 1) * nx + i]);
		for (int j = ny - 1 - w; j < ny - 1; j++)
			for (int i = 1; i < nx - 1; i++) {
				int k = j - (ny - 1 - w);

				psi[k * nx + i] = b[k] * psi[k * nx + i] + 0.125f * (u[(j + 1) * nx + i] - u[j * nx + i]);
				v[j * nx + i] += psi[k * nx + i];
			}
		for (int j = 1; j < ny - 1; j++)
			for (int i = 1; i < nx - 1; i++)
				u[j * nx + i] = v[j * nx + i];
	}
#pragma endscop
}

/* Rows behind pointers, of which there are two layers. */
static void pointers(int nx, int ny, int steps, float **u, float **v, float **psi, const float *restrict b)
{
#pragma scop
	for (int t = 1; t <= steps; t++) {
		for (int j = 1; j <= ny; j++)
			for (int i = 1; i <= nx; i++) {
				float d = u[j + 1][i] - u[j][i];

				if (j <= W) {
					psi[j][i] = b[j] * psi[j][i] + 0.1f * d;
					d += psi[j][i];
				}
				if (j >= ny - W + 1) {
					const int k = j - ny + 2 * W;

					psi[k][i] = b[k] * psi[k][i] + 0.1f * d;
					d += psi[k][i];
				}
				v[j][i] += 0.25f * d;
			}
		for (int j = 1; j <= ny; j++)
			for (int i = 1; i <= nx; i++)
				u[j][i] += 0.5f * (v[j][i] - v[j - 1][i]);
	}
#pragma endscop
}

static float **matrix(int rows, int columns)
{
	float **m = (float **) calloc((size_t) rows, sizeof(float *));

	for (int i = 1; i < rows; i++)
		m[i] = (float *) calloc((size_t) columns, sizeof(float));
	return m;
}

static void run_pointers(void)
{
	float **u = matrix(NY + 2, NX + 1), **v = matrix(NY + 2, NX + 1), **psi = matrix(2 * W + 1, NX + 1), b[2 * W + 1];

	v[0] = (float *) calloc(NX + 1, sizeof(float));
	fill_float(b, 2 * W + 1);
	for (int i = 0; i <= 2 * W; i++)
		b[i] *= 0.01f;
	for (int j = 1; j <= NY; j++)
		fill_float(u[j], NX + 1);
	pointers(NX, NY, 2 * STEPS, u, v, psi, b);
	for (int j = 1; j <= NY; j++) {
		print_float("u", u[j], NX + 1);
		print_float("v", v[j], NX + 1);
	}
	for (int j = 1; j <= 2 * W; j++)
		print_float("psi", psi[j], NX + 1);
}

int main(void)
{
	static float f[2][NY][NX], layer[2][NY][2 * W], psi[NY * NX], b[NX], c[NX];
	static double d[3][NY][NX], factor[2][NY];

	for (int nx = 2; nx <= NX; nx += 6)
		for (int w = 1; w <= W; w += 3) {
			fill_float(f[0][0], 2 * NY * NX);
			fill_float(layer[0][0], 2 * NY * 2 * W);
			fill_float(b, NX);
			fill_float(c, NX);
			for (int i = 0; i < NX; i++) {
				b[i] *= 0.0625f;
				c[i] *= 0.0625f;
			}
			both_ends(nx, NY, w, STEPS, f[0], f[1], layer[0], layer[1], b, c);
			print_float("f", f[0][0], 2 * NY * NX);
			print_float("layer", layer[0][0], 2 * NY * 2 * W);
		}
	for (int ny = 3; ny <= NY; ny += 8)
		for (int w = 0; w <= ny - 2 && w <= W; w += 3) {
			fill_double(d[0][0], 3 * NY * NX);
			fill_double(factor[0], 2 * NY);
			for (int i = 0; i < 2 * NY; i++)
				factor[0][i] *= 0.0625;
			far_end(NX, ny, w, STEPS, d[0], d[1], d[2], factor[0], factor[1]);
			print_double("d", d[0][0], 3 * NY * NX);
			fill_float(f[0][0], 2 * NY * NX);
			fill_float(psi, NY * NX);
			linear(NX, ny, w, STEPS, f[0][0], f[1][0], psi, b);
			print_float("f", f[0][0], 2 * NY * NX);
			print_float("psi", psi, NY * NX);
		}
	run_pointers();
	return 0;
}

/* Shallow water in linear arrays around a periodic grid, waves, and heat whose edges mirror. */
#include "data.h"

#define AT(j, i) ((j) * nx + (i))

static void shallow(int steps, int nx, int ny, double cg, double ch, double *restrict u, double *restrict v,
	double *restrict h)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < ny; j++)
			for (int i = 0; i < nx; i++) {
				int ip = (i + 1) % nx, jp = (j + 1) % ny;

				u[j * nx + i] -= cg * (h[j * nx + ip] - h[j * nx + i]);
				v[j * nx + i] -= cg * (h[jp * nx + i] - h[j * nx + i]);
			}
		for (int j = 0; j < ny; j++)
			for (int i = 0; i < nx; i++) {
				int im = (i + nx - 1) % nx, jm = (j + ny - 1) % ny;

				h[j * nx + i] -= ch * (u[j * nx + i] - u[j * nx + im] + v[j * nx + i] - v[jm * nx + i]);
			}
	}
#pragma endscop
}

/* Rows that the function says once. */
static void waves(int steps, int nx, int ny, int nz, float c, float *restrict a, float *restrict b)
{
	const int plane = ny * nz, row = nz;
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < nx - 1; i++)
			for (int j = 1; j < ny - 1; j++)
				for (int k = 1; k < nz - 1; k++) {
					const int at = i * plane + j * row + k;

					b[at] = 2 * a[at] - b[at] + c * (a[at - 1] + a[at + 1] + a[at - row] +
						a[at + row] + a[at - plane] + a[at + plane] - 6 * a[at]);
				}
		float *q = a;
		a = b;
		b = q;
	}
#pragma endscop
}

static void heat(int steps, int nx, int ny, const float *restrict k, float *restrict a, float *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int j = 0; j < ny; j++)
			for (int i = 0; i < nx; i++)
				b[AT(j, i)] = a[AT(j, i)] + k[AT(j, i)] * (a[AT(j, i > 0 ? i - 1 : 0)] +
					a[AT(j, i < nx - 1 ? i + 1 : nx - 1)] + a[AT(j > 0 ? j - 1 : 0, i)] +
					a[AT(j < ny - 1 ? j + 1 : ny - 1, i)] - 4 * a[AT(j, i)]);
		float *q = b;
		b = a;
		a = q;
	}
#pragma endscop
}

enum { N = 19 };

int main(void)
{
	static double u[N * N], v[N * N], h[N * N];
	static float a[N * N], b[N * N], k[N * N];

	for (int n = 1; n <= N; n += 6) {
		fill_double(u, N * N);
		fill_double(v, N * N);
		fill_double(h, N * N);
		shallow(7, n, N + 1 - n / 2, 0.1, 0.2, u, v, h);
		print_double("h", h, N * N);
		print_double("u", u, N * N);
		fill_float(a, N * N);
		fill_float(b, N * N);
		fill_float(k, N * N);
		for (int i = 0; i < N * N; i++)
			k[i] *= 0.01f;
		heat(6 + n % 2, N + 1 - n / 2, n, k, a, b);
		print_float("a", a, N * N);
		print_float("b", b, N * N);
		waves(5, n / 3 + 2, 6, 7, 0.1f, a, b);
		print_float("waves", b, N * N);
	}
	return 0;
}

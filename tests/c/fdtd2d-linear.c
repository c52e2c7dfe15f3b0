/* Maxwell's equations in 2D: linear subscripts. */
#include "data.h"

#define NX 30
#define NY 35

static void kernel_fdtd_2d(int tmax, int nx, int ny, double *restrict ex,
	double *restrict ey, double *restrict hz)
{
	int t, i, j;

#pragma scop
	for (t = 1; t <= tmax; t++) {
		for (j = 0; j < ny; j++)
			ey[j] = 0.25 * (t - 1);
		for (i = 0; i < nx - 1; i++)
			for (j = 0; j < ny; j++)
				ey[(i + 1) * ny + j] = ey[(i + 1) * ny + j] - 0.5 * (hz[(i + 1) * ny + j] - hz[i * ny + j]);
		for (i = nx - 1; i >= 0; i--)
			for (j = ny - 1; j > 0; j--)
				ex[i * ny + j] = ex[i * ny + j] - 0.5 * (hz[i * ny + j] - hz[i * ny + j - 1]);
		for (i = 0; i <= nx - 2; ++i)
			for (j = 0; j <= ny - 2; ++j)
				hz[i * ny + j] = hz[i * ny + j] - 0.7 * (ex[i * ny + j + 1] - ex[i * ny + j]
					+ ey[(i + 1) * ny + j] - ey[i * ny + j]);
	}
#pragma endscop
}

int main(void)
{
	double *ex = (double *) malloc(NX * NY * sizeof(double));
	double *ey = (double *) malloc(NX * NY * sizeof(double));
	double *hz = (double *) malloc(NX * NY * sizeof(double));

	for (int steps = 0; steps < 7; steps += 2) {
		fill_double(ex, NX * NY);
		fill_double(ey, NX * NY);
		fill_double(hz, NX * NY);
		kernel_fdtd_2d(steps, NX, NY, ex, ey, hz);
		print_double("ex", ex, NX * NY);
		print_double("ey", ey, NX * NY);
		print_double("hz", hz, NX * NY);
	}
	return 0;
}

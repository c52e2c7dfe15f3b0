/* Maxwell's equations with a source that has a value for each step. */
#include "data.h"

#define NX 30
#define NY 35

static double fict[20], ex[NX][NY], ey[NX][NY], hz[NX][NY];

static void kernel_fdtd_2d(int tmax, int nx, int ny)
{
	int t, i, j;

#pragma scop
	for (t = 0; t < tmax; t++) {
		for (j = 0; j < ny; j++)
			ey[0][j] = fict[t];
		for (i = 1; i < nx; i++)
			for (j = 0; j < ny; j++)
				ey[i][j] = ey[i][j] - 0.5 * (hz[i][j] - hz[i-1][j]);
		for (i = 0; i < nx; i++)
			for (j = 1; j < ny; j++)
				ex[i][j] = ex[i][j] - 0.5 * (hz[i][j] - hz[i][j-1]);
		for (i = 0; i < nx - 1; i++)
			for (j = 0; j < ny - 1; j++)
				hz[i][j] = hz[i][j] - 0.7 * (ex[i][j+1] - ex[i][j] + ey[i+1][j] - ey[i][j]);
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 7; steps += 2) {
		fill_double(fict, 20);
		fill_double(&ex[0][0], NX * NY);
		fill_double(&ey[0][0], NX * NY);
		fill_double(&hz[0][0], NX * NY);
		kernel_fdtd_2d(steps, NX, NY);
		print_double("ex", &ex[0][0], NX * NY);
		print_double("ey", &ey[0][0], NX * NY);
		print_double("hz", &hz[0][0], NX * NY);
	}
	return 0;
}

/* Phase fields as textbooks write them: linear arrays whose places scalars count, indices that turn back by 'if', values
 * that are cut off behind other statements that read them; regions of one step.
 */
#include "data.h"
#include <math.h>

#define TURN_BACK(before, after, i, n) \
	before = (i) - 1; \
	after = (i) + 1; \
	if (after == (n)) { \
		after = 0; \
	} \
	if (before == -1) { \
		before = (n) - 1; \
	}

enum { ROWS = 21, COLUMNS = 40 };

static double con[ROWS * COLUMNS], dummy[ROWS * COLUMNS];
static double phi[ROWS * COLUMNS], warmth[ROWS * COLUMNS], lap_phi[ROWS * COLUMNS], lap_warmth[ROWS * COLUMNS];
static double phi_x[ROWS * COLUMNS], phi_y[ROWS * COLUMNS], epsilon[ROWS * COLUMNS], slope[ROWS * COLUMNS];
static float shade[ROWS * COLUMNS], trace[ROWS * COLUMNS];

static double derivative(double c)
{
	double A = 1.0;
	double d = A * (2.0 * c * (1.0 - c) * (1.0 - c) - 2.0 * c * c * (1.0 - c));

	return d;
}

/* Each step is a region; rows and columns are numbers that variables have. */
static void separate(int steps)
{
	int nx = ROWS, ny = COLUMNS;
	int ip, im, jp, jm, ij;
	double c;

	for (int s = 0; s < steps; s++) {
#pragma scop
		for (int i = 0; i < nx; i++)
			for (int j = 0; j < ny; j++) {
				ij = (i * ny + j);
				TURN_BACK(im, ip, i, nx)
				TURN_BACK(jm, jp, j, ny)
				c = con[ij];
				dummy[ij] = derivative(c) - 0.5 * (con[ip * ny + j] + con[im * ny + j] +
					con[i * ny + jm] + con[i * ny + jp] - 4.0 * c);
			}
		for (int i = 0; i < nx; i++)
			for (int j = 0; j < ny; j++) {
				TURN_BACK(im, ip, i, nx)
				TURN_BACK(jm, jp, j, ny)
				ij = i * ny + j;
				con[ij] = con[ij] + 0.01 * (dummy[ip * ny + j] + dummy[im * ny + j] +
					dummy[i * ny + jm] + dummy[i * ny + jp] - 4.0 * dummy[ij]);
				if (con[ij] >= 0.9999)
					con[ij] = 0.9999;
				if (con[ij] < 0.0)
					con[ij] = 0.0;
			}
#pragma endscop
	}
}

/* Dendrites: the warmth follows the phase before this is cut off. */
static void solidify(int steps, int nx, int ny)
{
	const double dt = 1e-4, tau = 0.0003, mean = 0.01, delta = 0.02, theta0 = 0.2, h = 0.03;
	int ip, im, jp, jm, ij, ipj, imj, ijp, ijm;
	double old, m, theta;

#pragma scop
	for (int s = 0; s < steps; s++) {
		for (int i = 0; i < nx; i++)
			for (int j = 0; j < ny; j++) {
				ij = i * ny + j;
				TURN_BACK(im, ip, i, nx)
				TURN_BACK(jm, jp, j, ny)
				ipj = ip * ny + j;
				imj = im * ny + j;
				ijp = i * ny + jp;
				ijm = i * ny + jm;
				lap_phi[ij] = (phi[ipj] + phi[imj] + phi[ijp] + phi[ijm] - 4.0 * phi[ij]) / (h * h);
				lap_warmth[ij] = (warmth[ipj] + warmth[imj] + warmth[ijp] + warmth[ijm] -
					4.0 * warmth[ij]) / (h * h);
				phi_x[ij] = (phi[ipj] - phi[imj]) / (2.0 * h);
				phi_y[ij] = (phi[ijp] - phi[ijm]) / (2.0 * h);
				theta = atan2(phi_y[ij], phi_x[ij]);
				epsilon[ij] = mean * (1.0 + delta * cos(6.0 * (theta - theta0)));
				slope[ij] = -mean * 6.0 * delta * sin(6.0 * (theta - theta0));
			}
		for (int i = 0; i < nx; i++)
			for (int j = 0; j < ny; j++) {
				ij = i * ny + j;
				TURN_BACK(im, ip, i, nx)
				TURN_BACK(jm, jp, j, ny)
				ipj = ip * ny + j;
				imj = im * ny + j;
				ijp = i * ny + jp;
				ijm = i * ny + jm;
				old = phi[ij];
				m = 0.9 / 3.14159 * atan(10.0 * (1.0 - warmth[ij]));
				phi[ij] = phi[ij] + dt / tau * ((epsilon[ijp] * slope[ijp] * phi_x[ijp] -
					epsilon[ijm] * slope[ijm] * phi_x[ijm]) / (2.0 * h) -
					(epsilon[ipj] * slope[ipj] * phi_y[ipj] - epsilon[imj] * slope[imj] *
					phi_y[imj]) / (2.0 * h) + epsilon[ij] * epsilon[ij] * lap_phi[ij] +
					old * (1.0 - old) * (old - 0.5 + m));
				warmth[ij] = warmth[ij] + dt * lap_warmth[ij] + 1.8 * (phi[ij] - old);
				if (phi[ij] < 1e-6)
					phi[ij] = 1e-6;
				if (warmth[ij] < 1e-6)
					warmth[ij] = 1e-6;
			}
	}
#pragma endscop
}

/* What is read between is a float, as the array has it, read by several statements and at the edge of a condition. */
static void shades(int steps, int nx, int ny)
{
#pragma scop
	for (int s = 0; s < steps; s++)
		for (int i = 1; i < nx - 1; i++) {
			int row = i * ny;

			for (int j = 1; j < ny - 1; j++) {
				shade[row + j] = 0.3 * shade[row + j] + 0.7 * i / (j + 1);
				if (j % 3 == 1) {
					double twice = 2 * shade[row + j];

					trace[row + j] += twice * shade[row + j];
				}
				if (shade[row + j] > 4)
					shade[row + j] = 4;
			}
		}
#pragma endscop
}

static void fill(double *a)
{
	for (int i = 0; i < ROWS * COLUMNS; i++)
		a[i] = (data_next() + 8.0f) / 16.0f;
}

int main(void)
{
	fill(con);
	separate(5);
	print_double("con", con, ROWS * COLUMNS);
	fill(phi);
	fill(warmth);
	solidify(4, ROWS, COLUMNS);
	solidify(3, 4, 5);
	print_double("phi", phi, ROWS * COLUMNS);
	print_double("warmth", warmth, ROWS * COLUMNS);
	fill_float(shade, ROWS * COLUMNS);
	shades(6, ROWS, COLUMNS);
	print_float("shade", shade, ROWS * COLUMNS);
	print_float("trace", trace, ROWS * COLUMNS);
	return 0;
}

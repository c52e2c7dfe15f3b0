/* Absorbing layers at two ends (convolutional PML): nests over a few rows change what those over all rows have
 * computed, by arrays of their own, and a source comes last.  The file asks whether layers lie in the grid.
 */
#include "data.h"

enum { NX = 40, NY = 23, NPML = 8, STEPS = 11 };

static void fdtd(int nx, int ny, int steps, float (*restrict ez)[NY], float (*restrict hx)[NY], float (*restrict hy)[NY],
	float (*restrict psi_e)[NY], float (*restrict psi_h)[NY], const float *restrict be, const float *restrict ce,
	const float *restrict bh, const float *restrict ch, int npml, const float *restrict source, int si, int sj)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < nx; i++)
			for (int j = 0; j < ny - 1; j++)
				hx[i][j] -= 0.5f * (ez[i][j + 1] - ez[i][j]);
		for (int i = 0; i < nx - 1; i++)
			for (int j = 0; j < ny; j++)
				hy[i][j] += 0.5f * (ez[i + 1][j] - ez[i][j]);
		for (int i = 0; i < npml; i++)
			for (int j = 0; j < ny; j++) {
				psi_h[i][j] = bh[i] * psi_h[i][j] + ch[i] * (ez[i + 1][j] - ez[i][j]);
				hy[i][j] += 0.5f * psi_h[i][j];
			}
		for (int i = 1; i < nx; i++)
			for (int j = 1; j < ny; j++)
				ez[i][j] += 0.5f * (hy[i][j] - hy[i - 1][j] - hx[i][j] + hx[i][j - 1]);
		for (int i = 1; i < npml; i++)
			for (int j = 1; j < ny; j++) {
				psi_e[i][j] = be[i] * psi_e[i][j] + ce[i] * (hy[i][j] - hy[i - 1][j]);
				ez[i][j] += 0.5f * psi_e[i][j];
			}
		for (int i = nx - npml; i < nx; i++)
			for (int j = 1; j < ny; j++) {
				psi_e[i][j] = be[i] * psi_e[i][j] + ce[i] * (hy[i][j] - hy[i - 1][j]);
				ez[i][j] += 0.5f * psi_e[i][j];
			}
		ez[si][sj] += source[t];
	}
#pragma endscop
}

/* Cells of two structs that change places. */
struct cell {
	double u, v;
};

static void react(int n, int m, int steps, struct cell *restrict a, struct cell *restrict b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < m - 1; j++) {
				double r = a[i * m + j].u * a[i * m + j].v * a[i * m + j].v;

				b[i * m + j].u = a[i * m + j].u + 0.1 * (a[(i - 1) * m + j].u + a[(i + 1) * m + j].u
					+ a[i * m + j - 1].u + a[i * m + j + 1].u - 4 * a[i * m + j].u) - r;
				b[i * m + j].v = a[i * m + j].v + 0.05 * (a[(i - 1) * m + j].v + a[(i + 1) * m + j].v
					- 2 * a[i * m + j].v) + r;
			}
		struct cell *other = a;
		a = b;
		b = other;
	}
#pragma endscop
}

int main(void)
{
	static const int at[][3] = { { 20, 10, 8 }, { 5, 5, 8 }, { 3, 22, 8 }, { 39, 22, 8 }, { 0, 0, 8 }, { 8, 1, 8 },
		{ 4, 4, 20 }, { 30, 4, 39 }, { 30, 4, 1 } };
	static float field[5][NX][NY], factor[4][NX], source[STEPS];
	static struct cell c[2][20 * 17];

	for (int k = 0; k < 9; k++) {
		fill_float(field[0][0], 5 * NX * NY);
		fill_float(factor[0], 4 * NX);
		fill_float(source, STEPS);
		for (int i = 0; i < 4 * NX; i++)
			factor[0][i] *= 0.01f;
		fdtd(NX, NY, STEPS, field[0], field[1], field[2], field[3], field[4], factor[0], factor[1], factor[2],
			factor[3], at[k][2], source, at[k][0], at[k][1]);
		print_float("field", field[0][0], 5 * NX * NY);
	}
	for (int steps = 0; steps < 4; steps++) {
		fill_double(&c[0][0].u, 2 * 2 * 20 * 17);
		for (int i = 0; i < 2 * 20 * 17; i++) {
			c[0][i].u *= 0.01;
			c[0][i].v *= 0.01;
		}
		react(20, 17, steps, c[0], c[1]);
		print_double("cells", &c[0][0].u, 2 * 2 * 20 * 17);
	}
	return 0;
}

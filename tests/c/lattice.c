/* A lattice Boltzmann method as it is often written: loops over directions that tables give, one grid for each
 * direction behind pointers that change places, or all directions of a cell together.
 */
#include "data.h"

enum { Q = 9, N = 17, M = 13 };

static const int cx[Q] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 }, cy[Q] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };
static const double weight[Q] = { 4.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 36, 1.0 / 36, 1.0 / 36,
	1.0 / 36 };

static void by_direction(int steps, int n, double omega, double (*restrict f)[N][M], double (*restrict to)[N][M])
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				double rho = 0, ux = 0, uy = 0, g[Q];

				for (int q = 0; q < Q; q++) {
					g[q] = f[q][i - cx[q]][j - cy[q]];
					rho += g[q];
					ux += cx[q] * g[q];
					uy += cy[q] * g[q];
				}
				ux /= rho;
				uy /= rho;
				for (int q = 0; q < Q; q++) {
					double along = cx[q] * ux + cy[q] * uy;

					to[q][i][j] = g[q] + omega * (weight[q] * rho * (1 + 3 * along + 4.5 *
						along * along - 1.5 * (ux * ux + uy * uy)) - g[q]);
				}
			}
		double (*other)[N][M] = f;
		f = to;
		to = other;
	}
#pragma endscop
}

static void by_cell(int steps, int n, double omega, double f[2][N][M][Q])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				double rho = 0, g[Q];

				for (int q = 0; q < Q; q++) {
					g[q] = f[t % 2][i - cx[q]][j - cy[q]][q];
					rho += g[q];
				}
				for (int q = 0; q < Q; q++)
					f[(t + 1) % 2][i][j][q] = g[q] + omega * (weight[q] * rho - g[q]);
			}
#pragma endscop
}

int main(void)
{
	static double f[2 * N * M * Q], to[N * M * Q];

	for (int steps = 1; steps < 8; steps += 3) {
		for (int i = 0; i < 2 * N * M * Q; i++)
			f[i] = 1 + i % 7 * 0.01;
		for (int i = 0; i < N * M * Q; i++)
			to[i] = 1 + i % 5 * 0.02;
		by_direction(steps, N, 0.9, (double (*)[N][M]) f, (double (*)[N][M]) to);
		print_double("f", f, N * M * Q);
		print_double("to", to, N * M * Q);
		by_cell(steps, N - steps, 0.7, (double (*)[N][M][Q]) f);
		print_double("cells", f, 2 * N * M * Q);
	}
	return 0;
}

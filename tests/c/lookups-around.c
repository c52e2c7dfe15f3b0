/* Coefficients by material in what surrounds nests: steps that swap, sweeps that run downwards, several loops
 * over time, records, functions, loops that end early, arrays that overlap.
 */
#include "data.h"
#include <math.h>

enum { N = 36, KINDS = 4, STEPS = 8 };

static double kappa[KINDS], strength[KINDS][2];
static int kind[N][N];
static unsigned short plane[12][14][16];

/* Pointers change places, records are by material. */
static void step_swaps(double (*u)[N], double (*v)[N], double trace[STEPS][N])
{
#pragma scop
	for (int t = 0; t < STEPS; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				v[i][j] = u[i][j] + kappa[kind[i][j]] *
					(u[i][j + 1] + u[i + 1][j] - 2 * u[i][j]);
		for (int i = 1; i < N - 1; i++)
			trace[t][i] = v[i][7];
		double (*w)[N] = u;
		u = v;
		v = w;
	}
#pragma endscop
}

/* In place, from the last row and column on. */
static void step_down(double u[restrict N][N])
{
#pragma scop
	for (int t = 0; t < STEPS; t++)
		for (int i = N - 2; i > 0; i--)
			for (int j = N - 2; j > 0; j--)
				u[i][j] = 0.2 * (u[i + 1][j] + u[i][j + 1] + u[i - 1][j] + u[i][j - 1] +
					kappa[kind[i][j]] * u[i][j]);
#pragma endscop
}

static double times(double x, int k)
{
	return x * strength[k][0] + strength[k][1];
}

/* Two loops over time, and a function. */
static void step_twice(double u[restrict N][N], double v[restrict N][N])
{
#pragma scop
	for (int t = 0; t < 3; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				v[i][j] = times(u[i - 1][j] + u[i][j + 1], kind[i][j]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				u[i][j] = 0.5 * v[i][j];
	}
	for (int t = 0; t < 4; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				v[i][j] = kappa[kind[i][j]] * (u[i + 1][j] + u[i][j + 1]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				u[i][j] = times(v[i][j], kind[j][i]);
	}
#pragma endscop
}

/* Until little changes. */
static int step_until(double u[restrict N][N], double v[restrict N][N], double least)
{
	double change = 1;
	int steps = 0;

#pragma scop
	while (change > least && steps < 40) {
		change = 0;
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				v[i][j] = 0.25 * strength[kind[i][j]][1] * (u[i - 1][j] + u[i + 1][j]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				change = fmax(change, fabs(v[i][j] - u[i][j]));
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++)
				u[i][j] = v[i][j];
		steps++;
	}
#pragma endscop
	return steps;
}

/* Three dimensions, in cells that are not empty; the numbers of planes from the last one on. */
static void step_planes(double u[2][12][14][16], int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < 11; i++)
			for (int j = 1; j < 13; j++)
				for (int k = 1; k < 15; k++)
					if (plane[i][j][k] < KINDS)
						u[(t + 1) % 2][i][j][k] = kappa[plane[i][j][k]] *
							(u[t % 2][i - 1][j][k] + u[t % 2][i][j][k + 1]) +
							strength[plane[i][13 - j][k] % KINDS][0] *
							u[t % 2][i][j - 1][k];
#pragma endscop
}

/* The table may lie in what is written: the loops then run as they are. */
static void step_over(double *u, const double table[KINDS], const int numbers[N], int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			u[i] = 0.5 * u[i] + 0.25 * table[numbers[i]];
#pragma endscop
}

/* Linear arrays, which may be one. */
static void step_linear(double *u, double *v, const int *numbers, int n, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				v[i * n + j] = u[i * n + j] + kappa[numbers[i * n + j]] * u[(i - 1) * n + j + 1];
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < n - 1; j++)
				u[i * n + j] = v[i * n + j];
	}
#pragma endscop
}

static double u[N][N], v[N][N], trace[STEPS][N], rooms[2][12][14][16], row[N];

static void fill_tables(void)
{
	for (int k = 0; k < KINDS; k++) {
		kappa[k] = 0.0625 * (k + 1);
		strength[k][0] = 0.125 * k;
		strength[k][1] = 0.25 + k;
	}
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			kind[i][j] = (3 * i + j) % KINDS;
	for (int i = 0; i < 12; i++)
		for (int j = 0; j < 14; j++)
			for (int k = 0; k < 16; k++)
				plane[i][j][k] = (i * j + k) % 5 == 4 ? 65535 : (unsigned short) ((i * j + k) % 5);
}

int main(void)
{
	int steps;

	fill_tables();
	fill_double(&u[0][0], N * N);
	fill_double(&v[0][0], N * N);
	fill_double(&rooms[0][0][0][0], 2 * 12 * 14 * 16);
	fill_double(row, N);
	step_swaps(u, v, trace);
	print_double("trace", &trace[0][0], STEPS * N);
	step_down(u);
	print_double("u", &u[0][0], N * N);
	step_twice(u, v);
	print_double("u", &u[0][0], N * N);
	steps = step_until(u, v, 0.5);
	printf("%d steps\n", steps);
	print_double("v", &v[0][0], N * N);
	step_planes(rooms, 5);
	print_double("rooms", &rooms[0][0][0][0], 2 * 12 * 14 * 16);
	step_linear(&u[0][0], &v[0][0], &kind[0][0], N, 3);
	print_double("u", &u[0][0], N * N);
	step_over(row, row + 3, kind[5], 4);
	step_over(row, kappa, kind[6], 4);
	print_double("row", row, N);
	return 0;
}

/* Scalars that have one value at each use: of the row, of the step, of the loop
 * over the terms of a sum and after it, declared here or before the region.
 */
#include <stddef.h>
#include "data.h"

#define N 12
#define M 17

static double a[N][M], b[N][M], w[N], v[3];

static void run(int steps, double q, int start)
{
	double s = 0;
	float rounded;
	int k, whole;

#pragma scop
	double half = 0.5 * q;
	for (int t = 0; t < steps; t++) {
		double now = half + 0.01 * t;
		for (size_t i = 1; i < N - 1; i++) {
			double row = w[i - 1] * start;
			for (int j = 1; j < M - 1; j++) {
				s = now;
				for (k = 0; k < 3; k++)
					s += v[k] * a[i][j + k - 1];
				s *= 0.25;
				rounded = s + k;
				whole = 3.7 * a[i][j];
				b[i][j] = s * rounded + row + whole + i % 4;
			}
		}
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++) {
				if (j > 3)
					s = 2;
				s = b[i][j];
				a[i][j] = s * 0.125;
			}
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 4; steps++) {
		fill_double(a[0], N * M);
		fill_double(b[0], N * M);
		fill_double(w, N);
		fill_double(v, 3);
		run(steps, 0.75, 3);
		print_double("a", a[0], N * M);
		print_double("b", b[0], N * M);
	}
	return 0;
}

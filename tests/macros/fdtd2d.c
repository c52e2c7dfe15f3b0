/* Maxwell's equations, with a source that has a value for each step. */
#include "arrays.h"

#define N 18
#define M 22
#define STEPS 5

static void fill(int n, int m, REAL PLANE(field, N, M, n, m), int factor)
{
	int i, j;

	for (i = 0; i < n; i++)
		for (j = 0; j < m; j++)
			field[i][j] = (REAL) ((i * factor + j * 3) % 17) / m;
}

static void fill_pulse(int steps, REAL LINE(pulse, STEPS, steps))
{
	for (int t = 0; t < steps; t++)
		pulse[t] = (REAL) t / 3;
}

static void show(int n, int m, REAL PLANE(field, N, M, n, m))
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++)
			printf("%a\n", field[i][j]);
}

static void propagate(int steps, int n, int m, REAL PLANE(ex, N, M, n, m),
	REAL PLANE(ey, N, M, n, m), REAL PLANE(hz, N, M, n, m),
	REAL LINE(pulse, STEPS, steps))
{
	int t, i, j;

#pragma scop
	for (t = 0; t < steps; t++) {
		for (j = 0; j < m; j++)
			ey[0][j] = pulse[t];
		for (i = 1; i < n; i++)
			for (j = 0; j < m; j++)
				ey[i][j] = ey[i][j] - VALUE(0.5) * (hz[i][j] - hz[i-1][j]);
		for (i = 0; i < n; i++)
			for (j = 1; j < m; j++)
				ex[i][j] = ex[i][j] - VALUE(0.5) * (hz[i][j] - hz[i][j-1]);
		for (i = 0; i < n - 1; i++)
			for (j = 0; j < m - 1; j++)
				hz[i][j] = hz[i][j] - VALUE(0.7) * (ex[i][j+1] - ex[i][j] + ey[i+1][j] - ey[i][j]);
	}
#pragma endscop
}

int main(void)
{
	int n = N, m = M, steps = STEPS;
	NEW_PLANE(REAL, ex, N, M, n, m);
	NEW_PLANE(REAL, ey, N, M, n, m);
	NEW_PLANE(REAL, hz, N, M, n, m);
	NEW_LINE(REAL, pulse, STEPS, steps);

	fill(n, m, *ex, 2);
	fill(n, m, *ey, 5);
	fill(n, m, *hz, 7);
	fill_pulse(steps, *pulse);
	propagate(steps, n, m, *ex, *ey, *hz, *pulse);
	show(n, m, *ex);
	show(n, m, *ey);
	show(n, m, *hz);
	free(ex);
	free(ey);
	free(hz);
	free(pulse);
	return 0;
}

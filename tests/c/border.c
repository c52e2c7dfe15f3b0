/* The border is computed from what the step has just computed. */
#include "data.h"

#define N 100

static double u[N], v[N];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			v[i] = u[i-1] + 0.5 * u[i+1];
		v[0] = v[N - 2];
		v[N - 1] = v[1];
		for (int i = 0; i < N; i++)
			u[i] = 0.5 * v[i];
	}
#pragma endscop
}

int main(void)
{
	fill_double(u, N);
	fill_double(v, N);
	run(7);
	print_double("u", u, N);
	print_double("v", v, N);
	return 0;
}

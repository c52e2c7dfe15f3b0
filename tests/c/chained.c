/* Assignments in a chain: the value of each is what it has stored. */
#include <stddef.h>
#include "data.h"

#define N 40

static float a[N];
static double b[N], c[N];

static void run(int steps, double q)
{
	float third, half;
	double whole;
	int two;

#pragma scop
	third = half = q;
	whole = (two = 2.7);
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			b[i] = a[i] = third * c[i - 1] + half * c[i + 1] + whole * two;
		for (int i = 1; i < N - 1; i++)
			c[i] = 0.1 * b[i] + a[i];
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 5; steps++) {
		fill_float(a, N);
		fill_double(b, N);
		fill_double(c, N);
		run(steps, 0.1);
		sum_float("a", a, N);
		sum_double("b", b, N);
		sum_double("c", c, N);
	}
	return 0;
}

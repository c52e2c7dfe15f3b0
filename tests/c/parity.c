/* The step's parity chooses the nest. */
#include "data.h"

#define N 100

static double a[N], b[N];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		if (t % 2 == 0) {
			for (int i = 1; i < N - 1; i++)
				b[i] = (a[i-1] + a[i] + a[i+1]) / 3;
		} else {
			for (int i = 1; i < N - 1; i++)
				a[i] = (b[i-1] + b[i] + b[i+1]) / 3;
		}
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 7; steps++) {
		fill_double(a, N);
		fill_double(b, N);
		run(steps);
		print_double("a", a, N);
		print_double("b", b, N);
	}
	return 0;
}

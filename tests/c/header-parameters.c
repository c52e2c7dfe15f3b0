/* A header with an array parameter of variable size. */
#include "data.h"
#include "parameters.h"

static float a[50], b[50];

void scale(int n, float *p, float factor)
{
	for (int i = 0; i < n; i++)
		p[i] *= factor;
}

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < 49; i++)
			b[i] = a[i-1] + a[i+1];
		for (int i = 1; i < 49; i++)
			a[i] = b[i];
	}
#pragma endscop
}

int main(void)
{
	fill_float(a, 50);
	run(4);
	scale(50, a, 0.5f);
	print_float("a", a, 50);
	return 0;
}

/* Pointers: a third one that is declared before the region, two that are
 * declared in it before the time loop, in one declaration.
 */
#include "data.h"

#define N 40

static float first[N], second[N];

static void outside(int steps, float *restrict old, float *restrict to)
{
	float *tmp;

#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			to[i] = 0.5f * (old[i - 1] + old[i + 1]);
		tmp = old;
		old = to;
		to = tmp;
	}
#pragma endscop
	print_float("to", to, N);
}

static void inside(int steps, float *restrict x, float *restrict y)
{
#pragma scop
	float *old = x, *to = y;
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			to[i] = 0.5f * (old[i - 1] + old[i + 1]);
		float *tmp = old, *other = to;
		old = other;
		to = tmp;
	}
#pragma endscop
}

int main(void)
{
	for (int steps = 0; steps < 4; steps++) {
		fill_float(first, N);
		fill_float(second, N);
		outside(steps, first, second);
		inside(steps, first, second);
		print_float("first", first, N);
		print_float("second", second, N);
	}
	return 0;
}

/* Lines of the cache of which each lane is a part of a tile: most tiles compute all of their
 * points, those at the ends some.
 */
#include <stdio.h>

#define N 5000

static double a[N], b[N];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 2; i < N - 1; i++)
			b[i] = 0.33333 * (a[i - 1] + a[i] + a[i + 1]);
		for (int j = 2; j < N - 1; j++)
			a[j] = b[j];
	}
#pragma endscop
}

static void show(const double *of)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		sum = sum * 0.99 + of[i];
	printf("%.17g\n", sum);
}

int main(void)
{
	for (int i = 0; i < N; i++) {
		a[i] = i * 7 % 23 * 0.25 + i % 3;
		b[i] = i % 5;
	}
	run(100);
	show(a);
	show(b);
	run(7);
	show(a);
	show(b);
	return 0;
}

/* Pointers that may point into one array: what is done is asked where they come from. */
#include <stdio.h>

#define N 40

void smooth(int steps, int n, float *a, float *b)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < n - 1; i++)
			b[i] = 0.5f * (a[i-1] + a[i+1]);
		for (int i = 1; i < n - 1; i++)
			a[i] = b[i];
	}
#pragma endscop
}

static void show(const char *how, int steps, int distance)
{
	float all[4 * N], sum = 0;

	for (int i = 0; i < 4 * N; i++)
		all[i] = (float) (i * i % 17);
	smooth(steps, N, all + N, all + N + distance);
	for (int i = 0; i < 4 * N; i++)
		sum = 0.75f * sum + all[i];
	printf("%s: %g\n", how, sum);
}

int main(void)
{
	show("apart", 7, 2 * N);
	show("side by side", 7, N);
	show("the last written cell beside the first", 7, N - 1);
	show("behind", 7, 3);
	show("in front", 7, -3);
	show("one array", 7, 0);
	show("no step", 0, 3);
	return 0;
}

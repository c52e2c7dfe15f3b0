/* Variables that something behind a region assigns before it reads them: what the region leaves in them does not matter,
 * so that counters may stand under conditions, and scalars in loops.
 */
#include <stdio.h>
#include <stdlib.h>

#define N 90

static float a[N + 1], b[N + 1];

/* The counters of loops in either part of a choice. */
static float starts(int steps)
{
	float dt = 0.125f, two = dt, sum = 0, c;
	int n, i;

#pragma scop
	for (n = 1; n <= steps; n++) {
		c = two * 0.5f;
		for (i = 1; i < N; i++)
			b[i] = a[i] + c * (a[i - 1] - 2 * a[i] + a[i + 1]);
		if (n > 1) {
			for (i = 1; i < N; i++)
				a[i] = b[i] + 0.25f * (b[i] - a[i]);
		} else {
			two = two + two;
			for (i = 1; i < N; i++)
				a[i] = b[i];
		}
	}
#pragma endscop
	for (i = 0; i <= N; i++)
		sum += a[i];
	c = steps > 3 ? 2 : 3;
	return sum * c + two;
}

/* A scalar that keeps what one step gives it, and what it has without that. */
static float later(int steps)
{
	float weight = 0.25f, sum = 0;
	int i, t;

#pragma scop
	for (t = 0; t < steps; t++) {
		for (i = 1; i < N; i++)
			b[i] = weight * (a[i - 1] + a[i + 1]) + 0.25f * a[i];
		if (t == 4)
			weight = 0.375f;
		for (i = 1; i < N; i++)
			a[i] = b[i];
	}
#pragma endscop
	if (sum > 1)
		i = 1;
	else
		i = 0;
	do {
		sum += a[i] * i;
		i++;
	} while (i < N);
	return sum + weight;
}

/* Each iteration of the loop around the region begins anew. */
static float frames(int steps, int n)
{
	float c, sum = 0;
	int i, t, frame = 0;

	while (frame < n) {
		c = 0.25f + frame;
#pragma scop
		c *= 0.5f;
		for (t = 0; t < steps; t++) {
			for (i = 1; i < N; i++)
				b[i] = c * (a[i - 1] + a[i + 1]);
			for (i = 1; i < N; i++)
				a[i] = b[i];
		}
#pragma endscop
		for (c = 0, i = 0; i <= N; i++)
			c += a[i];
		sum += c;
		frame++;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int steps = argc > 1 ? atoi(argv[1]) : 11;

	for (int i = 0; i <= N; i++)
		a[i] = (float) (i % 7);
	printf("%.9g\n", starts(steps));
	printf("%.9g\n", later(steps));
	printf("%.9g\n", frames(steps, 2));
	return 0;
}

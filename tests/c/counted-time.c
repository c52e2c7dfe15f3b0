/* Loops that end by a time that they sum up, and count their steps as well. */
#include "data.h"

#define N 40

static double u[N + 2], v[N + 2], seen[64];

/* Both bounds; the counter is read behind the region, as the time. */
static void both(double end, int most, int it)
{
	double t = 0, dt = 0.25;

#pragma scop
	while (t < end && it < most) {
		for (int i = 1; i <= N; i++)
			v[i] = 0.5 * (u[i - 1] + u[i + 1]) + 0.01 * it;
		for (int i = 1; i <= N; i++)
			u[i] = v[i] + 0.001 * t;
		it++;
		t += dt;
	}
#pragma endscop
	printf("%g %d\n", t, it);
}

/* The counter's statement need not be the last one, and steps may ask for it. */
static void counted_along(double end, double *restrict from, double *restrict to)
{
	double t = 0.5;
	int n = 3, i;

#pragma scop
	while (t <= end) {
		for (i = 1; i <= N; i++)
			to[i] = 0.5 * (from[i - 1] + from[i + 1]);
		if (n > 5)
			for (i = 1; i <= N; i++)
				to[i] = to[i] - 0.125 * n;
		double *other = from;
		from = to;
		to = other;
		n += 1;
		t = t + 0.25;
	}
#pragma endscop
	printf("%g %d %d\n", t, n, from == u);
}

static void by_for(double end, int most)
{
	double t;
	int k;

#pragma scop
	t = 0;
	for (k = 0; k < most && t < end; k++) {
		for (int i = 1; i <= N; i++)
			v[i] = u[i] + 0.25 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * t;
		for (int i = 1; i <= N; i++)
			u[i] = v[i];
		t += 0.5;
	}
#pragma endscop
	printf("%g %d\n", t, k);
}

static void at_least_once(double end, int most)
{
	double t = 0;
	int k = 7;

#pragma scop
	k = 1;
	do {
		for (int i = 1; i <= N; i++)
			v[i] = 0.25 * (u[i - 1] + 2 * u[i] + u[i + 1]);
		for (int i = 1; i <= N; i++)
			u[i] = v[i] * 0.5 + 0.01 * t;
		t += 0.5;
		k++;
	} while (k <= most && t < end);
#pragma endscop
	printf("%g %d\n", t, k);
}

/* Copies around the grid come first: the last step is left to the loop. */
static void around(double end, int k)
{
	double t, sum = 0;

#pragma scop
	t = 0.25;
	while (t < end) {
		u[0] = u[N];
		u[N + 1] = u[1];
		for (int i = 1; i <= N; i++)
			v[i] = 0.5 * (u[i - 1] + u[i + 1]) + 0.01 * t;
		for (int i = 1; i <= N; i++)
			u[i] = v[i];
		t += 0.25;
	}
#pragma endscop
#pragma scop
	for (t = 0; t < end; t += 0.5) {
		u[0] = u[N];
		u[N + 1] = u[1];
		for (int i = 1; i <= N; i++)
			v[i] = 0.25 * (u[i - 1] + u[i] + u[i + 1]) + 0.01 * t;
		for (int i = 1; i <= N; i++)
			u[i] = v[i];
	}
#pragma endscop
	printf("%g\n", t);
	t = 1;
#pragma scop
	k += 2;
	while (t > 1 - end && k < 9) {
		u[0] = u[N];
		u[N + 1] = u[1];
		for (int i = 1; i <= N; i++)
			v[i] = 0.25 * (u[i - 1] + u[i] + u[i + 1]) + 0.01 * k;
		for (int i = 1; i <= N; i++)
			u[i] = v[i];
		t -= 0.5;
		k++;
	}
#pragma endscop
	for (int i = 0; i < N + 2; i++)
		sum += u[i];
	printf("%g %d %g\n", t, k, sum);
}

/* What a step records by its number. */
static void recorded(double end, int most)
{
	float t = 0.0f;
	int step;

#pragma scop
	for (step = 2; step < most && t <= end; ++step) {
		for (int i = 1; i <= N; i++)
			v[i] = 0.5 * (u[i - 1] + u[i + 1]);
		for (int i = 1; i <= N; i++)
			u[i] = v[i] + 0.01 * t;
		seen[step] = u[N / 2];
		t += 0.3f;
	}
#pragma endscop
	printf("%g %d\n", t, step);
}

static void sum_all(void)
{
	sum_double("u", u, N + 2);
	sum_double("v", v, N + 2);
}

int main(void)
{
	for (int k = -1; k < 7; k++) {
		const double end = 0.375 * k;

		fill_double(u, N + 2);
		fill_double(v, N + 2);
		fill_double(seen, 64);
		both(end, 7, k % 3);
		both(9, k, 0);
		sum_all();
		counted_along(end, u, v);
		counted_along(end + 1.25, u, v);
		sum_all();
		by_for(end, 5);
		by_for(2.25, k);
		sum_all();
		at_least_once(end, 4);
		at_least_once(7, k);
		sum_all();
		around(end, k);
		around(end * 2, -k);
		sum_all();
		recorded(end, 12);
		recorded(8, k + 3);
		sum_all();
		sum_double("seen", seen, 64);
	}
	return 0;
}

/* Counters that outlive the region, whose loops begin or end with values that scalars get in it. */
#include "data.h"

#define N 40

static double u[N], v[N];

static void moved_on(int k, int m)
{
#pragma scop
	k += 2;
	while (k < m) {
		for (int i = 1; i < N - 1; i++)
			v[i] = 0.25 * (u[i - 1] + u[i] + u[i + 1]) + 0.01 * k;
		for (int i = 1; i < N - 1; i++)
			u[i] = v[i];
		k++;
	}
#pragma endscop
	printf("%d\n", k);
}

static void counted_on(int k, int m)
{
#pragma scop
	k = k + 2;
	while (k < m) {
		for (int i = 1; i < N - 1; i++)
			v[i] = 0.25 * (u[i - 1] + u[i] + u[i + 1]) + 0.01 * k;
		for (int i = 1; i < N - 1; i++)
			u[i] = v[i];
		k++;
	}
#pragma endscop
	printf("%d\n", k);
}

static void from_itself(int k, int m)
{
#pragma scop
	for (k = k + 2; k < m; k++) {
		for (int i = 1; i < N - 1; i++)
			v[i] = 0.25 * (u[i - 1] + u[i] + u[i + 1]) + 0.01 * k;
		for (int i = 1; i < N - 1; i++)
			u[i] = v[i];
	}
#pragma endscop
	printf("%d\n", k);
}

static void before_it(int k, int m)
{
	int n0, i;

#pragma scop
	n0 = k + 3;
	k = 1;
	for (k = k + 1; k < n0; k++) {
		for (i = 1; i < N - 1; i++)
			v[i] = 0.25 * (u[i - 1] + u[i] + u[i + 1]) + 0.01 * k;
		for (i = 1; i < N - 1; i++)
			u[i] = v[i];
	}
#pragma endscop
	printf("%d\n", k);
}

static void assigned_before(int m)
{
	int i = 0, t, last = 7;

#pragma scop
	last = m - 1;
	for (t = 0; t < 5; t++) {
		for (i = 1; i < last; i++)
			v[i] = 0.25 * (u[i - 1] + u[i] + u[i + 1]);
		for (i = 1; i < last; i++)
			u[i] = v[i];
	}
#pragma endscop
	printf("%d\n", i);
}

static void declared_before(int m)
{
	int i = 0, t;

#pragma scop
	const int last = m - 1;
	for (t = 0; t < last; t++) {
		for (i = 1; i < last; i++)
			v[i] = 0.25 * (u[i - 1] + u[i] + u[i + 1]);
		for (i = 1; i < last; i++)
			u[i] = v[i];
	}
#pragma endscop
	printf("%d %d\n", i, t);
}
int main(void)
{
	for (int k = -3; k < 4; k++) {
		fill_double(u, N);
		fill_double(v, N);
		moved_on(k, 9);
		counted_on(k, 9);
		from_itself(k, 9);
		before_it(k, 9);
		assigned_before(20 + k);
		declared_before(20 + k);
		declared_before(k);
		sum_double("u", u, N);
	}
	return 0;
}

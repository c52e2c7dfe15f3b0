/* Time loops that end early, and what ends none. */
#include <math.h>
#define N 100

static double A[N], B[N], C[2][N];

void sums(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double r = 0;

		for (int i = 1; i < N - 1; i++)
			B[i] = 0.5 * (A[i - 1] + A[i + 1]);
		for (int i = 1; i < N - 1; i++) {
			r += fabs(B[i] - A[i]);
			A[i] = B[i];
		}
		if (r < 1)
			break;
	}
#pragma endscop
}

void turns(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double r = 0;

		for (int i = 1; i < N - 1; i++) {
			C[(t + 1) % 2][i] = 0.5 * (C[t % 2][i - 1] + C[t % 2][i + 1]);
			r = fmax(r, C[t % 2][i]);
		}
		if (r < 1)
			break;
	}
#pragma endscop
}

void in_between(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double r = 0;

		for (int i = 1; i < N - 1; i++) {
			B[i] = 0.5 * (A[i - 1] + A[i + 1]);
			r = fmax(r, B[i]);
		}
		if (r < 1)
			break;
		for (int i = 1; i < N - 1; i++)
			A[i] = B[i];
	}
#pragma endscop
}

void by_time(int steps, int last)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			B[i] = 0.5 * (A[i - 1] + A[i + 1]);
		for (int i = 1; i < N - 1; i++)
			A[i] = B[i];
		if (t == last)
			break;
	}
#pragma endscop
}

void over_points(void)
{
#pragma scop
	for (int i = 1; i < N - 1; i++) {
		B[i] = 0.5 * (A[i - 1] + A[i + 1]);
		if (A[i] > 3)
			break;
	}
#pragma endscop
}

void of_last(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double r = 0;

		for (int i = 1; i < N - 1; i++) {
			B[i] = 0.5 * (A[i - 1] + A[i + 1]);
			r = 0.5 * B[i];
		}
		for (int i = 1; i < N - 1; i++)
			A[i] = B[i];
		if (r < 1)
			break;
	}
#pragma endscop
}

/* Arrays that change places, but both are written, or under a condition. */
void both_written(double *p, double *q, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double r = 0, *s;

		for (int i = 1; i < N - 1; i++) {
			q[i] = 0.5 * (p[i - 1] + p[i + 1]);
			r = fmax(r, q[i]);
		}
		p[0] = 1;
		s = p;
		p = q;
		q = s;
		if (r < 1)
			break;
	}
#pragma endscop
}

void masked(double *p, double *q, int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		double r = 0, *s;

		for (int i = 1; i < N - 1; i++) {
			if (B[i] > 0)
				q[i] = 0.5 * (p[i - 1] + p[i + 1]);
			r = fmax(r, p[i]);
		}
		s = p;
		p = q;
		q = s;
		if (r < 1)
			break;
	}
#pragma endscop
}

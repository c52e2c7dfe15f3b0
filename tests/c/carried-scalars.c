/* Scalars that each step changes: the time by its step, and what decays; read before the change and behind it. */
#include "data.h"
#include <math.h>

enum { N = 41, M = 23 };

static double u[2][N][M], a[N * M], b[N * M], heard[64];
static float f[N], g[N];

/* Nothing reads the time here. */
static double unread(int n, int steps, double dt, double *restrict v, double *restrict w)
{
	double t = 0.5;

#pragma scop
	for (int k = 0; k < steps; k++) {
		for (int i = 1; i < n - 1; i++)
			w[i] = 0.5 * (v[i - 1] + v[i + 1]);
		for (int i = 1; i < n - 1; i++)
			v[i] = w[i];
		t += dt;
	}
#pragma endscop
	return t;
}

/* Copies that take turns; a source by the time. */
static double turns(int steps, double dt, double omega, int si, int sj)
{
	double t = 0;

#pragma scop
	for (int k = 0; k < steps; k++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				u[(k + 1) % 2][i][j] = 0.25 * (u[k % 2][i - 1][j] + u[k % 2][i + 1][j] + u[k % 2][i][j - 1] +
					u[k % 2][i][j + 1]) + 0.01 * cos(omega * t);
		t = t + dt;
		u[(k + 1) % 2][si][sj] += sin(omega * t);
	}
#pragma endscop
	return t;
}

/* Two of them, of which one follows the counter; steps from a variable on, by two. */
static float both(int first, int steps, float dt)
{
	float t = 1, gain = 1;

#pragma scop
	for (int k = first; k < steps; k += 2) {
		gain *= 0.875f;
		for (int i = 1; i < N - 1; i++)
			g[i] = 0.5f * (f[i - 1] + f[i + 1]) * gain;
		for (int i = 1; i < N - 1; i++)
			f[i] = g[i] + t;
		t += dt * k;
	}
#pragma endscop
	return t + gain;
}

/* Pointers change places; receivers hear the last step by the loops. */
static double swapped(int n, int steps, double dt, double *v, double *w, const int *at, int places)
{
	double t = 0;

#pragma scop
	for (int k = 0; k < steps; k++) {
		for (int i = 1; i < n - 1; i++)
			w[i] = 0.5 * (v[i - 1] + v[i + 1]) - 0.125 * t;
		for (int p = 0; p < places; p++)
			w[at[p]] += 0.25 * t;
		double *other = v;
		v = w;
		w = other;
		t += dt;
	}
#pragma endscop
	heard[0] = v[3];
	return t;
}

/* Around the grid, by cells beside it. */
static double around(int n, int steps, double dt, double *restrict v, double *restrict w)
{
	double t = 0;

#pragma scop
	for (int k = 0; k < steps; k++) {
		v[0] = v[n];
		v[n + 1] = v[1];
		for (int i = 1; i <= n; i++)
			w[i] = 0.5 * (v[i - 1] + v[i + 1]) + 0.0625 * t;
		for (int i = 1; i <= n; i++)
			v[i] = w[i];
		t += dt;
	}
#pragma endscop
	return t;
}

/* Loops that run until the time is over. */
static double until(int n, double end, double dt, double *restrict v, double *restrict w)
{
	double t = 0;

#pragma scop
	while (t < end) {
		for (int i = 1; i < n - 1; i++)
			w[i] = 0.5 * (v[i - 1] + v[i + 1]) + 0.01 * t;
		for (int i = 1; i < n - 1; i++)
			v[i] = w[i];
		t += dt;
	}
#pragma endscop
	return t;
}

/* .. and whatever it is, once. */
static double at_least_once(int n, double end, double dt, double *restrict v, double *restrict w)
{
	double t = 0.125;

#pragma scop
	do {
		for (int i = 1; i < n - 1; i++)
			w[i] = 0.5 * (v[i - 1] + v[i + 1]) + 0.01 * t;
		t += dt;
		for (int i = 1; i < n - 1; i++)
			v[i] = w[i] - 0.125 * t;
	} while (t < end);
#pragma endscop
	return t;
}

static float now, stop, by = 0.125f;

static void step(double *restrict v, double *restrict w)
{
	for (int i = 1; i < N - 1; i++)
		w[i] = 0.25 * (v[i - 1] + 2 * v[i] + v[i + 1]);
	for (int i = 1; i < N - 1; i++)
		v[i] = w[i];
}

static void for_a_while(double *restrict v, double *restrict w)
{
#pragma scop
	for (now = 0.5f; stop >= now; now += by)
		step(v, w);
#pragma endscop
}

static void declared(int n, double end, double dt, double (*restrict x)[M])
{
#pragma scop
	for (double t = -dt; t <= end; t = t + dt)
		for (int i = 1; i < n - 1; i++)
			for (int j = 1; j < M - 1; j++)
				x[i][j] += 0.25 * t;
#pragma endscop
}

int main(void)
{
	static const int at[] = { 7, 3, 20 };

	for (int steps = 0; steps < 8; steps++) {
		fill_double(u[0][0], 2 * N * M);
		fill_double(a, N * M);
		fill_double(b, N * M);
		fill_float(f, N);
		fill_float(g, N);
		heard[0] = unread(N, steps, 0.1, a, b);
		print_double("t", heard, 1);
		heard[0] = turns(steps, 0.1, 3, 5, 7);
		print_double("t", heard, 1);
		heard[0] = both(steps % 3, steps, 0.1f);
		print_double("t", heard, 1);
		print_double("a", a, N * M);
		heard[1] = swapped(N, steps, 0.1, a, b, at, 3);
		print_double("t", heard, 2);
		print_double("a", a, N);
		print_double("b", b, N);
		heard[0] = around(N, steps, 0.3, a, b);
		print_double("t", heard, 1);
		heard[0] = until(N, 0.1 * steps, 0.1, a, b);
		heard[0] += at_least_once(N, 0.1 * steps, 0.1, a, b);
		stop = 0.25f * (float) steps;
		for_a_while(b, a);
		heard[1] = now;
		declared(N, 0.3 * steps, 0.1, u[1]);
		print_double("t", heard, 2);
		print_double("u", u[0][0], 2 * N * M);
		print_double("a", a, N + 2);
		print_double("b", b, N + 2);
		print_float("f", f, N);
		print_float("g", g, N);
	}
	return 0;
}

/* fmin and fmax of zeros, of infinities and of what is no number; choices.  (Of zeros of both signs C lets
 * either be taken, and gcc puts arguments in an order of its own.)
 */
#include <math.h>
#include "data.h"

#define N 40

static float u[2][N];
static double v[2][N];

static void run(int steps, int n)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < n - 1; i++) {
			u[(t + 1) % 2][i] = fmaxf(fminf(u[t % 2][i - 1], u[t % 2][i + 1]), u[t % 2][i]);
			v[(t + 1) % 2][i] = fmin(v[t % 2][i], fmax(u[t % 2][i - 1], v[t % 2][i + 1]))
				+ fmax(u[t % 2][i], 0) - fmin(v[t % 2][i - 1], 0.0);
		}
#pragma endscop
}

/* What divides is where it may, so that nothing is infinite. */
static void limit(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			u[(t + 1) % 2][i] = u[t % 2][i] > 0.5f ? u[t % 2][i - 1] / u[t % 2][i]
				: u[t % 2][i] < -0.5f ? u[t % 2][i + 1] / u[t % 2][i] : 0.25f * u[t % 2][i];
#pragma endscop
}

static float special(int i)
{
	static const float value[] = {
		0.0f, -0.25f, 1.5f, -1.0f, 0.0f, INFINITY, -2.0f, 0.0f, 0.5f, -INFINITY, NAN,
	};

	return value[i * 7 % 11];
}

int main(void)
{
	for (int steps = 0; steps < 7; steps++) {
		for (int i = 0; i < 2 * N; i++) {
			u[i / N][i % N] = special(i % N + i / 23);
			v[i / N][i % N] = special(3 * (i % N) + i / 31);
		}
		run(steps, N);
		print_float("u", &u[0][0], 2 * N);
		print_double("v", &v[0][0], 2 * N);
		fill_float(&u[0][0], 2 * N);
		limit(steps);
		print_float("u", &u[0][0], 2 * N);
	}
	return 0;
}

// A product and a sum that are rounded once, of floats, of doubles and of what C converts to one.
#include <math.h>
#include <stdio.h>

#define N 40

static float a[2][N][N], w[N];
static double b[2][N][N];

static inline double weighted(double x, double y, double sum)
{
	return fma(x, y, fma(-0.375, y, sum));
}

static void run(int steps, float k, double q)
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < N - 1; j++) {
				a[(t + 1) % 2][i][j] = fmaf(k, a[t % 2][i - 1][j], fmaf(-k, a[t % 2][i][j + 1],
					w[i] * a[t % 2][i][j]));
				b[(t + 1) % 2][i][j] = weighted(q, b[t % 2][i][j - 1], b[t % 2][i + 1][j])
					+ fma(a[t % 2][i][j], 3, -i) + fmaf(b[t % 2][i][j], 0.25f, 1);
			}
#pragma endscop
}

int main(void)
{
	double sum = 0;

	for (int i = 0; i < N; i++) {
		w[i] = 1.0f / (float) (i + 3);
		for (int j = 0; j < N; j++) {
			a[0][i][j] = a[1][i][j] = (float) (i * j % 7) / 7;
			b[0][i][j] = b[1][i][j] = (double) (i + 2 * j) / 11;
		}
	}
	run(17, 0.3f, 0.7);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++) {
			printf("%a %a\n", (double) a[1][i][j], b[1][i][j]);
			sum += a[1][i][j] + b[1][i][j];
		}
	printf("%a\n", sum);
	return 0;
}

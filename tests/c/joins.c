/* Scalars that are assigned under conditions, on data and on indices: choices. */
#include "data.h"
#define N 30
static float a[N], b[N], c[N];
static void run(int steps, int q)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++) {
			float left, s = 0.5f;
			int k = 1;

			if (i > 0)
				left = a[i - 1];
			else
				left = 3;
			if (c[i] > 0) {
				s = c[i] + left;
				k = 3;
			} else if (q > 2) {
				s *= 0.25f;
			}
			if (q < 5)
				s += 1;
			b[i] = 0.25f * left + s * k;
		}
		for (int i = 1; i < N; i++) {
			float s = a[i];
			if (i % 3 == 0)
				s = b[i - 1];
			a[i] = 0.5f * s;
		}
	}
#pragma endscop
}
int main(void)
{
	for (int q = 0; q < 7; q++) {
		fill_float(a, N);
		fill_float(b, N);
		fill_float(c, N);
		run(4, q);
		print_float("a", a, N);
		print_float("b", b, N);
	}
	return 0;
}

/* Choices at the border, where the other value is no element. */
#include "data.h"

#define N 40

static float a[N], b[N], c[N][N], d[N][N];

static void run(int steps)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 0; i < N; i++)
			b[i] = (i > 0 ? a[i-1] : a[i]) + (i < N - 1 ? a[i+1] : 1.0f);
		for (int i = 0; i < N; i++)
			a[i] = 0.5f * b[i];
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++) {
				float left = j == 0 ? 0 : c[i][j-1];

				d[i][j] = c[i][j] + 0.25f * left;
			}
		for (int i = 0; i < N; i++)
			for (int j = 0; j < N; j++)
				c[i][j] = d[i][j] * 0.75f;
	}
#pragma endscop
}

int main(void)
{
	fill_float(a, N);
	fill_float(&c[0][0], N * N);
	run(5);
	print_float("a", a, N);
	print_float("b", b, N);
	print_float("c", &c[0][0], N * N);
	return 0;
}

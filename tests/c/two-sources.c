/* Two sources, perhaps in one cell, where the nest computes it or not. */
#include <stdio.h>

#define N 40
#define M 36

static float a[N][M], b[N][M], pulse[30];

static void run(int steps, int i1, int j1, int i2, int j2)
{
#pragma scop
	for (int t = 0; t < steps; t++) {
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				b[i][j] = 0.2f * (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
		for (int i = 1; i < N - 1; i++)
			for (int j = 1; j < M - 1; j++)
				a[i][j] = b[i][j];
		a[i1][j1] += 0.1 * pulse[t];
		a[i2][j2] = 0.5f * a[i2][j2] - pulse[t];
	}
#pragma endscop
}

static void show(void)
{
	double sum = 0;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			sum = sum * 0.99 + a[i][j];
	printf("%.17g\n", sum);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			a[i][j] = i * 7 % 23 * 0.25f + j;
	for (int t = 0; t < 30; t++)
		pulse[t] = t * 0.3f;
	run(9, 5, 6, 7, 8);
	show();
	run(9, 5, 6, 5, 6);
	show();
	run(9, 0, 3, 0, 3);	/* at the edge */
	show();
	run(9, 0, 3, 4, 3);
	show();
	return 0;
}

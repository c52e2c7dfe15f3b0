/* Parameters written as arrays, one of them with copies, and a global one. */
#include <stdio.h>

#define N 12
#define M 17

static float field[N][M];

void smooth(int steps, float a[2][N][M], float b[N][M])
{
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < N - 1; i++)
			for (int j = 0; j < M; j++)
				a[(t + 1) % 2][i][j] = 0.5f * (a[t % 2][i-1][j] +
					a[t % 2][i+1][j]) + b[i][j] * field[i][j];
#pragma endscop
}

static void show(const char *how, float a[2][N][M], float b[N][M])
{
	float sum = 0;

	smooth(5, a, b);
	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++)
			sum = 0.75f * sum + a[0][i][j] + a[1][i][j];
	printf("%s: %g\n", how, sum);
}

int main(void)
{
	static float a[2][N][M], b[N][M], third[3][N][M];

	for (int i = 0; i < N; i++)
		for (int j = 0; j < M; j++) {
			a[0][i][j] = a[1][i][j] = (float) (i * j % 7);
			b[i][j] = 0.25f * (float) (i - j);
			field[i][j] = 0.125f;
			for (int k = 0; k < 3; k++)
				third[k][i][j] = (float) (i * k - j);
		}
	show("apart", a, b);
	show("beside", third, third[2]);
	show("a copy", third, third[1]);
	show("in between", third, (float (*)[M]) &third[1][3][5]);
	return 0;
}

/* Integers that a function initialises: constants if it never changes them, in whatever way. */
#include <stdio.h>

#define N 40

static float a[2][N][N];

static void change(int *p)
{
	*p -= 3;
}

#define STEP(n, i, j) 0.25f * (a[(n) % 2][(i) - 1][j] + a[(n) % 2][i][(j) - 1] \
	+ a[(n) % 2][(i) + 1][j] + a[(n) % 2][i][(j) + 1])

int main(void)
{
	short rows = N - 2;
	int fewer = N, steps = 6, twice = 9, behind = N - 1, *alias = &twice;
	unsigned char wraps = 256 + N - 5;

	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			a[0][i][j] = a[1][i][j] = (float) ((i * 7 + j * 3) % 11);
	change(&fewer);
	*alias += 1;
	steps++;
#pragma scop
	for (int t = 0; t < steps; t++)
		for (int i = 1; i < rows; i++)
			for (int j = 1; j < fewer; j++)
				a[(t + 1) % 2][i][j] = STEP(t, i, j);
#pragma endscop
#pragma scop
	for (int t = 0; t < twice; t++)
		for (int i = 1; i < wraps; i++)
			for (int j = 1; j < behind; j++)
				a[(t + 1) % 2][i][j] = STEP(t, i, j);
#pragma endscop
	behind -= 2;
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			printf("%a %a\n", a[0][i][j], a[1][i][j]);
	printf("%d %d %d\n", behind, rows, fewer);
	return 0;
}
